// The table of view operators is consistent with the operator table.
#include "fx/ir/ops/view_ops.h"

#include "fx/ir/ops/op_info.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

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
