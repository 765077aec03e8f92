// Symbols of sizes and offsets that depend on data: see propagation_internal.h. A node that is
// typed again keeps its symbols, so that two propagations of a graph have the same result.
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/passes/shape/propagation_internal.h"
#include "fx/passes/shape/type_call.h"

#include "absl/functional/function_ref.h"
#include "absl/strings/ascii.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fx {

bool is_data_symbol(Symbol symbol) {
  std::string_view digits = symbol.str();
  if (!digits.starts_with('u')) return false;
  digits.remove_prefix(1);
  return !digits.empty() && std::ranges::all_of(digits, absl::ascii_isdigit);
}

bool depends_on_data(const Dim& dim) {
  return dim.is_symbolic() && std::ranges::any_of(free_symbols(dim.expr()), is_data_symbol);
}

bool TypeCall::is_unknown_index(const Dim& index, const Dim& size) {
  return depends_on_data(index) &&
         !(known_less_equal(0, index) && known_less_equal(index + 1, size));
}

bool TypeCall::is_unknown_sign(const Dim& number) {
  return depends_on_data(number) && !known_less_equal(0, number);
}

namespace {

/// Calls `f` with the sizes, strides, offsets and symbolic numbers of a type and its items.
void for_each_dim(Type type, absl::FunctionRef<void(const Dim&)> f) {  // NOLINT(misc-no-recursion)
  if (type.is_tensor()) {
    for (const Dim& size : type.sizes()) f(size);
    for (const Dim& stride : type.strides()) f(stride);
    f(type.offset());
  }
  const bool is_number = type.kind() >= TypeKind::kInt && type.kind() <= TypeKind::kBool;
  if (is_number && type.is_symbolic()) f(Dim(type.expr()));
  for (const Type item : type.items()) for_each_dim(item, f);
}

/// Returns the symbol if the size is a single symbol that depends on data; else null.
Symbol data_symbol_of(const Dim& dim) {
  const bool is_one =
      dim.is_symbolic() && dim.expr().is_symbol() && is_data_symbol(dim.expr().name());
  return is_one ? dim.expr().name() : Symbol();
}

bool uses_data_symbols(const Graph& graph) {
  return std::ranges::any_of(symbols_of_types(graph), is_data_symbol);
}

}  // namespace

/// Prevents the environment from creating symbols that the types of the graph use. The first call
/// returns true if the types use such symbols; later calls return false.
bool Propagation::avoid_symbols() {
  if (std::exchange(avoids_symbols_, true)) return false;
  bool are_used = false;
  for (const Graph& part : all_graphs(*root_)) are_used = are_used || uses_data_symbols(part);
  if (are_used) env_.avoid_symbols_of(*root_);
  for (const Node& node : root_->nodes()) {
    if (!node.is_placeholder()) continue;
    for_each_dim(node.type(), [&](const Dim& dim) {
      if (!dim.is_symbolic()) return;
      for (const Symbol used : free_symbols(dim.expr())) producers_.emplace(used, nullptr);
    });
  }
  return are_used;
}

/// Records the node that introduces a symbol. Returns false if a different node introduces it.
bool Propagation::take(Symbol symbol, const Node& producer) {
  avoid_symbols();
  return producers_.emplace(symbol, &producer).first->second == &producer;
}

/// Returns the recorded type of the call if it differs from `type` only in the names of new
/// symbols; else `type`.
Type Propagation::with_old_symbols(const Node& call, Type type, size_t num_guards) {
  const Type old = call.type();
  if (!type) return type;
  std::vector<Dim> before, after;
  for_each_dim(old, [&](const Dim& dim) { before.push_back(dim); });
  for_each_dim(type, [&](const Dim& dim) { after.push_back(dim); });
  absl::flat_hash_map<Symbol, SymExpr> names;
  absl::flat_hash_set<Symbol> known;
  bool is_same = old && before.size() == after.size() && env_.guards().size() == num_guards;
  for (size_t i = 0; i < after.size(); ++i) {
    const Symbol created = data_symbol_of(after[i]);
    if (!created || producers_.contains(created)) continue;
    const Symbol old_symbol = is_same ? data_symbol_of(before[i]) : Symbol();
    if (names.contains(created)) continue;
    is_same = old_symbol && known.insert(old_symbol).second;
    names.emplace(created, is_same ? before[i].expr() : after[i].expr());
  }
  if (is_same) {
    TypeTable& types = call.context().types();
    is_same = types.canonical(types.substitute(type, names)) == types.canonical(old) &&
              std::ranges::all_of(known, [&](Symbol symbol) { return take(symbol, call); });
  }
  if (is_same) return old;
  for (const auto& [created, name] : names) take(created, call);
  return type;
}

/// Returns the type of a call that runs graphs. Replaces symbols that depend on data in these
/// graphs with new symbols if a different call returns the same symbols, since the sizes differ
/// between calls.
Type Propagation::with_distinct_symbols(const Node& call, Type type) {
  std::vector<Symbol> symbols;
  const auto add = [&](const Dim& dim) {
    if (!dim.is_symbolic()) return;
    for (const Symbol used : free_symbols(dim.expr()))
      if (is_data_symbol(used)) symbols.push_back(used);
  };
  for_each_dim(type, add);
  if (symbols.empty()) return type;
  const std::vector<Symbol> returned = std::exchange(symbols, {});
  call.for_each_input([&](const Node* input) { for_each_dim(input->type(), add); });
  absl::flat_hash_map<Symbol, SymExpr> names;
  for (const Symbol symbol : returned) {
    if (std::ranges::find(symbols, symbol) != symbols.end()) continue;  // of an operand
    const auto owner = returned_.try_emplace({&call.graph(), symbol}, &call).first;
    if (owner->second == &call || names.contains(symbol)) continue;
    avoid_symbols();
    names.emplace(symbol, env_.fresh_size(env_.range(symbol)).expr());
  }
  if (names.empty()) return type;
  return with_old_symbols(call, context_.types().substitute(type, names), env_.guards().size());
}

/// Returns the type of a slice of `sequence` along dimension 0, which a step of a loop receives as
/// `input`; null if the type is unknown. Each step receives a different slice. Unless all slices
/// have the same offset, the offset is a symbol that only the step uses.
Type Propagation::step_slice(Type sequence, const Node* input) {
  if (!sequence.is_tensor() || (sequence.has_rank() && sequence.rank() == 0)) return Type();
  TypeTable& types = context_.types();
  TensorSpec slice = sequence.spec();
  if (!sequence.has_rank()) return types.tensor(slice);
  slice.sizes.remove_prefix(1);
  if (!sequence.has_strides()) {
    slice.strides = StrideSpec::unknown();
    slice.offset = Dim(0);
    return types.tensor(slice);
  }
  slice.strides = StrideSpec(sequence.strides().subspan(1));
  if (sequence.size(0) == Dim(1) || sequence.stride(0) == Dim(0)) return types.tensor(slice);
  const Type old = input == nullptr ? Type() : input->type();
  const Symbol known = old.is_tensor() ? data_symbol_of(old.offset()) : Symbol();
  if (known) {
    slice.offset = old.offset();
    const Type type = types.tensor(slice);
    if (types.canonical(type) == types.canonical(old) && take(known, *input)) return old;
  }
  avoid_symbols();
  slice.offset = env_.fresh_size();
  if (input != nullptr) take(data_symbol_of(slice.offset), *input);
  return types.tensor(slice);
}

}  // namespace fx
