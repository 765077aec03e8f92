// interp/torch/evaluator.cpp - the run; evaluator_builder.cpp prepares it.
#include "fx/interp/torch/evaluator.h"

#include "fx/ir/support/status.h"

#include "absl/status/status.h"
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

namespace fx {
namespace {

/// Numbers that a guard compares: same kind and same value; NaN equals itself.
bool same_number(const c10::IValue& a, const c10::IValue& b) {
  if (a.isDouble() && b.isDouble()) {
    const double x = a.toDouble(), y = b.toDouble();
    return x == y || (x != x && y != y);
  }
  if (a.isComplexDouble() && b.isComplexDouble()) return a.toComplexDouble() == b.toComplexDouble();
  if (a.isBool() && b.isBool()) return a.toBool() == b.toBool();
  return a.isInt() && b.isInt() && a.toInt() == b.toInt();
}

std::string number_text(const c10::IValue& value) {
  absl::StatusOr<Argument> number = from_ivalue(value, {.base = ArgumentCode::kNumber});
  if (!number.ok()) return value.tagKind();
  switch (number->kind()) {
    case ArgumentKind::kBool:
      return number->as_bool() ? "True" : "False";
    case ArgumentKind::kInt:
      return fmt::format("{}", number->as_int());
    case ArgumentKind::kFloat:
      return fmt::format("{}", number->as_float());
    default:
      return "a complex number";
  }
}

}  // namespace

absl::StatusOr<std::vector<c10::IValue>> TorchEvaluator::run(std::vector<c10::IValue> inputs,
                                                             AutogradUse autograd) {
  if (inputs.size() != inputs_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("the graph has {} inputs, {} were given", inputs_.size(), inputs.size()));
  }
  std::vector<c10::IValue> slots(num_slots_);
  for (const auto& [slot, value] : attributes_) slots[slot] = value;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs_[i] != kNoSlot) slots[inputs_[i]] = std::move(inputs[i]);
  }
  inputs.clear();
  size_t at = 0;
  try {
    FX_RETURN_IF_ERROR(run_steps(slots, autograd, at));
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(
        fmt::format("node {} failed: {}", names_[at], torch_message(e)));
  }
  std::vector<c10::IValue> results;
  results.reserve(outputs_.size());
  for (const Operand& output : outputs_) {
    c10::IValue value = operand(output, slots);
    if (value.isTensor() && !value.toTensor().defined()) value = c10::IValue();
    results.push_back(std::move(value));
  }
  return results;
}

absl::Status TorchEvaluator::run_steps(std::vector<c10::IValue>& slots, AutogradUse autograd,
                                       size_t& at) {
  std::optional<KernelScope> below_autograd;
  std::optional<at::AutoGradMode> with_grad;
  if (autograd == AutogradUse::kNone) {
    below_autograd.emplace();
    // Off, some kernels leave out what their backward needs (mkldnn_rnn_layer its workspace).
    with_grad.emplace(true);
  }
  torch::jit::Stack stack;
  for (at = 0; at < steps_.size(); ++at) {
    const Step& step = steps_[at];
    if (step.kind == Step::kCall) {
      FX_RETURN_IF_ERROR(call(step, slots, stack));
      continue;
    }
    const c10::IValue whole = operand(operands_[step.first_operand], slots);
    slots[result_slots_[step.first_result]] =
        whole.isTuple() ? whole.toTupleRef().elements()[step.op] : whole.toListRef()[step.op];
  }
  return absl::OkStatus();
}

absl::Status TorchEvaluator::call(const Step& step, std::vector<c10::IValue>& slots,
                                  torch::jit::Stack& stack) {
  for (uint32_t i = 0; i < step.num_operands; ++i) {
    stack.push_back(operand(operands_[step.first_operand + i], slots));
  }
  operators_[step.op].callBoxed(stack);
  if (step.guarded && !same_number(stack.back(), constants_[step.guard])) {
    return absl::FailedPreconditionError(fmt::format(
        "node {} gives {}, but the graph was captured with {}: the program may take another way",
        names_[static_cast<size_t>(&step - steps_.data())], number_text(stack.back()),
        number_text(constants_[step.guard])));
  }
  if (step.tuple_slot != kNoSlot) {
    slots[step.tuple_slot] = c10::ivalue::Tuple::create(std::vector<c10::IValue>(stack));
  }
  for (uint32_t i = 0; i < step.num_results && i < stack.size(); ++i) {
    const uint32_t slot = result_slots_[step.first_result + i];
    if (slot != kNoSlot) slots[slot] = std::move(stack[i]);
  }
  stack.clear();
  return absl::OkStatus();
}

c10::IValue TorchEvaluator::operand(Operand operand, std::vector<c10::IValue>& slots) const {
  switch (operand.kind) {
    case Operand::kConstant:
      return constants_[operand.index];
    case Operand::kValue:
      return slots[operand.index];
    case Operand::kLastUse:
      return std::move(slots[operand.index]);
    case Operand::kNumber:
      return number_tensor(slots[operand.index].toScalar());
    case Operand::kList:
      break;
  }
  const List& list = lists_[operand.index];
  std::vector<c10::IValue> items;
  items.reserve(list.items.size());
  for (const Operand& item : list.items) items.push_back(this->operand(item, slots));
  absl::StatusOr<c10::IValue> value = list_ivalue(std::move(items), list.code);
  FX_CHECK_OK(value);  // the builder accepted the same code
  return *std::move(value);
}

}  // namespace fx
