// Graphs as DOT, Graphviz's language: `dot -Tsvg g.dot` draws it, and codegen/graphviz does so
// through Graphviz's library.
//
// The forward pass runs down on the left and the backward pass up on the right, so that what
// belongs together stands side by side. They differ in shape, outline and lightness as well as in
// colour.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/analysis/graph_view.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

enum class DotDetail : uint8_t {
  kNames,  ///< name and type
  kCalls,  ///< also target, arguments and number of users, as torch.fx's FxGraphDrawer shows them
};

struct DotOptions {
  std::string title;  ///< empty: the graph's meta data `model`, if it has one
  DotDetail detail = DotDetail::kNames;
  /// With kCalls: all arguments of the schema by their names, defaults too.
  bool normalize_arguments = false;
  bool legend = true;
  /// Types are written at the edges of pictures with at most so many of them; else in the boxes.
  size_t max_edge_labels = 160;
};

/// The text of a view. Any names and types of users are escaped.
std::string write_dot(const GraphView& view, const DotOptions& options = {});
/// make_view and write_dot.
absl::StatusOr<std::string> write_dot(const Graph& graph, const GraphViewOptions& view,
                                      const DotOptions& options = {});

}  // namespace fx
