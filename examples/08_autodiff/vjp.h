// Reverse-mode differentiation as an interpreter, like fx-tools' difffx: runs the graph on proxies,
// records its calls, then applies a rule to each call in reverse order. fx::vjp
// (docs/differentiation.md) is the library's version, which supports all PyTorch operators.
#pragma once

#include "fx/interp/interpreter.h"
#include "fx/tracer/tracer_base.h"

#include <functional>
#include <map>

namespace autodiff {

using Values = std::vector<fx::AnyArg>;  // proxies and numbers
struct Step;                             // a call that has run
struct Rule {
  size_t num_args;
  /// Returns the gradient of each argument, given the gradient of the result.
  std::function<std::vector<fx::Proxy>(fx::TracerBase&, const Step&, fx::Proxy dret)> backward;
};
using Rules = std::map<std::string_view, Rule>;
struct Step {
  const Rule& rule;
  Values args;
  fx::Proxy value;
};

inline Rules standard_rules() {
  using fx::Proxy, fx::TracerBase;
  using Parts = std::vector<Proxy>;
  return {
      {"operator.add", {2, [](TracerBase&, const Step&, Proxy dret) { return Parts{dret, dret}; }}},
      {"operator.mul",
       {2,
        [](TracerBase& t, const Step& step, Proxy dret) {
          return Parts{t.call_function("operator.mul", {dret, step.args[1]}),
                       t.call_function("operator.mul", {dret, step.args[0]})};
        }}},
      {"torch.sin",
       {1, [](TracerBase& t, const Step& step,
              Proxy dret) { return Parts{dret * t.call_function("torch.cos", {step.args[0]})}; }}},
      {"torch.exp",
       {1, [](TracerBase&, const Step& step, Proxy dret) { return Parts{dret * step.value}; }}}};
}

/// Records the calls of a graph with their rules.
struct Forward : fx::Interpreter<fx::AnyArg> {
  Forward(const fx::Graph& f, const Rules& r, fx::TracerBase& t)
      : Interpreter(f), rules(r), tracer(t) {}
  absl::StatusOr<fx::AnyArg> call_function(Call& call) override {
    const auto rule = rules.find(call.function.name());
    if (rule == rules.end() || call.args.size() != rule->second.num_args || !call.kwargs.empty())
      return absl::UnimplementedError("no rule for this call to " +
                                      std::string(call.function.name()));
    std::vector<fx::Argument> args;
    for (const fx::AnyArg& arg : call.args) args.push_back(arg.value());
    steps.push_back({rule->second, call.args, tracer.call_function(call.function, args)});
    return steps.back().value;
  }
  const Rules& rules;
  fx::TracerBase& tracer;
  std::vector<Step> steps;
};

/// graph(inputs..., %dret) -> (value, (a gradient per input)).
inline absl::StatusOr<std::unique_ptr<fx::Graph>> vjp(const fx::Graph& f, const Rules& rules) {
  auto graph = std::make_unique<fx::Graph>(f.context());
  fx::GraphAppendingTracer tracer(*graph);
  Values inputs;
  for (const fx::Node* input : f.find_nodes(fx::Opcode::kPlaceholder))
    inputs.emplace_back(tracer.placeholder(input->target()));
  Forward forward(f, rules, tracer);
  const fx::Proxy dret = tracer.placeholder("dret");
  FX_ASSIGN_OR_RETURN(const fx::AnyArg value, forward.run(inputs));
  std::map<const fx::Node*, fx::Proxy> gradients = {{value.value().node(), dret}};
  for (auto step = forward.steps.rbegin(); step != forward.steps.rend(); ++step) {
    const auto gradient = gradients.find(step->value.node());
    if (gradient == gradients.end()) continue;  // the result does not depend on it
    const std::vector<fx::Proxy> parts = step->rule.backward(tracer, *step, gradient->second);
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!step->args[i].value().is_node()) continue;
      fx::Proxy& sum = gradients[step->args[i].value().node()];
      sum = sum.defined() ? sum + parts[i] : parts[i];
    }
  }
  std::vector<fx::Argument> results;
  for (const fx::AnyArg& input : inputs) {
    fx::Node* gradient = gradients[input.value().node()].node();
    results.push_back(gradient ? fx::Argument(gradient) : fx::Argument(0.0));
  }
  FX_RETURN_IF_ERROR(tracer.status());
  graph->output(fx::Argument::tuple({value.value(), fx::Argument::tuple(results)}));
  return graph;
}

}  // namespace autodiff
