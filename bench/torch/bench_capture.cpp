// The cost of capture and replay compared with the libtorch calls that they record and run, on
// tensors so small that the cost of kernels is negligible, and the time of whole models. Times are
// for one thread.
//
//   eager/N          N consecutive calls to at::add
//   capture/N        the same calls captured; the difference from eager/N is the cost of capture
//   capture_by_mode  the same with HookKind::kMode
//   capture_fake/N   the same on fake tensors
//   replay/N         the captured graph replayed by TorchEvaluator
//   joint/NAME       joint capture of a model of the zoo on fake tensors; the counter `nodes` is
//                    the number of nodes in the graph
//   dynamic/NAME     the same with symbolic batch, sequence and image sizes, from multiple captures
//
// bench/torch/peers.py times torch.fx's generated code and AOTAutograd for the same work.
#include "fx/importers/torch/capture/capture.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/context.h"
#include "fx/tools/torch/zoo/zoo.h"

#include "benchmark/benchmark.h"
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

std::vector<at::Tensor> add_chain(fx::Tensors in, int64_t length) {
  at::Tensor x = in[0];
  for (int64_t i = 0; i < length; ++i) x = at::add(x, in[1]);
  return {x};
}

std::vector<at::Tensor> two_small() { return {at::ones({4}), at::ones({4})}; }

void per_node(benchmark::State& state, int64_t nodes) {
  state.SetItemsProcessed(state.iterations() * nodes);
}

void bm_eager(benchmark::State& state) {
  const at::NoGradGuard no_grad;
  const std::vector<at::Tensor> inputs = two_small();
  for (auto _ : state) benchmark::DoNotOptimize(add_chain(inputs, state.range(0)));
  per_node(state, state.range(0));
}
BENCHMARK(bm_eager)->Name("eager")->Arg(1000)->Arg(100000);

absl::StatusOr<fx::CapturedGraph> capture_chain(fx::Context& context, int64_t length,
                                                fx::CaptureOptions options) {
  const at::NoGradGuard no_grad;
  return fx::capture(
      context, {}, two_small(), [&](fx::Tensors in) { return add_chain(in, length); }, options);
}

void bm_capture(benchmark::State& state, fx::HookKind hook, fx::Execution execution) {
  for (auto _ : state) {
    fx::Context context;
    auto captured = capture_chain(context, state.range(0), {.hook = hook, .execution = execution});
    if (!captured.ok()) state.SkipWithError(std::string(captured.status().message()).c_str());
  }
  per_node(state, state.range(0));
}
BENCHMARK_CAPTURE(bm_capture, fake, fx::HookKind::kFake, fx::Execution::kReal)
    ->Name("capture")
    ->Arg(1000)
    ->Arg(100000);
BENCHMARK_CAPTURE(bm_capture, mode, fx::HookKind::kMode, fx::Execution::kReal)
    ->Name("capture_by_mode")
    ->Arg(1000);
BENCHMARK_CAPTURE(bm_capture, fake, fx::HookKind::kFake, fx::Execution::kFake)
    ->Name("capture_fake")
    ->Arg(1000)
    ->Arg(100000);

void bm_replay(benchmark::State& state) {
  fx::Context context;
  const auto captured = capture_chain(context, state.range(0), {});
  auto evaluator = captured.ok() ? fx::TorchEvaluator::create(*captured->graph, captured->constants)
                                 : captured.status();
  if (!evaluator.ok()) {
    state.SkipWithError(std::string(evaluator.status().message()).c_str());
    return;
  }
  const std::vector<at::Tensor> inputs = two_small();
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluator->run({inputs.begin(), inputs.end()}));
  }
  per_node(state, state.range(0));
}
BENCHMARK(bm_replay)->Name("replay")->Arg(1000)->Arg(100000);

/// A model of the zoo.
struct Model {
  std::string name;
  std::vector<std::string> types;  // the types of its inputs, with symbolic sizes
  std::vector<fx::SizeRange> ranges = {};
  std::vector<std::pair<std::string_view, int64_t>> settings = {};
};

void bm_joint(benchmark::State& state, const Model& model, const fx::DynamicSizes& sizes) {
  fx::Context context;
  const auto entry = fx::find_model(fx::zoo_models(), model.name);
  auto built = entry.ok() ? fx::build_fake_model(context, **entry, model.settings) : entry.status();
  if (!built.ok()) {
    state.SkipWithError(std::string(built.status().message()).c_str());
    return;
  }
  const fx::CaptureOptions options{.execution = fx::Execution::kFake, .dynamic = sizes};
  size_t nodes = 0;
  for (auto _ : state) {
    auto joint = fx::capture_joint(context, built->state, built->inputs, built->loss, options);
    if (!joint.ok()) {
      state.SkipWithError(std::string(joint.status().message()).c_str());
      return;
    }
    nodes = joint->graph->size();
  }
  state.counters["nodes"] = static_cast<double>(nodes);
  per_node(state, static_cast<int64_t>(nodes));
}

const std::vector<Model>& joint_models() {
  static const auto* const models = new std::vector<Model>{
      {"mlp", {"f32[batch, 16]", "i64[batch]"}},
      {"lenet", {"f32[batch, 1, 28, 28]", "i64[batch]"}},
      {"resnet18", {"f32[batch, 3, 64, 64]", "i64[batch]"}},
      {"resnet50", {"f32[batch, 3, 64, 64]", "i64[batch]"}},
      {"mobilenet_v2", {"f32[batch, 3, 64, 64]", "i64[batch]"}},
      {"unet", {"f32[batch, 3, 16*h, 16*w]", "i64[batch, 16*h, 16*w]"}, {}, {{"batch", 2}}},
      {"vae", {"f32[batch, 1, 28, 28]"}},
      {"lstm_tagger", {"i64[batch, seq]", "i64[batch, seq]"}},
      {"transformer_encoder", {"i64[seq, batch]", "i64[seq, batch]"}},
      {"gpt", {"i64[batch, seq]", "i64[batch, seq]"}, {{"seq", 2, 16}}},
      {"vit", {"f32[batch, 3, 32, 32]", "i64[batch]"}},
  };
  return *models;
}

void register_joint() {
  for (const Model& model : joint_models()) {
    benchmark::RegisterBenchmark(("joint/" + model.name).c_str(), bm_joint, model,
                                 fx::DynamicSizes())
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("dynamic/" + model.name).c_str(), bm_joint, model,
                                 fx::DynamicSizes{.inputs = model.types, .ranges = model.ranges})
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int argc, char** argv) {
  at::set_num_threads(1);
  benchmark::Initialize(&argc, argv);
  register_joint();
  benchmark::RunSpecifiedBenchmarks();
}
