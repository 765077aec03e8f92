// Node: see node.h. What changes the list of nodes is in graph.cpp.
#include "fx/ir/graph/node.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <utility>

namespace fx {

using detail::Cell;

namespace {
constexpr std::array<std::string_view, 6> kOpcodeNames = {
    "placeholder", "get_attr", "call_function", "call_method", "call_module", "output"};

/// Calls `f(cell)` for every operand cell of an argument, depth first. Depth is bounded.
template <class F>
void visit_operands(const Graph& graph, uint32_t index, F&& f) {
  const Cell& cell = *graph.cell_at(index);
  if (cell.is_use()) {
    f(index, cell);
  } else if (is_aggregate(cell.kind())) {
    uint32_t count = cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux;
    for (uint32_t i = 0; i < count; ++i) visit_operands(graph, cell.items.begin + i, f);
  }
}

/// A number of 64 mixed bits; both factors count.
uint64_t fold(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

/// The hash of `count` cells, continued from `hash`. Texts, types and functions are interned, so
/// that their addresses tell them apart. Depth is bounded.
uint64_t hash_cells(const Graph& graph, const Cell* cells, uint64_t count, uint64_t hash) {
  for (const Cell* cell = cells; cell != cells + count; ++cell) {
    hash = fold(hash ^ cell->head, 0x9fb21c651e98df25);
    if (cell->is_use()) continue;
    const ArgumentKind kind = cell->kind();
    if (!is_aggregate(kind) && kind != ArgumentKind::kComplex) {
      hash = fold(hash ^ static_cast<uint64_t>(cell->i), 0x9fb21c651e98df25);
      continue;
    }
    hash = fold(hash ^ (uint64_t{cell->aux} << 32 | cell->items.type_name), 0x9fb21c651e98df25);
    const uint64_t items = kind == ArgumentKind::kDict ? 2ull * cell->aux : cell->aux;
    if (items) hash = hash_cells(graph, graph.cell_at(cell->items.begin), items, hash);
  }
  return hash;
}

bool same_cells(const Graph& graph, const Cell* a, const Cell* b, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    if (a[i].head != b[i].head) return false;
    if (a[i].is_use()) continue;
    const ArgumentKind kind = a[i].kind();
    if (!is_aggregate(kind) && kind != ArgumentKind::kComplex) {
      if (a[i].i != b[i].i) return false;
      continue;
    }
    if (a[i].aux != b[i].aux || a[i].items.type_name != b[i].items.type_name) return false;
    const uint64_t items = kind == ArgumentKind::kDict ? 2ull * a[i].aux : a[i].aux;
    if (items &&
        !same_cells(graph, graph.cell_at(a[i].items.begin), graph.cell_at(b[i].items.begin), items))
      return false;
  }
  return true;
}

/// The deepest nesting among the arguments of a node.
int depth_of(const Node& node) {
  int depth = 0;
  for (const Argument& argument : node.args()) depth = std::max(depth, argument.depth());
  for (const Kwarg& kwarg : node.kwargs()) depth = std::max(depth, kwarg.value.depth());
  return depth;
}
}  // namespace

std::string_view opcode_name(Opcode op) { return kOpcodeNames[static_cast<size_t>(op)]; }

std::optional<Opcode> opcode_from_name(std::string_view name) {
  for (size_t i = 0; i < kOpcodeNames.size(); ++i)
    if (kOpcodeNames[i] == name) return static_cast<Opcode>(i);
  return std::nullopt;
}

std::complex<double> ArgumentRef::as_complex() const {
  FX_CHECK(kind() == ArgumentKind::kComplex);
  return {graph_->cell_at(cell_->items.begin)->f, graph_->cell_at(cell_->items.begin + 1)->f};
}
Node* ArgumentRef::as_node() const {
  FX_CHECK(is_node(), "this argument is not a node");
  return node();
}
ArgumentRef ArgumentRef::operator[](size_t i) const {
  FX_CHECK(i < size(), fmt::format("item {} of {}", i, size()));
  size_t offset = is_dict() ? 2 * i + 1 : i;
  return ArgumentRef(graph_, graph_->cell_at(cell_->items.begin) + offset);
}
ArgumentRef ArgumentRef::key(size_t i) const {
  FX_CHECK(is_dict() && i < size(), fmt::format("key {} of {}", i, size()));
  return ArgumentRef(graph_, graph_->cell_at(cell_->items.begin) + 2 * i);
}
std::string_view ArgumentRef::type_name() const {
  FX_CHECK(kind() == ArgumentKind::kStruct);
  return graph_->context().symbols().get(cell_->items.type_name).str();
}

size_t Use::operand_number() const {
  const Node& node = *user();
  size_t number = 0, found = 0;
  auto count = [&](uint32_t index, const Cell&) {
    if (index == cell_) found = number;
    ++number;
  };
  uint32_t cells = static_cast<uint32_t>(node.num_args() + 2 * node.num_kwargs());
  for (uint32_t i = 0; i < cells; ++i) visit_operands(*graph_, node.cells_ + i, count);
  return found;
}

// ---------------------------------------------------------------- reading

Context& Node::context() const { return graph().context(); }

Name Node::name_parts() const {
  return {context().symbols().get(name_base_), name_number_plus_one_};
}

Symbol Node::target_symbol() const {
  return op_ == Opcode::kCallFunction ? function().symbol()
                                      : Symbol(static_cast<const Symbol::Data*>(target_data()));
}

const void* Node::make_target() const {
  if (target_ == nullptr) target_ = context().symbol(name()).data_;
  return target_;
}

void Node::bad_arg_index(size_t i) const {
  FX_CHECK(false, fmt::format("node {} has {} positional arguments; there is no number {}", name(),
                              num_args_, i));
}

Symbol Node::kwarg_name(size_t i) const {
  FX_CHECK(i < num_kwargs_);
  const Cell* cell = graph().cell_at(cells_) + num_args_ + 2 * i;
  return Symbol(static_cast<const Symbol::Data*>(cell->pointer));
}

ArgumentRef Node::kwarg_value(size_t i) const {
  FX_CHECK(i < num_kwargs_);
  return ArgumentRef(&graph(), graph().cell_at(cells_) + num_args_ + 2 * i + 1);
}

std::optional<ArgumentRef> Node::kwarg(std::string_view name) const {
  for (size_t i = 0; i < num_kwargs_; ++i)
    if (kwarg_name(i).str() == name) return kwarg_value(i);
  return std::nullopt;
}

std::vector<Argument> Node::args() const {
  std::vector<Argument> result;
  result.reserve(num_args_);
  for (size_t i = 0; i < num_args_; ++i) result.emplace_back(arg(i));
  return result;
}

std::vector<Kwarg> Node::kwargs() const {
  std::vector<Kwarg> result;
  result.reserve(num_kwargs_);
  for (size_t i = 0; i < num_kwargs_; ++i) result.emplace_back(kwarg_name(i), kwarg_value(i));
  return result;
}

absl::InlinedVector<Node*, 6> Node::item_inputs(const Cell& aggregate) const {
  const Graph& g = graph();
  absl::InlinedVector<Node*, 6> inputs;
  const uint32_t count =
      aggregate.kind() == ArgumentKind::kDict ? 2 * aggregate.aux : aggregate.aux;
  for (uint32_t i = 0; i < count; ++i) {
    const Cell& item = *g.cell_at(aggregate.items.begin + i);
    if (item.is_use()) {
      inputs.push_back(g.node_at(item.head));
    } else if (is_aggregate(item.kind())) {
      for (Node* input : item_inputs(item)) inputs.push_back(input);
    }
  }
  return inputs;
}

std::vector<Node*> Node::all_input_nodes() const {
  std::vector<Node*> result;
  absl::flat_hash_set<const Node*> seen;  // only for nodes with many operands
  for_each_input([&](Node* input) {
    if (result.size() < 16) {
      if (std::find(result.begin(), result.end(), input) == result.end()) result.push_back(input);
      return;
    }
    if (seen.empty()) seen.insert(result.begin(), result.end());
    if (seen.insert(input).second) result.push_back(input);
  });
  return result;
}

std::vector<Node*> Node::users() const {
  std::vector<Node*> result;
  absl::flat_hash_set<const Node*> seen;  // only for values with many uses
  for (Use use : uses()) {
    Node* user = use.user();
    if (num_uses_ <= 16) {
      if (std::find(result.begin(), result.end(), user) == result.end()) result.push_back(user);
    } else if (seen.insert(user).second) {
      result.push_back(user);
    }
  }
  return result;
}

size_t Node::num_users() const { return num_uses_ <= 1 ? num_uses_ : users().size(); }

bool Node::has_one_user() const {
  if (num_uses_ == 0) return false;
  const Node* first = (*uses().begin()).user();
  for (Use use : uses())
    if (use.user() != first) return false;
  return true;
}

Node* Node::next() const {
  uint32_t slot = next_;
  return slot == Graph::kRoot ? nullptr : graph().node_at(slot);
}

Node* Node::prev() const {
  uint32_t slot = prev_;
  return slot == Graph::kRoot ? nullptr : graph().node_at(slot);
}

bool Node::same_computation(const Node& other) const {
  if (op_ != other.op_ || target_data() != other.target_data() || num_args_ != other.num_args_ ||
      num_kwargs_ != other.num_kwargs_)
    return false;
  const uint64_t count = num_args_ + 2ull * num_kwargs_;
  if (count == 0) return true;  // the graph may have no cells at all
  const Graph& g = graph();
  return same_cells(g, g.cell_at(cells_), g.cell_at(other.cells_), count);
}

uint64_t Node::computation_hash() const {
  const uint64_t form =
      uint64_t{num_args_} << 32 | uint64_t{num_kwargs_} << 8 | static_cast<uint64_t>(op_);
  const uint64_t start =
      fold(reinterpret_cast<uintptr_t>(target_data()) ^ form, 0x9fb21c651e98df25);
  const uint64_t count = num_args_ + 2ull * num_kwargs_;
  if (count == 0) return start;
  const Graph& g = graph();
  return hash_cells(g, g.cell_at(cells_), count, start);
}

// ---------------------------------------------------------------- changing

void Node::set_type(Type type) {
  type_ = type.data();
  graph().changed();
}

absl::Status Node::set_args(absl::Span<const Argument> args) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_arguments(args, {}));
  uint32_t old_cells = cells_, old_args = num_args_, values = 2u * num_kwargs_;
  auto count = static_cast<uint32_t>(args.size());
  uint32_t cells = g.new_cells(count + values);
  for (uint32_t i = 0; i < old_args; ++i) g.release(old_cells + i);
  for (uint32_t i = 0; i < count; ++i) g.store(args[i], cells + i, slot_);
  for (uint32_t i = 0; i < values; ++i) g.move_cell(old_cells + old_args + i, cells + count + i);
  g.free_cells(old_cells, old_args + values);
  cells_ = cells;
  num_args_ = count;
  g.changed();
  return absl::OkStatus();
}

