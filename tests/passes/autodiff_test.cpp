// vjp, grad, joint and jvp: the graphs that they create, custom rules, and errors. Values are
// compared with libtorch's in tests/torch/check_gradients.cpp and tests/torch/op_gradients.py.
#include "fx/passes/autodiff/autodiff.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace fx::derivatives_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::unique_ptr<Graph> parse(Context& context, std::string_view text) {
  absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  return graph.ok() ? std::move(*graph) : std::make_unique<Graph>(context);
}

std::string text_of(const absl::StatusOr<std::unique_ptr<Graph>>& graph) {
  if (!graph.ok()) return graph.status().ToString();
  EXPECT_EQ(verify(**graph).str(), "");
  return print(**graph, {.meta = false});
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

constexpr std::string_view kSinPlusX =
    "graph(%x : f32[3]) { %sin = torch.sin(%x) %add = operator.add(%sin, %x) return %add }";

TEST(Vjp, SinPlusXHasSixCalls) {
  Context context;
  EXPECT_EQ(text_of(vjp(*parse(context, kSinPlusX))),
            "graph(%x : f32[3], %tangents_1 : f32[3]) {\n"
            "  %sin : f32[3] = aten.sin.default(%x)\n"
            "  %add : f32[3] = aten.add.Tensor(%sin, %x)\n"
            "  %cos : f32[3] = aten.cos.default(%x)\n"
            "  %mul : f32[3] = aten.mul.Tensor(%tangents_1, %cos)\n"
            "  %add_1 : f32[3] = aten.add.Tensor(%tangents_1, %mul)\n"
            "  return (%add, (%add_1,))\n"
            "}\n");
}

TEST(Grad, GradientsOfSumsHaveNoProductsWithOnes) {
  Context context;
  const auto graph =
      parse(context, "graph(%x : f32[]) { %y : f32[] = aten.sin.default(%x) return %y }");
  EXPECT_EQ(text_of(grad(*graph)),
            "graph(%x : f32[]) {\n"
            "  %cos : f32[] = aten.cos.default(%x)\n"
            "  return (%cos,)\n"
            "}\n");
}

TEST(Vjp, CreatesOnlyRequestedGradients) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[2, 3], %w : f32[3, 4]) {
    %y : f32[2, 4] = aten.mm.default(%x, %w)  %z : f32[2, 4] = aten.mul.Tensor(%y, %y)  return %z })");
  EXPECT_EQ(count(text_of(vjp(*graph)), "aten.mm.default"), 3u);
  const std::string w_text = text_of(vjp(*graph, {.wrt = {"w"}}));
  EXPECT_EQ(count(w_text, "aten.mm.default"), 2u) << w_text;
}

TEST(Vjp, SumsOverBroadcastDimensionsOfAnySize) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[s0, 3], %b : f32[3], %c : f32[s0, 1]) {
    %y : f32[s0, 3] = aten.add.Tensor(%x, %b)  %z : f32[s0, 3] = aten.mul.Tensor(%y, %c)
    return %z })");
  const auto result = vjp(*graph);
  ASSERT_THAT(result.status(), testing::IsOk());
  const Argument gradients(Argument((*result)->output_node()->arg(0))[1]);
  ASSERT_EQ(gradients.size(), 3u);
  EXPECT_EQ(to_string(gradients[0].node()->type()), "f32[s0, 3]");
  EXPECT_EQ(to_string(gradients[1].node()->type()), "f32[3]");
  EXPECT_EQ(to_string(gradients[2].node()->type()), "f32[s0, 1]");
}

TEST(Vjp, GradientsHaveTheDtypeOfTheirInputs) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : bf16[3], %y : f32[3], %n : i64[3], %z : c64[3]) {
    %a : f32[3] = aten.mul.Tensor(%x, %y)  %b : f32[3] = aten.mul.Tensor(%a, %n)
    %c : c64[3] = aten.mul.Tensor(%b, %z)  return %c })");
  const auto result = vjp(*graph);
  ASSERT_THAT(result.status(), testing::IsOk());
  const Argument gradients(Argument((*result)->output_node()->arg(0))[1]);
  ASSERT_EQ(gradients.size(), 3u);
  EXPECT_EQ(to_string(gradients[0].node()->type()), "bf16[3]");
  EXPECT_EQ(to_string(gradients[1].node()->type()), "f32[3]");
  EXPECT_EQ(to_string(gradients[2].node()->type()), "c64[3]");
}

