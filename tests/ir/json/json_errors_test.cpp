// The interchange JSON: errors with their positions, limits, corrupted files, random graphs.
#include "fx/ir/text/text.h"
#include "fx/ir/verify/hash.h"
#include "tests/ir/json/json_testing.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/sizes.h"

#include <algorithm>
#include <string>

namespace fx::json_errors_test {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

// ---------------------------------------------------------------- errors

TEST_F(JsonTest, SyntaxErrorsIncludeLineAndColumn) {
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

TEST_F(JsonTest, ErrorsIncludeTheirPosition) {
  auto in_argument = [&](std::string_view argument, std::string_view message) {
    expect_error(with_argument(argument), message);
    expect_error(with_argument(argument), "at /graph/nodes/1/args/1");
    expect_error(with_argument(argument), "(node f)");
  };
  in_argument(R"({"n":"y"})", "the graph does not have a node y");
  in_argument(R"({"n":1})", "expected a node name, not an integer");
  in_argument("{}", "an object must have a key");
  in_argument(R"({"unknown":1})", "unknown argument form \"unknown\"");
  in_argument(R"({"map":{},"more":1})", "unknown key \"more\"");
  in_argument("9223372036854775808", "integer 9223372036854775808 does not fit in 64 bits");
  in_argument("-9223372036854775809", "integer -9223372036854775809 does not fit in 64 bits");
  in_argument(R"({"f":"infinity"})", "expected \"inf\", \"-inf\" or \"nan\"");
  in_argument(R"({"complex":[1.0]})", "two parts");
  in_argument(R"({"slice":[1,2]})", "three parts");
  in_argument(R"({"range":[1,2,"x"]})", "must have three integers");
  in_argument(R"({"ellipsis":false})", "expected true, not false");
  in_argument(R"({"dtype":"float33"})", "unknown dtype \"float33\"");
  in_argument(R"({"layout":"round"})", "unknown layout \"round\"");
  in_argument(R"({"memory_format":"x"})", "unknown memory_format \"x\"");
  in_argument(R"({"device":"toaster"})", "unknown device \"toaster\"");
  in_argument(R"({"op":""})", "unknown op \"\"");
  in_argument(R"({"op":1})", "expected a string, not an integer");
  in_argument(R"({"sym":"s0 +","kind":"int"})", "/sym");
  in_argument(R"({"sym":"s0"})", "the key \"kind\" is missing");
  in_argument(R"({"sym":"s0","kind":"text"})", "int, float or bool");
  in_argument(R"({"type":"f32["})", "/type");
  in_argument(R"({"t":"float32","shape":[1,2],"stride":[1]})",
              "the number of strides, 1, differs from the number of sizes, 2");
  in_argument(R"({"t":"float32","shape":[1.5]})", "expected an integer or an expression");
  in_argument(R"({"t":"float32","shap":[1]})", "unknown key \"shap\"");
  in_argument(R"({"t":"float32","shape":[1],"memory_format":"x"})", "unknown memory format \"x\"");
  in_argument(R"({"dict":[[1,2],[1,3]]})", "duplicate key in a dict");
  in_argument(R"({"dict":[[1]]})", "a list of two items, key and value");
  in_argument(R"({"dict":[[{"n":"x"},1]]})", "a node is not allowed in");
  in_argument(R"({"map":{"a":1,"a":2}})", "duplicate key \"a\" in one object");
  in_argument(R"({"namedtuple":"P","fields":{"a b":1}})", "identifiers");
  in_argument(R"({"namedtuple":"P"})", "the key \"fields\" is missing");
  in_argument(R"({"opaque":"C","data":{"n":"x"}})", "a node is not allowed in");
  in_argument(R"({"graph":"nowhere"})", "the graph does not have a nested graph nowhere");
  // For nested graphs, the JSON pointer and the name refer to the innermost node.
  expect_error(with_argument(R"({"graph":{"nodes":[{"name":"a"}]}})"),
               "at /graph/nodes/1/args/1/graph/nodes/0 (node a): the key \"op\" is missing");
}

TEST_F(JsonTest, NodeErrors) {
  auto in_node = [&](std::string_view node, std::string_view message) {
    expect_error(document(node), message);
    expect_error(document(node), "at /graph/nodes/0");
  };
  in_node("1", "expected a node, not an integer");
  in_node(R"({"op":"output","target":"o","args":[1]})", "the key \"name\" is missing");
  in_node(R"({"name":"a","target":"o"})", "the key \"op\" is missing");
  in_node(R"({"name":"a","op":"output","args":[1]})", "the key \"target\" is missing");
  in_node(R"({"name":1,"op":"output","target":"o"})", "expected a node name");
  in_node(R"({"name":"a","op":"jump","target":"o"})", "unknown opcode \"jump\"");
  in_node(R"({"name":"a","op":"output","target":"o"})", "exactly one argument");
  in_node(R"({"name":"a","op":"placeholder","target":"x","args":[1,2]})", "default value");
  in_node(R"({"name":"a","op":"placeholder","target":"x","color":1})", "unknown key \"color\"");
  in_node(R"({"name":"a","op":"call_function","target":"","args":[]})",
          "a function name must not be empty");
  in_node(R"({"name":"a","op":"call_function","target":"f","args":{}})", "a list of arguments");
  in_node(R"({"name":"a","op":"call_function","target":"f","kwargs":[]})",
          "an object of arguments");
  in_node(R"({"name":"a","op":"call_function","target":"f","seq":"1"})", "expected an integer");
  in_node(R"({"name":"a","op":"call_function","target":"f","module":1})", "expected a string");
  in_node(R"({"name":"a","op":"call_function","target":"f","module_stack":1})", "expected a list");
  in_node(R"({"name":"a","op":"call_function","target":"f","meta":[]})", "expected an object");
  in_node(R"({"name":"a","op":"call_function","target":"f","seq":4,"meta":{"fx.seq":5}})",
          "duplicate metadata \"seq\"");
  in_node(R"({"name":"a","op":"call_function","target":"f","meta":{"k":{"n":"a"}}})",
          "a node is not allowed in");
  expect_error(document(std::string(kX) + ",\n" + std::string(kX)),
               "at /graph/nodes/1 (node x): the name x is already used in the graph");
}

TEST_F(JsonTest, DocumentErrors) {
  expect_error("1", "the document must be an object, not an integer");
  expect_error("{}", "not an interchange document");
  expect_error(R"({"format":3,"graph":{"nodes":[]}})", "formats 1 and 2 are supported");
  expect_error(R"({"format":2,"graph":1})", "at /graph: expected a graph");
  expect_error(R"({"format":2,"graph":{}})", "the key \"nodes\" is missing");
  expect_error(R"({"format":2,"graph":{"nodes":{}}})", "expected a list of nodes");
  expect_error(R"({"format":2,"graph":{"nodes":[],"edges":[]}})", "unknown key \"edges\"");
  expect_error(document(kX, ",\n\"inputs\":[]"),
               "the number of inputs, 0, differs from the number of placeholders, 1");
  expect_error(document(kX, ",\n\"inputs\":[{\"name\":\"y\"}]"),
               "at /inputs/0/name: the name must be that of placeholder x");
  expect_error(document(kX, ",\n\"outputs\":[]"), "does not have an output node");
  expect_error(document(kX, ",\n\"big\":[1,18446744073709551616]"),
               "at /big/1: the integer 18446744073709551616 does not fit in 64 bits");
  expect_error(R"({"format":2,"graph":{"nodes":[]},"functions":{"f":{"repr":1}}})",
               "at /functions/f/repr");
  expect_error(R"({"format":2,"graph":{"nodes":[]},"a/b~c":[{"x":1,"x":2}]})", "at /a~1b~0c/0/x");
}

TEST_F(JsonTest, WritingNamesThatAreNotUtf8) {
  Graph graph(context_);
  graph.placeholder("x", {.exact_name = split_name(context_.symbols(), "\xff")});
  EXPECT_THAT(write_json(graph),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("a string must be UTF-8")));
}

// ---------------------------------------------------------------- limits

TEST_F(JsonTest, DeepNestingIsRejected) {
  for (const auto& [open, close] : {std::pair<std::string, std::string>{"[", "]"},
                                    {"{\"map\":{\"a\":", "}}"},
                                    {"{\"tuple\":[", "]}"},
                                    {"{\"graph\":{\"nodes\":[{\"args\":[", "]}]}}"}}) {
    std::string text;
    for (size_t i = 0; i < testing::kManyLevels; ++i) text += open;
    text += "1";
    expect_error(with_argument(text),
                 "are nested more than 1024 levels deep");  // the brackets are not closed
    for (size_t i = 0; i < testing::kManyLevels; ++i) text += close;
    expect_error(with_argument(text), "are nested more than 1024 levels deep");
    expect_error(text, "are nested more than 1024 levels deep");
  }
}

TEST_F(JsonTest, DeepGraphsAreRejected) {
  std::string open, close;
  for (int i = 0; i < kMaxGraphDepth + 1; ++i) {
    open += R"({"nodes":[],"subgraphs":{"g":)";
    close += "}}";
  }
  expect_error("{\"format\":2,\"graph\":" + open + "{\"nodes\":[]}" + close + "}",
               "graphs are nested more than 64 levels deep");
  auto graph = std::make_unique<Graph>(context_);
  for (int i = 0; i < 1000; ++i) {
    auto outer = std::make_unique<Graph>(context_);
    FX_CHECK_OK(outer->add_subgraph("g", std::move(graph)));
    graph = std::move(outer);
  }
  EXPECT_THAT(write_json(*graph),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("graphs are nested more than 64 levels deep")));
}

TEST_F(JsonTest, LongChain) {
  Graph graph(context_);
  Node* value = graph.placeholder("x");
  for (size_t i = 0; i < testing::kManyLevels; ++i)
    value = graph.call_function(context_.function("aten.neg.default"), {value});
  graph.output(value);
  expect_round_trip(graph);
}

// A truncated document is rejected; one with a flipped bit is either read or rejected.
TEST_F(JsonTest, DamagedDocuments) {
  testing::RandomGraphOptions options;
  options.max_nodes = 10;
  const std::string text = write(*testing::random_graph(context_, 7, options));
  for (size_t length = 0; length < text.size() - 1; length += 7) {
    const std::string cut = text.substr(0, length);
    const auto line = 1 + std::count(cut.begin(), cut.end(), '\n');
    EXPECT_THAT(read_json(context_, cut), StatusIs(absl::StatusCode::kInvalidArgument,
                                                   HasSubstr("not valid JSON at line " +
                                                             std::to_string(line) + ", column ")));
  }
  testing::Random random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    damaged[random.below(text.size())] ^= static_cast<char>(1 << random.below(8));
    absl::StatusOr<std::unique_ptr<Graph>> graph = read_json(context_, damaged);
    if (graph.ok()) {
      EXPECT_THAT(write_json(**graph), IsOk());
    } else {
      // Errors state a line and a column, or the path to the value.
      EXPECT_THAT(std::string(graph.status().message()),
                  ::testing::ContainsRegex("at (line [0-9]+, column [0-9]+|/|the top)"));
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

TEST_F(JsonTest, RandomConstantsWithArbitraryBytes) {
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

// A different Context, as in a different process, writes the same bytes.
TEST_F(JsonTest, DocumentsDoNotDependOnTheContext) {
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
}  // namespace fx::json_errors_test
