// Queries on schemas, and their conversion to text.
#include "fx/ir/ops/schema.h"

#include "fx/ir/ops/schema_words_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace fx::ops {
namespace {

/// Removes the first name from `names`, a list joined by `|` that may contain whitespace, and
/// returns it.
std::string_view next_name(std::string_view& names) {
  const size_t bar = names.find('|');
  std::string_view first = names.substr(0, bar);
  names = bar == std::string_view::npos ? std::string_view() : names.substr(bar + 1);
  first.remove_prefix(std::min(first.find_first_not_of(kSchemaWhitespace), first.size()));
  return first.substr(0, first.find_last_not_of(kSchemaWhitespace) + 1);
}

bool share_a_name(std::string_view a, std::string_view b) {
  if (a == "*" || b == "*") return true;
  while (!a.empty()) {
    const std::string_view name = next_name(a);
    for (std::string_view rest = b; !rest.empty();) {
      if (next_name(rest) == name) return true;
    }
  }
  return false;
}

void append_names(std::string_view names, std::string& out) {
  out += next_name(names);
  while (!names.empty()) {
    out += '|';
    out += next_name(names);
  }
}

void append_alias(const AliasInfo& alias, std::string& out) {
  out += '(';
  append_names(alias.before, out);
  if (alias.is_write) out += '!';
  if (alias.after != alias.before) {
    out += " -> ";
    append_names(alias.after, out);
  }
  out += ')';
}

// The parser ensures that types are nested at most kMaxSchemaDepth levels deep, so the recursion
// is bounded.
void append_type(const SchemaType& type, std::string& out) {
  const auto list_parameters = [&] {
    out += '(';
    bool first = true;
    for (const SchemaType& parameter : type.parameters()) {
      if (!first) out += ", ";
      first = false;
      append_type(parameter, out);
    }
    out += ')';
  };
  switch (type.kind()) {
    case SchemaTypeKind::kOptional:
      append_type(type.element(), out);
      out += '?';
      break;
    case SchemaTypeKind::kList:
      append_type(type.element(), out);
      if (const std::optional<int32_t> size = type.list_size()) {
        out += fmt::format("[{}]", *size);
      } else {
        out += "[]";
      }
      break;
    case SchemaTypeKind::kTuple:
      list_parameters();
      break;
    case SchemaTypeKind::kClass:
    case SchemaTypeKind::kVariable:
      out += type.name();
      break;
    default:
      out += to_string(type.kind());
      if (!type.parameters().empty()) list_parameters();
      break;
  }
  if (const AliasInfo* alias = type.own_alias()) append_alias(*alias, out);
}

/// As in PyTorch, an integral value in the int64 range is printed with a decimal point and no
/// decimals.
void append_float(double value, std::string& out) {
  constexpr double kInt64Limit = 9223372036854775808.0;
  if (value == std::floor(value) && std::abs(value) < kInt64Limit) {
    out += fmt::format("{}.", static_cast<int64_t>(value));
  } else {
    out += fmt::format("{:.17g}", value);
  }
}

void append_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    const size_t escape = kEscapedCharacters.find(c);
    if (escape != std::string_view::npos) {
      out += '\\';
      out += kEscapeLetters[escape];
    } else if (c >= ' ' && c < '\x7f') {
      out += c;
    } else {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  out += '"';
}

struct ConstantPrinter {
  std::string& out;

