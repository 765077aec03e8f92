// fxcpp print: shows a graph in one of the forms of ir/text.h, or as JSON.
#include "fx/ir/json.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "tools/command.h"

#include "CLI/CLI.hpp"

namespace fx::tools {

Run add_print(CLI::App& app) {
  struct Options {
    std::string input, output, preset = "fx";
    bool no_types = false, no_meta = false;
  };
  auto options = std::make_shared<Options>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("--preset", options->preset,
                 "fx: text that parses back; torch: torch.fx's listing; tabular: torch.fx's "
                 "print_tabular; numbered: values as v1, v2; canonical: without names; json")
      ->check(CLI::IsMember({"fx", "torch", "tabular", "numbered", "canonical", "json"}))
      ->capture_default_str();
  app.add_flag("--no-types", options->no_types, "leave types out");
  app.add_flag("--no-meta", options->no_meta, "leave meta data out");
  app.add_option("-o", options->output, "write to this file instead of standard output");
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, options->input));
    std::string text;
    if (options->preset == "json") {
      FX_ASSIGN_OR_RETURN(text, write_json(*graph));
    } else {
      PrintOptions print_options;
      print_options.preset = *print_preset_from_name(options->preset);
      print_options.types = !options->no_types;
      print_options.meta = !options->no_meta;
      print(*graph, text, print_options);
    }
    FX_RETURN_IF_ERROR(write_file(options->output, text));
    return kDone;
  };
}

}  // namespace fx::tools
