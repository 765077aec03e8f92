// Tensors: validity, views and sharing, elements of all dtypes, equality and copies.
#include "fx/ir/module/tensor.h"

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/types/type.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace fx::tensor_test {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

/// Returns a float32 tensor with the elements 0, 1, 2, ...
Tensor iota(absl::Span<const int64_t> sizes) {
  Tensor tensor = Tensor::zeros(DType::kFloat32, sizes).value();
  auto values = tensor.mutable_values<float>();
  std::iota(values.begin(), values.end(), 0.0f);
  return tensor;
}

std::shared_ptr<Storage> storage(size_t num_bytes) { return Storage::zeros(num_bytes).value(); }

TEST(Tensor, HasValuesAndShape) {
  FX_ASSERT_OK_AND_ASSIGN(const Tensor t, Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(t.dtype(), DType::kFloat32);
  EXPECT_THAT(t.sizes(), ElementsAre(2, 3));
  EXPECT_THAT(t.strides(), ElementsAre(3, 1));
  EXPECT_EQ(t.offset(), 0);
  EXPECT_EQ(t.num_elements(), 6);
  EXPECT_EQ(t.num_bytes(), 24u);
  EXPECT_TRUE(t.has_data());
  EXPECT_THAT(t.values<float>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(Tensor::of<float>({2, 3}, {1, 2}), StatusIs(kInvalid, HasSubstr("[2, 3]")));
}

TEST(Tensor, UndefinedIsFalse) {
  const Tensor t;
  EXPECT_FALSE(t);
  EXPECT_TRUE(t.same_bits(Tensor()));
  EXPECT_FALSE(t.same_bits(iota({1})));
  EXPECT_EQ(t.str(), "undefined");
}

TEST(Tensor, ScalarAndEmpty) {
  FX_ASSERT_OK_AND_ASSIGN(const Tensor scalar, Tensor::of<int64_t>({}, {7}));
  EXPECT_EQ(scalar.num_elements(), 1);
  EXPECT_THAT(scalar.sizes(), IsEmpty());
  EXPECT_EQ(scalar.element(0).as_int(), 7);
  FX_ASSERT_OK_AND_ASSIGN(const Tensor empty, Tensor::zeros(DType::kBool, {0, 3}));
  EXPECT_EQ(empty.num_elements(), 0);
  EXPECT_THAT(empty.strides(), ElementsAre(3, 1));
  EXPECT_THAT(empty.values<bool>(), IsEmpty());
  FX_ASSERT_OK_AND_ASSIGN(const Tensor copy, empty.clone());
  EXPECT_TRUE(empty.same_bits(copy));
}

TEST(Tensor, EveryElementMustBeInTheStorage) {
  const auto s = storage(24);
  EXPECT_THAT(Tensor::create(DType::kFloat32, {2, 3}, s), IsOk());
  EXPECT_THAT(Tensor::create(DType::kFloat32, {7}, s),
              StatusIs(kInvalid, HasSubstr("storage of 24 bytes")));
  // The required size depends on the position of the last element, not on the product of the sizes.
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {100}, {0}, 5, s), IsOk());
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {2, 2}, {4, 1}, 0, s), IsOk());
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {2, 2}, {4, 1}, 1, s), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {100}, {0}, 6, s), StatusIs(kInvalid));
  // A tensor without elements may have any offset.
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {0}, {1}, 1000, s), IsOk());
}

