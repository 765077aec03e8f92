// Types of whole joint graphs of the zoo: natively, and by libtorch's own meta kernels in C++.
//
//   cold/NAME       a Context that has seen none of the types
//   again/NAME      another graph of the same Context, without types
//   warm/NAME       as again, with a cache that knows every call
//   meta/NAME       libtorch: the graph's operators on meta tensors, through the dispatcher, below
//                   autograd; only those that have such a kernel (`covered`; the others' results
//                   are given as inputs)
//   untouched/NAME  the program itself, forward and backward, captured without running kernels
//
// All in nanoseconds per call node. bench/torch/peers.py times torch.fx's propagators on graphs of
// the same models.
#include "fx/importers/torch/capture.h"
#include "fx/importers/torch/zoo.h"
#include "fx/interp/torch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/context.h"
#include "fx/ir/text.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/shape/type_cache.h"

#include "benchmark/benchmark.h"
#include <ATen/Functions.h>
#include <ATen/Parallel.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

bool is_call(const fx::Node& node) { return node.op() == fx::Opcode::kCallFunction; }

struct Model {
  const char* name;
  const char* zoo;
  std::vector<std::pair<std::string_view, int64_t>> settings;
};
const Model kModels[] = {
    {"mlp", "mlp", {}},
    {"resnet50", "resnet50", {}},
    {"transformer", "transformer_encoder", {{"layers", 12}}},
    {"gpt2_xl",
     "gpt",
     {{"layers", 48}, {"width", 1600}, {"heads", 25}, {"length", 1024}, {"vocabulary", 50257}}},
};

absl::StatusOr<std::unique_ptr<fx::Graph>> joint_graph(fx::Context& context, const Model& model) {
  const auto entry = fx::find_model(fx::zoo_models(), model.zoo);
  if (!entry.ok()) return entry.status();
  const auto built = fx::build_untouched_model(context, **entry, model.settings);
  if (!built.ok()) return built.status();
  auto captured = fx::capture_joint(context, built->state, built->inputs, built->loss,
                                    {.execution = fx::Execution::kUntouched});
  if (!captured.ok()) return captured.status();
  return std::move(captured->graph);
}

/// The text of the graph, and how many calls it has; with the error where that failed.
struct Source {
  std::string text;
  size_t calls = 0;
};
Source source_of(benchmark::State& state, const Model& model) {
  fx::Context context;
  const auto graph = joint_graph(context, model);
  if (!graph.ok()) {
    state.SkipWithError(std::string(graph.status().message()).c_str());
    return {};
  }
  Source source{fx::print(**graph), 0};
  for (const fx::Node& node : (*graph)->nodes()) source.calls += is_call(node) ? 1 : 0;
  return source;
}

std::unique_ptr<fx::Graph> parsed(fx::Context& context, const std::string& text) {
  auto graph = fx::parse_graph(context, text);
  return graph.ok() ? *std::move(graph) : nullptr;
}

