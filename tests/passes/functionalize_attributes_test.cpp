// Functionalization of graphs whose module has tensors that share memory.
#include "fx/interp/shared_attributes.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/status_matchers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::functionalize_attributes_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;
using testing::StatusIs;

class FunctionalizeAttributes : public ::testing::Test {
 protected:
  FunctionalizeAttributes() {
    const Tensor first = *Tensor::of<float>({3}, {1, 2, 3});
    const Tensor whole = *Tensor::zeros(DType::kFloat32, {4, 3});
    EXPECT_THAT(root_->register_buffer("a", first), IsOk());
    EXPECT_THAT(root_->register_buffer("b", first), IsOk());
    EXPECT_THAT(root_->register_buffer("row", *whole.as_strided({3}, {1}, 3)), IsOk());
    EXPECT_THAT(root_->register_buffer("whole", whole), IsOk());
    EXPECT_THAT(root_->register_buffer("rest", *whole.as_strided({2, 3}, {3, 1}, 6)), IsOk());
    EXPECT_THAT(root_->register_buffer("middle", *whole.as_strided({2, 3}, {3, 1}, 3)), IsOk());
    const Tensor declared = Tensor::declared(*context_.types().parse("f32[3]"));
    EXPECT_THAT(root_->register_buffer("c", declared), IsOk());
    EXPECT_THAT(root_->register_buffer("d", declared), IsOk());
    EXPECT_THAT(root_->register_buffer("e", Tensor(declared)), IsOk());
    const auto layer = std::make_shared<Module>("torch.nn.modules.linear.Linear");
    EXPECT_THAT(layer->register_parameter("weight", first), IsOk());
    EXPECT_THAT(root_->add_submodule("layer", layer), IsOk());
    EXPECT_THAT(root_->assign("branch.b", Attribute::buffer(first)), IsOk());
  }
  std::unique_ptr<GraphModule> module(std::string_view body) {
    auto graph = parse_graph(context_, body);
    EXPECT_THAT(graph, IsOk());
    auto made = GraphModule::create(*root_, *std::move(graph));
    EXPECT_THAT(made, IsOk());
    return *std::move(made);
  }
  /// Returns the functionalized graph, or the error after checking that the graph has not changed.
  absl::StatusOr<std::string> run(std::string_view body) {
    const std::unique_ptr<GraphModule> owner = module(body);
    EXPECT_TRUE(propagate_types(owner->graph()).ok());
    const std::string before = print(owner->graph());
    const absl::Status status = functionalize(owner->graph()).status();
    if (status.ok()) return print(owner->graph(), {.types = false, .meta = false});
    EXPECT_EQ(print(owner->graph()), before);
    return status;
  }

  Context context_;
  std::shared_ptr<Module> root_ = std::make_shared<Module>();
};

TEST_F(FunctionalizeAttributes, GroupsOverlappingTensors) {
  const SharedAttributes shared(root_.get());
  const auto paths = [&](std::string_view path) {
    const auto group = shared.group_of(path);
    return group
               ? std::vector<std::string>(shared.paths(*group).begin(), shared.paths(*group).end())
               : std::vector<std::string>();
  };
  EXPECT_THAT(paths("b"), ElementsAre("a", "b", "layer.weight", "branch.b"));
  EXPECT_THAT(paths("rest"), ElementsAre("row", "whole", "rest", "middle"));
  EXPECT_THAT(paths("d"), ElementsAre("c", "d", "e"));
  EXPECT_TRUE(SharedAttributes(nullptr).empty());
}

TEST_F(FunctionalizeAttributes, ReadsTiedTensorsFromOnePath) {
  for (const auto& [one, two] : {std::pair("a", "b"), std::pair("c", "d")}) {
    const auto text =
        run(fmt::format("graph(%x : f32[3]) {{ %p = get_attr {} %q = get_attr {} "
                        "%w = aten.add_.Tensor(%p, %x) "
                        "%y = aten.neg.default(%q) return %y }}",
                        one, two));
    EXPECT_THAT(*text, AllOf(HasSubstr("%y = aten.neg.default(%add)"),
                             HasSubstr("aten.copy_.default(%p, %add)"),
                             Not(HasSubstr(std::string("get_attr ") + two))));
  }
}

TEST_F(FunctionalizeAttributes, ReadsPartsOfTheWhole) {
  EXPECT_THAT(
      *run("graph(%x : f32[4, 3]) { %row = get_attr row %whole = get_attr whole "
           "%w = aten.add_.Tensor(%whole, %x) %y = aten.neg.default(%row) return %y }"),
      AllOf(HasSubstr("as_strided.default(%add, [3], [1], 3)"), Not(HasSubstr("get_attr row"))));
  // A write to a part changes the whole.
  EXPECT_THAT(
      *run("graph(%x : f32[3]) { %row = get_attr row %whole = get_attr whole "
           "%w = aten.add_.Tensor(%row, %x) %y = aten.neg.default(%whole) return %y }"),
      AllOf(HasSubstr("slice_scatter.default(%whole_1"), HasSubstr("neg.default(%slice_scatter)")));
}

TEST_F(FunctionalizeAttributes, KeepsAttributesThatAreOnlyRead) {
  const auto text =
      run("graph(%x : f32[3]) { %p = get_attr a %q = get_attr b %r = aten.clone.default(%x) "
          "%w = aten.add_.Tensor(%r, %p) %y = aten.add.Tensor(%w, %q) return %y }");
  EXPECT_THAT(*text, AllOf(HasSubstr("get_attr a"), HasSubstr("get_attr b")));
}

TEST_F(FunctionalizeAttributes, RejectsWritesWithoutAnAttributeThatCoversTheOthers) {
  EXPECT_THAT(run("graph(%x : f32[2, 3]) { %p = get_attr middle %q = get_attr rest "
                  "%w = aten.add_.Tensor(%p, %x) %y = aten.neg.default(%q) return %y }"),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("the attributes %p and %q share memory")));
}

TEST_F(FunctionalizeAttributes, RejectsSharedAttributesOfNestedGraphs) {
  EXPECT_THAT(run("graph(%x : f32[3], %on : bool) { graph @branch(%v : f32[3]) { %q = get_attr b "
                  "%s = aten.add.Tensor(%v, %q) return (%s,) } %p = get_attr a "
                  "%w = aten.add_.Tensor(%p, %x) "
                  "%y = higher_order.cond(%on, @branch, @branch, [%x]) return %y }"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("a nested graph reads %q")));
}

TEST_F(FunctionalizeAttributes, RejectsModulesThatReadAWrittenTensor) {
  EXPECT_THAT(
      run("graph(%x : f32[3]) { %p = get_attr a %w = aten.add_.Tensor(%p, %x) "
          "%y = call_module layer(%x) return %y }"),
      StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("to which an earlier call writes")));
}

}  // namespace
}  // namespace fx::functionalize_attributes_test
