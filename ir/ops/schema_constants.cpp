// Reads the default values in schema text.
#include "fx/ir/ops/schema_cursor_internal.h"

#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace fx::ops {
namespace {

bool accepts_everything(const SchemaType& type) {
  return type.is(SchemaTypeKind::kAny) || type.is(SchemaTypeKind::kVariable) ||
         type.is(SchemaTypeKind::kUnion);
}

bool accepts_text(const SchemaType& type) {
  return type.is(SchemaTypeKind::kString) || type.is(SchemaTypeKind::kDevice) ||
         accepts_everything(type);
}

bool is_enumeration(const SchemaType& type) {
  return type.is(SchemaTypeKind::kScalarType) || type.is(SchemaTypeKind::kLayout) ||
         type.is(SchemaTypeKind::kMemoryFormat) || type.is(SchemaTypeKind::kQScheme);
}

double as_double(const SchemaConstant& number) {
  const auto* integer = std::get_if<int64_t>(&number.value);
  return integer ? static_cast<double>(*integer) : std::get<double>(number.value);
}

class ConstantReader {
 public:
  /// `keep_ints`: the default of `float? x=1` stays an int, as in PyTorch.
  ConstantReader(SchemaCursor& cursor, const SchemaType& type, bool keep_ints)
      : cursor_(cursor), type_(type), keep_ints_(keep_ints) {}

  bool read(SchemaConstant& constant) {
    const char next = cursor_.peek();
    if (next == '"' || next == '\'') {
      return accepts_text(type_) ? read_string(constant) : fail_mismatch();
    }
    if (is_digit(next) || next == '-' || next == '.') {
      return read_number(cursor_, constant) && convert(constant);
    }
    if (cursor_.accept_word("True")) {
      constant.value = true;
      return convert(constant);
    }
    if (cursor_.accept_word("False")) {
      constant.value = false;
      return convert(constant);
    }
    if (is_word_start(next)) return read_word(constant);
    return cursor_.fail(fmt::format("expected a default value of type {}", to_string(type_)));
  }

 private:
  bool fail_mismatch() {
    return cursor_.fail(fmt::format("this value cannot be a default of type {}", to_string(type_)));
  }

  /// Converts a number or bool to the argument's type.
  bool convert(SchemaConstant& constant) {
    const auto* integer = std::get_if<int64_t>(&constant.value);
    const auto* real = std::get_if<double>(&constant.value);
    const bool is_bool = std::holds_alternative<bool>(constant.value);
    switch (type_.kind()) {
      case SchemaTypeKind::kInt:
      case SchemaTypeKind::kSymInt:
        return integer || fail_mismatch();
      case SchemaTypeKind::kFloat:
      case SchemaTypeKind::kSymFloat:
        if (!integer && !real) return fail_mismatch();
        if (integer && !keep_ints_) constant.value = as_double(constant);
        return true;
      case SchemaTypeKind::kComplex:
        if (integer || real) constant.value = SchemaConstant::Complex{as_double(constant), 0};
        return !is_bool || fail_mismatch();
      case SchemaTypeKind::kBool:
      case SchemaTypeKind::kSymBool:
        if (integer && (*integer == 0 || *integer == 1)) constant.value = *integer == 1;
        return std::holds_alternative<bool>(constant.value) || fail_mismatch();
      case SchemaTypeKind::kScalar:
        return true;
      default:
        return (integer && is_enumeration(type_)) || accepts_everything(type_) || fail_mismatch();
    }
  }

  bool read_word(SchemaConstant& constant) {
    const size_t begin = cursor_.position();
    if (type_.is(SchemaTypeKind::kDevice)) {
      while (is_word_part(cursor_.here()) || cursor_.here() == ':') cursor_.take();
      constant.value = std::string(cursor_.since(begin));
      return true;
    }
    std::string_view word;
    if (!cursor_.read_word("a default value", word)) return false;
    if (type_.is(SchemaTypeKind::kFloat) || type_.is(SchemaTypeKind::kScalar)) {
      if (word == "inf") constant.value = std::numeric_limits<double>::infinity();
      if (word == "nan") constant.value = std::numeric_limits<double>::quiet_NaN();
      if (!constant.is_none()) return true;
    }
    if (is_enumeration(type_) || type_.is(SchemaTypeKind::kInt)) {
      for (const SchemaNumberWord& known : kSchemaNumberWords) {
        if (known.text != word) continue;
        constant.value = int64_t{known.number};
        return true;
      }
    }
    cursor_.set_position(begin);
    return cursor_.fail(fmt::format("'{}' is not a value of type {}", word, to_string(type_)));
  }

