// How boxes, edges and frames of a view are spelled in DOT; shared by writers of whole pictures and
// of pictures in parts.
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
  /// `columns`: each pass has a frame of its own, in which its boxes stand beside those that they
  /// belong to.
  DotWriter(const GraphView& view, const DotOptions& options, bool columns = false);

  /// `digraph { graph [...] node [...] edge [...]`
  void open(std::string& out) const;
  /// The statement of box `i`: `n4 [...]`.
  void box(std::string& out, uint32_t i) const;
  /// The statement of an edge between two ends, `n4 -> n5 [...]`; backward ones are turned.
  void edge(std::string& out, const ViewEdge& edge, std::string_view from,
            std::string_view to) const;
  /// The statement of an edge that is not seen: it only says which box stands above which.
  void tie(std::string& out, uint32_t above, uint32_t below) const;
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

/// A box without an edge would stand at the top of its frame, beside what is there, and pull it
/// wide. For each the pair of boxes, the upper one first, that puts it between its neighbours in
/// the program: those of its frame and pass.
std::vector<std::pair<uint32_t, uint32_t>> ties_of_lone_boxes(const GraphView& view);

/// The statements that open a frame around a module: `subgraph cluster_3 { label=...`.
void open_cluster(std::string& out, const ViewCluster& cluster, uint32_t number,
                  std::string_view outer_module);

}  // namespace fx