TEST(Tensor, RejectsNumbersThatOverflow) {
  const auto s = storage(64);
  constexpr int64_t kLarge = std::numeric_limits<int64_t>::max();
  EXPECT_THAT(Tensor::create(DType::kFloat32, {kLarge, 2}, s), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::create_strided(DType::kInt8, {kLarge, kLarge}, {0, 0}, 0, s),
              StatusIs(kInvalid, HasSubstr("does not fit in 64 bits")));
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {2}, {kLarge}, 1, s), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {3}, {kLarge / 2 + 1}, 0, s),
              StatusIs(kInvalid));
  EXPECT_THAT(Tensor::create_strided(DType::kFloat64, {1}, {1}, kLarge / 8 + 1, s),
              StatusIs(kInvalid));
  EXPECT_THAT(Tensor::zeros(DType::kFloat64, {kLarge / 4}), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::zeros(DType::kInt8, {kLarge}),
              StatusIs(absl::StatusCode::kResourceExhausted));
  // The tensor has no elements, so its other sizes may be large.
  EXPECT_THAT(Tensor::create_strided(DType::kInt8, {kLarge, kLarge, 0}, {1, 1, 1}, 0, s), IsOk());
}

TEST(Tensor, RejectsInvalidShapes) {
  const auto s = storage(64);
  EXPECT_THAT(Tensor::create(DType::kFloat32, {-1}, s), StatusIs(kInvalid, HasSubstr("negative")));
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {2}, {-1}, 4, s), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {2}, {1}, -1, s), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::create_strided(DType::kFloat32, {2, 2}, {1}, 0, s), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::create(DType::kUndefined, {2}, s), StatusIs(kInvalid));
}

TEST(Tensor, RejectsUnalignedData) {
  const auto part = Storage::part(storage(64), 2, 32);
  EXPECT_THAT(Tensor::create(DType::kFloat32, {2}, part), StatusIs(kInvalid, HasSubstr("aligned")));
  EXPECT_THAT(Tensor::create(DType::kFloat16, {2}, part), IsOk());
  // A complex number has the alignment of its parts.
  EXPECT_THAT(Tensor::create(DType::kComplex64, {2}, Storage::part(storage(64), 4, 32)), IsOk());
}

TEST(Tensor, ViewsShareBytes) {
  const Tensor t = iota({2, 3});
  FX_ASSERT_OK_AND_ASSIGN(const Tensor column, t.as_strided({2}, {3}, 1));
  EXPECT_EQ(column.storage(), t.storage());
  EXPECT_FALSE(column.is_contiguous());
  EXPECT_EQ(column.element(1).as_float(), 4.0);
  t.mutable_values<float>()[4] = -8;
  EXPECT_EQ(column.element(1).as_float(), -8.0);
  EXPECT_FALSE(column.is_same(t));
  const Tensor handle = t;
  EXPECT_TRUE(handle.is_same(t));
  EXPECT_THAT(t.as_strided({2}, {3}, 3), StatusIs(kInvalid));
}

TEST(Tensor, ContiguousIgnoresStridesOfSizesOneAndZero) {
  const auto s = storage(64);
  EXPECT_TRUE(Tensor::create_strided(DType::kInt8, {3, 1, 2}, {2, 77, 1}, 0, s)->is_contiguous());
  EXPECT_FALSE(Tensor::create_strided(DType::kInt8, {3, 2}, {1, 3}, 0, s)->is_contiguous());
  EXPECT_TRUE(Tensor::create_strided(DType::kInt8, {3, 0}, {9, 9}, 0, s)->is_contiguous());
}

TEST(Tensor, ContiguousCopiesInRowMajorOrder) {
  const Tensor t = iota({2, 3, 4});
  FX_ASSERT_OK_AND_ASSIGN(const Tensor permuted, t.as_strided({4, 2, 3}, {1, 12, 4}, 0));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor copy, permuted.contiguous());
  EXPECT_NE(copy.storage(), t.storage());
  EXPECT_THAT(copy.strides(), ElementsAre(6, 3, 1));
  std::vector<float> expected;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) expected.push_back(static_cast<float>(12 * i + 4 * j + k));
  EXPECT_THAT(copy.values<float>(), ::testing::ElementsAreArray(expected));
  EXPECT_TRUE(copy.same_bits(permuted));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor itself, t.contiguous());
  EXPECT_TRUE(itself.is_same(t));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor expanded, t.as_strided({2, 2}, {0, 1}, 3));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor dense, expanded.contiguous());
  EXPECT_THAT(dense.values<float>(), ElementsAre(3, 4, 3, 4));
}

