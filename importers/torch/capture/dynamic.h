// Captures with symbolic sizes: one graph for all batch sizes.
//
//   auto joint = fx::capture_joint(context, net, {x, target}, loss,
//                                  {.dynamic = {.inputs = {"f32[batch, 16]", "i64[batch]"}}});
//
// The types of the inputs name the sizes that may change; a size may also be an expression, such as
// `8*h` for a multiple of 8. The program runs once on the inputs, as in a capture without dynamic
// sizes, and several times with different sizes and Execution::kFake, which runs no kernel. The
// graphs are combined by generalize_sizes (passes/shape/generalize/generalize_sizes.h).
//
// The sizes of the other runs are within the stated ranges; without a range, they are between half
// of the size of the input and this size, or above a size that is less than 8. The graph does not
// have checks that the program makes itself (`if (x.size(0) > 64) throw ...`), so state a range for
// these.
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
  /// The types of the inputs, in order: "f32[batch, seq]"; "" or a missing type: all sizes are
  /// fixed.
  std::vector<std::string> inputs = {};
  std::vector<SizeRange> ranges = {};

  bool empty() const { return inputs.empty() && ranges.empty(); }
};

}  // namespace fx
