// Nodes that compute sizes: the size, stride or offset of a tensor, or the value of a symbolic
// expression.
//
//   // %sym_size_int = aten.sym_size.int(%x, 0)
//   Node* n = create_size_node(*x, 0);
//   // 2*s0, where s0 is the size of an input: operator.mul(2, %sym_size_int)
//   FX_ASSIGN_OR_RETURN(Argument size, materialize_symint(graph, dim));
//
// The first form queries the tensor: if a pass changes the layout of the tensor, the result changes
// as well. The second form computes the expression from the inputs of the graph, and does not
// depend on the tensor whose type has the expression.
//
// New nodes are inserted at the insert point. In a graph with an output, set it before the output.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/support/symbol.h"
#include "fx/ir/symbolic/dim.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <vector>

namespace fx {

class Graph;
class Node;

/// True for a symbol with a name that torch uses for data-dependent numbers (u0, zuf1), which are
/// introduced by the results of operators, not by inputs.
bool is_unbacked(Symbol symbol);

// The type of the new node is SymInt with the queried expression if the type of `tensor` contains
// it, else int.
// A negative `dim` counts from the end; `dim` is checked if the number of dimensions is known.
Node* create_size_node(Node& tensor, int64_t dim);
Node* create_stride_node(Node& tensor, int64_t dim);
Node* create_storage_offset_node(Node& tensor);

/// Returns, for each value, an integer or a node that computes it; common subexpressions are
/// computed once. A symbol is read from the first of these that comes before the insert point:
///
///   1. an input of type SymInt whose expression is the symbol;
///   2. an input with a size equal to the symbol, or to the symbol times a positive integer (the
///      size is then divided by the integer);
///   3. for an unbacked symbol (u0, ...), a node that has it as its value, or as a size, stride or
///      offset of its value or of one of its items.
///
/// Returns NotFound if none exists; InvalidArgument for a value that is not an integer or is
/// undefined; Unimplemented for an expression that no Python function computes. On error, no nodes
/// are created.
absl::StatusOr<std::vector<Argument>> materialize_symints(Graph& graph,
                                                          absl::Span<const Dim> values);
absl::StatusOr<Argument> materialize_symint(Graph& graph, const Dim& value);

}  // namespace fx