TEST(Tensor, SameBitsIgnoresStrides) {
  const Tensor t = iota({4, 6});
  FX_ASSERT_OK_AND_ASSIGN(const Tensor a, t.as_strided({3, 2, 2}, {6, 2, 1}, 6));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor b, a.clone());
  FX_ASSERT_OK_AND_ASSIGN(const Tensor transposed, t.as_strided({2, 2, 3}, {2, 1, 6}, 6));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor dense, transposed.contiguous());
  FX_ASSERT_OK_AND_ASSIGN(const Tensor back, dense.as_strided({3, 2, 2}, {1, 6, 3}, 0));
  EXPECT_TRUE(a.same_bits(b));
  EXPECT_TRUE(back.same_bits(a));
  back.storage()->mutable_data()[47] ^= std::byte{1};
  EXPECT_FALSE(back.same_bits(a));
  EXPECT_FALSE(a.same_bits(transposed));  // different sizes
  // Compares bits, not values: zeros of different signs differ, and a NaN equals itself.
  const Tensor zero = Tensor::of<float>({1}, {0.0f}).value();
  EXPECT_FALSE(zero.same_bits(Tensor::of<float>({1}, {-0.0f}).value()));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(
      Tensor::of<float>({1}, {nan}).value().same_bits(Tensor::of<float>({1}, {nan}).value()));
  EXPECT_FALSE(zero.same_bits(Tensor::of<int32_t>({1}, {0}).value()));  // a different dtype
}

TEST(Tensor, ExternalMemoryIsReleasedWithItsLastUser) {
  std::vector<float> data = {1, 2, 3, 4};
  int released = 0;
  Tensor view;
  {
    FX_ASSERT_OK_AND_ASSIGN(
        const Tensor t,
        Tensor::create(DType::kFloat32, {4},
                       Storage::external(data.data(), 16, [&released] { ++released; })));
    FX_ASSERT_OK_AND_ASSIGN(view, t.as_strided({2}, {2}, 1));
    t.mutable_values<float>()[3] = 9;
  }
  EXPECT_EQ(data[3], 9);
  EXPECT_EQ(view.element(1).as_float(), 9);
  EXPECT_EQ(released, 0);
  view = Tensor();
  EXPECT_EQ(released, 1);
}

TEST(Tensor, ReadOnlyMemoryIsNotWritten) {
  const std::vector<int64_t> data = {1, 2};
  FX_ASSERT_OK_AND_ASSIGN(
      const Tensor t, Tensor::create(DType::kInt64, {2},
                                     Storage::external(static_cast<const void*>(data.data()), 16)));
  EXPECT_FALSE(t.storage()->writable());
  EXPECT_THAT(t.values<int64_t>(), ElementsAre(1, 2));
  EXPECT_DEATH(t.mutable_values<int64_t>(), "read-only");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor copy, t.clone());
  copy.mutable_values<int64_t>()[0] = 5;
  EXPECT_EQ(data[0], 1);
}

