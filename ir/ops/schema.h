// OpSchema: an operator's signature, read from PyTorch's schema text.
//
//   aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)
//
// states the operator's name (`aten::add_`, overload `Tensor`), the names, types and defaults of
// its arguments, which of them are keyword-only (after `*`), and aliases: all values annotated with
// the same letter may share memory, and `!` means "is written to". A schema needs neither a Context
// nor the operator table.
#pragma once

#include "absl/status/statusor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fx::ops {

enum class SchemaTypeKind : uint8_t {
  // Types without parameters; spelled as in schema text.
  kTensor,
  kInt,
  kFloat,
  kBool,
  kComplex,
  kScalar,  ///< `Scalar`: bool, int, float or complex
  kString,
  kSymInt,
  kSymFloat,
  kSymBool,
  kScalarType,
  kLayout,
  kMemoryFormat,
  kDevice,
  kGenerator,
  kStorage,
  kStream,
  kQScheme,
  kQuantizer,
  kDimname,
  kNone,  ///< `NoneType`
  kAny,
  kAnyList,   ///< `list`
  kAnyTuple,  ///< `tuple`
  kAnyClass,  ///< `AnyClassType`
  kAnyEnum,   ///< `AnyEnumType`
  kCapsule,
  // Identified by a name.
  kClass,     ///< `__torch__.torch.classes.quantized.LinearPackedParamsBase`
  kVariable,  ///< `t`: any type, the same wherever the name occurs in the schema
  // Types with parameters.
  kOptional,  ///< `T?`
  kList,      ///< `T[]` or `T[n]`
  kTuple,     ///< `(T, U)`
  kDict,      ///< `Dict(K, V)`
  kUnion,     ///< `Union(T, U)`
  kFuture,    ///< `Future(T)`
  kAwait,     ///< `Await(T)`
  kRRef,      ///< `RRef(T)`
};

/// The spelling of a kind: `Tensor`, `SymInt`, `Dict`; empty for kinds whose spelling is not a
/// word.
std::string_view to_string(SchemaTypeKind kind);

/// The annotation in `Tensor(a!)`, `Tensor(a -> *)` or `Tensor(b|a)`.
struct AliasInfo {
  std::string_view before;  ///< names joined by `|`, or `*`: anything
  std::string_view after;   ///< the names after the call; usually the same as `before`
  bool is_write = false;

  /// True if a value annotated with this may share memory with one annotated with `other`.
  bool overlaps(const AliasInfo& other) const;
};

/// The type of an argument or a result. A small tree: `Tensor?[]` is List(Optional(Tensor)).
class SchemaType {
 public:
  explicit SchemaType(SchemaTypeKind kind) : kind_(kind) {}

  SchemaTypeKind kind() const { return kind_; }
  bool is(SchemaTypeKind kind) const { return kind_ == kind; }
  bool is_optional() const { return kind_ == SchemaTypeKind::kOptional; }
  bool is_list() const { return kind_ == SchemaTypeKind::kList; }

  /// The qualified name of kClass, the variable of kVariable; empty otherwise.
  std::string_view name() const { return name_; }
  /// n of `T[n]`; nullopt if the list has no fixed size. A list that is passed may have a
  /// different size: PyTorch accepts one element in place of n; some operators accept more than n.
  std::optional<int32_t> list_size() const {
    return list_size_ < 0 ? std::nullopt : std::optional<int32_t>(list_size_);
  }
  /// T of Optional, List, Future, Await and RRef; all types of Tuple and Union; K and V of Dict.
  std::span<const SchemaType> parameters() const { return parameters_; }
  const SchemaType& element() const { return parameters_.front(); }

  /// The type without an outer optional.
  const SchemaType& without_optional() const { return is_optional() ? element() : *this; }
  /// The type without all outer optionals and lists.
  const SchemaType& innermost() const;
  /// True for Tensor, and for optionals and lists of it.
  bool contains_tensors() const { return innermost().is(SchemaTypeKind::kTensor); }

