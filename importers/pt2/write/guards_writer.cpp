// Writes guards as the Python code that torch.export stores: see pt2_guards_code in write_pt2.h.
#include "fx/importers/pt2/input_paths_internal.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/write/program_writer_internal.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/interp/size_checks.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fx {
namespace {

using Sources = absl::flat_hash_map<Symbol, std::string>;

/// Returns, for each symbol that the sizes and integers of inputs determine, the Python code for its value.
Sources sources_of_symbols(const Graph& graph, bool keeps_convention) {
  const absl::flat_hash_map<const Node*, std::string> paths =
      pt2::paths_of_inputs(graph, keeps_convention);
  const std::vector<Node*> inputs = graph.find_nodes(Opcode::kPlaceholder);
  const SizeChecks checks(graph);
  Sources sources;
  for (const SizeChecks::Equation& equation : checks.equations()) {
    const SizeChecks::Location& at = equation.location;
    const bool is_size = at.quantity == SizeChecks::Quantity::kSize;
    const bool is_number = at.quantity == SizeChecks::Quantity::kNumber;
    const auto path = paths.find(inputs[at.input]);
    if (!equation.symbol || !(is_size || is_number) || !at.path.empty() || path == paths.end())
      continue;
    // torch.export's module copies the code into a string between double quotes.
    if (path->second.find_first_of("\"\\") != std::string::npos) continue;
    std::string code = path->second;
    if (is_size) code += fmt::format(".size()[{}]", at.dim);
    if (equation.offset != 0) code = fmt::format("({} + ({}))", code, -equation.offset);
    if (equation.factor != 1) code = fmt::format("({} // ({}))", code, equation.factor);
    sources.emplace(equation.symbol, std::move(code));
  }
  return sources;
}

/// The Python operator between the operands of an expression; empty if there is none.
std::string_view infix(SymKind kind) {
  switch (kind) {
    case SymKind::kAdd:
      return " + ";
    case SymKind::kMul:
      return "*";
    case SymKind::kPow:
      return "**";
    case SymKind::kFloorDiv:
      return " // ";
    case SymKind::kMod:
      return " % ";
    case SymKind::kEq:
      return " == ";
    case SymKind::kNe:
      return " != ";
    case SymKind::kLt:
      return " < ";
    case SymKind::kLe:
      return " <= ";
    case SymKind::kGt:
      return " > ";
    case SymKind::kGe:
      return " >= ";
    case SymKind::kAnd:
      return " and ";
    case SymKind::kOr:
      return " or ";
    default:
      return {};
  }
}

/// Appends an expression over integers as Python code, with all operands in parentheses except
/// numbers and symbols. Returns false if the code cannot express it. kMaxSymExprDepth bounds the
/// recursion.
bool append_code(std::string& out, SymExpr expr, const Sources& sources) {
  const SymKind kind = expr.kind();
  if (kind == SymKind::kInt) {
    const int64_t value = expr.int_value();
    out += value < 0 ? fmt::format("({})", value) : fmt::format("{}", value);
    return true;
  }
  if (kind == SymKind::kSymbol) {
    const auto source = sources.find(expr.name());
    if (source != sources.end()) out += source->second;
    return source != sources.end();
  }
  // Negative exponents result in floats.
  if (kind == SymKind::kPow && !(expr.args()[1].is_int() && expr.args()[1].int_value() >= 0))
    return false;
  std::string_view separator = infix(kind);
  if (kind == SymKind::kMin || kind == SymKind::kMax) {
    out += kind == SymKind::kMin ? "min" : "max";
    separator = ", ";
  }
  if (separator.empty()) return false;
  out += '(';
  bool is_first = true;
  for (const SymExpr operand : expr.args()) {
    if (!is_first) out += separator;
    is_first = false;
    if (!append_code(out, operand, sources)) return false;
  }
  out += ')';
  return true;
}

}  // namespace

std::vector<std::string> pt2_guards_code(const Graph& graph, std::vector<std::string>* omitted) {
  std::vector<std::string> codes;
  absl::flat_hash_set<SymExpr> written;
  std::vector<std::string> conditions;  // that are not relations between sizes
  const std::vector<SymExpr> relations = pt2_guards(graph, &conditions);
  const bool keeps_convention = pt2::keeps_calling_convention(graph);
  if (keeps_convention) {
    // The code names the arguments of this convention.
    const std::optional<Argument> stored = graph.meta("guards_code");
    for (size_t i = 0; stored && stored->is_list() && i < stored->size(); ++i)
      if ((*stored)[i].is_string()) codes.emplace_back((*stored)[i].as_string());
    for (const SymExpr relation : relations) written.insert(relation.canonical());
  } else if (omitted != nullptr) {
    omitted->insert(omitted->end(), conditions.begin(), conditions.end());
  }
  std::optional<Sources> sources;  // most graphs have no other guards
  for (const Graph& part : all_graphs(graph)) {
    for (const SymExpr guard : guards_of(part, omitted)) {
      const bool always_holds = guard.kind() == SymKind::kBool && guard.int_value() != 0;
      if (always_holds || !written.insert(guard).second) continue;
      if (!sources) sources = sources_of_symbols(graph, keeps_convention);
      std::string code;
      if (append_code(code, guard, *sources))
        codes.push_back(std::move(code));
      else if (omitted != nullptr)
        omitted->push_back(to_string(guard));
    }
  }
  return codes;
}

}  // namespace fx