TEST(Tensor, MemoryOfAnotherDeviceIsNotAccessed) {
  const Device device{DeviceType::kCuda, 0};
  auto* address = reinterpret_cast<void*>(uintptr_t{0x1000});
  FX_ASSERT_OK_AND_ASSIGN(
      const Tensor t,
      Tensor::create(DType::kFloat32, {4}, Storage::external(address, 16, {}, device)));
  EXPECT_EQ(t.device(), device);
  EXPECT_EQ(t.str(), "f32[4] cuda:0");
  EXPECT_DEATH(t.bytes(), "host memory");
  TensorCopier copier;
  EXPECT_THAT(copier.copy(t), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST(Tensor, MappedFilesAreWrittenInMemoryOnly) {
  const std::string path = ::testing::TempDir() + "/tensor_test_mapped";
  {
    std::ofstream file(path, std::ios::binary);
    const float values[] = {1, 2, 3, 4};
    file.write(reinterpret_cast<const char*>(values), sizeof values);
  }
  FX_ASSERT_OK_AND_ASSIGN(const auto mapped, Storage::map_file(path));
  ASSERT_EQ(mapped->num_bytes(), 16u);
  FX_ASSERT_OK_AND_ASSIGN(const Tensor t, Tensor::create(DType::kFloat32, {4}, mapped));
  t.mutable_values<float>()[0] = 99;
  EXPECT_THAT(t.values<float>(), ElementsAre(99, 2, 3, 4));
  FX_ASSERT_OK_AND_ASSIGN(const auto again, Storage::map_file(path));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor replaced, Tensor::create(DType::kFloat32, {4}, again));
  EXPECT_EQ(replaced.element(0).as_float(), 1);
  std::remove(path.c_str());
  EXPECT_EQ(t.element(3).as_float(), 4);  // the mapping keeps the old file
  EXPECT_THAT(Storage::map_file(path), StatusIs(absl::StatusCode::kNotFound, HasSubstr(path)));
  EXPECT_THAT(Storage::map_file(::testing::TempDir()), StatusIs(kInvalid));
}

TEST(Tensor, TypeDescribesTheTensor) {
  Context context;
  TypeTable& types = context.types();
  FX_ASSERT_OK_AND_ASSIGN(const Tensor column, iota({2, 3}).as_strided({2}, {3}, 1));
  const Type type = column.type(types);
  EXPECT_EQ(
      type,
      types.tensor({.dtype = DType::kFloat32, .sizes = DimVector{2}, .strides = {3}, .offset = 1}));
  EXPECT_TRUE(column.type(types, /*requires_grad=*/true).requires_grad());
  EXPECT_EQ(iota({2, 3}).type(types),
            types.tensor({.dtype = DType::kFloat32, .sizes = DimVector{2, 3}}));
}

TEST(Tensor, DeclaredHasATypeAndNoData) {
  Context context;
  TypeTable& types = context.types();
  const Type type = types.tensor(
      {.dtype = DType::kInt64, .sizes = DimVector{2, 3}, .device = {DeviceType::kMeta, -1}});
  const Tensor t = Tensor::declared(type);
  EXPECT_TRUE(t);
  EXPECT_FALSE(t.has_data());
  EXPECT_TRUE(t.has_shape());
  EXPECT_THAT(t.sizes(), ElementsAre(2, 3));
  EXPECT_EQ(t.device().type, DeviceType::kMeta);
  EXPECT_EQ(t.type(types), type);
  EXPECT_EQ(t.storage(), nullptr);
  EXPECT_TRUE(t.same_bits(Tensor::declared(type)));
  EXPECT_FALSE(t.is_same(Tensor::declared(type)));
  EXPECT_FALSE(t.same_bits(Tensor::zeros(DType::kInt64, {2, 3}).value()));
  EXPECT_DEATH(t.data(), "the tensor must have data");

  FX_ASSERT_OK_AND_ASSIGN(const Type symbolic, types.parse("f32[s0, 3]"));
  const Tensor unknown = Tensor::declared(symbolic);
  EXPECT_FALSE(unknown.has_shape());
  EXPECT_EQ(unknown.dtype(), DType::kFloat32);
  EXPECT_DEATH(unknown.sizes(), "must be known");
  EXPECT_EQ(unknown.str(), "f32[s0, 3]");
}

TEST(TensorCopier, KeepsSharing) {
  const Tensor base = iota({4});
  FX_ASSERT_OK_AND_ASSIGN(const Tensor view, base.as_strided({2}, {2}, 1));
  TensorCopier copier;
  FX_ASSERT_OK_AND_ASSIGN(const Tensor base_copy, copier.copy(base));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor view_copy, copier.copy(view));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor base_again, copier.copy(base));
  EXPECT_TRUE(base_again.is_same(base_copy));
  EXPECT_EQ(base_copy.storage(), view_copy.storage());
  EXPECT_NE(base_copy.storage(), base.storage());
  EXPECT_TRUE(view_copy.same_bits(view));
  base_copy.mutable_values<float>()[3] = 50;
  EXPECT_EQ(view_copy.element(1).as_float(), 50);
  EXPECT_EQ(view.element(1).as_float(), 3);
}

