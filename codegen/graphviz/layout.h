// Runs Graphviz's layout in a child process with limits on time and memory, so that a graph
// that Graphviz cannot handle causes an error instead of a crash or a hang.
//
// Part of fxcpp::graphviz, the only library of fxcpp that requires Graphviz.
#pragma once

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

struct LayoutOptions {
  std::string engine = "dot";
  double seconds = 5;         ///< for each graph
  double total_seconds = 60;  ///< for all graphs; the remaining graphs fail with DeadlineExceeded
  uint64_t memory_bytes = uint64_t{3} << 30;
};

struct GraphvizLayout {
  std::string svg;
  /// Graphviz's `plain` format: a line `graph scale width height`, then a line `node name x y width
  /// height ...` for each node. Lengths are in inches; y points upwards.
  std::string plain;
};

/// Lays out DOT strings sequentially and returns one result for each graph. Errors are
/// DeadlineExceeded if the layout exceeds its time limit, ResourceExhausted if it exceeds the
/// memory limit or crashes or if the picture is larger than 2 GiB, InvalidArgument if Graphviz
/// cannot read or lay out the graph, and Internal if no child process can be started.
std::vector<absl::StatusOr<GraphvizLayout>> lay_out(absl::Span<const std::string> dots,
                                                    const LayoutOptions& options = {});

}  // namespace fx
