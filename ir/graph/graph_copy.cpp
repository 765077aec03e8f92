// Copying nodes within and between graphs: see graph.h.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/copy_table.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage.h"
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
class Graph::SubgraphCopier {
 public:
  SubgraphCopier(const Graph& source, Graph& destination)
      : source_(source), destination_(destination) {}

  /// The number that nested graph `index` of the source has in the destination.
  uint32_t map(uint32_t index) {
    if (&source_ == &destination_) return index;
    auto [it, is_new] = done_.try_emplace(index, 0);
    if (!is_new) return it->second;
    std::string name(source_.subgraph_name(index));
    for (int i = 1; destination_.find_subgraph(name); ++i)
      name = fmt::format("{}_{}", source_.subgraph_name(index), i);
    auto added = destination_.add_subgraph(name, source_.subgraph(index).clone());
    FX_CHECK(added.ok());
    return it->second = *added;
  }

  /// The number of the nested graph with this name in the source, if there is one.
  std::optional<uint32_t> find(std::string_view name) const {
    for (size_t i = 0; i < source_.num_subgraphs(); ++i)
      if (source_.subgraph_name(i) == name) return static_cast<uint32_t>(i);
    return std::nullopt;
  }

 private:
  const Graph& source_;
  Graph& destination_;
  absl::flat_hash_map<uint32_t, uint32_t> done_;
};

namespace {

/// How many items lie behind an aggregate's cell.
uint32_t num_items(const Cell& cell) {
  return cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux;
}
bool has_items(const Cell& cell) {
  return is_aggregate(cell.kind()) || cell.kind() == ArgumentKind::kComplex;
}

/// Calls `f` for the leaves among `count` cells, depth first, until it says false. Depth is
/// bounded.
template <class F>
bool for_each_leaf(const Graph& graph, const Cell* cells, uint32_t count, F& f) {
  for (const Cell* cell = cells; cell != cells + count; ++cell) {
    if (cell->is_use() || !has_items(*cell)) {
      if (!f(*cell)) return false;
    } else if (const uint32_t items = num_items(*cell)) {
      if (!for_each_leaf(graph, graph.cell_at(cell->items.begin), items, f)) return false;
    }
  }
  return true;
}

}  // namespace

/// Copies cells as they are, but for operands: `slot_of` gives the slot here for each, in order; 0,
/// where there is none, leaves None.
template <class SlotOf>
void Graph::copy_cells(const Graph& source, const Cell* from, uint32_t count, uint32_t to,
                       uint32_t user, SlotOf& slot_of) {
  for (uint32_t i = 0; i < count; ++i) {
    Cell& cell = *cell_at(to + i);
    if (from[i].is_use()) {
      if (const uint32_t slot = slot_of(from[i]))
        add_use(to + i, slot, user);
      else
        cell = Cell();
      continue;
    }
    cell = from[i];  // what it points to is the Context's
    if (!has_items(cell)) continue;
    const uint32_t items = num_items(cell);
    cell.items.begin = new_cells(items);
    if (items) {
      copy_cells(source, source.cell_at(from[i].items.begin), items, cell.items.begin, user,
                 slot_of);
    }
  }
}

inline Name Graph::name_of_copy(const Node& node, const NodeCopyOptions& how) {
  SymbolTable& symbols = context_->symbols();
  if (how.keep_name)
    return create_name_like({symbols.get(node.name_base_), node.name_number_plus_one_});
  if (node.op_ == Opcode::kCallFunction) return create_name(node.function().data()->hint);
  return create_name(make_target_hint(symbols, node.target_symbol()));
}

inline Node& Graph::copy_head(const Node& node, const NodeCopyOptions& how) {
  return new_node(node.op_, node.target_data(), name_of_copy(node, how), node.num_args_,
                  node.num_kwargs_, node.type_);
}

/// The copy of a node all of whose operands become nodes, and that reads no nested graph.
template <class SlotOf>
Node& Graph::copy_plain(const Node& node, const NodeCopyOptions& how, SlotOf&& slot_of) {
  Node& copy = copy_head(node, how);
  const Graph& source = node.graph();
  if (const uint32_t count = node.num_cells())
    copy_cells(source, source.cell_at(node.cells_), count, copy.cells_, copy.slot_, slot_of);
  insert(copy);
  return copy;
}

