// The C++ code emitted for graphs. test_cpp.py and cpp_models.py test that it compiles and computes
// the same results.
#include "fx/codegen/cpp/cpp.h"

#include "fx/codegen/cpp/project/folder.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/interp/data_name.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

class CppTest : public ::testing::Test {
 protected:
  /// Returns the statements of `forward`, or the error.
  std::string body(std::string_view text, CppOptions options = {}) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    if (!graph.ok()) return std::string(graph.status().message());
    graph_ = *std::move(graph);
    absl::StatusOr<CppCode> code = cpp_code(*graph_, options);
    if (!code.ok()) return std::string(code.status().message());
    code_ = *std::move(code);
    const size_t head = code_.source.find(" forward(");
    const size_t begin = code_.source.find('\n', head) + 1;
    return code_.source.substr(begin, code_.source.find("  }\n", begin) - begin);
  }

  Context context_;
  std::unique_ptr<Graph> graph_;
  CppCode code_;
};

TEST_F(CppTest, ValuesKeepTheirNamesAndAreReleasedAfterTheirLastUse) {
  EXPECT_EQ(body("graph(%x : f32[2, 3], %unread : f32[2]) {\n"
                 "  %relu : f32[2, 3] = aten.relu.default(%x)\n"
                 "  %add : f32[2, 3] = aten.add.Tensor(%relu, %x)\n"
                 "  %sum_1 = aten.sum.default(%add)\n"
                 "  return %add\n"
                 "}\n"),
            "    at::Tensor relu = at::relu(x);  // f32[2, 3]\n"
            "    at::Tensor add = at::add(relu, x);  relu.reset();  x.reset();  // f32[2, 3]\n"
            "    at::sum(add);\n"
            "    return add;\n");
  EXPECT_THAT(code_.source, HasSubstr("at::Tensor forward(at::Tensor x, at::Tensor /*unread*/) {"));
  EXPECT_THAT(code_.source, HasSubstr("#include <ATen/ops/relu.h>\n"));
}

TEST_F(CppTest, TensorsOfTheModelAreMembers) {
  const std::string text =
      "graph @net(%w : f32[3] !{input={\"kind\": \"parameter\", \"target\": \"l.weight\"}}, %x) {\n"
      "  %c = get_attr l.mask\n"
      "  %mul = aten.mul.Tensor(%w, %c)\n"
      "  %mul_1 = aten.mul.Tensor(%mul, %x)\n"
      "  return %mul_1\n"
      "}\n";
  EXPECT_THAT(body(text), HasSubstr("    at::Tensor w = this->l_weight;\n"
                                    "    at::Tensor c = this->l_mask;\n"));
  EXPECT_EQ(code_.class_name, "Net");
  ASSERT_EQ(code_.members.size(), 2u);
  EXPECT_EQ(code_.members[0].path, "l.weight");
  EXPECT_THAT(code_.source, HasSubstr("{\"l.mask\", &l_mask},"));
  body(text, {.class_name = "Other", .lift_parameters = false});
  EXPECT_EQ(code_.members.size(), 1u);
  EXPECT_THAT(code_.source, HasSubstr("at::Tensor forward(at::Tensor w, at::Tensor x)"));
}

