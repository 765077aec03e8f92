// Two graphs side by side as a web page: what `fxcpp diff --html` writes.
//
//   fx::write_file("diff.html", fx::diff_html(before, after, {.ignore_meta = true}));
//
// The page says where the graphs first differ (ir/verify/diff.h) and shows the lines of their `.fx` text,
// lines that only one of them has marked by - and +, runs of equal lines folded. It needs nothing
// else: no script, no other file.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/verify/diff.h"

#include <string>
#include <string_view>

namespace fx {

struct DiffHtmlOptions {
  DiffOptions ignore = {};
  std::string_view left_name = "left", right_name = "right";
  size_t context = 3;  ///< equal lines around what differs
};

/// The page. Time and memory are bounded: where more than 2000 lines differ, what lies between the
/// first and the last of them is shown as replaced.
std::string diff_html(const Graph& left, const Graph& right, const DiffHtmlOptions& options = {});

}  // namespace fx
