// fxcpp import for .pt2 archives and ONNX models: writes a graph, with its tensors in a file next
// to it. tools/torch/import.cpp imports TorchScript.
#include "fx/importers/onnx/read_onnx.h"
#include "fx/importers/program_file.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/interp/data_name.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/graph_module_file.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/autodiff/loss.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

absl::Span<char* const> command_arguments;

struct ImportPt2Flags {
  std::string input, output, loss;
  bool joint = false;
  Pt2ReadOptions read;
};

struct ImportOnnxFlags {
  std::string input, output, constants;
};

using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

/// Returns weights and constants, by path.
absl::StatusOr<NamedTensors> tensors_of(const Module& module) {
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> state,
                      module.state_dict({.non_persistent_buffers = true, .constants = true}));
  NamedTensors tensors;
  for (const NamedAttribute& entry : state)
    if (entry.attribute->tensor.has_data())
      tensors.emplace_back(entry.path, entry.attribute->tensor);
  return tensors;
}

/// Returns an error if the extension of the output's name is not a graph format.
absl::Status check_output(const std::string& output) {
  return output.ends_with(".safetensors") ? absl::OkStatus() : check_graph_extension(output);
}

/// Writes a graph, and the tensors of `module` and `examples` next to it.
absl::StatusOr<int> write_with_tensors(const Graph& graph, const GraphModule& module,
                                       NamedTensors examples, const std::string& output) {
  if (output.empty() || output == "-") {
    FX_RETURN_IF_ERROR(write_file("-", print(graph)));
    return kDone;
  }
  FX_RETURN_IF_ERROR(check_data_names(graph));
  FX_ASSIGN_OR_RETURN(NamedTensors tensors, tensors_of(module));
  std::ranges::move(examples, std::back_inserter(tensors));
  // Write the data first, so that an error does not leave a graph without its tensors.
  if (!tensors.empty()) FX_RETURN_IF_ERROR(write_safetensors(data_path(output), tensors));
  FX_RETURN_IF_ERROR(write_graph_file(graph, output));
  return kDone;
}

/// Writes a module in the format that the extension of the output selects.
absl::StatusOr<int> write_imported(const GraphModule& module, NamedTensors examples,
                                   const std::string& output) {
  if (!output.ends_with(".safetensors"))
    return write_with_tensors(module.graph(), module, std::move(examples), output);
  FX_RETURN_IF_ERROR(save_graph_module(module, output));
  return kDone;
}

/// Returns the joint graph of a program. Its parameters are inputs.
absl::StatusOr<std::unique_ptr<Graph>> joint_of(const Pt2Program& program,
                                                const std::string& loss) {
  const std::unique_ptr<Graph> forward = program.module->graph().clone();
  forward->set_owning_module(program.module.get());
  if (!loss.empty()) FX_RETURN_IF_ERROR(return_loss(*forward, loss));
  return joint(*forward, {.style = GradStyle::kAten});
}

absl::StatusOr<int> import_pt2(ImportPt2Flags options) {
  FX_RETURN_IF_ERROR(check_output(options.output));
  if (options.joint && options.output.ends_with(".safetensors"))
    return absl::InvalidArgumentError("--joint: the output must be a graph, .fx, .fxb or .json");
  options.read.lifted = options.read.lifted || options.joint;
  Context context;
  std::vector<std::string> notes;
  options.read.notes = &notes;
  FX_ASSIGN_OR_RETURN(const Pt2Program program, read_pt2(context, options.input, options.read));
  for (const std::string& note : notes) fmt::print(stderr, "{}: note: {}\n", options.input, note);
  FX_ASSIGN_OR_RETURN(NamedTensors examples, example_tensors(program));
  if (!options.joint) return write_imported(*program.module, std::move(examples), options.output);
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, joint_of(program, options.loss));
  return write_with_tensors(*graph, *program.module, std::move(examples), options.output);
}

absl::StatusOr<int> import_onnx(const ImportOnnxFlags& options) {
  FX_RETURN_IF_ERROR(check_output(options.output));
  Context context;
  Safetensors constants;
  if (!options.constants.empty()) {
    FX_ASSIGN_OR_RETURN(constants, read_tensor_file(options.constants));
  }
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<GraphModule> module,
                      read_onnx(context, options.input, {.constants = &constants.tensors}));
  return write_imported(*module, {}, options.output);
}

bool names_onnx() {
  for (const char* argument : command_arguments)
    if (is_onnx_file(argument)) return true;
  return false;
}

Run add_import_onnx(CLI::App& app) {
  auto options = std::make_shared<ImportOnnxFlags>();
  app.add_option("FILE", options->input, "an ONNX model")->required();
  app.add_option("-o,--output", options->output,
                 "the graph, .fx, .fxb or .json, with its tensors in a .safetensors file next to "
                 "it; or one .safetensors file with both; default: text on standard output");
  app.add_option("--constants", options->constants,
                 "a file with values of inputs by name, .safetensors or .npz; these inputs become "
                 "constants, as some operators require for sizes and axes");
  return [options]() -> absl::StatusOr<int> { return import_onnx(*options); };
}

}  // namespace

void set_command_arguments(absl::Span<char* const> arguments) { command_arguments = arguments; }

bool imports_program() {
  if (names_onnx()) return true;
  for (const char* argument : command_arguments)
    if (std::string_view(argument).ends_with(".pt2") || is_pt2_file(argument)) return true;
  return false;
}

bool imports_with_plugin() {
  for (const char* argument : command_arguments)
    if (command_extensions().find_format(argument) != nullptr) return true;
  return false;
}

Run add_import_program(CLI::App& app) {
  if (names_onnx()) return add_import_onnx(app);
  auto options = std::make_shared<ImportPt2Flags>();
  app.add_option("FILE", options->input, "a .pt2 archive (torch.export.save)")->required();
  app.add_option(
      "-o,--output", options->output,
      "the graph, .fx, .fxb or .json, with its tensors in a .safetensors file next to it; "
      "or one .safetensors file with both; default: text on standard output");
  app.add_flag("--lifted", options->read.lifted,
               "keep the form of the file: parameters and buffers are inputs, and new values of "
               "buffers are returned");
  CLI::Option* const joint = app.add_flag("--joint", options->joint,
                                          "the joint graph: parameters, inputs and tangents as "
                                          "inputs; results and gradients as results");
  app.add_option("--loss", options->loss,
                 "for --joint: cross_entropy or mse of the first result and a target, or the index "
                 "of the result that is the loss; default: all results")
      ->needs(joint);
  app.add_option("--model", options->read.model,
                 "the program to import, if the archive contains more than one");
  return [options]() -> absl::StatusOr<int> { return import_pt2(*options); };
}

}  // namespace fx::tools
