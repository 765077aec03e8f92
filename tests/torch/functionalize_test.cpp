// functionalize compared with libtorch: graphs with writes, random and captured, have bit-equal
// results before and after, and no writes after.
#include "fx/passes/functionalize/functionalize.h"

#include "fx/importers/torch/capture/step.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/text/text.h"
#include "fx/ir/types/strides.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/random_graph.h"
#include "tests/torch/joint_testing.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

using testing::make;
using testing::Random;
using testing::seed_torch;

/// Calls that write, except the `copy_` at the end of a graph.
size_t count_writes(const Graph& graph) {
  size_t writes = 0;
  for (const Node& node : graph.nodes())
    writes += effects(node).has(ops::Effect::kWritesArguments) ? 1 : 0;
  return writes;
}

std::vector<c10::IValue> clones(const std::vector<c10::IValue>& values) {
  std::vector<c10::IValue> copies;
  for (const c10::IValue& value : values)
    copies.push_back(value.isTensor() ? c10::IValue(value.toTensor().clone()) : value);
  return copies;
}

absl::StatusOr<std::vector<c10::IValue>> replay(const Graph& graph, std::vector<c10::IValue> inputs,
                                                const TorchConstants& constants = {}) {
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph, constants);
  if (!evaluator.ok()) return evaluator.status();
  seed_torch(11);
  return evaluator->run(std::move(inputs));
}

void expect_same_bits(const std::vector<c10::IValue>& expected, const std::vector<c10::IValue>& got,
                      const std::string& what) {
  ASSERT_EQ(expected.size(), got.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(expected[i].isTensor(), got[i].isTensor()) << what << i;
    if (!expected[i].isTensor()) continue;
    const at::Tensor a = expected[i].toTensor(), b = got[i].toTensor();
    const TensorDifference difference = compare_tensors(a, b);
    EXPECT_TRUE(difference.bit_equal) << what << i << ": " << to_string(difference);
  }
}

/// The same results and the same contents of inputs, before and after.
void expect_same_replay(const Graph& raw, const Graph& pure,
                        const std::vector<c10::IValue>& inputs) {
  const std::vector<c10::IValue> raw_inputs = clones(inputs), pure_inputs = clones(inputs);
  FX_ASSERT_OK_AND_ASSIGN(const auto expected, replay(raw, raw_inputs));
  FX_ASSERT_OK_AND_ASSIGN(const auto got, replay(pure, pure_inputs));
  expect_same_bits(expected, got, "result ");
  expect_same_bits(raw_inputs, pure_inputs, "input ");
  for (size_t i = 0; i < expected.size(); ++i) {
    // Kernels may use another algorithm for other strides.
    const at::Tensor a = expected[i].toTensor(), b = got[i].toTensor();
    for (int64_t d = 0; d < a.dim() && a.numel() > 0; ++d) {
      EXPECT_TRUE(a.size(d) == 1 || a.stride(d) == b.stride(d)) << "result " << i;
    }
  }
}

// ---- random programs

/// Makes a program of views, writes through them, and uses.
class ProgramMaker {
 public:
  ProgramMaker(Context& context, uint64_t seed) : context_(context), random_(seed) {}

  std::unique_ptr<Graph> make() {
    graph_ = std::make_unique<Graph>(context_);
    for (const char* type : {"f32[4, 6]", "f32[3, 2, 4]", "f64[4, 4]", "i64[6]"}) {
      values_.push_back(graph_->placeholder("x" + std::to_string(values_.size()),
                                            {.type = *context_.types().parse(type)}));
    }
    const size_t steps = 4 + random_.below(25);
    for (size_t i = 0; i < steps; ++i) {
      const size_t kind = random_.below(10);
      if (kind < 5)
        add_view();
      else if (kind < 9)
        add_write();
      else
        add_read();
    }
    std::vector<Argument> results;
    for (Node* value : values_)
      if (value->op() == Opcode::kCallFunction) results.emplace_back(value);
    graph_->output(Argument::list(results));
    return std::move(graph_);
  }

 private:
  /// A call, or null when it is invalid.
  Node* call(std::string_view op, std::vector<Argument> args, std::vector<Kwarg> kwargs = {}) {
    Node* node = graph_->call_function(context_.function(op), args, kwargs);
    const absl::StatusOr<Type> type = infer_type(*node);
    if (!type.ok() || !*type) {
      EXPECT_TRUE(graph_->erase_node(node).ok());
      return nullptr;
    }
    node->set_type(*type);
    return node;
  }
  void keep(Node* node) {
    if (node) values_.push_back(node);
  }
  Node* any() { return values_[random_.below(values_.size())]; }
  int64_t number(int64_t bound) {
    return static_cast<int64_t>(random_.below(static_cast<size_t>(bound)));
  }
  static int64_t size(const Node* x, int64_t dim) {
    return x->type().size(static_cast<int>(dim)).value();
  }

