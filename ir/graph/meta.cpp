// Metadata: see meta.h.
#include "fx/ir/graph/meta.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_storage_inline.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/hash_mix.h"

#include <algorithm>
#include <bit>

namespace fx {

namespace {

using Values = std::vector<std::optional<Argument>>;

/// See ColumnValues.
bool is_sparse(const Values& values) { return !values.empty() && values[0].has_value(); }

// The values of one key, by the indexes of nodes (dense_index). A column is dense, values[index],
// if many nodes have the key. Otherwise it is sparse: pairs of index and value in a hash table with
// open addressing, so that a graph of n nodes with n keys, one each, takes O(n) memory. values[0],
// which belongs to no node (each page starts with its header), distinguishes them: in a sparse
// column it contains the number of pairs.
class ColumnValues {
 public:
  explicit ColumnValues(Values& values) : values_(values) {}

  std::optional<Argument>* find(uint32_t index) {
    if (!is_sparse()) return index < values_.size() ? &values_[index] : nullptr;
    const size_t pair = pair_of(index);
    return values_[pair] ? &values_[pair + 1] : nullptr;
  }

  template <class T>
  void set(uint32_t index, T&& value) {
    if (index < values_.size() && !is_sparse()) [[likely]]
      values_[index] = std::forward<T>(value);
    else
      add(index, std::forward<T>(value));
  }

 private:
  // A column becomes sparse if fewer than one in kIndexesPerEntry indexes has a value, and dense
  // again when its density is 4 times that.
  static constexpr size_t kIndexesPerEntry = 16;

  [[gnu::noinline]] void add(uint32_t index, Argument value) {
    if (std::optional<Argument>* known = find(index)) {
      *known = std::move(value);
      return;
    }
    const size_t entries = is_sparse() ? num_pairs() + 1 : num_live() + 1;
    if (!is_sparse() && entries * kIndexesPerEntry > index) {
      values_.resize(room_for(index));
      values_[index] = std::move(value);
      return;
    }
    if (!is_sparse() || entries * 4 > capacity() * 3) rebuild(index);
    if (!is_sparse()) return set(index, std::move(value));
    const size_t pair = pair_of(index);
    values_[0] = Argument(num_pairs() + 1);
    values_[pair] = Argument(index);
    values_[pair + 1] = std::move(value);
  }
  /// Long columns reserve a quarter more than they need, short ones twice what they need.
  static size_t room_for(uint32_t index) {
    return index + size_t{1} + (index < 4096 ? index : index / 4);
  }
  bool is_sparse() const { return fx::is_sparse(values_); }
  size_t num_pairs() const { return static_cast<size_t>(values_[0]->as_int()); }
  size_t capacity() const { return values_.size() / 2 - 1; }  // of pairs, a power of two
  size_t num_live() const {
    return static_cast<size_t>(std::count_if(values_.begin(), values_.end(),
                                             [](const auto& value) { return value.has_value(); }));
  }
  /// The position of the pair with this index, or the position where it would be inserted.
  size_t pair_of(uint32_t index) const {
    const size_t mask = capacity() - 1;
    size_t i = internal::hash_bits(index) & mask;
    while (values_[2 + 2 * i] && values_[2 + 2 * i]->as_int() != index) i = (i + 1) & mask;
    return 2 + 2 * i;
  }

  /// Makes room for a value at `index`. Chooses the dense or the sparse form for the new size.
  void rebuild(uint32_t index) {
    std::vector<std::pair<uint32_t, Argument>> entries;
    uint32_t last = index;
    if (is_sparse()) {
      for (size_t i = 2; i < values_.size(); i += 2) {
        if (!values_[i] || !values_[i + 1]) continue;  // free, or removed
        entries.emplace_back(static_cast<uint32_t>(values_[i]->as_int()),
                             *std::move(values_[i + 1]));
      }
    } else {
      for (size_t i = 0; i < values_.size(); ++i)
        if (values_[i]) entries.emplace_back(static_cast<uint32_t>(i), *std::move(values_[i]));
    }
    for (const auto& [used, value] : entries) last = std::max(last, used);
    values_ = {};
    if ((entries.size() + 1) * (kIndexesPerEntry / 4) > last) {
      values_.resize(room_for(last));
      for (auto& [used, value] : entries) values_[used] = std::move(value);
      return;
    }
    values_.resize(2 + 2 * std::bit_ceil(2 * (entries.size() + 1)));
    values_[0] = Argument(entries.size());
    for (auto& [used, value] : entries) {
      const size_t pair = pair_of(used);
      values_[pair] = Argument(used);
      values_[pair + 1] = std::move(value);
    }
  }

