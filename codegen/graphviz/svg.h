// Graphs as SVG pictures, laid out by Graphviz's library. Part of fxcpp::graphviz.
//
//   FX_ASSIGN_OR_RETURN(std::string svg, fx::draw_svg(graph));            // modules when it is
//   large fx::draw_svg(graph, {.view = {.selection = {.around = "relu_3"}}});   // a neighbourhood
//   fx::draw_svg(graph, {.view = {.expand = true}});                      // every node
//
// A picture of few boxes is laid out as a whole. One of many is laid out module by module, from the
// inside out: each module's picture is a box of its size in the picture around it, and edges
// between modules run between these boxes. No layout has more than 200 boxes, each has a time
// limit, and a layout that exceeds it is made again with less care.
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
  double total_seconds = 8;  ///< for all of a picture
  /// Pictures with more boxes are laid out in parts.
  size_t max_whole = 300;
};

/// Errors of make_view; DeadlineExceeded when even the coarse layouts take longer than they may.
absl::StatusOr<std::string> draw_svg(const Graph& graph, const SvgOptions& options = {});

}  // namespace fx
