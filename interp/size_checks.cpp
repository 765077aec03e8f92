// Checks the size constraints of a graph: see size_checks.h.
#include "fx/interp/size_checks.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/nested_graphs.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx {
namespace {

using Equation = SizeChecks::Equation;
using Location = SizeChecks::Location;
using Quantity = SizeChecks::Quantity;

/// The equations for ranks, for sizes and numbers, and for strides and offsets. Sizes are solved
/// before strides, because a dimension of size 1 may have any stride.
struct InputEquations {
  SymExprTable& exprs;
  std::vector<Equation> ranks = {}, sizes = {}, layouts = {};

  void add(const Location& location, const Dim& dim) {
    // A rank, or a size that is a number, is only compared.
    const bool is_size = location.quantity == Quantity::kSize;
    if (location.quantity == Quantity::kRank || (is_size && dim.is_int())) {
      (is_size ? sizes : ranks)
          .push_back({.location = location, .expr = exprs.integer(dim.value())});
      return;
    }
    if (!dim.is_symbolic()) return;
    std::vector<Equation>& list =
        is_size || location.quantity == Quantity::kNumber ? sizes : layouts;
    list.push_back({.location = location, .expr = dim.expr().canonical()});
  }
  void add(Location location, Type type) {  // NOLINT(misc-no-recursion): types can be nested
    if (type.is_tensor() && has_symbols(type)) {
      const auto add_all = [&](Quantity quantity, absl::Span<const Dim> dims) {
        location.quantity = quantity;
        for (location.dim = 0; location.dim < dims.size(); ++location.dim)
          add(location, dims[location.dim]);
        location.dim = 0;
      };
      if (type.has_rank()) {
        location.quantity = Quantity::kRank;
        add(location, Dim(type.rank()));
        add_all(Quantity::kSize, type.sizes());
      }
      if (type.has_rank() && type.has_strides()) add_all(Quantity::kStride, type.strides());
      location.quantity = Quantity::kOffset;
      add(location, type.offset());
    } else if (type.kind() == TypeKind::kInt && type.is_symbolic()) {
      location.quantity = Quantity::kNumber;
      add(location, Dim(type.expr()));
    }
    for (size_t i = 0; i < type.items().size(); ++i) {
      location.path.push_back(i);
      add(location, type.items()[i]);
      location.path.pop_back();
    }
  }
};

std::optional<int64_t> value_at(SymExpr expr, Symbol symbol, int64_t value, SymBindings& values) {
  values.insert_or_assign(symbol, SymValue(value));
  const absl::StatusOr<int64_t> result = eval_int(expr, values);
  values.erase(symbol);
  return result.ok() ? std::optional<int64_t>(*result) : std::nullopt;
}

/// Solves `equation` for its only symbol, if it has the form factor * symbol + offset.
bool solve_for_symbol(Equation& equation, Symbol symbol) {
  SymBindings none;
  const auto zero = value_at(equation.expr, symbol, 0, none),
             one = value_at(equation.expr, symbol, 1, none),
             large = value_at(equation.expr, symbol, 1001, none),
             odd = value_at(equation.expr, symbol, 7, none);
  if (!zero || !one || !large || !odd || *one == *zero) return false;
  const int64_t factor = *one - *zero;
  if (*large != *zero + 1001 * factor || *odd != *zero + 7 * factor) return false;
  equation.symbol = symbol;
  equation.factor = factor;
  equation.offset = *zero;
  return true;
}

SymExpr bound(SymExprTable& exprs, SymKind relation, SymExpr expr, int64_t value) {
  return exprs.compare(relation, expr, exprs.integer(value));
}

}  // namespace

std::string Location::str() const {
  std::string value = "%" + name;
  for (const size_t item : path) value += fmt::format("[{}]", item);
  switch (quantity) {
    case Quantity::kRank:
      return fmt::format("the rank of {}", value);
    case Quantity::kSize:
      return fmt::format("dimension {} of {}", dim, value);
    case Quantity::kStride:
      return fmt::format("the stride of dimension {} of {}", dim, value);
    case Quantity::kOffset:
      return fmt::format("the storage offset of {}", value);
    case Quantity::kNumber:
      break;
  }
  return value;
}

