// Demonstrates fxcpp's main features on three C++ models, mlp, resnet18 and gpt, with their losses:
//
//   capture    forward, loss and backward as one graph, without Python
//   verify     check the rules of the IR
//   summarize  parameters, operations, memory of both passes, from the types
//   replay     through libtorch's dispatcher, with results that are bit-equal to eager mode
//   write      pictures, text, tables and JSON for networkx, into the given folder
//
// The output is a summary, with the first and last calls of both passes. scripts/demo builds and
// runs it: demo [FOLDER [MODEL...]]. Exits with status 1 if there is a difference.
#include "fx/codegen/graphviz/svg.h"
#include "fx/codegen/networkx/networkx.h"
#include "fx/codegen/plot/memory_plot.h"
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/summary/summary.h"
#include "fx/tools/torch/zoo/zoo.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace {

void heading(std::string_view text) { fmt::print("\n== {}\n", text); }

/// "capture    176 nodes"
void row(std::string_view what, std::string_view text) { fmt::print("{:10} {}\n", what, text); }

/// Returns true if a node is a call of the forward (fw) or backward (bw) pass.
bool is_call_of(const fx::Node& node, std::string_view region) {
  return node.op() == fx::Opcode::kCallFunction &&
         node.meta().get(fx::meta::kRegion).value_or("") == region;
}

/// Prints the first and the last calls of each pass as `.fx` text, truncated to one line each.
void print_ends(const fx::Graph& graph) {
  constexpr size_t kEnds = 2, kWidth = 110;
  const std::string text = fx::print(graph, {.meta = false});
  for (const std::string_view region : {"fw", "bw"}) {
    std::vector<std::string> names;
    for (const fx::Node& node : graph.nodes())
      if (is_call_of(node, region)) names.emplace_back(node.name());
    fmt::print("first and last calls of the {} pass:\n", region == "fw" ? "forward" : "backward");
    for (size_t i = 0; i < names.size(); ++i) {
      if (i >= kEnds && i + kEnds < names.size()) continue;
      const size_t at = text.find(fmt::format("\n  %{} ", names[i])) + 1;
      std::string line = text.substr(at, text.find('\n', at) - at);
      if (line.size() > kWidth) line = line.substr(0, kWidth - 3) + "...";
      fmt::print("{}\n", line);
    }
  }
}

