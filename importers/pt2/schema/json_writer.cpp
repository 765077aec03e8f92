#include "fx/importers/pt2/schema/json_writer_internal.h"
#include "fx/ir/support/text_tokens.h"

#include "fmt/format.h"

#include <cmath>

namespace fx::pt2 {
namespace {

void append_escape(std::string& out, uint32_t unit) { out += fmt::format("\\u{:04x}", unit); }

/// Appends a character that must be escaped.
void append_character(std::string& out, uint32_t code) {
  constexpr std::string_view kShort = "\b\f\n\r\t\"\\";
  constexpr std::string_view kLetters = "bfnrt\"\\";
  const size_t index = code < 0x80 ? kShort.find(static_cast<char>(code)) : kShort.npos;
  if (index != kShort.npos) {
    out += '\\';
    out += kLetters[index];
  } else if (code < 0x10000) {
    append_escape(out, code);
  } else {
    append_escape(out, 0xd800 + (code - 0x10000) / 0x400);
    append_escape(out, 0xdc00 + (code - 0x10000) % 0x400);
  }
}

}  // namespace

void JsonWriter::separate() {
  if (needs_comma_) out_ += ", ";
  needs_comma_ = true;
}

void JsonWriter::begin(char bracket) {
  separate();
  out_ += bracket;
  needs_comma_ = false;
}

void JsonWriter::end(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
}

void JsonWriter::key(std::string_view key) {
  text(key);
  out_ += ": ";
  needs_comma_ = false;
}

void JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
}

void JsonWriter::integer(int64_t value) {
  separate();
  text::append_int(out_, value);
}

void JsonWriter::floating(double value) {
  if (std::isnan(value)) return text("NaN");
  if (std::isinf(value)) return text(value < 0 ? "-Infinity" : "Infinity");
  separate();
  text::append_float(out_, value);
}

void JsonWriter::text(std::string_view value) {
  separate();
  out_ += '"';
  while (!value.empty()) {
    size_t plain = 0;
    while (plain < value.size() && text::is_class(value[plain], text::kPlainChar)) ++plain;
    out_ += value.substr(0, plain);
    value.remove_prefix(plain);
    if (value.empty()) break;
    uint32_t code = 0;
    const size_t length = text::utf8_length(value, &code);
    if (length == 0) {
      status_.Update(absl::InvalidArgumentError(
          fmt::format("a string must be UTF-8, but has the invalid byte {:#04x}",
                      static_cast<unsigned>(static_cast<unsigned char>(value[0])))));
      break;
    }
    append_character(out_, code);
    value.remove_prefix(length);
  }
  out_ += '"';
}

// kMaxArgumentDepth bounds the recursion.
void JsonWriter::plain(const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
      return null();
    case ArgumentKind::kBool:
      return boolean(value.as_bool());
    case ArgumentKind::kInt:
      return integer(value.as_int());
    case ArgumentKind::kFloat:
      return floating(value.as_float());
    case ArgumentKind::kString:
      return text(value.as_string());
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
      begin_list();
      for (size_t i = 0; i < value.size(); ++i) plain(value[i]);
      return end_list();
    case ArgumentKind::kDict:
      begin_object();
      for (size_t i = 0; i < value.size(); ++i) {
        if (!value.key(i).is_string()) {
          status_.Update(absl::InvalidArgumentError("the keys of a dict must be strings"));
          break;
        }
        key(value.key(i).as_string());
        plain(value[i]);
      }
      return end_object();
    default:
      status_.Update(absl::InvalidArgumentError(fmt::format(
          "a value of kind {} cannot be written as JSON", argument_kind_name(value.kind()))));
      return null();
  }
}

}  // namespace fx::pt2
