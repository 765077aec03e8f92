// See random_subject.h.
#include "tests/torch/random_subject.h"

#include "fx/interp/torch/graph_data.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/shape/shape_prop.h"
#include "tests/testing/graph_variants.h"
#include "tests/testing/random_aten.h"
#include "tests/torch/functionalize_programs.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <utility>
#include <vector>

namespace fx {
namespace {

std::vector<Node*> inputs_of(Graph& graph) { return graph.find_nodes(Opcode::kPlaceholder); }

/// Puts the second input into the memory of the first, or the first into the memory of the second.
bool share_inputs(std::vector<c10::IValue>& inputs) {
  if (inputs.size() < 2 || !inputs[0].isTensor() || !inputs[1].isTensor()) return false;
  size_t large = 0, small = 1;
  if (inputs[0].toTensor().numel() < inputs[1].toTensor().numel()) std::swap(large, small);
  const at::Tensor base = inputs[large].toTensor(), part = inputs[small].toTensor();
  if (base.scalar_type() != part.scalar_type() || !base.is_contiguous() || !part.is_contiguous())
    return false;
  inputs[small] = base.flatten().narrow(0, 0, part.numel()).view(part.sizes());
  return true;
}

/// Lets two inputs share memory, and records it in the graph. The part may start anywhere in the
/// other input.
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
  const auto rest = static_cast<size_t>(count(large->type()) - count(small->type()));
  TensorSpec spec = small->type().spec();
  spec.offset = Dim(static_cast<int64_t>(random.below(rest + 1)));
  small->set_type(graph.context().types().tensor(spec));
  for (Node* input : {large, small}) input->meta().set(meta::kSharedMemory, 0);
  propagate_types(graph);
  return true;
}

Subject of_operators(Context& context, uint64_t seed, testing::Random& random) {
  constexpr std::string_view kKinds[] = {"pure", "writing", "Python"};
  const size_t kind = random.below(3);
  testing::RandomAten made =
      testing::random_aten(context, seed,
                           {.writes = kind == 1 || (kind == 2 && random.chance(50)),
                            .random = random.chance(25),
                            .python = kind == 2});
  Subject subject{fmt::format("random {}", seed), std::move(made.graph), {}, {}, true};
  subject.kind = kKinds[kind];
  for (const auto& [name, tensor] : made.constants)
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

Subject of_views(Context& context, uint64_t seed, testing::Random& random) {
  const bool shared = random.chance(40);
  testing::FunctionalizeProgram made =
      testing::functionalize_program(context, seed, {.shared_inputs = shared});
  Subject subject{
      fmt::format("random {}", seed), std::move(made.graph), std::move(made.inputs), {}, true};
  subject.kind = shared ? "views, shared inputs" : "views";
  subject.gradients = !shared;  // each input has a separate gradient
  return subject;
}

}  // namespace

Subject random_subject(Context& context, uint64_t seed) {
  testing::Random random(seed * 2 + 1);
  Subject subject =
      random.chance(30) ? of_views(context, seed, random) : of_operators(context, seed, random);
  subject.seed = seed;
  Graph& graph = *subject.graph;
  if (random.chance(20) && testing::spell_writes_in_python(graph, random) > 0)
    subject.kind += ", Python's writes";
  if (random.chance(25)) {
    bool nested = false;
    for (size_t i = 1 + random.below(3); i-- > 0;)
      nested = testing::nest_calls(graph, random) || nested;
    if (nested) subject.kind += ", nested";
  }
  if (random.chance(30)) {
    subject.plain = graph.clone();
    testing::respell(graph, random);
  }
  if (random.chance(25)) {
    testing::forget_types(graph, random);
    subject.kind += ", types in part";
  }
  return subject;
}

}  // namespace fx
