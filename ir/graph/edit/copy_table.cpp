// Copies parts of a graph and keeps a table of the copies: see copy_table.h.
#include "fx/ir/graph/edit/copy_table.h"

#include "fx/ir/graph/graph_copy_internal.h"
#include "fx/ir/graph/graph_inline.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <utility>
#include <vector>

namespace fx {

using detail::Cell;

// The prefetch distance in nodes: nodes may be far apart in memory.
constexpr size_t kAhead = 8;

absl::Status CopyTable::check_operands(const Node& node) const {
  const Node* missing = nullptr;
  node.for_each_input([&](const Node* operand) {
    if (slot_of(*operand) == 0) missing = operand;
  });
  if (missing == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("%{} uses %{}, which is neither an input of the subgraph nor an earlier node in "
                  "it",
                  node.name(), missing->name()));
}

/// Collects nodes of one graph, and copies the metadata of all of them key by key.
class CopyTable::MetaCopies {
 public:
  MetaCopies(Graph& graph, const Graph& source, size_t expected)
      : graph_(graph), source_(source), expected_(expected) {}

  void note(const Node& node, Node& copy) {
    if (!(node.flags_ & Node::kHasMeta)) return;
    copy.flags_ |= Node::kHasMeta;
    if (indexes_.empty()) indexes_.reserve(expected_);
    indexes_.emplace_back(dense_index(node.slot_), dense_index(copy.slot_));
  }
  void copy() const { graph_.meta_.copy(source_.meta_, indexes_); }

 private:
  Graph& graph_;
  const Graph& source_;
  size_t expected_;
  std::vector<std::pair<uint32_t, uint32_t>> indexes_;  // in the source, in the destination
};

bool CopyTable::names_stay_free(const Graph& source) {
  const Graph& to = *destination_;
  const size_t size = to.size();
  if (!to.names_.are_in_nodes() || to.insert_before_ != Graph::kRoot || to.insert_reverse_)
    return false;
  // An observer may change the graph between two copies.
  if (!to.observers_.empty() || size != num_same_names_) return false;
  if (size == 0) source_version_ = source.version_;
  return source_version_ == source.version_ && (size == 0 || destination_version_ == to.version_);
}

inline Node* CopyTable::input_of_same_name(const Node& value) {
  Graph& to = *destination_;
  const Name name = value.name_parts();
  if (!name.base.name_form().lower || !copies_keep_name(name)) return nullptr;
  to.names_.record_base(name.base);
  Node& node = to.storage_.new_node(Opcode::kPlaceholder, nullptr, name, 0, 0, value.type_);
  if (name.has_number())
    node.set_target_to_name();
  else
    node.target_ = Graph::Copier::symbol_data(name.base);
  to.insert(node);
  ++num_same_names_;
  destination_version_ = to.version_;
  set(value, node);
  return &node;
}

Node* CopyTable::placeholder_like(const Node& value) {
  if (Node* known = find(value)) return known;
  Node* node = nullptr;
  if (names_stay_free(value.graph())) node = input_of_same_name(value);
  if (node == nullptr) {
    node = destination_->placeholder_like(value);
    set(value, *node);
  } else if (value.flags_ & Node::kHasMeta) {
    node->meta().copy_from(value);
    destination_version_ = destination_->version_;
  }
  return node;
}

void CopyTable::placeholders_like(std::vector<const Node*>& values) {
  if (values.empty()) return;
  const Graph& source = values[0]->graph();
  MetaCopies meta(*destination_, source, values.size());
  bool keeps_name = names_stay_free(source);
  size_t count = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i + kAhead < values.size()) __builtin_prefetch(values[i + kAhead]);
    const Node& value = *values[i];
    FX_DCHECK(&value.graph() == &source, "the nodes must be in the source graph");
    if (find(value) != nullptr) continue;
    values[count++] = &value;
    if (keeps_name) {
      if (Node* node = input_of_same_name(value)) {
        meta.note(value, *node);
        continue;
      }
      keeps_name = false;
      meta.copy();
    }
    set(value, *destination_->placeholder_like(value));
  }
  values.resize(count);
  if (keeps_name) meta.copy();
}

/// True if the node has the name that create_node derives from its target while that name is free.
/// May be false for such a node: only cheap checks are made.
static bool is_named_by_target(const Node& node, const Name& name) {
  if (node.op() == Opcode::kCallFunction) return node.function().data()->hint.exact == name;
  return !name.has_number() &&
         node.context().symbols().node_name(node.target_symbol()) == name.base;
}

