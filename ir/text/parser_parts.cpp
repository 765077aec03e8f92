// Reads names, types and functions of the `.fx` text: see parser_internal.h.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/text/parser_internal.h"
#include "fx/ir/types/dtype.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace fx::text {

std::string without_offset(std::string_view message) {
  const size_t colon = message.find(": ");
  if (message.starts_with("at offset ") && colon != std::string_view::npos)
    message.remove_prefix(colon + 2);
  return std::string(message);
}

bool Parser::expect(char c, std::string_view where) {
  if (lexer_.take(c)) return true;
  return lexer_.fail(fmt::format("expected '{}' {}, found {}", c, where, describe_next(lexer_)));
}

bool Parser::parse_text(uint8_t bare, std::string_view what, std::string_view* text) {
  if (lexer_.peek() == '"') return lexer_.quoted(scratch_, text);
  *text = lexer_.take_while(bare);
  if (!text->empty()) return true;
  return lexer_.fail(fmt::format("expected {}, found {}", what, describe_next(lexer_)),
                     "put text with other characters in quotes");
}

Symbol Parser::symbol(std::string_view word_in_text) {
  if (const Symbol* known = symbols_.find(word_in_text)) return *known;
  return symbols_.add(word_in_text, context_.symbol(word_in_text));
}

/// Like split_name. `text` must be a view of the text that is read.
Name Parser::split(std::string_view text) {
  size_t at = text.size();
  while (at > 0 && is_class(text[at - 1], kDigit)) --at;
  const size_t digits = text.size() - at;
  const bool canonical = digits > 0 && digits <= 9 && at >= 2 && text[at - 1] == '_' &&
                         (digits == 1 || text[at] != '0');
  if (!canonical) {
    // Numbers of ten digits are rare and are left to split_name.
    if (digits > 9 && at >= 2 && text[at - 1] == '_') return split_name(context_.symbols(), text);
    return {symbol(text), 0};
  }
  uint32_t number = 0;
  for (size_t i = at; i < text.size(); ++i)
    number = number * 10 + static_cast<uint32_t>(text[i] - '0');
  return {symbol(text.substr(0, at - 1)), number + 1};
}

/// Parses the name after a `%`.
bool Parser::parse_name(Name* name) {
  if (lexer_.here() == '"') {
    std::string_view quoted;
    if (!lexer_.quoted(scratch_, &quoted)) return false;
    *name = split_name(context_.symbols(), quoted);
    return true;
  }
  const std::string_view bare = lexer_.take_while(kNameChar);
  if (bare.empty()) {
    return lexer_.fail(fmt::format("expected a name after '%', found {}", describe_next(lexer_)),
                       "put names with other characters in quotes: %\"a name\"");
  }
  *name = split(bare);
  return true;
}

/// Parses the rest of `[target]`: a path, optionally with leading stars, or a quoted string.
bool Parser::parse_bracket_target(std::string* target) {
  std::string_view text;
  if (lexer_.peek() == '"') {
    if (!lexer_.quoted(scratch_, &text)) return false;
  } else {
    const size_t from = lexer_.offset();
    while (lexer_.take_here('*')) {
    }
    lexer_.take_while(kPathChar);
    text = lexer_.text().substr(from, lexer_.offset() - from);
    if (text.empty()) return lexer_.fail("expected a target in the brackets");
  }
  *target = text;
  return expect(']', "after the target");
}

/// The length of the text of a type, determined by its brackets: a key for known types.
size_t type_extent(std::string_view line) {
  int depth = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    switch (line[i]) {
      case '(':
      case '[':
      case '{':
        ++depth;
        break;
      case ')':
      case ']':
      case '}':
        if (--depth < 0) return i;
        break;
      case ' ':
      case ',':
        if (depth == 0) return i;
        break;
      case '"':
        return 0;  // rare: not cached
      default:
        break;
    }
  }
  return line.size();
}

bool Parser::parse_type(Type* type) {
  lexer_.skip_space();
  const std::string_view line = lexer_.rest_of_line();
  if (const size_t size = last_type_text_.size(); size > 0 && line.size() > size &&
                                                  line.starts_with(last_type_text_) &&
                                                  (line[size] == ' ' || line[size] == ',')) {
    lexer_.advance(size);
    *type = last_type_;
    return true;
  }
  const size_t extent = type_extent(line);
  const std::string_view key = line.substr(0, extent);
  if (extent > 0) {
    if (const auto it = types_.find(key); it != types_.end()) {
      lexer_.advance(extent);
      *type = last_type_ = it->second;
      last_type_text_ = key;
      return true;
    }
  }
  size_t consumed = 0;
  absl::StatusOr<Type> parsed = context_.types().parse(line, &consumed);
  if (!parsed.ok()) {
    return lexer_.fail_at(lexer_.offset() + consumed,
                          without_offset(std::string(parsed.status().message())),
                          "a type has a form such as f32[2, 3], int, (f32[2], none) or ?");
  }
  if (extent == consumed) types_.emplace(key, *parsed);
  lexer_.advance(consumed);
  *type = *parsed;
  return true;
}

Target Parser::function(std::string_view name) {
  if (const Target* known = functions_.find(name)) return *known;
  const Target target = context_.function(name);
  // Keyed by the Context's copy of the name: `name` may be scratch text. Quoted names are not
  // cached.
  if (is_function_word(name)) functions_.add(target.name(), target);
  return target;
}

SourceLocation Parser::location_of(size_t offset) {
  const std::string_view text = lexer_.text();
  for (; located_offset_ < offset; ++located_offset_) {
    if (text[located_offset_] == '\n')
      located_ = {located_.line + 1, 1};
    else
      located_.column += (static_cast<unsigned char>(text[located_offset_]) & 0xc0) != 0x80;
  }
  return located_;
}

}  // namespace fx::text
