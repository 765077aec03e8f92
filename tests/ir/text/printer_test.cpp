// The `.fx` text of graphs: layout, names, values, presets. The grammar is in docs/text_format.md.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace fx::printer_test {
namespace {

using ::testing::HasSubstr;

class PrinterTest : public ::testing::Test {
 protected:
  Target f(std::string_view name = "f") { return context_.function(name); }
  Type f32(absl::Span<const Dim> sizes) {
    return context_.types().tensor({.dtype = DType::kFloat32, .sizes = sizes});
  }
  /// Returns the printed form of a value.
  std::string printed(const Argument& value) { return print(value); }

  Context context_;
  Graph graph_{context_};
};

TEST_F(PrinterTest, AGraphWithTypesAndMetadata) {
  const Dim sizes[] = {2, 3};
  Node* x = graph_.placeholder("x", {.type = f32(sizes)});
  Node* scale = graph_.placeholder("scale", 1.0);
  Node* relu =
      graph_.call_function(f("aten.relu.default"), {x}, {}, {.name = "relu", .type = f32(sizes)});
  Node* mul =
      graph_.call_function(f("aten.mul.Tensor"), {relu, scale}, {{"out", relu}}, {.name = "mul"});
  mul->meta().set(meta::kSeq, 3);
  mul->meta().set(meta::kRegion, "fw");
  graph_.output(mul);
  set_graph_name(graph_, "relu_twice");
  EXPECT_EQ(print(graph_), R"(graph @relu_twice(%x : f32[2, 3], %scale = 1.0) {
  %relu : f32[2, 3] = aten.relu.default(%x)
  %mul = aten.mul.Tensor(%relu, %scale, out=%relu) !{seq=3, region="fw"}
  return %mul
}
)");
}

TEST_F(PrinterTest, AnEmptyGraph) { EXPECT_EQ(print(graph_), "graph() {\n}\n"); }

TEST_F(PrinterTest, EveryOpcode) {
  Node* x = graph_.placeholder("x");
  Node* w = graph_.get_attr("layer.0.weight");
  Node* m = graph_.call_module("layer.0", {x}, {{"scale", 2}});
  Node* v = graph_.call_method("view", {m, -1});
  graph_.output(graph_.call_function(f("operator.add"), {v, w}));
  EXPECT_EQ(print(graph_), R"(graph(%x) {
  %layer_0_weight = get_attr layer.0.weight
  %layer_0 = call_module layer.0(%x, scale=2)
  %view = call_method view(%layer_0, -1)
  %add = operator.add(%view, %layer_0_weight)
  return %add
}
)");
}

TEST_F(PrinterTest, PlaceholdersWithADifferentTargetPrintBoth) {
  graph_.placeholder("input");
  graph_.placeholder("*args");
  graph_.placeholder("a b");
  EXPECT_EQ(print(graph_), "graph(%input_1[input], %_args[*args], %a_b[\"a b\"]) {\n}\n");
}

TEST_F(PrinterTest, PlaceholdersAfterOtherNodesAreStatements) {
  Node* x = graph_.placeholder("x");
  graph_.call_function(f(), {x});
  graph_.placeholder("y", 2);
  graph_.placeholder("input");
  EXPECT_EQ(print(graph_), R"(graph(%x) {
  %f = f(%x)
  %y = placeholder(2)
  %input_1 = placeholder[input]
}
)");
}

TEST_F(PrinterTest, LongOrAnnotatedHeadersHaveOneParameterPerLine) {
  graph_.placeholder("x")->meta().set("kind", "parameter");
  graph_.placeholder("y");
  EXPECT_EQ(print(graph_), R"(graph(
    %x !{kind="parameter"},
    %y,
) {
}
)");
  Graph wide(context_);
  for (int i = 0; i < 12; ++i) wide.placeholder("parameter" + std::to_string(i));
  EXPECT_THAT(print(wide), HasSubstr("graph(\n    %parameter0,\n    %parameter1,\n"));
}

