// The command line around a pipeline of passes: see opt_main.h.
#include "fx/tools/driver/opt_main.h"

#include "fx/ir/files/graph_file.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/nearest.h"
#include "fx/ir/support/option_checks.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/usage.h"
#include "fx/ir/text/text.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/passes/shape/input_type.h"
#include "fx/tools/driver/command_line.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
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
  std::string input, output;
  std::vector<std::string> input_types;
  std::optional<std::string> passes;
  PassManagerOptions manager;
  bool print_before_all = false, print_after_all = false, time = false, changes = false,
       list = false;
};

/// The pipeline asked for, or else that of the file.
absl::StatusOr<Pipeline> pipeline_of(const Options& options, const PassTable& passes,
                                     const Graph& graph) {
  if (options.passes) return parse_pipeline(passes, *options.passes);
  const std::optional<Argument> kept = graph.meta(kPipelineKey);
  if (kept && kept->is_string()) return parse_pipeline(passes, kept->as_string());
  return usage_error(fmt::format(
      "say which passes: --passes a,b (--list names them); the graph has no meta data \"{}\"",
      kPipelineKey));
}

/// What get_attr nodes name and g.safetensors beside g.fx has, unless the file with the graph has
/// its data itself.
absl::Status read_constants(const std::string& path, const Graph& graph, Module& root) {
  const std::string beside = std::filesystem::path(path).replace_extension(".safetensors").string();
  if (path == "-" || !std::filesystem::exists(beside)) return absl::OkStatus();
  FX_ASSIGN_OR_RETURN(const Safetensors file, read_safetensors(beside));
  for (const Node* node : graph.find_nodes(Opcode::kGetAttr)) {
    const Tensor* tensor = file.tensors.find(node->target());
    if (tensor == nullptr) continue;
    Attribute* const member = root.find_attribute(node->target());
    if (member == nullptr) {
      FX_RETURN_IF_ERROR(root.assign(node->target(), Attribute::constant(*tensor)));
    } else if (member->tensor.defined() && !member->tensor.has_data()) {
      if (member->tensor.dtype() != tensor->dtype() ||
          (member->tensor.has_shape() &&
           !std::ranges::equal(member->tensor.sizes(), tensor->sizes()))) {
        return absl::InvalidArgumentError(
            fmt::format("{}: {} is of another dtype or of other sizes than the graph's file says",
                        beside, node->target()));
      }
      member->tensor = *tensor;
    }
  }
  return absl::OkStatus();
}

/// Paths of the modules that are graphs: passes make some.
std::vector<std::string> graph_modules(const Module& root) {
  std::vector<std::string> paths;
  for (const NamedModule& named : root.named_modules())
    if (!named.path.empty() && named.module->as_graph_module()) paths.push_back(named.path);
  return paths;
}

/// On standard output the graphs of modules follow, as text, the graph that calls them.
absl::Status write_output(const GraphDocument& document, const Module& root,
                          const std::string& path) {
  const std::vector<std::string> modules = graph_modules(root);
  if (!path.empty() && path != "-") {
    if (modules.empty()) return write_graph_document(document, path);
    if (path.ends_with(".fxb") || path.ends_with(".fx")) {
      return absl::InvalidArgumentError(
          fmt::format("{}: the file would hold one graph, and modules have graphs of their own "
                      "({}); use .json, which holds them",
                      path, fmt::join(modules, ", ")));
    }
    if (document.module) return write_graph_document(document, path);
    GraphDocument whole;
    FX_ASSIGN_OR_RETURN(whole.module, GraphModule::create(root, document.graph().clone()));
    return write_graph_document(whole, path);
  }
  std::string text = print(document.graph());
  for (const std::string& module : modules) {
    const std::unique_ptr<Graph> copy =
        root.find_module(module)->as_graph_module()->graph().clone();
    set_graph_name(*copy, module);
    print(*copy, text);
  }
  return write_file(path, text);
}

