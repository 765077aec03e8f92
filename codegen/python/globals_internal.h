// The names of one emission: locals (nodes) and globals (functions, types) from one namespace, as
// torch.fx's Graph.python_code makes them.
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

/// A word that Python reads as one name: ASCII, not a keyword. (Python also takes other letters,
/// and folds some of them into others.)
bool is_identifier(std::string_view text);
/// Identifiers with dots between them.
bool is_dotted(std::string_view text);

/// How torch.fx writes calls of one function.
struct FunctionInfo {
  enum class Form : uint8_t { kCall, kInfix, kInPlace, kGetAttr };
  Form form = Form::kCall;
  int arity = 0;            ///< of kInfix and kInPlace
  const char* op = "";      ///< " + ", "-"; "" of getitem and setitem
  std::string global_name;  ///< of kCall and kGetAttr; empty until it is used
};

class Names {
 public:
  explicit Names(const Graph& graph);

  /// The local of a node; made at the first question.
  const Name& local(const Node& node) {
    Name& name = locals_[node];
    if (!name.base) name = space_.create(hint(node));
    return name;
  }
  FunctionInfo& function(Target target);
  /// The global through which the code calls the function.
  const std::string& call_name(FunctionInfo& info, Target target);
  /// True for operators, which stand among arguments by name.
  static bool is_operator(Target target);
  /// The global of a class by its `module.qualified.name`, named after the whole of it or after its
  /// last part.
  std::string class_name(std::string_view qualified, bool short_hint);
  /// An annotation, from the text that torch.fx's listing has of it.
  std::string annotation(std::string_view text);
  /// The global for a constant that stands in annotations: its text is its value.
  std::string constant(std::string_view text);
  std::vector<PythonGlobal> take_globals() { return std::move(globals_); }

 private:
  NameHint hint(const Node& node);
  std::string add(std::string_view hint, std::string_view key, std::string statement);
  std::string add_qualified(std::string_view hint, std::string_view qualified, std::string_view key,
                            bool is_found);

  const Graph& graph_;
  NameSpace space_;
  NodeMap<Name> locals_;
  absl::flat_hash_map<Symbol, bool> plain_bases_;
  absl::flat_hash_map<const TargetData*, FunctionInfo> functions_;
  absl::flat_hash_map<std::string, std::string> names_;  // by what stands for the object
  std::vector<PythonGlobal> globals_;
};

}  // namespace fx::python
