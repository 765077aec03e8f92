// TypeCache: see type_cache.h. A look-up takes a few nanoseconds, mostly for loads of the node, its
// arguments and its operands; so the key is written directly from the cells.
#include "fx/passes/shape/type_cache.h"

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/support/hash_mix.h"
#include "fx/passes/shape/type_rules.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace fx {
namespace {

using Cell = detail::Cell;
using Key = TypeCache::Key;

/// Factor of each word in the hash.
constexpr std::array<uint64_t, Key::kMaxWords> kFactors = internal::hash_factors<Key::kMaxWords>();

constexpr uint64_t bit_of(ArgumentKind kind) { return uint64_t{1} << static_cast<int>(kind); }
/// Kinds whose constant is the cell's payload. Strings and expressions are interned pointers.
constexpr uint64_t kPlainKinds = bit_of(ArgumentKind::kNone) | bit_of(ArgumentKind::kBool) |
                                 bit_of(ArgumentKind::kInt) | bit_of(ArgumentKind::kFloat) |
                                 bit_of(ArgumentKind::kString) | bit_of(ArgumentKind::kDType) |
                                 bit_of(ArgumentKind::kDevice) | bit_of(ArgumentKind::kLayout) |
                                 bit_of(ArgumentKind::kMemoryFormat) |
                                 bit_of(ArgumentKind::kSymbolic) | bit_of(ArgumentKind::kEllipsis);
constexpr int kMaxNesting = 4;

/// Passes the words of an argument to `sink`. Returns false if the sink does, and for arguments
/// that a key cannot contain. An operand is its type, an even word. Another argument is its kind in
/// an odd byte, then its payload, in a separate word if it is wide; or its number of items, then
/// the items.
template <typename Sink>
bool append(const Graph& graph, const Cell& cell, Sink& sink, int depth = 0) {
  if (cell.is_use()) {
    const TypeData* type = Graph::Editor::type(*graph.storage().node_at(cell.head));
    return type && sink.put(reinterpret_cast<uintptr_t>(type));
  }
  const ArgumentKind kind = cell.kind();
  const uint64_t tag = static_cast<uint64_t>(kind) << 2 | 1;
  if ((kPlainKinds >> static_cast<int>(kind) & 1) != 0) {
    constexpr int64_t kNarrow = int64_t{1} << 54;
    const int64_t payload = cell.i;
    if (payload >= -kNarrow && payload < kNarrow)
      return sink.put(static_cast<uint64_t>(payload) << 8 | tag);
    return sink.put(tag | 2) && sink.put(static_cast<uint64_t>(payload));
  }
  if (!is_aggregate(kind) || kind == ArgumentKind::kDict || depth == kMaxNesting) return false;
  if (!sink.put(uint64_t{cell.aux} << 8 | tag)) return false;
  if (cell.aux == 0) return true;
  const Cell* item = graph.storage().cell_at(cell.items.begin);  // items are contiguous
  for (const Cell* end = item + cell.aux; item != end; ++item)
    if (!append(graph, *item, sink, depth + 1)) return false;
  return true;
}

/// Writes a key.
struct KeyWriter {
  Key& key;
  uint32_t at = 0;
  uint64_t hash = 0;

  bool put(uint64_t word) {
    if (at == Key::kMaxWords) return false;
    put_at(at, word);
    ++at;
    return true;
  }
  void put_at(uint32_t place, uint64_t word) {
    key.words[place] = word;
    hash += word * kFactors[place];
  }
};

/// Compares with a key. The words of a key state where each argument ends, so equal prefixes have
/// equally long continuations.
struct KeyMatcher {
  const uint64_t* next;
  bool put(uint64_t word) { return *next++ == word; }
};

uint64_t target_of(const Node& node) {
  return reinterpret_cast<uintptr_t>(Graph::Editor::target(node));
}

/// The second word without the number of words, its lowest byte.
uint64_t counts_of(const Node& node, const TypeRules* rules) {
  return node.num_args() << 8 | node.num_kwargs() << 16 | (rules ? rules->id() : 0) << 24;
}

}  // namespace

