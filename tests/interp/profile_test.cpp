// The totals of a profile, and the trace that it writes.
#include "fx/interp/profile.h"

#include "fx/interp/interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace fx::profile_test {
namespace {

using testing::IsOk;

class Adding : public Interpreter<int> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<int> call_function(Call& call) override {
    if (call.function.name() == "fail") return absl::InternalError("no");
    volatile int sum = 0;
    for (int i = 0; i < 20000; ++i) sum = sum + i;
    return call.args[0] + 1;
  }
};

class Measured : public Profiled<Adding> {
 public:
  using Profiled::Profiled;

 protected:
  int64_t bytes_of(const Node&, const int& value) const override { return value; }
};

TEST(ProfileTest, SumsByNodeTargetAndModule) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto inner, parse_graph(context, R"(graph(%x) {
    %a = f(%x) !{module="layer.fc"}
    %b = f(%a) !{module="layer.fc"}
    return %b
  })"));
  FX_ASSERT_OK_AND_ASSIGN(auto outer, parse_graph(context, R"(graph(%x) {
    %first = f(%x)
    %layer = call_module layer(%first)
    %last = g(%layer)
    return %last
  })"));
  Module root;
  FX_ASSERT_OK_AND_ASSIGN(std::unique_ptr<GraphModule> layer,
                          GraphModule::create(Module(), inner->clone()));
  ASSERT_THAT(root.add_submodule("layer", std::move(layer)), IsOk());
  FX_ASSERT_OK_AND_ASSIGN(const auto module, GraphModule::create(root, std::move(outer)));
  Measured profiled(*module);
  FX_ASSERT_OK_AND_ASSIGN(const int result, profiled.run({5}));
  EXPECT_EQ(result, 9);

  const Profile& profile = profiled.profile();
  ASSERT_EQ(profile.events.size(), 9u);  // the nodes of both graphs, with inputs and outputs
  int64_t self = 0;
  for (const ProfileEvent& event : profile.events) {
    EXPECT_GE(event.self_ns, 0);
    EXPECT_LE(event.self_ns, event.time_ns);
    if (event.depth == 0) self += event.time_ns;
  }
  EXPECT_EQ(self, profile.total_ns());  // time in nested graphs counts once
  const auto find = [&](ProfileGroup group, const std::string& name) {
    for (const ProfileRow& row : profile.rows(group))
      if (row.name == name) return row;
    return ProfileRow{};
  };
  EXPECT_EQ(find(ProfileGroup::kTarget, "f").calls, 3u);
  EXPECT_EQ(find(ProfileGroup::kTarget, "f").bytes, 6 + 7 + 8);
  EXPECT_EQ(find(ProfileGroup::kModule, "layer.fc").calls, 2u);
  EXPECT_EQ(find(ProfileGroup::kNode, "last").calls, 1u);
  EXPECT_THAT(profile.table(ProfileGroup::kTarget, 2),
              ::testing::AllOf(::testing::HasSubstr("  f\n"), ::testing::HasSubstr("more"),
                               ::testing::HasSubstr("total")));

  const auto trace = nlohmann::json::parse(profile.chrome_trace());
  ASSERT_EQ(trace["traceEvents"].size(), 9u);
  double begin = 0, end = 0;
  for (const auto& event : trace["traceEvents"])
    if (event["name"] == "layer") begin = event["ts"], end = begin + double(event["dur"]);
  for (const auto& event : trace["traceEvents"]) {
    EXPECT_EQ(event["ph"], "X");
    if (event["args"]["module"] != "layer.fc") continue;
    EXPECT_GE(event["ts"], begin);  // the event is inside its caller's
    EXPECT_LE(double(event["ts"]) + double(event["dur"]), end + 1e-3);
  }
  profiled.clear_profile();
  EXPECT_TRUE(profile.events.empty());
}

TEST(ProfileTest, NodesThatFailAreNotCounted) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const auto graph, parse_graph(context, R"(graph(%x) {
    %a = f(%x)
    %b = fail(%a)
    return %b
  })"));
  Measured profiled(*graph);
  EXPECT_FALSE(profiled.run({1}).ok());
  EXPECT_EQ(profiled.profile().events.size(), 2u);
}

}  // namespace
}  // namespace fx::profile_test
