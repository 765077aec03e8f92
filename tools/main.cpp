// fxcpp: the command. Every subcommand is a thin face on a library function (design: one row each).
#include "tools/command.h"

#include "absl/strings/str_replace.h"
#include "fmt/format.h"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace {

using fx::tools::Command;

constexpr Command kCommands[] = {
#ifdef FX_TORCH
    {"capture", "Trace a C++ libtorch model: forward, with its backward pass, or a training step",
     "fxcpp capture resnet18 --joint -o resnet18.fx    # and resnet18.safetensors with its "
     "tensors\n"
     "fxcpp capture gpt --joint --mode untouched --set layers=48 --set width=1600 --set heads=25",
     fx::tools::add_capture},
    {"import", "Trace a TorchScript file: forward, or with its backward pass",
     "fxcpp import model.pt --input 'x=f32[8, 3, 32, 32]' --joint --loss cross_entropy -o model.fx",
     fx::tools::add_import},
    {"run", "Execute a graph through libtorch, and compare with what it should give",
     "fxcpp run resnet18.fx --check resnet18.safetensors", fx::tools::add_run},
#endif
    {"print", "Show a graph: as .fx text, JSON, torch.fx's listing or a table",
     "fxcpp print model.json                    # .fx text, which every subcommand reads\n"
     "fxcpp print model.fx --preset tabular     # torch.fx's print_tabular",
     fx::tools::add_print},
    {"verify", "Check a graph and list all findings, each with its place and a remedy",
     "fxcpp verify model.fx", fx::tools::add_verify},
    {"diff", "Compare the structure of two graphs and explain the first difference",
     "fxcpp diff before.fx after.fx --ignore names,meta", fx::tools::add_diff},
    {"convert", "Write a graph in another form: text, JSON or binary, by the output's ending",
     "fxcpp convert model.json -o model.fxb     # binary: small, and quick to read",
     fx::tools::add_convert},
    {"ops", "List operators: schema, effects, aliasing; or the unknown ones of a graph",
     "fxcpp ops aten.add.Tensor                 # one operator\n"
     "fxcpp ops --missing model.json            # what has no row or no type function\n"
     "fxcpp ops --check cases.jsonl.gz          # type functions against recorded calls",
     fx::tools::add_ops},
    {"shape", "Show the type of every node; compare with the types in the file",
     "fxcpp shape model.json --input x='f32[s0, 3]'\n"
     "fxcpp shape model.json --compare          # inferred against recorded types\n"
     "fxcpp shape model.json --summary          # parameters, FLOPs, memory\n"
     "fxcpp shape model.fx --concrete --compare # types by running it (needs libtorch)",
     fx::tools::add_shape},
    {"opt", "Run passes over a graph",
     "fxcpp opt model.fx --passes "
     "functionalize,eliminate_common_subexpressions,eliminate_dead_code",
     fx::tools::add_opt},
    {"emit", "Write a graph as a picture, or as data for other programs",
     "fxcpp emit model.json --to svg -o model.svg             # modules, when it is large\n"
     "fxcpp emit model.json --to svg --module layer1 -o layer1.svg\n"
     "fxcpp emit model.json --to dot --around relu_3 --depth 2\n"
     "fxcpp emit model.json --to networkx -o model.networkx.json",
     fx::tools::add_emit},
};

}  // namespace

int main(int argc, char** argv) {
#ifdef FX_TORCH
  fx::tools::type_by_running() = &fx::tools::type_by_running_in_torch;
#endif
  CLI::App app{
      "torch.fx's programming model as a native command: read, look at, check and compare "
      "graphs.\nINPUT is a file or - (standard input): .fx text, JSON or binary .fxb, found from "
      "its "
      "content.",
      "fxcpp"};
  app.set_version_flag("--version", "fxcpp " FXCPP_VERSION);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, fx::tools::Run>> runs;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.about);
    sub->footer("Example:\n  " + absl::StrReplaceAll(command.example, {{"\n", "\n  "}}));
    runs.emplace_back(sub, command.add(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? fx::tools::kDone : fx::tools::kUsage;
  }
  for (auto& [sub, run] : runs) {
    if (!sub->parsed()) continue;
    absl::StatusOr<int> status = run();
    if (status.ok()) return *status;
    fmt::print(stderr, "fxcpp {}: {}\n", sub->get_name(), std::string(status.status().message()));
    return fx::tools::kFound;
  }
  return fx::tools::kUsage;
}
