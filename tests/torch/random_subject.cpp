// See random_subject.h.
#include "tests/torch/random_subject.h"

#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/calls/changed_lists.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/check.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/graph_variants.h"
#include "tests/testing/random_aten.h"
#include "tests/torch/functionalize_programs.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <memory>
#include <utility>
#include <vector>

namespace fx {
namespace {

std::vector<Node*> inputs_of(Graph& graph) { return graph.find_nodes(Opcode::kPlaceholder); }

/// Creates the second input in the memory of the first, or the first in the memory of the second.
bool share_inputs(std::vector<c10::IValue>& inputs) {
  if (inputs.size() < 2 || !inputs[0].isTensor() || !inputs[1].isTensor()) return false;
  size_t large = 0, small = 1;
  if (inputs[0].toTensor().numel() < inputs[1].toTensor().numel()) std::swap(large, small);
  const at::Tensor base = inputs[large].toTensor(), part = inputs[small].toTensor();
  if (base.scalar_type() != part.scalar_type() || !base.is_contiguous() || !part.is_contiguous() ||
      base.storage_offset() != 0 || part.storage_offset() != 0)  // their types specify the offsets
    return false;
  inputs[small] = base.as_strided(part.sizes(), part.strides());
  return true;
}

/// Makes two inputs share memory, and records this in the graph. The smaller input may start
/// anywhere in the larger one.
bool record_shared_inputs(Graph& graph, testing::Random& random) {
  const std::vector<Node*> inputs = inputs_of(graph);
  if (inputs.size() < 2) return false;
  const auto count = [](Type type) {
    int64_t elements = 1;
    for (const Dim& size : type.sizes()) elements *= size.value();
    return elements;
  };
  Node *large = inputs[0], *small = inputs[1];
  for (const Node* input : {large, small})
    if (!input->type().is_tensor() || !is_contiguous(input->type())) return false;
  if (large->type().dtype() != small->type().dtype()) return false;
  if (count(large->type()) < count(small->type())) std::swap(large, small);
  const auto max_offset = static_cast<size_t>(count(large->type()) - count(small->type()));
  TensorSpec spec = small->type().spec();
  spec.offset = Dim(static_cast<int64_t>(random.below(max_offset + 1)));
  small->set_type(graph.context().types().tensor(spec));
  for (Node* input : {large, small}) input->meta().set(meta::kSharedMemory, 0);
  propagate_types(graph, {.other_call = type_by_lowering});
  return true;
}

Subject of_operators(Context& context, uint64_t seed, testing::Random& random) {
  constexpr std::string_view kKinds[] = {"pure", "writing", "Python"};
  const size_t kind = random.below(3);
  testing::RandomAten program =
      testing::random_aten(context, seed,
                           {.writes = kind == 1 || (kind == 2 && random.chance(50)),
                            .random = random.chance(25),
                            .python = kind == 2});
  Subject subject{fmt::format("random {}", seed), std::move(program.graph), {}, {}, true};
  subject.kind = kKinds[kind];
  for (const auto& [name, tensor] : program.constants)
    subject.constants.emplace(name, to_torch(tensor));
  const bool recorded = random.chance(15) && record_shared_inputs(*subject.graph, random);
  if (recorded) {
    subject.kind += ", shared inputs";
    subject.gradients = false;  // each input has a separate gradient
  }
  absl::StatusOr<GraphData> data = load_graph_data(
      *subject.graph, {}, {.generate_missing = true, .both_signs = true, .seed = seed});
  FX_CHECK_OK(data);
  subject.inputs = std::move(data->inputs);
  if (!recorded && random.chance(20)) {
    subject.shared_inputs = share_inputs(subject.inputs);
    if (subject.shared_inputs) subject.kind += ", unrecorded shared inputs";
  }
  return subject;
}

/// Runs each call of a program when it is added.
class CallRunner {
 public:
  /// Loads data for a graph that has only inputs and constants.
  void begin(const testing::RandomAten& program, uint64_t seed, bool share) {
    absl::StatusOr<GraphData> data = load_inputs(*program.graph, seed);
    FX_CHECK_OK(data);
    inputs_ = std::move(data->inputs);
    is_shared_ = share && share_inputs(inputs_);
    TorchConstants constants;
    for (const auto& [name, tensor] : program.constants) constants.emplace(name, to_torch(tensor));
    size_t i = 0;
    for (const Node* input : inputs_of(*program.graph)) values_.emplace_back(input, inputs_[i++]);
    interpreter_ = std::make_unique<TorchInterpreter>(*program.graph, std::move(constants));
  }
  static absl::StatusOr<GraphData> load_inputs(const Graph& graph, uint64_t seed) {
    return load_graph_data(graph, {}, {.generate_missing = true, .both_signs = true, .seed = seed});
  }
  /// Runs the last call of the graph. Returns false if libtorch rejects it.
  bool run(const Node& call) {
    if (!interpreter_->start(inputs_, {.env = values_}).ok()) return false;
    absl::StatusOr<c10::IValue> value = interpreter_->run_to(call);
    if (value.ok()) values_.emplace_back(&call, *std::move(value));
    return value.ok();
  }
  bool is_shared() const { return is_shared_; }

