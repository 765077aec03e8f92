// importers/torch/zoo_internal.h - the builders behind the list of zoo.h, one per model.
#pragma once

#include "fx/importers/torch/zoo.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fx::zoo {

/// The settings of one model: defaults, some of them replaced.
class Settings {
 public:
  explicit Settings(const std::vector<ZooSetting>& defaults);

  /// False when the model has no such setting.
  bool set(std::string_view name, int64_t value);
  /// The setting must exist; checked.
  int64_t operator[](std::string_view name) const;

 private:
  std::vector<ZooSetting> values_;
};

ZooModel build_mlp(const Settings& settings, uint64_t seed);
ZooModel build_resnet18(const Settings& settings, uint64_t seed);

}  // namespace fx::zoo
