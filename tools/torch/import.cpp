// fxcpp import: converts a TorchScript file to a graph of ATen operators, optionally with the
// backward pass.
#include "fx/importers/torch/capture/eager.h"
#include "fx/importers/torch/capture/fake_tensor.h"
#include "fx/importers/torch/script/script.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/tools/driver/torch/capture_command.h"
#include "tools/torch/commands.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/core/Generator.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct ImportFlags {
  CaptureRequest request;
  std::string input, loss;
};

/// Returns the names of the inputs to pass to forward: those without a default value, and those that
/// `--input` names.
std::vector<std::string> inputs_to_pass(const ScriptModule& module, const ImportFlags& options) {
  const std::vector<std::string> required = module.input_names();
  std::vector<std::string> names = module.all_input_names();
  std::erase_if(names, [&](const std::string& name) {
    return !absl::c_linear_search(required, name) &&
           absl::c_none_of(options.request.inputs,
                           [&](const std::string& word) { return word.starts_with(name + "="); });
  });
  return names;
}

/// Returns inputs for the module, with the types given by `--input`, by name or in order.
absl::StatusOr<std::vector<at::Tensor>> make_inputs(Context& context, const ImportFlags& options,
                                                    const std::vector<std::string>& names,
                                                    const std::vector<std::string>& all_names) {
  std::vector<at::Tensor> inputs(names.size());
  size_t next = 0;
  for (const std::string& word : options.request.inputs) {
    std::string_view type = word;
    if (const size_t equals = word.find('='); equals != std::string::npos) {
      const std::string name = word.substr(0, equals);
      next = static_cast<size_t>(absl::c_find(names, name) - names.begin());
      if (next == names.size()) {
        return absl::InvalidArgumentError(
            fmt::format("--input {}: forward has the inputs {}, not {}", word,
                        absl::StrJoin(all_names, ", "), name));
      }
      type.remove_prefix(equals + 1);
    }
    if (next >= names.size()) {
      return absl::InvalidArgumentError(
          fmt::format("--input {}: forward has only {}{}", word, pluralize(names.size(), "input"),
                      names.size() < all_names.size()
                          ? fmt::format("; specify inputs that have default values by name ({})",
                                        absl::StrJoin(all_names, ", "))
                          : ""));
    }
    if (inputs[next].defined()) {
      return absl::InvalidArgumentError(
          fmt::format("--input {}: the type of {} is already set; specify one type for each input",
                      word, names[next]));
    }
    absl::StatusOr<at::Tensor> created = example_tensor(context, type, options.request.execution);
    if (!created.ok()) return with_context(created.status(), "--input " + word);
    inputs[next++] = *std::move(created);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (inputs[i].defined()) continue;
    return absl::InvalidArgumentError(
        fmt::format("forward has {} ({}), but their types are not in the file; add --input "
                    "'{}=f32[1, 3, 224, 224]' with the correct type",
                    pluralize(names.size(), "input"), absl::StrJoin(names, ", "), names[i]));
  }
  return inputs;
}

/// Returns the results of forward, without side effects. Only the types and sizes of the results
/// are used. If they depend on data and the capture may run operators, runs forward and restores
/// all state.
absl::StatusOr<std::vector<at::Tensor>> results_of(Context& context, const ModelInstance& model,
                                                   Execution execution) {
  const at::NoGradGuard no_grad;
  try {
    FX_ASSIGN_OR_RETURN(const FakeTensorScope scope, FakeTensorScope::create(context));
    return model.forward(model.inputs);
  } catch (const std::exception&) {
    if (execution == Execution::kFake) throw;
  }
  const TensorSnapshot start(model.state, model.inputs);
  at::Generator random = at::globalContext().defaultGenerator(at::kCPU);
  const at::Tensor random_state = random.get_state();
  std::vector<at::Tensor> results = model.forward(model.inputs);
  // Copy the results, because a result may be a tensor that is restored.
  for (at::Tensor& result : results)
    if (result.defined()) result = result.clone();
  random.set_state(random_state);
  start.restore();
  return results;
}

