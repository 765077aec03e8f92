// remove_dropout: see remove_dropout.h.
#include "fx/passes/inference/remove_dropout.h"

#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace {

constexpr std::string_view kDropoutFunctions[] = {
    "aten.dropout.default",
    "aten.alpha_dropout.default",
    "aten.feature_dropout.default",
    "aten.feature_alpha_dropout.default",
    "aten.native_dropout.default",
    "torch.dropout",
    "torch.alpha_dropout",
    "torch.feature_dropout",
    "torch.feature_alpha_dropout",
    "torch.native_dropout",
    "torch.nn.functional.dropout",
    "torch.nn.functional.dropout1d",
    "torch.nn.functional.dropout2d",
    "torch.nn.functional.dropout3d",
    "torch.nn.functional.alpha_dropout",
    "torch.nn.functional.feature_alpha_dropout",
};
constexpr std::string_view kDropoutClasses[] = {
    "Dropout", "Dropout1d", "Dropout2d", "Dropout3d", "AlphaDropout", "FeatureAlphaDropout",
};

/// Returns the value of a flag, or its default. None and values that the graph computes count as
/// true.
bool flag(const Node& node, std::string_view name) {
  const std::optional<Argument> value = node.argument(name);
  return !value || !value->is_bool() || value->as_bool();
}

struct Dropout {
  bool training = false;
  bool has_mask = false;  ///< returns a tuple
};

std::optional<Dropout> dropout_of(const Node& node, const Module* root) {
  if (node.op() == Opcode::kCallModule) {
    const Module* module = root == nullptr ? nullptr : root->find_module(node.target());
    if (module == nullptr) return std::nullopt;
    std::string_view name = module->class_name();
    name = name.substr(name.rfind('.') + 1);
    const Argument* inplace = module->hyperparameter("inplace");
    if (std::ranges::find(kDropoutClasses, name) == std::end(kDropoutClasses) ||
        (inplace != nullptr && inplace->is_bool() && inplace->as_bool() && module->training())) {
      return std::nullopt;
    }
    return Dropout{.training = module->training()};
  }
  if (node.op() != Opcode::kCallFunction ||
      std::ranges::find(kDropoutFunctions, node.target()) == std::end(kDropoutFunctions)) {
    return std::nullopt;
  }
  const bool functional = node.target().starts_with("torch.nn.functional.");
  const bool training = flag(node, functional ? "training" : "train");
  const bool inplace = functional && flag(node, "inplace");
  if (inplace && training) return std::nullopt;
  return Dropout{.training = training,
                 .has_mask = node.target().find("native_dropout") != std::string_view::npos};
}

/// Returns the tensor operand of a call to dropout; null if there is none.
Node* input_of(const Node& call) {
  if (call.op() == Opcode::kCallModule) return call.num_args() > 0 ? call.arg(0).node() : nullptr;
  const std::optional<Argument> input = call.argument("input");
  return input ? input->node() : nullptr;
}

/// Returns a copy of `input`, inserted before `call`.
Node* clone_of(Node& call, Node* input) {
  const InsertPointGuard guard = call.graph().inserting_before(&call);
  Node* clone = call.graph().call_function(call.context().function("aten.clone.default"), {input});
  inherit_provenance(*clone, call);
  try_infer_type(*clone);
  return clone;
}

bool is_first_item(const Node* user) { return constant_item(*user) == 0; }

/// Replaces the first items of `call`, which returns a tensor and a mask, with `input`, or with a
/// copy of it if sharing is observable, or if the strides or the offset of `input` may differ from
/// those of the result: native_dropout returns a new tensor even in evaluation mode.
absl::Status replace_items(Node& call, Node* input, const MemoryAnalysis& memory) {
  for (Node* user : call.users()) {
    const bool is_equal =
        known_equal(user->type(), input->type()) && memory.may_replace(*user, *input);
    user->replace_all_uses_with(is_equal ? input : clone_of(call, input));
    FX_RETURN_IF_ERROR(call.graph().erase_node(user));
  }
  return absl::OkStatus();
}

/// Replaces a call to dropout with its input. Creates `memory` when necessary. Returns false if the
/// input is not a node, or if the mask has users.
absl::StatusOr<bool> remove_call(Node& call, const Dropout& dropout,
                                 std::optional<MemoryAnalysis>& memory) {
  Node* const input = input_of(call);
  if (input == nullptr) return false;
  if (dropout.has_mask) {
    if (!std::ranges::all_of(call.users(), is_first_item)) return false;
    if (!memory) memory.emplace(call.graph());
    FX_RETURN_IF_ERROR(replace_items(call, input, *memory));
  } else {
    call.replace_all_uses_with(input);
  }
  FX_RETURN_IF_ERROR(call.graph().erase_node(&call));
  return true;
}

}  // namespace

absl::StatusOr<bool> remove_dropout(Graph& graph, const Module* root,
                                    const RemoveDropoutOptions& options) {
  bool changed = false;
  for (Graph& g : all_graphs(graph)) {
    std::optional<MemoryAnalysis> memory;
    for (Node& node : g.nodes()) {
      const std::optional<Dropout> dropout = dropout_of(node, root);
      if (!dropout || (dropout->training && !options.training)) continue;
      if (options.only && !options.only(node)) continue;
      FX_ASSIGN_OR_RETURN(const bool removed, remove_call(node, *dropout, memory));
      changed |= removed;
    }
  }
  return changed;
}

}  // namespace fx
