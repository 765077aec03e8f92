// Tests each kind of structural difference, and its description.
#include "fx/ir/verify/diff.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "tests/testing/status_matchers.h"

namespace fx {
namespace {

using testing::IsOk;

/// Two equal graphs, in one Context or in different Contexts:
/// %conv = conv(%x, %w), %relu = relu(%conv, [1, {"k": %x}]), return (%relu,)
class DiffTest : public ::testing::TestWithParam<bool> {
 protected:
  struct Sample {
    explicit Sample(Context& c) : context(c), graph(c) {
      x = graph.placeholder("x");
      w = graph.placeholder("w");
      conv = graph.call_function(c.function("my.conv"), {x, w}, {{"stride", 2}});
      relu = graph.call_function(
          c.function("my.relu"),
          {conv, Argument::list({1, Argument::dict({{"k", Argument::slice(x, 2, {})}})})});
      const DimVector sizes = {2, 3};
      relu->set_type(c.types().tensor({.dtype = DType::kFloat32, .sizes = sizes}));
      relu->meta().set(meta::kSeq, int64_t{7});
      output = graph.output(Argument::tuple({relu}));
      graph.set_meta("kind", "sample");
    }
    Context& context;
    Graph graph;
    Node *x, *w, *conv, *relu, *output;
  };

  DiffTest() : left_(first_), right_(GetParam() ? first_ : second_) {}

  /// Expects this kind of difference at these nodes, and a message that ends with this text.
  void expect(DifferenceKind kind, const Node* left, const Node* right, std::string_view message,
              const DiffOptions& options = {}) {
    const std::optional<GraphDifference> found =
        first_difference(left_.graph, right_.graph, options);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->kind, kind);
    EXPECT_EQ(found->left, left);
    EXPECT_EQ(found->right, right);
    EXPECT_EQ(found->message, message);
    EXPECT_FALSE(structurally_equal(left_.graph, right_.graph, options));
  }

  Context first_, second_;
  Sample left_, right_;
};

INSTANTIATE_TEST_SUITE_P(Contexts, DiffTest, ::testing::Bool(), [](const auto& test) {
  return test.param ? std::string("Shared") : std::string("Own");
});

// parity: G31 P40
TEST_P(DiffTest, EqualGraphs) {
  EXPECT_FALSE(first_difference(left_.graph, right_.graph).has_value());
  EXPECT_TRUE(structurally_equal(left_.graph, *left_.graph.clone()));
  Graph a(first_), b(second_);
  EXPECT_TRUE(structurally_equal(a, b));
}

// parity: G31
TEST_P(DiffTest, Targets) {
  right_.relu->set_function(right_.context.function("my.gelu"));
  expect(DifferenceKind::kTarget, left_.relu, right_.relu,
         "node 3: %relu : f32[2, 3] = my.relu(%conv, [1, {\"k\": slice(%x, 2, None)}]) vs. "
         "%relu : f32[2, 3] = my.gelu(%conv, [1, {\"k\": slice(%x, 2, None)}]): targets differ: "
         "my.relu vs. my.gelu");
}

TEST_P(DiffTest, Opcodes) {
  right_.conv->set_op_and_target(Opcode::kCallModule, "my.conv");
  expect(DifferenceKind::kOpcode, left_.conv, right_.conv,
         "node 2: %conv = my.conv(%x, %w, stride=2) vs. %conv = call_module my.conv(%x, %w, "
         "stride=2): opcodes differ: call_function vs. call_module");
}

// parity: P40
TEST_P(DiffTest, Names) {
  right_.conv->rename("convolution");
  expect(DifferenceKind::kName, left_.conv, right_.conv,
         "node 2: %conv = my.conv(%x, %w, stride=2) vs. %convolution = my.conv(%x, %w, "
         "stride=2): names differ: conv vs. convolution");
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph, {.ignore_names = true}));
}

TEST_P(DiffTest, PlaceholderTargetsAreNames) {
  right_.x->set_target("input");
  EXPECT_FALSE(structurally_equal(left_.graph, right_.graph));
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph, {.ignore_names = true}));
  right_.x->set_target("*input");
  EXPECT_FALSE(structurally_equal(left_.graph, right_.graph, {.ignore_names = true}));
}

TEST_P(DiffTest, Operands) {
  ASSERT_THAT(right_.conv->update_arg(1, right_.x), IsOk());
  expect(DifferenceKind::kArgument, left_.conv, right_.conv,
         "node 2: %conv = my.conv(%x, %w, stride=2) vs. %conv = my.conv(%x, %x, stride=2): "
         "args[1] differs: %w (node 1) vs. %x (node 0)");
}

