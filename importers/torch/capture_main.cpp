// importers/torch/capture_main.cpp - the command line around capture, capture_joint, capture_step.
#include "fx/importers/torch/capture_main.h"

#include "fx/importers/torch/eager.h"
#include "fx/importers/torch/step.h"
#include "fx/importers/torch/untouched.h"
#include "fx/interp/torch/convert.h"
#include "fx/interp/torch/dispatcher.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "fx/passes/functionalize.h"

#include <ATen/Context.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx {
namespace {

struct Options {
  std::string model, output, hook = "auto", mode = "real", step;
  std::vector<std::string> settings;
  uint64_t seed = 0;
  bool joint = false, functionalize = false, list = false, json = false;
};

/// "width=32" words as names and values.
absl::StatusOr<std::vector<std::pair<std::string_view, int64_t>>> parse_settings(
    const std::vector<std::string>& words) {
  std::vector<std::pair<std::string_view, int64_t>> settings;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const char* end = word.data() + word.size();
    int64_t value = 0;
    if (equals == std::string::npos ||
        std::from_chars(word.data() + equals + 1, end, value).ptr != end || word.back() == '=') {
      return absl::InvalidArgumentError(
          fmt::format("--set {}: expected NAME=NUMBER, as in --set batch=4", word));
    }
    settings.emplace_back(std::string_view(word).substr(0, equals), value);
  }
  return settings;
}

// ---- --list

absl::StatusOr<nlohmann::ordered_json> describe(const ModelEntry& entry) {
  Context context;
  FX_ASSIGN_OR_RETURN(const ModelInstance model, build_untouched_model(context, entry));
  nlohmann::ordered_json row{{"name", entry.name}, {"about", entry.about}};
  row["inputs"] = nlohmann::ordered_json::array();
  for (const at::Tensor& input : model.inputs) {
    row["inputs"].push_back(to_string(type_of(context.types(), input)));
  }
  row["settings"] = nlohmann::ordered_json::array();
  for (const ModelSetting& setting : entry.settings) {
    row["settings"].push_back(
        {{"name", setting.name}, {"default", setting.value}, {"about", setting.about}});
  }
  return row;
}

absl::Status list_models(const Options& options, absl::Span<const ModelEntry> models) {
  auto rows = nlohmann::ordered_json::array();
  std::string text;
  for (const ModelEntry& entry : models) {
    FX_ASSIGN_OR_RETURN(const nlohmann::ordered_json row, describe(entry));
    std::string inputs;
    for (const auto& type : row["inputs"]) {
      inputs += fmt::format("{}{}", inputs.empty() ? "" : ", ", type.get<std::string>());
    }
    text += fmt::format("{}: {}\n  inputs: {}\n", entry.name, entry.about, inputs);
    for (const ModelSetting& setting : entry.settings) {
      text += fmt::format("  --set {:20} {}\n", fmt::format("{}={}", setting.name, setting.value),
                          setting.about);
    }
    rows.push_back(row);
  }
  return write_file(options.output, options.json ? rows.dump(1) + "\n" : text);
}

// ---- capture

/// A capture and what a replay of it starts from and should give.
struct Captured {
  CapturedGraph graph;
  GraphData data;
};

class CaptureCommand {
 public:
  CaptureCommand(const Options& options, Context& context) : options_(options), context_(context) {}

  absl::StatusOr<Captured> run(const ModelEntry& entry);

 private:
  bool untouched() const { return options_.mode == "untouched"; }
  HookKind hook() const {
    return options_.hook == "fake"   ? HookKind::kFake
           : options_.hook == "mode" ? HookKind::kMode
                                     : HookKind::kAuto;
  }
  Execution execution() const { return untouched() ? Execution::kUntouched : Execution::kReal; }
  absl::StatusOr<ModelInstance> build(const ModelEntry& entry);
  absl::StatusOr<CapturedGraph> capture_model(const ModelInstance& model);
  absl::StatusOr<Captured> capture_training(const ModelInstance& model);

  const Options& options_;
  Context& context_;
};

absl::StatusOr<ModelInstance> CaptureCommand::build(const ModelEntry& entry) {
  FX_ASSIGN_OR_RETURN(const auto settings, parse_settings(options_.settings));
  if (untouched()) return build_untouched_model(context_, entry, settings);
  return build_model(entry, settings, options_.seed);
}

absl::StatusOr<CapturedGraph> CaptureCommand::capture_model(const ModelInstance& model) {
  const CaptureOptions options{.hook = hook(), .execution = execution()};
  if (options_.joint)
    return capture_joint(context_, model.state, model.inputs, model.loss, options);
  return capture(context_, model.state, model.forward_inputs(), model.forward, options);
}

/// Values of a graph's inputs as they are now, copied.
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

