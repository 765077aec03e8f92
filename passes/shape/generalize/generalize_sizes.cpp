#include "fx/passes/shape/generalize/generalize_sizes.h"

#include "fx/interp/graph_guards.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/generalize/generalizer_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

bool is_number_input(const Node* node) {
  if (node == nullptr || !node->is_placeholder()) return false;
  const TypeKind kind = node->type().kind();
  return kind == TypeKind::kInt || kind == TypeKind::kFloat;
}

Generalizer::Generalizer(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
                         absl::Span<const Type> inputs)
    : graphs_(graphs.begin(), graphs.end()),
      sizes_(sizes.begin(), sizes.end()),
      inputs_(inputs.begin(), inputs.end()),
      context_(graphs[0]->context()),
      fit_(context_, sizes),
      env_(*graphs[0]),
      first_(graphs.size()),
      agreeing_types_(graphs.size()),
      numbers_(*graphs[0]),
      guard_key_(context_.symbol(kGuard.name)) {
  for (const SymBindings& values : sizes_) {
    auto& substitution = substitutions_.emplace_back();
    for (const auto& [symbol, value] : values)
      substitution.emplace(symbol, context_.exprs().integer(value.int_value()));
  }
}

absl::Status Generalizer::differ(const Nodes& nodes, size_t run, std::string_view what) const {
  const std::string_view module = nodes[0]->meta().get(meta::kModule).value_or("");
  return absl::InvalidArgumentError(fmt::format(
      "the structure of the program depends on a size: {}{} of the run with {} {} with {}; if a "
      "loop or a branch of the program depends on the size, specify the size as a number",
      describe(*nodes[0]), module.empty() ? "" : fmt::format(" of module {}", module),
      sizes_text(sizes_[0]), what, sizes_text(sizes_[run])));
}

/// Returns the error for nodes with different operators. Names the loop if one of the graphs has
/// more iterations of a loop.
absl::Status Generalizer::different_call(const Nodes& nodes, size_t run) const {
  const std::optional<SizeLoop> loop = loop_at(*nodes[0], *nodes[run]);
  if (!loop) return differ(nodes, run, fmt::format("is {}", describe(*nodes[run])));
  const std::string_view module = loop->first->meta().get(meta::kModule).value_or("");
  const std::string calls = loop->length == 1
                                ? fmt::format("is {}", describe(*loop->first))
                                : fmt::format("has {} calls, from {} to {}", loop->length,
                                              describe(*loop->first), describe(*loop->last));
  return absl::InvalidArgumentError(fmt::format(
      "the structure of the program depends on a size: a loop{} has {} iterations with {}, and {} "
      "with {}; an iteration {}; call operators on whole tensors instead, or specify the size as a "
      "number and capture a graph for each number",
      module.empty() ? "" : fmt::format(" in module {}", module), loop->iterations,
      sizes_text(sizes_[0]), loop->other_iterations, sizes_text(sizes_[run]), calls));
}

absl::Status Generalizer::check_alike(const Nodes& nodes, size_t run) const {
  const Node &a = *nodes[0], &b = *nodes[run];
  if (a.op() != b.op() || a.target_symbol() != b.target_symbol()) return different_call(nodes, run);
  if (a.num_args() != b.num_args() || a.num_kwargs() != b.num_kwargs())
    return differ(nodes, run, "has different arguments");
  if (a.type().kind() != b.type().kind() || a.type().items().size() != b.type().items().size()) {
    return differ(nodes, run,
                  fmt::format("has the type {}, but {}", to_string(a.type()), to_string(b.type())));
  }
  return absl::OkStatus();
}

