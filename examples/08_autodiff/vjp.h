// Reverse-mode differentiation as an interpreter, in the manner of fx-tools' difffx: run the graph,
// note what was called on what, then go back over the notes with a rule per function.
//
// It is a Transformer: the run writes the forward pass into a new graph, the way back writes the
// backward pass behind it. vjp(f) is graph(inputs..., %dret) -> (value, (a gradient per input)).
#pragma once

#include "fx/interp/transformer.h"
#include "fx/ir/context.h"
#include "fx/ir/graph.h"

#include "absl/container/flat_hash_map.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autodiff {

/// Writes calls of functions, by their names.
class Writer {
 public:
  explicit Writer(fx::Graph& graph) : graph_(&graph) {}
  fx::Argument operator()(std::string_view function, std::vector<fx::Argument> args) const {
    return fx::Argument(graph_->call_function(graph_->context().function(function), args));
  }

 private:
  fx::Graph* graph_;
};

/// What the call was: its arguments, its value, and the gradient of its value.
struct Step {
  fx::Target function;
  std::vector<fx::Argument> args;
  fx::Argument value;
};
/// The gradient of each argument; None for one that has none.
using BackwardRule = std::function<std::vector<fx::Argument>(const Writer& write, const Step& step,
                                                             const fx::Argument& dret)>;
using BackwardRules = absl::flat_hash_map<std::string, BackwardRule>;

class Vjp : public fx::Transformer {
 public:
  Vjp(const fx::Graph& graph, const BackwardRules& rules) : Transformer(graph), rules_(rules) {}

  absl::StatusOr<fx::Argument> placeholder(Call& call) override {
    FX_ASSIGN_OR_RETURN(fx::Argument input, Transformer::placeholder(call));
    inputs_.push_back(input.as_node());
    return input;
  }
  absl::StatusOr<fx::Argument> call_function(Call& call) override {
    Step step{call.function, call.args, {}};
    FX_ASSIGN_OR_RETURN(step.value, Transformer::call_function(call));
    steps_.push_back(std::move(step));
    return steps_.back().value;
  }
  absl::StatusOr<fx::Argument> output(Call& call) override {
    const Writer write(new_graph());
    absl::flat_hash_map<const fx::Node*, fx::Argument> gradients;
    {
      const auto guard = inputs_.empty() ? new_graph().inserting_before(nullptr)
                                         : new_graph().inserting_after(inputs_.back());
      gradients[call.args[0].as_node()] = new_graph().placeholder("dret");
    }
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      const auto dret = gradients.find(step->value.as_node());
      if (dret == gradients.end()) continue;  // the result does not depend on it
      const auto rule = rules_.find(std::string(step->function.name()));
      if (rule == rules_.end())
        return absl::UnimplementedError("no backward rule for " +
                                        std::string(step->function.name()));
      const std::vector<fx::Argument> parts =
          rule->second(write, *step, fx::Argument(dret->second));
      for (size_t i = 0; i < parts.size(); ++i) {
        if (!step->args[i].is_node() || parts[i].is_none()) continue;
        fx::Argument& sum = gradients[step->args[i].as_node()];
        sum = sum.is_none() ? parts[i] : write("operator.add", {sum, parts[i]});
      }
    }
    std::vector<fx::Argument> results;
    for (const fx::Node* input : inputs_) {
      const auto gradient = gradients.find(input);
      results.push_back(gradient == gradients.end() ? fx::Argument(0.0) : gradient->second);
    }
    call.args = {fx::Argument::tuple({call.args[0], fx::Argument::tuple(results)})};
    return Transformer::output(call);
  }

 private:
  const BackwardRules& rules_;
  std::vector<fx::Node*> inputs_;
  std::vector<Step> steps_;
};

inline absl::StatusOr<std::unique_ptr<fx::Graph>> vjp(const fx::Graph& graph,
                                                      const BackwardRules& rules) {
  return Vjp(graph, rules).transform();
}

/// Rules of functions of numbers.
inline BackwardRules standard_rules() {
  BackwardRules rules;
  rules["operator.add"] = [](const Writer&, const Step&, const fx::Argument& dret) {
    return std::vector<fx::Argument>{dret, dret};
  };
  rules["operator.mul"] = [](const Writer& write, const Step& step, const fx::Argument& dret) {
    return std::vector<fx::Argument>{write("operator.mul", {dret, step.args[1]}),
                                     write("operator.mul", {dret, step.args[0]})};
  };
  rules["torch.sin"] = [](const Writer& write, const Step& step, const fx::Argument& dret) {
    const fx::Argument slope = write("torch.cos", {step.args[0]});
    return std::vector<fx::Argument>{write("operator.mul", {dret, slope})};
  };
  rules["torch.exp"] = [](const Writer& write, const Step& step, const fx::Argument& dret) {
    return std::vector<fx::Argument>{write("operator.mul", {dret, step.value})};
  };
  return rules;
}

}  // namespace autodiff
