#include "fx/codegen/plot/memory_plot.h"

#include "fx/codegen/escape.h"
#include "fx/passes/analysis/training_step.h"
#include "fx/passes/summary/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace fx {
namespace {

/// The layers of the plot, from bottom to top.
enum Layer : uint8_t {
  kCaller,
  kSaved,
  kForwardOnly,
  kBackwardLayer,
  kOptimizerLayer,
  kNestedLayer
};
constexpr size_t kNumLayers = 6;

struct LayerStyle {
  std::string_view label, fill, stroke;
};
constexpr std::array<LayerStyle, kNumLayers> kStyles = {{
    {"parameters, buffers, state, inputs", "#d9d9d9", "#7f7f7f"},
    {"forward, saved for the backward pass", "url(#saved)", "#0072b2"},
    {"forward, not saved", "#eaf4fb", "#0072b2"},
    {"backward", "url(#backward)", "#b35900"},
    {"optimizer", "#d8eedd", "#2a6f3f"},
    {"inside nested graphs", "#ffffff", "#555555"},
}};

using Stack = std::array<int64_t, kNumLayers>;

Layer layer_of(const StorageLifetime& life) {
  if (life.kind == StorageKind::kBackward) return kBackwardLayer;
  if (life.kind == StorageKind::kOptimizer) return kOptimizerLayer;
  if (life.kind != StorageKind::kForward) return kCaller;
  return life.saved ? kSaved : kForwardOnly;
}

/// Returns the stack of each column, which is that of the node with the most live bytes in the
/// column.
std::vector<Stack> columns_of(const Liveness& liveness, size_t columns) {
  const size_t count = liveness.nodes.size();
  std::vector<Stack> changes(count + 1, Stack{});
  for (const StorageLifetime& life : liveness.storages) {
    changes[life.first][layer_of(life)] += life.bytes;
    changes[life.last + 1][layer_of(life)] -= life.bytes;
  }
  std::vector<Stack> result(columns, Stack{});
  std::vector<int64_t> max_bytes(columns, -1);
  Stack now = {};
  for (size_t i = 0; i < count; ++i) {
    int64_t sum = 0;
    for (size_t layer = 0; layer < kNestedLayer; ++layer) sum += now[layer] += changes[i][layer];
    const size_t first = i * columns / count, last = std::max(first + 1, (i + 1) * columns / count);
    for (size_t c = first; c < last; ++c) {
      if (liveness.live_bytes[i] <= max_bytes[c]) continue;
      max_bytes[c] = liveness.live_bytes[i];
      result[c] = now;
      result[c][kNestedLayer] = liveness.live_bytes[i] - sum;
    }
  }
  return result;
}

/// Returns the smallest power of two such that at most 6 multiples of it are not greater than
/// `max`.
int64_t tick_step(int64_t max) {
  int64_t step = 1;
  while (max / step > 6) {
    if (step > INT64_MAX / 4) break;
    step *= 2;
  }
  return step;
}

class MemoryPlot {
 public:
  MemoryPlot(const Liveness& liveness, const MemoryPlotOptions& options)
      : liveness_(liveness),
        options_(options),
        width_(std::max(320, options.width)),
        height_(std::max(240, options.height)),
        right_(width_ - 24),
        bottom_(height_ - 84) {
    const int64_t peak = liveness.peak_position([](const Node&) { return true; });
    max_bytes_ =
        peak < 0 ? 1 : std::max<int64_t>(1, liveness.live_bytes[static_cast<size_t>(peak)]);
  }

  std::string draw() {
    head();
    axes();
    layers();
    peaks();
    legend();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  static constexpr int kLeft = 84, kTop = 78;

  double x(double position) const {
    const auto count = static_cast<double>(std::max<size_t>(1, liveness_.nodes.size()));
    return kLeft + position / count * (right_ - kLeft);
  }
  double y(int64_t bytes) const {
    const double share = static_cast<double>(bytes) / static_cast<double>(max_bytes_);
    return bottom_ - share * 0.94 * (bottom_ - kTop);
  }

  void text(double text_x, double text_y, std::string_view anchor, std::string_view words,
            std::string_view attributes = {}) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", text_x,
                        text_y, anchor, attributes, escape_xml(words));
  }