absl::Status Generalizer::run() {
  Nodes nodes, next;
  for (Graph* graph : graphs_) nodes.push_back(graph->front());
  for (size_t input = 0; nodes[0] != nullptr;) {
    // Numbers that differ between steps are inputs only of the first graph.
    while (is_number_input(nodes[0]) && !is_number_input(nodes[1])) {
      last_input_ = nodes[0];
      nodes[0] = nodes[0]->next();
      ++input;
    }
    next.clear();
    for (size_t r = 0; r < nodes.size(); ++r) {
      if (nodes[r] == nullptr) return differ(nodes, r, "has no counterpart");
      FX_RETURN_IF_ERROR(check_alike(nodes, r));
      std::vector<Node*>& first = first_[r];
      if (nodes[r]->id() >= first.size()) first.resize(2 * size_t{nodes[r]->id()} + 64);
      first[nodes[r]->id()] = nodes[0];
      next.push_back(nodes[r]->next());
    }
    if (nodes[0]->is_placeholder()) {
      FX_RETURN_IF_ERROR(add_placeholder(nodes, input++));
    } else if (nodes[0]->is_output()) {
      FX_RETURN_IF_ERROR(check_results(nodes));
    } else {
      FX_RETURN_IF_ERROR(add_call(nodes));
    }
    std::swap(nodes, next);
  }
  FX_RETURN_IF_ERROR(check_guards(env_));
  add_guards(*graphs_[0], env_.guards());
  return last_input_ == nullptr ? absl::OkStatus() : numbers_.create_nodes(*last_input_);
}

// ---- inputs

absl::Status Generalizer::add_placeholder(const Nodes& nodes, size_t index) {
  Node& node = *nodes[0];
  last_input_ = &node;
  if (index < inputs_.size() && inputs_[index]) {
    for (size_t r = 0; r < nodes.size(); ++r) {
      if (depends_on_data(inputs_[index], nodes[r]->type(), r)) continue;
      return node_error(node, absl::InvalidArgumentError(fmt::format(
                                  "the specified type {} differs from the recorded type {} with {}",
                                  to_string(inputs_[index]), to_string(nodes[r]->type()),
                                  sizes_text(sizes_[r]))));
    }
    node.set_type(with_requires_grad(context_.types(), inputs_[index], node.type()));
    fit_.add(node.type());
    return absl::OkStatus();
  }
  if (std::any_of(nodes.begin(), nodes.end(),
                  [&](const Node* n) { return n->type() != node.type(); }))
    pending_inputs_.emplace(&node, nodes);
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
            "the type is {} with {}, and {} with {}: no expression in the sizes equals {} and {}",
            to_string(nodes[0]->type()), sizes_text(sizes_[0]), to_string(nodes[1]->type()),
            sizes_text(sizes_[1]), values[0], values[1])));
  }
  is_certain_ = is_certain_ && fit_.is_certain(found[0]);
  return Dim(found[0]);
}

/// Derives the type of an input that the caller did not state. Its dimensions are functions of the
/// sizes.
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

absl::Status Generalizer::check_results(const Nodes& nodes) {
  std::vector<Unknown> unknowns;
  std::vector<Argument> values;
  values.reserve(nodes.size());
  for (const Node* node : nodes) values.emplace_back(node->arg(0));
  FX_RETURN_IF_ERROR(merge(nodes, values, unknowns).status());
  return unknowns.empty() ? absl::OkStatus() : differ(nodes, 1, "returns a different number");
}

absl::Status Generalizer::check_guards(const ShapeEnv& env) const {
  for (const SymExpr guard : env.guards()) {
    for (const SymBindings& values : sizes_) {
      const absl::StatusOr<bool> holds = eval_bool(guard, values);
      if (!holds.ok() || *holds) continue;  // an error: the guard depends on data
      return absl::InvalidArgumentError(
          fmt::format("the types of the program require {}, which does not hold with {}, although "
                      "the program ran with these sizes; specify narrower ranges for the sizes",
                      to_string(guard), sizes_text(values)));
    }
  }
  return absl::OkStatus();
}

absl::Status generalize_sizes(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
                              absl::Span<const Type> inputs, bool* is_certain) {
  if (graphs.size() < 2 || graphs.size() != sizes.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} graphs and {} lists of sizes: at least two of each are required",
                    graphs.size(), sizes.size()));
  }
  for (const Graph* graph : graphs) {
    if (&graph->context() != &graphs[0]->context())
      return absl::InvalidArgumentError("the graphs must have the same Context");
  }
  Generalizer generalizer(graphs, sizes, inputs);
  FX_RETURN_IF_ERROR(generalizer.run());
  if (is_certain != nullptr) *is_certain = generalizer.is_certain();
  return absl::OkStatus();
}

}  // namespace fx
