// return_loss: makes a graph return a loss, which joint() and grad() differentiate.
#pragma once

#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"

#include <string_view>

namespace fx {

/// Replaces the results of a graph with a loss. `loss` is either the zero-based index of the result
/// that is the loss; or `cross_entropy` or `mse`, a function of the first result and a new input
/// `target`, which is added after the other inputs. The target of cross_entropy contains class
/// indices (int64). It has the sizes of the result without the class dimension: dimension 1, or
/// dimension 0 if the result has only one dimension. The target of mse has the type of the result.
/// Results that are new values of inputs (metadata `outputs`) remain.
///
/// Returns InvalidArgument for any other `loss`, and for a result to which the loss does not
/// apply; FailedPrecondition if the first result is not a tensor of known rank.
absl::Status return_loss(Graph& graph, std::string_view loss);

}  // namespace fx
