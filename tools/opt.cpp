// fxcpp opt runs a pipeline of passes on a graph. fxcpp passes lists the passes.
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/status.h"
#include "fx/passes/decompose/decomposition_table.h"
#include "fx/passes/manager/pipeline.h"
#include "fx/tools/driver/opt_main.h"
#include "tools/command.h"
#include "tools/parts.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

constexpr size_t kLineWidth = 100;

std::string to_json(const PassTable& passes, const std::string& name) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Pass& pass : passes.passes()) {
    if (!name.empty() && pass.name != name) continue;
    nlohmann::ordered_json options = nlohmann::ordered_json::array();
    for (const PassOption& option : pass.options) {
      options.push_back({{"name", option.name},
                         {"default", option_text(option.default_value)},
                         {"about", option.description}});
    }
    rows.push_back({{"name", pass.name},
                    {"about", pass.description},
                    {"options", std::move(options)},
                    {"values", pass_values_name(pass.values)},
                    {"idempotent", pass.idempotent},
                    {"may_change_sharing", pass.may_change_sharing},
                    {"origin", pass.origin.empty() ? "fxcpp" : pass.origin}});
  }
  return rows.dump(1) + "\n";
}

/// Returns the operators that decompose supports: first operators that are decomposed by default,
/// then operators that must be requested.
std::string describe_decompositions() {
  std::string text;
  for (const auto& [set, about] :
       {std::pair(DecompositionSet::kCore,
                  "core: operators outside core ATen; decomposed by default"),
        std::pair(DecompositionSet::kByName, "more: decomposed if they are named, or with set=all"),
        std::pair(DecompositionSet::kComposite, "composite: decomposed with set=composite")}) {
    std::vector<std::string_view> names;
    const DecompositionTable& table = set == DecompositionSet::kComposite
                                          ? DecompositionTable::composite()
                                          : DecompositionTable::standard();
    for (const Decomposition& entry : table.entries()) {
      if (entry.set != set) continue;
      const std::string_view op = entry.op;
      names.push_back(op.ends_with(".default") ? op.substr(0, op.size() - 8) : op);
    }
    std::sort(names.begin(), names.end());
    text += about;
    size_t column = kLineWidth;
    for (const std::string_view name : names) {
      const bool fits = column + 1 + name.size() <= kLineWidth;
      text += fits ? " " : "\n    ";
      column = (fits ? column + 1 : 4) + name.size();
      text += name;
    }
    text += '\n';
  }
  return text;
}

}  // namespace

Run add_opt(CLI::App& app) {
  return add_opt_options(
      app, command_extensions(),
      [](const Graph& graph, const Module& root) -> absl::StatusOr<std::vector<Tensor>> {
        const absl::StatusOr<const TorchPart*> torch = torch_part();
        if (!torch.ok()) return absl::UnavailableError(torch.status().message());
        return (*torch)->evaluate_constants(graph, root);
      });
}

Run add_passes(CLI::App& app) {
  struct OptFlags {
    std::string name;
    bool json = false;
    bool decompositions = false;
  };
  auto options = std::make_shared<OptFlags>();
  app.add_option("NAME", options->name, "a pass; default: all");
  app.add_flag("--json", options->json,
               "[{name, about, options: [{name, default, about}], values, idempotent, "
               "may_change_sharing, origin}]");
  app.add_flag("--decompositions", options->decompositions,
               "list the operators that `decompose` supports instead of the passes");
  return [options]() -> absl::StatusOr<int> {
    if (options->decompositions) {
      FX_RETURN_IF_ERROR(write_file("-", describe_decompositions()));
      return kDone;
    }
    const Extensions& extensions = command_extensions();
    const PassTable& passes = extensions.passes();
    if (!options->name.empty() && passes.find(options->name) == nullptr) {
      std::vector<std::string_view> names;
      for (const Pass& pass : passes.passes()) names.push_back(pass.name);
      return absl::NotFoundError(
          fmt::format("unknown pass \"{}\"{}; `fxcpp passes` lists all passes", options->name,
                      did_you_mean(options->name, names)));
    }
    FX_RETURN_IF_ERROR(write_file("-", options->json ? to_json(passes, options->name)
                                                     : describe_passes(passes, options->name)));
    if (!options->json && options->name.empty())
      FX_RETURN_IF_ERROR(write_file("-", extensions.describe_others()));
    return kDone;
  };
}

}  // namespace fx::tools
