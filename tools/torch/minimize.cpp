// fxcpp minimize: finds the calls whose results are changed by passes.
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/check_equivalent.h"
#include "fx/interp/torch/interpret/constant_evaluator.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/files/graph_file.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/debug/minimizer.h"
#include "fx/passes/manager/pass_manager.h"
#include "fx/tools/driver/extensions.h"
#include "tools/module_option.h"
#include "tools/torch/commands.h"
#include "tools/torch/data_files.h"

#include <ATen/Context.h>

#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

using Values = std::vector<c10::IValue>;

struct Options {
  std::string input, passes, method = "binary", output;
  std::vector<std::string> files;
  double rtol = 0, atol = 0;
  uint64_t seed = 0;
  std::vector<std::string> modules;
  bool all = false;
};

absl::StatusOr<Values> run_part(const Graph& part, Values inputs, const TorchConstants& constants,
                                uint64_t seed, const Module* root = nullptr) {
  at::manual_seed(seed);
  TorchInterpreter interpreter(part, constants, AutogradUse::kNone, root);
  FX_ASSIGN_OR_RETURN(const c10::IValue result, interpreter.run(std::move(inputs)));
  const c10::ArrayRef<c10::IValue> items = items_of(result);
  return Values(items.begin(), items.end());
}

absl::StatusOr<int> minimize_graph(const Options& options) {
  Context context;
  FX_RETURN_IF_ERROR(command_extensions().set_up(context));
  FX_ASSIGN_OR_RETURN(const GraphDocument document, read_and_print_notes(context, options.input));
  Graph* const graph = &document.graph();
  FX_ASSIGN_OR_RETURN(const Pipeline pipeline,
                      parse_pipeline(command_extensions().passes(), options.passes));
  FX_ASSIGN_OR_RETURN(const MinimizerMethod method, minimizer_method(options.method));
  FX_ASSIGN_OR_RETURN(const std::vector<std::string> files,
                      data_files(*graph, options.input, options.files));
  FX_ASSIGN_OR_RETURN(const GraphData data,
                      load_data(*graph, files, {.generate_missing = true, .seed = options.seed}));
  EquivalenceOptions tolerance;
  tolerance.rtol = options.rtol;
  tolerance.atol = options.atol;
  PartComparer<c10::IValue> parts(
      [&](const Graph& part, Values inputs) {
        return run_part(part, std::move(inputs), data.constants, options.seed);
      },
      [&](const Graph& part, Values inputs) -> absl::StatusOr<Values> {
        const std::unique_ptr<Graph> changed = part.clone();
        Module root;
        FX_RETURN_IF_ERROR(PassManager(pipeline, {.evaluate = evaluate_constants, .is_part = true})
                               .run(*changed, &root)
                               .status());
        return run_part(*changed, std::move(inputs), data.constants, options.seed, &root);
      },
      [&](const c10::IValue& a, const c10::IValue& b) { return compare_values(a, b, tolerance); });
  absl::Status saved;
  size_t smallest = SIZE_MAX;
  if (!options.output.empty()) {
    parts.set_on_difference([&](const Subgraph& part, const Values&) {
      if (part.graph->size() >= smallest) return;
      smallest = part.graph->size();
      saved = write_graph_file(*part.graph, options.output);
    });
  }
  FX_RETURN_IF_ERROR(parts.set_inputs(*graph, data.inputs));
  FX_ASSIGN_OR_RETURN(const NodeFilter only,
                      in_modules(*graph, options.modules, {.nested = false}));
  const auto is_excluded = [&](const Node& node) { return only && !only(node); };
  FX_ASSIGN_OR_RETURN(
      const MinimizerReport report,
      minimize(*graph, parts.check(),
               {.method = method, .find_all = options.all, .exclude = is_excluded}));
  FX_RETURN_IF_ERROR(saved);
  FX_RETURN_IF_ERROR(write_file("-", report.str()));
  return report.faulty_nodes.empty() ? kDone : kFound;
}

}  // namespace

Run add_minimize(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("INPUT", options->input, "the graph, without writes to memory (functionalize)")
      ->required();
  app.add_option("--passes", options->passes,
                 "the passes to test; parts of the graph run without and with them")
      ->required();
  app.add_option("--method", options->method,
                 "sequential: each call separately; binary: halves; accumulate: the first calls; "
                 "block: the shortest block of calls")
      ->check(CLI::IsMember({"sequential", "binary", "accumulate", "block"}))
      ->capture_default_str();
  add_module_option(app, options->modules, "test only");
  app.add_flag("--all", options->all, "continue after the first difference");
  app.add_option("--inputs", options->files,
                 "safetensors files with inputs; default: generated from types");
  app.add_option("--rtol", options->rtol,
                 "elements may differ by ATOL + RTOL * |B|; by default they must be bit-equal")
      ->check(check_tolerance);
  app.add_option("--atol", options->atol, "see --rtol")->check(check_tolerance);
  app.add_option("--seed", options->seed, "the seed for generated inputs and random operators")
      ->check(check_seed)
      ->capture_default_str();
  app.add_option("-o", options->output, "the smallest part that differs: .fx, .json or .fxb");
  return [options] { return minimize_graph(*options); };
}

}  // namespace fx::tools
