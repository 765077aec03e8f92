// Implements the command line of a pipeline of passes: see opt_main.h.
#include "fx/tools/driver/opt_main.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/module/tensor_names.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/shape/input_type.h"
#include "fx/tools/driver/command_line.h"
#include "fx/tools/driver/document.h"
#include "fx/tools/driver/plugin.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx {
namespace {

struct Options {
  std::string input, output, tensor_names;
  std::vector<std::string> input_types;
  std::optional<std::string> passes;
  PassManagerOptions manager;
  bool print_before_all = false, print_after_all = false, time = false, changes = false,
       list = false, graph_only = false;
};

/// Returns the pipeline on the command line or, by default, the pipeline in the file.
absl::StatusOr<Pipeline> pipeline_of(const Options& options, const PassTable& passes,
                                     const Graph& graph) {
  if (options.passes) return parse_pipeline(passes, *options.passes);
  const std::optional<Argument> kept = graph.meta(kPipelineKey);
  if (kept && kept->is_string()) return parse_pipeline(passes, kept->as_string());
  return usage_error(
      fmt::format("no passes were specified; use --passes a,b (--list lists them); the graph does "
                  "not have metadata \"{}\"",
                  kPipelineKey));
}

const char* program_name(int argc, char** argv) { return argc > 0 ? argv[0] : "opt"; }

/// Returns an error for unknown names, because they do not disable a pass.
absl::Status check_disabled(const Options& options, const PassTable& passes) {
  for (const std::string& name : options.manager.disabled) {
    if (passes.find(name) != nullptr) continue;
    std::vector<std::string_view> known;
    for (const Pass& pass : passes.passes()) known.push_back(pass.name);
    return usage_error(fmt::format("--disable {}: unknown pass{}; --list lists the passes", name,
                                   did_you_mean(name, known)));
  }
  return absl::OkStatus();
}

void set_hooks(PassManager& manager, const Options& options) {
  const bool bisect = options.manager.bisect_limit != -1;
  manager.set_before_pass([&options, bisect](const Graph& graph, const PassRecord& record) {
    if (bisect) fmt::print(stderr, "BISECT: running pass ({}) {}\n", record.number, record.step);
    if (options.print_before_all) fmt::print(stderr, "# before {}\n{}", record.step, print(graph));
  });
  manager.set_after_pass([&options](const Graph& graph, const PassRecord& record) {
    for (const std::string& note : record.notes)
      fmt::print(stderr, "# {}: {}\n", record.step, note);
    if (options.changes) {
      fmt::print(stderr, "# {}: created [{}], erased [{}]\n", record.step,
                 fmt::join(record.created, ", "), fmt::join(record.erased, ", "));
    }
    if (options.print_after_all) {
      const std::string_view how = record.failed    ? " (failed)"
                                   : record.changed ? ""
                                                    : " (no change)";
      fmt::print(stderr, "# after {}{}\n{}", record.step, how, print(graph));
    }
  });
}

absl::StatusOr<int> run_pipeline(const Options& options, const Extensions& extensions) {
  const PassTable& passes = extensions.passes();
  llvm::EnablePrettyStackTrace();  // prints the name of the pass if it crashes
  if (options.list) {
    FX_RETURN_IF_ERROR(write_file("-", describe_passes(passes)));
    return 0;
  }
  if (options.input.empty()) return usage_error("the graph is missing; pass a file or -");
  FX_RETURN_IF_ERROR(check_disabled(options, passes));
  Context context;
  FX_RETURN_IF_ERROR(extensions.set_up(context));
  FX_ASSIGN_OR_RETURN(const Document document,
                      Document::read_and_print_notes(context, options.input));
  FX_RETURN_IF_ERROR(set_input_types(document.graph(), options.input_types));
  FX_ASSIGN_OR_RETURN(Pipeline pipeline, pipeline_of(options, passes, document.graph()));
  PassManager manager(std::move(pipeline), options.manager);
  set_hooks(manager, options);
  const TensorNames names(document.root());
  FX_ASSIGN_OR_RETURN(const PassReport report, manager.run(document.graph(), &document.root()));
  if (options.manager.bisect_limit != -1) {
    for (const PassRecord& record : report.records) {
      if (record.skipped)
        fmt::print(stderr, "BISECT: NOT running pass ({}) {}\n", record.number, record.step);
    }
  }
  if (options.time) fmt::print(stderr, "{}", report.str());
  if (!report.converged)
    fmt::print(stderr, "# after {} rounds, the passes were still changing the graph\n",
               report.rounds);
  FX_ASSIGN_OR_RETURN(const std::string left_out,
                      document.write(options.output, {.graph_only = options.graph_only}));
  if (!left_out.empty()) fmt::print(stderr, "# {}\n", left_out);
  if (options.tensor_names.empty()) return 0;
  nlohmann::ordered_json map = nlohmann::ordered_json::object();
  for (const auto& [now, before] : names.renamed_in(document.root())) map[now] = before;
  FX_RETURN_IF_ERROR(write_file(options.tensor_names, map.dump(1) + "\n"));
  return 0;
}

}  // namespace

