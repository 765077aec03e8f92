// RecentCache: a small direct-mapped cache for lookups of a few repeated keys.
//
// Most nodes of a graph have one of a few functions, types and name bases. A pass that looks up
// facts about these for each node finds recent ones in the cache, without hashing, and all other
// facts in a complete table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace fx::internal {

/// Spreads keys over the entries of a RecentCache.
struct RecentIndex {
  size_t operator()(uint32_t id) const { return id; }
  size_t operator()(const void* pointer) const {
    const auto address = reinterpret_cast<uintptr_t>(pointer);
    return address >> 4 ^ address >> 10;  // objects are aligned and often in arrays
  }
  size_t operator()(std::string_view word) const {
    if (word.empty()) return 0;
    const auto at = [&](size_t i) { return static_cast<unsigned char>(word[i]); };
    return word.size() * 7 + at(0) + at(word.size() - 1) * 3u + at(word.size() / 2) * 5u;
  }
};

/// Contains up to `capacity` keys with their values: each entry contains the last added key that
/// Index maps to it. Key() is the key of an empty entry and is never found. The text of a Key that
/// is a view must outlive its entry.
template <class Key, class Value, size_t capacity, class Index = RecentIndex>
class RecentCache {
 public:
  /// The value of the key, or null. Valid until the next put.
  Value* find(const Key& key) {
    Entry& entry = entry_of(key);
    return entry.key == key && key != Key() ? &entry.value : nullptr;
  }
  /// Replaces the contents of the key's entry.
  Value& put(const Key& key, Value value) {
    Entry& entry = entry_of(key);
    entry.key = key;
    entry.value = std::move(value);
    return entry.value;
  }
  /// The value of the key; if it is not in the cache, `make()` creates it, and may use the cache.
  template <class Make>
  [[gnu::always_inline]] Value& get(const Key& key, Make&& make) {
    Entry& entry = entry_of(key);
    if (entry.key == key && key != Key()) [[likely]]
      return entry.value;
    return put(key, make());
  }

 private:
  struct Entry {
    Key key = Key();
    Value value = Value();
  };
  Entry& entry_of(const Key& key) { return entries_[Index()(key) % capacity]; }

  Entry entries_[capacity];
};

}  // namespace fx::internal
