#include "fx/importers/torch/capture/tables/operator_table_internal.h"
#include "fx/ir/graph/context.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <vector>

namespace fx::inferred_calls_test {
namespace {

// A convolution without a bias has an undefined tensor as an argument.
TEST(InferredCalls, FindsCallWithUndefinedTensor) {
  Context context;
  const Type type = *context.types().parse("f32[2, 3]");
  const std::vector<Type> forms = {type, Type(), Type()};
  const std::vector<c10::IValue> call = {c10::IValue(), at::Tensor(), 1};
  InferredCalls calls;
  calls.insert(call, forms, {.type = type, .aliases = {}});
  const InferredCall* const found = calls.find(call, forms);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->type, type);

  const std::vector<c10::IValue> defined = {c10::IValue(), at::ones({}), 1};
  const std::vector<c10::IValue> none = {c10::IValue(), c10::IValue(), 1};
  const std::vector<c10::IValue> other_number = {c10::IValue(), at::Tensor(), 2};
  EXPECT_EQ(calls.find(defined, forms), nullptr);
  EXPECT_EQ(calls.find(none, forms), nullptr);
  EXPECT_EQ(calls.find(other_number, forms), nullptr);
}

// If the type of a tensor argument is unknown, the result may depend on its elements.
TEST(InferredCalls, StoresNoCallWithTensorOfUnknownType) {
  Context context;
  const Type type = *context.types().parse("f32[2, 3]");
  const std::vector<Type> forms = {type, Type()};
  const std::vector<c10::IValue> call = {c10::IValue(), at::ones({})};
  InferredCalls calls;
  calls.insert(call, forms, {.type = type, .aliases = {}});
  EXPECT_EQ(calls.find(call, forms), nullptr);
}

}  // namespace
}  // namespace fx::inferred_calls_test
