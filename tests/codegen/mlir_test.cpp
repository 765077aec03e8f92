// The MLIR emitted for graphs. tests/codegen/mlir_models.py and test_mlir.py test that torch-mlir
// accepts the text, and compare results.
#include "fx/codegen/mlir/mlir.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class MlirTest : public ::testing::Test {
 protected:
  std::string source(std::string_view text, const MlirOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    if (!graph.ok()) return std::string(graph.status().message());
    return source(**graph, options);
  }
  static std::string source(const Graph& graph, const MlirOptions& options = {}) {
    const absl::StatusOr<MlirCode> code = mlir_code(graph, options);
    return code.ok() ? code->source : std::string(code.status().message());
  }

  Context context_;
};

TEST_F(MlirTest, AnOperatorHasItsOperandsAndDefaults) {
  EXPECT_EQ(source(R"(graph(%x : f32[2, s0], %y : f32[2, s0]) {
    %add : f32[2, s0] = aten.add.Tensor(%x, %y)
    return %add
  })"),
            R"(module {
  func.func @main(%x: !torch.vtensor<[2,?],f32> loc(#loc1), %y: !torch.vtensor<[2,?],f32> loc(#loc2)) -> !torch.vtensor<[2,?],f32> {
    %int.1 = torch.constant.int 1
    %add = torch.aten.add.Tensor %x, %y, %int.1 : !torch.vtensor<[2,?],f32>, !torch.vtensor<[2,?],f32>, !torch.int -> !torch.vtensor<[2,?],f32>
    return %add : !torch.vtensor<[2,?],f32>
  }
}
#loc1 = loc("x")
#loc2 = loc("y")
)");
}

TEST_F(MlirTest, EqualConstantsAreWrittenOnce) {
  const std::string text = source(R"(graph(%x : f32[4, 4]) {
    %a : f32[4, 4] = aten.add.Tensor(%x, %x)
    %b : f32[4, 4] = aten.add.Tensor(%a, %x)
    return %b
  })");
  const size_t first = text.find("torch.constant.int 1");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("torch.constant.int 1", first + 1), std::string::npos);
}

TEST_F(MlirTest, NumbersParseToTheSameValue) {
  Graph graph(context_);
  Node* x = graph.placeholder("x", {.type = *context_.types().parse("f32[2]")});
  Node* last = x;
  const Target add = context_.function("aten.add.Scalar");
  for (const double value :
       {1e-5, 3.0, -0.0, 1e300, std::nan(""), std::numeric_limits<double>::infinity(), 0.1})
    last = graph.call_function(add, {last, value}, {}, {.type = x->type()});
  last = graph.call_function(add, {last, std::numeric_limits<int64_t>::min()}, {},
                             {.type = x->type()});
  graph.output(last);
  const std::string text = source(graph);
  for (const std::string_view number :
       {"1.0e-05", "3.0", "-0.0", "1.0e+300", "0x7FF8000000000000", "0x7FF0000000000000", "0.1"})
    EXPECT_THAT(text, HasSubstr("torch.constant.float " + std::string(number) + "\n"));
  EXPECT_THAT(text, HasSubstr("torch.constant.int -9223372036854775808\n"));
}

TEST_F(MlirTest, NamesAndTextAreEscaped) {
  Graph graph(context_);
  const Type type = *context_.types().parse("f32[2]");
  Node* x = graph.placeholder("x\"} loc(\n", {.type = type});
  Node* weight = graph.get_attr("a.b$c\\ %d", {.type = type});
  Node* sum =
      graph.call_function(context_.function("aten.add.Tensor"), {x, weight}, {}, {.type = type});
  sum->meta().set(meta::kModule, "layer\") }\x01\xff");
  sum->meta().set(meta::kStackTrace, "File \"a\\\"b.py\", line 3, in f\n  code");
  graph.output(sum);
  const std::string text = source(graph, {.function_name = "a b\""});
  EXPECT_THAT(text, HasSubstr("@\"a b\\22\"("));
  EXPECT_THAT(text, HasSubstr("%attr.a$2Eb$24c$5C$20$25d"));
  EXPECT_THAT(text, HasSubstr(R"("layer\22) }\01\FF"(#loc)"));
  EXPECT_THAT(text, HasSubstr(R"("a\5C\22b.py":3:0)"));
  // User text in the graph is written in quotes, on one line.
  EXPECT_THAT(text, Not(HasSubstr("} loc(\n")));
}

