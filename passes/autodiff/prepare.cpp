// PreparedGraph: see autodiff_internal.h.
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/autodiff/autodiff_internal.h"
#include "fx/passes/autodiff/nested_internal.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/functionalize/histories.h"
#include "fx/passes/vmap/functional_aten.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fx {

namespace {

bool is_unknown(Type type) {
  return !type || (type.is_tensor() && type.dtype() == DType::kUndefined);
}

/// Returns an error if the type of the value is unknown.
absl::Status check_known(const Node& value) {
  if (!is_unknown(value.type())) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("the {} of %{} ({}) is unknown, so it is unknown whether it has a derivative; "
                  "propagate_types "
                  "reports the calls whose types cannot be inferred",
                  value.type() ? "dtype" : "type", value.name(), value.target()));
}

}  // namespace

bool is_differentiable(Type type) {
  if (is_unknown(type)) return true;
  if (type.is_tensor()) return is_floating_point(type.dtype()) || is_complex(type.dtype());
  if (!type.is_tuple() && !type.is_list()) return false;
  return std::ranges::any_of(type.items(), is_differentiable);
}

namespace {

/// True if a result of the call may have a derivative. The first result of
/// higher_order.with_effects is a token, which orders calls with effects.
bool has_differentiable_result(const Node& call) {
  const Type type = call.type();
  if (call.target() != "higher_order.with_effects" || !(type.is_tuple() || type.is_list()))
    return is_differentiable(type);
  return std::any_of(type.items().begin() + 1, type.items().end(), is_differentiable);
}

}  // namespace

bool is_constant_result(const Node& call, size_t item) {
  // The new running mean and variance, which autograd writes without a derivative.
  const std::string_view op = call.target();
  return (op == "aten._native_batch_norm_legit_functional.default" && item >= 3) ||
         (op == "aten._batch_norm_with_update_functional.default" && item >= 4);
}

const DerivativeRule* RuleLookup::find(const Node& call) {
  if (call.op() != Opcode::kCallFunction) return nullptr;
  const auto [entry, is_new] = by_target_.try_emplace(call.function().data(), nullptr);
  if (is_new) entry->second = table_.find(call.target());
  return entry->second;
}

bool has_derivative_graphs(const Node& call) {
  return call.target() == "higher_order.cond" || call.target() == "higher_order.scan" ||
         call.target() == "higher_order.map_impl" || is_while_loop(call);
}

Type gradient_type(const Node& value) {
  TensorSpec spec = value.type().spec();
  spec.requires_grad = false;
  spec.offset = Dim(0);
  if (!is_non_overlapping_and_dense(value.type())) spec.strides = {};
  return value.graph().context().types().tensor(spec);
}

// ---------------------------------------------------------------- NewNodes

Node* NewNodes::last() const {
  Node* const next = graph_.insert_point();
  return next != nullptr ? next->prev() : graph_.back();
}

void NewNodes::record_source(const Node& source) {
  Node* const now = last();
  const Node* first = nullptr;
  for (Node* node = now; node != last_ && node != nullptr; node = node->prev()) {
    const bool has_meta = !node->meta().empty();
    if (first != nullptr && !has_meta) {
      node->meta().copy_from(*first);  // avoids comparing strings
      continue;
    }
    node->meta().set(meta::kRegion, "bw");
    inherit_provenance(*node, source);
    if (first == nullptr && !has_meta) first = node;
  }
  last_ = now;
}

// ---------------------------------------------------------------- PreparedGraph

PreparedGraph::PreparedGraph(std::unique_ptr<Graph> graph, const GradOptions& options)
    : graph_(std::move(graph)),
      table_(options.table != nullptr ? options.table : &DerivativeTable::of(graph_->context())),
      style_(options.style),
      active_(*graph_, 0) {}

absl::StatusOr<PreparedGraph> PreparedGraph::make(const Graph& graph, const GradOptions& options,
                                                  Dependence dependence) {
  std::unique_ptr<Graph> copy = graph.clone();
  copy->set_owning_module(graph.owning_module());
  copy->set_meta("calling_convention", Argument());  // inputs and results will differ
  // The calls of a graph that is itself a derivative do not belong to the new derivative.
  for (Node& node : copy->nodes())
    if (node.meta().get(meta::kRegion) == "bw") node.meta().remove(meta::kRegion);
  PreparedGraph prepared(std::move(copy), options);
  if (prepared.graph().output_node() == nullptr)
    return absl::InvalidArgumentError("the graph must have an output");
  FX_RETURN_IF_ERROR(prepared.choose_result(options.of));
  FX_RETURN_IF_ERROR(prepared.lower());
  FX_RETURN_IF_ERROR(prepared.choose_inputs(options.wrt));
  FX_RETURN_IF_ERROR(prepared.drop_histories());
  FX_RETURN_IF_ERROR(prepared.find_active());
  if (dependence == Dependence::kRequired && prepared.active_results().empty())
    return absl::InvalidArgumentError("a result must depend on the inputs to differentiate");
  for (const Node* result : prepared.results())
    if (dependence == Dependence::kOptional && result != nullptr)
      FX_RETURN_IF_ERROR(check_known(*result));
  return prepared;
}

