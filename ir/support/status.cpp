// The functions of status.h that are not inline.
#include "fx/ir/support/status.h"

#include <fmt/format.h>

#include <string>

namespace fx {

absl::Status with_context(const absl::Status& status, std::string_view context) {
  if (status.ok()) return status;
  const absl::string_view message = status.message();
  absl::Status result(status.code(), fmt::format("{}: {}", context,
                                                 std::string_view(message.data(), message.size())));
  status.ForEachPayload([&result](absl::string_view url, const absl::Cord& payload) {
    result.SetPayload(url, payload);
  });
  return result;
}

namespace internal {

void check_ok_failed(const char* file, int line, const char* expression,
                     const absl::Status& status) {
  check_failed(file, line, expression, status.ToString());
}

}  // namespace internal
}  // namespace fx
