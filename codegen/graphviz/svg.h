// Draws graphs as SVG pictures, laid out by Graphviz's library. Part of fxcpp::graphviz.
//
//   fx::draw_svg(graph);                                              // modules of a large graph
//   fx::draw_svg(graph, {.view = {.selection = {.around = "relu_3"}}});  // the neighbors of a node
//   fx::draw_svg(graph, {.view = {.expand = true}});                     // every node
//
// A small picture is laid out as a whole. A large picture is laid out module by module, starting
// with the innermost modules: the picture of a module becomes one box in the picture of the
// enclosing module, and edges between modules connect these boxes. Each of these layouts has at
// most 200 boxes and a time limit; a layout that exceeds the limit is repeated with cheaper
// settings.
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
  /// Pictures with more boxes than this are laid out in parts.
  size_t split_above = 300;
};

/// Returns the text of an SVG file. Returns the errors of make_view, and DeadlineExceeded if even
/// the cheapest layout exceeds its time limit.
absl::StatusOr<std::string> draw_svg(const Graph& graph, const SvgOptions& options = {});

}  // namespace fx
