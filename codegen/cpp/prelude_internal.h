// Helper functions that the emitted code contains if it uses them.
#pragma once

#include <string_view>

namespace fx::cpp {

/// Python's arithmetic on numbers.
extern const std::string_view kNumbersPrelude;
/// Calls through the dispatcher.
extern const std::string_view kCallPrelude;
/// torch's scan.
extern const std::string_view kScanPrelude;
/// torch's while_loop_stack_output.
extern const std::string_view kStackedLoopPrelude;
/// torch.autocast.
extern const std::string_view kAutocastPrelude;

}  // namespace fx::cpp
