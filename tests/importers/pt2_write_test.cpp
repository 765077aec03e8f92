// Tests the writer of exported programs: errors for unsupported graphs, and round trips of random
// programs.
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"
#include "tests/importers/pt2_builder.h"
#include "tests/testing/random_aten.h"
#include "tests/testing/status_matchers.h"

#include "gmock/gmock.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx::pt2_write_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

class Pt2Write : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    FX_CHECK_OK(graph.status());
    return *std::move(graph);
  }
  /// Writes a graph and reads it back.
  absl::StatusOr<Pt2Program> round_trip(const Graph& graph, const Module& members,
                                        const Pt2ReadOptions& options = {}) {
    FX_ASSIGN_OR_RETURN(const std::string bytes, pt2_bytes(graph, members));
    return parse_pt2(context_, testing::storage_of(bytes), options);
  }
  std::string error(std::string_view text) {
    return std::string(pt2_bytes(*parse(text), members_).status().message());
  }

  Context context_;
  Module members_;
};

Tensor floats(std::vector<float> values) {
  absl::StatusOr<Tensor> tensor = Tensor::of<float>({static_cast<int64_t>(values.size())}, values);
  FX_CHECK_OK(tensor.status());
  return *tensor;
}

TEST_F(Pt2Write, ErrorsNameTheNodeAndARemedy) {
  EXPECT_THAT(
      error("graph(%x : f32[2]) { %y : f32[2] = torch.relu(%x) return %y }"),
      HasSubstr("node y (torch.relu): calls to Python functions are not supported; lower the call "
                "to operators (`fxcpp opt --passes lower_to_aten`)"));
  EXPECT_THAT(error("graph(%x : f32[2]) { %y : f32[2] = call_method relu(%x) return %y }"),
              HasSubstr("calls to Python methods are not supported"));
  EXPECT_THAT(error("graph(%x) { %y = aten.relu.default(%x) return %y }"),
              HasSubstr("node x: its type is unknown"));
  EXPECT_THAT(error("graph(%x : f32[2]) { %y = aten.relu.default(%x) return %y }"),
              HasSubstr("node y (aten.relu.default): its type is unknown"));
  EXPECT_THAT(error("graph(%x : f32[2]) { %y : f32[2] = mylib.foo.default(%x) return %y }"),
              HasSubstr("the schema of the operator is unknown"));
  EXPECT_THAT(error("graph(%x : float) { return %x }"),
              HasSubstr("an input of type float is not supported"));
  EXPECT_THAT(error("graph(%n : int) { return %n }"),
              HasSubstr("an integer input must have a symbol"));
  EXPECT_THAT(error("graph(%x : f32[2]) { %w : f32[2] = get_attr w return %w }"),
              HasSubstr("neither the module nor the data has a tensor \"w\""));
}

TEST_F(Pt2Write, MembersBecomeInputsAndKeepTheirMemory) {
  const Tensor tensor = floats({1, 2, 3, 4});
  FX_ASSERT_OK_AND_ASSIGN(const Tensor tail, tensor.as_strided({2}, {1}, 2));
  EXPECT_THAT(members_.assign("a.w", Attribute::parameter(tensor)), IsOk());
  EXPECT_THAT(members_.assign("a.tied", Attribute::parameter(tensor)), IsOk());
  EXPECT_THAT(members_.assign("tail", Attribute::buffer(tail, /*persistent=*/false)), IsOk());
  EXPECT_THAT(members_.assign("c", Attribute::constant(floats({5}))), IsOk());
  const std::unique_ptr<Graph> graph = parse(R"(graph(%x : f32[4]) {
    %w : f32[4]{grad} = get_attr a.w
    %tied : f32[4]{grad} = get_attr a.tied
    %c : f32[1] = get_attr c
    %y : f32[4] = aten.mul.Tensor(%x, %w)
    %z : f32[4] = aten.add.Tensor(%y, %tied)
    %u : f32[4] = aten.add.Tensor(%z, %c)
    return %u
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program read, round_trip(*graph, members_));
  const Module& module = *read.module;
  EXPECT_TRUE(module.find_tensor("a.w").is_same(module.find_tensor("a.tied")));
  EXPECT_THAT(print(read.module->graph()), AllOf(HasSubstr("%z : f32[4] = aten.add.Tensor(%y, %w)"),
                                                 Not(HasSubstr("get_attr a.tied"))));
  EXPECT_EQ(module.find_attribute("a.w")->kind, AttributeKind::kParameter);
  EXPECT_TRUE(module.find_attribute("a.w")->requires_grad);
  EXPECT_EQ(module.find_attribute("c")->kind, AttributeKind::kConstant);
  EXPECT_TRUE(module.find_tensor("a.w").same_bits(tensor));
  EXPECT_TRUE(module.find_tensor("tail").same_bits(tail));
  // Equal programs produce equal bytes.
  FX_ASSERT_OK_AND_ASSIGN(const std::string first, pt2_bytes(*graph, members_));
  FX_ASSERT_OK_AND_ASSIGN(const std::string second, pt2_bytes(*graph, members_));
  EXPECT_EQ(first, second);
}

