// Every error of the `.fx` parser: its message and position.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace fx::parser_errors_test {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

enum class Kind { kGraph, kValue };

struct Case {
  std::string_view text;
  std::string_view position;  ///< line:column
  std::string_view message;
};

class ParserErrorsTest : public ::testing::Test {
 protected:
  /// Returns the parser's error for invalid text.
  std::string error(std::string_view text, Kind kind = Kind::kGraph) {
    Context context;
    const absl::Status status = kind == Kind::kGraph ? parse_graph(context, text).status()
                                                     : parse_argument(context, text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    return std::string(status.message());
  }
  void expect_errors(Kind kind, std::initializer_list<Case> cases) {
    for (const auto& [text, position, message] : cases) {
      EXPECT_THAT(error(text, kind), StartsWith("<text>:" + std::string(position) +
                                                ": error: " + std::string(message) + "\n"))
          << text;
    }
  }
};

TEST_F(ParserErrorsTest, ErrorsIncludePositionLineCaretAndHint) {
  Context context;
  const absl::Status status =
      parse_graph(context, "graph(%x) {\n  %mul = aten.mul.Tensor(%x, %y)\n  return %mul\n}\n",
                  {.file_name = "model.fx"})
          .status();
  EXPECT_EQ(status.message(),
            "model.fx:2:30: error: unknown node %y\n"
            "  %mul = aten.mul.Tensor(%x, %y)\n"
            "                             ^\n"
            "hint: define a node in the same graph, before its first use");
}

TEST_F(ParserErrorsTest, ColumnsCountCharacters) {
  EXPECT_EQ(error("[\"\u00e9\u4e16\", ?]", Kind::kValue),
            "<text>:1:8: error: expected a value, found '?'\n"
            "[\"\u00e9\u4e16\", ?]\n"
            "       ^");
}

TEST_F(ParserErrorsTest, StringsAreInDoubleQuotes) {
  EXPECT_THAT(error("['x']", Kind::kValue), EndsWith("hint: put strings in double quotes: \"x\""));
}

TEST_F(ParserErrorsTest, TheCaretIsAlignedAfterTabsAndInvalidBytes) {
  EXPECT_THAT(error("[\t\"\xff\x01\", ?]", Kind::kValue), EndsWith("[\t\"??\", ?]\n \t      ^"));
}

TEST_F(ParserErrorsTest, LongLinesAreShownAroundThePosition) {
  const std::string ones = [] {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "1, ";
    return text;
  }();
  const std::string message = error("[" + ones + "?, " + ones + "]", Kind::kValue);
  EXPECT_THAT(message, StartsWith("<text>:1:3002: error: expected a value, found '?'\n..."));
  EXPECT_LT(message.size(), 400u);
  const size_t line = message.find('\n') + 1, caret = message.rfind('\n') + 1;
  EXPECT_EQ(message[line + message.find('^') - caret], '?');
}

TEST_F(ParserErrorsTest, FilesContainGraphs) {
  expect_errors(Kind::kGraph,
                {
                    {"", "1:1", "the text must contain a graph"},
                    {"x", "1:1", "expected a graph, found \"x\""},
                    {"graf(%x) {}", "1:1", "expected a graph, found \"graf\""},
                    {"%x = f()", "1:1", "expected a graph, found '%'"},
                    {"graph() {} 5", "1:12", "expected a graph, found \"5\""},
                    {"fx 2\ngraph() {}", "1:4", "only version 1 of the text format is supported"},
                    {"fx one", "1:4", "this is not a number"},
                    {"graph() {}\ngraph() {}", "2:1", "the text must contain only one graph"},
                    {"graph(%x) { return %x, %x }", "1:22", "a graph must return one value"},
                    {"graph() {}\nfx 1", "2:1", "expected a graph, found \"fx\""},
                });
}

TEST_F(ParserErrorsTest, FunctionRows) {
  expect_errors(
      Kind::kGraph,
      {
          {"function (", "1:10", "expected the name of a function, found '('"},
          {"function f{", "1:11", "expected '(' after the name of a function, found '{'"},
          {"function f(base=\"f\")", "1:12",
           "a function entry must be name, listing, repr or inner"},
          {"function f(name \"f\")", "1:17", "expected '=' after a key, found '\"'"},
          {"function f(name=f)", "1:17", "expected a quoted string"},
          {"function f(name=\"f\" repr=\"f\")", "1:21", "expected ',' or ')', found 'repr'"},
      });
}

TEST_F(ParserErrorsTest, Graphs) {
  expect_errors(Kind::kGraph,
                {
                    {"graph @(%x) {}", "1:8", "expected the name of the graph, found '('"},
                    {"graph %x {}", "1:7", "expected '(' before the parameters, found '%'"},
                    {"graph(x) {}", "1:7", "expected a parameter such as %x : f32[2], found 'x'"},
                    {"graph(%) {}", "1:8", "expected a name after '%', found ')'"},
                    {"graph(%x %y) {}", "1:10", "expected ',' or ')', found '%'"},
                    {"graph(%x) return %x", "1:11",
                     "expected '{' before the body of the graph, found 'return'"},
                    {"graph(%x) {\n  %y = f(%x)\n", "3:1", "the text ends inside a graph"},
                    {"graph() { graph() {} }", "1:16", "a nested graph must have a name"},
                    {"graph() { graph @a() {} graph @a() {} }", "1:25",
                     "the name a is already used by a nested graph; choose another name"},
                    {"graph() { !kind 1 }", "1:17", "expected '=' after a key, found '1'"},
                    {"graph() { !kind = 1 !kind = 2 }", "1:22", "duplicate graph key kind"},
                    {"graph() { !+ = 1 }", "1:12", "expected a key, found '+'"},
                    {"graph(%x[]) {}", "1:10", "expected a target in the brackets"},
                    {"graph(%x[a b]) {}", "1:12", "expected ']' after the target, found 'b'"},
                    {"graph(%x[*]) {", "1:15", "the text ends inside a graph"},
                    {"graph(%x, %x) {}", "1:11",
                     "the name x is already used in the graph; choose another name"},
                });
}

TEST_F(ParserErrorsTest, Statements) {
  expect_errors(
      Kind::kGraph,
      {
          {"graph() { 5 }", "1:11", "expected a statement, found \"5\""},
          {"graph() { retrun 1 }", "1:11", "expected a statement, found \"retrun\""},
          {"graph() { call_function f() }", "1:11",
           "expected a statement, found \"call_function\""},
          {"graph() { % = f() }", "1:12", "expected a name after '%', found whitespace"},
          {"graph() { %y }", "1:14", "expected '=' after the name of a value, found '}'"},
          {"graph() { %y = }", "1:16", "expected an operation"},
          {"graph() { %y = 5 }", "1:16", "expected an operation"},
          {"graph(%x) { %y = f %x }", "1:20", "expected '(' and the arguments of f, found '%'"},
          {"graph() { %y = return(1) }", "1:16", "\"return\" is not the name of a function"},
          {"graph() { %y = .f() }", "1:16", "\".f\" is not the name of a function"},
          {"graph() { %y = \"f\" 1 }", "1:20", "expected '(' before the arguments, found '1'"},
          {"graph() { %y = call_method (1) }", "1:28", "expected the name of a method, found '('"},
          {"graph() { %y = call_method neg 1 }", "1:32",
           "expected '(' before the arguments, found '1'"},
          {"graph() { %y = call_module }", "1:28", "expected a path, found '}'"},
          {"graph() { %y = get_attr = }", "1:25", "expected a path, found '='"},
          {"graph() { %y = placeholder[] }", "1:28", "expected a target in the brackets"},
          {"graph() { %y = placeholder(1, 2) }", "1:11",
           "a placeholder accepts no argument except its default value"},
          {"graph() { %y = output() }", "1:11",
           "an output must have exactly one argument, the result"},
          {"graph(%x) {\n  %x = f()\n}", "2:3",
           "the name x is already used in the graph; choose another name"},
          {"graph() { return 1 return 2 }", "1:20",
           "the name output is already used in the graph; choose another name"},
      });
}

TEST_F(ParserErrorsTest, ArgumentsAndMetadata) {
  expect_errors(
      Kind::kGraph,
      {
          {"graph() { %y = f(1 2) }", "1:20", "expected ',' or ')', found '2'"},
          {"graph() { %y = f(a=1, a=2) }", "1:23", "duplicate keyword argument a"},
          {"graph() { %y = f(\"a b\"=1, \"a b\"=2) }", "1:27", "duplicate keyword argument a b"},
          {"graph() { %y = f(a=1, 2) }", "1:23",
           "a positional argument follows a keyword argument"},
          {"graph() { %y = f(", "1:18", "expected a value, found the end of the text"},
          {"graph() { %y = f(,) }", "1:18", "expected a value, found ','"},
          {"graph() { %y = f() !seq }", "1:21", "expected '{' after '!', found 'seq'"},
          {"graph() { %y = f() !{1 2} }", "1:24", "expected '=' after a key, found '2'"},
          {"graph() { %y = f() !{=1} }", "1:22", "expected a key, found '='"},
          {"graph() { %y = f() !{a=1, a=2} }", "1:27", "duplicate metadata key a"},
          {"graph() { %y = f() !{a=1 b=2} }", "1:26", "expected ',' or '}', found 'b'"},
          {"graph(%x) { %y = f() !{a=%x} }", "1:26", "a node is not allowed here"},
          {"graph(%x) { !a = %x\n }", "1:18", "a node is not allowed here"},
      });
}

TEST_F(ParserErrorsTest, MissingNodesAndGraphs) {
  expect_errors(
      Kind::kGraph,
      {
          {"graph() { return %x }", "1:18", "unknown node %x"},
          {"graph() {\n  %a = f(%b)\n  %b = f()\n}", "2:10",
           "%b is used before its definition on line 3"},
          {"graph(%x) {\n  graph @g() { return %x }\n}", "2:23", "%x belongs to an outer graph"},
          {"graph() { %a = f(%a) }", "1:18", "unknown node %a"},
          {"graph() { %a = f(@g) }", "1:18", "unknown nested graph @g"},
          {"graph() { %a = f(@) }", "1:19", "expected the name of a graph, found ')'"},
          {"graph() { %a = f(graph(0)) }", "1:18",
           "only metadata may refer to a graph by its index"},
          {"graph() { graph @g() {} %a = f() !{k=@h} }", "1:38", "unknown nested graph @h"},
      });
}

TEST_F(ParserErrorsTest, MissingNodesAndGraphsInValues) {
  expect_errors(Kind::kValue, {
                                  {"%x", "1:1", "a node is not allowed here"},
                              });
}

TEST_F(ParserErrorsTest, Types) {
  expect_errors(Kind::kGraph, {
                                  {"graph(%x : ) {}", "1:12", "expected a type"},
                                  {"graph(%x : f33[2]) {}", "1:12",
                                   "'f33' is not a type; write a tensor as f32[2, 3]"},
                                  {"graph(%x : f32[2) {}", "1:17", "expected ',' or ']'"},
                              });
}

TEST_F(ParserErrorsTest, TypesInValues) {
  expect_errors(Kind::kValue,
                {
                    {"type(f32[", "1:10", "expected a number, a name or '('"},
                    {"type(int", "1:9", "expected ')' after a type, found the end of the text"},
                });
}

TEST_F(ParserErrorsTest, Values) {
  expect_errors(
      Kind::kValue,
      {
          {"", "1:1", "expected a value, found the end of the text"},
          {"1 2", "1:3", "expected the end of the value, found '2'"},
          {"[1 2]", "1:4", "expected ',' or ']', found '2'"},
          {"[1", "1:3", "expected ',' or ']', found the end of the text"},
          {"(1)", "1:1", "parentheses must contain more than one value"},
          {"(1 2)", "1:4", "expected ',' after an item of a tuple, found '2'"},
          {"(1, 2", "1:6", "expected ',' or ')', found the end of the text"},
          {"{1.5: 2}", "1:2", "the keys of a dict must be strings or integers"},
          {"{\"a\": 1, \"a\": 2}", "1:10", "duplicate key in the dict"},
          {"{1: 1, 1: 2}", "1:8", "duplicate key in the dict"},
          {"{1, 2}", "1:3", "expected ':' after the key of a dict, found ','"},
          {"{1: 2 3: 4}", "1:7", "expected ',' or '}', found '3'"},
          {"P(x=1, 2)", "1:8", "a named tuple must name all of its fields or none"},
          {"P(1, x=2)", "1:6", "a named tuple must name all of its fields or none"},
          {"P(x=1, x=2)", "1:2", "duplicate field in this named tuple"},
          {"P(1 2)", "1:5", "expected ',' or ')', found '2'"},
          {"slice(1, 2)", "1:1", "a slice must have three items"},
          {"range(1, 2)", "1:1", "a range must have three integers: start, stop and step"},
          {"range(1, 2, 3.0)", "1:1", "a range must have three integers: start, stop and step"},
          {"complex(1)", "1:1", "a complex number must have two parts"},
          {"complex(1, None)", "1:1", "a complex number must have two parts"},
          {"complex((1,), 2)", "1:1", "a complex number must have two parts"},
          {"device(gpu)", "1:8", "unknown device gpu"},
          {"device(cuda:x)", "1:8", "unknown device cuda:x"},
          {"device(cpu", "1:11", "expected ')' after the device, found the end of the text"},
          {"sym(s0 +)", "1:9", "expected a number, a name or '('"},
          {"sym(s0", "1:7", "expected ')' after a symbolic number, found the end of the text"},
          {"torch.float33", "1:1", "torch.float33 is not a dtype, layout or memory format"},
          {"torch.add", "1:1", "torch.add is not a dtype, layout or memory format"},
          {"op()", "1:4", "expected the name of a function, found ')'"},
          {"op(f", "1:5", "expected ')' after the name of a function, found the end of the text"},
          {"object(x)", "1:8", "expected the text of the object, in quotes"},
          {"object(\"x\"", "1:11",
           "expected ')' after the text of an object, found the end of the text"},
          {"graph(0)", "1:1", "only metadata may refer to a graph by its index"},
          {"graph(x)", "1:7", "this is not a number"},
          {"...(1)", "1:1", "\"...\" is not a named-tuple class"},
          {"None(1)", "1:1", "\"None\" is not a named-tuple class"},
          {"none", "1:1", "\"none\" is not a value"},
          {"?", "1:1", "expected a value, found '?'"},
          {"+1", "1:1", "expected a value, found '+'"},
          {"\u00e9", "1:1", "expected a value, found a character that is not ASCII"},
          {"\x01", "1:1", "expected a value, found byte 0x01"},
      });
}

TEST_F(ParserErrorsTest, Tokens) {
  expect_errors(Kind::kValue,
                {
                    {"\"a", "1:1", "this string has no closing quote on its line"},
                    {"\"a\nb\"", "1:1", "this string has no closing quote on its line"},
                    {"\"\\q\"", "1:2", "unknown escape in a string"},
                    {"\"\\x1g\"", "1:4", "expected 2 hexadecimal digits"},
                    {"\"\\u12\"", "1:4", "expected 4 hexadecimal digits"},
                    {"\"\\ud800\"", "1:2", "an unpaired surrogate is not a character"},
                    {"\"\\ud800\\u0041\"", "1:2", "an unpaired surrogate is not a character"},
                    {"\"\\", "1:1", "this string has no closing quote on its line"},
                    {"1e", "1:3", "an exponent must have digits"},
                    {"1x", "1:1", "this is not a number"},
                    {"1.2.3", "1:1", "this is not a number"},
                    {"-", "1:1", "this is not a number"},
                    {"1e400", "1:1", "this number is out of range for a float"},
                    {"1e-400", "1:1", "this number is out of range for a float"},
                    {"9223372036854775808", "1:1", "this integer does not fit in 64 bits"},
                    {"- 1", "1:1", "this is not a number"},
                });
}
TEST_F(ParserErrorsTest, ManyKeywordArgumentsAreDistinguished) {
  std::string text = "graph() { %y = f(";
  for (int i = 0; i < 100; ++i) text += "k" + std::to_string(i) + "=1, ";
  EXPECT_THAT(error(text + "k99=1) }"), HasSubstr("1:11: error: duplicate keyword argument k99"));
}

TEST_F(ParserErrorsTest, NestingOfGraphsAndValuesIsLimited) {
  const auto nested = [](int count, std::string_view open, std::string_view close) {
    std::string text;
    for (int i = 0; i < count; ++i) text += open;
    for (int i = 0; i < count; ++i) text += close;
    return text;
  };
  Context context;
  EXPECT_THAT(parse_graph(context, nested(kMaxGraphDepth, "graph @g() {", "}")), testing::IsOk());
  EXPECT_THAT(error(nested(kMaxGraphDepth + 1, "graph @g() {", "}")),
              HasSubstr("graphs are nested more than 64 levels deep"));
  EXPECT_THAT(parse_argument(context, nested(kMaxArgumentDepth, "[", "]")), testing::IsOk());
  for (std::string_view open : {"[", "(1, ", "{1: ", "P(", "slice(", "range(", "complex("}) {
    EXPECT_THAT(error(nested(kMaxArgumentDepth + 1, open, ""), Kind::kValue),
                HasSubstr("values are nested more than 256 levels deep"))
        << open;
  }
}

TEST_F(ParserErrorsTest, TheNumberOfGraphsIsLimited) {
  std::string text;
  for (int i = 0; i < kMaxGraphsInText; ++i) text += "graph(){}";
  Context context;
  EXPECT_THAT(parse_graphs(context, text), testing::IsOk());
  EXPECT_THAT(parse_graphs(context, text + "graph(){}"),
              testing::StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr("text must contain at most 16384 graphs")));
}

}  // namespace
}  // namespace fx::parser_errors_test
