// fxcpp run: executes a graph through libtorch's dispatcher.
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/torch_interpreter.h"
#include "fx/interp/torch/torch_profiler.h"
#include "fx/ir/support/status.h"
#include "tools/command.h"

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct Options {
  std::string input, check, profile, to;
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  double tolerance = 0;
  bool trace = false, json = false;
};

/// "f32[4, 10], from -1.2 to 3.4, mean 0.1"
std::string describe_tensor(TypeTable& types, const at::Tensor& tensor) {
  std::string text = to_string(type_of(types, tensor));
  if (tensor.numel() == 0 || tensor.is_complex()) return text;
  const at::Tensor values = tensor.to(at::kDouble);
  if (tensor.numel() == 1) return fmt::format("{} = {:.9g}", text, values.item().toDouble());
  return fmt::format("{}, from {:.6g} to {:.6g}, mean {:.6g}", text, values.min().item().toDouble(),
                     values.max().item().toDouble(), values.mean().item().toDouble());
}

/// Prints one line per result that differs, and one about all; the number of those that do.
int compare_results(const std::vector<c10::IValue>& results,
                    const std::vector<at::Tensor>& expected, double tolerance) {
  int compared = 0, bit_equal = 0, wrong = 0;
  double largest = 0;
  for (size_t i = 0; i < results.size() && i < expected.size(); ++i) {
    if (!expected[i].defined()) continue;
    ++compared;
    const at::Tensor got = results[i].isTensor() ? results[i].toTensor() : at::Tensor();
    const TensorDifference difference = compare_tensors(got, expected[i]);
    bit_equal += difference.bit_equal ? 1 : 0;
    largest = std::max(largest, difference.max_abs);
    if (difference.bit_equal || (difference.form.empty() && difference.max_abs <= tolerance)) {
      continue;
    }
    ++wrong;
    fmt::print("out.{}: {}\n", i, to_string(difference));
  }
  fmt::print("{} results compared: {} bit-equal, {} different; largest difference {:g}\n", compared,
             bit_equal, wrong, largest);
  return wrong;
}

// ---------------------------------------------------------------- node by node

/// Prints each node as it has run: its value, and whose values die with it.
class TracePrinter final : public TorchInterpreter {
 public:
  TracePrinter(const Graph& graph, const TorchConstants& constants, bool json)
      : TorchInterpreter(graph, constants), plan_(graph), json_(json) {}

  absl::StatusOr<c10::IValue> run_node(Node& node) override {
    absl::StatusOr<c10::IValue> value = TorchInterpreter::run_node(node);
    if (!value.ok()) return value;
    TypeTable& types = node.context().types();
    const std::string type = to_string(type_of_value(types, *value));
    if (json_) {
      nlohmann::ordered_json line = {{"node", node.name()},
                                     {"op", opcode_name(node.op())},
                                     {"target", node.target()},
                                     {"type", type},
                                     {"frees", freed(node)}};
      if (value->isTensor() && value->toTensor().defined() && !value->toTensor().is_complex())
        line["sum"] = value->toTensor().to(at::kDouble).sum().item().toDouble();
      fmt::print("{}\n", line.dump());
      return value;
    }
    const bool is_tensor = value->isTensor() && value->toTensor().defined();
    fmt::print("{:{}}{} = {}\n", "", 2 * depth(), node.name(),
               is_tensor ? describe_tensor(types, value->toTensor()) : type);
    if (const std::vector<std::string> names = freed(node); !names.empty())
      fmt::print("{:{}}  frees {}\n", "", 2 * depth(), fmt::join(names, ", "));
    return value;
  }

