// Adds placeholders, the backward pass and the output to the recorded operators.
#include "fx/importers/torch/capture/capture.h"

#include "fx/importers/torch/capture/autograd/autograd_internal.h"
#include "fx/importers/torch/capture/capture_internal.h"
#include "fx/importers/torch/capture/dynamic_internal.h"
#include "fx/importers/torch/capture/keep_internal.h"
#include "fx/importers/torch/capture/recorder_internal.h"
#include "fx/importers/torch/capture/run_follower_internal.h"
#include "fx/importers/torch/capture/scope_internal.h"
#include "fx/interp/shared_inputs.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_replace.h"
#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

namespace fx {
namespace {

/// Returns the module of a member: "layer1.0.conv1" for "layer1.0.conv1.weight", and "" for a name
/// without a dot.
std::string_view module_path(std::string_view tensor_name) {
  const size_t dot = tensor_name.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : tensor_name.substr(0, dot);
}

/// Returns the inputs of a graph, except tangents. There is one input for each tensor.
std::vector<CapturedInput> list_inputs(const ModuleState& state, Tensors inputs) {
  std::vector<CapturedInput> primals;
  absl::flat_hash_set<const void*> seen;
  const auto add = [&](InputKind kind, std::string_view name, size_t index,
                       const at::Tensor& tensor) {
    if (!tensor.defined() || !seen.insert(tensor.unsafeGetTensorImpl()).second) return;
    primals.push_back({kind, std::string(name), index, tensor});
  };
  for (const NamedTensor& p : state.parameters) add(InputKind::kParameter, p.name, 0, p.tensor);
  for (const NamedTensor& b : state.buffers) add(InputKind::kBuffer, b.name, 0, b.tensor);
  for (const NamedTensor& o : state.optimizer) add(InputKind::kOptimizer, o.name, 0, o.tensor);
  for (size_t i = 0; i < inputs.size(); ++i) add(InputKind::kInput, "", i, inputs[i]);
  return primals;
}

}  // namespace

namespace {

/// Returns the values of a number in the recorded runs.
Argument describe_numbers(const std::vector<c10::IValue>& numbers) {
  std::vector<Argument> values;
  for (const c10::IValue& number : numbers)
    values.push_back(number.isDouble() ? Argument(number.toDouble()) : Argument(number.toInt()));
  return Argument::list(values);
}

/// The strings in the metadata of inputs and outputs, which all graphs share.
struct InputWords {
  Argument kind = "kind", parameter = "parameter", target = "target", buffer = "buffer",
           optimizer = "optimizer", number = "number", index = "index", values = "values",
           user_input = "user_input", output = "output", tangent = "tangent", of = "of",
           none = "none", gradient = "gradient", mutation = "mutation";

