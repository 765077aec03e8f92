// The part `graphviz` of the command: see tools/parts.h.
#include "tools/parts.h"

extern "C" const fx::tools::GraphvizPart* fxcpp_part() {
  static constexpr fx::tools::GraphvizPart kPart = {.version = FXCPP_VERSION,
                                                    .draw_svg = fx::draw_svg};
  return &kPart;
}
