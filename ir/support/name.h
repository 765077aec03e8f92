// Names of nodes, by torch.fx's rules.
//
// A name is a pair (base, number): `add_12` is ("add", 12). It is converted to text only for
// printing. The rules (torch/fx/graph.py, _Namespace.create_name): illegal characters become `_`;
// Python's keywords and builtins are never used without a number; a taken name gets the next number
// of its base; names are never freed.
#pragma once

#include "fx/ir/support/recent_cache.h"
#include "fx/ir/support/symbol.h"

#include "absl/container/flat_hash_map.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The name of one node: `base` or `base_<number>`. Canonical: equal names are equal pairs.
struct Name {
  Symbol base;
  /// 0: no number; otherwise the number plus one.
  uint32_t number_plus_one = 0;

  bool has_number() const { return number_plus_one != 0; }
  uint32_t number() const { return number_plus_one - 1; }
  /// Appends the text.
  void append_to(std::string& out) const;
  std::string str() const;

  friend bool operator==(const Name&, const Name&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Name& n) {
    return H::combine(std::move(h), n.base, n.number_plus_one);
  }
};

/// An analyzed candidate for a name. Targets and importers keep it, so that naming a node builds no
/// string.
struct NameHint {
  Symbol base;          ///< the legal candidate without its number
  Name exact;           ///< the legal candidate itself
  uint32_t number = 0;  ///< the candidate's number, when `numbered`
  bool numbered = false;
  bool reserved = false;  ///< a Python keyword or builtin: never used without a number
};

/// Splits canonical text into (base, number): a number has no leading zero and fits in 31 bits.
Name split_name(SymbolTable& symbols, std::string_view text);

/// The hint for a candidate by torch.fx's rules: runs of illegal characters become one `_`, an
/// empty candidate is `_unnamed`, and a `_` is added before a leading digit.
NameHint make_name_hint(SymbolTable& symbols, std::string_view candidate);
/// Does the same for the name of a node, usually without converting it to text.
NameHint make_name_hint(SymbolTable& symbols, const Name& name);
/// Does the same for nodes whose target is a string: a path or a method.
NameHint make_target_hint(SymbolTable& symbols, Symbol target);
/// The candidate with its illegal characters replaced.
std::string legal_name(std::string_view candidate);

/// torch.fx's candidate for a target: removes a pair of surrounding double underscores (only if the
/// target is a string, not a function), changes `aB` to `a_b`, then converts to lowercase.
std::string name_candidate(std::string_view target, bool is_function);

/// True for names that torch.fx never uses without a number: Python 3.11's keywords and builtins
/// and a few names that torch.fx reserves (`torch`, `device`, `inf`, `nan`, ...).
bool is_reserved_name(std::string_view name);

/// True if a copy of a node with this name keeps the name unless it is taken: the name is legal,
/// not reserved, and its number, if there is one, is not part of the base.
inline bool copies_keep_name(const Name& name) {
  const NameForm form = name.base.name_form();
  return form.legal && (name.has_number() || !(form.numbered || form.reserved));
}

/// The names taken in one graph.
class NameSpace {
 public:
  NameSpace() = default;
  NameSpace(const NameSpace& other)
      : entries_(other.entries_ ? std::make_unique<Entries>(*other.entries_) : nullptr) {}
  NameSpace& operator=(const NameSpace& other) {
    entries_ = other.entries_ ? std::make_unique<Entries>(*other.entries_) : nullptr;
    return *this;
  }
  void swap(NameSpace& other) noexcept { entries_.swap(other.entries_); }
  void clear() { entries_.reset(); }

  /// Returns a free name for the candidate and takes it.
  Name create(const NameHint& hint);
  /// Does the same for the name of another node: create(make_name_hint(symbols, name)).
  Name create_like(SymbolTable& symbols, const Name& name);
  /// True when the name is taken.
  bool contains(const Name& name) const { return contains_exact(name, existing_base(name.base)); }
  /// Takes exactly this name; returns false if it is taken. For readers of formats with names.
  bool take(const Name& name);
  /// Makes room for `n` more explicit names.
  void reserve(size_t n) {
    Entries& entries = own_entries();
    n += entries.bases.size();
    if (n > kScanned) entries.index.reserve(n);
    entries.bases.reserve(n);
  }

 private:
  // The taken numbers of one base: all of dense_from..dense_to-1, and the keys of `sparse`, which
  // maps a taken number to one that may be free, so that runs are skipped in almost constant time.
  struct Base {
    Symbol symbol;
    bool bare = false;
    bool is_legal = false;    // it is the base of a hint
    uint32_t count = 0;       // torch.fx's counter: the start of the search for a number
    uint32_t dense_from = 1;  // numbers dense_from..dense_to-1 are taken
    uint32_t dense_to = 1;
    // Rarely used. Shared by copies of the graph (copy on write).
    std::shared_ptr<absl::flat_hash_map<uint32_t, uint32_t>> sparse;
    absl::flat_hash_map<uint32_t, uint32_t>& mutable_sparse();
  };

  static constexpr size_t kScanned = 16;
  static constexpr size_t kRecent = 16;
  struct RecentBase {
    size_t operator()(Symbol base) const { return base.index_below(kRecent); }
  };
  /// Created when the first name is taken: a graph of a few nodes has none (Graph::names).
  struct Entries {
    std::vector<Base> bases;
    // Indexes into `bases`, if there are more than kScanned.
    absl::flat_hash_map<Symbol, uint32_t, Symbol::NeighborHash> index;
    internal::RecentCache<Symbol, uint32_t, kRecent, RecentBase> recent;  // of `bases`
  };

  Entries& own_entries() {
    if (entries_ == nullptr) [[unlikely]]
      entries_ = std::make_unique<Entries>();
    return *entries_;
  }
  static bool has_number(const Base& base, uint32_t number);
  static void add_number(Base& base, uint32_t number);
  static uint32_t next_free(Base& base, uint32_t number);
  static bool contains_exact(const Name& name, const Base* base);
  /// The entry of a base, added if it is new; valid until the next one is added.
  Base& base_of(Symbol base) {
    Entries& entries = own_entries();
    const uint32_t* const index = entries.recent.find(base);
    return index != nullptr ? entries.bases[*index] : find_base(base);
  }
  Base& find_base(Symbol base);
  /// The entry of a base; null if none exists.
  const Base* existing_base(Symbol base) const;

  std::unique_ptr<Entries> entries_;
};

}  // namespace fx
