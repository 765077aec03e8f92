#include "fx/interp/torch/interpret/torch_memory.h"

#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/support/status.h"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace fx {
namespace {

/// Receives the reports of libtorch's allocators for this thread.
class Counter : public c10::MemoryReportingInfoBase {
 public:
  void reportMemoryUsage(void* /*ptr*/, int64_t size, size_t /*allocated*/, size_t /*reserved*/,
                         c10::Device device) override {
    if (!device.is_cpu()) return;
    now_ += size;
    peak_ = std::max(peak_, now_);
  }
  bool memoryProfilingEnabled() const override { return true; }

  int64_t now() const { return now_; }
  int64_t peak() const { return peak_; }
  void reset_peak() { peak_ = now_; }

 private:
  int64_t now_ = 0, peak_ = 0;
};

class MemoryInterpreter : public TorchInterpreter {
 public:
  MemoryInterpreter(const Graph& graph, const TorchConstants& constants, Counter& counter)
      : TorchInterpreter(graph, constants), graph_(graph), counter_(counter) {}

  absl::StatusOr<c10::IValue> run_node(Node& node) override {
    const bool counted = &node.graph() == &graph_ && node.op() == Opcode::kCallFunction;
    if (counted) counter_.reset_peak();
    absl::StatusOr<c10::IValue> value = TorchInterpreter::run_node(node);
    if (counted && value.ok()) calls_.push_back({&node, counter_.now(), counter_.peak()});
    return value;
  }
  std::vector<CallMemory> take_calls() { return std::exchange(calls_, {}); }

 private:
  const Graph& graph_;
  Counter& counter_;
  std::vector<CallMemory> calls_;
};

}  // namespace

absl::StatusOr<std::vector<CallMemory>> measure_memory(const Graph& graph,
                                                       const TorchConstants& constants,
                                                       const std::vector<c10::IValue>& inputs) {
  const auto counter = std::make_shared<Counter>();
  // Some allocations occur only in the first run.
  FX_RETURN_IF_ERROR(MemoryInterpreter(graph, constants, *counter).run(inputs).status());
  const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, counter);
  MemoryInterpreter interpreter(graph, constants, *counter);
  // The caller keeps the inputs, so they are not freed after their last use.
  FX_RETURN_IF_ERROR(interpreter.run(inputs).status());
  return interpreter.take_calls();
}

}  // namespace fx
