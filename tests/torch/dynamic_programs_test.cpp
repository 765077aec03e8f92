// Captures kinds of programs that the zoo does not contain, with symbolic sizes. The joint graph is
// replayed at other sizes and must be bit-equal to eager mode, and its symbolic types must match
// the types of a capture at these sizes.
#include "fx/importers/torch/capture/capture.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/verify/verifier.h"
#include "tests/torch/dynamic_testing.h"

#include <ATen/ATen.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fx::dynamic_programs_test {
namespace {

using ::testing::HasSubstr;
using testing::Sizes;
using testing::StatusIs;

/// A program: its parameters, inputs with their symbolic types, and sizes for replays.
struct Case {
  std::string name;
  ModuleState state;
  std::vector<at::Tensor> inputs;
  DynamicSizes dynamic;
  std::vector<Sizes> replays;
  Program loss;
  HookKind hook = HookKind::kAuto;
};

/// Creates the parameters that a program uses.
class Parameters {
 public:
  at::Tensor operator()(at::IntArrayRef sizes) {
    const at::Tensor tensor = (at::randn(sizes) * 0.3).requires_grad_();
    state.parameters.push_back({"p" + std::to_string(state.parameters.size()), tensor});
    return tensor;
  }
  ModuleState state;
};

Program one_result(std::function<at::Tensor(Tensors)> loss) {
  return [loss = std::move(loss)](Tensors in) -> std::vector<at::Tensor> { return {loss(in)}; };
}

Case gan_step() {
  Parameters p;
  const at::Tensor g1 = p({16, 8}), g2 = p({12, 16}), d1 = p({16, 12}), d2 = p({1, 16});
  const auto judge = [=](const at::Tensor& x) {
    return at::linear(at::leaky_relu(at::linear(x, d1), 0.2), d2);
  };
  const auto bce = [](const at::Tensor& x, double value) {
    return at::binary_cross_entropy_with_logits(x, at::full_like(x, value));
  };
  return {"GanStep",
          p.state,
          {at::randn({6, 8}), at::randn({6, 12})},
          {.inputs = {"f32[batch, 8]", "f32[batch, 12]"}},
          testing::batch_sizes(),
          one_result([=](Tensors in) {
            const at::Tensor fake = at::tanh(at::linear(at::relu(at::linear(in[0], g1)), g2));
            return bce(judge(in[1]), 1) + bce(judge(fake.detach()), 0) + bce(judge(fake), 1);
          })};
}

Case graph_network() {
  Parameters p;
  const at::Tensor message = p({8, 16}), update = p({8, 16});
  return {"GraphNetwork",
          p.state,
          {at::randn({7, 8}), at::randint(2, {2, 12}, at::kLong)},
          {.inputs = {"f32[n, 8]", "i64[2, e]"}},
          {{{"n", 2}, {"e", 5}},
           {{"n", 9}, {"e", 3}},
           {{"n", 4}, {"e", 20}},
           {{"n", 30}, {"e", 31}},
           {{"n", 5}, {"e", 8}}},
          one_result([=](Tensors in) {
            at::Tensor h = in[0];
            const at::Tensor from = in[1].select(0, 0), to = in[1].select(0, 1);
            for (int layer = 0; layer < 2; ++layer) {
              const at::Tensor ends = at::cat({h.index_select(0, from), h.index_select(0, to)}, 1);
              const at::Tensor sums =
                  at::zeros_like(h).index_add(0, to, at::relu(at::linear(ends, message)));
              const at::Tensor degree =
                  at::zeros({h.size(0)}).scatter_add(0, to, at::ones({to.size(0)}));
              h = at::tanh(
                  at::linear(at::cat({h, sums / degree.clamp_min(1).unsqueeze(1)}, 1), update));
            }
            return h.square().mean();
          })};
}

Case mixture_of_experts() {
  Parameters p;
  const at::Tensor gate = p({4, 8}), up = p({4, 8, 16}), down = p({4, 16, 8});
  return {"MixtureOfExperts",
          p.state,
          {at::randn({6, 5, 8})},
          {.inputs = {"f32[batch, seq, 8]"}},
          testing::sequence_sizes(),
          one_result([=](Tensors in) {
            const at::Tensor rows = in[0].reshape({-1, 8});
            const auto [weights, experts] = at::softmax(at::linear(rows, gate), -1).topk(2, -1);
            const at::Tensor share = at::zeros({rows.size(0), 4}).scatter_add(1, experts, weights);
            const at::Tensor hidden = at::silu(at::einsum("nd,edh->enh", {rows, up}));
            const at::Tensor out = at::bmm(hidden, down);  // [expert, row, 8]
            const at::Tensor mixed = (out * share.t().unsqueeze(-1)).sum(0);
            return (mixed.view(in[0].sizes()) - in[0]).square().mean();
          })};
}

Case small_unet() {
  Parameters p;
  const at::Tensor c1 = p({8, 3, 3, 3}), c2 = p({16, 8, 3, 3}), up = p({16, 8, 2, 2}),
                   c3 = p({8, 16, 3, 3}), last = p({3, 8, 1, 1});
  return {"Unet",
          p.state,
          {at::randn({2, 3, 16, 24})},
          {.inputs = {"f32[batch, 3, 2*h, 2*w]"}},
          {{{"batch", 2}, {"h", 4}, {"w", 5}},
           {{"batch", 3}, {"h", 9}, {"w", 3}},
           {{"batch", 5}, {"h", 6}, {"w", 6}},
           {{"batch", 2}, {"h", 16}, {"w", 7}},
           {{"batch", 4}, {"h", 3}, {"w", 12}}},
          one_result([=](Tensors in) {
            const at::Tensor high = at::relu(at::group_norm(at::conv2d(in[0], c1, {}, 1, 1), 2));
            const at::Tensor low = at::relu(at::conv2d(at::max_pool2d(high, 2), c2, {}, 1, 1));
            const at::Tensor joined = at::cat({at::conv_transpose2d(low, up, {}, 2), high}, 1);
            const at::Tensor out = at::conv2d(at::relu(at::conv2d(joined, c3, {}, 1, 1)), last);
            return (out - in[0]).abs().mean();
          })};
}

Case speech_recognizer() {
  Parameters p;
  const at::Tensor conv = p({12, 6, 3}), head = p({5, 12});
  // Under a dispatch mode, the operator receives the lengths as a tensor; otherwise libtorch reads
  // them first.
  return {"Ctc",
          p.state,
          {at::randn({4, 6, 20}), at::randint(1, 5, {4, 3}, at::kLong),
           at::full({4}, 10, at::kLong), at::full({4}, 3, at::kLong)},
          {.inputs = {"f32[batch, 6, 20]", "i64[batch, 3]", "i64[batch]", "i64[batch]"}},
          testing::batch_sizes(),
          one_result([=](Tensors in) {
            const at::Tensor x = at::relu(at::conv1d(in[0], conv, {}, 2, 1)).permute({2, 0, 1});
            return at::ctc_loss(at::log_softmax(at::linear(x, head), -1), in[1], in[2], in[3]);
          }),
          HookKind::kMode};
}

Case vision_transformer() {
  Parameters p;
  const at::Tensor patch = p({16, 3, 4, 4}), positions = p({1, 16, 7, 7}), qkv = p({48, 16}),
                   out = p({16, 16}), head = p({5, 16});
  return {"VitOfAnySize",
          p.state,
          {at::randn({2, 3, 24, 32}), at::randint(5, {2}, at::kLong)},
          {.inputs = {"f32[batch, 3, 4*h, 4*w]", "i64[batch]"}},
          {{{"batch", 2}, {"h", 3}, {"w", 9}},
           {{"batch", 3}, {"h", 7}, {"w", 7}},
           {{"batch", 4}, {"h", 5}, {"w", 2}},
           {{"batch", 2}, {"h", 11}, {"w", 6}},
           {{"batch", 5}, {"h", 4}, {"w", 4}}},
          one_result([=](Tensors in) {
            at::Tensor x = at::conv2d(in[0], patch, {}, 4);
            x = x + at::upsample_bicubic2d(positions, {x.size(2), x.size(3)}, false);
            x = x.flatten(2).transpose(1, 2);
            const std::vector<at::Tensor> parts = at::linear(at::layer_norm(x, {16}), qkv)
                                                      .view({x.size(0), x.size(1), 3, 2, 8})
                                                      .permute({2, 0, 3, 1, 4})
                                                      .unbind(0);
            const at::Tensor mixed = at::scaled_dot_product_attention(parts[0], parts[1], parts[2]);
            x = x + at::linear(mixed.transpose(1, 2).reshape(x.sizes()), out);
            return at::cross_entropy_loss(at::linear(x.mean(1), head), in[1]);
          })};
}

Case rotary_attention() {
  Parameters p;
  const at::Tensor qkv = p({48, 16}), out = p({16, 16});
  return {"RotaryAttentionWithCache",
          p.state,
          {at::randn({3, 6, 16}), at::randn({3, 2, 9, 8}), at::randn({3, 2, 9, 8})},
          {.inputs = {"f32[batch, seq, 16]", "f32[batch, 2, past, 8]", "f32[batch, 2, past, 8]"}},
          {{{"batch", 2}, {"seq", 4}, {"past", 7}},
           {{"batch", 5}, {"seq", 3}, {"past", 21}},
           {{"batch", 4}, {"seq", 12}, {"past", 2}},
           {{"batch", 2}, {"seq", 7}, {"past", 8}},
           {{"batch", 9}, {"seq", 2}, {"past", 13}}},
          one_result([=](Tensors in) {
            const int64_t past = in[1].size(2), seq = in[0].size(1);
            const at::Tensor steps = at::arange(past, past + seq, at::kFloat);
            const at::Tensor rates = at::pow(100.0, -at::arange(4, at::kFloat) / 4);
            const at::Tensor angles = at::outer(steps, rates).repeat({1, 2});
            const auto rotated = [&](const at::Tensor& x) {
              const std::vector<at::Tensor> half = x.chunk(2, -1);
              return x * angles.cos() + at::cat({-half[1], half[0]}, -1) * angles.sin();
            };
            const std::vector<at::Tensor> parts = at::linear(in[0], qkv)
                                                      .view({in[0].size(0), seq, 3, 2, 8})
                                                      .permute({2, 0, 3, 1, 4})
                                                      .unbind(0);
            const at::Tensor k = at::cat({in[1], rotated(parts[1])}, 2);
            const at::Tensor v = at::cat({in[2], parts[2]}, 2);
            const at::Tensor mask = at::ones({seq, past + seq}, at::kBool).tril(past);
            const at::Tensor mixed =
                at::scaled_dot_product_attention(rotated(parts[0]), k, v, mask);
            return at::linear(mixed.transpose(1, 2).reshape(in[0].sizes()), out).square().mean();
          })};
}

Case recommender() {
  Parameters p;
  const at::Tensor items = p({50, 8}), users = p({20, 8}), dense = p({8, 4}), top = p({1, 11});
  return {"Recommender",
          p.state,
          {at::randint(50, {6, 5}, at::kLong), at::randint(20, {6}, at::kLong), at::randn({6, 4}),
           at::rand({6})},
          {.inputs = {"i64[batch, bag]", "i64[batch]", "f32[batch, 4]", "f32[batch]"}},
          {{{"batch", 2}, {"bag", 4}},
           {{"batch", 9}, {"bag", 2}},
           {{"batch", 3}, {"bag", 11}},
           {{"batch", 17}, {"bag", 6}},
           {{"batch", 5}, {"bag", 7}}},
          one_result([=](Tensors in) {
            const int64_t batch = in[0].size(0), bag = in[0].size(1);
            const at::Tensor offsets = at::arange(0, batch * bag, bag);
            const at::Tensor bags =
                std::get<0>(at::embedding_bag(items, in[0].reshape({-1}), offsets, false, 1));
            const at::Tensor user = at::embedding(users, in[1]), x = at::linear(in[2], dense);
            const at::Tensor all = at::stack({bags, user, x}, 1);
            const at::Tensor products = at::bmm(all, all.transpose(1, 2));
            const at::Tensor pairs =
                at::stack({products.select(1, 0).select(1, 1), products.select(1, 0).select(1, 2),
                           products.select(1, 1).select(1, 2)},
                          1);
            const at::Tensor score = at::linear(at::cat({x, pairs}, 1), top).squeeze(1);
            return at::binary_cross_entropy_with_logits(score, in[3]);
          })};
}

Case fourier_layer() {
  Parameters p;
  const at::Tensor real = p({3, 8}), imaginary = p({3, 8}), out = p({8, 8});
  return {"FourierLayer",
          p.state,
          {at::randn({4, 12, 8})},
          {.inputs = {"f32[batch, seq, 8]"}, .ranges = {{"seq", 6, 64}}},
          {{{"batch", 2}, {"seq", 8}},
           {{"batch", 3}, {"seq", 17}},
           {{"batch", 7}, {"seq", 6}},
           {{"batch", 5}, {"seq", 31}},
           {{"batch", 6}, {"seq", 20}}},
          one_result([=](Tensors in) {
            const at::Tensor spectrum = at::fft_rfft(in[0], {}, 1);
            const at::Tensor low = spectrum.narrow(1, 0, 3) * at::complex(real, imaginary);
            const at::Tensor mixed = at::fft_irfft(
                at::constant_pad_nd(low, {0, 0, 0, spectrum.size(1) - 3}), in[0].size(1), 1);
            return (at::gelu(mixed + at::linear(in[0], out)) - in[0]).square().mean();
          })};
}

std::vector<Case> cases() {
  at::manual_seed(1);
  return {gan_step(),         graph_network(),     mixture_of_experts(),
          small_unet(),       speech_recognizer(), vision_transformer(),
          rotary_attention(), recommender(),       fourier_layer()};
}

TEST(DynamicPrograms, ReplaysAtOtherSizesEqualEagerMode) {
  size_t replays = 0;
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    Context context;
    const CaptureOptions options{.hook = c.hook, .dynamic = c.dynamic};
    const absl::StatusOr<CapturedGraph> graph =
        capture_joint(context, c.state, c.inputs, c.loss, options);
    EXPECT_TRUE(graph.ok()) << graph.status();
    if (!graph.ok()) continue;
    EXPECT_EQ(verify(*graph->graph).str(), "");
    for (const Sizes& sizes : c.replays) {
      testing::check_replay(context, {c.state, c.loss, options, *graph}, c.inputs, sizes);
      ++replays;
    }
  }
  EXPECT_EQ(replays, 45u);
}

