// Tests the ONNX reader: the graphs that it creates, and errors for models that are malformed or
// cannot be converted. tests/importers/onnx_node_tests.py compares values.
#include "fx/importers/onnx/read_onnx.h"

#include "fx/importers/onnx/onnx.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/files.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/importers/onnx_builder.h"

#include "fmt/format.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace fx::read_onnx_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace onnx_builder;  // NOLINT(google-build-using-namespace)

absl::StatusOr<std::unique_ptr<GraphModule>> parse(Context& context, const std::string& text,
                                                   const OnnxReadOptions& options = {}) {
  auto storage = Storage::copy_of({reinterpret_cast<const std::byte*>(text.data()), text.size()});
  return parse_onnx(context, *storage, options);
}

std::string error_of(const std::string& text, const OnnxReadOptions& options = {}) {
  Context context;
  const auto module = parse(context, text, options);
  return module.ok() ? "no error" : std::string(module.status().message());
}

std::string graph_of(const std::string& text, const OnnxReadOptions& options = {}) {
  Context context;
  const auto module = parse(context, text, options);
  if (!module.ok()) return std::string(module.status().message());
  EXPECT_TRUE(verify((*module)->graph()).ok()) << verify((*module)->graph()).str();
  return print((*module)->graph());
}

GraphParts relu_parts() {
  return {.nodes = {node("Relu", {"x"}, {"y"})},
          .initializers = {},
          .inputs = {value("x", kFloat, {"batch", "3"})},
          .outputs = {value("y", kFloat, {"batch", "3"})}};
}

TEST(ReadOnnx, WeightsAreParametersAndSizesAreSymbols) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Gemm", {"x", "fc.weight", "fc.bias"}, {"h"}, {int_attribute("transB", 1)}),
                 node("Relu", {"h"}, {"y"})};
  parts.initializers = {tensor("fc.weight", kFloat, {2, 3}, raw_floats({1, 2, 3, 4, 5, 6})),
                        tensor("fc.bias", kFloat, {2}, raw_floats({1, 2}))};
  Context context;
  const auto module = parse(context, model(parts));
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string text = print((*module)->graph());
  EXPECT_THAT(text, AllOf(HasSubstr("%x : f32[batch, 3]"), HasSubstr("get_attr fc.weight"),
                          HasSubstr("f32[batch, 2] = aten.linear.default(%x,"),
                          HasSubstr("f32[batch, 2] = aten.relu.default(")));
  const Attribute* weight = (*module)->find_attribute("fc.weight");
  ASSERT_NE(weight, nullptr);
  EXPECT_EQ(weight->kind, AttributeKind::kParameter);
  EXPECT_EQ(weight->tensor.values<float>()[4], 5);
}

/// The symbols of dimensions whose names differ only in characters that a symbol cannot contain, and
/// of dimensions without names, are different.
TEST(ReadOnnx, DifferentDimensionsHaveDifferentSymbols) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Relu", {"x"}, {"y"}), node("Relu", {"u"}, {"v"}),
                 node("Relu", {"z"}, {"w"})};
  parts.inputs = {value("x", kFloat, {"a-b", "3"}), value("u", kFloat, {"a_b", "a-b"}),
                  value("z", kFloat, {"", "dim0"})};
  parts.outputs = {value("y", kFloat, {"a-b", "3"}), value("v", kFloat, {"a_b", "a-b"}),
                   value("w", kFloat, {"", "dim0"})};
  const std::string text = graph_of(model(parts));
  EXPECT_THAT(text, AllOf(HasSubstr("%x : f32[a_b, 3]"), HasSubstr("%u : f32[a_b_1, a_b]"),
                          HasSubstr("%z : f32[dim0, dim0_1]")));
}

/// Sizes that a model computes from shapes become symbolic integers.
TEST(ReadOnnx, ShapeComputationsAreIntegers) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Shape", {"x"}, {"shape"}), node("Gather", {"shape", "zero"}, {"batch"}),
                 node("Unsqueeze", {"batch", "axes"}, {"first"}),
                 node("Concat", {"first", "rest"}, {"target"}, {int_attribute("axis", 0)}),
                 node("Reshape", {"x", "target"}, {"y"})};
  parts.initializers = {tensor("zero", kInt64, {}, raw_ints({0})),
                        tensor("axes", kInt64, {1}, raw_ints({0})),
                        tensor("rest", kInt64, {2}, raw_ints({3, 1}))};
  const std::string text = graph_of(model(parts));
  EXPECT_THAT(text, AllOf(HasSubstr("SymInt(batch) = aten.sym_size.int(%x, 0)"),
                          HasSubstr("f32[batch, 3, 1] = aten.reshape.default(%x, [%")));
}

