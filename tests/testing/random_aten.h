// Random programs that run: calls to operators on tensors of known types, in the forms that passes
// handle (repeated and unused calls, x + 0, clone and other copies, views and writes through them,
// out= and list operators, constants, results that share memory, Python's forms). The same seed
// returns the same program on every machine.
//
// With `accepts`, which runs each call, the programs also have inputs of all dtypes, writes through
// masks and indices, numbers of all kinds (random_aten_wide.cpp), and calls that expose rare
// defects (random_aten_rare.cpp).
//
// random_graph.h creates everything that a Graph can contain, but its calls do not match the
// schemas of operators.
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
  /// The tensors of its get_attr nodes by name.
  std::vector<std::pair<std::string, Tensor>> constants;
};

struct RandomAtenOptions {
  size_t calls = 30;
  bool writes = true;   ///< operators that write to tensors
  bool random = true;   ///< operators that draw random numbers
  bool python = false;  ///< torch.add, operator.add, methods, instead of some operators
  /// Called after the inputs and constants are created. It may change the types of the inputs.
  std::function<void(const RandomAten&)> begin = {};
  /// Returns whether a call runs. Calls that do not run are removed. If empty, a list of kernels
  /// determines this, and all values are float64 or int64.
  std::function<bool(Node&)> accepts = {};
};

/// Returns a graph that returns a tuple of tensors. It has three float64 inputs and one int64 input
/// (with `accepts`, the three may have any dtype).
RandomAten random_aten(Context& context, uint64_t seed, const RandomAtenOptions& options = {});

}  // namespace fx::testing