absl::StatusOr<Node*> Graph::copy_tree(const Node& node, SubgraphCopier& subgraphs,
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
    return create_node(node.op(), node.function(), args, kwargs, options);
  std::string target(node.target());
  if (node.op() == Opcode::kGetAttr)
    if (std::optional<uint32_t> sub = subgraphs.find(target))
      target = subgraph_name(subgraphs.map(*sub));
  return create_node(node.op(), target, args, kwargs, options);
}

absl::StatusOr<Node*> Graph::copy_node(const Node& node, SubgraphCopier& subgraphs,
                                       absl::FunctionRef<Argument(Node*)> map_node,
                                       const NodeCopyOptions& how) {
  const Graph& source = node.graph();
  const uint32_t count = node.num_cells();
  const Cell* cells = count ? source.cell_at(node.cells_) : nullptr;
  // Almost always operands become nodes, and cells can be copied as they are.
  absl::InlinedVector<uint32_t, 8> operands;
  std::optional<Argument> other;  // what the first that does not becomes
  const Node* foreign = nullptr;
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
      if (!owns(value.payload_.node)) foreign = value.payload_.node;
      return foreign == nullptr;
    };
    for (const Cell* cell = cells; cell != cells + count; ++cell) {
      const bool is_leaf = cell->is_use() || !has_items(*cell);
      if (!(is_leaf ? map(*cell) : for_each_leaf(source, cell, 1, map))) break;
    }
  }
  Node* copy = nullptr;
  if (is_plain) {
    if (node.op_ != Opcode::kCallFunction)
      FX_RETURN_IF_ERROR(check_form(node.op_, node.target(), node.num_args_, node.num_kwargs_));
    if (foreign != nullptr) return not_owned(foreign);
    copy = &copy_plain(node, how,
                       [operand = operands.data()](const Cell&) mutable { return *operand++; });
  } else {
    size_t known = 0;
    const auto map = [&](Node* operand) -> Argument {
      if (known < operands.size()) return node_at(operands[known++]);
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
  FX_CHECK(&node.context() == context_, "graphs that exchange nodes have one Context");
  SubgraphCopier subgraphs(node.graph(), *this);
  return copy_node(node, subgraphs, map_node, options);
}

absl::Status CopyTable::check_operands(const Node& node) const {
  const Node* missing = nullptr;
  node.for_each_input([&](const Node* operand) {
    if (slot_of(*operand) == 0) missing = operand;
  });
  if (missing == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("%{} reads %{}, which is neither an input of the subgraph nor an earlier node of "
                  "it",
                  node.name(), missing->name()));
}

/// Nodes of one graph whose copies here get their meta data together, key by key.
class Graph::MetaCopies {
 public:
  MetaCopies(Graph& graph, const Graph& source, size_t expected)
      : graph_(graph), source_(source), expected_(expected) {}

  void note(const Node& node, Node& copy) {
    if (!(node.flags_ & Node::kHasMeta)) return;
    copy.flags_ |= Node::kHasMeta;
    if (places_.empty()) places_.reserve(expected_);
    places_.emplace_back(dense_place(node.slot_), dense_place(copy.slot_));
  }
  void copy() const { graph_.meta_.copy(source_.meta_, places_); }

 private:
  Graph& graph_;
  const Graph& source_;
  size_t expected_;
  std::vector<std::pair<uint32_t, uint32_t>> places_;  // there, here
};

// Nodes that stand far apart wait for memory: it is asked for so many nodes ahead.
constexpr size_t kAhead = 8;

bool Graph::names_stay_free(const Graph& source, CopyTable& copies) const {
  if (!names_in_nodes_ || insert_before_ != kRoot || insert_reverse_) return false;
  // An observer may do anything between two copies.
  if (!observers_.empty() || copies.destination_ != this || size_ != copies.num_same_names_)
    return false;
  if (size_ == 0) copies.source_version_ = source.version_;
  return copies.source_version_ == source.version_ &&
         (size_ == 0 || copies.destination_version_ == version_);
}

inline Node* Graph::input_of_same_name(const Node& value, CopyTable& copies) {
  const Name name{context_->symbols().get(value.name_base_), value.name_number_plus_one_};
  if (!name.base.name_form().lower || !is_kept_by_copies(name)) return nullptr;
  note_base(name.base);
  const void* target = name.has_number() ? nullptr : name.base.data_;
  Node& node = new_node(Opcode::kPlaceholder, target, name, 0, 0, value.type_);
  if (target == nullptr) node.set_target_to_name();
  insert(node);
  ++copies.num_same_names_;
  copies.destination_version_ = version_;
  copies.set(value, node);
  return &node;
}

Node* Graph::placeholder_like(const Node& value, CopyTable& copies) {
  FX_DCHECK(copies.destination_ == this, "the table is of copies in another graph");
  if (Node* known = copies.find(value)) return known;
  Node* node = nullptr;
  if (names_stay_free(value.graph(), copies)) node = input_of_same_name(value, copies);
  if (node == nullptr) {
    node = placeholder_like(value);
    copies.set(value, *node);
  } else if (value.flags_ & Node::kHasMeta) {
    node->meta().copy_from(value);
    copies.destination_version_ = version_;
  }
  return node;
}

void Graph::placeholders_like(std::vector<const Node*>& values, CopyTable& copies) {
  FX_DCHECK(copies.destination_ == this, "the table is of copies in another graph");
  if (values.empty()) return;
  const Graph& source = values[0]->graph();
  MetaCopies meta(*this, source, values.size());
  bool keeps_name = names_stay_free(source, copies);
  size_t count = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i + kAhead < values.size()) __builtin_prefetch(values[i + kAhead]);
    const Node& value = *values[i];
    FX_DCHECK(&value.graph() == &source, "nodes of one graph");
    if (copies.find(value) != nullptr) continue;
    values[count++] = &value;
    if (keeps_name) {
      if (Node* node = input_of_same_name(value, copies)) {
        meta.note(value, *node);
        continue;
      }
      keeps_name = false;
      meta.copy();
    }
    copies.set(value, *placeholder_like(value));
  }
  values.resize(count);
  if (keeps_name) meta.copy();
}

