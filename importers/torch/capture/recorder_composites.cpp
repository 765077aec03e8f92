// Records composite operators whole (CaptureOptions::keep).
//
// The operator runs as it does without `keep`, so that autograd records its parts, which become
// nodes. A node for the whole operator follows them, and replaces the parts as the producer of the
// results. At the end of the capture, parts that the backward pass does not use are erased. If a
// part draws random numbers or writes to memory, and the backward pass uses any part, the node of
// the whole operator is erased instead. A batch norm in training is an exception: its part then
// computes only the statistics of the batch, and the whole operator updates the running statistics.
//
// torch::nn::Linear does not call the operator linear; torch::nn::functional::linear calls t, and
// addmm or matmul with its result. If linear is kept, these calls are recorded as linear, which
// runs the same kernels for these operands.
//
// If backward passes are also kept (CaptureOptions::keep_backward), the remaining parts
// and the calls of the autograd nodes that the parts created are marked with kKeptCall, and
// keep_backward.cpp moves them into a nested graph.
#include "fx/importers/torch/capture/recorder_internal.h"
#include "fx/interp/graph_guards.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include <c10/core/TensorImpl.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Calls `f` for each defined tensor in a value.
template <class F>
void for_each_tensor(const c10::IValue& value, F&& f) {
  if (value.isTensor()) {
    if (value.toTensor().defined()) f(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) for_each_tensor(item, f);
  }
}

std::vector<at::Tensor> tensors_of(absl::Span<const c10::IValue> values) {
  std::vector<at::Tensor> tensors;
  for (const c10::IValue& value : values)
    for_each_tensor(value, [&](const at::Tensor& tensor) { tensors.push_back(tensor); });
  return tensors;
}

bool share_storage(const at::Tensor& a, const at::Tensor& b) {
  return a.has_storage() && b.has_storage() &&
         a.storage().unsafeGetStorageImpl() == b.storage().unsafeGetStorageImpl();
}

bool returns_aliases(const c10::FunctionSchema& schema) {
  return std::ranges::any_of(
      schema.returns(), [](const c10::Argument& result) { return result.alias_info() != nullptr; });
}

/// Returns true if running the call again changes the results of the graph.
bool runs_once(const Node& node) {
  const ops::Effects what = effects(node);
  return !what.is_removable() || what.has(ops::Effect::kReadsState) || node.meta().has(kGuard);
}

bool is_batch_norm(const Node& part) {
  return part.op() == Opcode::kCallFunction && part.target() == "aten.native_batch_norm.default";
}

/// Changes a batch norm in training so that it does not update the running statistics, on which its
/// results do not depend.
void drop_running_statistics(Node& part) {
  std::vector<Argument> arguments;
  for (size_t i = 0; i < part.num_args(); ++i) {
    const bool is_running = i == 3 || i == 4;  // running_mean, running_var
    arguments.push_back(is_running ? Argument() : Argument(part.arg(i)));
  }
  FX_CHECK_OK(part.set_args(arguments));
}

/// Returns the parts that are used, directly or indirectly, only by other parts. `parts` is in
/// reverse order.
absl::flat_hash_set<const Node*> unused_parts(absl::Span<Node* const> parts) {
  absl::flat_hash_set<const Node*> unused;
  for (const Node* part : parts) {
    const bool is_unused = std::ranges::all_of(
        part->uses(), [&](const Use use) { return unused.contains(use.user()); });
    if (is_unused) unused.insert(part);
  }
  return unused;
}

/// Returns the matrix w if the node is t(w), otherwise null.
Node* transposed(const Node& node) {
  if (node.op() != Opcode::kCallFunction || node.target() != "aten.t.default") return nullptr;
  Node* matrix = node.arg(0).node();
  const bool is_matrix =
      matrix != nullptr && matrix->type().is_tensor() && matrix->type().rank() == 2;
  return is_matrix ? matrix : nullptr;
}

bool is_one(const c10::IValue& value) { return value.isInt() && value.toInt() == 1; }

/// Returns the index of the second matrix of the product among the arguments: of matmul(x, y), and
/// of addmm(bias, x, y) with a vector bias and without factors. Returns nullopt for calls that
/// cannot be recorded as linear.
std::optional<size_t> second_matrix(absl::Span<const c10::IValue> arguments) {
  if (arguments.size() == 2) return 1;
  const at::Tensor& bias = arguments[0].toTensor();
  const bool is_linear =
      bias.defined() && bias.dim() == 1 && is_one(arguments[3]) && is_one(arguments[4]);
  return is_linear ? std::optional<size_t>(2) : std::nullopt;
}

}  // namespace

