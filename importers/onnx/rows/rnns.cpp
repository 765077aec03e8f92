// Recurrent networks. Each layer becomes an ONNX LSTM, GRU or RNN; cells become matrix products.
//
// The order of gates differs. For an LSTM, it is i, f, g, o in libtorch and i, o, f, g in ONNX; for
// a GRU, it is r, z, n in libtorch and z, r, n in ONNX.
#include "fx/importers/onnx/rows/rows_internal.h"

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

struct Kind {
  std::string_view op;
  Ints order;  // ONNX's order, as indices of libtorch's gates
  int64_t gates() const { return static_cast<int64_t>(order.size()); }
};

Kind kind_of(std::string_view op) {
  if (op == "LSTM") return {op, {0, 3, 1, 2}};
  if (op == "GRU") return {op, {1, 0, 2}};
  return {op, {0}};
}

/// Returns the gates of a weight or bias in ONNX's order.
Value reorder_gates(RowCall& c, const Kind& kind, const Value& weight, int64_t hidden) {
  if (kind.gates() == 1) return weight;
  std::vector<Value> parts;
  for (const int64_t gate : kind.order)
    parts.push_back(c.slice(weight, 0, gate * hidden, (gate + 1) * hidden));
  const Attribute axis("axis", 0);
  return c.op("Concat", parts, {axis});
}

struct Direction {
  Value input_weight, hidden_weight, input_bias, hidden_bias;
};

/// Concatenates the directions of a layer into one tensor.
Value stack_directions(RowCall& c, const std::vector<Value>& values) {
  std::vector<Value> parts;
  parts.reserve(values.size());
  for (const Value& value : values) parts.push_back(c.unsqueeze(value, {0}));
  if (parts.size() == 1) return parts[0];
  const Attribute axis("axis", 0);
  return c.op("Concat", parts, {axis});
}

/// Writes one layer, with the input [length, batch, size]. Returns Y, [length, directions, batch,
/// hidden], and the last states.
std::vector<Value> layer(RowCall& c, const Kind& kind, const Value& x,
                         absl::Span<const Direction> directions, int64_t hidden, const Value& state,
                         const Value& cell, std::string_view direction) {
  std::vector<Value> inputs_weights, hidden_weights, biases;
  for (const Direction& d : directions) {
    inputs_weights.push_back(reorder_gates(c, kind, d.input_weight, hidden));
    hidden_weights.push_back(reorder_gates(c, kind, d.hidden_weight, hidden));
    if (!d.input_bias) continue;
    biases.push_back(c.op("Concat",
                          {reorder_gates(c, kind, d.input_bias, hidden),
                           reorder_gates(c, kind, d.hidden_bias, hidden)},
                          {{"axis", 0}}));
  }
  const Value bias = biases.empty() ? Value() : stack_directions(c, biases);
  const Value inputs[] = {x,
                          stack_directions(c, inputs_weights),
                          stack_directions(c, hidden_weights),
                          bias,
                          {},
                          state,
                          cell};
  std::vector<Attribute> attributes{{"hidden_size", hidden}, {"direction", direction}};
  if (kind.op == "GRU") attributes.emplace_back("linear_before_reset", 1);
  std::vector<DType> dtypes{x.dtype, x.dtype};
  if (kind.op == "LSTM") dtypes.push_back(x.dtype);
  return c.ops(kind.op, inputs, attributes, dtypes);
}

/// Converts [length, directions, batch, hidden] to [length, batch, directions * hidden].
Value join_directions(RowCall& c, const Value& y, size_t directions, int64_t hidden) {
  if (directions == 1) return c.squeeze(y, {1});
  return c.op("Reshape", {c.transpose(y, {0, 2, 1, 3}),
                          c.ints_value({0, 0, static_cast<int64_t>(directions) * hidden})});
}

