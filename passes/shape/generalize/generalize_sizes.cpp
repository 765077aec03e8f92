#include "fx/passes/shape/generalize/generalize_sizes.h"

#include "fx/interp/graph_guards.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/generalize/size_fit_internal.h"
#include "fx/passes/shape/generalize/size_numbers_internal.h"
#include "fx/passes/shape/shape_env.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace fx {
namespace {

using Nodes = std::vector<Node*>;  // the same node of each graph

/// Returns the symbolic type with requires_grad of the recorded type.
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

bool is_number(Type type) {
  return type.kind() == TypeKind::kInt || type.kind() == TypeKind::kFloat;
}

bool is_number_input(const Node* node) {
  return node != nullptr && node->is_placeholder() && is_number(node->type());
}

std::string text_of(const Argument& argument) {
  if (argument.is_int()) return fmt::format("{}", argument.as_int());
  if (argument.is_float()) return fmt::format("{}", argument.as_float());
  if (argument.is_bool()) return argument.as_bool() ? "True" : "False";
  if (const Node* node = argument.node()) return fmt::format("%{}", node->name());
  return std::string(argument_kind_name(argument.kind()));
}

class Generalizer {
 public:
  Generalizer(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
              absl::Span<const Type> inputs)
      : graphs_(graphs.begin(), graphs.end()),
        sizes_(sizes.begin(), sizes.end()),
        inputs_(inputs.begin(), inputs.end()),
        context_(graphs[0]->context()),
        fit_(context_, sizes),
        env_(*graphs[0]),
        numbers_(*graphs[0]) {
    for (const SymBindings& values : sizes_) {
      auto& substitution = substitutions_.emplace_back();
      for (const auto& [symbol, value] : values)
        substitution.emplace(symbol, context_.exprs().integer(value.int_value()));
    }
  }

  absl::Status run();

 private:
  /// A number that differs between the graphs: expressions for it, and the chosen one.
  struct Unknown {
    std::vector<SymExpr> choices;
    size_t chosen = 0;
  };
  using Attempt = std::pair<Type, ShapeEnv>;

  absl::Status differ(const Nodes& nodes, size_t run, std::string_view what) const;
  absl::Status check_alike(const Nodes& nodes, size_t run) const;
  absl::Status add_placeholder(const Nodes& nodes, size_t index);
  absl::Status derive_input(const Nodes& nodes);
  absl::StatusOr<Dim> derive(const Nodes& nodes, absl::Span<const int64_t> values);
  absl::Status add_call(const Nodes& nodes);
  absl::Status check_results(const Nodes& nodes);
  absl::StatusOr<Argument> merge(const Nodes& nodes, const std::vector<Argument>& values,
                                 std::string_view name, std::vector<Unknown>& unknowns);
  absl::StatusOr<Argument> merge_number(const Nodes& nodes, const std::vector<Argument>& values,
                                        std::string_view name, std::vector<Unknown>& unknowns);
  absl::Status set_arguments(Node& node, const std::vector<Argument>& merged,
                             const std::vector<Unknown>& unknowns);
  absl::StatusOr<Type> infer(const Nodes& nodes, ShapeEnv& env) const;
  absl::Status choose(const Nodes& nodes, const std::vector<Argument>& merged,
                      std::vector<Unknown>& unknowns);
  void set_type(Node& node, Type type);
  bool has_recorded_types(Type symbolic, const Nodes& nodes) const;
  absl::Status check_guards() const;
  Argument counterpart(Node* node) const {
    const auto found = first_.find(node);
    return found == first_.end() ? Argument(node) : Argument(found->second);
  }

