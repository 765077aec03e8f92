// The structural hash: changes that affect it, and changes that do not.
#include "fx/ir/verify/hash.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/verify/diff.h"
#include "tests/testing/status_matchers.h"

#include <functional>
#include <set>

namespace fx {
namespace {

using testing::IsOk;

/// A graph with keyword arguments, nested arguments, types, metadata and a nested graph.
struct Sample {
  explicit Sample(Context& context) : graph(context) {
    const DimVector sizes = {2, Dim(context.exprs().symbol("s0"))};
    auto nested = std::make_unique<Graph>(context);
    inner = nested->placeholder("a");
    nested->output(inner);
    body = nested.get();
    FX_CHECK_OK(graph.add_subgraph("body", std::move(nested)));
    x = graph.placeholder("x");
    x->set_type(context.types().tensor({.dtype = DType::kFloat32, .sizes = sizes}));
    y = graph.placeholder("y", Argument(1.5));
    add = graph.call_function(context.function("aten.add.Tensor"), {x, y}, {{"alpha", 2}});
    method = graph.call_method("view", {add, Argument::list({2, Argument::tuple({3, "text"})}),
                                        Argument::dict({{"k", Argument::slice({}, 2, {})}})});
    module = graph.call_module("layer.conv", {method});
    body_reader = graph.get_attr("body");
    cond = graph.call_function(context.function("higher_order.cond"),
                               {module, body_reader, Argument::graph(0)});
    output = graph.output(Argument::tuple({cond, add}));
    add->meta().set(meta::kSeq, int64_t{7});
    add->meta().set(meta::kModule, std::string_view("layer"));
    graph.set_meta("kind", "sample");
  }
  Graph graph;
  Graph* body;
  Node *x, *y, *add, *method, *module, *body_reader, *cond, *output, *inner;
};

constexpr HashOptions kEverything = {
    .ignore_names = false, .ignore_meta = false, .ignore_types = false};

TEST(StructuralHash, SameInEveryContext) {
  Context a, b;
  b.symbol("something else first");
  b.function("my.function");
  Sample left(a), right(b);
  EXPECT_EQ(structural_hash(left.graph), structural_hash(right.graph));
  EXPECT_EQ(structural_hash(left.graph, kEverything), structural_hash(right.graph, kEverything));
  EXPECT_EQ(structural_hash(left.graph), structural_hash(*left.graph.clone()));
}

// The hash is the same in all processes and versions, so that it can be the key of a cache on disk.
TEST(StructuralHash, IsStable) {
  Context context;
  Sample sample(context);
  EXPECT_EQ(structural_hash(sample.graph).str(), "056bc3443358815598baf87916989cf8");
  EXPECT_EQ(structural_hash(sample.graph, kEverything).str(), "87e4beb8cd4cd695f66136c64ae51060");
  Graph empty(context);
  EXPECT_EQ(structural_hash(empty).str(), "b0d11a7751e5041bd969188e06d75ad9");
}

using Edit = std::function<void(Context&, Sample&)>;

/// Each of these changes affects the computation of the graph, so each produces a different
/// hash.
TEST(StructuralHash, ChangesWithTheGraph) {
  const std::vector<Edit> edits = {
      [](Context& c, Sample& s) { s.add->set_function(c.function("aten.sub.Tensor")); },
      [](Context&, Sample& s) { s.method->set_target("reshape"); },
      [](Context&, Sample& s) { s.module->set_target("layer.norm"); },
      [](Context&, Sample& s) { s.module->set_op_and_target(Opcode::kCallMethod, "layer.conv"); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, s.x)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, 1)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, 1.0)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, true)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument())); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, "1")); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::object("1"))); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::ellipsis())); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, DType::kInt8)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Layout::kSparseCoo)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, MemoryFormat::kPreserve)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Device{})); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Device{DeviceType::kCuda, 1})); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, std::complex<double>(1, 2))); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, std::complex<double>(2, 1))); },
      [](Context& c, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, c.exprs().symbol("s0"))); },
      [](Context& c, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, c.types().integer())); },
      [](Context& c, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, c.function("f"))); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::list({}))); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::tuple({}))); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::list({s.y}))); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::list({1, 2}))); },
      [](Context&, Sample& s) {
        FX_CHECK_OK(s.add->update_arg(1, Argument::list({1, Argument::list({2})})));
      },
      [](Context&, Sample& s) {
        FX_CHECK_OK(s.add->update_arg(1, Argument::list({Argument::list({1}), 2})));
      },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::range(0, 1, 1))); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_arg(1, Argument::slice(0, 1, 1))); },
      [](Context&, Sample& s) {
        FX_CHECK_OK(s.add->update_arg(1, Argument::named_tuple("P(a)", {Argument(1)})));
      },
      [](Context&, Sample& s) {
        FX_CHECK_OK(s.add->update_arg(1, Argument::named_tuple("P(b)", {Argument(1)})));
      },
      [](Context&, Sample& s) {
        FX_CHECK_OK(s.add->update_arg(1, Argument::dict({{"a", 1}, {"b", 2}})));
      },
      [](Context&, Sample& s) {
        FX_CHECK_OK(s.add->update_arg(1, Argument::dict({{"b", 2}, {"a", 1}})));
      },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->insert_arg(2, s.x)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->set_args({s.x})); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_kwarg("alpha", 3)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->update_kwarg("beta", 2)); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->set_kwargs({{"gamma", 2}})); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.add->set_kwargs({})); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.y->set_args({})); },
      [](Context&, Sample& s) { s.x->set_target("*x"); },
      [](Context&, Sample& s) { s.x->set_target("**x"); },
      [](Context&, Sample& s) { FX_CHECK_OK(s.body_reader->move_before(*s.add)); },
      [](Context& c, Sample& s) {
        s.graph.set_insert_point_before(s.output);
        s.graph.call_function(c.function("aten.neg.default"), {s.x});
      },
      [](Context& c, Sample& s) {
        s.body->set_insert_point_before(s.body->output_node());
        s.body->call_function(c.function("aten.neg.default"), {s.inner});
      },
      [](Context& c, Sample& s) {
        FX_CHECK_OK(s.graph.add_subgraph("second", std::make_unique<Graph>(c)));
      },
      [](Context& c, Sample& s) { s.add->set_type(c.types().integer()); },
      [](Context& c, Sample& s) { s.add->set_type(c.types().integer(3)); },
  };
  Context context;
  std::set<std::string> seen = {structural_hash(Sample(context).graph).str()};
  for (size_t i = 0; i < edits.size(); ++i) {
    Sample sample(context);
    edits[i](context, sample);
    EXPECT_TRUE(seen.insert(structural_hash(sample.graph).str()).second) << "edit " << i;
  }
}