TEST_F(CppTest, AmbiguousOverloadsAreExplicit) {
  const std::string text = body(
      "graph(%x, %w) {\n"
      "  %conv = aten.conv2d.default(%x, %w, None, [1, 1], [0, 0])\n"
      "  %split = aten.split.Tensor(%conv, 2, 1)\n"
      "  %std = aten.std.correction(%x, [0], correction=1)\n"
      "  %view = aten.view.default(%std, [])\n"
      "  %copy = aten._to_copy.default(%view, dtype=torch.float16)\n"
      "  %mul = aten.mul.Scalar(%copy, 2)\n"
      "  %pinv = aten.linalg_pinv.atol_rtol_tensor(%x)\n"  // nullopt is also a valid float
      "  return (%split, %mul, %pinv)\n"
      "}\n");
  EXPECT_THAT(text, HasSubstr("at::_ops::linalg_pinv_atol_rtol_tensor::call("));
  EXPECT_THAT(text, HasSubstr("at::conv2d(x, w, std::nullopt, at::IntArrayRef({1, 1}), "
                              "at::IntArrayRef({0, 0}))"));
  EXPECT_THAT(text, HasSubstr("std::vector<at::Tensor> split = at::split(conv, 2, 1);"));
  EXPECT_THAT(text, HasSubstr("at::_ops::std_correction::call(x, at::IntArrayRef({0}), 1, false)"));
  EXPECT_THAT(text, HasSubstr("std_0.view(at::IntArrayRef({}))"));
  EXPECT_THAT(text, HasSubstr("at::_to_copy(view, at::TensorOptions().dtype(at::kHalf))"));
  EXPECT_THAT(text, HasSubstr("at::mul(copy, 2)"));
}

TEST_F(CppTest, PythonFunctionsBecomeOperators) {
  const std::string text = body(
      "graph(%x : f32[2, 6], %n : int) {\n"
      "  %relu = torch.relu(%x)\n"
      "  %view = call_method view(%relu, -1, %n)\n"
      "  %add = operator.add(%view, 1)\n"
      "  %half = operator.floordiv(%n, 2)\n"
      "  %more = operator.add(%half, -1)\n"
      "  %item = operator.getitem(%add, (slice(None, %more, None), None))\n"
      "  %topk = torch.topk(%item, 3)\n"
      "  %getitem = operator.getitem(%topk, -1)\n"
      "  return (%getitem, %more)\n"
      "}\n");
  EXPECT_THAT(text, HasSubstr("at::relu(x)"));
  EXPECT_THAT(text, HasSubstr("relu.view({-1, n})"));
  EXPECT_THAT(text, HasSubstr("at::add(view, 1)"));
  EXPECT_THAT(text, HasSubstr("int64_t half = fxcpp::floor_divide(n, int64_t{2});"));
  EXPECT_THAT(text, HasSubstr("int64_t more = fxcpp::add(half, int64_t{-1});"));
  EXPECT_THAT(text, HasSubstr("add.index({at::indexing::Slice(at::indexing::None, more, "
                              "at::indexing::None), at::indexing::None})"));
  EXPECT_THAT(text, HasSubstr("at::Tensor getitem = std::get<1>(topk);  topk = {};"));
  EXPECT_EQ(code_.result_type, "std::tuple<at::Tensor, int64_t>");
}

// Python's functions may have other parameters than the operator with their name.
TEST_F(CppTest, PythonParametersOfFunctions) {
  const std::string text = body(
      "graph(%x : f32[2, 6], %y : f32[2, 6], %n : int) {\n"
      "  %a = torch.nn.functional.kl_div(%x, %y, False)\n"
      "  %b = torch.nn.functional.mse_loss(%x, %y, 2)\n"
      "  %c = operator.isub(%n, %x)\n"
      "  %d = torch.stft(%x, 4, return_complex=True)\n"
      "  %last = call_method stft(%x, 4, return_complex=True)\n"
      "  return (%a, %b, %c, %d, %last)\n"
      "}\n");
  EXPECT_THAT(text, HasSubstr("at::Tensor a = at::kl_div(x, y, 2)"));
  EXPECT_THAT(text, HasSubstr("at::Tensor b = at::mse_loss(x, y)"));
  EXPECT_THAT(text, HasSubstr("at::Tensor c = at::rsub(x, n)"));
  EXPECT_THAT(
      text,
      HasSubstr("at::Tensor d = at::stft(x, 4, std::nullopt, std::nullopt, std::nullopt, true"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "at::Tensor last_1 = at::stft(x, 4, std::nullopt, std::nullopt, std::nullopt, true"));
}

