// Implements the command line of programs that capture models of the zoo or of a user.
#include "fx/tools/driver/torch/capture_main.h"

#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/tools/driver/command_line.h"
#include "fx/tools/driver/torch/capture_command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx {
namespace {

struct Options {
  CaptureRequest request;
  std::string model;
  std::vector<std::string> settings;
  bool list = false, json = false;
};

/// Parses words such as "width=32" as names and values.
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
  FX_ASSIGN_OR_RETURN(const ModelInstance model, build_fake_model(context, entry));
  nlohmann::ordered_json row{{"name", entry.name}, {"about", entry.description}};
  row["inputs"] = nlohmann::ordered_json::array();
  for (const at::Tensor& input : model.inputs) {
    row["inputs"].push_back(to_string(type_of(context.types(), input)));
  }
  row["settings"] = nlohmann::ordered_json::array();
  for (const ModelSetting& setting : entry.settings) {
    row["settings"].push_back(
        {{"name", setting.name}, {"default", setting.value}, {"about", setting.description}});
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
    text += fmt::format("{}: {}\n  inputs: {}\n", entry.name, entry.description, inputs);
    for (const ModelSetting& setting : entry.settings) {
      text += fmt::format("  --set {:20} {}\n", fmt::format("{}={}", setting.name, setting.value),
                          setting.description);
    }
    rows.push_back(row);
  }
  return write_file(options.request.output, options.json ? rows.dump(1) + "\n" : text);
}

// ---- capture

absl::Status capture_one(Options& options, const ModelEntry& entry) {
  Context context;
  CaptureRequest& request = options.request;
  FX_RETURN_IF_ERROR(check_graph_extension(request.output));
  FX_ASSIGN_OR_RETURN(const auto settings, parse_settings(options.settings));
  FX_ASSIGN_OR_RETURN(ModelInstance model, [&] {
    const Step step("build the model");
    return request.execution == Execution::kFake ? build_fake_model(context, entry, settings)
                                                 : build_model(entry, settings, request.seed);
  }());
  FX_RETURN_IF_ERROR(replace_inputs(context, request, model));
  // The inputs of the loss are the inputs of the forward pass, followed by the targets.
  const size_t count =
      request.joint || !request.step.empty() ? model.inputs.size() : model.num_forward_inputs;
  std::vector<std::string> names;
  for (size_t i = 0; i < count; ++i) names.push_back(fmt::format("input_{}", i + 1));
  FX_RETURN_IF_ERROR(read_dynamic_sizes(request, names));
  return capture_to_file(context, model, request);
}

}  // namespace

std::function<absl::StatusOr<int>()> add_capture_options(CLI::App& app,
                                                         absl::Span<const ModelEntry> models) {
  auto options = std::make_shared<Options>();
  CLI::Option* model = app.add_option("MODEL", options->model, "the model; --list lists them");
  CLI::Option* list = app.add_flag("--list", options->list, "list the models with their settings");
  app.add_flag("--json", options->json, "the list as JSON")->needs(list);
  add_request_options(app, options->request);
  app.add_option("--set", options->settings, "NAME=NUMBER: a setting of the model");
  model->excludes(list);
  return [options, models]() -> absl::StatusOr<int> {
    if (options->list) {
      FX_RETURN_IF_ERROR(list_models(*options, models));
      return 0;
    }
    if (options->model.empty() && models.size() == 1) options->model = models[0].name;
    if (options->model.empty()) {
      return usage_error("the model is missing; --list lists the models");
    }
    FX_ASSIGN_OR_RETURN(const ModelEntry* entry, find_model(models, options->model));
    options->request.name = options->model;
    try {
      FX_RETURN_IF_ERROR(capture_one(*options, *entry));
    } catch (const std::exception& e) {  // thrown by libtorch, usually because it is out of memory
      return absl::InternalError(fmt::format("{}: {}", options->model, torch_message(e)));
    }
    return 0;
  };
}

int capture_main(int argc, char** argv, const std::vector<ModelEntry>& models) {
  const char* program = argc > 0 ? argv[0] : "capture";
  CLI::App app{"Captures C++ libtorch models as fxcpp graphs."};
  const auto run = add_capture_options(app, models);
  bool time = false;
  app.add_flag("--time", time, "print the time and memory of each step on standard error");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, program);
  }
  StepReport report;
  const absl::StatusOr<int> status = run();
  if (time) fmt::print(stderr, "{}", report.str());
  if (status.ok()) return *status;
  fmt::print(stderr, "{}: {}\n", program, std::string(status.status().message()));
  return exit_status(status.status());
}

}  // namespace fx
