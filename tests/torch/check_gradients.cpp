// check_graphs gradients: for each forward graph of the corpus and the zoo, compares the joint
// graph of fx::joint with the one that AOTAutograd or capture_joint recorded. Both run in libtorch
// on the same inputs, with the same seed.
//
//   check_graphs gradients [--only TEXT] [--style aten|readable] [--print] [--corpus-only] [--zoo-only]
//
// Prints a row for each graph: gradients, how many are bit-equal, and the largest difference
// relative to the largest element. The exit status is 1 if a gradient differs by more than 1e-4
// (bfloat16: 5e-2) or is not bit-equal in the style aten, or if a graph has no derivative.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
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
#include "tests/torch/zoo_testing.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::gradients_check {
namespace {

struct Options {
  std::string only, style = "aten";
  bool print = false, corpus_only = false, zoo_only = false;
};

struct Totals {
  size_t graphs = 0, failed = 0, gradients = 0, equal = 0;
};

/// Returns an entry of the meta data of an output item.
std::string fact(const Argument& meaning, std::string_view key) {
  for (size_t k = 0; meaning.is_dict() && k < meaning.size(); ++k)
    if (meaning.key(k) == Argument(key) && meaning[k].is_string())
      return std::string(meaning[k].as_string());
  return {};
}

/// The forward part of a joint graph, and for each of its inputs the number of its gradient among
/// the results of the joint graph, or -1.
struct Forward {
  std::unique_ptr<Graph> graph;
  std::vector<std::string> wrt;
  std::vector<int> gradients;  // result numbers, one for each of `wrt`
};

absl::StatusOr<Forward> forward_part(const Graph& joint) {
  Forward forward;
  forward.graph = joint.clone();
  Graph& graph = *forward.graph;
  FX_RETURN_IF_ERROR(functionalize(graph).status());  // backward accumulates in place
  Node* const output = graph.output_node();
  const std::optional<Argument> outputs = output->meta().get(meta::kOutputs);
  if (!outputs) return absl::NotFoundError("its results are not described");
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
  // The gradients belong to the last primals; tokens of effects, which come first, have no
  // gradient.
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

/// True if the graph cannot run in TorchEvaluator, which supports neither higher-order operators
/// nor Python's operators on sizes (of graphs with symbolic sizes).
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
/// below 1e-6.
double relative(const at::Tensor& expected, const TensorDifference& difference) {
  if (!difference.form.empty()) return INFINITY;
  if (expected.numel() == 0 || difference.max_abs < 1e-6) return 0;
  const double scale = expected.abs().max().to(at::kDouble).item<double>();
  return difference.max_abs / std::max(scale, 1e-3);
}

absl::Status compare(const std::string& name, const Graph& joint_graph, const Options& options,
                     const TorchConstants& constants, const std::vector<c10::IValue>& inputs,
                     Totals& totals) {
  FX_ASSIGN_OR_RETURN(const Forward forward, forward_part(joint_graph));
  GradOptions grad_options{.wrt = forward.wrt};
  grad_options.style = options.style == "aten" ? GradStyle::kAten : GradStyle::kReadable;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> made, joint(*forward.graph, grad_options));
  if (options.print) fmt::print("{}\n", print(*made, {.meta = false}));
  FX_RETURN_IF_ERROR(verify_status(*made));
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> expected, run(joint_graph, constants, inputs));
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> got, run(*made, constants, inputs));
  // In the graph of fx::joint, a gradient or None for each primal follows the results.
  const std::optional<Argument> outputs = made->output_node()->meta().get(meta::kOutputs);
  std::vector<size_t> places;
  for (size_t i = 0; i < outputs->size(); ++i)
    if (fact((*outputs)[i], "kind") == "gradient") places.push_back(i);
  size_t equal = 0;
  double worst = 0;
  std::string different;
  if (places.size() != forward.gradients.size()) {
    return absl::InternalError(
        fmt::format("{} gradients instead of {}", places.size(), forward.gradients.size()));
  }
  for (size_t i = 0; i < places.size(); ++i) {
    const auto at_expected = static_cast<size_t>(forward.gradients[i]);
    const at::Tensor a = expected.at(at_expected).toTensor(), b = got.at(places[i]).toTensor();
    const TensorDifference difference = compare_tensors(a, b);
    equal += difference.bit_equal ? 1 : 0;
    const bool is_short = a.scalar_type() == at::kBFloat16;
    const double distance = relative(a, difference) / (is_short ? 500 : 1);
    worst = std::max(worst, distance);
    if (!difference.bit_equal) {
      different += fmt::format("    {}: {} (relative {:.1e})\n", forward.wrt[i],
                               to_string(difference), distance);
    }
  }
  const GraphComparison types = compare_with_recorded(*made);
  fmt::print("{:32} {:4} gradients, {:4} bit-equal, {:.1e}, {} nodes ({})\n", name, places.size(),
             equal, worst, made->size(), joint_graph.size());
  fmt::print("{}", different);
  totals.gradients += places.size();
  totals.equal += equal;
  if (worst > 1e-4) return absl::InternalError("a gradient is wrong");
  // libtorch's derivative of prod reads data, to choose among formulas.
  if (options.style == "aten" && equal != places.size() && name != "spectral/joint.json")
    return absl::InternalError("a gradient is not bit-equal");
  if (!types.different.empty()) {
    return absl::InternalError(
        fmt::format("the type of {} is wrong", types.different[0].node->name()));
  }
  return absl::OkStatus();
}

