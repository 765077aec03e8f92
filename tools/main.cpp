// fxcpp: the command. Every subcommand is a thin wrapper around library functions, with one row in
// a table.
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/exceptions.h"
#include "fx/ir/support/steps.h"
#include "fx/tools/driver/command_line.h"
#include "fx/tools/driver/plugin.h"
#include "tools/command.h"
#include "tools/parts.h"

#include "absl/strings/str_replace.h"
#include "fmt/format.h"

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"

namespace {

using fx::tools::Command;
using fx::tools::Run;
using fx::tools::TorchPart;

/// Declares a subcommand of the part `torch`. If the part cannot be loaded, the subcommand accepts
/// all arguments and fails.
template <Run (*TorchPart::*add)(CLI::App&)>
Run in_torch(CLI::App& app) {
  absl::StatusOr<const TorchPart*> torch = fx::tools::torch_part();
  if (torch.ok()) return ((*torch)->*add)(app);
  app.allow_extras();
  return [status = torch.status()]() -> absl::StatusOr<int> { return status; };
}

constexpr const char* kLoadPlugin = "--load-plugin";

/// Returns the subcommand on the command line, or an empty string if there is none.
std::string_view subcommand_of(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == kLoadPlugin)
      ++i;
    else if (argv[i][0] != '-')
      return argv[i];
  }
  return {};
}

