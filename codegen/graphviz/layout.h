// Graphviz's layout, bounded: it runs in a child process with a limit on time and memory, so that a
// graph that Graphviz does not come to terms with costs a status, never a program that hangs.
//
// Part of fxcpp::graphviz, the only library here that needs Graphviz.
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
  double total_seconds = 60;  ///< for all of them; what is left then is not tried
  uint64_t memory_bytes = uint64_t{3} << 30;
};

struct GraphvizLayout {
  std::string svg;
  /// Graphviz's `plain` format: a line `graph scale width height`, a line `node name x y width
  /// height ...` per node, in inches, y upwards.
  std::string plain;
};

/// Lays DOT texts out, one after the other. DeadlineExceeded when a layout takes longer than it
/// may, ResourceExhausted when it takes too much memory or crashes, InvalidArgument when Graphviz
/// cannot read the text, Internal when no child process can be had. One result per text.
std::vector<absl::StatusOr<GraphvizLayout>> lay_out(absl::Span<const std::string> dots,
                                                    const LayoutOptions& options = {});

}  // namespace fx
