// Parts taken out of a graph one after the other.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/copy_table.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/module/module.h"
#include "fx/passes/partition/subgraph.h"

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

/// tuple_type, remembered: parts that are alike come one after the other.
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
  std::vector<Type> items_;  // of tuple_
  Type tuple_;
};

/// What a copy of a part knows of the graph's nodes, by their ids. Parts share one table: what the
/// part before left there does not count.
class PartTable {
 public:
  explicit PartTable(const Graph& graph)
      : copies_(graph), members_(graph), getitem_(graph.context().function("operator.getitem")) {}

  /// Begins with a part, without nodes yet, whose copy is made in `copy`.
  void begin(Graph& copy) {
    ++part_;
    copies_.begin(copy);
  }
  void insert(const Node& node) { members_[node] = {.part = part_, .num_reads = 0}; }
  /// Notes that a node of the part reads this one; false when it is none of the part.
  bool note_read(const Node& node) {
    Member& member = members_[node];
    if (member.part != part_) return false;
    ++member.num_reads;
    return true;
  }
  /// How often nodes of the part read this one of theirs.
  size_t num_reads(const Node& node) const { return members_[node].num_reads; }
  /// What stands for the node in the copy; null when nothing does yet.
  Node* find(const Node& node) const { return copies_.find(node); }
  /// Adds an input to the copy, which stands for the node; false when something does already.
  bool add_input(const Node& node) {
    if (copies_.find(node) != nullptr) return false;
    copies_.placeholder_like(node);
    return true;
  }
  /// What takes a value out of what a part returns.
  Target getitem() const { return getitem_; }
  Type tuple_of(TypeTable& types, absl::Span<const Type> items) { return tuples_.of(types, items); }
  /// Copies the nodes to the end of the copy.
  absl::Status copy(absl::Span<Node* const> nodes) { return copies_.copy_nodes(nodes); }
  /// The part that is being copied. One for all, since there may be many, and small ones.
  Subgraph& part() { return subgraph_; }

 private:
  struct Member {
    uint32_t part = 0, num_reads = 0;
  };
  CopyTable copies_;
  NodeMap<Member> members_;
  Target getitem_;
  uint32_t part_ = 0;
  Subgraph subgraph_;
  TupleTypes tuples_;
};

/// What a module that holds a part is called.
struct PartName {
  std::string_view text;
  Name name;  ///< the same as a node's name, where it has the form of one with a number
};

/// Names that count behind a prefix: `fused_0`, `fused_1`, ...
class NumberedNames {
 public:
  NumberedNames(const Graph& graph, std::string_view prefix);
  /// Its text is good until the next one.
  PartName name(size_t number);

 private:
  size_t size_;  // of the prefix
  std::string text_;
  Symbol base_;  // of the names as nodes' names: "fused_0" is the number 0 of "fused"
};

/// outline (subgraph.h) of calls that are known to be such, in program order, and that nothing
/// stands between, by a name that is known to be free: linear in them, their operands and readers.
absl::StatusOr<Node*> outline_block(Graph& graph, Module& root, absl::Span<Node* const> nodes,
                                    const PartName& name, const SubgraphOptions& options,
                                    PartTable& table);

/// A module that holds a part.
struct NamedPart {
  std::string_view name;
  std::shared_ptr<Module> module;
};

/// Puts the parts of a split graph below `root`, and `base`, which calls them, in the place of
/// `graph`, whose own meta data stay; whether there are any.
absl::StatusOr<bool> replace_by_parts(Graph& graph, Module& root, std::unique_ptr<Graph> base,
                                      size_t count, absl::FunctionRef<NamedPart(size_t)> part_at);

/// The error of passes that need operands before their readers.
absl::Status not_sorted(const Node& node, const Node& late);

}  // namespace fx::internal