// The number of iterations of the loop over the sequence is part of the captured structure.
TEST(DynamicPrograms, AnLstmThatLoopsOverTheSequenceIsAnError) {
  Context context;
  Parameters p;
  const at::Tensor from_input = p({32, 4}), from_hidden = p({32, 8});
  const Program loss = one_result([&](Tensors in) {
    at::Tensor h = at::zeros({in[0].size(0), 8}), c = at::zeros({in[0].size(0), 8});
    for (int64_t t = 0; t < in[0].size(1); ++t)
      std::tie(h, c) = at::lstm_cell(in[0].select(1, t), {h, c}, from_input, from_hidden);
    return h.square().mean();
  });
  const auto captured = [&](const std::string& type) {
    return capture_joint(context, p.state, std::vector{at::randn({3, 6, 4})}, loss,
                         {.dynamic = {.inputs = {type}}});
  };
  EXPECT_TRUE(captured("f32[batch, 6, 4]").ok());
  EXPECT_THAT(captured("f32[batch, seq, 4]"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a loop has 6 iterations with batch=3, seq=6, and 7 with batch=4, "
                                 "seq=7; an iteration has 20 calls, from node select_5 "
                                 "(aten.select.int) to node mul_17 (aten.mul.Tensor);")));
}

}  // namespace
}  // namespace fx::dynamic_programs_test
