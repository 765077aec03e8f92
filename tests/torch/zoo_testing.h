// Models of the zoo that are small enough for tests.
#pragma once

#include "fx/tools/torch/zoo/zoo.h"
#include "tests/testing/status_matchers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::testing {

using Settings = std::vector<std::pair<std::string_view, int64_t>>;

/// Returns settings that make the larger models small; other models are small by default.
inline const Settings& test_settings(std::string_view model) {
  static const auto* const settings = new std::map<std::string_view, Settings>{
      {"resnet18", {{"size", 32}, {"width", 16}}},
      {"resnet50", {{"size", 32}, {"width", 8}}},
      {"mobilenet_v2", {{"size", 32}, {"width", 25}}},
      {"unet", {{"width", 4}}},
      {"vae", {{"hidden", 32}}},
  };
  static const auto* const none = new Settings;
  const auto found = settings->find(model);
  return found == settings->end() ? *none : found->second;
}

inline ModelInstance make(std::string_view name, const Settings& settings) {
  absl::StatusOr<ModelInstance> model = make_zoo_model(name, settings, /*seed=*/1);
  EXPECT_THAT(model, IsOk()) << name;
  return model.ok() ? *std::move(model) : ModelInstance();
}

inline ModelInstance make(std::string_view name) { return make(name, test_settings(name)); }

inline ModelInstance make_fake_model(Context& context, std::string_view name,
                                     const Settings& settings) {
  absl::StatusOr<const ModelEntry*> entry = find_model(zoo_models(), name);
  EXPECT_THAT(entry, IsOk());
  if (!entry.ok()) return {};
  absl::StatusOr<ModelInstance> model = build_fake_model(context, **entry, settings);
  EXPECT_THAT(model, IsOk()) << name;
  return model.ok() ? *std::move(model) : ModelInstance();
}

}  // namespace fx::testing