absl::Status Node::set_kwargs(absl::Span<const Kwarg> kwargs) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_arguments({}, kwargs));
  uint32_t old_cells = cells_, old_values = 2u * num_kwargs_;
  auto count = static_cast<uint32_t>(kwargs.size());
  uint32_t cells = g.new_cells(num_args_ + 2 * count);
  for (uint32_t i = 0; i < old_values; ++i) g.release(old_cells + num_args_ + i);
  for (uint32_t i = 0; i < num_args_; ++i) g.move_cell(old_cells + i, cells + i);
  g.store_kwargs(kwargs, cells + num_args_, slot_);
  g.free_cells(old_cells, num_args_ + old_values);
  cells_ = cells;
  num_kwargs_ = static_cast<uint16_t>(count);
  g.changed();
  return absl::OkStatus();
}

absl::Status Node::update_arg(size_t i, const Argument& value) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_argument(value));
  if (i >= num_args_) {
    return absl::OutOfRangeError(fmt::format(
        "node {} has {} positional arguments; there is no number {}", name(), num_args_, i));
  }
  uint32_t cell = cells_ + static_cast<uint32_t>(i);
  g.release(cell);
  g.store(value, cell, slot_);
  g.changed();
  return absl::OkStatus();
}

absl::Status Node::insert_arg(size_t i, const Argument& value) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_argument(value));
  if (i > num_args_) {
    return absl::OutOfRangeError(
        fmt::format("node {} has {} positional arguments; nothing can be inserted at {}", name(),
                    num_args_, i));
  }
  uint32_t old_cells = cells_, total = num_cells();
  auto at = static_cast<uint32_t>(i);
  uint32_t cells = g.new_cells(total + 1);
  for (uint32_t k = 0; k < total; ++k) g.move_cell(old_cells + k, cells + k + (k >= at ? 1 : 0));
  g.store(value, cells + at, slot_);
  g.free_cells(old_cells, total);
  cells_ = cells;
  ++num_args_;
  g.changed();
  return absl::OkStatus();
}

