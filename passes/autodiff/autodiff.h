// Derivatives of graphs: builds a graph that computes gradients or tangents from any graph of
// tensors, without libtorch.
//
//   graph(%x : f32[3]) {                      graph(%x : f32[3], %tangents_1 : f32[3]) {
//     %sin = aten.sin.default(%x)               %sin = aten.sin.default(%x)
//     %add = aten.add.Tensor(%sin, %x)   vjp    %add = aten.add.Tensor(%sin, %x)
//     return %add                        ->     %cos = aten.cos.default(%x)
//   }                                           %mul = aten.mul.Tensor(%tangents_1, %cos)
//                                               %add_1 = aten.add.Tensor(%tangents_1, %mul)
//                                               return (%add, (%add_1,))
//                                             }
//
// Each operator has one derivative rule (derivative_table.h). docs/differentiation.md describes the
// rules, the conventions and the limits.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/passes/autodiff/derivative_table.h"

#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <vector>

namespace fx {

struct GradOptions {
  /// If null, the table of the graph's Context (DerivativeTable::of) is used.
  const DerivativeTable* table = nullptr;
  GradStyle style = GradStyle::kReadable;
  /// Names of the inputs (placeholders or get_attr nodes) to differentiate with respect to. If
  /// empty, the placeholders whose types require grad; if no type does, all placeholders of
  /// floating-point or complex tensors except buffers (metadata `input`).
  std::vector<std::string> wrt = {};
  /// The name of the node to differentiate, which becomes the graph's result. If empty, the results
  /// of the graph are differentiated.
  std::string of = {};
};

// Common to all functions below: `graph` does not change. Its inputs must have types; calls without
// a type receive one. torch functions and methods are lowered to ATen operators, and writes are
// functionalized: a write to an input remains a write at the end. An operator that has no rule but
// has a decomposition (DecompositionTable) is decomposed. Sizes may be symbolic. All new nodes have
// types, the provenance of the calls that they come from, and the region "bw". A gradient is None
// where the results do not depend on the input. Takes linear time.
//
// Errors: FailedPrecondition for an input without a type; NotFound for a name in `wrt` or `of`;
// InvalidArgument if no result depends on an input to differentiate; Unimplemented for operators
// without a rule (one message lists all of them), and for calls that a rule does not support.

/// Reverse mode: graph(inputs..., tangents...) -> (results, (gradients...)). There is a tangent
/// (`tangents_1`, ...) for each result that depends on `wrt`, and a gradient for each input in
/// `wrt`.
absl::StatusOr<std::unique_ptr<Graph>> vjp(const Graph& graph, const GradOptions& options = {});

/// Returns a graph of the gradients of a real result with one element: graph(inputs...) ->
/// (gradients...). Returns InvalidArgument for multiple results or elements.
absl::StatusOr<std::unique_ptr<Graph>> grad(const Graph& graph, const GradOptions& options = {});

/// Returns the joint graph in the form that capture_joint and AOTAutograd use: placeholders
/// primals_1, ... and tangents_1, ...; a list of the results, then a gradient or None for each
/// primal. Placeholders and output have the metadata `input` and `outputs`.
absl::StatusOr<std::unique_ptr<Graph>> joint(const Graph& graph, const GradOptions& options = {});

/// Forward mode: graph(inputs..., tangents...) -> (results, (tangents of results...)). There is a
/// tangent (`tangents_1`, ...) for each input in `wrt`. The tangent of a result that does not
/// depend on `wrt` is None.
absl::StatusOr<std::unique_ptr<Graph>> jvp(const Graph& graph, const GradOptions& options = {});

}  // namespace fx
