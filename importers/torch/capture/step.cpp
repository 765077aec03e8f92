// Training steps: merges runs that differ only in numbers into one graph.
#include "fx/importers/torch/capture/step.h"

#include "fx/importers/torch/capture/capture_internal.h"
#include "fx/importers/torch/capture/fake_tensor.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/optim.h>

#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fx {
namespace {

// ---- optimizers

template <class State>
const State* state_as(const torch::optim::OptimizerParamState& state) {
  return dynamic_cast<const State*>(&state);
}

std::vector<NamedTensor> tensors_of(const torch::optim::OptimizerParamState& state) {
  if (const auto* s = state_as<torch::optim::SGDParamState>(state)) {
    return {{"momentum_buffer", s->momentum_buffer()}};
  }
  if (const auto* s = state_as<torch::optim::AdamParamState>(state)) {
    return {{"exp_avg", s->exp_avg()},
            {"exp_avg_sq", s->exp_avg_sq()},
            {"max_exp_avg_sq", s->max_exp_avg_sq()}};
  }
  if (const auto* s = state_as<torch::optim::AdamWParamState>(state)) {
    return {{"exp_avg", s->exp_avg()},
            {"exp_avg_sq", s->exp_avg_sq()},
            {"max_exp_avg_sq", s->max_exp_avg_sq()}};
  }
  if (const auto* s = state_as<torch::optim::RMSpropParamState>(state)) {
    return {{"square_avg", s->square_avg()},
            {"momentum_buffer", s->momentum_buffer()},
            {"grad_avg", s->grad_avg()}};
  }
  if (const auto* s = state_as<torch::optim::AdagradParamState>(state)) return {{"sum", s->sum()}};
  return {};
}

// ---- runs

/// Walks the graphs of several runs of one program side by side.
class RunMerger {
 public:
  explicit RunMerger(std::vector<CapturedGraph>& runs) : runs_(runs) {}

  /// Replaces numbers that differ by inputs of the first graph.
  absl::Status merge();

 private:
  absl::Status merge_node(const std::vector<Node*>& nodes);
  absl::Status merge_argument(const std::vector<Node*>& nodes, std::optional<size_t> position,
                              Symbol keyword);
  bool same(const Argument& a, const Argument& b) const;
  Node* number_input(std::vector<Argument> values);
  absl::Status differ(const std::vector<Node*>& nodes, std::string_view what) const {
    return absl::InvalidArgumentError(
        fmt::format("the step is not the same in every run: node {} ({}) of the first run {}",
                    nodes[0]->name(), nodes[0]->target(), what));
  }

  std::vector<CapturedGraph>& runs_;
  absl::flat_hash_map<const Node*, const Node*>
      first_;  // from nodes of later runs to nodes of the first run
  std::vector<std::pair<std::vector<Argument>, Node*>> numbers_;
  Node* last_input_ = nullptr;
};

absl::Status RunMerger::merge() {
  std::vector<Node*> nodes;
  for (CapturedGraph& run : runs_) nodes.push_back(run.graph->front());
  for (Node& node : runs_[0].graph->nodes()) {
    if (node.is_placeholder()) last_input_ = &node;
  }
  while (nodes[0] != nullptr) {
    // Call next() first, since merge_node may insert inputs after the placeholders.
    std::vector<Node*> next;
    for (Node* node : nodes) next.push_back(node == nullptr ? nullptr : node->next());
    for (size_t i = 1; i < nodes.size(); ++i) {
      if (nodes[i] == nullptr) return differ(nodes, "is missing in a later run");
      first_[nodes[i]] = nodes[0];
    }
    FX_RETURN_IF_ERROR(merge_node(nodes));
    nodes = std::move(next);
  }
  for (size_t i = 1; i < nodes.size(); ++i) {
    if (nodes[i] != nullptr) {
      return absl::InvalidArgumentError(fmt::format(
          "the step is not the same in every run: node {} ({}) of a later run is missing "
          "in the first run",
          nodes[i]->name(), nodes[i]->target()));
    }
  }
  return absl::OkStatus();
}

absl::Status RunMerger::merge_node(const std::vector<Node*>& nodes) {
  const Node& first = *nodes[0];
  for (const Node* node : nodes) {
    if (node->op() != first.op() || node->target() != first.target()) {
      return differ(nodes, fmt::format("is a call of {} in a later run", node->target()));
    }
    if (node->num_args() != first.num_args() || node->num_kwargs() != first.num_kwargs()) {
      return differ(nodes, "has different arguments in a later run");
    }
    if (node->type() != first.type()) {
      return differ(nodes, fmt::format("is a {}, but a {} in a later run", to_string(first.type()),
                                       to_string(node->type())));
    }
  }
  for (size_t i = 0; i < first.num_args(); ++i) {
    FX_RETURN_IF_ERROR(merge_argument(nodes, i, {}));
  }
  for (size_t i = 0; i < first.num_kwargs(); ++i) {
    FX_RETURN_IF_ERROR(merge_argument(nodes, std::nullopt, first.kwarg_name(i)));
  }
  return absl::OkStatus();
}

absl::Status RunMerger::merge_argument(const std::vector<Node*>& nodes,
                                       std::optional<size_t> position, Symbol keyword) {
  std::vector<Argument> values;
  bool all_same = true;
  for (const Node* node : nodes) {
    const std::optional<ArgumentRef> value =
        position ? node->arg(*position) : node->kwarg(keyword.str());
    if (!value) return differ(nodes, fmt::format("has no {} in a later run", keyword.str()));
    values.emplace_back(*value);
    if (!same(values.front(), values.back())) all_same = false;
  }
  if (all_same) return absl::OkStatus();
  for (const Argument& value : values) {
    if (value.kind() != values[0].kind() || !(value.is_float() || value.is_int())) {
      return differ(nodes, "has an argument that differs in a later run and is not a number");
    }
  }
  Node* input = number_input(std::move(values));
  if (position) {
    FX_RETURN_IF_ERROR(nodes[0]->update_arg(static_cast<int>(*position), Argument(input)));
  } else {
    FX_RETURN_IF_ERROR(nodes[0]->update_kwarg(keyword.str(), Argument(input)));
  }
  return absl::OkStatus();
}

/// Returns true if the arguments are equal after nodes of later runs are replaced by the
/// corresponding nodes of the first run.
bool RunMerger::same(const Argument& a, const Argument& b) const {
  if (const Node* node = b.node()) {
    const auto found = first_.find(node);
    return a.node() == (found == first_.end() ? node : found->second);
  }
  if (!b.holds_node()) return a == b;
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (!same(Argument(a[i]), Argument(b[i]))) return false;
  }
  return true;
}

