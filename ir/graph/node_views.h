// Views of the arguments of a node (ArgumentRef) and of the uses of its value (Use).
//
// Both views read the cells of the node's graph. A cell is one argument, 16 bytes; the cell of an
// operand is also the record of that use in the use list of the value.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/target.h"
#include "fx/ir/types/type.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace fx {

class Graph;
class Node;

namespace detail {

// One argument, 16 bytes: an operand (which is also a link of its use list) or a constant.
struct Cell {
  static constexpr uint32_t kConstant = 0x80000000u;
  struct Use {
    uint32_t next, prev;  // cells of the use list: circular through the value's first use
  };
  struct Items {
    uint32_t begin;      // first item's cell
    uint32_t type_name;  // named tuple: Symbol id
  };
  uint32_t head = kConstant;  // operand: slot of the value; else kConstant | ArgumentKind
  uint32_t aux = 0;           // operand: slot of the user; aggregate: number of items
  union {
    int64_t i = 0;
    double f;
    const void* pointer;
    Use use;
    Items items;
  };
  bool is_use() const { return !(head & kConstant); }
  ArgumentKind kind() const {
    return is_use() ? ArgumentKind::kNode : static_cast<ArgumentKind>(head & 0xff);
  }
};
static_assert(sizeof(Cell) == 16);

}  // namespace detail

/// Read-only view of an argument of a node, with the accessors of Argument. Valid until that node's
/// arguments change; copy it into an Argument to keep it.
class ArgumentRef {
 public:
  ArgumentRef(const Graph* graph, const detail::Cell* cell) : graph_(graph), cell_(cell) {}

  ArgumentKind kind() const { return cell_->kind(); }
  bool is_none() const { return kind() == ArgumentKind::kNone; }
  bool is_bool() const { return kind() == ArgumentKind::kBool; }
  bool is_int() const { return kind() == ArgumentKind::kInt; }
  bool is_float() const { return kind() == ArgumentKind::kFloat; }
  bool is_string() const { return kind() == ArgumentKind::kString; }
  bool is_node() const { return cell_->is_use(); }
  bool is_list() const { return kind() == ArgumentKind::kList; }
  bool is_tuple() const { return kind() == ArgumentKind::kTuple; }
  bool is_dict() const { return kind() == ArgumentKind::kDict; }

  bool as_bool() const;
  int64_t as_int() const;
  double as_float() const;
  std::complex<double> as_complex() const;
  std::string_view as_string() const;
  DType as_dtype() const;
  Device as_device() const;
  Layout as_layout() const;
  MemoryFormat as_memory_format() const;
  SymExpr as_symbolic() const;
  Type as_type() const;
  Target as_function() const;
  uint32_t as_graph() const;
  Node* as_node() const;
  /// The node; null if this is not a node.
  Node* node() const;

  size_t size() const { return is_aggregate(kind()) ? cell_->aux : 0; }
  ArgumentRef operator[](size_t i) const;
  ArgumentRef key(size_t i) const;
  std::string_view type_name() const;

  const Graph* graph() const { return graph_; }

  friend bool operator==(const ArgumentRef& a, const Argument& b) { return Argument(a) == b; }

 private:
  friend class Argument;
  const Graph* graph_;
  const detail::Cell* cell_;
};

/// One occurrence of a value among the arguments of a node.
class Use {
 public:
  /// The node that uses the value.
  Node* user() const;
  /// The value that is used.
  Node* value() const;
  /// The zero-based index of this operand in the user, counted depth-first over args, then kwargs.
  size_t operand_number() const;

 private:
  friend class UseIterator;
  Use(const Graph* graph, uint32_t cell) : graph_(graph), cell_(cell) {}
  const Graph* graph_;
  uint32_t cell_;
};

/// Walks a use list. The uses must not change during the walk.
class UseIterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = Use;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = Use;
  UseIterator() = default;
  UseIterator(const Graph* graph, uint32_t cell, uint32_t first)
      : graph_(graph), cell_(cell), first_(first) {}
  Use operator*() const { return Use(graph_, cell_); }
  UseIterator& operator++();
  UseIterator operator++(int) {
    UseIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const UseIterator& a, const UseIterator& b) { return a.cell_ == b.cell_; }

 private:
  const Graph* graph_ = nullptr;
  uint32_t cell_ = 0;
  uint32_t first_ = 0;
};

template <class Iterator>
struct Range {
  Iterator first, last;
  Iterator begin() const { return first; }
  Iterator end() const { return last; }
  bool empty() const { return first == last; }
};

}  // namespace fx