void report(benchmark::State& state, size_t calls) {
  state.counters["calls"] = static_cast<double>(calls);
  state.counters["ns_per_call"] = benchmark::Counter(
      static_cast<double>(calls) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void bm_native(benchmark::State& state, const Model& model, bool fresh_context, bool keep) {
  const Source source = source_of(state, model);
  auto context = std::make_unique<fx::Context>();
  std::unique_ptr<fx::TypeCache> cache;
  if (keep) {
    cache = std::make_unique<fx::TypeCache>(*context);
    fx::propagate_types(*parsed(*context, source.text), {.cache = cache.get()});
  }
  for (auto _ : state) {
    state.PauseTiming();
    if (fresh_context) context = std::make_unique<fx::Context>();
    auto graph = parsed(*context, source.text);
    if (graph == nullptr) {
      state.SkipWithError("the graph does not parse");
      return;
    }
    for (fx::Node& node : graph->nodes()) {
      if (is_call(node)) node.set_type(fx::Type());
    }
    state.ResumeTiming();
    const fx::ShapeReport result = fx::propagate_types(*graph, {.cache = cache.get()});
    state.PauseTiming();
    if (!result.ok()) state.SkipWithError(result.str().c_str());
    graph.reset();
    state.ResumeTiming();
  }
  report(state, source.calls);
}

at::Tensor meta_tensor(fx::Type type) {
  std::vector<int64_t> sizes, strides;
  for (const fx::Dim& size : type.sizes()) sizes.push_back(size.is_int() ? size.value() : 0);
  for (const fx::Dim& stride : type.strides()) {
    strides.push_back(stride.is_int() ? stride.value() : 1);
  }
  return at::empty_strided(sizes, strides,
                           at::TensorOptions(fx::to_torch(type.dtype())).device(at::kMeta));
}

/// Runs `graph` on meta tensors; false when an operator cannot.
bool runs_on_meta(const fx::Graph& graph) {
  auto evaluator = fx::TorchEvaluator::create(graph);
  if (!evaluator.ok()) return false;
  std::vector<c10::IValue> inputs;
  for (const fx::Node& node : graph.nodes()) {
    if (node.is_placeholder()) {
      inputs.push_back(node.type().is_tensor() ? c10::IValue(meta_tensor(node.type()))
                                               : c10::IValue());
    }
  }
  const auto results = evaluator->run(std::move(inputs));
  if (!results.ok()) return false;
  for (const c10::IValue& value : *results) {
    if (value.isTensor() && value.toTensor().defined() && !value.toTensor().is_meta()) return false;
  }
  return true;
}

/// Whether this call alone runs on meta tensors.
bool has_meta_kernel(const fx::Node& node) {
  fx::Graph one(node.graph().context());
  std::vector<std::pair<const fx::Node*, fx::Node*>> values;
  for (const fx::Node* input : node.all_input_nodes()) {
    values.emplace_back(input, one.placeholder(input->name(), {.type = input->type()}));
  }
  const auto copy = one.node_copy(node, [&](fx::Node* input) -> fx::Argument {
    for (const auto& [from, to] : values) {
      if (from == input) return to;
    }
    return {};
  });
  if (!copy.ok()) return false;
  one.output(*copy);
  return runs_on_meta(one);
}

void bm_meta(benchmark::State& state, const Model& model) {
  fx::Context context;
  auto captured = joint_graph(context, model);
  if (!captured.ok()) {
    state.SkipWithError(std::string(captured.status().message()).c_str());
    return;
  }
  fx::Graph& graph = **captured;
  size_t calls = 0, covered = 0;
  std::vector<fx::Node*> nodes;
  for (fx::Node& node : graph.nodes()) {
    if (is_call(node)) nodes.push_back(&node);
  }
  for (fx::Node* node : nodes) {
    if (node->target() == "operator.getitem") continue;  // of a call that was looked at
    ++calls;
    if (has_meta_kernel(*node)) {
      ++covered;
      continue;
    }
    const auto give = [&](fx::Node* value) {
      fx::Node* input = nullptr;
      {
        const auto guard = graph.inserting_before(graph.front());
        input = graph.placeholder(value->name() + "_given", {.type = value->type()});
      }
      value->replace_all_uses_with(input);
    };
    if (node->type().is_tensor()) {
      give(node);
    } else {
      for (fx::Node* user : node->users()) {
        give(user);
        (void)graph.erase_node(user);
      }
    }
    (void)graph.erase_node(node);
  }
  auto evaluator = fx::TorchEvaluator::create(graph);
  if (!evaluator.ok()) {
    state.SkipWithError(std::string(evaluator.status().message()).c_str());
    return;
  }
  std::vector<c10::IValue> inputs;
  for (const fx::Node& node : graph.nodes()) {
    if (node.is_placeholder()) inputs.emplace_back(meta_tensor(node.type()));
  }
  for (auto _ : state) {
    const auto results = evaluator->run(inputs);
    if (!results.ok()) {
      state.SkipWithError(std::string(results.status().message()).c_str());
      return;
    }
  }
  state.counters["covered"] = static_cast<double>(covered) / static_cast<double>(calls);
  report(state, covered);
}

void bm_untouched(benchmark::State& state, const Model& model) {
  size_t calls = 0;
  for (auto _ : state) {
    fx::Context context;
    const auto graph = joint_graph(context, model);
    if (!graph.ok()) {
      state.SkipWithError(std::string(graph.status().message()).c_str());
      return;
    }
    calls = (*graph)->size();
  }
  report(state, calls);
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  for (const Model& model : kModels) {
    const std::string name = model.name;
    const auto add = [&](const std::string& what, auto run) {
      benchmark::RegisterBenchmark((what + "/" + name).c_str(), run)->Unit(benchmark::kMicrosecond);
    };
    add("cold", [&](benchmark::State& s) { bm_native(s, model, true, false); });
    add("again", [&](benchmark::State& s) { bm_native(s, model, false, false); });
    add("warm", [&](benchmark::State& s) { bm_native(s, model, false, true); });
    add("meta", [&](benchmark::State& s) { bm_meta(s, model); });
    add("untouched", [&](benchmark::State& s) { bm_untouched(s, model); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