  /// The annotation right after this type, or null. In `Tensor(a!)[]` the element has it.
  const AliasInfo* own_alias() const { return has_alias_ ? &alias_ : nullptr; }
  /// The outermost annotation of this type or, in optionals and lists, of its elements; null if
  /// none exists.
  const AliasInfo* alias() const;
  /// True if an annotation in the type has a `!`.
  bool is_write() const;

  /// True if the types are equal except for alias annotations and sizes of lists.
  bool same_type(const SchemaType& other) const;

 private:
  friend class SchemaParser;
  SchemaTypeKind kind_;
  bool has_alias_ = false;
  int32_t list_size_ = -1;
  std::string_view name_;
  AliasInfo alias_;
  std::vector<SchemaType> parameters_;
};

/// A default value. None is std::monostate.
struct SchemaConstant {
  using List = std::vector<SchemaConstant>;
  struct Complex {
    double real;
    double imag;
    bool operator==(const Complex&) const = default;
  };
  std::variant<std::monostate, bool, int64_t, double, Complex, std::string, List> value;

  bool is_none() const { return std::holds_alternative<std::monostate>(value); }
  bool operator==(const SchemaConstant&) const = default;
};

struct SchemaArgument {
  std::string_view name;  ///< empty for most results
  SchemaType type;
  /// Defaults of enumerations (ScalarType, Layout, MemoryFormat) are PyTorch's numeric values. A
  /// single number for a fixed-size list is the value of every item.
  std::optional<SchemaConstant> default_value;
  bool kwarg_only = false;

  bool is_write() const { return type.is_write(); }
  /// True for an argument into which a result is written: keyword-only, and written to.
  bool is_out() const { return kwarg_only && is_write(); }
};

class OpSchema {
 public:
  OpSchema(OpSchema&&) = default;
  OpSchema& operator=(OpSchema&&) = default;

  /// `aten::add_`
  std::string_view name() const { return name_; }
  /// `aten`; empty if the text names none
  std::string_view name_space() const;
  /// `add_`
  std::string_view base_name() const;
  /// `Tensor`; empty for the overload that PyTorch's Python calls `default`
  std::string_view overload() const { return overload_; }

  std::span<const SchemaArgument> arguments() const { return arguments_; }
  std::span<const SchemaArgument> returns() const { return returns_; }
  /// The number of arguments that can be positional; all later ones are keyword-only.
  int positional_count() const { return positional_count_; }
  /// `...` after the arguments, or among the results: more of any type may follow.
  bool is_vararg() const { return is_vararg_; }
  bool is_varret() const { return is_varret_; }

  /// The index of the argument with this name, or -1.
  int find_argument(std::string_view name) const;
  /// True if an argument is written to.
  bool is_mutable() const;

 private:
  friend class SchemaParser;
  friend absl::StatusOr<OpSchema> parse_schema(std::string_view text);
  OpSchema() = default;
  std::unique_ptr<const std::string>
      text_;  // the text to which the views refer, unless it is static
  std::string_view name_;
  std::string_view overload_;
  std::vector<SchemaArgument> arguments_;
  std::vector<SchemaArgument> returns_;
  int positional_count_ = 0;
  bool is_vararg_ = false;
  bool is_varret_ = false;
};

/// Reads one schema; whitespace may occur anywhere between words. The result owns a copy of `text`.
/// InvalidArgument for malformed text, with the position and the expected and actual text.
absl::StatusOr<OpSchema> parse_schema(std::string_view text);
/// Does the same without the copy: `text` must outlive the result.
absl::StatusOr<OpSchema> parse_schema_in_place(std::string_view text);

/// The text that PyTorch prints for the same schema. parse_schema parses it to an equal schema.
std::string to_string(const OpSchema& schema);
std::string to_string(const SchemaType& type);
/// The text after `=` in a schema: `None`, `1.`, `"mean"`, `[0, 1]`.
std::string to_string(const SchemaConstant& constant);

}  // namespace fx::ops
