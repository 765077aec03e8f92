// The cost of a node without its kernel: runs a chain of operators on a one-element tensor with
// compiled C++, the evaluator, the interpreter, and an eager program. Also measures emitting C++,
// MLIR and ONNX. docs/codegen.md has figures; chain_torch_fx.py runs torch.fx's Python;
// `scripts/bench code` runs all of them.
#include "fx/codegen/cpp/cpp.h"
#include "fx/codegen/cpp/torch/compiled_graph.h"
#include "fx/codegen/mlir/mlir.h"
#include "fx/importers/onnx/onnx.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"

#include <ATen/CPUFunctions.h>
#include <ATen/Functions.h>
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>
#include <vector>

namespace fx {
namespace {

constexpr int64_t kNodes = 300;

/// Builds a chain of calls: add, mul, relu, add, ...
void build_chain(Graph& graph, int64_t nodes) {
  Context& context = graph.context();
  const Target add = context.function("aten.add.Tensor"), mul = context.function("aten.mul.Tensor"),
               relu = context.function("aten.relu.default");
  Node* x = graph.placeholder("x");
  Node* value = x;
  for (int64_t i = 0; i < nodes; ++i) {
    if (i % 3 == 2) {
      value = graph.call_function(relu, {value});
    } else {
      value = graph.call_function(i % 3 == 0 ? add : mul, {value, x});
    }
  }
  graph.output(value);
}

at::Tensor eager_chain(const at::Tensor& x) {
  at::Tensor value = x;
  for (int64_t i = 0; i < kNodes; ++i)
    value = i % 3 == 2 ? at::relu(value) : i % 3 == 0 ? at::add(value, x) : at::mul(value, x);
  return value;
}

template <class Run>
void measure(benchmark::State& state, Run run) {
  const at::Tensor x = at::full({1}, 0.5);
  FX_CHECK(at::equal(run(x), eager_chain(x)), "the results must be equal");
  for (auto _ : state) benchmark::DoNotOptimize(run(x));
  state.counters["per_node"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kNodes),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void run_eager(benchmark::State& state) {
  measure(state, [](const at::Tensor& x) { return eager_chain(x); });
}

/// Runs only the kernels, without a graph, the dispatcher or autograd.
at::Tensor bare_chain(const at::Tensor& x) {
  at::Tensor value = x;
  for (int64_t i = 0; i < kNodes; ++i)
    value = i % 3 == 2   ? at::cpu::clamp_min(value, 0)
            : i % 3 == 0 ? at::cpu::add(value, x)
                         : at::cpu::mul(value, x);
  return value;
}

void run_bare(benchmark::State& state) {
  measure(state, [](const at::Tensor& x) { return bare_chain(x); });
}

void run_evaluator(benchmark::State& state) {
  Context context;
  Graph graph(context);
  build_chain(graph, kNodes);
  absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph);
  FX_CHECK_OK(evaluator);
  measure(state, [&](const at::Tensor& x) { return evaluator->run({x})->at(0).toTensor(); });
}

void run_interpreter(benchmark::State& state) {
  Context context;
  Graph graph(context);
  build_chain(graph, kNodes);
  TorchInterpreter interpreter(graph);
  measure(state, [&](const at::Tensor& x) { return interpreter.run({x})->toTensor(); });
}

void run_compiled(benchmark::State& state, AutogradUse autograd) {
  Context context;
  Graph graph(context);
  build_chain(graph, kNodes);
  absl::StatusOr<CompiledGraph> compiled = CompiledGraph::create(graph, {}, {.fall_back = false});
  FX_CHECK_OK(compiled);
  measure(state,
          [&](const at::Tensor& x) { return compiled->run({x}, autograd)->at(0).toTensor(); });
}

template <class Emit>
void measure_emit(benchmark::State& state, Emit emit) {
  Context context;
  Graph graph(context);
  build_chain(graph, state.range(0));
  const std::vector<Dim> sizes{1};
  const Type type = context.types().tensor({.dtype = DType::kFloat32, .sizes = sizes});
  for (Node& node : graph.nodes())
    if (!node.is_output()) node.set_type(type);
  for (auto _ : state) {
    const auto code = emit(graph);
    FX_CHECK_OK(code);
    benchmark::DoNotOptimize(&*code);
  }
  state.counters["per_node"] =
      benchmark::Counter(static_cast<double>(state.iterations() * state.range(0)),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void emit(benchmark::State& state) {
  measure_emit(state, [](const Graph& graph) { return cpp_code(graph); });
}

void emit_mlir(benchmark::State& state) {
  measure_emit(state, [](const Graph& graph) { return mlir_code(graph); });
}

void emit_onnx(benchmark::State& state) {
  measure_emit(state, [](const Graph& graph) { return onnx_model(graph); });
}

BENCHMARK(run_bare);
BENCHMARK(run_eager);
BENCHMARK(run_evaluator);
BENCHMARK(run_interpreter);
BENCHMARK_CAPTURE(run_compiled, below_autograd, AutogradUse::kNone);
BENCHMARK_CAPTURE(run_compiled, with_autograd, AutogradUse::kRecord);
BENCHMARK(emit)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(
    benchmark::kMillisecond);
BENCHMARK(emit_mlir)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(
    benchmark::kMillisecond);
BENCHMARK(emit_onnx)->Arg(1'000)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(
    benchmark::kMillisecond);

}  // namespace
}  // namespace fx

BENCHMARK_MAIN();
