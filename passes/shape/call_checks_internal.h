// Checks that hold for calls of every operator, whatever its type function: operands on one device,
// results that can be cast to what the call writes. Private to passes/shape/.
#pragma once

#include "fx/ir/ops/op_info.h"
#include "fx/ir/types/dtype.h"

namespace fx {

class BoundTypeRule;
class TypeCall;

namespace shape {

/// Whether all tensors of a call must be on one device: true of ATen's operators but for those that
/// copy between devices, read only sizes, or read an argument on the CPU.
bool needs_one_device(const ops::OpInfo& op);

/// torch.can_cast: whether a result of dtype `from` may be written into a tensor of dtype `to`.
bool can_cast(DType from, DType to);

/// False after failing. Call it only if the operands of the call are on several devices.
bool check_devices(const BoundTypeRule& rule, TypeCall& call);

}  // namespace shape
}  // namespace fx
