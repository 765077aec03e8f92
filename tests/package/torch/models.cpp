// User models of kinds that fxcpp's zoo does not contain, built with the installed package. Each
// model is captured with its backward pass or as a training step, verified, replayed, and compared
// bit by bit with eager mode. A capture on fake tensors must result in the same graph.
#include "fx/importers/torch/capture/capture.h"
#include "fx/importers/torch/capture/eager.h"
#include "fx/importers/torch/capture/step.h"
#include "fx/importers/torch/layer_scopes/layer_scopes.h"
#include "fx/interp/torch/compare.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/text/text.h"
#include "fx/ir/verify/verifier.h"
#include "fx/passes/shape/check/compare_graph.h"

#include <ATen/autocast_mode.h>
#include <torch/torch.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace nn = torch::nn;
namespace F = torch::nn::functional;

namespace {

int failures = 0;

bool expect(bool holds, const std::string& model, const std::string& what) {
  if (!holds) {
    std::printf("%s: %s\n", model.c_str(), what.c_str());
    ++failures;
  }
  return holds;
}

std::vector<at::Tensor> run(const std::string& name, const fx::CapturedGraph& captured,
                            const std::vector<c10::IValue>& inputs) {
  auto evaluator = fx::TorchEvaluator::create(*captured.graph, captured.constants);
  if (!expect(evaluator.ok(), name, std::string(evaluator.status().message()))) return {};
  torch::manual_seed(7);
  auto values = evaluator->run(inputs);
  if (!expect(values.ok(), name, std::string(values.status().message()))) return {};
  std::vector<at::Tensor> tensors;
  for (const auto& v : *values) tensors.push_back(v.isTensor() ? v.toTensor() : at::Tensor());
  return tensors;
}

void compare(const std::string& name, const char* what, const std::vector<at::Tensor>& a,
             const std::vector<at::Tensor>& b) {
  if (!expect(a.size() == b.size(), name, "number of results")) return;
  for (size_t i = 0; i < a.size(); ++i) {
    const fx::TensorDifference difference = fx::compare_tensors(a[i], b[i]);
    expect(difference.bit_equal, name, what + std::to_string(i) + ": " + to_string(difference));
  }
}

enum class Data { kFixed, kDeterminesSizes };

/// Captures forward and backward passes: compares a real capture with eager mode and its replay,
/// then a capture on fake tensors with the real one.
void joint(const std::string& name, const fx::ModuleState& state, std::vector<at::Tensor> inputs,
           const fx::Program& loss, Data data = Data::kFixed) {
  fx::Context context;
  const fx::TensorSnapshot start(state, inputs);
  torch::manual_seed(7);
  auto captured = fx::capture_joint(context, state, inputs, loss);
  if (!expect(captured.ok(), name, std::string(captured.status().message()))) return;
  expect(fx::verify(*captured->graph).ok(), name, "the verifier reports errors");
  if (data == Data::kFixed) {
    for (const auto& difference : fx::compare_with_recorded(*captured->graph).different) {
      expect(false, name,
             difference.node->name() + ": native type " + to_string(difference.got) + ", actual " +
                 to_string(difference.expected));
    }
  }
  std::vector<at::Tensor> seen;
  for (const auto& output : captured->outputs) {
    seen.push_back(output.tensor.defined() ? output.tensor.detach().clone() : at::Tensor());
  }
  start.restore();
  const std::vector<at::Tensor> copies = fx::clone_inputs(*captured);
  torch::manual_seed(7);
  auto eager = fx::run_eager(*captured, inputs, loss);
  if (!expect(eager.ok(), name, std::string(eager.status().message()))) return;
  compare(name, "captured run, result ", *eager, seen);
  compare(name, "replay, result ", *eager,
          run(name, *captured, std::vector<c10::IValue>(copies.begin(), copies.end())));
  start.restore();

  torch::manual_seed(7);
  auto fake = fx::capture_joint(context, state, inputs, loss, {.execution = fx::Execution::kFake});
  start.restore();
  std::printf("%-12s %4zu nodes", name.c_str(), captured->graph->size());
  if (data == Data::kDeterminesSizes) {
    std::printf(", fake: %s\n", std::string(fake.status().message()).c_str());
    expect(!fake.ok(), name, "sizes that depend on data must be an error on fake tensors");
    return;
  }
  std::printf("\n");
  if (!expect(fake.ok(), name, std::string(fake.status().message()))) return;
  expect(fx::print(*fake->graph) == fx::print(*captured->graph), name,
         "the graph on fake tensors differs:\n" + fx::print(*fake->graph) + "\n" +
             fx::print(*captured->graph));
}

// A graph network: messages along edges are summed at their targets.
struct GraphNet : nn::Module {
  GraphNet()
      : message(register_module("message", nn::Linear(12, 8))),
        update(register_module("update", nn::GRUCell(8, 6))),
        score(register_module("score", nn::Linear(6, 1))) {}
  at::Tensor forward(at::Tensor nodes, const at::Tensor& from, const at::Tensor& to) {
    for (int round = 0; round < 2; ++round) {
      const at::Tensor m = torch::silu(
          message(torch::cat({nodes.index_select(0, from), nodes.index_select(0, to)}, 1)));
      nodes = update(torch::zeros({nodes.size(0), 8}).index_add(0, to, m), nodes);
    }
    return score(nodes).squeeze(-1);
  }
  nn::Linear message;
  nn::GRUCell update;
  nn::Linear score;
};

// A mixture of experts: two of four experts for each token.
struct Experts : nn::Module {
  Experts() : gate(register_module("gate", nn::Linear(nn::LinearOptions(8, 4).bias(false)))) {
    for (int i = 0; i < 4; ++i) experts->push_back(nn::Linear(8, 8));
    register_module("experts", experts);
  }
  at::Tensor forward(const at::Tensor& x) {
    const auto [weights, chosen] = gate(x).topk(2, -1);
    const at::Tensor mix =
        torch::zeros({x.size(0), 4}).scatter(1, chosen, torch::softmax(weights, -1));
    at::Tensor y = torch::zeros_like(x);
    for (int i = 0; i < 4; ++i) {
      y = y + mix.select(1, i).unsqueeze(1) * torch::gelu(experts[i]->as<nn::Linear>()->forward(x));
    }
    return y;
  }
  /// Each expert receives only its tokens; their number depends on the data.
  at::Tensor forward_sparse(const at::Tensor& x) {
    const at::Tensor chosen = std::get<1>(gate(x).topk(2, -1));
    at::Tensor y = torch::zeros_like(x);
    for (int i = 0; i < 4; ++i) {
      const at::Tensor rows = (chosen == i).any(-1).nonzero().squeeze(-1);
      if (rows.numel() == 0) continue;
      y.index_add_(0, rows, experts[i]->as<nn::Linear>()->forward(x.index_select(0, rows)));
    }
    return y;
  }
  nn::Linear gate;
  nn::ModuleList experts;
};

// A denoising diffusion step on small images.
struct Denoiser : nn::Module {
  Denoiser()
      : in(register_module("in", nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1)))),
        time(register_module("time", nn::Embedding(10, 8))),
        norm(register_module("norm", nn::GroupNorm(2, 8))),
        out(register_module("out",
                            nn::ConvTranspose2d(nn::ConvTranspose2dOptions(8, 3, 3).padding(1)))) {
    const at::Tensor betas = torch::linspace(1e-4, 0.02, 10);
    alphas = register_buffer("alphas", (1 - betas).cumprod(0));
  }
  at::Tensor loss(const at::Tensor& x) {
    const at::Tensor t = torch::randint(0, 10, {x.size(0)});
    const at::Tensor noise = torch::randn_like(x);
    const at::Tensor a = alphas.index_select(0, t).view({-1, 1, 1, 1});
    const at::Tensor noisy = a.sqrt() * x + (1 - a).sqrt() * noise;
    const at::Tensor h = in(noisy) + time(t).unsqueeze(-1).unsqueeze(-1);
    return F::mse_loss(out(torch::silu(norm(F::dropout(h, F::DropoutFuncOptions().p(0.1))))),
                       noise);
  }
  nn::Conv2d in;
  nn::Embedding time;
  nn::GroupNorm norm;
  nn::ConvTranspose2d out;
  at::Tensor alphas;
};

