// torch.func.vmap in a graph: the functions of torch._functorch.predispatch, which torch.export
// records for a call to vmap. The calls that run on batches are between two of these functions:
//
//   torch._functorch.predispatch._vmap_increment_nesting(4, "error")
//   %b = torch._functorch.predispatch._add_batch_dim(%x, 0, 1)
//   ...
//   %y = torch._functorch.predispatch._remove_batch_dim(%c, 1, 4, 0)
//   torch._functorch.predispatch._vmap_decrement_nesting()
#pragma once

#include "fx/interp/call.h"

#include "absl/status/statusor.h"
#include <ATen/core/ivalue.h>

#include <string_view>

namespace fx::internal {

inline constexpr std::string_view kPredispatch = "torch._functorch.predispatch.";

/// Runs a function whose name starts with kPredispatch. The vmap levels belong to the thread. A
/// call that opens a level must be followed, in the same graph, by a call that closes the level.
/// Returns Unimplemented for functions that vmap does not use.
absl::StatusOr<c10::IValue> call_predispatch(std::string_view name, const Call<c10::IValue>& call);

/// Closes all vmap levels that call_predispatch has opened on this thread. Call this after a node
/// has failed.
void close_vmap_levels();

}  // namespace fx::internal
