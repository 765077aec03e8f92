// What `fxcpp shape --summary` and its options do; declared beside the rest of `shape`.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
}

namespace fx::tools {

struct SummaryFlags {
  bool summary = false;
  std::string plot;                  ///< an SVG file
  std::vector<std::string> symbols;  ///< NAME=N
  int depth = 2;
  int operators = 12;

  bool wanted() const { return summary || !plot.empty(); }
};

void add_summary_options(CLI::App& app, SummaryFlags& flags);

/// Gives calls without a type one, natively; recorded types stay. What keeps some from being typed.
std::string complete_types(Graph& graph);

/// Prints the summary of a graph, or writes its plot.
absl::StatusOr<int> print_summary(Graph& graph, const SummaryFlags& flags, bool json);

}  // namespace fx::tools