TEST_F(MlirTest, DifferentNamesRemainDifferent) {
  Graph graph(context_);
  const Type type = *context_.types().parse("f32[2]");
  absl::StatusOr<Node*> odd =
      graph.create_node(Opcode::kPlaceholder, "x", {}, {},
                        {.type = type, .exact_name = split_name(context_.symbols(), "int.1")});
  ASSERT_TRUE(odd.ok());
  Node* sum =
      graph.call_function(context_.function("aten.add.Tensor"), {*odd, *odd}, {}, {.type = type});
  graph.output(sum);
  EXPECT_THAT(source(graph),
              AllOf(HasSubstr("%int$2E1:"), HasSubstr("%int.1 = torch.constant.int 1")));
}

TEST_F(MlirTest, WritesAreRejected) {
  EXPECT_THAT(source(R"(graph(%x : f32[2]) {
    %add_ : f32[2] = aten.add_.Tensor(%x, 1)
    return %add_
  })"),
              AllOf(HasSubstr("node add_ (aten.add_.Tensor)"), HasSubstr("functionalize")));
}

TEST_F(MlirTest, MissingStatisticsAreNotWritten) {
  EXPECT_THAT(source(R"(graph(%x : f32[2, 3, 4]) {
    %norm : f32[2, 3, 4] = aten.instance_norm.default(%x, None, None, None, None, True, 0.1, 1e-05, False)
    return %norm
  })"),
              HasSubstr("%norm = torch.aten.instance_norm %x, %none.0"));
  EXPECT_THAT(source(R"(graph(%x : f32[2, 3, 4], %m : f32[3]) {
    %norm : f32[2, 3, 4] = aten.instance_norm.default(%x, None, None, %m, %m, True, 0.1, 1e-05, False)
    return %norm
  })"),
              HasSubstr("functionalize"));
}

TEST_F(MlirTest, ASingleItemOfAFixedSizeListIsRepeated) {
  EXPECT_THAT(source(R"(graph(%x : f32[1, 1, 4, 4]) {
    %pool : f32[1, 1, 2, 2] = aten.avg_pool2d.default(%x, [2], 2)
    return %pool
  })"),
              AllOf(HasSubstr("torch.aten.avg_pool2d %x, %list.0, %list.1, %list.2"),
                    HasSubstr("%list.0 = torch.prim.ListConstruct %int.2, %int.2 :"),
                    HasSubstr("%list.1 = torch.prim.ListConstruct %int.2, %int.2 :"),
                    HasSubstr("%list.2 = torch.prim.ListConstruct %int.0, %int.0 :")));
}

TEST_F(MlirTest, NoneResultsAreOmitted) {
  absl::StatusOr<std::unique_ptr<Graph>> graph =
      parse_graph(context_, "graph(%x : f32[2]) {\n  return [None, %x, [None, %x]]\n}");
  ASSERT_TRUE(graph.ok());
  const absl::StatusOr<MlirCode> code = mlir_code(**graph);
  ASSERT_TRUE(code.ok());
  EXPECT_THAT(code->results, ::testing::ElementsAre(1, 3));
  EXPECT_THAT(code->source, HasSubstr("return %x, %x :"));
}

TEST_F(MlirTest, AsStridedRequiresAContiguousOperand) {
  EXPECT_THAT(source(R"(graph(%x : f32[2, 3]) {
    %t : f32[3, 2][1, 3] = aten.t.default(%x)
    %as : f32[2][1] = aten.as_strided.default(%t, [2], [1])
    return %as
  })"),
              AllOf(HasSubstr("node as"), HasSubstr("strides")));
  EXPECT_THAT(source(R"(graph(%x : f32[2, 3]) {
    %as : f32[2][1] = aten.as_strided.default(%x, [2], [1])
    return %as
  })"),
              HasSubstr("torch.aten.index.Tensor %flat"));
}

TEST_F(MlirTest, AMaskIsReplacedWithIndicesOfItsElements) {
  EXPECT_THAT(source(R"(graph(%x : f32[2, 3, 4], %m : b8[2, 3]) {
    %index : f32[u0, 4] = aten.index.Tensor(%x, [%m])
    return %index
  })"),
              AllOf(HasSubstr("torch.aten.nonzero %flat.1 : !torch.vtensor<[6],i1> -> "
                              "!torch.vtensor<[?,1],si64>"),
                    HasSubstr("-> !torch.vtensor<[6,4],f32>")));
}