TEST_F(CppTest, ListIndexIsATensor) {
  const std::string text = body(
      "graph(%x : f32[3, 4], %n : i64[], %a : bool) {\n"
      "  %rows = operator.getitem(%x, [0, 2])\n"
      "  %item = operator.getitem(%x, (0, 2))\n"
      "  %from = operator.getitem(%x, slice(%n, None, None))\n"
      "  return (%rows, %item, %from)\n"
      "}\n");
  EXPECT_THAT(text, HasSubstr("at::Tensor rows = at::index(x, c10::List<"));
  EXPECT_THAT(text, HasSubstr("at::select(x, 0, 0)"));
  EXPECT_THAT(text, HasSubstr("int64_t item_default = n.item().toLong()"));
  EXPECT_THAT(text, HasSubstr("at::slice(x, 0, item_default)"));
}

TEST_F(CppTest, ArithmeticIsThatOfPython) {
  const std::string text = body(
      "graph(%i : int, %f : float, %a : bool, %b : bool) {\n"
      "  %equal = operator.eq(%i, %f)\n"
      "  %less = operator.lt(%i, 3)\n"
      "  %inverse = operator.pow(%i, -2)\n"
      "  %product = operator.mul(%i, %f)\n"
      "  %negative = operator.neg(%i)\n"
      "  %floor = math.floor(%i)\n"
      "  %either = operator.xor(%a, %b)\n"
      "  %larger = torch.sym_max(%a, %b)\n"
      "  %root = math.sqrt(%i)\n"
      "  return (%equal, %less, %inverse, %product, %negative, %floor, %either, %larger, %root)\n"
      "}\n");
  // Doubles cannot represent all integers.
  EXPECT_THAT(text, HasSubstr("bool equal = fxcpp::order(i, f) == 0;"));
  EXPECT_THAT(text, HasSubstr("bool less = i < int64_t{3};"));
  EXPECT_THAT(text, HasSubstr("double inverse = fxcpp::power(static_cast<double>(i), "));
  EXPECT_THAT(text, HasSubstr("double product = fxcpp::multiply(i, f);"));
  EXPECT_THAT(text, HasSubstr("int64_t negative = fxcpp::negate(i);"));
  EXPECT_THAT(text, HasSubstr("int64_t floor = i;"));
  EXPECT_THAT(text, HasSubstr("bool either = a != b;"));
  EXPECT_THAT(text, HasSubstr("bool larger = a || b;"));
  EXPECT_THAT(text, HasSubstr("double root = fxcpp::real(i, std::sqrt(i));"));
  // The value determines whether the result is an int.
  EXPECT_THAT(body("graph(%a : bool, %i : int) {\n"
                   "  %larger = torch.sym_max(%a, %i)\n"
                   "  return (%larger,)\n"
                   "}\n"),
              HasSubstr("must both be bools"));
  EXPECT_THAT(body("graph(%a : bool, %i : int) {\n"
                   "  %chosen = torch.sym_ite(%a, %i, 2.5)\n"
                   "  return (%chosen,)\n"
                   "}\n"),
              HasSubstr("must have the same type"));
}

TEST_F(CppTest, LongTuplesAreStructs) {
  const auto returning = [](size_t tensors) {
    std::string items;
    for (size_t i = 0; i < tensors; ++i) items += "%x, ";
    return "graph(%x : f32[2], %n : int) {\n  return (" + items + "%n)\n}\n";
  };
  body(returning(63));
  EXPECT_THAT(code_.result_type, ::testing::StartsWith("std::tuple<at::Tensor, "));
  EXPECT_THAT(code_.source, Not(HasSubstr("item_")));
  body(returning(64), {.class_name = "Net", .entry_point = true});
  EXPECT_EQ(code_.result_type, "fxcpp::NetTuple0");
  EXPECT_THAT(code_.source, HasSubstr("struct NetTuple0 {\n  at::Tensor item_0;\n"));
  EXPECT_THAT(code_.source, HasSubstr("  at::Tensor item_63;\n  int64_t item_64;\n"));
  EXPECT_THAT(code_.source, HasSubstr("  results.emplace_back(result.item_64);\n"));
}

