// importers/torch/script/script.h - TorchScript files (`torch.jit.save`), captured like any other program.
//
//   FX_ASSIGN_OR_RETURN(fx::ScriptModule model, fx::ScriptModule::load("trace.pt"));
//   FX_ASSIGN_OR_RETURN(fx::CapturedGraph graph,
//                       fx::capture(context, model.state(), {x}, model.program()));
//
// What is captured is the program at the level of ATen operators, with calls inlined, loops
// unrolled and the branches that were taken; nodes have the paths of the modules that called them.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <vector>

namespace fx {

/// A loaded TorchScript module. Copies share it.
class ScriptModule {
 public:
  /// Loads a traced or scripted module. Switches libtorch's graph optimizer off for the process,
  /// since it would rewrite a module behind our back from its second run on. NotFound when there is
  /// no such file; InvalidArgument, with libtorch's reason, when it is none or needs operators that
  /// are not there. Errors begin with the path.
  static absl::StatusOr<ScriptModule> load(const std::string& path);

  /// Parameters and buffers by their qualified names. Tensors that the module holds as plain
  /// attributes are constants.
  ModuleState state() const;
  /// Training mode or evaluation mode, for the modules that know it.
  void train(bool on);

  /// `forward` on tensors. Its results are the tensors in what it returns, depth first through
  /// tuples, lists and dictionaries.
  Program program() const;
  /// How many tensors `forward` takes, those with a default value left out.
  size_t num_inputs() const { return input_names().size(); }
  /// The names of those arguments.
  std::vector<std::string> input_names() const;

 private:
  struct Impl;
  explicit ScriptModule(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  std::shared_ptr<Impl> impl_;
};

}  // namespace fx
