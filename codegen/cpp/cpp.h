// C++ code of a graph: a class over at::Tensor as an engineer would have written it.
//
//   FX_ASSIGN_OR_RETURN(const CppCode code, cpp_code(graph, {.class_name = "Mlp"}));
//   code.source           struct Mlp {
//                           at::Tensor fc1_weight;  // f32[32, 16], "fc1.weight"
//                           at::Tensor forward(at::Tensor x) {
//                             at::Tensor t = at::t(fc1_weight);  // f32[16, 32]
//                             at::Tensor mm = at::mm(x, t);  x.reset();  t.reset();
//                             ...
//
// It needs libtorch's headers and nothing else; emitting it does not even need these. Operators are
// called by the functions that libtorch has of them (at::add, or a method of at::Tensor), those of
// other libraries through the dispatcher. Values have their nodes' names and die after their last
// use; mutation, random numbers and checks stay in order. Nested graphs are methods, called from
// C++'s own control flow.
//
// Names, paths, strings and types are escaped, or refused with an error that names the node: text
// of users cannot leave its place in the program.
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
  /// The class; InvalidArgument for what is no name in C++. Empty: after the graph's meta data
  /// "model", else Model.
  std::string_view class_name = {};
  std::string_view function_name = "forward";
  /// Placeholders that are parameters, buffers or constants (their meta data "input" says so)
  /// become members of the class, as what get_attr reads always does. False: parameters of the
  /// function.
  bool lift_parameters = true;
  /// Modules are structs in the class, each with its tensors and, as methods, the calls that follow
  /// each other and belong to it (meta data "module"): `this->layer1.conv1.forward(x)`. The results
  /// are the same.
  bool modules = false;
  /// Paths of get_attr and call_module; null: the graph's owning module.
  const Module* root = nullptr;
  /// Where the nodes stand in a text, which debuggers and compilers show then instead of the C++:
  /// #line directives name this file. Null: none.
  const SourcePlaces* places = nullptr;
  std::string_view line_file = {};
  /// The name of the emitted file, for the lines of it that come from no node.
  std::string_view source_file = "model.h";
  /// Adds `extern "C" void fxcpp_run(members, inputs, results)`, by which a program that loads the
  /// code at run time calls it (codegen/cpp/torch/compiled_graph.h).
  bool entry_point = false;
};

/// A tensor that the class holds.
struct CppMember {
  std::string name;  ///< of the member: `conv_weight`; `conv.weight` with CppOptions::modules
  std::string path;  ///< in the model: "layer1.0.conv1.weight"
  Type type;         ///< of the placeholder, or of the first get_attr
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
  std::vector<CppMember> members;        ///< in the order in which they are declared
  std::vector<CppParameter> parameters;  ///< in order
  std::string result_type;  ///< at::Tensor, std::vector<at::Tensor>, std::tuple<...>, ...
  /// Operators that are called through the dispatcher, since libtorch has no C++ function of them.
  std::vector<std::string> dispatched;
};

/// The code of a graph. InvalidArgument or Unimplemented, naming the node and what to do, for calls
/// that do not fit their operator and for what has no form in C++.
absl::StatusOr<CppCode> cpp_code(const Graph& graph, const CppOptions& options = {});
absl::StatusOr<CppCode> cpp_code(const GraphModule& module, CppOptions options = {});

}  // namespace fx