// ---------------------------------------------------------------- elements

TEST(TensorElements, IntegersMustFit) {
  const Argument good[] = {0, 255, true};
  FX_ASSERT_OK_AND_ASSIGN(const Tensor t, Tensor::from_elements(DType::kUInt8, {3}, good));
  EXPECT_THAT(t.values<uint8_t>(), ElementsAre(0, 255, 1));
  const Argument large[] = {256};
  EXPECT_THAT(Tensor::from_elements(DType::kUInt8, {1}, large),
              StatusIs(kInvalid, HasSubstr("256 cannot be represented as uint8")));
  const Argument negative[] = {-1};
  EXPECT_THAT(Tensor::from_elements(DType::kUInt64, {1}, negative), StatusIs(kInvalid));
  const Argument fraction[] = {1.0};
  EXPECT_THAT(Tensor::from_elements(DType::kInt64, {1}, fraction), StatusIs(kInvalid));
  const Argument text[] = {"1"};
  EXPECT_THAT(Tensor::from_elements(DType::kFloat32, {1}, text), StatusIs(kInvalid));
  EXPECT_THAT(Tensor::from_elements(DType::kUInt8, {2}, good), StatusIs(kInvalid));
  const Argument two[] = {2};
  EXPECT_THAT(Tensor::from_elements(DType::kBool, {1}, two), StatusIs(kInvalid));
  const Argument zero[] = {0};
  EXPECT_THAT(Tensor::from_elements(DType::kQInt8, {1}, zero), StatusIs(kInvalid));
}

TEST(TensorElements, ReadBackWhatWasWritten) {
  struct Case {
    DType dtype;
    std::vector<Argument> values;
  };
  const Case cases[] = {
      {DType::kBool, {false, true}},
      {DType::kUInt8, {0, 255}},
      {DType::kUInt16, {0, 65535}},
      {DType::kUInt32, {0, 4294967295}},
      {DType::kUInt64, {5, Argument::object("18446744073709551615")}},
      {DType::kInt8, {-128, 127}},
      {DType::kInt16, {-32768, 32767}},
      {DType::kInt32, {-2147483648, 2147483647}},
      {DType::kInt64, {INT64_MIN, INT64_MAX}},
      {DType::kFloat16, {1.5, -65504.0, 0x1p-24}},
      {DType::kBFloat16, {1.5, -0x1.fep127, 0x1p-133}},
      {DType::kFloat32, {0.1f, -1e30f}},
      {DType::kFloat64, {0.1, -0.0, 1e300}},
      {DType::kComplex32, {std::complex<double>(1.5, -2)}},
      {DType::kComplex64, {std::complex<double>(0.25, -2), std::complex<double>(3, 0)}},
      {DType::kComplex128, {std::complex<double>(0.1, -0.2)}},
  };
  for (const Case& c : cases) {
    const auto count = static_cast<int64_t>(c.values.size());
    FX_ASSERT_OK_AND_ASSIGN(const Tensor t, Tensor::from_elements(c.dtype, {count}, c.values));
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(t.element(i), c.values[static_cast<size_t>(i)]) << dtype_name(c.dtype) << i;
  }
}

struct SmallFloatCase {
  DType dtype;
  int finite;
  int nans;
  int infinities;
  double largest;
  double smallest;  // the smallest positive value
};

