// The number of a node (`seq`) equals the number of its autograd node. In autograd's graph, each
// node has a number and the name of the operator that it differentiates; the tests compare captured
// nodes to the autograd nodes with the same numbers.
#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/node.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using testing::IsOk;

/// Returns "addmm" for "AddmmBackward0", and for a call to `aten.addmm_.default`.
std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != '_') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters.substr(0, letters.find("backward"));
}
std::string plain(const Node& call) {
  std::string_view target = call.target();
  target.remove_prefix(target.find('.') + 1);
  target = target.substr(0, target.find('.'));
  if (target.ends_with("_forward")) target.remove_suffix(8);  // NllLossBackward0
  return plain(target);
}

/// Returns the autograd nodes reachable from the results, keyed by sequence number.
std::map<uint64_t, std::string> autograd_nodes(const CapturedGraph& captured) {
  std::map<uint64_t, std::string> nodes;
  std::set<torch::autograd::Node*> seen;
  std::vector<torch::autograd::Node*> waiting;
  for (const CapturedOutput& output : captured.outputs) {
    if (output.kind == OutputKind::kResult && output.tensor.grad_fn())
      waiting.push_back(output.tensor.grad_fn().get());
  }
  while (!waiting.empty()) {
    torch::autograd::Node* node = waiting.back();
    waiting.pop_back();
    if (node == nullptr || !seen.insert(node).second) continue;
    if (node->sequence_nr() != std::numeric_limits<uint64_t>::max())  // false for leaves
      nodes.emplace(node->sequence_nr(), node->name());
    for (const torch::autograd::Edge& edge : node->next_edges())
      waiting.push_back(edge.function.get());
  }
  return nodes;
}

/// Captures the program and checks that, for every autograd node, the forward call with the same
/// number calls the operator that the node differentiates. Returns the captured graph.
CapturedGraph check_numbers(Context& context, const ModuleState& state,
                            std::vector<at::Tensor> inputs, const Program& program, HookKind hook) {
  const uint64_t first = at::sequence_number::peek();
  absl::StatusOr<CapturedGraph> captured =
      capture_joint(context, state, inputs, program, {.hook = hook});
  EXPECT_THAT(captured, IsOk());
  if (!captured.ok()) return {};
  std::map<uint64_t, std::set<std::string>> forward, backward;
  for (const Node& node : captured->graph->nodes()) {
    if (node.op() != Opcode::kCallFunction) continue;
    const auto number = node.meta().get(meta::kSeq);
    if (!number) continue;
    auto& region = node.meta().get(meta::kRegion) == "fw" ? forward : backward;
    region[first + static_cast<uint64_t>(*number)].insert(plain(node));
  }
  const std::map<uint64_t, std::string> nodes = autograd_nodes(*captured);
  EXPECT_FALSE(nodes.empty());
  for (const auto& [number, name] : nodes) {
    if (name.ends_with("CopySlices")) {  // any write through a view
      EXPECT_TRUE(forward.contains(number)) << name << ' ' << number - first;
    } else {
      EXPECT_THAT(forward[number], ::testing::Contains(plain(name)))
          << name << ' ' << number - first;
    }
  }
  for (const auto& [number, operators] : backward)
    EXPECT_TRUE(nodes.contains(number)) << *operators.begin() << ' ' << number - first;
  return *std::move(captured);
}

class AutogradNumbers : public ::testing::TestWithParam<HookKind> {
 protected:
  CapturedGraph check(const Program& program) {
    return check_numbers(context_, {{{"w", w_}}}, {at::randn({4, 4})}, program, GetParam());
  }
  /// Returns the forward calls that have the number of the backward call of `target`.
  static std::set<std::string> forward_of(const CapturedGraph& captured, std::string_view target) {
    std::set<std::string> calls;
    for (const auto& [number, nodes] : nodes_by_seq(*captured.graph)) {
      const bool is_its = std::ranges::any_of(nodes, [&](const Node* node) {
        return node->target() == target && node->meta().get(meta::kRegion) == "bw";
      });
      for (const Node* node : nodes)
        if (is_its && node->meta().get(meta::kRegion) == "fw") calls.emplace(node->target());
    }
    return calls;
  }

  Context context_;
  at::Tensor w_ = at::randn({4, 4}).requires_grad_();
};

INSTANTIATE_TEST_SUITE_P(Hooks, AutogradNumbers,
                         ::testing::Values(HookKind::kFake, HookKind::kMode), [](const auto& test) {
                           return test.param == HookKind::kFake ? "Fake" : "Mode";
                         });

// hardtanh_ overwrites a value that its derivative needs. Autograd copies the value, and the copy
// has an autograd node.
TEST_P(AutogradNumbers, InPlaceCallsWhoseInputAutogradCopies) {
  const CapturedGraph c = check([&](Tensors in) -> std::vector<at::Tensor> {
    at::Tensor x = at::mul(in[0], w_);
    at::hardtanh_(x, -1, 1);
    at::silu_(x);
    return {x.mul_(2).pow_(3).sum()};
  });
  EXPECT_EQ(forward_of(c, "aten.hardtanh_backward.default"),
            std::set<std::string>{"aten.hardtanh_.default"});
  EXPECT_EQ(forward_of(c, "aten.silu_backward.default"),
            std::set<std::string>{"aten.silu_.default"});
}

// The copy that the program creates comes first, and keeps its number.
TEST_P(AutogradNumbers, ACopyBeforeAnInPlaceCall) {
  const CapturedGraph c = check([&](Tensors in) -> std::vector<at::Tensor> {
    at::Tensor x = at::mul(in[0], w_);
    const at::Tensor before = x.clone();
    at::relu_(x);
    return {(x + before).sum()};
  });
  EXPECT_EQ(forward_of(c, "aten.threshold_backward.default"),
            std::set<std::string>{"aten.relu_.default"});
}

// A write through a view has the autograd node of the tensor that it writes to.
TEST_P(AutogradNumbers, WritesThroughAView) {
  const CapturedGraph c = check([&](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor x = at::mul(in[0], w_);
    at::Tensor row = x.select(0, 1);
    at::sigmoid_(row);
    return {x.sum()};
  });
  EXPECT_EQ(forward_of(c, "aten.sigmoid_backward.default"),
            std::set<std::string>{"aten.sigmoid_.default"});
}

// Autograd does not record the write, so the number is still that of the last node.
TEST_P(AutogradNumbers, WritesThatAutogradDoesNotRecord) {
  const CapturedGraph c = check([&](Tensors in) -> std::vector<at::Tensor> {
    at::Tensor x = at::mul(in[0], w_);
    const at::Tensor y = at::exp(w_);
    {
      const at::NoGradGuard no_grad;
      x.add_(1);
    }
    return {(x + y).sum()};
  });
  EXPECT_EQ(c.graph->find_node("add_")->meta().get(meta::kSeq),
            c.graph->find_node("exp")->meta().get(meta::kSeq));
}

TEST(AutogradNumbersOfZoo, EveryModel) {
  for (const ModelEntry& entry : zoo_models()) {
    SCOPED_TRACE(entry.name);
    Context context;
    const ModelInstance model = testing::make(entry.name);
    check_numbers(context, model.state, model.inputs, model.loss, HookKind::kAuto);
  }
}

}  // namespace
}  // namespace fx
