#include "fx/importers/torch/capture/autograd/autograd_internal.h"
#include "fx/importers/torch/capture/capture_internal.h"
#include "fx/importers/torch/capture/fake_tensor_internal.h"
#include "fx/importers/torch/capture/hook.h"
#include "fx/importers/torch/capture/recorder_internal.h"
#include "fx/importers/torch/capture/run_follower_internal.h"
#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/importers/torch/capture/tables/value_table_internal.h"
#include "fx/importers/torch/capture/tables/watched_memory_internal.h"
#include "fx/interp/graph_guards.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/grad_mode.h>
#include <c10/core/TensorImpl.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

Type item_of(Type type, size_t i) { return i < type.items().size() ? type.items()[i] : Type(); }

/// Walks the graph of the first run while the program runs.
class RunFollower final : public OperatorObserver {
 public:
  RunFollower(const CapturedGraph& first, OperatorTable& operators,
              const std::vector<ReturnedNumber>* numbers)
      : first_(first),
        context_(first.graph->context()),
        operators_(operators),
        fake_kernels_(context_, operators, numbers),
        values_(context_.types()),
        getitem_(context_.function("operator.getitem")),
        guard_key_(context_.symbol(kGuard.name)),
        node_(first.graph->front()) {
    run_.types.resize(first.graph->size());
    while (node_ != nullptr && node_->is_placeholder()) {
      inputs_.push_back(node_);
      advance();
    }
  }

  /// Adds the tensor of the next placeholder.
  void add_input(const at::Tensor& tensor);
  /// True if the run differs from the first run in a way that RecordedRun cannot describe.
  bool differs() const { return differs_; }
  /// True if the tensor itself, not only its memory, is in the table of values.
  bool is_known(const at::Tensor& tensor) {
    bool exact = false;
    return values_.find(tensor, &exact) != nullptr && exact;
  }
  bool was_written(const at::Tensor& tensor) {
    const TracedStorage* storage = values_.storage(tensor);
    return storage != nullptr && storage->written;
  }
  at::Tensor make_tangent(const at::Tensor& result) { return fake_kernels_.empty_like(result); }

  void on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) override;
  /// Compares the elements of the output. Call it after the program has run.
  void add_output(Tensors values);
  RecordedRun take() { return std::move(run_); }

 private:
  using Values = absl::Span<const c10::IValue>;
  using Forms = absl::InlinedVector<Type, 12>;

  void advance() {
    node_ = node_->next();
    ++index_;
  }
  /// Finds the next call or the output, before which there may be constants.
  void find_call() {
    call_ = node_;
    call_index_ = index_;
    for (; call_ != nullptr && call_->op() == Opcode::kGetAttr; call_ = call_->next())
      ++call_index_;
  }
  bool compare_call(const OperatorRow& row, Values values, Forms& forms);
  bool compare(size_t position, const c10::IValue& value, ArgumentCode code,
               const ArgumentRef& expected, Type& form);
  bool compare_tensor(size_t position, const at::Tensor& tensor, const ArgumentRef& expected,
                      Type& form);
  bool compare_constant(size_t position, Argument value, const ArgumentRef& expected);
  bool compare_integers(size_t position, Values values, const ArgumentRef& expected);
  bool bind_constant(const at::Tensor& tensor, const ArgumentRef& expected);
  void note_own_writes(const c10::IValue& value);
  bool record_type(const Node& node, size_t index, Type type);
  void bind_results(OperatorRow& row, Values results, Type likely);
  void bind_result(Node* node, size_t index, const c10::IValue& value, Type form);
  void unpack(Node* node, size_t item, const c10::IValue& value, Type form);

  const CapturedGraph& first_;
  Context& context_;
  OperatorTable& operators_;
  std::mutex mutex_;  // operators run in multiple threads, but not at the same time
  FakeTensorKernels fake_kernels_;
  ValueTable values_;
  Target getitem_;
  Symbol guard_key_;
  std::vector<Node*> inputs_;
  absl::flat_hash_map<Type, Type> forms_;  // the types of inputs without requires_grad
  size_t next_input_ = 0;
  Node* node_;                  // the next node that is not a placeholder
  size_t index_ = 0;            // of node_
  const Node* call_ = nullptr;  // the call being compared
  size_t call_index_ = 0;
  size_t num_differences_ = 0;  // of the calls that have run
  bool differs_ = false;
  bool is_watching_ = false;
  RecordedRun run_;
};

