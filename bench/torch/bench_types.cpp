// Measures how long libtorch takes to compute the types of whole graphs, for comparison with
// bench_shape on the same files.
//
//   bench_types --write=FOLDER          captures models of the zoo, forward and backward, without
//                                       running them: NAME.fx, and NAME_symbolic.fx, whose batch is
//                                       the symbol s0 (from captures at two batches, checked
//                                       against a third)
//   bench_types [--benchmark_...] FILE...
//
//   meta/FILE       the graph's operators on meta tensors, through the dispatcher, below autograd;
//                   only those with a meta kernel in C++ (`covered`; the results of
//                   other operators are inputs)
//   eager/FILE      the graph on real tensors, if its inputs have fewer than 2^28 elements in total
//   fake/NAME       without files: the models' programs captured without running kernels
//
// A graph that libtorch cannot run is skipped, with an error that states why.
//
// All times are in nanoseconds of CPU time per executed call node: for files, the minimum of
// all iterations (of about 400 calls or a whole graph, as in bench_shape); for `fake`, the mean per
// node of the captured graph.
// bench/shape_report.py runs all subjects.
#include "bench/torch/generalize.h"
#include "fx/importers/torch/capture/capture.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/tools/torch/zoo/zoo.h"

#include "benchmark/benchmark.h"
#include <ATen/Functions.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int64_t kMaxElements = int64_t{1} << 28;

bool is_call(const fx::Node& node) { return node.op() == fx::Opcode::kCallFunction; }

struct Model {
  const char* name;
  const char* zoo;
  std::vector<std::pair<std::string_view, int64_t>> settings;
  int64_t batch;
};
const Model kModels[] = {
    {"mlp", "mlp", {}, 8},
    {"resnet50", "resnet50", {}, 2},
    {"transformer", "transformer_encoder", {{"layers", 12}}, 4},
    {"gpt2_xl",
     "gpt",
     {{"layers", 48}, {"width", 1600}, {"heads", 25}, {"length", 1024}, {"vocabulary", 50257}},
     2},
};

[[noreturn]] void stop(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}
void check(const std::string& what, const absl::Status& status) {
  if (!status.ok()) stop(what + ": " + std::string(status.message()));
}
template <class T>
T value_of(const std::string& what, absl::StatusOr<T> value) {
  check(what, value.status());
  return *std::move(value);
}

absl::StatusOr<std::unique_ptr<fx::Graph>> joint_graph(fx::Context& context, const Model& model,
                                                       int64_t batch) {
  const auto entry = fx::find_model(fx::zoo_models(), model.zoo);
  if (!entry.ok()) return entry.status();
  auto settings = model.settings;
  settings.emplace_back("batch", batch);
  const auto built = fx::build_fake_model(context, **entry, settings);
  if (!built.ok()) return built.status();
  auto captured = fx::capture_joint(context, built->state, built->inputs, built->loss,
                                    {.execution = fx::Execution::kFake});
  if (!captured.ok()) return captured.status();
  return std::move(captured->graph);
}

void write_models(const std::filesystem::path& folder) {
  for (const Model& model : kModels) {
    fx::Context context;
    const std::string name = model.name;
    std::vector<fx::SizedGraph> captured;
    for (const int64_t batch : {model.batch, model.batch + 1, model.batch + 3})
      captured.push_back({value_of(name, joint_graph(context, model, batch)), batch});
    const fx::Symbol s0 = context.symbol("s0");
    fx::Generalizer generalizer(captured[0], captured[1], context.exprs().symbol(s0));
    const auto symbolic = value_of(name, generalizer.run());
    check(name, fx::type_and_check(*symbolic, s0, captured[2]));
    const auto write = [&](const std::string& file, const fx::Graph& graph) {
      check(file, fx::write_graph_file(graph, (folder / file).string()));
    };
    write(name + ".fx", *captured[0].graph);
    write(name + "_symbolic.fx", *symbolic);
  }
}

