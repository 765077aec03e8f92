// Text that the `.fx` parser accepts in addition to the printer's output. Errors:
// parser_errors_test.cpp; round trips: text_round_trip_test.cpp.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::parser_test {
namespace {

using testing::IsOk;
using ::testing::SizeIs;

class ParserTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> parse(std::string_view text, const ParseOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text, options);
    EXPECT_THAT(graph, IsOk());
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }
  Argument value(std::string_view text) {
    absl::StatusOr<Argument> argument = parse_argument(context_, text);
    EXPECT_THAT(argument, IsOk());
    return argument.ok() ? *argument : Argument::object("unparsed");
  }
  /// Expects that both texts parse to the same graph.
  void expect_same(std::string_view text, std::string_view printed) {
    EXPECT_EQ(print(*parse(text)), printed) << text;
  }

  Context context_;
};

// parity: G22
TEST_F(ParserTest, CreatesTheNodesInTheText) {
  std::unique_ptr<Graph> graph = parse(R"(graph @net(%x : f32[2], %flag = True) {
  %w = get_attr layer.weight
  %m = call_module layer(%x)
  %v = call_method view(%m, [2, -1])
  %add : f32[2] = aten.add.Tensor(%v, %w, alpha=2) !{seq=7}
  return (%add, None)
})");
  ASSERT_EQ(graph->size(), 7u);
  EXPECT_EQ(graph_name(*graph), "net");
  Node* x = graph->front();
  EXPECT_EQ(x->op(), Opcode::kPlaceholder);
  EXPECT_EQ(x->num_args(), 0u);
  EXPECT_EQ(to_string(x->type()), "f32[2]");
  Node* flag = x->next();
  EXPECT_EQ(flag->target(), "flag");
  EXPECT_TRUE(flag->arg(0).as_bool());
  EXPECT_EQ(flag->next()->op(), Opcode::kGetAttr);
  EXPECT_EQ(flag->next()->target(), "layer.weight");
  Node* m = graph->find_node("m");
  EXPECT_EQ(m->op(), Opcode::kCallModule);
  EXPECT_EQ(m->arg(0).node(), x);
  Node* v = graph->find_node("v");
  EXPECT_EQ(v->op(), Opcode::kCallMethod);
  EXPECT_EQ(v->target(), "view");
  EXPECT_EQ(v->arg(1)[1].as_int(), -1);
  Node* add = graph->find_node("add");
  EXPECT_TRUE(add->is(context_.function("aten.add.Tensor")));
  EXPECT_EQ(add->kwarg("alpha")->as_int(), 2);
  EXPECT_EQ(add->meta().get(meta::kSeq), 7);
  EXPECT_EQ(graph->output_node()->arg(0)[0].node(), add);
  EXPECT_EQ(add->num_users(), 1u);
}

TEST_F(ParserTest, WhitespaceAndCommentsAreAllowedBetweenTokens) {
  expect_same(
      "# a comment\n graph( # of the header\n%x:f32[2],%y=1)\r\n{\n\n#another\n%f=f(%x  ,\n\t%y ,k "
      "= 2)!{ seq =1}return%f}  # the end",
      "graph(%x : f32[2], %y = 1) {\n  %f = f(%x, %y, k=2) !{seq=1}\n  return %f\n}\n");
}

TEST_F(ParserTest, TrailingCommasAreAllowed) {
  expect_same(
      "graph(%x,) { %f = f(%x, [1,], (1, 2,), {1: 2,}, slice(1, 2, 3,), P(a=1,), k=1,) "
      "!{a=1,} }",
      "graph(%x) {\n  %f = f(%x, [1], (1, 2), {1: 2}, slice(1, 2, 3), P(a=1), k=1) "
      "!{a=1}\n}\n");
}

TEST_F(ParserTest, QuotesAreAllowedWhereTheyAreNotNeeded) {
  expect_same(R"(graph @"g"(%"x"["x"]) {
    !"kind" = 1
    %"w_1" = get_attr "w"
    %f = "f"(%x, "k"=%"w_1", l="P"(1)) !{"seq"=2}
    %g = f(op("f"), device("cpu"))
  })",
              R"(graph @g(%x) {
  !kind = 1
  %w_1 = get_attr w
  %f = f(%x, k=%w_1, l=P(1)) !{seq=2}
  %g = f(op(f), device(cpu))
}
)");
}

TEST_F(ParserTest, OutputsMayBeStatements) {
  expect_same("graph() { %output = output(1) }", "graph() {\n  return 1\n}\n");
  expect_same("graph() { %output = output[output](1) }", "graph() {\n  return 1\n}\n");
}

