// get_attr and call_module: paths refer to members of the module that owns the graph, and are
// checked if there is an owner.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class GraphPathsTest : public ::testing::Test {
 protected:
  GraphPathsTest() {
    auto layer = std::make_shared<Module>("torch.nn.modules.linear.Linear");
    constexpr int64_t kSizes[] = {2, 2};
    const absl::StatusOr<Tensor> weight = Tensor::zeros(DType::kFloat32, kSizes);
    EXPECT_THAT(weight, IsOk());
    EXPECT_THAT(layer->set_attribute("weight", Attribute::parameter(*weight)), IsOk());
    EXPECT_THAT(root_.add_submodule("net.0", layer), IsOk());
  }
  Context context_;
  Graph graph_{context_};
  Module root_{"Net"};
};

// parity: G5
TEST_F(GraphPathsTest, GetAttrReadsMembersOfTheOwner) {
  graph_.set_owning_module(&root_);
  Node* weight = graph_.get_attr("net.0.weight");
  EXPECT_EQ(weight->name(), "net_0_weight");
  EXPECT_EQ(weight->target(), "net.0.weight");
  EXPECT_EQ(weight->num_args(), 0u);
  EXPECT_EQ(graph_.get_attr("net.0")->name(), "net_0");  // get_attr may also read a module
}

// parity: G5
TEST_F(GraphPathsTest, GetAttrOfAMissingPathIsRejectedAndReservesNoName) {
  graph_.set_owning_module(&root_);
  for (std::string_view path : {"net.0.bias", "net.1.weight", "net.0.weight.data", "bias", ""}) {
    EXPECT_THAT(graph_.create_node(Opcode::kGetAttr, path),
                StatusIs(absl::StatusCode::kNotFound,
                         AllOf(HasSubstr("get_attr"), HasSubstr("\"" + std::string(path) + "\""))));
  }
  EXPECT_TRUE(graph_.empty());
  EXPECT_EQ(graph_.placeholder("bias")->name(), "bias");
}

// parity: G5 G6
TEST_F(GraphPathsTest, WithoutAnOwnerPathsAreAcceptedAndVerifyReportsThem) {
  graph_.get_attr("net.0.bias");
  graph_.call_module("net.1");
  EXPECT_TRUE(verify(graph_).ok());
  graph_.set_owning_module(&root_);
  const VerifierReport report = verify(graph_);
  EXPECT_FALSE(report.ok());
  EXPECT_THAT(report.str(), AllOf(HasSubstr("\"net.0.bias\""), HasSubstr("\"net.1\"")));
}

// parity: G6
TEST_F(GraphPathsTest, CallModuleCallsMembersOfTheOwner) {
  graph_.set_owning_module(&root_);
  Node* x = graph_.placeholder("x");
  Node* call = graph_.call_module("net.0", {x}, {{"scale", 2}});
  EXPECT_EQ(call->name(), "net_0");
  EXPECT_EQ(call->num_args(), 1u);  // self is not an argument
  EXPECT_EQ(call->arg(0).node(), x);
  EXPECT_EQ(call->kwarg("scale")->as_int(), 2);
}

// parity: G6
TEST_F(GraphPathsTest, CallModuleOfAMissingPathIsRejectedAndReservesNoName) {
  graph_.set_owning_module(&root_);
  for (std::string_view path : {"net.1", "linear", "net.0.weight"}) {
    EXPECT_THAT(
        graph_.create_node(Opcode::kCallModule, path),
        StatusIs(absl::StatusCode::kNotFound,
                 AllOf(HasSubstr("call_module"), HasSubstr("\"" + std::string(path) + "\""))));
  }
  EXPECT_TRUE(graph_.empty());
  EXPECT_EQ(graph_.placeholder("linear")->name(), "linear");
}

}  // namespace
}  // namespace fx