TEST_F(CppTest, NestedGraphsAreMethods) {
  const std::string text = body(
      "graph(%p : b8[], %x : f32[2]) {\n"
      "  graph @then(%x : f32[2]) {\n"
      "    %sin : f32[2] = aten.sin.default(%x)\n"
      "    return (%sin,)\n"
      "  }\n"
      "  graph @else(%x : f32[2]) {\n"
      "    return (%x,)\n"
      "  }\n"
      "  %cond = higher_order.cond(%p, @then, @else, (%x,))\n"
      "  %getitem = operator.getitem(%cond, 0)\n"
      "  return %getitem\n"
      "}\n");
  EXPECT_THAT(text, HasSubstr("std::vector<at::Tensor> cond = p.item<bool>() ? this->then(x) : "
                              "this->else_0(x);"));
  EXPECT_THAT(code_.source, HasSubstr("std::vector<at::Tensor> else_0(at::Tensor x) {"));
}

// A graph that is called again with arguments of the same types is not written again.
TEST_F(CppTest, CallsOfANestedGraphShareAMethod) {
  const std::string text = body(
      "graph(%x : f32[2]) {\n"
      "  graph @inner(%x) {\n"
      "    %sum = aten.add.Tensor(%x, 1)\n"
      "    return %sum\n"
      "  }\n"
      "  %a = higher_order.invoke_subgraph(@inner, \"inner\", %x)\n"
      "  %b = higher_order.invoke_subgraph(@inner, \"inner\", %a)\n"
      "  return %b\n"
      "}\n");
  EXPECT_THAT(text, HasSubstr("at::Tensor a = this->inner(x);"));
  EXPECT_THAT(text, HasSubstr("at::Tensor b = this->inner(a);"));
  EXPECT_THAT(code_.source, Not(HasSubstr("inner_1")));
}

// Each level calls the next one twice: the code is linear in the depth.
TEST_F(CppTest, CodeOfNestedGraphsIsLinear) {
  constexpr int kDepth = 40;
  std::string text = "return %x\n}\n";
  for (int i = 0; i < kDepth; ++i) {
    text = "graph @g(%x : f32[2]) {\n" + text +
           "%a = higher_order.invoke_subgraph(@g, \"g\", %x)\n"
           "%b = higher_order.invoke_subgraph(@g, \"g\", %a)\n"
           "return %b\n}\n";
  }
  body("graph(%x : f32[2]) {\n" + text);
  size_t methods = 0;
  for (size_t at = 0; (at = code_.source.find("at::Tensor g", at)) != std::string::npos; ++at)
    ++methods;
  EXPECT_EQ(methods, static_cast<size_t>(kDepth));
}

TEST_F(CppTest, LayersAreMethodsThatUseTheirTensors) {
  auto root = std::make_shared<Module>("Net");
  auto linear = std::make_shared<Module>("torch.nn.modules.linear.Linear");
  linear->set_hyperparameter("in_features", 3);
  linear->set_hyperparameter("out_features", 2);
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::zeros(DType::kFloat32, {2, 3}));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor bias, Tensor::zeros(DType::kFloat32, {2}));
  ASSERT_THAT(linear->register_parameter("weight", weight), IsOk());
  ASSERT_THAT(linear->register_parameter("bias", bias), IsOk());
  ASSERT_THAT(root->add_submodule("net.linear", linear), IsOk());
  const std::string text = body(
      "graph(%x : f32[4, 3]) {\n"
      "  %y = call_module net.linear(%x)\n"
      "  %w = get_attr net.linear.weight\n"
      "  return (%y, %w)\n"
      "}\n",
      {.root = root.get()});
  EXPECT_THAT(text, HasSubstr("at::Tensor y = this->net_linear(std::move(x));  x.reset();"));
  EXPECT_THAT(text, HasSubstr("at::Tensor w = this->net_linear_weight;"));
  EXPECT_EQ(code_.members.size(), 2u);
  EXPECT_THAT(code_.source, HasSubstr("at::linear(input_1, weight, bias)"));
  linear->set_class_name("my.Layer");
  EXPECT_THAT(body("graph(%x) {\n  %y = call_module net.linear(%x)\n  return %y\n}\n",
                   {.root = root.get()}),
              HasSubstr("the code of net.linear, a my.Layer, is not available"));
}

