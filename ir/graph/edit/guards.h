// Guards: the assumptions about symbolic sizes under which the types of a graph hold
// (docs/guards.md).
//
//   graph(%x : f32[n, 3], %y : f32[m, 3]) {
//     !symbols = {"n": {"min": 2, "max": 64}}     # declared ranges
//     !guards = ["Eq(m, n)", "n >= 5"]            # assumed relations
//
// Both are metadata of the graph, so that every file format and every copy keeps them.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// The range that a graph declares for a symbol or an expression over symbols. Bounds are
/// inclusive.
struct SymbolRange {
  SymExpr expr;
  std::optional<int64_t> min;
  std::optional<int64_t> max;
};

/// Returns the ranges in the metadata `symbols` of a graph, in order. Skips keys that are not
/// expressions.
std::vector<SymbolRange> symbol_ranges(const Graph& graph);

/// Returns the guards in the metadata `guards` of a graph, in canonical form and in order. A
/// guard that is not a relation is skipped, and appended to `unread` if that is not null.
std::vector<SymExpr> guards_of(const Graph& graph, std::vector<std::string>* unread = nullptr);

/// True if a size, stride, offset or number in the type depends on symbols. False for the null
/// Type.
bool has_symbols(Type type);

/// The distinct symbols in the types of a graph's nodes, sorted by name. Ignores nested graphs.
std::vector<Symbol> symbols_of_types(const Graph& graph);

/// Adds the guards that the graph does not have yet. Returns whether the graph changed.
bool add_guards(Graph& graph, absl::Span<const SymExpr> guards);

/// Copies to `part`, a graph that consists of copies of nodes of `whole`, the assumptions of
/// `whole` about the symbols in the types of `part`: their ranges, and the guards that use no other
/// symbols. A range that `part` already declares does not change.
void copy_guards(const Graph& whole, Graph& part);

/// Replaces all nodes and nested graphs with those of `from` (Graph::replace_nodes), and copies the
/// ranges and guards of `from`.
void replace_graph(Graph& graph, std::unique_ptr<Graph> from);

}  // namespace fx