SizeChecks::SizeChecks(const Graph& graph) {
  add_equations(graph);
  if (equations_.empty()) return;
  for (const Graph& part : all_graphs(graph)) add_requirements(part);
  can_fail_ = !requirements_.empty() || !unsupported_guards_.empty() ||
              std::any_of(equations_.begin(), equations_.end(), [](const Equation& equation) {
                return !equation.symbol || equation.factor != 1 || equation.offset != 0;
              });
}

void SizeChecks::add_equations(const Graph& graph) {
  InputEquations input_equations{.exprs = graph.context().exprs()};
  size_t input = 0;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    const size_t number = input++;
    if (!node.type() || node.target().starts_with('*')) continue;
    input_equations.add(
        {.input = number, .path = {}, .quantity = Quantity::kSize, .dim = 0, .name = node.name()},
        node.type());
  }
  // An equation with one unsolved symbol determines the value of the symbol. An equation without
  // unsolved symbols is checked.
  absl::flat_hash_set<Symbol> bound;
  std::vector<Equation> candidates = std::move(input_equations.ranks);
  const auto append = [&](std::vector<Equation>& equations) {
    candidates.insert(candidates.end(), std::make_move_iterator(equations.begin()),
                      std::make_move_iterator(equations.end()));
  };
  append(input_equations.sizes);
  const size_t num_sizes = candidates.size();  // with ranks and numbers
  append(input_equations.layouts);
  std::vector<bool> done(candidates.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (done[i]) continue;
      std::vector<Symbol> open = free_symbols(candidates[i].expr);
      const bool has_one = open.size() == 1;
      std::erase_if(open, [&](Symbol symbol) { return bound.contains(symbol); });
      if (!open.empty() && !(has_one && solve_for_symbol(candidates[i], open[0]))) continue;
      done[i] = changed = true;
      // A stride or an offset is only used to determine the value of a symbol; otherwise, it is not
      // checked.
      if (open.empty() && i >= num_sizes) continue;
      if (!open.empty()) bound.insert(open[0]);
      equations_.push_back(candidates[i]);
    }
  }
}

const Location* SizeChecks::source(Symbol symbol) const {
  for (const Equation& equation : equations_)
    if (equation.symbol == symbol) return &equation.location;
  return nullptr;
}

void SizeChecks::add_requirements(const Graph& graph) {
  SymExprTable& exprs = graph.context().exprs();
  const auto add = [&](SymExpr relation, std::string text) {
    if (relation.kind() == SymKind::kBool && relation.int_value() != 0) return;
    const std::vector<Symbol> symbols = free_symbols(relation);
    const bool has_all = std::all_of(symbols.begin(), symbols.end(),
                                     [&](Symbol symbol) { return source(symbol) != nullptr; });
    const bool is_new = std::none_of(requirements_.begin(), requirements_.end(),
                                     [&](const Requirement& r) { return r.relation == relation; });
    if (has_all && is_new) requirements_.push_back({relation, std::move(text)});
  };
  absl::flat_hash_set<SymExpr> has_minimum;
  for (const SymbolRange& range : symbol_ranges(graph)) {
    if (range.min) {
      has_minimum.insert(range.expr);
      const SymExpr relation = bound(exprs, SymKind::kGe, range.expr, *range.min);
      add(relation, fmt::format("range {}", to_string(relation)));
    }
    if (range.max) {
      const SymExpr relation = bound(exprs, SymKind::kLe, range.expr, *range.max);
      add(relation, fmt::format("range {}", to_string(relation)));
    }
  }
  for (const SymExpr guard : guards_of(graph, &unsupported_guards_))
    add(guard, fmt::format("guard {}", to_string(guard)));
  // A symbol that is not determined by a size is assumed to be nonnegative, like a size, unless a
  // minimum is specified.
  for (size_t i = 0; i < equations_.size(); ++i) {
    const Equation& equation = equations_[i];
    if (!equation.symbol || equation.location.quantity == Quantity::kSize) continue;
    const SymExpr symbol = exprs.symbol(equation.symbol);
    if (has_minimum.contains(symbol)) continue;
    const SymExpr relation = bound(exprs, SymKind::kGe, symbol, 0);
    add(relation, fmt::format("guard {}", to_string(relation)));
  }
}

