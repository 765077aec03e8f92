// Merges the arguments of the calls of all graphs, and infers their symbolic types.
#include "fx/interp/graph_guards.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/generalize/generalize_sizes.h"
#include "fx/passes/shape/generalize/generalizer_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace fx {
namespace {

std::string text_of(const Argument& argument) {
  if (argument.is_float()) return fmt::format("{}", argument.as_float());
  return print(argument);
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

/// Returns the name that messages use for the argument at position_.
std::string Generalizer::argument_name(const Node& call) const {
  if (call.is_output()) return "result";
  return position_ < call.num_args()
             ? fmt::format("{}", position_)
             : std::string(call.kwarg_name(position_ - call.num_args()).str());
}

absl::StatusOr<Argument> Generalizer::merge_number(Node& node, const Values& values,
                                                   std::vector<Unknown>& unknowns) {
  const auto all = [&](bool (Argument::*is)() const) {
    return std::all_of(values.begin(), values.end(), [&](const Argument& v) { return (v.*is)(); });
  };
  // The index of an item of a multiple result is not a number.
  const bool is_item = node.target() == "operator.getitem" && node.arg(0).is_node() &&
                       !node.arg(0).node()->type().items().empty();
  if (all(&Argument::is_int) && !is_item) {
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
      unknown.what = fmt::format("argument \"{}\"", argument_name(node));
      fit_.add(unknown.choices[0]);  // other arguments may be functions of it
      unknowns.push_back(std::move(unknown));
      return Argument(unknowns.back().choices[0]);
    }
  } else if (all(&Argument::is_float)) {
    absl::InlinedVector<double, 4> numbers(values.size());
    std::ranges::transform(values, numbers.begin(), &Argument::as_float);
    const std::optional<FloatOfSize> found = fit_.floating(numbers);
    if (found && argument_at(node, position_).kind() == ArgumentKind::kFloat) {
      numbers_.add(node, position_, *found);
      return values[0];
    }
  }
  size_t r = 1;
  while (values[r] == values[0]) ++r;
  if (all(&Argument::is_int) || all(&Argument::is_float)) {
    return absl::InvalidArgumentError(
        fmt::format("{}: argument \"{}\" is {} with {}, and {} with {}: it is not a simple "
                    "function of the sizes, and must be an input of the program",
                    describe(node), argument_name(node), text_of(values[0]), sizes_text(sizes_[0]),
                    text_of(values[r]), sizes_text(sizes_[r])));
  }
  return differ(node, r,
                fmt::format("has the argument \"{}\" = {}, but {}", argument_name(node),
                            text_of(values[0]), text_of(values[r])));
}

/// Merges the arguments of all runs into one argument.
absl::StatusOr<Argument> Generalizer::merge(  // NOLINT(misc-no-recursion): as arguments nest
    Node& node, const Values& values, std::vector<Unknown>& unknowns) {
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
        return differ(node, r, fmt::format("has a different argument \"{}\"", argument_name(node)));
      }
      if (first.is_node() && values[r].node() != first.node()) {
        return differ(node, r,
                      fmt::format("has the argument \"{}\" = {}, but a different value",
                                  argument_name(node), text_of(first)));
      }
    }
    if (first.is_node()) return first;
    absl::InlinedVector<Argument, 8> items;
    items.reserve(first.size());
    for (size_t i = 0; i < first.size(); ++i) {
      Values of_item;
      of_item.reserve(values.size());
      for (const Argument& value : values) of_item.push_back(value[i]);
      FX_ASSIGN_OR_RETURN(Argument item, merge(node, of_item, unknowns));
      items.push_back(std::move(item));
    }
    return first.with_items(items);
  }
  return merge_number(node, values, unknowns);
}