void report(benchmark::State& state, size_t calls) {
  state.counters["calls"] = static_cast<double>(calls);
  state.counters["ns_per_call"] = benchmark::Counter(
      static_cast<double>(calls) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

double now() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Runs a graph with this number of calls repeatedly. Returns the evaluator's errors.
absl::Status measure(benchmark::State& state, fx::TorchEvaluator& evaluator,
                     const std::vector<c10::IValue>& inputs, size_t calls) {
  FX_RETURN_IF_ERROR(evaluator.run(inputs).status());  // the first run looks up kernels
  const size_t batch = std::max<size_t>(1, 400 / std::max<size_t>(1, calls));
  double minimum = std::numeric_limits<double>::infinity();
  for (auto _ : state) {
    const double start = now();
    for (size_t i = 0; i < batch; ++i) FX_RETURN_IF_ERROR(evaluator.run(inputs).status());
    const double seconds = now() - start;
    state.SetIterationTime(seconds);
    minimum = std::min(minimum, seconds);
  }
  state.counters["calls"] = static_cast<double>(calls);
  state.counters["ns_per_call"] =
      minimum * 1e9 / static_cast<double>(batch * std::max<size_t>(1, calls));
  return absl::OkStatus();
}

/// Skips the benchmark if the graph cannot run.
void skip_if_error(benchmark::State& state, const absl::Status& status) {
  if (!status.ok()) state.SkipWithError(std::string(status.message()).c_str());
}

// ---- libtorch's meta kernels

at::Tensor meta_tensor(fx::Type type) {
  std::vector<int64_t> sizes, strides;
  for (const fx::Dim& size : type.sizes()) sizes.push_back(size.is_int() ? size.value() : 0);
  for (const fx::Dim& stride : type.strides())
    strides.push_back(stride.is_int() ? stride.value() : 1);
  return at::empty_strided(sizes, strides,
                           at::TensorOptions(fx::to_torch(type.dtype())).device(at::kMeta));
}

/// Runs `graph` on meta tensors. Returns false if an operator does not support them.
bool runs_on_meta(const fx::Graph& graph) {
  auto evaluator = fx::TorchEvaluator::create(graph);
  if (!evaluator.ok()) return false;
  std::vector<c10::IValue> inputs;
  for (const fx::Node& node : graph.nodes()) {
    if (node.is_placeholder())
      inputs.push_back(node.type().is_tensor() ? c10::IValue(meta_tensor(node.type()))
                                               : c10::IValue());
  }
  const auto results = evaluator->run(std::move(inputs));
  if (!results.ok()) return false;
  for (const c10::IValue& value : *results)
    if (value.isTensor() && value.toTensor().defined() && !value.toTensor().is_meta()) return false;
  return true;
}

/// Returns true if this single call runs on meta tensors.
bool has_meta_kernel(const fx::Node& node) {
  fx::Graph one(node.graph().context());
  std::vector<std::pair<const fx::Node*, fx::Node*>> values;
  for (const fx::Node* input : node.all_input_nodes())
    values.emplace_back(input, one.placeholder(input->name(), {.type = input->type()}));
  const auto copy = one.node_copy(node, [&](fx::Node* input) -> fx::Argument {
    for (const auto& [from, to] : values)
      if (from == input) return to;
    return {};
  });
  if (!copy.ok()) return false;
  one.output(*copy);
  return runs_on_meta(one);
}

/// Removes calls without a meta kernel from the graph; their results become inputs. Returns the
/// number of calls before and after.
std::pair<size_t, size_t> keep_meta_calls(fx::Graph& graph) {
  size_t calls = 0, covered = 0;
  std::vector<fx::Node*> nodes;
  for (fx::Node& node : graph.nodes())
    if (is_call(node)) nodes.push_back(&node);
  for (fx::Node* node : nodes) {
    if (node->target() == "operator.getitem") continue;  // belongs to a visited call
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
  return {calls, covered};
}

absl::Status run_meta(benchmark::State& state, const std::string& file) {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const auto graph, fx::read_graph_file(context, file));
  const auto [calls, covered] = keep_meta_calls(*graph);
  if (covered == 0) return absl::UnimplementedError("no call has a meta kernel in C++");
  FX_ASSIGN_OR_RETURN(auto evaluator, fx::TorchEvaluator::create(*graph));
  std::vector<c10::IValue> inputs;
  for (const fx::Node& node : graph->nodes()) {
    if (!node.is_placeholder()) continue;
    if (!node.type().is_tensor() || !node.type().has_rank())
      return absl::InvalidArgumentError(node.name() + " has no recorded type");
    inputs.emplace_back(meta_tensor(node.type()));
  }
  FX_RETURN_IF_ERROR(measure(state, evaluator, inputs, covered));
  state.counters["covered"] = static_cast<double>(covered) / static_cast<double>(calls);
  return absl::OkStatus();
}

// ---- eager

absl::Status run_eager(benchmark::State& state, const std::string& file) {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const auto graph, fx::read_graph_file(context, file));
  FX_ASSIGN_OR_RETURN(const fx::GraphData data,
                      fx::load_graph_data(*graph, {}, {.generate_missing = true, .seed = 3}));
  FX_ASSIGN_OR_RETURN(auto evaluator, fx::TorchEvaluator::create(*graph, data.constants));
  size_t calls = 0;
  for (const fx::Node& node : graph->nodes()) calls += is_call(node) ? 1 : 0;
  return measure(state, evaluator, data.inputs, calls);
}

void bm_fake(benchmark::State& state, const Model& model) {
  size_t calls = 0;
  for (auto _ : state) {
    fx::Context context;
    calls = value_of(model.name, joint_graph(context, model, model.batch))->size();
  }
  report(state, calls);
}

/// Returns the number of elements of all inputs, or an error for symbolic sizes, inputs that are
/// not tensors, and files that cannot be read.
absl::StatusOr<int64_t> elements_of(const std::string& file) {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const auto graph, fx::read_graph_file(context, file));
  int64_t elements = 0;
  for (const fx::Node& node : graph->nodes()) {
    if (!node.is_placeholder()) continue;
    if (!node.type().is_tensor() || !node.type().has_rank())
      return absl::InvalidArgumentError("input " + node.name() + " is not a tensor");
    int64_t count = 1;
    for (const fx::Dim& size : node.type().sizes()) {
      if (!size.is_int())
        return absl::InvalidArgumentError("input " + node.name() + " has symbolic sizes");
      count *= size.value();
    }
    elements += count;
  }
  return elements;
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  const auto add = [](const std::string& name, auto run) {
    return benchmark::RegisterBenchmark(name.c_str(), run)->Unit(benchmark::kMicrosecond);
  };
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with("--write=")) {
      write_models(argument.substr(8));
      return 0;
    }
    const std::filesystem::path path = argument;
    const std::string name =
        path.parent_path().filename().string() + "/" + path.filename().string();
    const absl::StatusOr<int64_t> elements = elements_of(argument);
    if (!elements.ok()) {
      add("meta/" + name, [=](benchmark::State& s) { skip_if_error(s, elements.status()); });
      continue;
    }
    add("meta/" + name, [=](benchmark::State& s) {
      skip_if_error(s, run_meta(s, argument));
    })->UseManualTime();
    if (*elements < kMaxElements)
      add("eager/" + name, [=](benchmark::State& s) {
        skip_if_error(s, run_eager(s, argument));
      })->UseManualTime();
  }
  if (argc == 1) {
    for (const Model& model : kModels)
      add(std::string("fake/") + model.name, [&](benchmark::State& s) { bm_fake(s, model); });
  }
  benchmark::RunSpecifiedBenchmarks();
}