/// Adds the loss from `--loss` as a program on the inputs of forward and, if required, a target.
absl::Status add_loss(Context& context, const ImportFlags& options, ModelInstance& model) {
  const Program forward = model.forward;
  model.loss = forward;
  if (options.loss.empty()) return absl::OkStatus();
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> results,
                      results_of(context, model, options.request.execution));
  if (results.empty()) return absl::InvalidArgumentError("forward must return a tensor");
  const bool classes = options.loss == "cross_entropy";
  if (!classes && options.loss != "mse") {
    size_t number = 0;
    if (!absl::SimpleAtoi(options.loss, &number) || number >= results.size()) {
      return absl::InvalidArgumentError(
          fmt::format("--loss {}: expected cross_entropy, mse, or the index of a result, 0 to {}",
                      options.loss, results.size() - 1));
    }
    model.loss = [forward, number](Tensors in) -> std::vector<at::Tensor> {
      return {forward(in)[number]};
    };
    return absl::OkStatus();
  }
  if (!results[0].is_floating_point() || (classes && results[0].dim() < 1)) {
    return absl::InvalidArgumentError(fmt::format(
        "--loss {}: the first result must be a floating-point tensor{} to compare with a "
        "target",
        options.loss, classes ? " with at least one dimension" : ""));
  }
  std::vector<int64_t> sizes = results[0].sizes().vec();
  const int64_t class_dim = sizes.size() > 1 ? 1 : 0;
  const int64_t num_classes = sizes.empty() ? 0 : sizes[static_cast<size_t>(class_dim)];
  if (classes) sizes.erase(sizes.begin() + class_dim);
  std::optional<FakeTensorScope> scope;
  if (options.request.execution == Execution::kFake) {
    FX_ASSIGN_OR_RETURN(FakeTensorScope created, FakeTensorScope::create(context));
    scope.emplace(std::move(created));
  }
  model.inputs.push_back(classes ? at::randint(num_classes, sizes, at::kLong)
                                 : at::randn(sizes, results[0].scalar_type()));
  model.loss = [forward, classes](Tensors in) -> std::vector<at::Tensor> {
    const at::Tensor result = forward(in.subspan(0, in.size() - 1))[0];
    return {classes ? at::cross_entropy_loss(result, in.back()) : at::mse_loss(result, in.back())};
  };
  return absl::OkStatus();
}

absl::Status import_script(const ScriptModule& module, ImportFlags& options) {
  CaptureRequest& request = options.request;
  FX_RETURN_IF_ERROR(check_graph_extension(request.output));
  Context context;
  at::manual_seed(request.seed);
  ModelInstance model;
  model.state = module.state();
  std::vector<std::string> names = inputs_to_pass(module, options);
  model.forward = module.program(names);
  FX_ASSIGN_OR_RETURN(model.inputs, make_inputs(context, options, names, module.all_input_names()));
  model.num_forward_inputs = model.inputs.size();
  FX_RETURN_IF_ERROR(add_loss(context, options, model));
  const bool with_loss = request.joint || !request.step.empty();
  if (with_loss && model.inputs.size() > names.size()) names.emplace_back("target");
  FX_RETURN_IF_ERROR(read_dynamic_sizes(request, names));
  if (request.name.empty()) request.name = std::filesystem::path(options.input).stem().string();
  FX_RETURN_IF_ERROR(capture_to_file(context, model, request));
  if (!module.omitted_results().empty() && !with_loss) {
    fmt::print(stderr, "{}: note: the graph omits the results that are not tensors: {}\n",
               options.input, absl::StrJoin(module.omitted_results(), ", "));
  }
  return absl::OkStatus();
}

}  // namespace

Run add_import(CLI::App& app) {
  auto options = std::make_shared<ImportFlags>();
  app.add_option("FILE", options->input, "a TorchScript file (torch.jit.save), traced or scripted")
      ->required();
  app.add_option(
      "--loss", options->loss,
      "for --joint and --step: cross_entropy or mse of the first result and a target, or "
      "the index of the result that is the loss; default: all results");
  add_request_options(app, options->request);
  return [options]() -> absl::StatusOr<int> {
    try {
      // The errors of load contain the name of the file.
      FX_ASSIGN_OR_RETURN(const ScriptModule module, ScriptModule::load(options->input));
      FX_RETURN_IF_ERROR(with_context(import_script(module, *options), options->input));
    } catch (
        const std::exception& e) {  // thrown by libtorch, if forward does not accept the inputs
      return absl::InvalidArgumentError(fmt::format("{}: {}", options->input, torch_message(e)));
    }
    return kDone;
  };
}

}  // namespace fx::tools