// PyTorch returns the tensor that was written where a program returns a value that it also writes.
TEST_F(Pt2Write, FinalCopiesAreMutations) {
  EXPECT_THAT(members_.assign("count", Attribute::buffer(floats({0}))), IsOk());
  constexpr std::string_view kText = R"(graph(%x : f32[1]) {
    %count : f32[1] = get_attr count
    %sum : f32[1] = aten.add.Tensor(%count, %x)
    %back : f32[1] = aten.copy_.default(%count, %sum)
    return %back
  })";
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program lifted,
                          round_trip(*parse(kText), members_, {.lifted = true}));
  const Graph& graph = lifted.module->graph();
  EXPECT_EQ(graph.num_calls(), 1u);
  const Argument outputs = *graph.output_node()->meta().get(meta::kOutputs);
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0], Argument::dict({{{"kind", "buffer_mutation"}, {"target", "count"}}}));
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program read, round_trip(*parse(kText), members_));
  const std::vector<Node*> copies =
      read.module->graph().find_nodes(context_.function("aten.copy_.default"));
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(Argument(read.module->graph().output_node()->arg(0))[0], Argument(copies[0]));
}

// A copy_ remains a call if its destination or its source is returned, or if it is copied to again.
TEST_F(Pt2Write, OtherCopiesRemainCalls) {
  EXPECT_THAT(members_.assign("count", Attribute::buffer(floats({0}))), IsOk());
  for (const std::string_view result : {"%count", "%sum"}) {
    const std::unique_ptr<Graph> graph = parse(R"(graph(%x : f32[1]) {
      %count : f32[1] = get_attr count
      %sum : f32[1] = aten.add.Tensor(%count, %x)
      %back : f32[1] = aten.copy_.default(%count, %sum)
      return )" + std::string(result) + "\n}");
    FX_ASSERT_OK_AND_ASSIGN(const Pt2Program read, round_trip(*graph, members_, {.lifted = true}));
    EXPECT_EQ(read.module->graph().num_calls(), 2u) << result;
  }
}

// For a single number, Python passes a list of two numbers to `int[2]`, and torch.onnx.export
// relies on this.
TEST_F(Pt2Write, SingleNumbersForIntListsAreRepeated) {
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program read, round_trip(*parse(R"(graph(%x : f32[1, 1, 4, 4]) {
    %pool : f32[1, 1, 2, 2] = aten.avg_pool2d.default(%x, [2], [], [0])
    %sum : f32[1, 1, 2] = aten.sum.dim_IntList(%pool, [3])
    return %sum
  })"),
                                                            members_));
  EXPECT_THAT(print(read.module->graph()),
              AllOf(HasSubstr("avg_pool2d.default(%x, [2, 2], [], [0, 0])"),
                    HasSubstr("sum.dim_IntList(%pool, [3])")));
}

// A captured graph is valid only for the numbers that the program read.
TEST_F(Pt2Write, GuardsOnNumbersBecomeAssertions) {
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program read,
                          round_trip(*parse(R"(graph(%x : i64[2], %y : i64[2]) {
    %same : bool = aten.equal.default(%x, %y) !{guard=True}
    %other : bool = aten.equal.default(%x, %x) !{guard=False}
    %sum : i64[] = aten.sum.default(%x)
    %count : int = aten.item.default(%sum) !{guard=3}
    return %sum
  })"),
                                     members_));
  EXPECT_THAT(print(read.module->graph()),
              AllOf(HasSubstr("%same : bool(True) = aten.equal.default(%x, %y)"),
                    HasSubstr("aten._assert_scalar.default(%same, \"the program is valid only if "
                              "same is True\")"),
                    HasSubstr("torch.sym_not(%other)"),
                    HasSubstr("aten._assert_scalar.default(%other_not, "),
                    HasSubstr("aten.sym_constrain_range.default(%count, min=3, max=3)")));
  EXPECT_THAT(error(R"(graph(%x : f32[]) {
    %n : SymFloat(zuf0) = aten.item.default(%x) !{guard=2.5}
    return %x
  })"),
              HasSubstr("the graph is valid only if this value is 2.5"));
}

