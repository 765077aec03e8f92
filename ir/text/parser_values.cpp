// Reads values of the `.fx` text: see parser_internal.h.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/python/python_objects.h"
#include "fx/ir/text/parser_internal.h"
#include "fx/ir/types/dtype.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <limits>
#include <optional>

namespace fx::text {

bool Parser::check_depth(int depth) {
  if (depth < kMaxArgumentDepth) return true;
  return lexer_.fail(fmt::format("values are nested more than {} levels deep", kMaxArgumentDepth));
}

bool Parser::parse_items(char close, int depth) {
  while (lexer_.peek() != close) {
    if (!parse_value(depth)) return false;
    if (!lexer_.take(',') && lexer_.peek() != close) {
      return lexer_.fail(
          fmt::format("expected ',' or '{}', found {}", close, describe_next(lexer_)));
    }
  }
  return lexer_.take(close);
}

bool Parser::parse_list(int depth) {
  const size_t base = values_.size();
  lexer_.advance(1);
  if (!parse_items(']', depth + 1)) return false;
  return fold(base, Argument::list(values_from(base)));
}

bool Parser::parse_tuple(int depth) {
  const size_t start = lexer_.offset(), base = values_.size();
  lexer_.advance(1);
  if (lexer_.peek() != ')') {
    if (!parse_value(depth + 1)) return false;
    if (lexer_.peek() == ')') {
      return lexer_.fail_at(start, "parentheses must contain more than one value",
                            "write a tuple of one item as (x,); otherwise omit the parentheses");
    }
    if (!expect(',', "after an item of a tuple")) return false;
  }
  if (!parse_items(')', depth + 1)) return false;
  return fold(base, Argument::tuple(values_from(base)));
}

bool Parser::parse_dict(int depth) {
  lexer_.advance(1);
  std::vector<std::pair<Argument, Argument>> items;
  absl::flat_hash_set<std::string> names;
  absl::flat_hash_set<int64_t> numbers;
  while (lexer_.peek() != '}') {
    const size_t start = lexer_.offset();
    if (!parse_value(depth + 1)) return false;
    Argument key = pop();
    if (!key.is_string() && !key.is_int())
      return lexer_.fail_at(start, "the keys of a dict must be strings or integers");
    const bool is_new =
        key.is_int() ? numbers.insert(key.as_int()).second : names.emplace(key.as_string()).second;
    if (!is_new) return lexer_.fail_at(start, "duplicate key in the dict");
    if (!expect(':', "after the key of a dict") || !parse_value(depth + 1)) return false;
    items.emplace_back(std::move(key), pop());
    if (!lexer_.take(',') && lexer_.peek() != '}')
      return lexer_.fail(fmt::format("expected ',' or '}}', found {}", describe_next(lexer_)));
  }
  lexer_.advance(1);
  push(Argument::dict(items));
  return true;
}

/// Parses `(items)` of a named tuple or, with fields, `(x=..., y=...)`. Fields are part of the name
/// of the type.
bool Parser::parse_struct(std::string type_name, int depth) {
  if (!check_depth(depth)) return false;
  const size_t name_start = lexer_.offset(), base = values_.size();
  std::string fields;
  lexer_.advance(1);
  while (lexer_.peek() != ')') {
    const size_t start = lexer_.offset();
    const std::string_view word = lexer_.take_while(kNameChar);
    const bool has_field = is_key(word) && lexer_.take('=');
    if (has_field != !fields.empty() && values_.size() > base) {
      return lexer_.fail_at(start, "a named tuple must name all of its fields or none",
                            "pkg.Point(x=1, y=2), or pkg.Point(1, 2)");
    }
    if (has_field) {
      if (!fields.empty()) fields += ", ";
      fields += word;
    } else {
      lexer_.seek(start);
    }
    if (!parse_value(depth + 1)) return false;
    if (!lexer_.take(',') && lexer_.peek() != ')')
      return lexer_.fail(fmt::format("expected ',' or ')', found {}", describe_next(lexer_)));
  }
  lexer_.advance(1);
  if (!fields.empty()) {
    type_name += '(' + fields + ')';
    if (struct_fields(type_name, values_.size() - base).empty())
      return lexer_.fail_at(name_start, "duplicate field in this named tuple");
  }
  return fold(base, Argument::named_tuple(type_name, values_from(base)));
}

bool Parser::parse_slice(size_t start, int depth) {
  const size_t base = values_.size();
  if (!check_depth(depth) || !parse_items(')', depth + 1)) return false;
  const size_t count = values_.size() - base;
  if (count != 3)
    return lexer_.fail_at(start, "a slice must have three items",
                          "write [:2] as slice(None, 2, None)");
  return fold(base, Argument::slice(values_[base], values_[base + 1], values_[base + 2]));
}

bool Parser::parse_range(size_t start, int depth) {
  const size_t base = values_.size();
  if (!check_depth(depth) || !parse_items(')', depth + 1)) return false;
  bool integers = values_.size() - base == 3;
  for (const Argument& item : values_from(base)) integers = integers && item.is_int();
  if (!integers)
    return lexer_.fail_at(start, "a range must have three integers: start, stop and step");
  return fold(base, Argument::range(values_[base].as_int(), values_[base + 1].as_int(),
                                    values_[base + 2].as_int()));
}

bool Parser::parse_complex(size_t start, int depth) {
  const size_t base = values_.size();
  if (!check_depth(depth) || !parse_items(')', depth + 1)) return false;
  double parts[2] = {};
  bool floats = values_.size() - base == 2;
  for (size_t i = 0; floats && i < 2; ++i) {
    const Argument& item = values_[base + i];
    floats = item.is_float() || item.is_int();
    if (floats) parts[i] = item.is_int() ? static_cast<double>(item.as_int()) : item.as_float();
  }
  if (!floats)
    return lexer_.fail_at(start, "a complex number must have two parts",
                          "write 1-2j as complex(1.0, -2.0)");
  return fold(base, Argument(std::complex<double>(parts[0], parts[1])));
}

bool Parser::parse_device() {
  const size_t start = lexer_.offset();
  std::string_view name;
  if (lexer_.peek() == '"') {
    if (!lexer_.quoted(scratch_, &name)) return false;
  } else {
    const size_t from = lexer_.offset();
    lexer_.take_while(kNameChar);
    if (lexer_.take_here(':')) lexer_.take_while(kNameChar);
    name = lexer_.text().substr(from, lexer_.offset() - from);
  }
  const std::optional<Device> device = device_from_name(name);
  if (!device) {
    return lexer_.fail_at(start, fmt::format("unknown device {}", name),
                          "use cpu, cuda, cuda:0, meta, ...");
  }
  push(Argument(*device));
  return expect(')', "after the device");
}

bool Parser::parse_symbolic() {
  lexer_.skip_space();
  size_t consumed = 0;
  absl::StatusOr<SymExpr> parsed = context_.exprs().parse_prefix(lexer_.rest_of_line(), &consumed);
  if (!parsed.ok())
    return lexer_.fail_at(lexer_.offset() + consumed,
                          without_offset(std::string(parsed.status().message())));
  lexer_.advance(consumed);
  push(Argument(*parsed));
  return expect(')', "after a symbolic number");
}

bool Parser::parse_torch_constant(std::string_view name, size_t start) {
  const bool is_word = is_key(name);
  if (const std::optional<DType> dtype = dtype_from_name(name); dtype && is_word) {
    push(Argument(*dtype));
    return true;
  }
  if (const std::optional<Layout> layout = layout_from_name(name)) {
    push(Argument(*layout));
    return true;
  }
  if (const std::optional<MemoryFormat> format = memory_format_from_name(name)) {
    push(Argument(*format));
    return true;
  }
  if (name == dtype_name(DType::kUndefined)) {
    push(Argument(DType::kUndefined));
    return true;
  }
  return lexer_.fail_at(start,
                        fmt::format("torch.{} is not a dtype, layout or memory format", name),
                        fmt::format("write a function as op(torch.{0}), and any other constant "
                                    "as object(\"torch.{0}\")",
                                    name));
}

bool Parser::unknown_node(size_t start, const Name& name) {
  for (Scope* scope = scope_->parent; scope; scope = scope->parent) {
    if (!scope->nodes.find(name)) continue;
    return lexer_.fail_at(start, fmt::format("%{} belongs to an outer graph", name.str()),
                          "pass it as an argument of the operator that calls this graph");
  }
  // Search for a later definition.
  const std::string text = name.str();
  const std::string_view all = lexer_.text();
  for (size_t at = lexer_.offset(); (at = all.find('%', at)) != std::string_view::npos;) {
    ++at;
    if (!all.substr(at).starts_with(text)) continue;
    size_t end = at + text.size();
    while (end < all.size() && all[end] == ' ') ++end;
    if (end == all.size() || (all[end] != '=' && all[end] != ':')) continue;
    const auto line =
        1 + std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    return lexer_.fail_at(start,
                          fmt::format("%{} is used before its definition on line {}", text, line),
                          "move the definition before its first use");
  }
  return lexer_.fail_at(start, fmt::format("unknown node %{}", text),
                        "define a node in the same graph, before its first use");
}

bool Parser::parse_node_value() {
  const size_t start = lexer_.offset();
  lexer_.advance(1);
  Name name;
  if (!parse_name(&name)) return false;
  if (!scope_ || constants_only_) {
    return lexer_.fail_at(start, "a node is not allowed here",
                          constants_only_ ? "metadata must be constant" : "");
  }
  Node* node = scope_->nodes.find(name);
  if (!node) return unknown_node(start, name);
  push(Argument(node));
  return true;
}

bool Parser::parse_graph_value() {
  const size_t start = lexer_.offset();
  lexer_.advance(1);
  std::string_view name;
  if (!parse_text(kNameChar, "the name of a graph", &name)) return false;
  if (scope_) {
    if (const auto it = scope_->graphs.find(name); it != scope_->graphs.end()) {
      push(Argument::graph(it->second));
      return true;
    }
  }
  return lexer_.fail_at(start, fmt::format("unknown nested graph @{}", name),
                        "define a nested graph inside the braces of the graph that uses it, before "
                        "its first use");
}

/// Parses a value that starts with `word`; the next character is `(`.
bool Parser::parse_call_value(std::string_view word, size_t start, int depth) {
  switch (word[0]) {
    case 'c':
      if (word != "complex") break;
      lexer_.advance(1);
      return parse_complex(start, depth);
    case 'd':
      if (word != "device") break;
      lexer_.advance(1);
      return parse_device();
    case 'g':
      if (word != "graph") break;
      {
        lexer_.advance(1);
        Lexer::Number number;
        lexer_.skip_space();
        if (!lexer_.number(&number)) return false;
        if (!constants_only_ || number.is_float || number.integer < 0 ||
            number.integer > UINT32_MAX) {
          return lexer_.fail_at(start, "only metadata may refer to a graph by its index",
                                "refer to a nested graph by its name: @body");
        }
        push(Argument::graph(static_cast<uint32_t>(number.integer)));
        return expect(')', "after a graph index");
      }
    case 'o':
      if (word == "op") {
        lexer_.advance(1);
        std::string_view name;
        if (!parse_text(kPathChar, "the name of a function", &name)) return false;
        push(Argument(function(name)));
        return expect(')', "after the name of a function");
      }
      if (word == "object") {
        lexer_.advance(1);
        if (lexer_.peek() != '"') return lexer_.fail("expected the text of the object, in quotes");
        std::string_view text;
        if (!lexer_.quoted(scratch_, &text)) return false;
        push(Argument::object(text));
        return expect(')', "after the text of an object");
      }
      break;
    case 'r':
      if (word != "range") break;
      lexer_.advance(1);
      return parse_range(start, depth);
    case 's':
      if (word == "slice") {
        lexer_.advance(1);
        return parse_slice(start, depth);
      }
      if (word == "sym") {
        lexer_.advance(1);
        return parse_symbolic();
      }
      break;
    case 't':
      if (word != "type") break;
      {
        lexer_.advance(1);
        Type type;
        if (!parse_type(&type)) return false;
        push(Argument(type));
        return expect(')', "after a type");
      }
    default:
      break;
  }
  if (!is_function_word(word)) {
    return lexer_.fail_at(start, fmt::format("\"{}\" is not a named-tuple class", word),
                          "put the name in quotes if it is");
  }
  return parse_struct(std::string(word), depth);
}

bool Parser::parse_word_value(std::string_view word, size_t start, int depth) {
  if (lexer_.peek() == '(') {
    return parse_call_value(word, start, depth);
  }
  if (word == "None")
    push(Argument::none());
  else if (word == "True")
    push(Argument(true));
  else if (word == "False")
    push(Argument(false));
  else if (word == "inf")
    push(Argument(std::numeric_limits<double>::infinity()));
  else if (word == "nan")
    push(Argument(std::numeric_limits<double>::quiet_NaN()));
  else if (word == "...")
    push(Argument::ellipsis());
  else if (word.starts_with("torch."))
    return parse_torch_constant(word.substr(6), start);
  else
    return lexer_.fail_at(
        start, fmt::format("\"{}\" is not a value", word),
        "write a node as %x, a string as \"x\", a function as op(f), a graph as @g");
  return true;
}

bool Parser::parse_value(int depth) {
  const char c = lexer_.peek();
  const size_t start = lexer_.offset();
  if ((c == '[' || c == '(' || c == '{') && !check_depth(depth)) return false;
  switch (c) {
    case '%':
      return parse_node_value();
    case '[':
      return parse_list(depth);
    case '(':
      return parse_tuple(depth);
    case '{':
      return parse_dict(depth);
    case '@':
      return parse_graph_value();
    case '"': {
      std::string_view text;
      if (!lexer_.quoted(scratch_, &text)) return false;
      if (lexer_.here() != '(') {
        push(Argument(text));
        return true;
      }
      return parse_struct(std::string(text), depth);
    }
    default:
      break;
  }
  if (c == '-' || is_class(c, kDigit)) {
    Lexer::Number number;
    if (!lexer_.number(&number)) return false;
    if (number.is_float)
      push(Argument(number.real));
    else
      push(Argument(number.integer));
    return true;
  }
  const std::string_view word = lexer_.take_while(kPathChar);
  if (!word.empty()) return parse_word_value(word, start, depth);
  return lexer_.fail(fmt::format("expected a value, found {}", describe_next(lexer_)),
                     lexer_.peek() == '\'' ? "put strings in double quotes: \"x\"" : "");
}

}  // namespace fx::text
