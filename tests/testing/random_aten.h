// Random programs that run: calls of operators on tensors of known types, in the forms that passes
// handle (repeated and unused calls, x + 0, clone and other copies, views and writes through them,
// out= and list operators, constants, results that share memory, Python's spellings). A seed
// determines the same program on every machine.
//
// With `accepts`, which runs each call, the programs also have inputs of every dtype, writes
// through masks and indices, and numbers of every kind (random_aten_wide.cpp).
//
// random_graph.h creates everything that a Graph can contain; its calls do not match their
// operators.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/tensor.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx::testing {

struct RandomAten {
  std::unique_ptr<Graph> graph;
  /// The tensors of its get_attr nodes.
  std::vector<std::pair<std::string, Tensor>> constants;
};

struct RandomAtenOptions {
  size_t calls = 30;
  bool writes = true;   ///< operators that write to tensors
  bool random = true;   ///< operators that draw random numbers
  bool python = false;  ///< torch.add, operator.add, methods, instead of some operators
  /// Called after the inputs and constants exist; may change the types of the inputs.
  std::function<void(const RandomAten&)> begin = {};
  /// Returns whether a call runs; a call that does not run is removed. If empty, a list of kernels
  /// decides, and all values are float64 or int64.
  std::function<bool(Node&)> accepts = {};
};

/// Returns a graph with three inputs of float64 and one of int64 (with `accepts`: of any dtype),
/// which returns a tuple of tensors.
RandomAten random_aten(Context& context, uint64_t seed, const RandomAtenOptions& options = {});

}  // namespace fx::testing
