// ReplacementCache: see replacement_cache_internal.h.
#include "fx/ir/support/hash_mix.h"
#include "fx/ir/support/status.h"
#include "fx/passes/decompose/replacement_cache_internal.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace {

/// True if the key of a call identifies the type: it has only integers. Unlike is_static()
/// (known_types.h), accepts tensors with unknown strides, and rejects symbolic numbers.
bool is_cacheable(Type type) {
  const auto are_static = [](absl::Span<const Dim> dims) {
    return std::ranges::all_of(dims, [](const Dim& dim) { return dim.is_int(); });
  };
  if (type.is_tensor()) {
    return type.has_rank() && type.offset().is_int() && are_static(type.sizes()) &&
           are_static(type.strides());
  }
  return type && !type.is_symbolic() && std::ranges::all_of(type.items(), is_cacheable);
}

bool is_cacheable(ArgumentRef argument) {
  if (const Node* node = argument.node()) return is_cacheable(node->type());
  if (argument.kind() == ArgumentKind::kSymbolic) return false;
  for (size_t i = 0; i < argument.size(); ++i)
    if (!is_cacheable(argument[i])) return false;
  return true;
}

void drop_meta(Node& node) {
  std::vector<Symbol> keys;
  node.meta().for_each([&](Symbol key, const Argument&) { keys.push_back(key); });
  for (const Symbol key : keys) node.meta().remove(key.str());
}

bool has_cacheable_arguments(const Node& call) {
  for (size_t i = 0; i < call.num_args(); ++i)
    if (!is_cacheable(call.arg(i))) return false;
  for (size_t i = 0; i < call.num_kwargs(); ++i)
    if (!is_cacheable(call.kwarg_value(i))) return false;
  return true;
}

/// True for a call that uses itself. Such a graph is invalid: the nodes of a replacement would be
/// used before they are defined.
bool uses_itself(const Node& call) {
  bool found = false;
  call.for_each_input([&](const Node* operand) { found = found || operand == &call; });
  return found;
}

/// True if all operands are distinct. This is required because a copy identifies operands by
/// position.
bool has_distinct_operands(const Node& call) {
  std::vector<const Node*> operands;
  call.for_each_input([&](const Node* operand) { operands.push_back(operand); });
  std::ranges::sort(operands);
  return std::ranges::adjacent_find(operands) == operands.end();
}

bool are_static(const Node* first, const Node* end) {
  for (const Node* node = first; node != end; node = node->next())
    if (!is_cacheable(node->type())) return false;
  return true;
}

}  // namespace

bool ReplacementCache::make_key(const Node& call, uint64_t used_items) {
  if (!call.type() || !TypeCache::make_key(call, nullptr, call_key_)) return false;
  key_.assign(call_key_.words.begin(), call_key_.words.begin() + call_key_.size);
  const auto type = reinterpret_cast<uintptr_t>(call.type().data());
  key_.push_back(type);
  key_.push_back(used_items);
  key_.push_back(internal::hash_mix(call_key_.hash, type + used_items));
  return true;
}

std::optional<Argument> ReplacementCache::copy_for(Node& call, uint64_t used_items) {
  repeated_ = nullptr;
  if (!make_key(call, used_items) || uses_itself(call)) return std::nullopt;
  const auto place = known_.find(absl::MakeConstSpan(key_));
  if (place == known_.end()) {
    if (known_.size() == kMaxCalls) known_.clear();
    known_.emplace(key_, nullptr);
    return std::nullopt;
  }
  if (place->second != nullptr) return copy(*place->second, call);
  repeated_ = &place->second;
  return std::nullopt;
}

Argument ReplacementCache::copy(Replacement& replacement, Node& call) {
  CopyTable& copies = replacement.copies;
  copies.begin(graph_);
  const Node* node = replacement.graph.front();
  call.for_each_input([&](const Node* operand) {
    copies.set(*node, *operand);
    node = node->next();
  });
  for (; !node->is_output(); node = node->next()) {
    if (node == replacement.becomes_call) {
      FX_CHECK_OK(copies.copy_call(call, *node));
      return &call;
    }
    const absl::StatusOr<Node*> copy = copies.node_copy(*node);
    FX_CHECK_OK(copy.status());
    copies.set(*node, **copy);
  }
  return map_nodes(node->arg(0), [&](Node* value) { return Argument(copies.find(*value)); });
}

void ReplacementCache::add(const Node& call, const Node* first, const Argument& value) {
  if (repeated_ == nullptr || !is_cacheable(call.type()) || !has_cacheable_arguments(call) ||
      !has_distinct_operands(call) || !are_static(first, &call))
    return;
  auto replacement = std::make_unique<Replacement>(graph_.context());
  NodeMapping copies;
  call.for_each_input([&](Node* operand) {
    copies.emplace(operand, replacement->graph.placeholder("operand", {.type = operand->type()}));
  });
  bool is_closed = true;  // uses only the call's operands
  const auto copy_of = [&](const Node* node) {
    const auto copy = copies.find(node);
    is_closed = is_closed && copy != copies.end();
    return copy != copies.end() ? copy->second : Argument();
  };
  for (const Node* node = first; node != &call; node = node->next()) {
    const absl::StatusOr<Node*> copy = replacement->graph.node_copy(*node, copy_of);
    if (!copy.ok()) return;
    drop_meta(**copy);  // each copy receives the metadata of the call that it replaces
    copies.emplace(node, Argument(*copy));
  }
  const Argument result = map_nodes(value, copy_of);
  const Node* const last = replacement->graph.back();
  if (value.node() == call.prev() && result.node() == last && !last->has_uses() &&
      last->op() == Opcode::kCallFunction)
    replacement->becomes_call = last;
  replacement->graph.output(result);
  if (is_closed) *repeated_ = std::move(replacement);
}

}  // namespace fx
