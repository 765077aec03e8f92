// Decompositions of matrix products and operators based on them.
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>

namespace fx {
namespace {

Proxy transposed(const Proxy& matrix) { return permute(matrix, {1, 0}); }

/// Returns x * factor, or x if the factor is 1.
Proxy times(Decomposer& d, const Proxy& x, std::string_view factor) {
  const ScalarArg value = d.scalar(factor);
  const bool is_one = value.value().is_int() && value.value().as_int() == 1;
  return is_one ? x : x * value;
}
/// True for the constants 0, 0.0, -0.0 and False.
bool is_zero(const Argument& value) {
  return (value.is_int() && value.as_int() == 0) || (value.is_float() && value.as_float() == 0.0) ||
         (value.is_bool() && !value.as_bool());
}
/// Returns beta * self.
Proxy times_beta(Decomposer& d, const Proxy& self, const Proxy& product) {
  return times(d, is_finite(d, "beta") ? self : expanded_to_result(d, self, {product}), "beta");
}
/// True if alpha can multiply each of the added products, or their gradients, instead of their sum,
/// which is what the operators multiply. An infinite alpha cannot: its product with a zero is NaN,
/// and so is the sum of infinities of opposite signs.
bool may_distribute_alpha(const Decomposer& d) {
  const Argument alpha = d.argument("alpha");
  return is_finite(d, "alpha") ||
         (alpha.is_node() && alpha.as_node()->type().kind() == TypeKind::kInt);
}
/// Returns alpha * product + beta * self.
AnyArg sum_of(Decomposer& d, const Proxy& self, const Proxy& product) {
  const Type type = d.result();
  if (!may_distribute_alpha(d)) return d.reject("its argument alpha must be a finite number");
  const bool is_integral = !is_floating_point(type.dtype()) && !is_complex(type.dtype());
  if (is_integral && (d.argument("alpha").is_float() || d.argument("beta").is_float()))
    return d.reject("a floating-point alpha or beta is not supported for integers");
  const Proxy scaled = times(d, product, "alpha");
  // With beta = 0 the elements of self are ignored, including NaN.
  if (is_zero(d.argument("beta"))) return scaled.expand(d.sizes(scaled));
  return scaled + times_beta(d, self, product);
}
/// Returns beta * self in new memory, with the sizes of the product; zeros if beta is 0. Nothing is
/// added, because adding 0.0 would change -0.0.
AnyArg without_product(Decomposer& d, const Proxy& self, const Proxy& product) {
  if (is_zero(d.argument("beta"))) return d.full(d.sizes(product), 0, product, d.dtype(product));
  return expanded_to_result(d, self, {product}) * d.scalar("beta");
}
/// Computes sum_of for the product of `a` with matrices or a vector. With alpha = 0, BLAS ignores
/// the matrices, including NaNs in them, but libtorch calls BLAS for all sizes only if
/// `always_calls_blas` is true and the dtype is float or double.
AnyArg product_sum_of(Decomposer& d, const Proxy& self, const Proxy& a, const Proxy& product,
                      bool always_calls_blas) {
  const DType dtype = d.result().dtype();
  if (is_integral(dtype)) return sum_of(d, self, product);
  if (d.has_size(a, -1, 0)) return without_product(d, self, product);
  if (!is_zero(d.argument("alpha"))) return sum_of(d, self, product);
  if (!always_calls_blas || (dtype != DType::kFloat32 && dtype != DType::kFloat64))
    return d.reject("with alpha = 0, the effect of NaNs in the matrices depends on the kernel");
  return without_product(d, self, product);
}

AnyArg addmm(Decomposer& d) {
  const Proxy self = d.opmath("self"), a = d.opmath("mat1"), b = d.opmath("mat2");
  return product_sum_of(d, self, a, mm(a, b), /*always_calls_blas=*/true);
}
AnyArg baddbmm(Decomposer& d) {
  const Proxy self = d.opmath("self"), a = d.opmath("batch1"), b = d.opmath("batch2");
  return product_sum_of(d, self, a, bmm(a, b), /*always_calls_blas=*/false);
}
AnyArg mv(Decomposer& d) {
  const Proxy matrix = d.opmath("self"), vector = d.opmath("vec");
  return sum(matrix * vector, {1});
}
AnyArg addmv(Decomposer& d) {
  const Proxy self = d.opmath("self"), matrix = d.opmath("mat"), vector = d.opmath("vec");
  const Type rows = d.type(matrix);
  if (std::ranges::count(rows.sizes(), Dim(0)) > 0 &&
      !std::ranges::equal(d.result().sizes(), rows.sizes().first(1)))
    return d.reject("the result of an empty matrix has the sizes of self");
  return product_sum_of(d, self, matrix, sum(matrix * vector, {1}), /*always_calls_blas=*/true);
}
AnyArg addr(Decomposer& d) {
  if (is_complex(d.result().dtype())) return d.reject("complex numbers are not supported");
  for (const std::string_view factor : {"beta", "alpha"}) {
    if (d.argument(factor).is_bool() && d.result().dtype() != DType::kBool)
      return d.reject("a bool factor is supported only for addr on bool tensors");
  }
  const Proxy column = unsqueeze(d.promoted("vec1"), 1), outer = column * d.promoted("vec2");
  return sum_of(d, d.promoted("self"), outer);
}
AnyArg dot(Decomposer& d) {
  const Proxy a = d.opmath("self"), b = d.opmath("tensor");
  return sum(a * b, IntList(std::vector<int64_t>()));
}

/// Returns the total number of rows of all matrices, for a view: -1 if it is unknown.
IntArg rows_of(Decomposer& d, const std::vector<IntArg>& sizes) {
  for (const IntArg& size : sizes)
    if (size.value().is_node()) return -1;
  return d.product(sizes).value().as_int();
}

AnyArg linear(Decomposer& d) {
  const Proxy x = d.tensor("input"), weight = d.tensor("weight");
  const Proxy bias = d.optional_tensor("bias");
  const int64_t rank = d.rank(x);
  if (d.rank(weight) != 2 || rank == 0)
    return d.reject("the weight must be a matrix, and the input must not be 0-dimensional");
  const Proxy w = transposed(weight);
  const bool is_matrix = rank == 2;
  const Proxy rows =
      is_matrix ? x : d.reshape(x, {rows_of(d, d.sizes(x, 0, rank - 1)), d.size(x, -1)});
  const Proxy product = bias.defined() ? addmm(bias, rows, w) : mm(rows, w);
  if (is_matrix) return product;
  std::vector<IntArg> sizes = d.sizes(x, 0, rank - 1);
  sizes.push_back(d.size(weight, 0));
  return product.view(sizes);
}

/// Returns the matrices of `x`, [..., n, m], for these batch sizes: [batch, n, m].
Proxy batch(Decomposer& d, const Proxy& x, const std::vector<IntArg>& sizes, const IntArg& count) {
  std::vector<IntArg> expanded = sizes, rows{count};
  for (const int64_t dim : {-2, -1}) {
    rows.push_back(d.size(x, dim));
    expanded.push_back(rows.back());
  }
  return d.reshape(x.expand(expanded), rows);
}
std::vector<IntArg> broadcast_batch(Decomposer& d, const Proxy& a, const Proxy& b) {
  const int64_t rank = std::max(d.rank(a), d.rank(b)) - 2;
  std::vector<IntArg> sizes;
  sizes.reserve(static_cast<size_t>(std::max<int64_t>(rank, 0)));
  for (int64_t i = -rank - 2; i < -2; ++i) {
    const auto has_one = [&](const Proxy& x) { return d.rank(x) < -i || d.has_size(x, i, 1); };
    sizes.push_back(has_one(a) ? (has_one(b) ? IntArg(1) : d.size(b, i)) : d.size(a, i));
  }
  return sizes;
}
Proxy batched_product(Decomposer& d, const Proxy& a, const Proxy& b) {
  if (d.rank(a) == 2 && d.rank(b) == 2) return mm(a, b);
  std::vector<IntArg> sizes = broadcast_batch(d, a, b);
  const IntArg count = rows_of(d, sizes);
  const Proxy left = batch(d, a, sizes, count), right = batch(d, b, sizes, count);
  const Proxy result = bmm(left, right);
  sizes.push_back(d.size(a, -2));
  sizes.push_back(d.size(b, -1));
  return result.view(sizes);
}
AnyArg matmul(Decomposer& d) {
  Proxy a = d.tensor("self"), b = d.tensor("other");
  const int64_t rank_a = d.rank(a), rank_b = d.rank(b);
  if (rank_a == 0 || rank_b == 0) return d.reject("a 0-dimensional tensor is not supported");
  if (rank_a == 1 && rank_b == 1) return sum(a * b, IntList(std::vector<int64_t>()));
  if (rank_a == 1) a = unsqueeze(a, 0);
  if (rank_b == 1) b = unsqueeze(b, 1);
  Proxy result;
  if (rank_b <= 2 && rank_a > 2) {  // one product with the rows of all matrices
    std::vector<IntArg> sizes = d.sizes(a, 0, rank_a - 1);
    const Proxy rows = d.reshape(a, {rows_of(d, sizes), d.size(a, -1)});
    sizes.push_back(d.size(b, 1));
    result = mm(rows, b).view(sizes);
  } else {
    result = batched_product(d, a, b);
  }
  if (rank_a == 1) result = squeeze(result, {-2});
  if (rank_b == 1) result = squeeze(result, {-1});
  return result;
}

/// A product of matrices, whose rows or columns are the dimensions that are not summed, like the
/// kernel's.
AnyArg tensordot(Decomposer& d) {
  const Proxy a = d.tensor("self"), b = d.tensor("other");
  std::vector<int64_t> dims_a = d.integers("dims_self"), dims_b = d.integers("dims_other");
  if (dims_a.size() != dims_b.size()) return d.reject("both lists of dims must have equal lengths");
  std::vector<IntArg> summed;
  for (size_t i = 0; i < dims_a.size(); ++i) {
    dims_a[i] = d.wrapped(dims_a[i], d.rank(a));
    dims_b[i] = d.wrapped(dims_b[i], d.rank(b));
    if (d.known_size(a, dims_a[i]) != d.known_size(b, dims_b[i]))
      return d.reject("summed dimensions must have equal sizes");
    summed.push_back(d.size(a, dims_a[i]));
  }
  const auto others = [&](const Proxy& x, const std::vector<int64_t>& dims) {
    std::vector<int64_t> kept = Decomposer::range(0, d.rank(x));
    std::erase_if(kept, [&](int64_t dim) { return std::ranges::count(dims, dim) > 0; });
    return kept;
  };
  const auto sizes_of = [&](const Proxy& x, const std::vector<int64_t>& dims) {
    std::vector<IntArg> sizes;
    sizes.reserve(dims.size());
    for (const int64_t dim : dims) sizes.push_back(d.size(x, dim));
    return sizes;
  };
  const std::vector<int64_t> rows = others(a, dims_a), columns = others(b, dims_b);
  std::vector<int64_t> order_a = rows, order_b = dims_b;
  order_a.insert(order_a.end(), dims_a.begin(), dims_a.end());
  order_b.insert(order_b.end(), columns.begin(), columns.end());
  std::vector<IntArg> sizes = sizes_of(a, rows), column_sizes = sizes_of(b, columns);
  const IntArg count = rows_of(d, summed);
  const Proxy left = d.reshape(permute(a, order_a), {rows_of(d, sizes), count});
  const Proxy right = d.reshape(permute(b, order_b), {count, rows_of(d, column_sizes)});
  sizes.insert(sizes.end(), column_sizes.begin(), column_sizes.end());
  return mm(left, right).view(sizes);
}

}  // namespace

absl::Span<const DecompositionRow> matmul_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.addmm.default", addmm, kByName},
      {"aten.addmv.default", addmv, kByName},
      {"aten.addr.default", addr, kCore},
      {"aten.baddbmm.default", baddbmm, kCore},
      {"aten.dot.default", dot, kCore},
      {"aten.linear.default", linear, kCore},
      {"aten.matmul.default", matmul, kCore},
      {"aten.mv.default", mv, kCore},
      {"aten.tensordot.default", tensordot, kCore},
  };
  return kRows;
}

}  // namespace fx
