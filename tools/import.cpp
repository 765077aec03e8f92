// fxcpp import of .pt2 archives: a graph with its tensors in a file next to it. (TorchScript:
// tools/torch/import.cpp.)
#include "fx/importers/pt2/pt2.h"
#include "fx/interp/data_name.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/graph_module_file.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <memory>
#include <utility>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

absl::Span<char* const> command_arguments;

struct ImportPt2Flags {
  std::string input, output;
  Pt2ReadOptions read;
};

/// Weights and constants by path, and the example inputs as in.0, in.1, ...
absl::StatusOr<std::vector<std::pair<std::string, Tensor>>> tensors_of(const Pt2Program& program) {
  FX_ASSIGN_OR_RETURN(
      const std::vector<NamedAttribute> state,
      program.module->state_dict({.non_persistent_buffers = true, .constants = true}));
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const NamedAttribute& entry : state)
    if (entry.attribute->tensor.has_data())
      tensors.emplace_back(entry.path, entry.attribute->tensor);
  for (size_t i = 0; i < program.sample_inputs.size(); ++i)
    if (program.sample_inputs[i].tensor)
      tensors.emplace_back(fmt::format("in.{}", i), program.sample_inputs[i].tensor);
  return tensors;
}

absl::StatusOr<int> import_pt2(ImportPt2Flags options) {
  const std::string& output = options.output;
  const bool is_whole = output.ends_with(".safetensors");
  if (!is_whole) FX_RETURN_IF_ERROR(check_graph_ending(output));
  Context context;
  std::vector<std::string> notes;
  options.read.notes = &notes;
  FX_ASSIGN_OR_RETURN(const Pt2Program program, read_pt2(context, options.input, options.read));
  for (const std::string& note : notes) fmt::print(stderr, "{}: note: {}\n", options.input, note);
  if (is_whole) {
    FX_RETURN_IF_ERROR(save_graph_module(*program.module, output));
    return kDone;
  }
  const Graph& graph = program.module->graph();
  if (output.empty() || output == "-") {
    FX_RETURN_IF_ERROR(write_file("-", print(graph)));
    return kDone;
  }
  FX_RETURN_IF_ERROR(check_data_names(graph));
  FX_ASSIGN_OR_RETURN(const auto tensors, tensors_of(program));
  // Write the data first, so that an error does not leave a graph without its tensors.
  if (!tensors.empty()) FX_RETURN_IF_ERROR(write_safetensors(data_path(output), tensors));
  FX_RETURN_IF_ERROR(write_graph_file(graph, output));
  return kDone;
}

}  // namespace

void set_command_arguments(absl::Span<char* const> arguments) { command_arguments = arguments; }

bool imports_pt2() {
  for (const char* argument : command_arguments)
    if (std::string_view(argument).ends_with(".pt2") || is_pt2_file(argument)) return true;
  return false;
}

bool imports_with_plugin() {
  for (const char* argument : command_arguments)
    if (command_extensions().find_format(argument) != nullptr) return true;
  return false;
}

Run add_import_pt2(CLI::App& app) {
  auto options = std::make_shared<ImportPt2Flags>();
  app.add_option("FILE", options->input, "a .pt2 archive (torch.export.save)")->required();
  app.add_option(
      "-o,--output", options->output,
      "the graph, .fx, .fxb or .json, with its tensors in a .safetensors file next to it; "
      "or one .safetensors file with both; default: text on standard output");
  app.add_flag("--lifted", options->read.lifted,
               "keep the form of the file: parameters and buffers are inputs, and new values of "
               "buffers are returned");
  app.add_option("--model", options->read.model, "the program, of an archive that has several");
  return [options]() -> absl::StatusOr<int> { return import_pt2(*options); };
}

}  // namespace fx::tools
