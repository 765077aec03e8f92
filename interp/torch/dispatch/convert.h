// interp/torch/dispatch/convert.h - values on the border between libtorch and the IR: element types,
// devices, the Type of a tensor, arguments of operators.
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

// Both ways; every value of one side has its counterpart, checked.
DType from_torch(at::ScalarType dtype);
Device from_torch(const at::Device& device);
Layout from_torch(at::Layout layout);
MemoryFormat from_torch(at::MemoryFormat format);
at::ScalarType to_torch(DType dtype);
at::Device to_torch(Device device);
at::Layout to_torch(Layout layout);
at::MemoryFormat to_torch(MemoryFormat format);

/// dtype, device, layout, sizes, strides and offset of a defined tensor; `requires_grad` as said.
Type type_of(TypeTable& types, const at::Tensor& tensor, bool requires_grad);
Type type_of(TypeTable& types, const at::Tensor& tensor);

/// What the schema of an operator says of one argument, as far as conversion needs it: dtypes,
/// layouts and memory formats are plain integers inside libtorch.
struct ArgumentCode {
  enum Base : uint8_t {
    kTensor,
    kInt,
    kFloat,
    kBool,
    kNumber,  ///< any of int, float, bool, complex: a Scalar
    kString,
    kDType,
    kLayout,
    kMemoryFormat,
    kQScheme,
    kDevice,
    kOther,
  };
  Base base = kOther;
  bool optional = false;        ///< None may stand for the whole
  bool list = false;            ///< a list of `base`
  bool optional_items = false;  ///< None may stand for an item
  int32_t repeat = 0;  ///< of a list: a single number stands for so many of it; 0: not allowed
};

ArgumentCode argument_code(const c10::Argument& argument);

/// The argument for a value other than a tensor or a list of tensors. `code` is that of the list
/// for its items. Unimplemented for values that no Argument can hold: generators, streams, objects.
absl::StatusOr<Argument> from_ivalue(const c10::IValue& value, ArgumentCode code);

/// The value for an argument without nodes. Unimplemented, or InvalidArgument when it does not fit
/// what the operator takes.
absl::StatusOr<c10::IValue> to_ivalue(const Argument& argument, ArgumentCode code);

/// A number in the place of a tensor: without dimensions, weak in type promotion.
at::Tensor number_tensor(const c10::Scalar& number);

/// The list value for items that are known, `code` being that of the list.
absl::StatusOr<c10::IValue> list_ivalue(std::vector<c10::IValue> items, ArgumentCode code);

/// The items of a list or tuple; none of another value. Valid as long as `value` and its items.
c10::ArrayRef<c10::IValue> items_of(const c10::IValue& value);

/// The Type of a value: tensors in full, lists and tuples of them, numbers with their values.
/// Unknown for what has none (objects). Undefined tensors are none.
Type type_of_value(TypeTable& types, const c10::IValue& value);

}  // namespace fx
