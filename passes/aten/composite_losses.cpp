// Losses of torch.nn.functional that lower to multiple operators.
#include "fx/ir/support/status.h"
#include "fx/ir/text/text.h"
#include "fx/passes/aten/composite_internal.h"

#include "fmt/format.h"

#include <cmath>
#include <numbers>

namespace fx::aten {
namespace {

enum class Elementwise : uint8_t { kSquare, kAbsolute, kHuber };

/// Lowers elementwise losses. torch applies weights to these losses with separate operators. The
/// means of the weighted squared and absolute losses divide by the sum of the weights.
template <Elementwise kind>
absl::StatusOr<Argument> elementwise_loss(const ops::Values& values, AddCall add) {
  constexpr bool kIsHuber = kind == Elementwise::kHuber;
  FX_ASSIGN_OR_RETURN(const Argument reduction, ops::reduction_of(values));
  const Argument &input = values.at("input"), &target = values.at("target");
  const Argument& weight = values.at("weight");
  std::string_view word = reduction.is_string() ? reduction.as_string() : "";
  if (weight.is_none() && word == "elementwise_mean") word = "mean";  // its old name
  if (word != "none" && word != "mean" && word != "sum")
    return absl::InvalidArgumentError(
        fmt::format("reduction must be none, mean or sum, not {}", print(reduction)));
  const int number = word == "none" || !weight.is_none() ? 0 : word == "mean" ? 1 : 2;
  Calls call(add);
  if (kIsHuber || weight.is_none()) {
    const Argument loss =
        kIsHuber ? call("aten.huber_loss.default", {input, target, number, values.at("delta")})
        : kind == Elementwise::kSquare ? call("aten.mse_loss.default", {input, target, number})
                                       : call("aten.l1_loss.default", {input, target, number});
    if (weight.is_none()) return call.result(loss);
    return call.result(call.reduced(call("aten.mul.Tensor", {loss, weight}), reduction));
  }
  const Argument error = call("aten.sub.Tensor", {input, target});
  const Argument loss = kind == Elementwise::kSquare ? call("aten.pow.Tensor_Scalar", {error, 2})
                                                     : call("aten.abs.default", {error});
  const Argument weighted = call("aten.mul.Tensor", {loss, weight});
  if (word == "none") return call.result(weighted);
  const Argument total = call("aten.sum.default", {weighted});
  if (word == "sum") return call.result(total);
  return call.result(call("aten.div.Tensor", {total, call("aten.sum.default", {weight})}));
}

/// Returns the variance as a tensor that broadcasts with the input.
Argument variance(Calls& call, const Argument& input, const Argument& given) {
  if (given.is_float()) {
    if (given.as_float() < 0) call.fail(absl::InvalidArgumentError("var must not be negative"));
    return call("aten.mul.Tensor", {call("aten.ones_like.default", {input}), given});
  }
  if (!given.is_node()) {
    call.fail(absl::InvalidArgumentError("var must be a tensor or a float"));
    return given;
  }
  const Argument negative = call("aten.any.default", {call("aten.lt.Scalar", {given, 0})});
  call("aten._assert_async.msg",
       {call("aten.logical_not.default", {negative}), "var has negative entry/entries"});
  const auto rank = static_cast<size_t>(call.rank(input));
  const auto var_rank = static_cast<size_t>(call.rank(given));
  if (!call.ok()) return given;
  const absl::Span<const Dim> sizes = input.as_node()->type().sizes();
  const absl::Span<const Dim> var_sizes = given.as_node()->type().sizes();
  if (sizes == var_sizes) return given;
  if (var_rank + 1 == rank && sizes.first(var_rank) == var_sizes)
    return call("aten.unsqueeze.default", {given, -1});
  size_t ones = 0, others = 0;
  for (size_t i = 0; var_rank == rank && i < rank; ++i) {
    if (var_sizes[i] == sizes[i]) continue;
    ++(var_sizes[i] == Dim(1) ? ones : others);
  }
  if (ones != 1 || others != 0)
    call.fail(absl::InvalidArgumentError(
        fmt::format("var has type {}, but the input has type {}: var must have the input's sizes, "
                    "optionally without the last size or with one size replaced by 1",
                    to_string(given.as_node()->type()), to_string(input.as_node()->type()))));
  return given;
}

absl::StatusOr<Argument> gaussian_nll_loss(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(const bool is_full, ops::truth_of(values, "full"));
  Calls call(add);
  const Argument& input = values.at("input");
  const Argument var = call("aten.clone.default", {variance(call, input, values.at("var"))});
  // Without autograd, as under torch.no_grad().
  call("aten.clamp_.default", {call("aten.detach.default", {var}), values.at("eps")});
  const Argument difference = call("aten.sub.Tensor", {input, values.at("target")});
  const Argument square = call("aten.pow.Tensor_Scalar", {difference, 2});
  const Argument log = call("aten.log.default", {var});
  const Argument sum = call("aten.add.Tensor", {log, call("aten.div.Tensor", {square, var})});
  Argument loss = call("aten.mul.Tensor", {sum, 0.5});
  if (is_full) loss = call("aten.add_.Tensor", {loss, 0.5 * std::log(2 * std::numbers::pi)});
  return call.result(call.reduced(loss, values.at("reduction")));
}

absl::StatusOr<Argument> multilabel_soft_margin_loss(const ops::Values& values, AddCall add) {
  FX_ASSIGN_OR_RETURN(const Argument reduction, ops::reduction_of(values));
  Calls call(add);
  const Argument &input = values.at("input"), &target = values.at("target");
  const int64_t last = call.rank(input) - 1;
  const Argument yes = call("aten.mul.Tensor", {target, call("aten.log_sigmoid.default", {input})});
  const Argument other = call("aten.rsub.Scalar", {target, 1});
  const Argument negative = call("aten.neg.default", {input});
  const Argument no =
      call("aten.mul.Tensor", {other, call("aten.log_sigmoid.default", {negative})});
  Argument loss = call("aten.neg.default", {call("aten.add.Tensor", {yes, no})});
  if (!values.at("weight").is_none()) loss = call("aten.mul.Tensor", {loss, values.at("weight")});
  const Argument sum = call("aten.sum.dim_IntList", {loss, Argument::list({last})});
  const Argument mean = call("aten.div.Tensor", {sum, call.size(input, last)});
  return call.result(call.reduced(mean, reduction));
}

absl::StatusOr<Argument> triplet_margin_with_distance_loss(const ops::Values& values, AddCall add) {
  if (!values.at("distance_function").is_none())
    return absl::UnimplementedError(
        "triplet_margin_with_distance_loss with a custom function is not supported: omit "
        "distance_function to use torch.pairwise_distance, or write the loss as calls: "
        "torch.clamp_min(margin + near - far, 0)");
  FX_ASSIGN_OR_RETURN(const bool swaps, ops::truth_of(values, "swap"));
  Calls call(add);
  const Argument &anchor = values.at("anchor"), &positive = values.at("positive");
  const Argument& negative = values.at("negative");
  const auto distance = [&](const Argument& a, const Argument& b) {
    return call("aten.pairwise_distance.default", {a, b});
  };
  const Argument near = distance(anchor, positive);
  Argument far = distance(anchor, negative);
  if (swaps) far = call("aten.minimum.default", {far, distance(positive, negative)});
  const Argument near_plus_margin = call("aten.add.Tensor", {near, values.at("margin")});
  const Argument difference = call("aten.sub.Tensor", {near_plus_margin, far});
  const Argument loss = call("aten.clamp_min.default", {difference, 0});
  return call.result(call.reduced(loss, values.at("reduction")));
}

constexpr std::string_view kWeighted =
    "input, target, size_average=None, reduce=None, reduction=\"mean\", weight=None";

constexpr Composite kLossComposites[] = {
    {"torch.nn.functional.gaussian_nll_loss",
     "input, target, var, full=False, eps=1e-06, reduction=\"mean\"", gaussian_nll_loss},
    {"torch.nn.functional.huber_loss", "input, target, reduction=\"mean\", delta=1.0, weight=None",
     elementwise_loss<Elementwise::kHuber>},
    {"torch.nn.functional.l1_loss", kWeighted, elementwise_loss<Elementwise::kAbsolute>},
    {"torch.nn.functional.mse_loss", kWeighted, elementwise_loss<Elementwise::kSquare>},
    {"torch.nn.functional.multilabel_soft_margin_loss",
     "input, target, weight=None, size_average=None, reduce=None, reduction=\"mean\"",
     multilabel_soft_margin_loss},
    {"torch.nn.functional.triplet_margin_with_distance_loss",
     "anchor, positive, negative, distance_function=None, margin=1.0, swap=False, "
     "reduction=\"mean\"",
     triplet_margin_with_distance_loss},
};

}  // namespace

absl::Span<const Composite> loss_composites() { return kLossComposites; }

}  // namespace fx::aten
