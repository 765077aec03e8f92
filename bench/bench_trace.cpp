// The cost per node of tracing functions, methods, operators and modules. bench/trace_torch_fx.py
// times torch.fx.symbolic_trace on the same models.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/nn.h"
#include "fx/tracer/tracer.h"

#include "benchmark/benchmark.h"

namespace {

using fx::Proxy;

/// Traces once per iteration and counts nodes.
template <class F>
void trace(benchmark::State& state, const F& f, const fx::RecordOptions& options = {}) {
  fx::Context context;
  fx::Tracer tracer(context, options);
  size_t nodes = 0;
  for (auto _ : state) {
    const auto graph = tracer.trace(f, {"x"});
    if (!graph.ok()) return state.SkipWithError(std::string(graph.status().message()).c_str());
    nodes = (*graph)->size();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
  state.counters["s/node"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsIterationInvariantRate |
                                                         benchmark::Counter::kInvert);
}

/// Records four nodes per round: an operator, two functions, a method.
Proxy chain(Proxy x, int64_t rounds) {
  for (int64_t i = 0; i < rounds; ++i) x = relu(sigmoid(x + 1)).neg();
  return x;
}

void bm_chain(benchmark::State& state) {
  trace(state, [&](Proxy x) { return chain(x, state.range(0) / 4); });
}
void bm_chain_without_locations(benchmark::State& state) {
  trace(state, [&](Proxy x) { return chain(x, state.range(0) / 4); }, {.locations = false});
}

struct Mlp : fx::nn::Module {
  fx::nn::ModuleList<fx::nn::LinearImpl> layers;
  explicit Mlp(int64_t depth) {
    register_module("layers", layers);
    for (int64_t i = 0; i < depth; ++i) layers->push_back(fx::nn::Linear(2, 2));
  }
  Proxy forward(Proxy x) {
    for (const fx::nn::Linear& layer : *layers) x = relu(layer(x));
    return x;
  }
};

void bm_modules(benchmark::State& state) {
  const fx::nn::ModuleHolder<Mlp> mlp(state.range(0) / 2);
  trace(state, mlp);
}

BENCHMARK(bm_chain)->Arg(1000)->Arg(10000)->Arg(1000000)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_chain_without_locations)->Arg(10000)->Unit(benchmark::kMillisecond);
BENCHMARK(bm_modules)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
