// Calls and the schemas of their operators (parity N14, N15, N21).
#include "fx/ir/calls/call.h"

#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/text/text.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <limits>
#include <optional>
#include <vector>

namespace fx {
namespace {

using ops::Effect;
using ops::Effects;
using testing::HasSubstr;

class CallTest : public testing::Test {
 protected:
  Node* call(std::string_view function, absl::Span<const Argument> args,
             absl::Span<const Kwarg> kwargs = {}) {
    return graph_.call_function(context_.function(function), args, kwargs);
  }

  Context context_;
  Graph graph_{context_};
  Node* x_ = graph_.placeholder("x");
};

// torch.fx's eliminate_dead_code drops such calls (torch/_library/utils.py, is_impure).
TEST_F(CallTest, N14_EffectsOfGraphArguments) {
  const auto parsed = parse_graph(context_, R"(graph(%x : f32[2], %p : b8[]) {
    graph @pure(%a : f32[2]) {
      %b = aten.relu.default(%a)
      return (%b,)
    }
    graph @writes(%a : f32[2]) {
      %b = aten.relu_.default(%a)
      return (%b,)
    }
    graph @draws(%a : f32[2], %q : b8[]) {
      graph @inner(%c : f32[2]) {
        %d = aten.bernoulli.default(%c)
        return (%d,)
      }
      %b = higher_order.cond(%q, @inner, @inner, (%a,))
      return %b
    }
    %named = get_attr writes
    %one = higher_order.cond(%p, @pure, @pure, (%x,))
    %two = higher_order.cond(%p, @pure, @writes, (%x,))
    %three = higher_order.wrap_with_set_grad_enabled(False, %named, %x)
    %four = higher_order.invoke_subgraph(@draws, "draws", %x, %p)
    return (%one, %two, %three, %four)
  })");
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  const auto of = [&](const char* name) { return effects(*(*parsed)->find_node(name)); };
  EXPECT_TRUE(of("one").is_pure());
  EXPECT_EQ(of("two"), Effects(Effect::kWritesArguments));
  EXPECT_EQ(of("three"), Effects(Effect::kWritesArguments));
  EXPECT_EQ(of("four"), Effects(Effect::kRandom));
}

TEST_F(CallTest, UnavailableGraphsMayHaveAnyEffect) {
  const auto graph = parse_graph(context_, R"(graph(%p, %x : f32[3]) {
    graph @pure(%a) { return %a }
    %g = get_attr g
    %w : f32[3] = get_attr w
    %one = higher_order.cond(%p, @pure, %g, (%x,))
    %two = higher_order.wrap(%g, %x)
    %three = higher_order.while_loop(%g, @pure, (%x,), ())
    %four = higher_order.wrap(@pure, %w)
    %five = higher_order.with_effects(%p, op(aten.add_.Tensor), %x, %x)
    %six = higher_order.out_dtype(op(aten.mm.default), torch.int32, %x, %x)
    return (%one, %two, %three, %four, %five, %six)
  })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto of = [&](const char* name) { return effects(*(*graph)->find_node(name)); };
  for (const char* name : {"one", "two", "three"}) EXPECT_EQ(of(name), Effects::all()) << name;
  EXPECT_TRUE(of("four").is_pure());
  EXPECT_TRUE(of("five").has(Effect::kWritesArguments));
  EXPECT_TRUE(of("six").is_pure());
}

TEST_F(CallTest, N14_Effects) {
  EXPECT_TRUE(effects(*call("aten.add.Tensor", {x_, 1})).is_pure());
  EXPECT_TRUE(effects(*call("aten.add_.Tensor", {x_, 1})).has(Effect::kWritesArguments));
  EXPECT_TRUE(effects(*call("aten.bernoulli.default", {x_})).has(Effect::kRandom));
  EXPECT_EQ(effects(*call("unknown.function", {x_})), Effects::all());
  EXPECT_TRUE(effects(*graph_.call_method("relu", {x_})).is_pure());
  EXPECT_TRUE(effects(*graph_.call_method("add_", {x_, 1})).has(Effect::kWritesArguments));
  EXPECT_EQ(effects(*graph_.call_method("no_such_method", {x_})), Effects::all());
  EXPECT_TRUE(effects(*graph_.get_attr("w")).is_pure());
  EXPECT_TRUE(is_impure(*x_));
  EXPECT_TRUE(is_impure(*call("aten.bernoulli.default", {x_})));
  EXPECT_FALSE(is_impure(*call("aten.bernoulli.default", {x_}), /*impure_random=*/false));
}

