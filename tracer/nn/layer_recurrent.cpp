// torch.nn's recurrent layers and cells.
#include "fx/tracer/generated/functions.h"
#include "fx/tracer/nn/layer_settings_internal.h"

#include <utility>

namespace fx::internal {
namespace {

enum class Cell : uint8_t { kLstm, kGru, kRnn };

/// Returns the two states of an LSTM, from the pair that is its argument.
std::pair<Proxy, Proxy> pair_of(LayerCall& c, const Argument& hx) {
  if (Node* const node = hx.node()) {
    const Proxy both = c.proxy(node);
    return {both[0], both[1]};
  }
  if ((hx.is_tuple() || hx.is_list()) && hx.size() == 2 && hx[0].is_node() && hx[1].is_node())
    return {c.proxy(hx[0].as_node()), c.proxy(hx[1].as_node())};
  c.tracer.fail(absl::InvalidArgumentError("hx of an LSTM must be a pair of tensors"));
  return {c.x(), c.x()};
}

/// Returns the attributes of the weights of a recurrent layer in the order that the operators
/// expect.
std::vector<std::string> weight_names(int64_t layers, bool is_bidirectional, bool has_bias,
                                      bool is_projected) {
  std::vector<std::string_view> kinds = {"weight_ih", "weight_hh"};
  if (has_bias) kinds.insert(kinds.end(), {"bias_ih", "bias_hh"});
  if (is_projected) kinds.push_back("weight_hr");
  std::vector<std::string> names;
  for (int64_t layer = 0; layer < layers; ++layer) {
    for (const std::string_view kind : kinds) names.push_back(fmt::format("{}_l{}", kind, layer));
    if (!is_bidirectional) continue;
    for (const std::string_view kind : kinds)
      names.push_back(fmt::format("{}_l{}_reverse", kind, layer));
  }
  return names;
}

/// Returns the output and the state, or a pair of states.
Argument with_states(const std::vector<Proxy>& results) {
  std::vector<Argument> states;
  for (size_t i = 1; i < results.size(); ++i) states.push_back(result_of(results[i]));
  const Argument both[] = {result_of(results[0]),
                           states.size() == 1 ? states[0] : Argument::tuple(states)};
  return Argument::tuple(both);
}

/// Adds a batch dimension for the call if there is none.
template <Cell cell>
Argument recurrent(LayerCall& c) {
  const int64_t layers = c.settings.positive("num_layers", 1);
  const int64_t directions = c.settings.flag("bidirectional", false) ? 2 : 1;
  const bool batch_first = c.settings.flag("batch_first", false);
  const bool bias = c.settings.flag("bias", true);
  const int64_t projected = c.settings.integer("proj_size", 0);
  const int64_t hidden = c.settings.positive("hidden_size", 1);
  const bool is_batched = c.is_batched(3);
  const int64_t batch_dim = batch_first ? 0 : 1;
  if (!c.tracer.status().ok()) return {};
  std::vector<Proxy> weights;
  for (const std::string& name : weight_names(layers, directions == 2, bias, projected > 0)) {
    if (!c.settings.has(name)) {
      c.tracer.fail(
          absl::InvalidArgumentError(fmt::format("a {} must have {}", c.layer.class_name(), name)));
      return {};
    }
    weights.push_back(c.attribute(name));
  }
  const double dropout = c.settings.number("dropout", 0.0);
  const bool train = c.layer.training();
  const Proxy x = is_batched ? c.x() : c.x().unsqueeze(batch_dim);
  // The first state is zero by default.
  const auto zeros = [&](int64_t size) {
    const IntArg batch = is_batched ? IntArg(c.x().size(batch_dim)) : IntArg(1);
    return x.new_zeros({layers * directions, batch, size});
  };
  // The batch dimension of a state is 1 with batch_first, too.
  const auto batched = [&](const Proxy& state) { return is_batched ? state : state.unsqueeze(1); };
  const Argument& hx = c.values.at("hx");
  std::vector<Proxy> results;
  if constexpr (cell == Cell::kLstm) {
    std::pair<Proxy, Proxy> states;
    if (!hx.is_none()) {
      states = pair_of(c, hx);
      states = {batched(states.first), batched(states.second)};
    } else {
      const Proxy state = zeros(projected > 0 ? projected : hidden);
      states = {state, projected > 0 ? zeros(hidden) : state};
    }
    const auto all = lstm(x, {states.first, states.second}, weights, bias, layers, dropout, train,
                          directions == 2, batch_first);
    results = {all.get<0>(), all.get<1>(), all.get<2>()};
  } else {
    const std::optional<Proxy> given = c.optional("hx");
    const Proxy state = given ? batched(*given) : zeros(hidden);
    const auto call = [&](const auto& function) {
      const auto both =
          function(x, state, weights, bias, layers, dropout, train, directions == 2, batch_first);
      results = is_batched ? std::vector<Proxy>{both}
                           : std::vector<Proxy>{both.template get<0>(), both.template get<1>()};
    };
    if constexpr (cell == Cell::kGru)
      call([](const auto&... args) { return gru(args...); });
    else if (c.settings.text("nonlinearity", "tanh") == "relu")
      call([](const auto&... args) { return rnn_relu(args...); });
    else
      call([](const auto&... args) { return rnn_tanh(args...); });
  }
  if (!c.tracer.status().ok()) return {};
  if (results.size() == 1) return result_of(results[0]);  // a pair, without a change
  for (size_t i = 0; !is_batched && i < results.size(); ++i)
    results[i] = results[i].squeeze(i == 0 ? batch_dim : 1);
  return with_states(results);
}

/// The inputs, states (with a batch dimension) and weights of a call to a cell.
struct CellCall {
  explicit CellCall(LayerCall& call)
      : c(call),
        is_batched(call.is_batched(2)),
        x(batched(call.x())),
        weight_ih(call.required("weight_ih")),
        weight_hh(call.required("weight_hh")),
        bias_ih(call.tensor("bias_ih")),
        bias_hh(call.tensor("bias_hh")) {}

