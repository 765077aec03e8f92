#include "fx/importers/torch/capture/tables/value_table_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include <ATen/ATen.h>
#include <c10/core/StorageImpl.h>
#include <c10/core/TensorImpl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace fx::value_table_test {
namespace {

using WeakTensor = c10::weak_intrusive_ptr<c10::TensorImpl>;
using WeakStorage = c10::weak_intrusive_ptr<c10::StorageImpl>;

WeakTensor weak(const at::Tensor& tensor) { return WeakTensor(tensor.getIntrusivePtr()); }
WeakStorage weak_storage(const at::Tensor& tensor) {
  return WeakStorage(
      c10::intrusive_ptr<c10::StorageImpl>::reclaim_copy(tensor.storage().unsafeGetStorageImpl()));
}

/// Returns the number of freed objects whose addresses other weak references pin.
template <class T>
size_t num_pinned(const std::vector<c10::weak_intrusive_ptr<T>>& objects) {
  return static_cast<size_t>(std::ranges::count_if(
      objects, [](const auto& object) { return object.expired() && object.weak_use_count() > 1; }));
}

class ValueTableTest : public ::testing::Test {
 protected:
  void bind_temporaries(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const at::Tensor tensor = at::ones({4});
      tensors_.push_back(weak(tensor));
      storages_.push_back(weak_storage(tensor));
      table_.bind(tensor, {.node = node_, .module = {}});
    }
  }
  std::vector<at::Tensor> bind_tensors(size_t count) {
    std::vector<at::Tensor> tensors;
    for (size_t i = 0; i < count; ++i) {
      tensors.push_back(at::ones({4}));
      table_.bind(tensors.back(), {.node = node_, .module = {}});
    }
    return tensors;
  }

  Context context_;
  Graph graph_{context_};
  Node* node_ = graph_.placeholder("x");
  ValueTable table_{context_.types()};
  std::vector<WeakTensor> tensors_;  // of bind_temporaries
  std::vector<WeakStorage> storages_;
};

// The allocator can then reuse their addresses, as without capture.
TEST_F(ValueTableTest, RemovesTensorsThatAreFreedSoon) {
  bind_temporaries(100);
  EXPECT_LE(num_pinned(tensors_), 20);
  EXPECT_LE(num_pinned(storages_), 20);

  const std::vector<at::Tensor> alive = bind_tensors(1000);
  bind_temporaries(900);
  EXPECT_LE(num_pinned(tensors_), 20);
  EXPECT_LE(num_pinned(storages_), 20);
  for (const at::Tensor& tensor : alive) EXPECT_NE(table_.find(tensor), nullptr);
}

TEST_F(ValueTableTest, RemovesTensorsThatAreFreedLater) {
  std::vector<at::Tensor> alive = bind_tensors(1000);
  std::vector<WeakTensor> freed;
  for (const at::Tensor& tensor : alive) freed.push_back(weak(tensor));
  alive.clear();
  EXPECT_GT(num_pinned(freed), 900);
  alive = bind_tensors(4000);
  EXPECT_EQ(num_pinned(freed), 0);
}

// Autograd may save a result as a different TensorImpl, and free the original.
TEST_F(ValueTableTest, FindsStorageOfFreedTensors) {
  std::vector<at::Tensor> saved;
  for (size_t i = 0; i < 1000; ++i) {
    const at::Tensor tensor = at::ones({4});
    table_.bind(tensor, {.node = node_, .module = {}});
    saved.push_back(tensor.detach());
  }
  for (const at::Tensor& tensor : saved) {
    bool exact = true;
    ASSERT_NE(table_.find(tensor, &exact), nullptr);
    EXPECT_FALSE(exact);
  }
}

// Otherwise, the TensorImpl could get a new storage at the address that the table recorded, and the
// table would return the old value.
TEST_F(ValueTableTest, PinsStorageAsLongAsTensorThatHadIt) {
  at::Tensor tensor = at::ones({4});
  const WeakStorage storage = weak_storage(tensor);
  table_.bind(tensor, {.node = node_, .module = {}});
  tensor.set_data(at::ones({4}));
  EXPECT_EQ(table_.find(tensor), nullptr);

  std::vector<at::Tensor> alive = bind_tensors(1000);
  bind_temporaries(100);
  EXPECT_TRUE(storage.expired());
  EXPECT_EQ(storage.weak_use_count(), 2);

  tensor = at::Tensor();
  const std::vector<at::Tensor> more = bind_tensors(4000);
  EXPECT_EQ(storage.weak_use_count(), 1);
}

// The table no longer needs the storage if the TensorImpl is bound to a different value.
TEST_F(ValueTableTest, ForgetsStorageOfTensorThatIsBoundAgain) {
  at::Tensor tensor = at::ones({4});
  const WeakStorage storage = weak_storage(tensor);
  table_.bind(tensor, {.node = node_, .module = {}});
  tensor.set_data(at::ones({4}));
  Node* const other = graph_.placeholder("y");
  table_.bind(tensor, {.node = other, .module = {}});
  const std::vector<at::Tensor> alive = bind_tensors(1000);
  EXPECT_EQ(storage.weak_use_count(), 1);
  ASSERT_NE(table_.find(tensor), nullptr);
  EXPECT_EQ(table_.find(tensor)->node, other);
}

}  // namespace
}  // namespace fx::value_table_test
