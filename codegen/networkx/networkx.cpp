#include "fx/codegen/networkx/networkx.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/edges.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/module_tree.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <exception>
#include <vector>

namespace fx {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const Dim& dim) {
  return dim.is_int() ? ordered_json(dim.value()) : ordered_json(to_string(dim));
}

ordered_json to_json(absl::Span<const Dim> dims) {
  ordered_json list = ordered_json::array();
  for (const Dim& dim : dims) list.push_back(to_json(dim));
  return list;
}

/// Converts an argument to the form in docs/json.md: nodes to {"n": name}, dtypes to {"dtype":
/// name}.
ordered_json to_json(const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      return nullptr;
    case ArgumentKind::kBool:
      return value.as_bool();
    case ArgumentKind::kInt:
      return value.as_int();
    case ArgumentKind::kFloat:
      // JSON cannot represent these values; Python's float() accepts the names.
      if (std::isnan(value.as_float())) return {{"f", "nan"}};
      if (std::isinf(value.as_float())) return {{"f", value.as_float() < 0 ? "-inf" : "inf"}};
      return value.as_float();
    case ArgumentKind::kComplex:
      return {{"complex", {value.as_complex().real(), value.as_complex().imag()}}};
    case ArgumentKind::kString:
      return std::string(value.as_string());
    case ArgumentKind::kDType:
      return {{"dtype", dtype_name(value.as_dtype())}};
    case ArgumentKind::kDevice:
      return {{"device", device_name(value.as_device())}};
    case ArgumentKind::kLayout:
      return {{"layout", layout_name(value.as_layout())}};
    case ArgumentKind::kMemoryFormat:
      return {{"memory_format", memory_format_name(value.as_memory_format())}};
    case ArgumentKind::kSymbolic:
      return {{"sym", to_string(value.as_symbolic())}};
    case ArgumentKind::kType:
      return {{"type", to_string(value.as_type())}};
    case ArgumentKind::kFunction:
      return {{"op", std::string(value.as_function().name())}};
    case ArgumentKind::kEllipsis:
      return {{"ellipsis", true}};
    case ArgumentKind::kObject:
      return {{"object", std::string(value.as_string())}};
    case ArgumentKind::kGraph:
      return {{"graph", value.as_graph()}};
    case ArgumentKind::kNode:
      return {{"n", value.node()->name()}};
    case ArgumentKind::kDict: {
      ordered_json map = ordered_json::object();
      for (size_t i = 0; i < value.size(); ++i) {
        const Argument& key = value.key(i);
        map[key.is_string() ? std::string(key.as_string()) : fmt::format("{}", key.as_int())] =
            to_json(value[i]);
      }
      return {{"map", std::move(map)}};
    }
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
    case ArgumentKind::kStruct:
    case ArgumentKind::kSlice:
    case ArgumentKind::kRange:
      break;
  }
  ordered_json items = ordered_json::array();
  for (size_t i = 0; i < value.size(); ++i) items.push_back(to_json(value[i]));
  if (value.kind() == ArgumentKind::kSlice) return {{"slice", std::move(items)}};
  if (value.kind() == ArgumentKind::kRange) return {{"range", std::move(items)}};
  return items;
}

ordered_json memory_format_of(Type tensor) {
  if (!tensor.has_strides()) return nullptr;
  for (const MemoryFormat format :
       {MemoryFormat::kContiguous, MemoryFormat::kChannelsLast, MemoryFormat::kChannelsLast3d}) {
    if (format == MemoryFormat::kChannelsLast && tensor.rank() != 4) continue;
    if (format == MemoryFormat::kChannelsLast3d && tensor.rank() != 5) continue;
    if (is_contiguous(tensor, format)) return memory_format_name(format);
  }
  return nullptr;
}

/// Adds shape, dtype, stride and memory_format of a tensor; lists of shapes, dtypes and memory
/// formats for a tuple or a list; and the text of the type for other values.
void add_type(ordered_json& to, Type type) {
  if (type.is_tensor() && type.has_rank()) {
    to["shape"] = to_json(type.sizes());
    to["dtype"] = dtype_name(type.dtype());
    if (type.has_strides()) to["stride"] = to_json(type.strides());
    to["memory_format"] = memory_format_of(type);
  } else if (type.is_tuple() || type.is_list()) {
    ordered_json shapes = ordered_json::array(), dtypes = ordered_json::array(),
                 formats = ordered_json::array();
    for (const Type item : type.items()) {
      ordered_json one;
      add_type(one, item);
      shapes.push_back(one.value("shape", ordered_json()));
      dtypes.push_back(one.value("dtype", ordered_json()));
      formats.push_back(one.value("memory_format", ordered_json()));
    }
    to["shape"] = std::move(shapes);
    to["dtype"] = std::move(dtypes);
    to["memory_format"] = std::move(formats);
  } else {
    to["shape"] = nullptr;
    to["dtype"] = nullptr;
    to["memory_format"] = nullptr;
    if (type) to["type"] = to_string(type);
  }
}

