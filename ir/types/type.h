// Type: the static type of a value.
//
//   f32[8, 3, s77 + 1]        a tensor; with strides, offset, layout, device and requires_grad
//                             if they differ from the defaults
//   int, int(3), SymInt(s77)  a number: unknown, constant, or symbolic
//   (f32[2], none)            tuples, lists and maps of types
//   ?                         unknown: the null Type
//
// A Type is a pointer to an immutable node interned by its TypeTable, so that equality is pointer
// equality. (Equal sizes may have different spellings: see sym_expr.h.)
#pragma once

#include "fx/ir/support/symbol.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/dtype.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fx {

class TypeTable;
struct TypeData;

enum class TypeKind : uint8_t {
  kUnknown,
  kTensor,
  kNone,
  kInt,
  kFloat,
  kBool,
  kComplex,
  kString,
  kList,
  kTuple,
  kMap,
  kObject,  ///< a value with a known class
  kGraph,   ///< a nested graph
  kToken,   ///< orders effects
};

/// "tensor", "int", "list", ... as printed in messages.
std::string_view type_kind_name(TypeKind kind);

/// The maximum nesting depth of types.
inline constexpr int kMaxTypeDepth = 64;

/// A few sizes or strides.
using DimVector = absl::InlinedVector<Dim, 6>;

/// The strides of a new tensor type.
class StrideSpec {
 public:
  /// Row-major; none if the layout has no strides.
  constexpr StrideSpec() = default;
  StrideSpec(absl::Span<const Dim> strides) : mode_(Mode::kExplicit), values_(strides) {}
  StrideSpec(const DimVector& strides) : StrideSpec(absl::Span<const Dim>(strides)) {}
  StrideSpec(std::initializer_list<Dim> strides)
      : mode_(Mode::kExplicit), values_(strides.begin(), strides.size()) {}
  static StrideSpec unknown() {
    StrideSpec spec;
    spec.mode_ = Mode::kUnknown;
    return spec;
  }

  bool is_default() const { return mode_ == Mode::kDefault; }
  bool is_explicit() const { return mode_ == Mode::kExplicit; }
  absl::Span<const Dim> values() const { return values_; }

 private:
  enum class Mode : uint8_t { kDefault, kExplicit, kUnknown };
  Mode mode_ = Mode::kDefault;
  absl::Span<const Dim> values_;
};

/// The parts of a tensor type: types.tensor({.dtype = DType::kFloat32, .sizes = {2, 3}}).
struct TensorSpec {
  DType dtype = DType::kUndefined;  ///< kUndefined: not known
  absl::Span<const Dim> sizes = {};
  StrideSpec strides = {};
  Dim offset = {};  ///< in elements
  Layout layout = Layout::kStrided;
  Device device = {};
  bool requires_grad = false;
  bool has_rank = true;  ///< false: the number of dimensions is unknown
};

/// See the top of this file. Valid as long as its TypeTable exists. The null Type is kUnknown.
class Type {
 public:
  constexpr Type() = default;
  explicit constexpr Type(const TypeData* data) : data_(data) {}

  const TypeData* data() const { return data_; }
  explicit operator bool() const { return data_ != nullptr; }
  friend bool operator==(Type, Type) = default;
  template <typename H>
  friend H AbslHashValue(H h, Type t) {
    return H::combine(std::move(h), t.data_);
  }

  inline TypeKind kind() const;
  bool is_tensor() const { return kind() == TypeKind::kTensor; }
  bool is_none() const { return kind() == TypeKind::kNone; }
  bool is_list() const { return kind() == TypeKind::kList; }
  bool is_tuple() const { return kind() == TypeKind::kTuple; }
  bool is_map() const { return kind() == TypeKind::kMap; }

  // Tensors only.
  inline DType dtype() const;
  inline bool has_rank() const;
  /// 0 if the rank is unknown.
  inline int rank() const;
  inline absl::Span<const Dim> sizes() const;
  /// The size of a dimension; -1 is the last. Checked.
  const Dim& size(int dim) const;
  /// False if the strides are unknown, or the layout has none.
  inline bool has_strides() const;
  /// Empty without strides.
  inline absl::Span<const Dim> strides() const;
  /// The stride of a dimension; -1 is the last. Checked; has_strides() must hold.
  const Dim& stride(int dim) const;
  /// True when the strides are contiguous_strides(sizes()).
  inline bool has_default_strides() const;
  inline Dim offset() const;
  inline Layout layout() const;
  inline Device device() const;
  inline bool requires_grad() const;
  /// The TensorSpec of this type, for TypeTable::tensor. Its spans are views of this type.
  TensorSpec spec() const;

  // Numbers and strings only.
  /// True if the value is a constant.
  inline bool is_constant() const;
  /// True if the value is an expression: expr().
  inline bool is_symbolic() const;
  inline int64_t int_value() const;
  inline double float_value() const;
  inline bool bool_value() const;
  inline std::complex<double> complex_value() const;
  inline std::string_view string_value() const;
  inline SymExpr expr() const;

  // Lists, tuples, maps.
  inline absl::Span<const Type> items() const;
  /// The keys of a map, one for each of items().
  inline absl::Span<const Symbol> keys() const;

  /// The class of an object.
  inline std::string_view object_name() const;

  /// 1 for types without items.
  inline int depth() const;

 private:
  const TypeData* data_ = nullptr;
};

/// The data that a Type points to. Use Type's accessors.
struct TypeData {
  enum class State : uint8_t { kUnknown, kConstant, kSymbolic };