  void head() {
    out_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" font-family=\"Helvetica,Arial,DejaVu Sans,sans-serif\" "
        "font-size=\"12\">\n",
        width_, height_);
    // The stripes distinguish the backward pass even in black and white.
    out_ +=
        "<defs><pattern id=\"saved\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"6\" height=\"6\" fill=\"#8cc5e8\"/></pattern>\n"
        "<pattern id=\"backward\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
        "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#f6c875\"/>"
        "<rect width=\"2\" height=\"6\" fill=\"#b35900\"/></pattern></defs>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    const std::string title = options_.title.empty()
                                  ? "memory over time"
                                  : fmt::format("{}: memory over time", options_.title);
    text(kLeft, 22, "start", title, " font-size=\"15\" font-weight=\"bold\"");
  }

  void axes() {
    const int64_t step = tick_step(max_bytes_);
    for (int64_t bytes = 0; bytes <= max_bytes_ - max_bytes_ % step; bytes += step) {
      out_ += fmt::format(
          "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#e5e5e5\"/>\n", kLeft,
          right_, y(bytes), y(bytes));
      text(kLeft - 8, y(bytes) + 4, "end", bytes_text(bytes));
      if (bytes > INT64_MAX - step) break;
    }
    text(kLeft, bottom_ + 16, "start", "node 0");
    text(right_, bottom_ + 16, "end", fmt::format("node {}", liveness_.nodes.size()));
  }

  void layers() {
    const size_t pixels = static_cast<size_t>(right_ - kLeft);
    const std::vector<Stack> stacks =
        columns_of(liveness_, std::min(pixels, std::max<size_t>(1, liveness_.nodes.size())));
    if (liveness_.nodes.empty()) return;
    const double step = static_cast<double>(right_ - kLeft) / static_cast<double>(stacks.size());
    std::vector<int64_t> base(stacks.size(), 0);
    for (size_t layer = 0; layer < kNumLayers; ++layer) {
      bool any = false;
      std::string top, under;
      std::vector<std::string> lower;  // the lower outline, which is drawn from right to left
      for (size_t c = 0; c < stacks.size(); ++c) {
        const int64_t height = base[c] + stacks[c][layer];
        any |= stacks[c][layer] > 0;
        const double from = kLeft + step * static_cast<double>(c), to = from + step;
        top += fmt::format("{}{:.1f},{:.1f} {:.1f},{:.1f}", c == 0 ? "M" : "L", from, y(height), to,
                           y(height));
        lower.push_back(
            fmt::format("L{:.1f},{:.1f} {:.1f},{:.1f}", to, y(base[c]), from, y(base[c])));
        base[c] = height;
      }
      for (size_t i = lower.size(); i-- > 0;) under += lower[i];
      shown_[layer] = any;
      if (!any) continue;
      out_ += fmt::format("<path d=\"{}{}Z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"0.6\"/>\n",
                          top, under, kStyles[layer].fill, kStyles[layer].stroke);
    }
  }

  /// Marks the peak of each pass in the plot, and describes it on a line above the plot, where no
  /// line crosses the text.
  void peaks() {
    const auto mark = [&](std::string_view pass, int64_t position, bool square, double label_y) {
      if (position < 0) return;
      const auto i = static_cast<size_t>(position);
      const std::string name = escape_xml(liveness_.nodes[i]->name());
      const auto sign = [&](double at_x, double at_y) {
        out_ += square ? fmt::format(
                             "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\" "
                             "stroke=\"white\"><title>{}</title></rect>\n",
                             at_x - 4, at_y - 4, name)
                       : fmt::format(
                             "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\" stroke=\"white\">"
                             "<title>{}</title></circle>\n",
                             at_x, at_y, name);
      };
      sign(x(static_cast<double>(position) + 0.5), y(liveness_.live_bytes[i]));
      sign(kLeft + 4, label_y - 4);
      text(kLeft + 14, label_y, "start",
           fmt::format("{} peak {} at {}", pass, bytes_text(liveness_.live_bytes[i]),
                       liveness_.nodes[i]->name()));
    };
    if (liveness_.nodes.empty()) return;
    const NodeMap<StepPart> parts = find_step_parts(liveness_.nodes.front()->graph());
    const auto first =
        std::ranges::find_if(liveness_.nodes, [](const Node* node) { return is_backward(*node); });
    const bool both = first != liveness_.nodes.end();
    if (both) {
      const double at = x(static_cast<double>(first - liveness_.nodes.begin()));
      out_ += fmt::format(
          "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"black\" "
          "stroke-dasharray=\"5 4\"/>\n",
          at, kTop - 6, bottom_);
      text(at - 6, kTop + 4, "end", "forward");
      text(at + 6, kTop + 4, "start", "backward");
    }
    const auto is_forward = [&](const Node& n) {
      return parts[n] == StepPart::kForward && !n.is_output();
    };
    mark("forward", liveness_.peak_position(is_forward), /*square=*/false, 42);
    if (both)
      mark("backward", liveness_.peak_position([](const Node& n) { return is_backward(n); }),
           /*square=*/true, 60);
  }

  void legend() {
    double at_x = kLeft, at_y = bottom_ + 40;
    for (size_t layer = 0; layer < kNumLayers; ++layer) {
      if (!shown_[layer]) continue;
      const double wide = 30 + 6.6 * static_cast<double>(kStyles[layer].label.size());
      if (at_x > kLeft && at_x + wide > right_) {
        at_x = kLeft;
        at_y += 20;
      }
      out_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"12\" fill=\"{}\" "
          "stroke=\"{}\"/>\n",
          at_x, at_y - 10, kStyles[layer].fill, kStyles[layer].stroke);
      text(at_x + 20, at_y, "start", kStyles[layer].label);
      at_x += wide;
    }
  }

  const Liveness& liveness_;
  const MemoryPlotOptions& options_;
  int width_, height_, right_, bottom_;
  int64_t max_bytes_ = 1;
  std::array<bool, kNumLayers> shown_ = {};
  std::string out_;
};

}  // namespace

std::string plot_memory(const Liveness& liveness, const MemoryPlotOptions& options) {
  return MemoryPlot(liveness, options).draw();
}

}  // namespace fx