  void add_view() {
    Node* x = any();
    const int64_t rank = x->type().rank();
    const int64_t dim = rank > 0 ? number(rank) : 0;
    if (rank == 0 || rank > 5) return;
    const int64_t length = size(x, dim);
    if (length == 0) return;
    switch (random_.below(20)) {
      case 0:
        return keep(call("aten.alias.default", {x}));
      case 1:
        return keep(call("aten.detach.default", {x}));
      case 2:
        return keep(call("aten.t.default", {x}));
      case 3:
        return keep(call("aten.transpose.int", {x, dim, number(rank)}));
      case 4: {
        std::vector<int64_t> dims;
        for (int64_t i = 0; i < rank; ++i) dims.push_back((i + dim) % rank);
        return keep(call("aten.permute.default", {x, Argument::ints(dims)}));
      }
      case 5:
        return keep(call("aten.view.default", {x, Argument::ints({-1})}));
      case 6:
        return keep(call("aten.reshape.default", {x, Argument::ints({-1, length})}));
      case 7:
        return keep(call("aten.unsqueeze.default", {x, dim - rank - 1}));
      case 8:
        return keep(call("aten.squeeze.dim", {x, dim}));
      case 9:
        return keep(call("aten.squeeze.default", {x}));
      case 10:
        return keep(call("aten.select.int", {x, dim, number(length) - length}));
      case 11: {
        const int64_t start = number(length);
        return keep(call("aten.slice.Tensor", {x, dim, start, length, 1 + number(3)}));
      }
      case 12:
        return keep(call("aten.narrow.default", {x, dim, number(length), 1}));
      case 13:
        return keep(call("aten.diagonal.default", {x, number(3) - 1, 0, rank - 1}));
      case 14:
        return keep(call("aten.unfold.default", {x, dim, 2, 2 + number(2)}));
      case 15:
        return add_items("aten.split.Tensor", {x, 1 + number(length), dim});
      case 16:
        return add_items("aten.chunk.default", {x, 2, dim});
      case 17:
        return add_items("aten.unbind.int", {x, dim});
      case 18:
        return keep(call("aten.movedim.int", {x, dim, number(rank)}));
      case 19:
        return keep(call("aten.contiguous.default", {x}));
    }
  }

  void add_items(std::string_view op, std::vector<Argument> args) {
    Node* list = call(op, std::move(args));
    if (!list) return;
    const auto count = static_cast<int64_t>(list->type().items().size());
    for (int i = 0; i < 2; ++i) keep(call("operator.getitem", {list, number(count)}));
  }

  /// A tensor of the same sizes, in new memory.
  Node* operand(Node* x) { return call("aten.clone.default", {x}); }

  void add_write() {
    Node* x = any();
    const bool is_float = x->type().dtype() != DType::kInt64;
    Node* y = nullptr;
    switch (random_.below(14)) {
      case 0:
        call("aten.add_.Tensor", {x, 2});
        break;
      case 1:
        call("aten.mul_.Tensor", {x, operand(x)});
        break;
      case 2:
        call("aten.zero_.default", {x});
        break;
      case 3:
        call("aten.fill_.Scalar", {x, 3});
        break;
      case 4:
        call("aten.neg_.default", {x});
        break;
      case 5:
        y = call("aten.sub.Tensor", {operand(x), 1.5});
        if (y) call("aten.copy_.default", {x, y});
        break;
      case 6:
        if (is_float) call("aten.sigmoid_.default", {x});
        break;
      case 7:
        y = call("aten.gt.Scalar", {x, 0});
        if (y) call("aten.masked_fill_.Scalar", {x, y, -1});
        break;
      case 8:
        call("aten._foreach_mul_.Scalar", {Argument::list({x, operand(x)}), 3});
        break;
      case 9:
        if (is_float) call("aten.uniform_.default", {x});
        break;
      case 10:
        // The functional form draws row by row, the in-place form in the order of memory.
        if (is_contiguous(x->type())) call("aten.bernoulli_.float", {x, 0.5});
        break;
      case 11:
        y = operand(x);
        if (y) call("aten.add.out", {y, y}, {{"out", x}});
        break;
      case 12:
        // On a new tensor: other values of the same tensor would have stale types.
        if (x->type().rank() == 2) {
          y = call("aten.alias.default", {x});
          keep(call("aten.t_.default", {y}));
        }
        break;
      case 13:
        call("aten.eq_.Scalar", {x, 0});
        break;
    }
  }

  void add_read() {
    Node* x = any();
    keep(call("aten.mul.Tensor", {x, 2}));
    keep(call("aten.sum.default", {x}));
  }

  Context& context_;
  Random random_;
  std::unique_ptr<Graph> graph_;
  std::vector<Node*> values_;
};

