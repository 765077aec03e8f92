// Types of the values of a loop that are valid in every step: see propagation_internal.h.
#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/types/strides.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/changed_types.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/propagation_internal.h"

#include "absl/types/span.h"
#include "fmt/format.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace fx::loops {
namespace {

/// True if the dtypes are equal, or if either is unknown.
bool have_same_dtypes(DType a, DType b) {
  return a == b || a == DType::kUndefined || b == DType::kUndefined;
}

/// True if the strides of dimensions whose size is not 1 are equal, or if sizes or strides are
/// unknown.
bool have_same_strides(Type a, Type b) {
  if (!a.has_rank() || !b.has_rank() || !a.has_strides() || !b.has_strides()) return true;
  for (int i = 0; i < a.rank() && i < b.rank(); ++i)
    if (a.size(i) != Dim(1) && !same_value(a.stride(i), b.stride(i))) return false;
  return true;
}

/// Returns the dimensions in descending order of their strides; empty if a stride is symbolic or
/// unknown.
std::vector<int> order_of_strides(Type type) {
  std::vector<int> order;
  if (!type.has_strides()) return order;
  for (int i = 0; i < type.rank(); ++i) {
    if (!type.stride(i).is_int()) return {};
    order.push_back(i);
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](int i) { return type.stride(i).value(); });
  return order;
}

}  // namespace

bool have_same_sizes(Type a, Type b) {
  if (!a.has_rank() || !b.has_rank()) return true;
  return a.sizes().size() == b.sizes().size() &&
         std::ranges::equal(a.sizes(), b.sizes(),
                            [](const Dim& x, const Dim& y) { return same_value(x, y); });
}

Type joined_type(TypeTable& types, Type a, Type b) {
  if (a == b) return a;
  if (!a || !b || a.kind() != b.kind()) return {};
  if (types.canonical(a) == types.canonical(b)) return a;
  if (a.kind() == TypeKind::kInt) return types.integer();
  if (a.kind() == TypeKind::kFloat) return types.floating();
  if (a.kind() == TypeKind::kBool) return types.boolean();
  if (!a.is_tensor() || a.device() != b.device() || a.layout() != b.layout()) return {};
  TensorSpec spec = a.spec(), other = b.spec();
  spec.requires_grad = other.requires_grad = a.requires_grad() && b.requires_grad();
  if (types.canonical(types.tensor(spec)) == types.canonical(types.tensor(other)))
    return types.tensor(spec);
  if (a.dtype() != b.dtype()) spec.dtype = DType::kUndefined;
  spec.strides = StrideSpec::unknown();
  spec.offset = Dim(0);
  if (!a.has_rank() || !b.has_rank() || !have_same_sizes(a, b)) {
    spec.has_rank = false;
    spec.sizes = {};
  }
  return types.tensor(spec);
}

Type merged_type(TypeTable& types, Type a, Type b) {
  if (have_identical_layouts(a, b)) return a;
  const bool are_equal = equal_types(a, b);
  if (!a.is_tensor() || !b.is_tensor()) return are_equal ? a : Type();
  if (are_equal) {
    TensorSpec spec = a.spec();
    spec.strides = StrideSpec::unknown();
    return types.tensor(spec);
  }
  const bool has_dtypes = a.dtype() != DType::kUndefined && b.dtype() != DType::kUndefined;
  if ((has_dtypes && a.dtype() != b.dtype()) || a.device() != b.device() ||
      a.layout() != b.layout())
    return {};
  TensorSpec spec = a.spec();
  if (!has_dtypes) spec.dtype = DType::kUndefined;
  spec.has_rank = false;
  spec.sizes = {};
  spec.strides = StrideSpec::unknown();
  if (!a.has_rank() || !b.has_rank()) return types.tensor(spec);
  if (a.rank() != b.rank() || have_same_sizes(a, b) || !same_value(a.offset(), b.offset()))
    return {};
  return order_of_strides(a) == order_of_strides(b) ? types.tensor(spec) : Type();
}