/// Since opset 18, the last part of a dimension may be smaller than the others.
TEST(ReadOnnx, PartsOfASymbolicSizeMayDiffer) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Split", {"x"}, {"y", "z"},
                      {int_attribute("axis", 0), int_attribute("num_outputs", 2)})};
  parts.outputs = {value("y", kFloat, {"", "3"}), value("z", kFloat, {"", "3"})};
  EXPECT_THAT(
      graph_of(model(parts)),
      AllOf(HasSubstr("SymInt(((batch + 1)//2)) = operator.floordiv("),
            HasSubstr("aten.slice.Tensor(%x, 0, 0, %"), Not(HasSubstr("split_with_sizes"))));
  parts.inputs = {value("x", kFloat, {"5", "3"})};
  EXPECT_THAT(graph_of(model(parts)), HasSubstr("aten.split_with_sizes.default(%x, [3, 2], 0)"));
}

/// The start of a slice with a negative step is at least the first element.
TEST(ReadOnnx, ReversedSlicesStartInTheDimension) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Slice", {"x", "start", "end", "axes", "step"}, {"y"})};
  parts.initializers = {
      tensor("start", kInt64, {1}, raw_ints({-5})), tensor("end", kInt64, {1}, raw_ints({-9})),
      tensor("axes", kInt64, {1}, raw_ints({1})), tensor("step", kInt64, {1}, raw_ints({-1}))};
  parts.outputs = {value("y", kFloat, {"batch", "1"})};
  EXPECT_THAT(graph_of(model(parts)), HasSubstr(", 1, 2, 3, 1)"));
}

/// Constants of integer types wrap, as the operators do.
TEST(ReadOnnx, ConstantsWrap) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Cast", {"big"}, {"small"}, {int_attribute("to", 6)}),
                 node("Gather", {"x", "small"}, {"y"})};
  parts.initializers = {tensor("big", kInt64, {1}, raw_ints({(int64_t{1} << 40) + 1}))};
  parts.outputs = {value("y", kFloat, {"1", "3"})};
  EXPECT_THAT(graph_of(model(parts)), AllOf(HasSubstr("f32[1, 3]"), Not(HasSubstr("represented"))));
}

/// If the model selects a size by comparing other sizes, the result is a constant.
TEST(ReadOnnx, ComparisonsOfSizesAreEvaluated) {
  GraphParts parts = relu_parts();
  parts.inputs = {value("x", kFloat, {"1", "3"})};
  parts.nodes = {node("Shape", {"x"}, {"shape"}),
                 node("Less", {"shape", "two"}, {"is_less"}),
                 node("Mod", {"shape", "two"}, {"rest"}),
                 node("Equal", {"rest", "two"}, {"is_equal"}),
                 node("Or", {"is_less", "is_equal"}, {"either"}),
                 node("Not", {"either"}, {"neither"}),
                 node("Where", {"neither", "two", "shape"}, {"target"}),
                 node("Expand", {"ones", "target"}, {"y"})};
  parts.initializers = {tensor("two", kInt64, {2}, raw_ints({2, 2})),
                        tensor("ones", kFloat, {1, 1}, raw_floats({1}))};
  EXPECT_THAT(graph_of(model(parts)), HasSubstr("aten.expand.default(%ones, [1, 2])"));
}

/// Repeated entries for a value are merged: the second type has no shape, and the third has an
/// additional dimension.
TEST(ReadOnnx, RepeatedTypesAreMerged) {
  GraphParts parts = relu_parts();
  parts.inputs[0] += bytes(2, bytes(1, number(1, kFloat)));
  EXPECT_THAT(graph_of(model(parts)), HasSubstr("%x : f32[batch, 3]"));
  parts.inputs[0] += bytes(2, bytes(1, bytes(2, bytes(1, number(1, 7)))));
  EXPECT_THAT(graph_of(model(parts)), HasSubstr("%x : f32[batch, 3, 7]"));
}