  void operator()(std::monostate) const { out += "None"; }
  void operator()(bool value) const { out += value ? "True" : "False"; }
  void operator()(int64_t value) const { out += fmt::format("{}", value); }
  void operator()(double value) const { append_float(value, out); }
  void operator()(const SchemaConstant::Complex& value) const {
    append_float(value.real, out);
    if (!std::signbit(value.imag)) out += '+';
    append_float(value.imag, out);
    out += 'j';
  }
  void operator()(const std::string& value) const { append_quoted(value, out); }
  void operator()(const SchemaConstant::List& list) const {
    out += '[';
    bool first = true;
    for (const SchemaConstant& element : list) {  // lists of constants do not nest
      if (!first) out += ", ";
      first = false;
      std::visit(*this, element.value);
    }
    out += ']';
  }
};

void append_argument(const SchemaArgument& argument, std::string& out) {
  append_type(argument.type, out);
  if (!argument.name.empty()) {
    out += ' ';
    out += argument.name;
  }
  if (!argument.default_value) return;
  out += '=';
  const auto* text = std::get_if<std::string>(&argument.default_value->value);
  if (text && argument.type.innermost().is(SchemaTypeKind::kDevice)) {
    out += *text;
  } else {
    std::visit(ConstantPrinter{out}, argument.default_value->value);
  }
}

void append_returns(const OpSchema& schema, std::string& out) {
  std::string inner;
  for (const SchemaArgument& result : schema.returns()) {
    if (!inner.empty()) inner += ", ";
    append_argument(result, inner);
  }
  if (schema.is_varret()) inner += inner.empty() ? "..." : ", ...";
  const size_t items = schema.returns().size() + (schema.is_varret() ? 1 : 0);
  // Without additional parentheses, a single tuple would be parsed as multiple results.
  const bool parentheses = items != 1 || inner.front() == '(';
  out += parentheses ? "(" + inner + ")" : inner;
}

}  // namespace

std::string_view to_string(SchemaTypeKind kind) {
  for (const SchemaWord& word : kSchemaWords) {
    if (word.kind == kind) return word.text;  // the first spelling is the one that is printed
  }
  return {};
}

bool AliasInfo::overlaps(const AliasInfo& other) const {
  return share_a_name(before, other.before) || share_a_name(after, other.before) ||
         share_a_name(before, other.after) || share_a_name(after, other.after);
}

const SchemaType& SchemaType::innermost() const {
  const SchemaType* type = this;
  while (type->is_optional() || type->is_list()) type = &type->element();
  return *type;
}

const AliasInfo* SchemaType::alias() const {
  const SchemaType* type = this;
  while (!type->has_alias_ && (type->is_optional() || type->is_list())) type = &type->element();
  return type->own_alias();
}

bool SchemaType::is_write() const {
  for (const SchemaType* type = this;; type = &type->element()) {
    if (type->has_alias_ && type->alias_.is_write) return true;
    if (!type->is_optional() && !type->is_list()) return false;
  }
}

bool SchemaType::same_type(const SchemaType& other) const {
  return kind_ == other.kind_ && name_ == other.name_ &&
         std::ranges::equal(
             parameters_, other.parameters_,
             [](const SchemaType& x, const SchemaType& y) { return x.same_type(y); });
}

std::string_view OpSchema::name_space() const {
  const size_t colons = name_.find("::");
  return colons == std::string_view::npos ? std::string_view() : name_.substr(0, colons);
}

std::string_view OpSchema::base_name() const {
  const size_t colons = name_.find("::");
  return colons == std::string_view::npos ? name_ : name_.substr(colons + 2);
}

int OpSchema::find_argument(std::string_view name) const {
  const auto found = std::ranges::find(arguments_, name, &SchemaArgument::name);
  return found == arguments_.end() ? -1 : static_cast<int>(found - arguments_.begin());
}

bool OpSchema::is_mutable() const {
  return std::ranges::any_of(arguments_, &SchemaArgument::is_write);
}

std::string to_string(const SchemaType& type) {
  std::string out;
  append_type(type, out);
  return out;
}

std::string to_string(const SchemaConstant& constant) {
  std::string out;
  std::visit(ConstantPrinter{out}, constant.value);
  return out;
}

std::string to_string(const OpSchema& schema) {
  std::string out(schema.name());
  if (!schema.overload().empty()) {
    out += '.';
    out += schema.overload();
  }
  out += '(';
  bool star = false;
  bool first = true;
  const auto separate = [&] {
    if (!first) out += ", ";
    first = false;
  };
  for (const SchemaArgument& argument : schema.arguments()) {
    if (argument.kwarg_only && !star) {
      separate();
      out += '*';
      star = true;
    }
    separate();
    append_argument(argument, out);
  }
  if (schema.is_vararg()) {
    separate();
    out += "...";
  }
  out += ") -> ";
  append_returns(schema, out);
  return out;
}

}  // namespace fx::ops
