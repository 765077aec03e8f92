// fxcpp shape --sweep: infers the types of one graph for many sizes.
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/check/shape_signatures.h"
#include "fx/passes/shape/compare_types.h"
#include "tools/command.h"
#include "tools/json_keys.h"
#include "tools/sweep.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>

namespace fx::tools {
namespace {

using nlohmann::ordered_json;

struct Sweep {
  Symbol symbol;
  std::vector<int64_t> values;
};

Symbol first_dimension(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || !node.type().is_tensor() || node.type().rank() == 0) continue;
    const Dim& first = node.type().sizes()[0];
    if (first.is_symbolic() && first.expr().canonical().is_symbol())
      return first.expr().canonical().name();
  }
  return Symbol();
}

absl::StatusOr<Sweep> parse_sweep(const Graph& graph, const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    return absl::InvalidArgumentError(fmt::format("--sweep {}: expected NAME=N,N,...", text));
  const std::string name = text.substr(0, equals);
  Sweep sweep;
  std::string names;
  for (Symbol symbol : symbols_of_sizes(graph)) {
    if (symbol.str() == name) sweep.symbol = symbol;
    names += (names.empty() ? "" : ", ") + std::string(symbol.str());
  }
  if (!sweep.symbol && name == "batch") sweep.symbol = first_dimension(graph);
  if (!sweep.symbol) {
    return absl::NotFoundError(
        fmt::format("--sweep {}: no input has the size {}; {}", text, name,
                    names.empty() ? "no size is symbolic; specify one, as in --input x='f32[s0, 3]'"
                                  : "the symbols are " + names));
  }
  for (const absl::string_view part : absl::StrSplit(text.substr(equals + 1), ',')) {
    int64_t value = 0;
    if (!absl::SimpleAtoi(part, &value) || value < 0) {
      return absl::InvalidArgumentError(
          fmt::format("--sweep {}: {} is not a size", text, std::string(part)));
    }
    sweep.values.push_back(value);
  }
  return sweep;
}

struct Difference {
  const Node* node;
  Type symbolic, got;
};

/// The results for one value of the symbol.
struct SweepResult {
  int64_t value = 0;
  const SignatureTypes* types = nullptr;
  std::vector<std::string> violated = {};  // the guards of the symbolic types that do not hold
  std::vector<Difference> different = {};
  size_t compared = 0;
};

/// Compares the types for one value of the symbol with the symbolic types.
class SweepComparison {
 public:
  SweepComparison(const Graph& graph, Symbol symbol) : graph_(graph), symbol_(symbol) {}

  Type at(Type type, int64_t value) const {
    const absl::flat_hash_map<Symbol, SymExpr> replaced = {
        {symbol_, graph_.context().exprs().integer(value)}};
    return type ? graph_.context().types().substitute(type, replaced) : type;
  }
  /// Returns the type of a node at a size. The type may contain the symbol, because it can also
  /// occur in arguments of calls.
  Type type_at(const SweepResult& result, const Node& node) const {
    return at(result.types->type(node), result.value);
  }

  std::vector<std::string> violated_guards(const SignatureTypes& symbolic, int64_t value) const {
    std::vector<std::string> violated;
    const SymBindings bindings = {{symbol_, SymValue(value)}};
    for (SymExpr guard : symbolic.report.guards) {
      const auto holds = eval_bool(guard, bindings);
      if (holds.ok() && !*holds) violated.push_back(to_string(guard));
    }
    const SymRange range = ShapeEnv(graph_).range(symbol_);
    const std::string name(symbol_.str());
    if (range.min && value < *range.min)
      violated.push_back(fmt::format("{} >= {}", name, *range.min));
    if (range.max && value > *range.max)
      violated.push_back(fmt::format("{} <= {}", name, *range.max));
    return violated;
  }

  void compare(const SignatureTypes& symbolic, SweepResult& result) const {
    for (const Node& node : graph_.nodes()) {
      if (!node.is_call()) continue;
      ++result.compared;
      const Type expected = at(symbolic.type(node), result.value), got = type_at(result, node);
      if (!equal_types(expected, got)) result.different.push_back({&node, expected, got});
    }
  }