void report(const std::string& name, const absl::Status& status, Totals& totals) {
  ++totals.graphs;
  if (status.ok()) return;
  ++totals.failed;
  fmt::print("{:32} {}\n", name, std::string(status.message()));
}

absl::Status check_corpus_graph(const std::string& path, const std::string& name,
                                const Options& options, Totals& totals) {
  FX_ASSIGN_OR_RETURN(const std::string text, read_file(path));
  Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, read_json(context, text));
  FX_ASSIGN_OR_RETURN(const SymBindings sizes, example_sizes(*graph));
  const std::unique_ptr<Graph> sized = graph->clone();
  FX_RETURN_IF_ERROR(set_input_sizes(*sized, sizes));
  // Inputs of both signs, unless the graph needs probabilities.
  GraphDataOptions made{.generate_missing = true, .both_signs = true, .seed = 3};
  FX_ASSIGN_OR_RETURN(GraphData data, load_graph_data(*sized, {}, made));
  if (!run(*graph, data.constants, data.inputs).ok()) {
    made.both_signs = false;
    FX_ASSIGN_OR_RETURN(data, load_graph_data(*sized, {}, made));
  }
  return compare(name, *graph, options, data.constants, data.inputs, totals);
}

void check_corpus(const Options& options, Totals& totals) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    const std::string file = entry.path().filename().string();
    if (file == "joint.json" || file == "joint_dyn.json")
      names.push_back(std::filesystem::relative(entry.path(), testing::corpus_dir()).string());
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (name.find(options.only) == std::string::npos) continue;
    const std::string path = (testing::corpus_dir() / name).string();
    report(name, check_corpus_graph(path, name, options, totals), totals);
  }
}

absl::Status check_model(const std::string& name, const Options& options, Totals& totals) {
  Context context;
  const ModelInstance model = testing::make(name);
  at::manual_seed(5);
  FX_ASSIGN_OR_RETURN(const CapturedGraph captured,
                      capture_joint(context, model.state, model.inputs, model.loss));
  std::vector<c10::IValue> inputs;
  for (const at::Tensor& input : clone_inputs(captured)) inputs.emplace_back(input);
  return compare(name, *captured.graph, options, captured.constants, inputs, totals);
}

int check(const Options& options) {
  at::set_num_threads(1);
  Totals totals;
  if (!options.zoo_only) check_corpus(options, totals);
  if (!options.corpus_only) {
    for (const ModelEntry& entry : zoo_models()) {
      const std::string name(entry.name);
      if (name.find(options.only) == std::string::npos) continue;
      report(name, check_model(name, options, totals), totals);
    }
  }
  fmt::print("{} graphs, {} failed; {} gradients, {} bit-equal\n", totals.graphs, totals.failed,
             totals.gradients, totals.equal);
  return totals.failed == 0 && totals.graphs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace fx::gradients_check

int fx::check_gradients(int argc, char** argv) {
  gradients_check::Options options;
  CLI::App app{"Compares gradients of fx::joint with recorded ones."};
  app.add_option("--only", options.only, "graphs with this text in their name");
  app.add_option("--style", options.style)->check(CLI::IsMember({"aten", "readable"}));
  app.add_flag("--print", options.print, "print the graphs of fx::joint");
  app.add_flag("--corpus-only", options.corpus_only);
  app.add_flag("--zoo-only", options.zoo_only);
  CLI11_PARSE(app, argc, argv);
  return gradients_check::check(options);
}
