#include "fx/ir/graph/provenance/stack_trace.h"

#include "fmt/format.h"

#include <charconv>

namespace fx {
namespace {

std::string_view strip(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Parses `File "model.py", line 12, in forward`; nullopt for any other line.
std::optional<StackFrame> parse_frame(std::string_view text) {
  constexpr std::string_view kFile = "File \"", kLine = "\", line ", kIn = ", in ";
  if (!text.starts_with(kFile)) return std::nullopt;
  text.remove_prefix(kFile.size());
  // A file name may contain any text: use the last position at which the rest has this form.
  for (size_t end = text.rfind(kLine); end != std::string_view::npos && end > 0;
       end = text.rfind(kLine, end - 1)) {
    const std::string_view rest = text.substr(end + kLine.size());
    StackFrame frame;
    const auto [rest_begin, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), frame.line);
    const std::string_view in = rest.substr(static_cast<size_t>(rest_begin - rest.data()));
    if (error != std::errc() || !in.starts_with(kIn) || in.size() == kIn.size()) continue;
    frame.file = text.substr(0, end);
    frame.function = in.substr(kIn.size());
    return frame;
  }
  return std::nullopt;
}

}  // namespace

std::string StackFrame::str() const {
  return fmt::format("File: {}:{} in {}, code: {}", file, line, function, code);
}

std::optional<StackFrame> last_frame(std::string_view stack_trace,
                                     absl::FunctionRef<bool(const StackFrame&)> accepts) {
  // Read from the last line upwards; the code comes after the line of its frame.
  std::string_view rest = strip(stack_trace), next_line;
  for (bool is_last = true;; is_last = false) {
    const size_t start = rest.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = strip(rest.substr(start));
    if (!is_last) {
      std::optional<StackFrame> frame = parse_frame(line);
      if (frame) frame->code = next_line;
      if (frame && accepts(*frame)) return frame;
    }
    if (start == 0) return std::nullopt;
    next_line = line;
    rest = rest.substr(0, start - 1);
  }
}

std::optional<StackFrame> last_frame(std::string_view stack_trace) {
  return last_frame(stack_trace, [](const StackFrame&) { return true; });
}

}  // namespace fx
