// Graph: making, erasing, finding and copying nodes. See graph.h; storage is in graph_storage.cpp.
#include "fx/ir/graph/graph.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/copy_table.h"
#include "fx/ir/graph/graph_storage.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "absl/container/node_hash_map.h"
#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>

namespace fx {

// Nodes by (opcode, target), made by the first find_nodes and kept from then on. Entries go stale
// when a node is erased or gets another target; the next look-up drops them.
struct Graph::FindIndex {
  struct Entry {
    Node* node;
    uint32_t id;
  };
  using Key = std::pair<Opcode, const void*>;
  absl::node_hash_map<Key, std::vector<Entry>> buckets;

  // Few targets take most nodes: those asked for last are found without hashing.
  std::vector<Entry>& bucket(Opcode op, const void* target) {
    Recent& recent = recents_[reinterpret_cast<uintptr_t>(target) / 64 % std::size(recents_)];
    const Key key = {op, target};
    if (recent.entries == nullptr || recent.key != key) recent = {key, &buckets[key]};
    return *recent.entries;
  }

 private:
  struct Recent {
    Key key;
    std::vector<Entry>* entries = nullptr;
  };
  Recent recents_[16];
};

// Nodes by name, good for one version of the graph.
struct Graph::NameIndex {
  uint64_t version;
  absl::flat_hash_map<Name, Node*> nodes;
};

void GraphObserver::use_replaced(Node&, Node&, Node&) {}

Graph::Graph(Context& context) : context_(&context) {
  // The root closes the list and is never seen outside.
  uint32_t slot = new_slot();
  FX_CHECK(slot == kRoot);
  Node& root = *node_at(kRoot);
  root.slot_ = root.prev_ = root.next_ = kRoot;
  root.id_ = UINT32_MAX;
  root.order_ = 0;
  root.first_use_ = root.num_uses_ = root.cells_ = 0;
  root.type_ = nullptr;
  root.target_ = nullptr;
  root.name_base_ = root.name_number_plus_one_ = root.num_args_ = 0;
  root.num_kwargs_ = 0;
  root.op_ = Opcode::kOutput;
  root.flags_ = 0;
}

Graph::~Graph() { free_blocks(); }

// ---------------------------------------------------------------- checks

absl::Status Graph::not_owned(const Node* node) const {
  if (!node) return absl::InvalidArgumentError("a null node was given");
  if (node->is_erased()) return absl::InvalidArgumentError("a node was used after it was erased");
  return absl::InvalidArgumentError(
      fmt::format("node {} belongs to another graph; when copying between graphs, map operands to "
                  "nodes of this one (node_copy with a mapping, or graph_copy)",
                  node->name()));
}

absl::Status Graph::check_argument(const Argument& value) const {
  if (value.is_node()) return check_own(value.as_node());
  if (value.kind() == ArgumentKind::kGraph && value.as_graph() >= subgraphs_.size()) {
    return absl::InvalidArgumentError(fmt::format(
        "graph argument {} of {}: add_subgraph comes first", value.as_graph(), subgraphs_.size()));
  }
  for (size_t i = 0; i < value.size(); ++i) FX_RETURN_IF_ERROR(check_argument(value[i]));
  return absl::OkStatus();
}

absl::Status Graph::check_arguments(absl::Span<const Argument> args,
                                    absl::Span<const Kwarg> kwargs) const {
  if (args.size() > UINT32_MAX / 4 || kwargs.size() > UINT16_MAX)
    return absl::InvalidArgumentError("too many arguments in one call");
  for (const Argument& argument : args)
    if (!may_hold(argument)) return check_argument(argument);
  for (const Kwarg& kwarg : kwargs)
    if (!may_hold(kwarg.value)) return check_argument(kwarg.value);
  if (kwargs.size() < 2) return absl::OkStatus();
  absl::flat_hash_set<std::string_view> keys;
  for (const Kwarg& kwarg : kwargs) {
    if (!keys.insert(kwarg.key).second)
      return absl::InvalidArgumentError(fmt::format("keyword argument {} occurs twice", kwarg.key));
  }
  return absl::OkStatus();
}

absl::Status Graph::check_form(Opcode op, std::string_view target, size_t num_args,
                               size_t num_kwargs) const {
  switch (op) {
    case Opcode::kOutput:
      if (num_args != 1 || num_kwargs != 0)
        return absl::InvalidArgumentError("an output node has exactly one argument, the result");
      if (num_nodes(Opcode::kOutput) > 0 && !allow_several_outputs_) {
        return absl::FailedPreconditionError(
            "the graph has an output node already; erase it, or change its argument");
      }
      break;
    case Opcode::kPlaceholder:
      if (num_args > 1 || num_kwargs != 0)
        return absl::InvalidArgumentError("a placeholder has no argument but its default value");
      break;
    case Opcode::kGetAttr:
      if (owner_ && !find_subgraph(target) && !owner_->has_attribute(target)) {
        return absl::NotFoundError(
            fmt::format("get_attr: the owning module has no parameter, buffer, constant or module "
                        "\"{}\"; add it there first",
                        target));
      }
      break;
    case Opcode::kCallModule:
      if (owner_ && !owner_->has_module(target)) {
        return absl::NotFoundError(fmt::format(
            "call_module: the owning module has no submodule \"{}\"; add it there first", target));
      }
      break;
    default:
      break;
  }
  return absl::OkStatus();
}

// ---------------------------------------------------------------- names

void Graph::enter_names() {
  for (const Node& node : nodes()) {
    const bool is_new = names_.take(node.name_parts());
    FX_DCHECK(is_new, "names are unique in a graph");
  }
  names_in_nodes_ = false;
}

bool Graph::is_new_in_nodes(Symbol base) const {
  constexpr size_t kFew = 16;
  if (!names_in_nodes_ || insert_before_ != kRoot) return false;
  if (base == context_->output_hint().base) return !may_name_output_;
  if (size_ > kFew) return false;
  const Node* root = node_at(kRoot);
  const Node* node = node_at(root->next_);
  while (node != root && node->name_base_ != base.id()) node = node_near(*node, node->next_);
  return node == root;
}

Name Graph::create_name_in_nodes(const NameHint& hint) {
  if (hint.exact.base != hint.base || !is_new_in_nodes(hint.base)) return names().create(hint);
  note_base(hint.base);
  // The first one of a name that is never used bare has the number 1.
  return hint.reserved && !hint.numbered ? Name{hint.base, 2} : hint.exact;
}

Name Graph::create_name_like(const Name& name) {
  if (!names_in_nodes_ || !is_kept_by_copies(name) || !is_new_in_nodes(name.base))
    return names().create_like(context_->symbols(), name);
  note_base(name.base);
  return name;
}

// ---------------------------------------------------------------- making

absl::StatusOr<Node*> Graph::make(Opcode op, const void* target, const NameHint& hint,
                                  absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                                  const NodeOptions& options) {
  Name name = options.exact_name;
  if (name.base) {
    if (!names().take(name)) {
      return absl::AlreadyExistsError(fmt::format(
          "there is a node called {} already; names are unique in a graph", name.str()));
    }
  } else {
    name = create_name(options.name.empty() ? hint
                                            : make_name_hint(context_->symbols(), options.name));
  }
  return make_named(op, target, name, args, kwargs, options.type);
}

Node* Graph::make_named(Opcode op, const void* target, Name name, absl::Span<const Argument> args,
                        absl::Span<const Kwarg> kwargs, Type type) {
  Node& node = new_node(op, target, name, args.size(), kwargs.size(), type.data());
  if (target == nullptr) node.set_target_to_name();
  for (uint32_t i = 0; i < node.num_args_; ++i) store(args[i], node.cells_ + i, node.slot_);
  if (node.num_kwargs_) store_kwargs(kwargs, node.cells_ + node.num_args_, node.slot_);
  insert(node);
  return &node;
}

absl::StatusOr<Node*> Graph::create_node(Opcode op, std::string_view target,
                                         absl::Span<const Argument> args,
                                         absl::Span<const Kwarg> kwargs, NodeOptions options) {
  if (op == Opcode::kCallFunction)
    return create_node(op, context_->function(target), args, kwargs, options);
  FX_RETURN_IF_ERROR(check_form(op, target, args.size(), kwargs.size()));
  FX_RETURN_IF_ERROR(check_arguments(args, kwargs));
  const Symbol symbol = context_->symbol(target);
  static const NameHint kUnused;
  if (options.exact_name.base || !options.name.empty())
    return make(op, symbol.data_, kUnused, args, kwargs, options);
  return make(op, symbol.data_, make_target_hint(context_->symbols(), symbol), args, kwargs,
              options);
}

absl::StatusOr<Node*> Graph::create_node(Opcode op, Target function,
                                         absl::Span<const Argument> args,
                                         absl::Span<const Kwarg> kwargs, NodeOptions options) {
  if (op != Opcode::kCallFunction || !function) {
    return absl::InvalidArgumentError(
        fmt::format("a {} node was given a function as target, or a call_function none; only "
                    "call_function calls one",
                    opcode_name(op)));
  }
  FX_RETURN_IF_ERROR(check_arguments(args, kwargs));
  return make(op, function.data(), function.data()->hint, args, kwargs, options);
}

namespace {
Node* checked(absl::StatusOr<Node*> node) {
  FX_CHECK(node.ok(), std::string(node.status().message()));
  return *node;
}
}  // namespace

Node* Graph::placeholder(std::string_view name, NodeOptions options) {
  return checked(create_node(Opcode::kPlaceholder, name, {}, {}, options));
}
Node* Graph::placeholder(std::string_view name, const Argument& default_value,
                         NodeOptions options) {
  return checked(create_node(Opcode::kPlaceholder, name, {default_value}, {}, options));
}
Node* Graph::input_like(const Node& value, Name name) {
  const Name like = value.name_parts();
  const bool is_same = name == like && like.has_number();
  const Symbol target = is_same             ? Symbol()
                        : like.has_number() ? context_->symbol(like.str())
                                            : like.base;
  Node* node = make_named(Opcode::kPlaceholder, target.data_, name, {}, {}, value.type());
  if (value.flags_ & Node::kHasMeta) node->meta().copy_from(value);
  return node;
}
Node* Graph::placeholder_like(const Node& value) {
  const Name name = value.name_parts();
  if (name.base.name_form().lower) return input_like(value, create_name_like(name));
  Node* node = placeholder(name.str(), {.type = value.type()});
  node->meta().copy_from(value);
  return node;
}
Node* Graph::get_attr(std::string_view path, NodeOptions options) {
  return checked(create_node(Opcode::kGetAttr, path, {}, {}, options));
}
Node* Graph::call_function(Target function, absl::Span<const Argument> args,
                           absl::Span<const Kwarg> kwargs, NodeOptions options) {
  // The common case, without the way of errors.
  const auto fine = [this](const auto& value) { return may_hold(value); };
  if (function && kwargs.size() < 2 && args.size() < UINT16_MAX && options.name.empty() &&
      !options.exact_name.base && std::all_of(args.begin(), args.end(), fine) &&
      (kwargs.empty() || may_hold(kwargs[0].value))) {
    return make_named(Opcode::kCallFunction, function.data(), create_name(function.data()->hint),
                      args, kwargs, options.type);
  }
  return checked(create_node(Opcode::kCallFunction, function, args, kwargs, options));
}
Node* Graph::call_method(std::string_view method, absl::Span<const Argument> args,
                         absl::Span<const Kwarg> kwargs, NodeOptions options) {
  return checked(create_node(Opcode::kCallMethod, method, args, kwargs, options));
}
Node* Graph::call_module(std::string_view path, absl::Span<const Argument> args,
                         absl::Span<const Kwarg> kwargs, NodeOptions options) {
  return checked(create_node(Opcode::kCallModule, path, args, kwargs, options));
}
Node* Graph::output(const Argument& result, NodeOptions options) {
  if (num_nodes(Opcode::kOutput) == 0 && options.name.empty() && !options.exact_name.base &&
      may_hold(result)) {
    const Symbol target = context_->output_target();
    return make_named(Opcode::kOutput, target.data_, create_name(context_->output_hint()),
                      {&result, 1}, {}, options.type);
  }
  return checked(create_node(Opcode::kOutput, "output", {result}, {}, options));
}

// ---------------------------------------------------------------- erasing

absl::Status Graph::erase_node(Node* node) {
  if (!owns(node)) return not_owned(node);
  if (node->has_uses()) {
    std::vector<Node*> users = node->users();
    std::string names;
    for (size_t i = 0; i < users.size() && i < 8; ++i) names += (i ? ", " : "") + users[i]->name();
    if (users.size() > 8) names += ", ...";
    return absl::FailedPreconditionError(fmt::format(
        "node {} cannot be erased: {} node{} still read it ({}); replace its uses first",
        node->name(), users.size(), users.size() == 1 ? "" : "s", names));
  }
  for (GraphObserver* observer : observers_) observer->node_erased(*node);
  release_arguments(*node);
  drop(*node);
  return absl::OkStatus();
}

void Graph::erase_block(absl::Span<Node* const> nodes) {
  if (!observers_.empty()) {  // who are to see a whole graph
    for (size_t i = nodes.size(); i-- > 0;) FX_CHECK(erase_node(nodes[i]).ok());
    return;
  }
  // Values first: uses of what is gone need no unlinking.
  for (Node* node : nodes) {
    release_arguments(*node);
    drop(*node);
  }
  for ([[maybe_unused]] const Node* node : nodes)
    FX_DCHECK(!node->has_uses(), "somebody else reads a node of the block");
}

void Graph::clear() {
  // Values and those that read them go together: but for observers, no use needs unlinking.
  const auto forget = [this](const auto& self, uint32_t begin, uint32_t count) -> void {
    for (uint32_t i = begin; i < begin + count; ++i) {
      const detail::Cell& cell = *cell_at(i);
      if (!cell.is_use() && (is_aggregate(cell.kind()) || cell.kind() == ArgumentKind::kComplex))
        self(self, cell.items.begin, cell.kind() == ArgumentKind::kDict ? 2 * cell.aux : cell.aux);
    }
    free_cells(begin, count);
  };
  if (!observers_.empty()) {
    for (Node& node : nodes()) release_arguments(node);
    for (Node& node : nodes()) FX_CHECK(erase_node(&node).ok());
  }
  for (Node& node : nodes()) {
    forget(forget, node.cells_, node.num_cells());
    node.num_args_ = node.first_use_ = node.num_uses_ = 0;
    node.num_kwargs_ = 0;
    if (node.flags_ & Node::kHasMeta) meta_.remove_all(node.slot_);
    add_to(erased_slots_, node);
  }
  Node& root = *node_at(kRoot);
  root.prev_ = root.next_ = insert_before_ = kRoot;
  version_ += size_;
  size_ = 0;
  num_by_op_ = {};
  names_.clear();
  names_in_nodes_ = true;
  may_name_output_ = false;
  find_index_.reset();
  subgraphs_.clear();
  graph_meta_.clear();
}

void Graph::replace_nodes(std::unique_ptr<Graph> from) {
  FX_CHECK(from && from.get() != this && from->context_ == context_,
           "a graph takes the nodes of another one of its Context");
  FX_CHECK(live_iterators_ == 0 && from->live_iterators_ == 0 && from->observers_.empty(),
           "nobody looks at nodes that go");
  FX_CHECK(from->next_id_ <= UINT32_MAX - next_id_, "a graph makes at most 2^32 nodes");
  if (!observers_.empty()) {
    const std::vector<std::pair<Symbol, Argument>> meta = graph_meta_;
    clear();  // which tells them
    graph_meta_ = meta;
  }
  // What was here dies with `from`.
  node_page_list_.swap(from->node_page_list_);
  cell_page_list_.swap(from->cell_page_list_);
  node_pages_ = node_page_list_.data();
  cell_pages_ = cell_page_list_.data();
  blocks_.swap(from->blocks_);
  std::swap(spare_pages_, from->spare_pages_);
  std::swap(num_spare_pages_, from->num_spare_pages_);
  std::swap(next_slot_, from->next_slot_);
  std::swap(slots_end_, from->slots_end_);
  std::swap(next_cell_, from->next_cell_);
  std::swap(cells_end_, from->cells_end_);
  std::swap(has_long_runs_, from->has_long_runs_);
  std::swap(free_, from->free_);
  std::swap(size_, from->size_);
  std::swap(num_by_op_, from->num_by_op_);
  std::swap(free_slots_, from->free_slots_);
  std::swap(erased_slots_, from->erased_slots_);
  names_.swap(from->names_);
  std::swap(names_in_nodes_, from->names_in_nodes_);
  std::swap(may_name_output_, from->may_name_output_);
  std::swap(subgraphs_, from->subgraphs_);
  meta_.take(std::move(from->meta_));
  for (size_t page = 0; page < node_page_list_.size(); ++page) set_headers(page);
  for (Node& node : nodes()) node.id_ += next_id_;
  next_id_ += from->next_id_;
  version_ += from->version_ + 1;
  insert_before_ = kRoot;
  insert_reverse_ = false;
  find_index_.reset();
  name_index_.reset();
  for (GraphObserver* observer : observers_)
    for (Node& node : nodes()) observer->node_created(node);
}

// ---------------------------------------------------------------- insert point

InsertPointGuard::InsertPointGuard(InsertPointGuard&& other) noexcept
    : graph_(other.graph_), before_(other.before_), reverse_(other.reverse_) {
  other.graph_ = nullptr;
}

InsertPointGuard::~InsertPointGuard() {
  if (!graph_) return;
  // The node may have been erased meanwhile: go on to what followed it.
  while (before_ != Graph::kRoot && graph_->node_at(before_)->is_erased())
    before_ = graph_->node_at(before_)->next_;
  graph_->insert_before_ = before_;
  graph_->insert_reverse_ = reverse_;
}

InsertPointGuard Graph::inserting_before(Node* anchor) {
  InsertPointGuard guard(this, insert_before_, insert_reverse_);
  set_insert_point_before(anchor);
  return guard;
}

InsertPointGuard Graph::inserting_after(Node* anchor) {
  InsertPointGuard guard(this, insert_before_, insert_reverse_);
  set_insert_point_after(anchor);
  return guard;
}

void Graph::set_insert_point_before(Node* anchor) {
  FX_CHECK(!anchor || check_own(anchor).ok(), "the anchor is a node of this graph");
  insert_before_ = anchor ? anchor->slot_ : node_at(kRoot)->next_;
  insert_reverse_ = torch_insert_order_ && !anchor;
}

void Graph::set_insert_point_after(Node* anchor) {
  FX_CHECK(!anchor || check_own(anchor).ok(), "the anchor is a node of this graph");
  insert_before_ = anchor ? anchor->next_ : kRoot;
  insert_reverse_ = torch_insert_order_ && anchor;
}

Node* Graph::insert_point() const {
  return insert_before_ == kRoot ? nullptr : node_at(insert_before_);
}

// ---------------------------------------------------------------- reading

Node* Graph::front() const {
  uint32_t slot = node_at(kRoot)->next_;
  return slot == kRoot ? nullptr : node_at(slot);
}

Node* Graph::back() const {
  uint32_t slot = node_at(kRoot)->prev_;
  return slot == kRoot ? nullptr : node_at(slot);
}

Node* Graph::output_node() const {
  const size_t num_outputs = num_nodes(Opcode::kOutput);
  if (num_outputs == 1) {  // almost always the last
    for (Node& node : nodes().reversed())
      if (node.is_output()) return &node;
  }
  if (num_outputs > 1) {
    for (Node& node : nodes())
      if (node.is_output()) return &node;
  }
  return nullptr;
}

void Graph::note_target(Node& node) {
  if (!find_index_) return;
  find_index_->bucket(node.op_, node.target_data()).push_back({&node, node.id_});
  if (node.op_ != Opcode::kCallFunction)
    find_index_->bucket(node.op_, nullptr).push_back({&node, node.id_});
}

void Graph::make_find_index() const {
  if (find_index_) return;
  find_index_ = std::make_unique<FindIndex>();
  for (Node& node : nodes()) const_cast<Graph*>(this)->note_target(node);
}

std::vector<Node*> Graph::find_in_index(Opcode op, const void* target) const {
  make_find_index();
  auto bucket = find_index_->buckets.find({op, target});
  if (bucket == find_index_->buckets.end()) return {};
  auto& entries = bucket->second;
  std::erase_if(entries, [&](const FindIndex::Entry& e) {
    return e.node->is_erased() || e.node->id_ != e.id || e.node->op_ != op ||
           (target && e.node->target_data() != target);
  });
  auto earlier = [](const FindIndex::Entry& a, const FindIndex::Entry& b) {
    return a.node->order_ < b.node->order_;
  };
  if (!std::is_sorted(entries.begin(), entries.end(), earlier))
    std::sort(entries.begin(), entries.end(), earlier);
  entries.erase(std::unique(entries.begin(), entries.end(),
                            [](const auto& a, const auto& b) { return a.node == b.node; }),
                entries.end());
  std::vector<Node*> result;
  result.reserve(entries.size());
  for (const FindIndex::Entry& entry : entries) result.push_back(entry.node);
  return result;
}

std::vector<Node*> Graph::find_nodes(Opcode op, std::string_view target) const {
  if (op == Opcode::kCallFunction) return find_nodes(context_->function(target));
  make_find_index();  // which makes targets that nobody has asked for yet
  const Symbol symbol = context_->symbols().find(target);
  return symbol ? find_in_index(op, symbol.data_) : std::vector<Node*>();
}

std::vector<Node*> Graph::find_nodes(Opcode op) const {
  if (op != Opcode::kCallFunction) return find_in_index(op, nullptr);
  std::vector<Node*> result;
  for (Node& node : nodes())
    if (node.op() == op) result.push_back(&node);
  return result;
}

std::vector<Node*> Graph::find_nodes(Target function) const {
  return find_in_index(Opcode::kCallFunction, function.data());
}

Node* Graph::find_node(std::string_view name) const {
  if (!name_index_ || name_index_->version != version_) {
    name_index_ = std::make_unique<NameIndex>(NameIndex{version_, {}});
    name_index_->nodes.reserve(size_);
    for (Node& node : nodes()) name_index_->nodes.emplace(node.name_parts(), &node);
  }
  auto it = name_index_->nodes.find(split_name(context_->symbols(), name));
  return it == name_index_->nodes.end() ? nullptr : it->second;
}

void Graph::remove_observer(GraphObserver* observer) { std::erase(observers_, observer); }

std::optional<Argument> Graph::meta(std::string_view key) const {
  for (const auto& [name, value] : graph_meta_)
    if (name.str() == key) return value;
  return std::nullopt;
}

void Graph::set_meta(std::string_view key, Argument value) {
  FX_CHECK(!value.holds_node(), "meta data holds no nodes");
  Symbol symbol = context_->symbol(key);
  ++version_;
  for (auto& [name, old] : graph_meta_) {
    if (name != symbol) continue;
    old = std::move(value);
    return;
  }
  graph_meta_.emplace_back(symbol, std::move(value));
}

absl::StatusOr<uint32_t> Graph::add_subgraph(std::string_view name, std::unique_ptr<Graph> graph) {
  FX_CHECK(graph && graph->context_ == context_, "a nested graph has the Context of its parent");
  if (find_subgraph(name)) {
    return absl::InvalidArgumentError(
        fmt::format("there is a nested graph called {} already; choose another name", name));
  }
  subgraphs_.push_back({context_->symbol(name), std::move(graph)});
  ++version_;
  return static_cast<uint32_t>(subgraphs_.size() - 1);
}

Graph* Graph::find_subgraph(std::string_view name) const {
  for (const Subgraph& sub : subgraphs_)
    if (sub.name.str() == name) return sub.graph.get();
  return nullptr;
}

}  // namespace fx
