// Captures a program with multiple sets of sizes, for capture.cpp and step.cpp.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/types/type.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

/// A symbol with its size in the inputs and its range.
struct SizeSymbol {
  Symbol symbol;
  int64_t base = 0, min = 2, max = 0;  // the range is inclusive
  bool has_max = false;
  std::vector<int64_t> chosen = {};  // the sizes of all runs

  /// Returns the first and the last of the sizes that the program must accept, unless a narrower
  /// range is specified.
  std::pair<int64_t, int64_t> usual() const {
    if (has_max) return {min, std::min(max, 4 * base + 3)};
    if (base < 8) return {std::max(min, base), std::min(max, base + 9)};
    return {std::max(min, base / 2), base};
  }
  /// Excludes an unusual size at which the program failed, the sizes beyond it, and half of those
  /// between it and the usual sizes, so that few runs fail. Returns false if the program must accept
  /// the size.
  bool exclude(int64_t size) {
    const auto [first, last] = usual();
    if (has_max || (size >= first && size <= last)) return false;
    if (size < first)
      min = size + (first - size + 1) / 2;
    else
      max = size - (size - last + 1) / 2;
    return true;
  }
  /// Returns the preferred size for run 2, 3 or 4. One of them is at an end of the usual sizes.
  int64_t target(int run) const {
    const auto [first, last] = usual();
    if (has_max) return run == 2 ? last : run == 3 ? first : (first + base) / 2;
    if (base < 8) return base + (run == 2 ? 5 : run == 3 ? 9 : 3);
    return run == 2 ? base * 4 / 5 : run == 3 ? first : base * 3 / 5;
  }
  /// Returns an unused size for a run, or 0 if there is none. `others` are the symbols whose sizes
  /// for this run were chosen before. Run 1 differs from the inputs by 1, so that no remainder is
  /// the same in both. The others are preferably primes, as products of different symbols then
  /// differ, and no symbol is a linear function of another one.
  int64_t choose(int run, absl::Span<const std::pair<const SizeSymbol*, int64_t>> others) const;
};

/// Returns sizes greater than the usual ones of the symbols without a maximum; empty if all have one.
SymBindings greater_sizes(absl::Span<const SizeSymbol> symbols);

/// True if the graphs have the same operators in the same order, apart from constants.
bool has_same_calls(const Graph& a, const Graph& b);

/// Returns strides for symbolic sizes, in the same order from small to large as those of `tensor`.
absl::StatusOr<DimVector> strides_like(const at::Tensor& tensor, absl::Span<const Dim> sizes);

/// Captures a program on these inputs. The options do not contain dynamic sizes.
using CaptureAt =
    absl::FunctionRef<absl::StatusOr<CapturedGraph>(Tensors inputs, const CaptureOptions& options)>;

/// Compares a run on these inputs with the graph of the first run. Returns nullopt if the run must
/// be captured to describe how it differs.
using FollowAt = absl::FunctionRef<std::optional<RecordedRun>(
    const CapturedGraph& first, Tensors inputs, const CaptureOptions& options)>;

/// Captures on `inputs`, then runs the program with different sizes, and returns the first graph
/// with symbolic sizes (options.dynamic, dynamic.h). Without `follow`, each run is captured.
absl::StatusOr<CapturedGraph> capture_sizes(Context& context, Tensors inputs,
                                            const CaptureOptions& options, CaptureAt run,
                                            std::optional<FollowAt> follow = std::nullopt);

}  // namespace fx
