#include "fx/interp/torch/dispatch/autocast_scope.h"

#include <ATen/autocast_mode.h>

namespace fx {

namespace autocast = at::autocast;

AutocastScope::AutocastScope(c10::DeviceType device, std::optional<c10::ScalarType> dtype,
                             bool enabled, std::optional<bool> cache)
    : device_(device),
      dtype_(autocast::get_autocast_dtype(device)),
      enabled_(autocast::is_autocast_enabled(device)),
      cache_(autocast::is_autocast_cache_enabled()) {
  autocast::set_autocast_enabled(device, enabled);
  if (dtype) autocast::set_autocast_dtype(device, *dtype);
  if (cache) autocast::set_autocast_cache_enabled(*cache);
  autocast::increment_nesting();
}

AutocastScope::~AutocastScope() {
  if (autocast::decrement_nesting() == 0) autocast::clear_cache();
  autocast::set_autocast_cache_enabled(cache_);
  autocast::set_autocast_dtype(device_, dtype_);
  autocast::set_autocast_enabled(device_, enabled_);
}

}  // namespace fx
