// Captures graphs from running libtorch programs.
//
// Capture runs unmodified C++ code that uses libtorch tensors. Each operator that the code calls,
// and each operator that autograd calls for it, becomes a node.
//
//   fx::Context context;
//   Net net;                                        // a torch::nn::Module
//   auto joint = fx::capture_joint(context, net, {x, target}, [&](fx::Tensors in) {
//     return torch::cross_entropy_loss(net.forward(in[0]), in[1]);
//   });
//   joint->graph                                    // forward and backward pass, with all types
//
// The graph is a recording. It contains all operators, including in-place operators, in the order
// in which they ran, and values share memory as they did in the run. Inputs that share memory are
// marked (meta::kSharedMemory, interp/shared_inputs.h). The graph has the sizes and branches of the
// run.
#pragma once

#include "fx/importers/torch/capture/dynamic.h"
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

namespace torch::nn {
class Module;
}  // namespace torch::nn

namespace fx {

using Tensors = absl::Span<const at::Tensor>;

/// The program to capture, which computes results from inputs. It may also use other tensors, such
/// as the members of its module.
using Program = std::function<std::vector<at::Tensor>(Tensors inputs)>;

struct NamedTensor {
  std::string name;  ///< the qualified name: `layer1.0.conv1.weight`
  at::Tensor tensor;
};

struct ModulePath {
  std::string path;  ///< `layer1.0.conv1`, "" for the whole model
  const torch::nn::Module* module;
};

/// The tensors that a program keeps between its runs.
struct ModuleState {
  std::vector<NamedTensor> parameters = {};
  std::vector<NamedTensor> buffers = {};
  std::vector<NamedTensor> optimizer =
      {};  ///< only for training steps; see optimizer_state (step.h)
  /// The modules that may name operators with a ModuleScope (scope.h). They must outlive the state.
  std::vector<ModulePath> modules = {};
};

struct ReturnedNumber;
class OperatorTable;

/// How operators are executed during capture.
enum class Execution {
  kReal,  ///< kernels run as they do without capture
  /// Only the types of results are computed. Address space is reserved, but no memory is written.
  /// The time does not depend on the sizes of the tensors. An operator whose result depends on data
  /// (`item`, `nonzero`) is an error.
  kFake,
};

struct CaptureOptions {
  HookKind hook = HookKind::kAuto;
  Execution execution = Execution::kReal;
  /// The sizes that become symbols in the graph, if any; see dynamic.h.
  DynamicSizes dynamic = {};
  /// Composite operators that are recorded whole instead of as the calls that they consist of.
  /// Items are names (`linear`, `aten.conv2d`, `aten.softmax.int`, `mylib.op`) or presets: "torch"
  /// means all composite operators, as in torch.export's training IR; "core" means the operators in
  /// Core ATen; "accelerators" means layers, attention and losses (`linear`, `conv2d`,
  /// `layer_norm`, `scaled_dot_product_attention`, ...). Operators that are not composite are
  /// always recorded whole. Only operators of the forward pass are kept. Autograd also runs the
  /// parts of kept operators, to compute the values that are saved for the backward pass. See
  /// CapturedGraph::decomposed.
  std::vector<std::string> keep = {};
  /// Record the backward pass of each kept operator as one call: to the operator that autograd
  /// calls, or, if there are multiple calls, to higher_order.invoke_subgraph with a nested graph of
  /// these calls, which is named after the operator (`@linear_backward`). Parts of the operator
  /// that only its backward pass uses are also moved into the nested graph. Summing the gradients
  /// of different calls is not part of it. See CapturedGraph::decomposed.
  bool keep_backward = false;
  /// Internal: numbers that operators return to the program with Execution::kFake, in order.
  const std::vector<ReturnedNumber>* numbers = nullptr;
  /// Internal: the table of operators that the runs of one capture share.
  OperatorTable* operators = nullptr;
};

/// The kind of a placeholder.
enum class InputKind {
  kParameter,
  kBuffer,
  kOptimizer,  ///< other state of a training step
  kInput,
  kTangent,
  kNumber,  ///< a number that differs between steps; see step.h
};

struct CapturedInput {
  InputKind kind;
  std::string name = {};  ///< the name of a parameter, buffer or optimizer state
  size_t index = 0;       ///< the index of an input, or of the result of a tangent
  /// The tensor that the program used, which it may have written to.
  at::Tensor tensor = {};
  std::vector<c10::IValue> numbers = {};  ///< the value of a number in each run
};

/// The kind of an element of the graph's output.
enum class OutputKind {
  kMutation,  ///< an input that the program wrote to
  kResult,
  kGradient,
  kState,  ///< the next value of an input that a training step replaces; see step.h
};

struct CapturedOutput {
  OutputKind kind;
  size_t index;       ///< the index of the result; for other kinds, of the placeholder
  at::Tensor tensor;  ///< the value in the run; undefined if the graph returns None
};

/// An operator that CaptureOptions::keep names, but that was recorded as its parts.
struct DecomposedOperator {
  std::string name;  ///< aten.dropout.default
  std::string reason;
  size_t count = 0;  ///< the number of calls
  /// The operator was recorded whole, but its backward pass was not
  /// (CaptureOptions::keep_backward).
  bool backward_only = false;
};

/// A captured program. Placeholders are in the order of `inputs`, and the elements of the returned
/// list are in the order of `outputs`.
struct CapturedGraph {
  std::unique_ptr<Graph> graph;
  std::vector<CapturedInput> inputs;
  std::vector<CapturedOutput> outputs;
  TorchConstants constants;  ///< the values of get_attr nodes
  HookKind hook;             ///< the hook that was used
  std::vector<DecomposedOperator> decomposed = {};
};

/// Runs `program` and captures it in one graph. There is one placeholder for each tensor, with
/// torch.export's name: `p_fc1_weight` for a parameter, `b_bn_running_mean` for a buffer, `o_...`
/// for optimizer state and `input_1`, ... for inputs. The graph returns the placeholders that the
/// program wrote to, then the results. Capture does not change grad mode. Calls to autograd in the
/// program (`backward()`) are also captured; see capture_step (step.h).
///
/// Types, metadata and errors are as documented for capture_joint.
absl::StatusOr<CapturedGraph> capture(Context& context, const ModuleState& state, Tensors inputs,
                                      const Program& program, const CaptureOptions& options = {});

/// Runs `program` and its backward pass and captures both in one graph with AOTAutograd's layout:
/// placeholders `primals_1`, ... for parameters, buffers and inputs (one for each tensor) and
/// `tangents_1`, ... for results that require grad (tensors of ones in this run). The graph returns
/// the primals that the program wrote to, the results, and the gradient of each primal or None.
///
/// Each node has the full arguments of its operator, a type and metadata: its region (fw, bw), the
/// sequence number of its autograd node (`seq`, equal in the forward and the backward pass) and its
/// module, if known. The metadata entries `input` and `outputs` describe the placeholders and the
/// output. Placeholders that share memory have the same number in the metadata entry
/// `shared_memory`.
///
/// The run has the effects of eager mode: it changes buffers and draws random numbers.
/// Gradients are returned, not accumulated.
///
/// Returns InvalidArgument if the program throws, if no result requires grad, for an unknown name
/// in `keep`, or for `keep_backward` without `keep`; Unavailable if the hook cannot be installed;
/// Unimplemented for an operator that cannot be recorded.
absl::StatusOr<CapturedGraph> capture_joint(Context& context, const ModuleState& state,
                                            Tensors inputs, const Program& program,
                                            const CaptureOptions& options = {});

/// Returns the parameters, buffers and modules of a torch::nn::Module or a ModuleHolder.
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
    if constexpr (std::convertible_to<const Module*, const torch::nn::Module*>) {
      state.modules.push_back({"", &module});
      for (const auto& item : module.named_modules("", /*include_self=*/false))
        state.modules.push_back({item.key(), item.value().get()});
    }
    return state;
  } else {
    return module_state(*module);
  }
}

