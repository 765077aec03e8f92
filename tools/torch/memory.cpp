#include "tools/torch/memory.h"

#include "fx/interp/torch/interpret/torch_memory.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/training_step.h"
#include "fx/passes/summary/summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::tools {
namespace {

/// The memory of one pass, excluding the memory of the caller.
struct PassMemory {
  int64_t calls = 0;
  int64_t counted = 0;     ///< the peak computed from the types
  int64_t measured = 0;    ///< the maximum at the end of a call
  int64_t peak_bytes = 0;  ///< the maximum at any time, including memory of kernels
};

/// The memory that calls to an operator allocate and free before they return.
struct KernelMemory {
  int64_t calls = 0;
  int64_t bytes = 0;  ///< the maximum over all calls
};

constexpr size_t kNumParts = 3;

std::string to_json(const PassMemory (&passes)[kNumParts],
                    const std::vector<std::pair<std::string, KernelMemory>>& kernels) {
  nlohmann::ordered_json result;
  for (size_t i = 0; i < kNumParts; ++i) {
    if (passes[i].calls == 0) {
      result[step_part_name(static_cast<StepPart>(i))] = nullptr;
      continue;
    }
    result[step_part_name(static_cast<StepPart>(i))] = {{"calls", passes[i].calls},
                                                        {"counted_bytes", passes[i].counted},
                                                        {"measured_bytes", passes[i].measured},
                                                        {"peak_bytes", passes[i].peak_bytes}};
  }
  result["kernels"] = nlohmann::ordered_json::array();
  for (const auto& [op, memory] : kernels)
    result["kernels"].push_back({{"op", op}, {"calls", memory.calls}, {"bytes", memory.bytes}});
  return result.dump(1) + "\n";
}

std::string to_text(const PassMemory (&passes)[kNumParts],
                    const std::vector<std::pair<std::string, KernelMemory>>& kernels) {
  constexpr std::string_view kRow = "{:10} {:>7} {:>12} {:>12} {:>20}\n";
  std::string text = "peak memory, excluding the caller's memory\n";
  text += fmt::format(kRow, "", "calls", "from types", "measured", "including kernels");
  for (size_t i = 0; i < kNumParts; ++i) {
    if (passes[i].calls == 0) continue;
    text += fmt::format(kRow, step_part_name(static_cast<StepPart>(i)), passes[i].calls,
                        bytes_text(passes[i].counted), bytes_text(passes[i].measured),
                        bytes_text(passes[i].peak_bytes));
  }
  if (kernels.empty()) return text;
  text += fmt::format("\n{:52} {:>7} {:>12}\n", "kernel memory, freed within the call", "calls",
                      "maximum");
  for (const auto& [op, memory] : kernels)
    text += fmt::format("  {:50} {:>7} {:>12}\n", op, memory.calls, bytes_text(memory.bytes));
  return text;
}

}  // namespace

absl::Status print_memory(const Graph& graph, const GraphData& data, bool json) {
  FX_ASSIGN_OR_RETURN(const std::vector<CallMemory> calls,
                      measure_memory(graph, data.constants, data.inputs));
  FX_ASSIGN_OR_RETURN(const GraphSummary summary, summarize(graph));
  const NodeMap<StepPart> parts = find_step_parts(graph);
  PassMemory passes[kNumParts];
  std::map<std::string, KernelMemory> by_op;
  for (const CallMemory& call : calls) {
    PassMemory& pass = passes[static_cast<size_t>(parts[*call.node])];
    ++pass.calls;
    pass.measured = std::max(pass.measured, call.live_bytes);
    pass.peak_bytes = std::max(pass.peak_bytes, call.peak_bytes);
    if (call.peak_bytes <= call.live_bytes) continue;
    KernelMemory& kernel = by_op[std::string(call.node->target())];
    ++kernel.calls;
    kernel.bytes = std::max(kernel.bytes, call.peak_bytes - call.live_bytes);
  }
  const MemoryPeak* const peaks[] = {&summary.peak_forward, &summary.peak_backward,
                                     &summary.peak_optimizer};
  for (size_t i = 0; i < kNumParts; ++i)
    if (peaks[i]->node) passes[i].counted = peaks[i]->bytes - summary.liveness.caller_bytes;
  std::vector<std::pair<std::string, KernelMemory>> kernels(by_op.begin(), by_op.end());
  std::ranges::stable_sort(
      kernels, [](const auto& a, const auto& b) { return a.second.bytes > b.second.bytes; });
  return write_file("-", json ? to_json(passes, kernels) : to_text(passes, kernels));
}

}  // namespace fx::tools