std::string error(absl::Span<const Type> inputs, absl::Span<const Type> condition,
                  absl::Span<const Type> results) {
  if (!condition.empty()) {
    const Type type = condition[0];
    const bool is_bool = type.is_tensor() ? have_same_dtypes(type.dtype(), DType::kBool) &&
                                                (!type.has_rank() || type.rank() == 0)
                                          : type.kind() == TypeKind::kBool;
    if (condition.size() != 1)
      return fmt::format("the condition must return one value, not {}", condition.size());
    if (!is_bool)
      return fmt::format("the condition must return a bool scalar tensor or a bool, not {}",
                         to_string(type));
  }
  if (results.empty()) return "";
  if (results.size() != inputs.size())
    return fmt::format(
        "the body must return as many values as it receives: it returns {} and receives {}",
        results.size(), inputs.size());
  for (size_t i = 0; i < results.size(); ++i) {
    const Type from = inputs[i], to = results[i];
    if (!from.is_tensor() || !to.is_tensor()) continue;
    if (have_same_dtypes(from.dtype(), to.dtype()) && have_same_sizes(from, to) &&
        have_same_strides(from, to))
      continue;
    return fmt::format(
        "the body must not change the dtype, sizes or strides of a value: it returns {} for value "
        "{}, which is {}",
        to_string(to), i, to_string(from));
  }
  return "";
}

std::vector<Type> joined_types(TypeTable& types, absl::Span<const Type> a,
                               absl::Span<const Type> b) {
  std::vector<Type> joined;
  joined.reserve(a.size());
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    joined.push_back(joined_type(types, a[i], b[i]));
  return joined;
}

Type joined_strides(TypeTable& types, Type result, Type input) {
  if (!result.is_tensor() || !result.has_rank() || !result.has_strides()) return result;
  const bool is_known = input.is_tensor() && input.has_strides() && input.rank() == result.rank();
  for (int i = 0; i < result.rank(); ++i) {
    if (result.size(i) != Dim(1)) continue;
    if (!is_known || !same_value(input.stride(i), result.stride(i)))
      return without_strides_and_offset(types, result);
  }
  return result;
}

bool remove_strides_and_offsets(TypeTable& types, absl::Span<const Type> results,
                                absl::Span<Type> inputs) {
  bool any = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Type& from = inputs[i];
    const Type to = i < results.size() ? results[i] : Type();
    if (!from.is_tensor() || !from.has_rank() || !from.has_strides()) continue;
    if (to.is_tensor() && to.has_rank() && to.has_strides() &&
        same_value(from.offset(), to.offset()))
      continue;
    from = without_strides_and_offset(types, from);
    any = true;
  }
  return any;
}

bool remove_changed(TypeTable& types, absl::Span<const Type> results, absl::Span<Type> inputs) {
  bool any = false;
  for (size_t i = 0; i < inputs.size() && i < results.size(); ++i) {
    const Type from = inputs[i], to = results[i];
    if (!from.is_tensor()) continue;
    // Sizes and dtypes that are unknown may differ.
    const bool has_sizes = to.is_tensor() && to.has_rank();
    const bool keeps_sizes = has_sizes && have_same_sizes(from, to);
    TensorSpec spec = from.spec();
    if (!to.is_tensor() || to.dtype() != from.dtype()) spec.dtype = DType::kUndefined;
    if (!keeps_sizes) {
      spec.has_rank = false;
      spec.sizes = {};
      spec.offset = Dim(0);
    }
    if (!keeps_sizes || !have_same_strides(from, to) || joined_strides(types, from, to) != from)
      spec.strides = StrideSpec::unknown();
    const Type common = types.tensor(spec);
    any = any || common != from;
    inputs[i] = common;
  }
  return any;
}

bool forget_changed(TypeTable& types, const Graph* step, size_t first_invariant,
                    absl::Span<Type> inputs) {
  if (step == nullptr) return false;
  bool any = false;
  for (const Node* const changed : changed_tensors(*step)) {
    if (!changed->is_placeholder()) continue;
    for (Type& type : inputs.subspan(std::min(first_invariant, inputs.size()))) {
      if (!type.is_tensor() || !type.has_rank()) continue;
      if (changed->type().is_tensor() && changed->type().dtype() != type.dtype()) continue;
      type = types.tensor({.dtype = type.dtype(),
                           .strides = StrideSpec::unknown(),
                           .device = type.device(),
                           .has_rank = false});
      any = true;
    }
  }
  return any;
}

Type result(TypeTable& types, Type type) {
  if (!type.is_tensor() || !type.has_rank() || !type.has_strides()) return type;
  const bool is_copy = is_non_overlapping_and_dense(type) && type.offset() == Dim(0);
  return is_copy ? type : without_strides_and_offset(types, type);
}

}  // namespace fx::loops
