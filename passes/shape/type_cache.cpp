// TypeCache: see type_cache.h. A lookup takes a few nanoseconds, mostly to load the node, its
// arguments and its operands; therefore the key is computed directly from the cells.
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

/// The factor of each word in the hash.
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

template <typename Sink>
bool append_items(const Graph& graph, const Cell& cell, Sink& sink, int depth);

/// Passes the words of an argument to `sink`. Returns false if the sink does, and for arguments
/// that a key cannot contain. An operand is represented by its type, an even word. A constant is
/// represented by its kind in an odd byte and its payload, in a separate word if it is wide. A list
/// is represented by its kind and number of items, followed by the items. Inlined, because almost
/// all arguments are operands and constants.
template <typename Sink>
[[gnu::always_inline]] inline bool append(const Graph& graph, const Cell& cell, Sink& sink,
                                          int depth = 0) {
  if (cell.is_use()) {
    const TypeData* type = Graph::Editor::type(*graph.storage().node_at(cell.head));
    return type && sink.put(reinterpret_cast<uintptr_t>(type));
  }
  const ArgumentKind kind = cell.kind();
  if ((kPlainKinds >> static_cast<int>(kind) & 1) == 0)
    return append_items(graph, cell, sink, depth);
  const uint64_t tag = static_cast<uint64_t>(kind) << 2 | 1;
  constexpr int64_t kNarrow = int64_t{1} << 54;
  const int64_t payload = cell.i;
  if (payload >= -kNarrow && payload < kNarrow)
    return sink.put(static_cast<uint64_t>(payload) << 8 | tag);
  return sink.put(tag | 2) && sink.put(static_cast<uint64_t>(payload));
}

/// Passes the words of a list to `sink`; see append().
template <typename Sink>
bool append_items(const Graph& graph, const Cell& cell, Sink& sink, int depth) {
  const ArgumentKind kind = cell.kind();
  if (!is_aggregate(kind) || kind == ArgumentKind::kDict || depth == kMaxNesting) return false;
  const uint64_t tag = static_cast<uint64_t>(kind) << 2 | 1;
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
  uint32_t size = 0;
  uint64_t hash = 0;

  bool put(uint64_t word) {
    if (size == Key::kMaxWords) return false;
    put_at(size, word);
    ++size;
    return true;
  }
  void put_at(uint32_t index, uint64_t word) {
    key.words[index] = word;
    hash += word * kFactors[index];
  }
};

/// Compares a call with a key. The words of a key encode where each argument ends, so the
/// continuations of equal prefixes have equal lengths.
struct KeyMatcher {
  const uint64_t* next;
  bool put(uint64_t word) { return *next++ == word; }
};

uint64_t target_of(const Node& node) {
  return reinterpret_cast<uintptr_t>(Graph::Editor::target(node));
}

/// Returns the second word of a key without its lowest byte, the number of words.
uint64_t counts_of(const Node& node, const TypeRules* rules) {
  return node.num_args() << 8 | node.num_kwargs() << 16 | (rules ? rules->id() : 0) << 24;
}

}  // namespace

bool TypeCache::make_key(const Node& node, const TypeRules* rules, Key& key) {
  const size_t num_cells = node.num_args() + 2 * node.num_kwargs();  // names are also cells
  if (num_cells > Key::kMaxWords) return false;
  const Graph& graph = node.graph();
  KeyWriter writer{key};
  writer.put(target_of(node));
  writer.size = 2;
  const Cell* cell = Graph::Editor::cells(node);
  for (const Cell* end = cell + num_cells; cell != end; ++cell)
    if (!append(graph, *cell, writer)) return false;
  writer.put_at(1, counts_of(node, rules) | writer.size);
  key.size = writer.size;
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
  heap_slots_ = {};
  inline_slots_.fill(Slot());
  slots_ = inline_slots_.data();
  mask_ = inline_slots_.size() - 1;
  size_ = 0;
  heap_records_ = nullptr;
  records_ = inline_records_.data();
  capacity_ = inline_records_.size();
  records_[0] = records_[1] = 0;  // not a call; the first record found becomes its successor
  num_words_ = kHeaderWords;
  last_ = kHeaderWords;
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
  heap_slots_ = std::move(larger);
  slots_ = heap_slots_.data();
  mask_ = mask;
}

/// Appends `count` uninitialized words to the records and returns a pointer to the first.
uint64_t* TypeCache::add_words(size_t count) {
  if (num_words_ + count > capacity_) {
    const size_t capacity = 2 * capacity_ + count;
    auto larger = std::make_unique_for_overwrite<uint64_t[]>(capacity);
    std::copy_n(records_, num_words_, larger.get());
    heap_records_ = std::move(larger);
    records_ = heap_records_.get();
    capacity_ = capacity;
  }
  uint64_t* const words = records_ + num_words_;
  num_words_ += count;
  return words;
}

void TypeCache::insert(const Key& key, Type type) {
  if (num_words_ + key.size + kHeaderWords > std::numeric_limits<uint32_t>::max()) return;
  if (2 * (size_ + 1) > mask_ + 1) grow();
  const auto tag = static_cast<uint32_t>(key.hash >> 32);
  size_t i = tag & mask_;
  while (slots_[i].record != 0) i = (i + 1) & mask_;
  uint64_t* const words = add_words(kHeaderWords + key.size);
  words[0] = reinterpret_cast<uintptr_t>(type.data());
  words[1] = 0;
  std::copy_n(key.words.begin(), key.size, words + kHeaderWords);
  const auto record = static_cast<uint32_t>(words + kHeaderWords - records_);
  slots_[i] = {tag, record};
  found(record);
  ++size_;
}

}  // namespace fx