  ordered_json json_of(const SweepResult& result) const {
    ordered_json nodes = ordered_json::array(), differences = ordered_json::array();
    for (const Node& node : graph_.nodes()) {
      if (node.is_output()) continue;
      nodes.push_back({{"node", node.name()}, {"type", type_json(type_at(result, node))}});
    }
    for (const Difference& d : result.different) {
      differences.push_back({{"node", d.node->name()},
                             {"expected", to_string(d.symbolic)},
                             {"got", to_string(d.got)}});
    }
    return {{"value", result.value},
            {"typed", result.types->report.typed},
            {"unknown", result.types->report.unknown},
            {"nanoseconds", result.types->nanoseconds},
            {"findings", findings_json(result.types->report)},
            {"broken_guards", result.violated},
            {"compared", result.compared},
            {"different", std::move(differences)},
            {"nodes", std::move(nodes)}};
  }

  std::string text_of(const SweepResult& result, bool compare) const {
    std::string out =
        fmt::format("{} = {}: {} typed, {} unknown\n", std::string(symbol_.str()), result.value,
                    result.types->report.typed, result.types->report.unknown);
    if (const Node* output = graph_.output_node()) {
      for (const Node* returned : output->all_input_nodes()) {
        out += fmt::format("  {} : {}\n", returned->name(), to_string(type_at(result, *returned)));
      }
    }
    for (const std::string& guard : result.violated)
      out += fmt::format("  the guard {} of the symbolic types does not hold\n", guard);
    for (const Difference& d : result.different) {
      out += fmt::format("  {} = {}\n    symbolic {}\n    at size  {}\n", d.node->name(),
                         d.node->target(), to_string(d.symbolic), to_string(d.got));
    }
    if (compare && result.violated.empty())
      out += fmt::format("  {} compared with the symbolic types, {} different\n", result.compared,
                         result.different.size());
    return out + result.types->report.str();
  }

 private:
  const Graph& graph_;
  Symbol symbol_;
};

}  // namespace

std::vector<Symbol> symbols_of_sizes(const Graph& graph, SymbolsOf which) {
  std::vector<Symbol> symbols;
  absl::flat_hash_set<Symbol> seen;
  const auto add = [&](SymExpr expr) {
    for (Symbol s : free_symbols(expr))
      if (seen.insert(s).second) symbols.push_back(s);
  };
  for (const Node& node : graph.nodes()) {
    const Type type = node.type();
    if (!type || (which == SymbolsOf::kInputs && !node.is_placeholder())) continue;
    if (type.kind() == TypeKind::kInt && type.is_symbolic()) add(type.expr());
    if (!type.is_tensor()) continue;
    for (const Dim& size : type.sizes())
      if (size.is_symbolic()) add(size.expr());
  }
  return symbols;
}

absl::StatusOr<int> print_sweep(const Graph& graph, const std::string& text, int threads,
                                bool compare, bool json) {
  FX_ASSIGN_OR_RETURN(const Sweep sweep, parse_sweep(graph, text));
  const SweepComparison comparison(graph, sweep.symbol);
  std::vector<Signature> signatures;
  for (const int64_t value : sweep.values) {
    Signature& signature = signatures.emplace_back();
    for (Node* input : graph.find_nodes(Opcode::kPlaceholder))
      signature.push_back(comparison.at(input->type(), value));
  }
  FX_ASSIGN_OR_RETURN(
      const std::vector<SignatureTypes> results,
      shape_prop_each(graph, signatures, {.other_call = type_by_lowering, .threads = threads}));
  FX_ASSIGN_OR_RETURN(const SignatureTypes symbolic,
                      shape_prop(graph, Signature{}, {.other_call = type_by_lowering}));

  std::string out;
  ordered_json list = ordered_json::array();
  bool found = false;
  for (size_t i = 0; i < results.size(); ++i) {
    SweepResult result = {.value = sweep.values[i], .types = &results[i]};
    result.violated = comparison.violated_guards(symbolic, result.value);
    if (compare && result.violated.empty()) comparison.compare(symbolic, result);
    found = found || !result.different.empty() || !result.types->report.ok();
    if (json) {
      list.push_back(comparison.json_of(result));
    } else {
      out += comparison.text_of(result, compare);
    }
  }
  if (json) {
    out =
        ordered_json{{"symbol", std::string(sweep.symbol.str())}, {"values", std::move(list)}}.dump(
            1, ' ', false, ordered_json::error_handler_t::replace) +
        "\n";
  }
  FX_RETURN_IF_ERROR(write_file("-", out));
  return found ? kFound : kDone;
}

}  // namespace fx::tools
