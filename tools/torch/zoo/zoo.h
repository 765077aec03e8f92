// C++ torch::nn models with losses, for `fxcpp capture`, the demo, tests and benchmarks. The models
// are ordinary libtorch code in zoo_<family>.cpp.
#pragma once

#include "fx/importers/torch/modules/model.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <string_view>

namespace fx {

/// Returns all models, in the order in which commands list them.
absl::Span<const ModelEntry> zoo_models();

/// Builds the model with this name; see build_model.
absl::StatusOr<ModelInstance> make_zoo_model(std::string_view name, SettingValues settings = {},
                                             uint64_t seed = 0);

}  // namespace fx