TEST(Vjp, DetachAndIntegersStopGradients) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[3], %w : f32[3]) {
    %d : f32[3] = aten.detach.default(%x)  %i : i64[3] = aten._to_copy.default(%x, dtype=torch.int64)
    %a : f32[3] = aten.mul.Tensor(%d, %w)  %b : f32[3] = aten.mul.Tensor(%a, %i)  return %b })");
  const auto result = vjp(*graph, {.wrt = {"x", "w"}});
  ASSERT_THAT(result.status(), testing::IsOk());
  const Argument gradients(Argument((*result)->output_node()->arg(0))[1]);
  EXPECT_TRUE(gradients[0].is_none());
  EXPECT_TRUE(gradients[1].is_node());
  EXPECT_EQ(vjp(*graph, {.wrt = {"x"}}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Vjp, GradientsOfOneValueAreAddedLastUserFirst) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[3]) {
    %a : f32[3] = aten.sin.default(%x)  %b : f32[3] = aten.exp.default(%x)
    %c : f32[3] = aten.add.Tensor(%a, %b)  %d : f32[3] = aten.mul.Tensor(%c, %x)  return %d })");
  const std::string text = text_of(vjp(*graph, {.style = GradStyle::kAten}));
  // The users are processed from last to first: mul, exp, sin.
  EXPECT_THAT(text, HasSubstr("%add : f32[3] = aten.add.Tensor(%mul_1, %mul_2)"));
  EXPECT_THAT(text, HasSubstr("%mul_2 : f32[3] = aten.mul.Tensor(%mul, %b)"));
}

TEST(Vjp, ItemsOfSeveralResults) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[4, 2]) {
    %parts : [f32[2, 2], f32[2, 2]] = aten.split.Tensor(%x, 2)
    %a : f32[2, 2] = operator.getitem(%parts, 1)  %b : f32[2, 2] = aten.exp.default(%a)
    return %b })");
  const std::string text = text_of(vjp(*graph, {.style = GradStyle::kAten}));
  EXPECT_THAT(text, AllOf(HasSubstr("aten.zeros_like.default"), HasSubstr("aten.cat.default")));
}

TEST(Vjp, WritesAreFunctionalizedAndRemain) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[3], %buffer : f32[3]) {
    %y : f32[3] = aten.exp.default(%x)  %v : f32[2] = aten.slice.Tensor(%y, 0, 0, 2)
    %w : f32[2] = aten.mul_.Tensor(%v, 3)  %c : f32[3] = aten.copy_.default(%buffer, %y)
    %z : f32[3] = aten.mul.Tensor(%y, %x)  return %z })");
  const std::string text = text_of(vjp(*graph, {.wrt = {"x"}}));
  EXPECT_THAT(text, AllOf(HasSubstr("aten.slice_scatter.default"), Not(HasSubstr("mul_.Tensor")),
                          HasSubstr("aten.copy_.default(%buffer")));
  // The write comes after all calls that read the value.
  EXPECT_EQ(text.find("aten.", text.find("aten.copy_.default") + 1), std::string::npos) << text;
}

TEST(Joint, HasTheLayoutOfCapturedGraphs) {
  Context context;
  const auto graph = parse(context, R"(graph(%w : f32[3]{grad}, %x : f32[3]) {
    %y : f32[3]{grad} = aten.mul.Tensor(%w, %x)  return %y })");
  const auto result = joint(*graph, {.style = GradStyle::kAten});
  EXPECT_EQ(text_of(result),
            "graph(%primals_1 : f32[3]{grad}, %primals_2 : f32[3], %tangents_1 : f32[3]) {\n"
            "  %y : f32[3]{grad} = aten.mul.Tensor(%primals_1, %primals_2)\n"
            "  %mul : f32[3] = aten.mul.Tensor(%tangents_1, %primals_2)\n"
            "  return [%y, %mul, None]\n"
            "}\n");
  const Node* mul = (*result)->find_node("mul");
  ASSERT_NE(mul, nullptr);
  EXPECT_EQ(mul->meta().get(meta::kRegion), "bw");
  EXPECT_EQ((*result)->find_node("y")->meta().get(meta::kRegion), "fw");
  EXPECT_EQ((*result)->output_node()->meta().get(meta::kOutputs)->size(), 3u);
}

TEST(Jvp, TangentsUseTheSameRules) {
  Context context;
  EXPECT_EQ(text_of(jvp(*parse(context, kSinPlusX))),
            "graph(%x : f32[3], %tangents_1 : f32[3]) {\n"
            "  %sin : f32[3] = aten.sin.default(%x)\n"
            "  %add : f32[3] = aten.add.Tensor(%sin, %x)\n"
            "  %cos : f32[3] = aten.cos.default(%x)\n"
            "  %mul : f32[3] = aten.mul.Tensor(%tangents_1, %cos)\n"
            "  %add_1 : f32[3] = aten.add.Tensor(%mul, %tangents_1)\n"
            "  return (%add, (%add_1,))\n"
            "}\n");
}

TEST(Jvp, BroadcastsTangents) {
  Context context;
  const auto graph = parse(context, R"(graph(%x : f32[2, 3], %b : f32[3]) {
    %y : f32[2, 3] = aten.add.Tensor(%x, %b)  return %y })");
  const auto result = jvp(*graph, {.wrt = {"b"}});
  ASSERT_THAT(result.status(), testing::IsOk());
  const Argument tangents(Argument((*result)->output_node()->arg(0))[1]);
  EXPECT_EQ(to_string(tangents[0].node()->type().sizes()[0]), "2");
}

