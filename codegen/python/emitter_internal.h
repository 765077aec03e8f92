// Writes the body of a function, node by node, into one buffer. python.cpp puts the parts together.
#pragma once

#include "fx/codegen/python/globals_internal.h"
#include "fx/codegen/python/python.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::python {

/// Modules and graphs nested deeper are not emitted.
inline constexpr int kMaxNesting = 100;

/// What is left of text inside a comment or a quoted annotation: control characters become blanks,
/// bytes that are no UTF-8 become U+FFFD.
void append_comment(std::string& out, std::string_view text);

/// Every line but the first moves right by four blanks; lines of blanks become empty.
std::string indented(std::string_view text);

class Emitter {
 public:
  Emitter(const Graph& graph, const PythonOptions& options)
      : graph_(graph), options_(options), names_(graph), last_use_(graph, nullptr) {}

  absl::Status emit();

  std::string body;
  /// Where the text of each node starts in `body`.
  std::vector<std::pair<size_t, const Node*>> marks;
  /// Where torch.fx's pieces end; only with body transformers.
  std::vector<size_t> pieces;
  std::vector<std::string> parameters;
  std::string returns;
  std::vector<std::string> wrapped;
  bool has_out_spec = false;  ///< the calling convention has an output structure

  Names& names() { return names_; }

 private:
  void find_last_uses();
  void emit_node(const Node& node);
  void emit_placeholder(const Node& node);
  void emit_function(const Node& node);
  bool emit_operator(const Node& node, const FunctionInfo& info);
  void emit_output(const Node& node);
  void emit_frees(const Node& node);
  void emit_origin(const Node& node);
  void append_record(const Node& node, bool enter, size_t index);
  void end_piece() {
    if (!options_.body_transformers.empty()) pieces.push_back(body.size());
  }

  // verbose.cpp
  bool append_type_comment(std::string& out, const Node& node);
  bool append_tensor(std::string& out, Type type, bool is_metadata);
  std::string annotation(const Node& node);
  std::string origin(const Node& node) const;
  static std::string recompute_note(const Node& node);

  // values.cpp
  void append_local(std::string& out, const Node& node) { names_.local(node).append_to(out); }
  void append_assignment(const Node& node) {
    append_local(body, node);
    body += annotation_;
    body += " = ";
  }
  /// `base.a.b`, or getattr(base, "0").
  void append_path(std::string& out, size_t base, std::string_view path);
  /// As torch.fx writes an argument, and as Python's repr does, with the locals of nodes.
  void append_value(std::string& out, ArgumentRef value);
  void append_repr(std::string& out, ArgumentRef value);
  void append_items(std::string& out, ArgumentRef value, bool is_repr);
  void append_struct(std::string& out, ArgumentRef value, bool is_repr);
  bool append_enum(std::string& out, ArgumentRef value);
  void append_raw(std::string& out, std::string_view text);
  void append_object(std::string& out, ArgumentRef value, size_t begin);
  void append_arguments(std::string& out, const Node& node, size_t first);
  void fail(std::string_view why);

  const Graph& graph_;
  const PythonOptions& options_;
  Names names_;
  NodeMap<const Node*> last_use_;
  const Node* node_ = nullptr;  // the one being written
  absl::flat_hash_set<std::string_view> parameter_names_;
  std::string annotation_;
  std::string last_origin_;
  std::vector<const Node*> freed_;
  absl::Status status_;
};

}  // namespace fx::python
