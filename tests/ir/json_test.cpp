// The interchange JSON: each form there and back, what it means, errors with their place, bounds.
#include "fx/ir/json.h"

#include "fx/ir/context.h"
#include "fx/ir/diff.h"
#include "fx/ir/foreign.h"
#include "fx/ir/graph.h"
#include "fx/ir/graph_module.h"
#include "fx/ir/hash.h"
#include "fx/ir/meta.h"
#include "fx/ir/text.h"
#include "fx/ir/verifier.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include <string>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

/// A document in the layout of docs/json.md; `nodes` one a line, without indentation.
std::string document(std::string_view nodes, std::string_view before = "", int format = 2) {
  std::string text = "{\n\"format\":" + std::to_string(format) + std::string(before) +
                     ",\n\"graph\":{\n \"nodes\":[\n";
  for (char c : std::string("  ") + std::string(nodes)) {
    text += c;
    if (c == '\n') text += "  ";
  }
  return text + "\n ]\n}\n}\n";
}

constexpr std::string_view kX = R"({"name":"x","op":"placeholder","target":"x"})";
constexpr std::string_view kOutput = R"({"name":"output","op":"output","target":"output",)";

/// A graph that returns f(x, argument).
std::string with_argument(std::string_view argument, int format = 2) {
  const std::string none = format == 1 ? ",\"val\":null}" : "}";
  return document(R"({"name":"x","op":"placeholder","target":"x")" + none + ",\n" +
                      R"({"name":"f","op":"call_function","target":"f","args":[{"n":"x"},)" +
                      std::string(argument) + "]" + none + ",\n" + std::string(kOutput) +
                      R"("args":[{"n":"f"}]})",
                  "", format);
}

class JsonTest : public ::testing::Test {
 protected:
  std::unique_ptr<Graph> read(std::string_view text, const JsonOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_json(context_, text, options);
    EXPECT_THAT(graph, IsOk()) << text;
    return graph.ok() ? *std::move(graph) : std::make_unique<Graph>(context_);
  }
  std::string write(const Graph& graph) {
    absl::StatusOr<std::string> text = write_json(graph);
    EXPECT_THAT(text, IsOk());
    return text.ok() ? *text : "";
  }
  /// What is read is written back, byte by byte.
  std::unique_ptr<Graph> expect_same(std::string_view text) {
    std::unique_ptr<Graph> graph = read(text);
    EXPECT_EQ(write(*graph), text);
    return graph;
  }
  void expect_error(std::string_view text, std::string_view message) {
    EXPECT_THAT(read_json(context_, text),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(std::string(message))));
  }
  /// Writing and reading gives the same graph, which is written alike.
  void expect_round_trip(const Graph& graph) {
    const std::string text = write(graph);
    absl::StatusOr<std::unique_ptr<Graph>> back = read_json(context_, text);
    ASSERT_THAT(back, IsOk()) << text;
    const std::optional<GraphDifference> difference = first_difference(graph, **back);
    EXPECT_FALSE(difference.has_value()) << difference->message << "\n" << text;
    EXPECT_EQ(write(**back), text);
  }

  Context context_;
};

// ---------------------------------------------------------------- arguments

// Each form of docs/json.md, as the .fx text shows what was read.
TEST_F(JsonTest, ArgumentsOfFormat1) {
  const std::pair<std::string_view, std::string_view> kForms[] = {
      {"null", "None"},
      {"true", "True"},
      {"false", "False"},
      {"12", "12"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775807", "9223372036854775807"},
      {"1.0", "1.0"},
      {"-0.0", "-0.0"},
      {"1e-05", "1e-05"},
      {"1e+16", "1e+16"},
      {"0.1", "0.1"},
      {R"({"f":"inf"})", "inf"},
      {R"({"f":"-inf"})", "-inf"},
      {R"({"f":"nan"})", "nan"},
      {R"("text")", "\"text\""},
      {R"("")", "\"\""},
      {R"("\"\\\n\r\t\b\f\u0001\u007f\u00e9\u4e16\ud83d\ude00")",
       "\"\\\"\\\\\\n\\r\\t\\x08\\x0c\\x01\\x7f\u00e9\u4e16\U0001f600\""},
      {R"({"complex":[1.0,{"f":"nan"}]})", "complex(1.0, nan)"},
      {R"({"n":"x"})", "%x"},
      {"[]", "[]"},
      {R"([1,[2.0,{"n":"x"}],null])", "[1, [2.0, %x], None]"},
      {R"({"map":{"a":1,"b":[{"n":"x"}]}})", "{\"a\": 1, \"b\": [%x]}"},
      {R"({"map":{}})", "{}"},
      {R"({"slice":[{"n":"x"},null,2]})", "slice(%x, None, 2)"},
      {R"({"dtype":"bfloat16"})", "torch.bfloat16"},
      {R"({"layout":"sparse_coo"})", "torch.sparse_coo"},
      {R"({"memory_format":"channels_last"})", "torch.channels_last"},
      {R"({"device":"cuda:1"})", "device(cuda:1)"},
      {R"({"op":"aten.add.Tensor"})", "op(aten.add.Tensor)"},
      {R"({"sym":"s77 + 1","kind":"int"})", "sym(s77 + 1)"},
      {R"({"sym":"s77 > 4","kind":"bool"})", "sym(s77 > 4)"},
      {R"({"sym":"s77","kind":"float"})", "type(SymFloat(s77))"},
      {R"({"t":"float32","shape":[2,"s0"],"stride":["s0",1]})", "type(f32[2, s0])"},
      {R"({"object":"FakeScriptObject"})", "object(\"FakeScriptObject\")"},
  };
  for (const auto& [json, text] : kForms) {
    std::unique_ptr<Graph> graph = expect_same(with_argument(json, 1));
    EXPECT_EQ(print(graph->find_node("f")->arg(1)), text) << json;
    EXPECT_EQ(graph->meta("format"), Argument(1));
  }
}

