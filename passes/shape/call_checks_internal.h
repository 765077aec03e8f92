// Checks that hold for calls of every operator, whatever its type function: dtypes that the kernels
// support, operands on one device, results that can be cast to what the call writes. Private to
// passes/shape/.
#pragma once

#include "fx/ir/ops/op_info.h"
#include "fx/ir/types/dtype.h"

#include <cstdint>

namespace fx {

class BoundTypeRule;
class TypeCall;

namespace shape {

/// The dtypes that eager mode accepts for the tensors of an operator, as sets of bits; see
/// generated/dtype_rules.inc.
struct DTypeRow;

/// The row of an operator, or null where eager mode accepts every combination.
const DTypeRow* find_dtype_row(const ops::OpInfo& op);

/// Whether all tensors of a call must be on one device: true of ATen's operators but for those that
/// copy between devices, read only sizes, or read an argument on the CPU.
bool needs_one_device(const ops::OpInfo& op);

/// torch.can_cast: whether a result of dtype `from` may be written into a tensor of dtype `to`.
bool can_cast(DType from, DType to);

/// False after failing: eager mode does not accept a combination of dtypes.
bool check_dtypes(const BoundTypeRule& rule, TypeCall& call);
/// False after failing. Call it only if the operands of the call are on several devices.
bool check_devices(const BoundTypeRule& rule, TypeCall& call);

}  // namespace shape
}  // namespace fx
