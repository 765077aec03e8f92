// Emits a graph as C++ code: a readable class over at::Tensor.
//
//   FX_ASSIGN_OR_RETURN(const CppCode code, cpp_code(graph, {.class_name = "Mlp"}));
//   code.source           struct Mlp {
//                           at::Tensor fc1_weight;  // f32[32, 16], "fc1.weight"
//                           at::Tensor forward(at::Tensor x) {
//                             at::Tensor t = at::t(fc1_weight);  // f32[16, 32]
//                             at::Tensor mm = at::mm(x, t);  x.reset();  t.reset();
//                             ...
//
// The code requires only libtorch's headers; this emitter does not require libtorch. The code calls
// operators with libtorch's C++ functions (at::add, or a method of at::Tensor), and operators of
// other libraries through the dispatcher. Values have the names of their nodes and are freed after
// their last use; mutation, random numbers and checks stay in order. Nested graphs are methods
// that are called from C++ control flow. A tensor at multiple paths of the module (tied weights) is
// one member.
//
// Names, paths, strings and types are escaped, or rejected with an error that names the node, so
// that text from users cannot inject code.
#pragma once

#include "fx/ir/graph/node.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/type.h"

#include "absl/status/statusor.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Graph;
class GraphModule;
class Module;

struct CppOptions {
  /// The name of the class; it must be a valid C++ name. If empty, the name is derived from the
  /// graph's metadata "model", or is "Model" if there is none.
  std::string_view class_name = {};
  std::string_view function_name = "forward";
  /// Placeholders that the metadata "input" marks as parameters, buffers, constants or optimizer
  /// state become members of the class, like the tensors of get_attr nodes. If false, they are
  /// parameters of the function.
  bool lift_parameters = true;
  /// Modules become structs in the class, each with its tensors and a method for each sequence of
  /// calls that belong to it (metadata "module"): `this->layer1.conv1.forward(x)`. The results do
  /// not change.
  bool modules = false;
  /// The module that contains the paths of get_attr and call_module nodes. If null, the graph's
  /// owning module is used.
  const Module* root = nullptr;
  /// The locations of the nodes in the graph's text, which is in the file `line_file`. #line
  /// directives refer to them, so that debuggers and compilers show the graph instead of the C++
  /// code. If null, no directives are written.
  const SourceLocations* locations = nullptr;
  std::string_view line_file = {};
  /// The name of the emitted file, for #line directives before lines that do not come from a node.
  std::string_view source_file = "model.h";
  /// Adds `extern "C" void fxcpp_run(members, inputs, results)`, for programs that load the code at
  /// run time (codegen/cpp/torch/compiled_graph.h).
  bool entry_point = false;
};

/// A tensor member of the class.
struct CppMember {
  std::string
      name;  ///< the name in the class: `conv_weight`; `conv.weight` with CppOptions::modules
  std::string path;  ///< the path in the model: "layer1.0.conv1.weight"
  Type type;         ///< the type of the placeholder, or of the first get_attr
  /// Other paths of the tensor in the module (tied weights).
  std::vector<std::string> tied_paths = {};
};

/// An input of the function.
struct CppParameter {
  std::string name;
  std::string type;  ///< at::Tensor, int64_t, double, bool, std::vector<at::Tensor>, ...
  const Node* node = nullptr;
};

struct CppCode {
  std::string source;  ///< the file
  std::string class_name;
  std::vector<CppMember> members;        ///< in the order of their declarations
  std::vector<CppParameter> parameters;  ///< in the order of the function's parameters
  std::string result_type;  ///< at::Tensor, std::vector<at::Tensor>, std::tuple<...>, ...
  /// Operators that the code calls through the dispatcher, because libtorch has no C++ function for
  /// them.
  std::vector<std::string> dispatched;
};

/// Returns the code of a graph. Returns InvalidArgument or Unimplemented for calls that do not
/// match their operator and for nodes that cannot be expressed in C++. The message names the node
/// and suggests a remedy. Returns FailedPrecondition if the graph writes to one of two different
/// tensors of the module that overlap in memory, unless options.entry_point is set: the program
/// that passes the members then preserves the overlap.
absl::StatusOr<CppCode> cpp_code(const Graph& graph, const CppOptions& options = {});
absl::StatusOr<CppCode> cpp_code(const GraphModule& module, CppOptions options = {});

}  // namespace fx
