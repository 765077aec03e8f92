// Compares types: see compare_types.h.
#include "fx/passes/shape/compare_types.h"

#include "fx/ir/graph/edit/sym_nodes.h"

#include <algorithm>

namespace fx {
namespace {

bool is_sequence(Type type) { return type.is_list() || type.is_tuple(); }

bool equal_tensors(Type a, Type b) {
  if (a.dtype() != b.dtype() || a.device() != b.device() || a.layout() != b.layout() ||
      a.rank() != b.rank() || a.has_rank() != b.has_rank() || !same_value(a.offset(), b.offset()))
    return false;
  bool is_empty = false;
  for (size_t i = 0; i < a.sizes().size(); ++i) {
    if (!same_value(a.sizes()[i], b.sizes()[i])) return false;
    is_empty = is_empty || a.sizes()[i] == Dim(0);
  }
  if (is_empty) return true;
  if (a.has_strides() != b.has_strides()) return false;
  for (size_t i = 0; i < a.strides().size(); ++i)
    if (a.sizes()[i] != Dim(1) && !same_value(a.strides()[i], b.strides()[i])) return false;
  return true;
}

bool equal_items(Type a, Type b, bool (*equal)(Type, Type)) {
  if (!is_sequence(a) || !is_sequence(b) || a.items().size() != b.items().size()) return false;
  for (size_t i = 0; i < a.items().size(); ++i)
    if (!equal(a.items()[i], b.items()[i])) return false;
  return true;
}

}  // namespace

bool equal_types(Type a, Type b) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (a.is_tensor() && b.is_tensor()) return equal_tensors(a, b);
  if (is_sequence(a)) return equal_items(a, b, equal_types);
  if (a.kind() != b.kind()) return false;
  if (a.kind() < TypeKind::kInt || a.kind() > TypeKind::kComplex) return false;
  if (a.is_symbolic() && b.is_symbolic()) return same_value(a.expr(), b.expr());
  // PyTorch may have read a recorded number from a tensor: a constant, or an unbacked float.
  const bool is_from_data =
      a.is_constant() || (a.kind() == TypeKind::kFloat && a.is_symbolic() && a.expr().is_symbol() &&
                          is_unbacked(a.expr().name()));
  return is_from_data && !b.is_constant() && !b.is_symbolic();
}

bool have_identical_layouts(Type a, Type b) {
  if (a == b) return true;
  if (!equal_types(a, b)) return false;
  if (is_sequence(a)) return equal_items(a, b, have_identical_layouts);
  if (!a.is_tensor()) return true;
  return a.has_strides() == b.has_strides() &&
         std::ranges::equal(a.strides(), b.strides(),
                            [](const Dim& x, const Dim& y) { return same_value(x, y); });
}

bool have_different_ranks(Type a, Type b) {  // NOLINT(misc-no-recursion): types nest
  if (!a || !b || a == b) return false;
  if (a.is_tensor() && b.is_tensor()) return a.has_rank() && b.has_rank() && a.rank() != b.rank();
  if (!is_sequence(a) || !is_sequence(b)) return a.kind() != b.kind();
  const auto x = a.items(), y = b.items();
  return !std::equal(x.begin(), x.end(), y.begin(), y.end(),
                     [](Type s, Type t) { return !have_different_ranks(s, t); });
}

bool same_rank_and_dtype(Type a, Type b) {
  if (a == b) return true;
  if (a.is_tensor() && b.is_tensor()) return a.rank() == b.rank() && a.dtype() == b.dtype();
  if (is_sequence(a)) return equal_items(a, b, same_rank_and_dtype);
  return a.kind() == b.kind();
}

}  // namespace fx
