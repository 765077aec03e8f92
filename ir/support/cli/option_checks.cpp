#include "fx/ir/support/cli/option_checks.h"

#include "absl/strings/numbers.h"
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace fx {
namespace {

/// Each thread needs a stack, and OpenMP ends the program when there is no memory for it.
constexpr int kMaxThreads = 1024;

}  // namespace

std::string check_seed(const std::string& text) {
  uint64_t seed = 0;
  if (text.find('-') == std::string::npos && absl::SimpleAtoi(text, &seed)) return {};
  return fmt::format("{} is not a seed: a whole number from 0 to {} is expected", text,
                     std::numeric_limits<uint64_t>::max());
}

std::string check_threads(const std::string& text) {
  int threads = 0;
  if (absl::SimpleAtoi(text, &threads) && threads >= 1 && threads <= kMaxThreads) return {};
  return fmt::format("{} is not a number of threads: a whole number from 1 to {} is expected", text,
                     kMaxThreads);
}

std::string check_integer(const std::string& text) {
  int64_t number = 0;
  if (absl::SimpleAtoi(text, &number)) return {};
  return fmt::format("{} is not a whole number, or too large", text);
}

std::string check_count(const std::string& text) {
  int count = 0;
  if (absl::SimpleAtoi(text, &count) && count >= 0) return {};
  return fmt::format("{}: a whole number is expected, 0 or more", text);
}

std::string check_tolerance(const std::string& text) {
  double tolerance = 0;
  if (absl::SimpleAtod(text, &tolerance) && tolerance >= 0 && std::isfinite(tolerance)) return {};
  return fmt::format("{} is not a tolerance: a number is expected, 0 or more, such as 1e-5", text);
}

}  // namespace fx