TEST_F(ParserTest, SeveralOutputsAreParsedAndReportedByVerify) {
  EXPECT_EQ(parse("graph() { return 1 %o = output(2) }")->size(), 2u);
}

TEST_F(ParserTest, NodesAfterTheOutput) {
  expect_same("graph(%x) { return %x %f = f(%x) }", "graph(%x) {\n  return %x\n  %f = f(%x)\n}\n");
}

TEST_F(ParserTest, NumbersInDifferentForms) {
  EXPECT_EQ(value("-0"), Argument(0));
  EXPECT_EQ(value("007"), Argument(7));
  EXPECT_EQ(value("9223372036854775807"), Argument(INT64_MAX));
  EXPECT_EQ(value("-9223372036854775808"), Argument(INT64_MIN));
  EXPECT_EQ(value("1."), Argument(1.0));
  EXPECT_EQ(value("1e3"), Argument(1000.0));
  EXPECT_EQ(value("1E+3"), Argument(1000.0));
  EXPECT_EQ(value("-1.5e-3"), Argument(-0.0015));
  EXPECT_EQ(value("-inf"), Argument(-INFINITY));
  EXPECT_EQ(value("complex(1, 2.5)"), Argument(std::complex<double>(1, 2.5)));
}

TEST_F(ParserTest, EscapesInStrings) {
  EXPECT_EQ(value(R"("\"\\\/\n\r\t\b\f")").as_string(), "\"\\/\n\r\t\b\f");
  EXPECT_EQ(value(R"("\x00\xff")").as_string(), std::string_view("\0\xff", 2));
  EXPECT_EQ(value(R"("\u00e9\u4e16\ud83d\ude00")").as_string(), "\u00e9\u4e16\U0001f600");
  EXPECT_EQ(value("\"\xff\"").as_string(), "\xff");
}

TEST_F(ParserTest, WordsThatAreNotValuesMayBeKeys) {
  std::unique_ptr<Graph> graph = parse("graph() { %f = f(None=1, slice=2, inf=3, return=4) }");
  EXPECT_EQ(graph->front()->kwarg("None")->as_int(), 1);
  EXPECT_EQ(graph->front()->kwarg("return")->as_int(), 4);
}

TEST_F(ParserTest, EachValueForm) {
  EXPECT_EQ(value("torch.float32"), Argument(DType::kFloat32));
  EXPECT_EQ(value("torch.strided"), Argument(Layout::kStrided));
  EXPECT_EQ(value("torch.channels_last_3d"), Argument(MemoryFormat::kChannelsLast3d));
  EXPECT_EQ(value("device(cuda:1)"), Argument(Device{DeviceType::kCuda, 1}));
  EXPECT_EQ(value("..."), Argument::ellipsis());
  EXPECT_EQ(value("sym(s0 + 1)").as_symbolic(),
            context_.exprs().add(context_.exprs().symbol("s0"), context_.exprs().integer(1)));
  EXPECT_EQ(value("type((f32[2], none))").as_type().items().size(), 2u);
  EXPECT_EQ(value("op(torch.relu)").as_function(), context_.function("torch.relu"));
  EXPECT_EQ(value("object(\"x y\")"), Argument::object("x y"));
  EXPECT_EQ(value("range(0, -4, -1)"), Argument::range(0, -4, -1));
}

// parity: N26
TEST_F(ParserTest, NamedTuplesKeepTheirClassAndFields) {
  const Argument point = value("pkg.Point(x=1, y=[2])");
  EXPECT_EQ(point.kind(), ArgumentKind::kStruct);
  EXPECT_EQ(point.type_name(), "pkg.Point(x, y)");
  EXPECT_EQ(struct_field(point, "pkg.Point", "y"), Argument::list({2}));
  EXPECT_EQ(value("torch.Size(1, 2)").type_name(), "torch.Size");
  EXPECT_EQ(value("\"an odd class\"()").type_name(), "an odd class");
}

// parity: N25
TEST_F(ParserTest, DictsKeepTheirOrder) {
  const Argument dict = value(R"({"b": 1, 3: 2, "a": 3})");
  ASSERT_EQ(dict.size(), 3u);
  EXPECT_EQ(dict.key(0), Argument("b"));
  EXPECT_EQ(dict.key(1), Argument(3));
  EXPECT_EQ(dict.key(2), Argument("a"));
}

