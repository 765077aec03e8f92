// Parses schema text in one pass, without backtracking. The nesting depth of types is bounded.
//
//   schema   = name ["." overload] "(" arguments ")" "->" results
//   argument = "*" | "..." | type name ["=" constant]
//   results  = "..." | type [name] | "(" [type [name] {"," type [name]}] ["," "..."] ")"
//   type     = (word | word "(" types ")" | "(" types ")") [alias] {("?" | "[" [size] "]") [alias]}
//   alias    = "(" set ["!"] ["->" set] ")"        set = "*" | letter {"|" letter}
#include "fx/ir/ops/schema.h"
#include "fx/ir/ops/schema_cursor_internal.h"

#include <fmt/format.h>

#include <utility>

namespace fx::ops {
namespace {

constexpr size_t kMaxTextSize = 65535;
constexpr size_t kMaxArguments = 255;
constexpr std::string_view kClassPrefix = "__torch__";

}  // namespace

class SchemaParser {
 public:
  explicit SchemaParser(std::string_view text) : cursor_(text) {}

  absl::StatusOr<OpSchema> parse() {
    OpSchema schema;
    if (cursor_.text().size() > kMaxTextSize) {
      cursor_.fail(fmt::format("the text is longer than {} bytes", kMaxTextSize));
      return cursor_.status();
    }
    if (read_name(schema) && read_arguments(schema) && cursor_.read("->") && read_results(schema) &&
        (cursor_.at_end() || cursor_.fail_expected("the end of the schema"))) {
      return schema;
    }
    return cursor_.status();
  }

 private:
  bool read_name(OpSchema& schema) {
    std::string_view word;
    if (!cursor_.read_word("the operator's name", word)) return false;
    const char* begin = word.data();
    if (cursor_.accept("::") &&
        !cursor_.read_word("the operator's name after its namespace", word)) {
      return false;
    }
    schema.name_ = std::string_view(begin, static_cast<size_t>(word.end() - begin));
    if (schema.name_.find_first_of(kSchemaWhitespace) != std::string_view::npos) {
      return cursor_.fail("the operator's name contains whitespace");
    }
    if (!cursor_.accept(".")) return true;
    if (!cursor_.read_word("the overload's name", schema.overload_)) return false;
    return schema.overload_ != "default" ||
           cursor_.fail("'default' means the overload without a name: omit it");
  }

  bool read_arguments(OpSchema& schema) {
    if (!cursor_.read("(")) return false;
    if (cursor_.accept(")")) return true;
    bool kwarg_only = false;
    do {
      if (cursor_.accept("*")) {
        kwarg_only = true;
        continue;
      }
      if (cursor_.accept("...")) {
        schema.is_vararg_ = true;
        break;
      }
      SchemaArgument argument{.name = {},
                              .type = SchemaType(SchemaTypeKind::kTensor),
                              .default_value = {},
                              .kwarg_only = kwarg_only};
      if (!read_argument(schema, argument)) return false;
      schema.arguments_.push_back(std::move(argument));
      if (!kwarg_only) ++schema.positional_count_;
    } while (cursor_.accept(","));
    return cursor_.accept(")") || cursor_.fail_expected("',' or ')' after an argument");
  }

  bool read_argument(const OpSchema& schema, SchemaArgument& argument) {
    if (schema.arguments_.size() == kMaxArguments) {
      return cursor_.fail(fmt::format("more than {} arguments", kMaxArguments));
    }
    if (!read_type(argument.type, 0)) return false;
    if (!cursor_.read_word("the argument's name after its type", argument.name)) return false;
    if (cursor_.accept("=")) {
      return read_default(cursor_, argument.type, argument.default_value.emplace());
    }
    if (!argument.kwarg_only && !schema.arguments_.empty() &&
        schema.arguments_.back().default_value) {
      return cursor_.fail(
          fmt::format("argument '{}' must have a default, because the previous argument has one",
                      argument.name));
    }
    return true;
  }

  bool read_results(OpSchema& schema) {
    if (cursor_.accept("...")) {
      schema.is_varret_ = true;
      return true;
    }
    if (!cursor_.accept("(")) return read_result(schema);
    if (cursor_.accept(")")) return true;
    do {
      if (cursor_.accept("...")) {
        schema.is_varret_ = true;
        break;
      }
      if (!read_result(schema)) return false;
    } while (cursor_.accept(","));
    return cursor_.accept(")") || cursor_.fail_expected("',' or ')' after a result");
  }

  bool read_result(OpSchema& schema) {
    if (schema.returns_.size() == kMaxArguments) {
      return cursor_.fail(fmt::format("more than {} results", kMaxArguments));
    }
    SchemaArgument result{.name = {},
                          .type = SchemaType(SchemaTypeKind::kTensor),
                          .default_value = {},
                          .kwarg_only = false};
    if (!read_type(result.type, 0)) return false;
    if (is_word_start(cursor_.peek()) && !cursor_.read_word("a name", result.name)) return false;
    schema.returns_.push_back(std::move(result));
    return true;
  }