  bool read_string(SchemaConstant& constant) {
    const char quote = cursor_.take();
    std::string& value = constant.value.emplace<std::string>();
    while (cursor_.position() < cursor_.text().size() && cursor_.here() != quote) {
      const char c = cursor_.take();
      if (c != '\\') {
        value += c;
      } else if (!read_escape(value)) {
        return false;
      }
    }
    if (cursor_.position() == cursor_.text().size())
      return cursor_.fail("the string is not terminated");
    cursor_.take();
    return true;
  }

  bool read_escape(std::string& value) {
    const size_t escape = kEscapeLetters.find(cursor_.here());
    if (cursor_.here() != '\0' && escape != std::string_view::npos) {
      value += kEscapedCharacters[escape];
      cursor_.take();
      return true;
    }
    int code = 0;  // three octal digits
    for (int i = 0; i < 3; ++i) {
      const char c = cursor_.here();
      if (c < '0' || c > '7') return cursor_.fail("unknown escape in the string");
      code = code * 8 + (c - '0');
      cursor_.take();
    }
    value += static_cast<char>(code);
    return true;
  }

  SchemaCursor& cursor_;
  const SchemaType& type_;
  bool keep_ints_;
};

bool read_real(SchemaCursor& cursor, SchemaConstant& constant) {
  std::string digits;
  bool is_float = false;
  if (cursor.accept("-")) digits += '-';
  if (cursor.accept_word("inf")) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constant.value = digits.empty() ? kInfinity : -kInfinity;
    return true;
  }
  cursor.peek();
  const size_t begin = cursor.position();
  const auto take_digits = [&] {
    while (is_digit(cursor.here())) digits += cursor.take();
  };
  take_digits();
  if (cursor.here() == '.') {
    is_float = true;
    digits += cursor.take();
    take_digits();
  }
  const size_t mantissa = cursor.position() - begin;
  if (mantissa == 0 || (mantissa == 1 && is_float)) return cursor.fail_expected("a number");
  if (cursor.here() == 'e' || cursor.here() == 'E') {
    is_float = true;
    digits += cursor.take();
    if (cursor.here() == '-' || cursor.here() == '+') digits += cursor.take();
    if (!is_digit(cursor.here())) return cursor.fail_expected("a digit");
    take_digits();
  }
  const char* end = digits.data() + digits.size();
  int64_t integer = 0;
  double real = 0;
  const auto parsed = is_float ? std::from_chars(digits.data(), end, real)
                               : std::from_chars(digits.data(), end, integer);
  if (is_float) {
    constant.value = real;
  } else {
    constant.value = integer;
  }
  return parsed.ec == std::errc() || cursor.fail("the number does not fit in 64 bits");
}

}  // namespace

bool read_number(SchemaCursor& cursor, SchemaConstant& constant) {
  if (!read_real(cursor, constant)) return false;
  if (cursor.accept("j")) {
    constant.value = SchemaConstant::Complex{0, as_double(constant)};
    return true;
  }
  const char sign = cursor.peek();
  if (sign != '+' && sign != '-') return true;
  if (sign == '+') cursor.take();
  SchemaConstant imaginary;
  if (!read_real(cursor, imaginary) || !cursor.read("j")) return false;
  constant.value = SchemaConstant::Complex{as_double(constant), as_double(imaginary)};
  return true;
}

bool read_default(SchemaCursor& cursor, const SchemaType& type, SchemaConstant& constant) {
  if (cursor.accept_word("None")) return true;
  const SchemaType& plain = type.without_optional();
  if (!plain.is_list()) return ConstantReader(cursor, plain, type.is_optional()).read(constant);

  ConstantReader reader(cursor, plain.element().without_optional(), /*keep_ints=*/false);
  if (!cursor.accept("[")) {
    const std::optional<int32_t> size = plain.list_size();
    if (!size) return cursor.fail_expected("'[' or None as the default of a list");
    if (!reader.read(constant)) return false;
    // PyTorch expands one value to a list of the fixed size, except for `int`.
    if (!plain.element().is(SchemaTypeKind::kInt)) {
      constant.value = SchemaConstant::List(static_cast<size_t>(*size), SchemaConstant(constant));
    }
    return true;
  }
  auto& list = constant.value.emplace<SchemaConstant::List>();
  if (cursor.accept("]")) return true;
  do {
    if (list.size() == kMaxSchemaListSize) {
      return cursor.fail(fmt::format("more than {} values in the default", kMaxSchemaListSize));
    }
    if (!reader.read(list.emplace_back())) return false;
  } while (cursor.accept(","));
  return cursor.accept("]") || cursor.fail_expected("',' or ']' in the default");
}

}  // namespace fx::ops
