// The memory that a program holds while it runs, as an SVG picture: one step to the right per node,
// what is held stacked by what it is, the peak of each pass marked.
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

/// A whole SVG file. Told apart in print and by the colour-blind: layers have outlines and
/// patterns, not colours alone. Of graphs with more nodes than pixels each column shows its most.
std::string plot_memory(const Liveness& liveness, const MemoryPlotOptions& options = {});

}  // namespace fx
