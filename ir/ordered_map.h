// OrderedMap: text keys to values, in the order in which keys were first set, as Python's dict.
//
// For the members of modules and the like: small as a rule, thousands of entries now and then.
// Look-up is a scan while small and a hash table later; setting, finding and erasing are O(1).
#pragma once

#include "fx/ir/support/text_hash.h"

#include "absl/container/flat_hash_map.h"

#include <cstddef>
#include <iterator>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace fx {

/// See the head of this file. Entries keep their addresses until erased.
template <class T>
class OrderedMap {
 public:
  struct Entry {
    const std::string key;
    T value;
  };
  using iterator = typename std::list<Entry>::iterator;
  using const_iterator = typename std::list<Entry>::const_iterator;

  OrderedMap() = default;
  OrderedMap(OrderedMap&&) = default;
  OrderedMap& operator=(OrderedMap&&) = default;

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  iterator begin() { return entries_.begin(); }
  iterator end() { return entries_.end(); }
  const_iterator begin() const { return entries_.begin(); }
  const_iterator end() const { return entries_.end(); }

  /// The value of `key`, or null.
  T* find(std::string_view key) {
    auto it = locate(key);
    return it == entries_.end() ? nullptr : &it->value;
  }
  const T* find(std::string_view key) const { return const_cast<OrderedMap*>(this)->find(key); }
  /// The same with the key as it is kept, which lives as long as the entry.
  const Entry* find_entry(std::string_view key) const {
    auto it = const_cast<OrderedMap*>(this)->locate(key);
    return it == entries_.end() ? nullptr : &*it;
  }
  bool contains(std::string_view key) const { return find(key) != nullptr; }

  /// Sets the value; an existing key keeps its place.
  T& set(std::string_view key, T value) {
    if (auto it = locate(key); it != entries_.end()) {
      it->value = std::move(value);
      return it->value;
    }
    return append(key, std::move(value));
  }
  /// Sets the value of a key that is known to be new.
  T& append(std::string_view key, T value) {
    entries_.push_back(Entry{std::string(key), std::move(value)});
    auto added = std::prev(entries_.end());
    if (!index_.empty()) {
      index_.emplace(added->key, added);
    } else if (entries_.size() > kScanned) {
      for (auto it = entries_.begin(); it != entries_.end(); ++it) index_.emplace(it->key, it);
    }
    return added->value;
  }
  /// False when there is no such key.
  bool erase(std::string_view key) {
    auto it = locate(key);
    if (it == entries_.end()) return false;
    erase(it);
    return true;
  }
  /// The entry after the erased one.
  iterator erase(iterator it) {
    index_.erase(it->key);
    return entries_.erase(it);
  }

 private:
  static constexpr size_t kScanned = 8;

  iterator locate(std::string_view key) {
    if (!index_.empty()) {
      auto found = index_.find(key);
      return found == index_.end() ? entries_.end() : found->second;
    }
    auto it = entries_.begin();
    while (it != entries_.end() && it->key != key) ++it;
    return it;
  }

  std::list<Entry> entries_;
  // Empty while there are few entries.
  absl::flat_hash_map<std::string_view, iterator, TextHash> index_;
};

}  // namespace fx
