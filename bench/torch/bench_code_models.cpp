// Runs a model of the zoo in one of four ways, and measures the CPU time of a run, the peak of
// libtorch's allocator during a run, and the growth of the process's peak memory.
//
//   bench_code_models MODEL forward|joint eager|compiled|evaluator|interpreter [RUNS]
//
// Prints one JSON object. bench/code_report.py compares the subjects.
#include "fx/codegen/cpp/torch/compiled_graph.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/check.h"
#include "fx/tools/torch/zoo/zoo.h"

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <fmt/format.h>

#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Called by libtorch's allocator for all allocations and frees of this thread.
class Counter : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*ptr*/, int64_t size, size_t /*allocated*/, size_t /*reserved*/,
                         c10::Device /*device*/) override {
    now_ += size;
    max_ = std::max(max_, now_);
  }
  bool memoryProfilingEnabled() const override { return true; }
  int64_t max() const { return max_; }

 private:
  int64_t now_ = 0, max_ = 0;
};

double processor_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

int64_t peak_rss() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

constexpr double kMinMs = 300;  // a small model is run several times

void measure(const std::function<void()>& run, int runs) {
  const int64_t before = peak_rss();
  run();
  run();
  std::vector<double> times;
  const double end = processor_ms() + kMinMs;
  for (int i = 0; i < runs || processor_ms() < end; ++i) {
    const double begin = processor_ms();
    run();
    times.push_back(processor_ms() - begin);
  }
  std::ranges::sort(times);
  const int64_t grown = peak_rss() - before;
  const auto counter = std::make_shared<Counter>();
  {
    const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, counter);
    run();
  }
  fmt::print("{{\"ms\": {}, \"min_ms\": {}, \"peak_bytes\": {}, \"grown_bytes\": {}}}\n",
             times[times.size() / 2], times.front(), counter->max(), grown);
}

void run_model(std::string_view name, bool joint, std::string_view how, int runs) {
  absl::StatusOr<ModelInstance> instance = make_zoo_model(name);
  FX_CHECK_OK(instance);
  const ModelInstance& model = *instance;
  if (how == "eager") {
    measure(
        [&] {
          if (!joint) {
            const at::NoGradGuard no_grad;
            (void)model.forward(model.forward_inputs());
            return;
          }
          model.loss(model.inputs)[0].backward();
          for (const NamedTensor& parameter : model.state.parameters)
            parameter.tensor.mutable_grad() = at::Tensor();
        },
        runs);
    return;
  }
  Context context;
  absl::StatusOr<CapturedGraph> captured = [&] {
    const at::AutoGradMode with_grad(joint);
    return joint ? capture_joint(context, model.state, model.inputs, model.loss)
                 : capture(context, model.state, model.forward_inputs(), model.forward);
  }();
  FX_CHECK_OK(captured);
  const at::NoGradGuard no_grad;
  std::vector<c10::IValue> inputs;
  for (const CapturedInput& input : captured->inputs)
    inputs.emplace_back(input.tensor.defined() ? input.tensor.detach() : input.tensor);
  for (CapturedOutput& output : captured->outputs) output.tensor = at::Tensor();
  const Graph& graph = *captured->graph;
  if (how == "compiled") {
    absl::StatusOr<CompiledGraph> compiled =
        CompiledGraph::create(graph, captured->constants, {.fall_back = false});
    FX_CHECK_OK(compiled);
    measure([&] { FX_CHECK_OK(compiled->run(inputs)); }, runs);
  } else if (how == "evaluator") {
    absl::StatusOr<TorchEvaluator> evaluator = TorchEvaluator::create(graph, captured->constants);
    FX_CHECK_OK(evaluator);
    measure([&] { FX_CHECK_OK(evaluator->run(inputs)); }, runs);
  } else {
    TorchInterpreter interpreter(graph, captured->constants);
    measure([&] { FX_CHECK_OK(interpreter.run(inputs)); }, runs);
  }
}

}  // namespace
}  // namespace fx

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: bench_code_models MODEL forward|joint SUBJECT [RUNS]\n");
    return 2;
  }
  at::set_num_threads(1);
  fx::run_model(argv[1], std::string_view(argv[2]) == "joint", argv[3],
                argc > 4 ? std::max(1, std::atoi(argv[4])) : 10);
}
