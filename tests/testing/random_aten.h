// Random programs that run: calls of operators on tensors of known types, in the forms that passes
// handle (repeated and unused calls, x + 0, clone and other copies, views and writes through them,
// out= and list operators, constants, results that share memory, Python's spellings). A seed gives
// the same program on every machine.
//
// random_graph.h makes everything that a Graph can contain; its calls do not match their operators.
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx::testing {

struct RandomAtenOptions {
  size_t calls = 30;
  bool writes = true;   ///< operators that write to tensors
  bool random = true;   ///< operators that draw random numbers
  bool python = false;  ///< torch.add, operator.add, methods, instead of some operators
};

struct RandomAten {
  std::unique_ptr<Graph> graph;
  /// The tensors of its get_attr nodes.
  std::vector<std::pair<std::string, Tensor>> constants;
};

/// A graph with three inputs of float64 and one of int64, which returns a tuple of tensors.
RandomAten random_aten(Context& context, uint64_t seed, const RandomAtenOptions& options = {});

}  // namespace fx::testing
