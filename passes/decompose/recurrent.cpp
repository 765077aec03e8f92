// Decompositions of recurrent cells and layers (ATen/native/RNN.cpp). Layers are unrolled: a
// sequence must have a known number of steps.
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>
#include <string>

namespace fx {
namespace {

/// The maximum number of cells into which a call is unrolled, over steps, layers and directions.
constexpr int64_t kMaxCells = 100'000;

/// The weights of a layer in one direction.
struct CellWeights {
  Proxy w_ih, w_hh, b_ih, b_hh;
  Proxy w_hr;  ///< projects the hidden state; may have no value
};

/// The state that a cell returns.
struct CellState {
  Proxy hidden;
  Proxy cell;  ///< LSTM only
};

/// Computes a step from the gates of the input, w_ih @ x + b_ih.
using Cell = CellState (*)(Decomposer& d, const Proxy& gates, const CellState& state,
                           const CellWeights& w);

Proxy hidden_gates(const CellState& state, const CellWeights& w) {
  return linear(state.hidden, w.w_hh, w.b_hh);
}
CellState lstm_step(Decomposer& d, const Proxy& gates, const CellState& state,
                    const CellWeights& w) {
  const Proxy sum = hidden_gates(state, w) + gates;
  const Proxy parts = d.emit("aten.chunk.default", {sum, 4, 1});
  const Proxy in = sigmoid(parts[0]), forget = sigmoid(parts[1]), candidate = tanh(parts[2]),
              out = sigmoid(parts[3]);
  const Proxy cell = forget * state.cell + in * candidate;
  Proxy hidden = out * tanh(cell);
  if (w.w_hr.defined()) hidden = d.emit("aten.matmul.default", {hidden, permute(w.w_hr, {1, 0})});
  return {hidden, cell};
}
CellState gru_step(Decomposer& d, const Proxy& gates, const CellState& state,
                   const CellWeights& w) {
  const Proxy from_input = d.emit("aten.chunk.default", {gates, 3, 1});
  const Proxy from_hidden = d.emit("aten.chunk.default", {hidden_gates(state, w), 3, 1});
  const Proxy reset = sigmoid(from_hidden[0] + from_input[0]);
  const Proxy update = sigmoid(from_hidden[1] + from_input[1]);
  const Proxy candidate = tanh(from_input[2] + from_hidden[2] * reset);
  return {(state.hidden - candidate) * update + candidate, Proxy()};
}
CellState tanh_step(Decomposer&, const Proxy& gates, const CellState& state, const CellWeights& w) {
  return {tanh(hidden_gates(state, w) + gates), Proxy()};
}
CellState relu_step(Decomposer&, const Proxy& gates, const CellState& state, const CellWeights& w) {
  return {relu(hidden_gates(state, w) + gates), Proxy()};
}

// ---- Cells

CellState one_step(Decomposer& d, Cell cell, const CellState& state) {
  const CellWeights w{d.tensor("w_ih"), d.tensor("w_hh"), d.optional_tensor("b_ih"),
                      d.optional_tensor("b_hh"), Proxy()};
  // Multiplies in libtorch's order. Tests on random graphs require bit-equal results.
  return cell(d, linear(d.tensor("input"), w.w_ih, w.b_ih), state, w);
}
AnyArg lstm_cell(Decomposer& d) {
  const std::vector<Proxy> state = d.tensors("hx");
  if (state.size() != 2) return d.reject("hx must be the hidden state and the cell state");
  const CellState next = one_step(d, lstm_step, {state[0], state[1]});
  return AnyArg::tuple({next.hidden, next.cell});
}
template <Cell cell>
AnyArg single_cell(Decomposer& d) {
  return one_step(d, cell, {d.tensor("hx"), Proxy()}).hidden;
}

// ---- Layers

/// Computes all steps in one direction, from the first state to the last. One product computes the
/// input gates of all steps.
Proxy all_steps(Decomposer& d, Cell cell, const Proxy& input, CellState& state,
                const CellWeights& w, bool is_reverse) {
  const int64_t steps = d.known_size(input, 0);
  const Proxy gates = d.emit("aten.unbind.int", {linear(input, w.w_ih, w.b_ih)});
  std::vector<Proxy> outputs(static_cast<size_t>(steps));
  for (int64_t i = 0; i < steps && d.status().ok(); ++i) {
    const int64_t at = is_reverse ? steps - 1 - i : i;
    state = cell(d, gates[at], state, w);
    outputs[static_cast<size_t>(at)] = state.hidden;
  }
  return d.status().ok() ? stack(outputs, 0) : input;
}

/// Computes the layers of one call.
class RecurrentLayers {
 public:
  RecurrentLayers(Decomposer& d, Cell cell, bool has_cell_state)
      : d_(d), cell_(cell), has_cell_state_(has_cell_state) {}
  AnyArg run();