  static const InputWords& get() {
    static const auto* const words = new InputWords;
    return *words;
  }
};

}  // namespace

Argument describe_input(const CapturedInput& input) {
  const InputWords& words = InputWords::get();
  switch (input.kind) {
    case InputKind::kParameter:
      return Argument::dict({{words.kind, words.parameter}, {words.target, input.name}});
    case InputKind::kBuffer:
      return Argument::dict({{words.kind, words.buffer}, {words.target, input.name}});
    case InputKind::kOptimizer:
      return Argument::dict({{words.kind, words.optimizer}, {words.target, input.name}});
    case InputKind::kNumber:
      return Argument::dict({{words.kind, words.number},
                             {words.index, input.index},
                             {words.values, describe_numbers(input.numbers)}});
    case InputKind::kInput:
      return Argument::dict({{words.kind, words.user_input}, {words.index, input.index}});
    case InputKind::kTangent:
      break;
  }
  const Argument of = Argument::dict({{words.kind, words.output}, {words.index, input.index}});
  return Argument::dict({{words.kind, words.tangent}, {words.of, of}});
}

namespace {

/// Returns the metadata of an element of the output. `input` is the metadata of the placeholder
/// that the element belongs to; unused for results.
Argument describe(const CapturedOutput& output, const Argument& input) {
  const InputWords& words = InputWords::get();
  if (output.kind == OutputKind::kResult) {
    return Argument::dict({{words.kind, words.output}, {words.index, output.index}});
  }
  if (output.kind == OutputKind::kGradient && !output.tensor.defined()) {
    return Argument::dict({{words.kind, words.none}});
  }
  const Argument& kind = output.kind == OutputKind::kGradient ? words.gradient : words.mutation;
  return Argument::dict({{words.kind, kind}, {words.of, input}});
}

/// Returns torch.export's name for a placeholder: "p_layer1_0_conv1_weight", "input_2".
std::string export_name(const CapturedInput& input) {
  if (input.kind == InputKind::kInput) return fmt::format("input_{}", input.index + 1);
  const char letter = input.kind == InputKind::kParameter ? 'p'
                      : input.kind == InputKind::kBuffer  ? 'b'
                                                          : 'o';
  return fmt::format("{}_{}", letter, absl::StrReplaceAll(input.name, {{".", "_"}}));
}

/// The range of bytes of an input in its storage.
struct Extent {
  size_t input = 0;
  int64_t begin = 0, end = 0;
};

/// Sets meta::kSharedMemory of placeholders whose extents overlap, directly or through other
/// extents.
void mark_shared_memory(const std::vector<Node*>& nodes, const std::vector<CapturedInput>& inputs) {
  absl::flat_hash_map<const c10::StorageImpl*, std::vector<Extent>> by_storage;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const at::Tensor& tensor = inputs[i].tensor;
    if (!tensor.defined() || tensor.layout() != at::kStrided || !tensor.has_storage()) continue;
    const Placement place{tensor.sizes().vec(), tensor.strides().vec(), tensor.storage_offset()};
    const auto bytes = static_cast<int64_t>(tensor.itemsize());
    const Extent extent{i, place.offset * bytes, place.end() * bytes};
    if (extent.begin < extent.end)
      by_storage[tensor.storage().unsafeGetStorageImpl()].push_back(extent);
  }
  std::vector<std::vector<size_t>> groups;
  for (auto& [storage, extents] : by_storage) {
    std::ranges::sort(extents, {}, &Extent::begin);
    std::vector<size_t> group;
    int64_t end = 0;  // the end of the group's last extent
    const auto close = [&] {
      if (group.size() > 1) groups.push_back(group);
      group.clear();
    };
    for (const Extent& extent : extents) {
      if (extent.begin >= end) close();
      group.push_back(extent.input);
      end = std::max(end, extent.end);
    }
    close();
  }
  // Number the groups in the order of their first inputs, so that captures are deterministic.
  for (std::vector<size_t>& group : groups) std::ranges::sort(group);
  std::ranges::sort(groups);
  for (size_t number = 0; number < groups.size(); ++number) {
    for (const size_t i : groups[number])
      nodes[i]->meta().set(meta::kSharedMemory, static_cast<int64_t>(number));
  }
}

/// The state of one capture.
class Capture {
 public:
  Capture(Context& context, const ModuleState& state, Tensors inputs, const CaptureOptions& options)
      : options_(options),
        modules_(state.modules),
        inputs_(inputs),
        recorder_(*(result_.graph = std::make_unique<Graph>(context)), options) {
    result_.inputs = list_inputs(state, inputs);
    num_primals_ = result_.inputs.size();
  }

  absl::StatusOr<CapturedGraph> run_forward(const Program& program);
  absl::StatusOr<CapturedGraph> run_joint(const Program& program);
  /// Captures the program for capture_and_promote: constants that the program writes to become
  /// inputs, and unused items are kept.
  absl::StatusOr<CapturedRun> run_step(const Program& program);

 private:
  void add_named_inputs();
  absl::Status run(const Program& program);
  absl::Status trace(const Program& program);
  absl::Status trace_backward();
  Node* add_input(const std::string& name, const CapturedInput& input);
  void promote_constants();
  absl::Status add_output();

