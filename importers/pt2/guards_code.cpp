// Reads guards that torch.export writes as Python code.
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

/// Removes the name of an input, `x` or `L['x']`, and returns it; empty if there is none.
std::string_view take_input(std::string_view& text) {
  if (!consume(text, "L['")) return take(text, internal::is_word);
  const std::string_view name = take(text, internal::is_word);
  return consume(text, "']") ? name : std::string_view();
}

/// Removes the size of an input, `x.size()[0]`, and returns its expression. Returns nullopt,
/// without a change, if the text does not start with one.
std::optional<std::string> take_size(std::string_view& text, const Inputs& inputs) {
  std::string_view rest = text;
  const auto input = inputs.find(std::string(take_input(rest)));
  if (input == inputs.end() || !consume(rest, ".size()[")) return std::nullopt;
  const std::string_view digits = take(rest, internal::is_digit);
  size_t dim = 0;
  const Type type = input->second->type();
  if (std::from_chars(digits.data(), digits.data() + digits.size(), dim).ec != std::errc() ||
      !consume(rest, "]") || !type.is_tensor() || !type.has_rank() || dim >= type.sizes().size())
    return std::nullopt;
  text = rest;
  return "(" + to_string(type.sizes()[dim]) + ")";
}

/// Returns the code as a symbolic expression; nullopt if it reads anything but sizes of inputs.
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
  Inputs inputs;
  for (const Node& node : graph.nodes())
    if (node.is_placeholder()) inputs.emplace(node.name(), &node);
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
