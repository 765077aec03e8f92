// Checks that apply to calls to every operator, independent of its type function: the kernels must
// support the kinds of arguments, and operands must be on one device.
// Private to passes/shape/.
#pragma once

#include "fx/ir/ops/op_info.h"
#include "fx/ir/types/dtype.h"

#include <cstddef>
#include <cstdint>

namespace fx {

class BoundTypeRule;
class Type;
class TypeCall;

namespace shape {

/// The kinds of arguments that eager mode accepts (generated/call_rules.inc): dtypes of tensors and
/// of `ScalarType` arguments; bool, int, float or complex for `Scalar` arguments; devices of
/// tensors.
struct CallRow;

/// Returns the row of an operator, or null if eager mode accepts every kind.
const CallRow* find_call_row(const ops::OpInfo& op);
/// The kinds that the arguments of a call other than its tensors may have.
enum class OtherKinds : uint8_t {
  kAll,
  kDefault,  ///< the kinds of their defaults
};
/// Returns a set of dtypes, one bit per value of `DType`. If all tensors of a call have one common
/// dtype from this set, check_kinds() succeeds. Returns all dtypes if the rule has no row.
uint64_t dtypes_accepted_everywhere(const BoundTypeRule& rule, OtherKinds others);
/// Checks the kinds of arguments; returns false if the call fails. The rule must have a row.
bool check_kinds(const BoundTypeRule& rule, TypeCall& call);
/// Checks the devices of a call with tensors on the CPU and on meta; returns false if the call
/// fails.
bool check_meta_and_cpu(const BoundTypeRule& rule, TypeCall& call);

/// True if all tensors of a call must be on one device: for ATen's operators, except operators that
/// copy between devices, read only sizes, or accept an argument on the CPU with arguments on a
/// different device.
bool needs_one_device(const ops::OpInfo& op);

/// Checks requirements of a kernel in addition to those of its type function (requirements/).
/// Returns false if the call fails.
using RequirementFunction = bool (*)(TypeCall& call);
/// Returns the function for all forms of an operator, or null if it has none. `functional` is the
/// functional form, whose argument numbers the function uses.
RequirementFunction find_requirement(const ops::OpInfo& functional);

/// Fails the call and returns false if elements of a tensor that it writes to are known to share
/// memory: a dimension is expanded.
bool check_overlap(TypeCall& call, Type written);

/// Checks the devices of the operands; returns false if the call fails. Must be called only if the
/// operands are on multiple devices.
bool check_devices(const BoundTypeRule& rule, TypeCall& call);

}  // namespace shape
}  // namespace fx
