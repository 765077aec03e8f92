// Python code of a graph, identical to torch.fx's `graph_module.code`.
//
//   FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(graph));
//   code.source           def forward(self, x):
//                             relu = torch.relu(x);  x = None
//                             return relu
//   code.import_block()   the import statements that it needs
//
// The rules are those of torch 2.13's torch/fx/graph.py, CodeGen._gen_python_code. If that text is
// not valid Python or does not compute what the graph computes, fxcpp's text differs and is
// correct; docs/codegen.md lists the cases. All text from users (names, paths, strings, traces) is
// escaped or rejected with an error, so that it cannot inject code.
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

/// A name that the code uses and does not define.
struct PythonGlobal {
  std::string name;  ///< as in the code: `math_sqrt`
  /// The statement that binds it: `from math import sqrt as math_sqrt`. Empty if none exists: for
  /// lambdas, functions inside functions, symbols of sizes that are not values of the graph, and
  /// objects whose text alone is known.
  std::string statement;
  bool is_function = false;  ///< called by the code, and not part of torch
};

/// Changes the body of the function: torch.fx's on_generate_code. Receives and returns pieces of
/// text without indentation, which are joined; a line ends with '\n'. A piece `# COUNTER: 3\n`
/// states that the lines after it come from node 3; these pieces are removed from the result.
using PythonBodyTransformer = std::function<std::vector<std::string>(std::vector<std::string>)>;

struct PythonOptions {
  /// The code's expression for the module that contains parameters and submodules.
  std::string_view root = "self";
  std::string_view function_name = "forward";
  /// Annotates values with their types, and adds a comment with the place in the user's program
  /// whenever that changes.
  bool verbose = false;
  bool include_stride = false;               ///< with verbose: `f32[2, 3][3, 1]`
  bool include_device = false;               ///< with verbose: `f32[2, 3]cpu`
  bool expanded_def = false;                 ///< each parameter on its own line
  bool record_func = false;                  ///< each call in a torch.profiler record
  std::vector<std::string> additional_meta;  ///< with verbose: keys of metadata to show
  /// Applied in order, each to the result of the one before.
  std::vector<PythonBodyTransformer> body_transformers;

  // torch.fx's CodeGen hooks. If empty, the graph's calling convention applies (docs/json.md), or
  // the plain one if it has none.
  /// gen_fn_def: the head of the function from its parameters (as written, without `self`) and its
  /// return annotation (`" -> int"` or empty). No line break at the end.
  std::function<std::string(absl::Span<const std::string> parameters, std::string_view returns)>
      function_head;
  /// generate_output: the return statement from the text of the result.
  std::function<std::string(std::string_view result)> return_statement;
  /// additional_globals: the globals that these hooks use.
  std::vector<PythonGlobal> additional_globals;
};

struct PythonCode {
  /// The function, as torch.fx's python_code(root).src: preceded by two empty lines (or the `wrap`
  /// statements), without a line break at the end.
  std::string source;
  std::vector<PythonGlobal> globals;  ///< in the order of first use
  int prologue_line = 0;              ///< the line of `source`, from 1, that has the `def`
  /// For line i (from 0) of `source` the node that it comes from, or null. Invalidated by changes
  /// of the graph.
  std::vector<const Node*> line_nodes;

  /// Returns the statements of all globals, sorted and without duplicates, one per line.
  /// FailedPrecondition, naming them, if some cannot be imported.
  absl::StatusOr<std::string> import_block() const;
};

/// Returns the code of a graph. InvalidArgument, naming the node, if it cannot be written as
/// Python: a parameter that is not an identifier, an object whose text is not an expression.
absl::StatusOr<PythonCode> python_code(const Graph& graph, const PythonOptions& options = {});
/// Returns the code of a module. torch.fx's GraphModule.code equals its `source`.
absl::StatusOr<PythonCode> python_code(const GraphModule& module,
                                       const PythonOptions& options = {});

/// Returns a self-contained Python file: imports, `forward`, and `load(members)`, `trace(members)`
/// and `arguments(tensors)`, which return a torch.nn.Module of it, a torch.fx.GraphModule, and its
/// inputs from a safetensors file. FailedPrecondition if it calls functions that cannot be
/// imported.
absl::StatusOr<std::string> python_module(const Graph& graph, std::string_view name);

struct ReadableOptions {
  bool include_stride = false;
  bool include_device = false;
  bool expanded_def = false;
  std::vector<std::string> additional_meta;
};

/// Returns the output of torch.fx's print_readable(), without the last line break: a class whose
/// forward has types and origins as comments. Nested graphs follow as classes inside it.
absl::StatusOr<std::string> python_readable(const Graph& graph, std::string_view class_name,
                                            const ReadableOptions& options = {});
/// Returns the same for a module. Children that are graph modules follow as nested classes.
absl::StatusOr<std::string> python_readable(const GraphModule& module,
                                            const ReadableOptions& options = {});

}  // namespace fx
