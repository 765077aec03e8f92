// Custom operators, and rows that are derived for Python functions and methods.
#include "fx/ir/ops/registry.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace fx::ops {
namespace {

using ::fx::testing::IsOk;
using ::fx::testing::StatusIs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class OpRegistryTest : public ::testing::Test {
 protected:
  const OpInfo& find(std::string_view name) {
    const OpInfo* found = registry.find(name);
    FX_CHECK(found, name);
    return *found;
  }

  OpRegistry registry;
};

TEST_F(OpRegistryTest, PythonFunctionsHaveThePropertiesOfTheirOperator) {
  EXPECT_EQ(find("torch.add").algebra().commutes, OpAlgebra::Commutes::kAlways);
  EXPECT_EQ(find("torch.mul").algebra().right_neutral, 1);
  EXPECT_EQ(find("torch.logical_or").algebra().commutes, OpAlgebra::Commutes::kAlways);
  EXPECT_EQ(find("torch.sub").algebra().commutes, OpAlgebra::Commutes::kNever);
}

TEST_F(OpRegistryTest, AddedOperatorsBehaveLikeBuiltInOnes) {
  const absl::StatusOr<const OpInfo*> added =
      registry.add("mylib::foo.Tensor(Tensor x, *, int n=1) -> Tensor");
  ASSERT_THAT(added, IsOk());
  EXPECT_EQ((*added)->name(), "mylib.foo.Tensor");
  EXPECT_EQ(registry.find("mylib.foo.Tensor"), *added);
  EXPECT_EQ(registry.find("mylib::foo.Tensor"), *added);
  EXPECT_TRUE((*added)->effects().is_pure());
  ASSERT_THAT(registry.add("mylib::foo_.Tensor(Tensor(a!) x, *, int n=1) -> Tensor(a!)"), IsOk());
  EXPECT_EQ(registry.variants(**added).in_place, registry.find("mylib.foo_.Tensor"));
  EXPECT_EQ(registry.overloads("mylib.foo").size(), 1U);
  EXPECT_EQ(registry.added().size(), 2U);
  EXPECT_EQ(find_op("mylib.foo.Tensor"), nullptr) << "the operator must not be in other registries";
}

TEST_F(OpRegistryTest, UsersSpecifyEffectsAndTraits) {
  ASSERT_THAT(registry.add("mylib::log(Tensor x) -> Tensor", {.effects = Effect::kWritesState}),
              IsOk());
  EXPECT_FALSE(find("mylib.log.default").effects().is_removable());
  ASSERT_THAT(registry.add("mylib::noise(Tensor x, bool training=True) -> Tensor",
                           {.effects = {}, .traits = {OpTrait::kRandom, OpTrait::kPointwise}}),
              IsOk());
  EXPECT_EQ(find("mylib.noise.default").effects(), Effect::kRandom);
  EXPECT_EQ(find("mylib.noise.default").conditional_effects().size(), 1U);
  EXPECT_TRUE(find("mylib.noise.default").has(OpTrait::kPointwise));
  ASSERT_THAT(registry.add("mylib::send(Tensor x) -> ()"), IsOk());
  EXPECT_FALSE(find("mylib.send.default").effects().is_removable())
      << "a call without results or writes must have a different effect";
}

TEST_F(OpRegistryTest, FunctionsHaveDottedNames) {
  ASSERT_THAT(registry.add("my_module.double(Any x) -> Any"), IsOk());
  EXPECT_TRUE(find("my_module.double").is_function());
  EXPECT_TRUE(find("my_module.double").effects().is_pure());
  EXPECT_EQ(find("my_module.double").schema().arguments()[0].name, "x");
}

TEST_F(OpRegistryTest, NamesAreUnique) {
  ASSERT_THAT(registry.add("mylib::foo(Tensor x) -> Tensor"), IsOk());
  EXPECT_THAT(registry.add("mylib::foo(Tensor y, int z) -> Tensor"),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("mylib.foo.default")));
  EXPECT_THAT(registry.add("aten::relu(Tensor self) -> Tensor"),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("built-in")));
  EXPECT_THAT(registry.add("operator.add(Any a, Any b) -> Any"),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("built-in")));
  ASSERT_THAT(registry.add("aten::relu.mine(Tensor self, int n) -> Tensor"), IsOk());
  EXPECT_EQ(registry.overloads("aten.relu").back()->overload(), "mine");
}

TEST_F(OpRegistryTest, InvalidSchemasAreRejected) {
  for (const auto& [schema, message] : std::vector<std::pair<std::string_view, std::string>>{
           {"foo(Tensor x) -> Tensor", "not a valid operator name"},
           {"", "not a valid operator name"},
           {"my module.f(Any x) -> Any", "not a valid operator name"},
           {".f(Any x) -> Any", "not a valid operator name"},
           {"mylib::foo(Tensor x, int x) -> Tensor", "two arguments named 'x'"},
           {"mylib::foo(Tensor x", "column"},
           {"a.b.f(Bad x) -> Any", "unknown type"},
       }) {
    EXPECT_THAT(registry.add(schema),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)))
        << schema;
  }
  EXPECT_TRUE(registry.added().empty());
}