  bool read_type(SchemaType& type, int depth) {
    if (depth == kMaxSchemaDepth) return fail_too_deep();
    if (cursor_.accept("(")) {
      type = SchemaType(SchemaTypeKind::kTuple);
      if (!read_parameters(type, depth)) return false;
    } else if (!read_plain_type(type, depth)) {
      return false;
    }
    if (!read_alias(type)) return false;
    for (int suffixes = 1;; ++suffixes) {
      SchemaTypeKind kind = SchemaTypeKind::kOptional;
      int32_t size = -1;
      if (cursor_.accept("[")) {
        kind = SchemaTypeKind::kList;
        if (!cursor_.accept("]") && !read_list_size(size)) return false;
      } else if (!cursor_.accept("?")) {
        return true;
      }
      if (depth + suffixes >= kMaxSchemaDepth) return fail_too_deep();
      SchemaType outer(kind);
      outer.list_size_ = size;
      outer.parameters_.push_back(std::move(type));
      type = std::move(outer);
      if (!read_alias(type)) return false;
    }
  }

  bool fail_too_deep() {
    return cursor_.fail(fmt::format("types are nested more than {} levels deep", kMaxSchemaDepth));
  }

  bool read_plain_type(SchemaType& type, int depth) {
    cursor_.peek();
    const size_t begin = cursor_.position();
    std::string_view word;
    if (!cursor_.read_word("a type", word)) return false;
    if (word == kClassPrefix) {
      while (cursor_.here() == '.') {
        cursor_.take();
        if (!cursor_.read_word("a part of the class name", word)) return false;
      }
      type = SchemaType(SchemaTypeKind::kClass);
      type.name_ = cursor_.since(begin);
      return true;
    }
    for (const SchemaWord& known : kSchemaWords) {
      if (known.text != word) continue;
      type = SchemaType(known.kind);
      if (known.kind < SchemaTypeKind::kOptional) return true;
      return cursor_.read("(") && read_parameters(type, depth) && check_parameters(type);
    }
    if (!is_lower(word.front())) {
      cursor_.set_position(begin);
      return cursor_.fail(fmt::format(
          "unknown type '{}' (a type variable starts with a lowercase letter, a class with "
          "'{}.')",
          word, kClassPrefix));
    }
    type = SchemaType(SchemaTypeKind::kVariable);
    type.name_ = word;
    return true;
  }

  /// Reads the types after the opening parenthesis.
  bool read_parameters(SchemaType& type, int depth) {
    do {
      if (type.parameters_.size() == kMaxArguments) {
        return cursor_.fail(fmt::format("more than {} types in parentheses", kMaxArguments));
      }
      SchemaType& parameter = type.parameters_.emplace_back(SchemaTypeKind::kTensor);
      if (!read_type(parameter, depth + 1)) return false;
    } while (cursor_.accept(","));
    return cursor_.accept(")") || cursor_.fail_expected("',' or ')' after a type");
  }

  bool check_parameters(const SchemaType& type) {
    if (type.is(SchemaTypeKind::kUnion)) return true;
    const size_t expected = type.is(SchemaTypeKind::kDict) ? 2 : 1;
    return type.parameters_.size() == expected ||
           cursor_.fail(fmt::format("{} must have {} in parentheses", to_string(type.kind()),
                                    expected == 2 ? "two types" : "one type"));
  }

  bool read_list_size(int32_t& size) {
    SchemaConstant number;
    if (!is_digit(cursor_.peek())) return cursor_.fail_expected("the list's size or ']'");
    if (!read_number(cursor_, number)) return false;
    const auto* value = std::get_if<int64_t>(&number.value);
    if (!value || *value > kMaxSchemaListSize) {
      return cursor_.fail(
          fmt::format("the size of a list must be an integer of at most {}", kMaxSchemaListSize));
    }
    size = static_cast<int32_t>(*value);
    return cursor_.read("]");
  }

  bool read_alias(SchemaType& type) {
    if (!cursor_.accept("(")) return true;
    AliasInfo& alias = type.alias_;
    type.has_alias_ = true;
    if (!read_alias_set(alias.before)) return false;
    alias.is_write = cursor_.accept("!");
    alias.after = alias.before;
    if (cursor_.accept("->") && !read_alias_set(alias.after)) return false;
    return cursor_.accept(")") || cursor_.fail_expected("')' after the alias annotation");
  }

  bool read_alias_set(std::string_view& set) {
    if (cursor_.accept("*")) {
      set = "*";
      return true;
    }
    cursor_.peek();
    const size_t begin = cursor_.position();
    std::string_view word;
    do {
      if (!cursor_.read_word("a letter or '*' in the alias annotation", word)) return false;
      set = cursor_.since(begin);
    } while (cursor_.accept("|"));
    return true;
  }

  SchemaCursor cursor_;
};

absl::StatusOr<OpSchema> parse_schema_in_place(std::string_view text) {
  return SchemaParser(text).parse();
}

absl::StatusOr<OpSchema> parse_schema(std::string_view text) {
  auto copy = std::make_unique<const std::string>(text);
  absl::StatusOr<OpSchema> schema = parse_schema_in_place(*copy);
  if (schema.ok()) schema->text_ = std::move(copy);
  return schema;
}

}  // namespace fx::ops
