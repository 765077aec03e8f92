// TypeCache: results of type functions by operator, argument types and constant arguments, so that
// a repeated block costs a look-up per node.
//
//   fx::TypeCache cache(context);
//   propagate_types(first, {.cache = &cache});
//   propagate_types(second, {.cache = &cache});   // of the same Context
//
// Keeps only what depends on nothing else: results for which a relation between symbols was asked
// depend on a ShapeEnv and are kept for that one alone (every propagation has such a cache).
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

/// For one thread at a time, and the nodes of one Context. Small ones take no memory but their own.
class TypeCache {
 public:
  explicit TypeCache(Context& context) : context_(&context) { clear(); }
  TypeCache(const TypeCache&) = delete;
  TypeCache& operator=(const TypeCache&) = delete;

  /// What a call is, as words: operator, counts and rules, then the arguments in order, an operand
  /// being its type. Equal words are equal calls; the words of a shorter key never begin a longer
  /// one, since the second has the number of words.
  struct Key {
    static constexpr uint32_t kMaxWords = 96;
    std::array<uint64_t, kMaxWords> words;
    uint32_t size = 0;
    uint64_t hash = 0;
  };
  /// False for calls that are not cached: with long lists, with graphs or functions among the
  /// arguments, and with operands of unknown type. `rules`: those that answer before the built-in
  /// ones, or null.
  static bool make_key(const Node& node, const TypeRules* rules, Key& key);

  /// The node's type, if its call is the one that followed last time upon the call found before:
  /// graphs repeat themselves. One pass over the arguments, nothing hashed. Else the null Type;
  /// `find` then tells whether the call is known.
  Type find_next(const Node& node, const TypeRules* rules);
  /// The null Type when there is none.
  Type find(const Key& key) {
    const auto tag = static_cast<uint32_t>(key.hash >> 32);
    for (size_t i = tag & mask_;; i = (i + 1) & mask_) {
      const Slot slot = slots_[i];
      if (slot.record == 0) return Type();
      if (slot.tag == tag && equals(&records_[slot.record], key)) return found(slot.record);
    }
  }
  /// A call that is not there yet, and a type that is not null.
  void insert(const Key& key, Type type);

  size_t size() const { return size_; }
  Context& context() const { return *context_; }
  void clear();

 private:
  struct Slot {
    uint32_t tag = 0;     // upper half of the hash
    uint32_t record = 0;  // 0: free
  };
  // A record is the place of a call's words in records_. In front of them stand its type, and the
  // record found after it the last time.
  static constexpr uint32_t kHead = 2;

  Type found(uint32_t record) {
    records_[last_ - 1] = record;
    last_ = record;
    return Type(reinterpret_cast<const TypeData*>(records_[record - 2]));
  }
  static bool equals(const uint64_t* words, const Key& key) {
    // In this order the numbers of words are compared before anything behind them.
    for (uint32_t i = 0; i < key.size; ++i)
      if (words[i] != key.words[i]) return false;
    return true;
  }
  void grow();
  uint64_t* add_words(size_t count);

  Context* context_;
  Slot* slots_ = nullptr;  // first_slots_, later more_slots_
  size_t mask_ = 0;
  size_t size_ = 0;
  uint64_t* records_ = nullptr;  // first_records_, later more_records_
  size_t num_words_ = 0;
  size_t capacity_ = 0;  // of records_
  uint32_t last_ = 0;    // the record found last
  std::vector<Slot> more_slots_;
  std::unique_ptr<uint64_t[]> more_records_;
  std::array<Slot, 128> first_slots_;
  std::array<uint64_t, 512> first_records_;
};

}  // namespace fx