absl::StatusOr<Captured> CaptureCommand::run(const ModelEntry& entry) {
  FX_ASSIGN_OR_RETURN(const ModelInstance model, build(entry));
  if (!options_.step.empty()) return capture_training(model);
  if (untouched()) {
    FX_ASSIGN_OR_RETURN(CapturedGraph graph, capture_model(model));
    return Captured{std::move(graph), {}};
  }
  const TensorSnapshot start(model.state, model.inputs);
  at::manual_seed(options_.seed);
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
      make_optimizer(options_.step, model.state);
  const Program step = make_step(optimizer, model.loss);
  const StepOptions options{.hook = hook(), .execution = execution()};
  // The first step makes the optimizer's state.
  FX_RETURN_IF_ERROR(run_step(context_, step, model.inputs, options));
  ModuleState state = model.state;
  state.optimizer = optimizer_state(*optimizer, model.state);
  std::optional<TensorSnapshot> start;
  if (!untouched()) start.emplace(state, model.inputs);
  at::manual_seed(options_.seed);
  FX_ASSIGN_OR_RETURN(CapturedGraph graph,
                      capture_step(context_, state, model.inputs, step, options));
  Captured captured{std::move(graph), {}};
  if (!start) return captured;
  start->restore();
  captured.data = data_of(captured.graph);
  for (const CapturedOutput& output : captured.graph.outputs) {
    const bool kept = output.kind == OutputKind::kResult;  // a later run wrote to the others
    captured.data.outputs.push_back(kept ? output.tensor.detach().clone() : at::Tensor());
  }
  return captured;
}

absl::Status capture_one(const Options& options, const ModelEntry& entry) {
  Context context;
  FX_ASSIGN_OR_RETURN(const Captured captured, CaptureCommand(options, context).run(entry));
  Graph& graph = *captured.graph.graph;
  if (options.functionalize) FX_RETURN_IF_ERROR(functionalize(graph));
  set_graph_name(graph, options.model);
  FX_RETURN_IF_ERROR(write_file(options.output, print(graph, {.version_line = true})));
  if (options.output.empty() || options.output == "-" || options.mode != "real") {
    return absl::OkStatus();
  }
  return save_graph_data(graph, captured.data, data_path(options.output));
}

}  // namespace

std::function<absl::StatusOr<int>()> add_capture_options(CLI::App& app,
                                                         absl::Span<const ModelEntry> models) {
  auto options = std::make_shared<Options>();
  CLI::Option* model = app.add_option("MODEL", options->model, "which model; --list names them");
  CLI::Option* list = app.add_flag("--list", options->list, "list the models with their settings");
  app.add_flag("--json", options->json, "the list as JSON")->needs(list);
  CLI::Option* joint =
      app.add_flag("--joint", options->joint, "forward, loss and backward as one graph");
  app.add_option("--step", options->step, "a whole training step with this optimizer")
      ->check(CLI::IsMember({"sgd", "adam", "adamw"}))
      ->excludes(joint);
  app.add_flag("--functionalize", options->functionalize,
               "a graph that writes to no tensor: changed buffers and parameters are results only");
  app.add_option("--mode", options->mode,
                 "real: kernels run; untouched: only types are computed, no memory is used")
      ->check(CLI::IsMember({"real", "untouched"}))
      ->capture_default_str();
  app.add_option("--hook", options->hook, "how libtorch is observed")
      ->check(CLI::IsMember({"auto", "fake", "mode"}))
      ->capture_default_str();
  app.add_option("--set", options->settings, "NAME=NUMBER: a setting of the model");
  app.add_option("--seed", options->seed, "of parameters, inputs and random operators")
      ->capture_default_str();
  app.add_option("-o", options->output,
                 "write to this file; with --mode real, g.safetensors beside g.fx has the tensors");
  model->excludes(list);
  return [options, models]() -> absl::StatusOr<int> {
    if (options->list) {
      FX_RETURN_IF_ERROR(list_models(*options, models));
      return 0;
    }
    if (options->model.empty()) {
      return absl::InvalidArgumentError("say which model; --list names them");
    }
    FX_ASSIGN_OR_RETURN(const ModelEntry* entry, find_model(models, options->model));
    try {
      FX_RETURN_IF_ERROR(capture_one(*options, *entry));
    } catch (const std::exception& e) {  // libtorch, out of memory above all
      return absl::InternalError(fmt::format("{}: {}", options->model, torch_message(e)));
    }
    return 0;
  };
}

int capture_main(int argc, char** argv, const std::vector<ModelEntry>& models) {
  CLI::App app{"Captures C++ libtorch models as graphs of fxcpp."};
  const auto run = add_capture_options(app, models);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  const absl::StatusOr<int> status = run();
  if (status.ok()) return *status;
  fmt::print(stderr, "{}: {}\n", argc > 0 ? argv[0] : "capture",
             std::string(status.status().message()));
  return 1;
}

}  // namespace fx