TEST_F(JsonTest, ArgumentsOfFormat2) {
  const std::pair<std::string_view, std::string_view> kForms[] = {
      {R"({"tuple":[]})", "()"},
      {R"({"tuple":[1,[{"tuple":[{"n":"x"}]}]]})", "(1, [(%x,)])"},
      {R"({"namedtuple":"pkg.Point","fields":{"x":1,"y":{"n":"x"}}})", "pkg.Point(x=1, y=%x)"},
      {R"({"namedtuple":"torch.return_types.max","fields":{"0":1,"1":2}})",
       "torch.return_types.max(1, 2)"},
      {R"({"namedtuple":"pkg.Empty","fields":{}})", "pkg.Empty()"},
      {R"({"size":[2,"s0 + 1"]})", "torch.Size(2, sym(s0 + 1))"},
      {R"({"dict":[[1,"a"],["k",{"n":"x"}]]})", "{1: \"a\", \"k\": %x}"},
      {R"({"dict":[[{"tuple":[1,2]},"a"],[null,{"n":"x"}]]})",
       "fx.Dict(((1, 2), \"a\"), (None, %x))"},
      {R"({"range":[0,10,3]})", "range(0, 10, 3)"},
      {R"({"ellipsis":true})", "..."},
      {R"({"opaque":"pkg.Color","str":"Color.RED","repr":"<Color.RED: 1>","data":"RED"})",
       "fx.Opaque(class=\"pkg.Color\", str=\"Color.RED\", repr=\"<Color.RED: 1>\", data=\"RED\")"},
      {R"({"opaque":"pkg.Strange","str":"?"})", "fx.Opaque(class=\"pkg.Strange\", str=\"?\")"},
      {R"({"t":"int64","shape":[2],"stride":[1],"class":"pkg.T","param":true,"data":[1,2],)"
       R"x("str":"tensor([1, 2])"})x",
       "fx.Tensor(type=type(i64[2]), class=\"pkg.T\", param=True, data=[1, 2], "
       "str=\"tensor([1, 2])\")"},
      {R"({"type":"int"})", "type(int)"},
      {R"x({"type":"(f32[2], ?)"})x", "type((f32[2], ?))"},
  };
  for (const auto& [json, text] : kForms) {
    std::unique_ptr<Graph> graph = expect_same(with_argument(json));
    EXPECT_EQ(print(graph->find_node("f")->arg(1)), text) << json;
    EXPECT_FALSE(graph->meta("format").has_value());
    // Format 1 has no such form, so that the graph goes out in format 2.
    graph->set_meta("format", 1);
    EXPECT_THAT(write(*graph), HasSubstr("\"format\":2"));
    expect_round_trip(*graph);
  }
}

TEST_F(JsonTest, ForeignValuesGiveTheirTexts) {
  std::unique_ptr<Graph> graph = read(with_argument(
      R"({"opaque":"pkg.Color","str":"Color.RED","repr":"<Color.RED: 1>","data":"RED"})"));
  const ArgumentRef color = graph->find_node("f")->arg(1);
  EXPECT_EQ(foreign_text(color, /*is_repr=*/false), "Color.RED");
  EXPECT_EQ(foreign_text(color, /*is_repr=*/true), "<Color.RED: 1>");
  EXPECT_EQ(struct_field(Argument(color), kOpaqueClass, "data"), Argument("RED"));
  EXPECT_EQ(struct_field(Argument(color), kTensorClass, "data"), std::nullopt);
  EXPECT_EQ(struct_field(Argument(color), kOpaqueClass, "other"), std::nullopt);
  EXPECT_EQ(struct_class("pkg.P(x, y)", 2), "pkg.P");
  for (std::string_view name : {"pkg.P(x, y)", "pkg.P(x, x, y)", "pkg.P(x,  y)", "pkg.P(x, y, )"})
    EXPECT_EQ(struct_class(name, 3), name);
}

// Texts that JSON cannot hold travel as code points, as Python holds them.
TEST_F(JsonTest, StringsOfAnyBytes) {
  Graph graph(context_);
  graph.output(Argument::dict({{"a\xff", Argument("\xed\xa0\x80 \xc3\xa9 \x80")}}));
  expect_round_trip(graph);
  EXPECT_THAT(write(graph), HasSubstr(R"("data":[56557,56480,56448,32,233,32,56448])"));
  // A lone surrogate that stands for no byte is no text of ours.
  expect_same(with_argument(R"({"opaque":"builtins.str","str":"\\ud800","data":[55296]})"));
}

TEST_F(JsonTest, NestedAsDeeplyAsArgumentsMay) {
  Argument list = 1, tuple = 1, dict = 1;
  for (int i = 0; i < kMaxArgumentDepth; ++i) {
    list = Argument::list({list});
    tuple = Argument::tuple({tuple});
    dict = Argument::dict({{i, dict}});
  }
  Graph graph(context_);
  graph.call_function(context_.function("f"), {list, tuple, dict});
  expect_round_trip(graph);
  const std::string deeper(kMaxArgumentDepth + 1, '[');
  const std::string end(kMaxArgumentDepth + 1, ']');
  expect_error(with_argument(deeper + end), "arguments nest deeper than 256 levels");
}

