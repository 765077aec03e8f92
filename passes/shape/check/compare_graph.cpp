// Compares native with recorded types: see compare_graph.h.
#include "fx/passes/shape/check/compare_graph.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/propagation_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

#include <algorithm>
#include <random>

namespace fx {
namespace {

using Substitution = absl::flat_hash_map<Symbol, SymExpr>;

void collect_symbols(Type type, absl::flat_hash_set<Symbol>& symbols) {
  const auto add = [&](const Dim& dim) {
    if (dim.is_symbolic())
      for (Symbol s : free_symbols(dim.expr())) symbols.insert(s);
  };
  if (type.is_tensor()) {
    for (const Dim& d : type.sizes()) add(d);
    for (const Dim& d : type.strides()) add(d);
    add(type.offset());
  }
  const bool is_number = type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool;
  if (is_number && type.is_symbolic())
    for (Symbol s : free_symbols(type.expr())) symbols.insert(s);
  for (Type item : type.items()) collect_symbols(item, symbols);
}

/// Generates sizes that satisfy the ranges and guards of a graph.
class Samples {
 public:
  static constexpr size_t kCount = 5;

  Samples(const Graph& graph, const absl::flat_hash_set<Symbol>& used, size_t count = kCount)
      : context_(graph.context()) {
    ShapeEnv env(context_);
    env.set_ranges_of(graph);
    read_guards(graph);
    std::vector<Symbol> symbols(used.begin(), used.end());
    for (SymExpr guard : guards_)
      for (Symbol s : free_symbols(guard)) symbols.push_back(s);
    std::sort(symbols.begin(), symbols.end(), [](Symbol a, Symbol b) { return a.str() < b.str(); });
    symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
    std::mt19937 random(1);
    for (int attempt = 0; attempt < 5000 && bindings_.size() < count; ++attempt) {
      SymBindings values;
      // Uses multiples of powers of two, since guards often require divisible sizes.
      const int64_t unit = int64_t{1} << attempt % 4;
      for (Symbol s : symbols) {
        if (equal_.contains(s)) continue;
        const SymRange range = env.range(s);
        const int64_t low = range.min.value_or(2), high = range.max.value_or(low + 62);
        std::uniform_int_distribution<int64_t> pick(low, std::max(low, high));
        const int64_t value = pick(random);
        values.insert_or_assign(s, SymValue(std::max(low, value - value % unit)));
      }
      if (complete(values, symbols)) bindings_.push_back(std::move(values));
    }
  }

  const std::vector<SymBindings>& bindings() const { return bindings_; }

 private:
  void read_guards(const Graph& graph) {
    const auto guards = graph.meta("guards");
    if (!guards || !guards->is_list()) return;
    for (size_t i = 0; i < guards->size(); ++i) {
      if (!(*guards)[i].is_string()) continue;
      const auto guard = context_.exprs().parse((*guards)[i].as_string());
      if (!guard.ok()) continue;
      guards_.push_back(guard->canonical());
      const SymExpr relation = guards_.back();
      if (relation.kind() != SymKind::kEq) continue;
      for (size_t side : {size_t{1}, size_t{0}}) {
        const SymExpr symbol = relation.args()[side], value = relation.args()[1 - side];
        if (!symbol.is_symbol() || equal_.contains(symbol.name())) continue;
        const std::vector<Symbol> inputs = free_symbols(value);  // skips s == 4*(s//4)
        if (std::find(inputs.begin(), inputs.end(), symbol.name()) != inputs.end()) continue;
        equal_[symbol.name()] = value;
        break;
      }
    }
  }

  /// Evaluates the symbols that a guard equates with an expression. Returns false if a guard does
  /// not hold.
  bool complete(SymBindings& values, const std::vector<Symbol>& symbols) const {
    for (size_t round = 0; round <= equal_.size(); ++round) {
      for (Symbol s : symbols) {
        if (values.contains(s) || !equal_.contains(s)) continue;
        if (const auto value = eval_int(equal_.at(s), values); value.ok())
          values.insert_or_assign(s, SymValue(*value));
      }
    }
    for (SymExpr guard : guards_) {
      const auto holds = eval_bool(guard, values);
      if (!holds.ok() || !*holds) return false;
    }
    return true;
  }

