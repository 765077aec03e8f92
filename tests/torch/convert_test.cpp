// Conversion between libtorch and the IR: fxcpp's enumerators have the same numbers and names as
// torch's.
#include "fx/interp/torch/dispatch/convert.h"

#include "tests/testing/status_matchers.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace fx {
namespace {

using testing::IsOk;

TEST(Convert, DTypesHaveTorchsNumbersSizesAndNames){
#define FX_EXPECT_DTYPE(cpp_type, name)                                                        \
  {                                                                                            \
    const DType dtype = from_torch(at::ScalarType::name);                                      \
    EXPECT_EQ(to_torch(dtype), at::ScalarType::name);                                          \
    EXPECT_EQ(dtype_item_size(dtype), static_cast<int64_t>(c10::elementSize(to_torch(dtype)))) \
        << #name;                                                                              \
    EXPECT_EQ(is_floating_point(dtype), c10::isFloatingType(to_torch(dtype))) << #name;        \
    EXPECT_EQ(is_complex(dtype), c10::isComplexType(to_torch(dtype))) << #name;                \
    EXPECT_EQ(is_quantized(dtype), c10::isQIntType(to_torch(dtype))) << #name;                 \
    const auto names = c10::getDtypeNames(to_torch(dtype));                                    \
    EXPECT_TRUE(dtype_name(dtype) == names.first || dtype_name(dtype) == names.second)         \
        << #name << " is " << names.first;                                                     \
  }
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(FX_EXPECT_DTYPE)
#undef FX_EXPECT_DTYPE
}

TEST(Convert, DevicesHaveTorchsNumbersAndNames) {
  for (int i = 0; i < kNumDeviceTypes; ++i) {
    const auto type = static_cast<at::DeviceType>(i);
    EXPECT_EQ(device_type_name(static_cast<DeviceType>(i)), c10::DeviceTypeName(type, true));
  }
  EXPECT_EQ(from_torch(at::Device("cuda:3")), (Device{DeviceType::kCuda, 3}));
  EXPECT_EQ(to_torch(Device{DeviceType::kCpu}), at::Device(at::kCPU));
}

std::string printed(auto value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Convert, LayoutsAndMemoryFormatsHaveTorchsNumbers) {
  const std::string layouts[] = {"Strided",   "Sparse",    "SparseCsr", "Mkldnn",
                                 "SparseCsc", "SparseBsr", "SparseBsc", "Jagged"};
  for (int i = 0; i < kNumLayouts; ++i) {
    EXPECT_EQ(printed(to_torch(static_cast<Layout>(i))), layouts[i]);
  }
  const std::string formats[] = {"Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  for (int i = 0; i < kNumMemoryFormats; ++i) {
    EXPECT_EQ(printed(to_torch(static_cast<MemoryFormat>(i))), formats[i]);
  }
}

/// Every default value of every operator round-trips through Argument.
TEST(Convert, DefaultsOfAllOperatorsRoundTrip) {
  int seen = 0;
  for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
    const auto op = c10::Dispatcher::singleton().findSchema(name);
    if (!op) continue;
    for (const c10::Argument& argument : op->schema().arguments()) {
      if (!argument.default_value()) continue;
      const ArgumentCode code = argument_code(argument);
      const absl::StatusOr<Argument> value = from_ivalue(*argument.default_value(), code);
      ASSERT_THAT(value, IsOk()) << name << " " << argument.name();
      const absl::StatusOr<c10::IValue> back = to_ivalue(*value, code);
      ASSERT_THAT(back, IsOk()) << name << " " << argument.name();
      if (code.repeat != 0 && !argument.default_value()->isList())
        continue;  // one for all elements
      EXPECT_EQ(printed(*back), printed(*argument.default_value()))
          << name << " " << argument.name();
      ++seen;
    }
  }
  EXPECT_GT(seen, 2500);
}

}  // namespace
}  // namespace fx