// Packed sequences of different lengths; the state is carried over.
struct Packed : nn::Module {
  Packed()
      : lstm(register_module(
            "lstm",
            nn::LSTM(nn::LSTMOptions(5, 7).num_layers(2).bidirectional(true).batch_first(true)))),
        head(register_module("head", nn::Linear(14, 3))) {}
  at::Tensor forward(const at::Tensor& x, const at::Tensor& lengths, const at::Tensor& h,
                     const at::Tensor& c) {
    const auto packed = nn::utils::rnn::pack_padded_sequence(x, lengths, /*batch_first=*/true);
    auto [y, state] = lstm->forward_with_packed_input(packed, std::make_tuple(h, c));
    return head(std::get<0>(nn::utils::rnn::pad_packed_sequence(y, /*batch_first=*/true))) +
           std::get<0>(state).mean();
  }
  nn::LSTM lstm;
  nn::Linear head;
};

// Activations that are recomputed in the backward pass.
struct Recompute : torch::autograd::Function<Recompute> {
  static at::Tensor forward(torch::autograd::AutogradContext* ctx, const at::Tensor& x,
                            const at::Tensor& w) {
    ctx->save_for_backward({x, w});
    return torch::tanh(x.mm(w)).mm(w);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx,
                                                 torch::autograd::variable_list grads) {
    const auto saved = ctx->get_saved_variables();
    const torch::AutoGradMode enable(true);
    const at::Tensor x = saved[0].detach().requires_grad_(), w = saved[1].detach().requires_grad_();
    const at::Tensor y = torch::tanh(x.mm(w)).mm(w);
    return torch::autograd::grad({y}, {x, w}, {grads[0]});
  }
};

