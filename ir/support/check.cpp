// The failure path of FX_CHECK. It is out of line, so that a check costs one branch.
#include "fx/ir/support/check.h"

#include <cstdio>
#include <cstdlib>

namespace fx::internal {

void check_failed(const char* file, int line, const char* condition, std::string_view message) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s%.*s\nThis is a bug in fxcpp.\n", file, line,
               condition, message.empty() ? "" : ": ", static_cast<int>(message.size()),
               message.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace fx::internal