void Recorder::set_kept(KeptOperators kept) {
  kept_ = std::move(kept);
  c10::Dispatcher& dispatcher = c10::Dispatcher::singleton();
  const c10::OperatorHandle linear = dispatcher.findSchemaOrThrow("aten::linear", "");
  if (!kept_.contains(linear)) return;
  linear_ = linear;
  addmm_ = dispatcher.findSchemaOrThrow("aten::addmm", "");
  matmul_ = dispatcher.findSchemaOrThrow("aten::matmul", "");
}

bool Recorder::keeps(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  if (kept_.contains(op)) return true;
  if (!linear_ || (op != *addmm_ && op != *matmul_)) return false;
  const std::lock_guard lock(mutex_);
  const size_t num_arguments = op.schema().arguments().size();
  const Values arguments(stack.data() + stack.size() - num_arguments, num_arguments);
  return transpose_of_weight(op, arguments) != nullptr;
}

/// Returns the node t(w) if the call is addmm(b, x, t(w)) or matmul(x, t(w)) and must be recorded
/// as linear(x, w, b), otherwise null.
Node* Recorder::transpose_of_weight(const c10::OperatorHandle& op, Values arguments) {
  if (!linear_ || (op != *addmm_ && op != *matmul_)) return nullptr;
  const std::optional<size_t> matrix = second_matrix(arguments);
  // Eager mode rejects an undefined tensor.
  if (!matrix || !arguments[*matrix].toTensor().defined()) return nullptr;
  const TracedValue* traced = values_.find(arguments[*matrix].toTensor());
  return traced != nullptr && transposed(*traced->node) != nullptr ? traced->node : nullptr;
}

void Recorder::on_composite(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const size_t num_arguments = op.schema().arguments().size();
  const size_t base = stack.size() - num_arguments;
  Labels labels{autograd_position(), {}};
  std::vector<at::Tensor> operands;
  Arguments arguments;
  const Row* row = nullptr;
  KeptCall call{.first_sequence = next_autograd_sequence()};
  {
    const std::lock_guard lock(mutex_);
    number_write();
    row = &row_of(op);
    const Values values(stack.data() + base, num_arguments);
    encode_call(*row, values, labels, arguments);
    operands = tensors_of(values);
    call.before = graph_->back();
    call.transpose = transpose_of_weight(op, values);
    if (call.transpose != nullptr && values[*second_matrix(values)].toTensor().requires_grad())
      call.transpose_sequence = call.transpose->meta().get(meta::kSeq);
  }
  op.callBoxed(stack);

  const std::lock_guard lock(mutex_);
  if (!status_.ok()) return;
  if (graph_->back() == call.before) return;  // the operator returned an argument
  const Values results(stack.data() + base, stack.size() - base);
  const std::vector<at::Tensor> tensors = tensors_of(results);
  for (const at::Tensor& tensor : tensors) {
    const TracedValue* value = values_.find(tensor);
    const TracedStorage* storage = values_.storage(tensor);
    if (value == nullptr || (storage != nullptr && storage->creator != nullptr)) return;
    call.results.push_back({.part = value->node});
    if (returns_aliases(op.schema())) continue;
    if (std::ranges::any_of(operands,
                            [&](const at::Tensor& x) { return share_storage(x, tensor); })) {
      note_decomposed(row->target, "its result shares memory with an argument");
      return;
    }
  }
  call.end_sequence = next_autograd_sequence();
  labels.position = autograd_position();
  if (call.transpose != nullptr) {
    const Argument weight(transposed(*call.transpose));
    arguments = op == *matmul_ ? Arguments{arguments[0], weight, Argument()}
                               : Arguments{arguments[1], weight, arguments[0]};
    row = &row_of(*linear_);
  }
  const Symbol view_module = row->view_of ? labels.module : Symbol();
  call.node = add_node(*row, arguments,
                       result_type(context_->types(), fake_kernels_.get(), results), labels);
  if (results.size() == 1) {
    bind_result(*call.node, results[0], labels, view_module);
  } else {
    for (size_t i = 0; i < results.size(); ++i)
      unpack(*call.node, i, results[i], labels, view_module);
  }
  for (size_t i = 0; i < tensors.size(); ++i)
    call.results[i].whole = values_.find(tensors[i])->node;
  kept_calls_.push_back(std::move(call));
}

