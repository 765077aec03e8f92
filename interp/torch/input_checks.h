// Checks a graph's constraints on its inputs.
#pragma once

#include "fx/interp/input_constants.h"
#include "fx/interp/shared_inputs.h"
#include "fx/interp/size_checks.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/types/span.h"
#include <ATen/core/ivalue.h>

#include <vector>

namespace fx {

/// A graph's constraints on its inputs. They do not refer to the graph. If the graph writes
/// to memory, inputs that share memory in the graph (interp/shared_inputs.h) must share memory in
/// the same way in the run; otherwise, the results would differ from those of the captured program.
/// Sizes must satisfy the types of the graph (interp/size_checks.h), and inputs whose types contain
/// constants must equal these (interp/input_constants.h).
class InputChecks {
 public:
  InputChecks() = default;
  explicit InputChecks(const Graph& graph);

  /// Returns true if there are no requirements.
  bool empty() const { return shared_.empty() && sizes_.empty() && constants_.empty(); }
  /// Returns InvalidArgument, naming the inputs, if a requirement is violated. Missing inputs at
  /// the end of the list are not checked.
  absl::Status check(absl::Span<const c10::IValue> inputs) const;

 private:
  absl::Status check_sizes(absl::Span<const c10::IValue> inputs) const;
  absl::Status check_constants(absl::Span<const c10::IValue> inputs) const;

  std::vector<SharedPair> shared_;
  SizeChecks sizes_;
  std::vector<InputConstant> constants_;
};

}  // namespace fx
