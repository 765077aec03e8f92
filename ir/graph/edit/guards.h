// Guards: what the types of a graph assume of its symbolic sizes (docs/guards.md).
//
//   graph(%x : f32[n, 3], %y : f32[m, 3]) {
//     !symbols = {"n": {"min": 2, "max": 64}}     # stated ranges
//     !guards = ["Eq(m, n)", "n >= 5"]            # assumed relations
//
// Both are meta data of the graph, so that every form of file and every copy keeps them.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// What a graph states of a symbol, or of an expression of symbols. Bounds are included.
struct SymbolRange {
  SymExpr expr;
  std::optional<int64_t> min;
  std::optional<int64_t> max;
};

/// The ranges in a graph's meta data `symbols`, in their order. A key that is not an expression is
/// left out.
std::vector<SymbolRange> symbol_ranges(const Graph& graph);

/// The guards in a graph's meta data `guards`, canonical, in their order. A text that is not a
/// relation is appended to `unread`, if given, and left out.
std::vector<SymExpr> guards_of(const Graph& graph, std::vector<std::string>* unread = nullptr);

/// Whether a size, stride, offset or number in the type depends on symbols. False for the null Type.
bool has_symbols(Type type);

/// The symbols in the types of a graph's nodes, nested graphs left out, each once, by name.
std::vector<Symbol> symbols_of_types(const Graph& graph);

/// Adds guards to those that the graph states, each once. Returns whether the graph changed.
bool add_guards(Graph& graph, absl::Span<const SymExpr> guards);

/// Adds to `part`, a graph made of nodes of `whole`, what `whole` states of the symbols in the types
/// of the part: their ranges, and the guards on no other symbols. A range that the part states
/// stays.
void copy_guards(const Graph& whole, Graph& part);

}  // namespace fx