/// A name from the node's target, where it is free, is the node's own; false also where a short
/// look cannot tell.
inline bool Graph::is_named_by_target(const Node& node, const Name& name) const {
  if (node.op_ == Opcode::kCallFunction) return node.function().data()->hint.exact == name;
  return !name.has_number() && context_->symbols().node_name(node.target_symbol()) == name.base;
}

/// `keeps_name` says that the copy may have the node's name without a look at others; it comes out
/// false once one could not.
inline Node* Graph::copy_bare(const Node& node, const CopyTable& copies, const NodeCopyOptions& how,
                              bool& keeps_name) {
  const Graph& source = node.graph();
  bool all = true;
  const auto slot_of = [&](const Cell& cell) {
    const uint32_t slot = copies.slot_of(*source.node_at(cell.head));
    all = all && slot != 0;
    return slot;
  };
  // The name comes last: it would stay taken.
  Node& copy =
      new_node(node.op_, node.target_data(), Name(), node.num_args_, node.num_kwargs_, node.type_);
  if (const uint32_t count = node.num_cells()) {
    const Cell* from = source.cell_at(node.cells_);
    Cell* to = cell_at(copy.cells_);
    for (uint32_t i = 0; i < count; ++i) {
      if (!from[i].is_use()) {
        to[i] = from[i];
        if (has_items(from[i]))
          copy_cells(source, from + i, 1, copy.cells_ + i, copy.slot_, slot_of);
      } else if (const uint32_t slot = slot_of(from[i])) {
        add_use(copy.cells_ + i, slot, copy.slot_);
      } else {
        to[i] = Cell();
      }
    }
  }
  if (!all) {
    take_back(copy);
    return nullptr;
  }
  const Name name{context_->symbols().get(node.name_base_), node.name_number_plus_one_};
  keeps_name = keeps_name && is_kept_by_copies(name) && copies.slot_of(node) == 0 &&
               (how.keep_name || is_named_by_target(node, name));
  if (keeps_name) {
    note_base(name.base);
    copy.name_base_ = node.name_base_;
    copy.name_number_plus_one_ = node.name_number_plus_one_;
  } else {
    const Name other = name_of_copy(node, how);
    copy.name_base_ = other.base.id();
    copy.name_number_plus_one_ = other.number_plus_one;
  }
  insert(copy);
  return &copy;
}

absl::StatusOr<Node*> Graph::node_copy(const Node& node, const CopyTable& copies,
                                       NodeCopyOptions options) {
  if (node.graph().num_subgraphs() > 0) {
    FX_RETURN_IF_ERROR(copies.check_operands(node));
    return node_copy(node, [&](Node* operand) { return Argument(copies.find(*operand)); }, options);
  }
  if (node.op_ != Opcode::kCallFunction)
    FX_RETURN_IF_ERROR(check_form(node.op_, node.target(), node.num_args_, node.num_kwargs_));
  bool keeps_name = false;
  Node* copy = copy_bare(node, copies, options, keeps_name);
  if (copy == nullptr) return copies.check_operands(node);
  copy->meta().copy_from(node);
  return copy;
}

