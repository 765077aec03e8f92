#include "fx/passes/partition/backend_splitter.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/analysis/order_edges.h"
#include "tests/testing/random_graph.h"
#include "tests/testing/status_matchers.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx::backend_splitter_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsOkAndHolds;
using testing::StatusIs;

/// Returns the names of the calls in each part. A naive implementation of the definition in
/// backend_splitter.h: runs calls on one side as long as any can run, then on the other side.
/// Returns nullopt if calls depend on each other in a cycle.
std::optional<std::vector<std::vector<std::string>>> reference_parts(
    const Graph& graph, const OperatorSupport& support, const BackendSplitOptions& options) {
  std::vector<Node*> nodes = find_backend_nodes(graph, support, options.allow_non_tensor);
  const auto groups = find_fusion_groups(graph, nodes);
  std::vector<std::vector<Node*>> units = groups;  // the calls of a unit run together
  absl::flat_hash_map<const Node*, size_t> unit_of;
  for (size_t i = 0; i < units.size(); ++i)
    for (const Node* node : units[i]) unit_of[node] = i;
  std::vector<Node*> calls;
  for (Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    calls.push_back(&node);
    if (unit_of.contains(&node)) continue;
    unit_of[&node] = units.size();
    units.push_back({&node});
  }
  std::vector<std::vector<bool>> before(units.size(), std::vector<bool>(units.size()));
  const auto add_edge = [&](const Node* earlier, const Node* later) {
    if (earlier->is_call() && later->is_call() && unit_of[earlier] != unit_of[later])
      before[unit_of[earlier]][unit_of[later]] = true;
  };
  for (const Node* call : calls) call->for_each_input([&](Node* input) { add_edge(input, call); });
  for (const auto& [earlier, later] : internal::order_edges(graph)) add_edge(earlier, later);
  const auto on_backend = [&](size_t unit) {
    return std::ranges::find(nodes, units[unit][0]) != nodes.end();
  };
  std::vector<bool> done(units.size());
  const auto may_run = [&](size_t unit) {
    if (done[unit]) return false;
    for (size_t i = 0; i < units.size(); ++i)
      if (before[i][unit] && !done[i]) return false;
    return true;
  };
  bool backend = true;
  for (size_t i = 0; i < units.size(); ++i)
    if (may_run(i) && !on_backend(i)) backend = false;
  struct Part {
    bool on_backend;
    std::vector<Node*> nodes;
  };
  std::vector<Part> parts;
  for (size_t num_done = 0; num_done < calls.size(); backend = !backend) {
    Part part{.on_backend = backend, .nodes = {}};
    for (size_t i = 0; i < units.size(); ++i) {
      if (on_backend(i) != backend || !may_run(i)) continue;
      done[i] = true;
      part.nodes.insert(part.nodes.end(), units[i].begin(), units[i].end());
      i = static_cast<size_t>(-1);  // restarts with the first unit
    }
    if (part.nodes.empty() && !parts.empty() && parts.back().nodes.empty()) return std::nullopt;
    num_done += part.nodes.size();
    parts.push_back(std::move(part));
  }
  std::erase_if(parts, [](const Part& part) { return part.nodes.empty(); });
  std::vector<Part> joined;
  for (Part& part : parts) {
    if (part.on_backend && part.nodes.size() < options.min_backend_calls) part.on_backend = false;
    if (!joined.empty() && !part.on_backend && !joined.back().on_backend) {
      joined.back().nodes.insert(joined.back().nodes.end(), part.nodes.begin(), part.nodes.end());
    } else {
      joined.push_back(std::move(part));
    }
  }
  std::vector<std::vector<std::string>> names;
  for (const Part& part : joined) {
    names.emplace_back();
    for (const Node* call : calls)
      if (std::ranges::find(part.nodes, call) != part.nodes.end())
        names.back().push_back(call->name());
  }
  return names;
}

class BackendSplitterTest : public ::testing::Test {
 protected:
  void parse(const std::string& text) { graph_ = *parse_graph(context_, text); }
  std::string text_of(std::string_view module) {
    return print(root_.find_module(module)->as_graph_module()->graph());
  }
  static OperatorSupport supports(const std::vector<std::string>& targets) {
    return supports_targets(targets);
  }

