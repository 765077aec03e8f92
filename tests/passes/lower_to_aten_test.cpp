// Tests calls that lower_to_aten does not lower, and the reasons. tests/filecheck/passes and
// tests/passes/test_lower_to_aten.py test its results.
#include "fx/passes/aten/lower_to_aten.h"

#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fx::lower_to_aten_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;

class LowerToAtenTest : public ::testing::Test {
 protected:
  LowerToAtenReport lower(Graph& graph) {
    absl::StatusOr<LowerToAtenReport> report = lower_to_aten(graph);
    EXPECT_THAT(report, IsOk());
    EXPECT_THAT(verify_status(graph), IsOk());
    return report.ok() ? *std::move(report) : LowerToAtenReport();
  }
  std::unique_ptr<Graph> parse(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    EXPECT_THAT(graph, IsOk());
    return *std::move(graph);
  }
  Context context_;
};

TEST_F(LowerToAtenTest, KeptCallsAreReportedWithReasons) {
  const auto graph = parse(
      "graph(%x : f32[2, 3], %u, %v : f32[2, 3]) {\n"
      "  %a = my_lib.f(%x)\n"
      "  %b = torch.nn.functional.cross_entropy(%x, %x, size_average=%u)\n"
      "  %c = torch.nn.functional.mse_loss(%x, %x, reduction=\"middle\")\n"
      "  %d = torch.nn.functional.dropout(%x, 0.5, True, False, 1)\n"
      "  %e = torch.relu(%x, \"fast\")\n"
      "  %f = call_method no_such_method(%x)\n"
      "  %g = operator.getitem(%v, (..., 0, 0, 0))\n"
      "  %h = builtins.getattr(%u, \"shape\")\n"
      "  %i = call_method append((%x,), %x)\n"
      "  %j = torch.sum(%x, dim=0, keepdimz=True)\n"
      "  return (%a, %b, %c, %d, %e, %f, %g, %h, %i, %j)\n"
      "}");
  const std::string before = print(*graph);
  const LowerToAtenReport report = lower(*graph);
  EXPECT_FALSE(report.changed);
  EXPECT_EQ(print(*graph), before);
  std::vector<std::string> reasons;
  for (const NotLowered& call : report.not_lowered)
    reasons.push_back(call.node->name() + ": " + std::string(call.reason.message()));
  EXPECT_THAT(
      reasons,
      ElementsAre(
          HasSubstr("a: my_lib.f does not correspond to a single operator"),
          HasSubstr("b: size_average must be a constant"),
          HasSubstr("c: reduction must be none, mean or sum, not \"middle\""),
          HasSubstr("d: dropout does not accept these arguments; its signature is (input, p=0.5"),
          HasSubstr("e: none of the 2 overloads of aten.relu"),
          HasSubstr("f: unknown operator aten.no_such_method"),
          HasSubstr("g: there are more indices than dimensions"),
          HasSubstr("h: shape requires a tensor of known type"),
          HasSubstr("i: a method must be called on a tensor"),
          HasSubstr("j: no overload of aten.sum has a parameter keepd")));
}

TEST_F(LowerToAtenTest, InvalidPoolsAreKept) {
  const auto graph = parse(
      "graph(%x : f32[2, 3, 4, 4], %i : i64[2, 3, 4, 4], %h : f32[1, 1, 4611686018427387904, 1]) "
      "{\n"
      "  %a = torch.nn.functional.max_unpool2d(%x, %i, 9223372036854775807)\n"
      "  %b = torch.nn.functional.max_unpool2d(%x, %i, 2, output_size=[8])\n"
      "  %c = torch.nn.functional.max_unpool2d(%h, %i, 2147483647)\n"
      "  %d = torch.nn.functional.fractional_max_pool2d(%x, 2)\n"
      "  %e = torch.nn.functional.fractional_max_pool2d(%x, 2, output_ratio=(inf, 0.5))\n"
      "  %f = torch.nn.functional.fractional_max_pool3d(%x, 2, (1, 1))\n"
      "  return (%a, %b, %c, %d, %e, %f)\n"
      "}");
  std::vector<std::string> reasons;
  for (const NotLowered& call : lower(*graph).not_lowered)
    reasons.push_back(call.node->name() + ": " + std::string(call.reason.message()));
  EXPECT_THAT(reasons,
              ElementsAre(HasSubstr("a: kernel_size must be a 32-bit integer or a list of 2"),
                          HasSubstr("b: output_size must be None, or 2 or 4 sizes"),
                          HasSubstr("c: the size of the result is too large"),
                          HasSubstr("d: an output_size or an output_ratio is required"),
                          HasSubstr("e: output_ratio inf of size 4 is out of range"),
                          HasSubstr("f: expected 3 sizes or ratios, not 2")));
}

struct Net : nn::Module {
  nn::Linear fc = register_module("fc", nn::Linear(4, 2));
  Proxy forward(Proxy x) { return relu(fc(x)).view({-1}); }
};

// In a traced model, layers, functions and methods are lowered to operators with types.
TEST_F(LowerToAtenTest, TracedModelsAreTyped) {
  TraceInputs inputs({"x"});
  inputs.types.emplace_back("x", *context_.types().parse("f32[3, 4]"));
  FX_ASSERT_OK_AND_ASSIGN(const std::unique_ptr<GraphModule> module,
                          symbolic_trace(context_, nn::ModuleHolder<Net>(), inputs));
  const LowerToAtenReport report = lower(module->graph());
  EXPECT_TRUE(report.changed);
  EXPECT_THAT(report.not_lowered, ::testing::IsEmpty());
  const Node* result = module->graph().output_node()->arg(0).node();
  EXPECT_EQ(to_string(result->type()), "f32[6]");
  EXPECT_FALSE(lower(module->graph()).changed);
}

}  // namespace
}  // namespace fx::lower_to_aten_test
