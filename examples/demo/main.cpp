// The way through fxcpp on C++ models, an mlp, a resnet18 and a gpt, with their losses:
//
//   capture    forward and backward as one graph, without Python
//   verify     the graph keeps the IR's rules
//   print      as a table and as `.fx` text
//   summarize  parameters, operations, memory of both passes, from the types
//   replay     through libtorch's dispatcher, and compare with eager mode to the last bit
//   write      `.fx` text, a picture, and JSON for networkx, into the folder that it is given
//
// scripts/demo builds and runs it: demo [FOLDER [MODEL...]]. Exit status 1 when anything differs.
#include "fx/codegen/graphviz/svg.h"
#include "fx/codegen/networkx/networkx.h"
#include "fx/importers/torch/capture.h"
#include "fx/importers/torch/eager.h"
#include "fx/importers/torch/zoo.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/context.h"
#include "fx/ir/files.h"
#include "fx/ir/graph.h"
#include "fx/ir/meta.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "fx/ir/verifier.h"
#include "fx/passes/summary/summary.h"

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

/// Prints lines; of many, the first inputs, the first operators and the end.
void print_lines(const std::vector<std::string>& lines) {
  constexpr size_t kAll = 60, kInputs = 6, kOperators = 14, kLast = 8;
  const auto is_operator = [](const std::string& line) {
    return line.find("aten.") != std::string::npos;
  };
  const size_t first_operator =
      static_cast<size_t>(std::find_if(lines.begin(), lines.end(), is_operator) - lines.begin());
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines.size() > kAll) {
      if (i == kInputs && first_operator > i) {
        fmt::print("  ... ({} more inputs)\n", first_operator - i);
        i = first_operator;
      }
      if (i == first_operator + kOperators) {
        fmt::print("  ... ({} more lines)\n", lines.size() - kLast - i);
        i = lines.size() - kLast;
      }
    }
    fmt::print("{}\n", lines[i]);
  }
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// One line per node: name, what it calls, the type of its value, and where it belongs.
std::vector<std::string> table_lines(const fx::Graph& graph) {
  constexpr std::string_view kRow = "{:26} {:42} {:34} {:3} {:>3}  {}";
  std::vector<std::string> lines = {
      fmt::format(kRow, "name", "target", "type", "", "seq", "module")};
  for (const fx::Node& node : graph.nodes()) {
    const fx::NodeMeta meta = node.meta();
    const std::optional<int64_t> sequence = meta.get(fx::meta::kSeq);
    lines.push_back(fmt::format(kRow, node.name(), node.target(), to_string(node.type()),
                                meta.get(fx::meta::kRegion).value_or(""),
                                sequence ? fmt::to_string(*sequence) : "",
                                meta.get(fx::meta::kModule).value_or("")));
  }
  return lines;
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

/// Compares what eager mode, the captured run and the replay gave; prints one line each for the
/// loss and every gradient and buffer. Returns the number that are not bit-equal.
int compare(const fx::CapturedGraph& joint, const std::vector<at::Tensor>& eager,
            const std::vector<c10::IValue>& replayed) {
  int compared = 0, different = 0;
  double largest = 0;
  fmt::print("{:46} {:22} {}\n", "", "replay against eager", "capture against eager");
  for (size_t i = 0; i < joint.outputs.size(); ++i) {
    const fx::CapturedOutput& output = joint.outputs[i];
    const at::Tensor replay = replayed[i].isTensor() ? replayed[i].toTensor() : at::Tensor();
    if (!eager[i].defined() && !replay.defined() && !output.tensor.defined()) continue;
    const fx::TensorDifference by_replay = fx::compare_tensors(eager[i], replay);
    const fx::TensorDifference by_capture = fx::compare_tensors(eager[i], output.tensor);
    const bool same = by_replay.bit_equal && by_capture.bit_equal;
    ++compared;
    different += same ? 0 : 1;
    largest = std::max({largest, by_replay.max_abs, by_capture.max_abs});
    fmt::print("{:46} {:22} {}\n", label(joint, output), to_string(by_replay),
               to_string(by_capture));
  }
  fmt::print("{} tensors compared, {} bit-equal, {} different; largest difference {:g}\n", compared,
             compared - different, different, largest);
  return different;
}

absl::Status write_files(const fx::Graph& graph, const std::filesystem::path& folder,
                         std::string_view name) {
  heading(fmt::format("{}: files", name));
  const std::string stem = (folder / name).string();
  FX_ASSIGN_OR_RETURN(const std::string svg, fx::draw_svg(graph));
  FX_ASSIGN_OR_RETURN(const std::string networkx, fx::write_networkx(graph));
  const std::pair<const char*, std::string> files[] = {
      {".fx", fx::print(graph, {.version_line = true})},
      {".svg", svg},
      {".networkx.json", networkx}};
  for (const auto& [ending, text] : files) {
    FX_RETURN_IF_ERROR(fx::write_file(stem + ending, text));
    fmt::print("{} ({} bytes)\n", stem + ending, text.size());
  }
  return absl::OkStatus();
}

absl::StatusOr<int> demonstrate(std::string_view name, const std::filesystem::path& folder) {
  FX_ASSIGN_OR_RETURN(const fx::ModelInstance model, fx::make_zoo_model(name));
  const fx::TensorSnapshot start(model.state, model.inputs);

  heading(fmt::format("{}: capture forward, loss and backward", name));
  fx::Context context;
  seed(1);
  const auto began = std::chrono::steady_clock::now();
  FX_ASSIGN_OR_RETURN(fx::CapturedGraph joint,
                      fx::capture_joint(context, model.state, model.inputs, model.loss));
  const double capture_ms = milliseconds_since(began);
  // The outputs' tensors are the model's own where it wrote to them: keep what they are now.
  for (fx::CapturedOutput& output : joint.outputs) {
    if (output.tensor.defined()) output.tensor = output.tensor.detach().clone();
  }
  start.restore();
  fmt::print("{} nodes in {:.1f} ms: {} parameters, buffers and inputs, {} outputs\n",
             joint.graph->size(), capture_ms, joint.inputs.size(), joint.outputs.size());

  heading(fmt::format("{}: verify", name));
  const fx::VerifierReport report = fx::verify(*joint.graph);
  fmt::print("{}{} errors, {} warnings\n", report.str(), report.num_errors, report.num_warnings);
  if (!report.ok()) return 1;

  heading(fmt::format("{}: as a table", name));
  print_lines(table_lines(*joint.graph));
  heading(fmt::format("{}: as .fx", name));
  print_lines(split_lines(fx::print(*joint.graph)));

  heading(fmt::format("{}: what it costs, from the types", name));
  FX_ASSIGN_OR_RETURN(const fx::GraphSummary summary, fx::summarize(*joint.graph));
  fmt::print("{}", fx::summary_text(summary, {.module_depth = 1, .operators = 6}));
  if (!folder.empty()) FX_RETURN_IF_ERROR(write_files(*joint.graph, folder, name));

  heading(fmt::format("{}: replay", name));
  const std::vector<at::Tensor> inputs = fx::clone_inputs(joint);
  seed(1);
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> eager,
                      fx::run_eager(joint, model.inputs, model.loss));
  FX_ASSIGN_OR_RETURN(fx::TorchEvaluator evaluator,
                      fx::TorchEvaluator::create(*joint.graph, joint.constants));
  seed(1);
  FX_ASSIGN_OR_RETURN(const std::vector<c10::IValue> replayed,
                      evaluator.run({inputs.begin(), inputs.end()}));
  return compare(joint, eager, replayed);
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
  heading(problems == 0 ? "all equal to the last bit" : "NOT EQUAL");
  return problems == 0 ? 0 : 1;
}
