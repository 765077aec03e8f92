// One graph with symbolic sizes from recordings of a program at several sizes.
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
// The graphs are aligned node by node. A number that differs becomes an expression over the
// symbols: one that the types of earlier nodes have, or a simple function of these, that has the
// observed value in every graph. The type functions then compute the symbolic type of each node,
// which must have the recorded type in every graph; what they assume about the sizes becomes a
// guard of the result.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/ir/types/type.h"

#include "absl/status/status.h"
#include "absl/types/span.h"

#include <string>

namespace fx {

/// Generalizes the first graph. `sizes` has the values of the symbols in each graph; at least two
/// graphs are required, three determine the usual expressions, and four nearly all: `is_certain`, if
/// not null, is set to false if an expression was found that a further graph may refute, such as a
/// minimum. `inputs` has for each placeholder its
/// symbolic type, or the null Type: then its type is the recorded one, or derived from the sizes in
/// which the graphs differ (of tangents). Ranges that the first graph states
/// (fx/ir/graph/edit/guards.h) are known. All graphs must have the same Context and no nested
/// graphs.
///
/// InvalidArgument if the graphs have different nodes, since the program's structure depends on the
/// sizes; if a number has no such expression; or if the symbolic type of a node differs from the
/// recorded one. The message names the first such node and the sizes. The first graph is then in an
/// unspecified, valid state.
absl::Status generalize_sizes(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
                              absl::Span<const Type> inputs, bool* is_certain = nullptr);

/// "batch=4, seq=16", sorted by name.
std::string sizes_text(const SymBindings& sizes);

}  // namespace fx
