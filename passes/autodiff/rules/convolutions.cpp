// Convolutions, and oneDNN's recurrent layers.
#include "fx/passes/autodiff/rules_internal.h"

#include <optional>
#include <vector>

namespace fx {
namespace {

AnyArg convolution_grads(D& d) {
  const Proxy bias = d.optional_tensor("bias");
  const AnyArg bias_sizes =
      bias.defined() ? AnyArg(IntList(d.sizes(bias))) : AnyArg(IntList(std::vector<int64_t>{0}));
  const Proxy all = d.emit("aten.convolution_backward.default",
                           {d.grad(), d("input"), d("weight"), bias_sizes, argument_of(d, "stride"),
                            argument_of(d, "padding"), argument_of(d, "dilation"),
                            argument_of(d, "transposed"), argument_of(d, "output_padding"),
                            argument_of(d, "groups"), d.mask({"input", "weight", "bias"})});
  std::vector<Argument> items;
  items.reserve(3);
  const std::string_view names[] = {"input", "weight", "bias"};
  for (int64_t i = 0; i < 3; ++i)
    items.push_back(d.needs_grad(names[i]) ? AnyArg(all[i]).value() : Argument());
  return AnyArg(Argument::tuple(items));
}
AnyArg convolution_tangent(D& d) {
  const AnyArg none(std::nullopt);
  const Proxy x = d.tangent("input"), w = d.tangent("weight"), b = d.tangent("bias");
  const Proxy from_input = x.defined() ? d.call_with({{"input", x}, {"bias", none}}) : Proxy();
  const Proxy from_weight = w.defined() ? d.call_with({{"weight", w}, {"bias", none}}) : Proxy();
  const Proxy from_bias =
      b.defined() ? d.expand_like(d.unsqueeze_to(b, d.rank(d.value()) - 1), d.value()) : Proxy();
  return d.sum_of({from_input, from_weight, from_bias});
}

/// The operator is linear in grad_output, input and weight separately. Its derivatives are calls in
/// which the gradients of its results (for input, weight and bias) replace these operands.
AnyArg convolution_backward_grads(D& d) {
  const AnyArg none(std::nullopt);
  const Proxy of_input = d.grad(0), of_weight = d.grad(1), of_bias = d.grad(2);
  const auto convolved = [&](const Proxy& x, const Proxy& w) {
    return d.emit("aten.convolution.default",
                  {x, w, none, argument_of(d, "stride"), argument_of(d, "padding"),
                   argument_of(d, "dilation"), argument_of(d, "transposed"),
                   argument_of(d, "output_padding"), argument_of(d, "groups")});
  };
  const auto flags = [](bool input, bool weight) {
    return AnyArg({AnyArg(Argument(input)), AnyArg(Argument(weight)), AnyArg(Argument(false))});
  };
  AnyArg grad_output(std::nullopt), input(std::nullopt), weight(std::nullopt);
  const Proxy g = d("grad_output"), x = d("input"), w = d("weight");
  if (d.needs_grad("grad_output")) {
    const Proxy from_bias =
        of_bias.defined() ? d.expand_like(d.unsqueeze_to(of_bias, d.rank(g) - 1), g) : Proxy();
    grad_output = d.sum_of({of_input.defined() ? convolved(of_input, w) : Proxy(),
                            of_weight.defined() ? convolved(x, of_weight) : Proxy(), from_bias});
  }
  if (d.needs_grad("input") && of_weight.defined()) {
    input = d.call_with({{"weight", of_weight}, {"output_mask", flags(true, false)}})[0];
  }
  if (d.needs_grad("weight") && of_input.defined()) {
    weight = d.call_with({{"input", of_input}, {"output_mask", flags(false, true)}})[1];
  }
  return AnyArg::tuple({grad_output, input, weight});
}

AnyArg rnn_layer_grads(D& d) {
  const auto grad = [&](size_t i) {
    return d.grad(i).defined() ? AnyArg(d.grad(i)) : AnyArg(std::nullopt);
  };
  const Proxy all =
      d.emit("aten.mkldnn_rnn_layer_backward.default", {d("input"),
                                                        d("weight0"),
                                                        d("weight1"),
                                                        d("weight2"),
                                                        d("weight3"),
                                                        d("hx_"),
                                                        d("cx_"),
                                                        d.value(0),
                                                        d.value(1),
                                                        d.value(2),
                                                        grad(0),
                                                        grad(1),
                                                        grad(2),
                                                        argument_of(d, "reverse"),
                                                        argument_of(d, "mode"),
                                                        argument_of(d, "hidden_size"),
                                                        argument_of(d, "num_layers"),
                                                        argument_of(d, "has_biases"),
                                                        argument_of(d, "train"),
                                                        argument_of(d, "bidirectional"),
                                                        argument_of(d, "batch_sizes"),
                                                        argument_of(d, "batch_first"),
                                                        d.value(3)});
  std::vector<Argument> items;
  items.reserve(7);
  for (int64_t i = 0; i < 7; ++i) items.push_back(AnyArg(all[i]).value());
  return AnyArg(Argument::tuple(items));
}

}  // namespace

absl::Span<const DerivativeRow> convolution_derivatives() {
  static constexpr DerivativeRow kRows[] = {
      {"aten.convolution.default",
       kFunction,
       {{"input, weight, bias", convolution_grads}},
       convolution_tangent},
      {"aten.convolution_backward.default",
       kTransposed,
       {{"grad_output, input, weight", convolution_backward_grads}}},
      {"aten.mkldnn_rnn_layer.default",
       kTransposed,
       {{"input, weight0, weight1, weight2, weight3, hx_, cx_", rnn_layer_grads}}},
  };
  return kRows;
}

}  // namespace fx
