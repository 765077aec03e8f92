// The names in the code of one graph: locals (nodes) and globals (functions, types) share one
// namespace, as in torch.fx's Graph.python_code.
#pragma once

#include "fx/codegen/python/python.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/support/name.h"

#include "absl/container/flat_hash_map.h"

#include <string>
#include <string_view>
#include <vector>

namespace fx::python {

/// True for an ASCII identifier that is not a keyword. Python also accepts other letters, but
/// normalizes some of them.
bool is_identifier(std::string_view text);
/// True for identifiers with dots between them.
bool is_dotted(std::string_view text);

/// The form in which torch.fx writes calls to a function.
struct FunctionInfo {
  enum class Form : uint8_t { kCall, kInfix, kInPlace, kGetAttr };
  Form form = Form::kCall;
  int arity = 0;            ///< for kInfix and kInPlace
  const char* op = "";      ///< " + ", "-"; "" for getitem and setitem
  std::string global_name;  ///< for kCall and kGetAttr; empty before the first use
};

class Names {
 public:
  explicit Names(const Graph& graph);

  /// Returns the local of a node. The first call creates it.
  const Name& local(const Node& node) {
    Name& name = locals_[node];
    if (!name.base) name = space_.create(hint(node));
    return name;
  }
  FunctionInfo& function(Target target);
  /// Returns the global through which the code calls the function.
  const std::string& call_name(FunctionInfo& info, Target target);
  /// Returns the global for the object at a dotted path, named `name` if that is not in use.
  std::string imported(std::string_view name, std::string_view path);
  /// Adds a global for text that no import statement can bind.
  void add_unbound(std::string_view text);
  /// Marks the global of this name as a function that the code calls.
  void set_function(std::string_view name);
  /// Reserves a name, so that no local uses it.
  void reserve(std::string_view name);
  /// True if the name is a global of the code.
  bool is_global(std::string_view name) const;
  /// Returns the global for a class with this `module.qualified.name`. The global is named after
  /// the whole path or, with `short_hint`, after its last part.
  std::string class_name(std::string_view qualified, bool short_hint);
  /// Returns the code of an annotation, given its text in torch.fx's listing.
  std::string annotation(std::string_view text);
  /// Returns the global for a constant in an annotation, bound to the value of the text.
  std::string constant(std::string_view text);
  std::vector<PythonGlobal> take_globals() { return std::move(globals_); }

 private:
  std::string add_function(Target target, std::string qualified, std::string_view repr);
  NameHint hint(const Node& node);
  std::string add(std::string_view hint, std::string_view key, std::string statement);
  std::string add_qualified(std::string_view hint, std::string_view qualified, std::string_view key,
                            bool is_importable);

  const Graph& graph_;
  NameSpace space_;
  NodeMap<Name> locals_;
  absl::flat_hash_map<Symbol, bool>
      plain_bases_;  // true for identifiers that do not end in a number
  absl::flat_hash_map<const TargetData*, FunctionInfo> functions_;
  absl::flat_hash_map<std::string, std::string>
      names_;  // keyed by a text that identifies the object
  std::vector<PythonGlobal> globals_;
};

}  // namespace fx::python
