// ONNX models of graphs: files that onnxruntime and other runtimes read.
//
//   FX_RETURN_IF_ERROR(write_onnx(graph, "model.onnx", {.tensors = &weights}));
//
// The graph may be a forward, a joint or a training graph. A copy of it is lowered to ATen
// operators, functionalized and decomposed as far as ONNX needs it; then each operator becomes the
// operators of ONNX that compute the same (a row of rows/). docs/onnx.md lists what is converted and
// what is refused. Neither ONNX's nor protobuf's library is needed, nor is libtorch.
//
// Inputs keep their names, and symbolic sizes are dimensions with the name of the symbol. Nodes are
// named by module and node, `layer1.0.conv/convolution`; stack traces are their doc strings.
#pragma once

#include "fx/ir/module/tensor.h"
#include "fx/ir/support/ordered_map.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fx {

class Graph;
class Module;

/// An operator of the user's that becomes one of the user's domain. Its tensors are the inputs, in
/// the order of the schema; other arguments become attributes by their names.
struct OnnxCustomOp {
  std::string op;       ///< `user.swish.default`
  std::string domain;   ///< `com.user`
  std::string op_type;  ///< `Swish`
  int64_t version = 1;  ///< of the domain
};

/// The versions of ONNX's operator set that are written.
inline constexpr int kMinOnnxOpset = 17;
inline constexpr int kMaxOnnxOpset = 23;

struct OnnxOptions {
  int opset = 20;
  std::string_view graph_name = "main";
  /// Parameters, buffers and constants by their names in the model (interp/data_name.h): they
  /// become initializers; others are inputs. InvalidArgument when one does not have the type of its
  /// node. The result of onnx_model() does not refer to them.
  const OrderedMap<Tensor>* tensors = nullptr;
  /// Where get_attr finds tensors; null: the graph's owning module.
  const Module* root = nullptr;
  absl::Span<const OnnxCustomOp> custom_ops = {};
  /// Types of all values, names of modules and stack traces.
  bool metadata = true;
  /// write_onnx: when all weights together have more bytes, they go to a second file beside the
  /// first, `model.onnx.data`. A model without that file has at most 2 GiB.
  uint64_t max_embedded_bytes = 1'500'000'000;
};

/// The bytes of a model. An error lists every call that cannot be converted, each with the reason:
/// Unimplemented where ONNX cannot express it, InvalidArgument where it does not fit its operator
/// or a tensor does not fit its node, FailedPrecondition where a type is missing.
/// ResourceExhausted for models over 2 GiB.
absl::StatusOr<std::string> onnx_model(const Graph& graph, const OnnxOptions& options = {});

/// Writes a model. Files are replaced only when they are complete. Errors: those of onnx_model, and
/// of files.
absl::Status write_onnx(const Graph& graph, const std::string& path,
                        const OnnxOptions& options = {});

/// The operators that have a row: `aten.add.Tensor`, sorted.
std::vector<std::string_view> onnx_operators();

}  // namespace fx
