// Writes DOT statements for the boxes, edges and frames of a view. Used for whole pictures (dot.h)
// and for pictures that are laid out in parts (codegen/graphviz/svg.h).
#pragma once

#include "fx/codegen/dot/dot.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

class DotWriter {
 public:
  /// With `columns`, each pass has a separate frame. `view` and `options` must outlive the writer.
  DotWriter(const GraphView& view, const DotOptions& options, bool columns = false);

  /// Appends `digraph { graph [...] node [...] edge [...]`.
  void open(std::string& out) const;
  /// Appends the statement of box `i`: `n4 [...]`.
  void box(std::string& out, uint32_t i) const;
  /// Appends the statement of an edge between two boxes or parts, `n4 -> n5 [...]`. Edges of the
  /// backward pass are written reversed, with dir=back.
  void edge(std::string& out, const ViewEdge& edge, std::string_view from,
            std::string_view to) const;
  /// Appends the statement of an invisible edge, which places box `above` above box `below`.
  void invisible_edge(std::string& out, uint32_t above, uint32_t below) const;
  void legend(std::string& out) const;
  std::string title() const;

 private:
  std::string label(const ViewBox& box) const;
  void call_rows(std::string& rows, const Node& node) const;
  std::string tooltip(const ViewBox& box) const;

  const GraphView& view_;
  const DotOptions& options_;
  bool labels_edges_, columns_;
};

/// Returns pairs of boxes, the upper box first, that must be connected by invisible edges. Graphviz
/// would place boxes without edges at the top of their frame and thereby widen it; the invisible
/// edges place each of them between its neighbors in program order, within its frame and pass.
std::vector<std::pair<uint32_t, uint32_t>> invisible_edges(const GraphView& view);

/// Appends the statements that open a frame around a module: `subgraph cluster_3 { label=...`.
void open_cluster(std::string& out, const ViewCluster& cluster, uint32_t number,
                  std::string_view outer_module);

}  // namespace fx
