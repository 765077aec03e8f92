#include "fx/interp/graph_guards.h"

#include "fx/interp/input_constants.h"
#include "fx/interp/shared_inputs.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

namespace fx {
namespace {

std::string range_text(const SymbolRange& range) {
  std::string text = to_string(range.expr);
  if (range.min) text = fmt::format("{} <= {}", *range.min, text);
  if (range.max) text += fmt::format(" <= {}", *range.max);
  return text;
}

void add_memory(const SharedInputs& group, std::vector<GraphGuard>& guards) {
  const Node& first = *group.nodes[0];
  for (size_t i = 1; i < group.nodes.size(); ++i) {
    const Type type = group.nodes[i]->type();
    std::string offset = "an unknown offset";
    if (type.is_tensor() && first.type().is_tensor() && type.dtype() == first.type().dtype())
      offset = to_string(type.offset() - first.type().offset());
    guards.push_back({GraphGuard::kMemory,
                      fmt::format("%{} = %{} + {}", group.nodes[i]->name(), first.name(), offset)});
  }
}

}  // namespace

std::string_view guard_kind_name(GraphGuard::Kind kind) {
  switch (kind) {
    case GraphGuard::kRange:
      return "range";
    case GraphGuard::kSize:
      return "size";
    case GraphGuard::kConstant:
      return "constant";
    case GraphGuard::kNumber:
      return "number";
    case GraphGuard::kMemory:
      break;
  }
  return "memory";
}

std::vector<GraphGuard> graph_guards(const Graph& graph) {
  std::vector<GraphGuard> guards;
  for (const Graph& part : all_graphs(graph)) {
    for (const SymbolRange& range : symbol_ranges(part))
      if (range.min || range.max) guards.push_back({GraphGuard::kRange, range_text(range)});
  }
  for (const Graph& part : all_graphs(graph)) {
    std::vector<std::string> unsupported;
    for (const SymExpr guard : guards_of(part, &unsupported))
      guards.push_back({GraphGuard::kSize, to_string(guard)});
    for (std::string& text : unsupported) guards.push_back({GraphGuard::kSize, std::move(text)});
  }
  for (const InputConstant& constant : input_constants(graph)) {
    guards.push_back({GraphGuard::kConstant,
                      fmt::format("{} = {}", constant.location.str(), print(constant.value))});
  }
  for (const Graph& part : all_graphs(graph)) {
    for (const Node& node : part.nodes()) {
      const std::optional<Argument> value = node.meta().get(kGuard);
      if (!value) continue;
      guards.push_back({GraphGuard::kNumber,
                        fmt::format("%{} ({}) = {}", node.name(), node.target(), print(*value))});
    }
  }
  for (const SharedInputs& group : shared_inputs(graph)) add_memory(group, guards);
  return guards;
}

}  // namespace fx
