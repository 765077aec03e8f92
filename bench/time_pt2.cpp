// Measures reading .pt2 archives: the graph, and the mapping of its weights. bench/pt2_report.py
// runs this program.
//
//   time_pt2 FILE...
//
// Reads each file repeatedly for 200 ms, and prints a JSON object per file: the minimum and the
// median wall time of a read in seconds, the minimum with type propagation, the number of nodes,
// and the process's peak memory in MiB so far.
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/passes/shape/shape_prop.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// Returns the peak memory in MiB. The peak that getrusage() reports includes the parent process's.
double peak_memory() {
  std::ifstream status("/proc/self/status");
  double kilobytes = 0;
  for (std::string word; status >> word;)
    if (word == "VmHWM:") status >> kilobytes;
  return kilobytes / 1024;
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  for (int i = 1; i < argc; ++i) {
    std::vector<double> seconds, typed;
    size_t nodes = 0;
    const Clock::time_point start = Clock::now();
    while (seconds.empty() || Clock::now() - start < std::chrono::milliseconds(200)) {
      const Clock::time_point begin = Clock::now();
      fx::Context context;
      const absl::StatusOr<fx::Pt2Program> program =
          fx::read_pt2(context, argv[i], {.check_weights = false});
      if (!program.ok()) {
        std::fprintf(stderr, "%s\n", std::string(program.status().message()).c_str());
        return 1;
      }
      const auto elapsed = [begin] {
        return std::chrono::duration<double>(Clock::now() - begin).count();
      };
      nodes = program->module->graph().size();
      seconds.push_back(elapsed());
      fx::propagate_types(program->module->graph());
      typed.push_back(elapsed());
    }
    std::sort(seconds.begin(), seconds.end());
    std::printf(R"({"file": "%s", "min": %.9f, "median": %.9f, "typed": %.9f, "nodes": %zu, )"
                R"("peak": %.1f})"
                "\n",
                argv[i], seconds.front(), seconds[seconds.size() / 2],
                *std::min_element(typed.begin(), typed.end()), nodes, peak_memory());
  }
  return 0;
}
