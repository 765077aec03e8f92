// A parsed JSON document for the readers of ir/json: integers are distinguished from floats by
// their text, keys are unique in an object, nesting is bounded, and errors have JSON pointers.
// Compact (24 bytes per value), and freed without recursion.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx::json {

enum class Kind : uint8_t {
  kNull,
  kBool,
  kInt,
  kBigInt,  ///< an integer that does not fit in 64 bits, as text
  kFloat,
  kString,
  kArray,
  kObject,
};

/// "null", "a bool", "an integer", ... as printed in messages.
std::string_view kind_name(Kind kind);

/// The maximum nesting depth of arrays and objects.
inline constexpr int kMaxDepth = 1024;

class Tree;

/// One value of a Tree; valid as long as the Tree exists.
class Value {
 public:
  Value() = default;  ///< no value
  Value(const Tree* tree, uint32_t index) : tree_(tree), index_(index) {}

  explicit operator bool() const { return tree_ != nullptr; }
  /// Identifies the value in its tree.
  uint32_t id() const { return index_; }
  Kind kind() const;
  bool is_null() const { return kind() == Kind::kNull; }
  bool is_bool() const { return kind() == Kind::kBool; }
  bool is_int() const { return kind() == Kind::kInt; }
  bool is_float() const { return kind() == Kind::kFloat; }
  bool is_string() const { return kind() == Kind::kString; }
  bool is_array() const { return kind() == Kind::kArray; }
  bool is_object() const { return kind() == Kind::kObject; }

  // The kind must match.
  bool as_bool() const;
  int64_t as_int() const;
  double as_float() const;
  std::string_view as_string() const;

  /// The number of elements of an array or members of an object; 0 for other values.
  size_t size() const;

  class ItemIterator;
  class MemberIterator;
  template <class Iterator>
  struct Range {
    Iterator first, last;
    Iterator begin() const { return first; }
    Iterator end() const { return last; }
  };
  struct Member;
  /// The elements of an array.
  Range<ItemIterator> items() const;
  /// The members of an object, in order.
  Range<MemberIterator> members() const;
  /// The member with this key; no value if none exists. Takes linear time.
  Value find(std::string_view key) const;
  /// The first member of an object; it must have one.
  Member first() const;

  /// Returns InvalidArgument with the location of the value (a JSON pointer and the node that
  /// contains it) and `message`.
  absl::Status error(std::string_view message) const;

 private:
  friend class Tree;
  const Tree* tree_ = nullptr;
  uint32_t index_ = 0;
};

struct Value::Member {
  std::string_view key;
  Value value;
};

class Tree {
 public:
  /// Parses text that is one JSON value. InvalidArgument with line and column, or JSON pointer.
  static absl::StatusOr<Tree> parse(std::string_view text);

  Value root() const { return Value(this, 0); }

 private:
  friend class Value;
  friend class TreeBuilder;
  // Values in the order of the text: a container, then its elements; in an object, each value after
  // its key, a string.
  struct Entry {
    Kind kind;
    uint32_t size;  // elements, members, bytes of text
    uint32_t end;   // the entry after this value
    union {
      bool boolean;
      int64_t integer;
      double number;
      uint64_t text;  // offset into texts_
    };
  };

  std::string_view text_of(const Entry& entry) const {
    return std::string_view(texts_).substr(entry.text, entry.size);
  }
  /// The text of the member "name" of an object; empty if there is none.
  std::string_view name_of(uint32_t object) const;
  absl::Status error_at(uint32_t index, std::string_view message) const;

  std::vector<Entry> entries_;
  std::string texts_;
};

class Value::ItemIterator {
 public:
  ItemIterator(const Tree* tree, uint32_t index) : value_(tree, index) {}
  Value operator*() const { return value_; }
  ItemIterator& operator++() {
    value_.index_ = value_.tree_->entries_[value_.index_].end;
    return *this;
  }
  bool operator==(const ItemIterator& other) const { return value_.index_ == other.value_.index_; }

 private:
  Value value_;
};

class Value::MemberIterator {
 public:
  MemberIterator(const Tree* tree, uint32_t index) : key_(tree, index) {}
  Member operator*() const { return {key_.as_string(), Value(key_.tree_, key_.index_ + 1)}; }
  MemberIterator& operator++() {
    key_.index_ = key_.tree_->entries_[key_.index_ + 1].end;
    return *this;
  }
  bool operator==(const MemberIterator& other) const { return key_.index_ == other.key_.index_; }

 private:
  Value key_;
};

inline Kind Value::kind() const { return tree_->entries_[index_].kind; }
inline bool Value::as_bool() const { return tree_->entries_[index_].boolean; }
inline int64_t Value::as_int() const { return tree_->entries_[index_].integer; }
inline double Value::as_float() const { return tree_->entries_[index_].number; }
inline std::string_view Value::as_string() const { return tree_->text_of(tree_->entries_[index_]); }
inline size_t Value::size() const {
  return is_array() || is_object() ? tree_->entries_[index_].size : 0;
}
inline Value::Range<Value::ItemIterator> Value::items() const {
  const uint32_t end = tree_->entries_[index_].end;
  return {{tree_, is_array() ? index_ + 1 : end}, {tree_, end}};
}
inline Value::Range<Value::MemberIterator> Value::members() const {
  const uint32_t end = tree_->entries_[index_].end;
  return {{tree_, is_object() ? index_ + 1 : end}, {tree_, end}};
}
inline Value::Member Value::first() const { return *members().begin(); }
inline absl::Status Value::error(std::string_view message) const {
  return tree_->error_at(index_, message);
}

}  // namespace fx::json
