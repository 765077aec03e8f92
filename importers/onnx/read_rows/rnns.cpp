// Recurrent layers.
#include "fx/importers/onnx/read_rows/rows_internal.h"

#include "absl/strings/ascii.h"

#include <algorithm>
#include <string>

namespace fx::onnx::reader {
namespace {

/// The maximum number of steps for which a GRU is unrolled.
constexpr int64_t kMaxSteps = 256;

struct Recurrence {
  std::string direction;
  int64_t num_directions = 1, hidden = 0;
  bool is_batch_first = false;
  Val x;  // [time, batch, features], reversed for the direction `reverse`
  Val h, cell;
  bool is_bidirectional() const { return num_directions == 2; }
  bool is_reversed() const { return direction == "reverse"; }
};

bool has_default_activations(Call& c, const std::vector<std::string>& expected,
                             int64_t directions) {
  const std::vector<std::string> given = c.texts("activations");
  if (given.empty()) return true;
  if (given.size() != expected.size() * static_cast<size_t>(directions)) return false;
  for (size_t i = 0; i < given.size(); ++i) {
    const auto equal = [](char a, char b) {
      return absl::ascii_tolower(static_cast<unsigned char>(a)) ==
             absl::ascii_tolower(static_cast<unsigned char>(b));
    };
    if (!std::ranges::equal(given[i], expected[i % expected.size()], equal)) return false;
  }
  return true;
}

/// Returns the initial state, [directions, batch, hidden], which is zero by default.
Val initial_state(Call& c, const Recurrence& r, size_t input) {
  if (c.has(input)) {
    const Val given = c.in(input);
    return r.is_batch_first ? c.permute(given, {1, 0, 2}) : given;
  }
  return c.op("aten.zeros.default", {c.list(Sizes{r.num_directions, c.size_of(r.x, 1), r.hidden})},
              {{"dtype", c.dtype(r.x)}});
}

Recurrence recurrence_of(Call& c, const std::vector<std::string>& activations) {
  Recurrence r;
  r.direction = c.text("direction", "forward");
  if (r.direction == "bidirectional") {
    r.num_directions = 2;
  } else if (r.direction != "forward" && r.direction != "reverse") {
    c.fail_invalid("direction must be forward, reverse or bidirectional");
  }
  if (!has_default_activations(c, activations, r.num_directions))
    c.fail("non-default activations are not supported");
  if (c.has_attribute("clip")) c.fail("clip is not supported");
  if (c.has(4)) c.fail("sequence_lens is not supported");
  r.is_batch_first = c.integer("layout", 0) != 0;
  r.x = c.in(0);
  if (r.is_batch_first) r.x = c.permute(r.x, {1, 0, 2});
  if (r.is_reversed()) r.x = c.op("aten.flip.default", {r.x, c.dims({0})});
  r.hidden = c.constant_dim(c.in(2), 2);
  if (c.integer("hidden_size", r.hidden) != r.hidden)
    c.fail_invalid("hidden_size must match the sizes of its weights");
  if (c.constant_dim(c.in(1), 0) != r.num_directions)
    c.fail_invalid("its weights must have a matrix for each direction");
  r.h = initial_state(c, r, 5);
  return r;
}

/// Returns the gates of a weight or bias in a different order.
Val reorder_gates(Call& c, Val rows, absl::Span<const int64_t> order, int64_t hidden) {
  std::vector<Val> parts;
  for (const int64_t gate : order)
    parts.push_back(c.slice(rows, 0, gate * hidden, (gate + 1) * hidden));
  return parts.size() == 1 ? parts[0] : c.op("aten.cat.default", {c.list(parts)});
}

/// Returns torch's parameters: two weights and two biases for each direction.
std::vector<Val> parameters(Call& c, const Recurrence& r, absl::Span<const int64_t> order) {
  std::vector<Val> all;
  const auto gates = static_cast<int64_t>(order.size());
  for (int64_t d = 0; d < r.num_directions; ++d) {
    for (const size_t i : {size_t{1}, size_t{2}})
      all.push_back(reorder_gates(c, c.op("aten.select.int", {c.in(i), 0, d}), order, r.hidden));
    if (!c.has(3)) continue;
    const Val bias = c.op("aten.select.int", {c.in(3), 0, d});
    const int64_t size = gates * r.hidden;
    all.push_back(reorder_gates(c, c.slice(bias, 0, 0, size), order, r.hidden));
    all.push_back(reorder_gates(c, c.slice(bias, 0, size, 2 * size), order, r.hidden));
  }
  return all;
}

/// Sets the results from [time, batch, directions * hidden] and the last states.
void set_results(Call& c, const Recurrence& r, Val outputs, absl::Span<const Val> states) {
  if (c.has_output(0)) {
    if (r.is_reversed()) outputs = c.op("aten.flip.default", {outputs, c.dims({0})});
    const Val parts =
        c.reshape(outputs, {c.size_of(r.x, 0), c.size_of(r.x, 1), r.num_directions, r.hidden});
    c.result(0, r.is_batch_first ? c.op("aten.permute.default", {parts, c.dims({1, 0, 2, 3})})
                                 : c.op("aten.permute.default", {parts, c.dims({0, 2, 1, 3})}));
  }
  for (size_t i = 0; i < states.size(); ++i) {
    if (!c.has_output(i + 1)) continue;
    c.result(i + 1, r.is_batch_first ? c.permute(states[i], {1, 0, 2}) : states[i]);
  }
}

void rnn(Call& c) {
  const Recurrence r = recurrence_of(c, {"Tanh"});
  if (c.failed()) return;
  const Val all = c.op("aten.rnn_tanh.input", {r.x, r.h, c.list(parameters(c, r, {0})), c.has(3), 1,
                                               0.0, false, r.is_bidirectional(), false});
  set_results(c, r, c.item(all, 0), {c.item(all, 1)});
}

void lstm(Call& c) {
  Recurrence r = recurrence_of(c, {"Sigmoid", "Tanh", "Tanh"});
  if (c.has(7)) c.fail("peepholes are not supported");
  if (c.flag("input_forget")) c.fail("input_forget is not supported");
  if (c.failed()) return;
  r.cell = initial_state(c, r, 6);
  // ONNX's gates are input, output, forget, cell; torch's input, forget, cell, output.
  const Val all =
      c.op("aten.lstm.input", {r.x, c.vals({r.h, r.cell}), c.list(parameters(c, r, {0, 2, 3, 1})),
                               c.has(3), 1, 0.0, false, r.is_bidirectional(), false});
  set_results(c, r, c.item(all, 0), {c.item(all, 1), c.item(all, 2)});
}

/// Unrolls a GRU that resets the state before the matrix product. torch's GRU resets it after the
/// product.
void gru_by_steps(Call& c, const Recurrence& r) {
  const int64_t steps = c.constant_dim(r.x, 0), n = r.hidden;
  if (steps > kMaxSteps || steps == 0)
    return c.fail("linear_before_reset=0 is supported only for 1 to 256 steps");
  if (r.is_bidirectional())
    return c.fail("linear_before_reset=0 is not supported for bidirectional layers");
  const Val w = c.op("aten.select.int", {c.in(1), 0, 0});
  const Val u = c.op("aten.select.int", {c.in(2), 0, 0});
  const Val bias = c.has(3) ? c.op("aten.select.int", {c.in(3), 0, 0}) : Val();
  const auto part = [&](Val from, int64_t i, int64_t count) {
    return from ? c.slice(from, 0, i * n, (i + count) * n) : Val();
  };
  const Val from_inputs = c.op("aten.linear.default", {r.x, w, part(bias, 0, 3)});
  Val h = c.op("aten.select.int", {r.h, 0, 0});
  std::vector<Val> outputs;
  for (int64_t t = 0; t < steps && !c.failed(); ++t) {
    const Val x = c.op("aten.select.int", {from_inputs, 0, t});
    const Val gates =
        c.op("aten.sigmoid.default",
             {c.op("aten.add.Tensor",
                   {c.slice(x, 1, 0, 2 * n),
                    c.op("aten.linear.default", {h, part(u, 0, 2), part(bias, 3, 2)})})});
    const Val z = c.slice(gates, 1, 0, n), reset = c.slice(gates, 1, n, 2 * n);
    const Val product = c.op("aten.linear.default", {c.op("aten.mul.Tensor", {reset, h}),
                                                     part(u, 2, 1), part(bias, 5, 1)});
    const Val next = c.op("aten.tanh.default",
                          {c.op("aten.add.Tensor", {c.slice(x, 1, 2 * n, 3 * n), product})});
    const Val kept = c.op("aten.mul.Tensor", {z, c.op("aten.sub.Tensor", {h, next})});
    h = c.op("aten.add.Tensor", {next, kept});
    outputs.push_back(h);
  }
  set_results(c, r, c.op("aten.stack.default", {c.list(outputs)}),
              {c.op("aten.unsqueeze.default", {h, 0})});
}

void gru(Call& c) {
  const Recurrence r = recurrence_of(c, {"Sigmoid", "Tanh"});
  const bool is_linear = c.flag("linear_before_reset");
  if (c.failed()) return;
  if (!is_linear) return gru_by_steps(c, r);
  // ONNX's gates are update, reset, new; torch's reset, update, new.
  const Val all = c.op("aten.gru.input", {r.x, r.h, c.list(parameters(c, r, {1, 0, 2})), c.has(3),
                                          1, 0.0, false, r.is_bidirectional(), false});
  set_results(c, r, c.item(all, 0), {c.item(all, 1)});
}

}  // namespace

absl::Span<const Row> rnn_rows() {
  static constexpr Row kRows[] = {
      {"RNN", rnn},
      {"LSTM", lstm},
      {"GRU", gru},
  };
  return kRows;
}

}  // namespace fx::onnx::reader
