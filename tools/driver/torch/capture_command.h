// tools/driver/torch/capture_command.h - what `fxcpp capture` and `fxcpp import` do with a model:
// capture it as asked for and write the graph, with its tensors beside it.
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

/// What is to be captured, and how.
struct CaptureRequest {
  std::string name;            ///< of the graph
  bool joint = false;          ///< forward, loss and backward
  std::string step;            ///< a training step with this optimizer (make_optimizer); "": none
  bool functionalize = false;  ///< a graph without writes (passes/functionalize/functionalize.h)
  bool defaults = true;        ///< arguments that equal the schema's defaults stay
  Execution execution = Execution::kReal;
  HookKind hook = HookKind::kAuto;
  /// "f32[8, 16]" or "1=f32[8, 16]": types of inputs, in order or by number.
  std::vector<std::string> inputs = {};
  uint64_t seed = 0;
  std::string output;  ///< a path; "" and "-": standard output
};

/// Declares --joint, --step, --functionalize, --defaults, --mode, --hook, --input, --seed,
/// --threads and -o.
void add_request_options(CLI::App& app, CaptureRequest& request);

/// A tensor of a type as it is written: noise, zeros and ones where it is not of floating point;
/// without memory for Execution::kFake. InvalidArgument for what is no type of a tensor, or
/// has symbols.
absl::StatusOr<at::Tensor> example_tensor(Context& context, std::string_view type,
                                          Execution execution);

/// Replaces the model's inputs by others of the types that are asked for; whole numbers are taken
/// from those that they replace, where they fit. InvalidArgument for a number or type that is
/// wrong.
absl::Status replace_inputs(Context& context, const CaptureRequest& request, ModelInstance& model);

/// Captures and writes. With Execution::kReal and a file as output, `g.safetensors` beside `g.fx`
/// holds what the graph's placeholders stand for and what it returned (interp/torch/graph_data.h).
/// Errors: those of capture and of writing files.
absl::Status capture_to_file(Context& context, const ModelInstance& model,
                             const CaptureRequest& request);

}  // namespace fx
