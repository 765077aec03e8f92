// Records composite operators whole (CaptureOptions::keep).
//
// The operator runs as without `keep`, so that autograd records its parts, which become nodes. A
// node for the whole operator follows them, and replaces the parts as the producer of the results.
// At the end of the capture, parts that the backward pass does not use are erased. If a part draws
// random numbers or writes to memory, and the backward pass uses some part, the node of the whole
// operator is erased instead. A batch norm in training is an exception: its part then computes only
// the statistics of the batch, and the whole operator updates the running statistics.
//
// torch::nn::Linear does not call the operator linear; torch::nn::functional::linear calls t, and
// addmm or matmul with its result. If linear is kept, these calls are recorded as linear, which
// runs the same kernels for these operands.
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

bool is_one(const Node& node, std::string_view name) {
  const auto value = node.argument(name);
  return value && value->is_int() && value->as_int() == 1;
}

/// Returns true if the node is addmm(bias, x, matrix) with a vector as bias and without factors.
bool adds_vector(const Node& node) {
  const Node* bias = node.arg(0).node();
  return bias != nullptr && bias->type().is_tensor() && bias->type().rank() == 1 &&
         is_one(node, "beta") && is_one(node, "alpha");
}

}  // namespace

void Recorder::set_kept(KeptOperators kept) {
  kept_ = std::move(kept);
  c10::Dispatcher& dispatcher = c10::Dispatcher::singleton();
  const c10::OperatorHandle linear = dispatcher.findSchemaOrThrow("aten::linear", "");
  if (!kept_.contains(linear)) return;
  linear_ = linear;
  matmul_ = dispatcher.findSchemaOrThrow("aten::matmul", "");
}

bool Recorder::keeps(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  if (kept_.contains(op)) return true;
  if (!matmul_ || op != *matmul_) return false;
  const std::lock_guard lock(mutex_);
  return transposed_weight(op, stack.back()) != nullptr;
}

/// Returns the matrix w if the call is matmul(x, t(w)) and linear is kept, otherwise null. `value`
/// is the second argument.
Node* Recorder::transposed_weight(const c10::OperatorHandle& op, const c10::IValue& value) {
  if (!matmul_ || op != *matmul_) return nullptr;
  if (!value.toTensor().defined()) return nullptr;  // eager mode rejects the call
  const TracedValue* traced = values_.find(value.toTensor());
  return traced == nullptr ? nullptr : transposed(*traced->node);
}

void Recorder::on_composite(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const size_t num_arguments = op.schema().arguments().size();
  const size_t base = stack.size() - num_arguments;
  Labels labels{autograd_position(), {}};
  std::vector<at::Tensor> operands;
  Arguments arguments;
  const Row* row = nullptr;
  Node* weight = nullptr;  // the weight if the call is a matmul that becomes linear
  Node* before = nullptr;  // the last node before the parts
  {
    const std::lock_guard lock(mutex_);
    number_write();
    row = &row_of(op);
    const Values values(stack.data() + base, num_arguments);
    encode_call(*row, values, labels, arguments);
    operands = tensors_of(values);
    before = graph_->back();
    weight = transposed_weight(op, values.back());
  }
  op.callBoxed(stack);

  const std::lock_guard lock(mutex_);
  if (!status_.ok()) return;
  if (graph_->back() == before) return;  // the operator returned an argument
  const Values results(stack.data() + base, stack.size() - base);
  const std::vector<at::Tensor> tensors = tensors_of(results);
  KeptCall call{.before = before};
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
  labels.position = autograd_position();
  if (weight != nullptr) {
    row = &row_of(*linear_);
    arguments = {arguments[0], Argument(weight), Argument()};
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
  decomposed_.push_back({std::string(target.name()), std::string(reason), 1});
}

void Recorder::erase_parts() {
  absl::flat_hash_set<const Node*> erased;
  for (const KeptCall& call : std::views::reverse(kept_calls_)) {
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
      } else if (runs_once(*part)) {
        drop_running_statistics(*part);
      }
    }
  }
  kept_calls_.clear();
  values_.forget(erased);
}

/// Converts addmm(b, x, t(w)) in the forward pass to linear(x, w, b), and erases each t without
/// users.
void Recorder::compose_linear() {
  if (!linear_) return;
  const Row& row = row_of(*linear_);
  std::vector<Node*> sums, transposes;
  for (Node& node : graph_->nodes()) {
    const auto region = node.meta().get(meta::kRegion);
    if (node.op() != Opcode::kCallFunction || !region || *region != forward_.str()) continue;
    if (transposed(node) != nullptr) transposes.push_back(&node);
    if (node.target() != "aten.addmm.default" || !adds_vector(node)) continue;
    const Node* matrix = node.arg(2).node();
    if (matrix != nullptr && transposed(*matrix) != nullptr) sums.push_back(&node);
  }
  for (Node* sum : sums) {
    const InsertPointGuard place = graph_->inserting_before(sum);
    const Argument arguments[] = {Argument(sum->arg(1)), Argument(transposed(*sum->arg(2).node())),
                                  Argument(sum->arg(0))};
    Node* linear = Graph::Editor::make_node(*graph_, Opcode::kCallFunction, row.target.data(),
                                            row.name, arguments, {}, sum->type());
    FX_CHECK(linear != nullptr, "the nodes of arguments must be in the graph");
    linear->meta().copy_from(*sum);
    replace(*sum, *linear);
  }
  absl::flat_hash_set<const Node*> erased;
  for (Node* transpose : transposes) {
    if (transpose->has_uses()) continue;
    erased.insert(transpose);
    FX_CHECK_OK(graph_->erase_node(transpose));
  }
  values_.forget(erased);
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
