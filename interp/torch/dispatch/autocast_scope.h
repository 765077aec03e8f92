// torch.autocast around a scope of C++.
#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <optional>

namespace fx {

/// While it lives, this thread's autocast of a device is as torch.autocast(device, dtype, enabled,
/// cache) sets it; what is nullopt stays as it was (torch/amp/autocast_mode.py).
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
