// check_graphs gradients: for each forward graph of the corpus and the zoo, compares the joint
// graph from fx::joint with the one that AOTAutograd or capture_joint recorded. Both run in
// libtorch on the same inputs with the same seed. Graphs with symbolic sizes are differentiated
// once and run at several sizes; the zoo models are also captured with symbolic sizes.
//
//   check_graphs gradients [--only TEXT] [--style aten|readable] [--sizes N] [--print]
//                          [--corpus-only] [--zoo-only]
//
// Prints a row for each graph and style (by default both): the number of gradients, how many of
// them are bit-equal, the largest difference relative to the largest element, and how many nodes
// have the same type as the value that libtorch computes for them. The exit status is 1 if a
// gradient differs by more than 1e-5 (bfloat16: 5e-3), if a gradient is not bit-equal in the style
// `aten`, if a type is wrong, if a graph cannot be differentiated, or if fewer than N sizes were
// found for a graph with symbolic sizes.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/shape_prop.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "tests/testing/corpus.h"
#include "tests/torch/checks.h"
#include "tests/torch/zoo_sizes.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::gradients_check {
namespace {

struct Options {
  std::string only;
  std::vector<std::string> styles = {"aten", "readable"};
  size_t sizes = 4;
  bool print = false, corpus_only = false, zoo_only = false;
};

struct Totals {
  size_t graphs = 0, failed = 0, runs = 0, gradients = 0, equal = 0, types = 0, unlike = 0,
         nodes = 0, recorded_nodes = 0;
};
using StyleTotals = std::map<std::string, Totals>;

/// Returns the value of `key` in the metadata of an output item, if it is a string; otherwise "".
std::string fact(const Argument& meaning, std::string_view key) {
  for (size_t k = 0; meaning.is_dict() && k < meaning.size(); ++k)
    if (meaning.key(k) == Argument(key) && meaning[k].is_string())
      return std::string(meaning[k].as_string());
  return {};
}

/// The forward part of a joint graph. For each input in `wrt`, `gradients` has the index of its
/// gradient in the results of the joint graph.
struct Forward {
  std::unique_ptr<Graph> graph;
  std::vector<std::string> wrt;
  std::vector<int> gradients;  // result indices, one for each name in `wrt`
};

absl::StatusOr<Forward> forward_part(const Graph& joint) {
  Forward forward;
  forward.graph = joint.clone();
  Graph& graph = *forward.graph;
  FX_RETURN_IF_ERROR(functionalize(graph).status());  // backward accumulates in place
  Node* const output = graph.output_node();
  const std::optional<Argument> outputs = output->meta().get(meta::kOutputs);
  if (!outputs) return absl::NotFoundError("the output has no metadata that describes its results");
  std::vector<Node*> primals;
  for (Node& node : graph.nodes())
    if (node.is_placeholder() && !node.target().starts_with("tangents")) primals.push_back(&node);
  std::vector<Argument> results, meanings;
  const ArgumentRef all = output->arg(0);
  for (size_t i = 0; i < outputs->size(); ++i) {
    const std::string kind = fact((*outputs)[i], "kind");
    if (kind != "gradient" && kind != "none") {
      results.emplace_back(all[i]);
      meanings.push_back((*outputs)[i]);
    }
  }
  // The gradients belong to the last primals. Effect tokens, which come first, have no gradient.
  const size_t first = results.size(), count = outputs->size() - first;
  if (count > primals.size()) return absl::InternalError("more gradients than inputs");
  for (size_t i = first; i < outputs->size(); ++i) {
    if (all[i].is_none()) continue;
    forward.wrt.push_back(primals[primals.size() - count + i - first]->name());
    forward.gradients.push_back(static_cast<int>(i));
  }
  FX_RETURN_IF_ERROR(output->set_args({Argument::list(results)}));
  output->meta().set(meta::kOutputs, Argument::list(meanings));
  FX_RETURN_IF_ERROR(eliminate_dead_code(graph).status());
  // fx::joint infers all types; the recorded graph may lack a storage offset.
  for (Node& node : graph.nodes())
    if (node.op() == Opcode::kCallFunction) node.set_type(Type());
  std::vector<Node*> tangents;
  for (Node& node : graph.nodes())
    if (node.is_placeholder() && node.target().starts_with("tangents")) tangents.push_back(&node);
  for (Node* node : tangents) FX_RETURN_IF_ERROR(graph.erase_node(node));
  return forward;
}

std::vector<c10::IValue> copies(const std::vector<c10::IValue>& inputs) {
  std::vector<c10::IValue> result;
  for (const c10::IValue& input : inputs)
    result.push_back(input.isTensor() ? c10::IValue(input.toTensor().detach().clone()) : input);
  return result;
}

void flatten(const c10::IValue& value, std::vector<c10::IValue>& leaves) {
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) flatten(item, leaves);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) flatten(item, leaves);
  } else {
    leaves.push_back(value);
  }
}