// ---------------------------------------------------------------- values

TEST_F(JsonTest, Values) {
  const std::pair<std::string_view, std::string_view> kForms[] = {
      {R"({"t":"float32","shape":[2,3],"stride":[3,1]})", "f32[2, 3]"},
      {R"({"t":"float32","shape":[],"stride":[]})", "f32[]"},
      {R"({"t":"int8","shape":["s0",2],"stride":[1,"s0"],"offset":"s0 + 1","device":"cuda:0",)"
       R"("rg":true})",
       "i8[s0, 2][1, s0]cuda:0{offset=s0 + 1, grad}"},
      {R"({"t":"float32","shape":[2],"layout":"sparse_coo"})", "f32[2]{layout=sparse_coo}"},
      {R"({"t":"float32","shape":[2]})", "f32[2][?]"},
      {"null", "none"},
      {"true", "bool(True)"},
      {"3", "int(3)"},
      {"3.0", "float(3.0)"},
      {R"({"f":"inf"})", "float(inf)"},
      {R"({"complex":[1.0,2.0]})", "complex(1.0, 2.0)"},
      {R"("text")", "str(\"text\")"},
      {R"({"sym":"s77 + 1","kind":"int"})", "SymInt(s77 + 1)"},
      {R"({"sym":"s77","kind":"float"})", "SymFloat(s77)"},
      {R"([{"t":"float32","shape":[],"stride":[]},null])", "[f32[], none]"},
      {R"({"tuple":[1,{"type":"?"}]})", "(int(1), ?)"},
      {R"({"map":{"a":1}})", "{\"a\": int(1)}"},
      {R"({"object":"Name"})", "object(\"Name\")"},
      {R"({"type":"int"})", "int"},
  };
  for (const auto& [json, text] : kForms) {
    const std::string node = R"({"name":"x","op":"placeholder","target":"x","val":)";
    std::unique_ptr<Graph> graph = expect_same(document(node + std::string(json) + "}"));
    EXPECT_EQ(to_string(graph->front()->type()), text) << json;
    EXPECT_TRUE(graph->front()->meta().empty());
  }
}

// Where a type cannot say it all, the rest is kept as meta data, as long as the type is the same.
TEST_F(JsonTest, ValuesBeyondTypes) {
  const std::pair<std::string_view, std::string_view> kForms[] = {
      {R"({"t":"float32","shape":[2],"stride":[1],"class":"pkg.Sub"})", "f32[2]"},
      {R"([{"t":"float32","shape":[2],"stride":[1],"class":"pkg.Sub"},3])", "[f32[2], int(3)]"},
      {R"({"dtype":"float32"})", "?"},
      {R"({"map":{"a":{"slice":[1,2,3]}}})", "?"},
  };
  for (const auto& [json, text] : kForms) {
    const std::string node = R"({"name":"x","op":"placeholder","target":"x","val":)";
    std::unique_ptr<Graph> graph = expect_same(document(node + std::string(json) + "}"));
    EXPECT_EQ(to_string(graph->front()->type()), text) << json;
    EXPECT_TRUE(graph->front()->meta().find("val"));
    graph->front()->set_type(context_.types().integer());
    EXPECT_THAT(write(*graph), HasSubstr(R"("val":{"type":"int"})"));
    expect_round_trip(*graph);
  }
}

TEST_F(JsonTest, NullMeansNotKnownInFormat1AndNoneInFormat2) {
  const std::string node = R"({"name":"x","op":"placeholder","target":"x","val":null})";
  std::unique_ptr<Graph> first = expect_same(document(node, "", 1));
  EXPECT_FALSE(first->front()->type());
  std::unique_ptr<Graph> second = expect_same(document(node));
  EXPECT_TRUE(second->front()->type().is_none());
  first->front()->set_type(context_.types().none());
  expect_round_trip(*first);
}

// ---------------------------------------------------------------- nodes