TEST(Vjp, VjpOfVjp) {
  Context context;
  const auto graph =
      parse(context, "graph(%x : f32[3]) { %y : f32[3] = aten.sin.default(%x) return %y }");
  const auto once = vjp(*graph);
  ASSERT_THAT(once.status(), testing::IsOk());
  const auto twice = vjp(**once, {.wrt = {"x"}});
  EXPECT_THAT(text_of(twice), HasSubstr("aten.neg.default"));
}

// ---- Custom rules

constexpr std::string_view kUnknown = R"(graph(%x : f32[3]) {
  %a : f32[3] = user.swish(%x)  %b : f32[3] = user.swish(%a)
  %c : f32[3] = user.other(%b)  return %c })";

TEST(Vjp, NamesAllOperatorsWithoutARule) {
  Context context;
  const absl::Status status = vjp(*parse(context, kUnknown)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("user.swish (%a and 1 more)"), HasSubstr("user.other (%c)"),
                    HasSubstr("add a rule to a DerivativeTable")));
}

/// Adds a derivative rule for a custom operator, for both modes.
absl::Status add_swish(DerivativeTable& table) {
  return table.add({.op = "user.swish.default",
                    .arguments = {{"x",
                                   [](Derivative& d) -> AnyArg {
                                     const Proxy x = d("x"), s = sigmoid(x);
                                     return d.grad() * s * (1 + x * (1 - s));
                                   }}},
                    .forward = ForwardRule::kElementwise});
}

// parity: B4
TEST(DerivativeTable, AcceptsCustomRules) {
  Context context;
  ASSERT_THAT(context.add_operator("user::swish(Tensor x) -> Tensor").status(), testing::IsOk());
  const auto graph =
      parse(context, "graph(%x : f32[3]) { %y : f32[3] = user.swish.default(%x) return %y }");
  DerivativeTable table = DerivativeTable::standard();
  ASSERT_THAT(add_swish(table), testing::IsOk());
  EXPECT_EQ(count(text_of(vjp(*graph, {.table = &table})), "aten.sigmoid.default"), 1u);
  EXPECT_EQ(count(text_of(jvp(*graph, {.table = &table})), "aten.sigmoid.default"), 1u);
  EXPECT_EQ(vjp(*graph).status().code(), absl::StatusCode::kUnimplemented);
}

TEST(DerivativeTable, ChecksItsRules) {
  DerivativeTable table;
  const auto pass = [](Derivative& d) -> AnyArg { return d.grad(); };
  EXPECT_EQ(table.add({.op = ""}).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(table.add({.op = "a.b", .arguments = {{"x", {}}}}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(table.add({.op = "a.b", .forward = ForwardRule::kFunction}).code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(table.add({.op = "a.b", .arguments = {{"x", pass}}}), testing::IsOk());
  EXPECT_EQ(table.add({.op = "a.b"}).code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(table.replace({.op = "a.b"}), testing::IsOk());
  EXPECT_EQ(table.rules().size(), 1u);
}

/// Checks that rules name existing arguments in the order of the schema, because gradients are
/// added in this order.
TEST(DerivativeTable, RowsMatchTheirSchemas) {
  Context context;
  for (const DerivativeRule& rule : DerivativeTable::standard().rules()) {
    const ops::OpInfo* op = context.function(rule.op).op();
    ASSERT_NE(op, nullptr) << rule.op;
    int last = -1;
    for (const ArgumentDerivative& argument : rule.arguments) {
      std::string names = argument.arguments + ", ";
      for (size_t begin = 0; begin < names.size();) {
        const size_t end = names.find(", ", begin);
        const std::string name = names.substr(begin, end - begin);
        const int index = op->schema().find_argument(name);
        EXPECT_GE(index, 0) << rule.op << " has no argument " << name;
        EXPECT_TRUE(index > last || argument.arguments.find(", ") != std::string::npos)
            << rule.op << ": " << name;
        last = index;
        begin = end + 2;
      }
    }
  }
}

// ---- Errors

TEST(Vjp, Errors) {
  Context context;
  const auto untyped = parse(context, "graph(%x) { %y = torch.sin(%x) return %y }");
  EXPECT_EQ(vjp(*untyped).status().code(), absl::StatusCode::kFailedPrecondition);
  const auto graph = parse(context, kSinPlusX);
  EXPECT_EQ(vjp(*graph, {.wrt = {"y"}}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(vjp(*graph, {.of = "y"}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(grad(*graph).status().code(), absl::StatusCode::kInvalidArgument);
  const auto integers =
      parse(context, "graph(%x : i64[3]) { %y : i64[3] = aten.neg.default(%x) return %y }");
  EXPECT_EQ(vjp(*integers).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(text_of(vjp(*graph, {.of = "sin"})), Not(HasSubstr("add")));
}

}  // namespace
}  // namespace fx::derivatives_test
