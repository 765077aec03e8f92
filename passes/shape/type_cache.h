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

#include "fx/ir/type.h"

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fx {

class BoundTypeRule;
class Context;
class Node;

/// For one thread at a time, and the nodes of one Context.
class TypeCache {
 public:
  explicit TypeCache(Context& context) : context_(&context) { clear(); }

  /// What a call is: rule, types of operands, constants.
  struct Key {
    absl::InlinedVector<uint64_t, 48> words;
    uint64_t hash = 0;
  };
  /// False for calls that are not cached: with long lists, graphs or functions among the arguments.
  static bool make_key(const BoundTypeRule& rule, const Node& node, Key& key);

  /// The null Type when there is none.
  Type find(const Key& key) const {
    for (size_t i = key.hash & mask_;; i = (i + 1) & mask_) {
      const Entry& entry = entries_[i];
      if (entry.size == 0) return Type();
      if (entry.hash == key.hash && equals(entry, key)) return entry.type;
    }
  }
  void insert(const Key& key, Type type);

  size_t size() const { return size_; }
  Context& context() const { return *context_; }
  void clear();

 private:
  struct Entry {
    uint64_t hash = 0;
    Type type;
    uint32_t begin = 0;  // in words_
    uint32_t size = 0;   // 0: free
  };
  bool equals(const Entry& entry, const Key& key) const;
  void grow();

  Context* context_;
  std::vector<Entry> entries_;
  size_t mask_ = 0;
  size_t size_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace fx