/// The input for a number. Numbers that are equal in every run share an input.
Node* RunMerger::number_input(std::vector<Argument> values) {
  for (const auto& [known, node] : numbers_) {
    if (known == values) return node;
  }
  CapturedGraph& result = runs_[0];
  TypeTable& types = result.graph->context().types();
  const Type type = values[0].is_float() ? types.floating() : types.integer();
  CapturedInput input{.kind = InputKind::kNumber, .index = numbers_.size()};
  for (const Argument& value : values) {
    input.numbers.push_back(value.is_float() ? c10::IValue(value.as_float())
                                             : c10::IValue(value.as_int()));
  }
  const InsertPointGuard behind = last_input_ == nullptr
                                      ? result.graph->inserting_before(result.graph->front())
                                      : result.graph->inserting_after(last_input_);
  last_input_ =
      result.graph->placeholder(fmt::format("number_{}", numbers_.size() + 1), {.type = type});
  last_input_->meta().set(meta::kInput, describe_input(input));
  result.inputs.push_back(std::move(input));
  numbers_.emplace_back(std::move(values), last_input_);
  return last_input_;
}

}  // namespace

std::vector<NamedTensor> optimizer_state(const torch::optim::Optimizer& optimizer,
                                         const ModuleState& state) {
  std::vector<NamedTensor> tensors;
  for (const NamedTensor& parameter : state.parameters) {
    const auto found = optimizer.state().find(parameter.tensor.unsafeGetTensorImpl());
    if (found == optimizer.state().end()) continue;
    for (NamedTensor& tensor : tensors_of(*found->second)) {
      if (!tensor.tensor.defined()) continue;
      tensors.push_back({parameter.name + "." + tensor.name, std::move(tensor.tensor)});
    }
  }
  return tensors;
}

absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           Tensors inputs, const Program& step,
                                           const StepOptions& options) {
  if (options.runs < 1) return absl::InvalidArgumentError("StepOptions::runs must be at least 1");
  const at::AutoGradMode with_grad(true);
  std::vector<CapturedGraph> runs;
  for (int i = 0; i < options.runs; ++i) {
    FX_ASSIGN_OR_RETURN(CapturedGraph run, capture_and_promote(context, state, inputs, step,
                                                               {.hook = options.hook,
                                                                .execution = options.execution}));
    runs.push_back(std::move(run));
  }
  FX_RETURN_IF_ERROR(RunMerger(runs).merge());
  return std::move(runs[0]);
}

std::shared_ptr<torch::optim::Optimizer> make_optimizer(std::string_view name,
                                                        const ModuleState& state) {
  using namespace torch::optim;
  std::vector<at::Tensor> parameters;
  for (const NamedTensor& parameter : state.parameters) parameters.push_back(parameter.tensor);
  if (name == "sgd") return std::make_shared<SGD>(parameters, SGDOptions(1e-3).momentum(0.9));
  if (name == "adam") return std::make_shared<Adam>(parameters);
  if (name == "adamw") return std::make_shared<AdamW>(parameters);
  return nullptr;
}

Program make_step(std::shared_ptr<torch::optim::Optimizer> optimizer, Program loss) {
  return [optimizer = std::move(optimizer), loss = std::move(loss)](Tensors in) {
    optimizer->zero_grad();
    std::vector<at::Tensor> results = loss(in);
    TORCH_CHECK(results.size() == 1, "a step must have one loss, not ", results.size());
    results[0].backward();
    optimizer->step();
    return std::vector<at::Tensor>{results[0].detach()};
  };
}

absl::Status run_step(Context& context, const Program& step, Tensors inputs,
                      const StepOptions& options) {
  try {
    const at::AutoGradMode with_grad(true);
    std::optional<FakeTensorScope> scope;
    if (options.execution == Execution::kFake) {
      FX_ASSIGN_OR_RETURN(FakeTensorScope created, FakeTensorScope::create(context, options.hook));
      scope.emplace(std::move(created));
    }
    step(inputs);
    return absl::OkStatus();
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(
        fmt::format("the step failed before it was captured: {}", torch_message(e)));
  }
}

absl::StatusOr<CapturedGraph> capture_step(Context& context, const ModuleState& state,
                                           std::shared_ptr<torch::optim::Optimizer> optimizer,
                                           Tensors inputs, const Program& loss,
                                           const StepOptions& options) {
  const Program step = make_step(optimizer, loss);
  FX_RETURN_IF_ERROR(run_step(context, step, inputs, options));
  ModuleState whole = state;
  for (NamedTensor& tensor : optimizer_state(*optimizer, state)) {
    whole.optimizer.push_back(std::move(tensor));
  }
  return capture_step(context, whole, inputs, step, options);
}

}  // namespace fx
