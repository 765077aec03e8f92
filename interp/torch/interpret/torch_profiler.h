// Measures the time and memory of a graph that runs in libtorch.
#pragma once

#include "fx/interp/profile.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"

#include <cstdint>

namespace fx {

/// See interp/profile.h. The bytes of a node are those of its value's storages, except for storages
/// of its operands.
class TorchProfiler : public Profiled<TorchInterpreter> {
 public:
  using Profiled::Profiled;

 protected:
  int64_t bytes_of(const Node& node, const c10::IValue& value) const override;
};

}  // namespace fx
