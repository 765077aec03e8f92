// check_grad: see check_grad.h.
#include "fx/passes/autodiff/check_grad.h"

#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string_view>
#include <utility>

namespace fx {
namespace {

/// A function of the inputs: the weighted sum of the elements of the results.
class WeightedSum {
 public:
  WeightedSum(const Graph& graph, const RunGraph& run, std::vector<size_t> results)
      : graph_(graph), run_(run), results_(std::move(results)) {}

  /// Chooses one weight for each element.
  absl::Status choose(const std::vector<TensorElements>& inputs, uint64_t seed) {
    FX_ASSIGN_OR_RETURN(const std::vector<TensorElements> values, run_(graph_, inputs));
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> weight(0.5, 1.5);
    for (const size_t i : results_) {
      if (i >= values.size())
        return absl::InvalidArgumentError("the run must return a value for each result");
      weights_.emplace_back(values[i].size());
      for (double& w : weights_.back()) w = weight(random);
    }
    return absl::OkStatus();
  }

  absl::StatusOr<double> at(const std::vector<TensorElements>& inputs) const {
    FX_ASSIGN_OR_RETURN(const std::vector<TensorElements> values, run_(graph_, inputs));
    double sum = 0;
    for (size_t k = 0; k < results_.size(); ++k) {
      const TensorElements& result = values.at(results_[k]);
      for (size_t i = 0; i < result.size() && i < weights_[k].size(); ++i)
        sum += result[i] * weights_[k][i];
    }
    return sum;
  }

  const std::vector<TensorElements>& weights() const { return weights_; }

 private:
  const Graph& graph_;
  const RunGraph& run_;
  std::vector<size_t> results_;
  std::vector<TensorElements> weights_;
};

std::vector<const Node*> placeholders_of(const Graph& graph) {
  std::vector<const Node*> inputs;
  for (const Node& node : graph.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  return inputs;
}

absl::Status must_be_float64(std::string_view what, Type type) {
  if (type.dtype() == DType::kFloat64) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("inputs and results must be float64, but {} is {}", what, to_string(type)));
}

/// Returns the indices of the results that are differentiated.
absl::StatusOr<std::vector<size_t>> active_of(const PreparedGraph& prepared) {
  const std::vector<Node*> all = prepared.results();
  std::vector<size_t> active;
  for (const Node* result : prepared.active_results()) {
    FX_RETURN_IF_ERROR(must_be_float64("a result", result->type()));
    active.push_back(static_cast<size_t>(std::ranges::find(all, result) - all.begin()));
  }
  return active;
}

/// Compares the gradient of an input, `at[position]`, with central differences.
absl::Status compare(const WeightedSum& sum, std::string_view name, std::vector<TensorElements>& at,
                     size_t position, const TensorElements& gradient,
                     const CheckGradOptions& options, GradCheck& check) {
  TensorElements& x = at[position];
  if (!gradient.empty() && gradient.size() != x.size()) {
    return absl::InvalidArgumentError(fmt::format("{} has {}, but its gradient has {}", name,
                                                  pluralize(x.size(), "element"), gradient.size()));
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const double middle = x[i];
    x[i] = middle + options.step;
    FX_ASSIGN_OR_RETURN(const double above, sum.at(at));
    x[i] = middle - options.step;
    FX_ASSIGN_OR_RETURN(const double below, sum.at(at));
    x[i] = middle;
    const double slope = (above - below) / (2 * options.step);
    const double got = gradient.empty() ? 0 : gradient[i];
    const double error = std::abs(got - slope);
    ++check.compared;
    check.max_error = std::max(check.max_error, error);
    if (!(error <= options.atol + options.rtol * std::abs(slope))) {
      check.wrong.push_back(
          fmt::format("{}[{}]: the gradient is {}, but the slope is {}", name, i, got, slope));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<GradCheck> check_grad(const Graph& graph, const std::vector<TensorElements>& inputs,
                                     const RunGraph& run, const CheckGradOptions& options) {
  FX_ASSIGN_OR_RETURN(const PreparedGraph prepared, PreparedGraph::make(graph, options.grad));
  const std::vector<const Node*> placeholders = placeholders_of(prepared.graph());
  if (placeholders.size() != inputs.size()) {
    return absl::InvalidArgumentError(fmt::format("the graph has {}, but received {}",
                                                  pluralize(placeholders.size(), "input"),
                                                  inputs.size()));
  }
  FX_ASSIGN_OR_RETURN(const std::vector<size_t> active, active_of(prepared));
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> derivative, vjp(graph, options.grad));
  WeightedSum sum(graph, run, active);
  FX_RETURN_IF_ERROR(sum.choose(inputs, options.seed));
  std::vector<TensorElements> given = inputs;
  given.insert(given.end(), sum.weights().begin(), sum.weights().end());
  FX_ASSIGN_OR_RETURN(const std::vector<TensorElements> values, run(*derivative, given));

  GradCheck check;
  std::vector<TensorElements> at = inputs;
  const size_t num_results = prepared.results().size();
  for (size_t k = 0; k < prepared.inputs().size(); ++k) {
    const Node* const input = prepared.inputs()[k];
    const auto position = std::ranges::find(placeholders, input);
    if (position == placeholders.end())
      return absl::InvalidArgumentError(fmt::format("{} must be a placeholder", input->name()));
    FX_RETURN_IF_ERROR(must_be_float64(input->name(), input->type()));
    // Results come first, then a gradient for each input; a gradient that is None has no elements.
    if (num_results + k >= values.size())
      return absl::InvalidArgumentError("the run must return a value for each result");
    FX_RETURN_IF_ERROR(compare(sum, input->name(), at,
                               static_cast<size_t>(position - placeholders.begin()),
                               values[num_results + k], options, check));
  }
  return check;
}

}  // namespace fx
