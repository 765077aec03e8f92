// Checks whether two graphs compute the same results by running both in libtorch. If not, finds the
// first node that differs.
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
#include <optional>
#include <string>
#include <vector>

namespace fx {

struct EquivalenceOptions {
  /// Elements may differ by atol + rtol * |b|. If both are 0, values must be bit-equal, and NaN
  /// equals itself.
  double rtol = 0;
  double atol = 0;
  /// Both runs start with libtorch's CPU generator at this seed.
  uint64_t seed = 0;
  /// Also compares gradients, computed by libtorch's autograd: the gradients of a weighted sum of
  /// the results with respect to the inputs of floating dtypes that are not buffers (metadata
  /// `input`). An input without a gradient has a gradient of zeros.
  bool gradients = false;
  /// Also compares the inputs after the runs, to which the graphs may have written.
  bool written_inputs = true;
  /// Fills the memory that libtorch's CPU allocator returns with one pattern, so that uninitialized
  /// memory (`empty`, growth by `resize_`) is the same in both runs. It slows down other threads
  /// that run libtorch at the same time, but does not change their results.
  bool fill_memory = true;
  /// If results differ, runs the graphs again side by side to find the first node that differs.
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
  /// True if the first graph's value has only finite numbers. Infinities and NaNs may differ by
  /// rounding.
  bool is_finite = true;
};

/// The first pair of nodes whose values differ. Nodes of uninitialized memory are not compared.
struct DivergingNodes {
  std::string a, b;  ///< names
  std::string target_a, target_b;
  MatchedBy by;
  std::string what;
};

struct EquivalenceReport {
  size_t compared = 0;
  size_t bit_equal = 0;
  double max_abs = 0;  ///< over all values; infinite if one is NaN
  std::vector<ValueDifference> different = {};
  std::optional<DivergingNodes> first = {};

  bool equivalent() const { return different.empty(); }
  /// Returns the report as text, as at the top of this file.
  std::string str() const;
};

/// Runs both graphs on copies of the inputs, one per placeholder, and of constants that a graph may
/// write to. Compares the leaves of the results in order and, as `options` state, the inputs after
/// the runs and gradients. The graphs must have the same Context. Errors of TorchInterpreter, which
/// name the graph ("first graph: ..."); InvalidArgument for a wrong number of inputs.
absl::StatusOr<EquivalenceReport> check_equivalent(const Graph& a, const Graph& b,
                                                   const std::vector<c10::IValue>& inputs,
                                                   const EquivalenceOptions& options = {});

/// Describes how two values differ, with the tolerances of `options`; empty if they do not. Lists
/// and tuples are compared item by item.
std::string compare_values(const c10::IValue& a, const c10::IValue& b,
                           const EquivalenceOptions& options = {});

}  // namespace fx