// parity: N21
TEST_F(OpRegistryTest, EffectsCanBeAddedToAKnownFunction) {
  EXPECT_TRUE(find("aten.relu.default").effects().is_removable());
  EXPECT_TRUE(find("torch.nn.functional.softsign").effects().is_removable());
  ASSERT_THAT(registry.add_effects("aten.relu.default", Effect::kWritesState), IsOk());
  ASSERT_THAT(registry.add_effects("torch.nn.functional.softsign", Effect::kWritesState), IsOk());
  EXPECT_FALSE(find("aten.relu.default").effects().is_removable());
  EXPECT_FALSE(find("torch.nn.functional.softsign").effects().is_removable());
  EXPECT_FALSE(find("torch.relu").effects().is_removable()) << "it calls the operator";
  EXPECT_TRUE(find_op("aten.relu.default")->effects().is_removable())
      << "only this registry changes";
  EXPECT_TRUE(OpRegistry().find("torch.relu")->text().starts_with("torch.relu(Tensor input"));
  EXPECT_THAT(registry.add_effects("my.unknown", Effect::kRandom),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("my.unknown")));
  // Existing facts are kept.
  ASSERT_THAT(registry.add_effects("aten.batch_norm.default", Effect::kReadsState), IsOk());
  EXPECT_EQ(find("aten.batch_norm.default").written_arguments().size(), 2U);
}

TEST_F(OpRegistryTest, TorchFunctionsCallOperators) {
  EXPECT_EQ(find("torch.special.entr").text(),
            "torch.special.entr(Tensor input, *, Any(z!)? out=None) -> Tensor");
  EXPECT_EQ(find("torch.dropout").text(),
            "torch.dropout(Tensor input, float p, bool train) -> Tensor");
  EXPECT_EQ(find("torch.dropout").effects(), Effect::kRandom);
  EXPECT_EQ(find("torch.dropout").conditional_effects().size(), 1U);
  EXPECT_EQ(find("torch.fft.fft").schema().find_argument("input"), 0);
  EXPECT_TRUE(find("torch.transpose").is_view());
  EXPECT_TRUE(find("torch.add").has(OpTrait::kPointwise));
  EXPECT_TRUE(find("torch._C._nn.gelu").has(OpTrait::kPointwise));
  EXPECT_EQ(find("torch.batch_norm").written_arguments().size(), 2U);
  EXPECT_EQ(registry.find("torch.nonesuch"), nullptr);
  EXPECT_EQ(registry.find("torch.nn.functional."), nullptr);
  EXPECT_EQ(registry.find("torch.nn.modules.linear"), nullptr);
  EXPECT_EQ(registry.find("mylib.relu"), nullptr);
  EXPECT_EQ(&find("torch.add"), &find("torch.add")) << "made once";
}

TEST_F(OpRegistryTest, OutIsWrittenOnlyIfItIsPassed) {
  for (const std::string_view name : {"torch.add", "torch.exp", "torch.where"}) {
    const OpInfo& op = find(name);
    ASSERT_EQ(op.conditional_effects().size(), 1U) << name;
    const ConditionalEffect& condition = op.conditional_effects()[0];
    EXPECT_EQ(op.schema().arguments()[condition.argument].name, "out");
    EXPECT_TRUE(condition.value.is_none());
    EXPECT_TRUE((op.effects() - condition.absent).is_pure()) << name;
    EXPECT_TRUE(op.writes_argument(condition.argument));
  }
}

// parity: N14
TEST_F(OpRegistryTest, MethodsFollowTheirOperators) {
  EXPECT_TRUE(registry.method_effects("add").is_pure());
  EXPECT_EQ(registry.method_effects("add_"), Effect::kWritesArguments);
  EXPECT_TRUE(registry.find_method("add_")->writes_argument(0));
  EXPECT_EQ(registry.method_effects("uniform_"), Effect::kWritesArguments | Effect::kRandom);
  EXPECT_TRUE(registry.method_effects("size").is_pure());
  EXPECT_TRUE(registry.method_effects("float").is_pure());
  EXPECT_TRUE(registry.method_effects("numpy").is_pure());
  EXPECT_TRUE(registry.method_effects("sort").is_pure()) << "the method of Tensor, not of list";
  EXPECT_EQ(registry.method_effects("append"), Effect::kWritesArguments)
      << "only lists have this method";
  EXPECT_FALSE(registry.method_effects("backward").is_removable());
  EXPECT_EQ(registry.method_effects("my_method"), Effects::all());
  EXPECT_EQ(registry.method_effects("my_method_"), Effects::all());
  EXPECT_EQ(registry.method_effects("__setitem__"), Effect::kWritesArguments);
  EXPECT_TRUE(registry.find_method("view")->is_view());
  EXPECT_EQ(registry.find_method("to")->output_aliases()[0].kind, AliasKind::kMaybe);
}

TEST_F(OpRegistryTest, FlagsOfFunctionsRemoveEffects) {
  const OpInfo& relu = find("torch.nn.functional.relu");
  ASSERT_EQ(relu.conditional_effects().size(), 1U);
  EXPECT_EQ(relu.schema().arguments()[relu.conditional_effects()[0].argument].name, "inplace");
  const OpInfo& dropout = find("torch.nn.functional.dropout");
  Effects effects = dropout.effects();
  for (const ConditionalEffect& condition : dropout.conditional_effects())
    effects -= condition.absent;
  EXPECT_TRUE(effects.is_pure());
}

TEST_F(OpRegistryTest, IsThreadSafe) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      for (int j = 0; j < 50; ++j) {
        const std::string name = "lib" + std::to_string(i) + "::f" + std::to_string(j);
        ASSERT_THAT(registry.add(name + "(Tensor x) -> Tensor"), IsOk());
        EXPECT_EQ(registry.find(name)->schema().arguments().size(), 1U);
        EXPECT_NE(registry.find("torch.relu"), nullptr);
        EXPECT_NE(registry.find_method("mul_"), nullptr);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(registry.added().size(), 200U);
}

}  // namespace
}  // namespace fx::ops
