// Shows two graphs side by side on a web page: the output of `fxcpp diff --html`.
//
//   fx::write_file("diff.html", fx::diff_html(before, after, {.ignore_meta = true}));
//
// The page states where the graphs first differ (ir/verify/diff.h) and shows their `.fx` text:
// lines of one graph only are marked with - or +, and runs of equal lines are folded. The page is
// one file without scripts.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/verify/diff.h"

#include <string>
#include <string_view>

namespace fx {

struct DiffHtmlOptions {
  DiffOptions ignore = {};
  std::string_view left_name = "left", right_name = "right";
  size_t context = 3;  ///< equal lines shown before and after each difference
};

/// Returns the page. Time and memory are bounded: if more than 2000 lines differ, all lines between
/// the first and the last difference are shown as replaced.
std::string diff_html(const Graph& left, const Graph& right, const DiffHtmlOptions& options = {});

}  // namespace fx