bool TypeCache::make_key(const Node& node, const TypeRules* rules, Key& key) {
  const size_t num_cells = node.num_args() + 2 * node.num_kwargs();  // names are cells too
  if (num_cells > Key::kMaxWords) return false;
  const Graph& graph = node.graph();
  KeyWriter writer{key};
  writer.put(target_of(node));
  writer.at = 2;
  const Cell* cell = Graph::Editor::cells(node);
  for (const Cell* end = cell + num_cells; cell != end; ++cell)
    if (!append(graph, *cell, writer)) return false;
  writer.put_at(1, counts_of(node, rules) | writer.at);
  key.size = writer.at;
  key.hash = internal::hash_bits(writer.hash);
  return true;
}

Type TypeCache::find_next(const Node& node, const TypeRules* rules) {
  const auto record = static_cast<uint32_t>(records_[last_ - 1]);
  if (record == 0) return Type();
  const uint64_t* words = &records_[record];
  if (words[0] != target_of(node) || words[1] >> 8 != counts_of(node, rules) >> 8) return Type();
  const Graph& graph = node.graph();
  KeyMatcher matcher{words + 2};
  const Cell* cell = Graph::Editor::cells(node);
  for (const Cell* end = cell + node.num_args() + 2 * node.num_kwargs(); cell != end; ++cell)
    if (!append(graph, *cell, matcher)) return Type();
  return found(record);
}

void TypeCache::clear() {
  more_slots_ = {};
  first_slots_.fill(Slot());
  slots_ = first_slots_.data();
  mask_ = first_slots_.size() - 1;
  size_ = 0;
  more_records_ = nullptr;
  records_ = first_records_.data();
  capacity_ = first_records_.size();
  records_[0] = records_[1] = 0;  // not a call; its successor is the first record found
  num_words_ = kHead;
  last_ = kHead;
}

void TypeCache::grow() {
  std::vector<Slot> larger(2 * (mask_ + 1));
  const size_t mask = larger.size() - 1;
  for (const Slot* slot = slots_; slot != slots_ + mask_ + 1; ++slot) {
    if (slot->record == 0) continue;
    size_t i = slot->tag & mask;
    while (larger[i].record != 0) i = (i + 1) & mask;
    larger[i] = *slot;
  }
  more_slots_ = std::move(larger);
  slots_ = more_slots_.data();
  mask_ = mask;
}

/// Makes room for `count` words after the existing ones.
uint64_t* TypeCache::add_words(size_t count) {
  if (num_words_ + count > capacity_) {
    const size_t capacity = 2 * capacity_ + count;
    auto larger = std::make_unique_for_overwrite<uint64_t[]>(capacity);
    std::copy_n(records_, num_words_, larger.get());
    more_records_ = std::move(larger);
    records_ = more_records_.get();
    capacity_ = capacity;
  }
  uint64_t* const words = records_ + num_words_;
  num_words_ += count;
  return words;
}

void TypeCache::insert(const Key& key, Type type) {
  if (num_words_ + key.size + kHead > std::numeric_limits<uint32_t>::max()) return;
  if (2 * (size_ + 1) > mask_ + 1) grow();
  const auto tag = static_cast<uint32_t>(key.hash >> 32);
  size_t i = tag & mask_;
  while (slots_[i].record != 0) i = (i + 1) & mask_;
  uint64_t* const words = add_words(kHead + key.size);
  words[0] = reinterpret_cast<uintptr_t>(type.data());
  words[1] = 0;
  std::copy_n(key.words.begin(), key.size, words + kHead);
  const auto record = static_cast<uint32_t>(words + kHead - records_);
  slots_[i] = {tag, record};
  found(record);
  ++size_;
}

}  // namespace fx
