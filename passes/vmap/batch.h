// Batch: the argument of a batching rule: a call for one example, with its operands as values of
// the batch. It records the calls that replace this call.
//
//   // aten.dot: of vectors
//   fx::AnyArg dot(fx::Batch& b) { return sum(b("self") * b("tensor"), {-1}); }
//
// A batched value has the batch as its dimension 0. Batch is a Decomposer, that is, a tracer that
// records typed ATen overloads. It keeps the first error (status()).
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node_map.h"
#include "fx/passes/decompose/decomposer.h"

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// The argument of a batching rule. See the top of this file.
class Batch : public Decomposer {
 public:
  /// `graph` is the graph for one example, to which batched values are added.
  explicit Batch(Graph& graph);

  // ---- The call's operands
  /// Returns an operand, expanded if all examples share it. Rejects the call if the operand is not
  /// a tensor.
  Proxy operator()(std::string_view name) { return expanded(*operand(name)); }
  /// Returns an operand, batched or not, without expanding it.
  Proxy plain(std::string_view name) { return plain(*operand(name)); }
  /// Returns a batched operand with dimensions of size 1 after the batch, so that it has
  /// `rank` dimensions in addition to the batch. An operand that all examples share broadcasts, and
  /// is returned unchanged.
  Proxy aligned(std::string_view name, int64_t rank) { return aligned(*operand(name), rank); }
  /// Returns the items of a list, expanded.
  std::vector<Proxy> all(std::string_view name);
  /// True if the operand, or an item of the list, depends on the batch.
  bool is_batched(std::string_view name) const;
  bool is_batched(const Node& value) const { return batched_[value] != nullptr; }
  /// Returns the operand's number of dimensions in one example.
  int64_t rank_of(std::string_view name) { return operand(name)->type().rank(); }
  /// Returns the operand's type in one example.
  Type type_of(std::string_view name) { return operand(name)->type(); }
  /// Returns the number of examples: an integer, or a value of the graph.
  const IntArg& batch_size() const { return size_; }

  // ---- Common operators of rules
  /// Returns the number of examples, followed by the sizes of one example's type.
  std::vector<IntArg> sizes_of(Type example);
  /// Converts a dimension of one example to a dimension of the batch.
  int64_t shifted(int64_t dim, int64_t rank) { return wrapped(dim, rank) + 1; }
  /// Returns the product of two sizes.
  IntArg times(const IntArg& a, const IntArg& b);
  /// Merges all dimensions of `x` after the first, which is the batch: [batch, n].
  Proxy flat(const Proxy& x);
  /// Merges the first two dimensions.
  Proxy folded(const Proxy& x);
  /// Reshapes `x` to a batch of values of this type: the inverse of flat() and folded().
  Proxy unfolded(const Proxy& x, Type example) { return reshape(x, sizes_of(example)); }
  /// Moves one dimension to another position.
  Proxy moved(const Proxy& x, int64_t from, int64_t to);
  /// Returns 0, 1, ... batch - 1, with dimensions of size 1 after them, `rank` in total.
  Proxy batch_indices(const Proxy& like, int64_t rank);
  /// Records the call with each operand mapped by `operand`.
  Proxy call_mapped(absl::FunctionRef<Argument(Node&)> operand);
  /// Returns the value as an argument; None after an error, when the argument is not used.
  static Argument as_argument(const Proxy& value) {
    return value.defined() ? Argument(value.node()) : Argument();
  }
  /// Marks the result of the rule as independent of the batch, and returns it.
  AnyArg shared(const Proxy& value);

  Proxy expanded(Node& value);
  Proxy plain(Node& value) {
    Node* const batched = batched_[value];
    return Proxy(batched != nullptr ? *batched : value, *this);
  }
  Proxy aligned(Node& value, int64_t rank);

 private:
  friend class Batcher;
  friend class ControlFlow;
  Node* operand(std::string_view name);

  IntArg size_;             // unset if nothing is batched
  NodeMap<Node*> batched_;  // null for a value that does not depend on the batch
  bool is_shared_ = false;  // whether the last result is shared
};

}  // namespace fx
