// Types a graph for one or more signatures, optionally on multiple threads.
//
//   FX_ASSIGN_OR_RETURN(auto results,
//                       shape_prop_each(*graph_module, {{small}, {large}}, {.threads = 2}));
//   results[1].type(*node);      // for the graph's nodes; the graph does not change
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <vector>

namespace fx {

/// Types of placeholders, in order. A null or missing type means that the graph's type is used.
using Signature = std::vector<Type>;

struct SignatureOptions {
  const TypeRules* rules = nullptr;
  /// See PropagateOptions. Called by multiple threads concurrently.
  decltype(PropagateOptions::other_call) other_call = nullptr;
  /// The number of threads. 0: the number of processors.
  int threads = 1;
};

/// The result of one signature.
struct SignatureTypes {
  std::vector<Type> types;  ///< of the graph's nodes by id, without nested graphs
  ShapeReport report;       ///< refers to the graph's nodes
  double nanoseconds = 0;   ///< CPU time of the propagation, in one thread

  Type type(const Node& node) const { return node.id() < types.size() ? types[node.id()] : Type(); }
};

/// Types the graph's calls for a signature. Recorded types of call_function nodes are ignored;
/// get_attr nodes without a type receive the type of the owning module's tensor. Returns
/// InvalidArgument if there are more types than placeholders.
absl::StatusOr<SignatureTypes> shape_prop(const Graph& graph, const Signature& signature,
                                          const SignatureOptions& options = {});
absl::StatusOr<SignatureTypes> shape_prop(const GraphModule& module, const Signature& signature,
                                          const SignatureOptions& options = {});
/// Types the calls for multiple signatures; results are in the order of the signatures. Each thread
/// reuses its TypeCache for the next signature.
absl::StatusOr<std::vector<SignatureTypes>> shape_prop_each(const Graph& graph,
                                                            absl::Span<const Signature> signatures,
                                                            const SignatureOptions& options = {});
absl::StatusOr<std::vector<SignatureTypes>> shape_prop_each(const GraphModule& module,
                                                            absl::Span<const Signature> signatures,
                                                            const SignatureOptions& options = {});

}  // namespace fx
