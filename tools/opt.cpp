// fxcpp opt: runs passes over a graph.
#include "fx/ir/support/status.h"
#include "fx/ir/verifier.h"
#include "fx/passes/eliminate_common_subexpressions.h"
#include "fx/passes/eliminate_dead_code.h"
#include "tools/command.h"

#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct Pass {
  std::string_view name;
  std::string_view about;
  absl::StatusOr<bool> (*run)(Graph& graph);
};

constexpr Pass kPasses[] = {
    {"eliminate-dead-code", "remove calls that nobody reads and that do nothing else",
     [](Graph& graph) { return eliminate_dead_code(graph); }},
    {"eliminate-common-subexpressions", "compute once what is computed several times",
     [](Graph& graph) { return eliminate_common_subexpressions(graph); }},
};

absl::StatusOr<const Pass*> find_pass(std::string_view name) {
  const auto* pass = std::find_if(std::begin(kPasses), std::end(kPasses),
                                  [name](const Pass& row) { return row.name == name; });
  if (pass != std::end(kPasses)) return pass;
  std::string known;
  for (const Pass& row : kPasses) known += (known.empty() ? "" : ", ") + std::string(row.name);
  return absl::NotFoundError(fmt::format("there is no pass {}; known are {}", name, known));
}

std::string pass_help() {
  std::string help = "passes, in order, with commas between:";
  for (const Pass& pass : kPasses) help += fmt::format("\n{}: {}", pass.name, pass.about);
  return help;
}

}  // namespace

Run add_opt(CLI::App& app) {
  struct Options {
    std::string input, output;
    std::vector<std::string> passes;
  };
  auto options = std::make_shared<Options>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("--passes", options->passes, pass_help())->delimiter(',')->required();
  app.add_option("-o", options->output,
                 "the file to write (.fx, .json or .fxb), instead of text to standard output");
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, load_graph(context, options->input));
    FX_RETURN_IF_ERROR(verify_status(*graph));
    std::vector<const Pass*> passes;
    for (const std::string& name : options->passes) {
      FX_ASSIGN_OR_RETURN(const Pass* pass, find_pass(name));
      passes.push_back(pass);
    }
    for (const Pass* pass : passes) {
      FX_RETURN_IF_ERROR(pass->run(*graph));
      FX_RETURN_IF_ERROR(with_context(verify_status(*graph), fmt::format("after {}", pass->name)));
    }
    FX_RETURN_IF_ERROR(save_graph(*graph, options->output));
    return kDone;
  };
}

}  // namespace fx::tools
