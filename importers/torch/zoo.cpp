// importers/torch/zoo.cpp - the list of models and what is common to building them. The models are
// in zoo_<family>.cpp.
#include "fx/importers/torch/zoo.h"

#include "fx/importers/torch/zoo_internal.h"
#include "fx/interp/torch/dispatcher.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>

namespace fx {
namespace {

struct Row {
  ZooEntry entry;
  ZooModel (*build)(const zoo::Settings& settings, uint64_t seed);
};

const std::vector<Row>& rows() {
  static const auto* const table = new std::vector<Row>{
      {{"mlp",
        "two hidden layers, ReLU and GELU, cross-entropy",
        {{"batch", 8, "rows of the input"},
         {"features", 16, "columns of the input"},
         {"hidden", 32, "width of both hidden layers"},
         {"classes", 4, "results per row"}}},
       zoo::build_mlp},
      {{"resnet18",
        "ResNet-18: convolutions, batch norms, in-place ReLU and addition, cross-entropy",
        {{"batch", 2, "images"},
         {"size", 64, "height and width of an image"},
         {"width", 64, "channels of the first stage"},
         {"classes", 10, "results per image"}}},
       zoo::build_resnet18},
  };
  return *table;
}

std::string known_settings(const ZooEntry& entry) {
  std::string text;
  for (const ZooSetting& s : entry.settings) {
    text += fmt::format("{}{} (default {})", text.empty() ? "" : ", ", s.name, s.value);
  }
  return text;
}

absl::StatusOr<zoo::Settings> resolve(const ZooEntry& entry, ZooValues values) {
  zoo::Settings settings(entry.settings);
  for (const auto& [name, value] : values) {
    if (!settings.set(name, value)) {
      return absl::InvalidArgumentError(fmt::format("{} has no setting \"{}\"; it has {}",
                                                    entry.name, name, known_settings(entry)));
    }
    if (value < 1) {
      return absl::InvalidArgumentError(
          fmt::format("{}: setting \"{}\" must be at least 1, not {}", entry.name, name, value));
    }
  }
  return settings;
}

}  // namespace

namespace zoo {

Settings::Settings(const std::vector<ZooSetting>& defaults) : values_(defaults) {}

bool Settings::set(std::string_view name, int64_t value) {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const ZooSetting& s) { return s.name == name; });
  if (found == values_.end()) return false;
  found->value = value;
  return true;
}

int64_t Settings::operator[](std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const ZooSetting& s) { return s.name == name; });
  FX_CHECK(found != values_.end(), name);
  return found->value;
}

}  // namespace zoo

absl::Span<const ZooEntry> zoo_models() {
  static const auto* const entries = [] {
    auto* list = new std::vector<ZooEntry>;
    for (const Row& row : rows()) list->push_back(row.entry);
    return list;
  }();
  return *entries;
}

absl::StatusOr<ZooModel> make_zoo_model(std::string_view name, ZooValues settings, uint64_t seed) {
  std::string known;
  for (const Row& row : rows()) {
    if (row.entry.name != name) {
      known += fmt::format("{}{}", known.empty() ? "" : ", ", row.entry.name);
      continue;
    }
    FX_ASSIGN_OR_RETURN(const zoo::Settings values, resolve(row.entry, settings));
    try {
      return row.build(values, seed);
    } catch (const std::exception& e) {
      return absl::InvalidArgumentError(
          fmt::format("{} cannot be built with these settings: {}", name, torch_message(e)));
    }
  }
  return absl::NotFoundError(fmt::format("no zoo model \"{}\"; there are {}", name, known));
}

}  // namespace fx
