// Copies nodes within and between graphs: see graph.h.
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_copy_internal.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

using detail::Cell;

/// Clones nested graphs of a source graph into a destination, each once.
class SubgraphCopier {
 public:
  SubgraphCopier(const Graph& source, Graph& destination)
      : source_(source), destination_(destination) {}

  /// The index in the destination of nested graph `index` of the source.
  uint32_t map(uint32_t index) {
    if (&source_ == &destination_) return index;
    auto [it, is_new] = done_.try_emplace(index, 0);
    if (!is_new) return it->second;
    auto added =
        destination_.add_subgraph(unused_subgraph_name(destination_, source_.subgraph_name(index)),
                                  source_.subgraph(index).clone());
    FX_CHECK(added.ok());
    return it->second = *added;
  }

  /// The index of the source's nested graph with this name, if there is one.
  std::optional<uint32_t> find(std::string_view name) const {
    return subgraph_index(source_, name);
  }

 private:
  const Graph& source_;
  Graph& destination_;
  absl::flat_hash_map<uint32_t, uint32_t> done_;
};

namespace {

/// Calls `f` for the leaves among `count` cells, depth first, until it returns false. Depth is
/// bounded.
template <class F>
bool for_each_leaf(const GraphStorage& graph, const Cell* cells, uint32_t count, F& f) {
  for (const Cell* cell = cells; cell != cells + count; ++cell) {
    if (cell->is_use() || !has_items(*cell)) {
      if (!f(*cell)) return false;
    } else if (const uint32_t items = num_items(*cell)) {
      if (!for_each_leaf(graph, graph.cell_at(cell->items.begin), items, f)) return false;
    }
  }
  return true;
}

/// Adds the guards and symbol ranges of `source` (docs/guards.md) to `to`, whose ranges are kept.
void copy_size_facts(const Graph& source, Graph& to) {
  if (const std::optional<Argument> ranges = source.meta("symbols"); ranges && ranges->is_dict()) {
    std::vector<std::pair<Argument, Argument>> all;
    const auto add = [&](const Argument& dict) {
      for (size_t i = 0; i < dict.size(); ++i) {
        const auto is_same = [&](const auto& entry) { return entry.first == dict.key(i); };
        if (std::ranges::none_of(all, is_same)) all.emplace_back(dict.key(i), dict[i]);
      }
    };
    if (const std::optional<Argument> existing = to.meta("symbols");
        existing && existing->is_dict())
      add(*existing);
    add(*ranges);
    to.set_meta("symbols", Argument::dict(all));
  }
  if (const std::optional<Argument> guards = source.meta("guards"); guards && guards->is_list()) {
    std::vector<Argument> all;
    const auto add = [&](const Argument& list) {
      for (size_t i = 0; i < list.size(); ++i)
        if (std::ranges::find(all, list[i]) == all.end()) all.push_back(list[i]);
    };
    if (const std::optional<Argument> existing = to.meta("guards"); existing && existing->is_list())
      add(*existing);
    add(*guards);
    to.set_meta("guards", Argument::list(all));
  }
}

}  // namespace

absl::StatusOr<Node*> Graph::Copier::copy_tree(const Node& node, SubgraphCopier& subgraphs,
                                               absl::FunctionRef<Argument(Node*)> map_node,
                                               const NodeCopyOptions& how) {
  auto map = [&](ArgumentRef ref) {
    return map_leaves(Argument(ref), [&](const Argument& leaf) -> Argument {
      if (leaf.is_node()) return map_node(leaf.as_node());
      if (leaf.kind() == ArgumentKind::kGraph)
        return Argument::graph(subgraphs.map(leaf.as_graph()));
      return leaf;
    });
  };
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  args.reserve(node.num_args());
  kwargs.reserve(node.num_kwargs());
  for (size_t i = 0; i < node.num_args(); ++i) args.push_back(map(node.arg(i)));
  for (size_t i = 0; i < node.num_kwargs(); ++i)
    kwargs.emplace_back(node.kwarg_name(i), map(node.kwarg_value(i)));
  const std::string name = how.keep_name ? node.name() : std::string();
  const NodeOptions options{.name = name, .type = node.type()};
  if (node.op() == Opcode::kCallFunction)
    return to_.create_node(node.op(), node.function(), args, kwargs, options);
  std::string target(node.target());
  if (node.op() == Opcode::kGetAttr)
    if (std::optional<uint32_t> sub = subgraphs.find(target))
      target = to_.subgraph_name(subgraphs.map(*sub));
  return to_.create_node(node.op(), target, args, kwargs, options);
}

