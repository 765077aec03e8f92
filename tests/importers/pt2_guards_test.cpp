// Guards that torch.export writes as Python code.
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace fx::pt2_guards_test {
namespace {

using ::testing::ElementsAre;

TEST(Pt2GuardsTest, RelationsBetweenSizesOfInputs) {
  Context context;
  const auto graph = parse_graph(context, R"fx(
graph(%x : f32[n, 4], %y : f32[m, 2*n], %k : int(3), %u : f32[*], %s : SymInt(s)) {
  !guards_code = [
    "y.size()[0]*x.size()[0] > 20",
    "L['x'].size()[0] != L['y'].size()[0]",
    "(x.size()[0] % 2) == 0",
    "(L['y'].size()[1] // 3) == 4",
    "max(x.size()[0], y.size()[0]) > 6",
    "(x.size()[0] > 1) or (min(y.size()[0], 9) > 2)",
    "x.size()[1] == 4",
    "x.size()[1] == 5",
    "x.size()[0] > 1 and y.size()[0] > 2",
    "not (x.size()[0] == 1)",
    "k == 3",
    "x.stride()[0] == 1",
    "z.size()[0] == 2",
    "u.size()[0] == 2",
    "x.size()[2] == 2",
    "x.size()[0] + 1",
    "L['s'] > x.size()[0]",
    "s.size()[0] == 2"
  ]
  return %x
}
)fx");
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<std::string> unread, read;
  for (const SymExpr guard : pt2_guards(**graph, &unread))
    read.push_back(to_string(guard.canonical()));
  EXPECT_THAT(read, ElementsAre("m*n > 20", "Ne(m, n)", "Eq(Mod(n, 2), 0)", "Eq(((2*n)//3), 4)",
                                "Max(m, n) > 6", "(n > 1) | (Min(9, m) > 2)", "n < s"));
  EXPECT_THAT(unread, ElementsAre("x.size()[1] == 5", "x.size()[0] > 1 and y.size()[0] > 2",
                                  "not (x.size()[0] == 1)", "k == 3", "x.stride()[0] == 1",
                                  "z.size()[0] == 2", "u.size()[0] == 2", "x.size()[2] == 2",
                                  "x.size()[0] + 1", "s.size()[0] == 2"));
}

// Arguments in lists, dicts, *args and **kwargs. The input of the argument `d_k` is named d_k_1, because
// that of d['k'] is d_k.
TEST(Pt2GuardsTest, InputsInContainers) {
  Context context;
  const auto graph = parse_graph(context, R"fx(
graph(%d_k : f32[a], %l_0 : f32[b], %d_k_1 : f32[c], %rest_0 : f32[e], %object : f32[n], %s : f32[f]) {
  !calling_convention = {
    "orig_args": ["d", "d_k", "rest_0", "pair", "s"],
    "in_spec": "[1, {\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [{\"type\": \"builtins.dict\", \"context\": \"[\\\"k\\\", \\\"l\\\"]\", \"children_spec\": [{\"type\": null, \"context\": null, \"children_spec\": []}, {\"type\": \"builtins.list\", \"context\": \"null\", \"children_spec\": [{\"type\": null, \"context\": null, \"children_spec\": []}]}]}, {\"type\": null, \"context\": null, \"children_spec\": []}, {\"type\": null, \"context\": null, \"children_spec\": []}, {\"type\": \"my.Pair\", \"context\": \"\", \"children_spec\": [{\"type\": null, \"context\": null, \"children_spec\": []}]}]}, {\"type\": \"builtins.dict\", \"context\": \"[\\\"s\\\"]\", \"children_spec\": [{\"type\": null, \"context\": null, \"children_spec\": []}]}]}]"
  }
  !guards_code = [
    "L['d']['k'].size()[0] > 2",
    "L['d']['l'][0].size()[0] > 2",
    "L['d_k'].size()[0] > 2",
    "L['rest'][0].size()[0] > 2",
    "L['rest_0'].size()[0] != 9",
    "L['kwargs']['s'].size()[0] > 2",
    "L['s'].size()[0] != 9",
    "L['pair'].x.size()[0] > 2",
    "L['rest'][1].size()[0] > 2",
    "L['d'].size()[0] > 2"
  ]
  return %s
}
)fx");
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<std::string> unread, read;
  for (const SymExpr guard : pt2_guards(**graph, &unread))
    read.push_back(to_string(guard.canonical()));
  EXPECT_THAT(read,
              ElementsAre("a > 2", "b > 2", "c > 2", "e > 2", "Ne(e, 9)", "f > 2", "Ne(f, 9)"));
  EXPECT_THAT(unread, ElementsAre("L['pair'].x.size()[0] > 2", "L['rest'][1].size()[0] > 2",
                                  "L['d'].size()[0] > 2"));
}

}  // namespace
}  // namespace fx::pt2_guards_test
