// Reads ONNX models as graphs of ATen operators, without ONNX's library, libtorch or Python.
//
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::GraphModule> model,
//                       fx::read_onnx(context, "model.onnx"));
//   model->graph();                      // placeholders are the model's inputs, with types
//   model->find_tensor("fc.weight");     // initializers of floating dtypes are parameters
//
// A row in read_rows/ converts each node of the model to typed ATen calls that compute the same
// values. A dimension with a name becomes a symbolic size with that name. Values that only
// determine sizes (the operands of Reshape, Slice, Expand, ...) become integers and symbolic
// integers where possible, so that the shapes of the graph do not depend on data. docs/onnx.md
// lists the operators and the unsupported cases.
//
// Models are not trusted. A malformed file results in InvalidArgument, and the size of the file
// bounds memory and time. Files with external data must be in the folder of the model or in a
// subfolder.
#pragma once

#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Context;

/// The versions of ONNX's operator set that read_onnx accepts.
inline constexpr int kMinReadOnnxOpset = 7;
inline constexpr int kMaxReadOnnxOpset = 23;

struct OnnxReadOptions {
  /// Values of inputs, by their names in the model. These inputs become constants. Some operators
  /// require that sizes, axes and other settings are known before the graph runs. Other names are
  /// ignored. A value must have the type of its input.
  const OrderedMap<Tensor>* constants = nullptr;
  /// The folder of external data for parse_onnx. If empty, external data is an error. read_onnx
  /// uses the folder of the model instead.
  std::string folder = {};
};

/// Maps and reads a file. Aligned tensors refer to the mapped memory, so the file must not be
/// truncated while they exist. The module is in evaluation mode.
///
/// Errors: InvalidArgument for a malformed model; Unimplemented if nodes cannot be converted, with
/// the reason for each node; NotFound for a missing file.
absl::StatusOr<std::unique_ptr<GraphModule>> read_onnx(Context& context, const std::string& path,
                                                       const OnnxReadOptions& options = {});
/// Reads a model from memory.
absl::StatusOr<std::unique_ptr<GraphModule>> parse_onnx(Context& context,
                                                        std::shared_ptr<Storage> bytes,
                                                        const OnnxReadOptions& options = {});

/// Reads a file with a single TensorProto, as written by onnx.save_tensor. Returns the errors of
/// read_onnx.
absl::StatusOr<Tensor> read_onnx_tensor(const std::string& path);

/// Returns true if the name of a file ends in ".onnx".
bool is_onnx_file(std::string_view path);

/// An operator that read_onnx converts.
struct OnnxReadOperator {
  std::string_view name;    ///< `Conv`
  std::string_view domain;  ///< empty for ONNX's default domain
  int first_opset, last_opset;
};
/// Returns the operators sorted by domain and name. Versions below kMinReadOnnxOpset are omitted.
std::vector<OnnxReadOperator> onnx_read_operators();

}  // namespace fx
