// set_training: see set_training.h.
#include "fx/passes/inference/set_training.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/analysis/storage_offsets.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// Returns the argument of an operator that selects training or evaluation; null if it has none.
const ops::SchemaArgument* training_argument(const ops::OpInfo& op) {
  for (const std::string_view name : {"training", "train", "use_input_stats"}) {
    const int index = op.schema().find_argument(name);
    if (index < 0) continue;
    const ops::SchemaArgument& argument = op.schema().arguments()[static_cast<size_t>(index)];
    if (argument.type.without_optional().is(ops::SchemaTypeKind::kBool)) return &argument;
  }
  return nullptr;
}

/// The prefix of the overloads of batch norm without running statistics.
constexpr std::string_view kNormWithoutStats = "aten._native_batch_norm_legit.no_stats";

/// True for an operator that normalizes with running statistics in evaluation mode.
bool needs_stats(const ops::OpInfo& op) { return op.schema().find_argument("running_mean") >= 0; }

class Switch {
 public:
  Switch(Graph& graph, bool training, const SetTrainingOptions& options, SetTrainingReport& report)
      : graph_(graph),
        context_(graph.context()),
        training_(training),
        options_(options),
        report_(report),
        retyped_(graph) {}

  absl::Status run() {
    const Target inference = context_.function("aten._native_batch_norm_legit_no_training.default");
    for (Node& node : graph_.nodes()) {
      if (node.op() != Opcode::kCallFunction || node.function().op() == nullptr) continue;
      if (options_.only && !options_.only(node)) continue;
      if (node.function() == inference) {
        if (training_) FX_RETURN_IF_ERROR(train_batch_norm(node));
      } else if (const ops::SchemaArgument* const flag = flag_of(node.function())) {
        switch_flag(node, *flag);
      }
    }
    return absl::OkStatus();
  }

  /// Updates the types of the users of switched calls, and of the calls that run a graph of
  /// `changed`. Adds the graph to `changed` if the types of its results may have changed.
  void update_types(absl::flat_hash_set<const Graph*>& changed) {
    if (!changed.empty()) {
      for (Node& node : graph_.nodes()) {
        if (node.op() != Opcode::kCallFunction) continue;
        for (const Graph* const nested : nested_graphs(node))
          if (changed.contains(nested)) retyped_.insert(node);
      }
    }
    if (!report_.changed) return;
    retype_users(graph_, retyped_, type_by_lowering);
    const Node* const output = graph_.output_node();
    if (output == nullptr) return;
    output->for_each_input([&](const Node* result) {
      if (retyped_.contains(*result)) changed.insert(&graph_);
    });
  }

 private:
  void report_unchanged(const Node& node, std::string_view reason) {
    report_.unchanged.emplace_back(fmt::format("{} ({})", node.name(), std::string(node.target())),
                                   std::string(reason));
  }

  const ops::SchemaArgument* flag_of(Target function) {
    const auto [known, is_new] = flags_.try_emplace(function, nullptr);
    if (is_new) known->second = training_argument(*function.op());
    return known->second;
  }

  void set_argument(Node& node, std::string_view name, const Argument& value) {
    if (node.argument(name) == value) return;
    const ops::OpInfo& op = *node.function().op();
    const std::optional<size_t> number = argument_number(node, op, op.schema().find_argument(name));
    FX_CHECK_OK(number && *number < node.num_args() ? node.update_arg(*number, value)
                                                    : node.update_kwarg(name, value));
    report_.changed = true;
    retype(node);
  }

  void switch_flag(Node& node, const ops::SchemaArgument& flag) {
    const bool lacks_stats = needs_stats(*node.function().op())
                                 ? !has_stats(node)
                                 : node.target().starts_with(kNormWithoutStats);
    if (!training_ && lacks_stats) return report_unchanged(node, "it has no running statistics");
    if (node.target() == "aten.native_dropout.default") scale_gradients(node);
    set_argument(node, flag.name, Argument(training_));
  }
  static bool has_stats(const Node& node) {
    return std::ranges::all_of(std::array{"running_mean", "running_var"}, [&](const char* name) {
      const std::optional<Argument> value = node.argument(name);
      return value && !value->is_none();
    });
  }

