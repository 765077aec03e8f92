// StepReplay: runs the graph of a training step repeatedly, as a training loop does.
//
//   FX_ASSIGN_OR_RETURN(fx::GraphData start, fx::load_graph_data(graph, {"step.safetensors"}));
//   FX_ASSIGN_OR_RETURN(fx::StepReplay replay, fx::StepReplay::create(graph, std::move(start)));
//   FX_RETURN_IF_ERROR(replay.set_values("number_1", {0.0447, 0.0547, 0.0632}));
//   for (int i = 0; i < 3; ++i) {
//     FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results, replay.run());
//     std::cout << results.back().toTensor().item<float>() << "\n";  // the loss
//   }
//   replay.inputs();  // parameters, buffers and state after three steps
//
// The metadata `outputs` describes which results are new values of inputs. These results are the
// inputs of the next run, whether the graph writes to its inputs or is functionalized.
#pragma once

#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Runs the graph of a training step repeatedly; see the top of this file. Not thread-safe.
class StepReplay {
 public:
  /// Prepares a replay that starts with copies of `start.inputs`, one for each placeholder. A
  /// number that differs between steps has its recorded values (`values` in the metadata `input`)
  /// if it starts with the first recorded value. The graph must outlive the replay. Returns
  /// FailedPrecondition if no result is the new value of an input, and InvalidArgument for the
  /// wrong number of inputs and for a result that is the new value of an unknown input. A graph
  /// that TorchEvaluator does not support runs in TorchInterpreter.
  static absl::StatusOr<StepReplay> create(const Graph& graph, GraphData start);

  /// Sets the values of an input for runs 0, 1, ..., for example numbers that differ between steps,
  /// or the batches of a data set. With an empty list, the value of the input does not change
  /// between runs. Returns NotFound for an unknown input.
  absl::Status set_values(std::string_view input, std::vector<c10::IValue> values);

  /// Runs the step once, and returns the leaves of its result. Results that are new values of
  /// inputs are inputs of the next run, which may write to them; clone results that you keep.
  /// Returns FailedPrecondition if an input has no value for this run. Unless set_values was
  /// called, a number that differs between steps has values for the recorded runs, or only for the
  /// first run if none were recorded. If the run fails, some inputs may have been updated.
  absl::StatusOr<std::vector<c10::IValue>> run();

  /// Returns the number of completed runs.
  size_t runs() const { return runs_; }
  /// Returns the inputs of the next run, one for each placeholder. Inputs with a value for each run
  /// still have the value of the last run.
  const std::vector<c10::IValue>& inputs() const { return inputs_; }
  /// Returns true if a result is the new value of an input.
  bool is_fed_back(size_t result) const { return result < target_.size() && target_[result] >= 0; }

 private:
  StepReplay() = default;
  absl::Status find_feedback(const Graph& graph);
  absl::Status set_inputs_of_run();
  void feed_back(size_t input, const c10::IValue& value);

  std::vector<const Node*> placeholders_;
  std::vector<c10::IValue> inputs_;
  std::vector<std::vector<c10::IValue>>
      values_;                   // for each input; if empty, inputs_ contains the value
  std::vector<int64_t> target_;  // for each result, the input that it is the new value of, or -1
  std::optional<TorchEvaluator> evaluator_;
  std::unique_ptr<TorchInterpreter> interpreter_;  // for graphs that the evaluator does not run
  size_t runs_ = 0;
};

}  // namespace fx
