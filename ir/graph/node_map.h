// NodeMap: values that a pass assigns to nodes, in a flat table indexed by node id.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/support/huge_pages.h"

#include <cstddef>
#include <vector>

namespace fx {

/// Maps nodes of one graph to T. The value is `initial` for nodes that were never written,
/// including nodes created later. The entry of an erased node remains and is not reused.
template <class T>
class NodeMap {
 public:
  // A moved-from map may only be assigned to or destroyed.
  explicit NodeMap(const Graph& graph, T initial = T())
      : initial_(initial), size_(graph.id_bound()), values_(size_, initial) {}

  T& operator[](const Node& node) {
    if (node.id() >= size_) [[unlikely]]
      grow(node);
    return values_[node.id()];
  }
  const T& operator[](const Node& node) const {
    return node.id() < size_ ? values_[node.id()] : initial_;
  }

 private:
  [[gnu::noinline]] void grow(const Node& node) {
    values_.resize(node.graph().id_bound(), initial_);
    size_ = values_.size();
  }

  T initial_;
  size_t size_;  // values_.size(), which would require a division
  std::vector<T, internal::HugePageAllocator<T>> values_;
};

/// A set of nodes of one graph.
class NodeSet {
 public:
  explicit NodeSet(const Graph& graph) : bits_(graph) {}
  /// Returns false if the node was already in the set.
  bool insert(const Node& node) {
    bool added = !bits_[node];
    bits_[node] = 1;
    return added;
  }
  bool contains(const Node& node) const { return bits_[node] != 0; }
  void erase(const Node& node) { bits_[node] = 0; }

 private:
  NodeMap<char> bits_;
};

}  // namespace fx
