// Which values of a graph are in one storage, for the parts that it is split into.
//
// A part that gets a tensor and a view of it, and writes to one of them, is not a graph of separate
// inputs: its placeholders are marked (meta::kSharedMemory), as capture marks those of whole graphs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>

namespace fx::internal {

/// Facts of a graph as it was when they were first needed, or when `read` was called.
class ValueStorages {
 public:
  explicit ValueStorages(const Graph& graph) : graph_(graph) {}

  /// Looks at the graph now: for users that change it before they call `mark`. Nothing is looked up in
  /// a graph without writes.
  void read();

  /// Marks the inputs of a part that are in one storage in every run, if the part writes to memory.
  /// `values` are those that the part reads; `input_of` returns the part's placeholder of a value, or
  /// null.
  void mark(absl::Span<const Node* const> values, const Graph& part,
            absl::FunctionRef<Node*(const Node&)> input_of);
  /// Records that `to` is the value that `from` was.
  void note_moved(const Node& from, const Node& to);

 private:
  const Graph& graph_;
  bool is_read_ = false;
  std::optional<NodeMap<uint32_t>> storage_;  // of a value; 0: not known. Empty: no writes
};

}  // namespace fx::internal