/// Returns the op, the target and the arguments of a node. Arguments are keyed by their names in
/// the schema, or are in "args" and "kwargs" if the function has no schema.
ordered_json call_info(const Node& node) {
  ordered_json info = {{"op", opcode_name(node.op())}, {"target", std::string(node.target())}};
  if (node.op() == Opcode::kCallFunction) {
    if (const auto normal = normalized_arguments(node, /*only_kwargs=*/true); normal.ok()) {
      ordered_json arguments = ordered_json::object();
      for (const Kwarg& kwarg : normal->kwargs)
        arguments[std::string(kwarg.key)] = to_json(kwarg.value);
      // Positional-only arguments.
      for (size_t i = 0; i < normal->args.size(); ++i)
        arguments[fmt::format("{}", i)] = to_json(normal->args[i]);
      info["arguments"] = std::move(arguments);
      return info;
    }
  }
  ordered_json args = ordered_json::array(), kwargs = ordered_json::object();
  for (const Argument& value : node.args()) args.push_back(to_json(value));
  for (const Kwarg& kwarg : node.kwargs()) kwargs[std::string(kwarg.key)] = to_json(kwarg.value);
  if (!args.empty()) info["args"] = std::move(args);
  if (!kwargs.empty()) info["kwargs"] = std::move(kwargs);
  return info;
}

ordered_json node_entry(const Node& node) {
  ordered_json entry = {{"id", node.name()}, {"node_call_info", call_info(node)}};
  entry["region"] = is_backward(node) || is_tangent(node) ? "bw" : "fw";
  if (const std::string_view module = module_path(node); !module.empty()) entry["module"] = module;
  if (const auto seq = node.meta().get(meta::kSeq)) entry["seq"] = *seq;
  if (node.is_placeholder()) {
    for (const std::string_view key : {"kind", "target"})
      if (const std::string_view attribute = input_fact(node, key); !attribute.empty())
        entry[std::string(key == "target" ? "parameter" : key)] = attribute;
  }
  add_type(entry, node.type());
  return entry;
}

ordered_json names(const std::vector<const Node*>& nodes, const NodeSet& written) {
  ordered_json list = ordered_json::array();
  for (const Node* node : nodes)
    if (written.contains(*node)) list.push_back(node->name());
  return list;
}

}  // namespace

absl::StatusOr<std::string> write_networkx(const Graph& graph, const NetworkxOptions& options) {
  FX_ASSIGN_OR_RETURN(const SelectedNodes selected, select_nodes(graph, options.selection));
  NodeSet written(graph);
  for (const Node& node : graph.nodes())
    if (selected.inside.contains(node) || selected.context.contains(node)) written.insert(node);
  try {
    const auto model = graph.meta("model");
    const ordered_json graph_attributes = {
        {"name", model && model->is_string() ? std::string(model->as_string()) : std::string()},
        {"primals", names(primals(graph), written)},
        {"tangents", names(tangents(graph), written)}};
    std::string text =
        fmt::format("{{\n\"directed\": true,\n\"multigraph\": true,\n\"graph\": {},\n\"nodes\": [",
                    graph_attributes.dump());
    std::string_view separator = "\n ";
    for (const Node& node : graph.nodes()) {
      if (!written.contains(node)) continue;
      text += separator;
      text += node_entry(node).dump();
      separator = ",\n ";
    }
    text += "\n],\n\"edges\": [";
    separator = "\n ";
    for (const GraphEdge& edge : graph_edges(graph)) {
      if (!written.contains(*edge.from) || !written.contains(*edge.to)) continue;
      ordered_json entry = {
          {"source", edge.from->name()}, {"target", edge.to->name()}, {"key", edge.index}};
      add_type(entry, edge_type(edge));
      text += separator;
      text += entry.dump();
      separator = ",\n ";
    }
    text += "\n]\n}\n";
    return text;
  } catch (const nlohmann::json::exception& error) {  // a string is not UTF-8
    return absl::InvalidArgumentError(fmt::format("cannot be written as JSON: {}", error.what()));
  }
}

}  // namespace fx
