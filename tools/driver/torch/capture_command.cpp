// Captures a model and writes the graph to a file, with the tensors in a data file next to it.
#include "fx/tools/driver/torch/capture_command.h"

#include "fx/importers/torch/capture/eager.h"
#include "fx/importers/torch/capture/fake_tensor.h"
#include "fx/importers/torch/capture/step.h"
#include "fx/interp/shared_inputs.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/ir/text/text.h"
#include "fx/passes/cleanup/omit_default_arguments.h"
#include "fx/passes/functionalize/functionalize.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx {
namespace {

/// A capture with the inputs and expected results of a replay.
struct Captured {
  CapturedGraph graph;
  GraphData data;
};

class CaptureCommand {
 public:
  CaptureCommand(const CaptureRequest& request, Context& context)
      : request_(request), context_(context) {}

  absl::StatusOr<Captured> run(const ModelInstance& model);

 private:
  bool is_fake() const { return request_.execution == Execution::kFake; }
  absl::StatusOr<CapturedGraph> capture_model(const ModelInstance& model);
  absl::StatusOr<Captured> capture_training(const ModelInstance& model);
  absl::StatusOr<std::vector<at::Tensor>> run_with_new_optimizer(const ModelInstance& model,
                                                                 const ModuleState& state,
                                                                 const TensorSnapshot& start,
                                                                 const CapturedGraph& graph,
                                                                 const StepOptions& options);

  const CaptureRequest& request_;
  Context& context_;
};

absl::StatusOr<CapturedGraph> CaptureCommand::capture_model(const ModelInstance& model) {
  const CaptureOptions options{.hook = request_.hook,
                               .execution = request_.execution,
                               .dynamic = request_.sizes,
                               .keep = request_.keep,
                               .keep_backward = request_.keep_backward};
  if (request_.joint) {
    return capture_joint(context_, model.state, model.inputs, model.loss, options);
  }
  return capture(context_, model.state, model.forward_inputs(), model.forward, options);
}

/// Returns copies of the current values of a graph's inputs.
GraphData data_of(const CapturedGraph& graph) {
  GraphData data;
  const std::vector<at::Tensor> clones = clone_inputs(graph);
  for (size_t i = 0; i < clones.size(); ++i) {
    data.inputs.push_back(graph.inputs[i].numbers.empty() ? c10::IValue(clones[i])
                                                          : graph.inputs[i].numbers[0]);
  }
  data.constants = graph.constants;
  return data;
}

absl::StatusOr<Captured> CaptureCommand::run(const ModelInstance& model) {
  if (!request_.step.empty()) return capture_training(model);
  if (is_fake()) {
    FX_ASSIGN_OR_RETURN(CapturedGraph graph, capture_model(model));
    return Captured{std::move(graph), {}};
  }
  const TensorSnapshot start(model.state, model.inputs);
  at::manual_seed(request_.seed);
  FX_ASSIGN_OR_RETURN(CapturedGraph graph, capture_model(model));
  std::vector<at::Tensor> outputs;
  for (const CapturedOutput& output : graph.outputs) {
    outputs.push_back(output.tensor.defined() ? output.tensor.detach().clone() : output.tensor);
  }
  start.restore();
  Captured captured{std::move(graph), {}};
  captured.data = data_of(captured.graph);
  captured.data.outputs = std::move(outputs);
  return captured;
}

absl::StatusOr<Captured> CaptureCommand::capture_training(const ModelInstance& model) {
  const std::shared_ptr<torch::optim::Optimizer> optimizer =
      make_optimizer(request_.step, model.state);
  const Program step = make_step(optimizer, model.loss);
  const StepOptions options{.hook = request_.hook,
                            .execution = request_.execution,
                            .optimizer = optimizer,
                            .dynamic = request_.sizes,
                            .keep = request_.keep,
                            .keep_backward = request_.keep_backward};
  // Run one step first, because it creates the optimizer's state.
  FX_RETURN_IF_ERROR(run_step(context_, step, model.inputs, options));
  ModuleState state = model.state;
  state.optimizer = optimizer_state(*optimizer, model.state);
  std::optional<TensorSnapshot> start;
  if (!is_fake()) start.emplace(state, model.inputs);
  at::manual_seed(request_.seed);
  FX_ASSIGN_OR_RETURN(CapturedGraph graph,
                      capture_step(context_, state, model.inputs, step, options));
  Captured captured{std::move(graph), {}};
  if (!start) return captured;
  start->restore();
  captured.data = data_of(captured.graph);
  FX_ASSIGN_OR_RETURN(captured.data.outputs,
                      run_with_new_optimizer(model, state, *start, captured.graph, options));
  return captured;
}

/// Returns, for each output of the graph, the state after an eager step from `start`. Uses a new
/// optimizer that has run as many steps as the original optimizer before the capture.
absl::StatusOr<std::vector<at::Tensor>> CaptureCommand::run_with_new_optimizer(
    const ModelInstance& model, const ModuleState& state, const TensorSnapshot& start,
    const CapturedGraph& graph, const StepOptions& options) {
  const std::shared_ptr<torch::optim::Optimizer> new_optimizer =
      make_optimizer(request_.step, model.state);
  const Program step = make_step(new_optimizer, model.loss);
  FX_RETURN_IF_ERROR(run_step(context_, step, model.inputs, options));
  start.restore();
  const std::vector<NamedTensor> new_state = optimizer_state(*new_optimizer, model.state);
  absl::flat_hash_map<const c10::TensorImpl*, at::Tensor> counterpart_of;
  {
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < new_state.size() && i < state.optimizer.size(); ++i) {
      const at::Tensor& first = state.optimizer[i].tensor;
      new_state[i].tensor.copy_(first);
      counterpart_of.emplace(first.unsafeGetTensorImpl(), new_state[i].tensor);
    }
  }
  at::manual_seed(request_.seed);
  FX_RETURN_IF_ERROR(run_step(context_, step, model.inputs, options));
  std::vector<at::Tensor> outputs;
  for (const CapturedOutput& output : graph.outputs) {
    // The new optimizer does not compute new values of other state.
    at::Tensor tensor = output.kind == OutputKind::kState ? at::Tensor() : output.tensor;
    if (const auto found = counterpart_of.find(tensor.unsafeGetTensorImpl());
        found != counterpart_of.end())
      tensor = found->second;
    outputs.push_back(tensor.defined() ? tensor.detach().clone() : tensor);
  }
  start.restore();
  return outputs;
}

}  // namespace