TEST_P(DiffTest, NestedArguments) {
  auto change = [&](const Argument& part, std::string_view detail) {
    ASSERT_THAT(right_.relu->update_arg(1, part), IsOk());
    const auto found = first_difference(left_.graph, right_.graph);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->kind, DifferenceKind::kArgument);
    EXPECT_TRUE(found->message.ends_with(detail)) << found->message;
  };
  Node* x = right_.x;
  auto entry = [&](const Argument& slice) { return Argument::dict({{"k", slice}}); };
  change(Argument::list({1, entry(Argument::slice(x, 3, {}))}),
         ": args[1][1][\"k\"].stop differs: 2 vs. 3");
  change(Argument::list({1, entry(Argument::slice(right_.w, 2, {}))}),
         ": args[1][1][\"k\"].start differs: %x (node 0) vs. %w (node 1)");
  change(Argument::list({1.0, entry(Argument::slice(x, 2, {}))}),
         ": args[1][0] differs: 1 vs. 1.0");
  change(Argument::list({1, Argument::dict({{"j", Argument::slice(x, 2, {})}})}),
         ": args[1][1], key 0 differs: \"k\" vs. \"j\"");
  change(Argument::list({1}), ": args[1] differs: [1, {\"k\": slice(%x, 2, None)}] vs. [1]");
  change(Argument::tuple({1, entry(Argument::slice(x, 2, {}))}),
         ": args[1] differs: [1, {\"k\": slice(%x, 2, None)}] vs. (1, {\"k\": slice(%x, 2, "
         "None)})");
}

/// Each kind of value differs from the others, and equals itself in a different Context.
TEST_P(DiffTest, Values) {
  auto values = [](Context& c) -> std::vector<Argument> {
    return {Argument(),
            true,
            false,
            1,
            2,
            1.0,
            -0.0,
            0.0,
            std::complex<double>(1, 2),
            "a",
            "b",
            Argument::object("a"),
            DType::kInt8,
            DType::kInt16,
            Layout::kStrided,
            MemoryFormat::kContiguous,
            Device{DeviceType::kCuda, 0},
            Device{DeviceType::kCuda, 1},
            c.exprs().symbol("s0"),
            c.exprs().symbol("s1"),
            c.types().integer(),
            c.types().floating(),
            c.function("f"),
            c.function("g"),
            Argument::ellipsis(),
            Argument::list({}),
            Argument::tuple({}),
            Argument::named_tuple("A", {}),
            Argument::named_tuple("B", {}),
            Argument::dict({}),
            Argument::range(0, 1, 2),
            Argument::range(0, 1, 3)};
  };
  const std::vector<Argument> left = values(left_.context), right = values(right_.context);
  for (size_t i = 0; i < left.size(); ++i) {
    ASSERT_THAT(left_.conv->update_arg(1, left[i]), IsOk());
    for (size_t k = 0; k < right.size(); ++k) {
      ASSERT_THAT(right_.conv->update_arg(1, right[k]), IsOk());
      EXPECT_EQ(structurally_equal(left_.graph, right_.graph), i == k) << i << " " << k;
    }
  }
}

TEST_P(DiffTest, NumberOfArguments) {
  ASSERT_THAT(right_.conv->set_args({right_.x}), IsOk());
  expect(DifferenceKind::kNumArgs, left_.conv, right_.conv,
         "node 2: %conv = my.conv(%x, %w, stride=2) vs. %conv = my.conv(%x, stride=2): 2 "
         "positional arguments vs. 1");
}

TEST_P(DiffTest, Keywords) {
  ASSERT_THAT(right_.conv->update_kwarg("stride", 3), IsOk());
  expect(DifferenceKind::kArgument, left_.conv, right_.conv,
         "node 2: %conv = my.conv(%x, %w, stride=2) vs. %conv = my.conv(%x, %w, stride=3): "
         "argument stride differs: 2 vs. 3");
  ASSERT_THAT(right_.conv->set_kwargs({{"stride", 2}, {"padding", 1}}), IsOk());
  expect(DifferenceKind::kKeywords, left_.conv, right_.conv,
         "node 2: %conv = my.conv(%x, %w, stride=2) vs. %conv = my.conv(%x, %w, stride=2, "
         "padding=1): keyword 1 differs: \"\" vs. \"padding\"");
  ASSERT_THAT(left_.conv->set_kwargs({{"padding", 1}, {"stride", 2}}), IsOk());
  expect(DifferenceKind::kKeywords, left_.conv, right_.conv,
         "node 2: %conv = my.conv(%x, %w, padding=1, stride=2) vs. %conv = my.conv(%x, %w, "
         "stride=2, padding=1): keyword 0 differs: \"padding\" vs. \"stride\"");
}

TEST_P(DiffTest, Types) {
  const DimVector sizes = {2, 4};
  right_.relu->set_type(right_.context.types().tensor({.dtype = DType::kFloat32, .sizes = sizes}));
  const auto found = first_difference(left_.graph, right_.graph);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kind, DifferenceKind::kType);
  EXPECT_TRUE(found->message.ends_with(": types differ: f32[2, 3] vs. f32[2, 4]"));
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph, {.ignore_types = true}));
  right_.relu->set_type({});
  EXPECT_FALSE(structurally_equal(left_.graph, right_.graph));
  left_.relu->set_type({});
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph));
}

