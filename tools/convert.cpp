// fxcpp convert: writes a graph in the form that the output's name says.
#include "fx/ir/support/status.h"
#include "tools/command.h"

#include "CLI/CLI.hpp"

namespace fx::tools {

Run add_convert(CLI::App& app) {
  struct ConvertFlags {
    std::string input, output;
  };
  auto options = std::make_shared<ConvertFlags>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("-o", options->output,
                 "the file to write: .fx is text, .json the interchange JSON, .fxb the binary form")
      ->required();
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, options->input));
    FX_RETURN_IF_ERROR(save_graph(*graph, options->output));
    return kDone;
  };
}

}  // namespace fx::tools
