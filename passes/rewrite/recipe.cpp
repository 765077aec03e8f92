// Replacement graphs that are prepared once and inserted for each match: see replacer_internal.h.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/rewrite/replacer_internal.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fx::rewrite {

namespace {

/// Returns, for each placeholder of the replacement, the index of the pattern's placeholder with
/// the same name; nullopt if the names of one are not a permutation of the names of the other.
std::optional<std::vector<uint32_t>> paired_by_name(const std::vector<const Node*>& placeholders,
                                                    const std::vector<Node*>& expected) {
  std::vector<uint32_t> by_name;
  for (const Node* placeholder : placeholders) {
    const auto found = std::ranges::find(expected, placeholder->target(), &Node::target);
    if (found == expected.end()) return std::nullopt;
    by_name.push_back(static_cast<uint32_t>(found - expected.begin()));
  }
  std::vector<uint32_t> sorted = by_name;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return std::nullopt;
  return by_name;
}

/// Returns the results of the replacement for the values that the pattern returns. If the pattern
/// returns a value twice, pairs the results by position. Returns nullopt if the numbers differ.
std::optional<std::vector<Argument>> paired_results(const Argument& result,
                                                    const Argument& pattern_result,
                                                    const std::vector<Node*>& returned) {
  const bool is_many = !result.is_node() && is_aggregate(result.kind());
  std::vector<Argument> results;
  for (size_t i = 0; is_many && i < result.size(); ++i) results.push_back(result[i]);
  if (!is_many) results.push_back(result);
  if (results.size() == returned.size()) return results;
  if (!is_many || pattern_result.size() != results.size()) return std::nullopt;
  std::vector<Argument> paired(returned.size());
  for (size_t i = 0; i < pattern_result.size(); ++i) {
    if (!pattern_result[i].is_node()) return std::nullopt;
    const auto found = std::ranges::find(returned, pattern_result[i].as_node());
    paired[static_cast<size_t>(found - returned.begin())] = results[i];
  }
  return paired;
}

}  // namespace

absl::StatusOr<Recipe> Recipe::create(const CompiledPattern& pattern, const Graph& replacement) {
  if (&pattern.graph->context() != &replacement.context()) {
    return absl::InvalidArgumentError(
        "the pattern and the replacement have different Contexts; create both with one Context");
  }
  Recipe recipe;
  recipe.graph_ = &replacement;
  std::vector<const Node*> placeholders;
  for (const Node& node : replacement.nodes()) {
    if (node.is_placeholder())
      placeholders.push_back(&node);
    else if (!node.is_output())
      recipe.body_.push_back({.node = &node,
                              .name = node.name(),
                              .hint = {},
                              .args = node.args(),
                              .kwargs = node.kwargs(),
                              .created = {},
                              .has_meta = !node.meta().empty(),
                              .is_flat = true,
                              .ready = {},
                              .nodes = {}});
  }
  const Node* const output = replacement.output_node();
  if (!output)
    return absl::InvalidArgumentError("the replacement must have an output; return the new values");
  // Placeholders with the names of kept calls refer to these calls.
  std::erase_if(placeholders, [&](const Node* placeholder) {
    for (size_t i = 0; i < pattern.kept.size(); ++i) {
      if (pattern.nodes[pattern.kept[i]].node->name() != placeholder->target()) continue;
      recipe.inputs_.emplace_back(placeholder,
                                  static_cast<uint32_t>(pattern.placeholders.size() + i));
      return true;
    }
    return false;
  });
  const std::vector<Node*>& expected = pattern.placeholder_nodes;
  if (placeholders.size() != expected.size()) {
    return absl::InvalidArgumentError(
        fmt::format("the pattern has {}, but the replacement has {}; they must have the "
                    "same number, even if some have no users",
                    pluralize(expected.size(), "placeholder"), placeholders.size()));
  }
  std::optional<std::vector<uint32_t>> by_name;
  if (pattern.options.extensions) by_name = paired_by_name(placeholders, expected);
  for (size_t i = 0; i < placeholders.size(); ++i) {
    recipe.inputs_.emplace_back(placeholders[i],
                                by_name ? (*by_name)[i] : static_cast<uint32_t>(i));
  }
  const Argument result(output->arg(0));
  std::optional<std::vector<Argument>> results = paired_results(
      result, Argument(pattern.graph->output_node()->arg(0)), pattern.returned_nodes);
  if (!results) {
    const bool is_many = !result.is_node() && is_aggregate(result.kind());
    return absl::InvalidArgumentError(fmt::format(
        "the pattern returns {}, but the replacement returns {}; return a value for each",
        pluralize(pattern.returned_nodes.size(), "value"), is_many ? result.size() : 1));
  }
  recipe.results_ = std::move(*results);
  recipe.values_.resize(replacement.id_bound());
  for (const PatternNode& node : pattern.nodes) recipe.has_rests_ |= node.is_rest;
  for (Step& step : recipe.body_) {
    recipe.has_effects_ |= is_impure(*step.node);
    const Target function = step.node->function();
    if (function && function.data()->hint.exact.str() == step.name &&
        !function.data()->hint.reserved)
      step.hint = function.data()->hint;
    else
      step.hint = make_name_hint(replacement.context().symbols(), step.name);
    step.ready = step.args;
    for (uint32_t i = 0; i < step.args.size(); ++i) {
      step.is_flat &= !is_aggregate(step.args[i].kind());
      if (const Node* const value = step.args[i].node()) step.nodes.emplace_back(i, value->id());
    }
  }
  return recipe;
}

