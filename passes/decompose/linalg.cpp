// Decompositions of products that consist of multiple operators: reflections, and products of three
// tensors. These are decomposed only by name.
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace fx {
namespace {

Proxy adjoint_of(Decomposer& d, const Proxy& x) {
  const Proxy transposed = transpose(x, -2, -1);
  return is_complex(d.dtype(x)) ? d.emit("aten._conj.default", {transposed}) : transposed;
}

/// Returns x minus scale v (v^H x): the reflection of x by v.
Proxy reflected(Decomposer& d, const Proxy& x, const Proxy& v, const Proxy& scale) {
  return x - scale * matmul(v, matmul(adjoint_of(d, v), x));
}

/// Returns column `i` below the diagonal, with one on it and zeros above.
Proxy reflector(Decomposer& d, const Proxy& vectors, int64_t i) {
  const int64_t rows = d.known_size(vectors, -2);
  const Proxy column = d.slice(vectors, -1, i, i + 1);
  const Proxy below = d.slice(column, -2, i + 1, rows);
  const Proxy one = d.emit("aten.ones_like.default", {d.slice(column, -2, i, i + 1)});
  if (i == 0) return cat({one, below}, -2);
  return cat({d.emit("aten.zeros_like.default", {d.slice(column, -2, 0, i)}), one, below}, -2);
}

/// Returns element `i` of tau as a matrix with one element, conjugated for the adjoint of a
/// reflection.
Proxy scale_of(Decomposer& d, const Proxy& tau, int64_t i, bool conjugated) {
  const Proxy chosen = unsqueeze(d.slice(tau, -1, i, i + 1), -1);
  return conjugated && is_complex(d.dtype(tau)) ? d.emit("aten._conj.default", {chosen}) : chosen;
}

/// Returns the first columns of H_1 H_2 ... H_k.
AnyArg householder_product(Decomposer& d) {
  const Proxy vectors = d.tensor("input"), tau = d.tensor("tau");
  const int64_t columns = d.known_size(vectors, -1), count = d.known_size(tau, -1);
  Proxy result = d.emit("aten.eye.m", {d.known_size(vectors, -2), columns},
                        {{"dtype", d.dtype(vectors)}, {"device", d.type(vectors).device()}});
  for (int64_t i = count; i-- > 0;)
    result = reflected(d, result, reflector(d, vectors, i), scale_of(d, tau, i, false));
  std::vector<IntArg> sizes = d.sizes(vectors);
  return count == 0 ? result.expand(sizes) : result;
}

/// Returns Q X, Q^H X, X Q or X Q^H.
AnyArg multiply_by_reflections(Decomposer& d) {
  const Proxy vectors = d.tensor("self"), tau = d.tensor("input2");
  const bool left = d.flag("left"), transposed = d.flag("transpose");
  Proxy x = left ? d.tensor("input3") : adjoint_of(d, d.tensor("input3"));
  const int64_t count = d.known_size(tau, -1);
  const bool is_adjoint = left == transposed;  // X Q = (Q^H X^H)^H
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = is_adjoint ? k : count - 1 - k;
    x = reflected(d, x, reflector(d, vectors, i), scale_of(d, tau, i, is_adjoint));
  }
  return left ? x : adjoint_of(d, x);
}

/// Returns the product of three expanded tensors, summed over some dimensions.
AnyArg trilinear(Decomposer& d) {
  const auto wide = [&](std::string_view tensor, std::string_view dims) {
    Proxy x = d.tensor(tensor);
    std::vector<int64_t> inserted = d.integers(dims);
    std::ranges::sort(inserted);
    for (const int64_t dim : inserted) x = unsqueeze(x, dim);
    return x;
  };
  const Proxy product = wide("i1", "expand1") * wide("i2", "expand2") * wide("i3", "expand3");
  const std::vector<int64_t> dims = d.integers("sumdim");
  return dims.empty() ? product : sum(product, dims);
}

}  // namespace

absl::Span<const DecompositionRow> linalg_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.linalg_householder_product.default", householder_product, kByName},
      {"aten.ormqr.default", multiply_by_reflections, kByName},
      {"aten._trilinear.default", trilinear, kByName},
  };
  return kRows;
}

}  // namespace fx
