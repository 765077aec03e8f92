// Implements autograd_internal.h. Only this file includes the headers of libtorch's autograd
// engine.
#include "fx/importers/torch/capture/autograd/autograd_internal.h"

#include "absl/container/flat_hash_map.h"
#include <ATen/SequenceNumber.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/anomaly_mode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/input_buffer.h>
#include <torch/csrc/autograd/node.h>
#include <torch/csrc/autograd/variable.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

namespace fx {
namespace {

using torch::autograd::Edge;
using torch::autograd::variable_list;

/// True for the nodes that libtorch generates for its operators. They do not use the engine's state,
/// unlike nodes of the program, which may ask for the running node or queue callbacks.
bool is_generated(const torch::autograd::Node& node) {
  return std::string_view(typeid(node).name()).starts_with("N5torch8autograd9generated");
}

/// A backward pass that runs in this thread without the engine.
class BackwardPass {
 public:
  BackwardPass() = default;
  BackwardPass(const BackwardPass&) = delete;
  BackwardPass& operator=(const BackwardPass&) = delete;

  /// Returns the pass that runs in this thread, or null.
  static const BackwardPass* current() { return current_; }
  /// Returns the number of the pass, which no other pass in this thread has. It is less than -1:
  /// the engine's numbers are not negative.
  int64_t number() const { return number_; }
  /// Returns the sequence number of the running node, or std::nullopt before the first node.
  std::optional<uint64_t> sequence() const { return sequence_; }

  /// Adds the nodes that the outputs depend on. Returns false if the engine must run them.
  bool add_nodes(absl::Span<const at::Tensor> outputs, absl::Span<const at::Tensor> inputs);
  /// Runs the nodes. Call it once, after add_nodes.
  void run(absl::Span<const at::Tensor> tangents);
  /// Returns the gradient of an input.
  at::Tensor gradient(const at::Tensor& input) const;

 private:
  using AutogradNode = torch::autograd::Node;
  struct Step {
    AutogradNode* node;
    size_t num_pending = 0;  // edges to the node that have not been followed
    bool is_input = false;
    variable_list gradients = {};  // for each input of the node; empty until one arrives
  };

  /// Makes a pass the current one.
  class Scope {
   public:
    explicit Scope(const BackwardPass& pass) : previous_(std::exchange(current_, &pass)) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() { current_ = previous_; }

   private:
    const BackwardPass* previous_;
  };

  static inline thread_local const BackwardPass* current_ = nullptr;
  static inline thread_local int64_t last_number_ = -1;

  bool add_node(const Edge& edge);
  void follow(const Edge& edge, at::Tensor gradient);
  variable_list apply(Step& step);

