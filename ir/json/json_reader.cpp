// Reads graphs and nodes from interchange JSON: docs/json.md, "Graph" and "Node".
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/json/json_reader_internal.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace json {

namespace {

bool is_node_meta_key(std::string_view key) {
  return std::find(std::begin(kNodeMetaKeys), std::end(kNodeMetaKeys), key) !=
         std::end(kNodeMetaKeys);
}

constexpr std::string_view kFxPrefix = "fx.";
constexpr std::string_view kPythonPrefix = "python.";

/// True for one of kNodeMetaKeys after any number of prefixes "fx.".
bool is_escaped(std::string_view key) {
  while (key.starts_with(kFxPrefix)) key.remove_prefix(kFxPrefix.size());
  return is_node_meta_key(key);
}

}  // namespace

std::string meta_key_from_json(std::string_view key) {
  if (is_node_meta_key(key)) return std::string(kPythonPrefix).append(key);
  if (is_escaped(key)) return std::string(key.substr(kFxPrefix.size()));
  return std::string(key);
}

std::string meta_key_to_json(std::string_view key) {
  if (is_escaped(key)) return std::string(kFxPrefix).append(key);
  if (key.starts_with(kPythonPrefix) && is_node_meta_key(key.substr(kPythonPrefix.size())))
    return std::string(key.substr(kPythonPrefix.size()));
  return std::string(key);
}

absl::StatusOr<std::string_view> Reader::read_string(Value value, std::string_view what) {
  if (value.is_string()) return value.as_string();
  return value.error(fmt::format("expected {}, not {}", what, kind_name(value.kind())));
}

// ---------------------------------------------------------------- graphs

// Nesting is bounded (kMaxGraphDepth).
absl::Status Reader::read_graph(Value document, Graph& graph, int depth) {
  if (!document.is_object())
    return document.error(fmt::format("expected a graph, not {}", kind_name(document.kind())));
  if (depth > kMaxGraphDepth)
    return document.error(
        fmt::format("graphs are nested more than {} levels deep", kMaxGraphDepth));
  if (++num_graphs_ > kMaxGraphsInText)
    return document.error(fmt::format("a document must have at most {} graphs", kMaxGraphsInText));
  Value nodes, subgraphs, convention, meta;
  for (auto [key, value] : document.members()) {
    if (key == "nodes") {
      nodes = value;
    } else if (key == "subgraphs") {
      subgraphs = value;
    } else if (key == "calling_convention") {
      convention = value;
    } else if (key == "meta") {
      meta = value;
    } else {
      return value.error(fmt::format("unknown key \"{}\" in a graph", key));
    }
  }
  if (!nodes) return document.error("the key \"nodes\" is missing");
  if (!nodes.is_array()) return nodes.error("expected a list of nodes");
  if (convention) {
    FX_ASSIGN_OR_RETURN(Argument value, read_plain(convention));
    graph.set_meta(kCallingConvention, std::move(value));
  }
  if (meta) {
    if (!meta.is_object()) return meta.error("expected an object");
    for (auto [key, value] : meta.members()) {
      FX_ASSIGN_OR_RETURN(Argument argument, read_argument(value, nullptr));
      graph.set_meta(key, std::move(argument));
    }
  }
  if (subgraphs) {
    if (!subgraphs.is_object()) return subgraphs.error("expected an object of graphs");
    for (auto [name, value] : subgraphs.members())
      FX_RETURN_IF_ERROR(add_subgraph(graph, name, value, depth + 1));
  }

  Scope scope{.graph = &graph, .document = document, .depth = depth};
  scope.nodes.reserve(nodes.size());
  graph.set_allow_several_outputs(true);
  for (Value value : nodes.items()) {
    FX_ASSIGN_OR_RETURN(NodeParts parts, read_parts(value));
    FX_RETURN_IF_ERROR(read_node(parts, value, scope));
  }
  graph.set_allow_several_outputs(false);
  for (const Deferred& deferred : scope.deferred) {
    std::vector<Argument> args;
    std::vector<Kwarg> kwargs;
    FX_RETURN_IF_ERROR(read_arguments(deferred.parts, scope, args, kwargs));
    FX_RETURN_IF_ERROR(deferred.node->set_args(args));
    FX_RETURN_IF_ERROR(deferred.node->set_kwargs(kwargs));
  }
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> Reader::add_subgraph(Graph& graph, std::string_view name, Value document,
                                              int depth) {
  auto nested = std::make_unique<Graph>(context_);
  FX_RETURN_IF_ERROR(read_graph(document, *nested, depth));
  return graph.add_subgraph(name, std::move(nested));
}

// ---------------------------------------------------------------- nodes

absl::StatusOr<Reader::NodeParts> Reader::read_parts(Value value) {
  if (!value.is_object())
    return value.error(fmt::format("expected a node, not {}", kind_name(value.kind())));
  struct Field {
    std::string_view key;
    Value NodeParts::* part;
  };
  static constexpr Field kFields[] = {{"name", &NodeParts::name},
                                      {"op", &NodeParts::op},
                                      {"target", &NodeParts::target},
                                      {"args", &NodeParts::args},
                                      {"kwargs", &NodeParts::kwargs},
                                      {"val", &NodeParts::val},
                                      {"region", &NodeParts::region},
                                      {"seq", &NodeParts::seq},
                                      {"module", &NodeParts::module},
                                      {"type", &NodeParts::type},
                                      {"module_stack", &NodeParts::module_stack},
                                      {"stack_trace", &NodeParts::stack_trace},
                                      {"tensor_meta", &NodeParts::tensor_meta},
                                      {"original_aten", &NodeParts::original_aten},
                                      {"source_fn", &NodeParts::source_fn},
                                      {"from_node", &NodeParts::from_node},
                                      {"meta", &NodeParts::meta}};
  NodeParts parts;
  size_t next = 0;  // keys are mostly in this order
  for (auto [key, member] : value.members()) {
    size_t i = 0;
    while (i < std::size(kFields) && kFields[(next + i) % std::size(kFields)].key != key) ++i;
    if (i == std::size(kFields))
      return member.error(fmt::format("unknown key \"{}\" in a node", key));
    next = (next + i) % std::size(kFields);
    parts.*kFields[next].part = member;
  }
  if (!parts.name) return value.error("the key \"name\" is missing");
  if (!parts.op) return value.error("the key \"op\" is missing");
  if (!parts.target) return value.error("the key \"target\" is missing");
  return parts;
}

absl::Status Reader::read_node(const NodeParts& parts, Value value, Scope& scope) {
  FX_ASSIGN_OR_RETURN(std::string_view name, read_string(parts.name, "a node name"));
  FX_ASSIGN_OR_RETURN(std::string_view op_name, read_string(parts.op, "an opcode"));
  FX_ASSIGN_OR_RETURN(std::string_view target, read_string(parts.target, "a target string"));
  std::optional<Opcode> op = opcode_from_name(op_name);
  if (!op) return parts.op.error(fmt::format("unknown opcode \"{}\"", op_name));
  if (*op == Opcode::kCallFunction && target.empty())
    return parts.target.error("a function name must not be empty");

  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  if (!scope.saw_later) FX_RETURN_IF_ERROR(read_arguments(parts, scope, args, kwargs));
  if (scope.saw_later) {
    const size_t num_args = parts.args && parts.args.is_array() ? parts.args.size() : 0;
    args.assign(*op == Opcode::kOutput ? num_args : 0, Argument());
    kwargs.clear();
  }
  NodeOptions options;
  options.exact_name = split_name(context_.symbols(), name);
  absl::StatusOr<Node*> node =
      *op == Opcode::kCallFunction
          ? scope.graph->create_node(*op, context_.function(target), args, kwargs, options)
          : scope.graph->create_node(*op, target, args, kwargs, options);
  if (!node.ok()) return value.error(std::string(node.status().message()));
  if (options_.warnings && *op == Opcode::kCallFunction) warn_about_function(**node);
  if (scope.saw_later) scope.deferred.push_back({*node, parts});
  scope.nodes.emplace(name, *node);
  return read_node_meta(parts, **node);
}

void Reader::warn_about_function(const Node& node) {
  const Target function = node.function();
  if (function.op() || !unknown_functions_.insert(function.data()).second) return;
  options_.warnings->push_back(fmt::format(
      "node {} calls {}, which is not in the operator table: its name is kept, and it is assumed "
      "to have every effect",
      node.name(), function.name()));
}

absl::Status Reader::read_arguments(const NodeParts& parts, Scope& scope,
                                    std::vector<Argument>& args, std::vector<Kwarg>& kwargs) {
  if (parts.args) {
    if (!parts.args.is_array()) return parts.args.error("expected a list of arguments");
    args.reserve(parts.args.size());
    for (Value item : parts.args.items()) {
      FX_ASSIGN_OR_RETURN(Argument argument, read_argument(item, &scope));
      args.push_back(std::move(argument));
    }
  }
  if (parts.kwargs) {
    if (!parts.kwargs.is_object()) return parts.kwargs.error("expected an object of arguments");
    kwargs.reserve(parts.kwargs.size());
    for (auto [key, item] : parts.kwargs.members()) {
      FX_ASSIGN_OR_RETURN(Argument argument, read_argument(item, &scope));
      kwargs.emplace_back(key, std::move(argument));
    }
  }
  return absl::OkStatus();
}

absl::Status Reader::read_val(Value value, Node& node) {
  if (format_ == 1 && value.is_null()) return absl::OkStatus();  // the type is unknown
  FX_ASSIGN_OR_RETURN(std::optional<Type> type, read_type(value));
  if (!type) {
    FX_ASSIGN_OR_RETURN(Argument argument, read_argument(value, nullptr));
    type = type_of_value(context_.types(), argument);
    node.meta().set("val", std::move(argument));
  }
  if (type) node.set_type(*type);
  return absl::OkStatus();
}

absl::Status Reader::read_node_meta(const NodeParts& parts, Node& node) {
  NodeMeta meta = node.meta();
  auto text = [&](Value value, MetaKey<std::string_view> key) -> absl::Status {
    if (!value) return absl::OkStatus();
    FX_ASSIGN_OR_RETURN(std::string_view content, read_string(value, "a string"));
    meta.set(key.name, Argument(context_.symbol(content)));
    return absl::OkStatus();
  };
  auto argument = [&](Value value, std::string_view key) -> absl::Status {
    if (!value) return absl::OkStatus();
    FX_ASSIGN_OR_RETURN(Argument content, read_argument(value, nullptr));
    meta.set(key, std::move(content));
    return absl::OkStatus();
  };
  auto plain = [&](Value value, std::string_view key) -> absl::Status {
    if (!value) return absl::OkStatus();
    if (!value.is_array()) return value.error("expected a list");
    FX_ASSIGN_OR_RETURN(Argument content, read_plain(value));
    meta.set(key, std::move(content));
    return absl::OkStatus();
  };
  if (parts.val) FX_RETURN_IF_ERROR(read_val(parts.val, node));
  FX_RETURN_IF_ERROR(text(parts.region, meta::kRegion));
  if (parts.seq) {
    if (!parts.seq.is_int()) return parts.seq.error("expected an integer");
    meta.set(meta::kSeq, parts.seq.as_int());
  }
  FX_RETURN_IF_ERROR(text(parts.module, meta::kModule));
  FX_RETURN_IF_ERROR(text(parts.type, meta::kAnnotation));
  FX_RETURN_IF_ERROR(plain(parts.module_stack, meta::kModuleStack.name));
  FX_RETURN_IF_ERROR(text(parts.stack_trace, meta::kStackTrace));
  FX_RETURN_IF_ERROR(argument(parts.tensor_meta, kTensorMeta));
  FX_RETURN_IF_ERROR(text(parts.original_aten, meta::kOriginalAten));
  FX_RETURN_IF_ERROR(argument(parts.source_fn, kSourceFn));
  FX_RETURN_IF_ERROR(plain(parts.from_node, meta::kFromNode.name));
  if (!parts.meta) return absl::OkStatus();
  if (!parts.meta.is_object()) return parts.meta.error("expected an object");
  for (auto [key, value] : parts.meta.members()) {
    std::string kept = meta_key_from_json(key);
    if (meta.find(kept)) return value.error(fmt::format("duplicate metadata \"{}\"", kept));
    FX_RETURN_IF_ERROR(argument(value, kept));
  }
  return absl::OkStatus();
}

}  // namespace json

absl::StatusOr<std::unique_ptr<Graph>> read_json(Context& context, std::string_view text,
                                                 const JsonOptions& options) {
  FX_ASSIGN_OR_RETURN(json::Tree tree, json::Tree::parse(text));
  return json::Reader(context, tree, options).read_document();
}

}  // namespace fx
