// Runs a graph as C++ code that the system's compiler builds: torch.fx's recompile().
//
//   FX_ASSIGN_OR_RETURN(CompiledGraph compiled, CompiledGraph::create(*gm));
//   compiled.run(inputs);
//   gm->graph().erase_node(dead);
//   compiled.run(inputs);              // compiles again, since the graph has changed
//
// The compiler runs in another process. The resulting library is loaded and kept in a cache folder,
// keyed by the code and everything else that the build depends on, so that the same graph is not
// compiled twice.
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
  /// Further compiler arguments. The code consists of calls into libtorch, so -O2 gains little.
  std::vector<std::string> flags = {"-O1"};
  /// The folder where libraries are cached. If empty, it is fxcpp in $XDG_CACHE_HOME, or else in
  /// ~/.cache.
  std::string cache_folder = {};
  /// Changes the emitted file before it is compiled: torch.fx's set_codegen. Must keep fxcpp_run.
  std::function<std::string(std::string source)> transform = {};
  /// If there is no compiler, run the graph in TorchEvaluator; if false, return an error.
  bool fall_back = true;
};

/// See the top of this file. The graph must outlive it. Not thread-safe.
class CompiledGraph {
 public:
  /// Compiles the graph or loads it from the cache. get_attr nodes use `constants`, else the
  /// graph's module. FailedPrecondition, with the compiler's message against the graph's text, if
  /// it fails; Unavailable if there is no compiler and `fall_back` is false; NotFound, naming them,
  /// for missing constants; errors of cpp_code.
  static absl::StatusOr<CompiledGraph> create(const Graph& graph, TorchConstants constants = {},
                                              CompileOptions options = {});
  static absl::StatusOr<CompiledGraph> create(const GraphModule& module,
                                              CompileOptions options = {});

  /// Runs on one value per placeholder, in their order. Returns the leaves of the result, depth
  /// first, with None for undefined tensors. InvalidArgument with libtorch's message if it throws.
  /// Compiles first if the graph has changed.
  absl::StatusOr<std::vector<c10::IValue>> run(std::vector<c10::IValue> inputs,
                                               AutogradUse autograd = AutogradUse::kNone);

  /// False if the graph is interpreted, since there is no compiler.
  bool is_compiled() const { return function_ != nullptr; }
  /// True if the library was in the cache.
  bool is_cached() const { return is_cached_; }
  /// Returns the code that runs.
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
  bool is_cached_ = false;
  bool may_be_unresolved_ = false;  // values that libtorch conjugates or negates when it reads them
  CppCode code_;
  std::vector<at::Tensor> members_;
  Function function_ = nullptr;  // in a library that is never unloaded
  std::optional<TorchEvaluator> evaluator_;
};

}  // namespace fx