absl::Status PreparedGraph::choose_result(const std::string& of) {
  if (of.empty()) return absl::OkStatus();
  Node* const node = graph_->find_node(of);
  if (node == nullptr || node->is_output())
    return absl::NotFoundError(fmt::format("the graph has no node {} to differentiate", of));
  Node* const output = graph_->output_node();
  output->meta().remove(meta::kOutputs);
  return output->set_args({Argument(node)});
}

absl::Status PreparedGraph::lower() {
  return to_functional_aten(
      *graph_, [this](std::string_view target) { return table_->find(target) != nullptr; },
      {.keep_histories = true});
}

absl::Status PreparedGraph::choose_inputs(const std::vector<std::string>& wrt) {
  Graph& graph = *graph_;
  NodeSet chosen(graph);
  for (const std::string& name : wrt) {
    const Node* node = graph.find_node(name);
    if (node == nullptr || (!node->is_placeholder() && node->op() != Opcode::kGetAttr))
      return absl::NotFoundError(fmt::format("the graph has no input {}", name));
    if (!is_differentiable(node->type()) || !node->type().is_tensor()) {
      return absl::InvalidArgumentError(
          fmt::format("the input {} must be a floating-point or complex tensor, not {}", name,
                      to_string(node->type())));
    }
    if (chosen.contains(*node))
      return absl::InvalidArgumentError(
          fmt::format("duplicate input {}: an input has one gradient", name));
    chosen.insert(*node);
  }
  std::vector<Node*> all, requiring;
  for (Node& node : graph.nodes()) {
    if (chosen.contains(node)) inputs_.push_back(&node);
    if (!node.is_placeholder() || !node.type().is_tensor() || is_unknown(node.type()) ||
        !is_differentiable(node.type()))
      continue;
    if (input_fact(node, "kind") != "buffer") all.push_back(&node);
    if (node.type().requires_grad()) requiring.push_back(&node);
  }
  if (wrt.empty()) inputs_ = requiring.empty() ? all : requiring;
  if (inputs_.empty())
    return absl::InvalidArgumentError(
        "the graph must have a floating-point or complex input to differentiate; name parameters "
        "that the graph reads with get_attr in the option wrt (--wrt)");
  return absl::OkStatus();
}

namespace {

/// Returns the nodes that the results depend on.
NodeSet nodes_needed(const Graph& graph, const std::vector<Node*>& results) {
  NodeSet needed(graph);
  for (const Node* result : results)
    if (result != nullptr) needed.insert(*result);
  for (const Node* node = graph.back(); node != nullptr; node = node->prev()) {
    if (node->is_output() || !needed.contains(*node)) continue;
    node->for_each_input([&](const Node* operand) { needed.insert(*operand); });
  }
  return needed;
}

}  // namespace

bool differentiates(const DerivativeRule& rule, const Node& call, const NodeMap<uint8_t>& active) {
  bool found = false;
  for (const ArgumentDerivative& argument : rule.arguments) {
    for (const std::string_view name : argument_names(argument.arguments)) {
      const std::optional<Argument> value = call.argument(name);
      if (!value) continue;
      if (const Node* node = value->node()) found |= active[*node] != 0;
      for (size_t i = 0; i < value->size(); ++i)
        if (const Node* node = (*value)[i].node()) found |= active[*node] != 0;
    }
  }
  return found;
}

std::vector<std::string_view> argument_names(std::string_view names) {
  std::vector<std::string_view> result;
  for (size_t begin = 0; begin < names.size();) {
    const size_t end = std::min(names.find(", ", begin), names.size());
    result.push_back(names.substr(begin, end - begin));
    begin = end + 2;
  }
  return result;
}

PreparedGraph::MissingRules PreparedGraph::mark_active(const std::vector<Node*>& inputs,
                                                       const std::vector<Node*>& results) {
  active_ = NodeMap<uint8_t>(*graph_, 0);
  for (const Node* input : inputs) active_[*input] = 1;
  const NodeSet needed = nodes_needed(*graph_, results);
  RuleLookup rules(*table_);
  MissingRules missing;
  absl::flat_hash_map<std::string_view, size_t> index_of;
  for (const Node& node : graph_->nodes()) {
    if (!node.is_call() || !needed.contains(node) || !has_differentiable_result(node)) continue;
    if (const auto item = selected_item(node)) {
      const bool is_token =
          item->first->target() == "higher_order.with_effects" && item->second == 0;
      const bool may_depend = !is_token && is_differentiable(node.type()) &&
                              !is_constant_result(*item->first, item->second);
      active_[node] = may_depend ? active_[*item->first] : uint8_t{0};
      continue;
    }
    bool depends = false;
    node.for_each_input([&](const Node* operand) { depends |= active_[*operand] != 0; });
    if (!depends) continue;
    if (has_derivative_graphs(node)) {
      active_[node] = 1;
      continue;
    }
    if (const DerivativeRule* rule = rules.find(node)) {
      active_[node] = differentiates(*rule, node, active_) ? 1 : 0;
      continue;
    }
    active_[node] = 1;
    const auto [entry, is_new] = index_of.try_emplace(node.target(), missing.size());
    if (is_new) missing.emplace_back();
    missing[entry->second].push_back(&node);
  }
  return missing;
}