  CaptureOptions options_;
  const std::vector<ModulePath>& modules_;
  bool joint_ = false, promote_ = false;  // promote_: see run_step
  Tensors inputs_;
  CapturedGraph result_;
  Recorder recorder_;
  size_t num_primals_ = 0;
  Node* last_input_ = nullptr;
  std::vector<at::Tensor> results_;
  std::vector<at::Tensor> gradients_;  // for each primal; empty without a backward pass
  absl::flat_hash_map<const Node*, at::Tensor> live_;  // the program's tensors for constants
};

void Capture::add_named_inputs() {
  std::vector<Node*> nodes;
  for (const CapturedInput& input : result_.inputs)
    nodes.push_back(last_input_ = add_input(export_name(input), input));
  mark_shared_memory(nodes, result_.inputs);
}

absl::StatusOr<CapturedGraph> Capture::run_forward(const Program& program) {
  add_named_inputs();
  FX_RETURN_IF_ERROR(run(program));
  return std::move(result_);
}

absl::StatusOr<CapturedRun> Capture::run_step(const Program& program) {
  add_named_inputs();
  promote_ = true;
  FX_RETURN_IF_ERROR(run(program));
  return CapturedRun{std::move(result_), recorder_.take_values(), std::move(live_)};
}

absl::StatusOr<CapturedGraph> Capture::run_joint(const Program& program) {
  std::vector<Node*> nodes;
  for (size_t i = 0; i < num_primals_; ++i) {
    last_input_ = add_input(fmt::format("primals_{}", i + 1), result_.inputs[i]);
    nodes.push_back(last_input_);
  }
  mark_shared_memory(nodes, result_.inputs);
  const at::AutoGradMode with_grad(true);
  joint_ = true;
  FX_RETURN_IF_ERROR(run(program));
  return std::move(result_);
}

absl::Status Capture::run(const Program& program) {
  try {
    FX_RETURN_IF_ERROR(trace(program));
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(fmt::format(
        "the program failed during capture, after {}: {}",
        pluralize(result_.graph->size() - result_.inputs.size(), "operator"), torch_message(e)));
  }
  FX_RETURN_IF_ERROR(recorder_.status());
  if (promote_) promote_constants();
  FX_RETURN_IF_ERROR(add_output());
  recorder_.finish();
  result_.decomposed = recorder_.take_decomposed();
  if (!promote_) erase_unused_items(*result_.graph);
  for (RecordedConstant& constant : recorder_.take_constants()) {
    live_.emplace(constant.node, std::move(constant.live));
    result_.constants.emplace(std::string(constant.node->target()), std::move(constant.value));
  }
  return absl::OkStatus();
}

absl::Status Capture::trace(const Program& program) {
  std::optional<CompositeHookGuard> composites;
  if (!options_.keep.empty()) {
    FX_ASSIGN_OR_RETURN(KeptOperators kept,
                        KeptOperators::create(result_.graph->context().ops(), options_.keep));
    recorder_.set_kept(std::move(kept));
    FX_ASSIGN_OR_RETURN(CompositeHookGuard hook, CompositeHookGuard::create(recorder_));
    composites.emplace(std::move(hook));
  }
  FX_ASSIGN_OR_RETURN(const HookGuard guard, HookGuard::create(recorder_, options_.hook));
  result_.hook = guard.kind();
  const ModuleNames names(modules_);
  results_ = program(inputs_);
  FX_RETURN_IF_ERROR(recorder_.status());
  return joint_ ? trace_backward() : absl::OkStatus();
}

absl::Status Capture::trace_backward() {
  std::vector<at::Tensor> roots, tangents, leaves;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!results_[i].defined() || !results_[i].requires_grad()) continue;
    roots.push_back(results_[i]);
    tangents.push_back(recorder_.make_tangent(results_[i]));
    result_.inputs.push_back({InputKind::kTangent, "", i, tangents.back()});
    const InsertPointGuard insert_point =
        last_input_ == nullptr ? result_.graph->inserting_before(result_.graph->front())
                               : result_.graph->inserting_after(last_input_);
    last_input_ = add_input(fmt::format("tangents_{}", tangents.size()), result_.inputs.back());
  }
  std::vector<size_t> primals;
  for (size_t i = 0; i < num_primals_; ++i) {
    if (!result_.inputs[i].tensor.requires_grad()) continue;
    primals.push_back(i);
    leaves.push_back(result_.inputs[i].tensor);
  }
  if (roots.empty() || leaves.empty()) {
    return absl::InvalidArgumentError(leaves.empty() ? "a parameter or input must require grad"
                                                     : "a result of the program must require grad");
  }
  std::vector<at::Tensor> found = gradients(roots, tangents, leaves);
  gradients_.resize(num_primals_);
  for (size_t i = 0; i < primals.size(); ++i) gradients_[primals[i]] = std::move(found[i]);
  return absl::OkStatus();
}

void Capture::promote_constants() {
  size_t index = 0;
  for (const RecordedConstant& constant : recorder_.take_written_constants()) {
    CapturedInput input{InputKind::kOptimizer, fmt::format("state_{}", ++index), 0, constant.live};
    const InsertPointGuard insert_point =
        last_input_ == nullptr ? result_.graph->inserting_before(result_.graph->front())
                               : result_.graph->inserting_after(last_input_);
    Node* node = result_.graph->placeholder(input.name, {.type = constant.node->type()});
    node->meta().set(meta::kInput, describe_input(input));
    recorder_.replace(*constant.node, *node);
    result_.inputs.push_back(std::move(input));
    last_input_ = node;
  }
  num_primals_ = result_.inputs.size();
}

Node* Capture::add_input(const std::string& name, const CapturedInput& input) {
  Node* node = recorder_.add_input(name, input.tensor, module_path(input.name));
  node->meta().set(meta::kInput, describe_input(input));
  return node;
}

