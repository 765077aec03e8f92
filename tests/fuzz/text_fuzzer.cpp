// The `.fx` text: any input is either parsed or rejected with a position. The verifier does not
// crash on a parsed graph, and the graph's text parses back to the same graph, which prints the
// same bytes.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

void check_round_trip(const fx::Graph& graph) {
  const std::string text = fx::print(graph);
  // A new Context, so that spellings of functions must come from the text.
  fx::Context context;
  absl::StatusOr<std::unique_ptr<fx::Graph>> back = fx::parse_graph(context, text);
  FX_CHECK(back.ok(), std::string(back.status().message()));
  const std::optional<fx::GraphDifference> difference = fx::first_difference(graph, **back);
  FX_CHECK(!difference, difference->message);
  FX_CHECK(fx::print(**back) == text, text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fx::Context context;
  fx::SourceLocations positions;
  if (const auto graphs = fx::parse_graphs(context, text, {.locations = &positions}); graphs.ok()) {
    for (const std::unique_ptr<fx::Graph>& graph : *graphs) {
      fx::verify(*graph, {.check_index = true, .report_dead = true});
      check_round_trip(*graph);
      for (const auto preset : {fx::PrintPreset::kCanonical, fx::PrintPreset::kNumbered,
                                fx::PrintPreset::kTorch, fx::PrintPreset::kTabular})
        fx::print(*graph, {.preset = preset});
    }
  } else {
    const std::string message(graphs.status().message());
    FX_CHECK(message.starts_with("<text>:") && message.find("\n") != std::string::npos, message);
  }
  if (const auto value = fx::parse_argument(context, text); value.ok()) {
    const auto again = fx::parse_argument(context, fx::print(*value));
    FX_CHECK(again.ok() && *again == *value, fx::print(*value));
  }
  return 0;
}