TEST_F(ParserTest, NestedGraphs) {
  std::unique_ptr<Graph> graph = parse(R"(graph(%x) {
    graph @outer(%x) {
      graph @inner() { return 1 }
      %m = while(@inner) !{about=graph(0)}
    }
    %c = cond(%x, @outer, [@outer])
  })");
  ASSERT_EQ(graph->num_subgraphs(), 1u);
  const Graph& outer = graph->subgraph(0);
  ASSERT_EQ(outer.num_subgraphs(), 1u);
  EXPECT_EQ(outer.subgraph_name(0), "inner");
  EXPECT_EQ(outer.back()->arg(0).as_graph(), 0u);
  EXPECT_EQ(outer.back()->meta().find("about")->as_graph(), 0u);
  EXPECT_EQ(graph->back()->arg(2)[0].as_graph(), 0u);
}

TEST_F(ParserTest, NamesAreKeptAndNumberingContinues) {
  std::unique_ptr<Graph> graph = parse("graph(%x_7, %sum, %x_01, %x_4294967295) { }");
  EXPECT_EQ(graph->back()->name(), "x_4294967295");
  EXPECT_EQ(graph->placeholder("x_7")->name(), "x_8");
  EXPECT_EQ(graph->placeholder("sum")->name(), "sum_1");
}

TEST_F(ParserTest, SpellingsOfFunctions) {
  std::unique_ptr<Graph> graph = parse(
      "function my.g(name=\"G\", listing=\"my.G\", repr=\"<G>\", inner=\"<g>\",)\n"
      "graph() { %y = my.g() }");
  const TargetData& g = *graph->front()->function().data();
  EXPECT_EQ(g.base_name.str(), "G");
  EXPECT_EQ(g.listing.str(), "my.G");
  EXPECT_EQ(g.repr.str(), "<G>");
  EXPECT_EQ(g.inner.str(), "<g>");
}

TEST_F(ParserTest, FilesWithSeveralGraphs) {
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<std::unique_ptr<Graph>> graphs,
                          parse_graphs(context_, "fx 1\ngraph @a() {}\ngraph @b() {}\n"));
  ASSERT_THAT(graphs, SizeIs(2));
  EXPECT_EQ(graph_name(*graphs[1]), "b");
  EXPECT_THAT(*parse_graphs(context_, " # nothing"), SizeIs(0));
}

TEST_F(ParserTest, AMetaLineMayNameTheGraph) {
  std::unique_ptr<Graph> graph = parse("graph @a() { !kind = 1 !model = \"b\" }");
  EXPECT_EQ(graph_name(*graph), "b");
  EXPECT_THAT(graph->meta(), SizeIs(2));
}

TEST_F(ParserTest, PositionsOfNodes) {
  SourceLocations positions;
  std::unique_ptr<Graph> graph = parse(
      "graph(%x,\n  %y) { %z = f(%x, \"\u00e9\") %u = f()\n"
      "  graph @b(%w) {}\n  return %z }",
      {.locations = &positions});
  const auto position = [&](const Node& node) {
    const SourceLocation p = positions.at(&node);
    return std::pair<uint32_t, uint32_t>(p.line, p.column);
  };
  EXPECT_EQ(position(*graph->front()), std::pair(1u, 7u));
  EXPECT_EQ(position(*graph->find_node("y")), std::pair(2u, 3u));
  EXPECT_EQ(position(*graph->find_node("z")), std::pair(2u, 9u));
  EXPECT_EQ(position(*graph->find_node("u")), std::pair(2u, 25u));
  EXPECT_EQ(position(*graph->subgraph(0).front()), std::pair(3u, 12u));
  EXPECT_EQ(position(*graph->output_node()), std::pair(4u, 3u));
}

TEST_F(ParserTest, ErrorsLeaveNoPositions) {
  SourceLocations positions;
  EXPECT_FALSE(parse_graph(context_, "graph(%x) { %y }", {.locations = &positions}).ok());
  EXPECT_TRUE(positions.empty());
}

TEST_F(ParserTest, TheTextMayBeDestroyed) {
  std::unique_ptr<Graph> graph;
  {
    std::string text = "graph(%first) { %second = f.g(%first, key=\"text\") !{note=\"n\"} }";
    graph = parse(text);
    std::fill(text.begin(), text.end(), '*');
  }
  EXPECT_EQ(print(*graph),
            "graph(%first) {\n  %second = f.g(%first, key=\"text\") !{note=\"n\"}\n}\n");
}

}  // namespace
}  // namespace fx::parser_test
