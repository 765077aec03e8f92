// Tests nodes that compute sizes, strides, offsets and symbolic expressions.
#include "fx/ir/graph/edit/sym_nodes.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::StatusIs;

class SymNodesTest : public ::testing::Test {
 protected:
  void read(std::string_view text) {
    absl::StatusOr<std::unique_ptr<Graph>> graph = parse_graph(context_, text);
    ASSERT_THAT(graph, IsOk());
    graph_ = *std::move(graph);
    if (graph_->output_node()) graph_->set_insert_point_before(graph_->output_node());
  }
  Dim dim(std::string_view text) {
    const absl::StatusOr<SymExpr> expr = context_.exprs().parse(text);
    EXPECT_THAT(expr, IsOk());
    return expr.ok() ? Dim(*expr) : Dim();
  }
  /// Returns the printed results for these expressions.
  std::string materialize(const std::vector<std::string_view>& texts) {
    std::vector<Dim> dims;
    for (const std::string_view text : texts) dims.push_back(dim(text));
    const absl::StatusOr<std::vector<Argument>> results = materialize_symints(*graph_, dims);
    EXPECT_THAT(results, IsOk());
    EXPECT_TRUE(verify(*graph_).ok()) << verify(*graph_).str();
    return results.ok() ? print(Argument::list(*results)) : "";
  }

  Context context_;
  std::unique_ptr<Graph> graph_;
};

// parity: G26
TEST_F(SymNodesTest, SizeStrideAndOffsetOfATensor) {
  read("graph(%x : f32[s0, 3][3, 1]{offset=s1}) { return %x }");
  Node& x = *graph_->front();
  EXPECT_EQ(print(*create_size_node(x, 0)),
            "%sym_size_int : SymInt(s0) = aten.sym_size.int(%x, 0)");
  EXPECT_EQ(print(*create_size_node(x, -1)),
            "%sym_size_int_1 : int(3) = aten.sym_size.int(%x, -1)");
  EXPECT_EQ(print(*create_stride_node(x, 0)),
            "%sym_stride_int : int(3) = aten.sym_stride.int(%x, 0)");
  EXPECT_EQ(print(*create_storage_offset_node(x)),
            "%sym_storage_offset_default : SymInt(s1) = aten.sym_storage_offset.default(%x)");
  EXPECT_TRUE(graph_->back()->is_output());  // the nodes are at the insert point
}

// parity: G26
TEST_F(SymNodesTest, UnknownTensorsHaveIntegerResults) {
  read("graph(%x, %y : f32[*], %z : f32[2, 3][?]) { return %x }");
  Node& x = *graph_->front();
  EXPECT_EQ(to_string(create_size_node(x, 7)->type()), "int");
  EXPECT_EQ(to_string(create_storage_offset_node(x)->type()), "int");
  EXPECT_EQ(to_string(create_size_node(*x.next(), 7)->type()), "int");
  EXPECT_EQ(to_string(create_stride_node(*x.next()->next(), 1)->type()), "int");
  EXPECT_DEATH(create_size_node(*x.next()->next(), 2),
               "dimension 2 is out of range: z has 2 dimensions");
}

