// fxcpp convert: writes a graph in the format that the file name extension of the output selects.
#include "fx/ir/support/status.h"
#include "fx/tools/driver/document.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <cstdio>
#include <memory>
#include <string>

#include "CLI/CLI.hpp"

namespace fx::tools {

Run add_convert(CLI::App& app) {
  struct ConvertFlags {
    std::string input, output;
    bool graph_only = false;
  };
  auto options = std::make_shared<ConvertFlags>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option(
         "-o", options->output,
         "the file to write: .fx is text, .json the interchange JSON, .fxb the binary format, "
         ".safetensors a module with its tensors, .pt2 a program for PyTorch; in the other "
         "formats, the tensors are written to g.safetensors next to g.fx")
      ->required();
  app.add_flag("--graph-only", options->graph_only,
               "write a .fx or .fxb file without the modules that the graph calls");
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_RETURN_IF_ERROR(command_extensions().set_up(context));
    FX_ASSIGN_OR_RETURN(const Document document,
                        Document::read_and_print_notes(context, options->input));
    FX_ASSIGN_OR_RETURN(const std::string left_out,
                        document.write(options->output,
                                       {.graph_only = options->graph_only, .with_examples = true}));
    if (!left_out.empty()) fmt::print(stderr, "# {}\n", left_out);
    return kDone;
  };
}

}  // namespace fx::tools