TEST(ReadOnnx, InputsBecomeConstants) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("ReduceSum", {"x", "axes"}, {"y"})};
  parts.inputs.push_back(value("axes", kInt64, {"1"}));
  EXPECT_THAT(error_of(model(parts)),
              AllOf(HasSubstr("node \"y\" (ReduceSum, opset 20): the axes must be known")));
  OrderedMap<Tensor> constants;
  constants.set("axes", *Tensor::of<int64_t>({1}, {1}));
  EXPECT_THAT(graph_of(model(parts), {.constants = &constants}),
              HasSubstr("aten.sum.dim_IntList(%x, [1], True, dtype=torch.float32)"));
  constants.set("axes", *Tensor::of<float>({1}, {1}));
  EXPECT_THAT(error_of(model(parts), {.constants = &constants}),
              HasSubstr("input \"axes\": the constant must have the type i64[1], not f32[1]"));
}

TEST(ReadOnnx, RejectedTransformsStateTheReason) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("DFT", {"x", "", "axis"}, {"y"})};
  parts.initializers = {tensor("axis", kInt64, {}, raw_ints({-1}))};
  EXPECT_THAT(error_of(model(parts)),
              HasSubstr("the axis 1 is the last dimension, which contains the real and imaginary"));
  parts.initializers = {tensor("axis", kInt64, {}, raw_ints({0}))};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("(real and imaginary parts); it has size 3"));
  parts.inputs = {value("x", kFloat, {"3"})};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("must have at least 2 dimensions"));
}

/// The messages name the limits.
TEST(ReadOnnx, RejectsResizesToSizesThatAreTooLarge) {
  GraphParts parts = relu_parts();
  parts.inputs = {value("x", kFloat, {"3", "1099511627776"})};
  parts.nodes = {node("Resize", {"x", "", "scales"}, {"y"})};
  parts.initializers = {tensor("scales", kFloat, {2}, raw_floats({1, 1e6F}))};
  const auto is_too_large = HasSubstr("dimension 1 is empty or too large: sizes must be at most");
  EXPECT_THAT(error_of(model(parts)), is_too_large);
  parts.nodes = {node("Upsample", {"x", "scales"}, {"y"})};
  EXPECT_THAT(error_of(model(parts, 9)), is_too_large);
}

TEST(ReadOnnx, ListsAllUnsupportedOperatorsAndNodes) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Foo", {"x"}, {"a"}), node("Foo", {"x"}, {"b"}),
                 node("Bar", {"a"}, {"c"}, {}, "com.user"),
                 node("Relu", {"x"}, {"y"}, {int_attribute("extra", 1)})};
  EXPECT_THAT(error_of(model(parts)),
              AllOf(HasSubstr("for 3 reasons"),
                    HasSubstr("the operator Foo of opset 20 is not supported; 2 nodes: a, b"),
                    HasSubstr("the operator com.user.Bar of opset 0 is not supported; 1 node: c"),
                    HasSubstr("node \"y\" (Relu, opset 20): its attribute extra is not "
                              "supported in opset 20")));
}

TEST(ReadOnnx, NodesMustBeInOrderWithoutCycles) {
  GraphParts parts = relu_parts();
  parts.nodes = {node("Relu", {"b"}, {"a"}), node("Relu", {"a"}, {"b"}),
                 node("Relu", {"b"}, {"y"})};
  EXPECT_THAT(error_of(model(parts)),
              HasSubstr("node \"a\" (Relu, opset 20): its input \"b\" is computed by this or a "
                        "later node"));
  parts.nodes = {node("Relu", {"none"}, {"y"})};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("its input \"none\" does not exist"));
  parts.nodes = {node("Relu", {"x"}, {"y"}), node("Abs", {"x"}, {"y"})};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("the value \"y\" is computed twice"));
  parts.nodes = {};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("the output \"y\" is not computed"));
}

TEST(ReadOnnx, ReportsUnknownVersions) {
  EXPECT_THAT(error_of(model(relu_parts(), 24)),
              HasSubstr("the model uses ONNX opset 24; opsets 7 to 23 are supported"));
  EXPECT_THAT(error_of(model(relu_parts(), 6)), HasSubstr("opset 6"));
  EXPECT_THAT(graph_of(model(relu_parts(), 7)), HasSubstr("aten.relu.default"));
}

TEST(ReadOnnx, ReportsTensorsOfTheWrongSize) {
  GraphParts parts = relu_parts();
  parts.initializers = {tensor("w", kFloat, {2, 3}, raw_floats({1, 2}))};
  EXPECT_THAT(error_of(model(parts)),
              HasSubstr("tensor \"w\": its sizes require 24 bytes, but it has 8"));
  parts.initializers = {tensor("w", kFloat, {int64_t{1} << 40, int64_t{1} << 40}, "")};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("the product of its sizes is too large"));
  parts.initializers = {tensor("w", kFloat, {-1}, "")};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("the size -1 is negative"));
  parts.initializers = {tensor("w", kString, {1}, "")};
  EXPECT_THAT(error_of(model(parts)), HasSubstr("string elements are not supported"));
}

