// Loads TorchScript files (`torch.jit.save`) as programs for capture.
//
//   FX_ASSIGN_OR_RETURN(fx::ScriptModule model, fx::ScriptModule::load("trace.pt"));
//   FX_ASSIGN_OR_RETURN(fx::CapturedGraph graph,
//                       fx::capture(context, model.state(), {x}, model.program()));
//
// The captured graph has ATen operators. Calls are inlined, loops are unrolled, and only the
// branches that the run took remain. Nodes have the paths of the modules that called the operators.
#pragma once

#include "fx/importers/torch/capture/capture.h"

#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <vector>

namespace fx {

/// A loaded TorchScript module. Copies share the module.
class ScriptModule {
 public:
  /// Loads a traced or scripted module. Disables libtorch's graph optimizer for the process,
  /// because it would rewrite the module on the module's second run. Returns NotFound if the file
  /// does not exist, and InvalidArgument, with libtorch's reason, if it is not a TorchScript file
  /// or requires missing operators. Messages begin with the path.
  static absl::StatusOr<ScriptModule> load(const std::string& path);

  /// Returns parameters and buffers, by their qualified names. Tensors that are plain attributes of
  /// the module are constants.
  ModuleState state() const;
  /// Sets training mode or evaluation mode.
  void train(bool on);

  /// Returns `forward` as a program. Its results are the tensors in the returned value, in
  /// depth-first order of tuples, lists and dictionaries; omitted_results() lists the others.
  Program program() const { return program(all_input_names()); }
  /// Returns `forward` as a program on the inputs with these names. The others, and those at the
  /// end that a run does not pass, must have default values.
  Program program(std::vector<std::string> names) const;
  /// Returns descriptions of the values that are not tensors in the result of the last run of a
  /// program(): "[1] (int)", "['loss'] (float)".
  const std::vector<std::string>& omitted_results() const;
  /// Returns the number of inputs of `forward` that have no default value.
  size_t num_inputs() const { return input_names().size(); }
  /// Returns the names of the inputs of `forward` that have no default value.
  std::vector<std::string> input_names() const;
  /// Returns the names of all inputs of `forward`.
  std::vector<std::string> all_input_names() const;

 private:
  struct Impl;
  explicit ScriptModule(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

  std::shared_ptr<Impl> impl_;
};

}  // namespace fx
