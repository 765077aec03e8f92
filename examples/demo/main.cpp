// The way through fxcpp on two C++ models, an mlp and a resnet18, with their losses:
//
//   capture   forward and backward as one graph, without Python
//   verify    the graph keeps the IR's rules
//   print     as a table and as `.fx` text
//   replay    through libtorch's dispatcher, and compare with eager mode to the last bit
//
// scripts/demo builds and runs it. Exit status 1 when anything differs.
#include "fx/importers/torch/capture.h"
#include "fx/importers/torch/eager.h"
#include "fx/importers/torch/zoo.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/context.h"
#include "fx/ir/graph.h"
#include "fx/ir/meta.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text.h"
#include "fx/ir/verifier.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

void heading(std::string_view text) { fmt::print("\n== {}\n", text); }

/// Prints lines; of many, the first inputs and the first operators.
void print_lines(const std::vector<std::string>& lines) {
  constexpr size_t kAll = 80, kInputs = 6, kOperators = 24;
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
        fmt::print("  ... ({} more lines)\n", lines.size() - i);
        return;
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
    fmt::print("{:46} {:22} {}\n", label(joint, output), to_string(by_replay),
               to_string(by_capture));
  }
  fmt::print("{} tensors compared, {} bit-equal, {} different\n", compared, compared - different,
             different);
  return different;
}

absl::StatusOr<int> demonstrate(std::string_view name) {
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

int main() {
  int problems = 0;
  for (const std::string_view name : {"mlp", "resnet18"}) {
    const absl::StatusOr<int> different = demonstrate(name);
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
