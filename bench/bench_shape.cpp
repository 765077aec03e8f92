// Native shape propagation: nanoseconds per call.
//
//   bench_shape [--benchmark_filter=REGEX ...] [FILE...]
//   bench_shape --write=FOLDER      writes the synthetic graphs of 1e3 and 1e4 nodes, with types,
//                                   as 1000.fx and 10000.fx
//
// Without files: synthetic graphs of transformer layers with forward and backward operators, from
// 1e3 to 1e6 nodes, and the same with a symbolic batch (1000_symbolic, ...). With files (.fx,
// .json, .fxb): each graph, from the types of its inputs; recorded types of calls are ignored.
//
//   cold         a Context with only the types of the inputs
//   again        a second graph in the same Context, without types; every type is already interned
//   warm         like `again`, with a cache that contains every call
//   incremental  a call is inserted in the middle, and the types of dependent nodes are updated;
//                the time per change
//   signatures   the types for eight batch sizes on two threads, per call and signature (synthetic)
//
// A graph with a call that has no type is skipped, with an error. The counter `symbolic` is 1 if an
// input has a symbolic size.
//
// Times are the thread's CPU time, excluding the setup; ns_per_call and ns_per_change are the
// minimum over all iterations. For `signatures`, ns_per_call is the mean wall time per node.
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/check/shape_signatures.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/shape/type_updater.h"

#include "benchmark/benchmark.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using fx::Argument;
using fx::Node;

/// Creates the measured graph, in which only inputs have types.
using GraphFactory = std::function<std::unique_ptr<fx::Graph>(fx::Context&)>;

/// Blocks of attention and MLP, with the backward operators of a few calls.
std::unique_ptr<fx::Graph> transformer(fx::Context& context, int64_t nodes,
                                       const std::string& batch) {
  auto graph = std::make_unique<fx::Graph>(context);
  const auto type = [&](const std::string& text) { return *context.types().parse(text); };
  Node* x = graph->placeholder("x", {.type = type("f32[" + batch + ", 16, 64]")});
  Node* norm = graph->placeholder("norm", {.type = type("f32[64]")});
  Node* square = graph->placeholder("square", {.type = type("f32[64, 64]")});
  Node* up = graph->placeholder("up", {.type = type("f32[256, 64]")});
  Node* down = graph->placeholder("down", {.type = type("f32[64, 256]")});
  const auto call = [&](const char* name, std::initializer_list<Argument> args) {
    return graph->call_function(context.function(name),
                                absl::MakeConstSpan(args.begin(), args.size()));
  };
  const Argument heads = Argument::list({-1, 16, 4, 16}), merged = Argument::list({-1, 16, 64});
  while (graph->size() < static_cast<size_t>(nodes)) {
    Node* tuple =
        call("aten.native_layer_norm.default", {x, Argument::ints({64}), norm, norm, 1e-5});
    Node* y = call("operator.getitem", {tuple, 0});
    Node* parts[3];
    for (Node*& part : parts) {
      part = call("aten.linear.default", {y, square});
      part = call("aten.view.default", {part, heads});
      part = call("aten.transpose.int", {part, 1, 2});
    }
    Node* keys = call("aten.transpose.int", {parts[1], -2, -1});
    Node* scores = call("aten.matmul.default", {parts[0], keys});
    scores = call("aten.mul.Tensor", {scores, 0.25});
    scores = call("aten._softmax.default", {scores, -1, false});
    Node* grad =
        call("aten._softmax_backward_data.default", {scores, scores, -1, fx::DType::kFloat32});
    scores = call("aten.add.Tensor", {scores, grad});
    Node* mixed = call("aten.matmul.default", {scores, parts[2]});
    mixed = call("aten.transpose.int", {mixed, 1, 2});
    mixed = call("aten.clone.default", {mixed});
    mixed = call("aten.reshape.default", {mixed, merged});
    x = call("aten.add.Tensor", {x, mixed});
    Node* wide = call("aten.linear.default", {x, up});
    Node* active = call("aten.gelu.default", {wide});
    active = call("aten.gelu_backward.default", {active, wide});
    x = call("aten.add.Tensor", {x, call("aten.linear.default", {active, down})});
  }
  graph->output(x);
  return graph;
}

