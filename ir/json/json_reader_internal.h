// Reads the interchange JSON: declarations that the sources of the reader share.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/json/json_tree_internal.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::json {

/// The prefix of the names of nested graphs that are written inside an argument; a number follows.
inline constexpr std::string_view kInlineGraphPrefix = "_graph_";

/// Node metadata with separate members in the document, by the keys of ir/graph/meta.h.
inline constexpr std::string_view kNodeMetaKeys[] = {
    "val",          "region",      "seq",         "module",        "annotation",
    "module_stack", "stack_trace", "tensor_meta", "original_aten", "source_fn",
    "from_node",    "input",       "outputs"};

/// Convert between keys of a node's JSON member `meta` and keys of NodeMeta. They differ if a
/// user's key is one of kNodeMetaKeys: "seq" is kept as "python.seq". An entry of NodeMeta that
/// does not have the form of its own JSON member is written to `meta` as "fx.seq".
std::string meta_key_from_json(std::string_view key);
std::string meta_key_to_json(std::string_view key);

inline constexpr std::string_view kGraphModuleClass = "torch.fx.graph_module.GraphModule";
inline constexpr std::string_view kTensorMeta = "tensor_meta";
inline constexpr std::string_view kSourceFn = "source_fn";
inline constexpr std::string_view kCallingConvention = "calling_convention";

/// Top-level keys of a document that are not metadata of the graph.
bool is_document_key(std::string_view key);
/// The node at index `i` of the result of an output; null if none exists.
const Node* returned_node(const Node& output, size_t i);
/// The entry "name" of a dict.
std::optional<Argument> entry_name(const Argument& entry);
/// True for the default name of an entry of `outputs`: the name of the returned node, or None.
bool name_follows(const Argument& name, const Node* returned);
/// A dict without its entry "name".
Argument without_name(const Argument& entry);

/// Keys of a tensor entry that a Type cannot express, in the order in which they are written.
inline constexpr std::string_view kTensorExtras[] = {"class", "memory_format", "quant", "param",
                                                     "data",  "str",           "repr",  "value"};

/// "expected a list, not a bool".
absl::Status wrong_kind(Value value, std::string_view expected);
/// Returns InvalidArgument if `form` has keys other than these.
absl::Status check_keys(Value form, std::initializer_list<std::string_view> known);

/// Decodes a string that JSON cannot represent. `codes` are its code points in Python: bytes that
/// are not UTF-8 are U+DC80 to U+DCFF, as with Python's surrogateescape. nullopt for other code
/// points.
std::optional<std::string> text_from_codes(const Argument& codes);

/// The default JSON word for the kind of a symbolic number; the expression determines it.
std::string_view natural_kind(SymExpr expr);

/// The Type of `val`, if the argument that represents the value has one.
std::optional<Type> type_of_value(TypeTable& types, const Argument& value);

class Reader {
 public:
  Reader(Context& context, const Tree& tree, const JsonOptions& options)
      : context_(context), root_(tree.root()), options_(options) {}

  absl::StatusOr<std::unique_ptr<Graph>> read_document();
  absl::StatusOr<std::unique_ptr<GraphModule>> read_module_document();

 private:
  /// The parts of a node.
  struct NodeParts {
    Value name, op, target, args, kwargs, val, region, seq, module, type, module_stack, stack_trace,
        tensor_meta, original_aten, source_fn, from_node, meta;
  };
  struct Deferred {
    Node* node;
    NodeParts parts;
  };
  /// The graph being read.
  struct Scope {
    Graph* graph;
    Value document;
    int depth;  // the nesting depth
    absl::flat_hash_map<std::string_view, Node*> nodes = {};
    // If a node uses a later one, its arguments and the arguments of all nodes after it are read
    // after all nodes exist, so that use lists are in program order.
    bool saw_later = false;
    absl::flat_hash_set<std::string_view> all_names = {};
    std::vector<Deferred> deferred = {};
    absl::flat_hash_map<uint32_t, uint32_t> inline_graphs = {};  // Value::id -> nested graph
  };

  // ---- json_reader.cpp
  absl::Status read_graph(Value document, Graph& graph, int depth);
  absl::StatusOr<uint32_t> add_subgraph(Graph& graph, std::string_view name, Value document,
                                        int depth);
  absl::StatusOr<NodeParts> read_parts(Value value);
  absl::Status read_node(const NodeParts& parts, Value value, Scope& scope);
  absl::Status read_arguments(const NodeParts& parts, Scope& scope, std::vector<Argument>& args,
                              std::vector<Kwarg>& kwargs);
  void warn_about_function(const Node& node);
  absl::Status read_node_meta(const NodeParts& parts, Node& node);
  absl::Status read_val(Value value, Node& node);
  absl::StatusOr<std::string_view> read_string(Value value, std::string_view what);

