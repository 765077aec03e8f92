// The indexes of a Graph: see graph_index_internal.h.
#include "fx/ir/graph/graph_index_internal.h"

#include <algorithm>

namespace fx {

Graph::TargetIndex::Bucket& Graph::TargetIndex::bucket(Opcode op, const void* target) {
  const Key key = {op, target};
  return *recent_.get(key, [&] { return &buckets_[key]; });
}

void Graph::TargetIndex::add(Node& node) {
  bucket(node.op_, node.target_data()).push_back({&node, node.id_});
  if (node.op_ != Opcode::kCallFunction) bucket(node.op_, nullptr).push_back({&node, node.id_});
}

void Graph::TargetIndex::note(Node& node) {
  if (is_filled_) add(node);
}

void Graph::TargetIndex::fill_locked(const Graph& graph) {
  if (is_filled_) return;
  for (Node& node : graph.nodes()) add(node);
  is_filled_ = true;
}

void Graph::TargetIndex::fill(const Graph& graph) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fill_locked(graph);
}

std::vector<Node*> Graph::TargetIndex::find(const Graph& graph, Opcode op, const void* target) {
  const std::lock_guard<std::mutex> lock(mutex_);
  fill_locked(graph);
  const auto found = buckets_.find({op, target});
  if (found == buckets_.end()) return {};
  Bucket& entries = found->second;
  std::erase_if(entries, [&](const Entry& e) {
    return e.node->is_erased() || e.node->id_ != e.id || e.node->op_ != op ||
           (target != nullptr && e.node->target_data() != target);
  });
  const auto earlier = [](const Entry& a, const Entry& b) {
    return a.node->order_ < b.node->order_;
  };
  if (!std::is_sorted(entries.begin(), entries.end(), earlier))
    std::sort(entries.begin(), entries.end(), earlier);
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const Entry& a, const Entry& b) { return a.node == b.node; }),
                entries.end());
  std::vector<Node*> result;
  result.reserve(entries.size());
  for (const Entry& entry : entries) result.push_back(entry.node);
  return result;
}

void Graph::note_new_target(Node& node) { target_index_.get().note(node); }

Node* Graph::NameIndex::find(const Graph& graph, const Name& name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!is_filled_ || version_ != graph.version()) {
    nodes_.clear();
    nodes_.reserve(graph.size());
    for (Node& node : graph.nodes()) nodes_.emplace(node.name_parts(), &node);
    version_ = graph.version();
    is_filled_ = true;
  }
  const auto found = nodes_.find(name);
  return found == nodes_.end() ? nullptr : found->second;
}

}  // namespace fx