TEST_F(CallTest, N14_EffectsOfConstantArguments) {
  EXPECT_TRUE(effects(*call("aten.native_dropout.default", {x_, 0.5, true})).has(Effect::kRandom));
  EXPECT_FALSE(
      effects(*call("aten.native_dropout.default", {x_, 0.5, false})).has(Effect::kRandom));
  // The schema of batch norm does not show that it writes to the running statistics in training.
  const std::vector<Argument> args = {x_, x_, x_, x_, x_, true, 0.1, 1e-5};
  EXPECT_TRUE(effects(*call("aten.native_batch_norm.default", args)).has(Effect::kWritesArguments));
}

TEST_F(CallTest, N14_EffectsOfModules) {
  Module root;
  ASSERT_TRUE(
      root.add_submodule("bn", std::make_shared<Module>("torch.nn.modules.batchnorm.BatchNorm2d"))
          .ok());
  ASSERT_TRUE(
      root.add_submodule("relu", std::make_shared<Module>("torch.nn.modules.activation.ReLU"))
          .ok());
  ASSERT_TRUE(root.add_submodule("mine", std::make_shared<Module>("my.Module")).ok());
  Node* bn = graph_.call_module("bn", {x_});
  EXPECT_EQ(effects(*bn), Effects::all());  // the module is unknown
  graph_.set_owning_module(&root);
  EXPECT_TRUE(effects(*bn).has(Effect::kWritesState));
  root.eval();
  EXPECT_TRUE(effects(*bn).is_pure());
  EXPECT_TRUE(effects(*graph_.call_module("relu", {x_})).is_pure());
  EXPECT_EQ(effects(*graph_.call_module("mine", {x_})), Effects::all());
  // G5, G6: paths are checked against the owning module.
  EXPECT_EQ(graph_.create_node(Opcode::kCallModule, "nowhere", {x_}).status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(graph_.create_node(Opcode::kGetAttr, "bn.weight").status().code(),
            absl::StatusCode::kNotFound);
}

// parity: N21
TEST_F(CallTest, UsersCanRegisterOperatorsAndEffects) {
  Node* before = call("mylib.log.default", {x_});
  EXPECT_EQ(effects(*before), Effects::all());
  ASSERT_TRUE(context_.add_operator("mylib::log(Tensor x) -> Tensor").ok());
  EXPECT_TRUE(effects(*before).is_pure());
  ASSERT_TRUE(context_.add_effects("aten.relu.default", Effect::kWritesState).ok());
  EXPECT_TRUE(is_impure(*call("aten.relu.default", {x_})));
  Context other;  // registrations are not global
  Graph graph(other);
  Node* y = graph.placeholder("y");
  EXPECT_FALSE(is_impure(*graph.call_function(other.function("aten.relu.default"), {y})));
}

TEST_F(CallTest, N15_NormalizedArguments) {
  Node* conv = call("aten.conv2d.default", {x_, x_}, {{"stride", Argument::ints({2, 2})}});
  auto normal = normalized_arguments(*conv);
  ASSERT_TRUE(normal.ok()) << normal.status();
  ASSERT_EQ(normal->args.size(), 7u);
  EXPECT_TRUE(normal->args[2].is_none());
  EXPECT_TRUE(normal->args[3] == Argument::ints({2, 2}));
  EXPECT_TRUE(normal->args[4] == Argument::ints({0, 0}));
  EXPECT_TRUE(normal->args[6] == Argument(1));
  auto keywords = normalized_arguments(*conv, /*only_kwargs=*/true);
  ASSERT_TRUE(keywords.ok());
  EXPECT_TRUE(keywords->args.empty());
  ASSERT_EQ(keywords->kwargs.size(), 7u);
  EXPECT_EQ(keywords->kwargs[1].key, "weight");
  auto add = normalized_arguments(*call("aten.add.Tensor", {x_, 1}));
  ASSERT_TRUE(add.ok());
  ASSERT_EQ(add->kwargs.size(), 1u);  // alpha is keyword-only
  EXPECT_TRUE(add->kwargs[0].value == Argument(1));
  EXPECT_EQ(normalized_arguments(*call("user.f", {x_})).status().code(),
            absl::StatusCode::kFailedPrecondition);
  auto bad = normalized_arguments(*call("aten.relu.default", {x_}, {{"slope", 1}}));
  EXPECT_THAT(std::string(bad.status().message()), HasSubstr("an argument slope"));
  EXPECT_FALSE(normalized_arguments(*call("aten.relu.default", {x_, 1})).ok());
  EXPECT_FALSE(normalized_arguments(*call("aten.relu.default", {x_}, {{"self", x_}})).ok());
  EXPECT_FALSE(normalized_arguments(*call("aten.add.Tensor", {x_})).ok());
}

TEST_F(CallTest, ArgumentsByName) {
  Node* conv = call("aten.conv2d.default", {x_, x_}, {{"groups", 2}});
  EXPECT_TRUE(*conv->argument("groups") == Argument(2));
  EXPECT_TRUE(conv->argument("bias")->is_none());
  EXPECT_EQ(conv->argument("input")->node(), x_);
  EXPECT_FALSE(conv->argument("nothing").has_value());
}

TEST_F(CallTest, ConstantItemIsTheIndexOfGetitem) {
  const Target getitem = context_.function("operator.getitem");
  const auto item = [&](const Node* node) {
    EXPECT_EQ(constant_item(*node), constant_item(*node, getitem)) << print(*node);
    return constant_item(*node);
  };
  EXPECT_EQ(item(call("operator.getitem", {x_, int64_t{0}})), 0);
  EXPECT_EQ(item(call("operator.getitem", {x_, int64_t{-2}})), -2);
  EXPECT_EQ(item(call("operator.getitem", {x_, true})), std::nullopt);
  EXPECT_EQ(item(call("operator.getitem", {x_, "key"})), std::nullopt);
  EXPECT_EQ(item(call("operator.getitem", {x_, x_})), std::nullopt);
  EXPECT_EQ(item(call("operator.getitem", {x_})), std::nullopt);
  EXPECT_EQ(item(call("operator.getitem", {Argument::list({x_, x_}), int64_t{0}})), std::nullopt);
  EXPECT_EQ(item(call("operator.add", {x_, int64_t{0}})), std::nullopt);
  EXPECT_EQ(item(graph_.call_method("operator.getitem", {x_, int64_t{0}})), std::nullopt);
  EXPECT_EQ(item(x_), std::nullopt);
}

// The expected indices are Python's range(*slice(start, stop, step).indices(count)).
TEST(SlicedIndices, AreThoseOfPython) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  const Argument none;
  struct Case {
    Argument start, stop, step;
    int64_t count;
    std::vector<int64_t> expected;
  };
  const Case cases[] = {
      {none, none, none, 3, {0, 1, 2}},
      {int64_t{1}, none, none, 3, {1, 2}},
      {none, int64_t{-1}, none, 3, {0, 1}},
      {int64_t{-2}, none, none, 3, {1, 2}},
      {none, none, int64_t{-1}, 3, {2, 1, 0}},
      {none, none, int64_t{2}, 5, {0, 2, 4}},
      {int64_t{-1}, none, int64_t{-2}, 5, {4, 2, 0}},
      {int64_t{5}, none, int64_t{-1}, 3, {2, 1, 0}},
      {int64_t{-9}, int64_t{2}, int64_t{1}, 3, {0, 1}},
      {int64_t{2}, int64_t{-9}, int64_t{-1}, 3, {2, 1, 0}},
      {int64_t{1}, int64_t{1}, int64_t{1}, 3, {}},
      {none, none, kMax, 4, {0}},
      {none, none, -kMax, 4, {3}},
      {int64_t{0}, int64_t{10}, int64_t{3}, 0, {}},
      {int64_t{4}, int64_t{0}, int64_t{-3}, 6, {4, 1}},
  };
  for (const Case& test : cases) {
    const Argument slice = Argument::slice(test.start, test.stop, test.step);
    EXPECT_EQ(sliced_indices(slice, test.count), test.expected)
        << print(slice) << " of " << test.count;
  }
  EXPECT_EQ(sliced_indices(Argument::slice(none, none, int64_t{0}), 3), std::nullopt);
  EXPECT_EQ(sliced_indices(Argument::slice("a", none, none), 3), std::nullopt);
}

}  // namespace
}  // namespace fx
