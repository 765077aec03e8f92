// Types of one graph for one or many sets of input types, on threads.
//
//   FX_ASSIGN_OR_RETURN(auto results,
//                       shape_prop_each(*graph_module, {{small}, {large}}, {.threads = 2}));
//   results[1].type(*node);      // of the graph's own nodes; the graph stays as it is
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <vector>

namespace fx {

/// Types of placeholders, in their order. The null Type, and those left out, stay as the graph has
/// them.
using Signature = std::vector<Type>;

struct SignatureOptions {
  const TypeRules* rules = nullptr;
  /// 0: as many as there are processors.
  int threads = 1;
};

/// What one signature gives.
struct SignatureTypes {
  std::vector<Type> types;  ///< of the graph's nodes by id, without those of nested graphs
  ShapeReport report;       ///< its nodes are the graph's
  double nanoseconds = 0;   ///< that the propagation took, of one thread's processor time

  Type type(const Node& node) const { return node.id() < types.size() ? types[node.id()] : Type(); }
};

/// Types the graph's calls for a signature. What the graph records for calls is not looked at;
/// get_attr nodes without a type have that of the owning module's tensor. InvalidArgument when
/// there are more types than placeholders.
absl::StatusOr<SignatureTypes> shape_prop(const Graph& graph, const Signature& signature,
                                          const SignatureOptions& options = {});
absl::StatusOr<SignatureTypes> shape_prop(const GraphModule& module, const Signature& signature,
                                          const SignatureOptions& options = {});
/// The same for many, with results in the order of the signatures. Every thread keeps what it
/// learns from one signature for the next (TypeCache).
absl::StatusOr<std::vector<SignatureTypes>> shape_prop_each(const Graph& graph,
                                                            absl::Span<const Signature> signatures,
                                                            const SignatureOptions& options = {});
absl::StatusOr<std::vector<SignatureTypes>> shape_prop_each(const GraphModule& module,
                                                            absl::Span<const Signature> signatures,
                                                            const SignatureOptions& options = {});

}  // namespace fx
