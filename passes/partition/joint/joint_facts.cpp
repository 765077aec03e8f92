// JointFacts: see joint_internal.h. joint_costs.cpp computes costs.
#include "fx/interp/shared_inputs.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/edges.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/module_tree.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/partition/joint/joint_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace fx::internal {
namespace {

/// The assumed value of a symbol without a value, as in AOTAutograd.
constexpr int64_t kAssumedSize = 4096;

/// Returns an entry of the metadata of an output item.
std::string_view description_fact(const Argument& description, std::string_view key) {
  for (size_t k = 0; description.is_dict() && k < description.size(); ++k)
    if (description.key(k) == Argument(key) && description[k].is_string())
      return description[k].as_string();
  return {};
}

absl::Status not_joint(std::string_view what) {
  return absl::FailedPreconditionError(
      fmt::format("not a joint graph: {}. Create one with fx::joint (fxcpp grad --joint) or "
                  "capture_joint (fxcpp capture --joint)",
                  what));
}

}  // namespace

absl::StatusOr<JointFacts> JointFacts::make(const Graph& graph,
                                            const JointPartitionOptions& options) {
  JointFacts facts(graph);
  FX_RETURN_IF_ERROR(facts.split_output());
  facts.bind_symbols(options.bindings);
  FX_RETURN_IF_ERROR(facts.classify_nodes());
  facts.find_uses();
  facts.find_written_inputs();
  FX_RETURN_IF_ERROR(facts.measure(options));
  FX_RETURN_IF_ERROR(facts.apply_marks(options));
  facts.find_cheap();
  return facts;
}

absl::Status JointFacts::split_output() {
  const Node* const output = graph_->output_node();
  if (output == nullptr || output->num_args() != 1) return not_joint("it has no output");
  const Argument all(output->arg(0));
  const std::optional<Argument> descriptions = output->meta().get(meta::kOutputs);
  const bool is_sequence = all.is_list() || all.is_tuple();
  if (descriptions) {
    if (!is_sequence || !descriptions->is_list() || descriptions->size() != all.size())
      return not_joint("the metadata `outputs` does not describe each of its results");
    split_by_description(all, *descriptions);
  } else {
    if (!is_sequence || all.size() != 2 || !(all[1].is_list() || all[1].is_tuple()))
      return not_joint("the output has no metadata `outputs` and is not (results, (gradients...))");
    split_pair(all[0], all[1]);
  }
  if (gradients.empty()) return not_joint("it has no gradients");
  return absl::OkStatus();
}

void JointFacts::split_by_description(const Argument& all, const Argument& descriptions) {
  for (size_t i = 0; i < all.size(); ++i) {
    const Argument& description = descriptions[i];
    const std::string_view kind = description_fact(description, "kind");
    const bool is_gradient = kind == "gradient" || kind == "none";
    (is_gradient ? gradients : results).emplace_back(all[i]);
    (is_gradient ? gradient_descriptions : result_descriptions).push_back(description);
  }
}

void JointFacts::split_pair(const Argument& first, const Argument& second) {
  if (first.is_list() || first.is_tuple()) {
    for (size_t i = 0; i < first.size(); ++i) results.emplace_back(first[i]);
  } else {
    results.push_back(first);
  }
  for (size_t i = 0; i < second.size(); ++i) gradients.emplace_back(second[i]);
}

void JointFacts::bind_symbols(const SymBindings& given) {
  bindings = bindings_of(*graph_, given);
  for (const Symbol symbol : symbols_of_types(*graph_)) {
    if (bindings.try_emplace(symbol, SymValue(kAssumedSize)).second)
      assumed_sizes.emplace_back(symbol.str());
  }
}

absl::Status JointFacts::classify_nodes() {
  using ops::Effect;
  bool is_ordered_backward = false;
  for (const Node& node : graph_->nodes()) {
    if (node.is_output()) continue;
    JointNode& facts = nodes_[node];
    facts.backward = is_tangent(node);
    node.for_each_input([&](const Node* input) {
      facts.backward |= nodes_[*input].backward;
      facts.random |= node.target() == "operator.getitem" && nodes_[*input].random;
    });
    facts.in_forward = node.meta().get(meta::kRegion).value_or("fw") != "bw";
    facts.once = node.is_placeholder();
    if (!node.is_call()) continue;
    const ops::Effects what = effects(node);
    facts.random |= what.has(Effect::kRandom);
    facts.ordered = what.has_any(ops::kState | Effect::kRandom);
    facts.effectful = facts.ordered || !what.is_removable();
    facts.once = facts.effectful || what.has(Effect::kUninitialized);
    // If a call with ordered effects is in the backward graph, so are all later ones.
    if (facts.ordered) facts.backward |= is_ordered_backward;
    is_ordered_backward |= facts.ordered && facts.backward;
  }
  const Node* late = nullptr;
  for (const Argument& result : results) {
    for_each_node_in(result, [&](const Node& node) {
      if (nodes_[node].backward) late = &node;
    });
  }
  if (late == nullptr) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("the result %{} of the forward graph depends on a tangent, or must run after a "
                  "call in the backward graph that has effects",
                  late->name()));
}

