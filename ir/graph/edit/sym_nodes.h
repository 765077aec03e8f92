// Nodes that compute sizes: what a tensor's size, stride or offset is, and what a symbolic
// expression denotes.
//
//   Node* n = create_size_node(*x, 0);                    // %sym_size_int = aten.sym_size.int(%x,
//   0) FX_ASSIGN_OR_RETURN(Argument size,                    // 2*s0, with s0 the size of an input:
//                       materialize_symint(graph, dim));  // operator.mul(2, %sym_size_int)
//
// The first reads it from the tensor: when a pass changes the layout, the result changes with it.
// The second computes the expression from the inputs of the graph, whatever becomes of the tensor
// that the expression was read from.
//
// All nodes go to the insert point: in a graph with an output, set one before it.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/symbolic/dim.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <vector>

namespace fx {

class Graph;
class Node;

// The type of the new node is that of the answer, where the type of `tensor` has it; else int.
// `dim` counts from the end when it is negative; checked where the number of dimensions is known.
Node* create_size_node(Node& tensor, int64_t dim);
Node* create_stride_node(Node& tensor, int64_t dim);
Node* create_storage_offset_node(Node& tensor);

/// For each value an integer, or a node that computes it; expressions that occur in several are
/// computed once. A symbol comes from the first of these that comes before the insert point:
///
///   1. an input whose type is SymInt of the symbol;
///   2. an input with a size of it, or of it times a positive integer (then divided by that);
///   3. for an unbacked symbol (u0, ...), whatever node has it as its value, or as a size, stride
///      or offset of it, or of one of its items.
///
/// NotFound when there is none; InvalidArgument for a value that is not an integer or is undefined;
/// Unimplemented for a function that no Python function computes. After an error no node is made.
absl::StatusOr<std::vector<Argument>> materialize_symints(Graph& graph,
                                                          absl::Span<const Dim> values);
absl::StatusOr<Argument> materialize_symint(Graph& graph, const Dim& value);

}  // namespace fx