SymBindings SizeChecks::solve(
    absl::FunctionRef<std::optional<int64_t>(const Location& location)> value) const {
  SymBindings values;
  for (const Equation& equation : equations_) {
    if (!equation.symbol) continue;
    const std::optional<int64_t> found = value(equation.location);
    int64_t scaled = 0;
    if (!found || __builtin_sub_overflow(*found, equation.offset, &scaled) ||
        scaled % equation.factor != 0)
      continue;
    values.insert_or_assign(equation.symbol, SymValue(scaled / equation.factor));
  }
  return values;
}

absl::Status SizeChecks::check(
    absl::FunctionRef<std::optional<int64_t>(const Location& location)> value) const {
  if (!unsupported_guards_.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "the guard \"{}\" of the graph must be a relation between sizes", unsupported_guards_[0]));
  }
  SymBindings values;
  for (const Equation& equation : equations_) {
    const std::optional<int64_t> found = value(equation.location);
    if (!found) continue;
    int64_t scaled = 0;
    if (equation.symbol) {
      if (__builtin_sub_overflow(*found, equation.offset, &scaled) ||
          scaled % equation.factor != 0) {
        return absl::InvalidArgumentError(
            fmt::format("{} is {}, which is not {} for any {}", equation.location.str(), *found,
                        to_string(equation.expr), std::string(equation.symbol.str())));
      }
      values.insert_or_assign(equation.symbol, SymValue(scaled / equation.factor));
      continue;
    }
    const absl::StatusOr<int64_t> expected = eval_int(equation.expr, values);
    if (!expected.ok() || *expected == *found)
      continue;  // equal, or a symbol of a missing input has no value
    if (equation.expr.is_int()) {
      return absl::InvalidArgumentError(fmt::format("{} is {}, but its type specifies {}",
                                                    equation.location.str(), *found, *expected));
    }
    std::string reason;
    for (const Symbol symbol : free_symbols(equation.expr)) {
      reason +=
          fmt::format("{}{} is {} ({})", reason.empty() ? "" : ", ", std::string(symbol.str()),
                      values.at(symbol).int_value(), source(symbol)->str());
    }
    return absl::InvalidArgumentError(
        fmt::format("{} is {}, but its type specifies {}, which is {}: {}", equation.location.str(),
                    *found, to_string(equation.expr), *expected, reason));
  }
  for (const Requirement& requirement : requirements_)
    if (absl::Status status = check_requirement(requirement, values); !status.ok()) return status;
  return absl::OkStatus();
}

absl::Status SizeChecks::check_requirement(const Requirement& requirement,
                                           const SymBindings& values) const {
  std::string where;
  for (const Symbol symbol : free_symbols(requirement.relation)) {
    const auto found = values.find(symbol);
    if (found == values.end()) return absl::OkStatus();  // its input is missing
    where += fmt::format("{}{} is {} ({})", where.empty() ? "" : ", ", std::string(symbol.str()),
                         found->second.int_value(), source(symbol)->str());
  }
  const absl::StatusOr<bool> holds = eval_bool(requirement.relation, values);
  if (holds.ok() && *holds) return absl::OkStatus();
  if (!holds.ok()) {
    return absl::InvalidArgumentError(fmt::format("the {} of the graph cannot be evaluated: {}; {}",
                                                  requirement.text,
                                                  std::string(holds.status().message()), where));
  }
  return absl::InvalidArgumentError(
      fmt::format("the {} of the graph does not hold: {}", requirement.text, where));
}

}  // namespace fx
