// Captures a model and writes the graph, with its tensors next to it, for `fxcpp capture` and
// `fxcpp import`.
#pragma once

#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/modules/model.h"
#include "fx/ir/graph/context.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace fx {

/// The options of a capture.
struct CaptureRequest {
  std::string name;    ///< the name of the graph
  bool joint = false;  ///< capture forward, loss and backward
  std::string step;  ///< if not empty, capture a training step with this optimizer (make_optimizer)
  bool functionalize = false;  ///< remove writes (passes/functionalize/functionalize.h)
  bool defaults = true;        ///< keep arguments that equal the schema's defaults
  Execution execution = Execution::kReal;
  HookKind hook = HookKind::kAuto;
  /// The types of inputs, in order: "f32[8, 16]"; or by number, "1=f32[8, 16]". `fxcpp import`
  /// uses names, "x=f32[8, 16]", not numbers.
  std::vector<std::string> inputs = {};
  /// Inputs with symbolic sizes, "f32[batch, 16]" or "x=f32[batch, 16]", and ranges of sizes,
  /// "batch=2:64".
  std::vector<std::string> dynamic = {}, ranges = {};
  std::vector<std::string> keep = {};  ///< operators to record as one call: CaptureOptions::keep
  bool keep_backward = false;          ///< CaptureOptions::keep_backward
  DynamicSizes sizes = {};  ///< the parsed `dynamic` and `ranges`; set by read_dynamic_sizes
  uint64_t seed = 0;
  std::string output;  ///< a path; "" and "-" mean standard output
};

/// Declares --joint, --step, --functionalize, --defaults, --mode, --hook, --input, --dynamic,
/// --range, --keep, --keep-backward, --seed, --threads and -o.
void add_request_options(CLI::App& app, CaptureRequest& request);

/// Returns a tensor of the type with this text. It contains random numbers; integers and
/// bools are 0 or 1. With Execution::kFake, it has no memory. Returns InvalidArgument if
/// the text is not a tensor type or contains symbols.
absl::StatusOr<at::Tensor> example_tensor(Context& context, std::string_view type,
                                          Execution execution);

/// Replaces the model's inputs with inputs of the requested types. Integers are copied from the
/// original inputs if possible. Returns InvalidArgument for an input that does not exist or is set
/// twice, and for an invalid type.
absl::Status replace_inputs(Context& context, const CaptureRequest& request, ModelInstance& model);

/// Sets `request.sizes`. `names` contains the names of the inputs. Types refer to inputs by name,
/// or by zero-based index. Returns InvalidArgument for an unknown input or an invalid range.
absl::Status read_dynamic_sizes(CaptureRequest& request, const std::vector<std::string>& names);

/// Captures a model and writes the graph. With Execution::kReal and a file as output,
/// `g.safetensors` next to `g.fx` contains the values of the graph's placeholders and its results
/// (interp/torch/graph_data.h). Returns errors of capture and of writing files.
absl::Status capture_to_file(Context& context, const ModelInstance& model,
                             const CaptureRequest& request);

}  // namespace fx