/// Every proper prefix of a model results in an error.
TEST(ReadOnnx, TruncatedFilesAreErrors) {
  GraphParts parts = relu_parts();
  parts.initializers = {tensor("w", kFloat, {1}, raw_floats({1}))};
  const std::string file = model(parts);
  for (size_t size = 0; size < file.size(); ++size) {
    const std::string error = error_of(file.substr(0, size));
    EXPECT_NE(error, "no error") << size;
  }
  EXPECT_THAT(error_of(file.substr(0, 20)), HasSubstr("does not fit in the"));
  EXPECT_THAT(error_of("no model"), HasSubstr("byte"));
  EXPECT_THAT(error_of(number(1, 10)), HasSubstr("the file has no graph"));
}

TEST(ReadOnnx, ExternalDataMustBeInTheFolder) {
  const auto external = [](std::string_view location, std::string_view offset,
                           std::string_view length) {
    const auto entry = [](std::string_view key, std::string_view text) {
      return bytes(13, bytes(1, key) + bytes(2, text));
    };
    return number(1, 2) + number(2, kFloat) + bytes(8, "w") + entry("location", location) +
           entry("offset", offset) + entry("length", length) + number(14, 1);
  };
  GraphParts parts = relu_parts();
  parts.nodes = {node("Add", {"x", "w"}, {"y"})};
  parts.inputs = {value("x", kFloat, {"2"})};
  const std::string folder = ::testing::TempDir() + "read_onnx_external";
  std::filesystem::create_directories(folder);
  ASSERT_TRUE(write_file(folder + "/w.data", raw_floats({0, 7, 8})).ok());
  ASSERT_TRUE(write_file(::testing::TempDir() + "outside.data", raw_floats({0, 7, 8})).ok());
  const auto error_with = [&](const std::string& data) {
    parts.initializers = {data};
    return error_of(model(parts), {.folder = folder});
  };
  EXPECT_EQ(error_with(external("w.data", "4", "8")), "no error");
  EXPECT_THAT(error_with(external("../outside.data", "0", "8")),
              HasSubstr("tensor \"w\": its data is in \"../outside.data\", which is outside"));
  EXPECT_THAT(error_with(external("/etc/passwd", "0", "8")), HasSubstr("outside the folder"));
  std::filesystem::remove(folder + "/link.data");
  std::filesystem::create_symlink("../outside.data", folder + "/link.data");
  EXPECT_THAT(error_with(external("link.data", "0", "8")), HasSubstr("outside the folder"));
  EXPECT_THAT(error_with(external("w.data", "8", "8")),
              HasSubstr("its 8 bytes at offset 8 exceed the 12 bytes"));
  EXPECT_THAT(error_with(external("w.data", "18446744073709551615", "8")),
              HasSubstr("exceed the 12 bytes"));
  EXPECT_THAT(error_with(external("w.data", "0", "4")),
              HasSubstr("its sizes require 8 bytes, but its data has 4"));
  EXPECT_THAT(error_with(external("w.data", "x", "8")), HasSubstr("must be a number, not \"x\""));
  EXPECT_THAT(error_with(external("none.data", "0", "8")), HasSubstr("none.data"));
  EXPECT_THAT(error_of(model(parts)), HasSubstr("set OnnxReadOptions::folder"));
}

TEST(ReadOnnx, IfBecomesCondWithTheSameOperands) {
  const GraphParts yes = {.nodes = {node("Add", {"x", "w"}, {"a"})},
                          .initializers = {},
                          .inputs = {},
                          .outputs = {value("a", kFloat, {"2"})}};
  const GraphParts no = {.nodes = {node("Neg", {"x"}, {"b"})},
                         .initializers = {},
                         .inputs = {},
                         .outputs = {value("b", kFloat, {"2"})}};
  GraphParts parts = {.nodes = {node("If", {"c"}, {"y"},
                                     {graph_attribute("then_branch", yes.str()),
                                      graph_attribute("else_branch", no.str())})},
                      .initializers = {tensor("w", kFloat, {2}, raw_floats({1, 2}))},
                      .inputs = {value("c", kBool, {}), value("x", kFloat, {"2"})},
                      .outputs = {value("y", kFloat, {"2"})}};
  const std::string text = graph_of(model(parts));
  EXPECT_THAT(text, AllOf(HasSubstr("higher_order.cond(%c, @true_graph, @false_graph, (%x, %w))"),
                          HasSubstr("aten.add.Tensor(%x, %w)"), HasSubstr("aten.neg.default(%x)")));
}

