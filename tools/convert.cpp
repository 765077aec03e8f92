// fxcpp convert: writes a graph in the form that the output's name says.
#include "fx/ir/binary.h"
#include "fx/ir/json.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "tools/command.h"

#include "fmt/format.h"

#include "CLI/CLI.hpp"

namespace fx::tools {

absl::Status save_graph(const Graph& graph, const std::string& path) {
  const size_t dot = path.rfind('.');
  const std::string ending = dot == std::string::npos ? "" : path.substr(dot);
  if (ending == ".fxb") return write_binary_file(graph, path);
  if (ending == ".json") {
    FX_ASSIGN_OR_RETURN(const std::string text, write_json(graph));
    return write_file(path, text);
  }
  if (ending == ".fx" || path == "-" || path.empty()) return write_file(path, print(graph));
  return absl::InvalidArgumentError(fmt::format(
      "{}: the ending says no form of graphs; use .fx (text), .json or .fxb (binary)", path));
}

Run add_convert(CLI::App& app) {
  struct Options {
    std::string input, output;
  };
  auto options = std::make_shared<Options>();
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
