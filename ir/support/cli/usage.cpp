// Status values for invalid command lines: see usage.h.
#include "fx/ir/support/cli/usage.h"

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace fx {
namespace {

constexpr absl::string_view kUsage = "fxcpp/usage";

}  // namespace

absl::Status usage_error(std::string_view message) {
  absl::Status status =
      absl::InvalidArgumentError(absl::string_view(message.data(), message.size()));
  status.SetPayload(kUsage, absl::Cord());
  return status;
}

int exit_status(const absl::Status& error) { return error.GetPayload(kUsage).has_value() ? 2 : 1; }

}  // namespace fx
