// check_graphs partition: cuts each joint graph of the corpus and the zoo (partition_joint), runs
// the forward and then the backward graph in libtorch, and compares the results with
// those of the joint graph.
//
//   check_graphs partition [--only TEXT] [--corpus-only] [--zoo-only] [--table]
//
// All results must be bit-equal, and all inputs must be equal to the inputs after a run of the
// functionalized graph, for the methods default and min-cut and for different budgets. The saved
// bytes must be within the budget, or minimal. Prints a row for each graph: the bytes saved by
// default, by min-cut, with a budget of half, and with a budget of 0; the time of forward and
// backward with a budget of half, relative to default; the number of saved random values. The exit
// status is 1 if there is a finding.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/passes/partition/joint/joint_partition.h"
#include "fx/passes/shape/check/compare_graph.h"
#include "tests/testing/corpus.h"
#include "tests/torch/checks.h"
#include "tests/torch/zoo_testing.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::partition_check {
namespace {

struct Options {
  std::string only;
  bool corpus_only = false, zoo_only = false, table = false;
};

struct Totals {
  size_t graphs = 0, failed = 0, values = 0;
};

using Values = std::vector<c10::IValue>;

Values copies(const Values& inputs) {
  Values result;
  for (const c10::IValue& input : inputs)
    result.push_back(input.isTensor() ? c10::IValue(input.toTensor().detach().clone()) : input);
  return result;
}

void flatten(const c10::IValue& value, Values& leaves) {
  if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) flatten(item, leaves);
  } else if (value.isList()) {
    for (const c10::IValue& item : value.toListRef()) flatten(item, leaves);
  } else if (value.isTensorList()) {
    for (const at::Tensor& item : value.toTensorVector()) leaves.emplace_back(item);
  } else {
    leaves.push_back(value);
  }
}

absl::StatusOr<Values> run(const Graph& graph, const TorchConstants& constants,
                           const Values& inputs) {
  TorchInterpreter interpreter(graph, constants);
  FX_ASSIGN_OR_RETURN(const c10::IValue value, interpreter.run(inputs));
  Values leaves;
  flatten(value, leaves);
  return leaves;
}

/// Returns a description of the first value that differs; "" if all are bit-equal.
std::string difference(const Values& a, const Values& b, std::string_view what, Totals& totals) {
  if (a.size() != b.size()) return fmt::format("{} and {} {}s", a.size(), b.size(), what);
  for (size_t i = 0; i < a.size(); ++i) {
    ++totals.values;
    if (a[i].isTensor() != b[i].isTensor())
      return fmt::format("{} {} has a different kind", what, i);
    if (!a[i].isTensor()) continue;
    const at::Tensor x = a[i].toTensor(), y = b[i].toTensor();
    if (x.defined() != y.defined()) return fmt::format("{} {} is undefined", what, i);
    if (!x.defined()) continue;
    const TensorDifference found = compare_tensors(x, y);
    if (!found.bit_equal || !found.form.empty())
      return fmt::format("{} {}: {}", what, i, to_string(found));
  }
  return "";
}

bool is_tangent(const Node& node) {
  return node.is_placeholder() && node.target().starts_with("tangents");
}

struct PartsRun {
  Values results;  // in the order of the joint graph
  double seconds = 0;
};