inline Node* CopyTable::copy_bare(const Node& node, const NodeCopyOptions& how,
                                  bool& keeps_name) const {
  const GraphStorage& source = node.graph().storage_;
  GraphStorage& storage = destination_->storage_;
  Graph::Copier copier(*destination_);
  bool all = true;
  // This is the last check, because a reserved name is not released.
  Node& copy =
      storage.new_node(node.op_, nullptr, Name(), node.num_args_, node.num_kwargs_, node.type_);
  if (const uint32_t count = node.num_cells()) {
    const Cell* from = source.cell_at(node.cells_);
    Cell* to = storage.cell_at(copy.cells_);
    for (uint32_t i = 0; i < count; ++i) {
      if (!from[i].is_use()) {
        to[i] = from[i];
        if (!has_items(from[i])) continue;
        bool all_items = true;
        const auto find_slot = [&](const Cell& cell) {
          const uint32_t slot = slot_of(*source.node_at(cell.head));
          all_items = all_items && slot != 0;
          return slot;
        };
        copier.copy_cells(source, from + i, 1, copy.cells_ + i, copy.slot_, find_slot);
        all = all && all_items;
      } else if (const uint32_t slot = slot_of(*source.node_at(from[i].head))) {
        storage.add_use(copy.cells_ + i, slot, copy.slot_);
      } else {
        to[i] = Cell();
        all = false;
      }
    }
  }
  if (!all) {
    storage.discard_node(copy);
    return nullptr;
  }
  Name name = node.name_parts();
  keeps_name = keeps_name && copies_keep_name(name) && slot_of(node) == 0 &&
               (how.keep_name || is_named_by_target(node, name));
  if (keeps_name)
    destination_->names_.record_base(name.base);
  else
    name = copier.name_of_copy(node, how);
  copy.name_base_ = name.base.id();
  copy.name_number_plus_one_ = name.number_plus_one;
  Graph::Copier::set_target(node, copy);
  destination_->insert(copy);
  return &copy;
}

absl::StatusOr<Node*> CopyTable::node_copy(const Node& node, NodeCopyOptions options) const {
  if (node.graph().num_subgraphs() > 0) {
    FX_RETURN_IF_ERROR(check_operands(node));
    return destination_->node_copy(
        node, [&](Node* operand) { return Argument(find(*operand)); }, options);
  }
  FX_RETURN_IF_ERROR(Graph::Copier(*destination_).check_form(node));
  bool keeps_name = false;
  Node* copy = copy_bare(node, options, keeps_name);
  if (copy == nullptr) return check_operands(node);
  copy->meta().copy_from(node);
  return copy;
}

absl::Status CopyTable::copy_nodes(absl::Span<const Node* const> nodes, NodeCopyOptions options) {
  if (nodes.empty()) return absl::OkStatus();
  const Graph& source = nodes[0]->graph();
  FX_CHECK(source.context_ == destination_->context_,
           "graphs that exchange nodes must share a Context");
  if (source.num_subgraphs() > 0 || &source == destination_) {
    for (const Node* node : nodes) {
      FX_ASSIGN_OR_RETURN(Node * copy, node_copy(*node, options));
      set(*node, *copy);
    }
    return absl::OkStatus();
  }
  MetaCopies meta(*destination_, source, nodes.size());
  bool keeps_name = names_stay_free(source);
  absl::Status status;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (i + kAhead < nodes.size()) __builtin_prefetch(nodes[i + kAhead]);
    const Node& node = *nodes[i];
    FX_DCHECK(&node.graph() == &source, "the nodes must be in the source graph");
    status = Graph::Copier(*destination_).check_form(node);
    if (!status.ok()) break;
    Node* copy = copy_bare(node, options, keeps_name);
    if (copy == nullptr) {
      status = check_operands(node);
      break;
    }
    num_same_names_ += keeps_name;
    set(node, *copy);
    meta.note(node, *copy);
  }
  if (keeps_name) destination_version_ = destination_->version_;
  meta.copy();
  return status;
}

absl::Status CopyTable::copy_call(Node& call, const Node& pattern) const {
  Graph& to = *destination_;
  FX_RETURN_IF_ERROR(to.check_own(&call));
  FX_CHECK(&pattern.context() == to.context_, "graphs that exchange nodes must share a Context");
  if (call.op_ != Opcode::kCallFunction || pattern.op_ != Opcode::kCallFunction ||
      pattern.graph().num_subgraphs() > 0) {
    return absl::InvalidArgumentError(fmt::format(
        "%{} cannot become a copy of %{}: both must be function calls, and the graph of the latter "
        "must not have nested graphs",
        call.name(), pattern.name()));
  }
  FX_RETURN_IF_ERROR(check_operands(pattern));
  const GraphStorage& source = pattern.graph().storage_;
  const auto find_slot = [&](const Cell& cell) { return slot_of(*source.node_at(cell.head)); };
  bool uses_itself = false;
  pattern.for_each_input(
      [&](const Node* operand) { uses_itself = uses_itself || slot_of(*operand) == call.slot_; });
  if (uses_itself) {
    return absl::InvalidArgumentError(
        fmt::format("%{} cannot become a call that uses itself", call.name()));
  }
  to.storage_.release_arguments(call);
  const uint32_t count = pattern.num_cells();
  call.target_ = pattern.target_;
  call.num_args_ = pattern.num_args_;
  call.num_kwargs_ = pattern.num_kwargs_;
  call.cells_ = to.storage_.new_cells(count);
  if (count > 0) {
    Graph::Copier(to).copy_cells(source, source.cell_at(pattern.cells_), count, call.cells_,
                                 call.slot_, find_slot);
  }
  to.note_target(call);
  to.changed();
  return absl::OkStatus();
}

}  // namespace fx