// torch 2.13 returns the same, except for the order of symbols.
// parity: G27
TEST_F(SymNodesTest, ExpressionsOverSizesOfInputs) {
  read("graph(%x : f32[s0, 3], %y : f32[4, s1]) { return %x }");
  EXPECT_EQ(materialize({"2*s0 + s1//3", "s0 + s1 - 1", "Max(s0, s1)", "5"}),
            "[%add, %add_2, %sym_max, 5]");
  EXPECT_EQ(print(*graph_), R"(graph(%x : f32[s0, 3], %y : f32[4, s1]) {
  %sym_size_int : SymInt(s0) = aten.sym_size.int(%x, 0)
  %mul : SymInt(2*s0) = operator.mul(2, %sym_size_int)
  %sym_size_int_1 : SymInt(s1) = aten.sym_size.int(%y, 1)
  %floordiv : SymInt((s1//3)) = operator.floordiv(%sym_size_int_1, 3)
  %add : SymInt(2*s0 + ((s1//3))) = operator.add(%mul, %floordiv)
  %add_1 : SymInt(s0 + s1) = operator.add(%sym_size_int, %sym_size_int_1)
  %add_2 : SymInt(s0 + s1 - 1) = operator.add(%add_1, -1)
  %sym_max : SymInt(Max(s0, s1)) = torch.sym_max(%sym_size_int, %sym_size_int_1)
  return %x
}
)");
}

// parity: G27
TEST_F(SymNodesTest, CommonExpressionsAreComputedOnce) {
  read("graph(%x : f32[s0]) { return %x }");
  EXPECT_EQ(materialize({"s0", "s0", "(s0//2)*3", "s0//2 + 1"}),
            "[%sym_size_int, %sym_size_int, %mul, %add]");
  EXPECT_EQ(graph_->find_nodes(context_.function("operator.floordiv")).size(), 1u);
  EXPECT_EQ(graph_->find_nodes(context_.function("aten.sym_size.int")).size(), 1u);
}

// parity: G27
TEST_F(SymNodesTest, NumberInputsArePreferredToSizes) {
  read("graph(%x : f32[s0], %n : SymInt(s0)) { return %x }");
  EXPECT_EQ(materialize({"s0"}), "[%n]");
  EXPECT_EQ(graph_->size(), 3u);
}

// parity: G27
TEST_F(SymNodesTest, AMultipleOfTheSymbolIsDivided) {
  read("graph(%x : f32[4*s0]) { return %x }");
  EXPECT_EQ(materialize({"s0 + 1"}), "[%add]");
  EXPECT_EQ(print(*graph_), R"(graph(%x : f32[4*s0]) {
  %sym_size_int : SymInt(4*s0) = aten.sym_size.int(%x, 0)
  %floordiv : SymInt(s0) = operator.floordiv(%sym_size_int, 4)
  %add : SymInt(s0 + 1) = operator.add(%floordiv, 1)
  return %x
}
)");
}

// parity: G27
TEST_F(SymNodesTest, UnbackedSymbolsAreReadFromTheirResult) {
  read(R"(graph(%x : f32[4]) {
    %item : SymInt(u0) = aten.item.default(%x)
    %nonzero : i64[u1, 1] = aten.nonzero.default(%x)
    %pair : (f32[2], [i64[u2]]) = f(%x)
    return %x
  })");
  EXPECT_EQ(materialize({"u0", "u1", "u2"}), "[%item, %sym_size_int, %sym_size_int_1]");
  EXPECT_EQ(print(*graph_), R"(graph(%x : f32[4]) {
  %item : SymInt(u0) = aten.item.default(%x)
  %nonzero : i64[u1, 1] = aten.nonzero.default(%x)
  %pair : (f32[2], [i64[u2]]) = f(%x)
  %sym_size_int : SymInt(u1) = aten.sym_size.int(%nonzero, 0)
  %getitem : [i64[u2]] = operator.getitem(%pair, 1)
  %getitem_1 : i64[u2] = operator.getitem(%getitem, 0)
  %sym_size_int_1 : SymInt(u2) = aten.sym_size.int(%getitem_1, 0)
  return %x
}
)");
}

// parity: G27
TEST_F(SymNodesTest, PythonFunctions) {
  read("graph(%x : f32[s0, s1]) { return %x }");
  EXPECT_EQ(materialize({"Mod(s0, 3)", "Min(s0, s1, 9)", "s0**2", "s0*s1*2",
                         "TruncToInt(IntTrueDiv(s0, s1))", "LShift(s0, s1)"}),
            "[%mod, %sym_min_1, %pow_1, %mul_1, %trunc, %lshift]");
}

// parity: G27
TEST_F(SymNodesTest, ErrorsLeaveTheGraphUnchanged) {
  read(
      "graph(%x : f32[s0]) {\n  %y : f32[s7] = f(%x)\n  %late : SymInt(u0) = g(%x)\n"
      "  return %x\n}");
  graph_->set_insert_point_before(graph_->find_node("late"));
  const std::string before = print(*graph_);
  const auto error = [&](const std::vector<Dim>& dims) {
    return materialize_symints(*graph_, dims).status();
  };
  EXPECT_THAT(error({dim("s0 + 1"), dim("s9")}),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("no input before the insert point has the symbol s9")));
  // A backed symbol must be read from an input: the size of a result may be equal only by chance.
  EXPECT_THAT(error({dim("s7")}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("symbol s7")));
  // The result with the symbol comes after the insert point.
  EXPECT_THAT(error({dim("u0")}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("symbol u0")));
  EXPECT_THAT(error({dim("ToFloat(s0)")}), StatusIs(absl::StatusCode::kInvalidArgument,
                                                    HasSubstr("must be an integer, not ToFloat")));
  EXPECT_THAT(error({dim("s0"), dim("TruncToInt(OpaqueUnaryFn_asinh(s0))")}),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("asinh")));
  EXPECT_EQ(print(*graph_), before);
}

TEST_F(SymNodesTest, FunctionsOfOneFloat) {
  read("graph(%x : f32[s0]) { return %x }");
  FX_ASSERT_OK_AND_ASSIGN(const Argument log,
                          materialize_symint(*graph_, dim("TruncToInt(OpaqueUnaryFn_log2(s0))")));
  EXPECT_EQ(log.as_node()->target(), "math.trunc");
  EXPECT_EQ(log.as_node()->arg(0).node()->target(), "torch._sym_log2");
  FX_ASSERT_OK_AND_ASSIGN(const Argument exp,
                          materialize_symint(*graph_, dim("TruncToInt(OpaqueUnaryFn_exp(s0))")));
  EXPECT_EQ(exp.as_node()->arg(0).node()->target(), "math.exp");
}

// parity: G27
TEST_F(SymNodesTest, SingleValue) {
  read("graph(%x : f32[s0]) { return %x }");
  FX_ASSERT_OK_AND_ASSIGN(const Argument three, materialize_symint(*graph_, 3));
  EXPECT_EQ(three, Argument(3));
  FX_ASSERT_OK_AND_ASSIGN(const Argument size, materialize_symint(*graph_, dim("s0")));
  EXPECT_EQ(size.as_node()->name(), "sym_size_int");
}

}  // namespace
}  // namespace fx
