// match_nodes: pairs the nodes of two graphs that compute the same value, so that the values can be
// compared (interp/lockstep.h).
//
//   graph(%x) {                       graph(%x) {
//     %a = aten.relu.default(%x)        %relu = aten.relu.default(%x)    same call: a, relu
//     %b = aten.mul.Tensor(%a, 2)       %b = aten.add.Tensor(%relu, 2)   same name: b, b
//     %c = aten.exp_.default(%b)        %d = aten.exp.default(%b)        same use: c, d
//     return %c                         return %d                        output
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
  kOrigin,  ///< one node replaced the other, according to metadata `from_node`
  kUse,     ///< the same argument of matched calls to one operator, or the same result
};
/// Returns "position", "structure", "name", "origin" or "use".
std::string_view matched_by_name(MatchedBy by);

struct MatchedNodes {
  const Node* a;
  const Node* b;
  MatchedBy by;
};

/// Returns pairs of nodes in the order of `a`, with each node in at most one pair. Equal calls are
/// paired in order. A pair by name is a guess, since an independently created graph may use the
/// same names for different values. A call without a counterpart is paired by its use if it is the
/// only argument in which two matched calls differ, starting from the outputs. Takes linear time.
/// Returns InvalidArgument if the graphs have different Contexts or different numbers of
/// placeholders.
absl::StatusOr<std::vector<MatchedNodes>> match_nodes(const Graph& a, const Graph& b);

}  // namespace fx
