#include "fx/passes/cleanup/omit_default_arguments.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <string>

namespace fx {
namespace {

std::string omitted(std::string_view text, bool expect_change = true) {
  Context context;
  auto graph = parse_graph(context, text);
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return {};
  const auto changed = omit_default_arguments(**graph);
  EXPECT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(changed.ok() && *changed, expect_change);
  EXPECT_TRUE(verify(**graph).ok()) << verify(**graph).str();
  const auto again = omit_default_arguments(**graph);
  EXPECT_TRUE(again.ok() && !*again);
  return print(**graph);
}

TEST(OmitDefaultArguments, OmitsDefaultsOfTheSchema) {
  EXPECT_EQ(omitted(R"(graph(%b, %x, %w) {
  %a = aten.addmm.default(%b, %x, %w, beta=1, alpha=1)
  %c = aten.addmm.default(%b, %x, %w, beta=2, alpha=1)
  %s = aten.slice.Tensor(%a, 0, 0, 9223372036854775807, 1)
  %m = aten.sum.dim_IntList(%c, [0], False, dtype=None)
  return (%s, %m)
})"),
            R"(graph(%b, %x, %w) {
  %a = aten.addmm.default(%b, %x, %w)
  %c = aten.addmm.default(%b, %x, %w, beta=2)
  %s = aten.slice.Tensor(%a, 0, 0, 9223372036854775807)
  %m = aten.sum.dim_IntList(%c, [0])
  return (%s, %m)
}
)");
}

// A default before an argument that differs from its default, arguments without a default, and
// unknown functions.
TEST(OmitDefaultArguments, KeepsOtherArguments) {
  const std::string text = R"(graph(%x) {
  %a = aten.slice.Tensor(%x, 0, 0, 5)
  %b = aten.mul.Tensor(%a, 1)
  %c = my.function(%b, 1, alpha=1)
  return %c
}
)";
  EXPECT_EQ(omitted(text, false), text);
}

}  // namespace
}  // namespace fx
