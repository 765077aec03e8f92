// Lesson 16: derivatives of derivatives. A physics-informed network solves u'' = -pi^2 sin(pi x)
// with u(0) = u(1) = 0: its loss contains the second derivative of the network, and training needs
// the gradient of that loss. All derivatives are graphs; libtorch only runs them. Then the Jacobian
// of the network is compared with its derivative.
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff.h"
#include "fx/passes/autodiff/jacobian.h"
#include "fx/passes/shape/input_type.h"
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/tracer.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace {

using GraphPointer = std::unique_ptr<fx::Graph>;
constexpr double kPi = 3.14159265358979323846;

/// The network. The factor x (1 - x) makes it zero at 0 and 1.
fx::Proxy network(fx::Proxy x, fx::Proxy w1, fx::Proxy b1, fx::Proxy w2) {
  return x * (1 - x) * matmul(tanh(matmul(x, w1) + b1), w2);
}

/// Replaces the graph's results with a function of the first one.
template <class F>
absl::Status apply_to_result(fx::Graph& graph, F&& function) {
  fx::Node* const output = graph.output_node();
  fx::Argument result(output->arg(0));
  if (!result.is_node()) result = result[0];
  const fx::InsertPointGuard guard = graph.inserting_before(output);
  fx::GraphAppendingTracer tracer(graph);
  const fx::Proxy value = function(tracer(result.node()));
  FX_RETURN_IF_ERROR(tracer.status());
  return output->set_args({fx::Argument(value.node())});
}

/// Returns the derivative of each element of the result with respect to the element of x in the
/// same row.
absl::StatusOr<GraphPointer> by_x(const fx::Graph& function) {
  const GraphPointer total = function.clone();
  FX_RETURN_IF_ERROR(apply_to_result(*total, [](fx::Proxy u) { return sum(u); }));
  FX_ASSIGN_OR_RETURN(GraphPointer derivative, fx::grad(*total, {.wrt = {"x"}}));
  FX_RETURN_IF_ERROR(apply_to_result(*derivative, [](fx::Proxy u) { return u; }));
  return derivative;
}

absl::StatusOr<std::vector<at::Tensor>> run(const fx::Graph& graph,
                                            const std::vector<at::Tensor>& inputs) {
  fx::TorchInterpreter interpreter(graph);
  FX_ASSIGN_OR_RETURN(const c10::IValue value, interpreter.run({inputs.begin(), inputs.end()}));
  std::vector<at::Tensor> tensors;
  std::vector<c10::IValue> todo = {value};
  while (!todo.empty()) {  // (loss, (gradients...)) in order
    const c10::IValue item = todo.back();
    todo.pop_back();
    if (item.isTensor()) {
      tensors.push_back(item.toTensor());
      continue;
    }
    const std::vector<c10::IValue> items = item.toTupleRef().elements().vec();
    todo.insert(todo.end(), items.rbegin(), items.rend());
  }
  return tensors;
}

absl::Status lesson() {
  fx::Context context;
  FX_ASSIGN_OR_RETURN(const auto traced,
                      fx::symbolic_trace(context, network, {"x", "w1", "b1", "w2"}));
  fx::Graph& u = traced->graph();
  FX_RETURN_IF_ERROR(
      fx::set_input_types(u, {"x=f64[32, 1]", "w1=f64[1, 16]", "b1=f64[16]", "w2=f64[16, 1]"}));

  FX_ASSIGN_OR_RETURN(const GraphPointer first, by_x(u));
  FX_ASSIGN_OR_RETURN(const GraphPointer second, by_x(*first));
  const GraphPointer loss = second->clone();
  FX_RETURN_IF_ERROR(apply_to_result(*loss, [&](fx::Proxy u_xx) {
    const fx::Proxy x = fx::Proxy(*loss->find_node("x"), *u_xx.tracer());
    const fx::Proxy residual = u_xx + kPi * kPi * sin(kPi * x);
    return mean(residual * residual);
  }));
  // (loss, (gradients...)) for the tangent 1.
  FX_ASSIGN_OR_RETURN(const GraphPointer training, fx::vjp(*loss, {.wrt = {"w1", "b1", "w2"}}));
  fmt::print("nodes: network {}, u' {}, u'' {}, loss and gradients {}\n", u.size(), first->size(),
             second->size(), training->size());

  torch::manual_seed(0);
  const auto real = torch::TensorOptions(torch::kDouble);
  const at::Tensor x = torch::linspace(0, 1, 32, real).unsqueeze(1);
  std::vector<at::Tensor> weights = {torch::randn({1, 16}, real), torch::randn({16}, real),
                                     torch::randn({16, 1}, real)};
  torch::optim::Adam optimizer(weights, torch::optim::AdamOptions(0.02));
  const at::Tensor one = torch::ones({}, real);
  double start = 0, end = 0;
  for (int step = 0; step < 1500; ++step) {
    FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> results,
                        run(*training, {x, weights[0], weights[1], weights[2], one}));
    for (size_t i = 0; i < weights.size(); ++i) weights[i].mutable_grad() = results[i + 1];
    optimizer.step();
    (step == 0 ? start : end) = results[0].item<double>();
  }
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> solution,
                      run(u, {x, weights[0], weights[1], weights[2]}));
  const double error = (solution[0] - torch::sin(kPi * x)).abs().max().item<double>();
  fmt::print("the loss decreases by a factor of more than 1,000: {}\n", start > 1000 * end);
  fmt::print("the maximum error of u is less than 0.01: {}\n", error < 0.01);

  FX_ASSIGN_OR_RETURN(const GraphPointer jacobian, fx::jacobian(u, {.grad = {.wrt = {"x"}}}));
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> whole,
                      run(*jacobian, {x, weights[0], weights[1], weights[2]}));
  FX_ASSIGN_OR_RETURN(const std::vector<at::Tensor> slope,
                      run(*first, {x, weights[0], weights[1], weights[2]}));
  const at::Tensor expected = torch::diag(slope[0].flatten()).reshape({32, 1, 32, 1});
  fmt::print("the Jacobian is diagonal, with u' on the diagonal: {}\n",
             torch::allclose(whole[0], expected));
  return absl::OkStatus();
}

}  // namespace

int main() {
  const absl::Status status = lesson();
  if (!status.ok()) fmt::print(stderr, "{}\n", status.ToString());
  return status.ok() ? 0 : 1;
}
