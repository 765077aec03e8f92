// Type functions for sorting and searching.
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

Type sorted(TypeCall& c, int64_t dim) {
  const Type x = c.tensor(0);
  if (wrap_dim(c, dim, x.rank()) < 0) return Type();
  return c.tuple({like(c, x, x.dtype()), like(c, x, DType::kInt64)});
}
/// sort(self, dim), sort(self, stable, dim)
Type sort(TypeCall& c) { return sorted(c, c.integer(1)); }
Type sort_stable(TypeCall& c) { return sorted(c, c.integer(2)); }
Type second(Type pair) { return pair ? pair.items()[1] : Type(); }
Type first(Type pair) { return pair ? pair.items()[0] : Type(); }
Type argsort(TypeCall& c) { return second(sort(c)); }
Type argsort_stable(TypeCall& c) { return second(sort_stable(c)); }
Type msort(TypeCall& c) { return first(sorted(c, 0)); }

/// topk(self, k, dim)
Type topk(TypeCall& c) {
  const Type x = c.tensor(0);
  const Dim k = c.dim(1);
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0) return Type();
  DimVector sizes = to_vector(x.sizes());
  if (!c.guard_less_equal(0, k) ||
      !c.guard_less_equal(k, sizes.empty() ? Dim(1) : sizes[index(dim)]))
    return c.fail(
        fmt::format("selected index k out of range: {} of {}", to_string(k), to_string(x)));
  if (!sizes.empty()) sizes[index(dim)] = k;
  return c.tuple({c.result(x.dtype(), sizes), c.result(DType::kInt64, sizes)});
}

/// bucketize(self, boundaries, out_int32)
Type bucketize(TypeCall& c) {
  return c.result(c.boolean(2) ? DType::kInt32 : DType::kInt64, c.tensor(0).sizes());
}
Type bucketize_scalar(TypeCall& c) {
  return c.result(c.boolean(2) ? DType::kInt32 : DType::kInt64, absl::Span<const Dim>());
}
/// searchsorted(sorted, self, out_int32)
Type searchsorted(TypeCall& c) {
  const Type values = c.tensor(1);
  return c.result(c.boolean(2) ? DType::kInt32 : DType::kInt64,
                  values.is_tensor() ? values.sizes() : absl::Span<const Dim>());
}

/// isin(elements, test_elements)
Type isin(TypeCall& c) { return c.result(DType::kBool, c.tensor(0).sizes()); }
Type isin_scalar(TypeCall& c) { return c.result(DType::kBool, absl::Span<const Dim>()); }

/// Returns the types of unique elements, or of unique slices along a dimension, and of inverse
/// indices and counts. Results that are not requested are empty.
Type unique_of(TypeCall& c, int dim_argument, bool inverse, bool counts, bool has_counts = true) {
  const Type x = c.tensor(0);
  const Dim count = c.fresh_size();
  DimVector sizes = {count};
  DimVector inverse_sizes = to_vector(x.sizes());
  int dim = 0;
  if (dim_argument >= 0) {
    dim = wrap_dim(c, c.integer(dim_argument), x.rank());
    if (dim < 0 || x.rank() == 0) return c.fail("the input must have at least one dimension");
    inverse_sizes = {x.sizes()[index(dim)]};
    sizes = to_vector(x.sizes());
    sizes[index(dim)] = count;
  }
  if (!inverse) inverse_sizes = {Dim(0)};
  // The kernel stacks the slices, then moves the dimension to its place.
  DimVector order = sizes;
  std::rotate(order.begin(), order.begin() + dim, order.begin() + dim + 1);
  DimVector strides = contiguous_strides(order);
  std::rotate(strides.begin(), strides.begin() + 1, strides.begin() + dim + 1);
  const Type elements = c.result(x.dtype(), sizes, strides);
  const Type inverse_indices = c.result(DType::kInt64, inverse_sizes);
  if (!has_counts) return c.tuple({elements, inverse_indices});
  return c.tuple({elements, inverse_indices, c.result(DType::kInt64, {counts ? count : Dim(0)})});
}
/// _unique2(self, sorted, return_inverse, return_counts)
Type unique2(TypeCall& c) { return unique_of(c, -1, c.boolean(2), c.boolean(3)); }
Type unique1(TypeCall& c) { return unique_of(c, -1, c.boolean(2), false, false); }
/// unique_consecutive(self, return_inverse, return_counts, dim): with `dim`, always returns all
/// three results. Dimension 0 of a vector is the same as None, but dimension -1 is not.
Type unique_consecutive(TypeCall& c) {
  const bool is_along_dim = !c.is_none(3) && (c.tensor(0).rank() != 1 || c.integer(3) != 0);
  return unique_of(c, is_along_dim ? 3 : -1, is_along_dim || c.boolean(1),
                   is_along_dim || c.boolean(2));
}
/// unique_dim(self, dim, ...), unique_dim_consecutive(self, dim, ...): always return all three
/// results.
Type unique_dim(TypeCall& c) { return unique_of(c, 1, true, true); }

/// histogram(self, bins): the counts and the edges.
Type histogram(TypeCall& c) {
  const Type x = c.tensor(0);
  return c.tuple({c.result(x.dtype(), {c.dim(1)}), c.result(x.dtype(), {c.dim(1) + 1})});
}
Type histogram_with_edges(TypeCall& c) {
  const Type x = c.tensor(0), edges = c.tensor(1);
  if (edges.rank() != 1) return c.fail("bins must be a 1-D tensor of edges");
  return c.tuple({c.result(x.dtype(), {edges.sizes()[0] - 1}), contiguous_like(c, edges)});
}

/// nonzero_static(self, size)
Type nonzero_static(TypeCall& c) {
  return c.result(DType::kInt64, {c.dim(1), Dim(c.tensor(0).rank())});
}
/// repeat_interleave(repeats, output_size): repeats each index `repeats[index]` times.
Type repeat_positions(TypeCall& c) {
  return c.result(c.tensor(0).dtype(), {c.is_none(1) ? c.fresh_size() : c.dim(1)});
}

/// histc(self, bins)
Type histc(TypeCall& c) { return c.result(c.tensor(0).dtype(), {c.dim(1)}); }

constexpr TypeRule kSortRules[] = {
    {"aten.sort.default", sort},
    {"aten.sort.stable", sort_stable},
    {"aten.argsort.default", argsort},
    {"aten.argsort.stable", argsort_stable},
    {"aten.msort.default", msort},
    {"aten.topk.default", topk},
    {"aten.bucketize.Tensor", bucketize},
    {"aten.bucketize.Scalar", bucketize_scalar},
    {"aten.searchsorted.Tensor", searchsorted},
    {"aten.searchsorted.Scalar", searchsorted},
    {"aten.isin.Tensor_Tensor", isin},
    {"aten.isin.Tensor_Scalar", isin},
    {"aten.isin.Scalar_Tensor", isin_scalar},
    {"aten._unique2.default", unique2},
    {"aten._unique.default", unique1},
    {"aten.unique_consecutive.default", unique_consecutive},
    {"aten.unique_dim.default", unique_dim},
    {"aten.unique_dim_consecutive.default", unique_dim},
    {"aten.histogram.bin_ct", histogram},
    {"aten.histogram.bins_tensor", histogram_with_edges},
    {"aten.nonzero_static.default", nonzero_static},
    {"aten.repeat_interleave.Tensor", repeat_positions},
    {"aten.histc.default", histc},
};

}  // namespace

absl::Span<const TypeRule> sort_rules() { return kSortRules; }

}  // namespace fx::shape
