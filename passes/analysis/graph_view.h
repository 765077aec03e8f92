// GraphView: what a picture of a graph shows: boxes, the modules around them, and edges.
//
// A small graph is shown node by node. Of a large one, and of one that is more readable so, whole
// modules become boxes, one for the forward and one for the backward pass of each, down to the
// depth at which the picture still has few boxes; calls that belong to no module, or to one whose
// modules are boxes, become boxes of some that follow each other. Parameters, buffers and gradients
// are lines in the boxes that use and make them, not boxes, unless asked for. Writers (codegen/dot)
// turn a view into text.
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
  /// More boxes than this, and modules become boxes.
  size_t collapse_above = 150;
  /// More than this, and modules become boxes where that leaves at most two boxes of three, most
  /// calls in modules.
  size_t collapse_small_above = 50;
  /// Modules become boxes in any case.
  bool collapse = false;
  /// So many boxes may a picture of modules have; more only where a depth of one has more.
  size_t max_boxes = 60;
  /// Everything node by node, parameters and gradients too.
  bool expand = false;
  /// Parameters and buffers as boxes, and edges from gradients and their new values to the output.
  bool show_parameters = false;
};

enum class ViewBoxKind : uint8_t {
  kCall,
  kParameter,  ///< or buffer
  kInput,
  kAttribute,
  kOutput,
  kModule,  ///< all calls of a module in one pass
  kRun,     ///< calls that follow each other
};

struct ViewBox {
  ViewBoxKind kind = ViewBoxKind::kCall;
  const Node* node = nullptr;  ///< of kModule and kRun the first
  const Node* last = nullptr;  ///< of kRun the last
  std::string module;          ///< the path of the module that it stands for or belongs to
  bool backward = false;
  bool context = false;  ///< not selected itself, but next to what is
  bool center = false;   ///< the node of Selection::around
  uint32_t cluster = 0;
  uint32_t num_nodes = 1;
  int64_t parameters = 0;  ///< elements of the parameters that it reads and that are no boxes
  int64_t flops = -1;      ///< -1: not known
  /// "weight: f32[8, 4]", "gradient of fc.weight": what would be boxes and edges.
  std::vector<std::string> notes;
};

struct ViewEdge {
  uint32_t from = 0, to = 0;
  const Node* value = nullptr;  ///< the first that it carries
  uint32_t num_values = 1;
  bool saved = false;  ///< from the forward into the backward pass
};

/// A module drawn as a frame around boxes and further frames. Number 0 is the whole picture.
struct ViewCluster {
  std::string module;
  uint32_t parent = 0;
};

struct GraphView {
  std::vector<ViewBox> boxes;  ///< in program order of their first nodes
  std::vector<ViewEdge> edges;
  std::vector<ViewCluster> clusters;
  bool collapsed = false;  ///< some boxes are modules or runs
  /// Modules are frames. Not around a node: few boxes of many modules stand there, so that frames
  /// would tear apart what follows each other, and edges would run behind boxes.
  bool framed = true;
  bool has_backward = false;  ///< some boxes are of the backward pass
  size_t num_nodes = 0;       ///< of the graph that are in the picture
};

/// Errors of select_nodes. Linear.
absl::StatusOr<GraphView> make_view(const Graph& graph, const GraphViewOptions& options = {});

}  // namespace fx
