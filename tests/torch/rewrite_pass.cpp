// A pass of the checks on many graphs that replaces parts of a graph with copies.
#include "tests/torch/rewrite_pass.h"

#include "fx/ir/graph/graph.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/verify/hash.h"
#include "fx/passes/rewrite/replace_pattern.h"
#include "tests/testing/random_graph.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace fx {
namespace {

bool may_be_matched(const Node& node) {
  return node.op() == Opcode::kCallFunction && node.function().op() != nullptr &&
         !node.function().op()->has(ops::OpTrait::kSubgraphs);
}

/// Returns up to three calls in the order of the graph. Each one uses the result of the one before.
std::vector<Node*> connected_calls(Graph& graph, testing::Random& random) {
  std::vector<Node*> calls;
  for (Node& node : graph.nodes())
    if (may_be_matched(node)) calls.push_back(&node);
  std::vector<Node*> found;
  while (!calls.empty() && found.size() < 3 && (found.size() < 2 || random.chance(50))) {
    Node* const call = calls[random.below(calls.size())];
    found.push_back(call);
    calls.clear();
    call->for_each_input([&](Node* input) {
      if (may_be_matched(*input) && std::ranges::find(found, input) == found.end())
        calls.push_back(input);
    });
  }
  std::ranges::sort(found, [](const Node* a, const Node* b) { return a->comes_before(*b); });
  return found;
}

/// Returns a pattern of these calls. It returns the last one, and those with other users.
absl::StatusOr<std::unique_ptr<Graph>> pattern_of(const std::vector<Node*>& calls) {
  auto pattern = std::make_unique<Graph>(calls[0]->context());
  NodeMapping copies;
  std::vector<Argument> results;
  for (Node* const call : calls) {
    call->for_each_input([&](Node* input) {
      if (copies.contains(input)) return;
      copies.emplace(input, pattern->placeholder("input_" + input->name()));
    });
  }
  // Placeholders for calls that are also in the pattern are not used.
  for (Node* const call : calls) {
    FX_ASSIGN_OR_RETURN(Node* const copy,
                        pattern->node_copy(*call, [&](Node* input) { return copies.at(input); }));
    copy->set_type(Type());
    copies.insert_or_assign(call, copy);
    const bool is_returned =
        call == calls.back() || std::ranges::any_of(call->uses(), [&](const Use& use) {
          return std::ranges::find(calls, use.user()) == calls.end();
        });
    if (is_returned) results.emplace_back(copy);
  }
  for (Node* const input : pattern->find_nodes(Opcode::kPlaceholder))
    if (!input->has_uses()) FX_RETURN_IF_ERROR(pattern->erase_node(input));
  pattern->output(results.size() == 1 ? results[0] : Argument::tuple(results));
  return pattern;
}

absl::StatusOr<bool> replace_with_copies(PassRun& run) {
  Graph& graph = run.graph();
  testing::Random random(static_cast<uint64_t>(run.integer("seed")));
  constexpr HashOptions kEverything = {.ignore_names = false, .ignore_meta = false};
  const GraphHash before = structural_hash(graph, kEverything);
  for (int i = 0; i < 4; ++i) {
    const std::vector<Node*> calls = connected_calls(graph, random);
    if (calls.empty()) break;
    FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> pattern, pattern_of(calls));
    const std::unique_ptr<Graph> replacement = pattern->clone();
    const absl::StatusOr<Replacements> done = replace_pattern(graph, *pattern, *replacement);
    // There may be no legal position, and the outputs of some patterns are not connected.
    if (!done.ok() && !absl::IsFailedPrecondition(done.status())) return done.status();
  }
  return structural_hash(graph, kEverything) != before;
}

}  // namespace

const PassTable& checked_passes() {
  static const PassTable* const kPasses = [] {
    auto* const passes = new PassTable(standard_passes());
    FX_CHECK_OK(passes->add({.name = "replace_pattern",
                             .description = "replaces calls with copies",
                             .run = replace_with_copies,
                             .options = {{"seed", 0, "the seed of the choice of calls"}},
                             .idempotent = false}));
    return passes;
  }();
  return *kPasses;
}

}  // namespace fx