TEST_F(MlirTest, AMaskOfUnknownSizeIsAnOperand) {
  EXPECT_THAT(source(R"(graph(%x : f32[s0, 4], %m : b8[s0]) {
    %index : f32[u0, 4] = aten.index.Tensor(%x, [%m])
    return %index
  })"),
              Not(HasSubstr("nonzero")));
}

TEST_F(MlirTest, AsStridedMustNotExtendBeyondItsOperand) {
  EXPECT_THAT(source(R"(graph(%x : f32[2, 3]) {
    %as : f32[2, 4][4, 1] = aten.as_strided.default(%x, [2, 4], [4, 1])
    return %as
  })"),
              AllOf(HasSubstr("node as"), HasSubstr("beyond")));
}

TEST_F(MlirTest, ResizingHasEitherSizesOrScales) {
  const auto resized = [&](std::string_view size, std::string_view call) {
    return source("graph(%x : f32[1, 2, s0, 5], %n : int) {\n  %up : f32[1, 2, " +
                  std::string(size) + ", 10] = aten.upsample_" + std::string(call) +
                  "\n  return %up\n}");
  };
  constexpr std::string_view kForm = "torch.aten.__interpolate.size_list_scale_list %x, ";
  EXPECT_THAT(resized("2*s0", "bilinear2d.vec(%x, None, False, [2.0, 2.0])"),
              HasSubstr(std::string(kForm) + "%none.0, %list."));
  EXPECT_THAT(resized("2*s0", "nearest2d.default(%x, [%n, 10], 2.0, 2.0)"),
              HasSubstr(std::string(kForm) + "%list."));
  // The scale does not equal the ratio of the sizes.
  EXPECT_THAT(resized("2*s0", "bilinear2d.default(%x, [%n, 10], False, 2.0, 2.1)"),
              HasSubstr("torch.aten.upsample_bilinear2d %x"));
  EXPECT_THAT(resized("s0//2", "nearest2d.default(%x, [%n, 10], 0.5, 2.0)"),
              HasSubstr("torch.aten.upsample_nearest2d %x"));
}

/// libtorch's kernel ignores the scales if sizes are doubled or unchanged. torch-mlir ignores
/// scales if sizes are passed, so an emitted call has scales instead of sizes if they determine its
/// sizes.
TEST_F(MlirTest, ResizingHasTheScalesThatLibtorchUses) {
  const auto resized = [&](std::string_view sizes, std::string_view call) {
    return source("graph(%x : f32[1, 2, 5, 7]) {\n  %up : f32[1, 2, " + std::string(sizes) +
                  "] = aten.upsample_" + std::string(call) + "\n  return %up\n}");
  };
  constexpr std::string_view kForm = "torch.aten.__interpolate.size_list_scale_list %x, ";
  const auto by_sizes = HasSubstr(std::string(kForm) + "%list.");
  const auto by_scales = HasSubstr(std::string(kForm) + "%none.0, %list.");
  EXPECT_THAT(resized("10, 7", "nearest2d.default(%x, [10, 7], 2.1, 1.1)"), by_sizes);
  EXPECT_THAT(
      resized("10, 7", "nearest2d.vec(%x, None, [2.1, 1.1])"),
      AllOf(by_scales, HasSubstr("float 2.0\n"), HasSubstr("float 1.0\n"), Not(HasSubstr(".1\n"))));
  EXPECT_THAT(resized("15, 7", "nearest2d.default(%x, [15, 7], 3.1, 1.1)"),
              AllOf(by_scales, HasSubstr("float 3.1\n"), HasSubstr("float 1.0\n")));
  EXPECT_THAT(resized("10, 7", "bilinear2d.default(%x, [10, 7], False, 2.1, 1.1)"),
              AllOf(by_scales, HasSubstr("float 2.1\n"), HasSubstr("float 1.1\n")));
  EXPECT_THAT(resized("10, 7", "bilinear2d.default(%x, [10, 7], True, 2.1, 1.1)"), by_sizes);
  EXPECT_THAT(resized("9, 7", "nearest2d.default(%x, [9, 7], 2.1, 1.1)"),
              HasSubstr("torch.aten.upsample_nearest2d %x"));
}

