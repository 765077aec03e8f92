// C++ torch::nn models with their losses, for `fxcpp capture`, the demo, tests and benchmarks. The
// models are plain libtorch code, in zoo_<family>.cpp.
#pragma once

#include "fx/importers/torch/modules/model.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <string_view>

namespace fx {

/// The models, in the order in which they are listed.
absl::Span<const ModelEntry> zoo_models();

/// build_model of the entry with this name.
absl::StatusOr<ModelInstance> make_zoo_model(std::string_view name, SettingValues settings = {},
                                             uint64_t seed = 0);

}  // namespace fx
