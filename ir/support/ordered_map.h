// OrderedMap: a map with string keys, in the order in which they were first set, like Python's
// dict.
//
// For members of modules and similar entries: usually a few, sometimes tens of thousands (if a
// graph is split into that many modules). A small map is searched linearly; a large one has a hash
// table. Setting, finding and erasing are O(1). An empty map is one null pointer. This header also
// defines TextHash, the hash function of the table.
#pragma once

#include "fx/ir/support/huge_pages.h"

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "absl/strings/string_view.h"

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

/// Abseil's hash of a string, for tables keyed by text on hot paths. If absl::string_view is a
/// separate type, as in Debian's packages, Abseil's tables would hash a std::string_view with
/// std::hash, which takes two to three times as long for names.
struct TextHash {
  size_t operator()(std::string_view text) const {
    return absl::Hash<absl::string_view>()(absl::string_view(text.data(), text.size()));
  }
};

/// See the top of this file. Entries keep their addresses, and iterators to them stay valid, until
/// they are erased, even if the map is moved. A moved-from map is empty.
template <class T>
class OrderedMap {
  struct Node;

 public:
  struct Entry {
    const std::string key;
    T value;
  };

  /// A forward iterator.
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
  bool empty() const { return size() == 0; }
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
  /// Like find, but returns the entry with the stored key, which lives as long as the entry.
  const Entry* find_entry(std::string_view key) const {
    const Node* node = locate(key);
    return node ? &node->entry : nullptr;
  }
  bool contains(std::string_view key) const { return locate(key) != nullptr; }

  /// Sets the value; an existing key keeps its position.
  T& set(std::string_view key, T value) {
    T& stored = *find_or_append(key).first;
    stored = std::move(value);
    return stored;
  }
  /// The value of `key`, and true if the key is new; in that case, the value is a T() at the end of
  /// the map.
  std::pair<T*, bool> find_or_append(std::string_view key) {
    if (!body_) body_ = std::make_unique<Body>();
    const auto [node, is_new] = body_->find_or_append(key);
    return {&node->entry.value, is_new};
  }
  /// Makes room for `n` more entries.
  void reserve(size_t n) {
    if (n == 0) return;
    if (!body_) body_ = std::make_unique<Body>();
    body_->reserve(n);
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
    Node(std::string_view key, Node* last) : entry{std::string(key), T()}, previous(last) {}
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
  /// A key with its hash, which is stored, so that the index grows without access to the entries.
  struct Key {
    explicit Key(std::string_view text) : hash(hash_of(text)), str(text) {}
    size_t hash;
    std::string_view str;
  };
  struct Slot {
    size_t hash;
    Node* node;
  };
  struct SlotHash {
    using is_transparent = void;
    size_t operator()(const Key& key) const { return key.hash; }
    size_t operator()(const Slot& slot) const { return slot.hash; }
  };
  struct SlotEqual {
    using is_transparent = void;
    bool operator()(const Slot& a, const Slot& b) const { return a.node == b.node; }
    bool operator()(const Slot& slot, const Key& key) const {
      return slot.hash == key.hash && slot.node->entry.key == key.str;
    }
    bool operator()(const Key& key, const Slot& slot) const { return (*this)(slot, key); }
  };
  /// Keys that differ only in their last character get neighboring positions: names are usually
  /// numbered ("fused_0", "fused_1", ...), and otherwise each lookup in a table of several
  /// megabytes would be a cache miss, which takes longer than the rest of adding a child. Abseil's
  /// tables use seven bits to distinguish keys, and the other bits for the position.
  static size_t hash_of(std::string_view key) {
    if (key.empty()) return 0;
    const size_t last = static_cast<unsigned char>(key.back());
    key.remove_suffix(1);
    const size_t block = TextHash()(key);
    return (block << 11) | (last % 16 << 7) | ((block + last) & 0x7f);
  }

  /// The contents of a non-empty map: its entries as a list in order, and an index if there
  /// are many.
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
    void reserve(size_t n) {
      if (size_ + n > kScanned) index_.reserve(size_ + n);
    }

    Node* find(std::string_view key) {
      if (index_.empty()) return scan(key);
      const auto slot = index_.find(Key(key));
      return slot == index_.end() ? nullptr : slot->node;
    }

    std::pair<Node*, bool> find_or_append(std::string_view text) {
      if (index_.empty()) {
        if (Node* node = scan(text)) return {node, false};
        if (size_ < kScanned) return {append(text), true};
        for (Node* node = first_; node; node = node->next)
          index_.insert({.hash = hash_of(node->entry.key), .node = node});
      }
      bool is_new = false;
      const Key key(text);
      const auto slot = index_.lazy_emplace(key, [&](const auto& make) {
        is_new = true;
        make(Slot{.hash = key.hash, .node = append(text)});
      });
      return {slot->node, is_new};
    }

    void erase(Node* node) {
      if (!index_.empty()) index_.erase(index_.find(Key(node->entry.key)));
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

    Node* append(std::string_view key) {
      Node* node = std::construct_at(&take_room()->node, key, last_);
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

    Node* first_ = nullptr;
    Node* last_ = nullptr;
    size_t size_ = 0;
    // Empty while there are few entries.
    absl::flat_hash_set<Slot, SlotHash, SlotEqual, internal::HugePageAllocator<Slot>> index_;
    Room* free_ = nullptr;  // memory of erased nodes, to be reused
    Room* unused_ = few_;   // up to unused_end_: not yet used
    Room* unused_end_ = std::end(few_);
    std::vector<std::unique_ptr<Room[]>> slabs_;
    Room few_[2];
  };

  Node* first() const { return body_ ? body_->first() : nullptr; }
  Node* locate(std::string_view key) const { return body_ ? body_->find(key) : nullptr; }

  std::unique_ptr<Body> body_;
};

}  // namespace fx
