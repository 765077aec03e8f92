// Declarations shared by capture.cpp, dynamic.cpp and step.cpp.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/tables/value_table_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <string_view>
#include <vector>

namespace fx {

/// A number that an operator returned to the program.
struct ReturnedNumber {
  Symbol op;
  c10::IValue value;
};

/// One run of a program that is captured more than once.
struct CapturedRun {
  CapturedGraph captured;
  ValueTable values;  ///< the table that finds the nodes of tensors that the program kept
  /// For each get_attr node, the program's tensor.
  absl::flat_hash_map<const Node*, at::Tensor> live;
};

/// Like capture(), but tensors that the program writes to and that `state` does not list become
/// additional inputs, after all other inputs. Unused items of results are kept; erase_unused_items
/// removes them.
absl::StatusOr<CapturedRun> capture_and_promote(Context& context, const ModuleState& state,
                                                Tensors inputs, const Program& program,
                                                const CaptureOptions& options);

/// Erases getitem nodes without users.
void erase_unused_items(Graph& graph);

/// Returns the metadata `input` of a placeholder.
Argument describe_input(const CapturedInput& input);
/// Sets the metadata `outputs` of the output node.
void describe_outputs(const CapturedGraph& captured);

/// Returns true if both tensors have the same elements. Returns false if they differ, or if this is
/// unknown because a tensor is fake.
bool same_elements(const at::Tensor& a, const at::Tensor& b);

/// Returns the numbers that the operators of a graph returned to the program (its guards), in
/// order.
std::vector<ReturnedNumber> returned_numbers(const Graph& graph);

}  // namespace fx
