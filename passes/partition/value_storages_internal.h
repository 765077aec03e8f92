// Determines which values of a graph share one storage, for splitting the graph into parts.
//
// The placeholders of a part that writes to memory must be marked (meta::kSharedMemory) if they
// share memory, like the placeholders of captured graphs.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

#include <cstdint>
#include <optional>

namespace fx::internal {

/// Facts about a graph at the time of first use, or of the call to read() or read_changes().
class ValueStorages {
 public:
  explicit ValueStorages(const Graph& graph) : graph_(graph) {}

  /// Records whether a call in the graph writes to its arguments, for callers that visit all calls
  /// before they use the functions below, which otherwise determine it.
  void set_has_writes(bool has_writes) { has_writes_ = has_writes; }
  /// Finds the tensors whose sizes or strides a call in the graph changes in place.
  void read_changes();
  /// Returns the type of a value where a part receives or returns it: null for a tensor that
  /// read_changes() found, which may have changed since its node ran.
  Type type_of(const Node& value) const {
    return changed_ && changed_->contains(value) ? Type() : value.type();
  }

  /// Computes the facts now, for callers that change the graph before they call `mark`. Has no
  /// effect for a graph without writes.
  void read();

  /// Marks the inputs of a part that share one storage in every run, if the part writes to memory.
  /// Sets the types of the inputs to type_of() of their values. `values` are the values that the
  /// part uses; `input_of` returns the part's placeholder for a value, or null.
  void mark(absl::Span<const Node* const> values, const Graph& part,
            absl::FunctionRef<Node*(const Node&)> input_of);
  /// Records that `to` has the value of `from`.
  void note_moved(const Node& from, const Node& to);

 private:
  bool has_writes();

  const Graph& graph_;
  std::optional<bool> has_writes_;  // nullopt until a function above needs it
  bool is_read_ = false;
  std::optional<NodeSet> changed_;            // nullopt if there are none
  std::optional<NodeMap<uint32_t>> storage_;  // 0 if unknown; nullopt if the graph has no writes
};

}  // namespace fx::internal
