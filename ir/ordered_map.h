// OrderedMap: text keys to values, in the order in which keys were first set, as Python's dict.
//
// For the members of modules and the like: none or a few as a rule, tens of thousands now and then
// (a graph cut into as many modules). Look-up is a scan while small and a hash table later;
// setting, finding and erasing are O(1). An empty map is one null pointer.
#pragma once

#include "fx/ir/support/text_hash.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

/// See the head of this file. Entries keep their addresses until erased, also when the map is
/// moved; iterators stay valid as long. A map that was moved from is empty.
template <class T>
class OrderedMap {
  struct Node;

 public:
  struct Entry {
    const std::string key;
    T value;
  };

  /// Forward only.
  template <class E>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = E*;
    using reference = E&;

    Iterator() = default;
    operator Iterator<const Entry>() const
      requires(!std::is_const_v<E>)
    {
      return Iterator<const Entry>(node_);
    }
    E& operator*() const { return node_->entry; }
    E* operator->() const { return &node_->entry; }
    Iterator& operator++() {
      node_ = node_->next;
      return *this;
    }
    Iterator operator++(int) { return Iterator(std::exchange(node_, node_->next)); }
    bool operator==(const Iterator&) const = default;

   private:
    friend class OrderedMap;
    explicit Iterator(Node* node) : node_(node) {}
    Node* node_ = nullptr;  // null: the end
  };
  using iterator = Iterator<Entry>;
  using const_iterator = Iterator<const Entry>;

  OrderedMap() = default;
  OrderedMap(OrderedMap&&) = default;
  OrderedMap& operator=(OrderedMap&&) = default;

  size_t size() const { return body_ ? body_->size() : 0; }
  bool empty() const { return body_ == nullptr; }
  iterator begin() { return iterator(first()); }
  iterator end() { return iterator(); }
  const_iterator begin() const { return const_iterator(first()); }
  const_iterator end() const { return const_iterator(); }

  /// The value of `key`, or null.
  T* find(std::string_view key) {
    Node* node = locate(key);
    return node ? &node->entry.value : nullptr;
  }
  const T* find(std::string_view key) const { return const_cast<OrderedMap*>(this)->find(key); }
  /// The same with the key as it is kept, which lives as long as the entry.
  const Entry* find_entry(std::string_view key) const {
    const Node* node = locate(key);
    return node ? &node->entry : nullptr;
  }
  bool contains(std::string_view key) const { return locate(key) != nullptr; }

  /// Sets the value; an existing key keeps its place.
  T& set(std::string_view key, T value) {
    const auto [kept, is_new] = try_append(key, std::move(value));
    if (!is_new) *kept = std::move(value);
    return *kept;
  }
  /// Sets the value of a key that is known to be new.
  T& append(std::string_view key, T&& value) { return *try_append(key, std::move(value)).first; }
  /// Sets the value of a new key. The value that the key has now, and whether it is new: if not,
  /// `value` was not moved from.
  std::pair<T*, bool> try_append(std::string_view key, T&& value) {
    if (!body_) body_ = std::make_unique<Body>();
    const auto [node, is_new] = body_->try_append(key, std::move(value));
    return {&node->entry.value, is_new};
  }
  /// False when there is no such key.
  bool erase(std::string_view key) {
    Node* node = locate(key);
    if (!node) return false;
    erase(iterator(node));
    return true;
  }
  /// The entry after the erased one.
  iterator erase(iterator it) {
    Node* next = it.node_->next;
    if (size() == 1)
      body_.reset();
    else
      body_->erase(it.node_);
    return iterator(next);
  }

 private:
  struct Node {
    Node(std::string_view key, T&& value, Node* last)
        : entry{std::string(key), std::move(value)}, previous(last) {}
    Entry entry;
    Node* previous;
    Node* next = nullptr;
  };
  /// Memory for a node.
  union Room {
    Room() {}
    ~Room() {}
    Node node;
    Room* next_free;
  };
  struct Slot {
    Node* node = nullptr;
    size_t hash = 0;  // of its key: kept, so that the table grows without a look at the nodes
  };

  /// What a map that is not empty has: its entries as a list in order, and an index of them once
  /// there are many.
  class Body {
   public:
    Body() = default;
    Body(const Body&) = delete;
    Body& operator=(const Body&) = delete;
    ~Body() {
      for (Node* node = first_; node;) std::destroy_at(std::exchange(node, node->next));
    }

    size_t size() const { return size_; }
    Node* first() const { return first_; }

    Node* find(std::string_view key) {
      return index_.empty() ? scan(key) : search(key, hash_of(key)).node;
    }

    std::pair<Node*, bool> try_append(std::string_view key, T&& value) {
      prepare_index();
      if (index_.empty()) {
        if (Node* node = scan(key)) return {node, false};
        return {append(key, std::move(value)), true};
      }
      const size_t hash = hash_of(key);
      Slot& slot = search(key, hash);
      if (slot.node) return {slot.node, false};
      slot = {append(key, std::move(value)), hash};
      return {slot.node, true};
    }

    void erase(Node* node) {
      if (!index_.empty()) remove_from_index(node);
      (node->previous ? node->previous->next : first_) = node->next;
      (node->next ? node->next->previous : last_) = node->previous;
      --size_;
      std::destroy_at(node);
      Room* room = reinterpret_cast<Room*>(node);
      room->next_free = free_;
      free_ = room;
    }

   private:
    static constexpr size_t kScanned = 8;
    static constexpr size_t kLargestSlab = 64;

    Node* append(std::string_view key, T&& value) {
      Node* node = std::construct_at(&take_room()->node, key, std::move(value), last_);
      (last_ ? last_->next : first_) = node;
      last_ = node;
      ++size_;
      return node;
    }
    Room* take_room() {
      if (free_) return std::exchange(free_, free_->next_free);
      if (unused_ == unused_end_) {
        const size_t count = std::clamp(size_, size_t{4}, kLargestSlab);
        slabs_.push_back(std::make_unique<Room[]>(count));
        unused_ = slabs_.back().get();
        unused_end_ = unused_ + count;
      }
      return unused_++;
    }

    Node* scan(std::string_view key) const {
      Node* node = first_;
      while (node && node->entry.key != key) node = node->next;
      return node;
    }

    // The index is a table with linear probing: a node stands in the first slot, from the home of
    // its hash on, that was empty. At most half of the slots are full.
    //
    // Keys that differ in their last character alone have neighbouring homes: names are made by
    // counting as a rule ("fused_0", "fused_1", ...), and in a table of megabytes each would miss
    // the cache otherwise, which takes longer than everything else about adding a child.
    static size_t hash_of(std::string_view key) {
      if (key.empty()) return 0;
      const size_t last = static_cast<unsigned char>(key.back());
      key.remove_suffix(1);
      return TextHash()(key) + last;
    }
    size_t home(size_t hash) const { return hash & (index_.size() - 1); }
    size_t after(size_t i) const { return home(i + 1); }

    /// The slot of the key, or the empty one in which it would stand.
    Slot& search(std::string_view key, size_t hash) {
      size_t i = home(hash);
      while (index_[i].node && !(index_[i].hash == hash && index_[i].node->entry.key == key))
        i = after(i);
      return index_[i];
    }
    void place(Slot slot) {
      size_t i = home(slot.hash);
      while (index_[i].node) i = after(i);
      index_[i] = slot;
    }
    /// Makes the index, or one of twice the size, when another entry needs that.
    void prepare_index() {
      if (index_.empty() ? size_ < kScanned : 2 * size_ < index_.size()) return;
      std::vector<Slot> old(std::max(4 * kScanned, 2 * index_.size()));
      old.swap(index_);
      if (old.empty()) {
        for (Node* node = first_; node; node = node->next) place({node, hash_of(node->entry.key)});
      }
      for (const Slot& slot : old)
        if (slot.node) place(slot);
    }
    void remove_from_index(const Node* node) {
      size_t hole = home(hash_of(node->entry.key));
      while (index_[hole].node != node) hole = after(hole);
      // Searches end at an empty slot. So of the nodes behind, up to one, those move into the hole
      // whose home is not behind it.
      for (size_t i = after(hole); index_[i].node; i = after(i)) {
        if (home(i - index_[i].hash) < home(i - hole)) continue;
        index_[hole] = index_[i];
        hole = i;
      }
      index_[hole] = {};
    }

    Node* first_ = nullptr;
    Node* last_ = nullptr;
    size_t size_ = 0;
    std::vector<Slot> index_;  // empty while there are few entries
    Room* free_ = nullptr;     // what erased nodes left, to be used again
    Room* unused_ = few_;      // up to unused_end_: not used yet
    Room* unused_end_ = std::end(few_);
    std::vector<std::unique_ptr<Room[]>> slabs_;
    Room few_[2];
  };

  Node* first() const { return body_ ? body_->first() : nullptr; }
  Node* locate(std::string_view key) const { return body_ ? body_->find(key) : nullptr; }

  std::unique_ptr<Body> body_;
};

}  // namespace fx
