// set_training: see set_training.h.
#include "fx/passes/inference/set_training.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/graph_queries.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fx {
namespace {

/// An operator or function with a training flag.
struct Flag {
  std::string_view function;
  std::string_view name;
  size_t position;
  bool needs_stats = false;  ///< evaluation needs running statistics
};
constexpr Flag kFlags[] = {
    {"aten.dropout.default", "train", 2},
    {"aten.alpha_dropout.default", "train", 2},
    {"aten.feature_dropout.default", "train", 2},
    {"aten.feature_alpha_dropout.default", "train", 2},
    {"aten.native_dropout.default", "train", 2},
    {"aten.rrelu.default", "training", 3},
    {"aten.batch_norm.default", "training", 5, true},
    {"aten.native_batch_norm.default", "training", 5, true},
    {"aten._native_batch_norm_legit.default", "training", 5, true},
    {"aten._native_batch_norm_legit_functional.default", "training", 5, true},
    {"aten.native_batch_norm_backward.default", "train", 7, true},
    {"aten.instance_norm.default", "use_input_stats", 5, true},
    {"torch.dropout", "train", 2},
    {"torch.alpha_dropout", "train", 2},
    {"torch.nn.functional.dropout", "training", 2},
    {"torch.nn.functional.dropout1d", "training", 2},
    {"torch.nn.functional.dropout2d", "training", 2},
    {"torch.nn.functional.dropout3d", "training", 2},
    {"torch.nn.functional.alpha_dropout", "training", 2},
    {"torch.nn.functional.feature_alpha_dropout", "training", 2},
    {"torch.nn.functional.batch_norm", "training", 5, true},
    {"torch.nn.functional.rrelu", "training", 3},
};

class Switch {
 public:
  Switch(Graph& graph, bool training, SetTrainingReport& report)
      : graph_(graph), context_(graph.context()), training_(training), report_(report) {
    for (const Flag& flag : kFlags) flags_.emplace(context_.function(flag.function), &flag);
  }

  absl::Status run() {
    const Target inference = context_.function("aten._native_batch_norm_legit_no_training.default");
    const Target no_stats = context_.function("aten._native_batch_norm_legit.no_stats");
    for (Node& node : graph_.nodes()) {
      if (node.op() != Opcode::kCallFunction) continue;
      if (node.function() == inference) {
        if (training_) FX_RETURN_IF_ERROR(train_batch_norm(node));
      } else if (node.function() == no_stats) {
        if (!training_) leave(node, "it has no running statistics");
      } else if (const auto flag = flags_.find(node.function()); flag != flags_.end()) {
        FX_RETURN_IF_ERROR(switch_flag(node, *flag->second));
      }
    }
    return absl::OkStatus();
  }

 private:
  void leave(const Node& node, std::string_view reason) {
    report_.unchanged.emplace_back(fmt::format("{} ({})", node.name(), std::string(node.target())),
                                   std::string(reason));
  }

  /// Returns an argument by position, keyword or default.
  static std::optional<Argument> argument(const Node& node, size_t position,
                                          std::string_view name) {
    if (const auto value = node.kwarg(name)) return Argument(*value);
    if (position < node.num_args()) return Argument(node.arg(position));
    return node.argument(name);
  }
  bool set_argument(Node& node, size_t position, std::string_view name, const Argument& value) {
    const std::optional<Argument> old = argument(node, position, name);
    if (old && *old == value) return false;
    FX_CHECK_OK(position < node.num_args() ? node.update_arg(position, value)
                                           : node.update_kwarg(name, value));
    report_.changed = true;
    return true;
  }

  absl::Status switch_flag(Node& node, const Flag& flag) {
    if (flag.needs_stats && !training_ && !has_stats(node)) {
      leave(node, "it has no running statistics");
      return absl::OkStatus();
    }
    if (node.target() == "aten.native_dropout.default") scale_gradients(node);
    if (set_argument(node, flag.position, flag.name, Argument(training_))) retype(node);
    return absl::OkStatus();
  }
  static bool has_stats(const Node& node) {
    const bool python = node.target().starts_with("torch.");
    const bool backward = node.target().find("backward") != std::string_view::npos;
    const size_t first = python ? 1 : 3;
    for (const auto& [position, name] :
         {std::pair(first, "running_mean"), std::pair(first + 1, "running_var")}) {
      const std::optional<Argument> value = argument(node, position, name);
      if (!value || value->is_none()) return false;
    }
    return !backward || node.num_args() > 4;
  }

  /// Rescales the gradient of dropout, which is divided by the fraction that is kept: 1 in
  /// evaluation mode.
  void scale_gradients(const Node& dropout) {
    const Target backward = context_.function("aten.native_dropout_backward.default");
    const std::optional<Argument> p = argument(dropout, 1, "p");
    if (!p || (!p->is_float() && !p->is_int())) return;
    const double dropped = p->is_float() ? p->as_float() : static_cast<double>(p->as_int());
    const double scale = !training_ || dropped >= 1 ? (training_ ? 0.0 : 1.0) : 1 / (1 - dropped);
    for (Node* item : dropout.users()) {
      const bool is_mask = item->target() == "operator.getitem" && item->num_args() == 2 &&
                           item->arg(1).is_int() && item->arg(1).as_int() == 1;
      if (!is_mask) continue;
      for (Node* reader : item->users())
        if (reader->is(backward)) set_argument(*reader, 2, "scale", Argument(scale));
    }
  }

  /// Replaces the operator by the one for training, which writes the statistics and has one more
  /// argument after them.
  absl::Status train_batch_norm(Node& node) {
    if (node.num_kwargs() != 0 || node.num_args() != 7) {
      leave(node, "all its arguments must be positional (normalize_args)");
      return absl::OkStatus();
    }
    node.set_function(context_.function("aten._native_batch_norm_legit.default"));
    FX_RETURN_IF_ERROR(node.insert_arg(5, Argument(true)));
    report_.changed = true;
    retype(node);
    return absl::OkStatus();
  }

  /// Updates types: saved statistics have other sizes.
  static void retype(Node& node) {
    if (!node.type().is_tuple()) return;
    try_infer_type(node);
    for (Node* user : node.users())
      if (user->target() == "operator.getitem") try_infer_type(*user);
  }

  Graph& graph_;
  Context& context_;
  bool training_;
  SetTrainingReport& report_;
  absl::flat_hash_map<Target, const Flag*> flags_;
};

}  // namespace

std::string SetTrainingReport::str() const {
  std::string text;
  for (const auto& [call, reason] : unchanged) text += fmt::format("{}: {}\n", call, reason);
  return text;
}

absl::StatusOr<SetTrainingReport> set_training(Graph& graph, bool training, Module* root) {
  SetTrainingReport report;
  for (Graph& g : all_graphs(graph)) {
    FX_RETURN_IF_ERROR(Switch(g, training, report).run());
  }
  if (root != nullptr) root->train(training);
  return report;
}

}  // namespace fx
