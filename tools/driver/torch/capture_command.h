// Shared by `fxcpp capture` and `fxcpp import`: capturing a model as requested and writing the
// graph, with its tensors next to it.
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
  std::string name;            ///< of the graph
  bool joint = false;          ///< forward, loss and backward
  std::string step;            ///< a training step with this optimizer (make_optimizer); "": none
  bool functionalize = false;  ///< a graph without writes (passes/functionalize/functionalize.h)
  bool defaults = true;        ///< keep arguments that equal the schema's defaults
  Execution execution = Execution::kReal;
  HookKind hook = HookKind::kAuto;
  /// "f32[8, 16]" or "1=f32[8, 16]": types of inputs, in order or by number.
  std::vector<std::string> inputs = {};
  /// "f32[batch, 16]" or "x=f32[batch, 16]": inputs with symbolic sizes; and "batch=2:64": ranges.
  std::vector<std::string> dynamic = {}, ranges = {};
  std::vector<std::string> keep = {};  ///< operators that are recorded whole: CaptureOptions::keep
  DynamicSizes sizes = {};             ///< of `dynamic` and `ranges`; see read_dynamic_sizes
  uint64_t seed = 0;
  std::string output;  ///< a path; "" and "-": standard output
};

/// Declares --joint, --step, --functionalize, --defaults, --mode, --hook, --input, --dynamic,
/// --range, --keep, --seed, --threads and -o.
void add_request_options(CLI::App& app, CaptureRequest& request);

/// A tensor of the type with this text: random numbers, or zeros and ones if it is not a
/// floating-point type; without memory for Execution::kFake. InvalidArgument for a string that is
/// not a tensor type, or has symbols.
absl::StatusOr<at::Tensor> example_tensor(Context& context, std::string_view type,
                                          Execution execution);

/// Replaces the model's inputs with inputs of the requested types. Integers are copied from the
/// original inputs, if they fit. InvalidArgument for a wrong number or type.
absl::Status replace_inputs(Context& context, const CaptureRequest& request, ModelInstance& model);

/// Sets `request.sizes`. `names` has the names of the inputs, by which types may be given; numbers
/// from 0 are always accepted. InvalidArgument for an unknown input or a wrong range.
absl::Status read_dynamic_sizes(CaptureRequest& request, const std::vector<std::string>& names);

/// Captures and writes. With Execution::kReal and a file as output, `g.safetensors` next to `g.fx`
/// contains the values of the graph's placeholders and its results (interp/torch/graph_data.h).
/// Returns errors of capture and of writing files.
absl::Status capture_to_file(Context& context, const ModelInstance& model,
                             const CaptureRequest& request);

}  // namespace fx