  Context context_;
  std::unique_ptr<Graph> graph_;
  Module root_;
};

// parity: P9
TEST_F(BackendSplitterTest, PartsMatchTheDefinition) {
  testing::Random random(7);
  const Type tensor = *context_.types().parse("f32[s0, 3]");
  const Type number = *context_.types().parse("SymInt(s0)");
  const Target relu = context_.function("aten.relu.default");
  const Target add = context_.function("aten.add.Tensor");
  const Target size = context_.function("aten.sym_size.int");
  const Target expand = context_.function("aten.expand.default");
  const Target writes = context_.function("aten.relu_.default");
  const Target draws = context_.function("aten.rand_like.default");
  size_t num_parts = 0, num_grouped = 0, num_moved = 0;
  for (int round = 0; round < 3000; ++round) {
    Graph graph(context_);
    std::vector<Node*> tensors = {graph.placeholder("x", {.type = tensor}),
                                  graph.placeholder("y", {.type = tensor})};
    std::vector<Node*> numbers;
    // Varies the kinds of calls: every third graph has only tensors.
    const bool has_numbers = round % 3 != 0, has_effects = random.chance(40);
    const auto any = [&](const std::vector<Node*>& of) {
      return of[of.size() - 1 - random.below(std::min<size_t>(of.size(), 6))];
    };
    for (size_t i = 0, n = random.below(25); i < n; ++i) {
      const size_t kind = random.below(10);
      Node* call = nullptr;
      if (has_numbers && kind == 0) {
        numbers.push_back(graph.call_function(size, {any(tensors), 0}, {}, {.type = number}));
        continue;
      }
      if (has_numbers && kind < 3 && !numbers.empty()) {
        call = graph.call_function(expand, {any(tensors), Argument::list({any(numbers), 3})}, {},
                                   {.type = tensor});
      } else if (has_effects && kind == 3) {
        call = graph.call_function(random.chance(50) ? writes : draws, {any(tensors)}, {},
                                   {.type = tensor});
      } else if (kind < 7) {
        call = graph.call_function(relu, {any(tensors)}, {}, {.type = tensor});
      } else {
        call = graph.call_function(add, {any(tensors), any(tensors)}, {}, {.type = tensor});
      }
      tensors.push_back(call);
    }
    graph.output(tensors.back());
    std::vector<std::string> ops;
    for (const char* op : {"aten.relu.default", "aten.add.Tensor", "aten.sym_size.int",
                           "aten.expand.default", "aten.relu_.default", "aten.rand_like.default"})
      if (random.chance(60)) ops.emplace_back(op);
    // Moves a call before its operand. The graph cannot be split, but its parts are still
    // determined.
    bool is_moved = false;
    if (!has_effects && random.chance(20) && graph.size() > 4) {
      Node* last = tensors.back();
      if (last->is_call()) {
        EXPECT_THAT(last->move_before(*graph.front()), IsOk());
        is_moved = true;
        ++num_moved;
      }
    }
    BackendSplitOptions options{.allow_non_tensor = random.chance(30)};
    if (random.chance(40)) options.min_backend_calls = 1 + random.below(4);
    const auto want = reference_parts(graph, supports(ops), options);
    const auto got = propose_backend_parts(graph, supports(ops), options);
    SCOPED_TRACE(print(graph));
    if (!want) {
      EXPECT_THAT(got.status(),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("form a cycle")));
      continue;
    }
    ASSERT_THAT(got.status(), IsOk());
    std::vector<std::vector<std::string>> names;
    for (const BackendPart& part : *got) {
      names.emplace_back();
      for (const Node* node : part.nodes) names.back().push_back(node->name());
      const bool is_backend = part.name.starts_with("_run_on_acc_");
      EXPECT_EQ(is_backend, part.on_backend);
    }
    ASSERT_EQ(names, *want);
    num_parts += names.size();
    std::vector<Node*> nodes = find_backend_nodes(graph, supports(ops), options.allow_non_tensor);
    num_grouped += find_fusion_groups(graph, nodes).empty() ? 0 : 1;

    // Splitting in place and into a new module result in the same listing.
    Module root;
    const auto new_module = split_for_backend(graph, root, supports(ops), options);
    if (is_moved && !new_module.ok()) {
      EXPECT_THAT(new_module.status(),
                  StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("sort the graph first")));
      continue;
    }
    ASSERT_THAT(new_module.status(), IsOk());
    ASSERT_TRUE(verify(new_module->module->graph(), {.warnings = false}).ok());
    const size_t count = names.size();
    ASSERT_THAT(split_for_backend_in_place(graph, root, supports(ops), options),
                IsOkAndHolds(count));
    EXPECT_TRUE(verify(graph, {.warnings = false}).ok());
    EXPECT_EQ(print(graph), print(new_module->module->graph()));
    for (const std::string& name : new_module->partitions) {
      ASSERT_NE(root.find_module(name), nullptr);
      EXPECT_EQ(print(root.find_module(name)->as_graph_module()->graph()),
                print(new_module->module->find_module(name)->as_graph_module()->graph()));
    }
  }
  EXPECT_GT(num_parts, 6000u);
  EXPECT_GT(num_grouped, 200u);
  EXPECT_GT(num_moved, 50u);
}