  TypeKind kind = TypeKind::kUnknown;
  DType dtype = DType::kUndefined;
  Layout layout = Layout::kStrided;
  State state = State::kUnknown;  // of numbers and strings
  bool has_rank = false;
  bool has_strides = false;
  bool default_strides = false;
  bool requires_grad = false;
  Device device = {};
  uint32_t hash = 0;
  uint32_t count = 0;  // dimensions, or items
  uint16_t depth = 1;
  bool is_dense = false;      // of a tensor: is_non_overlapping_and_dense (strides.h)
  Dim offset = {};            // of a tensor
  uint64_t bits[2] = {0, 0};  // of a constant number
  SymExpr expr = {};          // of a symbolic number
  Symbol text = {};           // of a string or object
  // A tensor's sizes follow, then its strides; or the items, then the keys of a map.

  const Dim* dims() const { return reinterpret_cast<const Dim*>(this + 1); }
  const Type* items() const { return reinterpret_cast<const Type*>(this + 1); }
  const Symbol* keys() const { return reinterpret_cast<const Symbol*>(items() + count); }
};

/// Creates Types. Thread-safe. Expressions and items must come from the same tables.
class TypeTable {
 public:
  TypeTable(SymbolTable& symbols, SymExprTable& exprs);
  ~TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  SymbolTable& symbols() { return symbols_; }
  SymExprTable& exprs() { return exprs_; }

  /// If there are strides, there must be one for each size; checked. Returns the null Type if a
  /// size, a stride or the offset is undefined: Dim::status() returns the reason.
  Type tensor(const TensorSpec& spec);

  Type none();
  Type integer();
  Type integer(int64_t value);
  Type integer(SymExpr expr);
  Type floating();
  Type floating(double value);
  Type floating(SymExpr expr);
  Type boolean();
  Type boolean(bool value);
  Type boolean(SymExpr expr);
  Type complex();
  Type complex(std::complex<double> value);
  Type string();
  Type string(std::string_view value);

  /// Items are nested at most kMaxTypeDepth levels deep; checked.
  Type list(absl::Span<const Type> items);
  Type tuple(absl::Span<const Type> items);
  Type map(absl::Span<const std::pair<Symbol, Type>> entries);
  Type object(std::string_view class_name);
  Type graph();
  Type token();

  /// Returns the same aggregate with different items; the number of items must not change.
  Type with_items(Type type, absl::Span<const Type> items);

  /// The same type with the symbols in `values` replaced. Spellings are lost.
  Type substitute(Type type, const absl::flat_hash_map<Symbol, SymExpr>& values);
  /// The same type without spellings, so that equal sizes are equal pointers.
  Type canonical(Type type);

  /// Reads the text of a type (see append_text). InvalidArgument, with the byte offset, on error.
  /// If `consumed` is set, reads the longest type at the start and sets `*consumed` to the number
  /// of bytes read or, on error, the offset of the error; otherwise the type must be the whole
  /// text.
  absl::StatusOr<Type> parse(std::string_view text, size_t* consumed = nullptr);

  /// The number of types created so far, for statistics and tests.
  size_t size() const;

 private:
  struct Impl;

  Type number(TypeKind kind, SymExpr expr);
  Type aggregate(TypeKind kind, absl::Span<const Type> items, absl::Span<const Symbol> keys);

  SymbolTable& symbols_;
  SymExprTable& exprs_;
  std::unique_ptr<Impl> impl_;
};

/// Appends the text of a type, in torch.fx's readable form if there is one; TypeTable::parse
/// returns the same pointer for it. docs/text_format.md has the grammar.
void append_text(std::string& out, Type type);
std::string to_string(Type type);

// ---------------------------------------------------------------- inline definitions

inline TypeKind Type::kind() const { return data_ ? data_->kind : TypeKind::kUnknown; }
inline DType Type::dtype() const { return data_->dtype; }
inline bool Type::has_rank() const { return data_->has_rank; }
inline int Type::rank() const { return static_cast<int>(data_->count); }
inline absl::Span<const Dim> Type::sizes() const { return {data_->dims(), data_->count}; }
inline bool Type::has_strides() const { return data_->has_strides; }
inline absl::Span<const Dim> Type::strides() const {
  return {data_->dims() + data_->count, data_->has_strides ? data_->count : 0};
}
inline bool Type::has_default_strides() const { return data_->default_strides; }
inline Dim Type::offset() const { return data_->offset; }
inline Layout Type::layout() const { return data_->layout; }
inline Device Type::device() const { return data_->device; }
inline bool Type::requires_grad() const { return data_->requires_grad; }
inline bool Type::is_constant() const { return data_->state == TypeData::State::kConstant; }
inline bool Type::is_symbolic() const { return data_->state == TypeData::State::kSymbolic; }
inline int64_t Type::int_value() const { return static_cast<int64_t>(data_->bits[0]); }
inline double Type::float_value() const { return std::bit_cast<double>(data_->bits[0]); }
inline bool Type::bool_value() const { return data_->bits[0] != 0; }
inline std::complex<double> Type::complex_value() const {
  return {std::bit_cast<double>(data_->bits[0]), std::bit_cast<double>(data_->bits[1])};
}
inline std::string_view Type::string_value() const { return data_->text.str(); }
inline SymExpr Type::expr() const { return data_->expr; }
inline absl::Span<const Type> Type::items() const {
  const bool has_items = kind() >= TypeKind::kList && kind() <= TypeKind::kMap;
  return {data_ ? data_->items() : nullptr, has_items ? data_->count : 0};
}
inline absl::Span<const Symbol> Type::keys() const {
  return {data_->keys(), kind() == TypeKind::kMap ? data_->count : 0};
}
inline std::string_view Type::object_name() const { return data_->text.str(); }
inline int Type::depth() const { return data_ ? data_->depth : 1; }

}  // namespace fx

template <>
struct std::hash<fx::Type> {
  size_t operator()(fx::Type t) const noexcept { return std::hash<const void*>()(t.data()); }
};
