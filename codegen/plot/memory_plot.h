// Plots the memory that a program uses while it runs, as SVG: nodes in order on the x axis, live
// bytes stacked by kind of storage on the y axis, with a mark at the peak of each pass.
#pragma once

#include "fx/passes/analysis/liveness.h"

#include <string>
#include <string_view>

namespace fx {

struct MemoryPlotOptions {
  std::string_view title = {};
  int width = 960;  ///< pixels, at least 320
  int height = 420;
};

/// Returns an SVG file. Layers differ in outline, pattern and color. If there are more nodes than
/// pixels, each column shows the node with the most live bytes.
std::string plot_memory(const Liveness& liveness, const MemoryPlotOptions& options = {});

}  // namespace fx