 private:
  std::vector<std::string> freed(const Node& node) const {
    std::vector<std::string> names;
    const uint32_t slot = &node.graph() == &plan_.graph() ? plan_.slot(node) : Plan::kNoSlot;
    if (slot == Plan::kNoSlot) return names;
    const Plan::Step& step = plan_.steps()[slot];
    for (uint32_t i = 0; i < step.num_operands; ++i) {
      const Plan::Operand& operand = plan_.operand(step.first_operand + i);
      if (operand.last_use) names.push_back(plan_.steps()[operand.slot].node->name());
    }
    if (!step.is_read && !node.is_output()) names.push_back(node.name());
    return names;
  }

  Plan plan_;
  bool json_;
};

absl::StatusOr<int> run_and_trace(const Graph& graph, GraphData data, const Options& options) {
  const Node* last = nullptr;
  if (!options.to.empty()) {
    last = graph.find_node(options.to);
    if (!last) return absl::NotFoundError(fmt::format("--to: there is no node {}", options.to));
  }
  TracePrinter printer(graph, data.constants, options.json);
  FX_RETURN_IF_ERROR(printer.start(std::move(data.inputs)));
  FX_RETURN_IF_ERROR(last ? printer.run_to(*last).status() : printer.finish().status());
  return kDone;
}

absl::StatusOr<int> run_and_profile(const Graph& graph, GraphData data, const Options& options) {
  TorchProfiler profiler(graph, data.constants);
  // Once before: first calls look operators up and make thread pools.
  FX_RETURN_IF_ERROR(profiler.run(data.inputs).status());
  profiler.clear_profile();
  FX_RETURN_IF_ERROR(profiler.run(std::move(data.inputs)).status());
  for (const ProfileGroup group : {ProfileGroup::kModule, ProfileGroup::kTarget})
    fmt::print("{}\n", profiler.profile().table(group));
  FX_RETURN_IF_ERROR(write_file(options.profile, profiler.profile().chrome_trace()));
  return kDone;
}

absl::StatusOr<int> run_graph(const Options& options) {
  Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, load_graph(context, options.input));
  std::vector<std::string> files;
  const std::string beside = data_path(options.input);
  if (std::filesystem::exists(beside)) files.push_back(beside);
  files.insert(files.end(), options.inputs.begin(), options.inputs.end());
  FX_ASSIGN_OR_RETURN(GraphData data, load_graph_data(*graph, files));
  at::manual_seed(options.seed);
  if (options.trace || !options.to.empty()) return run_and_trace(*graph, std::move(data), options);
  if (!options.profile.empty()) return run_and_profile(*graph, std::move(data), options);
  FX_ASSIGN_OR_RETURN(TorchEvaluator evaluator, TorchEvaluator::create(*graph, data.constants));
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results, evaluator.run(data.inputs));
  if (!options.check.empty()) {
    FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> expected,
                        load_graph_outputs(*graph, options.check));
    return compare_results(results, expected, options.tolerance) == 0 ? kDone : kFound;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].isTensor()) continue;
    fmt::print("out.{}: {}\n", i, describe_tensor(context.types(), results[i].toTensor()));
  }
  return kDone;
}

}  // namespace

Run add_run(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("INPUT", options->input, "the graph; g.safetensors beside g.fx has its tensors")
      ->required();
  app.add_option("--inputs", options->inputs,
                 "safetensors files with further inputs, or others than those beside the graph");
  app.add_option("--check", options->check,
                 "compare with the results out.0, out.1, ... in this safetensors file");
  app.add_option("--tolerance", options->tolerance,
                 "largest absolute difference that --check accepts")
      ->capture_default_str();
  app.add_flag("--trace", options->trace,
               "print each node as it has run: its value, and what it frees");
  app.add_option("--to", options->to, "as --trace, up to this node");
  app.add_flag("--json", options->json,
               "--trace: a line {node, op, target, type, frees, sum} each");
  app.add_option("--profile", options->profile,
                 "print time and memory by module and operator, and write a Chrome trace here; the "
                 "graph runs twice, and the second time counts");
  app.add_option("--seed", options->seed, "of random operators")->capture_default_str();
  return [options] { return run_graph(*options); };
}

}  // namespace fx::tools