// Only the lifted form has effect tokens; ExportedProgram.module() calls the operators directly.
TEST_F(Pt2Write, EffectTokens) {
  const std::unique_ptr<Graph> graph = parse(R"(graph(%token : f32[0], %x : f32[2]) {
    %first : (f32[0], none) = higher_order.with_effects(%token, op(aten._print.default), "seen")
    %t : f32[0] = operator.getitem(%first, 0)
    %as_none : none = operator.getitem(%first, 1)
    %second : (f32[0], f32[2]) = higher_order.with_effects(%t, op(aten.abs.default), %x)
    %u : f32[0] = operator.getitem(%second, 0)
    %y : f32[2] = operator.getitem(%second, 1)
    %z : f32[2] = aten.neg.default(%y)
    return (%u, %z)
  })");
  graph->find_node("token")->meta().set(meta::kInput, Argument::dict({{{"kind", "token"}}}));
  graph->output_node()->meta().set(meta::kOutputs,
                                   Argument::list({Argument::dict({{{"kind", "token"}}}),
                                                   Argument::dict({{{"kind", "user_output"}}})}));
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program lifted, round_trip(*graph, members_, {.lifted = true}));
  EXPECT_EQ(print(lifted.module->graph(), {.meta = false}), print(*graph, {.meta = false}));
  EXPECT_EQ(lifted.module->graph().find_node("token")->meta().get(meta::kInput),
            graph->find_node("token")->meta().get(meta::kInput));
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program direct, round_trip(*graph, members_));
  EXPECT_EQ(print(direct.module->graph(), {.meta = false}), R"(graph(%x : f32[2]) {
  %_print_default : none = aten._print.default("seen")
  %abs_default : f32[2] = aten.abs.default(%x)
  %z : f32[2] = aten.neg.default(%abs_default)
  return (%z,)
}
)");
}

/// Returns the name of a value or, for an element of a call's result, the name of the call: written
/// programs name each element once.
std::string value_text(const Node& node) {
  if (node.target() != "operator.getitem") return node.name();
  const Node& call = *node.arg(0).node();
  const int64_t index = node.arg(1).as_int();
  const auto size = static_cast<int64_t>(call.type().items().size());
  return value_text(call) + '[' + std::to_string(index < 0 ? index + size : index) + ']';
}

/// Returns all calls except getitem, with their types and operands.
std::vector<std::string> call_lines(const Graph& graph) {
  std::vector<std::string> lines;
  for (const Node& node : graph.nodes()) {
    if (!node.is_call() || node.target() == "operator.getitem") continue;
    std::string line =
        node.name() + ' ' + std::string(node.target()) + ' ' + to_string(node.type());
    node.for_each_input([&](const Node* operand) { line += ' ' + value_text(*operand); });
    lines.push_back(line);
  }
  return lines;
}

TEST_F(Pt2Write, RandomProgramsRoundTrip) {
  size_t written = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Context context;
    const testing::RandomAten program = testing::random_aten(context, seed);
    Module members;
    for (const auto& [path, tensor] : program.constants)
      ASSERT_THAT(members.assign(path, Attribute::constant(tensor)), IsOk());
    const absl::StatusOr<std::string> bytes = pt2_bytes(*program.graph, members);
    if (!bytes.ok()) {
      EXPECT_THAT(bytes.status().message(), HasSubstr("node "));
      continue;
    }
    ++written;
    FX_ASSERT_OK_AND_ASSIGN(const Pt2Program read, parse_pt2(context, testing::storage_of(*bytes)));
    EXPECT_THAT(verify_status(read.module->graph()), IsOk());
    EXPECT_EQ(call_lines(read.module->graph()), call_lines(*program.graph));
    for (const auto& [path, tensor] : program.constants) {
      const Tensor found = read.module->find_tensor(path);
      EXPECT_TRUE(found.same_bits(tensor)) << path;
    }
    FX_ASSERT_OK_AND_ASSIGN(const std::string second,
                            pt2_bytes(read.module->graph(), *read.module));
    FX_ASSERT_OK_AND_ASSIGN(const Pt2Program last, parse_pt2(context, testing::storage_of(second)));
    const auto difference = first_difference(last.module->graph(), read.module->graph());
    EXPECT_FALSE(difference.has_value()) << difference->message;
  }
  EXPECT_GE(written, 100u);
}

}  // namespace
}  // namespace fx::pt2_write_test
