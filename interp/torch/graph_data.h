// The tensors of a saved graph: g.safetensors next to g.fx.
//
// A tensor is named by data_name (interp/data_name.h) for a placeholder, by the target of the
// get_attr node for a constant, and "out.<position>" for a recorded result, with which a replay is
// compared. Inputs that share memory are separate tensors in the file; load_graph_data places them
// in one storage again.
#pragma once

#include "fx/interp/data_name.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/symbolic/sym_expr.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {

/// Convert between fx::Tensor and at::Tensor. The results share the data and keep it alive. Tensors
/// must be strided and on the CPU; checked.
Tensor from_torch(const at::Tensor& tensor);
at::Tensor to_torch(const Tensor& tensor);

/// Copies the elements of a tensor of the same sizes. A dimension of stride 0 receives the first of
/// its elements (copy_ rejects such a destination).
void copy_elements(at::Tensor to, at::Tensor from);
/// Returns a copy of the tensor in new memory with these strides and this offset; see
/// copy_elements. With an offset, the other elements of the memory are 0.
at::Tensor with_strides(const at::Tensor& tensor, at::IntArrayRef strides, int64_t offset = 0);

struct GraphData {
  std::vector<c10::IValue> inputs;  ///< one per placeholder
  TorchConstants constants;
  /// One per element of the graph's result; undefined if it is not recorded.
  std::vector<at::Tensor> outputs = {};
  size_t num_generated = 0;  ///< the number of values that were not in a file
};

/// Writes data for `graph` atomically. InvalidArgument for values that are not tensors or numbers.
absl::Status save_graph_data(const Graph& graph, const GraphData& data, const std::string& path);

struct GraphDataOptions {
  /// Creates values that no file has from the types of the inputs, whose sizes must be numbers, or
  /// symbols with a value in `sizes`: floats between 0 and 1, so that probabilities, logarithms and
  /// roots are defined; integers 0, 1, 0, 1, ..., which are valid indices of most tables, and 2 for
  /// tensors without dimensions; True for bools.
  bool generate_missing = false;
  /// Creates floats between -1 and 1 instead, to cover negative values.
  bool both_signs = false;
  /// Placeholders whose values are always created, even if a file has them.
  std::vector<const Node*> made = {};
  uint64_t seed = 0;
  /// Values of symbols for created values: example_sizes (fx/passes/shape/check/compare_graph.h).
  SymBindings sizes = {};
};

/// Loads the inputs and constants of a graph from files, where later files take precedence;
/// `outputs` is empty. Tensors get the strides and the offset of the placeholder's type, and inputs
/// that share memory (interp/shared_inputs.h) are placed in one storage. Missing tangents are ones;
/// a number or string with a constant type (`int(3)`) needs no data. NotFound, naming them, for
/// missing data; InvalidArgument for a dtype or sizes that differ from the placeholder's, and for
/// inputs that share memory but whose data differ where they overlap; FailedPrecondition for inputs
/// that share memory whose types do not state their places.
absl::StatusOr<GraphData> load_graph_data(const Graph& graph, const std::vector<std::string>& paths,
                                          const GraphDataOptions& options = {});

}  // namespace fx