/// Counts and bounds of all codes, as torch 2.13 decodes them. Writing a decoded value results in
/// the same code.
TEST(TensorElements, DecodesEveryCodeOfSmallFloats) {
  const SmallFloatCase cases[] = {
      {DType::kFloat16, 63488, 2046, 2, 65504.0, 0x1p-24},
      {DType::kBFloat16, 65280, 254, 2, 3.3895313892515355e+38, 9.183549615799121e-41},
      {DType::kFloat8E5M2, 248, 6, 2, 57344.0, 1.52587890625e-05},
      {DType::kFloat8E4M3FN, 254, 2, 0, 448.0, 0.001953125},
      {DType::kFloat8E5M2FNUZ, 255, 1, 0, 57344.0, 7.62939453125e-06},
      {DType::kFloat8E4M3FNUZ, 255, 1, 0, 240.0, 0.0009765625},
      {DType::kFloat8E8M0FNU, 255, 1, 0, 0x1p127, 0x1p-127},
  };
  for (const SmallFloatCase& c : cases) {
    SCOPED_TRACE(dtype_name(c.dtype));
    const auto size = static_cast<size_t>(dtype_item_size(c.dtype));
    const uint32_t codes = size == 1 ? 256 : 65536;
    int finite = 0, nans = 0, infinities = 0;
    double largest = 0, smallest = 1;
    for (uint32_t code = 0; code < codes; ++code) {
      std::byte bytes[2];
      std::memcpy(bytes, &code, 2);
      const Tensor t = Tensor::copy_of(c.dtype, {}, {bytes, size}).value();
      const double value = t.element(0).as_float();
      nans += std::isnan(value);
      infinities += std::isinf(value);
      finite += std::isfinite(value);
      if (std::isfinite(value)) largest = std::max(largest, value);
      if (value > 0) smallest = std::min(smallest, value);
      const Argument element[] = {value};
      const Tensor back = Tensor::from_elements(c.dtype, {}, element).value();
      const bool is_number = std::isfinite(value) || c.infinities > 0;
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(back.element(0).as_float()));
      } else if (is_number) {
        EXPECT_TRUE(back.same_bits(t)) << code;
      }
    }
    EXPECT_EQ(finite, c.finite);
    EXPECT_EQ(nans, c.nans);
    EXPECT_EQ(infinities, c.infinities);
    EXPECT_EQ(largest, c.largest);
    EXPECT_EQ(smallest, c.smallest);
  }
}