/// Training steps: a run of the graph on its previous results must equal a step in eager mode.
template <class Training>
void step(const std::string& name) {
  constexpr int kSteps = 3;
  fx::Context context;
  Training eager, captured;
  for (Training* training : {&eager, &captured}) {
    torch::manual_seed(5);
    training->step(training->inputs);  // optimizers create their state
  }
  std::vector<c10::IValue> values;
  fx::StepOptions options;
  options.runs = kSteps;
  const fx::ModuleState state = captured.state();
  std::vector<std::pair<at::Tensor, at::Tensor>> start;
  for (const auto* part : {&state.parameters, &state.buffers, &state.optimizer}) {
    for (const auto& t : *part) start.emplace_back(t.tensor, t.tensor.detach().clone());
  }
  torch::manual_seed(7);
  auto graph = fx::capture_step(
      context, state, captured.inputs, [&](fx::Tensors in) { return captured.step(in); }, options);
  if (!expect(graph.ok(), name, std::string(graph.status().message()))) return;
  expect(fx::verify(*graph->graph).ok(), name, "the verifier reports errors");
  for (const auto& input : graph->inputs) {
    values.emplace_back(input.tensor);
    for (const auto& [tensor, before] : start) {
      if (input.tensor.defined() && tensor.is_same(input.tensor)) values.back() = before;
    }
  }
  for (int i = 0; i < kSteps; ++i) {
    for (size_t k = 0; k < values.size(); ++k) {
      if (!graph->inputs[k].numbers.empty()) values[k] = graph->inputs[k].numbers[size_t(i)];
    }
    const std::vector<at::Tensor> results = run(name, *graph, values);
    torch::manual_seed(7);
    const std::vector<at::Tensor> losses = eager.step(eager.inputs);
    if (results.size() < losses.size()) return;
    compare(name, "loss ", losses, {results.end() - std::ptrdiff_t(losses.size()), results.end()});
  }
  const fx::ModuleState after = eager.state();
  size_t i = 0;
  for (const auto* part : {&after.parameters, &after.buffers, &after.optimizer}) {
    for (const auto& t : *part) {
      if (!expect(i < start.size(), name, "number of state tensors")) return;
      compare(name, (t.name + " after training ").c_str(), {t.tensor.detach()},
              {start[i++].second});
    }
  }
  std::printf("%-12s %4zu nodes, a step\n", name.c_str(), graph->graph->size());
}

