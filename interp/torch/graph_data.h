// interp/torch/graph_data.h - the tensors that a saved graph starts from: g.safetensors beside
// g.fx.
//
// A tensor stands under the qualified name of the parameter, buffer or optimizer state that it is
// ("layer1.0.conv1.weight"), else under "in.<index>" for inputs, "tangent.<index>",
// "number.<index>", and the target of its get_attr node for constants. "out.<position>" is what the
// graph returned when it was captured: what a replay is compared with.
#pragma once

#include "fx/interp/data_name.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/tensor.h"

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

/// The same data, shared, seen from the other side; each keeps it alive. Tensors must be dense and
/// on the CPU; checked.
Tensor from_torch(const at::Tensor& tensor);
at::Tensor to_torch(const Tensor& tensor);

/// Writes the elements of a tensor of the same sizes. A dimension of stride 0 is one place, which
/// gets the first of its elements (copy_ refuses such a tensor).
void copy_elements(at::Tensor to, at::Tensor from);
/// The same values in memory of their own, with these strides and this offset: see copy_elements.
/// Elements that the tensor does not cover are 0 where there is an offset.
at::Tensor with_strides(const at::Tensor& tensor, at::IntArrayRef strides, int64_t offset = 0);

struct GraphData {
  std::vector<c10::IValue> inputs;  ///< one per placeholder
  TorchConstants constants;
  /// One per element that the graph returns; undefined where nothing is known.
  std::vector<at::Tensor> outputs = {};
  size_t num_made = 0;  ///< values that no file had (GraphDataOptions::make_missing)
};

/// Writes data for `graph`, whole or not at all. InvalidArgument for values that are no tensors or
/// numbers.
absl::Status save_graph_data(const Graph& graph, const GraphData& data, const std::string& path);

struct GraphDataOptions {
  /// Makes what no file has, from the types of the inputs, whose sizes must be numbers: floats
  /// between 0 and 1, so that probabilities, logarithms and roots are defined; integers 0, 1, 0, 1,
  /// ..., which every table has; True.
  bool make_missing = false;
  /// Floats between -1 and 1 instead: for what happens below 0.
  bool both_signs = false;
  /// Placeholders whose values are made in any case, whatever the files have.
  std::vector<const Node*> made = {};
  uint64_t seed = 0;
};

/// What a graph runs on, from files of which the later ones count; `outputs` is empty. A tensor
/// gets the strides that its placeholder's type says. Tangents that no file has are ones; a number
/// or string whose type has its value (`int(3)`) needs no data. NotFound names what is missing;
/// InvalidArgument what has another dtype or other sizes than its placeholder.
absl::StatusOr<GraphData> load_graph_data(const Graph& graph, const std::vector<std::string>& paths,
                                          const GraphDataOptions& options = {});

/// The first `count` results that a file has, out.0, out.1, ..., those in nested lists, tuples and
/// dictionaries one after the other; undefined where it lacks one. NotFound when it has none.
absl::StatusOr<std::vector<at::Tensor>> load_graph_outputs(const std::string& path, size_t count);

}  // namespace fx