  std::vector<Graph*> graphs_;
  std::vector<SymBindings> sizes_;
  std::vector<Type> inputs_;
  Context& context_;
  SizeFit fit_;
  ShapeEnv env_;
  std::vector<absl::flat_hash_map<Symbol, SymExpr>> substitutions_;  // by graph
  absl::flat_hash_map<const Node*, Node*> first_;      // from nodes of later graphs to the first
  absl::flat_hash_map<const Node*, Nodes> underived_;  // placeholders without a type yet
  Node* last_input_ = nullptr;
  SizeNumbers numbers_;
  size_t position_ = 0;  // of the argument that is merged
};

absl::Status Generalizer::differ(const Nodes& nodes, size_t run, std::string_view what) const {
  const std::string_view module = nodes[0]->meta().get(meta::kModule).value_or("");
  return absl::InvalidArgumentError(fmt::format(
      "the structure of the program depends on a size: {}{} of the run with {} {} with {}; if a "
      "loop or a branch of the program depends on the size, it must be a number",
      describe(*nodes[0]), module.empty() ? "" : fmt::format(" of module {}", module),
      sizes_text(sizes_[0]), what, sizes_text(sizes_[run])));
}

absl::Status Generalizer::check_alike(const Nodes& nodes, size_t run) const {
  const Node &a = *nodes[0], &b = *nodes[run];
  if (a.op() != b.op() || a.target() != b.target())
    return differ(nodes, run, fmt::format("is {}", describe(b)));
  if (a.num_args() != b.num_args() || a.num_kwargs() != b.num_kwargs())
    return differ(nodes, run, "has different arguments");
  if (a.type().kind() != b.type().kind() || a.type().items().size() != b.type().items().size()) {
    return differ(
        nodes, run,
        fmt::format("has the type {}, which is {}", to_string(a.type()), to_string(b.type())));
  }
  return absl::OkStatus();
}

absl::Status Generalizer::run() {
  Nodes nodes;
  for (Graph* graph : graphs_) nodes.push_back(graph->front());
  for (size_t input = 0; nodes[0] != nullptr;) {
    // Numbers that differ between steps are inputs of the first graph only.
    while (is_number_input(nodes[0]) && !is_number_input(nodes[1])) {
      last_input_ = nodes[0];
      nodes[0] = nodes[0]->next();
      ++input;
    }
    Nodes next;
    for (size_t r = 0; r < nodes.size(); ++r) {
      if (nodes[r] == nullptr) return differ(nodes, r, "has no counterpart");
      FX_RETURN_IF_ERROR(check_alike(nodes, r));
      if (r > 0) first_.emplace(nodes[r], nodes[0]);
      next.push_back(nodes[r]->next());
    }
    if (nodes[0]->is_placeholder()) {
      FX_RETURN_IF_ERROR(add_placeholder(nodes, input++));
    } else if (nodes[0]->is_output()) {
      FX_RETURN_IF_ERROR(check_results(nodes));
    } else {
      FX_RETURN_IF_ERROR(add_call(nodes));
    }
    nodes = std::move(next);
  }
  FX_RETURN_IF_ERROR(check_guards());
  add_guards(*graphs_[0], env_.guards());
  return last_input_ == nullptr ? absl::OkStatus() : numbers_.make_nodes(*last_input_);
}

// ---- inputs

absl::Status Generalizer::add_placeholder(const Nodes& nodes, size_t index) {
  Node& node = *nodes[0];
  last_input_ = &node;
  if (index < inputs_.size() && inputs_[index]) {
    if (!has_recorded_types(inputs_[index], nodes)) {
      return node_error(
          node, absl::InvalidArgumentError(fmt::format(
                    "the stated type {} differs from the recorded type {} with {}",
                    to_string(inputs_[index]), to_string(node.type()), sizes_text(sizes_[0]))));
    }
    node.set_type(with_requires_grad(context_.types(), inputs_[index], node.type()));
    fit_.note(node.type());
    return absl::OkStatus();
  }
  if (std::any_of(nodes.begin(), nodes.end(),
                  [&](const Node* n) { return n->type() != node.type(); }))
    underived_.emplace(&node, nodes);
  return absl::OkStatus();
}

absl::StatusOr<Dim> Generalizer::derive(const Nodes& nodes, absl::Span<const int64_t> values) {
  if (std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; }))
    return Dim(values[0]);
  const std::vector<SymExpr> found = fit_.integers(values);
  if (found.empty()) {
    return node_error(
        *nodes[0],
        absl::InvalidArgumentError(fmt::format(
            "the type is {} with {}, and {} with {}: no expression of the sizes is equal to {} and "
            "{}",
            to_string(nodes[0]->type()), sizes_text(sizes_[0]), to_string(nodes[1]->type()),
            sizes_text(sizes_[1]), values[0], values[1])));
  }
  return Dim(found[0]);
}