TEST_F(PrinterTest, OutputsThatReturnCannotExpress) {
  Node* out = graph_.output(1);
  out->set_type(context_.types().integer());
  EXPECT_EQ(print(*out), "%output : int = output(1)");
  out->set_type({});
  out->set_target("result");
  EXPECT_EQ(print(*out), "%output = output[result](1)");
  out->set_target("output");
  out->rename("y");
  EXPECT_EQ(print(*out), "%y = output(1)");
}

TEST_F(PrinterTest, UnusualNamesAreQuoted) {
  Node* x = graph_.placeholder("x");
  Node* unusual = graph_.call_function(f("a \"b\""), {x}, {{"1 k", 2}},
                                       {.exact_name = split_name(context_.symbols(), "my node")});
  unusual->meta().set("a key", 1);
  graph_.call_method("two words", {unusual});
  graph_.get_attr("a-b");
  EXPECT_EQ(print(graph_), R"(graph(%x) {
  %"my node" = "a \"b\""(%x, "1 k"=2) !{"a key"=1}
  %two_words = call_method "two words"(%"my node")
  %a_b = get_attr "a-b"
}
)");
}

TEST_F(PrinterTest, FunctionsNamedLikeKeywords) {
  Node* call = graph_.call_function(f("return"), {Argument(f("slice"))});
  EXPECT_EQ(print(*call), "%return_1 = \"return\"(op(\"slice\"))");
}