fx::ModuleState join(fx::ModuleState a, const fx::ModuleState& b) {
  a.parameters.insert(a.parameters.end(), b.parameters.begin(), b.parameters.end());
  a.buffers.insert(a.buffers.end(), b.buffers.begin(), b.buffers.end());
  a.optimizer.insert(a.optimizer.end(), b.optimizer.begin(), b.optimizer.end());
  return a;
}

fx::ModuleState prefixed(const std::string& prefix, fx::ModuleState state) {
  for (auto* part : {&state.parameters, &state.buffers, &state.optimizer}) {
    for (auto& t : *part) t.name.insert(0, prefix);
  }
  return state;
}

// Two competing networks with separate optimizers.
struct Gan {
  Gan() {
    torch::manual_seed(1);
    g = nn::Sequential(nn::Linear(4, 16), nn::BatchNorm1d(16), nn::ReLU(), nn::Linear(16, 8));
    d = nn::Sequential(nn::Linear(8, 16), nn::LeakyReLU(), nn::Linear(16, 1));
    learn_g =
        std::make_shared<torch::optim::Adam>(g->parameters(), torch::optim::AdamOptions(1e-2));
    learn_d = std::make_shared<torch::optim::RMSprop>(d->parameters(),
                                                      torch::optim::RMSpropOptions(1e-2));
    inputs = {torch::randn({6, 8})};
  }
  std::vector<at::Tensor> step(fx::Tensors in) {
    const at::Tensor real = torch::ones({6, 1}), fake = torch::zeros({6, 1});
    const at::Tensor generated = g->forward(torch::randn({6, 4}));
    learn_d->zero_grad();
    const at::Tensor d_loss =
        F::binary_cross_entropy_with_logits(d->forward(in[0]), real) +
        F::binary_cross_entropy_with_logits(d->forward(generated.detach()), fake);
    d_loss.backward();
    learn_d->step();
    learn_g->zero_grad();
    const at::Tensor g_loss = F::binary_cross_entropy_with_logits(d->forward(generated), real);
    g_loss.backward();
    learn_g->step();
    return {d_loss.detach(), g_loss.detach()};
  }
  fx::ModuleState state() const {
    fx::ModuleState sg = fx::module_state(g), sd = fx::module_state(d);
    sg.optimizer = fx::optimizer_state(*learn_g, sg);
    sd.optimizer = fx::optimizer_state(*learn_d, sd);
    return join(prefixed("g.", sg), prefixed("d.", sd));
  }
  nn::Sequential g{nullptr}, d{nullptr};
  std::shared_ptr<torch::optim::Optimizer> learn_g, learn_d;
  std::vector<at::Tensor> inputs;
};