absl::Status Graph::copy_nodes(absl::Span<const Node* const> nodes, CopyTable& copies,
                               NodeCopyOptions options) {
  FX_DCHECK(copies.destination_ == this, "the table is of copies in another graph");
  if (nodes.empty()) return absl::OkStatus();
  const Graph& source = nodes[0]->graph();
  FX_CHECK(source.context_ == context_, "graphs that exchange nodes have one Context");
  if (source.num_subgraphs() > 0 || &source == this) {
    for (const Node* node : nodes) {
      FX_ASSIGN_OR_RETURN(Node * copy, node_copy(*node, copies, options));
      copies.set(*node, *copy);
    }
    return absl::OkStatus();
  }
  MetaCopies meta(*this, source, nodes.size());
  bool keeps_name = names_stay_free(source, copies);
  absl::Status status;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i + kAhead < nodes.size()) __builtin_prefetch(nodes[i + kAhead]);
    const Node& node = *nodes[i];
    FX_DCHECK(&node.graph() == &source, "nodes of one graph");
    if (node.op_ != Opcode::kCallFunction) {
      status = check_form(node.op_, node.target(), node.num_args_, node.num_kwargs_);
      if (!status.ok()) break;
    }
    Node* copy = copy_bare(node, copies, options, keeps_name);
    if (copy == nullptr) {
      status = copies.check_operands(node);
      break;
    }
    copies.num_same_names_ += keeps_name;
    copies.set(node, *copy);
    meta.note(node, *copy);
  }
  if (keeps_name) copies.destination_version_ = version_;
  meta.copy();
  return status;
}

absl::StatusOr<Node*> Graph::node_copy(const Node& node) {
  return node_copy(node, [](Node* operand) { return Argument(operand); });
}

absl::Status Graph::copy_call(Node& call, const Node& pattern, const CopyTable& copies) {
  FX_RETURN_IF_ERROR(check_own(&call));
  FX_CHECK(&pattern.context() == context_, "graphs that exchange nodes have one Context");
  if (call.op_ != Opcode::kCallFunction || pattern.op_ != Opcode::kCallFunction ||
      pattern.graph().num_subgraphs() > 0) {
    return absl::InvalidArgumentError(fmt::format(
        "%{} cannot be made a copy of %{}: one is no call of a function, or reads nested graphs",
        call.name(), pattern.name()));
  }
  FX_RETURN_IF_ERROR(copies.check_operands(pattern));
  const Graph& source = pattern.graph();
  const auto slot_of = [&](const Cell& cell) { return copies.slot_of(*source.node_at(cell.head)); };
  bool reads_itself = false;
  pattern.for_each_input([&](const Node* operand) {
    reads_itself = reads_itself || copies.slot_of(*operand) == call.slot_;
  });
  if (reads_itself) {
    return absl::InvalidArgumentError(
        fmt::format("%{} cannot become a call that reads it", call.name()));
  }
  release_arguments(call);
  const uint32_t count = pattern.num_cells();
  call.target_ = pattern.target_;
  call.num_args_ = pattern.num_args_;
  call.num_kwargs_ = pattern.num_kwargs_;
  call.cells_ = new_cells(count);
  if (count > 0)
    copy_cells(source, source.cell_at(pattern.cells_), count, call.cells_, call.slot_, slot_of);
  note_target(call);
  changed();
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Argument>> Graph::graph_copy(const Graph& source, NodeMapping& map) {
  FX_CHECK(source.context_ == context_, "graphs that exchange nodes have one Context");
  SubgraphCopier subgraphs(source, *this);
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
      FX_ASSIGN_OR_RETURN(copy, copy_node(node, subgraphs, map_node, {}));
    }
    if (missing) {
      return absl::InvalidArgumentError(
          fmt::format("node {} reads {}, which does not stand before it; sort the source graph, or "
                      "put {} into the mapping",
                      node.name(), missing->name(), missing->name()));
    }
    if (result) return result;
    map.emplace(&node, Argument(copy));
  }
  return std::nullopt;
}

}  // namespace fx
