// Outlines the parts of a graph, one at a time.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/module/module.h"
#include "fx/passes/partition/subgraph.h"
#include "fx/passes/partition/value_storages_internal.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::internal {

/// The maximum number of nodes that are copied to a part at a time: few enough to stay in the cache
/// until the caller uses the copies.
inline constexpr size_t kCopyBatchSize = 512;

/// Implements tuple_type with a cache of one entry: consecutive parts are often similar.
class TupleTypes {
 public:
  Type of(TypeTable& types, absl::Span<const Type> items) {
    if (items != absl::MakeConstSpan(items_)) {
      items_.assign(items.begin(), items.end());
      tuple_ = tuple_type(types, items);
    }
    return tuple_;
  }

 private:
  std::vector<Type> items_;  // the items of tuple_
  Type tuple_;
};

/// Facts about the graph's nodes for the copy of a part, by their ids. Parts share one table;
/// entries of the previous part are ignored.
class PartTable {
 public:
  explicit PartTable(const Graph& graph)
      : copies_(graph),
        members_(graph),
        getitem_(graph.context().function("operator.getitem")),
        storages_(graph) {
    storages_.read();
    storages_.read_changes();
  }

  /// Starts an empty part, whose copy is created in `copy`.
  void begin(Graph& copy) {
    ++part_;
    copies_.begin(copy);
  }
  void insert(const Node& node) { members_[node] = {.part = part_, .num_reads = 0}; }
  /// Records a use of this node by the part; returns false if the node is not in the part.
  bool note_read(const Node& node) {
    Member& member = members_[node];
    if (member.part != part_) return false;
    ++member.num_reads;
    return true;
  }
  /// Returns the number of uses, within the part, of one of its nodes.
  size_t num_reads(const Node& node) const { return members_[node].num_reads; }
  /// Returns the node's copy or input in the copy of the part; null if there is none.
  Node* find(const Node& node) const { return copies_.find(node); }
  /// Adds an input for the node to the copy; returns false if the node has one already.
  bool add_input(const Node& node) {
    if (copies_.find(node) != nullptr) return false;
    copies_.placeholder_like(node);
    return true;
  }
  /// Returns the function that selects a value from the result of a part.
  Target getitem() const { return getitem_; }
  Type tuple_of(TypeTable& types, absl::Span<const Type> items) { return tuples_.of(types, items); }
  /// Copies the nodes to the end of the copy.
  absl::Status copy(absl::Span<Node* const> nodes) { return copies_.copy_nodes(nodes); }
  /// Returns the facts about which values share a storage.
  ValueStorages& storages() { return storages_; }
  /// Returns the part that is being copied. Parts reuse the object, since there may be many.
  Subgraph& part() { return subgraph_; }

 private:
  struct Member {
    uint32_t part = 0, num_reads = 0;
  };
  CopyTable copies_;
  NodeMap<Member> members_;
  Target getitem_;
  ValueStorages storages_;
  uint32_t part_ = 0;
  Subgraph subgraph_;
  TupleTypes tuples_;
};

/// The name of the module of a part.
struct PartName {
  std::string_view text;
  Name name;  ///< the text as a node name, if it is the name of a node with a number
};

/// Generates names from a prefix and a number: `fused_0`, `fused_1`, ...
class NumberedNames {
 public:
  NumberedNames(const Graph& graph, std::string_view prefix);
  /// Returns a name, whose text is valid until the next call.
  PartName name(size_t number);

 private:
  size_t size_;  // size of the prefix
  std::string text_;
  Symbol base_;  // the base of the names as node names: "fused_0" is the number 0 of "fused"
};

/// Implements outline (subgraph.h) for contiguous calls in program order and an unused name. The
/// caller must ensure both. Takes time linear in the calls, their operands and users.
absl::StatusOr<Node*> outline_block(Graph& graph, Module& root, absl::Span<Node* const> nodes,
                                    const PartName& name, const SubgraphOptions& options,
                                    PartTable& table);

/// The module of a part.
struct NamedPart {
  std::string_view name;
  std::shared_ptr<Module> module;
};

/// Adds the parts of a split graph to `root`, and replaces `graph`, except its metadata, with
/// `base`, which calls them. Returns true if there are parts.
absl::StatusOr<bool> replace_with_parts(Graph& graph, Module& root, std::unique_ptr<Graph> base,
                                        size_t count, absl::FunctionRef<NamedPart(size_t)> part_at);

/// Fails if a call in the part draws random numbers, and code outside the part uses a value that
/// depends on them but is not an output: that code would draw different numbers. `in_part` and
/// `is_output` are predicates of nodes.
absl::Status check_random_calls(const Graph& graph, absl::FunctionRef<bool(const Node&)> in_part,
                                absl::FunctionRef<bool(const Node&)> is_output);

/// Fails if a call in the part depends on a call outside it that changes the dtypes of results
/// (is_in_dtype_mode), which the part would not run.
absl::Status check_dtype_modes(const Graph& graph, absl::FunctionRef<bool(const Node&)> in_part);

/// Fails if one of the nodes cannot be moved to `last`, the last of the nodes, past the other calls
/// between them: the order of effects or of accesses to memory would change. Takes time linear in
/// the nodes from the first to the last; for each call with effects, linear in the other nodes.
absl::Status check_order_of_part(const Graph& graph, absl::Span<Node* const> nodes,
                                 const Node& last);

/// Returns the nodes between the first and the last of `nodes`, in order, that depend on one of
/// `nodes`, which must be convex. Fails like check_order_of_part if one of them cannot be moved
/// past `last`, the last of `nodes`. Takes as much time as check_order_of_part.
absl::StatusOr<std::vector<Node*>> users_before(const Graph& graph, absl::Span<Node* const> nodes,
                                                Node& last);

/// Returns the error of passes that require operands before their users.
absl::Status not_sorted(const Node& node, const Node& late);

}  // namespace fx::internal
