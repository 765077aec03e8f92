// GraphView: the contents of a picture of a graph: boxes, the modules around them, and edges.
//
// A small graph is shown node by node. In a large graph, and in a smaller one if the picture
// becomes more readable, modules become boxes: one for the forward and one for the backward pass of
// each module. The depth is chosen so that the picture has as many boxes as the limit allows. Calls
// without a module become boxes of consecutive calls, and so do the direct calls of a module whose
// submodules are boxes. Parameters, buffers, gradients, and the state and numbers of a training
// step are lines in the boxes that use or create them, unless boxes are requested. Writers
// (codegen/dot) turn a view into text.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/analysis/selection.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fx {

struct GraphViewOptions {
  Selection selection = {};
  /// Modules become boxes if there are more boxes than this.
  size_t collapse_above = 150;
  /// If there are more boxes than this, modules become boxes if that reduces the number of boxes to
  /// at most two thirds, and at least half of the calls are in modules.
  size_t collapse_small_above = 50;
  /// Modules always become boxes.
  bool collapse = false;
  /// The maximum number of boxes in a picture of modules, unless depth 1 already has more.
  size_t max_boxes = 60;
  /// Shows every node, including parameters and gradients.
  bool expand = false;
  /// Shows parameters and buffers as boxes, and edges from gradients and new values to the output.
  bool show_parameters = false;
};

enum class ViewBoxKind : uint8_t {
  kCall,
  kParameter,  ///< a parameter or buffer
  kInput,
  kAttribute,
  kOutput,
  kModule,  ///< all calls of a module in one pass
  kRun,     ///< consecutive calls
};

struct ViewBox {
  ViewBoxKind kind = ViewBoxKind::kCall;
  const Node* node = nullptr;  ///< for kModule and kRun, the first one
  const Node* last = nullptr;  ///< for kRun, the last one
  std::string module;          ///< the path of the module that it represents or belongs to
  bool backward = false;
  bool context = false;  ///< not selected, but next to a selected node
  bool center = false;   ///< the node of Selection::around
  uint32_t cluster = 0;
  uint32_t num_nodes = 1;
  int64_t parameters = 0;  ///< elements of the parameters that it uses and that are not boxes
  int64_t flops = -1;      ///< -1: unknown
  /// Lines for boxes and edges that are not shown: "weight: f32[8, 4]", "gradient of fc.weight".
  std::vector<std::string> notes;
};

struct ViewEdge {
  uint32_t from = 0, to = 0;
  const Node* value = nullptr;  ///< the first of its values
  uint32_t num_values = 1;
  bool saved = false;  ///< the value passes from the forward to the backward pass
};

/// A module that is drawn as a frame around boxes and other frames. Cluster 0 is the whole picture.
struct ViewCluster {
  std::string module;
  uint32_t parent = 0;
};

struct GraphView {
  std::vector<ViewBox> boxes;  ///< in program order of their first nodes
  std::vector<ViewEdge> edges;
  std::vector<ViewCluster> clusters;
  bool collapsed = false;  ///< some boxes are modules or runs
  /// True if modules are drawn as frames. False in a picture around a node, which has few boxes of
  /// many modules: frames would separate consecutive boxes, and edges would pass behind boxes.
  bool has_frames = true;
  bool has_backward = false;  ///< some boxes belong to the backward pass
  size_t num_nodes = 0;       ///< nodes of the graph in the picture
};

/// Builds the view of a graph. Returns the errors of select_nodes. Takes linear time.
absl::StatusOr<GraphView> make_view(const Graph& graph, const GraphViewOptions& options = {});

}  // namespace fx
