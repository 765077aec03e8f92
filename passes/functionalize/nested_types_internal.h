// Types of calls to nested graphs while functionalize changes the types of values.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_map.h"

#include <vector>

namespace fx::functional {

/// Records, for each call that runs nested graphs, the types of its operands and of the graphs'
/// results. A rewritten value may have a different offset in its storage, which the types of the
/// nested graphs' inputs must reflect.
class NestedTypes {
 public:
  /// Records the types of the calls in `graph` and in its nested graphs.
  explicit NestedTypes(Graph& graph);
  /// Infers the types of the calls whose recorded types differ, of the graphs that they run, and of
  /// their users.
  void update();

 private:
  static std::vector<Type> types_of(const Node& call);

  Graph& graph_;
  absl::flat_hash_map<const Node*, std::vector<Type>> recorded_;
};

}  // namespace fx::functional
