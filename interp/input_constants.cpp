#include "fx/interp/input_constants.h"

#include <cstddef>

namespace fx {
namespace {

// NOLINTNEXTLINE(misc-no-recursion): types have a maximum depth
void add(SizeChecks::Location& location, Type type, std::vector<InputConstant>& constants) {
  if (std::optional<Argument> value = constant_of(type))
    constants.push_back({location, *std::move(value)});
  if (!type.is_list() && !type.is_tuple()) return;
  for (size_t i = 0; i < type.items().size(); ++i) {
    location.path.push_back(i);
    add(location, type.items()[i], constants);
    location.path.pop_back();
  }
}

}  // namespace

std::optional<Argument> constant_of(Type type) {
  switch (type.kind()) {
    case TypeKind::kNone:
      return Argument::none();
    case TypeKind::kInt:
      if (type.is_constant()) return Argument(type.int_value());
      break;
    case TypeKind::kFloat:
      if (type.is_constant()) return Argument(type.float_value());
      break;
    case TypeKind::kBool:
      if (type.is_constant()) return Argument(type.bool_value());
      break;
    case TypeKind::kComplex:
      if (type.is_constant()) return Argument(type.complex_value());
      break;
    case TypeKind::kString:
      if (type.is_constant()) return Argument(type.string_value());
      break;
    default:
      break;
  }
  return std::nullopt;
}

std::vector<InputConstant> input_constants(const Graph& graph) {
  std::vector<InputConstant> constants;
  size_t input = 0;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    const size_t number = input++;
    if (node.target().starts_with('*')) continue;
    SizeChecks::Location location{.input = number,
                                  .path = {},
                                  .quantity = SizeChecks::Quantity::kNumber,
                                  .dim = 0,
                                  .name = node.name()};
    add(location, node.type(), constants);
  }
  return constants;
}

}  // namespace fx