TEST(ReadOnnx, TooDeeplyNestedGraphsAreErrors) {
  GraphParts inner = {.nodes = {node("Relu", {"x"}, {"a"})},
                      .initializers = {},
                      .inputs = {},
                      .outputs = {value("a", kFloat, {"2"})}};
  std::string graph = inner.str();
  for (int i = 0; i < 200; ++i) {
    inner.nodes = {
        node("If", {"c"}, {"a"},
             {graph_attribute("then_branch", graph), graph_attribute("else_branch", "")})};
    graph = inner.str();
  }
  EXPECT_THAT(error_of(number(1, 10) + bytes(7, graph)),
              HasSubstr("graphs are nested more than 32 levels deep"));
}

/// Functions must not be recursive, or call other functions an exponential number of times.
TEST(ReadOnnx, FunctionsAreInlinedWithinLimits) {
  const auto function = [](std::string_view name, std::vector<std::string> nodes) {
    std::string out = bytes(1, name) + bytes(4, "x") + bytes(5, "y") + bytes(10, "own");
    for (const std::string& each : nodes) out += bytes(7, each);
    return bytes(25, out + bytes(9, number(2, 20)));
  };
  GraphParts parts = relu_parts();
  parts.nodes = {node("F", {"x"}, {"y"}, {}, "own")};
  const std::string base = model(parts);
  EXPECT_THAT(
      graph_of(base + function("F", {node("Relu", {"x"}, {"t"}), node("Neg", {"t"}, {"y"})})),
      AllOf(HasSubstr("aten.relu.default(%x)"), HasSubstr("aten.neg.default(")));
  EXPECT_THAT(error_of(base + function("F", {node("F", {"x"}, {"y"}, {}, "own")})),
              HasSubstr("function calls are nested more than 64 levels deep"));
}

TEST(ReadOnnx, RoundTrip) {
  Context context;
  const auto graph = parse_graph(context, R"(graph(%x : f32[s0, 3], %w : f32[2, 3]) {
    %linear : f32[s0, 2] = aten.linear.default(%x, %w)
    %softmax : f32[s0, 2] = aten._softmax.default(%linear, 1, False)
    return %softmax
  })");
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto text = onnx_model(**graph);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(graph_of(*text), AllOf(HasSubstr("%x : f32[s0, 3], %w : f32[2, 3]"),
                                     HasSubstr("%softmax : f32[s0, 2] = aten.softmax.int(")));
}

/// Returns the list of operators in docs/onnx.md, in lines of at most 100 columns.
std::string list_of_operators() {
  constexpr size_t kColumns = 100;
  std::string text, line;
  for (const OnnxReadOperator& each : onnx_read_operators()) {
    EXPECT_GE(each.first_opset, kMinReadOnnxOpset) << each.name;
    EXPECT_LE(each.last_opset, kMaxReadOnnxOpset) << each.name;
    std::string item = fmt::format("{}`{}`", text.empty() && line.empty() ? "" : ", ", each.name);
    if (each.first_opset > kMinReadOnnxOpset || each.last_opset < kMaxReadOnnxOpset)
      item += fmt::format(" ({} to {})", each.first_opset, each.last_opset);
    if (line.size() + item.size() > kColumns) {
      text += line + ",\n";
      line.clear();
      item.erase(0, 2);
    }
    line += item;
  }
  return text + line + "\n";
}

TEST(ReadOnnx, PageListsTheOperators) {
  constexpr std::string_view kPath = "docs/onnx.md";
  const auto page = read_file(std::string(kPath));
  ASSERT_TRUE(page.ok()) << page.status();
  const std::string begin = "<!-- operators: tests/importers/read_onnx_test.cpp -->\n";
  const size_t from = page->find(begin), to = page->find("<!-- end of operators -->");
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
  const std::string want =
      page->substr(0, from + begin.size()) + list_of_operators() + page->substr(to);
  if (std::getenv("FX_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(write_file(std::string(kPath), want).ok());
  } else {
    EXPECT_EQ(*page, want) << "run this test with FX_UPDATE_GOLDEN=1";
  }
}

}  // namespace fx::read_onnx_test
