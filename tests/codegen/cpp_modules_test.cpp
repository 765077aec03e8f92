// CppOptions::modules: the class has the structure of the model. test_cpp.py and `cpp_models.py
// --modules` (for all models) test that the results are the same.
#include "fx/codegen/cpp/cpp.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace fx {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Returns the struct and its contents, or the error.
std::string emit(std::string_view text) {
  Context context;
  const absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context, text);
  if (!graph.ok()) return std::string(graph.status().message());
  const absl::StatusOr<CppCode> code = cpp_code(**graph, {.modules = true});
  if (!code.ok()) return std::string(code.status().message());
  return code->source.substr(code->source.find("\nstruct "));
}

constexpr std::string_view kInput = "!{input={\"kind\": \"parameter\", \"target\": ";

TEST(CppModules, CallsOfAModuleAreMethodsOfItsStruct) {
  const std::string text = "graph @net(%w : f32[3] " + std::string(kInput) +
                           "\"block.0.weight\"}}, %s : f32[3] " + std::string(kInput) +
                           "\"scale\"}}, %x : f32[3]) {\n"
                           "  %a = aten.mul.Tensor(%x, %w) !{module=\"block.0\", region=\"fw\"}\n"
                           "  %b = aten.mul.Tensor(%a, %s) !{module=\"block\", region=\"fw\"}\n"
                           "  %c = aten.relu.default(%b) !{module=\"block\", region=\"fw\"}\n"
                           "  %d = aten.add.Tensor(%b, %c) !{region=\"fw\"}\n"
                           "  %g = aten.mul.Tensor(%d, %w) !{module=\"block.0\", region=\"bw\"}\n"
                           "  return (%d, %g)\n"
                           "}\n";
  const std::string code = emit(text);
  EXPECT_THAT(code, HasSubstr("struct Net {\n"
                              "  struct Block {\n"
                              "    struct Module0 {\n"
                              "      at::Tensor weight;  // f32[3], block.0.weight\n"
                              "\n"
                              "      at::Tensor forward(at::Tensor x) {\n"
                              "        at::Tensor w = this->weight;\n"
                              "        at::Tensor a = at::mul(x, w);  x.reset();  w.reset();\n"
                              "        return a;\n"
                              "      }\n"
                              "\n"
                              "      at::Tensor backward(at::Tensor d) {\n"
                              "        at::Tensor w = this->weight;\n"
                              "        at::Tensor g = at::mul(d, w);  d.reset();  w.reset();\n"));
  EXPECT_THAT(code, HasSubstr("    Module0 m0;\n"
                              "\n"
                              "    struct ForwardResults {\n"
                              "      at::Tensor b;\n"
                              "      at::Tensor c;\n"
                              "    };\n"
                              "    ForwardResults forward(at::Tensor x, "
                              "at::Tensor s) {\n"
                              "      at::Tensor a = this->m0.forward(std::move(x));\n"
                              "      at::Tensor b = at::mul(a, s);  a.reset();  s.reset();\n"
                              "      at::Tensor c = at::relu(b);\n"
                              "      return {std::move(b), std::move(c)};\n"
                              "    }\n"));
  EXPECT_THAT(code, HasSubstr("  Block block;\n"
                              "  at::Tensor scale;  // f32[3], scale\n"));
  EXPECT_THAT(code, HasSubstr("{\"block.0.weight\", &block.m0.weight},"));
  EXPECT_THAT(code, HasSubstr("    at::Tensor s = this->scale;\n"
                              "    auto [b, c] = this->block.forward(std::move(x), std::move(s));\n"
                              "    at::Tensor d = at::add(b, c);  b.reset();  c.reset();\n"
                              "    at::Tensor g = this->block.backward(d);\n"));
}

TEST(CppModules, SeparatedCallsOfAModuleAreSeveralMethods) {
  const std::string code = emit("graph @net(%w : f32[3] " + std::string(kInput) +
                                "\"fc.weight\"}}, %x) {\n"
                                "  %a = aten.mul.Tensor(%x, %w) !{module=\"fc\"}\n"
                                "  %b = aten.mul.Tensor(%a, %w)\n"
                                "  %c = aten.mul.Tensor(%b, %a) !{module=\"fc\"}\n"
                                "  return %c\n"
                                "}\n");
  EXPECT_THAT(code, HasSubstr("    at::Tensor w = this->fc.weight;\n"
                              "    at::Tensor a = this->fc.forward(std::move(x));\n"
                              "    at::Tensor b = at::mul(a, w);  w.reset();\n"
                              "    at::Tensor c = this->fc.forward_1(std::move(b), "
                              "std::move(a));\n"));
}

TEST(CppModules, NamesOfModulesAreEscaped) {
  const std::string code = emit(
      "graph @net(%x) {\n"
      "  %w = get_attr \"class.}; int y\"\n"
      "  %a = aten.mul.Tensor(%x, %w) !{module=\"class.}; abort()\"}\n"
      "  %b = aten.relu.default(%a) !{module=\"forward.forward.Forward\"}\n"
      "  return %b\n"
      "}\n");
  EXPECT_THAT(code, Not(HasSubstr("abort()")));
  EXPECT_THAT(code, HasSubstr("struct Forward {"));
  std::string deep = "m";
  for (int i = 0; i < 200; ++i) deep += ".m";
  const std::string nested =
      emit("graph @net(%x) {\n  %a = aten.relu.default(%x) !{module=\"" + deep +
           "\"}\n"
           "  return %a\n}\n");
  EXPECT_THAT(nested, HasSubstr("at::relu(x)"));
}

}  // namespace
}  // namespace fx
