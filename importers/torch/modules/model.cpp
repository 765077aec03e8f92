// Resolves the settings of models, and builds models with them.
#include "fx/importers/torch/modules/model.h"

#include "fx/importers/torch/capture/fake_tensor.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/status.h"

#include <ATen/Context.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

namespace fx {
namespace {

template <class Settings>
auto find(Settings& settings, std::string_view name) {
  return std::find_if(settings.begin(), settings.end(),
                      [&](const ModelSetting& s) { return s.name == name; });
}

std::string known_settings(const ModelEntry& entry) {
  if (entry.settings.empty()) return "none";
  std::string text;
  for (const ModelSetting& s : entry.settings) {
    text += fmt::format("{}{} (default {})", text.empty() ? "" : ", ", s.name, s.value);
  }
  return text;
}

absl::StatusOr<ModelSettings> resolve(const ModelEntry& entry, SettingValues values) {
  ModelSettings settings(entry.settings);
  for (const auto& [name, value] : values) {
    const auto setting = find(entry.settings, name);
    if (setting == entry.settings.end()) {
      return absl::InvalidArgumentError(fmt::format("{} has no setting \"{}\"; its settings are {}",
                                                    entry.name, name, known_settings(entry)));
    }
    if (value < setting->minimum) {
      return absl::InvalidArgumentError(
          fmt::format("{}: setting \"{}\" must be at least {}, not {}", entry.name, name,
                      setting->minimum, value));
    }
    settings.set(name, value);
  }
  return settings;
}

}  // namespace

bool ModelSettings::set(std::string_view name, int64_t value) {
  const auto found = find(settings_, name);
  if (found == settings_.end()) return false;
  found->value = value;
  return true;
}

int64_t ModelSettings::operator[](std::string_view name) const {
  const auto found = find(settings_, name);
  FX_CHECK(found != settings_.end(), name);
  return found->value;
}

absl::StatusOr<ModelInstance> build_model(const ModelEntry& entry, SettingValues settings,
                                          uint64_t seed) {
  FX_ASSIGN_OR_RETURN(const ModelSettings values, resolve(entry, settings));
  try {
    at::manual_seed(seed);
    return entry.build(values);
  } catch (const std::exception& e) {
    return absl::InvalidArgumentError(
        fmt::format("{} cannot be built with these settings: {}", entry.name, torch_message(e)));
  }
}

absl::StatusOr<ModelInstance> build_fake_model(Context& context, const ModelEntry& entry,
                                               SettingValues settings) {
  FX_ASSIGN_OR_RETURN(const FakeTensorScope scope, FakeTensorScope::create(context));
  return build_model(entry, settings);
}

absl::StatusOr<const ModelEntry*> find_model(absl::Span<const ModelEntry> entries,
                                             std::string_view name) {
  std::vector<std::string_view> names;
  for (const ModelEntry& entry : entries) {
    if (entry.name == name) return &entry;
    names.push_back(entry.name);
  }
  return absl::NotFoundError(fmt::format("unknown model \"{}\"{}; the models are {}", name,
                                         did_you_mean(name, names), fmt::join(names, ", ")));
}

}  // namespace fx
