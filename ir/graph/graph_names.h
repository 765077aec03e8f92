// GraphNames: the names taken in one graph.
#pragma once

#include "fx/ir/graph/graph_storage.h"
#include "fx/ir/support/name.h"

#include <cstdint>

namespace fx {

class Context;

/// A NameSpace that is filled on demand. As long as nodes are only added at the end, the names
/// taken are those of the nodes, in order, and a few comparisons determine whether the first name
/// of a base is free. The NameSpace is filled when these are not sufficient, or when a node is
/// moved, renamed or erased.
///
/// This matters because passes create thousands of small graphs. With this optimization,
/// split_module takes a third less time, and partition less than half the time
/// (docs/benchmarks.md).
class GraphNames {
 public:
  GraphNames(Context& context, const GraphStorage& storage)
      : context_(context), storage_(storage) {}
  GraphNames(const GraphNames&) = delete;
  GraphNames& operator=(const GraphNames&) = delete;

  /// The NameSpace, filled.
  NameSpace& all() {
    if (are_in_nodes_) [[unlikely]]
      fill();
    return names_;
  }
  /// Reserves a free name for the next node, which is inserted before the node in slot
  /// `before`.
  Name create(const NameHint& hint, uint32_t before) {
    return are_in_nodes_ ? create_in_nodes(hint, before) : names_.create(hint);
  }
  /// Does the same for the name of another node: see NameSpace::create_like.
  Name create_like(const Name& name, uint32_t before);

  /// True while the NameSpace is not filled.
  bool are_in_nodes() const { return are_in_nodes_; }
  /// Call this when the next node, at the end, gets a name of this base that is known to be free.
  /// Requires are_in_nodes().
  void record_base(Symbol base);

  void copy_from(const GraphNames& from);
  /// Drops all names and takes the names of another graph.
  void take(GraphNames& from);
  void clear();

 private:
  void fill();
  Name create_in_nodes(const NameHint& hint, uint32_t before);
  /// True if the next node goes to the end and no node has a name of this base. May be false for
  /// such a base: only a few nodes are compared.
  bool is_new(Symbol base, uint32_t before) const;

  Context& context_;
  const GraphStorage& storage_;
  NameSpace names_;
  bool are_in_nodes_ = true;  // names_ is empty: the names of the nodes are taken, in their order
  bool may_name_output_ = false;  // one of them may have the base that output nodes have
};

}  // namespace fx
