// A set of immutable, arena-allocated nodes, each stored once. Used by TypeTable and SymExprTable.
// Private to ir/.
//
// Lookups take no lock: slots are published with release stores and do not change after that. When
// the table grows, the old tables are kept for readers that still use them (together they are
// smaller than the new one). Only creating a node takes the lock.
#pragma once

#include "absl/types/span.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace fx::internal {

/// Allocates memory that lives as long as the arena, first from a given buffer, which must outlive
/// the arena. Not thread-safe.
class Arena {
 public:
  Arena(uint64_t* first, size_t words) : next_(reinterpret_cast<char*>(first)), left_(8 * words) {}
  /// `bytes` bytes, aligned for any node (8).
  void* allocate(size_t bytes) {
    bytes = (bytes + 7) & ~size_t{7};
    if (bytes > left_) grow(bytes);
    char* result = next_;
    next_ += bytes;
    left_ -= bytes;
    return result;
  }

 private:
  void grow(size_t bytes) {
    const size_t block = bytes > next_block_ ? bytes : next_block_;
    if (next_block_ < size_t{1} << 20) next_block_ *= 2;
    blocks_.push_back(std::make_unique_for_overwrite<uint64_t[]>((block + 7) / 8));
    next_ = reinterpret_cast<char*>(blocks_.back().get());
    left_ = block;
  }

  char* next_;
  size_t left_;
  size_t next_block_ = 8192;
  std::vector<std::unique_ptr<uint64_t[]>> blocks_;
};

/// `Node` must have a member `uint32_t hash`. The set contains the memory for the nodes of a small
/// graph.
template <typename Node>
class InternSet {
 public:
  InternSet() : arena_(first_nodes_.data(), first_nodes_.size()) {
    publish(std::make_unique<Table>(absl::MakeSpan(first_slots_)));
  }
  InternSet(const InternSet&) = delete;
  InternSet& operator=(const InternSet&) = delete;

  /// The node with this hash for which `equal(node)` is true, or null.
  template <typename Equal>
  const Node* find(uint32_t hash, const Equal& equal) const {
    return find_in(*table_.load(std::memory_order_acquire), hash, equal);
  }

  /// The node with this hash for which `equal(node)` is true. If there is none, `make(arena)`
  /// creates it, and must store the hash in it.
  template <typename Equal, typename Make>
  const Node* find_or_make(uint32_t hash, const Equal& equal, const Make& make) {
    if (const Node* found = find(hash, equal)) return found;
    std::lock_guard<std::mutex> lock(mutex_);
    if (const Node* found = find(hash, equal)) return found;
    const size_t count = count_.load(std::memory_order_relaxed) + 1;
    if (2 * count > tables_.back()->capacity) grow();
    const Node* node = make(arena_);
    insert(*tables_.back(), node, std::memory_order_release);
    count_.store(count, std::memory_order_relaxed);
    return node;
  }

  size_t size() const { return count_.load(std::memory_order_relaxed); }

 private:
  using Slot = std::atomic<const Node*>;
  struct Table {
    explicit Table(absl::Span<Slot> buffer) : capacity(buffer.size()), slots(buffer.data()) {}
    explicit Table(size_t n)
        : capacity(n), owned(std::make_unique<Slot[]>(n)), slots(owned.get()) {}
    size_t capacity;  // a power of two
    std::unique_ptr<Slot[]> owned;
    Slot* slots;
  };

  template <typename Equal>
  static const Node* find_in(const Table& table, uint32_t hash, const Equal& equal) {
    for (size_t i = hash & (table.capacity - 1);; i = (i + 1) & (table.capacity - 1)) {
      const Node* node = table.slots[i].load(std::memory_order_acquire);
      if (!node || (node->hash == hash && equal(*node))) return node;
    }
  }

  static void insert(Table& table, const Node* node, std::memory_order order) {
    size_t i = node->hash & (table.capacity - 1);
    while (table.slots[i].load(std::memory_order_relaxed)) i = (i + 1) & (table.capacity - 1);
    table.slots[i].store(node, order);
  }

  void grow() {
    const Table& old = *tables_.back();
    auto table = std::make_unique<Table>(2 * old.capacity);
    for (size_t i = 0; i < old.capacity; ++i)
      if (const Node* node = old.slots[i].load(std::memory_order_relaxed))
        insert(*table, node, std::memory_order_relaxed);
    publish(std::move(table));
  }

  void publish(std::unique_ptr<Table> table) {
    table_.store(table.get(), std::memory_order_release);
    tables_.push_back(std::move(table));
  }

  std::array<Slot, 256> first_slots_ = {};
  std::array<uint64_t, 768> first_nodes_ = {};
  std::atomic<Table*> table_ = nullptr;
  std::atomic<size_t> count_ = 0;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Table>> tables_;
  Arena arena_;
};

}  // namespace fx::internal
