// importers/torch/zoo_internal.h - the builders behind the list of zoo.h, one per model.
#pragma once

#include "fx/importers/torch/model.h"

namespace fx::zoo {

ModelInstance build_mlp(const ModelSettings& settings);
ModelInstance build_resnet18(const ModelSettings& settings);

}  // namespace fx::zoo
