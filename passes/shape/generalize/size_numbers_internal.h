// Arguments of calls that are computed from sizes.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/passes/shape/generalize/size_fit_internal.h"

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"

#include <cstddef>
#include <vector>

namespace fx {

/// Collects the calls whose arguments depend on sizes, and creates the nodes that compute these
/// arguments.
class SizeNumbers {
 public:
  explicit SizeNumbers(Graph& graph) : graph_(graph) {}

  /// Records a call whose arguments contain symbolic numbers (ArgumentKind::kSymbolic).
  void add(Node& call) { calls_.push_back(&call); }
  /// Records that the argument of `call` at `position` is the float `value`.
  void add(Node& call, size_t position, const FloatOfSize& value) {
    floats_.push_back({&call, position, value});
  }

  /// Replaces the arguments with nodes, which are inserted after `last_input`. Returns the errors
  /// of materialize_symints.
  absl::Status create_nodes(Node& last_input);

 private:
  struct Float {
    Node* call;
    size_t position;
    FloatOfSize value;
  };

  absl::Status replace_leaves(absl::FunctionRef<Argument(const Argument&)> value_of);
  absl::Status set_float(const Float& number, const Argument& size);

  Graph& graph_;
  std::vector<Node*> calls_;
  std::vector<Float> floats_;
};

}  // namespace fx
