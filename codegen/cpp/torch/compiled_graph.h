// codegen/cpp/torch/compiled_graph.h - runs a graph as C++ that the system's compiler built:
// torch.fx's recompile().
//
//   FX_ASSIGN_OR_RETURN(CompiledGraph compiled, CompiledGraph::create(*gm));
//   compiled.run(inputs);              // the code
//   gm->graph().erase_node(dead);
//   compiled.run(inputs);              // of the graph as it is now: compiled anew first
//
// The compiler runs in a process of its own; what it made is kept in a folder, by the content of
// the code and all that goes into the build, and loaded. The same graph is not compiled twice.
#pragma once

#include "fx/codegen/cpp/cpp.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct CompileOptions {
  std::string compiler = {};  ///< empty: $CXX, else c++
  /// Further arguments. The code is calls of libtorch: higher levels gain little.
  std::vector<std::string> flags = {"-O1"};
  /// Where results are kept. Empty: fxcpp in $XDG_CACHE_HOME, else in ~/.cache.
  std::string cache_folder = {};
  /// Changes the emitted file before it is compiled: torch.fx's set_codegen. Must keep fxcpp_run.
  std::function<std::string(std::string source)> transform = {};
  /// Where there is no compiler, the graph runs in TorchEvaluator; false: that is an error.
  bool fall_back = true;
};

/// See the head of this file. The graph must outlive it. One thread at a time.
class CompiledGraph {
 public:
  /// Compiles, or takes what is kept. get_attr nodes read `constants`, else the graph's module.
  /// FailedPrecondition when the compiler is not there or fails: its message, against the graph's
  /// nodes. NotFound for constants that are missing; errors of cpp_code.
  static absl::StatusOr<CompiledGraph> create(const Graph& graph, TorchConstants constants = {},
                                              CompileOptions options = {});
  static absl::StatusOr<CompiledGraph> create(const GraphModule& module,
                                              CompileOptions options = {});

  /// Runs on one value per placeholder, in their order; the leaves of what the graph returns, depth
  /// first, None for undefined tensors. InvalidArgument with libtorch's message when it throws.
  /// Compiles first when the graph has changed.
  absl::StatusOr<std::vector<c10::IValue>> run(std::vector<c10::IValue> inputs,
                                               AutogradUse autograd = AutogradUse::kNone);

  /// False: there is no compiler, the graph is interpreted.
  bool is_compiled() const { return function_ != nullptr; }
  /// The library was there already.
  bool was_kept() const { return was_kept_; }
  /// The code that runs.
  const CppCode& code() const { return code_; }

 private:
  using Function = void (*)(const std::vector<at::Tensor>& members,
                            std::vector<c10::IValue>& inputs, std::vector<c10::IValue>& results);

  CompiledGraph(const Graph& graph, TorchConstants constants, CompileOptions options)
      : graph_(&graph), constants_(std::move(constants)), options_(std::move(options)) {}
  absl::Status compile();
  absl::Status find_members();

  const Graph* graph_;
  TorchConstants constants_;
  CompileOptions options_;
  uint64_t version_ = 0;
  bool was_kept_ = false;
  CppCode code_;
  std::vector<at::Tensor> members_;
  Function function_ = nullptr;  // in a library that stays loaded: others may run it
  std::optional<TorchEvaluator> evaluator_;
};

}  // namespace fx
