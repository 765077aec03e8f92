// Writes graphs as ONNX models, for onnxruntime and other runtimes.
//
//   FX_RETURN_IF_ERROR(write_onnx(graph, "model.onnx", {.tensors = &weights}));
//
// The graph may be a forward, a joint or a training graph. A copy of it is lowered to ATen
// operators, functionalized, and decomposed as far as ONNX requires; then each operator is
// converted to equivalent ONNX operators by a row in rows/. docs/onnx.md lists supported and
// unsupported operators. Requires neither ONNX's nor protobuf's library, nor libtorch.
//
// Inputs keep their names, and a symbolic size becomes a dimension with the symbol's name. Nodes
// are named after the module and the node, as in `layer1.0.conv/convolution`; their doc strings are
// stack traces.
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

/// Converts a custom operator to an operator in the user's domain. Its tensor arguments become
/// inputs, in the order of the schema; other arguments become attributes with the same names.
struct OnnxCustomOp {
  std::string op;       ///< `user.swish.default`
  std::string domain;   ///< `com.user`
  std::string op_type;  ///< `Swish`
  int64_t version = 1;  ///< the version of the domain
};

/// The supported versions of ONNX's operator set.
inline constexpr int kMinOnnxOpset = 17;
inline constexpr int kMaxOnnxOpset = 23;

struct OnnxOptions {
  int opset = 20;
  std::string_view graph_name = "main";
  /// Parameters, buffers and constants, by their names in the model (interp/data_name.h). They
  /// become initializers; other tensors are inputs. Each tensor must have the type of its node;
  /// otherwise, the functions return InvalidArgument. The result of onnx_model() does not refer to
  /// the tensors.
  const OrderedMap<Tensor>* tensors = nullptr;
  /// The module that contains the tensors of get_attr nodes; null means the graph's owning module.
  const Module* root = nullptr;
  /// If false, these tensors are inputs of the model instead of initializers.
  bool weights = true;
  absl::Span<const OnnxCustomOp> custom_ops = {};
  /// Write the types of all values, module names and stack traces.
  bool metadata = true;
  /// If the weights have more bytes than this, write_onnx writes them to a second file,
  /// `model.onnx.data`, next to the first. A model in a single file must be smaller than 2 GiB.
  uint64_t max_embedded_bytes = 1'500'000'000;
};

/// Returns the bytes of a model. An error lists every call that cannot be converted, with the
/// reason: Unimplemented if ONNX cannot express the call, InvalidArgument if the call does not
/// match its operator or a tensor does not match its node, FailedPrecondition if a type is missing.
/// Returns ResourceExhausted for models larger than 2 GiB.
absl::StatusOr<std::string> onnx_model(const Graph& graph, const OnnxOptions& options = {});

/// Writes a model. Replaces files only after the new ones are complete. Returns the errors of
/// onnx_model and of writing files.
absl::Status write_onnx(const Graph& graph, const std::string& path,
                        const OnnxOptions& options = {});

/// Returns the names of the operators that have a row, such as `aten.add.Tensor`, sorted.
std::vector<std::string_view> onnx_operators();

}  // namespace fx
