// Writes annotations of parameters, values and results. Equivalent to torch.fx's type_repr, given
// the text of the type.
//
//   typing.Optional[torch.Tensor]  ->  typing_Union[torch.Tensor,NoneType]
#include "fx/codegen/python/globals_internal.h"
#include "fx/ir/types/type.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace fx::python {
namespace {

/// Generics of `typing` that keep their names. Other generics, except typing.Type, become generics
/// of collections.abc.
constexpr std::string_view kTypingNames[] = {"Annotated", "Any", "Dict",  "FrozenSet", "List",
                                             "Literal",   "Set", "Tuple", "Union"};
/// Generics that become Python's builtin classes if they have no items.
constexpr std::pair<std::string_view, std::string_view> kBareNames[] = {
    {"typing.Dict", "dict"}, {"typing.FrozenSet", "frozenset"}, {"typing.List", "list"},
    {"typing.Set", "set"},   {"typing.Tuple", "tuple"},         {"typing.Type", "type"}};

std::string_view bare_name(std::string_view name) {
  for (auto [typing, builtin] : kBareNames)
    if (typing == name) return builtin;
  return name;
}

std::string origin_name(std::string_view name) {
  constexpr std::string_view kTyping = "typing.";
  if (name == "typing.Type") return "type";
  if (!name.starts_with(kTyping)) return std::string(name);
  const std::string_view suffix = name.substr(kTyping.size());
  if (std::find(std::begin(kTypingNames), std::end(kTypingNames), suffix) != std::end(kTypingNames))
    return std::string(name);
  return "collections.abc." + std::string(suffix);
}

/// Parses the text of a type and returns its code; std::nullopt if the text has a different form.
class AnnotationParser {
 public:
  AnnotationParser(Names& names, std::string_view text) : names_(names), text_(text) {}

  std::optional<std::string> parse() {
    std::optional<std::string> code = type(0);
    return text_.empty() ? code : std::nullopt;
  }

 private:
  bool take(std::string_view token) {
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }

  std::optional<std::string> type(int depth) {
    if (depth > kMaxTypeDepth) return std::nullopt;
    std::optional<std::string> code = single(depth);
    while (code && take(" | ")) {
      const std::optional<std::string> next = single(depth);
      if (!next) return std::nullopt;
      *code += '|';
      *code += *next;
    }
    return code;
  }

  std::optional<std::string> single(int depth) {
    if (take("...")) return names_.constant("...");
    if (!text_.empty() && (text_[0] == '\'' || text_[0] == '"')) return quoted(0, 0);
    if (constexpr std::string_view kReference = "ForwardRef("; text_.starts_with(kReference))
      return quoted(kReference.size(), 1);
    const size_t end = std::min(text_.size(), text_.find_first_of("[], |'\""));
    const std::string_view name = text_.substr(0, end);
    if (name.find_first_not_of("0123456789") == std::string_view::npos && !name.empty()) {
      text_.remove_prefix(end);
      return names_.constant(name);
    }
    if (name == "None") {
      text_.remove_prefix(end);
      return names_.class_name("NoneType", false);
    }
    if (!is_class_path(name)) return std::nullopt;
    text_.remove_prefix(end);
    if (!take("[")) return names_.class_name(bare_name(name), false);
    return items(name, depth);
  }

  /// Parses the items after the `[`.
  std::optional<std::string> items(std::string_view name, int depth) {
    const bool optional = name == "typing.Optional";
    std::string code =
        names_.class_name(optional ? std::string("typing.Union") : origin_name(name), false);
    if (take("()]")) return code;
    char separator = '[';
    do {
      const std::optional<std::string> item = type(depth + 1);
      if (!item) return std::nullopt;
      code += separator;
      code += *item;
      separator = ',';
    } while (take(", "));
    if (!take("]")) return std::nullopt;
    if (optional) {
      code += ',';
      code += names_.class_name("NoneType", false);
    }
    code += ']';
    return code;
  }

  /// Parses a quoted string, preceded by `before` characters and followed by `after` characters, as
  /// one constant.
  std::optional<std::string> quoted(size_t before, size_t after) {
    if (before >= text_.size()) return std::nullopt;
    const char quote = text_[before];
    if (quote != '\'' && quote != '"') return std::nullopt;
    size_t end = before + 1;
    while (end < text_.size() && text_[end] != quote) end += text_[end] == '\\' ? 2 : 1;
    end += 1 + after;
    if (end > text_.size() || (after && text_[end - 1] != ')')) return std::nullopt;
    const std::string_view text = text_.substr(0, end);
    text_.remove_prefix(end);
    return names_.constant(text);
  }

  static bool is_class_path(std::string_view name) {
    if (name.empty()) return false;
    while (true) {
      const size_t dot = name.find('.');
      const std::string_view part = name.substr(0, dot);
      if (!is_identifier(part) && part != "<locals>") return false;
      if (dot == std::string_view::npos) return true;
      name.remove_prefix(dot + 1);
    }
  }

  Names& names_;
  std::string_view text_;
};

}  // namespace

std::string Names::constant(std::string_view text) {
  const std::string name = add(text, text, "");
  if (globals_.back().name == name && globals_.back().statement.empty() &&
      text.find_first_of("\n\r") == std::string_view::npos)
    globals_.back().statement = text.starts_with("ForwardRef(")
                                    ? fmt::format("{} = __import__(\"typing\").{}", name, text)
                                    : fmt::format("{} = {}", name, text);
  return name;
}

std::string Names::annotation(std::string_view text) {
  if (std::optional<std::string> code = AnnotationParser(*this, text).parse())
    return *std::move(code);
  return add(text, text, "");
}

}  // namespace fx::python
