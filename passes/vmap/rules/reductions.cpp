// Reductions over all dimensions, or over either one dimension or all.
#include "fx/passes/vmap/rules_internal.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

std::vector<int64_t> all_dims(Batch& b) { return Batch::range(1, b.rank_of("self") + 1); }
NamedArg dtype_of(Batch& b) { return {"dtype", AnyArg(b.argument("dtype"))}; }

/// Returns `op(self, dims)`; scalars are not reduced, but may be converted.
AnyArg over_all(Batch& b, std::string_view op) {
  if (b.rank_of("self") == 0) return b.cast(b("self"), b.result().dtype());
  return b.emit(op, {b("self"), IntList(all_dims(b))}, {{"keepdim", false}});
}
AnyArg sum_over_all(Batch& b, std::string_view op) {
  const std::vector<int64_t> dims = all_dims(b);
  const Proxy x = b.cast(b("self"), b.result().dtype());
  if (dims.empty()) return x;
  return b.emit(op, {x, IntList(dims), false}, {dtype_of(b)});
}
/// Returns `op(x, 1)` over each example's elements, merged into one dimension.
Proxy over_flat(Batch& b, std::string_view op) { return b.emit(op, {b.flat(b("self")), 1}); }
AnyArg first_over_flat(Batch& b, std::string_view op) { return over_flat(b, op)[0]; }

/// Handles a dimension, or None for all elements.
AnyArg index_of(Batch& b) {
  const Proxy x = b("self");
  const int64_t rank = b.rank_of("self");
  if (!b.is_none("dim") && rank > 0) {
    return b.call_with({{"self", x}, {"dim", AnyArg(b.shifted(b.integer("dim"), rank))}});
  }
  const bool keeps = b.flag("keepdim");
  const Proxy result = b.call_with({{"self", b.flat(x)}, {"dim", 1}, {"keepdim", false}});
  return keeps ? b.unsqueeze_to(result, rank + 1) : result;
}

AnyArg norm_over_all(Batch& b) {
  const AnyArg p = b.is_none("p") ? AnyArg(2) : AnyArg(b.argument("p"));
  const Proxy x = b("self");
  const Proxy values = b.rank_of("self") == 0 ? unsqueeze(x, 1) : x;
  return b.emit("aten.linalg_vector_norm.default",
                {values, p, IntList(Batch::range(1, b.rank(values))), false});
}
AnyArg dist(Batch& b) {
  const int64_t rank = std::max(b.rank_of("self"), b.rank_of("other"));
  const Proxy difference = b.aligned("self", rank) - b.aligned("other", rank);
  const Proxy values = rank == 0 ? unsqueeze(difference, 1) : difference;
  return b.emit("aten.linalg_vector_norm.default",
                {values, AnyArg(b.argument("p")), IntList(Batch::range(1, b.rank(values))), false});
}
AnyArg trace_of(Batch& b) { return sum(b("self").diagonal(0, -2, -1), {-1}); }

/// Returns the minimum and the maximum, over one dimension or over all.
AnyArg extrema(Batch& b) {
  const bool is_all = b.is_none("dim");
  const Proxy x = b("self");
  const int64_t rank = b.rank_of("self");
  const Proxy results =
      is_all || rank == 0
          ? b.call_with({{"self", b.flat(x)}, {"dim", 1}, {"keepdim", false}})
          : b.call_with({{"self", x}, {"dim", AnyArg(b.shifted(b.integer("dim"), rank))}});
  if (!is_all || !b.flag("keepdim")) return results;
  return AnyArg::tuple(
      {b.unsqueeze_to(results[0], rank + 1), b.unsqueeze_to(results[1], rank + 1)});
}

}  // namespace

absl::Span<const BatchingRow> reduction_batching() {
  static constexpr BatchingRow kRows[] = {
      batch_by("aten.sum.default",
               [](Batch& b) { return sum_over_all(b, "aten.sum.dim_IntList"); }),
      batch_by("aten.mean.default", [](Batch& b) { return sum_over_all(b, "aten.mean.dim"); }),
      batch_by("aten.prod.default",
               [](Batch& b) {
                 const Proxy x = b.cast(b("self"), b.result().dtype());
                 return b.emit("aten.prod.dim_int", {b.flat(x), 1});
               }),
      batch_by("aten.max.default", [](Batch& b) { return over_all(b, "aten.amax.default"); }),
      batch_by("aten.min.default", [](Batch& b) { return over_all(b, "aten.amin.default"); }),
      batch_by("aten.any.default", [](Batch& b) { return over_flat(b, "aten.any.dim"); }),
      batch_by("aten.all.default", [](Batch& b) { return over_flat(b, "aten.all.dim"); }),
      batch_by("aten.median.default",
               [](Batch& b) { return first_over_flat(b, "aten.median.dim"); }),
      batch_by("aten.nanmedian.default",
               [](Batch& b) { return first_over_flat(b, "aten.nanmedian.dim"); }),
      batch_by("aten.argmax.default", index_of),
      batch_by("aten.argmin.default", index_of),
      batch_by("aten.aminmax.default", extrema),
      batch_by("aten.norm.Scalar", norm_over_all),
      batch_by("aten.norm.ScalarOpt_dtype",
               [](Batch& b) {
                 const AnyArg norm = norm_over_all(b);
                 Node* const node = norm.value().node();
                 return node != nullptr ? b.cast(Proxy(*node, b), b.result().dtype()) : norm;
               }),
      batch_by("aten.dist.default", dist),
      batch_by("aten.trace.default", trace_of),
      batch_by("aten.count_nonzero.default",
               [](Batch& b) { return sum(b.flat(b("self")) != 0, {1}); }),
  };
  return kRows;
}

}  // namespace fx