/// Replaces copies whose history depends on no input by their values. The histories of other copies
/// are kept even if they do not depend on the chosen inputs, for derivatives of the derivative.
absl::Status PreparedGraph::drop_histories() {
  std::vector<std::pair<Node*, HistoryCopy>> copies;
  std::vector<Node*> inputs = inputs_, values = results();
  for (Node& node : graph_->nodes()) {
    const bool is_input = node.is_placeholder() && input_fact(node, "kind") != "buffer";
    if ((is_input || node.op() == Opcode::kGetAttr) && is_differentiable(node.type()))
      inputs.push_back(&node);
    const std::optional<HistoryCopy> copy = history_copy(node);
    if (!copy) continue;
    copies.emplace_back(&node, *copy);
    values.push_back(copy->value);
  }
  if (copies.empty()) return absl::OkStatus();
  mark_active(inputs, values);
  for (const auto& [write, copy] : copies) {
    if (active_[*copy.copy] != 0) continue;
    Node* const detach = write->arg(0).as_node();
    if (active_[*copy.value] != 0) {
      FX_RETURN_IF_ERROR(detach->set_args({Argument(copy.value)}));
      detach->set_type(copy.value->type());
    }
    FX_RETURN_IF_ERROR(graph_->erase_node(write));
    copy.copy->replace_all_uses_with(active_[*copy.value] != 0 ? detach : copy.value);
  }
  return absl::OkStatus();
}

absl::Status PreparedGraph::missing_rules(const MissingRules& missing,
                                          const DecomposeReport& report) {
  std::string text = missing.size() == 1 ? "an operator has no derivative rule:"
                                         : "operators have no derivative rule:";
  for (const std::vector<const Node*>& calls : missing) {
    text += fmt::format("\n  {} (%{}{})", std::string(calls[0]->target()), calls[0]->name(),
                        calls.size() > 1 ? fmt::format(" and {} more", calls.size() - 1) : "");
  }
  if (!report.not_decomposed.empty()) text += "\nnot decomposed:\n" + report.str();
  text +=
      "\nadd a rule to a DerivativeTable and pass it as GradOptions::table, or detach the value "
      "(docs/differentiation.md)";
  return absl::UnimplementedError(text);
}

absl::Status PreparedGraph::find_active() {
  for (;;) {
    const MissingRules missing = mark_active(inputs_, results());
    if (missing.empty()) break;
    DecomposeOptions options{.core = false};
    for (const std::vector<const Node*>& calls : missing)
      if (DecompositionTable::of(graph_->context()).find(calls[0]->target()) != nullptr)
        options.ops.emplace_back(calls[0]->target());
    DecomposeReport report;
    if (!options.ops.empty()) {
      FX_ASSIGN_OR_RETURN(report, decompose(*graph_, options));
    }
    if (report.decomposed > 0) continue;
    for (const Node& node : graph_->nodes()) {
      if (&node == missing[0][0]) break;
      if (active_[node] != 0) FX_RETURN_IF_ERROR(check_known(node));
    }
    return missing_rules(missing, report);
  }
  for (const Node& node : graph_->nodes())
    if (active_[node] != 0) FX_RETURN_IF_ERROR(check_known(node));
  return absl::OkStatus();
}

namespace {

void collect(const Argument& value, std::vector<Node*>& results) {
  if (is_aggregate(value.kind())) {
    for (size_t i = 0; i < value.size(); ++i) collect(value[i], results);
    return;
  }
  results.push_back(value.node());
}

}  // namespace

std::vector<Node*> PreparedGraph::results() const {
  std::vector<Node*> results;
  collect(Argument(graph_->output_node()->arg(0)), results);
  return results;
}

bool PreparedGraph::is_mutation(size_t result) const {
  const std::optional<Argument> outputs = graph_->output_node()->meta().get(meta::kOutputs);
  if (!outputs || result >= outputs->size()) return false;
  return (*outputs)[result].find_text("kind").ends_with("mutation");
}

std::vector<Node*> PreparedGraph::active_results() const {
  std::vector<Node*> active;
  const std::vector<Node*> all = results();
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i] != nullptr && all[i]->type().is_tensor() && is_active(*all[i]) && !is_mutation(i))
      active.push_back(all[i]);
  }
  return active;
}

// Writes to inputs are at the end, after all users of the old values.
Node* PreparedGraph::end() const { return end_of_calls(*graph_); }

}  // namespace fx