 private:
  std::vector<c10::IValue> inputs_;
  std::vector<std::pair<const Node*, c10::IValue>> values_;
  std::unique_ptr<TorchInterpreter> interpreter_;
  bool is_shared_ = false;
};

/// Returns a program with tensors of all dtypes whose calls all run.
Subject of_dtypes(Context& context, uint64_t seed, testing::Random& random) {
  CallRunner runner;
  const bool record = random.chance(20), share = random.chance(20);
  bool recorded = false;
  testing::RandomAtenOptions options{
      .calls = 10 + random.below(25), .writes = random.chance(75), .random = random.chance(15)};
  options.python = random.chance(30);
  options.begin = [&](const testing::RandomAten& program) {
    recorded = record && record_shared_inputs(*program.graph, random);
    runner.begin(program, seed, share && !recorded);
  };
  options.accepts = [&](Node& call) { return runner.run(call); };
  testing::RandomAten program = testing::random_aten(context, seed, options);
  Subject subject{fmt::format("random {}", seed), std::move(program.graph), {}, {}, true};
  for (const auto& [name, tensor] : program.constants)
    subject.constants.emplace(name, to_torch(tensor));
  absl::StatusOr<GraphData> data = CallRunner::load_inputs(*subject.graph, seed);
  FX_CHECK_OK(data);
  subject.inputs = std::move(data->inputs);
  subject.shared_inputs = runner.is_shared() && share_inputs(subject.inputs);
  subject.gradients = !recorded && !subject.shared_inputs;
  subject.kind = fmt::format("dtypes{}", recorded                ? ", shared inputs"
                                         : subject.shared_inputs ? ", unrecorded shared inputs"
                                                                 : "");
  return subject;
}

Subject of_views(Context& context, uint64_t seed, testing::Random& random) {
  const bool shared = random.chance(40);
  testing::FunctionalizeProgram program =
      testing::functionalize_program(context, seed, {.shared_inputs = shared});
  Subject subject{fmt::format("random {}", seed),
                  std::move(program.graph),
                  std::move(program.inputs),
                  {},
                  true};
  subject.kind = shared ? "views, shared inputs" : "views";
  subject.gradients = !shared;  // each input has a separate gradient
  return subject;
}

/// Infers the types of the graph again if a call changes the type of a tensor. The generators infer
/// the type of each call from the types that its operands had when they were created.
void retype_changed(Graph& graph) {
  bool changes = false;
  for (const Graph& each : all_graphs(std::as_const(graph))) {
    changes = changes || changes_metadata(each);
    // Nesting calls changes strides too: a scan passes slices to its steps, a while loop returns
    // dense copies, and two calls to a graph may pass different strides.
    for (const Node& node : each.nodes())
      changes = changes || !changed_lists(node).empty() || node.target() == "higher_order.scan" ||
                node.target() == "higher_order.while_loop" || node.target() == "higher_order.wrap";
  }
  if (changes) propagate_types(graph, {.other_call = type_by_lowering});
}

}  // namespace

Subject random_subject(Context& context, uint64_t seed) {
  testing::Random random(seed * 2 + 1);
  const size_t kind = random.below(100);
  Subject subject = kind < 20   ? of_views(context, seed, random)
                    : kind < 50 ? of_operators(context, seed, random)
                                : of_dtypes(context, seed, random);
  subject.seed = seed;
  Graph& graph = *subject.graph;
  if (random.chance(20) && testing::spell_writes_in_python(graph, random) > 0)
    subject.kind += ", Python's writes";
  if (random.chance(25)) {
    bool nested = false;
    for (size_t i = 1 + random.below(3); i-- > 0;) {
      retype_changed(graph);
      nested = testing::nest_calls(graph, random) || nested;
    }
    if (nested) subject.kind += ", nested";
  }
  retype_changed(graph);
  if (random.chance(30)) {
    subject.plain = graph.clone();
    testing::respell(graph, random);
  }
  if (random.chance(25)) {
    testing::forget_types(graph, random);
    subject.kind += ", partial types";
  }
  return subject;
}

}  // namespace fx
