#include "fx/importers/torch/capture/eager.h"

#include "fx/importers/torch/capture/autograd/autograd_internal.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/storage_copier.h"

#include "absl/status/status.h"
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <exception>
#include <utility>

namespace fx {
namespace {

std::vector<at::Tensor> tensors_of(const ModuleState& state, Tensors inputs) {
  std::vector<at::Tensor> tensors;
  for (const NamedTensor& p : state.parameters) tensors.push_back(p.tensor);
  for (const NamedTensor& b : state.buffers) tensors.push_back(b.tensor);
  tensors.insert(tensors.end(), inputs.begin(), inputs.end());
  std::erase_if(tensors, [](const at::Tensor& tensor) { return !tensor.defined(); });
  return tensors;
}

void run_backward(const std::vector<at::Tensor>& results) {
  std::vector<at::Tensor> roots, tangents;
  for (const at::Tensor& result : results) {
    if (!result.defined() || !result.requires_grad()) continue;
    roots.push_back(result);
    tangents.push_back(at::ones_like(result.detach()));
  }
  accumulate_gradients(roots, tangents);
}

}  // namespace

TensorSnapshot::TensorSnapshot(std::vector<at::Tensor> tensors) : tensors_(std::move(tensors)) {
  for (const at::Tensor& tensor : tensors_) contents_.push_back(tensor.detach().clone());
}

TensorSnapshot::TensorSnapshot(const ModuleState& state, Tensors inputs)
    : TensorSnapshot(tensors_of(state, inputs)) {}

void TensorSnapshot::restore() const {
  const at::NoGradGuard no_grad;
  for (size_t i = 0; i < tensors_.size(); ++i) copy_elements(tensors_[i].detach(), contents_[i]);
}

absl::StatusOr<std::vector<at::Tensor>> run_eager(const CapturedGraph& captured, Tensors inputs,
                                                  const Program& program) {
  std::vector<at::Tensor> outputs;
  try {
    const at::AutoGradMode with_grad(true);
    for (const CapturedInput& input : captured.inputs) input.tensor.mutable_grad() = at::Tensor();
    const std::vector<at::Tensor> results = program(inputs);
    run_backward(results);
    StorageCopier clone;
    for (const CapturedOutput& output : captured.outputs) {
      if (output.kind == OutputKind::kResult) {
        const at::Tensor& result = results.at(output.index);
        outputs.push_back(result.defined() ? result.detach() : result);
        continue;
      }
      const at::Tensor& primal = captured.inputs.at(output.index).tensor;
      outputs.push_back(output.kind == OutputKind::kMutation ? clone(primal)
                                                             : primal.mutable_grad());
    }
    for (const CapturedInput& input : captured.inputs) input.tensor.mutable_grad() = at::Tensor();
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(fmt::format("the program failed: {}", torch_message(e)));
  }
  return outputs;
}

std::vector<at::Tensor> clone_inputs(const CapturedGraph& captured) {
  StorageCopier clone;
  std::vector<at::Tensor> clones;
  for (const CapturedInput& input : captured.inputs) {
    clones.push_back(input.tensor.defined() ? clone(input.tensor) : at::Tensor());
  }
  return clones;
}

}  // namespace fx
