// Lesson 9: inverts a network. Visits the graph in reverse order, and replaces each call with a
// call to the inverse function on the original result.
#include "fx/interp/interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/math.h"
#include "fx/tracer/tracer.h"

#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>

namespace {

const std::map<std::string_view, std::string_view> kInverses = {
    {"torch.exp", "torch.log"},
    {"torch.tanh", "torch.atanh"},
    {"torch.sinh", "torch.asinh"},
    {"operator.add", "operator.sub"},
    {"operator.mul", "operator.truediv"}};

/// Returns the graph of the inverse function of a chain of calls whose other operands are numbers.
absl::StatusOr<std::unique_ptr<fx::Graph>> invert(const fx::Graph& graph) {
  auto inverse = std::make_unique<fx::Graph>(graph.context());
  fx::Node* value = inverse->placeholder("y");
  const fx::Node* node = graph.output_node()->arg(0).node();
  for (; !node->is_placeholder(); node = node->arg(0).node()) {
    const auto found = kInverses.find(node->target());
    if (found == kInverses.end() || !node->arg(0).is_node())
      return absl::UnimplementedError("no inverse is known for " + std::string(node->target()));
    std::vector<fx::Argument> args = node->args();
    args[0] = value;
    value = inverse->call_function(graph.context().function(found->second), args);
  }
  inverse->output(value);
  return inverse;
}

class Numbers : public fx::Interpreter<double> {
 public:
  using Interpreter::Interpreter;
  absl::StatusOr<double> call_function(Call& call) override {
    static const std::map<std::string_view, double (*)(double, double)> functions = {
        {"torch.exp", [](double x, double) { return std::exp(x); }},
        {"torch.log", [](double x, double) { return std::log(x); }},
        {"torch.tanh", [](double x, double) { return std::tanh(x); }},
        {"torch.atanh", [](double x, double) { return std::atanh(x); }},
        {"operator.add", [](double x, double y) { return x + y; }},
        {"operator.sub", [](double x, double y) { return x - y; }},
        {"operator.mul", [](double x, double y) { return x * y; }},
        {"operator.truediv", [](double x, double y) { return x / y; }}};
    const auto found = functions.find(call.function.name());
    if (found == functions.end()) return Interpreter::call_function(call);
    return found->second(call.args[0], call.args.size() > 1 ? call.args[1] : 0);
  }
};

absl::Status run() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(
      const auto traced,
      fx::symbolic_trace(context, [](fx::Proxy x) { return exp(tanh(x * 0.5) + 2.0); }, {"x"}));
  FX_ASSIGN_OR_RETURN(const auto inverse, invert(traced->graph()));
  std::cout << fx::print(*inverse);
  FX_ASSIGN_OR_RETURN(const double y, Numbers(traced->graph()).run({0.75}));
  FX_ASSIGN_OR_RETURN(const double x, Numbers(*inverse).run({y}));
  std::cout << "f(0.75) = " << y << ", and back: " << x << '\n';
  return std::abs(x - 0.75) < 1e-12 ? absl::OkStatus() : absl::InternalError("not the inverse");
}

}  // namespace

int main() {
  const absl::Status status = run();
  if (!status.ok()) std::cerr << status << '\n';
  return status.ok() ? 0 : 1;
}