void add_request_options(CLI::App& app, CaptureRequest& request) {
  CLI::Option* joint =
      app.add_flag("--joint", request.joint, "capture forward, loss and backward as one graph");
  app.add_option("--step", request.step, "capture an entire training step with this optimizer")
      ->check(CLI::IsMember({"sgd", "adam", "adamw"}))
      ->excludes(joint);
  app.add_flag(
      "--functionalize", request.functionalize,
      "remove writes to tensors from the graph; changed buffers and parameters become results");
  app.add_flag(
      "--defaults,!--no-defaults", request.defaults,
      "write every argument of an operator, or (--no-defaults) only those that differ from its "
      "schema's defaults, as torch.fx does");
  app.add_option_function<std::string>(
         "--mode",
         [&request](const std::string& mode) {
           request.execution = mode == "real" ? Execution::kReal : Execution::kFake;
         },
         "real: kernels run; fake: only types are computed, and no memory is used")
      ->check(CLI::IsMember({"real", "fake", "untouched"}))
      ->default_str("real");
  app.add_option_function<std::string>(
         "--hook",
         [&request](const std::string& hook) {
           request.hook = hook == "fake"   ? HookKind::kFake
                          : hook == "mode" ? HookKind::kMode
                                           : HookKind::kAuto;
         },
         "the mechanism by which calls to libtorch are observed")
      ->check(CLI::IsMember({"auto", "fake", "mode"}))
      ->default_str("auto");
  app.add_option("--input", request.inputs,
                 "TYPE, such as f32[8, 3, 32, 32]: an input of this type, in order; or NUMBER=TYPE "
                 "(fxcpp capture), NAME=TYPE (fxcpp import)")
      ->allow_extra_args(false);
  app.add_option(
         "--dynamic", request.dynamic,
         "TYPE or NAME=TYPE, such as 'f32[batch, 3, 8*h, 8*w]': an input, in order or by its name "
         "or number, whose named sizes may change in the graph")
      ->allow_extra_args(false);
  app.add_option(
         "--range", request.ranges,
         "NAME=MIN:MAX, such as seq=2:512: the range of a size named in --dynamic; either bound is "
         "optional")
      ->allow_extra_args(false);
  CLI::Option* keep =
      app.add_option("--keep", request.keep,
                     "NAMES, such as linear,aten.conv2d: composite operators that are recorded as "
                     "one call, not as the calls that they consist of; or torch (all), core (the "
                     "operators in Core ATen), accelerators (layers, attention, losses)")
          ->delimiter(',')
          ->allow_extra_args(false);
  app.add_flag("--keep-backward", request.keep_backward,
               "with --joint or --step: record the backward pass of each operator in --keep as one "
               "call (to a nested graph, if it consists of multiple calls)")
      ->needs(keep);
  app.add_option("--seed", request.seed, "the seed for parameters, inputs and random operators")
      ->check(check_seed)
      ->capture_default_str();
  app.add_option_function<int>(
         "--threads", [](int threads) { at::set_num_threads(threads); },
         "number of threads for libtorch's kernels; default: libtorch's choice")
      ->check(check_threads);
  app.add_option(
      "-o", request.output,
      "the file to write (.fx, .json, .fxb) instead of text on standard output; with --mode "
      "real, g.safetensors next to g.fx contains the tensors");
}

