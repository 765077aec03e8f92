// .pt2 archives: any input is either read or rejected. A graph that was read can be verified, and
// its tensors can be accessed.
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/verify/verifier.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes =
      fx::Storage::copy_of(absl::MakeConstSpan(reinterpret_cast<const std::byte*>(data), size));
  if (!bytes.ok()) return 0;
  fx::Context context;
  const auto program = fx::parse_pt2(context, *bytes, {.check_weights = false});
  if (!program.ok()) return 0;
  (void)fx::verify(program->module->graph()).findings;
  const auto state = program->module->state_dict();
  if (!state.ok()) return 0;
  for (const fx::NamedAttribute& entry : *state) (void)entry.attribute->tensor.str();
  return 0;
}