  Values& values_;
};

/// The value at an index; null if there is none.
const Argument* value_at(const Values& values, uint32_t index) {
  // find() changes nothing.
  const std::optional<Argument>* value = ColumnValues(const_cast<Values&>(values)).find(index);
  return value && *value ? &**value : nullptr;
}

const Argument* find_value(const Values& values, uint32_t slot) {
  return value_at(values, dense_index(slot));
}

/// Returns true if there was a value.
bool remove_value(Values& values, uint32_t slot) {
  std::optional<Argument>* value = ColumnValues(values).find(dense_index(slot));
  if (!value || !*value) return false;
  value->reset();
  return true;
}

}  // namespace

const Argument* MetaTable::find(std::string_view key, uint32_t slot) const {
  for (const Column& column : columns_)
    if (column.key.str() == key) return find_value(column.values, slot);
  return nullptr;
}

const Argument* MetaTable::find(Symbol key, uint32_t slot) const {
  for (const Column& column : columns_)
    if (column.key == key) return find_value(column.values, slot);
  return nullptr;
}

MetaTable::Column* MetaTable::find_column(Symbol key) {
  const auto column = std::ranges::find(columns_, key, &Column::key);
  return column == columns_.end() ? nullptr : &*column;
}

void MetaTable::set(Symbol key, uint32_t slot, Argument value) {
  Column* column = find_column(key);
  if (column == nullptr) column = &columns_.emplace_back(Column{key, {}});
  ColumnValues(column->values).set(dense_index(slot), std::move(value));
}

void MetaTable::copy(const MetaTable& other,
                     absl::Span<const std::pair<uint32_t, uint32_t>> indexes) {
  uint32_t last = 0;
  for (const auto& [from, to] : indexes) last = std::max(last, to);
  const auto first_with = [&](const Column& column) {
    return std::ranges::find_if(
        indexes, [&](const auto& pair) { return value_at(column.values, pair.first) != nullptr; });
  };
  // Keys that are new in this table are added in the order in which copying node by node would add
  // them.
  std::vector<std::pair<size_t, Symbol>> added;  // by the number of the first node with it
  for (const Column& column : other.columns_) {
    if (find_column(column.key) != nullptr) continue;
    const auto first = first_with(column);
    if (first != indexes.end()) added.emplace_back(first - indexes.begin(), column.key);
  }
  std::ranges::stable_sort(added, {}, &std::pair<size_t, Symbol>::first);
  for (const auto& [first, key] : added) columns_.push_back(Column{key, {}});

  for (const Column& column : other.columns_) {
    const auto first = first_with(column);
    if (first == indexes.end()) continue;
    const Values& theirs = column.values;
    Values& target = find_column(column.key)->values;
    // A column of a few values may be dense; it must not become as long as the graph.
    const bool is_long = last > 16 * (target.size() + theirs.size());
    if (is_sparse(theirs) || is_sparse(target) || is_long) {
      for (auto pair = first; pair != indexes.end(); ++pair)
        if (const Argument* value = value_at(theirs, pair->first))
          ColumnValues(target).set(pair->second, *value);
      continue;
    }
    // A column that is dense in the other table will be dense here: resize it once.
    if (last >= target.size()) target.resize(last + size_t{1});
    for (auto pair = first; pair != indexes.end(); ++pair)
      if (pair->first < theirs.size() && theirs[pair->first])
        target[pair->second] = theirs[pair->first];
  }
}

bool MetaTable::remove(std::string_view key, uint32_t slot) {
  for (Column& column : columns_)
    if (column.key.str() == key) return remove_value(column.values, slot);
  return false;
}

void MetaTable::remove_all(uint32_t slot) {
  for (Column& column : columns_) remove_value(column.values, slot);
}

void MetaTable::clear() {
  for (Column& column : columns_) column.values = {};
}

void MetaTable::take(MetaTable&& other) {
  clear();
  for (Column& taken : other.columns_) {
    const auto column = std::find_if(columns_.begin(), columns_.end(),
                                     [&](const Column& c) { return c.key == taken.key; });
    if (column == columns_.end())
      columns_.push_back(std::move(taken));
    else
      column->values = std::move(taken.values);
  }
  other.columns_.clear();
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

const Argument* NodeMeta::find(Symbol key) const {
  if (!(node_->flags_ & Node::kHasMeta)) return nullptr;
  return node_->graph().meta_.find(key, node_->slot_);
}

NodeMeta::Column::Column(const Graph& graph, Symbol key) {
  const auto& columns = graph.meta_.columns_;
  const auto column = std::ranges::find(columns, key, &MetaTable::Column::key);
  if (column != columns.end()) values_ = &column->values;
}

const Argument* NodeMeta::Column::find(const Node& node) const {
  if (!(node.flags_ & Node::kHasMeta) || values_ == nullptr) return nullptr;
  return find_value(*values_, node.slot_);
}

void NodeMeta::set(std::string_view key, Argument value) {
  FX_CHECK(!value.contains_node(), "metadata must not contain nodes");
  Graph& graph = node_->graph();
  // A graph has few columns: comparing strings is faster than interning the key.
  auto& columns = graph.meta_.columns_;
  const auto column = std::find_if(columns.begin(), columns.end(),
                                   [key](const auto& c) { return c.key.str() == key; });
  if (column != columns.end()) {
    ColumnValues(column->values).set(dense_index(node_->slot_), std::move(value));
  } else {
    graph.meta_.set(graph.context().symbol(key), node_->slot_, std::move(value));
  }
  graph.storage_.node_at(node_->slot_)->flags_ |= Node::kHasMeta;
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
  for (size_t i = 0; i < columns.size(); ++i)
    if (const Argument* value = find_value(columns[i].values, node_->slot_))
      f(columns[i].key, *value);
}

void NodeMeta::copy_from(const Node& other) {
  if (!(other.flags_ & Node::kHasMeta)) return;
  Graph& graph = node_->graph();
  if (const Graph& source = other.graph(); &source != &graph) {
    bool any = false;
    const auto& columns = source.meta_.columns_;
    const uint32_t from = dense_index(other.slot_), to = dense_index(node_->slot_);
    for (size_t i = 0; i < columns.size(); ++i) {
      const Argument* value = value_at(columns[i].values, from);
      if (value == nullptr) continue;
      // Graphs that are copies of other graphs have their columns in the same order.
      auto& to_columns = graph.meta_.columns_;
      if (i < to_columns.size() && to_columns[i].key == columns[i].key)
        ColumnValues(to_columns[i].values).set(to, *value);
      else
        graph.meta_.set(columns[i].key, node_->slot_, *value);
      any = true;
    }
    if (!any) return;
    graph.storage_.node_at(node_->slot_)->flags_ |= Node::kHasMeta;
    graph.changed();
    return;
  }
  // Collect the entries first, because set() may grow the columns.
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
