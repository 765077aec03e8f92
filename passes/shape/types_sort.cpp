// Type functions of sorting and searching.
#include "fx/passes/shape/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

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
    return c.fail(fmt::format("the first {} of {}", to_string(k), to_string(x)));
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

/// unique(self, sorted, return_inverse, return_counts)
Type unique(TypeCall& c) {
  const Type x = c.tensor(0);
  const Dim count = c.fresh_size();
  return c.tuple({c.result(x.dtype(), {count}), c.result(DType::kInt64, x.sizes()),
                  c.result(DType::kInt64, {count})});
}

/// histc(self, bins)
Type histc(TypeCall& c) { return c.result(c.tensor(0).dtype(), {c.dim(1)}); }

constexpr TypeRule kRules[] = {
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
    {"aten._unique2.default", unique},
    {"aten.histc.default", histc},
};

}  // namespace

absl::Span<const TypeRule> sort_rules() { return kRules; }

}  // namespace fx::shape
