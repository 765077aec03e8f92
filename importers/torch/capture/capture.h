// importers/torch/capture/capture.h - graphs of running libtorch programs.
//
// Any C++ code on libtorch tensors is captured by running it, unchanged: every operator that it
// calls, and every one that libtorch's autograd calls for it, becomes a node.
//
//   fx::Context context;
//   Net net;                                        // a torch::nn::Module
//   auto joint = fx::capture_joint(context, net, {x, target}, [&](fx::Tensors in) {
//     return torch::cross_entropy_loss(net.forward(in[0]), in[1]);
//   });
//   joint->graph                                    // forward, backward, and every type
//
// The graph is a recording: operators stand in the order in which they ran, in-place ones included,
// and share memory as they did. Sizes are those of the run; a branch of the program is the one that
// was taken.
#pragma once

#include "fx/importers/torch/capture/hook.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/Tensor.h>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

using Tensors = absl::Span<const at::Tensor>;

/// What is captured: computes results from inputs. It may read any other tensors too, those of its
/// module above all.
using Program = std::function<std::vector<at::Tensor>(Tensors inputs)>;

struct NamedTensor {
  std::string name;  ///< qualified: `layer1.0.conv1.weight`
  at::Tensor tensor;
};

/// The tensors that a program keeps between its runs.
struct ModuleState {
  std::vector<NamedTensor> parameters = {};
  std::vector<NamedTensor> buffers = {};
  std::vector<NamedTensor> optimizer = {};  ///< of a training step; see optimizer_state (step.h)
};

/// What happens to an operator while it is captured.
enum class Execution {
  kReal,  ///< its kernel runs, as without capture
  /// Only the type of its result is computed; no byte of a tensor is written, and memory is
  /// reserved but not used. A model of any size is captured in milliseconds. An operator whose
  /// result depends on data (`item`, `nonzero`) is an error.
  kFake,
};

struct CaptureOptions {
  HookKind hook = HookKind::kAuto;
  Execution execution = Execution::kReal;
};

/// What a placeholder stands for.
enum class InputKind {
  kParameter,
  kBuffer,
  kOptimizer,  ///< what a training step keeps besides parameters and buffers
  kInput,
  kTangent,
  kNumber,  ///< differs from step to step; see step.h
};

struct CapturedInput {
  InputKind kind;
  std::string name = {};  ///< of a parameter, buffer or optimizer state
  size_t index = 0;       ///< of an input: its number; of a tangent: the number of its result
  /// What the program ran on: the module's own tensor, changed if the program did.
  at::Tensor tensor = {};
  std::vector<c10::IValue> numbers = {};  ///< of a number: its value in each run
};

/// What an element of the graph's output is.
enum class OutputKind { kMutation, kResult, kGradient };

struct CapturedOutput {
  OutputKind kind;
  size_t index;       ///< of a result: its number; of the others: the number of their placeholder
  at::Tensor tensor;  ///< what the run gave; undefined where the graph returns None
};

/// A captured program. Placeholders are in the order of `inputs`, the elements of the returned list
/// in that of `outputs`.
struct CapturedGraph {
  std::unique_ptr<Graph> graph;
  std::vector<CapturedInput> inputs;
  std::vector<CapturedOutput> outputs;
  TorchConstants constants;  ///< what get_attr nodes read
  HookKind hook;             ///< the one that was used
};

/// Runs `program` and captures it in one graph: placeholders are named as torch.export names them,
/// `p_fc1_weight` for a parameter, `b_bn_running_mean` for a buffer, `o_...` for optimizer state
/// and `input_1`, ... for inputs (each tensor once); returned are the placeholders that the program
/// wrote to, then its results. Autograd is on or off as the caller has it. What the program calls
/// of autograd itself (`backward()`) is captured too; capture_step (step.h) is made for that.
///
/// Nodes say what capture_joint's say. Errors: as capture_joint's.
absl::StatusOr<CapturedGraph> capture(Context& context, const ModuleState& state, Tensors inputs,
                                      const Program& program, const CaptureOptions& options = {});

/// Runs `program` and its backward pass and captures both in one graph, laid out as AOTAutograd
/// does: placeholders `primals_1`, ... (parameters, buffers, inputs; each tensor once) and
/// `tangents_1`, ... (one per result that requires grad, a tensor of ones in this run); returned
/// are the primals that the program wrote to, the results, and for each primal its gradient or
/// None.
///
/// Every node has its operator's full arguments, its Type, and as meta data its region (fw, bw),
/// the number of its autograd node (`seq`, the same forward and backward) and its module, where
/// known. Placeholders and output say what they are (`input`, `outputs`).
///
/// The program really runs, as in eager mode: buffers change, random numbers are drawn. Gradients
/// are returned, not accumulated.
///
/// Errors: InvalidArgument when the program throws or no result requires grad; Unavailable when the
/// hook cannot be had; Unimplemented for an operator that cannot be recorded.
absl::StatusOr<CapturedGraph> capture_joint(Context& context, const ModuleState& state,
                                            Tensors inputs, const Program& program,
                                            const CaptureOptions& options = {});

/// The parameters and buffers of a torch::nn::Module, or of a ModuleHolder.
template <class Module>
ModuleState module_state(const Module& module) {
  if constexpr (requires { module.named_parameters(); }) {
    ModuleState state;
    for (const auto& item : module.named_parameters()) {
      state.parameters.push_back({item.key(), item.value()});
    }
    for (const auto& item : module.named_buffers()) {
      state.buffers.push_back({item.key(), item.value()});
    }
    return state;
  } else {
    return module_state(*module);
  }
}

/// A graph as a Program, so that it can be captured again: with its backward pass, after a rewrite,
/// or at other sizes. Its operators run with autograd on, one value per placeholder. Errors: those
/// of TorchEvaluator::create.
absl::StatusOr<Program> make_program(const Graph& graph, const TorchConstants& constants = {});

/// A callable on tensors that gives one tensor, as a Program.
template <class Callable>
  requires std::invocable<Callable&, Tensors>
Program make_program(Callable callable) {
  if constexpr (std::convertible_to<std::invoke_result_t<Callable&, Tensors>, at::Tensor>) {
    return [call = std::move(callable)](Tensors inputs) mutable {
      return std::vector<at::Tensor>{call(inputs)};
    };
  } else {
    return Program(std::move(callable));
  }
}

/// capture of a torch::nn::Module: `forward` runs it on the inputs.
template <class Module, class Forward>
  requires(!std::same_as<Module, ModuleState>)
absl::StatusOr<CapturedGraph> capture(Context& context, const Module& module,
                                      const std::vector<at::Tensor>& inputs, Forward forward,
                                      const CaptureOptions& options = {}) {
  return capture(context, module_state(module), inputs, make_program(std::move(forward)), options);
}

/// capture_joint of a torch::nn::Module: `loss` runs it on the inputs and gives the loss, or
/// several results.
template <class Module, class Loss>
  requires(!std::same_as<Module, ModuleState>)
absl::StatusOr<CapturedGraph> capture_joint(Context& context, const Module& module,
                                            const std::vector<at::Tensor>& inputs, Loss loss,
                                            const CaptureOptions& options = {}) {
  return capture_joint(context, module_state(module), inputs, make_program(std::move(loss)),
                       options);
}

}  // namespace fx