absl::Status Node::update_kwarg(std::string_view name, const Argument& value) {
  Graph& g = graph();
  for (size_t i = 0; i < num_kwargs_; ++i) {
    if (kwarg_name(i).str() != name) continue;
    FX_RETURN_IF_ERROR(g.check_own(this));
    FX_RETURN_IF_ERROR(g.check_argument(value));
    uint32_t cell = cells_ + num_args_ + static_cast<uint32_t>(2 * i + 1);
    g.release(cell);
    g.store(value, cell, slot_);
    g.changed();
    return absl::OkStatus();
  }
  std::vector<Kwarg> all = kwargs();
  all.emplace_back(name, value);
  return set_kwargs(all);
}

// Everything moves: the uses are relabelled, then the two circular lists are joined.
[[gnu::always_inline]] inline size_t Node::move_uses(Graph& g, Node& other) {
  // What is done first needs no register any more: none must be saved.
  const uint32_t first = first_use_, count = num_uses_;
  Cell* const* const pages = g.cell_pages_;
  const auto cell_at = [pages](uint32_t cell) {
    return pages[cell >> Graph::kCellPageBits] + (cell & (Graph::kCellsPerPage - 1));
  };
  g.changed();
  first_use_ = 0;
  num_uses_ = 0;
  other.num_uses_ += count;
  Cell* const first_cell = cell_at(first);
  uint32_t last = first;
  Cell* last_cell = first_cell;
  while (true) {
    last_cell->head = other.slot_;
    const uint32_t next = last_cell->use.next;
    if (next == first) break;
    last = next;
    last_cell = cell_at(next);
  }
  const uint32_t other_first = other.first_use_;
  if (other_first == 0) {
    other.first_use_ = first;
    return count;
  }
  Cell* const other_cell = cell_at(other_first);
  const uint32_t other_last = std::exchange(other_cell->use.prev, last);
  cell_at(other_last)->use.next = first;
  first_cell->use.prev = other_last;
  last_cell->use.next = other_first;
  return count;
}