/// torch 2.13's codes for float32 tensors with these values.
TEST(TensorElements, RoundsSmallFloatsAsInTorch) {
  const double values[] = {0.0,      -0.0,    1.0,      -1.5,
                           0.1,      3.14159, 448.0,    449.0,
                           464.0,    464.1,   480.0,    57344.0,
                           61440,    61439,   65504.0,  65519.9,
                           65520.0,  240.0,   248.0,    247.9,
                           1e-3,     0x1p-9,  0x1p-10,  0x1.028f5c28f5c29p-10,
                           0x1p-17,  0x1p-24, 0x1p-25,  0x1.028f5c28f5c29p-25,
                           3e38,     1e-45,   INFINITY, -INFINITY,
                           0x1.8p-9, 1.0625,  1.1875,   1.125,
                           -5e-8};
  struct Case {
    DType dtype;
    std::vector<uint32_t> codes;
  };
  const Case cases[] = {
      {DType::kFloat16,
       {0x0,    0x8000, 0x3c00, 0xbe00, 0x2e66, 0x4248, 0x5f00, 0x5f04, 0x5f40, 0x5f40,
        0x5f80, 0x7b00, 0x7b80, 0x7b80, 0x7bff, 0x7bff, 0x7c00, 0x5b80, 0x5bc0, 0x5bbf,
        0x1419, 0x1800, 0x1400, 0x140a, 0x80,   0x1,    0x0,    0x1,    0x7c00, 0x0,
        0x7c00, 0xfc00, 0x1a00, 0x3c40, 0x3cc0, 0x3c80, 0x8001}},
      {DType::kBFloat16,
       {0x0,    0x8000, 0x3f80, 0xbfc0, 0x3dcd, 0x4049, 0x43e0, 0x43e0, 0x43e8, 0x43e8,
        0x43f0, 0x4760, 0x4770, 0x4770, 0x4780, 0x4780, 0x4780, 0x4370, 0x4378, 0x4378,
        0x3a83, 0x3b00, 0x3a80, 0x3a81, 0x3700, 0x3380, 0x3300, 0x3301, 0x7f62, 0x0,
        0x7f80, 0xff80, 0x3b40, 0x3f88, 0x3f98, 0x3f90, 0xb357}},
      {DType::kFloat8E5M2,
       {0x0,  0x80, 0x3c, 0xbe, 0x2e, 0x42, 0x5f, 0x5f, 0x5f, 0x5f, 0x60, 0x7b, 0x7c,
        0x7b, 0x7c, 0x7c, 0x7c, 0x5c, 0x5c, 0x5c, 0x14, 0x18, 0x14, 0x14, 0x0,  0x0,
        0x0,  0x0,  0x7c, 0x0,  0x7c, 0xfc, 0x1a, 0x3c, 0x3d, 0x3c, 0x80}},
      {DType::kFloat8E4M3FN,
       {0x0,  0x80, 0x38, 0xbc, 0x1d, 0x45, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e, 0x7e,
        0x7e, 0x7e, 0x7e, 0x7e, 0x77, 0x78, 0x77, 0x1,  0x1,  0x0,  0x1,  0x0,  0x0,
        0x0,  0x0,  0x7e, 0x0,  0x7e, 0xfe, 0x2,  0x38, 0x3a, 0x39, 0x80}},
      {DType::kFloat8E5M2FNUZ,
       {0x0,  0x0,  0x40, 0xc2, 0x32, 0x46, 0x63, 0x63, 0x63, 0x63, 0x64, 0x7f, 0x80,
        0x7f, 0x80, 0x80, 0x80, 0x60, 0x60, 0x60, 0x18, 0x1c, 0x18, 0x18, 0x1,  0x0,
        0x0,  0x0,  0x80, 0x0,  0x80, 0x80, 0x1e, 0x40, 0x41, 0x40, 0x0}},
      {DType::kFloat8E4M3FNUZ,
       {0x0,  0x0,  0x40, 0xc4, 0x25, 0x4d, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        0x80, 0x80, 0x80, 0x80, 0x7f, 0x80, 0x7f, 0x1,  0x2,  0x1,  0x1,  0x0,  0x0,
        0x0,  0x0,  0x80, 0x0,  0x80, 0x80, 0x3,  0x40, 0x42, 0x41, 0x0}},
      {DType::kFloat8E8M0FNU,
       {0x0,  0x0,  0x7f, 0x80, 0x7c, 0x81, 0x88, 0x88, 0x88, 0x88, 0x88, 0x8f, 0x8f,
        0x8f, 0x8f, 0x8f, 0x8f, 0x87, 0x87, 0x87, 0x75, 0x76, 0x75, 0x75, 0x6e, 0x67,
        0x66, 0x66, 0xff, 0x0,  0xff, 0xff, 0x77, 0x7f, 0x7f, 0x7f, 0x67}},
  };
  for (const Case& c : cases) {
    ASSERT_EQ(c.codes.size(), std::size(values));
    for (size_t i = 0; i < std::size(values); ++i) {
      const Argument element[] = {values[i]};
      const Tensor t = Tensor::from_elements(c.dtype, {}, element).value();
      uint32_t code = 0;
      std::memcpy(&code, t.data(), t.num_bytes());
      EXPECT_EQ(code, c.codes[i]) << dtype_name(c.dtype) << " of " << values[i];
    }
  }
}

TEST(TensorElements, PrintInNestedBrackets) {
  EXPECT_EQ(iota({2, 3}).str(), "f32[2, 3] [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]");
  EXPECT_EQ(iota({2, 1, 2}).str(), "f32[2, 1, 2] [[[0.0, 1.0]], [[2.0, 3.0]]]");
  EXPECT_EQ(iota({}).str(), "f32[] 0.0");
  EXPECT_EQ(iota({0, 2}).str(), "f32[0, 2] []");
  EXPECT_EQ(iota({3, 2}).str(3), "f32[3, 2] [[0.0, 1.0], [2.0, ...]]");
  EXPECT_EQ(iota({100}).str(0), "f32[100] ...");
  EXPECT_EQ(Tensor::of<bool>({2}, {true, false})->str(), "b8[2] [True, False]");
  EXPECT_EQ(Tensor::of<std::complex<double>>({1}, {{1, -2}})->str(), "c128[1] [(1.0-2.0j)]");
  EXPECT_EQ(iota({2, 2}).as_strided({2, 2}, {1, 2}, 0)->str(),
            "f32[2, 2][1, 2] [[0.0, 2.0], [1.0, 3.0]]");
}