/// True if TorchEvaluator cannot run the graph: it supports neither higher-order operators nor
/// Python's operators on symbolic sizes.
bool needs_interpreter(const Graph& graph) {
  for (const Node& node : graph.nodes()) {
    const std::string_view target = node.target();
    if (target.starts_with("higher_order.") ||
        (target.starts_with("operator.") && target != "operator.getitem"))
      return true;
  }
  return false;
}

absl::StatusOr<std::vector<c10::IValue>> run(const Graph& graph, const TorchConstants& constants,
                                             const std::vector<c10::IValue>& inputs) {
  at::manual_seed(11);
  if (needs_interpreter(graph)) {
    TorchInterpreter interpreter(graph, constants);
    FX_ASSIGN_OR_RETURN(const c10::IValue value, interpreter.run(copies(inputs)));
    std::vector<c10::IValue> leaves;
    flatten(value, leaves);
    return leaves;
  }
  FX_ASSIGN_OR_RETURN(TorchEvaluator evaluator, TorchEvaluator::create(graph, constants));
  return evaluator.run(copies(inputs));
}

/// Returns the largest difference, relative to the largest element; 0 if the absolute difference is
/// less than 1e-6.
double relative(const at::Tensor& expected, const TensorDifference& difference) {
  if (!difference.form.empty()) return INFINITY;
  if (expected.numel() == 0 || difference.max_abs < 1e-6) return 0;
  const double scale = expected.abs().max().to(at::kDouble).item<double>();
  return difference.max_abs / std::max(scale, 1e-3);
}

/// A recorded joint graph and inputs for it.
struct Run {
  const Graph* recorded = nullptr;
  TorchConstants constants;
  std::vector<c10::IValue> inputs;
  SymBindings sizes;
};

/// Compares the types of a graph with the types of the values that libtorch computes. Nodes without
/// a type count as differences.
absl::StatusOr<GraphComparison> compare_types(const Graph& graph, const Run& run) {
  const std::unique_ptr<Graph> typed = graph.clone();
  FX_RETURN_IF_ERROR(set_input_sizes(*typed, run.sizes));
  for (Node& node : typed->nodes())
    if (node.op() == Opcode::kCallFunction) node.set_type(Type());
  at::manual_seed(11);
  FX_RETURN_IF_ERROR(propagate_concrete_types(*typed, copies(run.inputs), run.constants));
  GraphComparison comparison = compare_graph_types(graph, *typed, run.sizes);
  for (const Node& node : graph.nodes())
    if (node.is_call() && !node.type()) comparison.different.push_back({&node, Type(), Type()});
  return comparison;
}

/// The graph that fx::joint returns, and the positions of the gradients in its results.
struct JointGradients {
  std::unique_ptr<Graph> graph;
  std::vector<size_t> indices;
};

