// Native shape propagation: nanoseconds per call, on a transformer's layers, forward and backward
// operators mixed, from 1e3 to 1e6 nodes.
//
//   cold      a Context that has seen none of the types
//   again     another graph of the same Context, without types: every type is interned already
//   symbolic  as again, with a symbolic batch
//   warm      as again, with a cache that knows every call
#include "fx/ir/context.h"
#include "fx/ir/graph.h"
#include "fx/passes/shape/shape_prop.h"

#include "benchmark/benchmark.h"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

namespace {

using fx::Argument;
using fx::Node;

/// Blocks of attention and perceptron, with the backward of a few operators.
std::unique_ptr<fx::Graph> transformer(fx::Context& context, int64_t nodes, bool symbolic) {
  auto graph = std::make_unique<fx::Graph>(context);
  const auto type = [&](const std::string& text) { return *context.types().parse(text); };
  const std::string batch = symbolic ? "s0" : "8";
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

void propagate(fx::Graph& graph, fx::TypeCache* cache = nullptr) {
  const fx::ShapeReport report = fx::propagate_types(graph, {.cache = cache});
  if (!report.ok() || report.unknown != 0) {
    std::cerr << report.str();
    std::abort();
  }
}

void per_node(benchmark::State& state, size_t nodes) {
  state.counters["ns_per_node"] = benchmark::Counter(
      static_cast<double>(nodes) * 1e-9,
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void cold(benchmark::State& state) {
  size_t nodes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto context = std::make_unique<fx::Context>();
    auto graph = transformer(*context, state.range(0), false);
    nodes = graph->size();
    state.ResumeTiming();
    propagate(*graph);
    state.PauseTiming();
    graph.reset();
    context.reset();
    state.ResumeTiming();
  }
  per_node(state, nodes);
}
BENCHMARK(cold)->Arg(1000)->Arg(10000)->Arg(100000)->Arg(1000000)->Unit(benchmark::kMicrosecond);

void again(benchmark::State& state, bool symbolic, bool keep) {
  fx::Context context;
  fx::TypeCache results(context);
  fx::TypeCache* cache = keep ? &results : nullptr;
  propagate(*transformer(context, state.range(0), symbolic), cache);
  size_t nodes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto graph = transformer(context, state.range(0), symbolic);
    nodes = graph->size();
    state.ResumeTiming();
    propagate(*graph, cache);
    state.PauseTiming();
    graph.reset();
    state.ResumeTiming();
  }
  per_node(state, nodes);
}
BENCHMARK_CAPTURE(again, concrete, false, false)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(again, warm, false, true)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(again, symbolic, true, false)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(100000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
