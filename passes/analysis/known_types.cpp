// Fully known types: see known_types.h.
#include "fx/passes/analysis/known_types.h"

#include <algorithm>
#include <cstddef>

namespace fx {
namespace {

bool is_integer(const Dim& dim) { return dim.is_int(); }

bool same_dims(absl::Span<const Dim> a, absl::Span<const Dim> b) {
  return std::ranges::equal(a, b);
}

}  // namespace

bool is_fully_known(Type type) {  // NOLINT(misc-no-recursion): types nest
  switch (type.kind()) {
    case TypeKind::kUnknown:
      return false;
    case TypeKind::kTensor:
      return type.dtype() != DType::kUndefined && type.has_rank() &&
             type.layout() == Layout::kStrided && type.has_strides();
    case TypeKind::kList:
    case TypeKind::kTuple:
    case TypeKind::kMap:
      return std::ranges::all_of(type.items(), is_fully_known);
    default:
      return true;
  }
}

bool is_static(Type type) {  // NOLINT(misc-no-recursion): types nest
  if (!is_fully_known(type)) return false;
  if (!type.is_tensor()) return std::ranges::all_of(type.items(), is_static);
  return std::ranges::all_of(type.sizes(), is_integer) &&
         std::ranges::all_of(type.strides(), is_integer) && type.offset().is_int();
}

bool known_equal(Type a, Type b) {  // NOLINT(misc-no-recursion): types nest
  if (!is_fully_known(a)) return false;
  if (a == b) return true;
  if (a.kind() != b.kind() || !is_fully_known(b)) return false;
  if (a.is_tensor()) {
    return a.dtype() == b.dtype() && a.device() == b.device() && same_dims(a.sizes(), b.sizes()) &&
           same_dims(a.strides(), b.strides()) && a.offset() == b.offset();
  }
  if (a.items().empty() || a.items().size() != b.items().size() ||
      !std::ranges::equal(a.keys(), b.keys())) {
    return false;
  }
  for (size_t i = 0; i < a.items().size(); ++i)
    if (!known_equal(a.items()[i], b.items()[i])) return false;
  return true;
}

bool has_unspecified_strides(Type type) {
  return type.is_tensor() && type.has_rank() && type.rank() >= 2 &&
         std::ranges::count(type.sizes(), Dim(0)) > 0;
}

}  // namespace fx
