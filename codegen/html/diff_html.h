// Creates a web page that shows two graphs side by side: the output of `fxcpp diff --html`.
//
//   fx::write_file("diff.html", fx::diff_html(before, after, {.ignore_meta = true}));
//
// The page states the first difference between the graphs (ir/verify/diff.h) and shows their `.fx`
// text. Lines that occur in only one of them are marked with - or +, and runs of equal lines are
// folded. The page is a single file without scripts.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/verify/diff.h"

#include <string>
#include <string_view>

namespace fx {

struct DiffHtmlOptions {
  DiffOptions ignore = {};
  std::string_view left_name = "left", right_name = "right";
  size_t context = 3;  ///< the number of equal lines shown before and after each difference
};

/// Returns the page. To bound time and memory, shows all lines between the first and the last
/// difference as replaced if more than 2000 lines differ.
std::string diff_html(const Graph& left, const Graph& right, const DiffHtmlOptions& options = {});

}  // namespace fx
