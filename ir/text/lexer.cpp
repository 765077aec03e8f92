// Reads the tokens of the `.fx` text: see lexer_internal.h.
#include "fx/ir/text/lexer_internal.h"

#include "absl/strings/ascii.h"
#include "fmt/format.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace fx::text {

void Lexer::skip_comment() {
  while (at_ != end_) {
    if (*at_ == '#') {
      while (at_ != end_ && *at_ != '\n') ++at_;
    } else if (is_class(*at_, kSpace)) {
      ++at_;
    } else {
      return;
    }
  }
}

bool Lexer::fail_at(size_t offset, std::string message, std::string hint) {
  if (error_.message.empty()) error_ = {offset, std::move(message), std::move(hint)};
  return false;
}

bool Lexer::hex(int digits, uint32_t* value) {
  const size_t left = static_cast<size_t>(end_ - at_);
  const char* stop = at_ + std::min(left, static_cast<size_t>(digits));
  const auto result = std::from_chars(at_, stop, *value, 16);
  if (result.ptr != at_ + digits)
    return fail(fmt::format("expected {} hexadecimal digits", digits));
  at_ = result.ptr;
  return true;
}

bool Lexer::escape(std::string& out) {
  const size_t start = offset();
  ++at_;                         // the backslash
  if (at_ == end_) return true;  // the caller detects the end
  uint32_t code = 0;
  switch (*at_++) {
    case '"':
      out += '"';
      return true;
    case '\\':
      out += '\\';
      return true;
    case '/':
      out += '/';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'x':
      if (!hex(2, &code)) return false;
      out += static_cast<char>(code);
      return true;
    case 'u': {
      if (!hex(4, &code)) return false;
      uint32_t low = 0;
      if (code >= 0xd800 && code < 0xdc00 && take_here("\\u")) {
        if (!hex(4, &low)) return false;
        if (low >= 0xdc00 && low < 0xe000)
          code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      }
      if (code >= 0xd800 && code < 0xe000) {
        return fail_at(start, "an unpaired surrogate is not a character",
                       "write bytes that are not UTF-8 as \\xNN");
      }
      append_utf8(out, code);
      return true;
    }
    default:
      return fail_at(start, "unknown escape in a string",
                     "the supported escapes are \\\" \\\\ \\n \\r \\t \\b \\f \\/ \\xNN \\uNNNN");
  }
}

bool Lexer::quoted(std::string& scratch, std::string_view* result) {
  const size_t start = offset();
  ++at_;
  const char* from = at_;
  const auto ends = [&] { return at_ == end_ || *at_ == '\n'; };
  while (!ends() && *at_ != '"' && *at_ != '\\') ++at_;
  if (!ends() && *at_ == '"') {
    *result = {from, static_cast<size_t>(at_ - from)};
    ++at_;
    return true;
  }
  scratch.assign(from, at_);
  while (!ends()) {
    if (*at_ == '"') {
      ++at_;
      *result = scratch;
      return true;
    }
    if (*at_ == '\\') {
      if (!escape(scratch)) return false;
    } else {
      scratch += *at_++;
    }
  }
  return fail_at(start, "this string has no closing quote on its line",
                 "write a line break in a string as \\n");
}

bool Lexer::number(Number* result) {
  const char* start = at_;
  take_here('-');
  if (take_here("inf")) {
    *result = {true, 0, -std::numeric_limits<double>::infinity()};
    return true;
  }
  const bool digits = !take_while(kDigit).empty();
  bool is_float = false;
  if (digits && take_here('.')) {
    is_float = true;
    take_while(kDigit);
  }
  if (digits && (here() == 'e' || here() == 'E')) {
    is_float = true;
    ++at_;
    if (!take_here('-')) take_here('+');
    if (take_while(kDigit).empty()) return fail("an exponent must have digits");
  }
  const size_t start_offset = static_cast<size_t>(start - begin_);
  if (!digits || (at_ != end_ && is_class(*at_, kPathChar)))
    return fail_at(start_offset, "this is not a number");
  result->is_float = is_float;
  if (is_float) {
    const auto parsed = std::from_chars(start, at_, result->real);
    if (parsed.ec == std::errc()) return true;
    return fail_at(start_offset, "this number is out of range for a float",
                   "write infinity as inf, and numbers close to zero as 0.0");
  }
  if (std::from_chars(start, at_, result->integer).ec == std::errc()) return true;
  return fail_at(start_offset, "this integer does not fit in 64 bits",
                 "write a float with a decimal point");
}

std::string describe_next(const Lexer& lexer) {
  if (lexer.offset() == lexer.text().size()) return "the end of the text";
  const char c = lexer.here();
  if (c == '\n' || c == '\r') return "the end of the line";
  if (c == ' ' || c == '\t') return "whitespace";
  constexpr size_t kLongest = 32;  // characters of a word that are shown
  std::string_view word = lexer.text().substr(lexer.offset(), kLongest);
  const auto end =
      std::ranges::find_if_not(word, [](unsigned char x) { return absl::ascii_isalnum(x); });
  word = word.substr(0, static_cast<size_t>(end - word.begin()));
  if (word.size() > 1) return fmt::format("'{}'", word);
  if (c > ' ' && c < 0x7f) return fmt::format("'{}'", c);
  if (static_cast<unsigned char>(c) >= 0x80) return "a character that is not ASCII";
  return fmt::format("byte 0x{:02x}", static_cast<unsigned char>(c));
}

std::string render_error(std::string_view text, std::string_view file_name,
                         const TextError& error) {
  constexpr size_t kBefore = 80, kAfter = 80;  // bytes of the line printed around the position
  const auto is_start = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  const size_t offset = std::min(error.offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const size_t line_end = std::min(text.size(), text.find('\n', offset));
  const auto column =
      1 + std::count_if(text.begin() + static_cast<std::ptrdiff_t>(line_start),
                        text.begin() + static_cast<std::ptrdiff_t>(offset), is_start);
  size_t from = line_start, to = line_end;
  if (offset - from > kBefore) from = offset - kBefore;
  if (to - offset > kAfter) to = offset + kAfter;
  while (from < offset && !is_start(text[from])) ++from;
  while (to < line_end && !is_start(text[to])) ++to;
  std::string shown, caret;
  if (from > line_start) shown = caret = "...";
  std::fill(caret.begin(), caret.end(), ' ');
  for (size_t i = from; i < to;) {
    uint32_t code = 0;
    const size_t length = utf8_length(text.substr(i), &code);
    const bool visible = length > 0 && (code >= 0x20 || code == '\t') && code != 0x7f;
    if (visible)
      shown += text.substr(i, length);
    else
      shown += '?';
    if (i < offset) caret += visible && code == '\t' ? '\t' : ' ';
    i += std::max<size_t>(length, 1);
  }
  if (to < line_end) shown += "...";
  std::string out = fmt::format("{}:{}:{}: error: {}\n{}\n{}^", file_name, line, column,
                                error.message, shown, caret);
  if (!error.hint.empty()) out += fmt::format("\nhint: {}", error.hint);
  return out;
}

}  // namespace fx::text