/// A name that `--disable` misspells would leave nothing out.
absl::Status check_disabled(const Options& options, const PassTable& passes) {
  for (const std::string& name : options.manager.disabled) {
    if (passes.find(name) != nullptr) continue;
    std::vector<std::string_view> known;
    for (const Pass& pass : passes.passes()) known.push_back(pass.name);
    return usage_error(
        fmt::format("--disable {}: there is no pass of this name{}; --list names them", name,
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

absl::StatusOr<int> run_pipeline(const Options& options, const PassTable& passes) {
  llvm::EnablePrettyStackTrace();  // a pass that crashes is named
  if (options.list) {
    FX_RETURN_IF_ERROR(write_file("-", describe_passes(passes)));
    return 0;
  }
  if (options.input.empty()) return usage_error("say which graph: a file, or -");
  FX_RETURN_IF_ERROR(check_disabled(options, passes));
  Context context;
  FX_ASSIGN_OR_RETURN(const GraphDocument document, read_graph_document(context, options.input));
  FX_RETURN_IF_ERROR(set_input_types(document.graph(), options.input_types));
  Module lone_root;  // of a graph alone: what passes add, and constants
  Module* root = document.module ? document.module.get() : &lone_root;
  FX_RETURN_IF_ERROR(read_constants(options.input, document.graph(), *root));
  FX_ASSIGN_OR_RETURN(Pipeline pipeline, pipeline_of(options, passes, document.graph()));
  PassManager manager(std::move(pipeline), options.manager);
  set_hooks(manager, options);
  FX_ASSIGN_OR_RETURN(const PassReport report, manager.run(document.graph(), root));
  if (options.manager.bisect_limit != -1) {
    for (const PassRecord& record : report.records) {
      if (record.skipped)
        fmt::print(stderr, "BISECT: NOT running pass ({}) {}\n", record.number, record.step);
    }
  }
  if (options.time) fmt::print(stderr, "{}", report.str());
  if (!report.settled)
    fmt::print(stderr, "# after {} rounds the passes still changed the graph\n", report.rounds);
  FX_RETURN_IF_ERROR(write_output(document, *root, options.output));
  return 0;
}

}  // namespace

std::string describe_passes(const PassTable& passes, std::string_view name) {
  std::string text;
  for (const Pass& pass : passes.passes()) {
    if (!name.empty() && pass.name != name) continue;
    fmt::format_to(std::back_inserter(text), "{}\n    {}\n", pass.name, pass.about);
    for (const PassOption& option : pass.options) {
      fmt::format_to(std::back_inserter(text), "    {}={}: {}\n", option.name,
                     option_text(option.default_value), option.about);
    }
  }
  return text;
}

std::function<absl::StatusOr<int>()> add_opt_options(CLI::App& app, const PassTable& passes,
                                                     const ConstantEvaluator& evaluate) {
  auto options = std::make_shared<Options>();
  options->manager.evaluate = evaluate;
  PassManagerOptions& manager = options->manager;
  app.add_option("INPUT", options->input, "the graph");
  app.add_option("--passes", options->passes,
                 "which, in order: a,b{option=false},c; without this, those that the file names "
                 "(its meta data `pipeline`)");
  app.add_option("--input", options->input_types,
                 "NAME=TYPE: the type of an input, for passes that go by types; may be repeated");
  app.add_flag("--list", options->list, "list the passes there are, with their options");
  app.add_option("--rounds", manager.max_rounds,
                 "run them again while they change something, at most so often")
      ->check(CLI::Range(1, std::numeric_limits<int>::max(), "POSITIVE"))
      ->capture_default_str();
  app.add_flag("--print-before-all", options->print_before_all,
               "the graph before each pass, on standard error");
  app.add_flag("--print-after-all", options->print_after_all,
               "the graph after each pass, on standard error");
  app.add_flag("--changes", options->changes,
               "the nodes that each pass made and erased, on standard error");
  app.add_flag(
      "--time,--stats", options->time,
      "a table of the passes, with change, nodes, time and what they counted, on standard error");
  app.add_option("--bisect-limit", manager.bisect_limit,
                 "run only the first so many passes (-1: all), and say on standard error which ran")
      ->check(check_integer);
  app.add_option("--disable", manager.disabled, "leave out the passes of these names");
  app.add_option("--reproducer", manager.reproducer,
                 "FILE: if a pass fails or crashes, the graph before it, which `opt FILE` runs "
                 "the pass over again");
  app.add_flag("--check-changed", manager.check_changed,
               "compare what each pass says of having changed the graph with the graph");
  app.add_flag("!--no-verify", manager.verify,
               "do not check the graph before the first pass and after each (for topological_sort "
               "of nodes in disorder)");
  app.add_option("--shuffle", manager.shuffle_seed,
                 "SEED: put the nodes into another legal order before each pass (0: no)")
      ->check(check_seed);
  app.add_flag("--provenance", manager.provenance,
               "new nodes say from which nodes which pass made them (meta data `from_node`)");
  app.add_option(
      "-o", options->output,
      "the file to write (.fx, .json, .fxb, or .safetensors for a module with its tensors), "
      "instead of text to standard output");
  return [options, &passes] {
    options->manager.record_nodes = options->changes;
    return run_pipeline(*options, passes);
  };
}

int opt_main(int argc, char** argv, const std::vector<Pass>& passes,
             const ConstantEvaluator& evaluate) {
  const char* program = argc > 0 ? argv[0] : "opt";
  PassTable table = standard_passes();
  for (const Pass& pass : passes) {
    if (const absl::Status status = table.add(pass); !status.ok()) {
      fmt::print(stderr, "{}: {}\n", program, std::string(status.message()));
      return 1;
    }
  }
  CLI::App app{"Runs passes over a graph of fxcpp."};
  const auto run = add_opt_options(app, table, evaluate);
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
