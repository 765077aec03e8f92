// return_loss: makes a graph return a loss, which joint() and grad() differentiate.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// Replaces the results of a graph with a loss. `loss` is `cross_entropy` or `mse`, of the first
/// result and a new input `target`, after the other inputs; or the number of the result that is the
/// loss, from 0. The target of cross_entropy has class indices (int64), in the sizes of the result
/// without its class dimension (the first, or the second of several); that of mse has the type of
/// the result. Results that are new values of inputs (metadata `outputs`) remain.
///
/// InvalidArgument for another `loss`, and for a result that has no such loss; FailedPrecondition for a
/// result without a type.
absl::Status return_loss(Graph& graph, std::string_view loss);

}  // namespace fx
