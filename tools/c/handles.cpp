// Implements the registry of handles: see handles_internal.h.
#include "tools/c/handles_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <mutex>

namespace fx::c {
namespace {

constexpr size_t kMaxSlots = 1 << 16;
/// The number of free slots that must exist before a slot is reused.
constexpr size_t kFreeSlots = 1024;
constexpr const char* kPayload = "fxc_status";

struct Slot {
  Kind kind = Kind::kNone;  // kNone if the slot is free
  uint16_t generation = 0;
  void* object = nullptr;
  ContextData* context = nullptr;
};

struct Registry {
  std::mutex mutex;
  std::vector<Slot> slots;
  std::deque<uint16_t> free;
};

Registry& registry() {
  static auto* const kRegistry = new Registry();
  return *kRegistry;
}

const char* kind_name(Kind kind) {
  constexpr std::array<const char*, 7> kNames = {"nothing", "a context", "a graph", "a node",
                                                 "a type",  "a value",   "a call"};
  const auto i = static_cast<size_t>(kind);
  return i < kNames.size() ? kNames[i] : "nothing";
}

/// Returns the kind of the slots to which handles of this kind refer.
Kind slot_kind(Kind kind) {
  switch (kind) {
    case Kind::kNode:
      return Kind::kGraph;
    case Kind::kType:
    case Kind::kValue:
      return Kind::kContext;
    default:
      return kind;
  }
}

std::string& message_of_thread() {
  static thread_local std::string message;
  return message;
}

std::string& text_of_thread() {
  static thread_local std::string text;
  return text;
}

fxc_status code_of(const absl::Status& status) {
  if (const auto payload = status.GetPayload(kPayload)) {
    int code = 0;
    for (const char digit : std::string(*payload)) code = code * 10 + (digit - '0');
    return static_cast<fxc_status>(code);
  }
  switch (status.code()) {
    case absl::StatusCode::kInvalidArgument:
      return FXC_INVALID_ARGUMENT;
    case absl::StatusCode::kNotFound:
      return FXC_NOT_FOUND;
    case absl::StatusCode::kAlreadyExists:
      return FXC_ALREADY_EXISTS;
    case absl::StatusCode::kFailedPrecondition:
      return FXC_FAILED_PRECONDITION;
    case absl::StatusCode::kOutOfRange:
      return FXC_OUT_OF_RANGE;
    case absl::StatusCode::kUnimplemented:
      return FXC_UNIMPLEMENTED;
    case absl::StatusCode::kResourceExhausted:
      return FXC_RESOURCE_EXHAUSTED;
    default:
      return FXC_INTERNAL;
  }
}

}  // namespace

absl::Status failure(fxc_status code, const std::string& message) {
  absl::Status status = absl::InvalidArgumentError(message);
  status.SetPayload(kPayload, absl::Cord(fmt::format("{}", static_cast<int>(code))));
  return status;
}

fxc_status report(const absl::Status& status) {
  if (status.ok()) return FXC_OK;
  message_of_thread() = std::string(status.message());
  return code_of(status);
}

const char* last_message() { return message_of_thread().c_str(); }

absl::Status copy_options(const void* given, void* options, size_t size) {
  if (given == nullptr) return absl::OkStatus();
  size_t given_size = 0;
  std::memcpy(&given_size, given, sizeof(given_size));
  // A larger struct belongs to a later release. This release ignores its additional members.
  if (given_size < sizeof(given_size) || given_size > 4096) {
    return failure(FXC_BAD_STRUCT,
                   fmt::format("struct_size is {}; set it to sizeof the struct", given_size));
  }
  std::memcpy(options, given, std::min(given_size, size));
  return absl::OkStatus();
}

void return_text(std::string text, const char** out, size_t* size) {
  std::string& stored = text_of_thread();
  stored = std::move(text);
  if (out != nullptr) *out = stored.c_str();
  if (size != nullptr) *size = stored.size();
}

// ---------------------------------------------------------------- slots

absl::StatusOr<Token> add_slot(Kind kind, void* object, ContextData* context) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  size_t number = all.slots.size();
  if (all.free.size() > kFreeSlots || (number == kMaxSlots && !all.free.empty())) {
    number = all.free.front();
    all.free.pop_front();
  } else if (number == kMaxSlots) {
    return failure(
        FXC_RESOURCE_EXHAUSTED,
        fmt::format("there are already {} contexts and graphs; destroy some", kMaxSlots));
  } else {
    all.slots.emplace_back();
  }
  Slot& slot = all.slots[number];
  slot.kind = kind;
  slot.object = object;
  slot.context = context;
  return Token{kind, slot.generation, static_cast<uint16_t>(number), 0};
}

