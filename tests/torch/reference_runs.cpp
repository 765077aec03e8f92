// See reference_runs.h.
#include "tests/torch/reference_runs.h"

#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/interp/torch/storage_copier.h"
#include "fx/ir/graph/nested_graphs.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <exception>

namespace fx {
namespace {

/// Returns a copy of the run whose tensors share memory as the originals do, because
/// compare_storage writes to tensors that share memory. Returns the run itself if none do.
testing::StorageRun copy_of_run(const testing::StorageRun& run) {
  if (!testing::shares_memory(run)) return run;
  StorageCopier copier;
  testing::StorageRun copy{run.names, {}, run.wrong_type};
  for (const at::Tensor& tensor : run.tensors)
    copy.tensors.push_back(tensor.defined() ? copier(tensor) : tensor);
  return copy;
}

bool has_same_bits(const testing::StorageRun& a, const testing::StorageRun& b) {
  if (a.names != b.names) return false;
  for (size_t i = 0; i < a.names.size(); ++i) {
    // This function does not compare values that are not tensors with storage.
    if (!a.tensors[i].defined() || !b.tensors[i].defined()) return false;
    if (!compare_values(a.tensors[i], b.tensors[i], {}).empty()) return false;
  }
  return true;
}

bool has_same_bits(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  return std::ranges::equal(a, b, [](const at::Tensor& x, const at::Tensor& y) {
    if (x.defined() != y.defined()) return false;
    return !x.defined() || compare_values(x, y, {}).empty();
  });
}

void add_tensors(const c10::IValue& value, std::vector<at::Tensor>& tensors) {
  if (value.isTensor()) tensors.push_back(value.toTensor());
  if (!value.isTuple() && !value.isList()) return;
  for (const c10::IValue& item : items_of(value)) add_tensors(item, tensors);
}

bool calls_modules(const Graph& graph) {
  for (const Graph& each : all_graphs(graph))
    for (const Node& node : each.nodes())
      if (node.op() == Opcode::kCallModule) return true;
  return false;
}

GraphHash hash_of(const Graph& graph) { return structural_hash(graph); }

}  // namespace

ReferenceRuns::Reference* ReferenceRuns::find(const Graph& reference) {
  const GraphHash hash = hash_of(reference);
  const auto it = std::ranges::find(references_, hash, &Reference::hash);
  if (it != references_.end()) return &*it;
  absl::StatusOr<testing::StorageRun> run = testing::run_for_storage(
      reference, inputs_, constants_, nullptr, /*from_module=*/false, seed_);
  if (!run.ok()) return nullptr;
  references_.push_back({hash, *std::move(run)});
  return &references_.back();
}

const testing::StorageRun* ReferenceRuns::run_of(const Graph& reference) {
  const Reference* const found = find(reference);
  return found == nullptr ? nullptr : &found->run;
}

std::string ReferenceRuns::compare_storage(const Graph& reference, testing::StorageRun& after,
                                           bool may_separate, const EquivalenceOptions& options) {
  const Reference* const found = find(reference);
  if (found == nullptr) return "";
  testing::StorageRun before = copy_of_run(found->run);
  return testing::compare_storage(before, after, may_separate, options);
}

bool ReferenceRuns::is_deterministic(const Graph& reference) {
  const Reference* const first = find(reference);
  if (first == nullptr) return false;
  const absl::StatusOr<testing::StorageRun> second = testing::run_for_storage(
      reference, inputs_, constants_, nullptr, /*from_module=*/false, seed_);
  return second.ok() && has_same_bits(first->run, *second);
}

bool ReferenceRuns::has_gradients(const Graph& reference) {
  Reference* const found = find(reference);
  if (found == nullptr) return false;
  if (!found->gradients) found->gradients = gradients_of(reference);
  if (!*found->gradients) return false;
  const Gradients again = gradients_of(reference);
  return again && has_same_bits(**found->gradients, *again);
}

/// Returns the gradients of a weighted sum of the results; nullopt if an input is not a tensor or
/// libtorch rejects the run.
ReferenceRuns::Gradients ReferenceRuns::gradients_of(const Graph& graph) const {
  try {
    const at::AutoGradMode with_grad(true);
    std::vector<at::Tensor> leaves;
    std::vector<c10::IValue> values;
    for (const c10::IValue& input : inputs_) {
      if (!input.isTensor() || !input.toTensor().defined()) return std::nullopt;
      at::Tensor leaf = input.toTensor().detach().clone();
      const bool differs =
          at::isFloatingType(leaf.scalar_type()) || at::isComplexType(leaf.scalar_type());
      if (differs) leaf.requires_grad_();
      // A graph may write to inputs, but autograd does not allow writes to leaves.
      values.emplace_back(differs ? leaf.clone() : leaf);
      leaves.push_back(differs ? leaf : at::Tensor());
    }
    StorageCopier copier;
    TorchConstants constants = constants_;
    for (auto& [path, value] : constants)
      if (value.isTensor()) value = copier(value.toTensor());
    at::manual_seed(seed_);
    TorchInterpreter interpreter(graph, std::move(constants), AutogradUse::kRecord);
    const absl::StatusOr<c10::IValue> result = interpreter.run(std::move(values));
    if (!result.ok()) return std::nullopt;
    std::vector<at::Tensor> results, gradients;
    add_tensors(*result, results);
    at::Tensor sum;
    for (const at::Tensor& tensor : results) {
      if (!tensor.defined() || !tensor.requires_grad()) continue;
      const at::Tensor weights =
          at::arange(tensor.numel(), at::kDouble).mul(0.7).cos().add(2).view(tensor.sizes());
      const at::Tensor reals = tensor.is_complex() ? at::abs(tensor) : tensor;
      const at::Tensor part = reals.to(at::kDouble).mul(weights).sum();
      sum = sum.defined() ? sum + part : part;
    }
    if (sum.defined()) sum.backward();
    for (const at::Tensor& leaf : leaves)
      gradients.push_back(leaf.defined() ? leaf.grad() : at::Tensor());
    return gradients;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// True if the graph reads values that its hash does not determine: members of a module that the
/// pass changed.
bool ReferenceRuns::uses_changed_members(const Graph& graph) const {
  for (const Graph& each : all_graphs(graph)) {
    for (const Node& node : each.nodes()) {
      if (node.op() == Opcode::kCallModule) return true;
      if (node.op() == Opcode::kGetAttr && !constants_.contains(node.target()) &&
          each.find_subgraph(node.target()) == nullptr)
        return true;
    }
  }
  return false;
}

ReferenceRuns::Proof ReferenceRuns::prove(const Graph& reference, const Graph& after,
                                          const Module& root, bool may_separate, bool gradients) {
  const GraphHash hash = hash_of(after);
  Reference* const first = find(reference);
  if (first == nullptr) return Proof::kNone;
  const bool is_self_contained = !uses_changed_members(after);
  if (is_self_contained && first->hash == hash && first->run.wrong_type.empty())
    return Proof::kGradients;
  const std::pair key(first->hash, hash);
  const auto it = std::ranges::find_if(proven_, [&](const auto& p) { return p.first == key; });
  if (is_self_contained && it != proven_.end() && (!gradients || it->second == Proof::kGradients))
    return it->second;
  absl::StatusOr<testing::StorageRun> run = testing::run_for_storage(
      after, inputs_, constants_, &root, /*from_module=*/calls_modules(after), seed_);
  if (!run.ok() || !run->wrong_type.empty() || !has_same_bits(first->run, *run))
    return Proof::kNone;
  testing::StorageRun before = copy_of_run(first->run);
  if (!testing::compare_storage(before, *run, may_separate, {}).empty()) return Proof::kNone;
  Proof proof = Proof::kValues;
  if (gradients && is_self_contained) {
    if (!first->gradients) first->gradients = gradients_of(reference);
    const Gradients after_gradients = *first->gradients ? gradients_of(after) : std::nullopt;
    if (after_gradients && has_same_bits(**first->gradients, *after_gradients))
      proof = Proof::kGradients;
  }
  if (is_self_contained && !may_separate) proven_.emplace_back(key, proof);
  return proof;
}

}  // namespace fx
