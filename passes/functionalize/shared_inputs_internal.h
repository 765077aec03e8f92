// Replaces inputs and attributes that share memory with views of one of them.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"

#include "absl/status/statusor.h"

#include <utility>
#include <vector>

namespace fx::functional {

/// Replaces inputs that share memory (interp/shared_inputs.h) with views of one of them while this
/// object exists:
///
///   graph(%x : f32[5, 4], %part : f32[3, 4]{offset=8})   ->   %as_strided = as_strided(%x, [3, 4],
///     %mul_ = aten.mul_.Tensor(%x, 3)                                                [4, 1], 8)
///     %neg = aten.neg.default(%part)                          %neg = aten.neg.default(%as_strided)
///
/// The same for attributes (interp/shared_attributes.h): a get_attr of a tied tensor becomes a
/// get_attr of the first path.
///
/// The destructor restores the graph, unless keep() was called.
class SharedInputViews {
 public:
  /// Creates views only for memory that the graph may write to. Returns FailedPrecondition, naming
  /// two inputs or attributes, if no member of their group covers all the others without gaps and
  /// the graph may write to the memory; Unimplemented if a nested graph reads such an attribute.
  static absl::StatusOr<SharedInputViews> create(Graph& graph);

  SharedInputViews(SharedInputViews&& other) noexcept : views_(std::exchange(other.views_, {})) {}
  SharedInputViews& operator=(SharedInputViews&&) = delete;
  ~SharedInputViews();

  bool any() const { return !views_.empty(); }
  /// Keeps the views. Erases the get_attr nodes that they replaced.
  void keep();

 private:
  SharedInputViews() = default;
  absl::Status add_inputs(Graph& graph);
  absl::Status add_attributes(Graph& graph);
  /// The inputs or get_attr nodes and their replacements. A pair without an input has a node that
  /// a replacement uses.
  std::vector<std::pair<Node*, Node*>> views_;
};

}  // namespace fx::functional