TEST_F(JsonTest, AllOpcodesAndKeys) {
  std::unique_ptr<Graph> graph = expect_same(document(
      R"({"name":"x","op":"placeholder","target":"*x","args":[null]},)"
      "\n"
      R"({"name":"w","op":"get_attr","target":"layer.weight"},)"
      "\n"
      R"({"name":"m","op":"call_module","target":"layer","args":[{"n":"x"}],"kwargs":{"scale":2},)"
      R"("meta":{"seq":5,"fx.seq":"odd"}},)"
      "\n"
      R"({"name":"v","op":"call_method","target":"view","args":[{"n":"m"},-1],"val":3,)"
      R"("region":"bw","seq":4,"module":"layer","type":"torch.Tensor",)"
      R"("module_stack":[["layer@1","layer","torch.nn.modules.linear.Linear","text"]],)"
      R"("stack_trace":"File \"m.py\"\n","tensor_meta":{"tuple":[{"t":"float32","shape":[2],)"
      R"("stride":[1],"memory_format":"contiguous_format"},{"t":"float32","shape":[2],)"
      R"("stride":[1],"memory_format":null}]},"original_aten":"aten.view.default",)"
      R"("source_fn":[["l",{"op":"torch.relu"}],["m","text"]],)"
      R"("from_node":[{"name":"a","graph_id":12,"from_node":[]}],)"
      R"("meta":{"note":{"tuple":[1]}}},)"
      "\n" +
      std::string(kOutput) + R"("args":[{"n":"v"}]})"));
  const Node& x = *graph->find_node("x");
  EXPECT_EQ(x.target(), "*x");
  ASSERT_EQ(x.num_args(), 1u);
  EXPECT_TRUE(x.arg(0).is_none());
  const Node& m = *graph->find_node("m");
  EXPECT_EQ(m.op(), Opcode::kCallModule);
  EXPECT_EQ(m.kwarg("scale")->as_int(), 2);
  // A user's entry is not taken for ours, nor ours, in another form, for a user's.
  EXPECT_EQ(*m.meta().find("python.seq"), Argument(5));
  EXPECT_EQ(*m.meta().find("seq"), Argument("odd"));
  const NodeMeta meta = graph->find_node("v")->meta();
  EXPECT_EQ(meta.get(meta::kRegion), "bw");
  EXPECT_EQ(meta.get(meta::kSeq), 4);
  EXPECT_EQ(meta.get(meta::kModule), "layer");
  EXPECT_EQ(meta.get(meta::kAnnotation), "torch.Tensor");
  EXPECT_EQ(meta.get(meta::kStackTrace), "File \"m.py\"\n");
  EXPECT_EQ(meta.get(meta::kOriginalAten), "aten.view.default");
  EXPECT_TRUE(meta.find("note")->is_tuple());
}

TEST_F(JsonTest, MetaDataThatItsPlaceDoesNotTake) {
  Graph graph(context_);
  Node* x = graph.placeholder("x");
  Node* output = graph.output(x);
  for (std::string_view key :
       {"val", "region", "seq", "module", "annotation", "module_stack", "stack_trace",
        "tensor_meta", "original_aten", "source_fn", "from_node", "input", "outputs", "fx.seq",
        "fx.fx.module", "python.seq", "meta", "args"}) {
    x->meta().set(key, Argument::tuple({1.5, "odd"}));
    output->meta().set(key, Argument::list({Argument::dict({{1, 2}})}));
  }
  expect_round_trip(graph);
  x->meta().set("region", Argument("sideways"));
  x->meta().set("from_node", Argument::list({1, Argument::object("x")}));
  x->meta().set("source_fn", Argument::list({Argument::list({"a", 1})}));
  x->meta().set("module_stack", Argument::list({Argument::list({"a", "b"})}));
  x->meta().set("val", Argument(3));
  x->meta().set("module", Argument("\xff"));
  expect_round_trip(graph);
}

TEST_F(JsonTest, NamesAreKeptExactly) {
  std::unique_ptr<Graph> graph =
      expect_same(document(R"({"name":"sum","op":"placeholder","target":"x"},)"
                           "\n"
                           R"({"name":"a b","op":"placeholder","target":"y"},)"
                           "\n"
                           R"({"name":"x_01","op":"placeholder","target":"z"},)"
                           "\n"
                           R"({"name":"x_7","op":"placeholder","target":"u"})"));
  // Names given from then on come after those.
  EXPECT_EQ(graph->placeholder("x_7")->name(), "x_8");
}

TEST_F(JsonTest, UsersStandInProgramOrder) {
  const std::string text =
      document(std::string(kX) + ",\n" +
               R"({"name":"a","op":"call_function","target":"f","args":[{"n":"x"},{"n":"c"}]},)"
               "\n"
               R"({"name":"b","op":"call_function","target":"f","args":[{"n":"x"}]},)"
               "\n"
               R"({"name":"c","op":"call_function","target":"f","args":[[{"n":"x"}]],)"
               R"("kwargs":{"k":{"n":"b"}}},)"
               "\n" +
               std::string(kOutput) + R"("args":[{"n":"c"}]})");
  std::unique_ptr<Graph> graph = expect_same(text);
  std::string users;
  for (const Node* user : graph->front()->users()) users += user->name();
  EXPECT_EQ(users, "abc");
  const VerifierReport report = verify(*graph);
  ASSERT_EQ(report.findings.size(), 1u) << report.str();
  EXPECT_EQ(report.findings[0].invariant, Invariant::kOperandOrder);
  EXPECT_THAT(read_json(context_, text, {.allow_forward_references = false}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("at /graph/nodes/1/args/1/n (node a): node c is read before")));
}

TEST_F(JsonTest, SeveralOutputsAreReadAndReported) {
  std::unique_ptr<Graph> graph =
      expect_same(document(std::string(kOutput) + R"("args":[1]},)" +
                           "\n"
                           R"({"name":"output_1","op":"output","target":"output","args":[2]})"));
  EXPECT_FALSE(verify(*graph).ok());
  EXPECT_THAT(graph->create_node(Opcode::kOutput, "output", {Argument(3)}),
              StatusIs(absl::StatusCode::kFailedPrecondition));
}

// ---------------------------------------------------------------- graphs

TEST_F(JsonTest, NestedGraphs) {
  const std::string text = R"({
"format":2,
"graph":{
 "nodes":[
  {"name":"body","op":"get_attr","target":"body"},
  {"name":"f","op":"call_function","target":"f","args":[{"n":"body"},{"graph":"then"}]},
  {"name":"g","op":"call_function","target":"f","args":[{"graph":{"nodes":[{"name":"output","op":"output","target":"output","args":[7]}]}}]}
 ],
 "subgraphs":{
  "body":{
   "nodes":[
    {"name":"output","op":"output","target":"output","args":[null]}
   ],
   "subgraphs":{
    "inner":{
     "nodes":[],
     "meta":{"note":1}
    }
   }
  },
  "then":{
   "nodes":[]
  }
 },
 "calling_convention":{"orig_args":["x"],"in_spec":null,"out_spec":"s"},
 "meta":{"note":{"tuple":[1]}}
}
}
)";
  std::unique_ptr<Graph> graph = expect_same(text);
  ASSERT_EQ(graph->num_subgraphs(), 3u);
  EXPECT_EQ(graph->find_node("f")->arg(1).as_graph(), 1u);
  EXPECT_EQ(graph->find_node("g")->arg(0).as_graph(), 2u);
  EXPECT_EQ(graph->subgraph(2).front()->arg(0).as_int(), 7);
  EXPECT_EQ(graph->find_subgraph("body")->subgraph(0).meta("note"), Argument(1));
  EXPECT_TRUE(verify(*graph).ok());
}