absl::StatusOr<at::Tensor> example_tensor(Context& context, std::string_view text,
                                          Execution execution) {
  FX_ASSIGN_OR_RETURN(const Type type, context.types().parse(text));
  const absl::StatusOr<Placement> place = placement_of(type);
  if (!place.ok()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: an input must be a tensor whose sizes are numbers, such as f32[8, 3]", text));
  }
  std::optional<FakeTensorScope> scope;
  if (execution == Execution::kFake) {
    FX_ASSIGN_OR_RETURN(FakeTensorScope created, FakeTensorScope::create(context));
    scope.emplace(std::move(created));
  }
  const at::ScalarType dtype = to_torch(type.dtype());
  if (execution == Execution::kFake) {
    return at::empty({place->end()}, at::TensorOptions(dtype))
        .as_strided(place->sizes, place->strides, place->offset);
  }
  at::Tensor values = at::empty(place->sizes, at::TensorOptions(dtype));
  if (at::isFloatingType(dtype) || at::isComplexType(dtype)) {
    values.normal_();
  } else {
    values.random_(0, 2);
  }
  return with_strides(values, place->strides, place->offset);
}

absl::Status replace_inputs(Context& context, const CaptureRequest& request, ModelInstance& model) {
  size_t next = 0;
  std::vector<bool> given(model.inputs.size(), false);
  for (const std::string& word : request.inputs) {
    std::string_view type = word;
    const size_t equals = word.find('=');
    if (equals != std::string::npos) {
      if (!absl::SimpleAtoi(word.substr(0, equals), &next)) {
        return absl::InvalidArgumentError(fmt::format(
            "--input {}: expected TYPE or NUMBER=TYPE, as in --input '0=f32[8, 16]'", word));
      }
      type.remove_prefix(equals + 1);
    }
    if (next >= model.inputs.size()) {
      return absl::InvalidArgumentError(fmt::format("--input {}: the model has {}, numbered from 0",
                                                    word, pluralize(model.inputs.size(), "input")));
    }
    if (given[next]) {
      return absl::InvalidArgumentError(fmt::format(
          "--input {}: the type of input {} is already set; specify one type for each input", word,
          next));
    }
    given[next] = true;
    const absl::StatusOr<at::Tensor> created = example_tensor(context, type, request.execution);
    if (!created.ok()) return with_context(created.status(), "--input " + word);
    at::Tensor tensor = *created;
    at::Tensor& input = model.inputs[next++];
    // Integers are indices or classes. Copy them from the model's example inputs.
    if (request.execution == Execution::kReal && !tensor.is_floating_point() &&
        tensor.scalar_type() == input.scalar_type() && input.numel() > 0) {
      const at::Tensor values = input.flatten();
      copy_elements(tensor,
                    values.index_select(0, at::arange(tensor.numel()).remainder(values.numel()))
                        .view(tensor.sizes()));
    }
    input = tensor;
  }
  return absl::OkStatus();
}

