// Reads numbers, words and quoted strings: see text_cursor.h.
#include "fx/ir/support/text_cursor.h"

#include "fmt/format.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace fx::internal {
absl::Status TextCursor::error_at(size_t position, std::string_view what) const {
  return absl::InvalidArgumentError(fmt::format("at offset {}: {}", position, what));
}
absl::Status TextCursor::error_at(size_t position, std::string_view what) {
  position_ = position;
  return std::as_const(*this).error_at(position, what);
}

std::string_view TextCursor::word() {
  skip_space();
  if (!is_word_start(here())) return {};
  size_t size = 1;
  while (is_word(here(size))) ++size;
  const std::string_view result = text_.substr(position_, size);
  position_ += size;
  return result;
}

absl::StatusOr<std::string> TextCursor::quoted() {
  skip_space();
  if (here() != '"') return error("expected a string in double quotes");
  const size_t start = position_++;
  std::string result;
  while (true) {
    const size_t stop = text_.find_first_of("\"\\", position_);
    if (stop == std::string_view::npos) return error_at(start, "this string has no closing quote");
    result.append(text_, position_, stop - position_);
    position_ = stop + 1;
    if (text_[stop] == '"') return result;
    const char c = here();
    switch (c) {
      case '"':
      case '\\':
        result.push_back(c);
        break;
      case 'n':
        result.push_back('\n');
        break;
      case 't':
        result.push_back('\t');
        break;
      case 'r':
        result.push_back('\r');
        break;
      case 'x': {
        unsigned code = 0;
        const char* digits = text_.data() + position_ + 1;
        const char* end = text_.data() + std::min(text_.size(), position_ + 3);
        const auto [last, bad] = std::from_chars(digits, std::max(digits, end), code, 16);
        if (bad != std::errc() || last != digits + 2)
          return error_at(stop, "expected two hexadecimal digits after \\x");
        result.push_back(static_cast<char>(code));
        position_ += 2;
        break;
      }
      default:
        return error_at(stop,
                        "unknown escape; the supported escapes are \\\" \\\\ \\n \\t \\r \\xNN");
    }
    ++position_;
  }
}

absl::StatusOr<int64_t> TextCursor::integer() {
  skip_space();
  int64_t value = 0;
  const char* end = text_.data() + text_.size();
  const auto [stop, bad] = std::from_chars(text_.data() + position_, end, value);
  if (bad == std::errc::result_out_of_range) return error("this integer does not fit in 64 bits");
  if (bad != std::errc()) return error("expected an integer");
  position_ = static_cast<size_t>(stop - text_.data());
  return value;
}

absl::StatusOr<double> TextCursor::real() {
  skip_space();
  const bool negative = here() == '-';
  const size_t start = position_ + (negative ? 1 : 0);
  double value = 0;
  bool is_float = false;
  const std::string_view digits = text_.substr(start);
  size_t size = scan_number(digits, is_float);
  if (size != 0) {
    const auto [stop, bad] = std::from_chars(digits.data(), digits.data() + size, value);
    if (bad != std::errc()) return error("this number is out of range for a float");
  } else if (digits.starts_with("inf") || digits.starts_with("nan")) {
    size = 3;
    value = digits[0] == 'i' ? std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
  } else {
    return error("expected a number");
  }
  position_ = start + size;
  return negative ? -value : value;
}

size_t scan_number(std::string_view text, bool& is_float) {
  const auto digits_from = [&](size_t i) {
    while (i < text.size() && is_digit(text[i])) ++i;
    return i;
  };
  is_float = false;
  size_t end = digits_from(0);
  size_t digits = end;
  if (end < text.size() && text[end] == '.') {
    const size_t after = digits_from(end + 1);
    digits += after - end - 1;
    if (digits == 0) return 0;
    is_float = true;
    end = after;
  }
  if (digits == 0) return 0;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    size_t exponent = end + 1;
    if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-')) ++exponent;
    if (const size_t after = digits_from(exponent); after > exponent) {
      is_float = true;
      end = after;
    }
  }
  return end;
}

}  // namespace fx::internal
