#include "fx/codegen/dot/dot.h"

#include "fx/codegen/dot/dot_writer_internal.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <string>

namespace fx {
namespace {

/// Boxes of one module side by side: its forward pass on the left, its backward pass on the right.
/// An edge along a rank runs to the right.
void align_passes(std::string& out, const GraphView& view) {
  absl::flat_hash_map<std::string_view, uint32_t> forward;
  for (uint32_t i = 0; i < view.boxes.size(); ++i) {
    const ViewBox& box = view.boxes[i];
    if (box.kind != ViewBoxKind::kModule) continue;
    if (!box.backward) {
      forward.emplace(box.module, i);
    } else if (const auto found = forward.find(box.module); found != forward.end()) {
      out += fmt::format("  {{rank=same; n{} -> n{} [style=invis];}}\n", found->second, i);
    }
  }
}

}  // namespace

std::string write_dot(const GraphView& view, const DotOptions& options) {
  const DotWriter writer(view, options);
  std::string out;
  writer.open(out);
  if (options.legend) writer.legend(out);
  // Frames nest: each opens behind its outer one and closes before the next that is not in it.
  std::vector<std::vector<uint32_t>> boxes(view.clusters.size());
  for (uint32_t i = 0; i < view.boxes.size(); ++i) boxes[view.boxes[i].cluster].push_back(i);
  std::vector<uint32_t> open;
  const auto close_until = [&](uint32_t parent) {
    while (!open.empty() && open.back() != parent) {
      out += "  }\n";
      open.pop_back();
    }
  };
  for (uint32_t c = 0; c < view.clusters.size(); ++c) {
    if (c > 0) {
      const uint32_t parent = view.clusters[c].parent;
      close_until(parent);
      open_cluster(out, view.clusters[c], c, view.clusters[parent].module);
      open.push_back(c);
    }
    for (const uint32_t i : boxes[c]) writer.box(out, i);
  }
  close_until(UINT32_MAX);
  for (const ViewEdge& edge : view.edges)
    writer.edge(out, edge, fmt::format("n{}", edge.from), fmt::format("n{}", edge.to));
  for (const auto& [above, below] : ties_of_lone_boxes(view)) writer.tie(out, above, below);
  align_passes(out, view);
  out += "}\n";
  return out;
}

absl::StatusOr<std::string> write_dot(const Graph& graph, const GraphViewOptions& view,
                                      const DotOptions& options) {
  FX_ASSIGN_OR_RETURN(const GraphView made, make_view(graph, view));
  return write_dot(made, options);
}

}  // namespace fx
