// Captures with symbolic sizes, for example one graph for all batch sizes.
//
//   auto joint = fx::capture_joint(context, net, {x, target}, loss,
//                                  {.dynamic = {.inputs = {"f32[batch, 16]", "i64[batch]"}}});
//
// The types of the inputs name the sizes that may change; a size may also be an expression, such as
// `8*h` for a multiple of 8. The program runs once on the inputs, as in a capture without dynamic
// sizes, and several times with different sizes and Execution::kFake, which does not run kernels.
// Each of these runs is compared with the first graph as it executes. If one of them has different
// operators or constants, all of them are repeated as captures, so that the error can describe the
// difference. generalize_sizes (passes/shape/generalize/generalize_sizes.h) combines the runs.
// Further runs distinguish the formulas that have the values of a number in all previous runs.
//
// The sizes of the other runs are within the specified ranges. Without a range, they are between
// half the size in the input and that size, or greater than that size if it is less than 8; at
// other sizes, such as twice the size in the input, the program may fail. The graph does not
// contain checks that the program makes (`if (x.size(0) > 64) throw ...`), so specify ranges for
// the sizes that it checks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// The range of a symbol, inclusive.
struct SizeRange {
  std::string symbol;
  std::optional<int64_t> min = std::nullopt;
  std::optional<int64_t> max = std::nullopt;
};

struct DynamicSizes {
  /// The types of the inputs, in order: "f32[batch, seq]". For "" or a missing type, all sizes are
  /// fixed.
  std::vector<std::string> inputs = {};
  std::vector<SizeRange> ranges = {};

  bool empty() const { return inputs.empty() && ranges.empty(); }
};

}  // namespace fx