TEST_F(PrinterTest, Constants) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(printed(Argument::none()), "None");
  EXPECT_EQ(printed(true), "True");
  EXPECT_EQ(printed(false), "False");
  EXPECT_EQ(printed(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(printed(std::complex<double>(1, -kInfinity)), "complex(1.0, -inf)");
  EXPECT_EQ(printed(DType::kBFloat16), "torch.bfloat16");
  EXPECT_EQ(printed(Layout::kSparseCoo), "torch.sparse_coo");
  EXPECT_EQ(printed(MemoryFormat::kChannelsLast), "torch.channels_last");
  EXPECT_EQ(printed(Device{DeviceType::kCuda, 1}), "device(cuda:1)");
  EXPECT_EQ(printed(f("aten.add.Tensor")), "op(aten.add.Tensor)");
  EXPECT_EQ(printed(Argument::ellipsis()), "...");
  EXPECT_EQ(printed(Argument::object("torch.per_tensor_affine")),
            "object(\"torch.per_tensor_affine\")");
  const Dim sizes[] = {2};
  EXPECT_EQ(printed(f32(sizes)), "type(f32[2])");
  EXPECT_EQ(printed(Type()), "type(?)");
}

TEST_F(PrinterTest, FloatsPrintAsTheShortestTextThatRoundTrips) {
  const std::pair<double, std::string_view> kFloats[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1, "1.0"},
      {0.1, "0.1"},
      {1e-4, "0.0001"},
      {1e-5, "1e-05"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {std::numeric_limits<double>::infinity(), "inf"},
      {-std::numeric_limits<double>::infinity(), "-inf"},
      {std::numeric_limits<double>::quiet_NaN(), "nan"},
  };
  for (const auto& [value, text] : kFloats) EXPECT_EQ(printed(value), text);
}

TEST_F(PrinterTest, StringsEscapeUnprintableCharacters) {
  EXPECT_EQ(printed("a\"b\\c\n\r\t"), R"("a\"b\\c\n\r\t")");
  EXPECT_EQ(printed(std::string_view("\x01\0\x7f", 3)), R"("\x01\x00\x7f")");
  EXPECT_EQ(printed("\u00e9\u4e16\U0001f600"), "\"\u00e9\u4e16\U0001f600\"");
  // Invalid UTF-8: a stray byte, an overlong form, a surrogate, a truncated character.
  EXPECT_EQ(printed("\xff"), R"("\xff")");
  EXPECT_EQ(printed("\xc0\x80"), R"("\xc0\x80")");
  EXPECT_EQ(printed("\xed\xa0\x80"), R"("\xed\xa0\x80")");
  EXPECT_EQ(printed("\xe4\xb8"), R"("\xe4\xb8")");
}

// parity: G29
TEST_F(PrinterTest, SymbolicNumbersAreArguments) {
  Node* x = graph_.placeholder("x");
  const SymExpr s0 = context_.exprs().symbol("s0");
  const SymExpr size = context_.exprs().add(s0, context_.exprs().integer(1));
  Node* view = graph_.call_method("view", {x, Argument::list({Argument(size), 2})});
  EXPECT_EQ(print(*view), "%view = call_method view(%x, [sym(s0 + 1), 2])");
  EXPECT_EQ(view->arg(1)[0].as_symbolic(), size);
}

TEST_F(PrinterTest, Aggregates) {
  EXPECT_EQ(printed(Argument::list({})), "[]");
  EXPECT_EQ(printed(Argument::list({1, Argument::list({2.5, "s"})})), "[1, [2.5, \"s\"]]");
  EXPECT_EQ(printed(Argument::tuple({})), "()");
  EXPECT_EQ(printed(Argument::tuple({1})), "(1,)");
  EXPECT_EQ(printed(Argument::tuple({1, 2})), "(1, 2)");
  EXPECT_EQ(printed(Argument::slice(Argument(), 2, Argument())), "slice(None, 2, None)");
  EXPECT_EQ(printed(Argument::range(0, 10, 2)), "range(0, 10, 2)");
}

// parity: N25
TEST_F(PrinterTest, DictsHaveStringsAndIntegersAsKeys) {
  const std::pair<Argument, Argument> entries[] = {{"k", 1}, {-2, Argument::list({2})}};
  EXPECT_EQ(printed(Argument::dict(entries)), "{\"k\": 1, -2: [2]}");
  EXPECT_EQ(printed(Argument::dict({})), "{}");
  Node* x = graph_.placeholder("x");
  const std::pair<Argument, Argument> node_key[] = {{x, 1}};
  EXPECT_DEATH(Argument::dict(node_key), "key");
}

// parity: N26
TEST_F(PrinterTest, NamedTuplesPrintTheirClass) {
  const Argument items[] = {1, 2};
  const std::pair<std::string_view, std::string_view> kClasses[] = {
      {"torch.Size", "torch.Size(1, 2)"},
      {"pkg.Point(x, y)", "pkg.Point(x=1, y=2)"},
      // The fields do not match two items, so the entire text is the class.
      {"pkg.Point(x)", "\"pkg.Point(x)\"(1, 2)"},
      {"pkg.Point(x, x)", "\"pkg.Point(x, x)\"(1, 2)"},
      {"a class(x, y)", "\"a class(x, y)\"(1, 2)"},
      {"slice", "\"slice\"(1, 2)"},
      {"", "\"\"(1, 2)"},
  };
  for (const auto& [type_name, text] : kClasses)
    EXPECT_EQ(printed(Argument::named_tuple(type_name, items)), text);
  EXPECT_EQ(printed(Argument::named_tuple("pkg.Empty", {})), "pkg.Empty()");
}

TEST_F(PrinterTest, NestedGraphs) {
  auto body = std::make_unique<Graph>(context_);
  body->output(body->call_function(f("torch.sin"), {body->placeholder("x")}));
  ASSERT_TRUE(graph_.add_subgraph("body", std::move(body)).ok());
  ASSERT_TRUE(graph_.add_subgraph("odd name", std::make_unique<Graph>(context_)).ok());
  Node* x = graph_.placeholder("x");
  graph_.output(
      graph_.call_function(f("higher_order.cond"), {x, Argument::graph(0), Argument::graph(1)}));
  EXPECT_EQ(print(graph_), R"(graph(%x) {
  graph @body(%x) {
    %sin = torch.sin(%x)
    return %sin
  }
  graph @"odd name"() {
  }
  %cond = higher_order.cond(%x, @body, @"odd name")
  return %cond
}
)");
}