void RunFollower::add_input(const at::Tensor& tensor) {
  const std::lock_guard lock(mutex_);
  if (next_input_ == inputs_.size()) {
    differs_ = true;
    return;
  }
  Node* const node = inputs_[next_input_];
  Type& likely = forms_[node->type()];
  if (!likely) likely = without_grad(context_.types(), node->type());
  const Type type = form_of(context_.types(), tensor, likely);
  differs_ = differs_ || !record_type(*node, next_input_, type);
  values_.bind_as(tensor, {.node = node, .module = {}}, type);
  ++next_input_;
}

void RunFollower::on_operator(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  OperatorRow* row = nullptr;
  Forms forms;
  size_t base = 0;
  bool is_equal = false;
  {
    const std::lock_guard lock(mutex_);
    row = &operators_.row_of(op);
    base = stack.size() - row->codes.size();
    run_.differences.resize(num_differences_);
    is_equal =
        !differs_ && compare_call(*row, Values(stack.data() + base, row->codes.size()), forms);
  }
  // If this throws and the program catches the exception, the graph has no node for the call.
  const Type likely = fake_kernels_.call(op, *row, stack, forms);

  const std::lock_guard lock(mutex_);
  differs_ = differs_ || !is_equal;
  if (differs_) return;
  num_differences_ = run_.differences.size();
  bind_results(*row, Values(stack.data() + base, stack.size() - base), likely);
}

// ---- arguments

bool RunFollower::compare_call(const OperatorRow& row, Values values, Forms& forms) {
  find_call();
  const Node* const call = call_;
  if (call == nullptr || !call->is(row.target) || call->num_args() != row.num_positional ||
      call->num_args() + call->num_kwargs() != values.size())
    return false;
  for (size_t i = 0; is_watching_ && i < values.size() && !row.uses_form_only; ++i) {
    if (row.view_of != i && row.codes[i].base == ArgumentCode::kTensor) note_own_writes(values[i]);
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const ArgumentRef expected =
        i < row.num_positional ? call->arg(i) : call->kwarg_value(i - row.num_positional);
    if (i >= row.num_positional && call->kwarg_name(i - row.num_positional) != row.names[i])
      return false;
    if (!compare(i, values[i], row.codes[i], expected, forms.emplace_back())) return false;
  }
  note_writes(values_, row, values);
  return node_ == call;  // the call uses all constants before it
}

/// Compares an argument with that of the first run. Sets `form` to the type of a tensor, if known.
bool RunFollower::compare(  // NOLINT(misc-no-recursion): lists of tensors can be nested
    size_t position, const c10::IValue& value, ArgumentCode code, const ArgumentRef& expected,
    Type& form) {
  if (value.isTensor()) return compare_tensor(position, value.toTensor(), expected, form);
  if (value.isNone()) return expected.is_none();
  if (code.base == ArgumentCode::kTensor && value.isList()) {
    const c10::ArrayRef<c10::IValue> items = value.toListRef();
    if (!expected.is_list() || expected.size() != items.size()) return false;
    const size_t num_differences = run_.differences.size();
    for (size_t i = 0; i < items.size(); ++i) {
      Type of_item;
      if (!compare(position, items[i], code, expected[i], of_item)) return false;
    }
    return run_.differences.size() == num_differences;
  }
  if (value.isBool() && expected.is_bool() && value.toBool() == expected.as_bool()) return true;
  if (value.isInt() && expected.is_int() && value.toInt() == expected.as_int() &&
      (code.base == ArgumentCode::kInt || code.base == ArgumentCode::kNumber))
    return true;
  if (value.isDouble() && expected.is_float() &&
      std::bit_cast<uint64_t>(value.toDouble()) == std::bit_cast<uint64_t>(expected.as_float()))
    return true;
  if (value.isIntList() && code.base == ArgumentCode::kInt && expected.is_list())
    return compare_integers(position, value.toListRef(), expected);
  absl::StatusOr<Argument> argument = from_ivalue(value, code);
  return argument.ok() && compare_constant(position, *std::move(argument), expected);
}