size_t Node::replace_all_uses_with(Node* other) {
  Graph& g = graph();
  FX_CHECK(g.owns(other), "the replacement is a node of the same graph");
  if (other == this || num_uses_ == 0) return 0;
  // What may call other functions stands apart, so that this one saves no registers.
  if (other->num_cells() > 0 || !g.observers_.empty()) return replace_checked(*other);
  return move_uses(g, *other);
}

namespace {
bool reads(const Node& node, const Node& value) {
  bool found = false;
  node.for_each_input([&](const Node* input) { found |= input == &value; });
  return found;
}
}  // namespace

[[gnu::noinline]] size_t Node::replace_checked(Node& other) {
  Graph& g = graph();
  if (reads(other, *this) || !g.observers_.empty())
    return replace_uses_if(&other, [](const Node&) { return true; });
  return move_uses(g, other);
}

void Graph::replace_unread(Node& node, Node& other) {
  FX_DCHECK(&node != &other && !reads(other, node),
            "a node replaces another that it does not read");
  if (node.num_uses_ == 0) return;
  if (observers_.empty())
    node.move_uses(*this, other);
  else
    node.replace_all_uses_with(&other);
}

size_t Node::replace_uses_if(Node* other, absl::FunctionRef<bool(const Node&)> rewrite) {
  Graph& g = graph();
  FX_CHECK(g.owns(other), "the replacement is a node of the same graph");
  if (other == this) return 0;
  std::vector<uint32_t> cells;
  cells.reserve(num_uses_);
  for (uint32_t cell = first_use_, left = num_uses_; left > 0; --left) {
    cells.push_back(cell);
    cell = g.cell_at(cell)->use.next;
  }
  size_t count = 0;
  for (uint32_t cell : cells) {
    uint32_t user = g.cell_at(cell)->aux;
    Node& user_node = *g.node_at(user);
    if (&user_node == other || !rewrite(user_node)) continue;
    g.remove_use(cell);
    g.add_use(cell, other->slot_, user);
    ++count;
    for (GraphObserver* observer : g.observers_) observer->use_replaced(*this, *other, user_node);
  }
  if (count) g.changed();
  return count;
}

