// match_nodes: which node of one graph stands for which of another, for comparing what they compute
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

/// Why two nodes are taken for counterparts.
enum class MatchedBy : uint8_t {
  kPosition,   ///< placeholders, by their order; outputs
  kStructure,  ///< the same call, on operands that are matched
  kName,
  kOrigin,  ///< meta data `from_node` (ir/graph/provenance/provenance.h): one replaced the other
};
/// "position", "structure", "name", "origin".
std::string_view matched_by_name(MatchedBy by);

struct MatchedNodes {
  const Node* a;
  const Node* b;
  MatchedBy by;
};

/// Pairs of nodes, each node in at most one, in the order of `a`. Of several equal calls the first
/// go together, then the second, and so on. A pair by name is a guess: a graph that was made anew
/// may call other values by the same names. Linear. InvalidArgument when the graphs have not the
/// same Context or not as many placeholders.
absl::StatusOr<std::vector<MatchedNodes>> match_nodes(const Graph& a, const Graph& b);

}  // namespace fx