absl::Status Capture::add_output() {
  std::vector<CapturedOutput>& outputs = result_.outputs;
  for (size_t i = 0; i < num_primals_; ++i) {
    const at::Tensor& tensor = result_.inputs[i].tensor;
    if (recorder_.was_written(tensor)) outputs.push_back({OutputKind::kMutation, i, tensor});
  }
  for (size_t i = 0; i < results_.size(); ++i) {
    outputs.push_back({OutputKind::kResult, i, results_[i]});
  }
  for (size_t i = 0; i < gradients_.size(); ++i) {
    outputs.push_back({OutputKind::kGradient, i, gradients_[i]});
  }
  std::vector<Argument> values;
  for (const CapturedOutput& output : outputs) {
    FX_ASSIGN_OR_RETURN(Argument value, recorder_.result(output.tensor));
    values.push_back(std::move(value));
  }
  result_.graph->output(Argument::list(values));
  describe_outputs(result_);
  return absl::OkStatus();
}

}  // namespace

void describe_outputs(const CapturedGraph& captured) {
  std::vector<const Argument*> inputs;  // the metadata of the placeholders
  for (const Node& node : captured.graph->nodes()) {
    if (!node.is_placeholder()) break;
    inputs.push_back(node.meta().find(meta::kInput.name));
  }
  std::vector<Argument> meanings;
  meanings.reserve(captured.outputs.size());
  for (const CapturedOutput& output : captured.outputs) {
    const bool is_of_input = output.kind != OutputKind::kResult;
    meanings.push_back(describe(output, is_of_input ? *inputs[output.index] : Argument()));
  }
  captured.graph->output_node()->meta().set(meta::kOutputs, Argument::list(meanings));
}

void erase_unused_items(Graph& graph) {
  const Target getitem = graph.context().function("operator.getitem");
  std::vector<Node*> items;
  for (Node& node : graph.nodes())
    if (node.is(getitem)) items.push_back(&node);
  for (auto node = items.rbegin(); node != items.rend(); ++node)
    if (!(*node)->has_uses()) FX_CHECK_OK(graph.erase_node(*node));
}

namespace {

/// Captures with the dynamic sizes that the options request, then moves the backward passes of kept
/// calls if requested.
absl::StatusOr<CapturedGraph> capture_with(Context& context, Tensors inputs,
                                           const CaptureOptions& options, CaptureAt run,
                                           FollowAt follow) {
  FX_RETURN_IF_ERROR(check_keep_backward(options.keep, options.keep_backward));
  FX_ASSIGN_OR_RETURN(CapturedGraph captured,
                      options.dynamic.empty()
                          ? run(inputs, options)
                          : capture_sizes(context, inputs, options, run, follow));
  if (options.keep_backward) keep_backward_calls(captured);
  return captured;
}

}  // namespace

absl::StatusOr<CapturedGraph> capture(Context& context, const ModuleState& state, Tensors inputs,
                                      const Program& program, const CaptureOptions& options) {
  const auto run = [&](Tensors in, const CaptureOptions& plain) {
    return Capture(context, state, in, plain).run_forward(program);
  };
  const auto follow = [&](const CapturedGraph& first, Tensors in, const CaptureOptions& plain) {
    return follow_run(first, CapturedPasses::kForward, in, program, plain);
  };
  return capture_with(context, inputs, options, run, follow);
}

absl::StatusOr<CapturedRun> capture_and_promote(Context& context, const ModuleState& state,
                                                Tensors inputs, const Program& program,
                                                const CaptureOptions& options) {
  return Capture(context, state, inputs, options).run_step(program);
}

absl::StatusOr<CapturedGraph> capture_joint(Context& context, const ModuleState& state,
                                            Tensors inputs, const Program& program,
                                            const CaptureOptions& options) {
  const auto run = [&](Tensors in, const CaptureOptions& plain) {
    return Capture(context, state, in, plain).run_joint(program);
  };
  const auto follow = [&](const CapturedGraph& first, Tensors in, const CaptureOptions& plain) {
    return follow_run(first, CapturedPasses::kJoint, in, program, plain);
  };
  return capture_with(context, inputs, options, run, follow);
}

absl::StatusOr<Program> make_program(const Graph& graph, const TorchConstants& constants) {
  FX_ASSIGN_OR_RETURN(TorchEvaluator evaluator, TorchEvaluator::create(graph, constants));
  return [evaluator = std::move(evaluator)](Tensors inputs) mutable {
    absl::StatusOr<std::vector<c10::IValue>> values =
        evaluator.run(std::vector<c10::IValue>(inputs.begin(), inputs.end()), AutogradUse::kRecord);
    TORCH_CHECK(values.ok(), values.status().message());
    std::vector<at::Tensor> results;
    for (c10::IValue& value : *values) {
      TORCH_CHECK(value.isTensor() || value.isNone(), "the graph returns a ", value.tagKind(),
                  ", not a tensor");
      results.push_back(value.isTensor() ? std::move(value).toTensor() : at::Tensor());
    }
    return results;
  };
}

}  // namespace fx
