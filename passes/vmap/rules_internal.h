// The rows of fxcpp's batching rules, by operator family, and the rules for the BatchKinds.
#pragma once

#include "fx/passes/vmap/batching_table.h"

#include "absl/types/span.h"

#include <concepts>
#include <cstdint>
#include <string_view>

namespace fx {

/// Converts a function or a captureless lambda to a function pointer.
struct BatchFunction {
  AnyArg (*function)(Batch& b) = nullptr;

  constexpr BatchFunction() = default;
  template <class F>
    requires std::invocable<F, Batch&> && std::is_empty_v<F>
  constexpr BatchFunction(F)  // NOLINT(google-explicit-constructor): rows are lists of lambdas
      : function([](Batch& b) -> AnyArg { return F{}(b); }) {}
  constexpr BatchFunction(AnyArg (*f)(Batch& b)) : function(f) {}  // NOLINT: as above
};

struct BatchingRow {
  std::string_view op;
  BatchKind kind = BatchKind::kByFunction;
  std::string_view dims = {};
  int64_t unbatched_rank = 0;
  BatchFunction function = {};
};

constexpr BatchingRow batch_dims(std::string_view op, std::string_view dims) {
  return {.op = op, .kind = BatchKind::kDims, .dims = dims};
}
constexpr BatchingRow batch_leading(std::string_view op) {
  return {.op = op, .kind = BatchKind::kLeading};
}
constexpr BatchingRow batch_fold(std::string_view op, int64_t unbatched_rank) {
  return {.op = op, .kind = BatchKind::kFold, .unbatched_rank = unbatched_rank};
}
constexpr BatchingRow batch_by(std::string_view op, BatchFunction function) {
  return {.op = op, .function = function};
}

absl::Span<const BatchingRow> dimension_batching();
absl::Span<const BatchingRow> reduction_batching();
absl::Span<const BatchingRow> view_batching();
absl::Span<const BatchingRow> matmul_batching();
absl::Span<const BatchingRow> index_batching();
absl::Span<const BatchingRow> layer_batching();

inline constexpr absl::Span<const BatchingRow> (*kBatchingFamilies[])() = {
    dimension_batching, reduction_batching, view_batching,
    matmul_batching,    index_batching,     layer_batching,
};

// ---- The rules for the BatchKinds (kinds.cpp)
/// Returns the batched result of the call according to `rule`. A null rule means kPointwise.
AnyArg apply_batching(Batch& b, const BatchingRule* rule);

}  // namespace fx