/// Splits the list of parameters that libtorch passes into the parameters of each layer and
/// direction.
std::vector<Direction> directions_of(RowCall& c, const std::vector<Value>& params,
                                     bool has_biases) {
  std::vector<Direction> all;
  const size_t each = has_biases ? 4 : 2;
  if (params.size() % each != 0) {
    c.fail("projections are not supported");
    return all;
  }
  for (size_t i = 0; i < params.size(); i += each) {
    Direction& d = all.emplace_back();
    d.input_weight = params[i];
    d.hidden_weight = params[i + 1];
    if (has_biases) {
      d.input_bias = params[i + 2];
      d.hidden_bias = params[i + 3];
    }
  }
  return all;
}

void network(RowCall& c) {
  const Kind kind = kind_of(c.row().name);
  const bool is_lstm = kind.op == "LSTM";
  const std::vector<Value> params = c.tensors("params");
  const std::vector<Type> types = c.types("params");
  std::vector<Value> states = is_lstm ? c.tensors("hx") : std::vector<Value>{c.tensor("hx")};
  const bool bidirectional = c.flag("bidirectional"), batch_first = c.flag("batch_first");
  const int64_t layers = c.integer("num_layers");
  if (c.flag("train") && c.real("dropout") != 0)
    return c.fail("dropout between layers is not supported; capture the model in evaluation mode");
  const std::vector<Direction> all = directions_of(c, params, c.flag("has_biases"));
  const size_t directions = bidirectional ? 2 : 1;
  if (c.failed()) return;
  if (types.size() < 2 || types[1].rank() != 2 || types[1].size(1).is_symbolic() ||
      all.size() != static_cast<size_t>(layers) * directions || states.size() != (is_lstm ? 2 : 1))
    return c.fail(
        "its parameters must have known sizes and match the number of layers and directions");
  const int64_t hidden = types[1].size(1).value();
  if (types[1].size(0) != Dim(kind.gates() * hidden))
    return c.fail("projections are not supported");
  Value x = c.tensor("input");
  const bool is_single = c.type("input").rank() == 2;
  if (is_single) {
    x = c.unsqueeze(x, {1});
    for (Value& state : states) state = c.unsqueeze(state, {1});
  } else if (batch_first) {
    x = c.transpose(x, {1, 0, 2});
  }
  std::vector<Value> last[2];
  for (int64_t i = 0; i < layers; ++i) {
    const int64_t begin = i * static_cast<int64_t>(directions);
    const int64_t end = begin + static_cast<int64_t>(directions);
    const auto part = [&](size_t number) {
      if (number >= states.size()) return Value();
      return layers == 1 ? states[number] : c.slice(states[number], 0, begin, end);
    };
    const std::vector<Value> outputs =
        layer(c, kind, x, absl::MakeConstSpan(all).subspan(static_cast<size_t>(begin), directions),
              hidden, part(0), part(1), bidirectional ? "bidirectional" : "forward");
    if (c.failed()) return;
    x = join_directions(c, outputs[0], directions, hidden);
    last[0].push_back(outputs[1]);
    if (is_lstm) last[1].push_back(outputs[2]);
  }
  if (is_single) {
    x = c.squeeze(x, {1});
  } else if (batch_first) {
    x = c.transpose(x, {1, 0, 2});
  }
  std::vector<Value> results{x};
  for (size_t i = 0; i < states.size(); ++i) {
    const Attribute axis("axis", 0);
    Value state = last[i].size() == 1 ? last[i][0] : c.op("Concat", last[i], {axis});
    if (is_single) state = c.squeeze(state, {1});
    results.push_back(state);
  }
  if (!c.failed()) c.results(results);
}

