// TypeCall: a call to an operator, the argument of a type function.
//
//   /// Rows times columns.
//   Type mm_type(TypeCall& c) {
//     const Type a = c.tensor(0), b = c.tensor(1);
//     if (a.rank() != 2 || b.rank() != 2) return c.fail("self and mat2 must be 2-D");
//     if (!c.guard_equal(a.sizes()[1], b.sizes()[0])) return c.fail(...);
//     return c.result(a.dtype(), {a.sizes()[0], b.sizes()[1]});
//   }
//
// Arguments are numbered as in the schema; missing arguments have their defaults. Each `Tensor`
// argument is a tensor of known rank when the function runs, so tensor(i) always returns one. A
// Python number represents a 0-dimensional tensor, as in PyTorch. Other accessors return 0, None or
// an empty list for an argument of the wrong kind; the call then fails, regardless of what the
// function returns.
//
// The result is the type that libtorch's eager CPU kernels return. Type functions ignore
// requires_grad. In-place and out= forms use the function of the functional form.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/shape_env.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Context;
class Propagation;
class TypeCall;

/// Returns the type of a call's result: a tuple of types for multiple results, none() for no
/// result. The null Type means that the call failed (TypeCall::fail records why) or the result is
/// unknown.
using TypeFunction = std::function<Type(TypeCall& call)>;
/// A type function in fxcpp's built-in tables.
using BuiltInTypeFunction = Type (*)(TypeCall& call);

/// A constant of a call, or a value for which only the type is known. Does not own the constant.
class TypeArgument {
 public:
  constexpr TypeArgument() : constant_(nullptr) {}  ///< None
  explicit TypeArgument(const Argument& value);
  explicit TypeArgument(ArgumentRef value) : source_(Source::kRef), ref_(value) {
    if (const Node* node = value.node())
      become(node->type());
    else if (value.kind() == ArgumentKind::kType)
      become(value.as_type());
  }
  explicit TypeArgument(Type type) : source_(Source::kType), type_(type) {}

  bool is_none() const {
    switch (source_) {
      case Source::kNone:
        return true;
      case Source::kConstant:
        return constant_->is_none();
      case Source::kRef:
        return ref_.is_none();
      case Source::kType:
        return type_.is_none();
    }
    return true;
  }
  /// True for a value whose type is unknown.
  bool is_untyped() const { return kind() == ArgumentKind::kType && !type(); }
  /// Returns kType for a value for which only the type is known.
  ArgumentKind kind() const;
  /// Returns the type of a value; null for constants.
  Type type() const { return source_ == Source::kType ? type_ : Type(); }

  std::optional<bool> as_bool() const;
  std::optional<Dim> as_dim() const;  ///< integers, including symbolic ones
  std::optional<double> as_float() const;
  std::optional<std::string_view> as_string() const;
  std::optional<DType> as_dtype() const;
  std::optional<Device> as_device() const;
  std::optional<Layout> as_layout() const;
  std::optional<MemoryFormat> as_memory_format() const;
  /// Returns PyTorch's default dtype for a number: kBool, kInt64, kFloat32 or kComplex64;
  /// kUndefined for other constants.
  DType number_dtype() const;

  bool is_sequence() const;
  size_t size() const;
  TypeArgument operator[](size_t i) const;

 private:
  enum class Source : uint8_t { kNone, kConstant, kRef, kType };
  void become(Type type) {
    source_ = Source::kType;
    type_ = type;
  }
  Source source_ = Source::kNone;
  // NOLINTBEGIN(readability-identifier-naming): members of an anonymous union count as public
  union {
    const Argument* constant_;
    Type type_;
    ArgumentRef ref_;
  };
  // NOLINTEND(readability-identifier-naming)
};

/// A tensor in a result that shares its storage with a tensor among the arguments.
struct TypeAlias {
  int16_t output;    ///< the tensor of the result, flattened; -1: all tensors
  int16_t argument;  ///< the index of the argument in the operator's schema
  int16_t item;      ///< the item of a list argument; 0 for other arguments
};

/// How the form of a called operator relates to its type function.
enum class TypeForm : uint8_t {
  kPlain,
  kInPlace,  ///< the call writes the function's result into its argument
  kOut,      ///< the call writes the function's result into `out`
  kCopy,     ///< the function returns a view, which the call copies: `t_copy`
};

