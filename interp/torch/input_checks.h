// interp/torch/input_checks.h - what a graph requires of the values that it runs on.
#pragma once

#include "fx/interp/shared_inputs.h"
#include "fx/interp/size_checks.h"
#include "fx/ir/graph/graph.h"

#include "absl/status/status.h"
#include "absl/types/span.h"
#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

namespace fx {

/// The requirements of a graph, kept without it. Inputs that share memory in the graph
/// (interp/shared_inputs.h) must do so when the graph writes to memory: else the run would compute
/// other numbers than the program that was captured. Sizes must be those that the types of the graph
/// assume (interp/size_checks.h).
class InputChecks {
 public:
  InputChecks() = default;
  explicit InputChecks(const Graph& graph);

  /// True when every list of inputs passes.
  bool empty() const { return groups_.empty() && sizes_.empty(); }
  /// InvalidArgument, naming the inputs, when a requirement is not met. Inputs beyond the end of the
  /// list are not looked at.
  absl::Status check(absl::Span<const c10::IValue> inputs) const;

 private:
  /// An input in shared memory, and where it begins there.
  struct Member {
    size_t index;
    std::string name;
    int64_t offset;  ///< in elements; -1 when the type does not state it
  };
  absl::Status check_sizes(absl::Span<const c10::IValue> inputs) const;

  std::vector<std::vector<Member>> groups_;
  SizeChecks sizes_;
};

}  // namespace fx