TEST_F(JsonTest, GraphArgumentsInAnyOrder) {
  // Inline only where the reader makes the same names and numbers of it.
  for (const std::vector<uint32_t>& order :
       {std::vector<uint32_t>{0, 1}, std::vector<uint32_t>{1, 0}, std::vector<uint32_t>{0, 0, 1},
        std::vector<uint32_t>{0}, std::vector<uint32_t>{}}) {
    Graph graph(context_);
    for (const char* name : {"_graph_0", "_graph_1"})
      FX_CHECK_OK(graph.add_subgraph(name, std::make_unique<Graph>(context_)));
    for (uint32_t index : order)
      graph.call_function(context_.function("f"), {Argument::list({Argument::graph(index)})});
    expect_round_trip(graph);
    graph.get_attr("_graph_1");
    expect_round_trip(graph);
  }
}

TEST_F(JsonTest, GraphsOfModulesComeAlong) {
  const std::string body = R"({"nodes":[{"name":"i","op":"get_attr","target":"inner"},)"
                           R"({"name":"output","op":"output","target":"output","args":[1]}]})";
  std::string text = document(R"({"name":"b","op":"get_attr","target":"body"})");
  text.resize(text.size() - 3);
  text +=
      ",\n\"modules\":[{\"path\":\"\",\"class\":\"C\"},{\"path\":\"body\",\"class\":\"C\","
      "\"graph\":" +
      body +
      "},{\"path\":\"body.inner\",\"class\":\"C\",\"graph\":{\"nodes\":[]}},"
      "{\"path\":\"other\",\"class\":\"C\",\"graph\":{\"nodes\":[]}}]}";
  std::unique_ptr<Graph> graph = read(text);
  ASSERT_EQ(graph->num_subgraphs(), 1u);
  EXPECT_EQ(graph->subgraph(0).size(), 2u);
  EXPECT_TRUE(graph->subgraph(0).find_subgraph("inner"));
}

// ---------------------------------------------------------------- documents

TEST_F(JsonTest, DocumentKeys) {
  const std::string before =
      R"x(,
"model":"net",
"kind":"joint",
"torch":"2.13.0",
"symbols":{"s0":{"min":2,"max":null}},
"inputs":[
 {"name":"x","kind":"parameter","of":{"index":0}}
],
"outputs":[
 {"name":"x","kind":"gradient"},
 {"name":null,"kind":"none"},
 {"name":"","kind":"constant","value":4}
],
"guards":["Eq(s0, s1)"],
"deterministic":false,
"mine":[
 {"a":1.0},
 2
])x";
  const std::string text = document(
      std::string(kX) + ",\n" + std::string(kOutput) + R"("args":[[{"n":"x"},null,4]]})", before);
  std::unique_ptr<Graph> graph = expect_same(text);
  EXPECT_EQ(graph_name(*graph), "net");
  EXPECT_EQ(graph->meta("deterministic"), Argument(false));
  EXPECT_EQ((*graph->meta("mine"))[0], Argument::dict({{"a", 1.0}}));
  Node* x = graph->find_node("x");
  EXPECT_EQ(*x->meta().find("input"),
            Argument::dict({{"kind", "parameter"}, {"of", Argument::dict({{"index", 0}})}}));
  // The names follow the nodes.
  x->rename("weight");
  const std::string renamed = write(*graph);
  EXPECT_THAT(renamed, AllOf(HasSubstr(R"({"name":"weight","kind":"parameter")"),
                             HasSubstr(R"({"name":"weight","kind":"gradient"})"),
                             HasSubstr(R"({"name":null,"kind":"none"})")));
  expect_round_trip(*graph);
}

TEST_F(JsonTest, InputsWithoutWords) {
  const std::string nodes =
      std::string(kX) + ",\n" + R"({"name":"y","op":"placeholder","target":"y"})";
  expect_same(document(nodes, ",\n\"inputs\":[\n {\"name\":\"x\"},\n {\"name\":\"y\"}\n]"));
  std::unique_ptr<Graph> graph = expect_same(document(
      nodes, ",\n\"inputs\":[\n {\"name\":\"x\"},\n {\"name\":\"y\",\"kind\":\"buffer\"}\n]"));
  EXPECT_TRUE(graph->front()->meta().empty());
  expect_same(
      document(std::string(kOutput) + "\"args\":[1]}", ",\n\"inputs\":[],\n\"outputs\":[]"));
}

