// Replaces inputs that share memory with views of one of them.
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
/// The destructor restores the inputs, unless keep() was called.
class SharedInputViews {
 public:
  /// Creates views only for memory that the graph may write to. Returns FailedPrecondition, naming
  /// two inputs, if no member of their group covers all the others without gaps and the graph may
  /// write to the memory.
  static absl::StatusOr<SharedInputViews> create(Graph& graph);

  SharedInputViews(SharedInputViews&& other) noexcept : views_(std::exchange(other.views_, {})) {}
  SharedInputViews& operator=(SharedInputViews&&) = delete;
  ~SharedInputViews();

  bool any() const { return !views_.empty(); }
  void keep() { views_.clear(); }

 private:
  SharedInputViews() = default;
  /// The inputs and their replacements.
  std::vector<std::pair<Node*, Node*>> views_;
};

}  // namespace fx::functional