// Gradients that are accumulated over two small batches and then clipped, and a teacher without
// gradients whose weights are a moving average of the model's.
struct Accumulated {
  Accumulated() {
    torch::manual_seed(2);
    student = nn::Linear(4, 4);
    teacher = nn::Linear(4, 4);
    {
      const torch::NoGradGuard no_grad;
      for (auto& p : teacher->parameters()) p.requires_grad_(false);
    }
    learn = std::make_shared<torch::optim::SGD>(student->parameters(),
                                                torch::optim::SGDOptions(0.1).momentum(0.5));
    inputs = {torch::randn({3, 4}), torch::randn({3, 4})};
  }
  std::vector<at::Tensor> step(fx::Tensors in) {
    learn->zero_grad();
    at::Tensor total;
    for (const at::Tensor& x : in) {
      const at::Tensor loss = F::mse_loss(student(x), teacher(x)) / 2;
      loss.backward();
      total = total.defined() ? total + loss.detach() : loss.detach();
    }
    {
      const torch::NoGradGuard no_grad;
      for (auto& p : student->parameters()) p.mutable_grad().clamp_(-0.1, 0.1);
    }
    learn->step();
    const torch::NoGradGuard no_grad;
    const auto from = student->parameters();
    const auto to = teacher->parameters();
    for (size_t i = 0; i < to.size(); ++i) to[i].lerp_(from[i], 0.1);
    return {total};
  }
  fx::ModuleState state() const {
    fx::ModuleState s = fx::module_state(student);
    s.optimizer = fx::optimizer_state(*learn, s);
    return join(prefixed("student.", s), prefixed("teacher.", fx::module_state(teacher)));
  }
  nn::Linear student{nullptr}, teacher{nullptr};
  std::shared_ptr<torch::optim::Optimizer> learn;
  std::vector<at::Tensor> inputs;
};

}  // namespace

int main() {
  if (const absl::Status status = fx::check_layer_scopes(); !status.ok()) {
    std::printf("%s\n", std::string(status.message()).c_str());
    return 1;
  }
  torch::manual_seed(0);
  {
    auto net = std::make_shared<GraphNet>();
    joint("graph net", fx::module_state(*net),
          {torch::randn({5, 6}), torch::tensor({0, 1, 2, 3, 4, 0}),
           torch::tensor({1, 2, 3, 4, 0, 2}), torch::rand({5})},
          [&](fx::Tensors in) -> std::vector<at::Tensor> {
            return {F::binary_cross_entropy_with_logits(net->forward(in[0], in[1], in[2]), in[3])};
          });
  }
  {
    auto net = std::make_shared<Experts>();
    const auto state = fx::module_state(*net);
    joint("experts", state, {torch::randn({6, 8})}, [&](fx::Tensors in) -> std::vector<at::Tensor> {
      return {net->forward(in[0]).square().mean()};
    });
    joint(
        "sparse", state, {torch::randn({6, 8})},
        [&](fx::Tensors in) -> std::vector<at::Tensor> {
          return {net->forward_sparse(in[0]).square().mean()};
        },
        Data::kDeterminesSizes);
  }
  {
    auto net = std::make_shared<Denoiser>();
    joint("diffusion", fx::module_state(*net), {torch::randn({2, 3, 8, 8})},
          [&](fx::Tensors in) -> std::vector<at::Tensor> { return {net->loss(in[0])}; });
  }
  {
    auto net = std::make_shared<Packed>();
    joint(
        "packed lstm", fx::module_state(*net),
        {torch::randn({3, 4, 5}), torch::tensor({4, 3, 1}), torch::zeros({4, 3, 7}),
         torch::zeros({4, 3, 7})},
        [&](fx::Tensors in) -> std::vector<at::Tensor> {
          return {net->forward(in[0], in[1], in[2], in[3]).sum()};
        },
        Data::kDeterminesSizes);
  }
  {
    const at::Tensor w = torch::randn({4, 4}).requires_grad_();
    joint("recompute", {{{"w", w}}}, {torch::randn({3, 4})},
          [&](fx::Tensors in) -> std::vector<at::Tensor> {
            return {Recompute::apply(in[0].mm(w), w).sum()};
          });
  }
  {
    auto net = std::make_shared<Experts>();
    joint("autocast", fx::module_state(*net), {torch::randn({6, 8})},
          [&](fx::Tensors in) -> std::vector<at::Tensor> {
            at::autocast::set_autocast_enabled(at::kCPU, true);
            at::autocast::increment_nesting();
            const at::Tensor y = net->experts[0]->as<nn::Linear>()->forward(in[0]);
            at::autocast::decrement_nesting();
            at::autocast::clear_cache();
            at::autocast::set_autocast_enabled(at::kCPU, false);
            return {y.to(at::kFloat).square().mean()};
          });
  }
  step<Gan>("gan");
  step<Accumulated>("accumulated");
  return failures == 0 ? 0 : 1;
}