absl::StatusOr<JointGradients> make_joint(const Forward& forward, const std::string& style) {
  GradOptions options{.wrt = forward.wrt};
  options.style = style == "aten" ? GradStyle::kAten : GradStyle::kReadable;
  JointGradients result;
  FX_ASSIGN_OR_RETURN(result.graph, joint(*forward.graph, options));
  FX_RETURN_IF_ERROR(verify_status(*result.graph));
  // A gradient or None for each primal follows the results.
  const std::optional<Argument> outputs = result.graph->output_node()->meta().get(meta::kOutputs);
  for (size_t i = 0; i < outputs->size(); ++i)
    if (fact((*outputs)[i], "kind") == "gradient") result.indices.push_back(i);
  if (result.indices.size() == forward.gradients.size()) return result;
  return absl::InternalError(
      fmt::format("{} gradients instead of {}", result.indices.size(), forward.gradients.size()));
}

/// Counts for one run.
struct Outcome {
  size_t equal = 0, types = 0;
  double worst = 0;
  std::string different;  // one line for each gradient that is not bit-equal
  std::string unlike;     // one line for each type that differs
  size_t num_unlike = 0;
};

absl::StatusOr<Outcome> compare(const Forward& forward, const JointGradients& result,
                                const Run& at) {
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> expected,
                      run(*at.recorded, at.constants, at.inputs));
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> got,
                      run(*result.graph, at.constants, at.inputs));
  Outcome outcome;
  for (size_t i = 0; i < result.indices.size(); ++i) {
    const auto at_expected = static_cast<size_t>(forward.gradients[i]);
    const at::Tensor a = expected.at(at_expected).toTensor(),
                     b = got.at(result.indices[i]).toTensor();
    const TensorDifference difference = compare_tensors(a, b);
    outcome.equal += difference.bit_equal ? 1 : 0;
    const bool is_short = a.scalar_type() == at::kBFloat16;
    const double distance = relative(a, difference) / (is_short ? 500 : 1);
    outcome.worst = std::max(outcome.worst, distance);
    if (!difference.bit_equal) {
      outcome.different += fmt::format("    {}: {} (relative {:.1e})\n", forward.wrt[i],
                                       to_string(difference), distance);
    }
  }
  FX_ASSIGN_OR_RETURN(const GraphComparison types, compare_types(*result.graph, at));
  outcome.num_unlike = types.different.size();
  outcome.types = types.compared - std::min(types.compared, types.different.size());
  for (const TypeDifference& d : types.different) {
    outcome.unlike += fmt::format("    %{} ({}): {}, in libtorch {}\n", d.node->name(),
                                  d.node->target(), to_string(d.expected), to_string(d.got));
  }
  return outcome;
}

/// Differentiates the forward part of `joint_graph`, and compares the gradients of all runs.
absl::Status compare(const std::string& name, const Graph& joint_graph, const Options& options,
                     const std::string& style, const std::vector<Run>& runs, Totals& totals) {
  FX_ASSIGN_OR_RETURN(const Forward forward, forward_part(joint_graph));
  FX_ASSIGN_OR_RETURN(const JointGradients result, make_joint(forward, style));
  if (options.print) fmt::print("{}\n", print(*result.graph, {.meta = false}));
  size_t equal = 0, types = 0;
  double worst = 0;
  std::string different, unlike;
  for (const Run& at : runs) {
    FX_ASSIGN_OR_RETURN(const Outcome outcome, compare(forward, result, at));
    equal += outcome.equal;
    types += outcome.types;
    worst = std::max(worst, outcome.worst);
    different += outcome.different;
    unlike += outcome.unlike;
    totals.unlike += outcome.num_unlike;
  }
  const size_t count = result.indices.size() * runs.size();
  fmt::print(
      "{:32} {:8} {} sizes, {:4} gradients, {:4} bit-equal, {:.1e}, {} types, {} nodes ({})\n",
      name, style, runs.size(), count, equal, worst, types, result.graph->size(),
      joint_graph.size());
  if (style == "aten") fmt::print("{}", different);
  fmt::print("{}", unlike);
  std::fflush(stdout);
  totals.runs += runs.size();
  totals.gradients += count;
  totals.equal += equal;
  totals.types += types;
  totals.nodes += result.graph->size();
  totals.recorded_nodes += joint_graph.size();
  if (worst > 1e-5) return absl::InternalError("a gradient is wrong");
  // libtorch's derivative of prod chooses its formula based on the data.
  if (style == "aten" && equal != count && name != "spectral/joint.json")
    return absl::InternalError("a gradient is not bit-equal");
  if (!unlike.empty()) return absl::InternalError("a type is wrong");
  return absl::OkStatus();
}

