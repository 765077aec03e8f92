// Meta data: see meta.h.
#include "fx/ir/meta.h"

#include "fx/ir/context.h"
#include "fx/ir/graph.h"
#include "fx/ir/support/check.h"

#include <algorithm>

namespace fx {

const Argument* MetaTable::find(std::string_view key, uint32_t slot) const {
  for (const Column& column : columns_) {
    if (column.key.str() != key) continue;
    if (slot >= column.values.size() || !column.values[slot]) return nullptr;
    return &*column.values[slot];
  }
  return nullptr;
}

void MetaTable::set(Symbol key, uint32_t slot, Argument value) {
  auto column = std::find_if(columns_.begin(), columns_.end(),
                             [key](const Column& c) { return c.key == key; });
  if (column == columns_.end()) column = columns_.insert(columns_.end(), Column{key, {}});
  if (slot >= column->values.size()) column->values.resize(slot + size_t{1} + slot / 4);
  column->values[slot] = std::move(value);
}

bool MetaTable::remove(std::string_view key, uint32_t slot) {
  for (Column& column : columns_) {
    if (column.key.str() != key) continue;
    if (slot >= column.values.size() || !column.values[slot]) return false;
    column.values[slot].reset();
    return true;
  }
  return false;
}

void MetaTable::remove_all(uint32_t slot) {
  for (Column& column : columns_)
    if (slot < column.values.size()) column.values[slot].reset();
}

size_t MetaTable::memory_bytes() const {
  size_t bytes = 0;
  for (const Column& column : columns_)
    bytes += column.values.capacity() * sizeof(column.values[0]);
  return bytes;
}

NodeMeta Node::meta() const { return NodeMeta(this); }

const Argument* NodeMeta::find(std::string_view key) const {
  if (!(node_->flags_ & Node::kHasMeta)) return nullptr;
  return node_->graph().meta_.find(key, node_->slot_);
}

void NodeMeta::set(std::string_view key, Argument value) {
  FX_CHECK(!value.holds_node(), "meta data holds no nodes");
  Graph& graph = node_->graph();
  graph.meta_.set(graph.context().symbol(key), node_->slot_, std::move(value));
  graph.node_at(node_->slot_)->flags_ |= Node::kHasMeta;
  graph.changed();
}

bool NodeMeta::remove(std::string_view key) {
  if (!(node_->flags_ & Node::kHasMeta)) return false;
  node_->graph().changed();
  return node_->graph().meta_.remove(key, node_->slot_);
}

bool NodeMeta::empty() const {
  bool empty = true;
  for_each([&](Symbol, const Argument&) { empty = false; });
  return empty;
}

void NodeMeta::for_each(absl::FunctionRef<void(Symbol, const Argument&)> f) const {
  if (!(node_->flags_ & Node::kHasMeta)) return;
  const auto& columns = node_->graph().meta_.columns_;
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto& values = columns[i].values;
    if (node_->slot_ < values.size() && values[node_->slot_])
      f(columns[i].key, *values[node_->slot_]);
  }
}

void NodeMeta::copy_from(const Node& other) {
  // Collected first: source and destination may be columns of one graph, which set() may grow.
  std::vector<std::pair<Symbol, Argument>> entries;
  NodeMeta(&other).for_each(
      [&](Symbol key, const Argument& value) { entries.emplace_back(key, value); });
  for (auto& [key, value] : entries) set(key.str(), std::move(value));
}

template <>
std::optional<bool> NodeMeta::decode<bool>(const Argument& value) {
  return value.is_bool() ? std::optional(value.as_bool()) : std::nullopt;
}
template <>
std::optional<int64_t> NodeMeta::decode<int64_t>(const Argument& value) {
  return value.is_int() ? std::optional(value.as_int()) : std::nullopt;
}
template <>
std::optional<double> NodeMeta::decode<double>(const Argument& value) {
  return value.is_float() ? std::optional(value.as_float()) : std::nullopt;
}
template <>
std::optional<std::string_view> NodeMeta::decode<std::string_view>(const Argument& value) {
  return value.is_string() ? std::optional(value.as_string()) : std::nullopt;
}
template <>
std::optional<Type> NodeMeta::decode<Type>(const Argument& value) {
  return value.kind() == ArgumentKind::kType ? std::optional(value.as_type()) : std::nullopt;
}
template <>
std::optional<Argument> NodeMeta::decode<Argument>(const Argument& value) {
  return value;
}

}  // namespace fx
