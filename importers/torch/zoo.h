// importers/torch/zoo.h - real C++ torch::nn models with their losses, for `fxcpp capture`, the
// demo, tests and benchmarks. The models themselves are plain libtorch code; this header hides it,
// so that includers compile quickly.
#pragma once

#include "fx/importers/torch/capture.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// A model that can be run: its state, example inputs (the last one is the target of the loss), and
/// the program that computes the loss from them.
struct ZooModel {
  ModuleState state;
  std::vector<at::Tensor> inputs;
  Program loss;
};

/// One numeric setting of a zoo model.
struct ZooSetting {
  std::string_view name;
  int64_t value;
  std::string_view about;
};

using ZooValues = absl::Span<const std::pair<std::string_view, int64_t>>;

struct ZooEntry {
  std::string_view name;
  std::string_view about;
  std::vector<ZooSetting> settings;  ///< with their default values
};

/// The models, in the order in which they are listed.
absl::Span<const ZooEntry> zoo_models();

/// Builds a model in training mode, with parameters and inputs drawn from `seed`. NotFound for an
/// unknown name, InvalidArgument for an unknown setting or one that the model cannot be built with.
absl::StatusOr<ZooModel> make_zoo_model(std::string_view name, ZooValues settings = {},
                                        uint64_t seed = 0);

}  // namespace fx
