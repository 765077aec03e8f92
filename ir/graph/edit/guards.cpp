// Guards of a graph: see guards.h.
#include "fx/ir/graph/edit/guards.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"

#include "absl/container/flat_hash_set.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace fx {
namespace {

constexpr std::string_view kGuards = "guards";
constexpr std::string_view kSymbols = "symbols";

/// The relation that an item of the list denotes; an empty SymExpr if it is not a relation.
SymExpr relation_of(Context& context, const Argument& item) {
  if (item.kind() == ArgumentKind::kSymbolic) return item.as_symbolic().canonical();
  if (!item.is_string()) return {};
  const absl::StatusOr<SymExpr> relation = context.exprs().parse(item.as_string());
  return relation.ok() ? relation->canonical() : SymExpr();
}

bool is_list(const std::optional<Argument>& value) {
  return value && (value->is_list() || value->is_tuple());
}

class SymbolCollector {
 public:
  void add(const Dim& dim) {
    if (dim.is_symbolic()) add(dim.expr());
  }
  void add(SymExpr expr) {
    if (!seen_.insert(expr).second) return;
    for (const Symbol symbol : free_symbols(expr)) symbols_.insert(symbol);
  }
  void add(Type type) {  // NOLINT(misc-no-recursion): types nest
    if (!type || !seen_types_.insert(type).second) return;
    if (type.is_tensor()) {
      for (const Dim& size : type.sizes()) add(size);
      for (const Dim& stride : type.strides()) add(stride);
      add(type.offset());
    }
    const bool is_number = type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool;
    if (is_number && type.is_symbolic()) add(type.expr());
    for (const Type item : type.items()) add(item);
  }

  void add(const Graph& graph) {
    Type last;
    for (const Node& node : graph.nodes()) {
      if (node.type() != last) add(node.type());
      last = node.type();
    }
  }

  std::vector<Symbol> sorted() const {
    std::vector<Symbol> symbols(symbols_.begin(), symbols_.end());
    std::ranges::sort(symbols, {}, [](Symbol symbol) { return symbol.str(); });
    return symbols;
  }
  bool has_all(SymExpr expr) const {
    const std::vector<Symbol> symbols = free_symbols(expr);
    return std::all_of(symbols.begin(), symbols.end(),
                       [this](Symbol symbol) { return symbols_.contains(symbol); });
  }

 private:
  absl::flat_hash_set<SymExpr> seen_;
  absl::flat_hash_set<Type> seen_types_;
  absl::flat_hash_set<Symbol> symbols_;
};

/// Returns true for None and for a tensor whose sizes, strides and offset are integers.
bool is_numeric(Type type) {
  const auto is_int = [](const Dim& dim) { return dim.is_int(); };
  return type.is_none() || (type.is_tensor() && std::ranges::all_of(type.sizes(), is_int) &&
                            std::ranges::all_of(type.strides(), is_int) && type.offset().is_int());
}

}  // namespace

std::vector<SymbolRange> symbol_ranges(const Graph& graph) {
  std::vector<SymbolRange> ranges;
  const std::optional<Argument> symbols = graph.meta(kSymbols);
  if (!symbols || !symbols->is_dict()) return ranges;
  for (size_t i = 0; i < symbols->size(); ++i) {
    const Argument& facts = (*symbols)[i];
    if (!facts.is_dict() || !symbols->key(i).is_string()) continue;
    const absl::StatusOr<SymExpr> expr = graph.context().exprs().parse(symbols->key(i).as_string());
    if (!expr.ok()) continue;
    SymbolRange range = {.expr = expr->canonical(), .min = std::nullopt, .max = std::nullopt};
    const Argument *min = facts.find("min"), *max = facts.find("max");
    if (min != nullptr && min->is_int()) range.min = min->as_int();
    if (max != nullptr && max->is_int()) range.max = max->as_int();
    ranges.push_back(range);
  }
  return ranges;
}

std::vector<SymExpr> guards_of(const Graph& graph, std::vector<std::string>* unread) {
  std::vector<SymExpr> guards;
  const std::optional<Argument> stated = graph.meta(kGuards);
  if (!is_list(stated)) return guards;
  for (size_t i = 0; i < stated->size(); ++i) {
    const SymExpr relation = relation_of(graph.context(), (*stated)[i]);
    if (relation && relation.value_kind() == SymValueKind::kBool) {
      guards.push_back(relation);
    } else if (unread != nullptr) {
      unread->push_back((*stated)[i].is_string() ? std::string((*stated)[i].as_string()) : "");
    }
  }
  return guards;
}

bool has_symbols(Type type) {
  if (!type || is_numeric(type)) return false;
  if (type.is_tuple() && std::ranges::all_of(type.items(), is_numeric)) return false;
  SymbolCollector used;
  used.add(type);
  return !used.sorted().empty();
}

std::vector<Symbol> symbols_of_types(const Graph& graph) {
  SymbolCollector used;
  used.add(graph);
  return used.sorted();
}

bool add_guards(Graph& graph, absl::Span<const SymExpr> guards) {
  if (guards.empty()) return false;
  const std::vector<SymExpr> stated = guards_of(graph);
  absl::flat_hash_set<SymExpr> seen(stated.begin(), stated.end());
  std::vector<Argument> all;
  if (const std::optional<Argument> old = graph.meta(kGuards); is_list(old))
    for (size_t i = 0; i < old->size(); ++i) all.push_back((*old)[i]);
  const size_t count = all.size();
  for (const SymExpr guard : guards)
    if (seen.insert(guard.canonical()).second) all.emplace_back(to_string(guard.canonical()));
  if (all.size() == count) return false;
  graph.set_meta(kGuards, Argument::list(all));
  return true;
}

void copy_guards(const Graph& whole, Graph& part) {
  const std::optional<Argument> symbols = whole.meta(kSymbols);
  const std::vector<SymExpr> guards = guards_of(whole);
  const bool has_ranges = symbols && symbols->is_dict() && symbols->size() > 0;
  if (!has_ranges && guards.empty()) return;
  SymbolCollector used;
  used.add(part);
  if (has_ranges) {
    std::vector<std::pair<Argument, Argument>> entries;
    const std::optional<Argument> existing = part.meta(kSymbols);
    absl::flat_hash_set<std::string> stated;
    if (existing && existing->is_dict()) {
      for (size_t i = 0; i < existing->size(); ++i) {
        entries.emplace_back(existing->key(i), (*existing)[i]);
        if (existing->key(i).is_string()) stated.emplace(existing->key(i).as_string());
      }
    }
    const size_t count = entries.size();
    for (size_t i = 0; i < symbols->size(); ++i) {
      if (!symbols->key(i).is_string()) continue;
      const absl::StatusOr<SymExpr> expr =
          whole.context().exprs().parse(symbols->key(i).as_string());
      if (expr.ok() && used.has_all(*expr) && stated.emplace(symbols->key(i).as_string()).second)
        entries.emplace_back(symbols->key(i), (*symbols)[i]);
    }
    if (entries.size() > count) part.set_meta(kSymbols, Argument::dict(entries));
  }
  std::vector<SymExpr> kept;
  for (const SymExpr guard : guards)
    if (used.has_all(guard)) kept.push_back(guard);
  add_guards(part, kept);
}

void replace_graph(Graph& graph, std::unique_ptr<Graph> from) {
  Graph assumptions(graph.context());
  for (const std::string_view key : {kSymbols, kGuards})
    if (const std::optional<Argument> value = from->meta(key)) assumptions.set_meta(key, *value);
  graph.replace_nodes(std::move(from));
  copy_guards(assumptions, graph);
}

}  // namespace fx