TEST_F(CppTest, ErrorsNameNodesWithoutCode) {
  EXPECT_THAT(body("graph(%x) {\n  %a = call_module layer(%x)\n  return %a\n}\n"),
              HasSubstr("the module layer is missing"));
  EXPECT_THAT(body("graph(%x) {\n  %a = my.function(%x)\n  return %a\n}\n"),
              HasSubstr("my.function cannot be expressed in C++"));
  EXPECT_THAT(body("graph(%x) {\n  %a = aten.relu.default(%x, 1)\n  return %a\n}\n"),
              HasSubstr("aten.relu.default: it accepts 1 positional argument, not 2"));
  EXPECT_THAT(body("graph(%x) {\n  %a = aten.relu.default(\"s\")\n  return %a\n}\n"),
              HasSubstr("a string cannot be passed as \"self\""));
  EXPECT_THAT(body("graph(%x) {\n  %a = aten.relu.default(%x)\n}\n"),
              HasSubstr("must have an output"));
}

// ---------------------------------------------------------------- text from the user

TEST(CppText, NamesAvoidKeywordsMacrosAndReservedNames) {
  for (const std::string_view name : {"x", "relu_1", "_unsafe_view", "X", "aB"})
    EXPECT_EQ(cpp::plain_name(name), name);
  for (const std::string_view name :
       {"int", "and", "at", "EOF", "NAN", "_Bool", "a__b", "", "_", "9", "a b", "a\nb", "../x",
        "*/", "\"", "\xff\xfe", "π", "this", "assert"}) {
    EXPECT_FALSE(cpp::is_plain_name(name)) << name;
    EXPECT_TRUE(cpp::is_plain_name(cpp::plain_name(name))) << name << cpp::plain_name(name);
  }
  const std::string all_bytes = [] {
    std::string out;
    for (int c = 0; c < 256; ++c) out += static_cast<char>(c);
    return out;
  }();
  EXPECT_TRUE(cpp::is_plain_name(cpp::plain_name(all_bytes)));
  std::string literal;
  cpp::append_string(literal, all_bytes);
  for (const char c : literal) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
  EXPECT_THAT(literal, HasSubstr("\\\"#"));
  std::string comment;
  cpp::append_comment(comment, all_bytes);
  EXPECT_THAT(comment, Not(HasSubstr("\n")));
  EXPECT_THAT(comment, Not(HasSubstr("\\")));
}

TEST_F(CppTest, RenamedNodesGetUnusedNames) {
  const std::string text = body(
      "graph(%int, %int_0, %\"/* x\", %\"a\\nb\") {\n"
      "  %new = aten.add.Tensor(%int, %int_0)\n"
      "  %EOF = aten.add.Tensor(%new, %\"/* x\")\n"
      "  %c = aten.add.Tensor(%EOF, %\"a\\nb\")\n"
      "  return %c\n"
      "}\n");
  EXPECT_THAT(code_.source, HasSubstr("forward(at::Tensor int_0_1, at::Tensor int_0, at::Tensor x, "
                                      "at::Tensor a_b) {"))
      << text;
  EXPECT_THAT(text, HasSubstr("at::Tensor new_0 = at::add(int_0_1, int_0);"));
  EXPECT_THAT(text, HasSubstr("at::Tensor v_EOF_v = at::add(new_0, x);"));
}