void check(const std::string& name, const Graph& joint_graph, const Options& options,
           const absl::StatusOr<std::vector<Run>>& runs, StyleTotals& totals) {
  for (const std::string& style : options.styles) {
    Totals& sum = totals[style];
    ++sum.graphs;
    const absl::Status status =
        runs.ok() ? compare(name, joint_graph, options, style, *runs, sum) : runs.status();
    if (status.ok()) continue;
    ++sum.failed;
    fmt::print("{:32} {:8} {}\n", name, style, std::string(status.message()));
  }
}

/// Returns the run at these sizes, or an error if libtorch rejects them.
absl::StatusOr<Run> run_at(const Graph& graph, const SymBindings& sizes) {
  const std::unique_ptr<Graph> sized = graph.clone();
  FX_RETURN_IF_ERROR(set_input_sizes(*sized, sizes));
  // Inputs with both signs, unless the graph requires probabilities.
  absl::Status status;
  for (const bool both_signs : {true, false}) {
    FX_ASSIGN_OR_RETURN(
        GraphData data,
        load_graph_data(*sized, {},
                        {.generate_missing = true, .both_signs = both_signs, .seed = 3}));
    Run result{&graph, std::move(data.constants), std::move(data.inputs), sizes};
    status = run(graph, result.constants, result.inputs).status();
    if (status.ok()) return result;
  }
  return status;
}

absl::StatusOr<std::vector<Run>> corpus_runs(const Graph& graph, size_t count) {
  std::vector<Run> runs;
  FX_ASSIGN_OR_RETURN(const SymBindings example, example_sizes(graph));
  FX_ASSIGN_OR_RETURN(runs.emplace_back(), run_at(graph, example));
  bool has_symbolic_inputs = false;
  for (const Node* input : graph.find_nodes(Opcode::kPlaceholder))
    has_symbolic_inputs |= has_symbols(input->type());
  if (!has_symbolic_inputs) return runs;
  for (const SymBindings& sizes : other_sizes(graph, 4 * count)) {
    if (runs.size() >= count) break;
    absl::StatusOr<Run> other = run_at(graph, sizes);
    if (other.ok()) runs.push_back(*std::move(other));
  }
  if (runs.size() >= count) return runs;
  return absl::NotFoundError(fmt::format("{} sizes instead of {}", runs.size(), count));
}

void check_corpus(const Options& options, StyleTotals& totals) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    const std::string file = entry.path().filename().string();
    if (file == "joint.json" || file == "joint_dyn.json")
      names.push_back(std::filesystem::relative(entry.path(), testing::corpus_dir()).string());
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (name.find(options.only) == std::string::npos) continue;
    Context context;
    const absl::StatusOr<std::unique_ptr<Graph>> graph =
        read_json(context, *read_file((testing::corpus_dir() / name).string()));
    FX_CHECK_OK(graph.status());
    check(name, **graph, options, corpus_runs(**graph, options.sizes), totals);
  }
}

std::vector<c10::IValue> values_of(const CapturedGraph& captured) {
  std::vector<c10::IValue> values;
  for (const at::Tensor& input : clone_inputs(captured)) values.emplace_back(input);
  return values;
}