  const int64_t number_ = --last_number_;
  std::optional<uint64_t> sequence_;
  std::vector<Edge> roots_;
  std::vector<Step> steps_;
  absl::flat_hash_map<const AutogradNode*, size_t> indices_;  // in steps_
  // The engine runs the node with the greatest sequence number first.
  std::priority_queue<std::pair<uint64_t, size_t>> ready_;
};

/// Adds the node at the end of an edge. Returns false if the engine must run the backward pass: the
/// node is not libtorch's, has hooks, is on a device other than the CPU, or has no edges and is not
/// an input. (The engine does not run nodes of the last kind, or nodes whose edges all lead to such
/// nodes.)
bool BackwardPass::add_node(const Edge& edge) {
  AutogradNode* const node = edge.function.get();
  const auto [found, is_new] = indices_.try_emplace(node, steps_.size());
  if (is_new) steps_.push_back({.node = node});
  Step& step = steps_[found->second];
  ++step.num_pending;
  if (!is_new) return true;
  bool has_edges = false;
  for (const Edge& next : node->next_edges()) has_edges = has_edges || next.is_valid();
  return has_edges && is_generated(*node) && node->device().is_cpu() && node->pre_hooks().empty() &&
         node->tensor_pre_hooks().empty() && node->retains_grad_hooks().empty() &&
         node->post_hooks().empty();
}

bool BackwardPass::add_nodes(absl::Span<const at::Tensor> outputs,
                             absl::Span<const at::Tensor> inputs) {
  if (torch::autograd::AnomalyMode::is_enabled() ||
      torch::autograd::get_current_graph_task_id() != -1)
    return false;
  for (const at::Tensor& input : inputs) {
    if (!input.is_leaf()) return false;
    const auto accumulator = torch::autograd::impl::try_get_grad_accumulator(input);
    if (accumulator == nullptr) continue;  // the outputs do not depend on it
    if (!accumulator->tensor_pre_hooks().empty() || !accumulator->pre_hooks().empty()) return false;
    const auto [found, is_new] = indices_.try_emplace(accumulator.get(), steps_.size());
    if (is_new) steps_.push_back({.node = accumulator.get(), .is_input = true});
  }
  const size_t num_inputs = steps_.size();
  for (const at::Tensor& output : outputs) {
    roots_.push_back(torch::autograd::impl::gradient_edge(output));
    if (!roots_.back().is_valid() || !add_node(roots_.back())) return false;
  }
  for (size_t i = num_inputs; i < steps_.size(); ++i) {
    for (const Edge& next : steps_[i].node->next_edges())
      if (next.is_valid() && !add_node(next)) return false;
  }
  return true;
}

/// Adds a gradient to the node input that an edge leads to, as the engine does.
void BackwardPass::follow(const Edge& edge, at::Tensor gradient) {
  const size_t index = indices_.find(edge.function.get())->second;
  Step& step = steps_[index];
  step.gradients.resize(step.node->num_inputs());
  at::Tensor& sum = step.gradients[edge.input_nr];
  if (!sum.defined()) {
    sum = std::move(gradient);
  } else if (gradient.defined()) {
    torch::autograd::InputBuffer buffer(1);
    buffer.buffer[0] = std::move(sum);
    buffer.add(0, std::move(gradient), std::nullopt, std::nullopt, step.node);
    sum = std::move(buffer.buffer[0]);
  }
  if (--step.num_pending == 0 && !step.is_input) ready_.emplace(step.node->sequence_nr(), index);
}

variable_list BackwardPass::apply(Step& step) {
  AutogradNode& node = *step.node;
  variable_list gradients = std::move(step.gradients);
  node.will_release_variables();
  variable_list results = node(std::move(gradients));
  torch::autograd::validate_outputs(
      node.next_edges(), results, [&node](const std::string& message) {
        return fmt::format("Function {} returned an {}", node.name(), message);
      });
  return results;
}

void BackwardPass::run(absl::Span<const at::Tensor> tangents) {
  const Scope scope(*this);
  const at::AutoGradMode without_grad(false);
  variable_list of_roots(tangents.begin(), tangents.end());
  torch::autograd::validate_outputs(roots_, of_roots,
                                    [](const std::string& message) { return message; });
  for (size_t i = 0; i < roots_.size(); ++i) follow(roots_[i], std::move(of_roots[i]));
  while (!ready_.empty()) {
    Step& step = steps_[ready_.top().second];
    ready_.pop();
    sequence_ = step.node->sequence_nr();
    variable_list results = apply(step);
    step.node->release_variables();
    for (size_t i = 0; i < results.size(); ++i) {
      const Edge& next = step.node->next_edge(i);
      if (next.is_valid()) follow(next, std::move(results[i]));
    }
  }
}

at::Tensor BackwardPass::gradient(const at::Tensor& input) const {
  const auto accumulator = torch::autograd::impl::try_get_grad_accumulator(input);
  if (accumulator == nullptr) return {};
  const Step& step = steps_[indices_.find(accumulator.get())->second];
  return step.gradients.empty() ? at::Tensor() : step.gradients[0];
}

}  // namespace

AutogradPosition autograd_position() {
  AutogradPosition position;
  position.run = torch::autograd::get_current_graph_task_id();
  position.backward = true;
  if (position.run != -1) {
    // Nodes that accumulate into leaves have the maximum sequence number and no forward operator.
    const auto node = torch::autograd::get_current_node();
    if (node && node->sequence_nr() != std::numeric_limits<uint64_t>::max()) {
      position.sequence = node->sequence_nr();
      position.has_hooks = !node->tensor_pre_hooks().empty() || !node->pre_hooks().empty() ||
                           !node->post_hooks().empty();
    }
  } else if (const BackwardPass* const pass = BackwardPass::current()) {
    position.run = pass->number();
    position.sequence = pass->sequence();
  } else {
    position.backward = false;
    if (const uint64_t next = at::sequence_number::peek(); next > 0) position.sequence = next - 1;
  }
  return position;
}

uint64_t next_autograd_sequence() { return at::sequence_number::peek(); }

std::optional<uint64_t> history_sequence(const at::Tensor& tensor) {
  if (!tensor.defined()) return std::nullopt;
  // Do not call grad_fn(), which creates a new node for a view whose base was written to.
  const torch::autograd::AutogradMeta* meta = torch::autograd::impl::get_autograd_meta(tensor);
  if (const auto* view = torch::autograd::impl::get_view_autograd_meta(tensor);
      view != nullptr && view->has_bw_view()) {
    meta = torch::autograd::impl::get_autograd_meta(view->get_backward_view().base_);
  }
  if (meta == nullptr || !meta->grad_fn_) return std::nullopt;
  return meta->grad_fn_->sequence_nr();
}

std::vector<at::Tensor> engine_gradients(absl::Span<const at::Tensor> outputs,
                                         absl::Span<const at::Tensor> tangents,
                                         absl::Span<const at::Tensor> inputs) {
  return torch::autograd::grad({outputs.begin(), outputs.end()}, {inputs.begin(), inputs.end()},
                               {tangents.begin(), tangents.end()}, /*retain_graph=*/false,
                               /*create_graph=*/false, /*allow_unused=*/true);
}

std::vector<at::Tensor> gradients(absl::Span<const at::Tensor> outputs,
                                  absl::Span<const at::Tensor> tangents,
                                  absl::Span<const at::Tensor> inputs) {
  BackwardPass pass;
  if (!pass.add_nodes(outputs, inputs)) return engine_gradients(outputs, tangents, inputs);
  pass.run(tangents);
  std::vector<at::Tensor> found;
  found.reserve(inputs.size());
  for (const at::Tensor& input : inputs) found.push_back(pass.gradient(input));
  return found;
}

void accumulate_gradients(absl::Span<const at::Tensor> outputs,
                          absl::Span<const at::Tensor> tangents) {
  torch::autograd::backward({outputs.begin(), outputs.end()}, {tangents.begin(), tangents.end()});
}

}  // namespace fx
