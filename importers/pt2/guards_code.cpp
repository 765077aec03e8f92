// Reads guards that torch.export writes as Python code.
#include "fx/importers/pt2/input_paths_internal.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/text_cursor.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/container/flat_hash_map.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace fx {
namespace {

using Inputs = absl::flat_hash_map<std::string, const Node*>;

/// Removes the prefix from the text. Returns false if the text does not have it.
bool consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// Removes characters up to the first that `accepts` rejects, and returns them.
template <class Accepts>
std::string_view take(std::string_view& text, Accepts&& accepts) {
  size_t size = 0;
  while (size < text.size() && accepts(text[size])) ++size;
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

/// Returns the position after the string in a subscript, `['key']`; 0 if it has none.
size_t end_of_key(std::string_view subscript) {
  const char quote = subscript.size() > 1 ? subscript[1] : ']';
  if (quote != '\'' && quote != '"') return 0;
  size_t end = 2;
  while (end < subscript.size() && subscript[end] != quote) end += subscript[end] == '\\' ? 2 : 1;
  return end;
}

/// Removes the path of an input, `x`, `L['x']` or `L['x'][0]['key']`, and returns it in the form of
/// input_paths(); empty if there is none.
std::string take_path(std::string_view& text) {
  if (!text.starts_with("L[")) {
    const std::string_view name = take(text, internal::is_word);
    return name.empty() ? "" : "L['" + std::string(name) + "']";
  }
  std::string path(text.substr(0, 1));
  text.remove_prefix(1);
  while (text.starts_with('[')) {
    const size_t end = text.find(']', end_of_key(text));
    if (end == std::string_view::npos) return {};
    path += text.substr(0, end + 1);
    text.remove_prefix(end + 1);
  }
  return path;
}

/// Returns the input with a path, or null. Arguments that **kwargs contains are keywords.
const Node* find_input(const Inputs& inputs, const std::string& path) {
  if (const auto input = inputs.find(path); input != inputs.end()) return input->second;
  const size_t end = path.find(']');
  if (end == std::string::npos || end + 1 == path.size()) return nullptr;
  const auto keyword = inputs.find("L" + path.substr(end + 1));
  return keyword == inputs.end() ? nullptr : keyword->second;
}

/// Removes the size of an input, `x.size()[0]`, or an input that is a symbolic integer, and returns
/// its expression. Returns nullopt, without a change, if the text does not start with one.
std::optional<std::string> take_size(std::string_view& text, const Inputs& inputs) {
  std::string_view rest = text;
  const Node* const input = find_input(inputs, take_path(rest));
  if (input == nullptr) return std::nullopt;
  if (input->type().kind() == TypeKind::kInt && input->type().is_symbolic()) {
    if (rest.starts_with('.') || rest.starts_with('[')) return std::nullopt;
    text = rest;
    return "(" + to_string(input->type().expr()) + ")";
  }
  if (!consume(rest, ".size()[")) return std::nullopt;
  const std::string_view digits = take(rest, internal::is_digit);
  size_t dim = 0;
  const Type type = input->type();
  if (std::from_chars(digits.data(), digits.data() + digits.size(), dim).ec != std::errc() ||
      !consume(rest, "]") || !type.is_tensor() || !type.has_rank() || dim >= type.sizes().size())
    return std::nullopt;
  text = rest;
  return "(" + to_string(type.sizes()[dim]) + ")";
}

/// Returns the code as a symbolic expression; nullopt if it reads anything but sizes and
/// integers of inputs.
std::optional<std::string> expression_of(std::string_view code, const Inputs& inputs) {
  std::string result;
  while (!code.empty()) {
    if (!internal::is_word_start(code[0])) {
      result += code[0];
      code.remove_prefix(1);
      // The digits of a number, as in 1e5, are not a name.
      if (internal::is_digit(result.back())) result += take(code, internal::is_word);
      continue;
    }
    if (const std::optional<std::string> size = take_size(code, inputs)) {
      result += *size;
      continue;
    }
    const std::string_view word = take(code, internal::is_word);
    // `and` and `or` bind less tightly than comparisons in Python, but & and | do not: the parser
    // rejects operands that are not in parentheses.
    if (word == "max" || word == "min")
      result += word == "max" ? "Max" : "Min";
    else if (word == "and" || word == "or")
      result += word == "and" ? '&' : '|';
    else
      return std::nullopt;
  }
  return result;
}

}  // namespace

std::vector<SymExpr> pt2_guards(const Graph& graph, std::vector<std::string>* unread) {
  std::vector<SymExpr> guards;
  const std::optional<Argument> code = graph.meta("guards_code");
  if (!code || !code->is_list()) return guards;
  const Inputs inputs = pt2::input_paths(graph);
  for (size_t i = 0; i < code->size(); ++i) {
    if (!(*code)[i].is_string()) continue;
    const std::string_view text = (*code)[i].as_string();
    const std::optional<std::string> expression = expression_of(text, inputs);
    const absl::StatusOr<SymExpr> guard =
        expression ? graph.context().exprs().parse(*expression) : SymExpr();
    const bool is_relation = guard.ok() && *guard && !guard->is_undefined() &&
                             guard->value_kind() == SymValueKind::kBool;
    const bool is_constant = is_relation && guard->canonical().kind() == SymKind::kBool;
    if (is_relation && !is_constant)
      guards.push_back(*guard);
    else if (unread != nullptr && !(is_constant && guard->canonical().int_value() != 0))
      unread->emplace_back(text);
  }
  return guards;
}

}  // namespace fx
