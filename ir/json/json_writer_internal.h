// Writes the interchange JSON: declarations that the sources of the writer share.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/json/json.h"
#include "fx/ir/module/module.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::json {

bool is_utf8(std::string_view text);
/// True for plain JSON: standard kinds, string keys, finite numbers, UTF-8.
bool is_plain(const Argument& value);
/// True if a Type alone expresses a value, so that it would be read as a type.
bool is_type_only(const Argument& value);

/// True for tensor types that a tensor entry can express.
bool is_json_tensor(Type type);

class Writer {
 public:
  explicit Writer(const JsonWriteOptions& options) : options_(options) {}

  /// `module`: the GraphModule that owns the graph, written with it; or null.
  absl::StatusOr<std::string> write_document(const Graph& graph, const GraphModule* module);
  absl::StatusOr<std::string> write_plain_value(const Argument& value);

 private:
  /// The metadata of a node, grouped by the member of the document in which it is written.
  struct NodeMetaParts {
    const Argument* val = nullptr;
    const Argument* region = nullptr;
    const Argument* seq = nullptr;
    const Argument* module = nullptr;
    const Argument* annotation = nullptr;
    const Argument* module_stack = nullptr;
    const Argument* stack_trace = nullptr;
    const Argument* tensor_meta = nullptr;
    const Argument* original_aten = nullptr;
    const Argument* source_fn = nullptr;
    const Argument* from_node = nullptr;
    std::vector<std::pair<std::string, const Argument*>> other;  // by JSON key
  };

  // ---- json_write_document.cpp
  std::string write_all(const Graph& graph, const GraphModule* module);
  void begin_entry(std::string_view key);
  void write_document_entry(std::string_view key, const Argument& value);
  /// True for metadata of a graph that has no separate member and is written to `meta`.
  bool is_in_graph_meta(const Graph& graph, Symbol key, const Argument& value) const;
  bool has_inputs(const Graph& graph) const;
  bool has_placeholders(const Graph& graph) const;
  void write_inputs(const Graph& graph);
  void write_outputs(const Node& output);
  /// An entry of `inputs` or `outputs`: a dict to which a name is added.
  void write_named_entry(const Argument& entry, const std::optional<std::string>& name);
  void write_functions(const Graph& graph);

  // ---- json_writer.cpp
  void write_graph(const Graph& graph, int depth, bool compact);
  void write_graph_meta(const Graph& graph, std::string_view separator);
  void find_inline_graphs(const Graph& graph, int depth);
  void write_node(const Node& node);
  void write_operands(const Node& node);
  void write_val(const Node& node, const Argument* val);
  NodeMetaParts split_meta(const Node& node) const;
  bool has_member_form(std::string_view key, const Node& node, const Argument& value) const;
  bool has_outputs_form(const Node& node, const Argument& value) const;

  // ---- json_write_modules.cpp
  void write_modules(const GraphModule& root);
  void write_module(const GraphModule& root, const Module& module, const std::string& path);
  void write_arguments(const OrderedMap<Argument>& entries);
  /// Writes the table of one kind of attributes; nothing if none exist.
  void write_attributes(const GraphModule& root, const Module& module, const std::string& path,
                        AttributeKind kind);
  void write_attribute(const GraphModule& root, const Attribute& attribute, std::string_view name,
                       const std::string& path);

  // ---- json_write_values.cpp
  void write_text(std::string_view text);
  void write_number(double value);
  void write_plain(const Argument& value);
  template <class A>
  void write_argument(const A& value);
  template <class A>
  void write_items(const A& value);
  template <class A>
  void write_struct(const A& value);
  template <class A>
  bool write_opaque(const A& value);
  template <class A>
  bool write_tensor_struct(const A& value);
  template <class A>
  bool write_python_dict(const A& value);
  template <class A>
  void write_dict(const A& value);
  void write_bytes(std::string_view text);
  void write_graph_argument(uint32_t index);
  void write_symbolic(SymExpr expr, std::string_view kind);

  // ---- json_write_types.cpp
  void write_type_argument(Type type);
  void write_value(Type type);
  void write_tensor(Type type);
  void write_dim(const Dim& dim);
  void write_type_text(Type type);

  /// `"key":`, after a comma when it is not the first entry of its object.
  void key(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    out_ += '"';
    out_ += name;
    out_ += "\":";
  }
  /// Records a function that the document names: `functions` has a row if its spellings require
  /// one.
  void note_function(Target function) {
    if (function.data()->is_spelled() && seen_functions_.insert(function.data()).second)
      spelled_.push_back(function.data());
  }
  /// Call this for a value that format 1 cannot express.
  void need_format_2() { needs_2_ = true; }
  void fail(std::string_view what);

  const JsonWriteOptions options_;
  std::string out_;
  int format_ = 2;
  bool needs_2_ = false;
  bool kind_first_ = false;
  bool bare_inputs_ = false;  // all placeholders have an empty entry
  absl::Status status_;
  const Graph* root_ = nullptr;
  const Graph* graph_ = nullptr;  // the graph being written
  const Node* node_ = nullptr;    // for messages
  int graph_depth_ = 0;
  std::vector<const TargetData*> spelled_;
  absl::flat_hash_set<const TargetData*> seen_functions_;
  struct FirstTensor {
    std::string path;
    bool requires_grad;
  };
  absl::flat_hash_map<const void*, FirstTensor> tensors_;     // of modules, by identity
  absl::flat_hash_map<const Graph*, uint32_t> first_inline_;  // number of the first inline graph
};

}  // namespace fx::json