TEST(FunctionalizeTorchTest, RandomProgramsGiveTheSameBits) {
  Context context;
  seed_torch(3);
  const std::vector<c10::IValue> inputs = {at::randn({4, 6}), at::randn({3, 2, 4}),
                                           at::randn({4, 4}, at::kDouble),
                                           at::arange(6, at::kLong)};
  size_t written = 0, changed = 0;
  for (uint64_t seed = 0; seed < 3000 && !::testing::Test::HasFailure(); ++seed) {
    const std::unique_ptr<Graph> raw = ProgramMaker(context, seed).make();
    const std::unique_ptr<Graph> pure = raw->clone();
    const absl::StatusOr<bool> done = functionalize(*pure);
    ASSERT_TRUE(done.ok()) << done.status() << "\nseed " << seed << "\n" << print(*raw);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + print(*raw) + print(*pure));
    EXPECT_EQ(verify(*pure, {.warnings = false}).str(), "");
    expect_same_replay(*raw, *pure, inputs);
    for (const Node& node : pure->nodes()) {
      if (!effects(node).has(ops::Effect::kWritesArguments)) continue;
      EXPECT_EQ(node.target(), "aten.copy_.default");
      EXPECT_TRUE(node.arg(0).as_node()->is_placeholder());
    }
    written += count_writes(*raw);
    changed += *done ? 1 : 0;
  }
  EXPECT_GT(changed, 2500u);
  EXPECT_GT(written, 8000u);
}

// ---- captured programs

/// The functionalized graph has no writes, and a replay with the placeholders' values has bit-equal
/// results and does not change its inputs.
void check_captured(const CapturedGraph& captured, const std::vector<c10::IValue>& inputs,
                    bool expect_writes) {
  const Graph& raw = *captured.graph;
  EXPECT_EQ(count_writes(raw) != 0, expect_writes);
  const std::unique_ptr<Graph> pure = raw.clone();
  FX_ASSERT_OK_AND_ASSIGN(const bool changed, functionalize(*pure));
  EXPECT_EQ(changed, expect_writes);
  EXPECT_EQ(count_writes(*pure), 0u);
  EXPECT_EQ(verify(*pure).str(), "");
  const std::vector<c10::IValue> raw_inputs = clones(inputs), pure_inputs = clones(inputs);
  FX_ASSERT_OK_AND_ASSIGN(const auto expected, replay(raw, raw_inputs, captured.constants));
  FX_ASSERT_OK_AND_ASSIGN(const auto got, replay(*pure, pure_inputs, captured.constants));
  expect_same_bits(expected, got, "output ");
  expect_same_bits(inputs, pure_inputs, "input ");
  // The types match the tensors.
  const ArgumentRef results = pure->output_node()->arg(0);
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].is_node()) continue;
    const Type type = results[i].as_node()->type();
    EXPECT_EQ(type, type_of(pure->context().types(), got[i].toTensor(), type.requires_grad()))
        << results[i].as_node()->name();
  }
}

std::vector<c10::IValue> values_of(const CapturedGraph& captured,
                                   const std::vector<at::Tensor>& tensors) {
  std::vector<c10::IValue> values;
  for (size_t i = 0; i < tensors.size(); ++i) {
    values.push_back(captured.inputs[i].numbers.empty() ? c10::IValue(tensors[i])
                                                        : captured.inputs[i].numbers[0]);
  }
  return values;
}

class FunctionalizedZooModel : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelEntry& entry : zoo_models()) names.push_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Zoo, FunctionalizedZooModel, ::testing::ValuesIn(model_names()),
                         [](const auto& test) { return test.param; });

TEST_P(FunctionalizedZooModel, JointGraphIsPureAndGivesTheSameBits) {
  Context context;
  const ModelInstance model = make(GetParam());
  const TensorSnapshot start(model.state, model.inputs);
  seed_torch(11);
  FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph joint,
                          capture_joint(context, model.state, model.inputs, model.loss));
  start.restore();
  check_captured(joint, values_of(joint, clone_inputs(joint)), count_writes(*joint.graph) != 0);
}

TEST_P(FunctionalizedZooModel, TrainingStepIsPureAndGivesTheSameBits) {
  for (const std::string_view kind : {"sgd", "adamw"}) {
    SCOPED_TRACE(kind);
    Context context;
    const ModelInstance model = make(GetParam());
    const std::shared_ptr<torch::optim::Optimizer> optimizer = make_optimizer(kind, model.state);
    const Program step = make_step(optimizer, model.loss);
    ASSERT_FALSE(step(model.inputs).empty());  // the optimizer creates its state
    ModuleState state = model.state;
    state.optimizer = optimizer_state(*optimizer, model.state);
    const TensorSnapshot start(state, model.inputs);
    FX_ASSERT_OK_AND_ASSIGN(const CapturedGraph graph,
                            capture_step(context, state, model.inputs, step, {}));
    start.restore();
    check_captured(graph, values_of(graph, clone_inputs(graph)), /*expect_writes=*/true);
  }
}

}  // namespace
}  // namespace fx
