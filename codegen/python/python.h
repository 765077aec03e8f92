// Python code of a graph, letter for letter what torch.fx prints as `graph_module.code`.
//
//   FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(graph));
//   code.source           def forward(self, x):
//                             relu = torch.relu(x);  x = None
//                             return relu
//   code.import_block()   what has to be imported for it to run
//
// The rules are those of torch 2.13's torch/fx/graph.py, CodeGen._gen_python_code. Where its text
// would be no Python, or would mean something else than the graph, this one is right instead;
// docs/codegen.md lists the cases. All text that a user chose (names, paths, strings, traces) is
// escaped, or refused with an error: it cannot leave its place in the program.
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
  /// The statement that binds it: `from math import sqrt as math_sqrt`. Empty where there is none:
  /// for lambdas, functions inside functions, symbols of sizes that are not values of the graph, and
  /// objects that only have a text.
  std::string statement;
  bool is_function = false;  ///< called by the code, and not part of torch
};

/// Changes the body before it is put into its function: torch.fx's on_generate_code. Gets and gives
/// pieces of text without indentation, which are joined; a line ends with '\n'. A piece
/// `# COUNTER: 3\n` says that the lines after it come from node 3; such lines are taken out again.
using PythonBodyTransformer = std::function<std::vector<std::string>(std::vector<std::string>)>;

struct PythonOptions {
  /// How the code calls the module that holds parameters and submodules.
  std::string_view root = "self";
  std::string_view function_name = "forward";
  /// Types of values as annotations, and a comment that says where in the user's program a node
  /// comes from whenever that changes.
  bool verbose = false;
  bool include_stride = false;               ///< with verbose: `f32[2, 3][3, 1]`
  bool include_device = false;               ///< with verbose: `f32[2, 3]cpu`
  bool expanded_def = false;                 ///< every parameter on a line of its own
  bool record_func = false;                  ///< each call under a torch.profiler record
  std::vector<std::string> additional_meta;  ///< with verbose: keys of meta data to show
  /// Applied one after the other, each to what the one before gave.
  std::vector<PythonBodyTransformer> body_transformers;

  // torch.fx's CodeGen hooks. Empty: the graph's own calling convention, if it has one
  // (docs/json.md), else the plain one.
  /// gen_fn_def: the head of the function from its parameters (as written, without `self`) and its
  /// return annotation (`" -> int"` or empty). No line break at the end.
  std::function<std::string(absl::Span<const std::string> parameters, std::string_view returns)>
      function_head;
  /// generate_output: the return statement from the text of the result.
  std::function<std::string(std::string_view result)> return_statement;
  /// additional_globals: what these use.
  std::vector<PythonGlobal> additional_globals;
};

struct PythonCode {
  /// The function, as torch.fx's python_code(root).src: two empty lines (or the `wrap` statements)
  /// in front, no line break at the end.
  std::string source;
  std::vector<PythonGlobal> globals;  ///< in the order of first use
  int prologue_line = 0;              ///< the line of `source`, from 1, on which the `def` stands
  /// The node that line i (from 0) of `source` was made from; null for the others. Valid as long as
  /// the graph is unchanged.
  std::vector<const Node*> line_nodes;

  /// The statements of all globals, sorted, each once and on a line of its own. FailedPrecondition,
  /// with the names, when some cannot be imported.
  absl::StatusOr<std::string> import_block() const;
};

/// The code of a graph. InvalidArgument, naming the node, for what cannot be written as Python: a
/// parameter that is no identifier, an object whose text is no expression.
absl::StatusOr<PythonCode> python_code(const Graph& graph, const PythonOptions& options = {});
/// torch.fx's GraphModule.code is the `source`.
absl::StatusOr<PythonCode> python_code(const GraphModule& module,
                                       const PythonOptions& options = {});

/// A Python file of its own: imports, `forward`, and `load(members)`, `trace(members)` and
/// `arguments(tensors)`, which give a torch.nn.Module of it, a torch.fx.GraphModule, and its inputs
/// from a safetensors file. FailedPrecondition when it calls what Python cannot import.
absl::StatusOr<std::string> python_module(const Graph& graph, std::string_view name);

struct ReadableOptions {
  bool include_stride = false;
  bool include_device = false;
  bool expanded_def = false;
  std::vector<std::string> additional_meta;
};

/// What torch.fx's print_readable() prints, without its last line break: a class whose forward has
/// types and origins as comments. Nested graphs follow as classes inside it.
absl::StatusOr<std::string> python_readable(const Graph& graph, std::string_view class_name,
                                            const ReadableOptions& options = {});
/// Graph modules among the children follow as nested classes.
absl::StatusOr<std::string> python_readable(const GraphModule& module,
                                            const ReadableOptions& options = {});

}  // namespace fx
