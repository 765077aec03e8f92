#include "fx/codegen/dot/dot.h"

#include "fx/codegen/dot/dot_writer.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Places the two boxes of a module side by side, with the forward pass on the left and the
/// backward pass on the right: Graphviz draws an edge within a rank from left to right.
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

/// Orders the columns with an invisible edge, which places the last saved value to the left of its
/// user in the backward pass.
void order_passes(std::string& out, const GraphView& view) {
  const ViewEdge* last = nullptr;
  for (const ViewEdge& edge : view.edges) {
    const ViewBoxKind kind = view.boxes[edge.from].kind;
    if (!edge.saved || kind == ViewBoxKind::kInput || kind == ViewBoxKind::kParameter) continue;
    if (last == nullptr || edge.from > last->from) last = &edge;
  }
  if (last == nullptr) return;
  out += fmt::format("  {{rank=same; n{} -> n{} [style=invis];}}\n", last->from, last->to);
}

/// Opens the frame of a pass, one of the two columns of the picture.
void open_pass(std::string& out, bool backward) {
  out += fmt::format(
      "  subgraph cluster_{0} {{\n  label=<<B>{0} pass</B>>; tooltip=\"{0} pass\"; "
      "style=\"rounded,filled\"; color=\"{1}\"; fillcolor=\"{1}\"; fontsize=11;\n",
      backward ? "backward" : "forward", backward ? "#fdf6e8" : "#f6fafe");
}

/// Writes boxes in the frames of their modules.
class FrameWriter {
 public:
  FrameWriter(const DotWriter& writer, const GraphView& view)
      : writer_(writer),
        view_(view),
        boxes_(view.clusters.size()),
        frames_(view.clusters.size()),
        is_drawn_(view.clusters.size()) {
    for (uint32_t i = 0; i < view.boxes.size(); ++i) boxes_[view.boxes[i].cluster].push_back(i);
    for (uint32_t c = 1; c < view.clusters.size(); ++c)
      frames_[view.clusters[c].parent].push_back(c);
  }

  /// Writes the boxes for which `chosen` returns true. A frame is drawn if it contains at least
  /// `min_items` items, counting these boxes and the drawn frames.
  template <class Chosen>
  void write(std::string& out, Chosen&& chosen, size_t min_items) {
    std::vector<size_t> items(view_.clusters.size(), 0);
    for (size_t c = items.size(); c-- > 0;) {  // inner frames follow outer ones
      for (const uint32_t i : boxes_[c]) items[c] += chosen(view_.boxes[i]) ? 1 : 0;
      for (const uint32_t inner : frames_[c]) items[c] += is_drawn_[inner] ? 1 : items[inner];
      is_drawn_[c] = c > 0 && items[c] >= min_items;
    }
    write_frame(out, chosen, 0, {});
    ++num_writes_;
  }

 private:
  template <class Chosen>
  void write_frame(std::string& out, Chosen&& chosen, uint32_t c, std::string_view outer) {
    if (is_drawn_[c]) {
      const auto number = static_cast<uint32_t>(c + num_writes_ * view_.clusters.size());
      open_cluster(out, view_.clusters[c], number, outer);
      outer = view_.clusters[c].module;
    }
    for (const uint32_t i : boxes_[c])
      if (chosen(view_.boxes[i])) writer_.box(out, i);
    for (const uint32_t inner : frames_[c]) write_frame(out, chosen, inner, outer);
    if (is_drawn_[c]) out += "  }\n";
  }

  const DotWriter& writer_;
  const GraphView& view_;
  std::vector<std::vector<uint32_t>> boxes_, frames_;  // indexed by the frame that contains them
  std::vector<char> is_drawn_;
  size_t num_writes_ = 0;  // so that frames of later writes have different numbers
};

}  // namespace

std::string write_dot(const GraphView& view, const DotOptions& options) {
  // In other pictures with a backward pass, the two boxes of a module are side by side instead.
  const bool columns = view.has_backward && view.has_frames && !view.collapsed;
  const DotWriter writer(view, options, columns);
  std::string out;
  writer.open(out);
  if (options.legend) writer.legend(out);
  FrameWriter frames(writer, view);
  if (columns) {
    const auto is_outside = [](const ViewBox& box) {
      return !box.backward &&
             (box.kind == ViewBoxKind::kInput || box.kind == ViewBoxKind::kParameter);
    };
    open_pass(out, /*backward=*/false);
    frames.write(out, [&](const ViewBox& box) { return !box.backward && !is_outside(box); }, 2);
    out += "  }\n";
    open_pass(out, /*backward=*/true);
    frames.write(out, [](const ViewBox& box) { return box.backward; }, 2);
    out += "  }\n";
    for (uint32_t i = 0; i < view.boxes.size(); ++i)
      if (is_outside(view.boxes[i])) writer.box(out, i);
  } else {
    frames.write(out, [](const ViewBox&) { return true; }, 1);
  }
  for (const ViewEdge& edge : view.edges)
    writer.edge(out, edge, fmt::format("n{}", edge.from), fmt::format("n{}", edge.to));
  for (const auto& [above, below] : invisible_edges(view)) writer.invisible_edge(out, above, below);
  columns ? order_passes(out, view) : align_passes(out, view);
  out += "}\n";
  return out;
}

absl::StatusOr<std::string> write_dot(const Graph& graph, const GraphViewOptions& view,
                                      const DotOptions& options) {
  FX_ASSIGN_OR_RETURN(const GraphView graph_view, make_view(graph, view));
  return write_dot(graph_view, options);
}

}  // namespace fx
