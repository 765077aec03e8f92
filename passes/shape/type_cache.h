// TypeCache: results of type functions, keyed by operator, argument types and constant arguments,
// so a repeated block costs one lookup per node.
//
//   fx::TypeCache cache(context);
//   propagate_types(first, {.cache = &cache});
//   propagate_types(second, {.cache = &cache});   // a graph in the same Context
//
// Caches only results that depend on the key alone. Results for which a relation between symbols
// was evaluated also depend on a ShapeEnv; each propagation has a separate cache for these.
#pragma once

#include "fx/ir/types/type.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace fx {

class Context;
class Node;
class TypeRules;

/// The cache for nodes of one Context. Not thread-safe. Small caches allocate no memory.
class TypeCache {
 public:
  explicit TypeCache(Context& context) : context_(&context) { clear(); }
  TypeCache(const TypeCache&) = delete;
  TypeCache& operator=(const TypeCache&) = delete;

  /// A call as a sequence of words: operator, counts and rules, then the arguments in order, with
  /// the type of each operand. Equal words mean equal calls. No key is a prefix of another, because
  /// the second word contains the number of words.
  struct Key {
    static constexpr uint32_t kMaxWords = 96;
    std::array<uint64_t, kMaxWords> words;
    uint32_t size = 0;
    uint64_t hash = 0;
  };
  /// Writes the key of a call. Returns false for calls that are not cached: calls with long lists,
  /// with graphs or functions among the arguments, or with operands of unknown type. `rules`, if
  /// not null, take precedence over the built-in rules.
  static bool make_key(const Node& node, const TypeRules* rules, Key& key);

  /// Returns the node's type if its call equals the predicted one: the call that followed the
  /// previous call when the previous call was last found. Graphs repeat sequences of calls. Visits
  /// each argument once and computes no hash. Otherwise returns the null Type, and the caller must
  /// use find().
  Type find_next(const Node& node, const TypeRules* rules);
  /// Returns the type of a call; the null Type if there is no entry.
  Type find(const Key& key) {
    const auto tag = static_cast<uint32_t>(key.hash >> 32);
    for (size_t i = tag & mask_;; i = (i + 1) & mask_) {
      const Slot slot = slots_[i];
      if (slot.record == 0) return Type();
      if (slot.tag == tag && equals(&records_[slot.record], key)) return found(slot.record);
    }
  }
  /// Adds an entry for a call that has none. `type` must not be null.
  void insert(const Key& key, Type type);

  size_t size() const { return size_; }
  Context& context() const { return *context_; }
  void clear();

 private:
  struct Slot {
    uint32_t tag = 0;     // upper half of the hash
    uint32_t record = 0;  // 0: free
  };
  // A record is the index of a call's first word in records_. The two words before it are the
  // call's type and the record that was last found after this one.
  static constexpr uint32_t kHeaderWords = 2;

  Type found(uint32_t record) {
    records_[last_ - 1] = record;
    last_ = record;
    return Type(reinterpret_cast<const TypeData*>(records_[record - 2]));
  }
  static bool equals(const uint64_t* words, const Key& key) {
    // The number of words is compared before the words after it.
    for (uint32_t i = 0; i < key.size; ++i)
      if (words[i] != key.words[i]) return false;
    return true;
  }
  void grow();
  uint64_t* add_words(size_t count);

  Context* context_;
  Slot* slots_ = nullptr;  // inline_slots_, later heap_slots_
  size_t mask_ = 0;
  size_t size_ = 0;
  uint64_t* records_ = nullptr;  // inline_records_, later heap_records_
  size_t num_words_ = 0;
  size_t capacity_ = 0;  // capacity of records_
  uint32_t last_ = 0;    // the most recently found record
  std::vector<Slot> heap_slots_;
  std::unique_ptr<uint64_t[]> heap_records_;
  std::array<Slot, 128> inline_slots_;
  std::array<uint64_t, 512> inline_records_;
};

}  // namespace fx
