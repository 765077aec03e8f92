#include "fx/ir/support/cli/option_checks.h"

#include "absl/strings/numbers.h"
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace fx {
namespace {

/// Each thread needs a stack; OpenMP aborts the program if it cannot allocate one.
constexpr int kMaxThreads = 1024;

}  // namespace

std::string check_seed(const std::string& text) {
  uint64_t seed = 0;
  if (text.find('-') == std::string::npos && absl::SimpleAtoi(text, &seed)) return {};
  return fmt::format("{} is not a valid seed: expected an integer from 0 to {}", text,
                     std::numeric_limits<uint64_t>::max());
}

std::string check_threads(const std::string& text) {
  int threads = 0;
  if (absl::SimpleAtoi(text, &threads) && threads >= 1 && threads <= kMaxThreads) return {};
  return fmt::format("{} is not a valid number of threads: expected an integer from 1 to {}", text,
                     kMaxThreads);
}

std::string check_integer(const std::string& text) {
  int64_t number = 0;
  if (absl::SimpleAtoi(text, &number)) return {};
  return fmt::format("{} is not a 64-bit integer", text);
}

std::string check_count(const std::string& text) {
  int count = 0;
  if (absl::SimpleAtoi(text, &count) && count >= 0) return {};
  return fmt::format("{} is not a valid count: expected an integer from 0 to {}", text,
                     std::numeric_limits<int>::max());
}

std::string check_tolerance(const std::string& text) {
  double tolerance = 0;
  if (absl::SimpleAtod(text, &tolerance) && tolerance >= 0 && std::isfinite(tolerance)) return {};
  return fmt::format(
      "{} is not a valid tolerance: expected a finite non-negative number, such as 1e-5", text);
}

}  // namespace fx
