// match_nodes: pairs the nodes of two graphs that compute the same value, for comparing the values
// (interp/lockstep.h).
//
//   graph(%x) {                       graph(%x) {
//     %a = aten.relu.default(%x)        %relu = aten.relu.default(%x)    same call: a, relu
//     %b = aten.mul.Tensor(%a, 2)       %b = aten.add.Tensor(%relu, 2)   same name: b, b
//     return %b                         return %b                        output
//   }                                 }
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fx {

/// The reason for a pair.
enum class MatchedBy : uint8_t {
  kPosition,   ///< placeholders, by their order; outputs
  kStructure,  ///< the same call on matched operands
  kName,
  kOrigin,  ///< meta data `from_node` (ir/graph/provenance/provenance.h): one replaced the other
};
/// Returns "position", "structure", "name" or "origin".
std::string_view matched_by_name(MatchedBy by);

struct MatchedNodes {
  const Node* a;
  const Node* b;
  MatchedBy by;
};

/// Returns pairs of nodes in the order of `a`, with each node in at most one pair. Equal calls are
/// paired in order. A pair by name is a guess: an independently created graph may use the same
/// names for other values. Linear. InvalidArgument if the graphs have different Contexts or
/// different numbers of placeholders.
absl::StatusOr<std::vector<MatchedNodes>> match_nodes(const Graph& a, const Graph& b);

}  // namespace fx
