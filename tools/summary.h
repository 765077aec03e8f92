// Implements `fxcpp shape --summary`. shape.cpp declares the other options of `shape`.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
}

namespace fx::tools {

struct SummaryFlags {
  bool summary = false;
  std::string plot;                  ///< the path of an SVG file
  std::vector<std::string> symbols;  ///< NAME=N
  int depth = 2;
  int operators = 12;

  bool is_requested() const { return summary || !plot.empty(); }
};

void add_summary_options(CLI::App& app, SummaryFlags& flags);

/// Uses type functions to infer the types of calls that have no type. Recorded types do not change.
/// Returns the reasons why some calls have no type.
std::string complete_types(Graph& graph);

/// Parses `NAME=N` for symbols among the sizes of the graph.
absl::StatusOr<SymBindings> parse_symbols(const Graph& graph,
                                          const std::vector<std::string>& texts);

/// Prints the summary of a graph, or writes its plot.
absl::StatusOr<int> print_summary(Graph& graph, const SummaryFlags& flags, bool json);

}  // namespace fx::tools