/// The type of an input that no caller stated: its dimensions as functions of the sizes.
absl::Status Generalizer::derive_input(const Nodes& nodes) {
  const Type first = nodes[0]->type();
  DimVector sizes, strides;
  bool default_strides = true;
  for (const Node* node : nodes) {
    const Type type = node->type();
    if (!type.is_tensor() || type.rank() != first.rank() || type.dtype() != first.dtype() ||
        !type.has_strides() || type.offset() != first.offset())
      return node_error(*nodes[0], absl::InvalidArgumentError("its type depends on a size"));
    default_strides = default_strides && type.has_default_strides();
  }
  for (int d = 0; d < first.rank(); ++d) {
    std::vector<int64_t> of_size, of_stride;
    for (const Node* node : nodes) {
      of_size.push_back(node->type().size(d).value());
      of_stride.push_back(node->type().stride(d).value());
    }
    FX_ASSIGN_OR_RETURN(const Dim size, derive(nodes, of_size));
    FX_ASSIGN_OR_RETURN(const Dim stride, derive(nodes, of_stride));
    sizes.push_back(size);
    strides.push_back(stride);
  }
  TensorSpec spec = first.spec();
  spec.sizes = sizes;
  spec.strides = default_strides ? StrideSpec() : StrideSpec(strides);
  nodes[0]->set_type(context_.types().tensor(spec));
  return absl::OkStatus();
}

// ---- arguments

absl::StatusOr<Argument> Generalizer::merge_number(const Nodes& nodes,
                                                   const std::vector<Argument>& values,
                                                   std::string_view name,
                                                   std::vector<Unknown>& unknowns) {
  const auto all = [&](bool (Argument::*is)() const) {
    return std::all_of(values.begin(), values.end(), [&](const Argument& v) { return (v.*is)(); });
  };
  if (all(&Argument::is_int)) {
    std::vector<int64_t> numbers(values.size());
    std::ranges::transform(values, numbers.begin(), &Argument::as_int);
    Unknown unknown{fit_.integers(numbers)};
    if (!unknown.choices.empty()) {
      fit_.note(unknown.choices[0]);
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
                    describe(*nodes[0]), name, text_of(values[0]), sizes_text(sizes_[0]),
                    text_of(values[r]), sizes_text(sizes_[r])));
  }
  return differ(nodes, r,
                fmt::format("has the argument \"{}\" = {}, which is {}", name, text_of(values[0]),
                            text_of(values[r])));
}

/// One argument for those of all graphs.
absl::StatusOr<Argument> Generalizer::merge(  // NOLINT(misc-no-recursion): as arguments nest
    const Nodes& nodes, const std::vector<Argument>& values, std::string_view name,
    std::vector<Unknown>& unknowns) {
  const Argument& first = values[0];
  if (std::all_of(values.begin(), values.end(), [&](const Argument& v) { return v == first; }))
    return first;
  if (is_number_input(first.node()) &&
      std::all_of(values.begin() + 1, values.end(),
                  [](const Argument& v) { return v.is_int() || v.is_float(); }))
    return first;
  if (first.is_node() || is_aggregate(first.kind())) {
    for (size_t r = 1; r < values.size(); ++r) {
      if (values[r].kind() != first.kind() || values[r].size() != first.size())
        return differ(nodes, r, fmt::format("has a different argument \"{}\"", name));
      if (first.is_node() && counterpart(values[r].as_node()) != first) {
        return differ(nodes, r,
                      fmt::format("has the argument \"{}\" = {}, which is a different value", name,
                                  text_of(first)));
      }
    }
    if (first.is_node()) return first;
    std::vector<Argument> items;
    for (size_t i = 0; i < first.size(); ++i) {
      std::vector<Argument> of_item;
      of_item.reserve(values.size());
      for (const Argument& value : values) of_item.push_back(value[i]);
      FX_ASSIGN_OR_RETURN(Argument item, merge(nodes, of_item, name, unknowns));
      items.push_back(std::move(item));
    }
    return first.with_items(items);
  }
  return merge_number(nodes, values, name, unknowns);
}