absl::Status Node::replace_all_uses_with(const Argument& value) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_argument(value));
  if (value.is_node()) {
    replace_all_uses_with(value.as_node());
    return absl::OkStatus();
  }
  std::vector<uint32_t> cells;
  for (uint32_t cell = first_use_, left = num_uses_; left > 0; --left) {
    const Cell& use = *g.cell_at(cell);
    if (value.depth() > 0 && depth_of(*g.node_at(use.aux)) + value.depth() > kMaxArgumentDepth) {
      return absl::InvalidArgumentError(
          fmt::format("replacing {} would nest arguments of {} deeper than {} levels", name(),
                      g.node_at(use.aux)->name(), kMaxArgumentDepth));
    }
    cells.push_back(cell);
    cell = use.use.next;
  }
  for (uint32_t cell : cells) {
    uint32_t user = g.cell_at(cell)->aux;
    g.remove_use(cell);
    g.store(value, cell, user);
  }
  g.changed();
  return absl::OkStatus();
}

size_t Node::replace_input_with(Node* old_input, Node* new_input) {
  FX_CHECK(old_input && new_input && graph().check_own(new_input).ok(),
           "inputs are nodes of the same graph");
  Graph& g = graph();
  std::vector<uint32_t> cells;
  uint32_t total = num_cells();
  for (uint32_t i = 0; i < total; ++i)
    visit_operands(g, cells_ + i, [&](uint32_t index, const Cell& cell) {
      if (cell.head == old_input->slot_) cells.push_back(index);
    });
  if (old_input == new_input) return cells.size();
  for (uint32_t cell : cells) {
    g.remove_use(cell);
    g.add_use(cell, new_input->slot_, slot_);
    for (GraphObserver* observer : g.observers_)
      observer->use_replaced(*old_input, *new_input, *this);
  }
  if (!cells.empty()) g.changed();
  return cells.size();
}

absl::Status Node::move_before(Node& anchor) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_own(&anchor));
  if (&anchor == this || next_ == anchor.slot_) return absl::OkStatus();
  if (g.insert_before_ == slot_) g.insert_before_ = next_;
  g.names();  // which are entered in the order of the nodes
  g.unlink(*this);
  g.link_before(*this, anchor.slot_);
  g.changed();
  return absl::OkStatus();
}

absl::Status Node::move_after(Node& anchor) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_own(&anchor));
  if (&anchor == this || prev_ == anchor.slot_) return absl::OkStatus();
  if (g.insert_before_ == slot_) g.insert_before_ = next_;
  g.names();  // which are entered in the order of the nodes
  g.unlink(*this);
  g.link_before(*this, anchor.next_);
  g.changed();
  return absl::OkStatus();
}

void Node::rename(std::string_view candidate) {
  if (candidate == name()) return;
  Graph& g = graph();
  keep_target();
  Name name = g.names().create(make_name_hint(context().symbols(), candidate));
  name_base_ = name.base.id();
  name_number_plus_one_ = name.number_plus_one;
  g.changed();
}

void Node::set_function(Target function) {
  FX_CHECK(op_ == Opcode::kCallFunction && function, "only a call_function calls a function");
  target_ = function.data();
  graph().note_target(*this);
  graph().changed();
}

void Node::set_target(std::string_view target) {
  FX_CHECK(op_ != Opcode::kCallFunction, "a call_function has a function; see set_function");
  flags_ &= static_cast<uint8_t>(~kTargetIsName);
  target_ = context().symbol(target).data_;
  graph().note_target(*this);
  graph().changed();
}

void Node::set_op_and_target(Opcode op, std::string_view target) {
  Graph& g = graph();
  --g.num_by_op_[static_cast<size_t>(op_)];
  ++g.num_by_op_[static_cast<size_t>(op)];
  flags_ &= static_cast<uint8_t>(~kTargetIsName);
  op_ = op;
  target_ = op == Opcode::kCallFunction
                ? static_cast<const void*>(context().function(target).data())
                : static_cast<const void*>(context().symbol(target).data_);
  g.note_target(*this);
  g.changed();
}

}  // namespace fx
