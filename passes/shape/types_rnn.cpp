// Type functions of recurrent layers and cells.
#include "fx/passes/shape/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

namespace fx::shape {
namespace {

/// What the layers of an LSTM, GRU or RNN share.
struct Layers {
  Type x, hidden;
  int64_t count = 1, directions = 1;
  bool batch_first = false;
};

/// The output of all steps. With the batch first it is stored with time first.
Type all_steps(TypeCall& c, const Layers& l, const Dim& width) {
  const Dim first = l.x.sizes()[0], second = l.x.sizes()[1];
  const Dim features = width * l.directions;
  if (!l.batch_first) return c.result(l.x.dtype(), {first, second, features});
  return c.result(l.x.dtype(), {first, second, features}, {features, first * features, Dim(1)});
}

bool check_layers(TypeCall& c, const Layers& l) {
  if (l.x.rank() == 3 && l.hidden && l.hidden.rank() == 3) return true;
  c.fail(fmt::format("input {} and state {} want rank 3", to_string(l.x),
                     l.hidden ? to_string(l.hidden) : "none"));
  return false;
}

/// lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
Type lstm(TypeCall& c) {
  const auto states = c.tensors(1);
  if (states.size() != 2 || !states[0] || !states[1]) return c.fail("an LSTM has two states");
  const Layers l{c.tensor(0), states[0], c.integer(4), c.boolean(7) ? 2 : 1, c.boolean(8)};
  if (!check_layers(c, l)) return Type();
  // With a projection the hidden state is narrower than the cell.
  return c.tuple({all_steps(c, l, states[0].sizes()[2]), contiguous_like(c, states[0]),
                  contiguous_like(c, states[1])});
}

/// gru(input, hx, params, ...), rnn_tanh, rnn_relu
Type gru(TypeCall& c) {
  const Layers l{c.tensor(0), c.tensor(1), c.integer(4), c.boolean(7) ? 2 : 1, c.boolean(8)};
  if (!check_layers(c, l)) return Type();
  return c.tuple({all_steps(c, l, l.hidden.sizes()[2]), contiguous_like(c, l.hidden)});
}

/// lstm_cell(input, hx, ...)
Type lstm_cell(TypeCall& c) {
  const auto states = c.tensors(1);
  if (states.size() != 2 || !states[0] || !states[1]) return c.fail("an LSTM has two states");
  return c.tuple({contiguous_like(c, states[0]), contiguous_like(c, states[1])});
}
Type gru_cell(TypeCall& c) { return contiguous_like(c, c.tensor(1)); }

/// mkldnn_rnn_layer(input, w0, w1, w2, w3, hx, cx, reverse, batch_sizes, mode, hidden_size, ...):
/// output, states, and a workspace whose size oneDNN chooses.
Type mkldnn_layer(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() != 3) return c.fail(fmt::format("an input of rank {}", x.rank()));
  return c.tuple({c.result(x.dtype(), {x.sizes()[0], x.sizes()[1], c.dim(10)}),
                  contiguous_like(c, c.tensor(5)), contiguous_like(c, c.tensor(6)),
                  c.result(DType::kUInt8, {c.fresh_size()})});
}
/// (input, w1, w2, w3, w4, hx, cx, ...): a gradient for each.
Type mkldnn_layer_backward(TypeCall& c) {
  Type g[7];
  for (int i = 0; i < 7; ++i) g[i] = contiguous_like(c, c.tensor(i));
  return c.tuple({g[0], g[1], g[2], g[3], g[4], g[5], g[6]});
}

constexpr TypeRule kRules[] = {
    {"aten.lstm.input", lstm},
    {"aten.gru.input", gru},
    {"aten.rnn_tanh.input", gru},
    {"aten.rnn_relu.input", gru},
    {"aten.lstm_cell.default", lstm_cell},
    {"aten.gru_cell.default", gru_cell},
    {"aten.rnn_tanh_cell.default", gru_cell},
    {"aten.rnn_relu_cell.default", gru_cell},
    {"aten.mkldnn_rnn_layer.default", mkldnn_layer},
    {"aten.mkldnn_rnn_layer_backward.default", mkldnn_layer_backward},
};

}  // namespace

absl::Span<const TypeRule> rnn_rules() { return kRules; }

}  // namespace fx::shape
