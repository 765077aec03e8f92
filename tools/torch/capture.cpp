// fxcpp capture: traces a C++ libtorch model of the built-in zoo, forward, loss and backward.
#include "fx/importers/torch/capture.h"

#include "fx/importers/torch/zoo.h"
#include "fx/interp/torch/convert.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "tools/command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct Options {
  std::string model, output, hook = "auto";
  std::vector<std::string> settings;
  uint64_t seed = 0;
  bool joint = false, list = false, json = false;
};

/// "width=32,size=64" words as names and values.
absl::StatusOr<std::vector<std::pair<std::string_view, int64_t>>> parse_settings(
    const std::vector<std::string>& words) {
  std::vector<std::pair<std::string_view, int64_t>> settings;
  for (const std::string& word : words) {
    const size_t equals = word.find('=');
    const char* end = word.data() + word.size();
    int64_t value = 0;
    if (equals == std::string::npos ||
        std::from_chars(word.data() + equals + 1, end, value).ptr != end) {
      return absl::InvalidArgumentError(
          fmt::format("--set {}: expected NAME=NUMBER, as in --set batch=4", word));
    }
    settings.emplace_back(std::string_view(word).substr(0, equals), value);
  }
  return settings;
}

absl::StatusOr<nlohmann::ordered_json> describe(const ModelEntry& entry) {
  Context context;
  FX_ASSIGN_OR_RETURN(const ModelInstance model, build_model(entry));
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

absl::StatusOr<int> list_models(const Options& options) {
  auto rows = nlohmann::ordered_json::array();
  std::string text;
  for (const ModelEntry& entry : zoo_models()) {
    FX_ASSIGN_OR_RETURN(const nlohmann::ordered_json row, describe(entry));
    std::string inputs;
    for (const auto& type : row["inputs"]) {
      inputs += fmt::format("{}{}", inputs.empty() ? "" : ", ", type.get<std::string>());
    }
    text += fmt::format("{}: {}\n  inputs: {}\n", entry.name, entry.about, inputs);
    for (const ModelSetting& setting : entry.settings) {
      text += fmt::format("  --set {}={:<6} {}\n", setting.name, setting.value, setting.about);
    }
    rows.push_back(row);
  }
  if (options.json) text = rows.dump(1) + "\n";
  FX_RETURN_IF_ERROR(write_output(options.output, text));
  return kDone;
}

absl::StatusOr<int> capture_model(const Options& options) {
  FX_ASSIGN_OR_RETURN(const auto settings, parse_settings(options.settings));
  FX_ASSIGN_OR_RETURN(const ModelInstance model, make_zoo_model(options.model, settings, options.seed));
  const HookKind hook = options.hook == "fake"   ? HookKind::kFake
                        : options.hook == "mode" ? HookKind::kMode
                                                 : HookKind::kAuto;
  Context context;
  FX_ASSIGN_OR_RETURN(
      const CapturedGraph captured,
      capture_joint(context, model.state, model.inputs, model.loss, {.hook = hook}));
  set_graph_name(*captured.graph, options.model);
  FX_RETURN_IF_ERROR(write_output(options.output, print(*captured.graph, {.version_line = true})));
  return kDone;
}

}  // namespace

Run add_capture(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::Option* model = app.add_option("MODEL", options->model, "a model of the zoo");
  CLI::Option* list = app.add_flag("--list", options->list, "list the models with their settings");
  app.add_flag("--json", options->json, "the list as JSON")->needs(list);
  CLI::Option* joint =
      app.add_flag("--joint", options->joint, "capture forward, loss and backward as one graph");
  app.add_option("--hook", options->hook, "how libtorch is observed")
      ->check(CLI::IsMember({"auto", "fake", "mode"}))
      ->capture_default_str();
  app.add_option("--set", options->settings, "NAME=NUMBER: a setting of the model");
  app.add_option("--seed", options->seed, "of parameters and inputs")->capture_default_str();
  app.add_option("-o", options->output, "write to this file instead of standard output");
  model->excludes(list);
  model->needs(joint);
  return [options, model]() -> absl::StatusOr<int> {
    if (options->list) return list_models(*options);
    if (model->count() == 0) {
      return absl::InvalidArgumentError(
          "say which model, as in fxcpp capture mlp --joint; --list names them");
    }
    return capture_model(*options);
  };
}

}  // namespace fx::tools