absl::Status Generalizer::set_arguments(Node& node, const std::vector<Argument>& merged,
                                        const std::vector<Unknown>& unknowns) {
  size_t next = 0;
  const auto chosen = [&](const Argument& leaf) {
    if (leaf.kind() != ArgumentKind::kSymbolic) return leaf;
    const Unknown& unknown = unknowns[next++];
    return Argument(unknown.choices[unknown.chosen]);
  };
  for (size_t i = 0; i < merged.size(); ++i) {
    const Argument value = map_leaves(merged[i], chosen);
    if (i < node.num_args()) {
      FX_RETURN_IF_ERROR(node.update_arg(i, value));
    } else {
      FX_RETURN_IF_ERROR(node.update_kwarg(node.kwarg_name(i - node.num_args()).str(), value));
    }
  }
  return absl::OkStatus();
}

// ---- calls

bool Generalizer::has_recorded_types(Type symbolic, const Nodes& nodes) const {
  for (size_t r = 0; r < nodes.size(); ++r) {
    const Type type = context_.types().substitute(symbolic, substitutions_[r]);
    const Type recorded = nodes[r]->type();
    const bool from_data = has_symbols(type) || has_symbols(recorded);
    if (from_data ? !same_rank_and_dtype(recorded, type) : !equal_types(recorded, type))
      return false;
  }
  return true;
}

absl::StatusOr<Type> Generalizer::infer(const Nodes& nodes, ShapeEnv& env) const {
  FX_ASSIGN_OR_RETURN(const Type type, infer_type(*nodes[0], {.env = &env}));
  if (type && has_recorded_types(type, nodes)) return type;
  return node_error(*nodes[0],
                    absl::InvalidArgumentError(fmt::format(
                        "its type is {} with {}, and {} with {}, but the symbolic type is {}",
                        to_string(nodes[0]->type()), sizes_text(sizes_[0]),
                        to_string(nodes[1]->type()), sizes_text(sizes_[1]), to_string(type))));
}

void Generalizer::set_type(Node& node, Type type) {
  if (!has_symbols(type)) return;  // keep the recorded type
  node.set_type(with_requires_grad(context_.types(), type, node.type()));
  fit_.note(node.type());
}

/// Chooses expressions for the numbers: the first with which the type function infers the recorded
/// types without a further guard, or else with the fewest.
absl::Status Generalizer::choose(const Nodes& nodes, const std::vector<Argument>& merged,
                                 std::vector<Unknown>& unknowns) {
  std::optional<Attempt> best;
  std::vector<size_t> best_choice;
  absl::Status problem;
  const auto consider = [&]() -> absl::Status {
    FX_RETURN_IF_ERROR(set_arguments(*nodes[0], merged, unknowns));
    ShapeEnv env = env_;
    const absl::StatusOr<Type> type = infer(nodes, env);
    if (!type.ok()) {
      if (problem.ok()) problem = type.status();
      return absl::OkStatus();
    }
    if (best && best->second.guards().size() <= env.guards().size()) return absl::OkStatus();
    best.emplace(*type, std::move(env));
    best_choice.clear();
    for (const Unknown& unknown : unknowns) best_choice.push_back(unknown.chosen);
    return absl::OkStatus();
  };
  const auto is_done = [&] { return best && best->second.guards().size() == env_.guards().size(); };
  FX_RETURN_IF_ERROR(consider());
  for (Unknown& unknown : unknowns) {
    for (size_t i = 1; i < unknown.choices.size() && !is_done(); ++i) {
      unknown.chosen = i;
      FX_RETURN_IF_ERROR(consider());
    }
    unknown.chosen = 0;
  }
  if (!best) return problem;
  for (size_t i = 0; i < unknowns.size(); ++i) unknowns[i].chosen = best_choice[i];
  FX_RETURN_IF_ERROR(set_arguments(*nodes[0], merged, unknowns));
  numbers_.add(*nodes[0]);
  env_ = std::move(best->second);
  set_type(*nodes[0], best->first);
  return absl::OkStatus();
}

