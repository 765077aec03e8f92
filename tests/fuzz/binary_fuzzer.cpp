// The `.fxb` format: any input is either read or rejected with the position of the error. The
// verifier does not crash on a graph that was read, and the graph round-trips to the same graph and
// bytes.
#include "fx/ir/files/binary.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/ir/verify/diff.h"
#include "fx/ir/verify/verifier.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  fx::Context context;
  (void)fx::read_binary(context, bytes);
  const auto graph = fx::read_binary(context, bytes, {.verify_checksum = false});
  if (!graph.ok()) return 0;
  fx::verify(**graph, {.check_index = true, .report_dead = true});
  const auto written = fx::write_binary(**graph);
  FX_CHECK(written.ok(), std::string(written.status().message()));
  fx::Context other;
  const auto back = fx::read_binary(other, *written);
  FX_CHECK(back.ok(), std::string(back.status().message()));
  const auto difference = fx::first_difference(**graph, **back);
  FX_CHECK(!difference, difference->message);
  FX_CHECK(*fx::write_binary(**back) == *written);
  return 0;
}