void remove_slot(Token token) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  Slot& slot = all.slots[token.slot];
  slot.kind = Kind::kNone;
  slot.object = nullptr;
  slot.context = nullptr;
  slot.generation = static_cast<uint16_t>((slot.generation + 1) & 0xfff);
  all.free.push_back(token.slot);
}

// ---------------------------------------------------------------- Access

namespace {

/// Returns the slot of a handle. The caller must hold the lock.
absl::StatusOr<const Slot*> find_slot(Token token, Kind kind, std::string_view what) {
  if (token.kind == Kind::kNone && token.generation == 0 && token.slot == 0 && token.number == 0)
    return failure(FXC_NULL_ARGUMENT, fmt::format("{} is NULL", what));
  const Registry& all = registry();
  if (token.kind != kind) {
    const char* const is = kind_name(token.kind);
    return failure(FXC_BAD_HANDLE,
                   fmt::format("{} is a handle to {}, not to {}", what, is, kind_name(kind)));
  }
  if (token.slot >= all.slots.size())
    return failure(FXC_BAD_HANDLE, fmt::format("{} is not a handle", what));
  const Slot& slot = all.slots[token.slot];
  if (slot.kind != slot_kind(kind) || slot.generation != token.generation) {
    return failure(
        FXC_DESTROYED,
        fmt::format("{}: {} was destroyed", what,
                    slot_kind(kind) == kind ? kind_name(kind)
                                            : fmt::format("the owner of {}", kind_name(kind))));
  }
  return &slot;
}

}  // namespace

absl::StatusOr<Access> Access::enter(Token token, Kind kind, std::string_view what) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  FX_ASSIGN_OR_RETURN(const Slot* const found, find_slot(token, kind, what));
  const Slot& slot = *found;
  if (slot.context->owner != std::this_thread::get_id()) {
    return failure(FXC_WRONG_THREAD, fmt::format("{}: its context belongs to a different thread; "
                                                 "fxc_context_take moves it to this thread",
                                                 what));
  }
  ++slot.context->busy;
  return Access(slot.context, slot.object, token);
}

Access::~Access() {
  if (context_ == nullptr) return;
  const std::lock_guard<std::mutex> lock(registry().mutex);
  --context_->busy;
}

absl::Status take(Token token) {
  Registry& all = registry();
  const std::lock_guard<std::mutex> lock(all.mutex);
  FX_ASSIGN_OR_RETURN(const Slot* const slot, find_slot(token, Kind::kContext, "context"));
  if (slot->context->busy != 0)
    return failure(FXC_IN_USE, "a different thread is running a function on the context");
  slot->context->owner = std::this_thread::get_id();
  return absl::OkStatus();
}

absl::StatusOr<Node*> Access::node() const {
  Node* const node = graph().index->find(token_.number);
  if (node == nullptr) return failure(FXC_DESTROYED, "the node was erased");
  return node;
}

absl::StatusOr<Type> Access::type() const {
  if (token_.number >= context_->types.size())
    return failure(FXC_BAD_HANDLE, "the type is not a handle");
  return context_->types[token_.number];
}

absl::StatusOr<const ValueData*> Access::value() const {
  const auto found = context_->values.find(token_.number);
  if (found == context_->values.end()) return failure(FXC_DESTROYED, "the value was destroyed");
  return &found->second;
}

absl::Status Access::may_change() const {
  if (graph().outermost().running == 0) return absl::OkStatus();
  return failure(FXC_IN_USE, "a callback must not change the graph that the library is using");
}

// ---------------------------------------------------------------- nodes and graphs

void NodeIndex::rebuild() {
  nodes_.assign(graph_.id_bound(), nullptr);
  for (Node& node : graph_.nodes()) nodes_[node.id()] = &node;
}

void NodeIndex::node_created(Node& node) {
  if (node.id() >= nodes_.size()) nodes_.resize(node.id() + 1, nullptr);
  nodes_[node.id()] = &node;
}

void NodeIndex::node_erased(Node& node) {
  if (node.id() < nodes_.size()) nodes_[node.id()] = nullptr;
}

absl::StatusOr<GraphData*> add_graph(ContextData& context, std::unique_ptr<GraphData> data) {
  FX_ASSIGN_OR_RETURN(data->token, add_slot(Kind::kGraph, data.get(), &context));
  data->context = &context;
  data->index.emplace(*data->graph);
  context.by_graph[data->graph] = data.get();
  context.graphs.push_back(std::move(data));
  return context.graphs.back().get();
}

