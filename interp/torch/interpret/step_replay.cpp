#include "fx/interp/torch/interpret/step_replay.h"

#include "fx/interp/torch/storage_copier.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include <ATen/ATen.h>
#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string>

namespace fx {
namespace {

/// Returns a key that identifies an input: its kind, and its name or index, from its metadata.
std::string input_key(const Argument& input) {
  std::string key;
  for (const std::string_view entry : {"kind", "target", "index"}) {
    const Argument* value = input.find(entry);
    if (value != nullptr && value->is_string()) key += value->as_string();
    if (value != nullptr && value->is_int()) key += fmt::format("#{}", value->as_int());
    key += '\n';
  }
  return key;
}

/// Returns true for a number that differs between the runs of a step.
bool is_step_number(const Node& placeholder) {
  const Argument* input = placeholder.meta().find(meta::kInput.name);
  return input != nullptr && input->find_text("kind") == "number";
}

std::optional<double> number_of(const c10::IValue& value) {
  if (value.isDouble()) return value.toDouble();
  if (value.isInt()) return static_cast<double>(value.toInt());
  const bool is_scalar = value.isTensor() && value.toTensor().defined() &&
                         value.toTensor().numel() == 1 && !value.toTensor().is_complex();
  return is_scalar ? std::optional(value.toTensor().item<double>()) : std::nullopt;
}

/// Returns the values of a number in the recorded runs of a step, or an empty vector if `start` is
/// not the first of these values.
std::vector<c10::IValue> recorded_values(const Node& placeholder, const c10::IValue& start) {
  std::vector<c10::IValue> recorded;
  const Argument* input = placeholder.meta().find(meta::kInput.name);
  const Argument* values = input == nullptr ? nullptr : input->find("values");
  if (values == nullptr || !values->is_list()) return recorded;
  for (const Argument& value : values->items()) {
    if (value.is_float()) recorded.emplace_back(value.as_float());
    if (value.is_int()) recorded.emplace_back(value.as_int());
  }
  if (recorded.size() != values->size() || recorded.empty()) return {};
  return number_of(recorded[0]) == number_of(start) ? recorded : std::vector<c10::IValue>();
}

void add_result_leaves(const c10::IValue& value, std::vector<c10::IValue>& leaves) {
  if (!value.isTuple() && !value.isList()) {
    leaves.push_back(value);
    return;
  }
  for (const c10::IValue& item : items_of(value)) add_result_leaves(item, leaves);
}

}  // namespace

absl::StatusOr<StepReplay> StepReplay::create(const Graph& graph, GraphData start) {
  StepReplay replay;
  for (const Node* node : graph.find_nodes(Opcode::kPlaceholder))
    replay.placeholders_.push_back(node);
  if (start.inputs.size() != replay.placeholders_.size()) {
    return absl::InvalidArgumentError(fmt::format("the graph has {}, but received {}",
                                                  pluralize(replay.placeholders_.size(), "input"),
                                                  pluralize(start.inputs.size(), "value")));
  }
  FX_RETURN_IF_ERROR(replay.find_feedback(graph));
  StorageCopier copy;  // copies of inputs that share memory share memory
  for (c10::IValue& value : start.inputs) {
    const bool is_tensor = value.isTensor() && value.toTensor().defined();
    replay.inputs_.push_back(is_tensor ? c10::IValue(copy(value.toTensor())) : std::move(value));
  }
  replay.values_.resize(replay.inputs_.size());
  for (size_t i = 0; i < replay.inputs_.size(); ++i) {
    if (is_step_number(*replay.placeholders_[i]))
      replay.values_[i] = recorded_values(*replay.placeholders_[i], replay.inputs_[i]);
  }
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph, start.constants);
  if (evaluator.ok()) {
    replay.evaluator_.emplace(*std::move(evaluator));
  } else {
    replay.interpreter_ = std::make_unique<TorchInterpreter>(graph, std::move(start.constants));
  }
  return replay;
}

absl::Status StepReplay::find_feedback(const Graph& graph) {
  const Node* output = graph.output_node();
  const Argument* facts = output == nullptr ? nullptr : output->meta().find(meta::kOutputs.name);
  absl::flat_hash_map<std::string, size_t> inputs;
  for (size_t k = 0; k < placeholders_.size(); ++k) {
    if (const Argument* input = placeholders_[k]->meta().find(meta::kInput.name))
      inputs.emplace(input_key(*input), k);
  }
  bool found = false;
  for (size_t i = 0; facts != nullptr && facts->is_list() && i < facts->size(); ++i) {
    target_.push_back(-1);
    const Argument* of = (*facts)[i].find("of");
    if (of == nullptr || (*facts)[i].find_text("kind") != "mutation") continue;
    const auto input = inputs.find(input_key(*of));
    if (input == inputs.end()) {
      return absl::InvalidArgumentError(fmt::format(
          "result {} is the new value of an input that the graph does not have (metadata outputs)",
          i));
    }
    target_[i] = static_cast<int64_t>(input->second);
    found = true;
  }
  if (found) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "the graph is not a training step: no result is the new value of an input (metadata "
      "outputs); capture it with capture_step or fxcpp capture --step");
}

absl::Status StepReplay::set_values(std::string_view input, std::vector<c10::IValue> values) {
  for (size_t i = 0; i < placeholders_.size(); ++i) {
    if (placeholders_[i]->target() != input && placeholders_[i]->name() != input) continue;
    values_[i] = std::move(values);
    return absl::OkStatus();
  }
  return absl::NotFoundError(fmt::format("the graph has no input {}", input));
}

absl::Status StepReplay::set_inputs_of_run() {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const std::string& name = placeholders_[i]->name();
    if (!values_[i].empty()) {
      if (runs_ >= values_[i].size()) {
        return absl::FailedPreconditionError(
            fmt::format("input {} has {}, but this is step {}; set its value for each step "
                        "(StepReplay::set_values, fxcpp run --values {}=V1,V2,...)",
                        name, pluralize(values_[i].size(), "value"), runs_ + 1, name));
      }
      inputs_[i] = values_[i][runs_];
    } else if (runs_ > 0 && is_step_number(*placeholders_[i])) {
      return absl::FailedPreconditionError(fmt::format(
          "input {} is a number that differs between steps; set its value for each step "
          "(StepReplay::set_values, fxcpp run --values {}=V1,V2,...)",
          name, name));
    }
  }
  return absl::OkStatus();
}

void StepReplay::feed_back(size_t input, const c10::IValue& value) {
  c10::IValue& current = inputs_[input];
  const bool shares = placeholders_[input]->meta().get(meta::kSharedMemory).has_value();
  if (shares && current.isTensor() && value.isTensor() &&
      !current.toTensor().is_same(value.toTensor())) {
    current.toTensor().copy_(value.toTensor());  // keeps it in the storage of the group
  } else {
    current = value;
  }
}

absl::StatusOr<std::vector<c10::IValue>> StepReplay::run() {
  FX_RETURN_IF_ERROR(set_inputs_of_run());
  std::vector<c10::IValue> results;
  if (evaluator_) {
    FX_ASSIGN_OR_RETURN(results, evaluator_->run(inputs_));
  } else {
    FX_ASSIGN_OR_RETURN(const c10::IValue value, interpreter_->run(inputs_));
    add_result_leaves(value, results);
  }
  try {
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < results.size(); ++i)
      if (is_fed_back(i)) feed_back(static_cast<size_t>(target_[i]), results[i]);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(torch_message(error));
  }
  ++runs_;
  return results;
}

}  // namespace fx