absl::Status Generalizer::add_call(const Nodes& nodes) {
  Node& node = *nodes[0];
  bool same = std::all_of(nodes.begin(), nodes.end(),
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
  const std::vector<Node*> operands = node.all_input_nodes();
  for (const Node* operand : operands) {
    const auto found = underived_.find(operand);
    if (found == underived_.end()) continue;
    const Nodes input = std::move(found->second);
    underived_.erase(found);
    FX_RETURN_IF_ERROR(derive_input(input));
  }
  // A number that was returned to the program, and that depends on the sizes.
  const std::optional<Argument> guard = node.meta().get(kGuard);
  for (const Node* n : nodes)
    if (n->meta().get(kGuard) != guard) node.meta().remove(kGuard);
  std::vector<Argument> merged;
  std::vector<Unknown> unknowns;
  const size_t count = node.num_args() + node.num_kwargs();
  for (position_ = 0; position_ < count; ++position_) {
    std::vector<Argument> values;
    for (const Node* n : nodes) values.emplace_back(argument_of_call(*n, position_));
    const std::string name = position_ < node.num_args()
                                 ? fmt::format("{}", position_)
                                 : std::string(node.kwarg_name(position_ - node.num_args()).str());
    FX_ASSIGN_OR_RETURN(Argument argument, merge(nodes, values, name, unknowns));
    merged.push_back(std::move(argument));
  }
  const bool symbolic = !unknowns.empty() || !same ||
                        std::any_of(operands.begin(), operands.end(), [](const Node* operand) {
                          return has_symbols(operand->type());
                        });
  if (!symbolic) return absl::OkStatus();
  if (!unknowns.empty()) return choose(nodes, merged, unknowns);
  FX_ASSIGN_OR_RETURN(const Type type, infer(nodes, env_));
  set_type(node, type);
  return absl::OkStatus();
}

absl::Status Generalizer::check_results(const Nodes& nodes) {
  std::vector<Unknown> unknowns;
  std::vector<Argument> values;
  for (const Node* node : nodes) values.emplace_back(node->arg(0));
  FX_RETURN_IF_ERROR(merge(nodes, values, "result", unknowns).status());
  return unknowns.empty() ? absl::OkStatus() : differ(nodes, 1, "returns a different number");
}

absl::Status Generalizer::check_guards() const {
  for (const SymExpr guard : env_.guards()) {
    for (const SymBindings& values : sizes_) {
      const absl::StatusOr<bool> holds = eval_bool(guard, values);
      if (!holds.ok() || *holds) continue;  // of a size that depends on data
      return absl::InvalidArgumentError(
          fmt::format("the types of the program require {}, which does not hold with {}, although "
                      "the program ran with these sizes; state narrower ranges of the sizes",
                      to_string(guard), sizes_text(values)));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status generalize_sizes(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
                              absl::Span<const Type> inputs) {
  if (graphs.size() < 2 || graphs.size() != sizes.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} graphs and {} lists of sizes: at least two of each are required",
                    graphs.size(), sizes.size()));
  }
  for (const Graph* graph : graphs) {
    if (&graph->context() != &graphs[0]->context())
      return absl::InvalidArgumentError("the graphs must have the same Context");
  }
  return Generalizer(graphs, sizes, inputs).run();
}

}  // namespace fx
