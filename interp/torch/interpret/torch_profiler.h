// interp/torch/interpret/torch_profiler.h - time and memory of a graph that runs through libtorch.
#pragma once

#include "fx/interp/profile.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"

#include <cstdint>

namespace fx {

/// See interp/profile.h. Bytes are those of the storages that a node's value holds and its operands
/// do not.
class TorchProfiler : public Profiled<TorchInterpreter> {
 public:
  using Profiled::Profiled;

 protected:
  int64_t bytes_of(const Node& node, const c10::IValue& value) const override;
};

}  // namespace fx
