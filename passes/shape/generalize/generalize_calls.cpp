// Merges the arguments of the calls of all graphs, and infers their symbolic types.
#include "fx/interp/graph_guards.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"
#include "fx/passes/shape/generalize/generalizer_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace fx {
namespace {

std::string text_of(const Argument& argument) {
  if (argument.is_int()) return fmt::format("{}", argument.as_int());
  if (argument.is_float()) return fmt::format("{}", argument.as_float());
  if (argument.is_bool()) return argument.as_bool() ? "True" : "False";
  if (const Node* node = argument.node()) return fmt::format("%{}", node->name());
  return std::string(argument_kind_name(argument.kind()));
}

}  // namespace

Type with_requires_grad(TypeTable& types, Type symbolic, Type recorded) {
  if (symbolic.is_tensor() && recorded.is_tensor()) {
    TensorSpec spec = symbolic.spec();
    spec.requires_grad = recorded.requires_grad();
    return types.tensor(spec);
  }
  if (symbolic.items().empty() || symbolic.items().size() != recorded.items().size())
    return symbolic;
  std::vector<Type> items;
  for (size_t i = 0; i < symbolic.items().size(); ++i)
    items.push_back(with_requires_grad(types, symbolic.items()[i], recorded.items()[i]));
  return types.with_items(symbolic, items);
}

// ---- arguments

/// Returns the name in messages of the argument at position_.
std::string Generalizer::argument_name(const Node& call) const {
  if (call.is_output()) return "result";
  return position_ < call.num_args()
             ? fmt::format("{}", position_)
             : std::string(call.kwarg_name(position_ - call.num_args()).str());
}

/// True if `b`, an argument in graph `run`, is equal to `a` of the first graph.
bool Generalizer::same(  // NOLINT(misc-no-recursion): as arguments nest
    const ArgumentRef& a, const ArgumentRef& b, size_t run) const {
  if (a.kind() != b.kind()) return false;
  if (a.is_node()) return counterpart(*b.as_node(), run) == a.as_node();
  if (!a.is_list() && !a.is_tuple()) return Argument(a) == Argument(b);
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (!same(a[i], b[i], run)) return false;
  return true;
}

absl::StatusOr<Argument> Generalizer::merge_number(const Nodes& nodes,
                                                   const std::vector<Argument>& values,
                                                   std::vector<Unknown>& unknowns) {
  const auto all = [&](bool (Argument::*is)() const) {
    return std::all_of(values.begin(), values.end(), [&](const Argument& v) { return (v.*is)(); });
  };
  if (all(&Argument::is_int)) {
    Unknown unknown;
    unknown.values.resize(values.size());
    std::ranges::transform(values, unknown.values.begin(), &Argument::as_int);
    if (const SymExpr known = fit_.occurred(unknown.values)) {
      unknown.choices = {known};
    } else {
      unknown.choices = fit_.integers(unknown.values);
      unknown.searched = true;
    }
    if (!unknown.choices.empty()) {
      unknown.is_certain = fit_.is_certain(unknown.choices[0]);
      fit_.add(unknown.choices[0]);  // other arguments may be functions of it
      unknowns.push_back(std::move(unknown));
      return Argument(unknowns.back().choices[0]);
    }
  } else if (all(&Argument::is_float)) {
    std::vector<double> numbers(values.size());
    std::ranges::transform(values, numbers.begin(), &Argument::as_float);
    const std::optional<FloatOfSize> found = fit_.floating(numbers);
    if (found && argument_of_call(*nodes[0], position_).kind() == ArgumentKind::kFloat) {
      numbers_.add(*nodes[0], position_, *found);
      return values[0];
    }
  }
  size_t r = 1;
  while (values[r] == values[0]) ++r;
  if (all(&Argument::is_int) || all(&Argument::is_float)) {
    return absl::InvalidArgumentError(
        fmt::format("{}: argument \"{}\" is {} with {}, and {} with {}: it is not a simple "
                    "function of the sizes, "
                    "and must be an input of the program",
                    describe(*nodes[0]), argument_name(*nodes[0]), text_of(values[0]),
                    sizes_text(sizes_[0]), text_of(values[r]), sizes_text(sizes_[r])));
  }
  return differ(nodes, r,
                fmt::format("has the argument \"{}\" = {}, but {}", argument_name(*nodes[0]),
                            text_of(values[0]), text_of(values[r])));
}

