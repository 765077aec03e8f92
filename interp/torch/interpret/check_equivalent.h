// interp/torch/interpret/check_equivalent.h - whether two graphs compute the same, by running both through
// libtorch; and if not, the first node where they part.
//
//   FX_ASSIGN_OR_RETURN(const fx::EquivalenceReport report,
//                       fx::check_equivalent(before, after, {x, w}));
//   if (!report.equivalent()) std::cout << report.str();
//
//   2 values compared: 1 to the last bit, 1 different; largest difference 0.25
//   result 0: max |difference| 0.25
//   the first node that differs is mul (aten.mul.Tensor), against add (aten.add.Tensor), its
//   counterpart by name: max |difference| 0.125
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
  /// Elements may differ by atol + rtol * |b|. Both 0: not in a bit, and NaN is itself.
  double rtol = 0;
  double atol = 0;
  /// Both runs start with libtorch's CPU generator at this seed.
  uint64_t seed = 0;
  /// Gradients are compared too: of a weighted sum of the results, for the inputs of floating
  /// dtypes that are no buffers (meta data `input`), by libtorch's autograd.
  bool gradients = false;
  /// What the graphs have written to their inputs is compared, too.
  bool written_inputs = true;
  /// When results differ, the graphs run once more, side by side, to find the first node.
  bool find_node = true;
  /// What get_attr and call_module nodes lead to; null: the graph's owning module.
  const Module* root_a = nullptr;
  const Module* root_b = nullptr;
  /// What get_attr nodes read before they ask the module.
  TorchConstants constants_a = {};
  TorchConstants constants_b = {};
};

/// A value that differs: a result, an input after the run, or a gradient.
struct ValueDifference {
  std::string name;  ///< "result 0", "input x after the run", "gradient of x"
  std::string what;
  /// The first graph's value is of finite numbers. Else rounding may have decided between its
  /// infinities and NaNs.
  bool is_finite = true;
};

/// Where two runs part.
struct DivergingNodes {
  std::string a, b;  ///< names
  std::string target_a, target_b;
  MatchedBy by;
  std::string what;
};

struct EquivalenceReport {
  size_t compared = 0;
  size_t bit_equal = 0;
  double max_abs = 0;  ///< over all values; infinite where one is NaN
  std::vector<ValueDifference> different = {};
  std::optional<DivergingNodes> first = {};

  bool equivalent() const { return different.empty(); }
  /// The text at the head of this file.
  std::string str() const;
};

/// Runs both graphs on copies of the inputs, one per placeholder (and of what get_attr nodes read,
/// where the graph may write), and compares what they return
/// (leaves of lists and tuples, in order), the inputs after the run (which a graph may write to)
/// and, if asked for, gradients. The graphs have one Context. Errors of TorchInterpreter, which
/// name the graph ("first graph: ..."); InvalidArgument for other numbers of inputs.
absl::StatusOr<EquivalenceReport> check_equivalent(const Graph& a, const Graph& b,
                                                   const std::vector<c10::IValue>& inputs,
                                                   const EquivalenceOptions& options = {});

/// How two values differ, by the tolerances of `options`; empty when they do not. Lists and tuples
/// are compared item by item.
std::string compare_values(const c10::IValue& a, const c10::IValue& b,
                           const EquivalenceOptions& options = {});

}  // namespace fx
