// Names, short forms and sizes of dtypes, as in torch (tests/golden/dtypes.txt, which
// tests/ir/test_torch_golden.py writes); layouts, memory formats, devices.
#include "fx/ir/types/dtype.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace fx {
namespace {

// parity: C19
TEST(DType, AgreesWithTorch) {
  std::ifstream file("tests/golden/dtypes.txt");
  ASSERT_TRUE(file) << "run from the source root";
  std::set<DType> seen;
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string name;
    std::string abbreviation;
    int64_t size = 0;
    std::string kind;
    words >> name >> abbreviation >> size >> kind;
    SCOPED_TRACE(line);
    const std::optional<DType> dtype = dtype_from_name(name);
    ASSERT_TRUE(dtype);
    seen.insert(*dtype);
    EXPECT_EQ(dtype_name(*dtype), name);
    EXPECT_EQ(dtype_from_name("torch." + name), dtype);
    EXPECT_TRUE(abbreviation == "-" || abbreviation == dtype_abbreviation(*dtype));
    EXPECT_EQ(dtype_item_size(*dtype), size);
    EXPECT_EQ(is_floating_point(*dtype), kind == "float");
    EXPECT_EQ(is_complex(*dtype), kind == "complex");
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(kNumDTypes));
}

TEST(DType, AbbreviationsAreUniqueAndRoundTrip) {
  std::set<std::string_view> seen;
  for (int i = 0; i <= kNumDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_TRUE(seen.insert(dtype_abbreviation(dtype)).second) << dtype_abbreviation(dtype);
    EXPECT_EQ(dtype_from_abbreviation(dtype_abbreviation(dtype)), dtype);
  }
  EXPECT_EQ(dtype_from_abbreviation("f33"), std::nullopt);
}

TEST(DType, AliasesEqualTorch) {
  EXPECT_EQ(dtype_from_name("float"), DType::kFloat32);
  EXPECT_EQ(dtype_from_name("torch.long"), DType::kInt64);
  EXPECT_EQ(dtype_from_name("cdouble"), DType::kComplex128);
  EXPECT_EQ(dtype_from_name("f32"), std::nullopt);
  EXPECT_EQ(dtype_from_name("undefined"), std::nullopt);
}

TEST(DType, Families) {
  EXPECT_TRUE(is_integral(DType::kUInt4));
  EXPECT_FALSE(is_integral(DType::kBool));
  EXPECT_FALSE(is_integral(DType::kQInt8));
  EXPECT_TRUE(is_quantized(DType::kQUInt2x4));
  EXPECT_FALSE(is_signed(DType::kUInt64));
  EXPECT_FALSE(is_signed(DType::kBool));
  EXPECT_FALSE(is_signed(DType::kFloat8E8M0FNU));
  EXPECT_TRUE(is_signed(DType::kBFloat16));
  EXPECT_TRUE(is_signed(DType::kComplex64));
}

TEST(DType, CastToTheSameOrAHigherCategory) {
  const DType ordered[] = {DType::kBool, DType::kUInt8, DType::kFloat16, DType::kComplex64};
  for (size_t from = 0; from < std::size(ordered); ++from)
    for (size_t to = 0; to < std::size(ordered); ++to)
      EXPECT_EQ(can_cast(ordered[from], ordered[to]), from <= to) << from << " " << to;
  EXPECT_TRUE(can_cast(DType::kFloat64, DType::kBFloat16));
  EXPECT_TRUE(can_cast(DType::kInt64, DType::kUInt8));
  // torch.can_cast compares these dtypes only with bool and complex dtypes.
  EXPECT_TRUE(can_cast(DType::kFloat32, DType::kQInt8));
  EXPECT_FALSE(can_cast(DType::kQInt8, DType::kBool));
}

TEST(Names, RoundTrip) {
  for (int i = 0; i < kNumLayouts; ++i) {
    const auto layout = static_cast<Layout>(i);
    EXPECT_EQ(layout_from_name(layout_name(layout)), layout);
  }
  for (int i = 0; i < kNumMemoryFormats; ++i) {
    const auto format = static_cast<MemoryFormat>(i);
    EXPECT_EQ(memory_format_from_name(memory_format_name(format)), format);
  }
  for (int i = 0; i < kNumDeviceTypes; ++i) {
    const auto type = static_cast<DeviceType>(i);
    EXPECT_EQ(device_type_from_name(device_type_name(type)), type);
    for (int index : {-1, 0, 1, 127}) {
      const Device device{type, static_cast<int16_t>(index)};
      EXPECT_EQ(device_from_name(device_name(device)), device);
    }
  }
  EXPECT_EQ(layout_from_name("torch.sparse_coo"), Layout::kSparseCoo);
}

TEST(Device, TextEqualsTorch) {
  EXPECT_EQ(device_name({}), "cpu");
  EXPECT_EQ(device_name({DeviceType::kCuda, 3}), "cuda:3");
  for (const char* bad : {"", "gpu", "cuda:", "cuda:01", "cuda:-1", "cuda:128", "cuda:1x", ":1"})
    EXPECT_EQ(device_from_name(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace fx