/// Finds the next argument of the current node that differs in a run. Returns its position and
/// values.
std::optional<std::pair<size_t, Generalizer::Values>> Generalizer::next_difference(
    const Node& node) {
  const auto next_of = [&](size_t run) -> const RecordedRun::Difference* {
    const auto& differences = others_[run].differences;
    const size_t i = next_differences_[run];
    return i < differences.size() && differences[i].node == index_ ? &differences[i] : nullptr;
  };
  std::optional<size_t> position;
  for (size_t r = 0; r < others_.size(); ++r) {
    const RecordedRun::Difference* next = next_of(r);
    if (next != nullptr) position = std::min(position.value_or(next->position), next->position);
  }
  if (!position) return std::nullopt;
  Values values = {Argument(argument_at(node, *position))};
  for (size_t r = 0; r < others_.size(); ++r) {
    const RecordedRun::Difference* next = next_of(r);
    const bool differs = next != nullptr && next->position == *position;
    values.push_back(differs ? next->value : values[0]);
    if (differs) ++next_differences_[r];
  }
  return std::pair(*position, std::move(values));
}

/// Merges the arguments that differ between the runs, and returns them.
absl::StatusOr<std::vector<Generalizer::Changed>> Generalizer::merge_arguments(
    Node& node, std::vector<Unknown>& unknowns) {
  std::vector<Changed> changed;
  while (const auto difference = next_difference(node)) {
    position_ = difference->first;
    FX_ASSIGN_OR_RETURN(Argument argument, merge(node, difference->second, unknowns));
    changed.emplace_back(position_, std::move(argument));
  }
  return changed;
}

