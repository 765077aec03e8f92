// Loads and saves the tensors of a saved graph, g.safetensors next to g.fx.
//
// The name of a tensor is data_name (interp/data_name.h) for a placeholder, the target of the
// get_attr node for a constant, and "out.<position>" for a recorded result, against which a replay
// is compared. Inputs that share memory are separate tensors in the file; load_graph_data creates
// them in one storage.
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
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// Convert between fx::Tensor and at::Tensor. The results share the data and keep it alive, and
/// have the position of the tensor in its storage. Tensors must be strided and on the CPU (checked).
Tensor from_torch(const at::Tensor& tensor);
at::Tensor to_torch(const Tensor& tensor);
/// Converts multiple tensors. Tensors that share a storage are views of one Storage, and equal
/// handles become equal handles.
std::vector<Tensor> from_torch(absl::Span<const at::Tensor> tensors);
/// Like to_torch, but returns FailedPrecondition, with `name`, for a tensor without data on the
/// CPU.
absl::StatusOr<at::Tensor> to_torch(std::string_view name, const Tensor& tensor);

/// Copies the elements of `from` to a tensor of the same sizes. If a dimension of `to` has stride
/// 0, copies only the first element along it; copy_ rejects such a destination.
void copy_elements(at::Tensor to, at::Tensor from);
/// Returns a copy of the tensor in new memory with these strides and this offset; see
/// copy_elements. Other elements of the memory are 0.
at::Tensor with_strides(const at::Tensor& tensor, at::IntArrayRef strides, int64_t offset = 0);

struct GraphData {
  std::vector<c10::IValue> inputs;  ///< one for each placeholder
  TorchConstants constants;
  /// One for each leaf of the graph's result; undefined if it is not recorded.
  std::vector<at::Tensor> outputs = {};
  size_t num_generated = 0;  ///< the number of values that were not in a file
};

/// Writes data for `graph` atomically. Returns InvalidArgument for values that are not tensors or
/// numbers.
absl::Status save_graph_data(const Graph& graph, const GraphData& data, const std::string& path);

struct GraphDataOptions {
  /// Create values that are not in a file from their types. Sizes must be numbers or symbols with a
  /// value in `sizes`. Floats are between 0 and 1, so that probabilities, logarithms and roots are
  /// defined. Integers are 0, 1, 0, 1, ..., which are valid indices into most tables, or 2 for
  /// 0-dimensional tensors. Bools are True.
  bool generate_missing = false;
  /// Create floats between -1 and 1 instead, to cover negative values.
  bool both_signs = false;
  /// Placeholders whose values are always generated, even if a file contains them.
  std::vector<const Node*> always_generate = {};
  uint64_t seed = 0;
  /// The values of symbols in the types of created values; see example_sizes
  /// (passes/shape/check/compare_graph.h).
  SymBindings sizes = {};
};

/// Loads the inputs and constants of a graph from files, and the attributes of graph modules that
/// it calls. Later files take precedence. `outputs` is empty. Tensors get the strides and the offset
/// of the node's type; if they have them in the file, they share memory as in the file. A tensor
/// that is at multiple paths of the owning module is one tensor, loaded from any of its paths. The
/// sizes of the loaded inputs determine the values of symbols. Inputs that share memory
/// (interp/shared_inputs.h) are created in one storage. Missing tangents are ones. A number or
/// string with a constant type (`int(3)`) requires no data. Returns NotFound, with the names, for
/// missing data; InvalidArgument for a dtype or sizes that differ from the node's, for types that
/// require too much memory, and for data that differ where elements of an input, or inputs that
/// share memory, overlap, or for two paths of one tensor; FailedPrecondition for inputs that share
/// memory but whose types do not determine their positions in it.
absl::StatusOr<GraphData> load_graph_data(const Graph& graph, const std::vector<std::string>& paths,
                                          const GraphDataOptions& options = {});

}  // namespace fx
