// Derivatives and partitions of training graphs: nanoseconds per node of the joint graph.
//
//   bench_autodiff [--benchmark_filter=REGEX ...] [FILE...]
//
// Without files: the forward pass of a transformer whose blocks have their own parameters, with 1e3
// to 1e6 nodes; partitions with up to 1e5. With files (.fx, .json, .fxb): each forward graph, from
// the types of its inputs; recorded types of calls are ignored.
//
//   joint     fx::joint in the aten style, including the types of all nodes, in a new Context
//   readable  the same in the readable style
//   default, min_cut, half   partition_joint of the joint graph; `half` has a budget of 0.5
//
// Times are CPU time of the thread; creating and destroying the measured graphs is not timed.
// ns_per_node is the minimum of all iterations. bench/autodiff_report.py prints the times with
// those of AOTAutograd.
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/text/text.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/partition/joint/joint_partition.h"

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
#include <utility>
#include <vector>

namespace {

using fx::Argument;
using fx::Node;

/// Creates the measured forward graph, in which only inputs have types.
using GraphFactory = std::function<std::unique_ptr<fx::Graph>(fx::Context&)>;

[[noreturn]] void stop(const std::string& why) {
  std::cerr << why << '\n';
  std::exit(1);
}

template <class T>
T value_of(absl::StatusOr<T> value) {
  if (!value.ok()) stop(value.status().ToString());
  return *std::move(value);
}

double now() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// ---------------------------------------------------------------- the transformer

class TransformerBuilder {
 public:
  explicit TransformerBuilder(fx::Context& context)
      : context_(context), graph_(std::make_unique<fx::Graph>(context)) {}

  /// Creates a graph with about `nodes` nodes.
  std::unique_ptr<fx::Graph> build(size_t nodes) {
    constexpr size_t kNodesOfBlock = 38;
    std::vector<std::vector<Node*>> blocks(std::max<size_t>(1, nodes / kNodesOfBlock));
    Node* x = input("x", "f32[8, 16, 64]");
    for (size_t i = 0; i < blocks.size(); ++i) blocks[i] = parameters(i);
    for (const std::vector<Node*>& block : blocks) x = add_block(x, block);
    graph_->output(call("aten.mean.default", {x}));
    return std::move(graph_);
  }

 private:
  Node* input(const std::string& name, const char* type) {
    return graph_->placeholder(name, {.type = *context_.types().parse(type)});
  }
  Node* call(const char* name, std::initializer_list<Argument> args) {
    return graph_->call_function(context_.function(name),
                                 absl::MakeConstSpan(args.begin(), args.size()));
  }
  std::vector<Node*> parameters(size_t number) {
    std::vector<Node*> parameters;
    std::string block = "h";
    block += std::to_string(number);
    for (const char* name : {"norm1_weight", "norm1_bias", "norm2_weight", "norm2_bias"})
      parameters.push_back(input(block + "_" + name, "f32[64]{grad}"));
    for (const char* name : {"q", "k", "v", "o"})
      parameters.push_back(input(block + "_" + name, "f32[64, 64]{grad}"));
    parameters.push_back(input(block + "_up", "f32[256, 64]{grad}"));
    parameters.push_back(input(block + "_up_bias", "f32[256]{grad}"));
    parameters.push_back(input(block + "_down", "f32[64, 256]{grad}"));
    return parameters;
  }
  Node* norm(Node* x, Node* weight, Node* bias) {
    Node* tuple =
        call("aten.native_layer_norm.default", {x, Argument::ints({64}), weight, bias, 1e-5});
    return call("operator.getitem", {tuple, 0});
  }
  Node* heads(Node* x, Node* weight) {
    Node* part = call("aten.linear.default", {x, weight});
    part = call("aten.view.default", {part, Argument::list({8, 16, 4, 16})});
    return call("aten.transpose.int", {part, 1, 2});
  }
  Node* add_block(Node* x, const std::vector<Node*>& p) {
    Node* y = norm(x, p[0], p[1]);
    Node* queries = heads(y, p[4]);
    Node* keys = heads(y, p[5]);
    Node* values = heads(y, p[6]);
    Node* scores =
        call("aten.matmul.default", {queries, call("aten.transpose.int", {keys, -2, -1})});
    scores = call("aten.mul.Tensor", {scores, 0.25});
    scores = call("aten._softmax.default", {scores, -1, false});
    Node* mixed = call("aten.matmul.default", {scores, values});
    mixed = call("aten.transpose.int", {mixed, 1, 2});
    mixed = call("aten.reshape.default", {mixed, Argument::list({8, 16, 64})});
    x = call("aten.add.Tensor", {x, call("aten.linear.default", {mixed, p[7]})});
    Node* wide = call("aten.linear.default", {norm(x, p[2], p[3]), p[8], p[9]});
    Node* active = call("aten.gelu.default", {wide});
    return call("aten.add.Tensor", {x, call("aten.linear.default", {active, p[10]})});
  }

