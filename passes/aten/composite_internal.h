// Python functions that lower to multiple operators: functions in torch.nn.functional and
// torch.functional, and methods.
#pragma once

#include "fx/ir/calls/index_calls.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/node.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace fx::aten {

/// Adds calls in order. After an error, adds no more calls; `result` returns the error.
class Calls {
 public:
  explicit Calls(AddCall add) : add_(add) {}

  Argument operator()(std::string_view op, std::initializer_list<Argument> args,
                      std::initializer_list<Kwarg> kwargs = {});
  /// Returns a size of a tensor: a constant if the type specifies it. Fails if the rank is unknown.
  Argument size(const Argument& tensor, int64_t dim);
  /// Returns the number of dimensions; fails if it is unknown.
  int64_t rank(const Argument& tensor);
  /// Returns the dtype; fails if it is unknown.
  DType dtype(const Argument& tensor);
  /// Returns the items of a list, or of a value whose type is a list: constants if the type
  /// specifies them, otherwise calls. nullopt for other values; fails if the type of a value is
  /// unknown.
  std::optional<std::vector<Argument>> items(const Argument& list);
  void fail(absl::Status status);
  bool ok() const { return status_.ok(); }
  /// Returns the loss after `reduction` (none, mean or sum).
  Argument reduced(const Argument& loss, const Argument& reduction);
  absl::StatusOr<Argument> result(Argument value) const;

 private:
  AddCall add_;
  absl::Status status_;
};

/// A torch function or method that lowers to multiple operators.
struct Composite {
  std::string_view function;
  std::string_view signature;  ///< in the form of python_forms.h
  absl::StatusOr<Argument> (*lower)(const ops::Values& values, AddCall add);
};

/// composite_pools.cpp: pooling, local_response_norm.
absl::Span<const Composite> pool_composites();
/// composite_losses.cpp
absl::Span<const Composite> loss_composites();
/// composite_sets.cpp: functions whose result sizes depend on the values (unique, nonzero).
absl::Span<const Composite> set_composites();

/// Lowers a torch function or method to multiple operators, if it is in the tables above or in
/// composite_functions.cpp; the operators are those of torch 2.13's torch/nn/functional.py and
/// torch/functional.py. Returns nullopt for other functions, and InvalidArgument if the
/// arguments do not match the function.
absl::StatusOr<std::optional<Argument>> lower_composite(Context& context, std::string_view function,
                                                        absl::Span<const Argument> args,
                                                        absl::Span<const Kwarg> kwargs,
                                                        AddCall add);

}  // namespace fx::aten
