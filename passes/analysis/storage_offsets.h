// Queries and type updates for passes that change the offset of a value in its storage.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace fx {

/// A range of bytes in a storage; empty by default.
struct StorageRange {
  enum class Kind : uint8_t { kEmpty, kKnown, kUnknown };
  Kind kind = Kind::kEmpty;
  int64_t first = 0, end = 0;  ///< for kKnown

  /// Returns the start of a storage: a range without bytes.
  static StorageRange start() { return {.kind = Kind::kKnown, .first = 0, .end = 0}; }
  bool is_empty() const { return kind == Kind::kEmpty; }
  /// Extends the range to the smallest one that contains both.
  void add(const StorageRange& other);
  bool operator==(const StorageRange& other) const = default;
};

/// The ranges of storages that calls address by position: `as_strided` counts from the start of the
/// storage, and may read and write bytes before the first and after the last element of its
/// operand. `sym_storage_offset` addresses the start of the storage. Includes calls in nested
/// graphs and called graph modules; their inputs are parts of storages to which these graphs have
/// no other access.
///
///   %part = aten.slice.Tensor(%x, 0, 2, 4)                  # elements 2 and 3
///   %s = aten.as_strided.default(%part, [4], [1], 0)        # elements 0 to 3, of %x
///
/// A pass must not replace `%part` here with a separate tensor of equal elements. A call to an
/// operator that copies the entire storage (copies_storage) passes the ranges of its result on to
/// its operand.
class AddressedRanges {
 public:
  /// Analyzes the graph in linear time. `results`: the ranges that callers of the graph address
  /// through its results; empty by default.
  explicit AddressedRanges(const Graph& graph, absl::Span<const StorageRange> results = {});

  /// True if a call may address bytes of the storage of this value that do not belong to its
  /// elements, through the value or a value that shares its memory.
  bool may_address_outside(const Node& value) const;
  /// Returns the range that a call, or a graph that it runs, addresses through an operand.
  StorageRange by_call(const Node& call, const Node& operand) const;
  /// Returns the ranges that users of a call address through the results of `run`, a graph that the
  /// call runs. For the step of a loop, includes the ranges that later steps address.
  std::vector<StorageRange> of_results(const Node& call, const Graph& run) const;

 private:
  struct Cache;
  AddressedRanges(const Graph& graph, Cache& cache);
  void visit(const Node& node);
  std::vector<StorageRange> of_operands(absl::Span<const Graph* const> graphs) const;
  const std::vector<StorageRange>& of_inputs(const Graph& graph) const;
  void add_steps(const Node& call, const Graph& step, std::vector<StorageRange>& inputs) const;
  template <class F>
  void for_each_graph_operand(const Node& call, F&& f) const;
  template <class F>
  void for_each_addressed(const Node& call, F&& f) const;

  NodeMap<StorageRange> ranges_;
  std::shared_ptr<Cache> owned_;  // null in the analysis of a graph that a call runs
  Cache* cache_;
};

/// Returns the bytes between the first and the last element of a tensor; an unknown range if the
/// type does not determine them.
StorageRange bytes_of(Type type);
/// True if both ranges are known and `outer` contains `inner`, or if `inner` is empty.
bool contains(const StorageRange& outer, const StorageRange& inner);

/// True for a call, in any spelling, whose result is in a copy of the entire storage of its first
/// operand, with the same strides and offset: slice_scatter and other operators that write to a part
/// of a copy (clone_preserve_strides in ATen/native/TensorShape.cpp).
bool copies_storage(const Node& call);

/// True for a call that depends on the offset of an operand in its storage: the offset of
/// `as_strided` counts from the start of the storage, `sym_storage_offset` returns it, a view with
/// a different element size requires a divisible offset, and the types of a nested graph's inputs
/// include their offsets.
bool reads_storage_offset(const Node& node);

/// Infers the type of a call whose target is not an operator: type_by_lowering, or null.
using OtherCallType = decltype(PropagateOptions::other_call);

/// Infers the type of a call again; the type becomes unknown if it cannot be inferred.
/// `requires_grad` is kept.
void reinfer_type(Node& node, OtherCallType other_call);

/// Infers the types of calls again after a pass has changed the types of the values in `changed`.
/// Updates the typed calls that use such a value, the calls in `changed` that run nested graphs,
/// and the nested graphs that these calls run. Adds the calls whose types change, or may have
/// changed, to `changed`. Takes linear time: one pass in program order.
void retype_users(Graph& graph, NodeSet& changed, OtherCallType other_call);

}  // namespace fx
