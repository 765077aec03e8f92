// Batch: what a batching rule is given: one call of one example, its operands as values of the batch,
// and the means to record what replaces it.
//
//   // aten.dot: of vectors
//   fx::AnyArg dot(fx::Batch& b) { return sum(b("self") * b("tensor"), {-1}); }
//
// A batched value has the batch as its dimension 0. It is a Decomposer, and so a tracer that records
// typed ATen overloads. The first error is kept (status()).
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

/// See the head of this file.
class Batch : public Decomposer {
 public:
  /// `graph`: the graph of one example, in which the batched values are recorded beside it.
  explicit Batch(Graph& graph);

  // ---- The call's operands
  /// An operand, expanded when all examples share it. Refuses the call when it is not a tensor.
  Proxy operator()(std::string_view name) { return expanded(*operand(name)); }
  /// An operand as it is: batched or not.
  Proxy plain(std::string_view name) { return plain(*operand(name)); }
  /// A batched operand with dimensions of size 1 after the batch, `rank` without it. One that all
  /// examples share broadcasts, and stays as it is.
  Proxy aligned(std::string_view name, int64_t rank) { return aligned(*operand(name), rank); }
  /// The items of a list, expanded.
  std::vector<Proxy> all(std::string_view name);
  /// The operand, or an item of the list, depends on the batch.
  bool is_batched(std::string_view name) const;
  bool is_batched(const Node& value) const { return batched_[value] != nullptr; }
  /// The operand's number of dimensions in one example.
  int64_t rank_of(std::string_view name) { return operand(name)->type().rank(); }
  /// The operand's type in one example.
  Type type_of(std::string_view name) { return operand(name)->type(); }
  /// The number of examples: a number, or a value of the graph.
  const IntArg& batch_size() const { return size_; }

  // ---- Means
  /// Sizes of one example's type, after the number of examples.
  std::vector<IntArg> sizes_of(Type example);
  /// A dimension of one example as one of the batch.
  int64_t shifted(int64_t dim, int64_t rank) { return wrapped(dim, rank) + 1; }
  /// The product of two sizes.
  IntArg times(const IntArg& a, const IntArg& b);
  /// `x`, whose first dimension is the batch, with its last dimensions made one: [batch, n].
  Proxy flat(const Proxy& x);
  /// The two first dimensions made one.
  Proxy folded(const Proxy& x);
  /// `x` as a batch of values of this type: the inverse.
  Proxy unfolded(const Proxy& x, Type example) { return reshape(x, sizes_of(example)); }
  /// One dimension in another place.
  Proxy moved(const Proxy& x, int64_t from, int64_t to);
  /// 0, 1, ... batch - 1, with dimensions of size 1 after them, `rank` in total.
  Proxy batch_indices(const Proxy& like, int64_t rank);
  /// The call with these arguments in place of those of their names.
  Proxy call_with(absl::Span<const std::pair<std::string_view, AnyArg>> replaced);
  Proxy call_with(std::initializer_list<std::pair<std::string_view, AnyArg>> replaced) {
    return call_with(absl::MakeConstSpan(replaced.begin(), replaced.size()));
  }
  /// The call, each of its operands mapped.
  Proxy call_mapped(absl::FunctionRef<Argument(Node&)> operand);
  /// A result that does not depend on the batch.
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

  IntArg size_;             // not given where nothing is batched
  NodeMap<Node*> batched_;  // null: does not depend on the batch
  bool is_shared_ = false;  // the last result
};

}  // namespace fx