  Proxy batched(const Proxy& value) const { return is_batched ? value : value.unsqueeze(0); }
  Proxy zeros() const { return x.new_zeros({x.size(0), c.settings.positive("hidden_size", 1)}); }
  Proxy state() const {
    const std::optional<Proxy> given = c.optional("hx");
    return given ? batched(*given) : zeros();
  }
  Proxy result(const Proxy& value) const { return is_batched ? value : value.squeeze(0); }

  LayerCall& c;
  bool is_batched;
  Proxy x, weight_ih, weight_hh;
  OptionalTensor bias_ih, bias_hh;
};

}  // namespace

Argument lstm_layer(LayerCall& c) { return recurrent<Cell::kLstm>(c); }
Argument gru_layer(LayerCall& c) { return recurrent<Cell::kGru>(c); }
Argument rnn_layer(LayerCall& c) { return recurrent<Cell::kRnn>(c); }

Argument lstm_cell_layer(LayerCall& c) {
  const CellCall cell(c);
  std::pair<Proxy, Proxy> states;
  if (const Argument& hx = c.values.at("hx"); !hx.is_none()) {
    states = pair_of(c, hx);
    states = {cell.batched(states.first), cell.batched(states.second)};
  } else {
    const Proxy zeros = cell.zeros();
    states = {zeros, zeros};
  }
  const auto results = lstm_cell(cell.x, {states.first, states.second}, cell.weight_ih,
                                 cell.weight_hh, cell.bias_ih, cell.bias_hh);
  const Argument both[] = {result_of(cell.result(results.get<0>())),
                           result_of(cell.result(results.get<1>()))};
  return Argument::tuple(both);
}
Proxy gru_cell_layer(LayerCall& c) {
  const CellCall cell(c);
  return cell.result(
      gru_cell(cell.x, cell.state(), cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh));
}
Proxy rnn_cell_layer(LayerCall& c) {
  const CellCall cell(c);
  const std::string kind = c.settings.text("nonlinearity", "tanh");
  if (kind != "tanh" && kind != "relu") c.settings.reject_setting("nonlinearity", "tanh or relu");
  const auto step = [&](const auto& function) {
    return cell.result(
        function(cell.x, cell.state(), cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh));
  };
  return kind == "relu" ? step([](const auto&... args) { return rnn_relu_cell(args...); })
                        : step([](const auto&... args) { return rnn_tanh_cell(args...); });
}

}  // namespace fx::internal
