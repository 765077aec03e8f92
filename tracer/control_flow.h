// Branches and loops that depend on data: explicit calls with graphs as arguments, as in torch.cond
// and torch.export.
//
//   fx::Proxy y = fx::cond(sum(x) > 0, [](fx::Proxy a) { return relu(a); },
//                          [](fx::Proxy a) { return -a; }, {x});
//   fx::Proxy r = fx::while_loop([](fx::Proxy i, fx::Proxy s) { return i < 10; },
//                                [](fx::Proxy i, fx::Proxy s) { return std::tuple(i + 1, s * 2); },
//                                {i0, s0});                  // r[0], r[1]
//
// Each function becomes a graph nested in the traced one, named `true_graph_0` and so on. It can
// use only its parameters: outer values must be passed as operands (using an outer Proxy inside
// fails the trace).
#pragma once

#include "fx/tracer/structure.h"
#include "fx/tracer/trace_inline.h"
#include "fx/tracer/tracer_base.h"

#include "absl/functional/function_ref.h"

#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace fx {

/// Records Python's `assert condition, message`: a call to torch._assert, which fails the run if
/// the condition is false.
void assert_that(const Proxy& condition, std::string_view message, Where where = Where::current());
/// Annotates a value with its type. The trace fails with FailedPrecondition if the value has a
/// different type.
Proxy annotate(const Proxy& value, Type type, Where where = Where::current());

namespace internal {

/// Traces `body` into a graph nested in the tracer's; returns its get_attr node.
Proxy trace_nested(TracerBase& tracer, std::string_view prefix, size_t num_inputs,
                   absl::FunctionRef<AnyArg(TracerBase& inner, std::vector<Proxy>& inputs)> body,
                   Where where);
/// Returns the tracer of the operands. At least one operand must have a tracer.
TracerBase& operand_tracer(std::initializer_list<const Operand*> operands,
                           const std::vector<Proxy>& more);
Proxy call_higher_order(TracerBase& tracer, std::string_view name,
                        std::initializer_list<AnyArg> args, Where where);

/// Calls `f` with a proxy for each of its parameters.
template <class F, size_t... i>
AnyArg apply_proxies(const F& f, std::vector<Proxy>& inputs, std::index_sequence<i...>) {
  using Result = decltype(f(inputs[i]...));
  return Structure<std::remove_cvref_t<Result>>::to_argument(f(inputs[i]...));
}

template <class F>
Proxy nested(TracerBase& tracer, std::string_view prefix, const F& f, size_t num_inputs,
             Where where) {
  constexpr size_t kCount = std::tuple_size_v<decltype(parameters_of<F>())>;
  if (kCount != num_inputs) {
    tracer.fail(absl::InvalidArgumentError(
                    std::string(prefix) + ": the function has " + std::to_string(kCount) +
                    " parameters, but the number of values is " + std::to_string(num_inputs)),
                where);
    return Proxy::failed(tracer);
  }
  return trace_nested(
      tracer, prefix, kCount,
      [&](TracerBase&, std::vector<Proxy>& inputs) {
        return apply_proxies(f, inputs, std::make_index_sequence<kCount>());
      },
      where);
}

}  // namespace internal

/// Applies one of two functions to the operands, selected by a scalar bool.
template <class True, class False>
Proxy cond(const Proxy& predicate, const True& true_fn, const False& false_fn,
           const std::vector<Proxy>& operands, Where where = Where::current()) {
  const AnyArg test(predicate);
  TracerBase& tracer = internal::operand_tracer({&test}, operands);
  const Proxy on_true = internal::nested(tracer, "true_graph", true_fn, operands.size(), where);
  const Proxy on_false = internal::nested(tracer, "false_graph", false_fn, operands.size(), where);
  return internal::call_higher_order(
      tracer, "higher_order.cond",
      {test, on_true, on_false, Structure<std::vector<Proxy>>::to_argument(operands)}, where);
}

/// Runs `body_fn` on the carried values while `cond_fn` returns true for them. `body_fn` returns
/// their new values.
template <class Cond, class Body>
Proxy while_loop(const Cond& cond_fn, const Body& body_fn, const std::vector<Proxy>& carried,
                 Where where = Where::current()) {
  TracerBase& tracer = internal::operand_tracer({}, carried);
  const Proxy test =
      internal::nested(tracer, "while_loop_cond_graph", cond_fn, carried.size(), where);
  const Proxy body =
      internal::nested(tracer, "while_loop_body_graph", body_fn, carried.size(), where);
  return internal::call_higher_order(
      tracer, "higher_order.while_loop",
      {test, body, Structure<std::vector<Proxy>>::to_argument(carried), AnyArg::tuple({})}, where);
}

/// Folds over the first dimension of `xs`. The arguments of `combine_fn` are the carried values and
/// one slice of each tensor in `xs`; it returns the new carried values followed by the values to
/// stack.
template <class Combine>
Proxy scan(const Combine& combine_fn, const std::vector<Proxy>& init, const std::vector<Proxy>& xs,
           Where where = Where::current()) {
  TracerBase& tracer = internal::operand_tracer({}, init.empty() ? xs : init);
  const Proxy combine =
      internal::nested(tracer, "scan_combine_graph", combine_fn, init.size() + xs.size(), where);
  return internal::call_higher_order(
      tracer, "higher_order.scan",
      {combine, Structure<std::vector<Proxy>>::to_argument(init),
       Structure<std::vector<Proxy>>::to_argument(xs), AnyArg::tuple({})},
      where);
}

}  // namespace fx
