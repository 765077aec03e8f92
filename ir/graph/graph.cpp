// Graph: creating, erasing and finding nodes. See graph.h.
#include "fx/ir/graph/graph.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_index_internal.h"
#include "fx/ir/graph/graph_inline.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <cstdint>

namespace fx {

void GraphObserver::use_replaced(Node&, Node&, Node&) {}

Graph::Graph(Context& context) : context_(&context), storage_(*this), names_(context, storage_) {}

Graph::~Graph() = default;

// ---------------------------------------------------------------- checks

absl::Status Graph::not_owned(const Node* node) const {
  if (!node) return absl::InvalidArgumentError("an argument must not be a null node");
  if (node->is_erased())
    return absl::InvalidArgumentError("an argument must not be an erased node");
  return absl::InvalidArgumentError(
      fmt::format("node {} belongs to another graph; when copying between graphs, map operands to "
                  "nodes of this one (node_copy with a mapping, or graph_copy)",
                  node->name()));
}

absl::Status Graph::check_argument(const Argument& value) const {
  if (value.is_node()) return check_own(value.as_node());
  if (value.kind() == ArgumentKind::kGraph && value.as_graph() >= subgraphs_.size()) {
    return absl::InvalidArgumentError(
        fmt::format("nested graph {} is out of range for {}; call add_subgraph first",
                    value.as_graph(), pluralize(subgraphs_.size(), "nested graph")));
  }
  for (size_t i = 0; i < value.size(); ++i) FX_RETURN_IF_ERROR(check_argument(value[i]));
  return absl::OkStatus();
}

absl::Status Graph::check_arguments(absl::Span<const Argument> args,
                                    absl::Span<const Kwarg> kwargs) const {
  if (args.size() > UINT32_MAX / 4 || kwargs.size() > UINT16_MAX)
    return absl::InvalidArgumentError("too many arguments in one call");
  for (const Argument& argument : args)
    if (!is_valid_argument(argument)) return check_argument(argument);
  for (const Kwarg& kwarg : kwargs)
    if (!is_valid_argument(kwarg.value)) return check_argument(kwarg.value);
  if (kwargs.size() < 2) return absl::OkStatus();
  absl::flat_hash_set<std::string_view> keys;
  for (const Kwarg& kwarg : kwargs) {
    if (!keys.insert(kwarg.key).second)
      return absl::InvalidArgumentError(fmt::format("duplicate keyword argument {}", kwarg.key));
  }
  return absl::OkStatus();
}

absl::Status Graph::check_form(Opcode op, std::string_view target, size_t num_args,
                               size_t num_kwargs) const {
  switch (op) {
    case Opcode::kOutput:
      if (num_args != 1 || num_kwargs != 0)
        return absl::InvalidArgumentError("an output must have exactly one argument, the result");
      if (num_nodes(Opcode::kOutput) > 0 && !allow_several_outputs_) {
        return absl::FailedPreconditionError(
            "the graph already has an output; erase it or change its argument");
      }
      break;
    case Opcode::kPlaceholder:
      if (num_args > 1 || num_kwargs != 0)
        return absl::InvalidArgumentError(
            "a placeholder accepts no argument except its default value");
      break;
    case Opcode::kGetAttr:
      if (owner_ && !find_subgraph(target) && !owner_->has_attribute(target)) {
        return absl::NotFoundError(fmt::format(
            "get_attr: the owning module does not have a parameter, buffer, constant or module "
            "\"{}\"; add it there first",
            target));
      }
      break;
    case Opcode::kCallModule:
      if (owner_ && !owner_->has_module(target)) {
        return absl::NotFoundError(fmt::format(
            "call_module: the owning module does not have a submodule \"{}\"; add it there first",
            target));
      }
      break;
    default:
      break;
  }
  return absl::OkStatus();
}

// ---------------------------------------------------------------- creation

absl::StatusOr<Node*> Graph::make(Opcode op, const void* target, const NameHint& hint,
                                  absl::Span<const Argument> args, absl::Span<const Kwarg> kwargs,
                                  const NodeOptions& options) {
  Name name = options.exact_name;
  if (name.base) {
    if (!names().take(name)) {
      return absl::AlreadyExistsError(
          fmt::format("the name {} is already used in the graph; choose another name", name.str()));
    }
  } else {
    name = create_name(options.name.empty() ? hint
                                            : make_name_hint(context_->symbols(), options.name));
  }
  return make_named(op, target, name, args, kwargs, options.type);
}

Node* Graph::make_named(Opcode op, const void* target, Name name, absl::Span<const Argument> args,
                        absl::Span<const Kwarg> kwargs, Type type) {
  Node& node = storage_.new_node(op, target, name, args.size(), kwargs.size(), type.data());
  if (target == nullptr) node.set_target_to_name();
  for (uint32_t i = 0; i < node.num_args_; ++i)
    storage_.store(args[i], node.cells_ + i, node.slot_);
  if (node.num_kwargs_) storage_.store_kwargs(kwargs, node.cells_ + node.num_args_, node.slot_);
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
        fmt::format("only a call_function has a function as its target, and it must have one; this "
                    "node is a {}",
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
  // Python code assigns a target to a variable, which must not be that of an earlier node.
  const Symbol target = name.has_number() ? Symbol() : name.base;
  Node* node = make_named(Opcode::kPlaceholder, target.data_, name, {}, {}, value.type());
  if (value.flags_ & Node::kHasMeta) node->meta().copy_from(value);
  return node;
}
Node* Graph::placeholder_like(const Node& value) {
  const Name name = value.name_parts();
  if (name.base.name_form().lower) return input_like(value, create_name_like(name));
  Node* node = placeholder(name.str(), {.type = value.type()});
  node->set_target(node->name());
  node->meta().copy_from(value);
  return node;
}
Node* Graph::get_attr(std::string_view path, NodeOptions options) {
  return checked(create_node(Opcode::kGetAttr, path, {}, {}, options));
}
Node* Graph::call_function(Target function, absl::Span<const Argument> args,
                           absl::Span<const Kwarg> kwargs, NodeOptions options) {
  // The common case, which requires no Status.
  bool is_common = function && kwargs.size() < 2 && args.size() < UINT16_MAX &&
                   options.name.empty() && !options.exact_name.base;
  for (const Argument& argument : args) is_common = is_common && is_valid_argument(argument);
  for (const Kwarg& kwarg : kwargs) is_common = is_common && is_valid_argument(kwarg.value);
  if (is_common) {
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
      is_valid_argument(result)) {
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
    return absl::FailedPreconditionError(
        fmt::format("node {} cannot be erased, because it has {} ({}); replace its uses first",
                    node->name(), pluralize(users.size(), "user"), names));
  }
  for (GraphObserver* observer : observers_) observer->node_erased(*node);
  storage_.release_arguments(*node);
  remove(*node);
  return absl::OkStatus();
}

void Graph::clear() {
  if (!observers_.empty()) {  // an observer must see a consistent graph at each call
    for (Node& node : nodes()) storage_.release_arguments(node);
    for (Node& node : nodes()) FX_CHECK(erase_node(&node).ok());
  }
  version_ += size();
  storage_.clear();
  insert_before_ = kRoot;
  names_.clear();
  meta_.clear();
  target_index_.reset();
  subgraphs_.clear();
  graph_meta_.clear();
}

void Graph::replace_nodes(std::unique_ptr<Graph> from) {
  FX_CHECK(from && from.get() != this && from->context_ == context_,
           "replace_nodes requires a graph of the same Context");
  FX_CHECK(!storage_.has_iterators() && !from->storage_.has_iterators() && from->observers_.empty(),
           "iterators and observers must not refer to replaced nodes");
  if (!observers_.empty()) {
    const std::vector<std::pair<Symbol, Argument>> meta = graph_meta_;
    clear();  // which notifies the observers
    graph_meta_ = meta;
  }
  storage_.take(from->storage_);
  names_.take(from->names_);
  meta_.take(std::move(from->meta_));
  std::swap(subgraphs_, from->subgraphs_);
  version_ += from->version_ + 1;
  insert_before_ = kRoot;
  insert_reverse_ = false;
  target_index_.reset();
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
  // The node may have been erased since then: continue with the node after it.
  while (before_ != Graph::kRoot && graph_->storage_.node_at(before_)->is_erased())
    before_ = graph_->storage_.node_at(before_)->next_;
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
  FX_CHECK(!anchor || check_own(anchor).ok(), "the anchor must be a node of this graph");
  insert_before_ = anchor ? anchor->slot_ : storage_.root().next_;
  insert_reverse_ = torch_insert_order_ && !anchor;
}

void Graph::set_insert_point_after(Node* anchor) {
  FX_CHECK(!anchor || check_own(anchor).ok(), "the anchor must be a node of this graph");
  insert_before_ = anchor ? anchor->next_ : kRoot;
  insert_reverse_ = torch_insert_order_ && anchor;
}

Node* Graph::insert_point() const {
  return insert_before_ == kRoot ? nullptr : storage_.node_at(insert_before_);
}

// ---------------------------------------------------------------- reading

Node* Graph::front() const {
  uint32_t slot = storage_.root().next_;
  return slot == kRoot ? nullptr : storage_.node_at(slot);
}

Node* Graph::back() const {
  uint32_t slot = storage_.root().prev_;
  return slot == kRoot ? nullptr : storage_.node_at(slot);
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

std::vector<Node*> Graph::find_nodes(Opcode op, std::string_view target) const {
  if (op == Opcode::kCallFunction) return find_nodes(context_->function(target));
  target_index_.get().fill(*this);  // fill() interns the targets of all nodes
  const Symbol symbol = context_->symbols().find(target);
  if (!symbol) return {};
  return target_index_.get().find(*this, op, symbol.data_);
}

std::vector<Node*> Graph::find_nodes(Opcode op) const {
  if (op != Opcode::kCallFunction) return target_index_.get().find(*this, op, nullptr);
  std::vector<Node*> result;
  for (Node& node : nodes())
    if (node.op() == op) result.push_back(&node);
  return result;
}

std::vector<Node*> Graph::find_nodes(Target function) const {
  return target_index_.get().find(*this, Opcode::kCallFunction, function.data());
}

Node* Graph::find_node(std::string_view name) const {
  return name_index_.get().find(*this, split_name(context_->symbols(), name));
}

size_t Graph::memory_bytes() const {
  return sizeof(*this) + storage_.memory_bytes() + meta_.memory_bytes();
}

void Graph::remove_observer(GraphObserver* observer) { std::erase(observers_, observer); }

std::optional<Argument> Graph::meta(std::string_view key) const {
  for (const auto& [name, value] : graph_meta_)
    if (name.str() == key) return value;
  return std::nullopt;
}

void Graph::set_meta(std::string_view key, Argument value) {
  FX_CHECK(!value.contains_node(), "metadata must not contain nodes");
  Symbol symbol = context_->symbol(key);
  ++version_;
  const auto old = std::ranges::find(graph_meta_, symbol, &std::pair<Symbol, Argument>::first);
  if (value.is_none()) {
    if (old != graph_meta_.end()) graph_meta_.erase(old);
  } else if (old != graph_meta_.end()) {
    old->second = std::move(value);
  } else {
    graph_meta_.emplace_back(symbol, std::move(value));
  }
}

absl::StatusOr<uint32_t> Graph::add_subgraph(std::string_view name, std::unique_ptr<Graph> graph) {
  FX_CHECK(graph && graph->context_ == context_,
           "a nested graph must have the Context of its parent");
  if (find_subgraph(name)) {
    return absl::InvalidArgumentError(
        fmt::format("the name {} is already used by a nested graph; choose another name", name));
  }
  graph->is_nested_ = true;
  subgraphs_.push_back({context_->symbol(name), std::move(graph)});
  ++version_;
  return static_cast<uint32_t>(subgraphs_.size() - 1);
}

Graph* Graph::find_subgraph(std::string_view name) const {
  const std::optional<uint32_t> index = subgraph_index(*this, name);
  return index ? subgraphs_[*index].graph.get() : nullptr;
}

std::optional<uint32_t> subgraph_index(const Graph& graph, std::string_view name) {
  for (uint32_t i = 0; i < graph.num_subgraphs(); ++i)
    if (graph.subgraph_name(i) == name) return i;
  return std::nullopt;
}

std::vector<NestedGraph> nested_graph_paths(const Graph& graph, size_t max_depth) {
  std::vector<NestedGraph> result, worklist = {{.graph = &graph, .path = {}}};
  while (!worklist.empty()) {
    NestedGraph at = std::move(worklist.back());
    worklist.pop_back();
    for (size_t i = at.depth < max_depth ? at.graph->num_subgraphs() : 0; i-- > 0;) {
      const std::string_view name = at.graph->subgraph_name(i);
      worklist.push_back(
          {.graph = &at.graph->subgraph(i),
           .path = at.depth == 0 ? std::string(name) : fmt::format("{}.{}", at.path, name),
           .depth = at.depth + 1});
    }
    if (at.depth > 0) result.push_back(std::move(at));
  }
  return result;
}

std::string unused_subgraph_name(const Graph& graph, std::string_view base) {
  std::string name(base);
  for (int i = 1; graph.find_subgraph(name) != nullptr; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

}  // namespace fx
