// Checks that hold for calls of every operator, whatever its type function: operands on one device,
// results that can be cast to what the call writes. Private to passes/shape/.
#pragma once

#include "fx/ir/ops/op_info.h"

namespace fx {

class BoundTypeRule;
class TypeCall;

namespace shape {

/// Whether all tensors of a call must be on one device: true for ATen's operators except those that
/// copy between devices, read only sizes, or read an argument on the CPU.
bool needs_one_device(const ops::OpInfo& op);

/// False after failing. Call it only if the operands of the call are on several devices.
bool check_devices(const BoundTypeRule& rule, TypeCall& call);

}  // namespace shape
}  // namespace fx