// parity: P9
TEST_F(BackendSplitterTest, InPlaceSplitCallsTheParts) {
  parse(R"(graph(%x : f32[3], %y : f32[3] = None) {
    %w : f32[3] = get_attr layer.weight
    %b : f32[3] = get_attr layer.bias
    %a : f32[3] = aten.add.Tensor(%x, %w)
    %c : f32[3] = aten.tanh.default(%a)
    %d : f32[3] = aten.add.Tensor(%a, %b)
    %e : f32[3] = aten.mul.Tensor(%d, %y)
    return (%c, %e, %w)
  })");
  FX_ASSERT_OK_AND_ASSIGN(const Tensor weight, Tensor::of<float>({3}, {1, 2, 3}));
  FX_ASSERT_OK_AND_ASSIGN(const Tensor bias, Tensor::of<float>({3}, {4, 5, 6}));
  ASSERT_THAT(root_.assign("layer.weight", Attribute::parameter(weight)), IsOk());
  ASSERT_THAT(root_.assign("layer.bias", Attribute::parameter(bias)), IsOk());
  EXPECT_THAT(split_for_backend_in_place(*graph_, root_, supports({"aten.add.Tensor"})),
              IsOkAndHolds(2u));
  EXPECT_EQ(print(*graph_), R"(graph(%x : f32[3], %y : f32[3] = None) {
  %layer_weight : f32[3] = get_attr layer.weight
  %_run_on_acc_0 : (f32[3], f32[3]) = call_module _run_on_acc_0(%x)
  %getitem : f32[3] = operator.getitem(%_run_on_acc_0, 0)
  %getitem_1 : f32[3] = operator.getitem(%_run_on_acc_0, 1)
  %_run_on_cpu_1 : (f32[3], f32[3]) = call_module _run_on_cpu_1(%getitem, %getitem_1, %y)
  %getitem_2 : f32[3] = operator.getitem(%_run_on_cpu_1, 0)
  %getitem_3 : f32[3] = operator.getitem(%_run_on_cpu_1, 1)
  return (%getitem_2, %getitem_3, %layer_weight)
}
)");
  EXPECT_EQ(text_of("_run_on_acc_0"), R"(graph(%x : f32[3]) {
  %layer_weight : f32[3] = get_attr layer.weight
  %a : f32[3] = aten.add.Tensor(%x, %layer_weight)
  %layer_bias : f32[3] = get_attr layer.bias
  %d : f32[3] = aten.add.Tensor(%a, %layer_bias)
  return (%a, %d)
}
)");
  EXPECT_TRUE(root_.find_tensor("_run_on_acc_0.layer.weight").is_same(weight));
  EXPECT_TRUE(root_.find_tensor("_run_on_acc_0.layer.bias").is_same(bias));
  EXPECT_EQ(root_.find_module("_run_on_cpu_1.layer"), nullptr);
}

