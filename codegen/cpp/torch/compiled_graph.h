// Runs a graph as C++ code, compiled by the system's compiler, like torch.fx's recompile().
//
//   FX_ASSIGN_OR_RETURN(CompiledGraph compiled, CompiledGraph::create(*gm));
//   compiled.run(inputs);
//   gm->graph().erase_node(dead);
//   compiled.run(inputs);              // compiles again, because the graph has changed
//
// The compiler runs in a separate process. The resulting library is loaded and stored in a cache
// folder, keyed by the code and everything else that the build depends on, so that a graph is not
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
  std::string compiler = {};  ///< if empty, $CXX, or c++ if that is not set
  /// Additional compiler arguments. The code consists of calls to libtorch, so -O2 has little
  /// effect.
  std::vector<std::string> flags = {"-O1"};
  /// The folder where libraries are cached. If empty, the folder fxcpp in $XDG_CACHE_HOME, or in
  /// ~/.cache if that is not set.
  std::string cache_folder = {};
  /// If true and the compiler is clang, precompiles libtorch's headers once for each set of flags
  /// and stores the result (about 100 MB) in the cache folder: the first graph compiles more slowly
  /// and later graphs several times faster. The code and the library are the same.
  bool precompile = false;
  /// Changes the emitted file before it is compiled, like torch.fx's set_codegen. Must keep
  /// fxcpp_run.
  std::function<std::string(std::string source)> transform = {};
  /// If true and there is no compiler, runs the graph in TorchEvaluator. If false, returns an
  /// error.
  bool fall_back = true;
};

/// See the top of this file. The graph must outlive it. Not thread-safe.
class CompiledGraph {
 public:
  /// Compiles the graph or loads it from the cache. get_attr nodes use `constants`, or
  /// otherwise the graph's module. Returns FailedPrecondition if the compiler fails, with its
  /// message, which refers to lines of the graph's text; Unavailable if there is no compiler and
  /// `fall_back` is false; NotFound, with their names, for missing constants; and the errors of
  /// cpp_code.
  static absl::StatusOr<CompiledGraph> create(const Graph& graph, TorchConstants constants = {},
                                              CompileOptions options = {});
  static absl::StatusOr<CompiledGraph> create(const GraphModule& module,
                                              CompileOptions options = {});

  /// Runs on one value for each placeholder, in order. Compiles first if the graph has changed.
  /// Returns the leaves of the result, depth first, with None for undefined tensors. Returns
  /// InvalidArgument if the number of inputs is wrong or, with libtorch's message, if libtorch
  /// throws.
  absl::StatusOr<std::vector<c10::IValue>> run(std::vector<c10::IValue> inputs,
                                               AutogradUse autograd = AutogradUse::kNone);

  /// False if the graph is interpreted because there is no compiler.
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
  bool may_be_unresolved_ = false;  // values may have the conjugate or negative bit
  CppCode code_;
  std::vector<at::Tensor> members_;
  Function function_ = nullptr;  // in a library that is never unloaded
  std::optional<TorchEvaluator> evaluator_;
};

}  // namespace fx
