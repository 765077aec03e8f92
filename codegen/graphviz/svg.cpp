#include "fx/codegen/graphviz/svg.h"

#include "fx/codegen/dot/dot_writer.h"
#include "fx/codegen/graphviz/layout.h"
#include "fx/ir/support/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace fx {
namespace {

constexpr size_t kMaxBoxes = 200;  // the maximum number of boxes in one layout
constexpr size_t kChunk = 100;     // the maximum number of boxes in a chunk of a larger part
constexpr double kPointsPerInch = 72, kPadding = 0.15;

/// Adds settings that reduce the layout time: straight edges and fewer iterations.
std::string coarse(const std::string& dot) {
  const size_t at = dot.find("  node [");
  return dot.substr(0, at) +
         "  graph [splines=line, nslimit=0.2, nslimit1=0.2, mclimit=0.01, searchsize=5];\n" +
         dot.substr(at);
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
  bool overlaps(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// Returns the bounding box of the first polygon of a group: `points="37,-46 37,-58 92,-58"`.
Box box_of(std::string_view group) {
  constexpr std::string_view kPoints = "points=\"";
  Box box = {.left = HUGE_VAL, .top = HUGE_VAL, .right = -HUGE_VAL, .bottom = -HUGE_VAL};
  const size_t begin = group.find(kPoints);
  if (begin == std::string_view::npos) return box;
  std::string_view points = group.substr(begin + kPoints.size());
  points = points.substr(0, points.find('"'));
  while (!points.empty()) {
    const size_t end = std::min(points.find(' '), points.size());
    const size_t comma = std::min(points.find(','), end);
    double x = 0, y = 0;
    if (comma < end && read_number(points.substr(0, comma), x) &&
        read_number(points.substr(comma + 1, end - comma - 1), y)) {
      box = {std::min(box.left, x), std::min(box.top, y), std::max(box.right, x),
             std::max(box.bottom, y)};
    }
    points.remove_prefix(std::min(end + 1, points.size()));
  }
  return box;
}

/// Moves the labels of frames, with their white background, from the groups of the frames to
/// `labels`. Returns the drawing without the labels.
std::string without_frame_labels(std::string_view svg, std::string& labels) {
  constexpr std::string_view kFrame = "class=\"cluster\">", kGround = "<polygon fill=\"white\"",
                             kText = "<text", kEnd = "</text>\n";
  std::string drawing;
  drawing.reserve(svg.size());
  size_t copied = 0;
  for (size_t at = svg.find(kFrame); at != std::string_view::npos; at = svg.find(kFrame, at + 1)) {
    const size_t close = svg.find("</g>", at);
    const size_t text = svg.find(kText, at);
    if (text >= close) continue;
    const size_t begin = std::min(svg.find(kGround, at), text);
    const size_t end = svg.rfind(kEnd, close) + kEnd.size();
    drawing += svg.substr(copied, begin - copied);
    copied = end;
    labels += fmt::format("<g class=\"frame-label\">\n{}</g>\n", svg.substr(begin, end - begin));
  }
  drawing += svg.substr(copied);
  return drawing;
}

/// Moves the labels of frames and edges after all edges and boxes, so that no line crosses a label.
/// Removes labels of edges that overlap earlier labels; the tooltip of the edge has the same text.
/// The label of an edge is the group `a_edge<number>-label` in the group of the edge; Graphviz
/// escapes the hyphen.
std::string labels_last(std::string_view whole) {
  constexpr std::string_view kEdge = "<g id=\"a_edge", kLabel = "&#45;label\">",
                             kEnd = "</a>\n</g>\n";
  std::string drawing, labels;
  const std::string frameless = without_frame_labels(whole, labels);
  const std::string_view svg = frameless;
  const size_t close = svg.rfind("</g>");
  if (close == std::string_view::npos) return std::string(whole);
  std::vector<Box> boxes;
  drawing.reserve(svg.size());
  size_t copied = 0;
  for (size_t at = svg.find(kEdge); at < close; at = svg.find(kEdge, at + kEdge.size())) {
    const size_t number_end = svg.find_first_not_of("0123456789", at + kEdge.size());
    if (!svg.substr(std::min(number_end, svg.size())).starts_with(kLabel)) continue;
    const size_t end = svg.find(kEnd, number_end);
    if (end >= close) break;
    drawing += svg.substr(copied, at - copied);
    copied = end + kEnd.size();
    const std::string_view label = svg.substr(at, copied - at);
    const Box box = box_of(label);
    if (std::ranges::any_of(boxes, [&](const Box& other) { return other.overlaps(box); })) continue;
    boxes.push_back(box);
    labels += label;
  }
  drawing += svg.substr(copied, close - copied);
  drawing += labels;
  drawing += svg.substr(close);
  return drawing;
}

/// Lays out DOT strings in three stages with increasingly cheap settings: dot, dot with fewer
/// iterations, and osage, which only packs boxes. Each stage has a share of the total time.
class Layouts {
 public:
  explicit Layouts(const SvgOptions& options)
      : seconds_(options.seconds),
        seconds_left_{options.total_seconds * 0.5, options.total_seconds * 0.25,
                      options.total_seconds * 0.25} {}

  /// Runs only the first stage.
  std::vector<absl::StatusOr<GraphvizLayout>> try_dot(absl::Span<const std::string> dots) {
    return run(dots, 0, "dot");
  }

  absl::StatusOr<std::vector<GraphvizLayout>> lay_out_all(absl::Span<const std::string> dots) {
    std::vector<absl::StatusOr<GraphvizLayout>> layouts = try_dot(dots);
    for (size_t stage = 1; stage < seconds_left_.size(); ++stage) {
      std::vector<std::string> retried;
      std::vector<size_t> indices;
      for (size_t i = 0; i < layouts.size(); ++i) {
        if (layouts[i].ok() || absl::IsInvalidArgument(layouts[i].status())) continue;
        retried.push_back(coarse(dots[i]));
        indices.push_back(i);
      }
      if (retried.empty()) break;
      auto results = run(retried, stage, stage == 1 ? "dot" : "osage");
      for (size_t k = 0; k < indices.size(); ++k) layouts[indices[k]] = std::move(results[k]);
    }
    std::vector<GraphvizLayout> result;
    for (absl::StatusOr<GraphvizLayout>& layout : layouts) {
      FX_RETURN_IF_ERROR(layout);
      result.push_back(*std::move(layout));
    }
    return result;
  }

 private:
  std::vector<absl::StatusOr<GraphvizLayout>> run(absl::Span<const std::string> dots, size_t stage,
                                                  const char* engine) {
    const auto start = std::chrono::steady_clock::now();
    auto layouts = lay_out(
        dots, {.engine = engine, .seconds = seconds_, .total_seconds = seconds_left_[stage]});
    seconds_left_[stage] -=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return layouts;
  }

  double seconds_;
  std::array<double, 3> seconds_left_;
};

// ---------------------------------------------------------------- in parts

struct Size {
  double width = 0, height = 0;  // inches
};
struct Position {
  double x = 0, y = 0;  // the center, in inches; y points upwards
};

/// Returns the first words of a line.
std::array<std::string_view, 4> first_words(std::string_view line) {
  std::array<std::string_view, 4> words;
  for (std::string_view& word : words) {
    const size_t space = std::min(line.find(' '), line.size());
    word = line.substr(0, space);
    line.remove_prefix(std::min(space + 1, line.size()));
  }
  return words;
}

/// Reads the size of the picture and the positions of the nodes named `p<number>` from text in the
/// `plain` format.
absl::Status read_plain(std::string_view plain, Size& size,
                        std::map<uint32_t, Position>& positions) {
  while (!plain.empty()) {
    const size_t end = std::min(plain.find('\n'), plain.size());
    const auto [what, name, x, y] = first_words(plain.substr(0, end));
    plain.remove_prefix(std::min(end + 1, plain.size()));
    Position position;
    uint32_t number = 0;
    if (!read_number(x, position.x) || !read_number(y, position.y)) continue;
    if (what == "graph")
      size = {position.x, position.y};
    else if (what == "node" && name.starts_with('p') && read_number(name.substr(1), number))
      positions[number] = position;
  }
  return size.width > 0 ? absl::OkStatus() : absl::InternalError("Graphviz did not return a size");
}

/// A part of the picture: a module, or a chunk of consecutive boxes or parts of a module.
struct Part {
  uint32_t cluster = 0;  // the cluster whose frame encloses the part
  uint32_t parent = UINT32_MAX;
  int depth = 0, height = 0;
  bool has_frame = false;
  std::string name;             // the name of a chunk; empty for a module
  std::vector<uint32_t> boxes;  // directly in this part
  std::vector<uint32_t> parts;  // directly in this part
  std::string edges;            // DOT statements
  std::string svg;              // the drawing, the content of <svg>
  Size size;
};

class PartsDrawing {
 public:
  PartsDrawing(const GraphView& view, const SvgOptions& options, Layouts& layouts)
      : view_(view), options_(options), layouts_(layouts), writer_(view, options_.dot) {}

  absl::StatusOr<std::string> draw() {
    make_parts();
    split_large_parts();
    measure_depths();
    place_edges();
    int max_height = 0;
    for (const Part& part : parts_) max_height = std::max(max_height, part.height);
    for (int height = 0; height <= max_height; ++height) FX_RETURN_IF_ERROR(draw_level(height));
    const Part& whole = parts_[0];
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n"
        "<svg width=\"{0:.0f}pt\" height=\"{1:.0f}pt\" viewBox=\"0 0 {0:.2f} {1:.2f}\" "
        "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\">\n{2}"
        "</svg>\n",
        whole.size.width * kPointsPerInch, whole.size.height * kPointsPerInch, whole.svg);
  }

 private:
  void make_parts() {
    parts_.resize(view_.clusters.size());
    for (uint32_t c = 0; c < view_.clusters.size(); ++c) {
      parts_[c].cluster = c;
      parts_[c].has_frame = c > 0;
      if (c > 0) {
        parts_[c].parent = view_.clusters[c].parent;
        parts_[parts_[c].parent].parts.push_back(c);
      }
    }
    for (uint32_t i = 0; i < view_.boxes.size(); ++i)
      parts_[view_.boxes[i].cluster].boxes.push_back(i);
  }

  /// Splits each part that has more than kMaxBoxes boxes and parts.
  void split_large_parts() {
    for (uint32_t p = 0; p < parts_.size(); ++p) {
      if (parts_[p].boxes.size() + parts_[p].parts.size() <= kMaxBoxes) continue;
      // Groups consecutive boxes of one pass into chunks, then chunks into larger chunks until
      // there are at most kMaxBoxes.
      std::vector<uint32_t> boxes = std::move(parts_[p].boxes);
      parts_[p].boxes.clear();
      std::ranges::stable_sort(boxes, {}, [&](uint32_t i) { return view_.boxes[i].backward; });
      for (size_t from = 0; from < boxes.size();) {
        const bool backward = view_.boxes[boxes[from]].backward;
        size_t to = from;
        while (to < boxes.size() && to - from < kChunk &&
               view_.boxes[boxes[to]].backward == backward)
          ++to;
        Part chunk;
        chunk.boxes.assign(boxes.begin() + static_cast<ptrdiff_t>(from),
                           boxes.begin() + static_cast<ptrdiff_t>(to));
        chunk.name = fmt::format("{} to {}", view_.boxes[boxes[from]].node->name(),
                                 view_.boxes[boxes[to - 1]].node->name());
        add_inside(p, std::move(chunk));
        from = to;
      }
      while (parts_[p].parts.size() > kMaxBoxes) {
        const std::vector<uint32_t> inner = std::move(parts_[p].parts);
        parts_[p].parts.clear();
        for (size_t from = 0; from < inner.size(); from += kChunk) {
          Part chunk;
          chunk.parts.assign(
              inner.begin() + static_cast<ptrdiff_t>(from),
              inner.begin() + static_cast<ptrdiff_t>(std::min(inner.size(), from + kChunk)));
          chunk.name = fmt::format("{} parts", chunk.parts.size());
          add_inside(p, std::move(chunk));
        }
      }
    }
  }

  void add_inside(uint32_t outer, Part part) {
    const auto number = static_cast<uint32_t>(parts_.size());
    part.cluster = parts_[outer].cluster;
    part.parent = outer;
    part.has_frame = true;
    for (const uint32_t inner : part.parts) parts_[inner].parent = number;
    parts_.push_back(std::move(part));
    parts_[outer].parts.push_back(number);
  }

  void measure_depths() {
    std::vector<uint32_t> order = {0};
    for (size_t i = 0; i < order.size(); ++i) {
      for (const uint32_t inner : parts_[order[i]].parts) {
        parts_[inner].depth = parts_[order[i]].depth + 1;
        order.push_back(inner);
      }
    }
    for (size_t i = order.size(); i-- > 1;) {
      Part& outer = parts_[parts_[order[i]].parent];
      outer.height = std::max(outer.height, parts_[order[i]].height + 1);
    }
    part_of_box_.resize(view_.boxes.size());
    for (uint32_t p = 0; p < parts_.size(); ++p)
      for (const uint32_t box : parts_[p].boxes) part_of_box_[box] = p;
  }

  /// Adds each edge to the innermost part that contains both ends. The edge connects the boxes or
  /// parts that are directly in that part; each pair is connected once.
  void place_edges() {
    std::map<std::pair<std::string, std::string>, bool> seen;
    for (const ViewEdge& edge : view_.edges) {
      uint32_t a = part_of_box_[edge.from], b = part_of_box_[edge.to];
      std::string from = fmt::format("n{}", edge.from), to = fmt::format("n{}", edge.to);
      const auto climb = [&](uint32_t& part, std::string& end) {
        end = fmt::format("p{}", part);
        part = parts_[part].parent;
      };
      while (a != b) {
        if (parts_[a].depth >= parts_[b].depth) {
          climb(a, from);
        } else {
          climb(b, to);
        }
      }
      if (!seen.emplace(std::pair(from, to), true).second) continue;
      writer_.edge(parts_[a].edges, edge, from, to);
    }
    for (const auto& [above, below] : invisible_edges(view_)) {
      const uint32_t part = part_of_box_[above];
      if (part_of_box_[below] == part) writer_.invisible_edge(parts_[part].edges, above, below);
    }
  }

  std::string dot_of(const Part& part, uint32_t number) const {
    std::string dot;
    writer_.open(dot);
    dot += fmt::format("  graph [id=\"part{}\"];\n", number);
    if (number == 0 && options_.dot.legend) writer_.legend(dot);
    if (part.has_frame) {
      ViewCluster frame = view_.clusters[part.cluster];
      if (!part.name.empty()) frame.module = part.name;
      const std::string_view outer =
          part.name.empty() ? view_.clusters[frame.parent].module : std::string_view();
      open_cluster(dot, frame, number, outer);
    }
    for (const uint32_t box : part.boxes) writer_.box(dot, box);
    for (const uint32_t inner : part.parts) {
      dot += fmt::format(
          "  p{} [shape=box, style=invis, fixedsize=true, label=\"\", width={:.3f}, "
          "height={:.3f}];\n",
          inner, parts_[inner].size.width, parts_[inner].size.height);
    }
    if (part.has_frame) dot += "  }\n";
    return dot + part.edges + "}\n";
  }

  absl::Status draw_level(int height) {
    std::vector<uint32_t> numbers;
    std::vector<std::string> dots;
    for (uint32_t p = 0; p < parts_.size(); ++p) {
      if (parts_[p].height != height) continue;
      numbers.push_back(p);
      dots.push_back(dot_of(parts_[p], p));
    }
    FX_ASSIGN_OR_RETURN(const std::vector<GraphvizLayout> layouts, layouts_.lay_out_all(dots));
    for (size_t i = 0; i < numbers.size(); ++i)
      FX_RETURN_IF_ERROR(take_drawing(parts_[numbers[i]], layouts[i]));
    return absl::OkStatus();
  }

  /// Extracts the drawing from Graphviz's SVG file and inserts the drawings of the inner parts.
  absl::Status take_drawing(Part& part, const GraphvizLayout& layout) {
    std::map<uint32_t, Position> positions;
    FX_RETURN_IF_ERROR(read_plain(layout.plain, part.size, positions));
    constexpr std::string_view kClose = "</g>";
    const size_t begin = layout.svg.find("<g id="), end = layout.svg.rfind(kClose);
    if (begin == std::string::npos || end == std::string::npos || end < begin)
      return absl::InternalError("Graphviz returned an SVG file without a drawing");
    part.svg = labels_last(layout.svg.substr(begin, end + kClose.size() - begin));
    part.svg.resize(part.svg.size() - kClose.size());
    for (const uint32_t inner : part.parts) {
      const Part& drawn = parts_[inner];
      const Position position = positions[inner];
      part.svg += fmt::format("<g transform=\"translate({:.2f} {:.2f})\">\n",
                              (position.x - drawn.size.width / 2) * kPointsPerInch,
                              (-position.y - drawn.size.height / 2) * kPointsPerInch);
      part.svg += drawn.svg;
      part.svg += "</g>\n";
      parts_[inner].svg.clear();
    }
    part.svg += "</g>\n";
    part.size.width += kPadding;
    part.size.height += kPadding;
    return absl::OkStatus();
  }

  const GraphView& view_;
  const SvgOptions& options_;
  Layouts& layouts_;
  const DotWriter writer_;
  std::vector<Part> parts_;
  std::vector<uint32_t> part_of_box_;
};

}  // namespace

absl::StatusOr<std::string> draw_svg(const Graph& graph, const SvgOptions& options) {
  FX_ASSIGN_OR_RETURN(const GraphView view, make_view(graph, options.view));
  Layouts layouts(options);
  if (view.boxes.size() <= options.split_above) {
    const std::string dot = write_dot(view, options.dot);
    std::vector<absl::StatusOr<GraphvizLayout>> whole = layouts.try_dot({&dot, 1});
    if (whole[0].ok()) return labels_last(whole[0]->svg);
  }
  return PartsDrawing(view, options, layouts).draw();
}

}  // namespace fx
