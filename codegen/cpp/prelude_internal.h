// Functions that are added to emitted code that uses them.
#pragma once

#include <string_view>

namespace fx::cpp {

/// Python's arithmetic on numbers.
extern const std::string_view kNumbersPrelude;
/// Calls through the dispatcher.
extern const std::string_view kCallPrelude;
/// torch's scan.
extern const std::string_view kScanPrelude;
/// torch.autocast.
extern const std::string_view kAutocastPrelude;

}  // namespace fx::cpp