class TypeCall {
 public:
  TypeCall(Context& context, const ops::OpInfo& op, ShapeEnv* env)
      : context_(context), op_(op), env_(env) {}
  TypeCall(const TypeCall&) = delete;
  TypeCall& operator=(const TypeCall&) = delete;

  Context& context() const { return context_; }
  TypeTable& types() const;
  const ops::OpInfo& op() const { return op_; }
  /// Returns the number of arguments of the functional form; later arguments are None.
  int size() const { return size_; }

  // ---- Arguments
  const TypeArgument& argument(int i) const { return i < size_ ? arguments_[i] : kOmitted; }
  bool is_none(int i) const { return i >= size_ || arguments_[i].is_none(); }
  /// Returns a `Tensor` argument, or a `Tensor?` argument that is not None.
  Type tensor(int i) const { return i < size_ ? tensors_[i] : Type(); }
  /// Returns a tensor, or null for None.
  Type optional_tensor(int i) const { return is_none(i) ? Type() : tensors_[i]; }
  /// True if the argument is a Python number instead of a tensor; it is weak in dtype promotion.
  bool is_number(int i) const { return (numbers_ >> i & 1) != 0; }
  /// Returns the items of a `Tensor[]` or `Tensor?[]`; null for an item that is None.
  absl::InlinedVector<Type, 4> tensors(int i);
  /// Returns the number of items of a list; 0 for None.
  size_t list_size(int i) const { return argument(i).size(); }

  Dim dim(int i);
  Dim dim_or(int i, const Dim& if_none) { return is_none(i) ? if_none : dim(i); }
  /// Returns an integer that must not be symbolic, such as a dimension or a mode.
  int64_t integer(int i);
  bool boolean(int i);
  bool boolean_or(int i, bool if_none) { return is_none(i) ? if_none : boolean(i); }
  double number(int i);
  std::string_view string(int i);
  /// Returns a list of sizes; a number represents a list of one item. Empty for None.
  DimVector dims(int i);
  /// Like dims(i), but repeats a single number to `count` items. Fails for a different number of
  /// items.
  DimVector dims(int i, size_t count);
  absl::InlinedVector<int64_t, 6> integers(int i);
  DType dtype_or(int i, DType if_none);
  Device device_or(int i, Device if_none);
  std::optional<MemoryFormat> memory_format(int i);
  /// Returns number_dtype() of a Scalar; fails if the argument is not a number.
  DType scalar_dtype(int i);

  /// Returns the device of the result: that of the first tensor of rank 1 or more. If there is
  /// none, that of the first tensor that is not on the CPU, otherwise the CPU.
  Device device() const { return device_; }

  // ---- Nested graphs, for operators that call graphs
  /// Returns the nested graph that argument `i` denotes, in the call's graph or in a graph module
  /// of the owning module. Null for other arguments, and for a call without a node.
  const Graph* graph(int i) const;
  /// Returns the types of the results of the nested graph that argument `i` denotes, for inputs of
  /// these types; a null input keeps the type of its placeholder. Under propagate_types, types the
  /// graph's nodes for these inputs. Under infer_type, changes no graph, and returns types only if
  /// the graph is already typed for these inputs. Empty if the type of a result is unknown.
  std::vector<Type> graph_results(int i, absl::Span<const Type> inputs);

  // ---- Relations between sizes; see ShapeEnv. False means that the relation cannot hold.
  bool guard_equal(const Dim& a, const Dim& b) {
    if (a == b) return true;
    return a.is_int() && b.is_int() ? false : symbolic_equal(a, b);
  }
  bool guard_less_equal(const Dim& a, const Dim& b) {
    return a.is_int() && b.is_int() ? a.value() <= b.value() : symbolic_less_equal(a, b);
  }
  /// Returns whether a <= b, or nullopt if that is unknown. Makes no assumptions.
  std::optional<bool> known_less_equal(const Dim& a, const Dim& b);
  /// True if the index depends on data, and may be negative or out of range.
  bool is_unknown_index(const Dim& index, const Dim& size);
  /// True if it depends on data whether a number is negative.
  bool is_unknown_sign(const Dim& number);
  /// True if a size or stride is `value`. If that depends on symbols, they are assumed to differ;
  /// the assumption is recorded.
  bool is_value(const Dim& size, const Dim& value) {
    return size.is_int() && value.is_int() ? size.value() == value.value()
                                           : symbolic_is_value(size, value);
  }
  bool is_one(const Dim& size) { return is_value(size, 1); }
  bool is_zero(const Dim& size) { return is_value(size, 0); }
  /// Returns a copy of the environment in which these sizes are at least 1: strides matter only if
  /// no size is 0. Returns nullopt if the call has no environment; the result of the call is then
  /// not used.
  std::optional<ShapeEnv> env_without_zeros(absl::Span<const Dim> sizes);
  /// Returns a symbol for a size, or another integer in this range, that depends on data.
  Dim fresh_size(SymRange range = {0, std::nullopt});