/// Returns a graph as a Program that can be captured again: with its backward pass, after a
/// rewrite, or with different sizes. There must be one input for each placeholder, and autograd
/// records the operators. Returns the errors of TorchEvaluator::create.
absl::StatusOr<Program> make_program(const Graph& graph, const TorchConstants& constants = {});

/// Wraps a callable that maps tensors to one or more tensors as a Program.
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

/// Captures a torch::nn::Module. `forward` runs it on the inputs.
template <class Module, class Forward>
  requires(!std::same_as<Module, ModuleState>)
absl::StatusOr<CapturedGraph> capture(Context& context, const Module& module,
                                      const std::vector<at::Tensor>& inputs, Forward forward,
                                      const CaptureOptions& options = {}) {
  return capture(context, module_state(module), inputs, make_program(std::move(forward)), options);
}

/// Calls capture_joint for a torch::nn::Module. `loss` runs it on the inputs and returns the loss
/// or multiple results.
template <class Module, class Loss>
  requires(!std::same_as<Module, ModuleState>)
absl::StatusOr<CapturedGraph> capture_joint(Context& context, const Module& module,
                                            const std::vector<at::Tensor>& inputs, Loss loss,
                                            const CaptureOptions& options = {}) {
  return capture_joint(context, module_state(module), inputs, make_program(std::move(loss)),
                       options);
}

}  // namespace fx
