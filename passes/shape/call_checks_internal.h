// Checks that apply to calls of every operator, whatever its type function: the kinds of arguments
// that the kernels support, operands on one device, and results that can be cast to the tensor that
// the call writes.
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
/// and of `ScalarType` arguments; bool, int, float or complex of `Scalar` ones.
struct CallRow;

/// Returns the row of an operator, or null if eager mode accepts every kind.
const CallRow* find_call_row(const ops::OpInfo& op);
/// Returns a set of dtypes, one bit per value of `DType`: if all tensors of a call have the same
/// one of them, check_kinds() succeeds. All dtypes if the rule has no row.
uint64_t dtypes_accepted_everywhere(const BoundTypeRule& rule);
/// Returns false if the call fails. The rule must have a row.
bool check_kinds(const BoundTypeRule& rule, TypeCall& call);
/// Whether the tensors of an argument may be on `device` while all others are on the other one of
/// meta and the CPU. `has_cpu_scalar`: one of the tensors on the CPU has no dimensions.
bool may_be_alone(const BoundTypeRule& rule, size_t argument, DeviceType device,
                  bool has_cpu_scalar);

/// Whether all tensors of a call must be on one device. True for ATen's operators, except those
/// that copy between devices, read only sizes, or require an argument on the CPU.
bool needs_one_device(const ops::OpInfo& op);

/// Checks what a kernel requires in addition to what its type function checks (requirements/).
/// Returns false if the call fails.
using RequirementFunction = bool (*)(TypeCall& call);
/// Returns the function for all forms of an operator, or null if it has none. `functional` is the
/// functional form, whose argument numbers the function uses.
RequirementFunction find_requirement(const ops::OpInfo& functional);

/// Returns false if the call fails. Call it only if the operands are on several devices.
bool check_devices(const BoundTypeRule& rule, TypeCall& call);

}  // namespace shape
}  // namespace fx