/// Writes one layer and direction of an LSTM, with the arguments of oneDNN's kernel. Its input has
/// the sizes [length, batch, size], regardless of batch_first. Without biases, the operands for
/// biases are ignored.
void onednn_layer(RowCall& c) {
  constexpr int64_t kLstm = 2;
  if (c.integer("mode") != kLstm) return c.fail("mode must be 2 (LSTM)");
  const int64_t hidden = c.integer("hidden_size");
  Direction d;
  d.input_weight = c.tensor("weight0");
  d.hidden_weight = c.tensor("weight1");
  if (c.flag("has_biases")) {
    d.input_bias = c.tensor("weight2");
    d.hidden_bias = c.tensor("weight3");
  }
  const Value shape = c.ints_value({1, -1, hidden});
  const Value state = c.op("Reshape", {c.tensor("hx_"), shape});
  const Value cell = c.op("Reshape", {c.tensor("cx_"), shape});
  const std::vector<Value> outputs = layer(c, kind_of("LSTM"), c.tensor("input"), {d}, hidden,
                                           state, cell, c.flag("reverse") ? "reverse" : "forward");
  if (c.failed()) return;
  const Value y = c.squeeze(outputs[0], {1});
  // Only libtorch's backward pass uses the workspace.
  c.results({y,
             c.reshape(outputs[1], {}, c.result_type(1).sizes()),
             c.reshape(outputs[2], {}, c.result_type(2).sizes()),
             {}});
}

// ---------------------------------------------------------------- cells

/// Returns x W^T + b.
Value linear_map(RowCall& c, const Value& x, std::string_view weight, std::string_view bias) {
  const Value w = c.transpose(c.tensor(weight), {1, 0});
  const Value product = c.op("MatMul", {x, w});
  return c.has(bias) ? c.op("Add", {product, c.tensor(bias)}) : product;
}

Value gate(RowCall& c, const Value& gates, int64_t i, int64_t hidden) {
  return c.slice(gates, -1, i * hidden, (i + 1) * hidden);
}

int64_t hidden_size(RowCall& c) {
  const Type weight = c.type("w_hh");
  if (weight.rank() == 2 && weight.size(1).is_int()) return weight.size(1).value();
  c.fail("the size of its state must be known");
  return 1;
}

void lstm_cell(RowCall& c) {
  const int64_t hidden = hidden_size(c);
  const std::vector<Value> state = c.tensors("hx");
  if (c.failed() || state.size() != 2) return c.fail("its state must be a pair");
  const Value gates = c.op("Add", {linear_map(c, c.tensor("input"), "w_ih", "b_ih"),
                                   linear_map(c, state[0], "w_hh", "b_hh")});
  const Value in = c.op("Sigmoid", {gate(c, gates, 0, hidden)});
  const Value forget = c.op("Sigmoid", {gate(c, gates, 1, hidden)});
  const Value next = c.op("Tanh", {gate(c, gates, 2, hidden)});
  const Value out = c.op("Sigmoid", {gate(c, gates, 3, hidden)});
  const Value cell = c.op("Add", {c.op("Mul", {forget, state[1]}), c.op("Mul", {in, next})});
  c.results({c.op("Mul", {out, c.op("Tanh", {cell})}), cell});
}

void gru_cell(RowCall& c) {
  const int64_t hidden = hidden_size(c);
  const Value state = c.tensor("hx");
  const Value a = linear_map(c, c.tensor("input"), "w_ih", "b_ih");
  const Value b = linear_map(c, state, "w_hh", "b_hh");
  const Value reset =
      c.op("Sigmoid", {c.op("Add", {gate(c, a, 0, hidden), gate(c, b, 0, hidden)})});
  const Value update =
      c.op("Sigmoid", {c.op("Add", {gate(c, a, 1, hidden), gate(c, b, 1, hidden)})});
  const Value kept = c.op("Mul", {reset, gate(c, b, 2, hidden)});
  const Value next = c.op("Tanh", {c.op("Add", {gate(c, a, 2, hidden), kept})});
  c.result(c.op("Add", {next, c.op("Mul", {update, c.op("Sub", {state, next})})}));
}

}  // namespace

absl::Span<const Row> rnn_rows() {
  static constexpr Row kRows[] = {
      {"aten.lstm.input", network, kFloats, true, "LSTM"},
      {"aten.gru.input", network, kFloats, true, "GRU"},
      {"aten.rnn_tanh.input", network, kFloats, true, "RNN"},
      {"aten.mkldnn_rnn_layer.default", onednn_layer, kFloats},
      {"aten.lstm_cell.default", lstm_cell, kFloats},
      {"aten.gru_cell.default", gru_cell, kFloats},
  };
  return kRows;
}

}  // namespace fx::onnx