TEST_F(JsonTest, MetaDataOfGraphsThatIsNoPlainJson) {
  Graph graph(context_);
  for (std::string_view key : {"format", "inputs", "outputs", "graph", "functions", "modules",
                               "warnings", "model", "calling_convention", "meta", "\xff"}) {
    graph.set_meta(key, Argument::tuple({key.size(), "odd"}));
    if (key == "\xff") {
      EXPECT_THAT(write_json(graph),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not UTF-8")));
    } else {
      expect_round_trip(graph);
    }
  }
}

TEST_F(JsonTest, SpellingsOfFunctions) {
  const std::string row =
      R"({"my.f":{"name":"F","listing":"my.listing","repr":"<f>","inner":"<f!>"},)"
      R"("my.g":{"repr":"<g>","unresolved":true},"my.h":{"listing":"H"}})";
  const std::string text =
      R"({
"format":2,
"graph":{
 "nodes":[
  {"name":"f","op":"call_function","target":"my.f","args":[{"op":"my.h"}]},
  {"name":"g","op":"call_function","target":"my.g","args":[]}
 ]
},
"functions":)" +
      row + "\n}\n";
  std::unique_ptr<Graph> graph = expect_same(text);
  const TargetData& f = *graph->find_node("f")->function().data();
  EXPECT_EQ(f.base_name.str(), "F");
  EXPECT_EQ(f.listing.str(), "my.listing");
  EXPECT_EQ(f.repr.str(), "<f>");
  EXPECT_EQ(f.inner.str(), "<f!>");
  // A function that the Context knows otherwise keeps its spelling, and the document its row.
  const std::string other = R"({
"format":2,
"graph":{
 "nodes":[
  {"name":"f","op":"call_function","target":"my.f","args":[]}
 ]
},
"functions":{"my.f":{"listing":"another"}}
}
)";
  expect_same(other);
  EXPECT_EQ(context_.function("my.f").data()->listing.str(), "my.listing");
}

// parity: S2
TEST_F(JsonTest, FunctionsThatNobodyKnowsAreKeptAndReported) {
  const std::string text =
      document(R"({"name":"f","op":"call_function","target":"my.f","args":[]},)"
               "\n"
               R"({"name":"g","op":"call_function","target":"my.f","args":[]},)"
               "\n"
               R"({"name":"h","op":"call_function","target":"aten.relu.default","args":[]})");
  std::vector<std::string> warnings;
  std::unique_ptr<Graph> graph = read(text, {.warnings = &warnings});
  EXPECT_EQ(write(*graph), text);
  EXPECT_THAT(warnings, ::testing::ElementsAre(HasSubstr("node f calls my.f, which no operator")));
}

// parity: S2
TEST_F(JsonTest, MetaDataMayBeLeftOut) {
  Graph graph(context_);
  Node* x = graph.placeholder("x");
  x->meta().set(meta::kSeq, 1);
  x->meta().set(meta::kModule, "layer");
  x->meta().set("note", Argument(2));
  const JsonWriteOptions options = {
      .keep_meta = [](std::string_view key) { return key == "module" || key == "input"; }};
  FX_ASSERT_OK_AND_ASSIGN(const std::string text, write_json(graph, options));
  EXPECT_THAT(text, HasSubstr(R"({"name":"x","op":"placeholder","target":"x","module":"layer"})"));
  EXPECT_EQ(x->meta().get(meta::kSeq), 1);
}

// ---------------------------------------------------------------- errors

TEST_F(JsonTest, SyntaxErrorsHaveLineAndColumn) {
  expect_error("", "not valid JSON at line 1, column 1");
  expect_error("{\"format\":2,\n \"graph\":}", "not valid JSON at line 2, column 10");
  expect_error("{\"format\":2,\n \"graph\":{}", "not valid JSON at line 2, column");
  expect_error("[1, 2", "not valid JSON at line 1");
  expect_error("{} {}", "not valid JSON at line 1, column 4");
  expect_error("[\"\xff\"]", "not valid JSON");
  expect_error("[\"\\ud800\"]", "not valid JSON");
  expect_error("[1e999]", "not valid JSON");
  expect_error(std::string("[\0]", 3), "not valid JSON");
}