absl::StatusOr<GraphData*> data_of(GraphData& outer, Graph& graph) {
  ContextData& context = *outer.context;
  if (const auto found = context.by_graph.find(&graph); found != context.by_graph.end())
    return found->second;
  auto data = std::make_unique<GraphData>();
  data->graph = &graph;
  data->parent = &outer;
  FX_ASSIGN_OR_RETURN(GraphData* const added, add_graph(context, std::move(data)));
  outer.nested.push_back(added);
  return added;
}

void destroy_nested(GraphData& data) {
  for (GraphData* const nested : std::exchange(data.nested, {})) destroy_graph(*nested);
}

void destroy_graph(GraphData& data) {
  destroy_nested(data);
  remove_slot(data.token);
  ContextData& context = *data.context;
  context.by_graph.erase(data.graph);
  data.index.reset();
  std::erase_if(context.graphs, [&](const auto& graph) { return graph.get() == &data; });
}

absl::StatusOr<fxc_node> handle_of(GraphData& graph, Node* node) {
  if (node == nullptr) return nullptr;
  GraphData* owner = &graph;
  if (&node->graph() != graph.graph) {
    FX_ASSIGN_OR_RETURN(owner, data_of(graph, node->graph()));
  }
  return Token{Kind::kNode, owner->token.generation, owner->token.slot, node->id()}.as<fxc_node>();
}

// ---------------------------------------------------------------- types

fxc_type handle_of(ContextData& context, Type type) {
  if (!type) return nullptr;
  const auto [entry, is_new] =
      context.type_numbers.try_emplace(type.data(), static_cast<uint32_t>(context.types.size()));
  if (is_new) context.types.push_back(type);
  return Token{Kind::kType, context.token.generation, context.token.slot, entry->second}
      .as<fxc_type>();
}

absl::StatusOr<Type> type_of(ContextData& context, fxc_type handle) {
  if (handle == nullptr) return Type();
  FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(handle), Kind::kType, "type"));
  if (&access.context() != &context)
    return failure(FXC_WRONG_CONTEXT, "the type belongs to a different context");
  return access.type();
}

// ---------------------------------------------------------------- values

absl::StatusOr<fxc_value> add_value(ContextData& context, ValueData&& value) {
  const uint32_t number = context.next_value++;
  context.values.emplace(number, std::move(value));
  return Token{Kind::kValue, context.token.generation, context.token.slot, number}.as<fxc_value>();
}

absl::StatusOr<ValueData> value_of(GraphData& graph, const Argument& argument) {
  ValueData value;
  if (argument.is_node()) {
    FX_ASSIGN_OR_RETURN(value.node, handle_of(graph, argument.node()));
    return value;
  }
  if (!argument.contains_node()) {
    value.shape = argument;
    return value;
  }
  value.shape = map_nodes(argument, [](Node* /*node*/) { return Argument(); });
  for (size_t i = 0; i < argument.size(); ++i) {
    FX_ASSIGN_OR_RETURN(value.items.emplace_back(), value_of(graph, argument[i]));
  }
  return value;
}

absl::StatusOr<Argument> argument_of(ContextData& context, GraphData* graph,
                                     const ValueData& value) {
  if (value.node != nullptr) {
    FX_ASSIGN_OR_RETURN(const Access access,
                        Access::enter(Token::of(value.node), Kind::kNode, "a node in the value"));
    FX_ASSIGN_OR_RETURN(Node* const node, access.node());
    if (graph == nullptr) return failure(FXC_INVALID_ARGUMENT, "the value must not contain a node");
    if (&node->graph() != graph->graph)
      return failure(FXC_WRONG_CONTEXT, "the value contains a node of a different graph");
    return Argument(node);
  }
  if (value.items.empty()) {
    absl::Status status;
    map_leaves(value.shape, [&](const Argument& leaf) {
      if (leaf.kind() == ArgumentKind::kGraph &&
          (graph == nullptr || leaf.as_graph() >= graph->graph->num_subgraphs()))
        status =
            failure(FXC_WRONG_CONTEXT, "the value contains a nested graph of a different graph");
      return leaf;
    });
    FX_RETURN_IF_ERROR(status);
    return value.shape;
  }
  std::vector<Argument> items;
  for (const ValueData& item : value.items) {
    FX_ASSIGN_OR_RETURN(items.emplace_back(), argument_of(context, graph, item));
  }
  return value.shape.with_items(items);
}

absl::StatusOr<Argument> argument_of(ContextData& context, GraphData* graph, fxc_value value) {
  FX_ASSIGN_OR_RETURN(const Access access, Access::enter(Token::of(value), Kind::kValue, "value"));
  if (&access.context() != &context)
    return failure(FXC_WRONG_CONTEXT, "the value belongs to a different context");
  FX_ASSIGN_OR_RETURN(const ValueData* const data, access.value());
  return argument_of(context, graph, *data);
}

}  // namespace fx::c
