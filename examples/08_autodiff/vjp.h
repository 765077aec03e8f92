// Reverse-mode differentiation as an interpreter, like fx-tools' difffx: runs the graph on proxies
// with a forward rule per function, then applies backward rules to the calls in reverse order.
#pragma once

#include "fx/interp/interpreter.h"
#include "fx/tracer/tracer_base.h"

#include <functional>
#include <map>

namespace autodiff {

using Tracer = fx::TracerBase;
using Values = std::vector<fx::AnyArg>;  // proxies and numbers
using Proxies = std::vector<fx::Proxy>;
struct Step;  // a call that has run
struct Rule {
  size_t num_args;
  std::function<fx::Proxy(Tracer&, const Values& args)> forward;
  std::function<Proxies(Tracer&, const Step&, fx::Proxy dret)> backward;  // of each argument
};
using Rules = std::map<std::string_view, Rule>;
struct Step {
  const Rule& rule;
  Values args;
  fx::Proxy value;
};

inline Rules standard_rules() {
  Rules rules;
  rules["operator.add"] = {
      2, [](Tracer& t, const Values& a) { return t.call_function("operator.add", {a[0], a[1]}); },
      [](Tracer&, const Step&, fx::Proxy dret) { return Proxies{dret, dret}; }};
  rules["operator.mul"] = {
      2, [](Tracer& t, const Values& a) { return t.call_function("operator.mul", {a[0], a[1]}); },
      [](Tracer& t, const Step& step, fx::Proxy dret) {
        return Proxies{t.call_function("operator.mul", {dret, step.args[1]}),
                       t.call_function("operator.mul", {dret, step.args[0]})};
      }};
  rules["torch.sin"] = {
      1, [](Tracer& t, const Values& a) { return t.call_function("torch.sin", {a[0]}); },
      [](Tracer& t, const Step& step, fx::Proxy dret) {
        return Proxies{dret * t.call_function("torch.cos", {step.args[0]})};
      }};
  rules["torch.exp"] = {
      1, [](Tracer& t, const Values& a) { return t.call_function("torch.exp", {a[0]}); },
      [](Tracer&, const Step& step, fx::Proxy dret) { return Proxies{dret * step.value}; }};
  return rules;
}

/// Runs the forward rules, and records the calls.
struct Forward : fx::Interpreter<fx::AnyArg> {
  Forward(const fx::Graph& f, const Rules& r, Tracer& t) : Interpreter(f), rules(r), tracer(t) {}
  absl::StatusOr<fx::AnyArg> call_function(Call& call) override {
    const auto rule = rules.find(call.function.name());
    if (rule == rules.end() || call.args.size() != rule->second.num_args || !call.kwargs.empty())
      return absl::UnimplementedError("no rule for this call of " +
                                      std::string(call.function.name()));
    steps.push_back({rule->second, call.args, rule->second.forward(tracer, call.args)});
    return steps.back().value;
  }
  const Rules& rules;
  Tracer& tracer;
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
    if (!gradients.contains(step->value.node())) continue;  // the result does not depend on it
    const Proxies parts = step->rule.backward(tracer, *step, gradients[step->value.node()]);
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
