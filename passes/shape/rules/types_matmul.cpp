// Type functions for matrix products.
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace fx::shape {
namespace {

Type fail_operands(TypeCall& c, std::string_view what, Type a, Type b) {
  return c.fail(fmt::format("{}: {} vs. {}", what, to_string(a), to_string(b)));
}

bool same_dtype(TypeCall& c, Type a, Type b) {
  if (a.dtype() == b.dtype()) return true;
  fail_operands(c, "expected operands of the same dtype", a, b);
  return false;
}

Type mm_of(TypeCall& c, Type a, Type b) {
  if (a.rank() != 2 || b.rank() != 2)
    return fail_operands(c, "both operands must be matrices", a, b);
  if (!c.guard_equal(a.sizes()[1], b.sizes()[0]))
    return fail_operands(c, "mat1 and mat2 shapes cannot be multiplied", a, b);
  if (!same_dtype(c, a, b)) return Type();
  return c.result(a.dtype(), {a.sizes()[0], b.sizes()[1]});
}

/// _int_mm(a, b): the product of int8 matrices is an int32 matrix.
Type int_mm(TypeCall& c) {
  const Type product = mm_of(c, c.tensor(0), c.tensor(1));
  return product ? c.result(DType::kInt32, product.sizes()) : Type();
}
/// _scaled_mm(a, b, scale_a, scale_b, bias, scale_result, out_dtype)
Type scaled_mm(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  if (a.rank() != 2 || b.rank() != 2 || !c.guard_equal(a.sizes()[1], b.sizes()[0]))
    return fail_operands(c, "mat1 and mat2 shapes cannot be multiplied", a, b);
  return c.result(c.dtype_or(6, a.dtype()), {a.sizes()[0], b.sizes()[1]});
}
/// _grouped_mm(a, b, offsets): multiplies groups of rows or columns, which end at the offsets;
/// without offsets, multiplies batches. Rows of the result are aligned to 16 bytes.
Type grouped_mm(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1), offsets = c.optional_tensor(2);
  if (a.rank() < 2 || a.rank() > 3 || b.rank() < 2 || b.rank() > 3)
    return fail_operands(c, "both operands must be 2-D or 3-D", a, b);
  if ((a.rank() == 3 && b.rank() == 3) == static_cast<bool>(offsets))
    return fail_operands(c, "offsets are required if and only if an operand is 2-D", a, b);
  const size_t n = index(a.rank()), m = index(b.rank());
  if (!same_dtype(c, a, b)) return Type();
  if (!c.guard_equal(a.sizes()[n - 1], b.sizes()[m - 2]))
    return fail_operands(c, "the inner sizes differ", a, b);
  DimVector sizes;
  if (a.rank() == 3 && b.rank() == 3)
    sizes.push_back(a.sizes()[0]);
  else if (a.rank() == 2 && b.rank() == 2)
    sizes.push_back(offsets.rank() == 1 ? offsets.sizes()[0] : Dim(0));
  sizes.push_back(a.sizes()[n - 2]);
  sizes.push_back(b.sizes()[m - 1]);
  const int64_t alignment = std::max<int64_t>(1, 16 / dtype_item_size(a.dtype()));
  const Dim row_stride = ceil_div(sizes.back(), alignment) * alignment;
  DimVector strides = {row_stride, Dim(1)};
  if (sizes.size() == 3) strides.insert(strides.begin(), sizes[1] * row_stride);
  return c.result(c.dtype_or(4, a.dtype()), sizes, strides);
}

Type bmm_of(TypeCall& c, Type a, Type b) {
  if (a.rank() != 3 || b.rank() != 3) return fail_operands(c, "both operands must be 3-D", a, b);
  if (!c.guard_equal(a.sizes()[0], b.sizes()[0]) || !c.guard_equal(a.sizes()[2], b.sizes()[1]))
    return fail_operands(c, "batch1 and batch2 shapes cannot be multiplied", a, b);
  // The kernel compares dtypes only if the operands have elements.
  const bool is_empty = numel(a.sizes()) == Dim(0) || numel(b.sizes()) == Dim(0);
  if (!is_empty && !same_dtype(c, a, b)) return Type();
  return c.result(b.dtype(), {a.sizes()[0], a.sizes()[1], b.sizes()[2]});
}

Type mv_of(TypeCall& c, Type a, Type b) {
  if (a.rank() != 2 || b.rank() != 1 || !c.guard_equal(a.sizes()[1], b.sizes()[0]))
    return fail_operands(c, "expected a matrix, and a vector with one element for each column", a,
                         b);
  if (!same_dtype(c, a, b)) return Type();
  return c.result(a.dtype(), {a.sizes()[0]});
}

Type dot_of(TypeCall& c, Type a, Type b) {
  if (a.rank() != 1 || b.rank() != 1 || !c.guard_equal(a.sizes()[0], b.sizes()[0]))
    return fail_operands(c, "expected two 1-D tensors of the same length", a, b);
  if (!same_dtype(c, a, b)) return Type();
  return c.result(a.dtype(), absl::Span<const Dim>());
}

/// Returns the type of the sum of argument 0 and `product`. Argument 0 is broadcast to `product`.
Type added(TypeCall& c, Type product) {
  if (!product) return Type();
  const Type self = c.tensor(0);
  if (!same_dtype(c, self, product)) return Type();
  DimVector sizes = to_vector(product.sizes());
  if (!broadcast(c, sizes, self.sizes())) return Type();
  if (sizes.size() != product.sizes().size() || !same_sizes(c, sizes, product.sizes()))
    return fail_operands(c, "self cannot be broadcast to the product", self, product);
  return product;
}

Type mm(TypeCall& c) { return mm_of(c, c.tensor(0), c.tensor(1)); }
Type bmm(TypeCall& c) { return bmm_of(c, c.tensor(0), c.tensor(1)); }
Type mv(TypeCall& c) { return mv_of(c, c.tensor(0), c.tensor(1)); }
Type dot(TypeCall& c) { return dot_of(c, c.tensor(0), c.tensor(1)); }
Type addmm(TypeCall& c) { return added(c, mm_of(c, c.tensor(1), c.tensor(2))); }

/// addmv(self, mat, vec, beta, alpha): with an empty matrix, the kernel returns beta * self without
/// broadcasting it, unless beta is 0.
Type addmv(TypeCall& c) {
  const Type self = c.tensor(0), type = added(c, mv_of(c, c.tensor(1), c.tensor(2)));
  if (!type || same_sizes(c, self.sizes(), type.sizes())) return type;
  const absl::Span<const Dim> sizes = c.tensor(1).sizes();
  if (!c.is_zero(sizes[0]) && !c.is_zero(sizes[1])) return type;
  if (const TypeArgument& beta = c.argument(3); !beta.is_none()) {
    const std::optional<double> value = beta.as_float();
    if (!value) return Type();
    if (*value == 0) return type;
  }
  return c.result(type.dtype(), self.sizes());
}
Type baddbmm(TypeCall& c) { return added(c, bmm_of(c, c.tensor(1), c.tensor(2))); }

/// addbmm(self, batch1, batch2): adds the sum of the products over the batch.
Type addbmm(TypeCall& c) {
  const Type product = bmm_of(c, c.tensor(1), c.tensor(2));
  if (!product) return Type();
  return added(c, c.result(product.dtype(), product.sizes().subspan(1)));
}

/// addbmm.out(self, batch1, batch2, beta, alpha, out): copies self, which may have any dtype, into
/// `out` first.
Type addbmm_out(TypeCall& c) {
  const Type product = bmm_of(c, c.tensor(1), c.tensor(2)), out = c.tensor(5);
  if (!product || !same_dtype(c, out, product)) return Type();
  DimVector sizes = to_vector(product.sizes().subspan(1));
  if (!broadcast(c, sizes, c.tensor(0).sizes())) return Type();
  if (!same_sizes(c, sizes, product.sizes().subspan(1)))
    return fail_operands(c, "self cannot be broadcast to the product", c.tensor(0), product);
  c.set_alias(5);
  return same_sizes(c, out.sizes(), sizes) ? out : c.result(out.dtype(), sizes);
}

/// addbmm_: resizes self to the sizes of the result, unlike other in-place operators.
Type addbmm_in_place(TypeCall& c) {
  const Type result = addbmm(c), self = c.tensor(0);
  if (!result) return Type();
  c.set_alias(0);
  return same_sizes(c, self.sizes(), result.sizes()) ? self : result;
}

Type outer_of(TypeCall& c, Type a, Type b, DType dtype) {
  if (a.rank() != 1 || b.rank() != 1) return fail_operands(c, "both operands must be 1-D", a, b);
  return c.result(dtype, {a.sizes()[0], b.sizes()[0]});
}
Type outer(TypeCall& c) {
  Promotion promotion;
  promotion.add(c, 0);
  promotion.add(c, 1);
  return outer_of(c, c.tensor(0), c.tensor(1), promotion.result());
}
/// addr(self, vec1, vec2): expands self before dtypes are promoted, so its rank has no effect.
Type addr(TypeCall& c) {
  const DType dtype =
      promote(c.tensor(0).dtype(), promote(c.tensor(1).dtype(), c.tensor(2).dtype()));
  const Type product = outer_of(c, c.tensor(1), c.tensor(2), dtype);
  if (!product) return Type();
  DimVector sizes = to_vector(product.sizes());
  return broadcast(c, sizes, c.tensor(0).sizes()) ? c.result(dtype, sizes) : Type();
}

/// Returns the type of a @ b with broadcast batches. The result is row-major for every kernel.
Type matmul_of(TypeCall& c, Type a, Type b) {
  const int rank_a = a.rank(), rank_b = b.rank();
  if (rank_a == 0 || rank_b == 0)
    return fail_operands(c, "both arguments to matmul need to be at least 1D", a, b);
  if (!same_dtype(c, a, b)) return Type();
  const Dim inner_a = a.sizes().back();
  const Dim inner_b = b.sizes()[index(std::max(rank_b - 2, 0))];
  if (!c.guard_equal(inner_a, inner_b)) return fail_operands(c, "the inner sizes differ", a, b);
  DimVector sizes;
  if (rank_a > 2) sizes.assign(a.sizes().begin(), a.sizes().end() - 2);
  const absl::Span<const Dim> batch_b =
      rank_b > 2 ? b.sizes().subspan(0, index(rank_b - 2)) : absl::Span<const Dim>();
  if (!broadcast(c, sizes, batch_b)) return Type();
  if (rank_a > 1) sizes.push_back(a.sizes()[index(rank_a - 2)]);
  if (rank_b > 1) sizes.push_back(b.sizes().back());
  return c.result(a.dtype(), sizes);
}

Type matmul(TypeCall& c) { return matmul_of(c, c.tensor(0), c.tensor(1)); }

/// x @ weight.T + bias
Type linear(TypeCall& c) {
  const Type x = c.tensor(0), weight = c.tensor(1), bias = c.optional_tensor(2);
  if (x.rank() == 0 || weight.rank() < 1 || weight.rank() > 2)
    return fail_operands(c, "input must be at least 1-D and weight must be 1-D or 2-D", x, weight);
  if (!c.guard_equal(x.sizes().back(), weight.sizes().back()))
    return fail_operands(c, "input and weight shapes cannot be multiplied", x, weight);
  if (!same_dtype(c, x, weight)) return Type();
  DimVector sizes(x.sizes().begin(), x.sizes().end() - 1);
  if (weight.rank() == 2) sizes.push_back(weight.sizes()[0]);
  if (bias) {
    DimVector with_bias = sizes;
    if (!broadcast(c, with_bias, bias.sizes())) return Type();
    if (with_bias.size() != sizes.size() || !same_sizes(c, with_bias, sizes))
      return fail_operands(c, "the bias must have one element for each output feature", bias,
                           weight);
  }
  return c.result(x.dtype(), sizes);
}

Type bilinear(TypeCall& c) {
  const Type x = c.tensor(0), y = c.tensor(1), weight = c.tensor(2);
  if (weight.rank() != 3 || x.rank() == 0)
    return fail_operands(c, "weight must be 3-D and inputs must be at least 1-D", x, weight);
  if (!c.guard_equal(x.sizes().back(), weight.sizes()[1]) || y.rank() == 0 ||
      !c.guard_equal(y.sizes().back(), weight.sizes()[2]))
    return fail_operands(c, "the last sizes of the inputs must match the weight", x, weight);
  DimVector sizes(x.sizes().begin(), x.sizes().end() - 1);
  sizes.push_back(weight.sizes()[0]);
  return c.result(x.dtype(), sizes);
}

/// kron(self, other): the product of two views whose dimensions alternate, where the other view has
/// size 1. Pairs of dimensions of the product are then merged. If the operands have different
/// ranks, the sizes of one are padded with 1 at the front.
Type kron(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  const size_t rank = std::max(a.sizes().size(), b.sizes().size());
  const auto interleaved = [&](Type x, size_t first) {
    DimVector sizes(2 * rank, Dim(1));
    const size_t padding = rank - x.sizes().size();
    for (size_t i = 0; i < x.sizes().size(); ++i) sizes[2 * (padding + i) + first] = x.sizes()[i];
    return reshape(c, x, sizes);
  };
  const Type left = interleaved(a, 0), right = interleaved(b, 1);
  if (!left || !right) return Type();
  Promotion promotion;  // of the views: they have the same rank
  promotion.add_tensor(left);
  promotion.add_tensor(right);
  const Type product = promoted_elementwise(c, promotion.result(), {{left, right}});
  if (!product) return Type();
  DimVector merged;
  for (size_t i = 0; i < rank; ++i)
    merged.push_back(product.sizes()[2 * i] * product.sizes()[2 * i + 1]);
  return view_as_sizes(c, product, merged);
}

/// tensordot(self, other, dims_self, dims_other): the result has the remaining dimensions of self,
/// then the remaining dimensions of other. A size of 1 matches any size.
Type tensordot(TypeCall& c) {
  const Type a = c.tensor(0), b = c.tensor(1);
  const auto a_dims = c.integers(2), b_dims = c.integers(3);
  if (a_dims.size() != b_dims.size())
    return c.fail(fmt::format("both lists of dimensions must have the same length: {} vs. {}",
                              a_dims.size(), b_dims.size()));
  const auto summed_a = dim_set(c, a_dims, a.rank(), /*empty_is_all=*/false);
  const auto summed_b = dim_set(c, b_dims, b.rank(), /*empty_is_all=*/false);
  if (c.failed()) return Type();
  for (size_t i = 0; i < a_dims.size(); ++i) {
    const int a_dim = sized_dim(c, a_dims[i], a.rank()), b_dim = sized_dim(c, b_dims[i], b.rank());
    if (a_dim < 0 || b_dim < 0) return Type();
    const Dim &m = a.sizes()[index(a_dim)], &n = b.sizes()[index(b_dim)];
    if (!c.is_one(m) && !c.is_one(n) && !c.guard_equal(m, n))
      return fail_operands(c, "contracted dimensions need to match", a, b);
  }
  DimVector sizes;
  for (size_t i = 0; i < a.sizes().size(); ++i)
    if (!summed_a[i]) sizes.push_back(a.sizes()[i]);
  for (size_t i = 0; i < b.sizes().size(); ++i)
    if (!summed_b[i]) sizes.push_back(b.sizes()[i]);
  return c.result(a.dtype(), sizes);
}

constexpr TypeRule kMatmulRules[] = {
    {"aten.mm.default", mm},
    {"aten._int_mm.default", int_mm},
    {"aten._scaled_mm.default", scaled_mm},
    {"aten._grouped_mm.default", grouped_mm},
    {"aten.bmm.default", bmm},
    {"aten.mv.default", mv},
    {"aten.dot.default", dot},
    {"aten.vdot.default", dot},
    {"aten.addmm.default", addmm},
    {"aten._addmm_activation.default", addmm},
    {"aten.addmv.default", addmv},
    {"aten.addr.default", addr},
    {"aten.addbmm.default", addbmm},
    {"aten.addbmm_.default", addbmm_in_place},
    {"aten.addbmm.out", addbmm_out},
    {"aten.baddbmm.default", baddbmm},
    {"aten.outer.default", outer},
    {"aten.ger.default", outer},
    {"aten.matmul.default", matmul},
    {"aten.linalg_matmul.default", matmul},
    {"aten.linear.default", linear},
    {"aten.bilinear.default", bilinear},
    {"aten.kron.default", kron},
    {"aten.tensordot.default", tensordot},
};

}  // namespace

absl::Span<const TypeRule> matmul_rules() { return kMatmulRules; }

}  // namespace fx::shape
