// Lesson 13: a handwritten profiler (a subclass that overrides run_node), and fxcpp's profiler.
#include "fx/interp/interpreter.h"
#include "fx/interp/profile.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include <chrono>
#include <iostream>
#include <map>
#include <string>

namespace {

/// Evaluates every function as the sum of its operands, which is computed once for each character
/// of the function's name.
class Sums : public fx::Interpreter<double> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<double> call_function(Call& call) override {
    double sum = 0;
    for (size_t round = 0; round < call.function.name().size(); ++round)
      for (const double value : call.args) sum += value;
    return sum;
  }
};

/// Measures the time of each node, and sums the times by target.
class MyProfiler : public Sums {
 public:
  using Sums::Sums;
  absl::StatusOr<double> run_node(fx::Node& node) override {
    const auto start = std::chrono::steady_clock::now();
    absl::StatusOr<double> value = Sums::run_node(node);
    auto& [calls, seconds] = times[std::string(node.target())];
    ++calls;
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return value;
  }
  std::map<std::string, std::pair<int, double>> times;
};

absl::Status run() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> graph, fx::parse_graph(context, R"(
graph(%x) {
  %a = torch.relu(%x) !{module="encoder"}
  %b = torch.add(%a, %x) !{module="encoder"}
  %c = torch.relu(%b) !{module="head"}
  return %c
})"));
  MyProfiler profiler(*graph);
  for (int i = 0; i < 10; ++i) FX_RETURN_IF_ERROR(profiler.run({1.0}).status());
  for (const auto& [target, sum] : profiler.times) {
    if (!(sum.second >= 0)) return absl::InternalError("a time is negative");
    std::cout << target << ": " << sum.first << " calls\n";
  }
  // Profiled<I> is a profiler on any interpreter I: by node, target or module, and as a trace for
  // chrome://tracing (profile().chrome_trace()).
  fx::Profiled<Sums> profiled(*graph);
  FX_RETURN_IF_ERROR(profiled.run({1.0}).status());
  std::map<std::string, size_t> calls;  // the rows are sorted by time
  for (const fx::ProfileRow& row : profiled.profile().rows(fx::ProfileGroup::kModule))
    if (!row.name.empty()) calls[row.name] = row.calls;
  for (const auto& [module, count] : calls) std::cout << "in " << module << ": " << count << '\n';
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
