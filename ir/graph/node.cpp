// Node: see node.h. Functions that change the list of nodes are in graph.cpp.
#include "fx/ir/graph/node.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_inline.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
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
void visit_operands(const GraphStorage& graph, uint32_t index, F&& f) {
  const Cell& cell = *graph.cell_at(index);
  if (cell.is_use()) {
    f(index, cell);
  } else if (is_aggregate(cell.kind())) {
    uint32_t count = cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux;
    for (uint32_t i = 0; i < count; ++i) visit_operands(graph, cell.items.begin + i, f);
  }
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
  const GraphStorage& storage = graph_->storage();
  return {storage.cell_at(cell_->items.begin)->f, storage.cell_at(cell_->items.begin + 1)->f};
}
Node* ArgumentRef::as_node() const {
  FX_CHECK(is_node(), "this argument must be a node");
  return node();
}
ArgumentRef ArgumentRef::operator[](size_t i) const {
  FX_CHECK(i < size(), fmt::format("item {} is out of range for {}", i, pluralize(size(), "item")));
  size_t offset = is_dict() ? 2 * i + 1 : i;
  return ArgumentRef(graph_, graph_->storage().cell_at(cell_->items.begin) + offset);
}
ArgumentRef ArgumentRef::key(size_t i) const {
  FX_CHECK(is_dict() && i < size(),
           fmt::format("key {} is out of range for {}", i, pluralize(size(), "entry", "entries")));
  return ArgumentRef(graph_, graph_->storage().cell_at(cell_->items.begin) + 2 * i);
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
  for (uint32_t i = 0; i < cells; ++i) visit_operands(graph_->storage(), node.cells_ + i, count);
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

const void* Node::target_from_name() const { return context().symbol(name()).data_; }

void Node::bad_arg_index(size_t i) const {
  FX_CHECK(false, fmt::format("node {} has {}; index {} is out of range", name(),
                              pluralize(num_args_, "positional argument"), i));
}

Symbol Node::kwarg_name(size_t i) const {
  FX_CHECK(i < num_kwargs_);
  const Cell* cell = graph().storage().cell_at(cells_) + num_args_ + 2 * i;
  return Symbol(static_cast<const Symbol::Data*>(cell->pointer));
}

ArgumentRef Node::kwarg_value(size_t i) const {
  FX_CHECK(i < num_kwargs_);
  return ArgumentRef(&graph(), graph().storage().cell_at(cells_) + num_args_ + 2 * i + 1);
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
  const GraphStorage& g = graph().storage();
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
  return slot == GraphStorage::kRoot ? nullptr : graph().storage().node_at(slot);
}

Node* Node::prev() const {
  uint32_t slot = prev_;
  return slot == GraphStorage::kRoot ? nullptr : graph().storage().node_at(slot);
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
  uint32_t cells = g.storage_.new_cells(count + values);
  for (uint32_t i = 0; i < old_args; ++i) g.storage_.release(old_cells + i);
  for (uint32_t i = 0; i < count; ++i) g.storage_.store(args[i], cells + i, slot_);
  for (uint32_t i = 0; i < values; ++i)
    g.storage_.move_cell(old_cells + old_args + i, cells + count + i);
  g.storage_.free_cells(old_cells, old_args + values);
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
  uint32_t cells = g.storage_.new_cells(num_args_ + 2 * count);
  for (uint32_t i = 0; i < old_values; ++i) g.storage_.release(old_cells + num_args_ + i);
  for (uint32_t i = 0; i < num_args_; ++i) g.storage_.move_cell(old_cells + i, cells + i);
  g.storage_.store_kwargs(kwargs, cells + num_args_, slot_);
  g.storage_.free_cells(old_cells, num_args_ + old_values);
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
    return absl::OutOfRangeError(fmt::format("node {} has {}; index {} is out of range", name(),
                                             pluralize(num_args_, "positional argument"), i));
  }
  uint32_t cell = cells_ + static_cast<uint32_t>(i);
  g.storage_.release(cell);
  g.storage_.store(value, cell, slot_);
  g.changed();
  return absl::OkStatus();
}

absl::Status Node::insert_arg(size_t i, const Argument& value) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_argument(value));
  if (i > num_args_) {
    return absl::OutOfRangeError(fmt::format("node {} has {}; insert position {} is out of range",
                                             name(), pluralize(num_args_, "positional argument"),
                                             i));
  }
  uint32_t old_cells = cells_, total = num_cells();
  auto at = static_cast<uint32_t>(i);
  uint32_t cells = g.storage_.new_cells(total + 1);
  for (uint32_t k = 0; k < total; ++k)
    g.storage_.move_cell(old_cells + k, cells + k + (k >= at ? 1 : 0));
  g.storage_.store(value, cells + at, slot_);
  g.storage_.free_cells(old_cells, total);
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
    g.storage_.release(cell);
    g.storage_.store(value, cell, slot_);
    g.changed();
    return absl::OkStatus();
  }
  std::vector<Kwarg> all = kwargs();
  all.emplace_back(name, value);
  return set_kwargs(all);
}

