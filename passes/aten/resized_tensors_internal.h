// Tensors whose sizes or strides calls change in place.
#pragma once

#include "fx/ir/graph/node.h"

#include "absl/container/flat_hash_map.h"

#include <cstddef>
#include <vector>

namespace fx::aten {

/// Follows the tensors that calls write to, through the nodes whose value is the same tensor.
class ResizedTensors {
 public:
  /// Must be called for each call in program order. If `call` changes the sizes or strides of a
  /// tensor in place (`t_`), later nodes use the result of the call, which is the same tensor with
  /// the new type. Returns true if the graph changed.
  bool replace_uses_after(Node& call);

 private:
  absl::flat_hash_map<Node*, size_t> objects_;  // tensors that calls write to: index into names_
  std::vector<std::vector<Node*>> names_;       // nodes whose value is the same tensor
};

}  // namespace fx::aten
