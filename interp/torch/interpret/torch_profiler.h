// Measures time and memory of a graph that runs through libtorch.
#pragma once

#include "fx/interp/profile.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"

#include <cstdint>

namespace fx {

/// See interp/profile.h. The bytes of a node are the bytes of its value's storages, except for
/// storages that its operands also have.
class TorchProfiler : public Profiled<TorchInterpreter> {
 public:
  using Profiled::Profiled;

 protected:
  int64_t bytes_of(const Node& node, const c10::IValue& value) const override;
};

}  // namespace fx