/// Merges the arguments of all graphs into one argument.
absl::StatusOr<Argument> Generalizer::merge(  // NOLINT(misc-no-recursion): as arguments nest
    const Nodes& nodes, const std::vector<Argument>& values, std::vector<Unknown>& unknowns) {
  const Argument& first = values[0];
  if (std::all_of(values.begin(), values.end(), [&](const Argument& v) { return v == first; }))
    return first;
  if (is_number_input(first.node()) &&
      std::all_of(values.begin() + 1, values.end(),
                  [](const Argument& v) { return v.is_int() || v.is_float(); }))
    return first;
  if (first.is_node() || is_aggregate(first.kind())) {
    for (size_t r = 1; r < values.size(); ++r) {
      if (values[r].kind() != first.kind() || values[r].size() != first.size()) {
        return differ(nodes, r,
                      fmt::format("has a different argument \"{}\"", argument_name(*nodes[0])));
      }
      if (first.is_node() && counterpart(*values[r].as_node(), r) != first.as_node()) {
        return differ(nodes, r,
                      fmt::format("has the argument \"{}\" = {}, but a different value",
                                  argument_name(*nodes[0]), text_of(first)));
      }
    }
    if (first.is_node()) return first;
    std::vector<Argument> items;
    items.reserve(first.size());
    for (size_t i = 0; i < first.size(); ++i) {
      std::vector<Argument> of_item;
      of_item.reserve(values.size());
      for (const Argument& value : values) of_item.push_back(value[i]);
      FX_ASSIGN_OR_RETURN(Argument item, merge(nodes, of_item, unknowns));
      items.push_back(std::move(item));
    }
    return first.with_items(items);
  }
  return merge_number(nodes, values, unknowns);
}

/// Returns the arguments that differ between the graphs, merged.
absl::StatusOr<std::vector<Generalizer::Changed>> Generalizer::merge_arguments(
    const Nodes& nodes, std::vector<Unknown>& unknowns) {
  std::vector<Changed> changed;
  const size_t count = nodes[0]->num_args() + nodes[0]->num_kwargs();
  for (position_ = 0; position_ < count; ++position_) {
    const ArgumentRef first = argument_of_call(*nodes[0], position_);
    size_t r = 1;
    while (r < nodes.size() && same(first, argument_of_call(*nodes[r], position_), r)) ++r;
    if (r == nodes.size()) continue;
    std::vector<Argument> values;
    values.reserve(nodes.size());
    for (const Node* n : nodes) values.emplace_back(argument_of_call(*n, position_));
    FX_ASSIGN_OR_RETURN(Argument argument, merge(nodes, values, unknowns));
    changed.emplace_back(position_, std::move(argument));
  }
  return changed;
}

absl::Status Generalizer::set_arguments(Node& node, const std::vector<Changed>& changed,
                                        const std::vector<Unknown>& unknowns) {
  size_t next = 0;
  const auto chosen = [&](const Argument& leaf) {
    if (leaf.kind() != ArgumentKind::kSymbolic) return leaf;
    const Unknown& unknown = unknowns[next++];
    return Argument(unknown.choices[unknown.chosen]);
  };
  for (const auto& [position, argument] : changed) {
    const Argument value = map_leaves(argument, chosen);
    if (position < node.num_args()) {
      FX_RETURN_IF_ERROR(node.update_arg(position, value));
    } else {
      const Symbol name = node.kwarg_name(position - node.num_args());
      FX_RETURN_IF_ERROR(node.update_kwarg(name.str(), value));
    }
  }
  return absl::OkStatus();
}

// ---- calls

