// AutocastScope: torch.autocast for a scope of C++ code.
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <optional>

namespace fx {

/// During its lifetime, sets the autocast state of this thread for a device, as
/// torch.autocast(device, dtype, enabled, cache) does (torch/amp/autocast_mode.py). Parameters that
/// are nullopt do not change the state.
class AutocastScope {
 public:
  AutocastScope(c10::DeviceType device, std::optional<c10::ScalarType> dtype, bool enabled,
                std::optional<bool> cache);
  ~AutocastScope();
  AutocastScope(const AutocastScope&) = delete;
  AutocastScope& operator=(const AutocastScope&) = delete;

 private:
  const c10::DeviceType device_;
  const c10::ScalarType dtype_;
  const bool enabled_, cache_;
};

}  // namespace fx