TEST_F(MlirTest, AScanIsALoopThatCarriesItsRows) {
  const std::string text = source(R"(graph(%init : f32[3], %xs : f32[5, 3]) {
    graph @step(%carried : f32[3], %x : f32[3]) {
      %add : f32[3] = aten.add.Tensor(%carried, %x)
      %mul : f32[3] = aten.mul.Tensor(%add, 2)
      return [%add, %mul]
    }
    %scan : (f32[3], f32[5, 3]) = higher_order.scan(@step, [%init], [%xs], [])
    %last : f32[3] = operator.getitem(%scan, 0)
    %rows : f32[5, 3] = operator.getitem(%scan, 1)
    return [%last, %rows]
  })");
  EXPECT_THAT(text,
              AllOf(HasSubstr("%scan:2 = torch.prim.Loop %int.5, %bool.true, init(%init, %rows."),
                    HasSubstr("torch.aten.select.int %xs, %int.0, %count."),
                    HasSubstr("torch.aten.select_scatter %carried."),
                    HasSubstr("return %scan#0, %scan#1")));
}

TEST_F(MlirTest, StringsAreNotArguments) {
  EXPECT_THAT(source(R"(graph(%x : f32[2], %mode : str("sum")) {
    return %x
  })"),
              AllOf(HasSubstr("@main(%x: !torch.vtensor<[2],f32> loc(#loc1)) ->"),
                    Not(HasSubstr("!torch.str)"))));
}

TEST_F(MlirTest, NumbersWithComplexTensorsAreTensors) {
  EXPECT_THAT(source(R"(graph(%x : c128[2]) {
    %mul : c128[2] = aten.mul.Tensor(%x, 0.1)
    return %mul
  })"),
              AllOf(HasSubstr("-> !torch.vtensor<[],f64>"), HasSubstr("torch.aten.mul.Tensor %x")));
}

TEST_F(MlirTest, ComplexNumbersAreTensors) {
  EXPECT_THAT(source(R"(graph(%x : f32[2]) {
    %mul : c64[2] = aten.mul.Scalar(%x, complex(0.0, 2.0))
    return %mul
  })"),
              AllOf(HasSubstr("torch.vtensor.literal(dense<\"0x0000000000000040\"> : "
                              "tensor<complex<f32>>) : !torch.vtensor<[],complex<f32>>"),
                    HasSubstr("torch.aten.mul.Tensor %x, %literal.")));
}

TEST_F(MlirTest, NumbersInPlaceOfTensorsUseScalarOverloads) {
  EXPECT_THAT(source(R"(graph(%x : f64[2]) {
    %mul : f64[2] = aten.mul.Tensor(%x, 2.5)
    %max : f64[2] = aten.maximum.default(%mul, 0.1)
    return %max
  })"),
              AllOf(HasSubstr("torch.aten.mul.Scalar %x, %float.0"),
                    // With dtype float32, 0.1 would be a different number.
                    HasSubstr("torch.prim.NumToTensor.Scalar %float.1 : !torch.float -> "
                              "!torch.vtensor<[],f64>")));
}

TEST_F(MlirTest, LiteralsContainTheBytesOfTensors) {
  OrderedMap<Tensor> weights;
  weights.set("w", *Tensor::of<float>({2}, {1.0F, 2.0F}));
  weights.set("one", *Tensor::of<int64_t>({}, {3}));
  weights.set("mask", *Tensor::of<bool>({2}, {true, false}));
  const std::string text = source(R"(graph(%x : f32[2]) {
    %w : f32[2] = get_attr w
    %one : i64[] = get_attr one
    %mask : b8[2] = get_attr mask
    %a : f32[2] = aten.add.Tensor(%x, %w)
    %b : f32[2] = aten.add.Tensor(%a, %one)
    %c : f32[2] = aten.masked_fill.Scalar(%b, %mask, 0)
    return %c
  })",
                                  {.literals = &weights});
  EXPECT_THAT(text, HasSubstr("func.func @main(%x: !torch.vtensor<[2],f32> loc(#loc1)) ->"));
  EXPECT_THAT(text, HasSubstr(": \"0x400000000000803F00000040\""));
  EXPECT_THAT(text, HasSubstr("(dense<\"0x0300000000000000\"> : tensor<si64>)"));
  EXPECT_THAT(text, HasSubstr(": \"0x400000000100\""));
  EXPECT_THAT(text, HasSubstr("torch.prims.convert_element_type"));
  weights.set("w", *Tensor::of<float>({3}, {1.0F, 2.0F, 3.0F}));
  EXPECT_THAT(source(R"(graph() {
    %w : f32[2] = get_attr w
    return %w
  })",
                     {.literals = &weights}),
              HasSubstr("its tensor f32[3] does not have the node's type, f32[2]"));
}

}  // namespace
}  // namespace fx