absl::StatusOr<Node*> Graph::Copier::copy_node(const Node& node, SubgraphCopier& subgraphs,
                                               absl::FunctionRef<Argument(Node*)> map_node,
                                               const NodeCopyOptions& how) {
  const GraphStorage& source = node.graph().storage_;
  const uint32_t count = node.num_cells();
  const Cell* cells = count ? source.cell_at(node.cells_) : nullptr;
  // Operands are almost always mapped to nodes, in which case the cells can be copied.
  absl::InlinedVector<uint32_t, 8> operands;
  std::optional<Argument> other;  // the first operand that is mapped to something else
  const Node* unowned = nullptr;
  bool is_plain = node.op_ != Opcode::kGetAttr || !subgraphs.find(node.target());
  if (is_plain && cells) {
    auto map = [&](const Cell& cell) {
      if (!cell.is_use()) return is_plain = cell.kind() != ArgumentKind::kGraph;
      Argument value = map_node(source.node_at(cell.head));
      is_plain = value.is_node();
      if (!is_plain) {
        other = std::move(value);
        return false;
      }
      operands.push_back(value.payload_.node->slot_);
      if (!to_.owns(value.payload_.node)) unowned = value.payload_.node;
      return unowned == nullptr;
    };
    for (const Cell* cell = cells; cell != cells + count; ++cell) {
      const bool is_leaf = cell->is_use() || !has_items(*cell);
      if (!(is_leaf ? map(*cell) : for_each_leaf(source, cell, 1, map))) break;
    }
  }
  Node* copy = nullptr;
  if (is_plain) {
    FX_RETURN_IF_ERROR(check_form(node));
    if (unowned != nullptr) return to_.not_owned(unowned);
    copy = &copy_plain(node, how,
                       [operand = operands.data()](const Cell&) mutable { return *operand++; });
  } else {
    size_t known = 0;
    const auto map = [&](Node* operand) -> Argument {
      if (known < operands.size()) return to_.storage_.node_at(operands[known++]);
      return other ? *std::exchange(other, std::nullopt) : map_node(operand);
    };
    FX_ASSIGN_OR_RETURN(copy, copy_tree(node, subgraphs, map, how));
  }
  copy->meta().copy_from(node);
  return copy;
}

absl::StatusOr<Node*> Graph::node_copy(const Node& node,
                                       absl::FunctionRef<Argument(Node*)> map_node,
                                       NodeCopyOptions options) {
  FX_CHECK(&node.context() == context_, "graphs that exchange nodes must share a Context");
  SubgraphCopier subgraphs(node.graph(), *this);
  return Copier(*this).copy_node(node, subgraphs, map_node, options);
}

absl::StatusOr<Node*> Graph::node_copy(const Node& node) {
  return node_copy(node, [](Node* operand) { return Argument(operand); });
}

absl::StatusOr<std::optional<Argument>> Graph::graph_copy(const Graph& source, NodeMapping& map) {
  FX_CHECK(source.context_ == context_, "graphs that exchange nodes must share a Context");
  SubgraphCopier subgraphs(source, *this);
  copy_size_facts(source, *this);
  const Node* missing = nullptr;
  auto map_node = [&](Node* operand) {
    auto it = map.find(operand);
    if (it != map.end()) return it->second;
    missing = operand;
    return Argument();
  };
  for (const Node& node : source.nodes()) {
    if (map.contains(&node)) continue;
    std::optional<Argument> result;
    Node* copy = nullptr;
    if (node.is_output()) {
      result = map_nodes(Argument(node.arg(0)), map_node);
    } else {
      FX_ASSIGN_OR_RETURN(copy, Copier(*this).copy_node(node, subgraphs, map_node, {}));
    }
    if (missing) {
      return absl::InvalidArgumentError(
          fmt::format("node {} uses {}, which does not come before it; sort the source graph, or "
                      "add {} to the mapping",
                      node.name(), missing->name(), missing->name()));
    }
    if (result) return result;
    map.emplace(&node, Argument(copy));
  }
  return std::nullopt;
}

std::unique_ptr<Graph> Graph::clone(absl::flat_hash_map<const Node*, Node*>* map) const {
  auto copy = std::make_unique<Graph>(*context_);
  Graph& to = *copy;
  to.storage_.copy_from(storage_);
  to.names_.copy_from(names_);
  to.meta_ = meta_;
  to.graph_meta_ = graph_meta_;
  to.torch_insert_order_ = torch_insert_order_;
  to.allow_several_outputs_ = allow_several_outputs_;
  for (const Subgraph& sub : subgraphs_) {
    to.subgraphs_.push_back({sub.name, sub.graph->clone()});
    to.subgraphs_.back().graph->is_nested_ = true;
  }
  if (map)
    for (Node& node : nodes()) map->emplace(&node, to.storage_.node_at(node.slot_));
  return copy;
}

}  // namespace fx