/// Declares --load-plugin, which load_plugins() has already processed.
void declare_load_plugin(CLI::App& app) {
  app.add_option(
         kLoadPlugin,
         "FILE: a plugin with passes, rules, operators or formats (docs/plugins.md); may be "
         "repeated")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

/// Declares `import`. For a plugin's format, it is `convert`. For a .pt2 archive or an ONNX model,
/// it does not require libtorch, and its options differ from the options for TorchScript.
Run add_import(CLI::App& app) {
  if (fx::tools::imports_with_plugin()) return fx::tools::add_convert(app);
  return fx::tools::imports_program() ? fx::tools::add_import_program(app)
                                      : in_torch<&TorchPart::add_import>(app);
}

constexpr Command kCommands[] = {
    {"capture", "Trace a C++ libtorch model: forward, with its backward pass, or a training step",
     "fxcpp capture resnet18 --joint -o resnet18.fx    # and resnet18.safetensors with its "
     "tensors\n"
     "fxcpp capture gpt --joint --mode fake --set layers=48 --set width=1600 --set heads=25",
     in_torch<&TorchPart::add_capture>},
    {"import",
     "Read a .pt2 archive from torch.export or an ONNX model, or trace a TorchScript file",
     "The options depend on the kind of file: fxcpp import model.pt2 --help\n"
     "fxcpp import model.onnx -o model.fx        # and model.safetensors with its tensors\n"
     "fxcpp import model.pt2 -o program.fx       # and program.safetensors with its tensors\n"
     "fxcpp import model.pt --input 'x=f32[8, 3, 32, 32]' --joint --loss cross_entropy -o model.fx",
     add_import},
    {"run", "Execute a graph with libtorch, and compare with expected results",
     "fxcpp run resnet18.fx --check resnet18.safetensors", in_torch<&TorchPart::add_run>},
    {"minimize", "Find the calls whose results are changed by passes",
     "fxcpp minimize model.fx --passes simplify                   # bisects parts that differ\n"
     "fxcpp minimize model.fx --passes decompose --rtol 1e-4 --method sequential --all",
     in_torch<&TorchPart::add_minimize>},
    {"print", "Show a graph as .fx text, JSON, torch.fx's listing or a table",
     "fxcpp print model.json                    # .fx text, which every subcommand reads\n"
     "fxcpp print model.fx --preset tabular     # torch.fx's print_tabular\n"
     "fxcpp print model.fx --module 'fc*'       # only the nodes of these modules",
     fx::tools::add_print},
    {"verify", "Check a graph and list all findings, each with its location and a hint",
     "fxcpp verify model.fx", fx::tools::add_verify},
    {"diff", "Compare two graphs, by structure or by running them; explain the first difference",
     "fxcpp diff before.fx after.fx --ignore names,meta\n"
     "fxcpp diff before.fx after.fx --run --rtol 1e-5     # values (needs libtorch)",
     fx::tools::add_diff},
    {"convert",
     "Write a graph in a different format: text, JSON or binary, selected by the output's "
     "extension",
     "fxcpp convert model.json -o model.fxb     # binary: small and fast to read",
     fx::tools::add_convert},
    {"state",
     "List, compare and convert tensor files: safetensors, state dicts saved by torch.save",
     "fxcpp state checkpoint.pth                        # names, types, other values\n"
     "fxcpp state checkpoint.pth --prefix model -o weights.safetensors\n"
     "fxcpp state before.pt --compare after.safetensors",
     fx::tools::add_state},
    {"ops", "List operators: schema, effects, aliasing; or the unknown operators of a graph",
     "fxcpp ops aten.add.Tensor                 # one operator\n"
     "fxcpp ops --missing model.json            # functions without a row or type function\n"
     "fxcpp ops --check cases.jsonl.gz          # checks type functions",
     fx::tools::add_ops},
    {"shape", "Show the type of every node; compare with the types in the file",
     "fxcpp shape model.json --input x='f32[s0, 3]'\n"
     "fxcpp shape model.json --compare          # compares with recorded types\n"
     "fxcpp shape model.json --summary          # parameters, FLOPs, memory\n"
     "fxcpp shape model.fx --concrete --compare # types by running it (needs libtorch)",
     fx::tools::add_shape},
    {"opt", "Run passes over a graph",
     "fxcpp opt model.fx --passes "
     "functionalize,eliminate_common_subexpressions,eliminate_dead_code\n"
     "fxcpp opt model.fx --passes 'functionalize{copy_back=false}' --time -o new.fx\n"
     "fxcpp opt failed.fx                       # reproduces a failure (--reproducer failed.fx)",
     fx::tools::add_opt},
    {"rewrite", "Replace patterns using rules written as pairs of graphs",
     "fxcpp rewrite model.fx --rules fusions.fx --report\n"
     "fxcpp rewrite model.fx --rules fusions.fx --explain attention   # why does it not match?",
     fx::tools::add_rewrite},
    {"grad", "Differentiate a graph: gradients, tangents, or the joint graph",
     "fxcpp grad loss.fx                        # the gradients of a graph that returns one "
     "number\n"
     "fxcpp grad model.fx --joint --style aten -o joint.fx\n"
     "fxcpp grad loss.fx --mode forward --wrt x --input x='f32[3, 3]'",
     fx::tools::add_grad},
    {"vmap", "Create a graph for a batch from a graph for one example",
     "fxcpp vmap example.fx --in x=0,w=none\n"
     "fxcpp vmap example.fx --in x=0 --out 1 --size 8 -o batched.fx",
     fx::tools::add_vmap},
    {"partition", "Cut a joint graph into forward and backward, and choose the saved values",
     "fxcpp partition joint.fx --joint min-cut -o parts\n"
     "fxcpp partition joint.fx --budget 0.5 -o parts        # half of what --joint default saves",
     fx::tools::add_partition},
    {"passes", "List the passes with their options, or describe one pass",
     "fxcpp passes\n"
     "fxcpp passes functionalize\n"
     "fxcpp passes --decompositions                # the operators that decompose supports",
     fx::tools::add_passes},
    {"emit", "Write a graph as a picture, as data for other programs, or as code",
     "fxcpp emit model.json --to svg -o model.svg             # modules, if it is large\n"
     "fxcpp emit model.json --to svg --module layer1 -o layer1.svg\n"
     "fxcpp emit model.json --to dot --around relu_3 --depth 2\n"
     "fxcpp emit model.json --to networkx -o model.networkx.json\n"
     "fxcpp emit model.fx --to cpp -o model.h                 # a class over at::Tensor\n"
     "fxcpp emit model.fx --to folder -o model                # with weights and a check",
     fx::tools::add_emit},
    {"completion", "Print a script that completes command lines in a shell",
     "fxcpp completion bash                     # in ~/.bashrc: source <(fxcpp completion bash)\n"
     "fxcpp completion zsh                      # in ~/.zshrc: source <(fxcpp completion zsh)",
     fx::tools::add_completion},
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "torch.fx's programming model as a native command: read, print, check and compare "
      "graphs.\nINPUT is a file or - (standard input): .fx text, JSON or binary .fxb, detected "
      "from its content.",
      "fxcpp"};
  app.set_version_flag("--version", "fxcpp " FXCPP_VERSION);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Run>> runs;
  // Declare only the options of the called subcommand, because declaring the options of `capture`
  // loads libtorch. `completion` lists the options of all subcommands.
  const std::string_view called = subcommand_of(argc, argv);
  fx::tools::set_command_arguments({argv, static_cast<size_t>(argc)});
  if (const absl::Status status = fx::load_plugins(argc, argv, fx::command_extensions());
      !status.ok()) {
    fmt::print(stderr, "fxcpp: {}\n", std::string(status.message()));
    return fx::exit_status(status);
  }
  declare_load_plugin(app);
  bool time = false;
  for (const Command& command : kCommands) {
    CLI::App* sub = app.add_subcommand(command.name, command.description);
    sub->footer("Example:\n  " + absl::StrReplaceAll(command.example, {{"\n", "\n  "}}));
    if (called != command.name && called != "completion") continue;
    runs.emplace_back(sub, command.add(*sub));
    declare_load_plugin(*sub);
    if (!sub->get_option_no_throw("--time"))
      sub->add_flag("--time", time, "print the time and memory of each step on standard error");
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return fx::report_usage(app, error, "fxcpp");
  }
  for (auto& [sub, run] : runs) {
    if (!sub->parsed()) continue;
    fx::StepReport report;
    // Exceptions that reach this point are errors of libtorch or the C++ library: out of memory.
    absl::StatusOr<int> status =
        fx::without_exceptions([&] { return run(); },
                               [](std::string_view what) -> absl::StatusOr<int> {
                                 return absl::InternalError(fmt::format("error: {}", what));
                               });
    if (time) fmt::print(stderr, "{}", report.str());
    if (status.ok()) return *status;
    fmt::print(stderr, "fxcpp {}: {}\n", sub->get_name(), std::string(status.status().message()));
    if (fx::exit_status(status.status()) == fx::tools::kUsage)
      fmt::print(stderr, "Run fxcpp {} --help for more information.\n", sub->get_name());
    return fx::exit_status(status.status());
  }
  return fx::tools::kUsage;
}