TEST(StructuralHash, OptionsSelectWhatIsHashed) {
  Context context;
  Sample sample(context);
  const GraphHash structure = structural_hash(sample.graph);
  GraphHash everything = structural_hash(sample.graph, kEverything);
  auto expect = [&](bool default_changes) {
    EXPECT_EQ(structural_hash(sample.graph) != structure, default_changes);
    const GraphHash now = structural_hash(sample.graph, kEverything);
    EXPECT_NE(now, everything);
    everything = now;
  };
  sample.add->rename("sum_of_both");
  expect(false);
  sample.x->set_target("input");
  expect(false);
  sample.add->meta().set(meta::kSeq, int64_t{8});
  expect(false);
  sample.add->meta().remove(meta::kSeq);
  expect(false);
  sample.graph.set_meta("kind", "other");
  expect(false);
  const GraphHash untyped = structural_hash(sample.graph, {.ignore_types = true});
  sample.add->set_type(context.types().none());
  expect(true);
  EXPECT_EQ(structural_hash(sample.graph, {.ignore_types = true}), untyped);
}

// Metadata has no order, and equal sizes may have different spellings.
TEST(StructuralHash, IgnoredProperties) {
  Context context;
  Sample a(context), b(context);
  a.x->meta().set("one", 1);
  a.x->meta().set("two", 2);
  b.x->meta().set("two", 2);
  b.x->meta().set("one", 1);
  EXPECT_EQ(structural_hash(a.graph, kEverything), structural_hash(b.graph, kEverything));

  FX_ASSERT_OK_AND_ASSIGN(const SymExpr plain, context.exprs().parse("2*s0 + 2"));
  FX_ASSERT_OK_AND_ASSIGN(const SymExpr spelled, context.exprs().parse("(s0 + 1)*2"));
  ASSERT_NE(plain, spelled);
  FX_CHECK_OK(a.add->update_arg(1, plain));
  FX_CHECK_OK(b.add->update_arg(1, spelled));
  EXPECT_EQ(structural_hash(a.graph), structural_hash(b.graph));
  EXPECT_TRUE(structurally_equal(a.graph, b.graph));
}

// While a graph is edited, a node may precede its operands. Its hash is still well defined.
TEST(StructuralHash, OperandsAfterTheirUsers) {
  Context context;
  Sample a(context), b(context), c(context);
  for (Sample* s : {&a, &b}) FX_CHECK_OK(s->method->move_before(*s->add));
  EXPECT_EQ(structural_hash(a.graph), structural_hash(b.graph));
  FX_CHECK_OK(c.method->move_before(*c.add));
  FX_CHECK_OK(c.method->update_arg(0, c.module));
  EXPECT_NE(structural_hash(a.graph), structural_hash(c.graph));
}

TEST(StructuralHash, DeeplyNestedGraphs) {
  Context context;
  auto make = [&](int64_t leaf) {
    auto nested = std::make_unique<Graph>(context);
    nested->output(Argument(leaf));
    for (int i = 0; i < 1000; ++i) {
      auto outer = std::make_unique<Graph>(context);
      outer->output(Argument());
      FX_CHECK_OK(outer->add_subgraph("g", std::move(nested)));
      nested = std::move(outer);
    }
    return structural_hash(*nested);
  };
  EXPECT_EQ(make(1), make(1));
  EXPECT_NE(make(1), make(2));
}

}  // namespace
}  // namespace fx
