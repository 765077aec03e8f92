// fxcpp shape --sweep: one graph at many sizes.
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/sym_expr.h"
#include "fx/passes/shape/check/shape_signatures.h"
#include "fx/passes/shape/compare_types.h"
#include "tools/command.h"
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
    return absl::InvalidArgumentError(fmt::format("--sweep {}: NAME=N,N,... expected", text));
  const std::string name = text.substr(0, equals);
  Sweep sweep;
  std::string known;
  for (Symbol symbol : symbols_of_sizes(graph)) {
    if (symbol.str() == name) sweep.symbol = symbol;
    known += (known.empty() ? "" : ", ") + std::string(symbol.str());
  }
  if (!sweep.symbol && name == "batch") sweep.symbol = first_dimension(graph);
  if (!sweep.symbol) {
    return absl::NotFoundError(
        fmt::format("--sweep {}: no input has a size {}; {}", text, name,
                    known.empty() ? "none is symbolic: state one, as in --input x='f32[s0, 3]'"
                                  : "there are " + known));
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
  TypeTable& types = graph.context().types();
  FX_ASSIGN_OR_RETURN(const Sweep sweep, parse_sweep(graph, text));
  const auto at = [&](Type type, int64_t value) {
    const absl::flat_hash_map<Symbol, SymExpr> replaced = {
        {sweep.symbol, graph.context().exprs().integer(value)}};
    return type ? types.substitute(type, replaced) : type;
  };
  std::vector<Signature> signatures;
  for (const int64_t value : sweep.values) {
    Signature& signature = signatures.emplace_back();
    for (Node* input : graph.find_nodes(Opcode::kPlaceholder))
      signature.push_back(at(input->type(), value));
  }
  FX_ASSIGN_OR_RETURN(const std::vector<SignatureTypes> results,
                      shape_prop_each(graph, signatures, {.threads = threads}));
  FX_ASSIGN_OR_RETURN(const SignatureTypes symbolic, shape_prop(graph, Signature{}));

  std::string out;
  ordered_json list = ordered_json::array();
  bool found = false;
  for (size_t i = 0; i < results.size(); ++i) {
    const SignatureTypes& result = results[i];
    const int64_t value = sweep.values[i];
    // A symbol may also occur among the arguments of calls.
    const auto type_at = [&](const Node& node) { return at(result.type(node), value); };
    std::vector<std::string> broken;  // violated guards of the symbolic types
    const SymBindings bindings = {{sweep.symbol, SymValue(value)}};
    for (SymExpr guard : symbolic.report.guards) {
      const auto holds = eval_bool(guard, bindings);
      if (holds.ok() && !*holds) broken.push_back(to_string(guard));
    }
    std::vector<Difference> different;
    size_t compared = 0;
    for (const Node& node : graph.nodes()) {
      if (!compare || !broken.empty() || node.op() != Opcode::kCallFunction) continue;
      ++compared;
      const Type expected = at(symbolic.type(node), value), got = type_at(node);
      if (!equal_types(expected, got)) different.push_back({&node, expected, got});
    }
    found = found || !different.empty() || !result.report.ok();
    if (json) {
      ordered_json nodes = ordered_json::array(), differences = ordered_json::array();
      for (const Node& node : graph.nodes()) {
        if (node.is_output()) continue;
        nodes.push_back({{"node", node.name()}, {"type", to_string(type_at(node))}});
      }
      for (const Difference& d : different) {
        differences.push_back({{"node", d.node->name()},
                               {"expected", to_string(d.symbolic)},
                               {"got", to_string(d.got)}});
      }
      list.push_back({{"value", value},
                      {"typed", result.report.typed},
                      {"unknown", result.report.unknown},
                      {"nanoseconds", result.nanoseconds},
                      {"findings", result.report.str()},
                      {"broken_guards", broken},
                      {"compared", compared},
                      {"different", std::move(differences)},
                      {"nodes", std::move(nodes)}});
      continue;
    }
    out += fmt::format("{} = {}: {} typed, {} unknown\n", std::string(sweep.symbol.str()), value,
                       result.report.typed, result.report.unknown);
    if (const Node* output = graph.output_node()) {
      for (const Node* returned : output->all_input_nodes())
        out += fmt::format("  {} : {}\n", returned->name(), to_string(type_at(*returned)));
    }
    for (const std::string& guard : broken)
      out += fmt::format("  the guard {} of the symbolic types does not hold\n", guard);
    for (const Difference& d : different) {
      out += fmt::format("  {} = {}\n    symbolic {}\n    at size  {}\n", d.node->name(),
                         d.node->target(), to_string(d.symbolic), to_string(d.got));
    }
    if (compare && broken.empty())
      out += fmt::format("  {} compared with the symbolic types, {} different\n", compared,
                         different.size());
    out += result.report.str();
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