bool RunFollower::compare_tensor(size_t position, const at::Tensor& tensor,
                                 const ArgumentRef& expected, Type& form) {
  if (!tensor.defined()) return expected.is_none();
  if (const TracedValue* value = values_.find(tensor, nullptr, &form)) {
    // The node of an item that the first run does not use is null.
    return value->node != nullptr && value->node == expected.node();
  }
  form = Type();
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
    const KernelScope scope;
    absl::StatusOr<Argument> number =
        from_ivalue(c10::IValue(tensor.item()), {.base = ArgumentCode::kNumber});
    return number.ok() && compare_constant(position, *std::move(number), expected);
  }
  return bind_constant(tensor, expected);
}

bool RunFollower::compare_constant(size_t position, Argument value, const ArgumentRef& expected) {
  if (expected.is_node()) return false;
  if (value.kind() == expected.kind()) {
    if (value.is_int() && value.as_int() == expected.as_int()) return true;
    if (value.is_float() &&
        std::bit_cast<uint64_t>(value.as_float()) == std::bit_cast<uint64_t>(expected.as_float()))
      return true;
  }
  if (!(value == Argument(expected)))
    run_.differences.push_back({call_index_, position, std::move(value)});
  return true;
}

bool RunFollower::compare_integers(size_t position, Values values, const ArgumentRef& expected) {
  const bool same_length = expected.size() == values.size();
  bool same = same_length;
  for (size_t i = 0; same && i < values.size(); ++i) {
    const ArgumentRef item = expected[i];
    same = values[i].isInt() && item.is_int() && values[i].toInt() == item.as_int();
  }
  if (same) return true;
  absl::InlinedVector<int64_t, 8> integers;
  for (size_t i = 0; i < values.size(); ++i) {
    // Nodes that compute sizes are in the first graph only, so this run cannot be compared.
    if (!values[i].isInt() || (same_length && expected[i].is_node())) return false;
    integers.push_back(values[i].toInt());
  }
  run_.differences.push_back({call_index_, position, Argument::ints(integers)});
  return true;
}

/// Binds a tensor that no operator computed to the next node, which must be a constant with the
/// same elements.
bool RunFollower::bind_constant(const at::Tensor& tensor, const ArgumentRef& expected) {
  if (node_ == nullptr || node_->op() != Opcode::kGetAttr || expected.node() != node_ ||
      values_.storage(tensor) != nullptr)
    return false;
  const auto constant = first_.constants.find(std::string(node_->target()));
  if (constant == first_.constants.end() || !constant->second.isTensor()) return false;
  const at::Tensor& recorded = constant->second.toTensor();
  if (!recorded.is_same(tensor)) {
    const HookPause pause;
    if (!same_elements(recorded, tensor)) return false;
  }
  if (!record_type(*node_, index_, form_of(context_.types(), tensor, Type()))) return false;
  values_.bind(tensor, {.node = node_, .module = {}}, run_.types[index_]);
  advance();
  return true;
}

/// Called before an operator uses the tensor. A write by the program that bypasses operators
/// is a difference, because the graph would contain the written numbers as a constant.
void RunFollower::note_own_writes(const c10::IValue& value) {
  if (!is_watching_) return;
  if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) note_own_writes(item);
    return;
  }
  if (!value.isTensor() || !value.toTensor().defined()) return;
  TracedStorage* storage = values_.storage(value.toTensor());
  if (storage == nullptr || storage->creator == nullptr) return;
  differs_ = differs_ || has_changed(*storage, value.toTensor());
}

// ---- results