/// Runs the forward and the backward graph on `inputs`, the inputs of the joint graph.
absl::StatusOr<PartsRun> run_parts(const JointPartition& parts, const Graph& joint,
                                   const TorchConstants& constants, const Values& inputs) {
  Values primals, tangents;
  size_t i = 0;
  for (const Node& node : joint.nodes())
    if (node.is_placeholder()) (is_tangent(node) ? tangents : primals).push_back(inputs.at(i++));
  at::manual_seed(11);
  const auto start = std::chrono::steady_clock::now();
  FX_ASSIGN_OR_RETURN(const Values first, run(*parts.forward, constants, primals));
  if (first.size() != parts.num_results + parts.saved.size())
    return absl::InternalError("the forward graph has a different number of results");
  PartsRun result;
  result.results.assign(first.begin(), first.begin() + static_cast<ptrdiff_t>(parts.num_results));
  const auto values = first.begin() + static_cast<ptrdiff_t>(parts.num_results);
  const auto sizes = first.end() - static_cast<ptrdiff_t>(parts.num_saved_sizes);
  Values saved(sizes, first.end());
  saved.insert(saved.end(), values, sizes);
  saved.insert(saved.end(), tangents.begin(), tangents.end());
  FX_ASSIGN_OR_RETURN(const Values second, run(*parts.backward, constants, saved));
  result.results.insert(result.results.end(), second.begin(), second.end());
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

absl::Status check(const std::string& name, const Graph& joint, const Options& options,
                   const TorchConstants& constants, const Values& inputs, Totals& totals) {
  at::manual_seed(11);
  const Values before = copies(inputs);
  FX_ASSIGN_OR_RETURN(const Values whole, run(joint, constants, before));
  // After functionalization, the new values of written inputs are results, and the last calls copy
  // them to the inputs.
  const std::unique_ptr<Graph> functional = joint.clone();
  FX_RETURN_IF_ERROR(functionalize(*functional).status());
  const Values written = copies(inputs);
  at::manual_seed(11);
  FX_RETURN_IF_ERROR(run(*functional, constants, written).status());
  JointPartitionOptions by_default, min_cut, half, quarter, minimal;
  by_default.method = JointMethod::kDefault;
  half.budget = MemoryBudget{.fraction = 0.5};
  quarter.budget = MemoryBudget{.fraction = 0.25};
  minimal.budget = MemoryBudget{.bytes = 0};
  std::vector<int64_t> bytes;
  std::vector<double> seconds;
  size_t random = 0;
  for (const JointPartitionOptions* each : {&by_default, &min_cut, &half, &quarter, &minimal}) {
    FX_ASSIGN_OR_RETURN(const JointPartition parts, partition_joint(joint, *each));
    if (options.table) fmt::print("{}\n", to_string(parts));
    FX_RETURN_IF_ERROR(verify_status(*parts.forward));
    FX_RETURN_IF_ERROR(verify_status(*parts.backward));
    const Values after = copies(inputs);
    FX_ASSIGN_OR_RETURN(PartsRun result, run_parts(parts, joint, constants, after));
    std::string wrong = difference(whole, result.results, "result", totals);
    if (wrong.empty()) wrong = difference(written, after, "input", totals);
    if (!wrong.empty()) {
      return absl::InternalError(
          fmt::format("{}\n{}{}", wrong, print(*parts.forward), print(*parts.backward)));
    }
    if (parts.budget_bytes &&
        parts.saved_bytes > std::max(*parts.budget_bytes, parts.min_saved_bytes))
      return absl::InternalError("the budget is exceeded");
    for (int again = 0; again < 2; ++again) {
      FX_ASSIGN_OR_RETURN(const PartsRun timed, run_parts(parts, joint, constants, copies(inputs)));
      result.seconds = std::min(result.seconds, timed.seconds);
    }
    bytes.push_back(parts.saved_bytes);
    seconds.push_back(result.seconds);
    random = static_cast<size_t>(
        std::ranges::count_if(parts.saved, [](const SavedValue& s) { return s.is_random; }));
  }
  fmt::print("{:34} {:9} {:9} {:9} {:9}  {:.2f} {:3}\n", name, bytes[0], bytes[1], bytes[2],
             bytes[4], seconds[2] / seconds[0], random);
  if (bytes[1] > bytes[0]) return absl::InternalError("min-cut saves more than default");
  return absl::OkStatus();
}

void report(const std::string& name, const absl::Status& status, Totals& totals) {
  ++totals.graphs;
  if (status.ok()) return;
  ++totals.failed;
  fmt::print("{:34} {}\n", name, std::string(status.message()));
}

absl::Status check_corpus_graph(const std::string& path, const std::string& name,
                                const Options& options, Totals& totals) {
  FX_ASSIGN_OR_RETURN(const std::string text, read_file(path));
  Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, read_json(context, text));
  FX_ASSIGN_OR_RETURN(const SymBindings sizes, example_sizes(*graph));
  const std::unique_ptr<Graph> sized = graph->clone();
  FX_RETURN_IF_ERROR(set_input_sizes(*sized, sizes));
  // Inputs with both signs, unless the graph requires probabilities.
  GraphDataOptions data_options{.generate_missing = true, .both_signs = true, .seed = 3};
  FX_ASSIGN_OR_RETURN(GraphData data, load_graph_data(*sized, {}, data_options));
  if (!run(*graph, data.constants, copies(data.inputs)).ok()) {
    data_options.both_signs = false;
    FX_ASSIGN_OR_RETURN(data, load_graph_data(*sized, {}, data_options));
  }
  return check(name, *graph, options, data.constants, data.inputs, totals);
}

absl::Status check_model(const std::string& name, const Options& options, Totals& totals) {
  Context context;
  const ModelInstance model = testing::make(name);
  at::manual_seed(5);
  FX_ASSIGN_OR_RETURN(const CapturedGraph captured,
                      capture_joint(context, model.state, model.inputs, model.loss));
  Values inputs;
  for (const at::Tensor& input : clone_inputs(captured)) inputs.emplace_back(input);
  return check(name, *captured.graph, options, captured.constants, inputs, totals);
}

int check_all(const Options& options) {
  at::set_num_threads(1);
  Totals totals;
  fmt::print("{:34} {:>9} {:>9} {:>9} {:>9}  {:>4} {:>3}\n", "saved bytes", "default", "min-cut",
             "half", "minimal", "time", "rng");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir())) {
    const std::string file = entry.path().filename().string();
    if (file == "joint.json" || file == "joint_dyn.json")
      names.push_back(std::filesystem::relative(entry.path(), testing::corpus_dir()).string());
  }
  std::ranges::sort(names);
  for (const std::string& name : names) {
    if (options.zoo_only || name.find(options.only) == std::string::npos) continue;
    const std::string path = (testing::corpus_dir() / name).string();
    report(name, check_corpus_graph(path, name, options, totals), totals);
  }
  for (const ModelEntry& entry : zoo_models()) {
    const std::string name(entry.name);
    if (options.corpus_only || name.find(options.only) == std::string::npos) continue;
    report(name, check_model(name, options, totals), totals);
  }
  fmt::print("{} graphs, {} failed; {} values compared\n", totals.graphs, totals.failed,
             totals.values);
  return totals.failed == 0 && totals.graphs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace fx::partition_check

int fx::check_partition(int argc, char** argv) {
  partition_check::Options options;
  CLI::App app{
      "Compares forward and backward graphs with the joint graphs that they are cut from."};
  app.add_option("--only", options.only, "only graphs whose names contain this text");
  app.add_flag("--corpus-only", options.corpus_only);
  app.add_flag("--zoo-only", options.zoo_only);
  app.add_flag("--table", options.table, "print the table of each partition");
  CLI11_PARSE(app, argc, argv);
  return partition_check::check_all(options);
}
