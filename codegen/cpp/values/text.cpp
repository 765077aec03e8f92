#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/ir/support/text_tokens.h"

#include "absl/container/flat_hash_set.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fx::cpp {
namespace {

/// True for C++23's keywords and alternative tokens, names that the emitted code uses, and
/// lowercase macros in headers of libtorch and the system.
bool is_reserved_word(std::string_view text) {
  static const auto* const kWords = new absl::flat_hash_set<std::string_view>{
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break",
      "case", "catch", "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept",
      "const", "consteval", "constexpr", "constinit", "const_cast", "continue", "co_await",
      "co_return", "co_yield", "decltype", "default", "delete", "do", "double", "dynamic_cast",
      "else", "enum", "explicit", "export", "extern", "false", "float", "for", "friend", "goto",
      "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not", "not_eq",
      "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
      "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static",
      "static_assert", "static_cast", "struct", "switch", "template", "this", "thread_local",
      "throw", "true", "try", "typedef", "typeid", "typename", "typeof", "union", "unsigned",
      "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq",
      // Used by the emitted code.
      "at", "c10", "std", "torch", "fxcpp", "members", "int64_t", "size_t",
      // Macros.
      "assert", "errno", "stdin", "stdout", "stderr", "linux", "unix", "i386", "major", "minor",
      "makedev", "signals", "slots", "emit", "foreach", "offsetof", "setjmp", "va_start", "va_end",
      "va_arg", "va_copy", "htonl", "htons", "ntohl", "ntohs", "isnan", "isinf", "signbit",
      "alloca", "strdupa", "near", "far", "interface", "small", "min", "max", "main"};
  return kWords->contains(text);
}

}  // namespace

bool is_class_name(std::string_view text) {
  if (text.empty() || absl::ascii_isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (!absl::ascii_isalnum(c) && c != '_') return false;
    if (c == '_' && i + 1 < text.size() && text[i + 1] == '_')
      return false;  // reserved for the implementation
  }
  // `_A` is also reserved for the implementation.
  if (text[0] == '_' &&
      (text.size() == 1 || absl::ascii_isupper(static_cast<unsigned char>(text[1]))))
    return false;
  return !is_reserved_word(text);
}

bool is_plain_name(std::string_view text) {
  const bool has_lowercase = std::ranges::any_of(
      text, [](char c) { return absl::ascii_islower(static_cast<unsigned char>(c)); });
  return is_class_name(text) && (has_lowercase || text.size() == 1);  // NAN is a macro
}

std::string plain_name(std::string_view text) {
  if (is_plain_name(text)) return std::string(text);
  std::string name;
  for (const char c : text) {
    const bool legal = absl::ascii_isalnum(static_cast<unsigned char>(c));
    if (legal || (!name.empty() && name.back() != '_')) name += legal ? c : '_';
  }
  while (name.ends_with('_')) name.pop_back();
  if (name.empty()) return "value";
  if (is_plain_name(name)) return name;
  return is_reserved_word(name) ? name + "_0" : "v_" + name + "_v";
}

void append_string(std::string& out, std::string_view text) {
  const bool has_zero = text.find('\0') != std::string_view::npos;  // would end a const char*
  if (has_zero) out += "std::string(";
  append_literal(out, text);
  if (has_zero) absl::StrAppend(&out, ", ", text.size(), ")");
}

void append_literal(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') {
      out += '\\';
      out += c;
    } else if (byte >= 0x20 && byte < 0x7f) {
      out += c;
    } else {  // three octal digits, so that a digit may follow
      out += '\\';
      out += static_cast<char>('0' + (byte >> 6));
      out += static_cast<char>('0' + ((byte >> 3) & 7));
      out += static_cast<char>('0' + (byte & 7));
    }
  }
  out += '"';
}

void append_comment(std::string& out, std::string_view text) {
  for (const char c : text) {
    const char printable = c >= 0x20 && c < 0x7f && c != '\\' ? c : '?';
    if (printable == '?' && out.ends_with('?')) out += ' ';  // `??` could start a trigraph
    out += printable;
  }
}

void append_int(std::string& out, int64_t value) {
  if (value == std::numeric_limits<int64_t>::min()) {
    out += "std::numeric_limits<int64_t>::min()";
    return;
  }
  absl::StrAppend(&out, value);
}

void append_double(std::string& out, double value) {
  if (std::isnan(value)) {
    out += "std::numeric_limits<double>::quiet_NaN()";
  } else if (std::isinf(value)) {
    out += value < 0 ? "-" : "";
    out += "std::numeric_limits<double>::infinity()";
  } else {
    text::append_float(out, value);
  }
}

void append_complex(std::string& out, std::complex<double> value) {
  out += "c10::complex<double>(";
  append_double(out, value.real());
  out += ", ";
  append_double(out, value.imag());
  out += ')';
}

void append_dtype(std::string& out, DType dtype) {
  static constexpr std::array<std::string_view, kNumDTypes + 1> kNames = {"Byte",
                                                                          "Char",
                                                                          "Short",
                                                                          "Int",
                                                                          "Long",
                                                                          "Half",
                                                                          "Float",
                                                                          "Double",
                                                                          "ComplexHalf",
                                                                          "ComplexFloat",
                                                                          "ComplexDouble",
                                                                          "Bool",
                                                                          "QInt8",
                                                                          "QUInt8",
                                                                          "QInt32",
                                                                          "BFloat16",
                                                                          "QUInt4x2",
                                                                          "QUInt2x4",
                                                                          "Bits1x8",
                                                                          "Bits2x4",
                                                                          "Bits4x2",
                                                                          "Bits8",
                                                                          "Bits16",
                                                                          "Float8_e5m2",
                                                                          "Float8_e4m3fn",
                                                                          "Float8_e5m2fnuz",
                                                                          "Float8_e4m3fnuz",
                                                                          "UInt16",
                                                                          "UInt32",
                                                                          "UInt64",
                                                                          "UInt1",
                                                                          "UInt2",
                                                                          "UInt3",
                                                                          "UInt4",
                                                                          "UInt5",
                                                                          "UInt6",
                                                                          "UInt7",
                                                                          "Int1",
                                                                          "Int2",
                                                                          "Int3",
                                                                          "Int4",
                                                                          "Int5",
                                                                          "Int6",
                                                                          "Int7",
                                                                          "Float8_e8m0fnu",
                                                                          "Float4_e2m1fn_x2",
                                                                          "Undefined"};
  const bool is_short = dtype <= DType::kBool || dtype == DType::kBFloat16;
  out += is_short ? "at::k" : "at::ScalarType::";
  out += kNames[static_cast<size_t>(dtype)];
}

void append_layout(std::string& out, Layout layout) {
  static constexpr std::array<std::string_view, kNumLayouts> kNames = {
      "Strided", "Sparse", "SparseCsr", "Mkldnn", "SparseCsc", "SparseBsr", "SparseBsc", "Jagged"};
  out += "at::k";
  out += kNames[static_cast<size_t>(layout)];
}

void append_memory_format(std::string& out, MemoryFormat format) {
  static constexpr std::array<std::string_view, kNumMemoryFormats> kNames = {
      "Contiguous", "Preserve", "ChannelsLast", "ChannelsLast3d"};
  out += "at::MemoryFormat::";
  out += kNames[static_cast<size_t>(format)];
}

void append_device(std::string& out, Device device) {
  if (device == Device{}) {
    out += "at::kCPU";
    return;
  }
  out += "at::Device(\"";
  out += device_name(device);
  out += "\")";
}

}  // namespace fx::cpp
