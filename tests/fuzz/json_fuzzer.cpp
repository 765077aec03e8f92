// Fuzzes the reader of interchange JSON: the verifier does not crash on an accepted document, and
// the document that is written for its graph or module reads back as an equal graph or module,
// which is written with the same bytes.
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/check.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fx::Context context;
  if (absl::StatusOr<std::unique_ptr<fx::Graph>> graph = fx::read_json(context, text); graph.ok()) {
    fx::verify(**graph, {.check_index = true, .report_dead = true});
    absl::StatusOr<std::string> written = fx::write_json(**graph);
    FX_CHECK(written.ok(), std::string(written.status().message()));
    absl::StatusOr<std::unique_ptr<fx::Graph>> back = fx::read_json(context, *written);
    FX_CHECK(back.ok(), std::string(back.status().message()));
    const std::optional<fx::GraphDifference> difference = fx::first_difference(**graph, **back);
    FX_CHECK(!difference, difference->message);
    FX_CHECK(*fx::write_json(**back) == *written, "the documents differ");
  }
  if (absl::StatusOr<std::unique_ptr<fx::GraphModule>> module = fx::read_json_module(context, text);
      module.ok()) {
    fx::verify((*module)->graph());
    absl::StatusOr<std::string> written = fx::write_json(**module);
    FX_CHECK(written.ok(), std::string(written.status().message()));
    absl::StatusOr<std::unique_ptr<fx::GraphModule>> back = fx::read_json_module(context, *written);
    FX_CHECK(back.ok(), std::string(back.status().message()));
    FX_CHECK(*fx::write_json(**back) == *written, "the documents differ");
  }
  return 0;
}