  fx::Context& context_;
  std::unique_ptr<fx::Graph> graph_;
};

// ---------------------------------------------------------------- measurements

/// Reports the minimum time per node over all iterations, because other programs affect it least.
class MinTime {
 public:
  explicit MinTime(benchmark::State& state) : state_(state) {}
  void add(double seconds, size_t nodes) {
    state_.SetIterationTime(seconds);
    min_ = std::min(min_, seconds);
    state_.counters["nodes"] = static_cast<double>(nodes);
    state_.counters["ns_per_node"] = min_ * 1e9 / static_cast<double>(nodes);
  }

 private:
  benchmark::State& state_;
  double min_ = std::numeric_limits<double>::infinity();
};

void bm_joint(benchmark::State& state, const GraphFactory& make, fx::GradStyle style) {
  MinTime min_time(state);
  for (auto _ : state) {
    fx::Context context;
    const auto forward = make(context);
    fx::GradOptions options;
    options.style = style;
    const double start = now();
    const auto joint = value_of(fx::joint(*forward, options));
    const double seconds = now() - start;
    for (const Node& node : joint->nodes())
      if (!node.type() && !node.is_output()) stop("not every node has a type");
    min_time.add(seconds, joint->size());
  }
}

void bm_partition(benchmark::State& state, const GraphFactory& make,
                  const fx::JointPartitionOptions& options) {
  fx::Context context;
  fx::GradOptions grad;
  grad.style = fx::GradStyle::kAten;
  const auto joint = value_of(fx::joint(*make(context), grad));
  MinTime min_time(state);
  for (auto _ : state) {
    const double start = now();
    const fx::JointPartition parts = value_of(fx::partition_joint(*joint, options));
    min_time.add(now() - start, joint->size());
    state.counters["saved_bytes"] = static_cast<double>(parts.saved_bytes);
  }
}

/// Registers the measurements of a forward graph with about `nodes` nodes.
void add(const std::string& name, const GraphFactory& make, size_t nodes) {
  const auto one = [&](const char* what, auto&& run, int64_t per_iteration) {
    benchmark::RegisterBenchmark((std::string(what) + "/" + name).c_str(), run)
        ->UseManualTime()
        ->Iterations(std::clamp<int64_t>(per_iteration / static_cast<int64_t>(nodes), 3, 100))
        ->Unit(benchmark::kMillisecond);
  };
  const auto joint = [&](const char* what, fx::GradStyle style) {
    one(what, [=](benchmark::State& s) { bm_joint(s, make, style); }, 200000);
  };
  joint("joint", fx::GradStyle::kAten);
  joint("readable", fx::GradStyle::kReadable);
  constexpr size_t kMaxToPartition = 200000;
  if (nodes > kMaxToPartition) return;
  const auto partition = [&](const char* what, fx::JointMethod method,
                             std::optional<fx::MemoryBudget> budget) {
    fx::JointPartitionOptions options;
    options.method = method;
    options.budget = budget;
    one(what, [=](benchmark::State& s) { bm_partition(s, make, options); }, 50000);
  };
  partition("default", fx::JointMethod::kDefault, std::nullopt);
  partition("min_cut", fx::JointMethod::kMinCut, std::nullopt);
  partition("half", fx::JointMethod::kMinCut, fx::MemoryBudget{.fraction = 0.5});
}

std::string without_call_types(const std::string& file) {
  fx::Context context;
  const auto graph = value_of(fx::read_graph_file(context, file));
  for (Node& node : graph->nodes())
    if (node.is_call()) node.set_type(fx::Type());
  return fx::print(*graph);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string text = without_call_types(argv[i]);
    const GraphFactory make = [text](fx::Context& context) {
      return value_of(fx::parse_graph(context, text));
    };
    fx::Context context;
    add(std::filesystem::path(argv[i]).stem().string(), make, make(context)->size());
  }
  if (argc == 1) {
    for (const size_t nodes : {size_t{1000}, size_t{10000}, size_t{100000}, size_t{1000000}}) {
      add(
          std::to_string(nodes),
          [=](fx::Context& context) { return TransformerBuilder(context).build(nodes); }, nodes);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