 private:
  bool read_states();
  bool read_weights();
  CellState state(size_t index) const {
    return {hidden_[static_cast<int64_t>(index)],
            has_cell_state_ ? cells_[static_cast<int64_t>(index)] : Proxy()};
  }
  Proxy layer(const Proxy& input, size_t layer);
  Proxy direction(const Proxy& input, size_t index, bool is_reverse);

  Decomposer& d_;
  Cell cell_;
  bool has_cell_state_;
  size_t num_layers_ = 0, num_directions_ = 1;
  Proxy hidden_, cells_;  // all layers' states, unbound
  std::vector<CellWeights> weights_;
  std::vector<Proxy> last_hidden_, last_cells_;
};

bool RecurrentLayers::read_states() {
  const int64_t num_layers = d_.integer("num_layers");
  num_directions_ = d_.flag("bidirectional") ? 2 : 1;
  std::vector<Proxy> states;
  if (has_cell_state_)
    states = d_.tensors("hx");
  else
    states.push_back(d_.tensor("hx"));
  if (states.size() != (has_cell_state_ ? 2 : 1) || num_layers < 1) {
    d_.reject(has_cell_state_ ? "hx must have 2 tensors, and num_layers must be positive"
                              : "num_layers must be positive");
    return false;
  }
  num_layers_ = static_cast<size_t>(num_layers);
  hidden_ = d_.emit("aten.unbind.int", {states[0]});
  if (has_cell_state_) cells_ = d_.emit("aten.unbind.int", {states[1]});
  return d_.status().ok();
}

bool RecurrentLayers::read_weights() {
  const std::vector<Proxy> params = d_.tensors("params");
  const bool has_biases = d_.flag("has_biases");
  const size_t cells = num_layers_ * num_directions_, base = has_biases ? 4 : 2;
  const size_t step = params.size() / cells;
  if (params.size() % cells != 0 || (step != base && !(has_cell_state_ && step == base + 1))) {
    d_.reject(
        "params must have 2 tensors for each layer and direction, 4 with biases, and one more "
        "for an LSTM with projections");
    return false;
  }
  for (size_t i = 0; i < params.size(); i += step) {
    CellWeights w{params[i], params[i + 1], Proxy(), Proxy(), Proxy()};
    if (has_biases) w.b_ih = params[i + 2], w.b_hh = params[i + 3];
    if (step > base) w.w_hr = params[i + base];
    weights_.push_back(w);
  }
  return true;
}

Proxy RecurrentLayers::direction(const Proxy& input, size_t index, bool is_reverse) {
  CellState now = state(index);
  const Proxy outputs = all_steps(d_, cell_, input, now, weights_[index], is_reverse);
  last_hidden_.push_back(now.hidden);
  last_cells_.push_back(now.cell);
  return outputs;
}

Proxy RecurrentLayers::layer(const Proxy& input, size_t layer) {
  const size_t index = layer * num_directions_;
  const Proxy forward = direction(input, index, false);
  if (num_directions_ == 1) return forward;
  return cat({forward, direction(input, index + 1, true)}, d_.rank(forward) - 1);
}

AnyArg RecurrentLayers::run() {
  Proxy x = d_.tensor("input");
  const double dropout = d_.number("dropout");
  const bool is_training = d_.flag("train"), batch_first = d_.flag("batch_first");
  if (d_.rank(x) != 3)
    return d_.reject("the input must have 3 dimensions: steps, batch and features");
  const int64_t steps = d_.known_size(x, batch_first ? 1 : 0);
  if (steps < 1) return d_.reject("the sequence has no steps");
  if (!read_states() || !read_weights()) return std::nullopt;
  if (steps > kMaxCells / static_cast<int64_t>(weights_.size()))
    return d_.reject("the unrolled layers have more than " + std::to_string(kMaxCells) + " cells");
  if (batch_first) x = transpose(x, 0, 1);
  for (size_t i = 0; i < num_layers_; ++i) {
    x = layer(x, i);
    if (dropout != 0 && is_training && i + 1 < num_layers_)
      x = d_.emit("aten.dropout.default", {x, dropout, true});
  }
  if (batch_first) x = transpose(x, 0, 1);
  const Proxy hidden = stack(last_hidden_, 0);
  return has_cell_state_ ? AnyArg::tuple({x, hidden, stack(last_cells_, 0)})
                         : AnyArg::tuple({x, hidden});
}

template <Cell cell, bool has_cell_state>
AnyArg layers(Decomposer& d) {
  return RecurrentLayers(d, cell, has_cell_state).run();
}

/// One layer and direction of an LSTM, as oneDNN's kernel computes it. The input has the sizes
/// [steps, batch, features] even if batch_first is true; num_layers and bidirectional describe the
/// network that the layer belongs to.
AnyArg onednn_layer(Decomposer& d) {
  constexpr int64_t kLstm = 2;
  if (d.integer("mode") != kLstm) return d.reject("mode must be 2 (LSTM)");
  if (d.reads_result(3)) return d.reject("result 3, the workspace, must not have users");
  if (!d.integers("batch_sizes").empty()) return d.reject("the sequences must have equal lengths");
  const Proxy input = d.tensor("input");
  if (d.rank(input) != 3)
    return d.reject("the input must have 3 dimensions: steps, batch and features");
  const int64_t steps = d.known_size(input, 0), hidden = d.integer("hidden_size");
  if (steps < 1 || steps > kMaxCells)
    return d.reject("the number of steps must be between 1 and " + std::to_string(kMaxCells));
  CellWeights w{d.tensor("weight0"), d.tensor("weight1"), Proxy(), Proxy(), Proxy()};
  if (d.flag("has_biases")) w.b_ih = d.tensor("weight2"), w.b_hh = d.tensor("weight3");
  const std::vector<IntArg> sizes = {d.size(input, 1), hidden};
  CellState state{d.reshape(d.tensor("hx_"), sizes), d.reshape(d.tensor("cx_"), sizes)};
  const Proxy outputs = all_steps(d, lstm_step, input, state, w, d.flag("reverse"));
  const auto like_result = [&](const Proxy& x, size_t i) {
    return d.result(i).rank() == 3 ? unsqueeze(x, 0) : x;
  };
  return AnyArg::tuple(
      {outputs, like_result(state.hidden, 1), like_result(state.cell, 2), std::nullopt});
}

}  // namespace

absl::Span<const DecompositionRow> recurrent_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.gru.input", layers<gru_step, false>, kCore},
      {"aten.gru_cell.default", single_cell<gru_step>, kCore},
      {"aten.lstm.input", layers<lstm_step, true>, kCore},
      {"aten.lstm_cell.default", lstm_cell, kCore},
      {"aten.mkldnn_rnn_layer.default", onednn_layer, kByName},
      {"aten.rnn_relu.input", layers<relu_step, false>, kCore},
      {"aten.rnn_relu_cell.default", single_cell<relu_step>, kCore},
      {"aten.rnn_tanh.input", layers<tanh_step, false>, kCore},
      {"aten.rnn_tanh_cell.default", single_cell<tanh_step>, kCore},
  };
  return kRows;
}

}  // namespace fx
