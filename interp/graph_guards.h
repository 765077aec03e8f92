// The guards of a graph: the conditions that the inputs of a run, and numbers that it computes,
// must satisfy.
//
//   for (const GraphGuard& guard : graph_guards(graph)) std::puts(guard.text.c_str());
//
// Guards are ranges of and relations between symbolic sizes (docs/guards.md), constants in the types
// of inputs, numbers that were returned to a captured program, and inputs that share memory.
// SizeChecks (size_checks.h) checks sizes. InputChecks (torch/input_checks.h) checks sizes,
// constants and shared memory for libtorch's values. Numbers are checked while the graph runs.
#pragma once

#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

/// The metadata of a node whose result was returned to the captured program as a number (`item()`).
/// The value is the number that was returned during the capture. A run with a different value is an
/// error, since the program might have taken a different branch.
inline constexpr MetaKey<Argument> kGuard{"guard"};

struct GraphGuard {
  enum Kind : uint8_t {
    kRange,     ///< the range of a symbol: "2 <= seq <= 16"
    kSize,      ///< a relation between symbols: "Eq(m, n)"
    kConstant,  ///< an input whose type has one value: "%k = 3"
    kNumber,    ///< a result that was returned to the program: "%item = 2.0"
    kMemory,    ///< inputs in one storage: "%rows = %x + 8"
  };
  Kind kind;
  std::string text;
};

/// "range", "size", "constant", "number" or "memory".
std::string_view guard_kind_name(GraphGuard::Kind kind);

/// Returns the guards of a graph and its nested graphs: ranges, relations, constants, numbers and
/// memory, each in the order of the graph.
std::vector<GraphGuard> graph_guards(const Graph& graph);

}  // namespace fx