  Context& context_;
  std::vector<SymExpr> guards_;
  Substitution equal_;
  std::vector<SymBindings> bindings_;
};

bool same_dim(const Dim& a, const Dim& b, const SymBindings& values) {
  if (same_value(a, b)) return true;
  const auto x = eval_int(a, values), y = eval_int(b, values);
  return x.ok() && y.ok() && *x == *y;
}

bool equal_tensors_at(Type a, Type b, const SymBindings& values) {
  if (a.dtype() != b.dtype() || a.device() != b.device() || a.rank() != b.rank() ||
      a.has_strides() != b.has_strides() || !same_dim(a.offset(), b.offset(), values))
    return false;
  for (size_t i = 0; i < a.sizes().size(); ++i) {
    if (!same_dim(a.sizes()[i], b.sizes()[i], values)) return false;
    const auto size = eval_int(a.sizes()[i], values);
    if (a.has_strides() && size.ok() && *size > 1 &&
        !same_dim(a.strides()[i], b.strides()[i], values))
      return false;
  }
  return true;
}

/// Returns the value of a type of numbers at these sizes, or an error if it is unknown.
absl::StatusOr<SymValue> number_at(Type type, const SymBindings& values) {
  if (type.is_symbolic()) return evaluate(type.expr(), values);
  if (!type.is_constant()) return absl::InvalidArgumentError("unknown");
  if (type.kind() == TypeKind::kInt) return SymValue(type.int_value());
  if (type.kind() == TypeKind::kBool) return SymValue(type.bool_value());
  return SymValue(type.float_value());
}

bool equal_at(Type a, Type b, const SymBindings& values) {
  if (equal_types(a, b)) return true;
  if (!a || !b) return false;
  if (a.is_tensor() && b.is_tensor()) return equal_tensors_at(a, b, values);
  if (!a.items().empty() || !b.items().empty()) {
    if (a.items().size() != b.items().size()) return false;
    for (size_t i = 0; i < a.items().size(); ++i)
      if (!equal_at(a.items()[i], b.items()[i], values)) return false;
    return true;
  }
  if (a.kind() != b.kind() || a.kind() < TypeKind::kInt || a.kind() > TypeKind::kBool) return false;
  if (!a.is_constant() && !a.is_symbolic()) return true;  // any number of this kind is expected
  const auto x = number_at(a, values), y = number_at(b, values);
  return x.ok() && y.ok() && x->as_float() == y->as_float();
}

void bind_symbol(const Dim& recorded, const Dim& got, SymBindings& sizes) {
  if (!recorded.is_symbolic() || !got.is_int()) return;
  const SymExpr expr = recorded.expr().canonical();
  if (expr.is_symbol()) sizes.try_emplace(expr.name(), SymValue(got.value()));
}

void bind_symbols(Type recorded, Type got, SymBindings& sizes) {
  if (recorded.is_tensor() && got.is_tensor()) {
    for (size_t i = 0; i < recorded.sizes().size() && i < got.sizes().size(); ++i)
      bind_symbol(recorded.sizes()[i], got.sizes()[i], sizes);
  } else if (recorded.kind() == TypeKind::kInt && got.kind() == TypeKind::kInt &&
             recorded.is_symbolic() && got.is_constant()) {
    bind_symbol(Dim(recorded.expr()), Dim(got.int_value()), sizes);
  }
  for (size_t i = 0; i < recorded.items().size() && i < got.items().size(); ++i)
    bind_symbols(recorded.items()[i], got.items()[i], sizes);
}

absl::flat_hash_set<Symbol> symbols_of_inputs(const Graph& graph) {
  absl::flat_hash_set<Symbol> symbols;
  for (const Node& node : graph.nodes())
    if (node.is_placeholder() || node.op() == Opcode::kGetAttr)
      collect_symbols(node.type(), symbols);
  return symbols;
}

void compare(const Graph& recorded, const Graph& native, GraphComparison& result) {
  auto other = native.nodes().begin();
  std::vector<TypeDifference> undecided;
  absl::flat_hash_set<Symbol> symbols;
  SymBindings from_data;  // the first recorded value of each size that depends on data
  for (const Node& node : recorded.nodes()) {
    const Node& counterpart = *other;
    ++other;
    ++result.nodes;
    if (!node.is_call() || !node.type()) continue;
    ++result.compared;
    if (equal_types(node.type(), counterpart.type())) continue;
    undecided.push_back({&node, node.type(), counterpart.type()});
    collect_symbols(node.type(), symbols);
    collect_symbols(counterpart.type(), symbols);
    bind_symbols(counterpart.type(), node.type(), from_data);
  }
  if (!undecided.empty()) {
    for (const Symbol s : symbols_of_inputs(recorded)) from_data.erase(s);
    result.sizes_from_data += from_data.size();
    const Samples samples(recorded, symbols);
    for (const TypeDifference& d : undecided) {
      const bool equal = samples.bindings().size() == Samples::kCount && d.got &&
                         std::all_of(samples.bindings().begin(), samples.bindings().end(),
                                     [&](SymBindings values) {
                                       for (const auto& [symbol, value] : from_data)
                                         values.insert_or_assign(symbol, value);
                                       return equal_at(d.expected, d.got, values);
                                     });
      if (!equal) result.different.push_back(d);
    }
  }
}

}  // namespace

GraphComparison compare_with_recorded(const Graph& graph, const PropagateOptions& options) {
  const std::unique_ptr<Graph> native = graph.clone();
  native->set_owning_module(graph.owning_module());
  GraphComparison result;
  {
    const Step step("infer types");
    result.report = propagate_types(*native, options);
  }
  name_originals(result.report, *native, graph);
  for_each_graph_pair(graph, *native, [&](const Graph& recorded, const Graph& typed) {
    compare(recorded, typed, result);
  });
  return result;
}

// ---------------------------------------------------------------- at given sizes

namespace {

/// Returns the hints in the metadata `symbols`.
SymBindings hints_of(const Graph& graph) {
  SymBindings sizes;
  const auto symbols = graph.meta("symbols");
  if (!symbols || !symbols->is_dict()) return sizes;
  for (size_t i = 0; i < symbols->size(); ++i) {
    const Argument& facts = (*symbols)[i];
    if (!facts.is_dict() || !symbols->key(i).is_string()) continue;
    for (size_t k = 0; k < facts.size(); ++k) {
      if (facts.key(k) == Argument("hint") && facts[k].is_int())
        sizes.insert_or_assign(graph.context().symbol(symbols->key(i).as_string()),
                               SymValue(facts[k].as_int()));
    }
  }
  return sizes;
}

/// Returns the type with every expression evaluated. Returns an error if a symbol has no value.
absl::StatusOr<Type> type_at(TypeTable& types, Type type, const SymBindings& sizes) {
  if (type.is_tensor() && type.has_rank()) {
    TensorSpec spec = type.spec();
    DimVector dims, strides;
    for (const Dim& size : type.sizes()) {
      FX_ASSIGN_OR_RETURN(const int64_t value, eval_int(size, sizes));
      dims.push_back(value);
    }
    for (const Dim& stride : type.strides()) {
      FX_ASSIGN_OR_RETURN(const int64_t value, eval_int(stride, sizes));
      strides.push_back(value);
    }
    FX_ASSIGN_OR_RETURN(const int64_t offset, eval_int(type.offset(), sizes));
    spec.sizes = dims;
    if (type.has_strides()) spec.strides = strides;
    spec.offset = offset;
    return types.tensor(spec);
  }
  if (type.kind() == TypeKind::kInt && type.is_symbolic()) {
    FX_ASSIGN_OR_RETURN(const SymValue value, evaluate(type.expr(), sizes));
    return types.integer(static_cast<int64_t>(value.as_float()));
  }
  if (type.kind() == TypeKind::kFloat && type.is_symbolic()) {
    FX_ASSIGN_OR_RETURN(const SymValue value, evaluate(type.expr(), sizes));
    return types.floating(value.as_float());
  }
  return type;
}

void compare_at(const Graph& recorded, const Graph& typed, bool nested, SymBindings& sizes,
                GraphComparison& result) {
  auto other = typed.nodes().begin();
  for (const Node& node : recorded.nodes()) {
    const Node& counterpart = *other;
    ++other;
    ++result.nodes;
    bind_symbols(node.type(), counterpart.type(), sizes);
    if (!node.is_call() || !node.type()) continue;
    if (nested && !counterpart.type()) continue;
    ++result.compared;
    if (!equal_at(node.type(), counterpart.type(), sizes))
      result.different.push_back({&node, node.type(), counterpart.type()});
  }
}

}  // namespace

std::vector<SymBindings> other_sizes(const Graph& graph, size_t count) {
  const absl::flat_hash_set<Symbol> symbols = symbols_of_inputs(graph);
  const SymBindings hints = hints_of(graph);
  const auto is_hint = [&](const SymBindings& sizes) {
    return std::all_of(symbols.begin(), symbols.end(), [&](Symbol s) {
      return hints.contains(s) && sizes.contains(s) &&
             hints.at(s).as_float() == sizes.at(s).as_float();
    });
  };
  std::vector<SymBindings> result;
  const Samples samples(graph, symbols, 8 * count);  // samples may repeat
  for (const SymBindings& sizes : samples.bindings()) {
    const auto same = [&](const SymBindings& other) {
      return std::all_of(symbols.begin(), symbols.end(), [&](Symbol s) {
        return sizes.at(s).as_float() == other.at(s).as_float();
      });
    };
    if (is_hint(sizes) || std::any_of(result.begin(), result.end(), same)) continue;
    if (result.size() < count) result.push_back(sizes);
  }
  return result;
}

absl::StatusOr<SymBindings> example_sizes(const Graph& graph) {
  const absl::flat_hash_set<Symbol> symbols = symbols_of_inputs(graph);
  SymBindings sizes = hints_of(graph);
  if (std::all_of(symbols.begin(), symbols.end(), [&](Symbol s) { return sizes.contains(s); }))
    return sizes;
  const Samples samples(graph, symbols);
  if (samples.bindings().empty())
    return absl::FailedPreconditionError(
        "cannot find sizes that satisfy the graph's ranges and guards");
  return samples.bindings().front();
}

absl::Status set_input_sizes(Graph& graph, const SymBindings& sizes) {
  for (Node& node : graph.nodes()) {
    if (!node.is_placeholder() && node.op() != Opcode::kGetAttr) continue;
    absl::StatusOr<Type> type = type_at(graph.context().types(), node.type(), sizes);
    if (!type.ok()) return with_context(type.status(), describe(node));
    if (*type != node.type()) node.set_type(*type);
  }
  return absl::OkStatus();
}

GraphComparison compare_graph_types(const Graph& recorded, const Graph& typed, SymBindings sizes) {
  GraphComparison result;
  for_each_graph_pair(recorded, typed, [&](const Graph& a, const Graph& b) {
    compare_at(a, b, /*nested=*/&a != &recorded, sizes, result);
  });
  return result;
}

}  // namespace fx
