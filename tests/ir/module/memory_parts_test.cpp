// Tests which tensors share memory.
#include "fx/ir/module/memory_parts.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/types/type.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <memory>
#include <vector>

namespace fx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::vector<size_t>> groups(const std::vector<Tensor>& tensors,
                                        MemoryParts kind = MemoryParts::kAnyDTypes) {
  std::vector<std::vector<size_t>> result;
  for (const MemoryPart& part : memory_parts(tensors, kind)) result.push_back(part.tensors);
  return result;
}

class MemoryPartsTest : public ::testing::Test {
 protected:
  /// A view of the 12 floats of `storage_`.
  Tensor view(std::vector<int64_t> sizes, std::vector<int64_t> strides, int64_t offset,
              DType dtype = DType::kFloat32) {
    return *Tensor::create_strided(dtype, sizes, strides, offset, storage_);
  }
  std::shared_ptr<Storage> storage_ = *Storage::zeros(48);
};

TEST_F(MemoryPartsTest, TensorsThatOverlapAreInOnePart) {
  const Tensor other = *Tensor::zeros(DType::kFloat32, {3});
  // The first and the last tensor overlap only through the third one.
  const std::vector<Tensor> tensors = {view({3}, {1}, 6),  other,
                                       view({5}, {1}, 2),  view({2}, {1}, 0),
                                       view({2}, {1}, 10), view({2}, {2}, 3)};
  EXPECT_THAT(groups(tensors),
              ElementsAre(ElementsAre(0, 2, 5), ElementsAre(1), ElementsAre(3), ElementsAre(4)));
  const std::vector<MemoryPart> parts = memory_parts(tensors);
  EXPECT_EQ(parts[0].data, storage_->data() + 8);
  EXPECT_EQ(parts[0].num_bytes, 28u);
  EXPECT_EQ(parts[1].data, other.data());
}

TEST_F(MemoryPartsTest, AdjacentTensorsAreSeparate) {
  EXPECT_THAT(groups({view({2}, {1}, 2), view({2}, {1}, 0)}),
              ElementsAre(ElementsAre(0), ElementsAre(1)));
}

// A range includes the gaps between the elements, and an expanded dimension takes no memory.
TEST_F(MemoryPartsTest, StridesDetermineTheRange) {
  const Tensor column = view({3}, {4}, 1), in_gap = view({1}, {1}, 3), after = view({1}, {1}, 10);
  EXPECT_THAT(groups({column, in_gap, after}), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
  EXPECT_THAT(groups({view({100, 2}, {0, 1}, 0), after}),
              ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_EQ(memory_of(column).size(), 36u);
}

TEST_F(MemoryPartsTest, DtypesCanBeSeparate) {
  const std::vector<Tensor> tensors = {view({4}, {1}, 0), view({8}, {1}, 0, DType::kUInt8),
                                       view({4}, {1}, 2)};
  EXPECT_THAT(groups(tensors), ElementsAre(ElementsAre(0, 1, 2)));
  EXPECT_THAT(groups(tensors, MemoryParts::kOneDType),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
}

// Two storages may be parts of one mapped file.
TEST_F(MemoryPartsTest, ComparesAddressesInsteadOfStorages) {
  const auto make = [&](size_t begin) {
    return *Tensor::create(DType::kFloat32, {4}, Storage::part(storage_, begin, 16));
  };
  EXPECT_THAT(groups({make(0), make(8), make(24)}), ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
}

TEST_F(MemoryPartsTest, TensorsWithoutDataOrElements) {
  Context context;
  const Tensor declared = Tensor::declared(*context.types().parse("f32[2]"));
  const Tensor unknown = Tensor::declared(*context.types().parse("f32[*]"));
  const Tensor empty = view({0, 3}, {3, 1}, 0);
  EXPECT_THAT(groups({declared, empty, unknown, Tensor(), declared}),
              ElementsAre(ElementsAre(0, 4), ElementsAre(2)));
  EXPECT_THAT(groups({empty, Tensor()}), IsEmpty());
  EXPECT_EQ(memory_parts({declared})[0].data, nullptr);
}

TEST_F(MemoryPartsTest, OtherDevicesAreNotRead) {
  std::byte* const address = reinterpret_cast<std::byte*>(0x1000);
  const auto make = [&](int64_t offset, int16_t index) {
    return *Tensor::create_strided(
        DType::kFloat32, {2}, {1}, offset,
        Storage::external(static_cast<void*>(address), 16, {}, {DeviceType::kCuda, index}));
  };
  EXPECT_THAT(groups({make(0, 0), make(1, 0), make(0, 1)}),
              ElementsAre(ElementsAre(0, 1), ElementsAre(2)));
}

}  // namespace
}  // namespace fx