/// One line per node: name, target, type, pass and module.
std::string table_text(const fx::Graph& graph) {
  constexpr std::string_view kRow = "{:26} {:42} {:34} {:3} {:>3}  {}\n";
  std::string text =
      "fw, bw: the forward or the backward pass. seq: a number that a backward call shares with "
      "its\n"
      "forward call. module: the module of the model, if it is known.\n\n";
  text += fmt::format(kRow, "name", "target", "type", "", "seq", "module");
  for (const fx::Node& node : graph.nodes()) {
    const fx::NodeMeta meta = node.meta();
    const std::optional<int64_t> sequence = meta.get(fx::meta::kSeq);
    text += fmt::format(kRow, node.name(), node.target(), to_string(node.type()),
                        meta.get(fx::meta::kRegion).value_or(""),
                        sequence ? fmt::to_string(*sequence) : "",
                        meta.get(fx::meta::kModule).value_or(""));
  }
  return text;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

void seed(uint64_t value) {
  auto generator = at::globalContext().defaultGenerator(at::kCPU);
  generator.set_current_seed(value);
}

std::string label(const fx::CapturedGraph& joint, const fx::CapturedOutput& output) {
  if (output.kind == fx::OutputKind::kResult) return "loss";
  const std::string_view what = output.kind == fx::OutputKind::kGradient ? "gradient of" : "new";
  return fmt::format("{} {}", what, joint.inputs[output.index].name);
}

/// The result of comparing tensors: a line for each tensor, and the tensors that differ.
struct Comparison {
  int compared = 0, different = 0;
  double largest = 0;
  std::string all, differing;
};

/// Compares the results of eager mode, the captured run and the replay: the loss and every gradient
/// and buffer.
Comparison compare(const fx::CapturedGraph& joint, const std::vector<at::Tensor>& eager,
                   const std::vector<c10::IValue>& replayed) {
  Comparison result;
  result.all = fmt::format("{:46} {:22} {}\n", "", "replay vs. eager", "capture vs. eager");
  for (size_t i = 0; i < joint.outputs.size(); ++i) {
    const fx::CapturedOutput& output = joint.outputs[i];
    const at::Tensor replay = replayed[i].isTensor() ? replayed[i].toTensor() : at::Tensor();
    if (!eager[i].defined() && !replay.defined() && !output.tensor.defined()) continue;
    const fx::TensorDifference by_replay = fx::compare_tensors(eager[i], replay);
    const fx::TensorDifference by_capture = fx::compare_tensors(eager[i], output.tensor);
    const std::string line = fmt::format("{:46} {:22} {}\n", label(joint, output),
                                         to_string(by_replay), to_string(by_capture));
    ++result.compared;
    result.all += line;
    result.largest = std::max({result.largest, by_replay.max_abs, by_capture.max_abs});
    if (by_replay.bit_equal && by_capture.bit_equal) continue;
    ++result.different;
    result.differing += line;
  }
  return result;
}

/// A file that the demo writes: its extension, and a description of its content.
struct DemoFile {
  std::string_view extension, about;
  std::string text;
};

absl::Status write_files(const std::filesystem::path& folder, std::string_view name,
                         const std::vector<DemoFile>& files) {
  std::string_view what = "files";
  for (const DemoFile& file : files) {
    const std::string path = (folder / name).string() + std::string(file.extension);
    FX_RETURN_IF_ERROR(fx::write_file(path, file.text));
    row(std::exchange(what, ""), fmt::format("{:34} {}", path, file.about));
  }
  return absl::OkStatus();
}

absl::StatusOr<int> demonstrate(std::string_view name, const std::filesystem::path& folder) {
  FX_ASSIGN_OR_RETURN(const fx::ModelInstance model, fx::make_zoo_model(name));
  const fx::TensorSnapshot start(model.state, model.inputs);

  heading(name);
  fx::Context context;
  seed(1);
  const auto began = std::chrono::steady_clock::now();
  FX_ASSIGN_OR_RETURN(fx::CapturedGraph joint,
                      fx::capture_joint(context, model.state, model.inputs, model.loss));
  const double capture_ms = milliseconds_since(began);
  const fx::Graph& graph = *joint.graph;
  fx::set_graph_name(*joint.graph, name);
  // Output tensors may be tensors of the model that later runs write to: copy them.
  for (fx::CapturedOutput& output : joint.outputs) {
    if (output.tensor.defined()) output.tensor = output.tensor.detach().clone();
  }
  start.restore();
  const auto calls = [&graph](std::string_view region) {
    int count = 0;
    for (const fx::Node& node : graph.nodes()) count += is_call_of(node, region);
    return count;
  };
  row("capture",
      fmt::format("one graph of {} nodes in {:.1f} ms: {} forward calls including the loss, {} "
                  "backward calls",
                  graph.size(), capture_ms, calls("fw"), calls("bw")));

  const fx::VerifierReport report = fx::verify(graph);
  row("verify", fmt::format("{} errors, {} warnings", report.num_errors, report.num_warnings));
  fmt::print("{}", report.str());
  if (!report.ok()) return 1;

  FX_ASSIGN_OR_RETURN(const fx::GraphSummary summary, fx::summarize(graph));
  row("cost",
      fmt::format(
          "{} parameters; {} FLOPs forward, {} backward; at most {} of memory",
          fx::count_text(summary.parameters.elements), fx::count_text(summary.flops.forward),
          fx::count_text(summary.flops.backward),
          fx::bytes_text(std::max(summary.peak_forward.bytes, summary.peak_backward.bytes))));

  const std::vector<at::Tensor> inputs = fx::clone_inputs(joint);
  seed(1);
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> eager,
                      fx::run_eager(joint, model.inputs, model.loss));
  FX_ASSIGN_OR_RETURN(fx::TorchEvaluator evaluator,
                      fx::TorchEvaluator::create(*joint.graph, joint.constants));
  seed(1);
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> replayed,
                      evaluator.run({inputs.begin(), inputs.end()}));
  const Comparison comparison = compare(joint, eager, replayed);
  row("replay", fmt::format("{} tensors compared with eager mode (loss, gradients, buffers): {} "
                            "bit-equal, {} different; largest difference {:g}",
                            comparison.compared, comparison.compared - comparison.different,
                            comparison.different, comparison.largest));
  fmt::print("{}", comparison.differing);

  if (!folder.empty()) {
    FX_ASSIGN_OR_RETURN(const std::string svg, fx::draw_svg(graph));
    FX_ASSIGN_OR_RETURN(const std::string networkx, fx::write_networkx(graph));
    FX_RETURN_IF_ERROR(
        write_files(folder, name,
                    {{".svg", "the picture, for a browser", svg},
                     {".memory.svg", "memory over time, forward and backward",
                      fx::plot_memory(summary.liveness, {.title = name})},
                     {".fx", "the graph as text, which the command reads",
                      fx::print(graph, {.version_line = true})},
                     {".table.txt", "a line per node", table_text(graph)},
                     {".cost.txt", "costs by operator and module",
                      fx::summary_text(summary, {.module_depth = 1, .operators = 6})},
                     {".replay.txt", "every tensor that was compared", comparison.all},
                     {".networkx.json", "for Python's networkx", networkx}}));
  }
  print_ends(graph);
  return comparison.different;
}

}  // namespace

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : "";
  std::vector<std::string_view> models(argv + std::min(argc, 2), argv + argc);
  if (models.empty()) models = {"mlp", "resnet18", "gpt"};
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  int problems = 0;
  for (const std::string_view name : models) {
    const absl::StatusOr<int> different = demonstrate(name, folder);
    if (!different.ok()) {
      fmt::print(stderr, "{}: {}\n", name, std::string(different.status().message()));
      ++problems;
    } else {
      problems += *different;
    }
  }
  heading(problems == 0 ? "all results are bit-equal" : "NOT EQUAL");
  return problems == 0 ? 0 : 1;
}