namespace {

/// Reads a range: "seq=2:512", "seq=:512" or "seq=2:".
absl::StatusOr<SizeRange> read_range(const std::string& word) {
  const size_t equals = word.find('='), colon = word.find(':');
  const auto bound = [&](size_t from, size_t to, std::optional<int64_t>& out) {
    const std::string text = word.substr(from, to - from);
    int64_t value = 0;
    if (text.empty()) return true;
    out = absl::SimpleAtoi(text, &value) && value >= 0 ? std::optional(value) : std::nullopt;
    return out.has_value();
  };
  SizeRange range;
  if (equals == std::string::npos || equals == 0 || colon == std::string::npos || colon < equals ||
      !bound(equals + 1, colon, range.min) || !bound(colon + 1, word.size(), range.max) ||
      (range.min && range.max && *range.min > *range.max)) {
    return absl::InvalidArgumentError(fmt::format(
        "--range {}: expected NAME=MIN:MAX, integers with 0 <= MIN <= MAX, as in --range "
        "seq=2:512",
        word));
  }
  range.symbol = word.substr(0, equals);
  return range;
}

}  // namespace

absl::Status read_dynamic_sizes(CaptureRequest& request, const std::vector<std::string>& names) {
  size_t next = 0;
  std::vector<std::string>& types = request.sizes.inputs;
  for (const std::string& word : request.dynamic) {
    std::string type = word;
    // The name comes before a `=`. A type does not contain `=` before its sizes.
    if (const size_t equals = word.find('='); equals < word.find('[')) {
      const std::string name = word.substr(0, equals);
      const auto found = std::find(names.begin(), names.end(), name);
      if (found != names.end()) {
        next = static_cast<size_t>(found - names.begin());
      } else if (!absl::SimpleAtoi(name, &next) || next >= names.size()) {
        return absl::InvalidArgumentError(fmt::format(
            "--dynamic {}: the program has the inputs {}; specify a name or a zero-based index",
            word, fmt::join(names, ", ")));
      }
      type = word.substr(equals + 1);
    }
    if (next >= names.size()) {
      return absl::InvalidArgumentError(
          fmt::format("--dynamic {}: the program has {}", word, pluralize(names.size(), "input")));
    }
    if (types.size() <= next) types.resize(next + 1);
    if (!types[next].empty()) {
      return absl::InvalidArgumentError(fmt::format(
          "--dynamic {}: the type of input {} is already set; specify one type for each input",
          word, names[next]));
    }
    types[next++] = type;
  }
  for (const std::string& word : request.ranges) {
    FX_ASSIGN_OR_RETURN(SizeRange range, read_range(word));
    request.sizes.ranges.push_back(std::move(range));
  }
  return absl::OkStatus();
}

absl::Status capture_to_file(Context& context, const ModelInstance& model,
                             const CaptureRequest& request) {
  if (request.keep_backward && !request.joint && request.step.empty())
    return absl::InvalidArgumentError("--keep-backward requires --joint or --step");
  FX_ASSIGN_OR_RETURN(const Captured captured, [&] {
    const Step step("capture");
    return CaptureCommand(request, context).run(model);
  }());
  for (const DecomposedOperator& op : captured.graph.decomposed) {
    fmt::print(stderr, "warning: {} {} ({}) is recorded as its parts: {}\n",
               op.backward_only ? "--keep-backward: the backward pass of" : "--keep:", op.name,
               pluralize(op.count, "call"), op.reason);
  }
  Graph& graph = *captured.graph.graph;
  if (request.functionalize) {
    const Step step("functionalize");
    FX_RETURN_IF_ERROR(functionalize(graph));
  }
  if (!request.defaults) FX_RETURN_IF_ERROR(omit_default_arguments(graph).status());
  set_graph_name(graph, request.name);
  if (request.output.empty() || request.output == "-" || request.output.ends_with(".fx")) {
    const Step step("write");
    FX_RETURN_IF_ERROR(write_file(request.output, print(graph, {.version_line = true})));
  } else {
    FX_RETURN_IF_ERROR(write_graph_file(graph, request.output));
  }
  if (request.output.empty() || request.output == "-" || is_device_file(request.output) ||
      request.execution != Execution::kReal) {
    return absl::OkStatus();
  }
  const Step step("write tensors");
  return save_graph_data(graph, captured.data, data_path(request.output));
}

}  // namespace fx
