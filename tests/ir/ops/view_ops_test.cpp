// The table of view operators is consistent with the operator table.
#include "fx/ir/ops/view_ops.h"

#include "fx/ir/ops/op_info.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fx::ops {
namespace {

TEST(ViewOps, AreOperatorsWhoseResultsShareMemory) {
  std::set<std::string_view> names;
  for (const ViewOp& view : view_ops()) {
    EXPECT_TRUE(names.insert(view.op).second) << view.op << " has two rows";
    const OpInfo* op = find_op(view.op);
    ASSERT_NE(op, nullptr) << view.op;
    EXPECT_FALSE(op->output_aliases().empty()) << view.op;
    EXPECT_FALSE(op->effects().has(Effect::kWritesArguments)) << view.op;
    EXPECT_EQ(view_kind(*op), view.kind);
  }
}

/// The types of the parameters of a kind in schema text; empty at positions that the kind does not
/// read.
std::vector<std::vector<std::string_view>> parameter_types(ViewKind kind) {
  const std::vector<std::string_view> dim = {"int"};
  const std::vector<std::string_view> index = {"SymInt", "int"};
  switch (kind) {
    case ViewKind::kUnsqueeze:
    case ViewKind::kSqueezeDim:
    case ViewKind::kUnbind:
      return {dim};
    case ViewKind::kTranspose:
      return {dim, dim};
    case ViewKind::kPermute:
      return {{"int[]"}};
    case ViewKind::kMoveDim:
      return {{"int", "int[]"}, {"int", "int[]"}};
    case ViewKind::kSlice:
      return {dim, {"SymInt?"}, {"SymInt?"}, index};
    case ViewKind::kNarrow:
      return {dim, index, index};
    case ViewKind::kSelect:
      return {dim, index};
    case ViewKind::kDiagonal:
      return {dim, dim, dim};
    case ViewKind::kSplit:
      return {{}, dim};
    default:
      return {};
  }
}

TEST(ViewOps, HaveTheParametersOfTheirKind) {
  for (const ViewOp& view : view_ops()) {
    const auto parameters = find_op(view.op)->schema().arguments();
    EXPECT_TRUE(to_string(parameters[0].type).starts_with("Tensor")) << view.op;
    const auto types = parameter_types(view.kind);
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i].empty()) continue;
      ASSERT_GT(parameters.size(), i + 1) << view.op;
      const std::string type = to_string(parameters[i + 1].type);
      EXPECT_NE(std::ranges::count(types[i], type), 0) << view.op << ": " << type;
    }
  }
}

TEST(ViewOps, ScattersReturnNewMemory) {
  for (const ViewOp& view : view_ops()) {
    if (view.scatter.empty()) continue;
    const OpInfo* scatter = find_op(view.scatter);
    ASSERT_NE(scatter, nullptr) << view.scatter;
    EXPECT_TRUE(scatter->output_aliases().empty()) << view.scatter;
    EXPECT_EQ(view_of_scatter(*scatter), &view);
    EXPECT_EQ(scatter->schema().arguments()[1].name, "src");
  }
  EXPECT_EQ(view_of_scatter(*find_op("aten.select.int")), nullptr);
}

TEST(ViewOps, OperatorsWithoutARowAreOther) {
  EXPECT_EQ(view_kind(*find_op("aten.unfold.default")), ViewKind::kOther);
  EXPECT_EQ(view_kind(*find_op("aten.select.int")), ViewKind::kSelect);
}

}  // namespace
}  // namespace fx::ops
