#include "fx/passes/cleanup/eliminate_dead_code.h"

#include "fx/ir/graph/context.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace fx::eliminate_dead_code_test {
namespace {

using ::testing::ElementsAre;

class EliminateDeadCodeTest : public ::testing::Test {
 protected:
  std::vector<std::string> names() {
    std::vector<std::string> result;
    for (Node& node : graph_.nodes()) result.push_back(node.name());
    return result;
  }
  Node* call(std::string_view function, absl::Span<const Argument> args,
             absl::Span<const Kwarg> kwargs = {}) {
    return graph_.call_function(context_.function(function), args, kwargs);
  }
  bool run(const EliminateDeadCodeOptions& options = {}) {
    auto changed = eliminate_dead_code(graph_, options);
    EXPECT_TRUE(changed.ok()) << changed.status();
    return changed.ok() && *changed;
  }

  Context context_;
  Graph graph_{context_};
  Node* x_ = graph_.placeholder("x");
};

TEST_F(EliminateDeadCodeTest, G17_RemovesChainsOfDeadCalls) {
  graph_.placeholder("unused");
  Node* a = call("aten.mul.Tensor", {x_, 2});
  Node* b = call("aten.relu.default", {a});
  call("operator.getitem", {b, 0});
  graph_.get_attr("weight");
  graph_.output(x_);
  EXPECT_TRUE(run());
  EXPECT_THAT(names(), ElementsAre("x", "unused", "output"));
  EXPECT_FALSE(run());
}

TEST_F(EliminateDeadCodeTest, N14_KeepsEffects) {
  call("aten.add_.Tensor", {x_, 1});
  call("aten.bernoulli.default", {x_});
  graph_.call_method("add_", {x_, 1});  // torch.fx removes this call
  call("operator.setitem", {x_, 0, 1});
  call("aten._assert_async.msg", {x_, "no"});
  call("user.function", {x_});  // an unknown function
  graph_.output(x_);
  std::vector<std::string> before = names();
  EXPECT_FALSE(run());
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(run({.keep_random = false}));
  EXPECT_EQ(names().size(), before.size() - 1);
}

TEST_F(EliminateDeadCodeTest, ArgumentsMayExcludeEffects) {
  call("aten.native_dropout.default", {x_, 0.5, false});
  graph_.call_method("relu", {x_});
  graph_.output(x_);
  EXPECT_TRUE(run());
  EXPECT_THAT(names(), ElementsAre("x", "output"));
}

TEST_F(EliminateDeadCodeTest, AFunctionMaySelectCallsToKeep) {
  call("aten.mul.Tensor", {x_, 2});
  graph_.output(x_);
  EXPECT_FALSE(run({.is_impure = [](const Node&) { return true; }}));
  EXPECT_TRUE(run({.is_impure = [](const Node&) { return false; }}));
  EXPECT_THAT(names(), ElementsAre("x", "output"));  // torch.fx would remove all nodes
}

TEST_F(EliminateDeadCodeTest, RemovesDeadCallsOfNestedGraphs) {
  auto body = std::make_unique<Graph>(context_);
  Node* y = body->placeholder("y");
  body->call_function(context_.function("aten.relu.default"), {y});
  body->output(y);
  ASSERT_TRUE(graph_.add_subgraph("body", std::move(body)).ok());
  graph_.output(x_);
  EXPECT_TRUE(run());
  EXPECT_EQ(graph_.subgraph(0).size(), 2u);
}

}  // namespace
}  // namespace fx::eliminate_dead_code_test
