// Runs a graph that evaluator_builder.cpp has prepared.
#include "fx/interp/torch/evaluator.h"

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/dispatch/guard_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/number_functions.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

namespace fx {
namespace {

/// Returns Python's `collection[i]` for a tensor, a list or a tuple.
absl::StatusOr<c10::IValue> item_of(const c10::IValue& collection, int64_t i) {
  if (collection.isTensor()) return c10::IValue(at::select(collection.toTensor(), 0, i));
  if (!collection.isTuple() && !collection.isList())
    return absl::InvalidArgumentError(
        fmt::format("a value of kind {} cannot be subscripted", collection.tagKind()));
  const c10::ArrayRef<c10::IValue> items = items_of(collection);
  const auto size = static_cast<int64_t>(items.size());
  if (i < -size || i >= size)
    return absl::OutOfRangeError(
        fmt::format("item {} is out of range for {}", i, pluralize(size, "item")));
  return items[static_cast<size_t>(i < 0 ? i + size : i)];
}

}  // namespace

absl::StatusOr<std::vector<c10::IValue>> TorchEvaluator::run(std::vector<c10::IValue> inputs,
                                                             AutogradUse autograd) {
  if (inputs.size() != inputs_.size()) {
    return absl::InvalidArgumentError(fmt::format(
        "the graph has {}, but received {}", pluralize(inputs_.size(), "input"), inputs.size()));
  }
  FX_RETURN_IF_ERROR(checks_.check(inputs));
  std::vector<c10::IValue> slots(num_slots_);
  for (const auto& [slot, value] : attributes_) slots[slot] = value;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs_[i] != kNoSlot) slots[inputs_[i]] = std::move(inputs[i]);
  }
  inputs.clear();
  size_t at = 0;
  torch::jit::Stack stack;
  absl::Status status;
  try {
    status = run_steps(slots, autograd, at, stack);
  } catch (const std::exception& e) {
    status = absl::InvalidArgumentError(torch_message(e));
  }
  if (!status.ok()) return node_error(labels_[at], describe_operands(steps_[at], stack), status);
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
                                       size_t& at, torch::jit::Stack& stack) {
  std::optional<KernelScope> below_autograd;
  std::optional<at::AutoGradMode> with_grad;
  if (autograd == AutogradUse::kNone) {
    below_autograd.emplace();
    // Without grad mode, some kernels omit results for the backward pass, such as the workspace of
    // mkldnn_rnn_layer.
    with_grad.emplace(true);
  }
  for (at = 0; at < steps_.size(); ++at) {
    const Step& step = steps_[at];
    if (step.kind == Step::kCall) {
      FX_RETURN_IF_ERROR(call(step, slots, stack));
      continue;
    }
    if (step.kind == Step::kNumber) {
      FX_ASSIGN_OR_RETURN(slots[result_slots_[step.first_result]], compute(step, slots));
      continue;
    }
    const c10::IValue collection = operand(operands_[step.first_operand], slots);
    FX_ASSIGN_OR_RETURN(slots[result_slots_[step.first_result]],
                        item_of(collection, static_cast<int32_t>(step.op)));
  }
  return absl::OkStatus();
}

absl::StatusOr<c10::IValue> TorchEvaluator::compute(const Step& step,
                                                    std::vector<c10::IValue>& slots) const {
  absl::InlinedVector<PythonNumber, 2> numbers;
  for (uint32_t i = 0; i < step.num_operands; ++i) {
    const c10::IValue value = operand(operands_[step.first_operand + i], slots);
    if (value.isInt()) {
      numbers.push_back(PythonNumber::of(value.toInt()));
    } else if (value.isDouble()) {
      numbers.push_back(PythonNumber::of(value.toDouble()));
    } else if (value.isBool()) {
      numbers.push_back(PythonNumber::of(value.toBool()));
    } else {
      return absl::InvalidArgumentError(
          fmt::format("operand {} is a value of kind {}, not a number", i, value.tagKind()));
    }
  }
  FX_ASSIGN_OR_RETURN(const PythonNumber result, functions_[step.op]->compute(numbers));
  if (result.is_float()) return c10::IValue(result.f);
  if (result.kind == PythonNumber::kBool) return c10::IValue(result.i != 0);
  return c10::IValue(result.i);
}

absl::Status TorchEvaluator::call(const Step& step, std::vector<c10::IValue>& slots,
                                  torch::jit::Stack& stack) {
  for (uint32_t i = 0; i < step.num_operands; ++i) {
    stack.push_back(operand(operands_[step.first_operand + i], slots));
  }
  dispatch(operators_[step.op], stack);
  if (step.guarded && !internal::same_number(stack.back(), constants_[step.guard]))
    return internal::guard_error(stack.back(), constants_[step.guard]);
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

/// Returns a description of the types of the operator's arguments. A kernel that throws does not
/// remove them from the stack.
std::string TorchEvaluator::describe_operands(const Step& step,
                                              const torch::jit::Stack& stack) const {
  if (step.kind != Step::kCall || stack.size() != step.num_operands) return {};
  std::string text =
      fmt::format("{}(", labels_[static_cast<size_t>(&step - steps_.data())].target.str());
  const std::vector<c10::Argument>& parameters = operators_[step.op].schema().arguments();
  Context context;  // only used to print types
  for (size_t i = 0; i < stack.size(); ++i) {
    const Type type = type_of_value(context.types(), stack[i]);
    text += fmt::format("{}{}: {}", i == 0 ? "" : ", ", parameters[i].name(), to_string(type));
  }
  return text + ")";
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
  FX_CHECK_OK(value);  // the builder has checked the code
  return *std::move(value);
}

}  // namespace fx
