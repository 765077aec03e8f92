// Writes graphs in DOT, Graphviz's language. `dot -Tsvg g.dot` draws the result, and so does
// codegen/graphviz, with Graphviz's library.
//
// The forward pass runs down on the left and the backward pass runs up on the right, so that the
// two passes of a module are side by side. They differ in shape, outline, lightness and color.
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
  kCalls,  ///< also target, arguments and number of users, like torch.fx's FxGraphDrawer
};

struct DotOptions {
  std::string title;  ///< if empty, the metadata `model` of the graph, if any
  DotDetail detail = DotDetail::kNames;
  /// With kCalls, shows all arguments of the schema by name, including defaults.
  bool normalize_arguments = false;
  bool legend = true;
  /// Edges are labeled with types if the picture has at most this number of edges.
  size_t max_edge_labels = 160;
};

/// Returns the DOT text of a view. Names and types are escaped.
std::string write_dot(const GraphView& view, const DotOptions& options = {});
/// Returns the DOT text of `make_view(graph, view)`, or the error of make_view.
absl::StatusOr<std::string> write_dot(const Graph& graph, const GraphViewOptions& view,
                                      const DotOptions& options = {});

}  // namespace fx
