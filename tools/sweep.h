// Implements `fxcpp shape --sweep`. shape.cpp declares its options.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <string>
#include <vector>

namespace fx::tools {

enum class SymbolsOf { kInputs, kAllNodes };
/// Returns the unique symbols in the sizes of inputs, or of all nodes, in the order of their first
/// occurrence.
std::vector<Symbol> symbols_of_sizes(const Graph& graph, SymbolsOf which = SymbolsOf::kInputs);

/// Infers the types of the graph with a symbol replaced with each of several numbers, and prints
/// them. `text` is `NAME=N,N,...`. The name `batch` also means the symbol in the first dimension of
/// the first input whose first dimension is a symbol. With `compare`, compares the types with the
/// symbolic types.
absl::StatusOr<int> print_sweep(const Graph& graph, const std::string& text, int threads,
                                bool compare, bool json);

}  // namespace fx::tools
