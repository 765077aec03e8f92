// Converts between libtorch and the IR: element types, devices, tensor types and operator
// arguments.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include <cstdint>
#include <vector>

namespace fx {

// These convert between the enumerators of both libraries. The enumerators in ir/types/dtype.h have
// the same values as libtorch's, so a cast converts them; tests/torch compares all of them.
inline DType from_torch(at::ScalarType dtype) { return static_cast<DType>(dtype); }
inline Device from_torch(const at::Device& device) {
  return {static_cast<DeviceType>(device.type()), static_cast<int16_t>(device.index())};
}
inline Layout from_torch(at::Layout layout) { return static_cast<Layout>(layout); }
inline MemoryFormat from_torch(at::MemoryFormat format) {
  return static_cast<MemoryFormat>(format);
}
inline at::ScalarType to_torch(DType dtype) { return static_cast<at::ScalarType>(dtype); }
inline at::Device to_torch(Device device) {
  return {static_cast<at::DeviceType>(device.type), static_cast<c10::DeviceIndex>(device.index)};
}
inline at::Layout to_torch(Layout layout) { return static_cast<at::Layout>(layout); }
inline at::MemoryFormat to_torch(MemoryFormat format) {
  return static_cast<at::MemoryFormat>(format);
}

/// Returns the type of a defined tensor: dtype, device, layout, sizes, strides, offset and
/// `requires_grad`, which defaults to the tensor's.
Type type_of(TypeTable& types, const at::Tensor& tensor, bool requires_grad);
Type type_of(TypeTable& types, const at::Tensor& tensor);

/// The part of an argument's schema that conversions require, because dtypes, layouts and memory
/// formats are integers in an IValue.
struct ArgumentCode {
  enum Base : uint8_t {
    kTensor,
    kInt,
    kFloat,
    kBool,
    kNumber,  ///< a Scalar: int, float, bool or complex
    kString,
    kDType,
    kLayout,
    kMemoryFormat,
    kQScheme,
    kDevice,
    kOther,
  };
  Base base = kOther;
  bool optional = false;        ///< the argument may be None
  bool list = false;            ///< a list of `base`
  bool optional_items = false;  ///< items may be None
  int32_t repeat = 0;           ///< if not 0, a number is accepted as a list of this length
};

ArgumentCode argument_code(const c10::Argument& argument);

/// Converts a value that is not a tensor or a list of tensors. Returns Unimplemented for values
/// that an Argument cannot represent, such as generators, streams and objects.
absl::StatusOr<Argument> from_ivalue(const c10::IValue& value, ArgumentCode code);

/// Converts an argument without nodes. Returns InvalidArgument or Unimplemented if the operator
/// does not accept it.
absl::StatusOr<c10::IValue> to_ivalue(const Argument& argument, ArgumentCode code);

/// Converts a number to a 0-dimensional tensor with low priority in type promotion.
at::Tensor number_tensor(const c10::Scalar& number);

/// Returns a list value of these items. `code` is the code of the list.
absl::StatusOr<c10::IValue> list_ivalue(std::vector<c10::IValue> items, ArgumentCode code);

/// Returns the items of a list or tuple, or an empty array for other values. The result is valid
/// while `value` and its items exist.
c10::ArrayRef<c10::IValue> items_of(const c10::IValue& value);

/// Returns the type of a value. The types of numbers and strings contain their values. The type of
/// objects is unknown, and the type of undefined tensors is none.
Type type_of_value(TypeTable& types, const c10::IValue& value);

}  // namespace fx