void JointFacts::find_uses() {
  const auto need = [&](const Node& node) {
    nodes_[node].required = nodes_[node].runs_forward = true;
  };
  for (const Argument& result : results) for_each_node_in(result, need);
  for (const Argument& gradient : gradients) {
    for_each_node_in(gradient, [&](const Node& node) {
      if (!nodes_[node].backward) nodes_[node].direct = nodes_[node].reaches = true;
    });
  }
  std::vector<const Node*> order;
  order.reserve(graph_->size());
  for (const Node& node : graph_->nodes()) order.push_back(&node);
  for (size_t i = order.size(); i-- > 0;) {
    const Node& node = *order[i];
    if (node.is_output()) continue;
    nodes_[node].runs_forward |= nodes_[node].effectful && !nodes_[node].backward;
    const JointNode user = nodes_[node];
    node.for_each_input([&](const Node* input) {
      JointNode& facts = nodes_[*input];
      facts.required |= user.required;
      facts.runs_forward |= user.runs_forward;
      if (facts.backward) return;
      facts.direct |= user.backward;
      facts.reaches |= user.backward || user.reaches;
    });
  }
}

/// Marks values in the memory of inputs and attributes to which forward calls write: the backward
/// graph runs after the writes, and must not use that memory. After functionalization these writes
/// are copies to separate inputs.
void JointFacts::find_written_inputs() {
  const MemoryAnalysis memory(*graph_);
  if (!memory.has_writes()) return;
  const absl::flat_hash_set<const Node*> written = written_by_forward(memory);
  absl::flat_hash_set<Symbol> written_paths;
  for (const Node* node : written)
    if (node->op() == Opcode::kGetAttr) written_paths.insert(node->target_symbol());
  for (const Node& node : graph_->nodes()) {
    JointNode& facts = nodes_[node];
    if (node.is_output() || facts.backward) continue;
    facts.copied = written.contains(&node) ||
                   (node.op() == Opcode::kGetAttr && written_paths.contains(node.target_symbol()));
    if (!node.is_placeholder() && node.op() != Opcode::kGetAttr) {
      node.for_each_input([&](const Node* input) {
        facts.copied |= nodes_[*input].copied && memory.may_share(node, *input);
      });
    }
    // Reading an attribute again would return the new value.
    if (facts.copied && node.op() == Opcode::kGetAttr) facts.once = true;
  }
}

/// Returns the values to which forward calls write, and the values with which these may share
/// memory.
absl::flat_hash_set<const Node*> JointFacts::written_by_forward(
    const MemoryAnalysis& memory) const {
  absl::flat_hash_set<const Node*> written;
  for (const Node& node : graph_->nodes()) {
    const ops::OpInfo* op = node.function().op();
    if (nodes_[node].backward || op == nullptr) continue;
    for (const uint8_t index : op->written_arguments()) {
      const std::optional<Argument> value = node.argument(op->schema().arguments()[index].name);
      if (!value) continue;
      for_each_node_in(*value, [&](const Node& target) { written.insert(&target); });
    }
  }
  // A write through a view writes to its source.
  std::vector<const Node*> worklist(written.begin(), written.end());
  while (!worklist.empty()) {
    const Node& node = *worklist.back();
    worklist.pop_back();
    node.for_each_input([&](const Node* input) {
      if (memory.may_share(node, *input) && written.insert(input).second) worklist.push_back(input);
    });
  }
  for (const SharedInputs& group : shared_inputs(*graph_)) {
    bool any = false;
    for (const Node* input : group.nodes) any |= written.contains(input);
    if (!any) continue;
    for (const Node* input : group.nodes) written.insert(input);
  }
  return written;
}

absl::Status JointFacts::apply_marks(const JointPartitionOptions& options) {
  // Calls `set` with each node and the selected module that contains it, or "" if it is named.
  const auto mark = [&](const std::string& text, auto&& set) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const ModulePattern pattern, ModulePattern::parse(text));
    bool found = false;
    for (const Node& node : graph_->nodes()) {
      if (node.is_output() || nodes_[node].backward) continue;
      const bool is_named = node.name() == text;
      const std::string_view module =
          node.is_call() && !is_named ? pattern.selected_module(module_path(node)) : "";
      if (!is_named && module.empty()) continue;
      found = true;
      set(node, module);
    }
    if (found) return absl::OkStatus();
    return absl::NotFoundError(
        fmt::format("no node or module '{}' is in the forward part of the graph", text));
  };
  for (const std::string& text : options.save) {
    FX_RETURN_IF_ERROR(
        mark(text, [&](const Node& node, std::string_view) { nodes_[node].must_save = true; }));
  }
  for (const std::string& text : options.recompute) {
    if (std::ranges::find(options.save, text) != options.save.end())
      return absl::InvalidArgumentError(
          fmt::format("'{}' cannot be both saved and recomputed", text));
    FX_RETURN_IF_ERROR(mark(text, [&](const Node& node, std::string_view module) {
      JointNode& facts = nodes_[node];
      if (facts.once || facts.must_save) return;
      // A value that leaves the module may be saved; a named value has the root as its module.
      bool inside = true;
      for (const Use use : node.uses()) {
        const Node& user = *use.user();
        inside &= module.empty() || nodes_[user].backward ||
                  (!user.is_output() && is_in_module(module_path(user), module));
      }
      bool can = true;
      node.for_each_input(
          [&](const Node* input) { can &= nodes_[*input].savable || !nodes_[*input].once; });
      facts.must_compute |= inside && can;
    }));
  }
  return absl::OkStatus();
}

}  // namespace fx::internal