TEST_F(JsonTest, ErrorsHaveTheirPlace) {
  auto in_argument = [&](std::string_view argument, std::string_view message) {
    expect_error(with_argument(argument), message);
    expect_error(with_argument(argument), "at /graph/nodes/1/args/1");
    expect_error(with_argument(argument), "(node f)");
  };
  in_argument(R"({"n":"y"})", "there is no node called y in this graph");
  in_argument(R"({"n":1})", "expected the name of a node, not an integer");
  in_argument("{}", "this one is empty");
  in_argument(R"({"unknown":1})", "there is no form of argument \"unknown\"");
  in_argument(R"({"map":{},"more":1})", "the key \"more\" is unknown here");
  in_argument("9223372036854775808", "integer 9223372036854775808 does not fit 64 bits");
  in_argument("-9223372036854775809", "integer -9223372036854775809 does not fit 64 bits");
  in_argument(R"({"f":"infinity"})", "expected \"inf\", \"-inf\" or \"nan\"");
  in_argument(R"({"complex":[1.0]})", "two parts");
  in_argument(R"({"slice":[1,2]})", "three parts");
  in_argument(R"({"range":[1,2,"x"]})", "three parts, integers");
  in_argument(R"({"ellipsis":false})", "expected true, not a bool");
  in_argument(R"({"dtype":"float33"})", "there is no dtype \"float33\"");
  in_argument(R"({"layout":"round"})", "there is no layout \"round\"");
  in_argument(R"({"memory_format":"x"})", "there is no memory_format \"x\"");
  in_argument(R"({"device":"toaster"})", "there is no device \"toaster\"");
  in_argument(R"({"op":""})", "there is no op \"\"");
  in_argument(R"({"op":1})", "expected a string, not an integer");
  in_argument(R"({"sym":"s0 +","kind":"int"})", "/sym");
  in_argument(R"({"sym":"s0"})", "the key \"kind\" is missing");
  in_argument(R"({"sym":"s0","kind":"text"})", "int, float or bool");
  in_argument(R"({"type":"f32["})", "/type");
  in_argument(R"({"t":"float32","shape":[1,2],"stride":[1]})", "2 sizes, but 1 strides");
  in_argument(R"({"t":"float32","shape":[1.5]})", "expected an integer or an expression");
  in_argument(R"({"t":"float32","shap":[1]})", "the key \"shap\" is unknown here");
  in_argument(R"({"t":"float32","shape":[1],"memory_format":"x"})", "no memory format \"x\"");
  in_argument(R"({"dict":[[1,2],[1,3]]})", "a key occurs twice in a dict");
  in_argument(R"({"dict":[[1]]})", "a list of two, key and value");
  in_argument(R"({"dict":[[{"n":"x"},1]]})", "a node is not allowed here");
  in_argument(R"({"map":{"a":1,"a":2}})", "the key \"a\" occurs twice in one object");
  in_argument(R"({"namedtuple":"P","fields":{"a b":1}})", "identifiers");
  in_argument(R"({"namedtuple":"P"})", "the key \"fields\" is missing");
  in_argument(R"({"opaque":"C","data":{"n":"x"}})", "a node is not allowed here");
  in_argument(R"({"graph":"nowhere"})", "there is no nested graph called nowhere");
  // Of nested graphs, the pointer leads to the innermost node, which is named.
  expect_error(with_argument(R"({"graph":{"nodes":[{"name":"a"}]}})"),
               "at /graph/nodes/1/args/1/graph/nodes/0 (node a): the key \"op\" is missing");
}

TEST_F(JsonTest, ErrorsOfNodes) {
  auto in_node = [&](std::string_view node, std::string_view message) {
    expect_error(document(node), message);
    expect_error(document(node), "at /graph/nodes/0");
  };
  in_node("1", "expected a node, not an integer");
  in_node(R"({"op":"output","target":"o","args":[1]})", "the key \"name\" is missing");
  in_node(R"({"name":"a","target":"o"})", "the key \"op\" is missing");
  in_node(R"({"name":"a","op":"output","args":[1]})", "the key \"target\" is missing");
  in_node(R"({"name":1,"op":"output","target":"o"})", "expected the name of the node");
  in_node(R"({"name":"a","op":"jump","target":"o"})", "there is no opcode \"jump\"");
  in_node(R"({"name":"a","op":"output","target":"o"})", "exactly one argument");
  in_node(R"({"name":"a","op":"placeholder","target":"x","args":[1,2]})", "default value");
  in_node(R"({"name":"a","op":"placeholder","target":"x","color":1})", "no key \"color\"");
  in_node(R"({"name":"a","op":"call_function","target":"","args":[]})", "not empty");
  in_node(R"({"name":"a","op":"call_function","target":"f","args":{}})", "a list of arguments");
  in_node(R"({"name":"a","op":"call_function","target":"f","kwargs":[]})",
          "an object of arguments");
  in_node(R"({"name":"a","op":"call_function","target":"f","seq":"1"})", "expected an integer");
  in_node(R"({"name":"a","op":"call_function","target":"f","module":1})", "expected a string");
  in_node(R"({"name":"a","op":"call_function","target":"f","module_stack":1})", "expected a list");
  in_node(R"({"name":"a","op":"call_function","target":"f","meta":[]})", "expected an object");
  in_node(R"({"name":"a","op":"call_function","target":"f","seq":4,"meta":{"fx.seq":5}})",
          "meta data \"seq\" is given twice");
  in_node(R"({"name":"a","op":"call_function","target":"f","meta":{"k":{"n":"a"}}})",
          "a node is not allowed here");
  expect_error(document(std::string(kX) + ",\n" + std::string(kX)),
               "at /graph/nodes/1 (node x): there is a node called x already");
}

TEST_F(JsonTest, ErrorsOfDocuments) {
  expect_error("1", "expected a document, an object, not an integer");
  expect_error("{}", "no interchange document");
  expect_error(R"({"format":3,"graph":{"nodes":[]}})", "formats 1 and 2 are known");
  expect_error(R"({"format":2,"graph":1})", "at /graph: expected a graph");
  expect_error(R"({"format":2,"graph":{}})", "the key \"nodes\" is missing");
  expect_error(R"({"format":2,"graph":{"nodes":{}}})", "expected a list of nodes");
  expect_error(R"({"format":2,"graph":{"nodes":[],"edges":[]}})", "no key \"edges\"");
  expect_error(document(kX, ",\n\"inputs\":[]"), "0 inputs, but 1 placeholders");
  expect_error(document(kX, ",\n\"inputs\":[{\"name\":\"y\"}]"),
               "at /inputs/0/name: this is the entry of placeholder x");
  expect_error(document(kX, ",\n\"outputs\":[]"), "no output node");
  expect_error(document(kX, ",\n\"big\":[1,18446744073709551616]"),
               "at /big/1: the integer 18446744073709551616 does not fit 64 bits");
  expect_error(R"({"format":2,"graph":{"nodes":[]},"functions":{"f":{"repr":1}}})",
               "at /functions/f/repr");
  expect_error(R"({"format":2,"graph":{"nodes":[]},"a/b~c":[{"x":1,"x":2}]})", "at /a~1b~0c/0/x");
}

TEST_F(JsonTest, WritingNamesThatAreNoText) {
  Graph graph(context_);
  graph.placeholder("x", {.exact_name = split_name(context_.symbols(), "\xff")});
  EXPECT_THAT(write_json(graph),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("not UTF-8")));
}