  // ---- Results
  /// Returns the type of a tensor on device(), row-major by default.
  Type result(DType dtype, absl::Span<const Dim> sizes, StrideSpec strides = {});
  Type result(DType dtype, std::initializer_list<Dim> sizes, StrideSpec strides = {}) {
    return result(dtype, absl::MakeConstSpan(sizes.begin(), sizes.size()), strides);
  }
  Type tuple(std::initializer_list<Type> items);
  Type none();
  /// Records that the result, or result number `output`, shares its storage with an argument.
  void set_alias(int argument, int output = -1, int item = 0) {
    aliases_.push_back(
        {static_cast<int16_t>(output), static_cast<int16_t>(argument), static_cast<int16_t>(item)});
  }

  /// Records that the result is new memory, except for some sizes, where it is a view of argument 0
  /// or the argument itself.
  void set_may_alias() { may_alias_ = true; }
  bool may_alias() const { return may_alias_; }

  /// Sets the type that PyTorch's meta kernel returns if it differs from the type in eager mode, so
  /// that a type recorded with the meta kernel is accepted.
  void set_meta_result(Type type) { meta_result_ = type; }
  Type meta_result() const { return meta_result_; }

  /// Fails the call and returns the null Type. `reason` must state why and name the values that
  /// disagree. Only the first reason is kept.
  [[gnu::cold, gnu::noinline]] Type fail(std::string reason);
  /// Fails the call because argument `i` is not valid; `expected` completes "argument NAME
  /// must be". If the type of the argument, or of an item of it, is unknown, so is the result.
  [[gnu::cold, gnu::noinline]] Type fail_argument(int i, std::string_view expected);
  bool failed() const { return failed_; }
  const std::string& reason() const { return reason_; }
  absl::Span<const TypeAlias> aliases() const { return aliases_; }

 private:
  friend class TypeBinder;
  friend class Propagation;
  static constexpr int kMaxArguments = 40;
  static constexpr TypeArgument kOmitted = {};

  bool symbolic_equal(const Dim& a, const Dim& b);
  bool symbolic_less_equal(const Dim& a, const Dim& b);
  /// Handles an argument that is not a constant of the expected kind: the type of the result is
  /// unknown if the graph computes the argument; otherwise the call fails.
  void not_constant(int i, bool is_computed, std::string_view expected);
  bool symbolic_is_value(const Dim& size, const Dim& value);

  /// The node of the call, and the propagation that types it, if any. Set only for custom type
  /// functions.
  struct CallSite {
    const Node* node;
    Propagation* propagation;
  };

  Context& context_;
  const ops::OpInfo& op_;
  ShapeEnv* env_;
  int size_ = 0;
  bool failed_ = false;
  bool unknown_ = false;  // the type of an argument is unknown
  bool may_alias_ = false;
  bool used_env_ = false;        // a relation between symbols was evaluated
  bool created_symbol_ = false;  // fresh_size() was called
  Device device_ = {};
  Type meta_result_;
  uint64_t numbers_ = 0;
  std::string reason_;
  absl::InlinedVector<TypeAlias, 2> aliases_;
  // Only the first size_ elements are initialized.
  // NOLINTBEGIN(readability-identifier-naming): members of an anonymous union count as public
  union {
    TypeArgument arguments_[kMaxArguments];
  };
  union {
    Type tensors_[kMaxArguments];
  };
  // NOLINTEND(readability-identifier-naming)
  const CallSite* call_site_ = nullptr;
};

}  // namespace fx