bool Generalizer::is_symbolic(Type type) {
  const auto [entry, is_new] = symbolic_.try_emplace(type, false);
  if (is_new) entry->second = has_symbols(type);
  return entry->second;
}

/// Returns whether the type at the sizes of graph `run` contains symbols, which then depend on
/// data; nullopt if the type differs from the recorded type.
std::optional<bool> Generalizer::depends_on_data(Type symbolic, Type recorded, size_t run) {
  const std::pair key(symbolic, recorded);
  if (const auto known = agreeing_types_[run].find(key); known != agreeing_types_[run].end())
    return known->second;
  const Type type = context_.types().substitute(symbolic, substitutions_[run]);
  const bool from_data = is_symbolic(type) || is_symbolic(recorded);
  if (from_data ? !same_rank_and_dtype(recorded, type) : !equal_types(recorded, type))
    return std::nullopt;
  agreeing_types_[run].emplace(key, from_data);
  return from_data;
}

absl::StatusOr<Generalizer::Inferred> Generalizer::infer(const Nodes& nodes, ShapeEnv& env) {
  Inferred inferred;
  FX_ASSIGN_OR_RETURN(inferred.type, infer_type(*nodes[0], {.env = &env}));
  size_t r = 0;
  for (; inferred.type && r < nodes.size(); ++r) {
    const std::optional<bool> from_data = depends_on_data(inferred.type, nodes[r]->type(), r);
    if (!from_data) break;
    inferred.depends_on_data |= *from_data;
  }
  if (r == nodes.size()) return inferred;
  if (const absl::Status guards = check_guards(env); !guards.ok())
    return node_error(*nodes[0], guards);
  const size_t other = r == 0 ? 1 : r;
  return node_error(*nodes[0], absl::InvalidArgumentError(fmt::format(
                                   "its type is {} with {}, and {} with {}, but the symbolic type "
                                   "is {}",
                                   to_string(nodes[0]->type()), sizes_text(sizes_[0]),
                                   to_string(nodes[other]->type()), sizes_text(sizes_[other]),
                                   to_string(inferred.type))));
}

void Generalizer::set_type(Node& node, Type type) {
  if (!is_symbolic(type)) return;  // keep the recorded type
  node.set_type(with_requires_grad(context_.types(), type, node.type()));
  fit_.add(type);
}

/// Infers the type with the current arguments. Does not change env_.
absl::StatusOr<Generalizer::Attempt> Generalizer::attempt(const Nodes& nodes) {
  if (!trial_) trial_.emplace(env_);
  const absl::StatusOr<Inferred> inferred = infer(nodes, *trial_);
  const size_t num_guards = trial_->guards().size();
  const bool has_changed = num_guards != env_.guards().size();
  if (!inferred.ok()) {
    if (has_changed) trial_.reset();
    return inferred.status();
  }
  Attempt attempt{.type = inferred->type, .num_guards = num_guards, .env = {}, .chosen = {}};
  if (has_changed || inferred->depends_on_data) attempt.env = std::exchange(trial_, std::nullopt);
  return attempt;
}

/// Sets `best` to the first attempt that adds no guard, else to the first attempt that adds the
/// fewest.
absl::Status Generalizer::try_choices(const Nodes& nodes, const std::vector<Changed>& changed,
                                      std::vector<Unknown>& unknowns,
                                      std::optional<Attempt>& best) {
  absl::Status problem;
  const auto consider = [&]() -> absl::Status {
    FX_RETURN_IF_ERROR(set_arguments(*nodes[0], changed, unknowns));
    absl::StatusOr<Attempt> attempt = this->attempt(nodes);
    if (!attempt.ok()) {
      if (problem.ok()) problem = attempt.status();
      return absl::OkStatus();
    }
    if (best && best->num_guards <= attempt->num_guards) return absl::OkStatus();
    for (const Unknown& unknown : unknowns) attempt->chosen.push_back(unknown.chosen);
    best = *std::move(attempt);
    return absl::OkStatus();
  };
  const auto is_done = [&] { return best && best->num_guards == env_.guards().size(); };
  FX_RETURN_IF_ERROR(consider());
  for (Unknown& unknown : unknowns) {
    if (is_done()) break;
    if (!std::exchange(unknown.searched, true)) unknown.choices = fit_.integers(unknown.values);
    for (size_t i = 1; i < unknown.choices.size() && !is_done(); ++i) {
      unknown.chosen = i;
      FX_RETURN_IF_ERROR(consider());
    }
    unknown.chosen = 0;
  }
  return best ? absl::OkStatus() : problem;
}

