// fxcpp run: executes a graph through libtorch's dispatcher.
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/ir/support/status.h"
#include "tools/command.h"

#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

struct Options {
  std::string input, check;
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  double tolerance = 0;
};

/// "out.3: f32[4, 10], min -1.2, max 3.4"
std::string describe(TypeTable& types, size_t position, const at::Tensor& tensor) {
  std::string text = fmt::format("out.{}: {}", position, to_string(type_of(types, tensor)));
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

absl::StatusOr<int> run_graph(const Options& options) {
  Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> graph, load_graph(context, options.input));
  std::vector<std::string> files;
  const std::string beside = data_path(options.input);
  if (std::filesystem::exists(beside)) files.push_back(beside);
  files.insert(files.end(), options.inputs.begin(), options.inputs.end());
  FX_ASSIGN_OR_RETURN(GraphData data, load_graph_data(*graph, files));
  FX_ASSIGN_OR_RETURN(TorchEvaluator evaluator, TorchEvaluator::create(*graph, data.constants));
  at::manual_seed(options.seed);
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> results, evaluator.run(data.inputs));
  if (!options.check.empty()) {
    FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> expected,
                        load_graph_outputs(*graph, options.check));
    return compare_results(results, expected, options.tolerance) == 0 ? kDone : kFound;
  }
  for (size_t i = 0; i < results.size(); ++i) {
    if (!results[i].isTensor()) continue;
    fmt::print("{}\n", describe(context.types(), i, results[i].toTensor()));
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
  app.add_option("--seed", options->seed, "of random operators")->capture_default_str();
  return [options] { return run_graph(*options); };
}

}  // namespace fx::tools