std::string describe_passes(const PassTable& passes, std::string_view name) {
  std::string text;
  for (const Pass& pass : passes.passes()) {
    if (!name.empty() && pass.name != name) continue;
    text += fmt::format("{}\n    {}\n", pass.name, pass.description);
    for (const PassOption& option : pass.options) {
      text += fmt::format("    {}={}: {}\n", option.name, option_text(option.default_value),
                          option.description);
    }
    if (const std::string missing = missing_guarantees(pass); !missing.empty())
      text += fmt::format("    ({})\n", missing);
    if (!pass.origin.empty()) text += fmt::format("    (from {})\n", pass.origin);
  }
  return text;
}

std::function<absl::StatusOr<int>()> add_opt_options(CLI::App& app, const Extensions& extensions,
                                                     const ConstantEvaluator& evaluate) {
  auto options = std::make_shared<Options>();
  options->manager.evaluate = evaluate;
  PassManagerOptions& manager = options->manager;
  app.add_option("INPUT", options->input, "the graph");
  app.add_option("--passes", options->passes,
                 "the passes in order: a,b{option=false},c; default: the file's metadata "
                 "`pipeline`");
  app.add_option("--input", options->input_types,
                 "NAME=TYPE: the type of an input, for passes that need types; may be repeated");
  app.add_flag("--list", options->list, "list the passes with their options");
  app.add_option("--rounds", manager.max_rounds,
                 "repeat the passes while they change the graph, at most N times in total")
      ->check(CLI::Range(1, std::numeric_limits<int>::max(), "POSITIVE"))
      ->capture_default_str();
  app.add_flag("--print-before-all", options->print_before_all,
               "print the graph before each pass on standard error");
  app.add_flag("--print-after-all", options->print_after_all,
               "print the graph after each pass on standard error");
  app.add_flag("--changes", options->changes,
               "print the created and erased nodes of each pass on standard error");
  app.add_flag("--time,--stats", options->time,
               "print a table of the passes (change, nodes, time, counters) on standard error");
  app.add_option(
         "--bisect-limit", manager.bisect_limit,
         "run only the first N passes (-1: all), and print on standard error which ones run")
      ->check(check_integer);
  app.add_option("--disable", manager.disabled, "skip the passes with these names");
  app.add_option(
      "--reproducer", manager.reproducer,
      "FILE: if a pass fails or crashes, write the graph before the pass here; `opt FILE` "
      "reproduces the failure");
  app.add_flag("--check-changed", manager.check_changed,
               "check that each pass reports correctly whether it changed the graph");
  app.add_flag("!--no-verify", manager.verify,
               "do not verify the graph before the first pass and after each pass (for "
               "topological_sort, whose input may be invalid)");
  app.add_option(
         "--shuffle", manager.shuffle_seed,
         "SEED: reorder the nodes into a different valid order before each pass (0: do not)")
      ->check(check_seed);
  app.add_flag("--provenance", manager.provenance,
               "record in each new node the pass that created it and its source nodes (metadata "
               "`from_node`)");
  app.add_option(
      "-o", options->output,
      "the file to write (.fx, .json, .fxb; .safetensors for a module with its tensors; .pt2 for "
      "PyTorch), instead of text on standard output; tensors are written to g.safetensors next to "
      "g.fx");
  app.add_option(
      "--tensor-names", options->tensor_names,
      "FILE: write a JSON object that maps the name of each parameter, buffer and constant after "
      "the passes to its name before them, for state dicts");
  app.add_flag("--graph-only", options->graph_only,
               "write a .fx or .fxb file without the modules that the graph calls");
  return [options, &extensions] {
    options->manager.record_nodes = options->changes;
    return run_pipeline(*options, extensions);
  };
}

int opt_main(int argc, char** argv, const std::vector<Pass>& passes,
             const ConstantEvaluator& evaluate) {
  Extensions extensions;
  for (const Pass& pass : passes) {
    if (const absl::Status status = extensions.add(pass); !status.ok()) {
      fmt::print(stderr, "{}: {}\n", program_name(argc, argv), std::string(status.message()));
      return 1;
    }
  }
  return opt_main(argc, argv, std::move(extensions), evaluate);
}

int opt_main(int argc, char** argv, Extensions extensions, const ConstantEvaluator& evaluate) {
  const char* program = program_name(argc, argv);
  if (const absl::Status loaded = load_plugins(argc, argv, extensions); !loaded.ok()) {
    fmt::print(stderr, "{}: {}\n", program, std::string(loaded.message()));
    return exit_status(loaded);
  }
  CLI::App app{"Runs passes on an fxcpp graph."};
  const auto run = add_opt_options(app, extensions, evaluate);
  app.add_option("--load-plugin",
                 "FILE: a plugin with passes, rules, operators or formats; may be repeated")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, program);
  }
  const absl::StatusOr<int> status = run();
  if (status.ok()) return *status;
  fmt::print(stderr, "{}: {}\n", program, std::string(status.status().message()));
  return exit_status(status.status());
}

}  // namespace fx