TEST(ContiguousStrides, FollowTorch) {
  EXPECT_THAT(contiguous_strides({2, 3, 4}).value(), ElementsAre(12, 4, 1));
  EXPECT_THAT(contiguous_strides({2, 0, 4}).value(), ElementsAre(4, 4, 1));
  EXPECT_THAT(contiguous_strides({}).value(), IsEmpty());
  EXPECT_THAT(contiguous_strides({1, INT64_MAX, 3}), StatusIs(kInvalid));
  EXPECT_THAT(contiguous_strides({INT64_MAX, 2}), IsOk());  // the largest stride fits
  EXPECT_THAT(contiguous_strides({2, -1}), StatusIs(kInvalid));
}

TEST(Tensor, RestridedCopiesHaveTheRequestedStrides) {
  const Tensor dense = Tensor::of<int32_t>({2, 3}, {0, 1, 2, 3, 4, 5}).value();
  FX_ASSERT_OK_AND_ASSIGN(const Tensor gaps, dense.restrided({1, 4}, 2, 12));
  EXPECT_TRUE(gaps.same_bits(dense));
  EXPECT_THAT(gaps.strides(), ElementsAre(1, 4));
  EXPECT_EQ(gaps.offset(), 2);
  EXPECT_EQ(gaps.storage()->num_bytes(), 12 * sizeof(int32_t));
  const auto* memory = reinterpret_cast<const int32_t*>(gaps.storage()->data());
  EXPECT_THAT(absl::MakeSpan(memory, 12), ElementsAre(0, 0, 0, 3, 0, 0, 1, 4, 0, 0, 2, 5));
  // restrided() also accepts other strides, and strides with overlap.
  FX_ASSERT_OK_AND_ASSIGN(const Tensor back, gaps.restrided({3, 1}, 0, 6));
  EXPECT_TRUE(back.same_bits(dense));
  const Tensor row = Tensor::of<int32_t>({2, 2}, {7, 8, 7, 8}).value();
  FX_ASSERT_OK_AND_ASSIGN(const Tensor expanded, row.restrided({0, 1}, 0, 2));
  EXPECT_TRUE(expanded.same_bits(row));
  // Elements at one location must be equal.
  EXPECT_THAT(dense.restrided({0, 1}, 0, 12), StatusIs(kInvalid, HasSubstr("different values")));
  EXPECT_THAT(dense.restrided({1, 1}, 0), StatusIs(kInvalid, HasSubstr("strides 1, 1")));
  EXPECT_FALSE(dense.restrided({int64_t{1} << 21, 1}, 0).ok());  // mostly gaps
  for (const int64_t huge : {int64_t{5}, int64_t{1} << 40, INT64_MAX})
    EXPECT_FALSE(dense.restrided({huge, 4}, 2, 12).ok());
  EXPECT_FALSE(dense.restrided({1, 4}, 3, 12).ok());
  EXPECT_FALSE(dense.restrided({1, 4}, -1, 12).ok());
  EXPECT_FALSE(dense.restrided({1, -4}, 2, 12).ok());
  EXPECT_FALSE(dense.restrided({1}, 0, 12).ok());
  FX_ASSERT_OK_AND_ASSIGN(const Tensor empty, Tensor::zeros(DType::kInt8, {0, INT64_MAX}));
  EXPECT_TRUE(empty.restrided({INT64_MAX, INT64_MAX}, 0, 0).ok());
}

}  // namespace
}  // namespace fx::tensor_test
