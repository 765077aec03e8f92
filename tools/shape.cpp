// fxcpp shape: prints the type of every node, or compares the types with the types in the file.
#include "fx/ir/files/graph_file.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/cli/option_checks.h"
#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/steps.h"
#include "fx/passes/analysis/edges.h"
#include "fx/passes/analysis/selection.h"
#include "fx/passes/aten/type_by_lowering.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "fx/passes/shape/input_type.h"
#include "fx/tools/driver/extensions.h"
#include "tools/command.h"
#include "tools/json_keys.h"
#include "tools/module_option.h"
#include "tools/parts.h"
#include "tools/summary.h"
#include "tools/sweep.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <chrono>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

using nlohmann::ordered_json;

struct ShapeFlags {
  std::string input;
  std::vector<std::string> inputs, files, walk, modules;
  uint64_t seed = 0;
  bool native = false, concrete = false, compare = false, json = false;
  std::string sweep;
  int threads = 1;
  SummaryFlags summary;
};

std::string dump(const ordered_json& json) {
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

/// Clears the types in nested graphs, so that calls that do not run have no type.
void clear_nested_types(Graph& graph) {
  for (Graph& nested : all_graphs(graph)) {
    if (&nested == &graph) continue;
    for (Node& node : nested.nodes())
      if (node.op() == Opcode::kCallFunction) node.set_type(Type());
  }
}

std::vector<std::string> missing_operators(const ShapeReport& report) {
  std::vector<std::string> names;
  for (const ShapeFinding& finding : report.findings)
    if (finding.kind == ShapeFinding::Kind::kNoTypeFunction) names.push_back(finding.op);
  return names;
}

/// Prints a comparison. `way` describes how the types were computed.
absl::StatusOr<int> print_comparison(const GraphComparison& comparison, std::string_view way,
                                     bool json) {
  const std::vector<std::string> missing = missing_operators(comparison.report);
  std::string out;
  if (json) {
    ordered_json different = ordered_json::array();
    for (const TypeDifference& d : comparison.different) {
      different.push_back({{"node", d.node->name()},
                           {"expected", to_string(d.expected)},
                           {"got", to_string(d.got)}});
    }
    out = dump({{"nodes", comparison.nodes},
                {"compared", comparison.compared},
                {"different", std::move(different)},
                {"sizes_from_data", comparison.sizes_from_data},
                {"no_type_function", missing}});
  } else {
    for (const TypeDifference& d : comparison.different) {
      out += fmt::format("{} = {}\n  recorded {}\n  {:8} {}\n", d.node->name(), d.node->target(),
                         to_string(d.expected), way, to_string(d.got));
    }
    out += comparison.report.str();
    if (comparison.sizes_from_data > 0)
      out += fmt::format("{} sizes depend on data, and were copied from the recorded types\n",
                         comparison.sizes_from_data);
    out += fmt::format("{}, {} compared, {} different\n", pluralize(comparison.nodes, "node"),
                       comparison.compared, comparison.different.size());
  }
  FX_RETURN_IF_ERROR(write_file("-", out));
  return comparison.different.empty() && missing.empty() ? kDone : kFound;
}

/// Prints the types of all nodes, or of those of the selected modules. `nanoseconds` is the time of
/// type inference, or negative if type functions were not used.
absl::StatusOr<int> print_types(const Graph& graph, const ShapeReport& report,
                                const ShapeFlags& options, double nanoseconds = -1) {
  FX_ASSIGN_OR_RETURN(const NodeFilter only, in_modules(graph, options.modules, {.nested = false}));
  const auto is_shown = [&](const Node& node) {
    return !node.is_output() && (!only || only(node));
  };
  std::string out;
  if (options.json) {
    ordered_json nodes = ordered_json::array();
    for (const Node& node : graph.nodes()) {
      if (!is_shown(node)) continue;
      nodes.push_back({{"node", node.name()}, {"type", type_json(node.type())}});
    }
    ordered_json guards = ordered_json::array();
    for (SymExpr guard : report.guards) guards.push_back(to_string(guard));
    ordered_json all = {{"typed", report.typed},
                        {"unknown", report.unknown},
                        {"nodes", std::move(nodes)},
                        {"guards", std::move(guards)},
                        {"findings", findings_json(report)}};
    if (nanoseconds >= 0) all["nanoseconds"] = nanoseconds;
    out = dump(all);
  } else {
    for (const Node& node : graph.nodes()) {
      if (!is_shown(node)) continue;
      out += fmt::format("{} : {}\n", node.name(), to_string(node.type()));
    }
    for (SymExpr guard : report.guards) out += fmt::format("guard {}\n", to_string(guard));
    out += report.str();
  }
  FX_RETURN_IF_ERROR(write_file("-", out));
  return report.ok() ? kDone : kFound;
}

/// Returns the node that `--input NAME=TYPE` refers to.
const Node* input_node(const Graph& graph, const std::string& text) {
  return graph.find_node(text.substr(0, text.find('=')));
}

/// Prints the types from a run of a copy of the graph, on inputs with example sizes.
absl::StatusOr<int> run_concrete(const Graph& graph, const ShapeFlags& options) {
  FX_ASSIGN_OR_RETURN(const TorchPart* torch, torch_part());
  FX_ASSIGN_OR_RETURN(const SymBindings sizes, example_sizes(graph));
  const std::unique_ptr<Graph> typed = graph.clone();
  typed->set_owning_module(graph.owning_module());
  FX_RETURN_IF_ERROR(set_input_sizes(*typed, sizes));
  ConcreteRun run{
      .path = options.input, .files = options.files, .always_generate = {}, .seed = options.seed};
  for (const std::string& input : options.inputs)
    run.always_generate.push_back(input_node(*typed, input));
  clear_nested_types(*typed);
  FX_RETURN_IF_ERROR(torch->type_by_running(*typed, run));
  if (options.compare)
    return print_comparison(compare_graph_types(graph, *typed, sizes), "concrete", options.json);
  ShapeReport report;
  for (const Node& node : typed->nodes()) {
    if (node.op() != Opcode::kCallFunction && node.op() != Opcode::kCallMethod &&
        node.op() != Opcode::kCallModule)
      continue;
    ++(node.type() ? report.typed : report.unknown);
  }
  return print_types(*typed, report, options);
}

/// Returns the nodes given by `--walk`: `primals`, `tangents` or named nodes.
absl::StatusOr<std::vector<const Node*>> sources_of(const Graph& graph,
                                                    const std::vector<std::string>& words) {
  std::vector<const Node*> sources;
  for (const std::string& word : words) {
    if (const Node* node = graph.find_node(word)) {
      sources.push_back(node);
    } else if (word == "primals" || word == "tangents") {
      const auto inputs = word == "primals" ? primals(graph) : tangents(graph);
      sources.insert(sources.end(), inputs.begin(), inputs.end());
    } else {
      return absl::NotFoundError(
          fmt::format("--walk {}: expected a node, `primals` or `tangents`", word));
    }
  }
  return sources;
}

/// Prints every edge that is reachable from the sources, with its type, in breadth-first order.
absl::StatusOr<int> print_walk(Graph& graph, const std::vector<std::string>& words, bool json) {
  fmt::print(stderr, "{}", complete_types(graph));
  FX_ASSIGN_OR_RETURN(const std::vector<const Node*> sources, sources_of(graph, words));
  std::string out;
  ordered_json list = ordered_json::array();
  for (const GraphEdge& edge : edge_bfs(graph, sources)) {
    const std::string type = to_string(edge_type(edge));
    if (json)
      list.push_back({edge.from->name(), edge.to->name(), edge.index, type});
    else
      out += fmt::format("{} -> {} {}: {}\n", edge.from->name(), edge.to->name(), edge.index, type);
  }
  FX_RETURN_IF_ERROR(write_file("-", json ? dump(list) : out));
  return kDone;
}

}  // namespace

