// Checks that hold for calls of every operator, whatever its type function: kinds of arguments that
// the kernels support, operands on one device, results that can be cast to what the call writes.
// Private to passes/shape/.
#pragma once

#include "fx/ir/ops/op_info.h"
#include "fx/ir/types/dtype.h"

#include <cstddef>
#include <cstdint>

namespace fx {

class BoundTypeRule;
class TypeCall;

namespace shape {

/// The kinds of arguments that eager mode accepts, from generated/call_rules.inc: dtypes of tensors
/// and of `ScalarType` arguments; bool, int, float or complex of `Scalar` ones; the device of tensors.
struct CallRow;

/// The row of an operator, or null where eager mode accepts every kind.
const CallRow* find_call_row(const ops::OpInfo& op);
/// A set of dtypes, bits by the numbers of `DType`: where all tensors of a call have one of them,
/// check_kinds() succeeds. All dtypes where the rule has no row.
uint64_t dtypes_accepted_everywhere(const BoundTypeRule& rule);
/// False after failing. Call it only where the rule has a row.
bool check_kinds(const BoundTypeRule& rule, TypeCall& call);
/// The same for the devices of a call with tensors on the CPU and on meta.
bool check_meta_and_cpu(const BoundTypeRule& rule, TypeCall& call);

/// Whether all tensors of a call must be on one device: true of ATen's operators but for those that
/// copy between devices, read only sizes, or read an argument on the CPU.
bool needs_one_device(const ops::OpInfo& op);

/// Checks what a kernel requires beyond what its type function needs to compute the type
/// (requirements/). Returns false after failing.
using RequirementFunction = bool (*)(TypeCall& call);
/// The function for all forms of an operator, by its functional form, whose argument numbers it
/// uses; null where there is nothing to check.
RequirementFunction find_requirement(const ops::OpInfo& functional);

/// False after failing. Call it only if the operands of the call are on several devices.
bool check_devices(const BoundTypeRule& rule, TypeCall& call);

}  // namespace shape
}  // namespace fx