size_t Node::replace_all_uses_with(Node* other) {
  Graph& g = graph();
  FX_CHECK(g.owns(other), "the replacement must be a node of the same graph");
  if (other == this || num_uses_ == 0) return 0;
  // Only replace_checked calls other functions, so this function does not have to save registers.
  if (other->num_cells() > 0 || !g.observers_.empty()) return replace_checked(*other);
  g.changed();
  return g.storage_.move_uses(*this, *other);
}

namespace {
bool has_operand(const Node& node, const Node& value) {
  bool found = false;
  node.for_each_input([&](const Node* input) { found |= input == &value; });
  return found;
}
}  // namespace

[[gnu::noinline]] size_t Node::replace_checked(Node& other) {
  Graph& g = graph();
  if (has_operand(other, *this) || !g.observers_.empty())
    return replace_uses_if(&other, [](const Node&) { return true; });
  g.changed();
  return g.storage_.move_uses(*this, other);
}

size_t Node::replace_uses_if(Node* other, absl::FunctionRef<bool(const Node&)> rewrite) {
  Graph& g = graph();
  FX_CHECK(g.owns(other), "the replacement must be a node of the same graph");
  if (other == this) return 0;
  std::vector<uint32_t> cells;
  cells.reserve(num_uses_);
  for (uint32_t cell = first_use_, left = num_uses_; left > 0; --left) {
    cells.push_back(cell);
    cell = g.storage_.cell_at(cell)->use.next;
  }
  size_t count = 0;
  for (uint32_t cell : cells) {
    uint32_t user = g.storage_.cell_at(cell)->aux;
    Node& user_node = *g.storage_.node_at(user);
    if (&user_node == other || !rewrite(user_node)) continue;
    g.storage_.remove_use(cell);
    g.storage_.add_use(cell, other->slot_, user);
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
    const Cell& use = *g.storage_.cell_at(cell);
    if (value.depth() > 0 &&
        depth_of(*g.storage_.node_at(use.aux)) + value.depth() > kMaxArgumentDepth) {
      return absl::InvalidArgumentError(
          fmt::format("replacing {} would nest arguments of {} more than {} levels deep", name(),
                      g.storage_.node_at(use.aux)->name(), kMaxArgumentDepth));
    }
    cells.push_back(cell);
    cell = use.use.next;
  }
  for (uint32_t cell : cells) {
    uint32_t user = g.storage_.cell_at(cell)->aux;
    g.storage_.remove_use(cell);
    g.storage_.store(value, cell, user);
  }
  g.changed();
  return absl::OkStatus();
}

size_t Node::replace_input_with(Node* old_input, Node* new_input) {
  FX_CHECK(old_input && new_input && graph().check_own(new_input).ok(),
           "inputs must be nodes of the same graph");
  Graph& g = graph();
  std::vector<uint32_t> cells;
  uint32_t total = num_cells();
  for (uint32_t i = 0; i < total; ++i)
    visit_operands(g.storage_, cells_ + i, [&](uint32_t index, const Cell& cell) {
      if (cell.head == old_input->slot_) cells.push_back(index);
    });
  if (old_input == new_input) return cells.size();
  for (uint32_t cell : cells) {
    g.storage_.remove_use(cell);
    g.storage_.add_use(cell, new_input->slot_, slot_);
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
  g.move(*this, anchor.slot_);
  return absl::OkStatus();
}

absl::Status Node::move_after(Node& anchor) {
  Graph& g = graph();
  FX_RETURN_IF_ERROR(g.check_own(this));
  FX_RETURN_IF_ERROR(g.check_own(&anchor));
  if (&anchor == this || prev_ == anchor.slot_) return absl::OkStatus();
  g.move(*this, anchor.next_);
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
  FX_CHECK(op_ == Opcode::kCallFunction && function,
           "set_function requires a call_function node and a non-null function");
  target_ = function.data();
  graph().note_target(*this);
  graph().changed();
}

void Node::set_target(std::string_view target) {
  FX_CHECK(op_ != Opcode::kCallFunction,
           "the target of a call_function is a function; use set_function");
  flags_ &= static_cast<uint8_t>(~kTargetIsName);
  target_ = context().symbol(target).data_;
  graph().note_target(*this);
  graph().changed();
}

void Node::set_op_and_target(Opcode op, std::string_view target) {
  Graph& g = graph();
  g.storage_.change_op(*this, op);
  flags_ &= static_cast<uint8_t>(~kTargetIsName);
  target_ = op == Opcode::kCallFunction
                ? static_cast<const void*>(context().function(target).data())
                : static_cast<const void*>(context().symbol(target).data_);
  g.note_target(*this);
  g.changed();
}

}  // namespace fx