Run add_shape(CLI::App& app) {
  auto options = std::make_shared<ShapeFlags>();
  app.add_option("INPUT", options->input, "the graph")->required();
  app.add_option("--input", options->inputs, "NAME=TYPE: the type of an input; may be repeated");
  app.add_flag("--native", options->native, "use type functions, without libtorch (the default)");
  app.add_flag("--compare", options->compare,
               "compare with the types in the file; exit status 1 if any type differs");
  CLI::Option* sweep = app.add_option(
      "--sweep", options->sweep,
      "NAME=N,N,...: infer the types with a symbol in the inputs' sizes replaced with each number; "
      "`batch` is the first dimension; with --compare, compare them with the symbolic types");
  app.add_option("--threads", options->threads, "--sweep: the number of threads; 0: all processors")
      ->needs(sweep)
      ->check([](const std::string& text) { return text == "0" ? "" : check_threads(text); });
  CLI::Option* concrete =
      app.add_flag("--concrete", options->concrete,
                   "run the graph with libtorch, on the tensors in g.safetensors next to g.fx; "
                   "missing inputs are generated from their types, at example sizes");
  concrete->excludes("--native")->excludes(sweep);
  app.add_option("--inputs", options->files,
                 "--concrete: safetensors files with inputs, which take precedence over the file "
                 "next to the "
                 "graph")
      ->needs(concrete);
  app.add_option("--seed", options->seed,
                 "--concrete: the seed for generated inputs and random operators")
      ->needs(concrete)
      ->check(check_seed);
  app.add_option("--walk", options->walk,
                 "print the edges that are reachable from these nodes, in breadth-first order, "
                 "with their types: names, "
                 "`primals`, `tangents`");
  add_module_option(app, options->modules, "print the types of only");
  app.add_flag(
      "--json", options->json,
      "{typed, unknown, nodes, guards, findings, nanoseconds}; with --compare {nodes, compared, "
      "different, sizes_from_data, no_type_function}; with --summary its numbers "
      "(docs/summaries.md)");
  add_summary_options(app, options->summary);
  return [options]() -> absl::StatusOr<int> {
    Context context;
    FX_RETURN_IF_ERROR(command_extensions().set_up(context));
    FX_ASSIGN_OR_RETURN(const GraphDocument document, load_document(context, options->input));
    Graph& graph = document.graph();
    FX_RETURN_IF_ERROR(set_input_types(graph, options->inputs));
    if (!options->summary.symbols.empty() && !options->summary.is_requested()) {
      return usage_error(
          "--symbol is valid only with --summary or --plot; to infer types for different sizes, "
          "use "
          "--input x='f32[8, 3]' or --sweep");
    }
    if (!options->modules.empty() && (options->summary.is_requested() || options->compare ||
                                      !options->walk.empty() || !options->sweep.empty())) {
      return usage_error(
          "--module selects the nodes whose types are printed; it is not valid with --summary, "
          "--plot, --compare, --walk or --sweep");
    }
    if (options->summary.is_requested())
      return print_summary(graph, options->summary, options->json);
    if (!options->walk.empty()) return print_walk(graph, options->walk, options->json);
    if (options->concrete) return run_concrete(graph, *options);
    if (!options->sweep.empty())
      return print_sweep(graph, options->sweep, options->threads, options->compare, options->json);
    if (options->compare)
      return print_comparison(compare_with_recorded(graph, {.other_call = type_by_lowering}),
                              "native", options->json);
    const Step step("infer types");
    const auto start = std::chrono::steady_clock::now();
    const ShapeReport report = propagate_types(graph, {.other_call = type_by_lowering});
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    return print_types(graph, report, *options, time.count());
  };
}

}  // namespace fx::tools