/// Chooses expressions for the numbers: the first for which the type function infers the recorded
/// types without an additional guard, else with the fewest.
absl::Status Generalizer::choose(const Nodes& nodes, const std::vector<Changed>& changed,
                                 std::vector<Unknown>& unknowns) {
  std::optional<Attempt> best;
  FX_RETURN_IF_ERROR(try_choices(nodes, changed, unknowns, best));
  for (size_t i = 0; i < unknowns.size(); ++i) {
    unknowns[i].chosen = best->chosen[i];
    const SymExpr expr = unknowns[i].choices[best->chosen[i]];
    const bool is_first = best->chosen[i] == 0;
    is_certain_ = is_certain_ && (is_first ? unknowns[i].is_certain : fit_.is_certain(expr));
    fit_.add(expr);
  }
  FX_RETURN_IF_ERROR(set_arguments(*nodes[0], changed, unknowns));
  numbers_.add(*nodes[0]);
  if (best->env) {
    env_ = *std::move(best->env);
    trial_.reset();
  }
  set_type(*nodes[0], best->type);
  return absl::OkStatus();
}

/// Infers the type of a call whose arguments are the same in all graphs.
absl::Status Generalizer::infer_plain(const Nodes& nodes) {
  const size_t num_guards = env_.guards().size();
  FX_ASSIGN_OR_RETURN(const Inferred inferred, infer(nodes, env_));
  if (env_.guards().size() != num_guards || inferred.depends_on_data) trial_.reset();
  set_type(*nodes[0], inferred.type);
  return absl::OkStatus();
}

absl::Status Generalizer::add_call(const Nodes& nodes) {
  Node& node = *nodes[0];
  const bool same = std::all_of(nodes.begin(), nodes.end(),
                                [&](const Node* n) { return n->type() == node.type(); });
  if (node.op() == Opcode::kGetAttr) {
    if (same) return absl::OkStatus();
    return node_error(
        node,
        absl::InvalidArgumentError(fmt::format(
            "this constant is a {} with {}, and a {} with {}: the program computes it without "
            "an operator; pass it as an input",
            to_string(node.type()), sizes_text(sizes_[0]), to_string(nodes[1]->type()),
            sizes_text(sizes_[1]))));
  }
  if (!pending_inputs_.empty()) {
    for (const Node* operand : node.all_input_nodes()) {
      const auto found = pending_inputs_.find(operand);
      if (found == pending_inputs_.end()) continue;
      const Nodes input = std::move(found->second);
      pending_inputs_.erase(found);
      FX_RETURN_IF_ERROR(derive_input(input));
    }
  }
  // Removes the guard of a number that was returned to the program if it depends on the sizes.
  if (const Argument* guard = node.meta().find(guard_key_)) {
    const bool differs = std::ranges::any_of(nodes, [&](const Node* n) {
      const Argument* other = n->meta().find(guard_key_);
      return other == nullptr || !(*other == *guard);
    });
    if (differs) node.meta().remove(kGuard);
  }
  std::vector<Unknown> unknowns;
  FX_ASSIGN_OR_RETURN(const std::vector<Changed> changed, merge_arguments(nodes, unknowns));
  if (!unknowns.empty()) return choose(nodes, changed, unknowns);
  bool symbolic = !same;
  if (!symbolic) {
    node.for_each_input(
        [&](const Node* operand) { symbolic = symbolic || is_symbolic(operand->type()); });
  }
  return symbolic ? infer_plain(nodes) : absl::OkStatus();
}

}  // namespace fx
