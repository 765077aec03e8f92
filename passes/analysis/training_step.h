// The parts of a training step: forward pass, backward pass and optimizer.
//
// The metadata `region` of a node records whether it belongs to the backward pass. A call belongs
// to the optimizer if it comes after the backward pass and uses gradients or the optimizer's state,
// or writes to parameters:
//
//   %mm   = aten.mm.default(%x, %w)                       forward
//   %mm_1 = aten.mm.default(%t, %g) !{region="bw"}        backward
//   %mul  = aten.mul.Tensor(%mm_1, 0.1)                   optimizer
//   %sub  = aten.sub_.Tensor(%w, %mul)                    optimizer
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include <cstdint>
#include <string_view>

namespace fx {

enum class StepPart : uint8_t { kForward, kBackward, kOptimizer };
/// Returns "forward", "backward" or "optimizer".
std::string_view step_part_name(StepPart part);

/// Returns the part of each node. A graph has optimizer calls only if the metadata `input` marks
/// one of its inputs as the state of an optimizer, or `outputs` marks one of its results as the new
/// value of a parameter. A call that the backward pass uses is not an optimizer call: a loss may
/// use gradients. Takes linear time.
NodeMap<StepPart> find_step_parts(const Graph& graph);

}  // namespace fx
