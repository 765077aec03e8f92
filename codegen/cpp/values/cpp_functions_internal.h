// The C++ names of libtorch's operators: the table of cpp_function_rows.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fx::cpp {

inline constexpr uint8_t kAtFunction = 1;  ///< at::NAME in <ATen/ops/NAME.h>
inline constexpr uint8_t kMethod = 2;      ///< a method of at::Tensor

/// An operator overload, for which <ATen/ops/NAME_ops.h> declares at::_ops::NAME_OVERLOAD::call.
struct CppFunctionRow {
  const char* name;       ///< as in the schema: "add.Tensor"
  uint8_t forms;          ///< kAtFunction, kMethod
  const char* root = "";  ///< NAME of the header if it differs from the name of the operator
};

extern const CppFunctionRow kCppFunctionRows[];  // sorted by name
extern const size_t kNumCppFunctionRows;

/// Returns the row of an operator such as "aten::add.Tensor"; null if libtorch has no C++ function
/// for it.
const CppFunctionRow* find_cpp_function(std::string_view qualified_name);
/// Returns NAME of the headers <ATen/ops/NAME.h> and <ATen/ops/NAME_ops.h>.
std::string header_root(const CppFunctionRow& row);

}  // namespace fx::cpp
