// ONNX models: any input is either read or rejected, and the graph of a model that was read is
// valid.
#include "fx/importers/onnx/read_onnx.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"

#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes =
      fx::Storage::copy_of(absl::MakeConstSpan(reinterpret_cast<const std::byte*>(data), size));
  if (!bytes.ok()) return 0;
  fx::Context context;
  const auto module = fx::parse_onnx(context, *bytes);
  if (!module.ok()) return 0;
  const fx::VerifierReport report = fx::verify((*module)->graph());
  if (!report.ok()) {
    std::fputs(report.str().c_str(), stderr);
    std::abort();
  }
  (void)fx::print((*module)->graph());
  return 0;
}
