#include "fx/passes/shape/generalize/generalize_sizes.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/generalize/generalizer_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

bool is_number_input(const Node* node) {
  if (node == nullptr || !node->is_placeholder()) return false;
  const TypeKind kind = node->type().kind();
  return kind == TypeKind::kInt || kind == TypeKind::kFloat;
}

Generalizer::Generalizer(Graph& first, absl::Span<const RecordedRun> others,
                         absl::Span<const SymBindings> sizes, absl::Span<const Type> inputs)
    : graph_(first),
      others_(others),
      sizes_(sizes.begin(), sizes.end()),
      inputs_(inputs.begin(), inputs.end()),
      context_(first.context()),
      fit_(context_, sizes),
      env_(first),
      agreeing_types_(sizes.size()),
      inferred_(context_),
      numbers_(first),
      types_(sizes.size()),
      next_differences_(others.size()),
      next_guards_(others.size()) {
  for (const SymBindings& values : sizes_) {
    auto& substitution = substitutions_.emplace_back();
    for (const auto& [symbol, value] : values)
      substitution.emplace(symbol, context_.exprs().integer(value.int_value()));
  }
}

/// Reads the types of a node in all runs. Returns the problem of the first run that does not have
/// the node.
absl::Status Generalizer::read_types(const Node& node) {
  types_[0] = node.type();
  for (size_t r = 0; r < others_.size(); ++r) {
    if (index_ >= others_[r].types.size()) return others_[r].problem;
    types_[r + 1] = others_[r].types[index_];
  }
  return absl::OkStatus();
}

absl::Status Generalizer::run() {
  size_t input = 0;
  for (Node* node = graph_.front(); node != nullptr; ++index_) {
    // Later nodes are created only after the loop.
    Node* const next = node->next();
    FX_RETURN_IF_ERROR(read_types(*node));
    const Step step{*node, types_};
    if (is_number_input(node) && !types_[1]) {
      last_input_ = node;
      ++input;
    } else if (node->is_placeholder()) {
      FX_RETURN_IF_ERROR(add_placeholder(step, input++));
    } else if (node->is_output()) {
      FX_RETURN_IF_ERROR(check_results(*node));
    } else {
      FX_RETURN_IF_ERROR(add_call(step));
    }
    node = next;
  }
  FX_RETURN_IF_ERROR(check_guards(env_));
  add_guards(graph_, env_.guards());
  return last_input_ == nullptr ? absl::OkStatus() : numbers_.create_nodes(*last_input_);
}

// ---- inputs

absl::Status Generalizer::add_placeholder(const Step& step, size_t index) {
  Node& node = step.node;
  last_input_ = &node;
  if (index < inputs_.size() && inputs_[index]) {
    for (size_t r = 0; r < step.types.size(); ++r) {
      if (depends_on_data(inputs_[index], step.types[r], r)) continue;
      return node_error(
          node, absl::InvalidArgumentError(fmt::format(
                    "the specified type {} differs from the recorded type {} with {}",
                    to_string(inputs_[index]), to_string(step.types[r]), sizes_text(sizes_[r]))));
    }
    change_type(node, with_requires_grad(context_.types(), inputs_[index], node.type()));
    fit_.add(node.type());
    return absl::OkStatus();
  }
  if (std::ranges::any_of(step.types, [&](Type type) { return type != node.type(); }))
    pending_inputs_.emplace(&node, std::vector<Type>(step.types.begin(), step.types.end()));
  return absl::OkStatus();
}

/// Records the rivals of the expression that was chosen for a number, unless the number is certain.
void Generalizer::add_rivals(const Node& node, std::string_view what,
                             absl::Span<const int64_t> values, SymExpr chosen) {
  if (fit_.is_certain(chosen)) return;
  if (!uncertain_.emplace(values.begin(), values.end()).second) return;
  SizeRivals rivals{.number = fmt::format("{}: {} is {} with {}", describe(node), what, values[0],
                                          sizes_text(sizes_[0])),
                    .expressions = fit_.rivals(values)};
  std::erase(rivals.expressions, chosen);
  rivals.expressions.insert(rivals.expressions.begin(), chosen);
  rivals_.push_back(std::move(rivals));
}