TEST_P(DiffTest, TypesCompareValuesOfSizes) {
  auto set = [](Sample& sample, std::string_view size) {
    const DimVector sizes = {Dim(*sample.context.exprs().parse(size))};
    sample.relu->set_type(
        sample.context.types().tensor({.dtype = DType::kFloat32, .sizes = sizes}));
  };
  set(left_, "2*s0 + 2");
  set(right_, "(s0 + 1)*2");
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph));
  set(right_, "2*s0 + 3");
  EXPECT_FALSE(structurally_equal(left_.graph, right_.graph));
}

TEST_P(DiffTest, Metadata) {
  right_.relu->meta().set(meta::kSeq, int64_t{8});
  auto found = first_difference(left_.graph, right_.graph);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->kind, DifferenceKind::kMeta);
  EXPECT_EQ(found->left, left_.relu);
  EXPECT_TRUE(found->message.ends_with(": metadata \"seq\" differs: 7 vs. 8"));
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph, {.ignore_meta = true}));

  right_.relu->meta().remove(meta::kSeq);
  found = first_difference(left_.graph, right_.graph);
  EXPECT_TRUE(found->message.ends_with(": only the left one has metadata \"seq\""));
  found = first_difference(right_.graph, left_.graph);
  EXPECT_TRUE(found->message.ends_with(": only the right one has metadata \"seq\""));
}

TEST_P(DiffTest, GraphMetadata) {
  right_.graph.set_meta("kind", Argument::list({"sample", 2}));
  expect(DifferenceKind::kGraphMeta, nullptr, nullptr,
         "metadata \"kind\" differs: \"sample\" vs. [\"sample\", 2]");
  right_.graph.set_meta("kind", "sample");
  right_.graph.set_meta("more", 1);
  expect(DifferenceKind::kGraphMeta, nullptr, nullptr,
         "only the right graph has metadata \"more\"");
  left_.graph.set_meta("more", 1);
  left_.graph.set_meta("most", 1);
  expect(DifferenceKind::kGraphMeta, nullptr, nullptr, "only the left graph has metadata \"most\"");
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph, {.ignore_meta = true}));
}

TEST_P(DiffTest, Length) {
  ASSERT_THAT(right_.graph.erase_node(right_.output), IsOk());
  expect(DifferenceKind::kLength, left_.output, nullptr,
         "5 nodes vs. 4; after the first 4, the left graph continues with return (%relu,)");
  Graph empty(first_);
  EXPECT_FALSE(structurally_equal(left_.graph, empty));
  EXPECT_FALSE(structurally_equal(empty, right_.graph));
}

TEST_P(DiffTest, AnInsertedNodeIsTheFirstDifference) {
  right_.graph.set_insert_point_before(right_.relu);
  Node* neg = right_.graph.call_function(right_.context.function("my.neg"), {right_.conv});
  const auto found = first_difference(left_.graph, right_.graph);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->index, 3u);
  EXPECT_EQ(found->right, neg);
}

TEST_P(DiffTest, NestedGraphs) {
  auto add = [](Sample& sample, std::string_view name, int64_t value) {
    auto inner = std::make_unique<Graph>(sample.context);
    inner->output(Argument(value));
    auto outer = std::make_unique<Graph>(sample.context);
    outer->output(Argument());
    FX_CHECK_OK(outer->add_subgraph("inner", std::move(inner)));
    FX_CHECK_OK(sample.graph.add_subgraph(name, std::move(outer)));
  };
  add(left_, "body", 1);
  expect(DifferenceKind::kSubgraphs, nullptr, nullptr, "1 nested graph vs. 0");
  add(right_, "body", 2);
  const auto found = first_difference(left_.graph, right_.graph);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->message,
            "in nested graph body.inner: node 0: return 1 vs. return 2: args[0] differs: 1 "
            "vs. 2");
  EXPECT_EQ(found->left_graph, &left_.graph.subgraph(0).subgraph(0));
  add(left_, "then", 1);
  add(right_, "else", 1);
  expect(DifferenceKind::kSubgraphs, nullptr, nullptr,
         "names of nested graph 1 differ: then vs. else");
}

TEST_P(DiffTest, OperandsAfterTheirUsers) {
  for (Sample* sample : {&left_, &right_})
    ASSERT_THAT(sample->conv->move_after(*sample->relu), IsOk());
  EXPECT_TRUE(structurally_equal(left_.graph, right_.graph));
  ASSERT_THAT(right_.relu->update_arg(0, right_.x), IsOk());
  EXPECT_FALSE(structurally_equal(left_.graph, right_.graph));
}

}  // namespace
}  // namespace fx