// ---------------------------------------------------------------- bounds

TEST_F(JsonTest, DeepNestingIsRefused) {
  constexpr size_t kDepth = 1'000'000;
  for (const auto& [open, close] : {std::pair<std::string, std::string>{"[", "]"},
                                    {"{\"map\":{\"a\":", "}}"},
                                    {"{\"tuple\":[", "]}"},
                                    {"{\"graph\":{\"nodes\":[{\"args\":[", "]}]}}"}}) {
    std::string text;
    for (size_t i = 0; i < kDepth; ++i) text += open;
    text += "1";
    expect_error(with_argument(text), "nest deeper than 1024 levels");  // never closed
    for (size_t i = 0; i < kDepth; ++i) text += close;
    expect_error(with_argument(text), "nest deeper than 1024 levels");
    expect_error(text, "nest deeper than 1024 levels");
  }
}

TEST_F(JsonTest, DeepGraphsAreRefused) {
  std::string open, close;
  for (int i = 0; i < kMaxGraphDepth + 1; ++i) {
    open += R"({"nodes":[],"subgraphs":{"g":)";
    close += "}}";
  }
  expect_error("{\"format\":2,\"graph\":" + open + "{\"nodes\":[]}" + close + "}",
               "graphs nest deeper than 64 levels");
  auto graph = std::make_unique<Graph>(context_);
  for (int i = 0; i < 1000; ++i) {
    auto around = std::make_unique<Graph>(context_);
    FX_CHECK_OK(around->add_subgraph("g", std::move(graph)));
    graph = std::move(around);
  }
  EXPECT_THAT(write_json(*graph), StatusIs(absl::StatusCode::kInvalidArgument,
                                           HasSubstr("graphs nest deeper than 64 levels")));
}

TEST_F(JsonTest, LongChain) {
  Graph graph(context_);
  Node* value = graph.placeholder("x");
  for (int i = 0; i < 1'000'000; ++i)
    value = graph.call_function(context_.function("aten.neg.default"), {value});
  graph.output(value);
  expect_round_trip(graph);
}

// Cut short or with a bit flipped, a document is read or refused, never more.
TEST_F(JsonTest, DamagedDocuments) {
  testing::RandomGraphOptions options;
  options.max_nodes = 10;
  const std::string text = write(*testing::random_graph(context_, 7, options));
  size_t refused = 0;
  for (size_t length = 0; length < text.size(); length += 7)
    refused += !read_json(context_, text.substr(0, length)).ok();
  EXPECT_EQ(refused, (text.size() + 6) / 7);
  testing::Random random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    damaged[random.below(text.size())] ^= static_cast<char>(1 << random.below(8));
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_json(context_, damaged);
    if (graph.ok()) {
      EXPECT_THAT(write_json(**graph), IsOk());
    }
  }
}

// ---------------------------------------------------------------- random graphs

// parity: S3 M14
TEST_F(JsonTest, RandomGraphs) {
  for (uint64_t seed = 0; seed < 10'000; ++seed) {
    std::unique_ptr<Graph> graph = testing::random_graph(context_, seed);
    expect_round_trip(*graph);
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed;
      return;
    }
  }
}

TEST_F(JsonTest, RandomConstantsOfAnyBytes) {
  testing::Random random(3);
  testing::RandomGraphOptions options;
  options.invalid_utf8 = true;
  for (int i = 0; i < 300; ++i) {
    Graph graph(context_);
    for (int k = 0; k < 10; ++k) {
      Node* node = graph.call_function(context_.function("f"),
                                       {testing::random_constant(context_, random, 4, options)});
      node->meta().set("tensor_meta", testing::random_constant(context_, random, 3, options));
      node->meta().set("val", testing::random_constant(context_, random, 3, options));
      node->set_type(testing::random_type(context_, random, 3));
    }
    graph.set_meta("any", testing::random_constant(context_, random, 4, options));
    expect_round_trip(graph);
  }
}

// Another Context, as another process has: the same bytes.
TEST_F(JsonTest, ContextsDoNotMatter) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text = write(*testing::random_graph(context_, seed));
    Context other;
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_json(other, text);
    ASSERT_THAT(graph, IsOk());
    EXPECT_EQ(*write_json(**graph), text) << seed;
    std::unique_ptr<Graph> here = read(text);
    EXPECT_TRUE(structurally_equal(*here, **graph));
    const HashOptions all = {.ignore_names = false, .ignore_meta = false};
    EXPECT_EQ(structural_hash(*here, all), structural_hash(**graph, all));
  }
}

}  // namespace
}  // namespace fx