/// Records the type of a node. Returns false if its kind or its number of items differs from that
/// in the first run.
bool RunFollower::record_type(const Node& node, size_t index, Type type) {
  const Type expected = node.type();
  if (is_same_form(type, expected)) {
    run_.types[index] = expected;
    return true;
  }
  run_.types[index] = type;
  return type.kind() == expected.kind() && type.items().size() == expected.items().size();
}

void RunFollower::bind_results(OperatorRow& row, Values results, Type likely) {
  const Type type =
      result_type(context_.types(), &fake_kernels_, results, likely ? likely : row.last_result);
  row.last_result = type;
  Node* const node = node_;
  const size_t index = index_;
  if (!record_type(*node, index, type)) {
    differs_ = true;
    return;
  }
  advance();
  if (results.size() != 1) {
    for (size_t i = 0; i < results.size(); ++i) unpack(node, i, results[i], item_of(type, i));
    return;
  }
  bind_result(node, index, results[0], type);
  if (results[0].isTensor() &&
      watch_memory(values_, row, *node, results[0].toTensor(), /*is_fake=*/true))
    is_watching_ = true;
}

/// Binds a value of this type to a node, or to null if the first run does not use the value.
void RunFollower::bind_result(  // NOLINT(misc-no-recursion): lists of tensors can be nested
    Node* node, size_t index, const c10::IValue& value, Type form) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (!tensor.defined()) return;
    // The sizes of the tensor differ from those of a symbolic type.
    if (form && !fake_kernels_.symbolic_type(tensor)) {
      values_.bind_as(tensor, {.node = node, .module = {}}, form);
    } else {
      values_.bind(tensor, {.node = node, .module = {}}, form);
    }
  } else if (value.isTensorList()) {
    const c10::ArrayRef<c10::IValue> items = value.toListRef();
    for (size_t i = 0; i < items.size(); ++i) unpack(node, i, items[i], item_of(form, i));
  } else if (value.isScalar() && node != nullptr) {
    const Argument* expected = node->meta().find(guard_key_);
    if (expected == nullptr) return;
    const absl::StatusOr<Argument> guard = from_ivalue(value, {.base = ArgumentCode::kNumber});
    if (!guard.ok() || !(*guard == *expected)) run_.changed_guards.push_back(index);
  }
}

void RunFollower::unpack(  // NOLINT(misc-no-recursion): lists of tensors can be nested
    Node* node, size_t item, const c10::IValue& value, Type form) {
  if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) return;
  const bool is_used = node != nullptr && node_ != nullptr &&
                       constant_item(*node_, getitem_) == static_cast<int64_t>(item) &&
                       node_->arg(0).node() == node;
  if (!is_used) {
    bind_result(nullptr, 0, value, form);
    return;
  }
  Node* const used = node_;
  const size_t index = index_;
  differs_ = differs_ || !record_type(*used, index, form);
  advance();
  bind_result(used, index, value, form);
}

void RunFollower::add_output(Tensors values) {
  const std::lock_guard lock(mutex_);
  run_.differences.resize(num_differences_);
  find_call();
  const Node* const output = call_;
  differs_ = differs_ || output == nullptr || !output->is_output() || !output->arg(0).is_list() ||
             output->arg(0).size() != values.size() || next_input_ != inputs_.size();
  for (size_t i = 0; i < values.size() && !differs_; ++i) {
    note_own_writes(values[i]);
    Type form;
    differs_ = differs_ || !compare_tensor(0, values[i], output->arg(0)[i], form);
  }
  differs_ = differs_ || node_ != output || output->next() != nullptr ||
             run_.differences.size() != num_differences_;
  if (!differs_) run_.types[index_] = output->type();
}

/// The run of a program that a RunFollower observes.
class FollowedRun {
 public:
  FollowedRun(const CapturedGraph& first, Tensors inputs, RunFollower& follower)
      : first_(first), inputs_(inputs), follower_(follower) {}

