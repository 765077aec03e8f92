// Rows of the type function table, and the binding of a call to a row.
// Private to passes/shape/.
#pragma once

#include "fx/passes/shape/call_checks_internal.h"
#include "fx/passes/shape/type_rules.h"

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace fx {

class Node;

/// True if type functions can use the tensor: strided, with known dtype, rank and strides.
inline bool is_known_tensor(Type type) {
  return type.has_rank() && type.dtype() != DType::kUndefined &&
         type.layout() == Layout::kStrided && type.has_strides();
}

/// True if the tensor, or a tensor of the tuple or list, is not at the start of its storage.
inline bool has_offset(Type type) {
  const auto is_moved = [](Type tensor) { return tensor.is_tensor() && tensor.offset() != Dim(0); };
  const bool is_sequence = type.is_tuple() || type.is_list();
  return is_sequence ? std::ranges::any_of(type.items(), is_moved) : is_moved(type);
}

namespace shape {

/// One row: the functional form of an operator, or its only form.
struct TypeRule {
  std::string_view op;
  BuiltInTypeFunction function;
};

// The families, each in types_<family>.cpp.
absl::Span<const TypeRule> pointwise_rules();
absl::Span<const TypeRule> activation_rules();
absl::Span<const TypeRule> view_rules();
absl::Span<const TypeRule> copy_rules();
absl::Span<const TypeRule> factory_rules();
absl::Span<const TypeRule> reduction_rules();
absl::Span<const TypeRule> matmul_rules();
absl::Span<const TypeRule> conv_rules();
absl::Span<const TypeRule> norm_rules();
absl::Span<const TypeRule> pool_rules();
absl::Span<const TypeRule> loss_rules();
absl::Span<const TypeRule> index_rules();
absl::Span<const TypeRule> join_rules();
absl::Span<const TypeRule> split_rules();
absl::Span<const TypeRule> attention_rules();
absl::Span<const TypeRule> rnn_rules();
absl::Span<const TypeRule> sort_rules();
absl::Span<const TypeRule> resize_rules();
absl::Span<const TypeRule> linalg_rules();
absl::Span<const TypeRule> factorization_rules();
absl::Span<const TypeRule> fft_rules();
absl::Span<const TypeRule> einsum_rules();
absl::Span<const TypeRule> foreach_rules();
absl::Span<const TypeRule> composite_rules();
absl::Span<const TypeRule> python_rules();

/// Returns the type of a dense copy of a tensor, as `clone` returns it.
Type dense_copy(TypeCall& call, Type tensor);

}  // namespace shape

class BoundTypeRule {
 public:
  /// `functional`: the operator whose argument numbers `function` uses.
  BoundTypeRule(const ops::OpInfo& op, const ops::OpInfo& functional, BuiltInTypeFunction function,
                TypeForm form);

  enum class ArgumentClass : uint8_t {
    kOther,
    kList,  ///< a list of unspecified size; eager mode rejects a single number
    kTensor,
    kOptionalTensor,
    kTensorList
  };
  /// An argument of the called operator.
  struct Formal {
    std::string_view name;
    ArgumentClass argument_class = ArgumentClass::kOther;
    uint8_t slot = 0;  ///< its index in the functional form; out= arguments come last

    /// True for a tensor, and for a list of tensors.
    bool has_tensors() const { return argument_class >= ArgumentClass::kTensor; }
  };
  struct Slot {
    std::string_view name;
    bool has_default = false;
    Argument default_value = {};
  };

  const ops::OpInfo* op;
  BuiltInTypeFunction function;  ///< null for a rule with a custom function
  TypeFunction custom_function = {};
  TypeForm form;
  bool changes_sizes_in_place;  ///< an in-place form that changes sizes or strides: `t_`
  bool may_change_arguments;    ///< an argument may have different sizes after the call
  bool returns_nothing;
  bool is_vararg;
  bool needs_one_device;
  const shape::CallRow* call_row;  ///< null: every kind of argument is accepted
  /// Dtypes that need no check if all tensors have the same dtype.
  uint64_t accepted_dtypes;
  /// The same for a call that passes only tensors; its numbers and dtypes have their defaults.
  uint64_t accepted_dtypes_by_default;
  shape::RequirementFunction requirement;  ///< runs before the function, or null
  bool rejects_overlap = false;  ///< the elements of a written tensor must not share memory
  bool casts_result = false;     ///< the result must be castable to the dtype of the written tensor
  bool exact_out = false;        ///< `out` must have the dtype of the result
  int dtype_slot = -1;           ///< the dtype= argument of an out= form: if passed, that of `out`
  size_t positional = 0;         ///< number of positional arguments
  size_t size = 0;               ///< number of arguments of the functional form
  std::vector<Formal> formals;
  std::vector<Slot> slots;
  std::vector<TypeArgument> defaults;  ///< the slots' default values
  uint64_t all = 0;                    ///< the set of slots
  uint64_t required = 0;               ///< the set of slots without a default
  uint64_t tensors = 0;                ///< the set of slots of tensors and of lists of tensors
  std::vector<uint8_t> written;        ///< slots that in-place and out= forms write and return

 private:
  void add_formal(const ops::SchemaArgument& argument);
};

/// Information other than the operand types on which a call's type may depend: whether an operand
/// is a lazy view (ir/calls/lazy_views.h).
struct LazyOperands {
  /// Returns whether a placeholder may be a lazy view.
  absl::FunctionRef<bool(const Node&)> is_lazy_input;
  /// Set if an operand has gaps, so the strides of the result may depend on whether it is a
  /// lazy view.
  bool may_matter = false;
};

/// Binds calls and runs their rules.
class TypeBinder {
 public:
  /// Returns the null Type if the call failed or its type is unknown; see call.failed().
  static Type run(const BoundTypeRule& rule, TypeCall& call, const Node& node, LazyOperands& lazy);
  static Type run(const BoundTypeRule& rule, TypeCall& call, absl::Span<const Argument> args,
                  absl::Span<const Kwarg> kwargs);

  /// True if the result depends on the ShapeEnv: on a relation between symbols, or on a new symbol.
  static bool used_env(const TypeCall& call) { return call.used_env_ || call.created_symbol_; }

 private:
  static bool set(TypeCall& call, const BoundTypeRule::Formal& formal, const Graph& graph,
                  const detail::Cell& cell);
  static bool set(TypeCall& call, const BoundTypeRule::Formal& formal);
  static bool set_tensor(TypeCall& call, const BoundTypeRule::Formal& formal,
                         const TypeArgument& value);
  /// Runs the rule. Sets `have_gaps` if an operand is not non-overlapping and dense.
  static Type finish(const BoundTypeRule& rule, TypeCall& call, uint64_t given, bool& have_gaps);
  /// Derives the type of the call from the type that the rule returned.
  static Type of_form(const BoundTypeRule& rule, TypeCall& call, Type result);
  /// Removes strides of a result that depend on whether an operand is a lazy view (conj,
  /// _neg_view): most operators receive dense copies of lazy views.
  static Type for_lazy_views(const BoundTypeRule& rule, TypeCall& call, const Node& node,
                             Type result, LazyOperands& lazy);
  static void set_defaults(const BoundTypeRule& rule, TypeCall& call, uint64_t given);
  /// Checks the devices and dtypes of the operands and the row's requirement. Sets the device of
  /// the result (TypeCall::device).
  static bool check_operands(const BoundTypeRule& rule, TypeCall& call, uint64_t given,
                             bool& have_gaps);
  /// Returns the type of a contiguous copy of `view` at offset 0. Clears the aliases of the call.
  static Type copied(TypeCall& call, Type view);
  /// Returns the type of the result of a call that writes `functional` into its arguments.
  static Type written(const BoundTypeRule& rule, TypeCall& call, Type functional);
  static Type into_argument(const BoundTypeRule& rule, TypeCall& call, Type functional,
                            size_t slot);
};

}  // namespace fx
