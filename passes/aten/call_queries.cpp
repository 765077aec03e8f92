#include "fx/ir/ops/registry.h"
#include "fx/ir/ops/schema.h"
#include "fx/passes/aten/call_queries_internal.h"

#include <algorithm>

namespace fx::aten {

using ops::SchemaTypeKind;

std::optional<int64_t> rank_of_input(absl::Span<const Argument> args,
                                     absl::Span<const Kwarg> kwargs) {
  Argument input = args.empty() ? Argument() : args[0];
  for (const Kwarg& kwarg : kwargs)
    if (args.empty() && kwarg.key == "input") input = kwarg.value;
  const Node* const node = input.node();
  if (!node || !node->type().is_tensor() || !node->type().has_rank()) return std::nullopt;
  return node->type().rank();
}

bool is_constant_type(const Argument& value) {
  return value.kind() == ArgumentKind::kDType || value.kind() == ArgumentKind::kDevice ||
         value.kind() == ArgumentKind::kLayout;
}

bool is_device(const Argument& value) {
  return value.kind() == ArgumentKind::kDevice ||
         (value.is_string() && device_from_name(value.as_string()));
}

std::optional<int64_t> result_named(const Node& call, std::string_view name) {
  if (call.op() != Opcode::kCallFunction || call.function().op() == nullptr) return std::nullopt;
  const auto returns = call.function().op()->schema().returns();
  for (size_t i = 0; returns.size() > 1 && i < returns.size(); ++i)
    if (returns[i].name == name) return static_cast<int64_t>(i);
  return std::nullopt;
}

bool accepts_number_first(const Context& context, std::string_view packet) {
  const auto overloads = context.ops().overloads(packet);
  return std::ranges::any_of(overloads, [](const ops::OpInfo* op) {
    const auto arguments = op->schema().arguments();
    return !op->has(ops::OpTrait::kTorchScript) && !arguments.empty() &&
           arguments[0].type.is(SchemaTypeKind::kScalar);
  });
}

bool returns_object(const ops::OpInfo& op) {
  const auto returns = op.schema().returns();
  return returns.size() == 1 && (returns[0].type.is(SchemaTypeKind::kScalarType) ||
                                 returns[0].type.is(SchemaTypeKind::kQScheme));
}

Argument product_of(Graph& graph, const Argument& numbers) {
  int64_t constant = 1;
  Argument product;
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i].is_int()) {
      constant *= numbers[i].as_int();
      continue;
    }
    const Argument factors[] = {product, numbers[i]};
    product =
        product.is_none()
            ? numbers[i]
            : Argument(graph.call_function(graph.context().function("operator.mul"), factors));
  }
  if (product.is_none()) return constant;
  const Argument factors[] = {product, constant};
  return graph.call_function(graph.context().function("operator.mul"), factors);
}

}  // namespace fx::aten
