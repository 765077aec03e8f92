// Requirements for the gradients of views, and of writes into views: the sizes of the written value
// must match the view.
#include "fx/passes/shape/requirements/requirements_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace fx::shape {
namespace {

/// Returns the dimension that argument `i` specifies, counted from the front; nullopt if the call
/// fails, which sets `ok` to false, or if the value is unknown.
std::optional<size_t> dimension(TypeCall& c, int i, size_t rank, bool& ok) {
  ok = are_dims_of(c, i, static_cast<int>(rank));
  const auto dim = c.argument(i).as_dim();
  if (!ok || !dim || !dim->is_int()) return std::nullopt;
  return static_cast<size_t>(dim->value() < 0 ? dim->value() + static_cast<int64_t>(rank)
                                              : dim->value());
}

/// True if the gradient broadcasts to the part of the input to which it is written.
bool grad_broadcasts_to(TypeCall& c, const DimVector& sizes) { return broadcasts_to(c, 0, sizes); }

/// select_backward(grad, input_sizes, dim, index)
bool select_backward(TypeCall& c) {
  DimVector sizes = c.dims(1);
  if (sizes.empty()) return c.fail("select requires a tensor with at least one dimension"), false;
  bool ok = true;
  const auto dim = dimension(c, 2, sizes.size(), ok);
  if (!dim) return ok;
  sizes.erase(sizes.begin() + static_cast<ptrdiff_t>(*dim));
  return grad_broadcasts_to(c, sizes);
}

/// slice_backward(grad, input_sizes, dim, start, end, step)
bool slice_backward(TypeCall& c) {
  DimVector sizes = c.dims(1);
  if (sizes.empty()) return c.fail("slice requires a tensor with at least one dimension"), false;
  bool ok = true;
  const auto dim = dimension(c, 2, sizes.size(), ok);
  if (!dim || !is_at_least(c, 5, 1)) return ok && !c.failed();
  const auto start = c.argument(3).as_dim(), end = c.argument(4).as_dim(),
             step = c.argument(5).as_dim();
  Dim& size = sizes[*dim];
  if (!start || !end || !step || !start->is_int() || !end->is_int() || !step->is_int() ||
      !size.is_int())
    return true;
  if (size.value() < 0) return c.fail_argument(1, "a list of non-negative sizes"), false;
  const auto clamped = [&](int64_t index) {
    return std::clamp<int64_t>(index < 0 ? index + size.value() : index, 0, size.value());
  };
  const int64_t from = clamped(start->value());
  const int64_t to = std::max(clamped(end->value()), from);
  size = to == from ? 0 : (to - from - 1) / step->value() + 1;
  return grad_broadcasts_to(c, sizes);
}

/// Replaces the sizes of a tensor with the sizes of its diagonal. Argument `offset` is the offset
/// of the diagonal; the next two arguments are its dimensions. If a value is not constant, keeps
/// `sizes` and sets `known` to false. Returns false if the call fails.
bool take_diagonal(TypeCall& c, DimVector& sizes, int offset, bool& known) {
  bool ok = true;
  known = false;
  const auto first = dimension(c, offset + 1, sizes.size(), ok);
  if (!ok) return false;
  const auto second = dimension(c, offset + 2, sizes.size(), ok);
  const auto diagonal_offset = c.argument(offset).as_dim();
  if (!ok || !first || !second) return ok;
  if (*first == *second || sizes.size() < 2) {
    c.fail(fmt::format("the dimensions of a diagonal must differ, but both are {}", *first));
    return false;
  }
  const Dim &rows = sizes[*first], &columns = sizes[*second];
  if (!diagonal_offset || !diagonal_offset->is_int() || !rows.is_int() || !columns.is_int())
    return true;
  const Dim& shift = *diagonal_offset;
  const Dim length =
      max(shift.value() >= 0 ? min(rows, columns - shift) : min(rows + shift, columns), Dim(0));
  sizes.erase(sizes.begin() + static_cast<ptrdiff_t>(std::max(*first, *second)));
  sizes.erase(sizes.begin() + static_cast<ptrdiff_t>(std::min(*first, *second)));
  sizes.push_back(length);
  known = true;
  return true;
}

/// diagonal_backward(grad, input_sizes, offset, dim1, dim2)
bool diagonal_backward(TypeCall& c) {
  DimVector sizes = c.dims(1);
  bool known = false;
  return take_diagonal(c, sizes, 2, known) && (!known || grad_broadcasts_to(c, sizes));
}
/// diagonal_scatter(self, src, offset, dim1, dim2)
bool diagonal_scatter(TypeCall& c) {
  DimVector sizes(c.tensor(0).sizes().begin(), c.tensor(0).sizes().end());
  bool known = false;
  return take_diagonal(c, sizes, 2, known) && (!known || has_sizes(c, 1, sizes));
}

/// unfold_backward(grad, input_sizes, dim, size, step)
bool unfold_backward(TypeCall& c) {
  DimVector sizes = c.dims(1);
  if (!is_at_least(c, 3, 0) || !is_at_least(c, 4, 1)) return false;
  const bool is_scalar = sizes.empty();
  if (is_scalar) sizes.push_back(Dim(1));
  bool ok = true;
  const auto dim = dimension(c, 2, sizes.size(), ok);
  const auto size = c.argument(3).as_dim(), step = c.argument(4).as_dim();
  if (!dim || !size || !step || !size->is_int() || !step->is_int()) return ok;
  if (step->value() >= size->value()) {
    if (!c.guard_less_equal(*size, sizes[*dim])) {
      c.fail_argument(3, fmt::format("at most {}", to_string(sizes[*dim])));
      return false;
    }
    sizes[*dim] = floor_div(sizes[*dim] - *size, step->value()) + 1;
    if (is_scalar) sizes.clear();
    sizes.push_back(*size);
    return grad_broadcasts_to(c, sizes);
  }
  // The windows overlap. The kernel adds the elements of all windows in the gradient, and
  // broadcasts its other dimensions.
  const Type grad = c.tensor(0);
  if (!has_rank(c, 0, 1, kAnyRank)) return false;
  DimVector grad_sizes(grad.sizes().begin(), grad.sizes().end() - 1);
  if (*dim < grad_sizes.size()) grad_sizes[*dim] = Dim(1);
  if (grad_sizes.size() > sizes.size()) return has_rank(c, 0, static_cast<int>(sizes.size()) + 1);
  for (size_t d = 1; d <= grad_sizes.size(); ++d) {
    const Dim &from = grad_sizes[grad_sizes.size() - d], &to = sizes[sizes.size() - d];
    if (c.is_one(from) || c.guard_equal(from, to)) continue;
    c.fail_argument(0, "a tensor that broadcasts to the windows");
    return false;
  }
  return true;
}

constexpr Requirement kBackwardRequirements[] = {
    {"aten.select_backward.default", select_backward},
    {"aten.slice_backward.default", slice_backward},
    {"aten.diagonal_backward.default", diagonal_backward},
    {"aten.diagonal_scatter.default", diagonal_scatter},
    {"aten.unfold_backward.default", unfold_backward},
};

}  // namespace

absl::Span<const Requirement> backward_requirements() { return kBackwardRequirements; }

}  // namespace fx::shape
