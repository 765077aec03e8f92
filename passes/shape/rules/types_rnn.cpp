// Type functions for recurrent layers and cells.
#include "fx/ir/types/strides.h"
#include "fx/passes/shape/rules/elementwise_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <utility>

namespace fx::shape {
namespace {

/// The parameters that LSTM, GRU and RNN layers have in common.
struct Layers {
  Type x, hidden;
  int64_t count = 1, directions = 1;
  bool batch_first = false;
};

/// Returns the type of the output of all steps. Time comes first in memory even with batch_first.
Type all_steps(TypeCall& c, const Layers& l, const Dim& width) {
  const Dim first = l.x.sizes()[0], second = l.x.sizes()[1];
  const Dim features = width * l.directions;
  if (!l.batch_first) return c.result(l.x.dtype(), {first, second, features});
  return c.result(l.x.dtype(), {first, second, features}, {features, first * features, Dim(1)});
}

bool check_layers(TypeCall& c, const Layers& l) {
  if (l.x.rank() == 3 && l.hidden && l.hidden.rank() == 3) return true;
  c.fail(fmt::format("input {} and state {} must be 3-D", to_string(l.x),
                     l.hidden ? to_string(l.hidden) : "none"));
  return false;
}

/// lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional, batch_first)
Type lstm(TypeCall& c) {
  const auto states = c.tensors(1);
  if (states.size() != 2 || !states[0] || !states[1])
    return c.fail("lstm expects two hidden states");
  const Layers l{c.tensor(0), states[0], c.integer(4), c.boolean(7) ? 2 : 1, c.boolean(8)};
  if (!check_layers(c, l)) return Type();
  // With a projection, the hidden state has fewer features than the cell state.
  return c.tuple({all_steps(c, l, states[0].sizes()[2]), contiguous_like(c, states[0]),
                  contiguous_like(c, states[1])});
}

/// gru(input, hx, params, ...), rnn_tanh, rnn_relu
Type gru(TypeCall& c) {
  const Layers l{c.tensor(0), c.tensor(1), c.integer(4), c.boolean(7) ? 2 : 1, c.boolean(8)};
  if (!check_layers(c, l)) return Type();
  return c.tuple({all_steps(c, l, l.hidden.sizes()[2]), contiguous_like(c, l.hidden)});
}

// ---------------------------------------------------------------- packed sequences
// The steps of all sequences are concatenated. The lengths of the sequences, which are data,
// determine the number of steps.

/// _pack_padded_sequence(input, lengths, batch_first): returns the data, and the batch size of each
/// step.
Type pack_padded_sequence(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() < 2)
    return c.fail(fmt::format("the input must have at least 2 dimensions, not {}", x.rank()));
  DimVector sizes = to_vector(x.sizes());
  sizes.erase(sizes.begin());
  sizes[0] = c.fresh_size();
  return c.tuple({c.result(x.dtype(), sizes), c.result(DType::kInt64, {c.fresh_size()})});
}

/// Returns the type of a new tensor of these sizes, with time first in memory.
Type time_first(TypeCall& c, DType dtype, DimVector sizes, bool batch_first) {
  if (!batch_first || sizes.size() < 2) return c.result(dtype, sizes);
  std::swap(sizes[0], sizes[1]);
  DimVector strides = contiguous_strides(sizes);
  std::swap(sizes[0], sizes[1]);
  std::swap(strides[0], strides[1]);
  return c.result(dtype, sizes, strides);
}

/// _pack_padded_sequence_backward(grad, input_size, batch_sizes, batch_first)
Type pack_padded_sequence_backward(TypeCall& c) {
  return time_first(c, c.tensor(0).dtype(), to_vector(c.dims(1)), c.boolean(3));
}

/// _pad_packed_sequence(data, batch_sizes, batch_first, padding_value, total_length): returns the
/// padded sequences and their lengths.
Type pad_packed_sequence(TypeCall& c) {
  const Type data = c.tensor(0), steps = c.tensor(1);
  if (data.rank() < 1 || steps.rank() != 1)
    return c.fail("data must have at least one dimension and batch_sizes must be 1-D");
  const Dim length = c.integer(4) > 0 ? Dim(c.integer(4)) : steps.sizes()[0];
  const Dim batch = c.fresh_size();
  const bool batch_first = c.boolean(2);
  DimVector sizes = to_vector(data.sizes());
  sizes[0] = batch_first ? length : batch;
  sizes.insert(sizes.begin(), batch_first ? batch : length);
  return c.tuple(
      {time_first(c, data.dtype(), sizes, batch_first), c.result(DType::kInt64, {batch})});
}

/// Returns the type of the output of a layer on packed data.
Type packed_steps(TypeCall& c, Type hidden, bool two_directions) {
  const Type data = c.tensor(0);
  if (data.rank() != 2 || !hidden || hidden.rank() != 3) {
    c.fail("packed data must be 2-D and states must be 3-D");
    return Type();
  }
  return c.result(data.dtype(), {data.sizes()[0], hidden.sizes()[2] * (two_directions ? 2 : 1)});
}
Type lstm_packed(TypeCall& c) {
  const auto states = c.tensors(2);
  if (states.size() != 2 || !states[0] || !states[1])
    return c.fail("lstm expects two hidden states");
  const Type steps = packed_steps(c, states[0], c.boolean(8));
  if (!steps) return Type();
  return c.tuple({steps, contiguous_like(c, states[0]), contiguous_like(c, states[1])});
}
Type gru_packed(TypeCall& c) {
  const Type steps = packed_steps(c, c.tensor(2), c.boolean(8));
  if (!steps) return Type();
  return c.tuple({steps, contiguous_like(c, c.tensor(2))});
}

/// lstm_cell(input, hx, ...)
Type lstm_cell(TypeCall& c) {
  const auto states = c.tensors(1);
  if (states.size() != 2 || !states[0] || !states[1])
    return c.fail("lstm_cell expects two hidden states");
  return c.tuple({contiguous_like(c, states[0]), contiguous_like(c, states[1])});
}
Type gru_cell(TypeCall& c) { return contiguous_like(c, c.tensor(1)); }

/// mkldnn_rnn_layer(input, w0, w1, w2, w3, hx, cx, reverse, batch_sizes, mode, hidden_size, ...):
/// returns output, states, and a workspace whose size oneDNN determines.
Type mkldnn_layer(TypeCall& c) {
  const Type x = c.tensor(0);
  if (x.rank() != 3) return c.fail(fmt::format("the input must be 3-D, not {}-D", x.rank()));
  return c.tuple({c.result(x.dtype(), {x.sizes()[0], x.sizes()[1], c.dim(10)}),
                  contiguous_like(c, c.tensor(5)), contiguous_like(c, c.tensor(6)),
                  c.result(DType::kUInt8, {c.fresh_size()})});
}
/// (input, w1, w2, w3, w4, hx, cx, ...): returns a gradient for each of these arguments.
Type mkldnn_layer_backward(TypeCall& c) {
  Type g[7];
  for (int i = 0; i < 7; ++i) g[i] = contiguous_like(c, c.tensor(i));
  return c.tuple({g[0], g[1], g[2], g[3], g[4], g[5], g[6]});
}

constexpr TypeRule kRnnRules[] = {
    {"aten.lstm.input", lstm},
    {"aten.gru.input", gru},
    {"aten.rnn_tanh.input", gru},
    {"aten.rnn_relu.input", gru},
    {"aten._pack_padded_sequence.default", pack_padded_sequence},
    {"aten._pack_padded_sequence_backward.default", pack_padded_sequence_backward},
    {"aten._pad_packed_sequence.default", pad_packed_sequence},
    {"aten.lstm.data", lstm_packed},
    {"aten.gru.data", gru_packed},
    {"aten.rnn_tanh.data", gru_packed},
    {"aten.rnn_relu.data", gru_packed},
    {"aten.lstm_cell.default", lstm_cell},
    {"aten.gru_cell.default", gru_cell},
    {"aten.rnn_tanh_cell.default", gru_cell},
    {"aten.rnn_relu_cell.default", gru_cell},
    {"aten.mkldnn_rnn_layer.default", mkldnn_layer},
    {"aten.mkldnn_rnn_layer_backward.default", mkldnn_layer_backward},
};

}  // namespace

absl::Span<const TypeRule> rnn_rules() { return kRnnRules; }

}  // namespace fx::shape
