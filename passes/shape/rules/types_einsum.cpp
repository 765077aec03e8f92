// Type functions for einsum and a few composites with multiple operands.
#include "fx/passes/shape/einsum_equation.h"
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx::shape {
namespace {

bool is_one(const Dim& size) { return size == Dim(1); }

/// Returns the type of the product of two operands of equal rank, summed over the dimensions
/// `summed`, which then have size 1 (aten/src/ATen/native/Linear.cpp, sumproduct_pair). Uses bmm if
/// there is a summed dimension.
Type product_of_pair(TypeCall& c, DType dtype, Type left, Type right,
                     const std::vector<bool>& summed) {
  const size_t rank = summed.size();
  if (std::ranges::find(summed, true) == summed.end())
    return promoted_elementwise(c, dtype, std::array{left, right});
  absl::InlinedVector<int64_t, 8> batch_dims, left_dims, right_dims, contracted_dims;
  for (size_t d = 0; d < rank; ++d) {
    const bool in_left = !is_one(left.sizes()[d]), in_right = !is_one(right.sizes()[d]);
    auto& dims = summed[d] ? contracted_dims
                 : in_left ? (in_right ? batch_dims : left_dims)
                           : right_dims;
    dims.push_back(static_cast<int64_t>(d));
  }
  // Swaps the operands if the dimensions of the right operand come first in the result.
  if (!left_dims.empty() && !right_dims.empty() && right_dims.back() < left_dims.front()) {
    std::swap(left, right);
    std::swap(left_dims, right_dims);
  }
  DimVector sizes;
  absl::InlinedVector<int64_t, 8> back(rank);
  for (const auto& [dims, from] :
       {std::pair(&batch_dims, left), std::pair(&left_dims, left),
        std::pair(&contracted_dims, Type()), std::pair(&right_dims, right)}) {
    for (const int64_t d : *dims) {
      back[static_cast<size_t>(d)] = static_cast<int64_t>(sizes.size());
      sizes.push_back(from ? from.sizes()[static_cast<size_t>(d)] : Dim(1));
    }
  }
  const Type product = c.result(dtype, sizes);
  return product ? permute(c, product, back) : Type();
}

/// einsum(equation, operands, path): multiplies the operands in the order of the path, and sums
/// each product over the labels that neither a remaining operand nor the result has
/// (aten/src/ATen/native/Linear.cpp).
class Einsum {
 public:
  explicit Einsum(TypeCall& c) : c_(c), tensors_(c.tensors(1)) {}
  Type type();

 private:
  bool parse_equation();
  bool permute_operands();
  Type permuted(Type operand, absl::Span<const size_t> dims);
  bool broadcast(Type operand);
  Type product();
  Type reduce_only_operand();
  Type multiply(Type left, Type right);

  TypeCall& c_;
  absl::InlinedVector<Type, 4> tensors_;
  Promotion promotion_;
  EinsumEquation equation_;
  std::vector<Type> operands_;  // permuted
  DimVector sizes_;             // of the product of all operands
  std::vector<int> counts_;     // the number of remaining operands with each dimension
};

Type Einsum::type() {
  if (!parse_equation() || !permute_operands()) return Type();
  const Type result = product();
  if (!result) return Type();
  if (tensors_.size() == 1) return reduce_only_operand();
  if (equation_.rank == equation_.num_results) return result;
  const auto end = result.sizes().begin() + static_cast<std::ptrdiff_t>(equation_.num_results);
  return view_as_sizes(c_, result, DimVector(result.sizes().begin(), end));
}

bool Einsum::parse_equation() {
  absl::InlinedVector<size_t, 4> ranks;
  for (const Type operand : tensors_) {
    if (!operand) {
      c_.fail("einsum: the operands must be tensors");
      return false;
    }
    promotion_.add_tensor(operand);
    ranks.push_back(operand.sizes().size());
  }
  absl::StatusOr<EinsumEquation> equation = EinsumEquation::parse(c_.string(0), ranks);
  if (!equation.ok()) {
    c_.fail(std::string(equation.status().message()));
    return false;
  }
  equation_ = *std::move(equation);
  return true;
}

bool Einsum::permute_operands() {
  sizes_ = DimVector(equation_.rank, Dim(1));
  counts_.assign(equation_.rank, 0);
  for (size_t i = 0; i < tensors_.size(); ++i) {
    const Type operand = permuted(tensors_[i], equation_.dims[i]);
    if (!operand || !broadcast(operand)) return false;
    operands_.push_back(operand);
  }
  return true;
}

/// Permutes an operand so that it has one dimension for each label. The dimension has size 1 if the
/// operand does not have the label. A repeated label selects a diagonal.
Type Einsum::permuted(Type operand, absl::Span<const size_t> dims) {
  DimVector sizes(equation_.rank, Dim(1)), strides(equation_.rank, Dim(1));
  std::vector<bool> is_taken(equation_.rank, false);
  for (size_t d = 0; d < dims.size(); ++d) {
    const size_t dim = dims[d];
    if (!is_taken[dim]) {
      sizes[dim] = operand.sizes()[d];
      strides[dim] = operand.strides()[d];
      is_taken[dim] = true;
      continue;
    }
    if (!c_.guard_equal(sizes[dim], operand.sizes()[d]))
      return c_.fail("einsum: the dimensions of a repeated subscript must have the same size");
    strides[dim] += operand.strides()[d];
  }
  // Strides of missing dimensions are 1, since unsqueeze() appends them before permute() moves
  // them.
  return view_of(c_, operand, sizes, strides, operand.offset());
}

bool Einsum::broadcast(Type operand) {
  for (size_t d = 0; d < equation_.rank; ++d) {
    const Dim& size = operand.sizes()[d];
    if (is_one(size)) continue;
    ++counts_[d];
    if (!is_one(sizes_[d]) && !c_.guard_equal(sizes_[d], size)) {
      c_.fail(fmt::format("einsum: operands do not broadcast: a subscript has sizes {} and {}",
                          to_string(sizes_[d]), to_string(size)));
      return false;
    }
    sizes_[d] = size;
  }
  return true;
}

Type Einsum::product() {
  absl::InlinedVector<int64_t, 8> path;
  const bool has_path = !c_.is_none(2);
  if (has_path)
    for (const int64_t position : c_.integers(2)) path.push_back(position);
  const auto order = einsum_order(
      tensors_.size(), has_path ? std::optional(absl::MakeConstSpan(path)) : std::nullopt);
  if (!order.ok()) return c_.fail(std::string(order.status().message()));
  for (const auto& [i, j] : *order) {
    const Type left = operands_[i], right = operands_[j];
    operands_.erase(operands_.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
    operands_.erase(operands_.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
    operands_.push_back(multiply(left, right));
    if (!operands_.back()) return Type();
  }
  return operands_.back();
}

Type Einsum::reduce_only_operand() {
  const Type operand = operands_[0];
  if (equation_.rank == equation_.num_results) {
    c_.set_alias(1);
    return operand;
  }
  absl::InlinedVector<bool, 8> summed(equation_.rank, false);
  std::fill(summed.begin() + static_cast<std::ptrdiff_t>(equation_.num_results), summed.end(),
            true);
  const DType dtype = is_integer_or_bool(operand.dtype()) ? DType::kInt64 : promotion_.result();
  return reduced(c_, operand, dtype, summed, false);
}

/// Multiplies two operands. Sums over each dimension that neither the result nor a remaining
/// operand has: in the product if both operands have it, otherwise before the product.
Type Einsum::multiply(Type left, Type right) {
  std::vector<bool> both(equation_.rank, false);
  absl::InlinedVector<bool, 8> left_dims(equation_.rank, false), right_dims(equation_.rank, false);
  for (size_t d = equation_.num_results; d < equation_.rank; ++d) {
    const bool in_left = !is_one(left.sizes()[d]), in_right = !is_one(right.sizes()[d]);
    if (in_left && in_right) --counts_[d];
    if (counts_[d] != 1 || (!in_left && !in_right)) continue;
    both[d] = in_left && in_right;
    left_dims[d] = in_left && !in_right;
    right_dims[d] = in_right && !in_left;
    counts_[d] = 0;
  }
  const auto sum = [&](Type t, const absl::InlinedVector<bool, 8>& dims) {
    return std::ranges::find(dims, true) == dims.end() ? t : reduced(c_, t, t.dtype(), dims, true);
  };
  left = sum(left, left_dims);
  right = sum(right, right_dims);
  if (!left || !right) return Type();
  return product_of_pair(c_, promotion_.result(), left, right, both);
}

Type einsum(TypeCall& c) { return Einsum(c).type(); }

/// _trilinear(i1, i2, i3, expand1, expand2, expand3, sumdim, unroll_dim): unsqueezes the operands
/// and sums their product for each index of dimension unroll_dim. The kernel does not compare sizes
/// if an operand is empty.
Type trilinear(TypeCall& c) {
  const int rank = c.tensor(0).rank() + static_cast<int>(c.list_size(3));
  const int unrolled = static_cast<int>(c.integer(7));
  if (unrolled < 0 || unrolled >= rank)
    return c.fail_argument(7, fmt::format("at least 0 and less than {}", rank));
  DimVector sizes(index(rank), Dim(0));  // the size of the last operand that has the dimension
  DimVector common;
  absl::InlinedVector<DimVector, 3> operands;
  bool is_empty = false, is_too_long = false;
  for (int i = 0; i < 3; ++i) {
    const auto operand_sizes = c.tensor(i).sizes();
    const auto expanded = dim_set(c, c.integers(3 + i), rank, false);
    if (c.failed()) return Type();
    DimVector operand;
    size_t next = 0;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (!expanded[d] && next == operand_sizes.size())
        return c.fail(fmt::format("{} has too few dimensions", to_string(c.tensor(i))));
      operand.push_back(expanded[d] ? Dim(1) : operand_sizes[next]);
      if (!expanded[d]) sizes[d] = operand_sizes[next++];
    }
    is_too_long = is_too_long || next != operand_sizes.size();
    is_empty = is_empty || numel(operand_sizes) == Dim(0);
    operands.push_back(std::move(operand));
  }
  if (!is_empty && sizes[index(unrolled)] != Dim(0)) {
    if (is_too_long) return c.fail("an operand has too many dimensions");
    for (const DimVector& operand : operands)
      if (!broadcast(c, common, operand)) return Type();
  }
  const auto summed = dim_set(c, c.integers(6), rank, false);
  if (c.failed()) return Type();
  DimVector result;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!summed[i]) result.push_back(sizes[i]);
  return c.result(c.tensor(0).dtype(), result);
}

/// gradient(self, spacing, ...): `count` results, each with the sizes of self. A result has the
/// dtype of a quotient by its spacing, a number or the coordinates.
Type gradient_along(TypeCall& c, size_t count) {
  const Type x = c.tensor(0);
  const TypeArgument& spacing = c.argument(1);
  std::vector<Type> results;
  for (size_t i = 0; i < count; ++i) {
    const bool is_list = spacing.is_sequence();
    const TypeArgument item = !is_list ? spacing : i < spacing.size() ? spacing[i] : TypeArgument();
    DType dtype = float_of(x.dtype());
    if (item.type().is_tensor())
      dtype = float_of(promote(x.dtype(), float_of(item.type().dtype())));
    else if (is_complex(item.number_dtype()))
      dtype = complex_of(x.dtype());
    results.push_back(c.result(dtype, x.sizes()));
    if (!results.back()) return Type();
  }
  return c.types().list(results);
}
Type gradient_int(TypeCall& c) {
  return gradient_along(c, c.is_none(2) ? index(c.tensor(0).rank()) : 1);
}
template <int dims>
Type gradient_array(TypeCall& c) {
  return gradient_along(c, c.is_none(dims) ? index(c.tensor(0).rank()) : c.list_size(dims));
}

/// Returns the type of the sums of trapezoids between adjacent elements along a dimension.
Type trapezoid(TypeCall& c, int dim_argument, bool cumulative, bool with_x) {
  const Type y = c.tensor(0);
  Promotion promotion;
  promotion.add(c, 0);
  if (with_x) promotion.add(c, 1);
  const int dim = wrap_dim(c, c.integer(dim_argument), y.rank());
  if (dim < 0 || y.rank() == 0) return c.fail("the input must have at least one dimension");
  DimVector sizes = to_vector(y.sizes());
  // The sum of no elements is a zero of the dtype of y.
  const bool is_empty = !cumulative && sizes[index(dim)] == Dim(0);
  sizes[index(dim)] = max(sizes[index(dim)] - 1, 0);
  if (with_x && c.tensor(1).rank() > 1) {
    // The differences of x along the dimension, counted from the front, broadcast with sums of y.
    const Type x = c.tensor(1);
    DimVector steps(index(std::max(y.rank() - x.rank(), 0)), Dim(1));
    steps.insert(steps.end(), x.sizes().begin(), x.sizes().end());
    steps[index(dim)] = max(steps[index(dim)] - 1, 0);
    if (!is_empty && !broadcast(c, sizes, steps)) return Type();
  }
  if (!cumulative) sizes.erase(sizes.begin() + dim);
  return c.result(is_empty ? y.dtype() : float_of(promotion.result()), sizes);
}
Type cumulative_trapezoid_x(TypeCall& c) { return trapezoid(c, 2, true, true); }
Type cumulative_trapezoid_dx(TypeCall& c) { return trapezoid(c, 2, true, false); }
Type trapezoid_x(TypeCall& c) { return trapezoid(c, 2, false, true); }
Type trapezoid_dx(TypeCall& c) { return trapezoid(c, 2, false, false); }

constexpr int64_t kMaxSteps = 64;  // the maximum `n` of diff for which strides are computed

/// diff(self, n, dim)
Type diff(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() == 0) return c.fail("the input must have at least one dimension");
  // n = 0 returns a copy and ignores the dimension.
  if (c.integer(1) == 0 && c.is_none(3) && c.is_none(4)) return like(c, x, x.dtype());
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0) return Type();
  if (c.integer(1) < 0) return c.fail_argument(1, "at least 0");
  DimVector sizes = to_vector(x.sizes());
  for (int i : {3, 4}) {
    const Type extension = c.optional_tensor(i);
    if (!extension) continue;
    if (extension.rank() != x.rank())
      return c.fail_argument(i, "a tensor of the same rank as the input");
    for (int d = 0; d < x.rank(); ++d)
      if (d != dim && !c.guard_equal(extension.sizes()[index(d)], x.sizes()[index(d)]))
        return c.fail_argument(
            i, fmt::format("of size {} in dimension {}", to_string(x.sizes()[index(d)]), d));
    // n = 0 ignores prepend and append.
    if (c.integer(1) > 0) sizes[index(dim)] += extension.sizes()[index(dim)];
  }
  // Each step subtracts two slices of its operand.
  const Dim dim_size = sizes[index(dim)];
  const int64_t steps = c.integer(1);
  Type result = sizes == to_vector(x.sizes()) ? x : c.result(x.dtype(), sizes);
  for (int64_t i = 1; result && i <= std::min<int64_t>(steps, kMaxSteps); ++i) {
    sizes[index(dim)] = max(dim_size - i, 0);
    const Type part = view_of(c, result, sizes, to_vector(result.strides()), 0);
    result = part ? elementwise(c, x.dtype(), {part, part}) : Type();
    if (sizes[index(dim)] == Dim(0)) return result;
  }
  if (steps <= kMaxSteps) return result;
  sizes[index(dim)] = max(dim_size - steps, 0);
  return c.result(x.dtype(), sizes, StrideSpec::unknown());
}

constexpr TypeRule kEinsumRules[] = {
    {"aten.einsum.default", einsum},
    {"aten._trilinear.default", trilinear},
    {"aten.gradient.scalarint", gradient_int},
    {"aten.gradient.scalararray", gradient_array<2>},
    {"aten.gradient.scalarrayint", gradient_int},
    {"aten.gradient.scalarrayarray", gradient_array<2>},
    {"aten.gradient.array", gradient_array<1>},
    {"aten.gradient.tensorarray", gradient_array<2>},
    {"aten.cumulative_trapezoid.x", cumulative_trapezoid_x},
    {"aten.cumulative_trapezoid.dx", cumulative_trapezoid_dx},
    {"aten.trapezoid.x", trapezoid_x},
    {"aten.trapezoid.dx", trapezoid_dx},
    {"aten.trapz.x", trapezoid_x},
    {"aten.trapz.dx", [](TypeCall& c) { return trapezoid(c, 2, false, false); }},
    {"aten.diff.default", diff},
};

}  // namespace

absl::Span<const TypeRule> einsum_rules() { return kEinsumRules; }

}  // namespace fx::shape