absl::StatusOr<Dim> Generalizer::derive(const Step& step, absl::Span<const int64_t> values) {
  if (std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; }))
    return Dim(values[0]);
  const std::vector<SymExpr> found = fit_.integers(values);
  if (found.empty()) {
    return node_error(
        step.node,
        absl::InvalidArgumentError(fmt::format(
            "the type is {} with {}, and {} with {}: no expression in the sizes equals {} and "
            "{}",
            to_string(step.types[0]), sizes_text(sizes_[0]), to_string(step.types[1]),
            sizes_text(sizes_[1]), values[0], values[1])));
  }
  add_rivals(step.node, "a size in the type", values, found[0]);
  return Dim(found[0]);
}

/// Derives the type of an input for which the caller did not specify one. Its dimensions are
/// functions of the sizes.
absl::Status Generalizer::derive_input(const Step& step) {
  const Type first = step.types[0];
  DimVector sizes, strides;
  bool default_strides = true;
  for (const Type type : step.types) {
    if (!type.is_tensor() || type.rank() != first.rank() || type.dtype() != first.dtype() ||
        !type.has_strides() || type.offset() != first.offset())
      return node_error(
          step.node,
          absl::InvalidArgumentError(
              "its rank, dtype or offset differs between the runs, or its strides are unknown"));
    default_strides = default_strides && type.has_default_strides();
  }
  for (int d = 0; d < first.rank(); ++d) {
    std::vector<int64_t> of_size, of_stride;
    for (const Type type : step.types) {
      of_size.push_back(type.size(d).value());
      of_stride.push_back(type.stride(d).value());
    }
    FX_ASSIGN_OR_RETURN(const Dim size, derive(step, of_size));
    FX_ASSIGN_OR_RETURN(const Dim stride, derive(step, of_stride));
    sizes.push_back(size);
    strides.push_back(stride);
  }
  TensorSpec spec = first.spec();
  spec.sizes = sizes;
  spec.strides = default_strides ? StrideSpec() : StrideSpec(strides);
  change_type(step.node, context_.types().tensor(spec));
  return absl::OkStatus();
}

absl::Status Generalizer::check_results(Node& output) {
  std::vector<Unknown> unknowns;
  FX_RETURN_IF_ERROR(merge_arguments(output, unknowns).status());
  return unknowns.empty() ? absl::OkStatus() : differ(output, 1, "returns a different number");
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

absl::Status generalize_sizes(Graph& first, absl::Span<const RecordedRun> others,
                              absl::Span<const SymBindings> sizes, absl::Span<const Type> inputs,
                              std::vector<SizeRivals>* rivals) {
  if (others.empty() || others.size() + 1 != sizes.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} runs and {} lists of sizes: the numbers must be equal and at least 2",
                    others.size() + 1, sizes.size()));
  }
  Generalizer generalizer(first, others, sizes, inputs);
  absl::Status status = generalizer.run();
  if (rivals != nullptr) *rivals = generalizer.take_rivals();
  return status;
}

absl::Status generalize_sizes(absl::Span<Graph* const> graphs, absl::Span<const SymBindings> sizes,
                              absl::Span<const Type> inputs, std::vector<SizeRivals>* rivals) {
  if (graphs.size() < 2 || graphs.size() != sizes.size()) {
    return absl::InvalidArgumentError(
        fmt::format("{} graphs and {} lists of sizes: the numbers must be equal and at least 2",
                    graphs.size(), sizes.size()));
  }
  std::vector<RecordedRun> others;
  for (size_t r = 1; r < graphs.size(); ++r) {
    if (&graphs[r]->context() != &graphs[0]->context())
      return absl::InvalidArgumentError("the graphs must have the same Context");
    others.push_back(compare_graphs(*graphs[0], *graphs[r], sizes[0], sizes[r]));
  }
  return generalize_sizes(*graphs[0], others, sizes, inputs, rivals);
}

}  // namespace fx
