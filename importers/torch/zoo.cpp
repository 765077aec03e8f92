// importers/torch/zoo.cpp - the list of models.
#include "fx/importers/torch/zoo.h"

#include "fx/importers/torch/zoo_internal.h"
#include "fx/ir/support/status.h"

#include <vector>

namespace fx {

absl::Span<const ModelEntry> zoo_models() {
  static const auto* const entries = new std::vector<ModelEntry>{
      {"mlp",
       "two hidden layers, ReLU and GELU, cross-entropy",
       {{"batch", 8, "rows of the input"},
        {"features", 16, "columns of the input"},
        {"hidden", 32, "width of both hidden layers"},
        {"classes", 4, "results per row"}},
       zoo::build_mlp},
      {"resnet18",
       "ResNet-18: convolutions, batch norms, in-place ReLU and addition, cross-entropy",
       {{"batch", 2, "images"},
        {"size", 64, "height and width of an image"},
        {"width", 64, "channels of the first stage"},
        {"classes", 10, "results per image"}},
       zoo::build_resnet18},
  };
  return *entries;
}

absl::StatusOr<ModelInstance> make_zoo_model(std::string_view name, SettingValues settings,
                                             uint64_t seed) {
  FX_ASSIGN_OR_RETURN(const ModelEntry* entry, find_model(zoo_models(), name));
  return build_model(*entry, settings, seed);
}

}  // namespace fx