bool is_call(const Node& node) { return node.op() == fx::Opcode::kCallFunction; }

[[noreturn]] void stop(const std::string& why) {
  std::cerr << why << '\n';
  std::exit(1);
}

/// Returns why some calls have no type; empty if all calls have types.
std::string try_propagate(fx::Graph& graph, fx::TypeCache* cache = nullptr) {
  const fx::ShapeReport report = fx::propagate_types(graph, {.cache = cache});
  if (report.ok() && report.unknown == 0) return {};
  const std::string why = report.str();
  return why.empty() ? std::to_string(report.unknown) + " calls have no type" : why;
}

void propagate(fx::Graph& graph, fx::TypeCache* cache = nullptr) {
  if (const std::string why = try_propagate(graph, cache); !why.empty()) stop(why);
}

bool has_symbolic_inputs(const fx::Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || !node.type().is_tensor() || !node.type().has_rank()) continue;
    for (const fx::Dim& size : node.type().sizes())
      if (!size.is_int()) return true;
  }
  return false;
}

double now() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void report(benchmark::State& state, size_t per_iteration) {
  state.counters["ns_per_call"] = benchmark::Counter(
      static_cast<double>(per_iteration) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

/// Reports the time of an iteration, and the minimum time per item over all iterations, because
/// other programs affect it least.
class MinTime {
 public:
  MinTime(benchmark::State& state, size_t per_iteration, const char* unit)
      : state_(state), per_iteration_(static_cast<double>(per_iteration)), unit_(unit) {}
  void add(double seconds) {
    state_.SetIterationTime(seconds);
    min_ = std::min(min_, seconds);
    state_.counters[unit_] = min_ * 1e9 / per_iteration_;
  }

 private:
  benchmark::State& state_;
  double per_iteration_;
  const char* unit_;
  double min_ = std::numeric_limits<double>::infinity();
};

enum class Mode { kCold, kAgain, kWarm };

size_t count_calls(const fx::Graph& graph) {
  return static_cast<size_t>(std::count_if(graph.nodes().begin(), graph.nodes().end(), is_call));
}

/// Returns how many graphs to type between two readings of the clock; few enough that they all fit
/// in the caches.
size_t batch_of(size_t calls) { return std::max<size_t>(1, 400 / std::max<size_t>(1, calls)); }

/// Iterations for about 600,000 calls: most of the time is spent creating graphs, which is not
/// measured.
int64_t iterations_of(size_t calls) {
  return std::max<int64_t>(5, static_cast<int64_t>(600000 / (batch_of(calls) * calls + 1)));
}

void bm_whole(benchmark::State& state, const GraphFactory& make, Mode mode) {
  auto shared = std::make_unique<fx::Context>();
  fx::TypeCache results(*shared);
  const auto first = make(*shared);
  const size_t calls = count_calls(*first), batch = batch_of(calls);
  propagate(*first, &results);
  MinTime min_time(state, calls * batch, "ns_per_call");
  for (auto _ : state) {
    std::vector<std::unique_ptr<fx::Context>> contexts;
    std::vector<std::unique_ptr<fx::Graph>> graphs;
    for (size_t i = 0; i < batch; ++i) {
      if (mode == Mode::kCold) contexts.push_back(std::make_unique<fx::Context>());
      graphs.push_back(make(mode == Mode::kCold ? *contexts.back() : *shared));
    }
    const double start = now();
    for (const auto& graph : graphs) propagate(*graph, mode == Mode::kWarm ? &results : nullptr);
    min_time.add(now() - start);
    graphs.clear();  // graphs must be destroyed before their contexts
  }
  state.counters["calls"] = static_cast<double>(calls);
  state.counters["symbolic"] = has_symbolic_inputs(*first) ? 1 : 0;
}

/// Measures an update after a change in the middle of the graph: the last call before the middle
/// whose result is a tensor with users is cloned, and its users are redirected to the clone.
void bm_incremental(benchmark::State& state, const GraphFactory& make) {
  fx::Context context;
  const auto graph = make(context);
  propagate(*graph);
  Node* middle = nullptr;
  size_t position = 0;
  for (Node& node : graph->nodes()) {
    if (position++ > graph->size() / 2 && middle) break;
    if (is_call(node) && node.type().is_tensor() && node.has_uses()) middle = &node;
  }
  if (!middle) stop("no call to replace");
  fx::TypeUpdater types(*graph);
  const fx::Target clone = context.function("aten.clone.default");
  size_t typed = 0;
  MinTime min_time(state, 1, "ns_per_change");
  for (auto _ : state) {
    const double start = now();
    Node* copy = nullptr;
    {
      const auto guard = graph->inserting_after(middle);
      copy = graph->call_function(clone, {middle});
    }
    middle->replace_all_uses_with(copy);
    typed = types.update().typed;
    min_time.add(now() - start);
    copy->replace_all_uses_with(middle);
    types.update();
    if (!graph->erase_node(copy).ok()) stop("the copy still has users");
  }
  state.counters["typed"] = static_cast<double>(typed);
}

void signatures(benchmark::State& state, int64_t nodes) {
  fx::Context context;
  const auto graph = transformer(context, nodes, "8");
  std::vector<fx::Signature> all;
  for (const char* batch : {"1", "2", "3", "4", "8", "16", "32", "64"})
    all.push_back({*context.types().parse(std::string("f32[") + batch + ", 16, 64]")});
  for (auto _ : state) {
    const auto results = fx::shape_prop_each(*graph, all, {.threads = 2});
    if (!results.ok()) stop(std::string(results.status().message()));
  }
  report(state, all.size() * graph->size());
}

std::string without_call_types(const std::string& file) {
  fx::Context context;
  const auto graph = fx::read_graph_file(context, file);
  if (!graph.ok()) stop(std::string(graph.status().message()));
  for (Node& node : (*graph)->nodes())
    if (is_call(node)) node.set_type(fx::Type());
  return fx::print(**graph);
}

void add(const std::string& name, const GraphFactory& make) {
  size_t calls = 0;
  {
    fx::Context context;
    const auto graph = make(context);
    calls = count_calls(*graph);
    if (const std::string why = try_propagate(*graph); !why.empty()) {
      benchmark::RegisterBenchmark(("cold/" + name).c_str(),
                                   [=](benchmark::State& s) { s.SkipWithError(why.c_str()); });
      return;
    }
  }
  const auto one = [&](const char* what, Mode mode) {
    benchmark::RegisterBenchmark((std::string(what) + "/" + name).c_str(),
                                 [=](benchmark::State& s) { bm_whole(s, make, mode); })
        ->UseManualTime()
        ->Iterations(iterations_of(calls))
        ->Unit(benchmark::kMicrosecond);
  };
  one("cold", Mode::kCold);
  one("again", Mode::kAgain);
  one("warm", Mode::kWarm);
  benchmark::RegisterBenchmark(("incremental/" + name).c_str(),
                               [=](benchmark::State& s) { bm_incremental(s, make); })
      ->UseManualTime()
      ->Iterations(1000);
}

/// Implements --write.
void write_synthetic(const std::string& folder) {
  for (const int64_t nodes : {1000, 10000}) {
    fx::Context context;
    const auto graph = transformer(context, nodes, "8");
    propagate(*graph);
    const absl::Status written =
        fx::write_graph_file(*graph, folder + "/" + std::to_string(nodes) + ".fx");
    if (!written.ok()) stop(std::string(written.message()));
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (argc == 2 && std::string_view(argv[1]).starts_with("--write=")) {
    write_synthetic(argv[1] + 8);
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    const std::string text = without_call_types(argv[i]);
    const std::filesystem::path path = argv[i];
    add(path.parent_path().filename().string() + "/" + path.filename().string(),
        [text](fx::Context& context) {
          auto graph = fx::parse_graph(context, text);
          if (!graph.ok()) stop(std::string(graph.status().message()));
          return *std::move(graph);
        });
  }
  if (argc == 1) {
    for (const int64_t nodes : {1000, 10000, 100000, 1000000}) {
      const std::string name = "synthetic/" + std::to_string(nodes);
      add(name, [=](fx::Context& context) { return transformer(context, nodes, "8"); });
      add(name + "_symbolic",
          [=](fx::Context& context) { return transformer(context, nodes, "s0"); });
    }
    benchmark::RegisterBenchmark("signatures/synthetic/10000",
                                 [](benchmark::State& s) { signatures(s, 10000); })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RunSpecifiedBenchmarks();
}
