// Implements autograd_internal.h. Only this file includes the headers of libtorch's autograd
// engine.
#include "fx/importers/torch/capture/autograd_internal.h"

#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/graph_task.h>
#include <torch/csrc/autograd/node.h>
#include <torch/csrc/autograd/variable.h>

#include <limits>

namespace fx {

AutogradPosition autograd_position() {
  AutogradPosition position;
  position.backward = torch::autograd::get_current_graph_task_id() != -1;
  if (position.backward) {
    // Nodes that accumulate into leaves have the maximum sequence number and no forward operator.
    const auto node = torch::autograd::get_current_node();
    if (node && node->sequence_nr() != std::numeric_limits<uint64_t>::max()) {
      position.sequence = node->sequence_nr();
    }
  } else if (const uint64_t next = at::sequence_number::peek(); next > 0) {
    position.sequence = next - 1;
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

std::vector<at::Tensor> gradients(absl::Span<const at::Tensor> outputs,
                                  absl::Span<const at::Tensor> tangents,
                                  absl::Span<const at::Tensor> inputs) {
  return torch::autograd::grad({outputs.begin(), outputs.end()}, {inputs.begin(), inputs.end()},
                               {tangents.begin(), tangents.end()}, /*retain_graph=*/false,
                               /*create_graph=*/false, /*allow_unused=*/true);
}

void accumulate_gradients(absl::Span<const at::Tensor> outputs,
                          absl::Span<const at::Tensor> tangents) {
  torch::autograd::backward({outputs.begin(), outputs.end()}, {tangents.begin(), tangents.end()});
}

}  // namespace fx
