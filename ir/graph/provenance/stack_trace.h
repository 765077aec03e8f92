// Stack traces, as Python prints them and as the metadata `stack_trace` contains them: the position
// in the user's program where a node was created. Frames are pairs of lines, the innermost last:
//
//   File "model.py", line 12, in forward
//     return self.fc(x)
#pragma once

#include "absl/functional/function_ref.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fx {

/// One frame; views into the text that was parsed.
struct StackFrame {
  std::string_view file;
  uint32_t line = 0;
  std::string_view function;
  std::string_view code;  ///< the line of the program

  /// "File: model.py:12 in forward, code: return self.fc(x)", as torch.fx prints it.
  std::string str() const;
};

/// The innermost frame of a trace, or the innermost frame that `accepts` selects. Lines that do not
/// belong to a frame are skipped.
std::optional<StackFrame> last_frame(std::string_view stack_trace,
                                     absl::FunctionRef<bool(const StackFrame&)> accepts);
std::optional<StackFrame> last_frame(std::string_view stack_trace);

}  // namespace fx
