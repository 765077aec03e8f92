// Graphs as SVG pictures, laid out by Graphviz's library. Part of fxcpp::graphviz.
//
//   fx::draw_svg(graph);                                              // modules of a large graph
//   fx::draw_svg(graph, {.view = {.selection = {.around = "relu_3"}}});  // a neighbourhood
//   fx::draw_svg(graph, {.view = {.expand = true}});                     // every node
//
// A small picture is laid out as a whole, a large one module by module from the innermost modules
// outwards: the picture of a module becomes one box in the picture around it, and edges between
// modules connect these boxes. A layout has at most 200 boxes and a time limit; a layout that
// exceeds the limit is repeated with cheaper settings.
#pragma once

#include "fx/codegen/dot/dot.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <string>

namespace fx {

struct SvgOptions {
  GraphViewOptions view = {};
  DotOptions dot = {};
  double seconds = 3;        ///< for each layout
  double total_seconds = 8;  ///< for all layouts of a picture
  /// Pictures with more boxes are laid out in parts.
  size_t max_whole = 300;
};

/// Returns an SVG file. Errors of make_view; DeadlineExceeded if even the cheapest layout exceeds
/// its time limit.
absl::StatusOr<std::string> draw_svg(const Graph& graph, const SvgOptions& options = {});

}  // namespace fx
