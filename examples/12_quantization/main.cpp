// Lesson 12: post-training quantization, in four steps: insert observers after the calls, run
// examples, replace the observers with quantize and dequantize calls for the observed ranges, and
// compare.
#include "fx/interp/interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using Vector = std::vector<double>;
struct Range {
  double low = 0, high = 0;
};

/// Evaluates a graph on vectors, where a number is a vector of length 1; observers extend the range
/// of their node.
class Vectors : public fx::Interpreter<Vector> {
 public:
  using Interpreter::Interpreter;
  std::map<const fx::Node*, Range> ranges;

  absl::StatusOr<Vector> call_function(Call& call) override {
    const std::string_view name = call.function.name();
    Vector result = call.args[0];
    const auto number = [&](size_t i) { return call.args[i][0]; };
    for (size_t i = 0; i < result.size(); ++i) {
      double& x = result[i];
      const double y = call.args.back()[call.args.back().size() == 1 ? 0 : i];
      if (name == "torch.mul")
        x *= y;
      else if (name == "torch.add")
        x += y;
      else if (name == "torch.relu")
        x = std::max(x, 0.0);
      else if (name == "quantize")
        x = std::clamp(std::round(x / number(1)), -128.0, 127.0);
      else if (name == "dequantize")
        x *= number(1);
      else if (name == "observe") {
        Range& range = ranges[call.node];
        range = {std::min(range.low, x), std::max(range.high, x)};
      } else
        return Interpreter::call_function(call);
    }
    return result;
  }
  absl::StatusOr<Vector> constant(const fx::Argument& value) override {
    return Vector{value.is_int() ? static_cast<double>(value.as_int()) : value.as_float()};
  }
};

void insert_observers(fx::Graph& graph) {
  const fx::Target observe = graph.context().function("observe");
  for (fx::Node* node : graph.find_nodes(fx::Opcode::kCallFunction)) {
    const auto guard = graph.inserting_after(node);
    node->replace_all_uses_with(graph.call_function(observe, {node}));
  }
}

absl::Status fold_observers(fx::Graph& graph, const std::map<const fx::Node*, Range>& ranges) {
  fx::Context& context = graph.context();
  for (fx::Node* node : graph.find_nodes(context.function("observe"))) {
    const Range range = ranges.at(node);
    const double scale = std::max(-range.low, range.high) / 127;  // symmetric, eight bits
    const auto guard = graph.inserting_before(node);
    fx::Node* q = graph.call_function(context.function("quantize"), {node->arg(0), scale});
    node->replace_all_uses_with(graph.call_function(context.function("dequantize"), {q, scale}));
    FX_RETURN_IF_ERROR(graph.erase_node(node));
  }
  return absl::OkStatus();
}

absl::Status run() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<fx::Graph> graph, fx::parse_graph(context, R"(
graph(%x, %w) {
  %mul = torch.mul(%x, %w)
  %add = torch.add(%mul, 0.5)
  %relu = torch.relu(%add)
  return %relu
})"));
  const std::unique_ptr<fx::Graph> quantized = graph->clone();
  insert_observers(*quantized);
  Vectors calibration(*quantized);
  for (const Vector& x : {Vector{-2, 1, 0.25}, Vector{3, 0.5, -1}})
    FX_RETURN_IF_ERROR(calibration.run({x, {0.5, 2, 1}}).status());
  FX_RETURN_IF_ERROR(fold_observers(*quantized, calibration.ranges));
  std::cout << fx::print(*quantized);
  FX_ASSIGN_OR_RETURN(const Vector expected, Vectors(*graph).run({{2, -0.3, 0.7}, {0.5, 2, 1}}));
  FX_ASSIGN_OR_RETURN(const Vector got, Vectors(*quantized).run({{2, -0.3, 0.7}, {0.5, 2, 1}}));
  for (size_t i = 0; i < expected.size(); ++i) {
    std::cout << expected[i] << " quantized: " << got[i] << '\n';
    if (std::abs(expected[i] - got[i]) > 0.03)
      return absl::InternalError("the quantization error is too large");
  }
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
