#include "fx/tracer/control_flow.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <memory>
#include <string>

namespace fx {

void assert_that(const Proxy& condition, std::string_view message, Where where) {
  FX_CHECK(condition.tracer() != nullptr,
           "the condition of assert_that must be a Proxy with a value");
  condition.tracer()->call_function("torch._assert", {condition, message}, {}, where);
}

Proxy annotate(const Proxy& value, Type type, Where where) {
  FX_CHECK(value.tracer() != nullptr, "the argument of annotate must be a Proxy with a value");
  if (!value.defined()) return value;
  const Type actual = value.node()->type();
  if (actual && actual != type) {
    value.tracer()->fail(absl::FailedPreconditionError(
                             fmt::format("%{} is annotated as {}, but has the type {}",
                                         value.node()->name(), to_string(type), to_string(actual))),
                         where);
    return Proxy::failed(*value.tracer());
  }
  value.node()->set_type(type);
  return value;
}

}  // namespace fx

namespace fx::internal {

Proxy trace_nested(TracerBase& tracer, std::string_view prefix, size_t num_inputs,
                   absl::FunctionRef<AnyArg(TracerBase& inner, std::vector<Proxy>& inputs)> body,
                   Where where) {
  if (!tracer.status().ok()) return Proxy::failed(tracer);
  auto graph = std::make_unique<Graph>(tracer.context());
  GraphAppendingTracer inner(*graph, tracer.record_options());
  std::vector<Proxy> inputs;
  inputs.reserve(num_inputs);
  for (size_t i = 0; i < num_inputs; ++i)
    inputs.push_back(inner.placeholder(fmt::format("arg{}", i), where));
  const AnyArg result = body(inner, inputs);
  inner.record({.op = Opcode::kOutput,
                .target = "output",
                .args = absl::MakeConstSpan(&result.value(), 1),
                .where = where});
  if (!inner.status().ok()) {
    tracer.fail(
        absl::Status(inner.status().code(),
                     fmt::format("in {}: {}", prefix, std::string(inner.status().message()))),
        where);
    return Proxy::failed(tracer);
  }
  std::string name;
  for (int number = 0;; ++number) {
    name = fmt::format("{}_{}", prefix, number);
    if (tracer.graph().find_subgraph(name) == nullptr) break;
  }
  const absl::StatusOr<uint32_t> added = tracer.graph().add_subgraph(name, std::move(graph));
  if (!added.ok()) {
    tracer.fail(added.status(), where);
    return Proxy::failed(tracer);
  }
  return tracer.get_attr(name, where);
}

TracerBase& operand_tracer(std::initializer_list<const Operand*> operands,
                           const std::vector<Proxy>& more) {
  for (const Operand* operand : operands)
    if (operand->tracer() != nullptr) return *operand->tracer();
  for (const Proxy& proxy : more)
    if (proxy.tracer() != nullptr) return *proxy.tracer();
  FX_CHECK(false, "at least one operand must be a Proxy with a value");
  FX_UNREACHABLE("checked");
}

Proxy call_higher_order(TracerBase& tracer, std::string_view name,
                        std::initializer_list<AnyArg> args, Where where) {
  return tracer.call_function(name, args, {}, where);
}

}  // namespace fx::internal