  /// Sets the scale of the gradient of dropout: 1 / (1 - p) in training mode (0 if p is 1), 1 in
  /// evaluation mode.
  void scale_gradients(const Node& dropout) {
    const Target backward = context_.function("aten.native_dropout_backward.default");
    const std::optional<Argument> p = dropout.argument("p");
    if (!p || (!p->is_float() && !p->is_int())) return;
    const double dropped = p->is_float() ? p->as_float() : static_cast<double>(p->as_int());
    const double scale = !training_ || dropped >= 1 ? (training_ ? 0.0 : 1.0) : 1 / (1 - dropped);
    for (Node* item : dropout.users()) {
      if (constant_item(*item) != 1) continue;  // not the mask
      for (Node* user : item->users())
        if (user->is(backward)) set_argument(*user, "scale", Argument(scale));
    }
  }

  /// Replaces the operator with the operator for training, which writes the statistics and has one
  /// more argument after them.
  absl::Status train_batch_norm(Node& node) {
    if (node.num_kwargs() != 0 || node.num_args() != 7) {
      report_unchanged(node, "all its arguments must be positional (normalize_args)");
      return absl::OkStatus();
    }
    node.set_function(context_.function("aten._native_batch_norm_legit.default"));
    FX_RETURN_IF_ERROR(node.insert_arg(5, Argument(true)));
    report_.changed = true;
    retype(node);
    return absl::OkStatus();
  }

  /// Updates the type. Saved statistics have different sizes. Dropout in evaluation mode returns
  /// its operand, whose strides and offset may differ from those of a new tensor.
  void retype(Node& node) {
    const Type before = node.type();
    if (before) reinfer_type(node, type_by_lowering);
    if (!before || node.type() != before) retyped_.insert(node);
  }

  Graph& graph_;
  Context& context_;
  bool training_;
  const SetTrainingOptions& options_;
  SetTrainingReport& report_;
  NodeSet retyped_;  // calls whose types changed, or may have changed
  absl::flat_hash_map<Target, const ops::SchemaArgument*> flags_;
};

/// Switches `root`, or the modules that the selected calls run.
void switch_modules(const Graph& graph, bool training, Module* root,
                    const SetTrainingOptions& options) {
  if (root == nullptr) return;
  if (!options.only) {
    root->train(training);
    return;
  }
  for (const Graph& g : all_graphs(graph)) {
    for (const Node& node : g.nodes()) {
      if (node.op() != Opcode::kCallModule || !options.only(node)) continue;
      if (Module* const called = root->find_module(node.target())) called->train(training);
    }
  }
}

}  // namespace

std::string SetTrainingReport::str() const {
  std::string text;
  for (const auto& [call, reason] : unchanged) text += fmt::format("{}: {}\n", call, reason);
  return text;
}

absl::StatusOr<SetTrainingReport> set_training(Graph& graph, bool training, Module* root,
                                               const SetTrainingOptions& options) {
  SetTrainingReport report;
  std::vector<std::unique_ptr<Switch>> graphs;
  for (Graph& g : all_graphs(graph)) {
    graphs.push_back(std::make_unique<Switch>(g, training, options, report));
    FX_RETURN_IF_ERROR(graphs.back()->run());
  }
  if (report.changed && changes_metadata(graph)) {
    // The recorded types of the operands may differ from their types at the calls.
    std::vector<const Node*> untyped;
    for (const Graph& g : all_graphs(graph))
      for (const Node& node : g.nodes())
        if (node.is_call() && !node.type()) untyped.push_back(&node);
    propagate_types(graph, {.other_call = type_by_lowering, .changed_values = untyped});
    switch_modules(graph, training, root, options);
    return report;
  }
  // Updates inner graphs first, since the types of their results determine the types of the calls
  // that run them.
  absl::flat_hash_set<const Graph*> changed;
  for (size_t i = graphs.size(); i-- > 0;) graphs[i]->update_types(changed);
  switch_modules(graph, training, root, options);
  return report;
}

}  // namespace fx