void check_model(const std::string& name, const Options& options, StyleTotals& totals) {
  Context context;
  const ModelInstance model = testing::make(name);
  at::manual_seed(5);
  const absl::StatusOr<CapturedGraph> captured =
      capture_joint(context, model.state, model.inputs, model.loss);
  FX_CHECK_OK(captured.status());
  std::vector<Run> runs = {{captured->graph.get(), captured->constants, values_of(*captured), {}}};
  check(name, *captured->graph, options, runs, totals);
}

/// Compares a capture with symbolic sizes to captures at fixed sizes.
void check_sizes(const testing::SizeCase& sizes, const Options& options, StyleTotals& totals) {
  Context context;
  ModelInstance model = testing::make(sizes.model, sizes.settings);
  const TensorSnapshot start(model.state, model.inputs);
  const absl::StatusOr<CapturedGraph> symbolic =
      capture_joint(context, model.state, model.inputs, model.loss, {.dynamic = sizes.dynamic});
  FX_CHECK_OK(symbolic.status());
  start.restore();
  const std::vector<at::Tensor> original = model.inputs;
  std::vector<CapturedGraph> plain;
  std::vector<Run> runs;
  for (const testing::Sizes& at : sizes.replays) {
    if (plain.size() >= options.sizes) break;
    for (size_t i = 0; i < sizes.dynamic.inputs.size(); ++i)
      model.inputs[i] = testing::resized(context, original[i], sizes.dynamic.inputs[i], at);
    const TensorSnapshot before(model.state, model.inputs);
    at::manual_seed(5);
    absl::StatusOr<CapturedGraph> captured =
        capture_joint(context, model.state, model.inputs, model.loss);
    FX_CHECK_OK(captured.status());
    before.restore();
    plain.push_back(*std::move(captured));
    Run& result = runs.emplace_back();
    result.recorded = plain.back().graph.get();
    result.constants = plain.back().constants;
    result.inputs = values_of(plain.back());
    for (const auto& [symbol, value] : at)
      result.sizes.insert_or_assign(context.symbol(symbol), SymValue(value));
  }
  check(std::string(sizes.name) + " (symbolic)", *symbolic->graph, options, runs, totals);
}

int check(const Options& options) {
  at::set_num_threads(1);
  StyleTotals totals;
  if (!options.zoo_only) check_corpus(options, totals);
  if (!options.corpus_only) {
    const auto is_wanted = [&](std::string_view name) {
      return name.find(options.only) != std::string_view::npos;
    };
    for (const ModelEntry& entry : zoo_models())
      if (is_wanted(entry.name)) check_model(std::string(entry.name), options, totals);
    for (const testing::SizeCase& sizes : testing::size_cases())
      if (is_wanted(sizes.model)) check_sizes(sizes, options, totals);
  }
  bool ok = !totals.empty();
  for (const auto& [style, sum] : totals) {
    fmt::print(
        "{}: {} graphs, {} failed; {} runs, {} gradients, {} bit-equal; {} types equal, {} "
        "different; {} nodes ({} recorded)\n",
        style, sum.graphs, sum.failed, sum.runs, sum.gradients, sum.equal, sum.types, sum.unlike,
        sum.nodes, sum.recorded_nodes);
    ok = ok && sum.failed == 0;
  }
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace fx::gradients_check

int fx::check_gradients(int argc, char** argv) {
  gradients_check::Options options;
  CLI::App app{"Compares gradients from fx::joint with recorded gradients."};
  app.add_option("--only", options.only, "only graphs whose names contain this text");
  app.add_option("--style", options.styles)->check(CLI::IsMember({"aten", "readable"}));
  app.add_option("--sizes", options.sizes, "number of runs of a graph with symbolic sizes")
      ->capture_default_str();
  app.add_flag("--print", options.print, "print the graphs that fx::joint returns");
  app.add_flag("--corpus-only", options.corpus_only);
  app.add_flag("--zoo-only", options.zoo_only);
  CLI11_PARSE(app, argc, argv);
  return gradients_check::check(options);
}