TEST_F(PrinterTest, GraphMetadata) {
  set_graph_name(graph_, "a model");
  graph_.set_meta("kind", "joint");
  graph_.set_meta("a key", Argument::list({1}));
  EXPECT_EQ(print(graph_), R"(graph @"a model"() {
  !kind = "joint"
  !"a key" = [1]
}
)");
  EXPECT_EQ(print(graph_, {.meta = false}), "graph @\"a model\"() {\n}\n");
}

TEST_F(PrinterTest, GraphNamesThatAtCannotExpressAreMetadata) {
  graph_.set_meta("kind", "joint");
  set_graph_name(graph_, "late");
  EXPECT_EQ(print(graph_), R"(graph @late() {
  !kind = "joint"
  !model = "late"
}
)");
}

TEST_F(PrinterTest, FunctionsWithCustomSpellingHaveOneRow) {
  const Target custom = context_.function(
      "m.g#1", {.base_name = "g", .listing = "m.g", .repr = "<function g>", .inner = "<g>"});
  graph_.call_function(custom, {Argument(custom)});
  graph_.call_function(custom, {});
  EXPECT_EQ(print(graph_),
            R"(function "m.g#1"(name="g", listing="m.g", repr="<function g>", inner="<g>")
graph() {
  %g = "m.g#1"(op("m.g#1"))
  %g_1 = "m.g#1"()
}
)");
}

TEST_F(PrinterTest, VersionLine) {
  EXPECT_EQ(print(graph_, {.version_line = true}), "fx 1\ngraph() {\n}\n");
}

TEST_F(PrinterTest, WithoutTypes) {
  const Dim sizes[] = {2};
  Node* x = graph_.placeholder("x", {.type = f32(sizes)});
  graph_.output(x)->set_type(f32(sizes));
  EXPECT_EQ(print(graph_, {.types = false}), "graph(%x) {\n  return %x\n}\n");
}

TEST_F(PrinterTest, CanonicalNumbersNodesAndOmitsNamesAndMetadata) {
  set_graph_name(graph_, "g");
  Node* x = graph_.placeholder("input");
  Node* y = graph_.call_function(f(), {x, x});
  y->meta().set(meta::kSeq, 1);
  graph_.output(y)->rename("z");
  EXPECT_EQ(print(graph_, {.preset = PrintPreset::kCanonical}), R"(graph(%0[input]) {
  %1 = f(%0, %0)
  return %1
}
)");
}

TEST_F(PrinterTest, NumberedHidesDetails) {
  const Dim sizes[] = {2};
  auto body = std::make_unique<Graph>(context_);
  body->output(body->placeholder("x"));
  ASSERT_TRUE(graph_.add_subgraph("body", std::move(body)).ok());
  Node* x = graph_.placeholder("x");
  Node* y = graph_.call_function(f(), {x, Argument::graph(0)}, {}, {.type = f32(sizes)});
  graph_.output(y);
  EXPECT_EQ(print(graph_, {.preset = PrintPreset::kNumbered}), R"(graph:
  graph @body:
    v1 = placeholder[x]
    return v1
  v1 = placeholder[x]
  v2 = f(v1, @body)  # f32[2]
  return v2
)");
}

TEST_F(PrinterTest, PresetsByName) {
  EXPECT_EQ(print_preset_from_name("fx"), PrintPreset::kFx);
  EXPECT_EQ(print_preset_from_name("canonical"), PrintPreset::kCanonical);
  EXPECT_EQ(print_preset_from_name("numbered"), PrintPreset::kNumbered);
  EXPECT_EQ(print_preset_from_name("torch"), PrintPreset::kTorch);
  EXPECT_EQ(print_preset_from_name("tabular"), PrintPreset::kTabular);
  EXPECT_EQ(print_preset_from_name("Fx"), std::nullopt);
}

}  // namespace
}  // namespace fx::printer_test
