// Opens .pt2 archives: a ready graph with mapped weights. bench/pt2_report.py runs it.
//
//   time_pt2 FILE...
//
// Prints a JSON object per file: the minimum and median wall time in seconds of reading it again and
// again for a fifth of a second, the number of nodes, and the process's peak memory in MiB so far.
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  for (int i = 1; i < argc; ++i) {
    std::vector<double> seconds;
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
      nodes = program->module->graph().size();
      seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count());
    }
    std::sort(seconds.begin(), seconds.end());
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    std::printf(R"({"file": "%s", "least": %.9f, "median": %.9f, "nodes": %zu, "peak": %.1f})"
                "\n",
                argv[i], seconds.front(), seconds[seconds.size() / 2], nodes,
                static_cast<double>(usage.ru_maxrss) / 1024);
  }
  return 0;
}
