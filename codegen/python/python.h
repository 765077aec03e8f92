// Emits the Python code of a graph, identical to torch.fx's `graph_module.code`.
//
//   FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(graph));
//   code.source           def forward(self, x):
//                             relu = torch.relu(x);  x = None
//                             return relu
//   code.import_block()   the import statements that the code needs
//
// Follows CodeGen._gen_python_code in torch 2.13's torch/fx/graph.py. If torch.fx's text is not
// valid Python or does not compute the results of the graph, fxcpp writes different, correct text;
// docs/codegen.md lists the cases. All text from users (names, paths, strings, traces) is escaped
// or rejected with an error, so that it cannot inject code.
#pragma once

#include "fx/ir/graph/node.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Graph;
class GraphModule;

/// A name that the code uses but does not define.
struct PythonGlobal {
  std::string name;  ///< as in the code: `math_sqrt`
  /// The statement that binds it, such as `from math import sqrt as math_sqrt`. Empty if there is
  /// none: for lambdas, functions inside functions, symbols of sizes that are not values of the
  /// graph, and objects that are known only by their text.
  std::string statement;
  bool is_function = false;  ///< called by the code, and not part of torch
};

/// Changes the body of the function, like torch.fx's on_generate_code. Receives and returns pieces
/// of text without indentation, which are joined; each line ends with '\n'. A piece `# COUNTER:
/// 3\n` states that the following lines come from node 3; these pieces are removed from the result.
using PythonBodyTransformer = std::function<std::vector<std::string>(std::vector<std::string>)>;

struct PythonOptions {
  /// The code's expression for the module that contains parameters and submodules.
  std::string_view root = "self";
  std::string_view function_name = "forward";
  /// Annotates values with their types, and adds a comment with the location in the user's program
  /// whenever it changes.
  bool verbose = false;
  bool include_stride = false;               ///< with verbose: `f32[2, 3][3, 1]`
  bool include_device = false;               ///< with verbose: `f32[2, 3]cpu`
  bool expanded_def = false;                 ///< writes each parameter on a separate line
  bool record_func = false;                  ///< records each call with torch.profiler
  std::vector<std::string> additional_meta;  ///< with verbose: keys of metadata to show
  /// Applied in order, each to the result of the previous transformer.
  std::vector<PythonBodyTransformer> body_transformers;

  // torch.fx's CodeGen hooks. If a hook is empty, the code follows the graph's calling convention
  // (docs/json.md), if it has one.
  /// gen_fn_def: returns the head of the function, given its parameters (as written, without
  /// `self`) and its return annotation (`" -> int"` or empty). The head must not end with a line
  /// break.
  std::function<std::string(absl::Span<const std::string> parameters, std::string_view returns)>
      function_head;
  /// generate_output: returns the return statement, given the text of the result.
  std::function<std::string(std::string_view result)> return_statement;
  /// additional_globals: the globals that these hooks use.
  std::vector<PythonGlobal> additional_globals;
};

struct PythonCode {
  /// The function, like torch.fx's python_code(root).src: preceded by empty lines and `wrap`
  /// statements, without a line break at the end.
  std::string source;
  std::vector<PythonGlobal> globals;  ///< in the order of first use
  int prologue_line = 0;  ///< the line of `source` that contains the `def`, counted from 1
  /// For each line of `source`, the node that it comes from, or null. Changes to the graph
  /// invalidate it.
  std::vector<const Node*> line_nodes;

  /// Returns the statements of all globals, sorted and without duplicates, one on each line.
  /// Returns FailedPrecondition if globals cannot be imported; the message names them.
  absl::StatusOr<std::string> import_block() const;
};

/// Returns the code of a graph. Returns InvalidArgument, with the name of the node, if it cannot be
/// written as Python, for example because a parameter is not an identifier or the text of an object
/// is not an expression.
absl::StatusOr<PythonCode> python_code(const Graph& graph, const PythonOptions& options = {});
/// Returns the code of a module. Its `source` is identical to torch.fx's GraphModule.code.
absl::StatusOr<PythonCode> python_code(const GraphModule& module,
                                       const PythonOptions& options = {});

/// Returns a self-contained Python file with imports, `forward` and three functions:
/// `load(members)` returns a torch.nn.Module, `trace(members)` returns a torch.fx.GraphModule, and
/// `arguments(tensors)` returns the inputs in a safetensors file. Returns FailedPrecondition if the
/// graph calls functions that cannot be imported.
absl::StatusOr<std::string> python_module(const Graph& graph, std::string_view name);

struct ReadableOptions {
  bool include_stride = false;
  bool include_device = false;
  bool expanded_def = false;
  std::vector<std::string> additional_meta;
};

/// Returns the output of torch.fx's print_readable() without the last line break: a class whose
/// forward has comments with types and origins. Nested graphs follow as nested classes.
absl::StatusOr<std::string> python_readable(const Graph& graph, std::string_view class_name,
                                            const ReadableOptions& options = {});
/// Returns the class for a module. Children that are graph modules follow as nested classes.
absl::StatusOr<std::string> python_readable(const GraphModule& module,
                                            const ReadableOptions& options = {});

}  // namespace fx