absl::Span<const ResultMemory> Recipe::result_memory() {
  if (!result_memory_.empty() || results_.empty()) return result_memory_;
  const MemoryAnalysis memory(
      *graph_, {.distinct_inputs = true, .distinct_attributes = true, .pure_unknown_calls = true});
  for (const Argument& result : results_) {
    ResultMemory& found = result_memory_.emplace_back();
    const Node* const node = result.node();
    if (node == nullptr) continue;
    for (const Step& step : body_)
      found.has_attribute |=
          step.node->op() == Opcode::kGetAttr && memory.may_share(*node, *step.node);
    for (const auto& [input, index] : inputs_) {
      if (!memory.may_share(*node, *input)) continue;
      found.inputs.push_back(index);
      found.must_share = found.inputs.size() == 1 && memory.must_share(*node, *input);
    }
  }
  return result_memory_;
}

absl::Status Recipe::insert(Graph& graph, absl::Span<const Argument> inputs,
                            std::vector<Node*>& nodes, std::vector<Argument>& results) {
  for (const auto& [node, index] : inputs_) values_[node->id()] = &inputs[index];
  if (graph_->num_subgraphs() > 0) {
    // Nested graphs are copied once per match, with the nodes that refer to them.
    NodeMapping mapping;
    for (const auto& [node, index] : inputs_) mapping.emplace(node, inputs[index]);
    FX_RETURN_IF_ERROR(graph.graph_copy(*graph_, mapping));
    for (Step& step : body_) {
      step.created = mapping.at(step.node);
      values_[step.node->id()] = &step.created;
      nodes.push_back(step.created.as_node());
    }
  } else {
    for (Step& step : body_) {
      FX_ASSIGN_OR_RETURN(Node* const created, make(graph, step));
      step.created = created;
      values_[step.node->id()] = &step.created;
      nodes.push_back(created);
    }
  }
  for (const Argument& result : results_) results.push_back(map(result));
  return absl::OkStatus();
}

Argument Recipe::map(const Argument& argument) const {
  if (const Node* const node = argument.node()) return *values_[node->id()];
  if (!is_aggregate(argument.kind())) return argument;
  if (has_rests_ && (argument.is_list() || argument.is_tuple())) {
    std::vector<Argument> items;
    for (size_t i = 0; i < argument.size(); ++i) {
      const Node* const node = argument[i].node();
      Argument item = map(argument[i]);
      if (node && node->is_placeholder() && node->target().starts_with('*') && item.is_list())
        for (size_t j = 0; j < item.size(); ++j) items.push_back(item[j]);
      else
        items.push_back(std::move(item));
    }
    return argument.is_list() ? Argument::list(items) : Argument::tuple(items);
  }
  return map_nodes(argument, [&](const Node* node) { return *values_[node->id()]; });
}

/// Does the same as Graph::node_copy, but faster, since it uses the prepared step.
absl::StatusOr<Node*> Recipe::make(Graph& graph, Step& step) {
  const Node& node = *step.node;
  if (step.is_flat) {
    for (const auto& [position, id] : step.nodes) step.ready[position] = *values_[id];
  } else {
    step.ready.clear();
    for (const Argument& arg : step.args) step.ready.push_back(map(arg));
  }
  if (!step.kwargs.empty()) kwargs_.clear();
  for (const Kwarg& kwarg : step.kwargs) kwargs_.emplace_back(kwarg.symbol, map(kwarg.value));
  const absl::Span<const Kwarg> kwargs(kwargs_.data(), step.kwargs.size());
  Node* created = nullptr;
  if (node.op() == Opcode::kCallFunction || node.op() == Opcode::kCallMethod) {
    created = Graph::Editor::make_node(graph, node.op(), Graph::Editor::target(node), step.hint,
                                       step.ready, kwargs, node.type());
  }
  if (!created) {  // the node must be checked against the owning module, or an error occurred
    const NodeOptions options{.name = step.name, .type = node.type()};
    FX_ASSIGN_OR_RETURN(
        created, node.op() == Opcode::kCallFunction
                     ? graph.create_node(node.op(), node.function(), step.ready, kwargs, options)
                     : graph.create_node(node.op(), node.target(), step.ready, kwargs, options));
  }
  if (step.has_meta) created->meta().copy_from(node);
  return created;
}

}  // namespace fx::rewrite
