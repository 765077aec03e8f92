// {fmt} prints the values of the IR, and pads them if a width is given.
#include "fx/ir/text/format.h"

#include "fx/ir/graph/context.h"

#include <gtest/gtest.h>

namespace fx::format_test {
namespace {

class FormatTest : public ::testing::Test {
 protected:
  FormatTest() : x_(graph_.placeholder("x")) {
    const Dim sizes[] = {2, 3};
    type_ = context_.types().tensor({.dtype = DType::kFloat32, .sizes = sizes});
    relu_ = graph_.call_function(context_.function("torch.relu"), {x_, 2.5}, {}, {.type = type_});
    graph_.output(relu_);
  }
  Context context_;
  Graph graph_{context_};
  Node* x_;
  Node* relu_;
  Type type_;
};

TEST_F(FormatTest, NodesPrintAsALineOrAName) {
  EXPECT_EQ(fmt::format("{}", *relu_), "%relu : f32[2, 3] = torch.relu(%x, 2.5)");
  EXPECT_EQ(fmt::format("{:n}", *relu_), "relu");
  EXPECT_EQ(fmt::format("[{:n>6}]", *relu_), "[  relu]");
}

TEST_F(FormatTest, GraphsPrintAsText) { EXPECT_EQ(fmt::format("{}", graph_), print(graph_)); }

TEST_F(FormatTest, Types) {
  EXPECT_EQ(fmt::format("{}", type_), "f32[2, 3]");
  EXPECT_EQ(fmt::format("{}", Type()), "?");
  EXPECT_EQ(fmt::format("{:>11}", type_), "  f32[2, 3]");
}

TEST_F(FormatTest, ArgumentsAndReferences) {
  EXPECT_EQ(fmt::format("{}", Argument::list({1, relu_})), "[1, %relu]");
  EXPECT_EQ(fmt::format("{} {}", relu_->arg(0), relu_->arg(1)), "%x 2.5");
}

TEST_F(FormatTest, SymbolsAndNames) {
  EXPECT_EQ(fmt::format("{:-<4}", context_.symbol("ab")), "ab--");
  EXPECT_EQ(fmt::format("{}", relu_->name_parts()), "relu");
}

}  // namespace
}  // namespace fx::format_test
