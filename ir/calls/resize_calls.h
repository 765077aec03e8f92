// Calls that resize images.
#pragma once

#include "fx/ir/symbolic/dim.h"

#include <optional>

namespace fx {

/// Returns the scale that libtorch's CPU kernels use if a dimension keeps its size (1) or doubles
/// it (2); nullopt for other sizes. The kernels of upsample_nearest2d and of the gradients of
/// upsample_nearest1d, 2d and 3d use it in place of the scale that a call passes.
inline std::optional<double> fixed_nearest_scale(const Dim& from, const Dim& to) {
  if (same_value(from, to)) return 1;
  if (same_value(Dim(2) * from, to)) return 2;
  return std::nullopt;
}

}  // namespace fx
