// Python's calls in random programs: functions that depend on a rank, integers in tensors of rank 0 as
// indices, logic of masks, and lists that are changed in place. See random_aten_generator.h.
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "tests/testing/random_aten_generator.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fx::testing {

void RandomAtenGenerator::draw_python(Node* x) {
  switch (random_.below(6)) {
    case 0:
      return draw_rank(x);
    case 1:
    case 2:
      return draw_tensor_index(x);
    case 3:
      return draw_masks(x);
    default:
      return draw_changed_list(x);
  }
}

/// Adds a call to a Python function or attribute whose meaning depends on the rank of `x`.
void RandomAtenGenerator::draw_rank(Node* x) {
  if (is_floating_point(x->type().dtype()) && random_.chance(50)) {
    const int64_t dim = ops::default_softmax_dim(x->type().rank());
    Node* const softmax = call("aten.softmax.int", {x, dim});
    if (softmax == nullptr) return;
    softmax->set_function(context_.function("torch.nn.functional.softmax"));
    FX_CHECK_OK(softmax->set_args({x}));
    return;
  }
  const NodeOptions is_int{.type = context_.types().integer()};
  Node* const rank =
      if_it_runs(random_.chance(50) ? graph().call_function(context_.function("builtins.getattr"),
                                                            {x, Argument("ndim")}, {}, is_int)
                                    : graph().call_method("dim", {x}, {}, is_int));
  if (rank != nullptr) call("aten.add.Tensor", {x, rank});
}

/// Returns a tensor of rank 0 with a valid index into a dimension: a constant, or a number that
/// depends on data.
Node* RandomAtenGenerator::zero_rank_index(int64_t size) {
  const DType dtype = random_.chance(20) ? DType::kInt32 : DType::kInt64;
  if (random_.chance(40))
    return call("aten.full.default", {Argument::ints({}), index_below(size)}, {{"dtype", dtype}});
  for (Node* const number : values_)
    if (number->type().dtype() == DType::kInt64 && number->is_placeholder())
      if (Node* const sum = call("aten.sum.default", {number}))
        return call("aten.remainder.Scalar", {sum, size});
  return nullptr;
}

/// Adds x[i], x[:, i], x[i, ..., j] or x[i:], or an assignment to it, with indices in tensors of rank 0.
/// Often writes to the result, which is a view.
void RandomAtenGenerator::draw_tensor_index(Node* x) {
  const int64_t rank = x->type().rank();
  std::vector<Argument> index;
  for (int64_t i = 0; i < rank && !random_.chance(20); ++i) {
    const int64_t size = x->type().size(static_cast<int>(i)).value();
    if (size > 0 && (i == 0 || random_.chance(40))) {
      const size_t kind = random_.below(6);
      Node* const at = kind == 0 ? nullptr : kind == 1 ? index_of(x, i) : zero_rank_index(size);
      if (at != nullptr) {
        index.emplace_back(at);
        continue;
      }
    }
    if (size > 0 && random_.chance(30)) {  // from or to a number that may count from the end
      Node* at = zero_rank_index(size);
      if (at != nullptr && random_.chance(50)) at = call("aten.sub.Scalar", {at, size});
      const Argument bound = at == nullptr ? Argument() : Argument(at);
      index.push_back(random_.chance(50) ? Argument::slice(bound, Argument(), Argument())
                                         : Argument::slice(Argument(), bound, Argument()));
      continue;
    }
    index.push_back(Argument::slice(Argument(), Argument(), Argument()));
  }
  if (random_.chance(20)) index.insert(index.begin(), Argument());
  if (random_.chance(20)) index.insert(index.begin(), Argument::ellipsis());
  if (index.empty()) return;
  const bool is_alone = index.size() == 1 && random_.chance(60);
  const Argument item = is_alone ? index[0] : Argument::tuple(index);
  if (options_.writes && may_write(x) && random_.chance(30)) {
    const Argument value_of = random_.chance(70) ? Argument(number(4)) : Argument(value());
    if_it_runs(graph().call_function(context_.function("operator.setitem"), {x, item, value_of}));
    return;
  }
  Node* const part = call("operator.getitem", {x, item});
  if (part != nullptr && options_.writes && random_.chance(60)) draw_write_to(part);
}

/// Adds `&`, `|` or `^` of masks and integers of different sizes, and a use of the operands.
void RandomAtenGenerator::draw_masks(Node* x) {
  constexpr std::string_view kLogic[] = {"operator.and_", "operator.or_", "operator.xor",
                                         "operator.iand", "operator.ior"};
  const std::string_view op = random_.pick(kLogic);
  const bool writes = op == "operator.iand" || op == "operator.ior";
  Node* const a = random_.chance(80) ? mask_of(x) : x;
  Node* const b = random_.chance(80) ? mask_of(value()) : value();
  if (a == nullptr || b == nullptr || (writes && (!options_.writes || !may_write(a)))) return;
  Node* const both = call(op, {a, b});
  if (both == nullptr) return;
  if (random_.chance(50)) call("aten.sum.default", {a});
  if (random_.chance(50)) call("aten.where.ScalarOther", {both, x, number(3)});
}

Node* RandomAtenGenerator::untyped_call(Opcode op, std::string_view target,
                                        const std::vector<Argument>& args) {
  return if_it_runs(op == Opcode::kCallMethod
                        ? graph().call_method(target, args)
                        : graph().call_function(context_.function(target), args));
}

/// Adds a list, changes it in place (`l[0] = y`, `l += [y]`, `l.append(y)`), and uses its items.
void RandomAtenGenerator::draw_changed_list(Node* x) {
  const int64_t dim = dim_of(x);
  Node* list = nullptr;
  switch (random_.below(3)) {
    case 0:
      list = call("aten.unbind.int", {x, dim});
      break;
    case 1:
      list = call("aten.split.Tensor", {x, 1 + number(2), dim});
      break;
    default:
      list = call("aten.chunk.default", {x, 2, dim});
  }
  if (list == nullptr) return;
  last_ = {};
  auto count = static_cast<int64_t>(list->type().items().size());
  if (count == 0) return;
  Node* const before =
      random_.chance(50) ? call("operator.getitem", {list, index_below(count)}) : nullptr;
  for (size_t i = 1 + random_.below(2); i-- > 0;) {
    Node* const y = value();
    switch (random_.below(3)) {
      case 0:
        (void)untyped_call(Opcode::kCallFunction, "operator.setitem",
                           {list, index_below(count), y});
        break;
      case 1:
        if (untyped_call(Opcode::kCallMethod, "append", {list, y}) != nullptr) ++count;
        break;
      default: {
        Node* const longer =
            untyped_call(Opcode::kCallFunction, "operator.iadd", {list, Argument::list({y})});
        if (longer == nullptr) break;
        ++count;
        if (random_.chance(50)) list = longer;
      }
    }
  }
  if (before != nullptr && options_.writes && random_.chance(30)) draw_write_to(before);
  for (size_t i = 1 + random_.below(2); i-- > 0;) {
    Node* item =
        untyped_call(Opcode::kCallFunction, "operator.getitem", {list, index_below(count)});
    if (item == nullptr) return;
    if (random_.chance(50)) {
      constexpr std::string_view kUses[] = {"aten.neg.default", "aten.clone.default",
                                            "aten.sum.default", "aten.t.default"};
      item = untyped_call(Opcode::kCallFunction, random_.pick(kUses), {item});
    } else if (options_.writes && random_.chance(30)) {
      item = untyped_call(Opcode::kCallFunction, "aten.abs_.default", {item});
    }
    if (item != nullptr) untyped_.push_back(item);
  }
}

}  // namespace fx::testing