  /// Adds the tensors of the placeholders. Returns false if the inputs do not match them.
  bool add_inputs();
  /// Runs the program.
  void run(const Program& program, CapturedPasses passes);
  /// Compares the results with the output of the graph. Returns false if the run differs from it.
  bool add_output();

 private:
  bool run_backward();

  const CapturedGraph& first_;
  Tensors inputs_;
  RunFollower& follower_;
  std::vector<at::Tensor> primals_, results_, gradients_;
  bool differs_ = false;
};

bool FollowedRun::add_inputs() {
  for (const CapturedInput& input : first_.inputs) {
    if (input.kind == InputKind::kTangent) break;
    if (input.kind == InputKind::kInput && input.index >= inputs_.size()) return false;
    primals_.push_back(input.kind == InputKind::kInput ? inputs_[input.index] : input.tensor);
    if (!primals_.back().defined()) return false;
    follower_.add_input(primals_.back());
  }
  return std::ranges::all_of(inputs_, [&](const at::Tensor& input) {
    return !input.defined() || follower_.is_known(input);
  });
}

void FollowedRun::run(const Program& program, CapturedPasses passes) {
  results_ = program(inputs_);
  if (passes == CapturedPasses::kJoint && !follower_.differs()) differs_ = !run_backward();
}

bool FollowedRun::run_backward() {
  std::vector<at::Tensor> roots, tangents, leaves;
  std::vector<size_t> indexes;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!results_[i].defined() || !results_[i].requires_grad()) continue;
    const size_t input = primals_.size() + roots.size();
    if (input >= first_.inputs.size() || first_.inputs[input].index != i) return false;
    roots.push_back(results_[i]);
    tangents.push_back(follower_.make_tangent(results_[i]));
    follower_.add_input(tangents.back());
  }
  for (size_t i = 0; i < primals_.size(); ++i) {
    if (!primals_[i].requires_grad()) continue;
    indexes.push_back(i);
    leaves.push_back(primals_[i]);
  }
  if (roots.empty() || leaves.empty()) return false;
  std::vector<at::Tensor> found = gradients(roots, tangents, leaves);
  gradients_.resize(primals_.size());
  for (size_t i = 0; i < indexes.size(); ++i) gradients_[indexes[i]] = std::move(found[i]);
  return true;
}

bool FollowedRun::add_output() {
  std::vector<std::pair<OutputKind, size_t>> kinds;
  std::vector<at::Tensor> values;
  const auto add = [&](OutputKind kind, size_t index, const at::Tensor& value) {
    kinds.emplace_back(kind, index);
    values.push_back(value);
  };
  for (size_t i = 0; i < primals_.size(); ++i)
    if (follower_.was_written(primals_[i])) add(OutputKind::kMutation, i, primals_[i]);
  for (size_t i = 0; i < results_.size(); ++i) add(OutputKind::kResult, i, results_[i]);
  for (size_t i = 0; i < gradients_.size(); ++i) add(OutputKind::kGradient, i, gradients_[i]);
  const bool is_same =
      std::ranges::equal(kinds, first_.outputs, [](const auto& kind, const CapturedOutput& output) {
        return kind.first == output.kind && kind.second == output.index;
      });
  if (is_same && !differs_) follower_.add_output(values);
  return is_same && !differs_ && !follower_.differs();
}

}  // namespace

std::optional<RecordedRun> follow_run(const CapturedGraph& first, CapturedPasses passes,
                                      Tensors inputs, const Program& program,
                                      const CaptureOptions& options) {
  std::optional<at::AutoGradMode> with_grad;
  if (passes == CapturedPasses::kJoint) with_grad.emplace(true);
  RunFollower follower(first, *options.operators, options.numbers);
  FollowedRun run(first, inputs, follower);
  if (!run.add_inputs()) return std::nullopt;
  try {
    const absl::StatusOr<HookGuard> hook = HookGuard::create(follower, options.hook);
    if (!hook.ok()) return std::nullopt;
    run.run(program, passes);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  if (!run.add_output()) return std::nullopt;
  return follower.take();
}

}  // namespace fx