TEST_F(CppTest, LinesReferToTheTextOfTheGraph) {
  const std::string text =
      "graph(%x) {\n"
      "  %relu = aten.relu.default(%x)\n"
      "  return %relu\n"
      "}\n";
  SourceLocations positions;
  FX_ASSERT_OK_AND_ASSIGN(graph_, parse_graph(context_, text, {.locations = &positions}));
  FX_ASSERT_OK_AND_ASSIGN(
      const CppCode code,
      cpp_code(*graph_, {.locations = &positions, .line_file = "a\"b.fx", .source_file = "a.h"}));
  EXPECT_THAT(code.source, HasSubstr("#line 2 \"a\\\"b.fx\"\n    at::Tensor relu = at::relu(x);"));
  EXPECT_THAT(code.source, HasSubstr("#line 3 \"a\\\"b.fx\"\n    return relu;\n#line "));
}

/// Returns the main.cpp that is emitted in a graph's folder, or the error. Each tensor has the
/// sizes of its placeholder. Symbolic sizes are 2, 3, ..., by dimension.
std::string main_of_folder(const Graph& graph) {
  Safetensors data;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    std::vector<int64_t> sizes;
    for (const Dim& size : node.type().sizes())
      sizes.push_back(size.is_int() ? size.value() : static_cast<int64_t>(2 + sizes.size()));
    data.tensors.set(data_name(node), *Tensor::zeros(node.type().dtype(), sizes));
  }
  const std::string folder = ::testing::TempDir() + "/cpp_folder_" + std::to_string(getpid());
  const absl::Status status = write_cpp_folder(graph, data, folder, {.overwrite = true});
  if (!status.ok()) return std::string(status.message());
  std::string text = *read_file(folder + "/main.cpp");
  std::filesystem::remove_all(folder);
  return text;
}

TEST_F(CppTest, TheFolderCreatesInputsWithTheirTypes) {
  const std::unique_ptr<Graph> graph = *parse_graph(
      context_,
      "graph(%x : f32[5, 4] !{shared_memory=0}, %part : f32[3, 4]{offset=8} !{shared_memory=0},\n"
      "      %t : f32[2, 3][1, 2], %late : f32[2]{offset=3}, %plain : f32[2]) {\n"
      "  %mul_ : f32[5, 4] = aten.mul_.Tensor(%x, 3)\n"
      "  return [%part, %t, %late, %plain]\n"
      "}\n");
  const std::string main = main_of_folder(*graph);
  EXPECT_THAT(main, HasSubstr("shared_0 = in_one_storage({\n"
                              "      {find(samples, \"x\"), {4, 1}, 0},\n"
                              "      {find(samples, \"part\"), {4, 1}, 8}});\n"));
  EXPECT_THAT(main, HasSubstr("model.forward(\n      shared_0.at(0),\n      shared_0.at(1),\n"
                              "      in_one_storage({{find(samples, \"t\"), {1, 2}, 0}}).at(0),\n"
                              "      in_one_storage({{find(samples, \"late\"), {1}, 3}}).at(0),\n"
                              "      find(samples, \"plain\")"));
}

TEST_F(CppTest, SizesOfTheDataDetermineSymbolicStrides) {
  const std::unique_ptr<Graph> graph =
      *parse_graph(context_,
                   "graph(%t : f32[n, m][1, n]{offset=2*n}, %u : f32[n][k]) {\n"
                   "  return [%t, %u]\n"
                   "}\n");
  const std::string main = main_of_folder(*graph);
  EXPECT_THAT(main, HasSubstr("in_one_storage({{find(samples, \"t\"), {1, 2}, 4}}).at(0),\n"
                              "      find(samples, \"u\")"));
}

TEST_F(CppTest, TheFolderRejectsSharedInputsWithoutStrides) {
  const std::unique_ptr<Graph> graph =
      *parse_graph(context_,
                   "graph(%x : f32[4] !{shared_memory=0}, %part : f32[2][?] !{shared_memory=0}) {\n"
                   "  return [%x, %part]\n"
                   "}\n");
  EXPECT_THAT(main_of_folder(*graph), HasSubstr("%part shares memory with a different input"));
}

}  // namespace
}  // namespace fx
