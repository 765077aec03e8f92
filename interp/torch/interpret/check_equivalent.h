// Checks whether two graphs compute the same results, by running both in libtorch. If the results
// differ, finds the first node that differs.
//
//   FX_ASSIGN_OR_RETURN(const fx::EquivalenceReport report,
//                       fx::check_equivalent(before, after, {x, w}));
//   if (!report.equivalent()) std::cout << report.str();
//
//   2 values compared: 1 bit-equal, 1 different; largest difference 0.25
//   result 0: max |difference| 0.25
//   the first node that differs is mul (aten.mul.Tensor); its counterpart by name is
//   add (aten.add.Tensor): max |difference| 0.125
#pragma once

#include "fx/interp/match_nodes.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"

#include "absl/status/statusor.h"
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct EquivalenceOptions {
  /// Elements may differ by atol + rtol * |b|. If both tolerances are 0, values must be bit-equal,
  /// and NaN equals itself.
  double rtol = 0;
  double atol = 0;
  /// NaNs are equal even if their signs or other bits differ. IEEE 754 does not specify the NaN
  /// that an operation returns, and libtorch's kernels differ.
  bool equal_nan = false;
  /// The seed of libtorch's CPU generator at the start of each run.
  uint64_t seed = 0;
  /// Also compare gradients, computed by libtorch's autograd: the gradients of a weighted sum of
  /// the results with respect to the inputs of floating dtypes, except buffers (metadata `input`).
  /// A missing gradient counts as zeros.
  bool gradients = false;
  /// Also compare the inputs after the runs, since the graphs may write to them.
  bool written_inputs = true;
  /// Fill the memory that libtorch's CPU allocator returns with a pattern, so that uninitialized
  /// memory (`empty`, or growth by `resize_`) is equal in both runs. This slows down other threads
  /// that run libtorch at the same time, but does not change their results.
  bool fill_memory = true;
  /// If results differ, run the graphs again side by side, to find the first node that differs.
  bool find_node = true;
  /// The modules that get_attr and call_module nodes refer to. If null, the graph's owning module
  /// is used.
  const Module* root_a = nullptr;
  const Module* root_b = nullptr;
  /// Values of get_attr nodes, which take precedence over the tensors of the module.
  TorchConstants constants_a = {};
  TorchConstants constants_b = {};
};

/// A value that differs: a result, an input after the run, or a gradient.
struct ValueDifference {
  std::string name;  ///< "result 0", "input x after the run", "gradient of x"
  std::string what;
  /// True if the value of the first graph contains only finite numbers. Infinities and NaNs may
  /// differ due to rounding.
  bool is_finite = true;
  /// The largest absolute difference, divided by the largest absolute value of a finite number in
  /// the value of the first graph; infinite if it contains no other number than 0.
  double relative = std::numeric_limits<double>::infinity();
};

/// The first pair of nodes whose values differ. Nodes with uninitialized values are not compared.
struct DivergingNodes {
  std::string a, b;  ///< the names of the nodes
  std::string target_a, target_b;
  MatchedBy by;
  std::string what;
};

struct EquivalenceReport {
  size_t compared = 0;
  size_t bit_equal = 0;
  double max_abs = 0;  ///< the maximum over all values; infinite if one is NaN
  std::vector<ValueDifference> different = {};
  std::optional<DivergingNodes> first = {};

  bool equivalent() const { return different.empty(); }
  /// Returns the report as text, as at the top of this file.
  std::string str() const;
};

/// Runs both graphs on copies of the inputs, one for each placeholder, and of constants that a
/// graph may write to. Compares the leaves of the results in order and, depending on `options`, the
/// inputs after the runs and gradients. The graphs must have the same Context. Returns the errors
/// of TorchInterpreter, which name the graph ("first graph: ..."), and InvalidArgument for the
/// wrong number of inputs.
absl::StatusOr<EquivalenceReport> check_equivalent(const Graph& a, const Graph& b,
                                                   const std::vector<c10::IValue>& inputs,
                                                   const EquivalenceOptions& options = {});

/// Returns a description of how two values differ, with the tolerances of `options`, or an empty
/// string if they do not. Compares lists and tuples item by item.
std::string compare_values(const c10::IValue& a, const c10::IValue& b,
                           const EquivalenceOptions& options = {});

}  // namespace fx
