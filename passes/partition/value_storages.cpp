#include "fx/interp/shared_inputs.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/ops/effects.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/partition/value_storages_internal.h"
#include "fx/passes/shape/changed_types.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <algorithm>
#include <vector>

namespace fx::internal {
namespace {

bool has_writing_call(const Graph& graph) {
  for (const Node& node : graph.nodes())
    if (effects(node).has(ops::Effect::kWritesArguments)) return true;
  return false;
}

/// Returns the operand whose storage the value shares in every run; null if there is none.
const Node* source_of(const Node& value, const MemoryAnalysis& memory) {
  const Node* source = nullptr;
  value.for_each_input([&](const Node* input) {
    if (source == nullptr && memory.must_share(value, *input)) source = input;
  });
  return source;
}

/// True if the recorded type of a view is equal to the inferred type, including the offset in the
/// storage. Types that were written manually may lack the offset, which is compared during a run.
bool has_correct_offset(const Node& view) {
  if (view.op() != Opcode::kCallFunction) return false;
  const absl::StatusOr<Type> type = infer_type(view);
  return type.ok() && *type && view.type() && equal_types(*type, view.type());
}

}  // namespace

bool ValueStorages::has_writes() {
  if (!has_writes_) has_writes_ = has_writing_call(graph_);
  return *has_writes_;
}

void ValueStorages::read_changes() {
  if (!has_writes()) return;  // a change of sizes or strides in place is a write
  const std::vector<const Node*> found = changed_tensors(graph_);
  if (found.empty()) return;
  changed_.emplace(graph_);
  for (const Node* const node : found) changed_->insert(*node);
}

void ValueStorages::read() {
  is_read_ = true;
  if (!has_writes()) return;
  const MemoryAnalysis memory(graph_);
  absl::flat_hash_map<const Node*, uint32_t> of_marked;
  uint32_t next = 1;
  for (const SharedInputs& group : shared_inputs(graph_)) {
    for (const Node* input : group.nodes) of_marked[input] = next;
    ++next;
  }
  storage_.emplace(graph_, 0);
  for (const Node& node : graph_.nodes()) {
    uint32_t& storage = (*storage_)[node];
    if (const auto marked = of_marked.find(&node); marked != of_marked.end()) {
      storage = marked->second;
    } else if (const Node* source = source_of(node, memory)) {
      storage = has_correct_offset(node) ? (*storage_)[*source] : 0;
    } else {
      storage = next++;
    }
  }
}

void ValueStorages::mark(absl::Span<const Node* const> values, const Graph& part,
                         absl::FunctionRef<Node*(const Node&)> input_of) {
  for (const Node* value : values) {
    if (!changed_) break;
    Node* const input = input_of(*value);
    if (input != nullptr && input->is_placeholder()) input->set_type(type_of(*value));
  }
  if (values.size() < 2 || has_writes_ == false || !has_writing_call(part)) return;
  if (!is_read_) read();
  if (!storage_) return;
  absl::flat_hash_map<uint32_t, std::vector<Node*>> groups;
  std::vector<uint32_t> order;
  int64_t next = 0;  // not the number of any input
  for (const Node* value : values) {
    Node* input = input_of(*value);
    if (input == nullptr || !input->is_placeholder()) continue;
    if (const auto number = input->meta().get(meta::kSharedMemory))
      next = std::max(next, *number + 1);
    const uint32_t storage = (*storage_)[*value];
    if (storage == 0) continue;
    std::vector<Node*>& group = groups[storage];
    if (group.empty()) order.push_back(storage);
    group.push_back(input);
  }
  for (const uint32_t storage : order) {
    const std::vector<Node*>& group = groups[storage];
    if (group.size() < 2) continue;
    int64_t number = -1;
    for (const Node* input : group)
      number = input->meta().get(meta::kSharedMemory).value_or(number);
    if (number < 0) number = next++;
    for (Node* input : group) input->meta().set(meta::kSharedMemory, number);
  }
}

void ValueStorages::note_moved(const Node& from, const Node& to) {
  if (storage_) (*storage_)[to] = (*storage_)[from];
  if (changed_ && changed_->contains(from)) changed_->insert(to);
}

}  // namespace fx::internal
