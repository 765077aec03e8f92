// The JSON in .pt2 archives: any text is either read or rejected. The input is the program and,
// after a zero byte, the config of its weights; they are put into an archive with correct
// checksums.
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "tests/importers/pt2_builder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t split = std::min(text.find('\0'), size);
  std::vector<fx::testing::ZipPart> parts = fx::testing::small_program();
  fx::testing::part_of(parts, "m/models/model.json").data = text.substr(0, split);
  if (split < size)
    fx::testing::part_of(parts, "m/data/weights/model_weights_config.json").data =
        text.substr(split + 1);
  const std::string bytes = fx::testing::zip_of(parts);
  for (const bool lifted : {false, true}) {
    fx::Context context;
    fx::Pt2ReadOptions options;
    options.lifted = lifted;
    const auto program = fx::parse_pt2(context, fx::testing::storage_of(bytes), options);
    if (!program.ok()) continue;
    const fx::Graph& graph = program->module->graph();
    (void)fx::verify(graph).findings;
    // A program that was read can be printed and parsed.
    if (!fx::parse_graph(context, fx::print(graph)).ok()) std::abort();
    const auto written = fx::pt2_bytes(graph, *program->module, {.allow_missing_data = true});
    if (!written.ok()) continue;  // exported programs cannot express everything in a graph
    if (!fx::parse_pt2(context, fx::testing::storage_of(*written), options).ok()) std::abort();
  }
  return 0;
}
