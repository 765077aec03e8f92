// Writes the body of a function, node by node, into one buffer. python.cpp adds the lines before
// and after the body.
#pragma once

#include "fx/codegen/python/globals_internal.h"
#include "fx/codegen/python/parameters_internal.h"
#include "fx/codegen/python/python.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"
#include "fx/passes/analysis/graph_queries.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::python {

/// The maximum nesting depth of the modules and graphs that are emitted.
inline constexpr int kMaxNesting = 100;

/// The position of an operand, which determines whether it needs parentheses.
enum class Position : uint8_t {
  kOperand,  ///< an operand of an operator that binds less tightly than unary minus
  kBase,     ///< the base of a power or a subscript: -2 ** x is -(2 ** x)
  kObject,   ///< before an attribute: 5.real is not an attribute of 5
};

/// Appends text that must not terminate the enclosing comment or quoted annotation: control
/// characters become spaces, and bytes that are not UTF-8 become U+FFFD.
void append_comment(std::string& out, std::string_view text);

/// Indents every line except the first by four spaces. Whitespace-only lines become empty.
std::string indented(std::string_view text);

/// Writes the body of one function, node by node.
class Emitter {
 public:
  Emitter(const Graph& graph, const PythonOptions& options)
      : graph_(graph), options_(options), names_(graph), last_use_(last_users(graph)) {}

  absl::Status emit();

  std::string body;
  /// The offsets in `body` at which the text of each node starts.
  std::vector<std::pair<size_t, const Node*>> marks;
  /// The offsets in `body` at which torch.fx's pieces end; only with body transformers.
  std::vector<size_t> pieces;
  /// The parameters, in the order of the placeholders.
  std::vector<Parameter> parameters;
  std::string returns;
  std::vector<std::string> wrapped;
  bool has_out_spec = false;  ///< the calling convention has an output structure

  Names& names() { return names_; }

 private:
  void find_binders();
  void keep_symbols(ArgumentRef value);
  void reserve_names();
  void emit_node(const Node& node);
  void emit_placeholder(const Node& node);
  void emit_function(const Node& node);
  bool emit_operator(const Node& node, const FunctionInfo& info);
  bool emit_in_place(const Node& node, const FunctionInfo& info);
  void emit_output(const Node& node);
  void emit_frees(const Node& node);
  /// True if the text of a symbolic argument may refer to the value. Such a value is not freed.
  bool is_kept(const Node& node) const { return !kept_.empty() && kept_.contains(&node); }
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
  /// Appends `base.a.b`, or getattr(base, "0").
  void append_path(std::string& out, size_t base, std::string_view path);
  /// Appends an expression that evaluates to the argument: torch.fx's spelling, if that is correct.
  void append_value(std::string& out, ArgumentRef value);
  /// Appends the value of an operand, in parentheses if the operator would apply only to part of
  /// the text.
  void append_operand(std::string& out, ArgumentRef value, Position position);
  void append_items(std::string& out, ArgumentRef value);
  void append_dict(std::string& out, ArgumentRef value);
  void append_struct(std::string& out, ArgumentRef value);
  bool append_enum(std::string& out, ArgumentRef value);
  void append_arguments(std::string& out, const Node& node, size_t first);
  void fail(std::string_view why);

  // constants.cpp
  bool append_tensor_constant(std::string& out, ArgumentRef value);
  void append_symbolic(std::string& out, SymExpr expr);
  void bind_symbol(std::string_view name);
  /// Appends text of unknown origin, such as the repr() of an object.
  void append_object_text(std::string& out, std::string_view text);

  const Graph& graph_;
  const PythonOptions& options_;
  Names names_;
  NodeMap<const Node*> last_use_;
  const Node* node_ = nullptr;  // the node being written
  bool in_repr_ = false;        // inside a dict or a named tuple, which torch.fx prints with repr()
  bool in_default_ = false;     // inside a default value, which is evaluated outside the function
  /// The integer values of the graph whose type is a single symbol, keyed by the symbol.
  absl::flat_hash_map<Symbol, const Node*> binders_;
  absl::flat_hash_set<const Node*> kept_;  // values that occur in the text of symbolic arguments
  absl::flat_hash_set<std::string_view> parameter_names_;
  std::string annotation_;
  std::string last_origin_;
  std::vector<const Node*> freed_;
  absl::Status status_;
};

}  // namespace fx::python