  // ---- json_document.cpp
  absl::Status check_document();
  absl::Status read_root_graph(Graph& graph);
  absl::Status read_document_meta(Graph& graph);
  absl::Status read_inputs(Value inputs, Graph& graph);
  absl::Status read_outputs(Value outputs, Graph& graph);
  absl::Status read_functions(Value functions, Graph& graph);
  /// Adds the graphs of `modules` that get_attr nodes refer to as nested graphs.
  absl::Status adopt_module_graphs(Value modules, Graph& graph, const std::string& prefix,
                                   int depth);

  // ---- json_modules.cpp
  absl::StatusOr<std::unique_ptr<GraphModule>> make_graph_module(std::string_view name);
  absl::Status read_modules(Value modules, GraphModule& root);
  absl::StatusOr<std::string_view> read_path(Value entry);
  /// Creates a module of the class in an entry, and sets `graph_module` if the entry has a graph.
  /// Returns null for the root, which already exists; `graph_module` is then already set.
  absl::StatusOr<std::shared_ptr<Module>> make_module(Value entry, GraphModule*& graph_module);
  /// The module of an entry; null for the root, whose members are set.
  absl::StatusOr<std::shared_ptr<Module>> read_module(
      Value entry, std::string_view path, GraphModule& root,
      absl::flat_hash_map<std::string, Attribute>& tensors);
  /// Reads a table of members of a module; `graph_module` is null for a plain module.
  absl::Status read_members(std::string_view table, Value members, std::string_view path,
                            Module& module, GraphModule* graph_module,
                            absl::flat_hash_map<std::string, Attribute>& tensors);
  absl::StatusOr<Attribute> read_attribute(
      Value value, std::string_view table,
      const absl::flat_hash_map<std::string, Attribute>& tensors);
  /// Reads an entry that refers to an earlier tensor.
  absl::Status read_same_tensor(Value value,
                                const absl::flat_hash_map<std::string, Attribute>& tensors,
                                Attribute& attribute);
  /// Reads a tensor. Sets nothing if the attribute must be an Argument to keep its Python class.
  absl::Status read_tensor_attribute(Value value, Attribute& attribute);
  void declare_missing(GraphModule& root, const Graph& graph);

  // ---- json_values.cpp. If `scope` is null, nodes and graphs are not allowed.
  absl::StatusOr<Argument> read_argument(Value value, Scope* scope, int depth = 0);
  absl::StatusOr<Argument> read_form(Value value, Scope* scope, int depth);
  absl::StatusOr<std::vector<Argument>> read_items(Value value, Scope* scope, int depth);
  absl::StatusOr<Argument> read_reference(Value value, Scope* scope);
  absl::StatusOr<Argument> read_graph_argument(Value value, Scope* scope);
  absl::StatusOr<Argument> read_dict(Value value, Scope* scope, int depth);
  absl::StatusOr<Argument> read_map(Value value, Scope* scope, int depth);
  absl::StatusOr<Argument> read_word(std::string_view form, Value content);
  absl::StatusOr<Argument> read_named_tuple(Value form, Scope* scope, int depth);
  absl::StatusOr<Argument> read_opaque(Value form, int depth);
  absl::StatusOr<Argument> read_size(Value value);
  absl::StatusOr<Argument> read_symbolic(Value form);
  absl::StatusOr<double> read_number(Value value);
  /// Reads plain JSON; objects become dicts.
  absl::StatusOr<Argument> read_plain(Value value, int depth = 0);
  absl::Status too_deep(Value value) const;

  // ---- json_types.cpp
  absl::StatusOr<Argument> read_tensor_argument(Value form, int depth);
  absl::StatusOr<Dim> read_dim(Value value);
  absl::StatusOr<SymExpr> read_expression(Value value);
  /// `other_key`: an additional key, which the caller reads. Extras are the keys in kTensorExtras.
  absl::StatusOr<Type> read_tensor(Value form, bool* has_extras, std::string_view other_key = {});
  /// The type in a value entry; nullopt if a Type cannot express it.
  absl::StatusOr<std::optional<Type>> read_type(Value value, int depth = 1);
  absl::StatusOr<std::optional<std::vector<Type>>> read_types(Value list, int depth);
  absl::StatusOr<std::optional<Type>> read_type_form(Value value, int depth);

  Context& context_;
  Value root_;
  const JsonOptions& options_;
  int format_ = 2;
  int num_graphs_ = 0;
  absl::flat_hash_set<const TargetData*> unknown_functions_;
  absl::flat_hash_map<std::string, Value> module_graphs_;
  absl::flat_hash_map<std::string_view, SymExpr> expressions_;
};

}  // namespace fx::json
