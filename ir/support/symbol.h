// Interned strings: names, paths and keys that many nodes and graphs share.
//
// A Symbol is a single pointer. Two Symbols of one SymbolTable are equal if and only if their
// strings are equal, so that comparing and hashing names does not read characters.
#pragma once

#include "fx/ir/support/hash_mix.h"

#include "absl/container/flat_hash_map.h"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// The properties of a string as the name of a node (name.h has the rules).
struct NameForm {
  bool legal : 1 = false;     ///< only letters, digits and `_`; does not start with a digit
  bool numbered : 1 = false;  ///< legal, and ends in `_` and digits
  bool reserved : 1 = false;  ///< a name that is never used without a number
  bool lower : 1 = false;     ///< no uppercase letters and no leading `__`
};
/// Computes the form of a string.
NameForm name_form(std::string_view text);

/// An immutable interned string; valid as long as the SymbolTable that created it exists. A
/// default-constructed Symbol is null: false in conditions, with an empty string and id 0.
class Symbol {
 public:
  constexpr Symbol() = default;

  /// The text, not null-terminated.
  std::string_view str() const {
    return data_ ? std::string_view(data_->text, data_->size) : std::string_view();
  }
  /// The index in the table; indexes are dense and start at 1. 0 for the null Symbol.
  uint32_t id() const { return data_ ? data_->id : 0; }
  /// Computed when the Symbol was created, so that naming a node does not read characters.
  NameForm name_form() const { return data_ ? data_->form : NameForm(); }
  explicit operator bool() const { return data_ != nullptr; }

  friend bool operator==(Symbol a, Symbol b) { return a.data_ == b.data_; }
  template <typename H>
  friend H AbslHashValue(H h, Symbol s) {
    return H::combine(std::move(h), s.data_);
  }
  /// A hash for large tables whose keys are looked up in roughly the order in which they were
  /// created: Symbols that were created consecutively are neighbors.
  struct NeighborHash {
    size_t operator()(Symbol s) const {
      const auto index = reinterpret_cast<uintptr_t>(s.data_) / sizeof(Data);
      const uint64_t block = internal::hash_bits(index / 16) >> 32;
      // Abseil's tables use seven bits to distinguish keys, and the other bits for the position.
      return (block << 11) | (index % 16 << 7) | ((block + index) & 0x7f);
    }
  };
  /// An index less than `n`. Any `n` Symbols created consecutively in one page have different
  /// indexes.
  size_t index_below(size_t n) const {
    return reinterpret_cast<uintptr_t>(data_) / sizeof(Data) % n;
  }

 private:
  friend class SymbolTable;
  friend class Argument;
  friend class ArgumentRef;
  friend class Graph;
  friend class GraphStorage;
  friend class Node;
  struct Data {
    const char* text;
    const Data* node_name;  // see SymbolTable::node_name; null until first needed
    uint32_t size;
    uint32_t id;
    NameForm form;
  };
  explicit constexpr Symbol(const Data* data) : data_(data) {}
  const Data* data_ = nullptr;
};

/// Creates Symbols. Thread-safe. Strings live until the table is destroyed.
class SymbolTable {
 public:
  SymbolTable();
  ~SymbolTable();
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  /// The Symbol of `text`, created if it is new. The Symbol of the empty string is not the null
  /// Symbol.
  Symbol intern(std::string_view text);
  /// The Symbol of `text` if it already exists, otherwise null.
  Symbol find(std::string_view text) const;
  /// The name that a node with this target gets if no other node has it: torch.fx's candidate
  /// (name.h) with its illegal characters replaced. Its text is computed on the first call.
  Symbol node_name(Symbol target);
  /// The Symbol with this id; null for 0. `id` must come from this table. Takes no lock.
  Symbol get(uint32_t id) const {
    if (id == 0) return Symbol();
    const uint32_t page = page_of(id);
    const Symbol::Data* entries = pages_[page].load(std::memory_order_acquire);
    return Symbol(entries + slot_of(id));
  }

 private:
  // Page k holds 256 << k entries; the pages cover all ids less than 2^32 - 256.
  static constexpr uint32_t kFirstPageSize = 256;
  static constexpr uint32_t kMaxPages = 24;
  static uint32_t page_of(uint32_t id) {
    return static_cast<uint32_t>(std::bit_width(uint64_t{id} + kFirstPageSize)) - 9;
  }
  static uint32_t slot_of(uint32_t id) {
    return static_cast<uint32_t>(uint64_t{id} + kFirstPageSize -
                                 (uint64_t{kFirstPageSize} << page_of(id)));
  }

  /// A string with its hash, so that a growing table does not read strings.
  struct Key {
    explicit Key(std::string_view whole);
    std::string_view str() const { return {text, size}; }
    friend bool operator==(const Key& a, const Key& b) {
      return a.hash == b.hash && a.str() == b.str();
    }
    const char* text;
    uint32_t size, hash;
  };
  struct HashOfKey {
    size_t operator()(const Key& key) const { return internal::hash_bits(key.hash); }
  };

  char* copy_text(std::string_view text);
  const Symbol::Data* add(std::string_view text);

  mutable std::mutex mutex_;
  absl::flat_hash_map<Key, const Symbol::Data*, HashOfKey> by_text_;
  /// Entries by id, in pages that never move; a page pointer is published before any id in it.
  std::atomic<Symbol::Data*> pages_[kMaxPages] = {};
  uint32_t size_ = 0;
  std::vector<std::unique_ptr<char[]>> chunks_;
  size_t chunk_used_ = 0;
  size_t chunk_size_ = 0;
};

}  // namespace fx

template <>
struct std::hash<fx::Symbol> {
  size_t operator()(fx::Symbol s) const noexcept { return std::hash<uint32_t>()(s.id()); }
};
