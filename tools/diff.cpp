// fxcpp diff: the first structural difference of two graphs.
#include "fx/ir/diff.h"

#include "fx/ir/support/status.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <algorithm>

#include "CLI/CLI.hpp"

namespace fx::tools {

Run add_diff(CLI::App& app) {
  struct Options {
    std::string left, right;
    std::vector<std::string> ignore;
  };
  auto options = std::make_shared<Options>();
  app.add_option("A", options->left, "a graph")->required();
  app.add_option("B", options->right, "the graph to compare it with")->required();
  app.add_option("--ignore", options->ignore, "what need not agree: names, meta, types")
      ->delimiter(',')
      ->check(CLI::IsMember({"names", "meta", "types"}));
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> left, load_graph(context, options->left));
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> right, load_graph(context, options->right));
    auto ignored = [&](const char* what) {
      return std::find(options->ignore.begin(), options->ignore.end(), what) !=
             options->ignore.end();
    };
    auto difference = first_difference(*left, *right,
                                       {.ignore_names = ignored("names"),
                                        .ignore_meta = ignored("meta"),
                                        .ignore_types = ignored("types")});
    if (!difference) return kDone;
    FX_RETURN_IF_ERROR(write_file("-", difference->message + "\n"));
    return kFound;
  };
}

}  // namespace fx::tools
