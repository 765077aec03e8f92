// Creates one graph with symbolic sizes from recordings of a program at different sizes.
//
//   graph(%x : f32[4, 6]) {                        graph(%x : f32[7, 6]) {
//     %view = aten.view.default(%x, [24])            %view = aten.view.default(%x, [42])
//
// with n = 4 and n = 7, and %x : f32[n, 6], become
//
//   graph(%x : f32[n, 6]) {
//     %sym_size_int : SymInt(n) = aten.sym_size.int(%x, 0)
//     %mul : SymInt(6*n) = operator.mul(6, %sym_size_int)
//     %view : f32[6*n] = aten.view.default(%x, [%mul])
//
// The graphs are aligned node by node. A number that differs between the graphs becomes an
// expression over the symbols that has the observed value in every graph: an expression in the type
// of an earlier node, or a simple function of such expressions. The type functions then compute the
// symbolic type of each node, which must match the recorded type in every graph. Their assumptions
// about the sizes become guards of the result.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fx {

/// A number whose expression an additional graph could refute, such as a quotient or a minimum.
struct SizeRivals {
  std::string number;                ///< for messages: the node, its argument, and the value
  std::vector<SymExpr> expressions;  ///< that equal the number in all graphs; the chosen one first
};

/// Generalizes the first graph. `sizes` contains the values of the symbols in each graph. At least
/// two graphs are required; three determine the usual expressions. `rivals`, if not null, is set to
/// the numbers that additional graphs should confirm, also if an error is returned;
/// distinguishing_sizes() chooses the sizes of such a graph. `inputs` contains the symbolic type of
/// each placeholder, or the null Type. Without a symbolic type, a placeholder keeps its recorded
/// type if it is the same in all graphs; otherwise its type is derived from the sizes, as for
/// tangents. Uses the ranges recorded in the
/// first graph (fx/ir/graph/edit/guards.h). All graphs must have the same Context and no nested
/// graphs.
///
/// Returns InvalidArgument if the graphs have different nodes, because the program's structure
/// depends on the sizes; if a number has no such expression; or if the symbolic type of a node
/// differs from the recorded type. The message names the first such node and the sizes. The first
/// graph is then in a valid but unspecified state.
absl::Status generalize_sizes(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
                              absl::Span<const Type> inputs,
                              std::vector<SizeRivals>* rivals = nullptr);

/// A recording of an additional run, compared with the graph of the first run. The nodes of the
/// graph are numbered from 0.
struct RecordedRun {
  /// An argument that differs from that of the first run.
  struct Difference {
    size_t node;
    size_t position;  ///< args first, then the values of kwargs
    Argument value;   ///< in this run, in terms of the first graph's nodes
  };

  /// The type of each node in this run, up to the first node without a counterpart. It is null for
  /// a numeric input that only the first graph has.
  std::vector<Type> types;
  std::vector<Difference> differences;  ///< in the order of the nodes and their arguments
  std::vector<size_t> changed_guards;   ///< nodes that returned a different number to the program
  /// The error for the first node without a counterpart.
  absl::Status problem;
};

/// Like generalize_sizes above, for recordings that were compared with `first` while the program
/// ran. `sizes` contains the values of the symbols in the first run, then those in `others`.
absl::Status generalize_sizes(Graph& first, absl::Span<const RecordedRun> others,
                              absl::Span<const SymBindings> sizes, absl::Span<const Type> inputs,
                              std::vector<SizeRivals>* rivals = nullptr);

/// The values that a symbol may have in an additional graph, inclusive.
struct SizeWindow {
  Symbol symbol;
  int64_t min, max;
};

/// Returns sizes in the windows at which the most rivals have different values. Returns nullopt if
/// the rivals of each number are equal at all sizes in the windows that were tried.
std::optional<SymBindings> distinguishing_sizes(absl::Span<const SizeRivals> rivals,
                                                absl::Span<const SizeWindow> windows);

/// Returns the sizes as text, sorted by name: "batch=4, seq=16".
std::string sizes_text(const SymBindings& sizes);

}  // namespace fx