absl::Status Generalizer::set_arguments(Node& node, const std::vector<Changed>& changed,
                                        std::vector<Unknown>& unknowns) {
  size_t next = 0;
  const auto chosen = [&](const Argument& leaf) {
    if (leaf.kind() != ArgumentKind::kSymbolic) return leaf;
    Unknown& unknown = unknowns[next++];
    unknown.in_call = unknown.chosen;
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

/// Returns whether the type at the sizes of a run contains symbols, which then depend on
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

/// Checks that the inferred type matches the type in each run.
absl::StatusOr<Generalizer::Inferred> Generalizer::check_type(const Step& step, Type type,
                                                              const ShapeEnv& env) {
  Inferred inferred{.type = type};
  size_t r = 0;
  for (; type && r < step.types.size(); ++r) {
    const std::optional<bool> from_data = depends_on_data(type, step.types[r], r);
    if (!from_data) break;
    inferred.depends_on_data |= *from_data;
  }
  if (r == step.types.size()) return inferred;
  if (const absl::Status guards = check_guards(env); !guards.ok())
    return node_error(step.node, guards);
  const size_t other = r == 0 ? 1 : r;
  return node_error(
      step.node, absl::InvalidArgumentError(fmt::format(
                     "its type is {} with {}, and {} with {}, but the symbolic type is {}",
                     to_string(step.types[0]), sizes_text(sizes_[0]), to_string(step.types[other]),
                     sizes_text(sizes_[other]), to_string(type))));
}

absl::StatusOr<Generalizer::Inferred> Generalizer::infer(const Step& step, ShapeEnv& env) {
  FX_ASSIGN_OR_RETURN(const Type type, infer_type(step.node, {.env = &env}));
  return check_type(step, type, env);
}

void Generalizer::set_type(Node& node, Type type) {
  const auto [known, is_new] = node_types_.try_emplace({type, node.type()});
  if (is_new && is_symbolic(type)) {
    known->second = with_requires_grad(context_.types(), type, node.type());
    fit_.add(type);
  }
  if (known->second) change_type(node, known->second);  // otherwise keep the recorded type
}

/// Infers the type with the current arguments. Does not change env_.
absl::StatusOr<Generalizer::Attempt> Generalizer::attempt(const Step& step) {
  if (!trial_) trial_.emplace(env_);
  const absl::StatusOr<Inferred> inferred = infer(step, *trial_);
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
absl::Status Generalizer::try_choices(const Step& step, const std::vector<Changed>& changed,
                                      std::vector<Unknown>& unknowns,
                                      std::optional<Attempt>& best) {
  absl::Status problem;
  const auto consider = [&]() -> absl::Status {
    FX_RETURN_IF_ERROR(set_arguments(step.node, changed, unknowns));
    absl::StatusOr<Attempt> attempt = this->attempt(step);
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
absl::Status Generalizer::choose(const Step& step, const std::vector<Changed>& changed,
                                 std::vector<Unknown>& unknowns) {
  std::optional<Attempt> best;
  FX_RETURN_IF_ERROR(try_choices(step, changed, unknowns, best));
  bool has_arguments = true;
  for (size_t i = 0; i < unknowns.size(); ++i) {
    unknowns[i].chosen = best->chosen[i];
    has_arguments = has_arguments && unknowns[i].in_call == best->chosen[i];
    const SymExpr expr = unknowns[i].choices[best->chosen[i]];
    add_rivals(step.node, unknowns[i].what, unknowns[i].values, expr);
    fit_.add(expr);
  }
  if (!has_arguments) FX_RETURN_IF_ERROR(set_arguments(step.node, changed, unknowns));
  numbers_.add(step.node);
  if (best->env) {
    env_ = *std::move(best->env);
    trial_.reset();
  }
  set_type(step.node, best->type);
  return absl::OkStatus();
}

/// Infers the type of a call whose arguments are the same in all runs. Equal calls have equal
/// types: the assumptions for the first of them hold for all.
absl::Status Generalizer::infer_plain(const Step& step) {
  TypeCache::Key key;
  const bool has_key = TypeCache::make_key(step.node, /*rules=*/nullptr, key);
  if (const Type known = has_key ? inferred_.find(key) : Type()) {
    FX_RETURN_IF_ERROR(check_type(step, known, env_).status());
    set_type(step.node, known);
    return absl::OkStatus();
  }
  const size_t num_guards = env_.guards().size();
  FX_ASSIGN_OR_RETURN(const Inferred inferred, infer(step, env_));
  if (env_.guards().size() != num_guards || inferred.depends_on_data) trial_.reset();
  if (has_key && inferred.type && !inferred.depends_on_data) inferred_.insert(key, inferred.type);
  set_type(step.node, inferred.type);
  return absl::OkStatus();
}

absl::Status Generalizer::add_call(const Step& step) {
  Node& node = step.node;
  const bool same = std::ranges::all_of(step.types, [&](Type type) { return type == node.type(); });
  if (node.op() == Opcode::kGetAttr) {
    if (same) return absl::OkStatus();
    return node_error(
        node,
        absl::InvalidArgumentError(fmt::format(
            "this constant is a {} with {}, and a {} with {}: the program computes it without "
            "an operator; pass it as an input",
            to_string(node.type()), sizes_text(sizes_[0]), to_string(step.types[1]),
            sizes_text(sizes_[1]))));
  }
  if (!pending_inputs_.empty()) {
    for (Node* operand : node.all_input_nodes()) {
      const auto found = pending_inputs_.find(operand);
      if (found == pending_inputs_.end()) continue;
      const std::vector<Type> types = std::move(found->second);
      pending_inputs_.erase(found);
      FX_RETURN_IF_ERROR(derive_input({*operand, types}));
    }
  }
  // Removes the guard of a number that was returned to the program if it depends on the sizes.
  bool is_guard_changed = false;
  for (size_t r = 0; r < others_.size(); ++r) {
    const std::vector<size_t>& guards = others_[r].changed_guards;
    if (next_guards_[r] == guards.size() || guards[next_guards_[r]] != index_) continue;
    ++next_guards_[r];
    is_guard_changed = true;
  }
  if (is_guard_changed) node.meta().remove(kGuard);
  std::vector<Unknown> unknowns;
  FX_ASSIGN_OR_RETURN(const std::vector<Changed> changed, merge_arguments(node, unknowns));
  if (!unknowns.empty()) return choose(step, changed, unknowns);
  bool symbolic = !same;
  if (!symbolic) {
    node.for_each_input(
        [&](const Node* operand) { symbolic = symbolic || is_symbolic(operand->type()); });
  }
  return symbolic ? infer_plain(step) : absl::OkStatus();
}

}  // namespace fx
