// The interchange JSON: round trips and the meaning of each form.
#include "fx/ir/json/json.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/ir/json/json_testing.h"

#include <string>

namespace fx::json_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

// ---------------------------------------------------------------- arguments

// Each form in docs/json.md; the .fx text shows the value that is read.
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
    // Format 1 does not have this form, so the graph is written in format 2.
    graph->set_meta("format", 1);
    EXPECT_THAT(write(*graph), HasSubstr("\"format\":2"));
    expect_round_trip(*graph);
  }
}

TEST_F(JsonTest, OpaqueValuesKeepTheirText) {
  std::unique_ptr<Graph> graph = read(with_argument(
      R"({"opaque":"pkg.Color","str":"Color.RED","repr":"<Color.RED: 1>","data":"RED"})"));
  const ArgumentRef color = graph->find_node("f")->arg(1);
  EXPECT_EQ(python_object_text(color, /*is_repr=*/false), "Color.RED");
  EXPECT_EQ(python_object_text(color, /*is_repr=*/true), "<Color.RED: 1>");
  EXPECT_EQ(struct_field(Argument(color), kOpaqueClass, "data"), Argument("RED"));
  EXPECT_EQ(struct_field(Argument(color), kTensorClass, "data"), std::nullopt);
  EXPECT_EQ(struct_field(Argument(color), kOpaqueClass, "other"), std::nullopt);
  EXPECT_EQ(struct_class("pkg.P(x, y)", 2), "pkg.P");
  for (std::string_view name : {"pkg.P(x, y)", "pkg.P(x, x, y)", "pkg.P(x,  y)", "pkg.P(x, y, )"})
    EXPECT_EQ(struct_class(name, 3), name);
}

// As in Python, strings that JSON cannot represent are written as lists of code points.
TEST_F(JsonTest, StringsWithArbitraryBytes) {
  Graph graph(context_);
  graph.output(Argument::dict({{"a\xff", Argument("\xed\xa0\x80 \xc3\xa9 \x80")}}));
  expect_round_trip(graph);
  EXPECT_THAT(write(graph), HasSubstr(R"("data":[56557,56480,56448,32,233,32,56448])"));
  // A lone surrogate that does not represent a byte is not a valid string.
  expect_same(with_argument(R"({"opaque":"builtins.str","str":"\\ud800","data":[55296]})"));
}

TEST_F(JsonTest, ValuesNestToTheLimitOfArguments) {
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
  expect_error(with_argument(deeper + end), "arguments are nested more than 256 levels deep");
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

// Facts that a type cannot express are kept as metadata while the type is unchanged.
TEST_F(JsonTest, FactsThatTypesCannotExpress) {
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

TEST_F(JsonTest, NullMeansUnknownInFormat1AndNoneInFormat2) {
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
      R"("meta":{"fx.seq":"odd","seq":5}},)"
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
  // A user's entry is not mistaken for one of fxcpp's, and an entry of fxcpp's in a different form
  // is not mistaken for a user's.
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

TEST_F(JsonTest, MetadataInAnUnexpectedForm) {
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
  // New names continue the numbering.
  EXPECT_EQ(graph->placeholder("x_7")->name(), "x_8");
}

TEST_F(JsonTest, UsersAreInProgramOrder) {
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
                       HasSubstr("at /graph/nodes/1/args/1/n (node a): node c is used before")));
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
  // The graph is written inline only if the reader derives the same names and numbers.
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

TEST_F(JsonTest, GraphsOfModulesAreIncluded) {
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
  // The written names are those of the nodes.
  x->rename("weight");
  const std::string renamed = write(*graph);
  EXPECT_THAT(renamed, AllOf(HasSubstr(R"({"name":"weight","kind":"parameter")"),
                             HasSubstr(R"({"name":"weight","kind":"gradient"})"),
                             HasSubstr(R"({"name":null,"kind":"none"})")));
  expect_round_trip(*graph);
}

TEST_F(JsonTest, InputsWithoutDescriptions) {
  const std::string nodes =
      std::string(kX) + ",\n" + R"({"name":"y","op":"placeholder","target":"y"})";
  expect_same(document(nodes, ",\n\"inputs\":[\n {\"name\":\"x\"},\n {\"name\":\"y\"}\n]"));
  std::unique_ptr<Graph> graph = expect_same(document(
      nodes, ",\n\"inputs\":[\n {\"name\":\"x\"},\n {\"name\":\"y\",\"kind\":\"buffer\"}\n]"));
  EXPECT_TRUE(graph->front()->meta().empty());
  expect_same(
      document(std::string(kOutput) + "\"args\":[1]}", ",\n\"inputs\":[],\n\"outputs\":[]"));
}

TEST_F(JsonTest, GraphMetadataThatIsNotPlainJson) {
  Graph graph(context_);
  for (std::string_view key : {"format", "inputs", "outputs", "graph", "functions", "modules",
                               "warnings", "model", "calling_convention", "meta", "\xff"}) {
    graph.set_meta(key, Argument::tuple({key.size(), "odd"}));
    if (key == "\xff") {
      EXPECT_THAT(write_json(graph), StatusIs(absl::StatusCode::kInvalidArgument,
                                              HasSubstr("a string must be UTF-8")));
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
  // A function that already has a different spelling in the Context keeps it, and the document
  // keeps its row.
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
TEST_F(JsonTest, UnknownFunctionsAreKeptAndReported) {
  const std::string text =
      document(R"({"name":"f","op":"call_function","target":"my.f","args":[]},)"
               "\n"
               R"({"name":"g","op":"call_function","target":"my.f","args":[]},)"
               "\n"
               R"({"name":"h","op":"call_function","target":"aten.relu.default","args":[]})");
  std::vector<std::string> warnings;
  std::unique_ptr<Graph> graph = read(text, {.warnings = &warnings});
  EXPECT_EQ(write(*graph), text);
  EXPECT_THAT(warnings,
              ::testing::ElementsAre(HasSubstr("node f calls my.f, which is not in the operator")));
}

// parity: S2
TEST_F(JsonTest, MetadataIsOptional) {
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

}  // namespace
}  // namespace fx::json_test