TEST_F(BackendSplitterTest, GraphsWithoutCallsAndErrorsChangeNothing) {
  parse("graph(%x : f32[3]) {\n  return %x\n}\n");
  const std::string without_calls = print(*graph_);
  EXPECT_THAT(split_for_backend_in_place(*graph_, root_, supports({})), IsOkAndHolds(0u));
  EXPECT_EQ(print(*graph_), without_calls);

  parse(R"(graph(%x : f32[3]) {
  %w : f32[3] = get_attr w
  %a : f32[3] = aten.add.Tensor(%x, %w)
  return %a
}
)");
  const std::string without_member = print(*graph_);
  EXPECT_THAT(split_for_backend_in_place(*graph_, root_, supports({})),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("refers to \"w\"")));
  EXPECT_EQ(print(*graph_), without_member);
  EXPECT_TRUE(root_.attributes().empty());
}

TEST_F(BackendSplitterTest, PrefixesNeedNotEndInAnUnderscore) {
  parse(R"(graph(%x : f32[3]) {
    %a : f32[3] = aten.relu.default(%x)
    %b : f32[3] = aten.tanh.default(%a)
    return %b
  })");
  const BackendSplitOptions options{.backend_prefix = "fast", .host_prefix = "Slow."};
  FX_ASSERT_OK_AND_ASSIGN(
      const SplitModuleResult split,
      split_for_backend(*graph_, root_, supports({"aten.relu.default"}), options));
  EXPECT_THAT(split.partitions, ElementsAre("fast0", "Slow.1"));
  EXPECT_EQ(print(split.module->graph()), R"(graph(%x : f32[3]) {
  %fast0 : f32[3] = call_module fast0(%x)
  %slow_1 : f32[3] = call_module Slow.1(%fast0)
  return %slow_1
}
)");
}

TEST_F(BackendSplitterTest, ReturnedGraphsAreCopied) {
  const std::string text = R"(graph(%x : f32[3]) {
  graph @no(%a : f32[3]) {
    return %a
  }
  graph @yes(%a : f32[3]) {
    %sin : f32[3] = aten.sin.default(%a)
    return %sin
  }
  %relu : f32[3] = aten.relu.default(%x)
  %fn = get_attr yes
  return (%relu, %fn, [@no])
}
)";
  const std::string want = R"(graph(%x : f32[3]) {
  graph @yes(%a : f32[3]) {
    %sin : f32[3] = aten.sin.default(%a)
    return %sin
  }
  graph @no(%a : f32[3]) {
    return %a
  }
  %yes = get_attr yes
  %part_0 : f32[3] = call_module part_0(%x)
  return (%part_0, %yes, [@no])
}
)";
  const auto split_again = [&](bool for_backend, bool in_place) -> std::string {
    parse(text);
    root_.delete_submodule("part_0").IgnoreError();
    root_.delete_submodule("submod_part_0").IgnoreError();
    const OperatorSupport support = supports({"aten.relu.default"});
    const BackendSplitOptions options{.backend_prefix = "part_"};
    const SplitModuleOptions named{.partition_affix = "part"};
    const auto zero = [](const Node&) { return 0; };
    if (in_place) {
      const absl::Status status =
          for_backend ? split_for_backend_in_place(*graph_, root_, support, options).status()
                      : split_module_in_place(*graph_, root_, zero, named).status();
      EXPECT_THAT(status, IsOk());
      EXPECT_TRUE(verify(*graph_, {.warnings = false}).ok());
      return print(*graph_);
    }
    const absl::StatusOr<SplitModuleResult> split =
        for_backend ? split_for_backend(*graph_, root_, support, options)
                    : split_module(*graph_, root_, zero, named);
    EXPECT_THAT(split.status(), IsOk());
    return split.ok() ? print(split->module->graph()) : "";
  };
  for (const bool in_place : {false, true}) {
    EXPECT_EQ(split_again(true, in_place), want);
    EXPECT_EQ(absl::StrReplaceAll(split_again(false, in_place), {{"submod_part_0", "part_0"}}),
              // In place, the operands of the output come last.
              absl::StrReplaceAll(want, {{"  %yes = get_attr yes\n", ""},
                                         {"call_module part_0(%x)\n",
                                          "call_module part_0(%x)\n  %yes = get_attr yes\n"}}));
  }
}

}  // namespace
}  // namespace fx::backend_splitter_test