void Recorder::note_decomposed(Target target, std::string_view reason) {
  for (DecomposedOperator& entry : decomposed_) {
    if (entry.name != target.name() || entry.reason != reason) continue;
    ++entry.count;
    return;
  }
  decomposed_.push_back(
      {.name = std::string(target.name()), .reason = std::string(reason), .count = 1});
}

void Recorder::erase_parts() {
  absl::flat_hash_set<const Node*> erased;
  std::vector<KeptCall> whole;  // in reverse order
  for (KeptCall& call : std::views::reverse(kept_calls_)) {
    std::vector<Node*> parts;  // in reverse order
    for (Node* node = call.node->prev(); node != call.before; node = node->prev())
      if (node->is_call()) parts.push_back(node);
    const absl::flat_hash_set<const Node*> unused = unused_parts(parts);
    const bool some_stay = unused.size() < parts.size();
    if (some_stay && std::ranges::any_of(parts, [&](const Node* part) {
          return runs_once(*part) && (unused.contains(part) || !is_batch_norm(*part));
        })) {
      restore_parts(call, erased);
      continue;
    }
    for (Node* part : parts) {
      if (unused.contains(part)) {
        erased.insert(part);
        FX_CHECK_OK(graph_->erase_node(part));
        continue;
      }
      if (runs_once(*part)) drop_running_statistics(*part);
      call.parts.push_back(part);
    }
    whole.push_back(std::move(call));
  }
  kept_calls_ = std::move(whole);
  erase_transposes(erased);
  values_.forget(erased);
}

/// Erases the nodes t(w) of calls that are recorded as linear if they have no users.
void Recorder::erase_transposes(absl::flat_hash_set<const Node*>& erased) {
  for (KeptCall& call : kept_calls_) {
    if (call.transpose == nullptr) continue;
    if (!erased.contains(call.transpose)) {
      if (call.transpose->has_uses()) continue;
      erased.insert(call.transpose);
      FX_CHECK_OK(graph_->erase_node(call.transpose));
    }
    call.is_transpose_erased = true;
  }
}

/// Marks each kept call, its remaining parts and the calls of its backward pass with its number.
void Recorder::mark_backward_calls() {
  const auto relative = [&](uint64_t sequence) {
    return static_cast<int64_t>(sequence - first_sequence_);
  };
  absl::flat_hash_map<int64_t, int64_t> call_of_sequence;
  absl::flat_hash_map<const Node*, size_t> num_calls;  // that use each transpose
  for (const KeptCall& call : kept_calls_) ++num_calls[call.transpose];
  for (size_t i = 0; i < kept_calls_.size(); ++i) {
    const KeptCall& call = kept_calls_[i];
    const auto number = static_cast<int64_t>(i);
    call.node->meta().set(kKeptCall, number);
    for (Node* part : call.parts) part->meta().set(kKeptCall, number);
    for (uint64_t s = call.first_sequence; s < call.end_sequence; ++s)
      call_of_sequence.emplace(relative(s), number);
    if (call.transpose == nullptr || num_calls[call.transpose] > 1) continue;
    if (!call.is_transpose_erased) call.transpose->meta().set(kKeptCall, number);
    if (call.transpose_sequence) call_of_sequence.emplace(*call.transpose_sequence, number);
  }
  for (Node& node : graph_->nodes()) {
    const auto sequence = node.meta().get(meta::kSeq);
    const auto region = node.meta().get(meta::kRegion);
    if (!node.is_call() || !sequence || !region || *region != backward_.str()) continue;
    const auto found = call_of_sequence.find(*sequence);
    if (found != call_of_sequence.end()) node.meta().set(kKeptCall, found->second);
  }
}

void Recorder::restore_parts(const KeptCall& call, absl::flat_hash_set<const Node*>& erased) {
  note_decomposed(
      call.node->function(),
      "the backward pass uses some of its parts, and a part draws random numbers or writes");
  const auto erase = [&](Node* node) {
    erased.insert(node);
    FX_CHECK_OK(graph_->erase_node(node));
  };
  for (const KeptCall::Result& result : call.results) {
    result.whole->replace_all_uses_with(result.part);
    values_.replace(*result.whole, *result.part);
  }
  for (const KeptCall::Result& result : std::views::reverse(call.results))
    if (result.whole != call.node && !erased.contains(result.whole)) erase(result.whole);
  for (Node* item : call.node->users()) erase(item);  // items for results that are not tensors
  erase(call.node);
}

}  // namespace fx
