// Decompositions of libtorch's composite operators that are not layers: alternative operator names,
// losses, padding, joining, linear algebra and Fourier transforms.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/text_tokens.h"
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>
#include <cmath>

namespace fx {
namespace {

AnyArg passed(const Decomposer& d, std::string_view name) { return AnyArg(d.argument(name)); }

/// Records an operator with a different name and the same schema.
template <Literal op>
AnyArg renamed(Decomposer& d) {
  const Target target = d.graph().context().function(op.view());
  const absl::StatusOr<NormalizedArguments> call = normalized_arguments(d.call());
  if (!call.ok()) return d.reject(std::string(call.status().message()));
  return d.call_function(target, call->args, call->kwargs);
}

/// Returns the first result of an operator with the same parameters.
template <Literal op>
AnyArg first_of(Decomposer& d) {
  const AnyArg all = renamed<op>(d);
  return all.value().is_node() ? AnyArg(Proxy(*all.value().node(), d)[0]) : all;
}

/// Handles softmax and log_softmax, which may convert their input first.
template <Literal op>
AnyArg softmax_composite(Decomposer& d) {
  Proxy x = d.tensor("self");
  if (!d.is_none("dtype")) x = d.cast(x, d.dtype_argument("dtype"));
  return d.emit(op.view(), {x, d.integer("dim"), false});
}

// ---- Losses (ATen/native/LossNLL.cpp, Loss.cpp)

AnyArg nll_loss(Decomposer& d, std::string_view op, const Proxy& x, const Proxy& target) {
  return d.emit(
      op, {x, target, passed(d, "weight"), passed(d, "reduction"), passed(d, "ignore_index")})[0];
}
/// Handles inputs of any rank with the classes in dimension 1.
AnyArg nll_loss_nd(Decomposer& d, const Proxy& x, const Proxy& target) {
  const int64_t rank = d.rank(x);
  if (rank == 1 || rank == 2) return nll_loss(d, "aten.nll_loss_forward.default", x, target);
  if (rank == 4) return nll_loss(d, "aten.nll_loss2d_forward.default", x, target);
  if (rank == 0 || d.is_empty(x))
    return d.reject("a 0-dimensional or empty input is not supported");
  const IntArg batch = d.size(x, 0);
  const Proxy images = d.reshape(x, {batch, d.size(x, 1), 1, -1});
  const Proxy classes = d.reshape(target, {batch, 1, -1});
  AnyArg loss = nll_loss(d, "aten.nll_loss2d_forward.default", images, classes);
  if (d.integer("reduction") != 0) return loss;
  Node* const each = loss.value().node();
  return each != nullptr ? Proxy(*each, d).view(d.sizes(target)) : loss;
}
AnyArg nll_loss_nd(Decomposer& d) { return nll_loss_nd(d, d.tensor("self"), d.tensor("target")); }

/// Handles targets that are the probabilities of all classes.
AnyArg cross_entropy_of_probabilities(Decomposer& d, const Proxy& x, Proxy target,
                                      int64_t class_dim) {
  if (!d.is_none("weight")) return d.reject("class weights are not supported");
  const auto classes = static_cast<double>(d.known_size(x, class_dim));
  const double smoothing = d.number("label_smoothing");
  if (smoothing > 0) target = target * (1 - smoothing) + smoothing / classes;
  const Proxy product = d.emit("aten._log_softmax.default", {x, class_dim, false}) * target;
  if (d.integer("reduction") == 0) return -sum(product, {class_dim});
  const Proxy total = -sum(product);
  if (d.integer("reduction") == 2) return total;
  const Argument count = d.numel(x).value();
  if (!count.is_int() || count.as_int() == 0) return d.reject("sizes must be known and nonzero");
  return d.emit("aten.div.Scalar", {total, count.as_int() / static_cast<int64_t>(classes)});
}
AnyArg cross_entropy_loss(Decomposer& d) {
  const Proxy x = d.tensor("self"), target = d.tensor("target");
  const int64_t class_dim = d.rank(x) == 1 ? 0 : 1;
  if (d.rank(x) == 0) return d.reject("a 0-dimensional input is not supported");
  if (is_floating_point(d.dtype(target)))
    return cross_entropy_of_probabilities(d, x, target, class_dim);
  if (d.number("label_smoothing") != 0)
    return d.reject("label_smoothing of class indices is not supported");
  return nll_loss_nd(d, d.emit("aten._log_softmax.default", {x, class_dim, false}), target);
}
AnyArg kl_div(Decomposer& d) {
  const Proxy x = d.tensor("self"), target = d.tensor("target");
  const Proxy loss =
      d.flag("log_target") ? exp(target) * (target - x) : xlogy(target, target) - target * x;
  return d.reduce_loss(loss, d.integer("reduction"));
}
AnyArg pairwise_distance(Decomposer& d) {
  const Proxy a = d.tensor("x1"), b = d.tensor("x2");
  const Proxy difference = a - b + d.number("eps");
  return d.emit("aten.norm.ScalarOpt_dim",
                {difference, d.number("p"), IntList({d.rank(difference) - 1}), d.flag("keepdim")});
}

// ---- Padding, repeating and joining

AnyArg pad_composite(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const std::string mode = d.text("mode");
  if (mode == "constant") {
    return d.emit("aten.constant_pad_nd.default",
                  {x, passed(d, "pad"), d.is_none("value") ? AnyArg(0) : passed(d, "value")});
  }
  const std::vector<int64_t> widths = d.integers("pad");
  if (!d.is_none("value")) return d.reject("only constant padding accepts a value");
  const auto dims = static_cast<int64_t>(widths.size() / 2);
  const bool fits = dims > 0 && dims <= 3 && (d.rank(x) == dims + 1 || d.rank(x) == dims + 2);
  if ((mode != "reflect" && mode != "replicate") || !fits)
    return d.reject(
        "mode must be constant, or reflect or replicate for 1 to 3 dimensions after one or two "
        "other dimensions");
  const std::string_view prefix = mode == "reflect" ? "reflection" : "replication";
  return d.emit(
      std::string("aten.") + std::string(prefix) + "_pad" + std::to_string(dims) + "d.default",
      {x, IntList(widths)});
}
AnyArg tile(Decomposer& d) {
  const Proxy x = d.tensor("self");
  std::vector<IntArg> counts = d.dims("dims");
  while (static_cast<int64_t>(counts.size()) < d.rank(x)) counts.insert(counts.begin(), 1);
  return x.repeat(counts);
}
/// Repeats each element `repeats` times, in order. An additional dimension for the repetitions is
/// merged with the dimension of the elements.
AnyArg repeat_interleave(Decomposer& d) {
  Proxy x = d.tensor("self");
  const std::vector<IntArg> repeats = d.dims("repeats");
  if (repeats.size() != 1) return d.reject("repeats must be a single number");
  if (d.is_none("dim")) x = d.emit("aten.flatten.using_ints", {x});
  const int64_t dim = d.is_none("dim") ? 0 : d.wrapped(d.integer("dim"), d.rank(x));
  if (d.rank(x) == 0) return d.reject("the input must have a dimension");
  std::vector<IntArg> sizes(static_cast<size_t>(d.rank(x)) + 1, -1);
  sizes[static_cast<size_t>(dim) + 1] = repeats[0];
  const Proxy repeated = unsqueeze(x, dim + 1).expand(sizes).clone(MemoryFormat::kContiguous);
  return d.emit("aten.flatten.using_ints", {repeated, dim, dim + 1});
}
Proxy at_least(Decomposer& d, const Proxy& x, int64_t rank) {
  if (d.rank(x) >= rank) return x;
  if (d.rank(x) == 0)
    return d.reshape(x, std::vector<IntArg>(static_cast<size_t>(rank), IntArg(1)));
  if (rank == 2) return unsqueeze(x, 0);
  return d.rank(x) == 1 ? unsqueeze(unsqueeze(x, 0), -1) : unsqueeze(x, -1);
}
template <int64_t rank>
AnyArg atleast(Decomposer& d) {
  return at_least(d, d.tensor("self"), rank);
}
/// Concatenates tensors along dimension `dim`, each with at least `rank` dimensions.
AnyArg joined(Decomposer& d, int64_t rank, int64_t dim) {
  std::vector<Proxy> parts = d.tensors("tensors");
  if (parts.empty()) return d.reject("the list of tensors must not be empty");
  for (Proxy& part : parts) part = at_least(d, part, rank);
  return cat(parts, d.rank(parts[0]) == 1 ? 0 : dim);
}
AnyArg hstack(Decomposer& d) { return joined(d, 1, 1); }
AnyArg vstack(Decomposer& d) { return joined(d, 2, 0); }
AnyArg dstack(Decomposer& d) { return joined(d, 3, 2); }

// ---- Dimensions, dtypes and statistics

AnyArg movedim_list(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t rank = d.rank(x);
  const std::vector<int64_t> from = d.integers("source"), to = d.integers("destination");
  if (from.size() != to.size()) return d.reject("source and destination differ in length");
  std::vector<int64_t> order(static_cast<size_t>(rank), -1);
  std::vector<int64_t> rest = Decomposer::range(0, rank);
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t source = d.wrapped(from[i], rank), target = d.wrapped(to[i], rank);
    if (std::erase(rest, source) != 1 || order[static_cast<size_t>(target)] != -1)
      return d.reject("duplicate dimension");
    order[static_cast<size_t>(target)] = source;
  }
  auto next = rest.begin();
  for (int64_t& source : order)
    if (source == -1) source = *next++;
  return permute(x, order);
}
AnyArg type_as(Decomposer& d) {
  const Proxy x = d.tensor("self"), other = d.tensor("other");
  if (d.type(x).device() != d.type(other).device()) return d.reject("the devices differ");
  return d.cast(x, d.dtype(other));
}
/// Handles the overloads of var and std without dimension arguments.
template <Literal op>
AnyArg of_all(Decomposer& d) {
  return d.emit(op.view(), {d.tensor("self"), std::nullopt},
                {{"correction", d.flag("unbiased") ? 1 : 0}, {"keepdim", false}});
}

/// Without gradients, libtorch calls _embedding_bag_forward_only, whose results after the first one
/// differ.
AnyArg embedding_bag(Decomposer& d) {
  for (size_t item = 1; item < 4; ++item)
    if (d.reads_result(item)) return d.reject("only the first result may have users");
  AnyArg padding = -1;  // no padding; in the argument of the call, -1 is the last row
  if (!d.is_none("padding_idx"))
    padding = d.wrapped(d.integer("padding_idx"), d.known_size(d.tensor("weight"), 0));
  return d.emit("aten._embedding_bag.default",
                {passed(d, "weight"), passed(d, "indices"), passed(d, "offsets"),
                 passed(d, "scale_grad_by_freq"), passed(d, "mode"), passed(d, "sparse"),
                 passed(d, "per_sample_weights"), passed(d, "include_last_offset"), padding});
}

// ---- Linear algebra (ATen/native/BatchLinearAlgebra.cpp, LinearAlgebra.cpp)

/// Returns the result of an operator that also returns an error code, and checks the error code.
AnyArg checked(Decomposer& d, const Proxy& results, size_t code, std::string_view name,
               const Proxy& matrix) {
  d.emit("aten._linalg_check_errors.default",
         {results[static_cast<int64_t>(code)], AnyArg(Argument(name))},
         {{"is_matrix", d.rank(matrix) == 2}});
  return results[0];
}
template <Literal matrix>
AnyArg inverse(Decomposer& d) {
  const Proxy a = d.tensor(matrix.view());
  return checked(d, d.emit("aten.linalg_inv_ex.default", {a}), 1, "linalg.inv", a);
}
AnyArg cholesky(Decomposer& d) {
  const Proxy a = d.tensor("self");
  return checked(d, d.emit("aten.linalg_cholesky_ex.default", {a}, {{"upper", d.flag("upper")}}), 1,
                 "linalg.cholesky", a);
}
AnyArg solve(Decomposer& d) {
  const Proxy a = d.tensor("A");
  const Proxy results =
      d.emit("aten._linalg_solve_ex.default", {a, d.tensor("B")}, {{"left", d.flag("left")}});
  d.emit("aten._linalg_check_errors.default", {results[3], AnyArg(Argument("torch.linalg.solve"))},
         {{"is_matrix", d.rank(a) == 2}});
  return results[0];
}
AnyArg cross(Decomposer& d) {
  const Proxy a = d.tensor("self"), b = d.tensor("other");
  int64_t dim = 0;
  if (!d.is_none("dim")) {
    dim = d.integer("dim");
  } else {
    while (dim < d.rank(a) && !d.has_size(a, dim, 3)) ++dim;
    if (dim == d.rank(a)) return d.reject("no dimension has size 3");
  }
  return d.emit("aten.linalg_cross.default", {a, b}, {{"dim", dim}});
}
AnyArg kron(Decomposer& d) {
  const Proxy a = d.tensor("self"), b = d.tensor("other");
  const int64_t rank = std::max(d.rank(a), d.rank(b));
  std::vector<IntArg> left, right, sizes;
  for (int64_t i = -rank; i < 0; ++i) {
    const IntArg m = i < -d.rank(a) ? IntArg(1) : d.size(a, i);
    const IntArg n = i < -d.rank(b) ? IntArg(1) : d.size(b, i);
    if (!m.value().is_int() || !n.value().is_int()) return d.reject("the sizes must be known");
    left.insert(left.end(), {m, 1});
    right.insert(right.end(), {1, n});
    sizes.emplace_back(m.value().as_int() * n.value().as_int());
  }
  return d.reshape(d.reshape(a, left) * d.reshape(b, right), sizes);
}
AnyArg cdist(Decomposer& d) {
  const Proxy a = d.tensor("x1"), b = d.tensor("x2");
  const int64_t mode = d.is_none("compute_mode") ? 0 : d.integer("compute_mode");
  const bool is_small = d.known_size(a, -2) <= 25 && d.known_size(b, -2) <= 25;
  if (d.number("p") == 2 && mode != 2 && !(mode == 0 && is_small))
    return d.reject("distances computed by a matrix product are not supported");
  return d.emit("aten._cdist_forward.default", {a, b, d.number("p"), passed(d, "compute_mode")});
}

// ---- One-dimensional Fourier transforms (ATen/native/SpectralOps.cpp)

/// Returns libtorch's code for a normalization: 0 for none, 1 for 1 / sqrt(n), 2 for 1 / n.
int64_t normalization(Decomposer& d, bool is_forward) {
  const std::string name = d.is_none("norm") ? "backward" : d.text("norm");
  if (name == "ortho") return 1;
  return (name == "forward") == is_forward ? 2 : 0;
}
/// Returns the input with `count` elements in the dimension of the transform.
Proxy resized(Decomposer& d, const Proxy& x, int64_t dim, int64_t count) {
  const int64_t size = d.known_size(x, dim);
  if (size > count) return d.slice(x, dim, 0, count);
  if (size == count || d.rank(x) == 0) return x;
  std::vector<int64_t> widths(static_cast<size_t>(2 * d.rank(x)), 0);
  widths[static_cast<size_t>(2 * (d.rank(x) - 1 - dim) + 1)] = count - size;
  return d.emit("aten.constant_pad_nd.default", {x, IntList(widths)});
}
/// Returns the input in a floating-point or complex dtype.
Proxy transformed(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const bool is_number = is_floating_point(d.dtype(x)) || is_complex(d.dtype(x));
  return is_number ? x : d.cast(x, DType::kFloat32);
}
template <bool is_forward>
AnyArg fft(Decomposer& d) {
  Proxy x = transformed(d);
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  const int64_t mode = normalization(d, is_forward);
  if (!d.is_none("n")) x = resized(d, x, dim, d.integer("n"));
  if (is_complex(d.dtype(x)))
    return d.emit("aten._fft_c2c.default", {x, IntList({dim}), mode, is_forward});
  const Proxy out = d.emit("aten._fft_r2c.default", {x, IntList({dim}), mode, false});
  return is_forward ? out : d.emit("aten._conj.default", {out});
}
AnyArg rfft(Decomposer& d) {
  Proxy x = transformed(d);
  if (is_complex(d.dtype(x))) return d.reject("the input must be real");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  if (!d.is_none("n")) x = resized(d, x, dim, d.integer("n"));
  return d.emit("aten._fft_r2c.default", {x, IntList({dim}), normalization(d, true), true});
}
AnyArg irfft(Decomposer& d) {
  Proxy x = d.tensor("self");
  if (!is_complex(d.dtype(x))) return d.reject("the input must be complex");
  const int64_t dim = d.wrapped(d.integer("dim"), d.rank(x));
  const int64_t count = d.is_none("n") ? 2 * (d.known_size(x, dim) - 1) : d.integer("n");
  if (!d.is_none("n")) x = resized(d, x, dim, count / 2 + 1);
  return d.emit("aten._fft_c2r.default", {x, IntList({dim}), normalization(d, false), count});
}

}  // namespace

absl::Span<const DecompositionRow> composite_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.absolute.default", renamed<"aten.abs.default">, kCore},
      {"aten.arccos.default", renamed<"aten.acos.default">, kCore},
      {"aten.arccosh.default", renamed<"aten.acosh.default">, kCore},
      {"aten.arcsin.default", renamed<"aten.asin.default">, kCore},
      {"aten.arcsinh.default", renamed<"aten.asinh.default">, kCore},
      {"aten.arctan.default", renamed<"aten.atan.default">, kCore},
      {"aten.arctan2.default", renamed<"aten.atan2.default">, kCore},
      {"aten.arctanh.default", renamed<"aten.atanh.default">, kCore},
      {"aten.atleast_1d.default", atleast<1>, kCore},
      {"aten.atleast_2d.default", atleast<2>, kCore},
      {"aten.atleast_3d.default", atleast<3>, kCore},
      {"aten.cdist.default", cdist, kCore},
      {"aten.clip.Tensor", renamed<"aten.clamp.Tensor">, kCore},
      {"aten.clip.default", renamed<"aten.clamp.default">, kCore},
      {"aten.concat.default", renamed<"aten.cat.default">, kCore},
      {"aten.concatenate.default", renamed<"aten.cat.default">, kCore},
      {"aten.cross.default", cross, kCore},
      {"aten.cross_entropy_loss.default", cross_entropy_loss, kCore},
      {"aten.det.default", renamed<"aten.linalg_det.default">, kCore},
      {"aten.divide.Scalar", renamed<"aten.div.Scalar">, kCore},
      {"aten.divide.Tensor", renamed<"aten.div.Tensor">, kCore},
      {"aten.divide.Tensor_mode", renamed<"aten.div.Tensor_mode">, kCore},
      {"aten.dstack.default", dstack, kCore},
      {"aten.embedding_bag.default", embedding_bag, kCore},
      {"aten.embedding_bag.padding_idx", embedding_bag, kCore},
      {"aten.fake_quantize_per_channel_affine.default",
       first_of<"aten.fake_quantize_per_channel_affine_cachemask.default">, kCore},
      {"aten.fake_quantize_per_tensor_affine.default",
       first_of<"aten.fake_quantize_per_tensor_affine_cachemask.default">, kCore},
      {"aten.fft_fft.default", fft<true>, kCore},
      {"aten.fft_ifft.default", fft<false>, kCore},
      {"aten.fft_irfft.default", irfft, kCore},
      {"aten.fft_rfft.default", rfft, kCore},
      {"aten.fix.default", renamed<"aten.trunc.default">, kCore},
      {"aten.hstack.default", hstack, kCore},
      {"aten.inverse.default", inverse<"self">, kCore},
      {"aten.kl_div.default", kl_div, kCore},
      {"aten.kron.default", kron, kCore},
      {"aten.linalg_cholesky.default", cholesky, kCore},
      {"aten.linalg_det.default", first_of<"aten._linalg_det.default">, kCore},
      {"aten.linalg_inv.default", inverse<"A">, kCore},
      {"aten.linalg_matmul.default", renamed<"aten.matmul.default">, kCore},
      {"aten.linalg_solve.default", solve, kCore},
      {"aten.log_sigmoid.default", first_of<"aten.log_sigmoid_forward.default">, kCore},
      {"aten.max.other", renamed<"aten.maximum.default">, kCore},
      {"aten.min.other", renamed<"aten.minimum.default">, kCore},
      {"aten.log_softmax.int", softmax_composite<"aten._log_softmax.default">, kCore},
      {"aten.moveaxis.int", renamed<"aten.movedim.int">, kCore},
      {"aten.moveaxis.intlist", renamed<"aten.movedim.intlist">, kCore},
      {"aten.movedim.intlist", movedim_list, kCore},
      {"aten.multiply.Scalar", renamed<"aten.mul.Scalar">, kCore},
      {"aten.multiply.Tensor", renamed<"aten.mul.Tensor">, kCore},
      {"aten.negative.default", renamed<"aten.neg.default">, kCore},
      {"aten.nll_loss.default", first_of<"aten.nll_loss_forward.default">, kCore},
      {"aten.nll_loss2d.default", first_of<"aten.nll_loss2d_forward.default">, kCore},
      {"aten.nll_loss_nd.default", nll_loss_nd, kCore},
      {"aten.pad.default", pad_composite, kCore},
      {"aten.pairwise_distance.default", pairwise_distance, kCore},
      {"aten.repeat_interleave.self_int", repeat_interleave, kCore},
      {"aten.row_stack.default", vstack, kCore},
      {"aten.softmax.int", softmax_composite<"aten._softmax.default">, kCore},
      {"aten.special_digamma.default", renamed<"aten.digamma.default">, kCore},
      {"aten.special_erf.default", renamed<"aten.erf.default">, kCore},
      {"aten.special_erfc.default", renamed<"aten.erfc.default">, kCore},
      {"aten.special_erfinv.default", renamed<"aten.erfinv.default">, kCore},
      {"aten.special_exp2.default", renamed<"aten.exp2.default">, kCore},
      {"aten.special_expit.default", renamed<"aten.sigmoid.default">, kCore},
      {"aten.special_expm1.default", renamed<"aten.expm1.default">, kCore},
      {"aten.special_gammaln.default", renamed<"aten.lgamma.default">, kCore},
      {"aten.special_i0.default", renamed<"aten.i0.default">, kCore},
      {"aten.special_log1p.default", renamed<"aten.log1p.default">, kCore},
      {"aten.special_log_softmax.default", renamed<"aten.log_softmax.int">, kCore},
      {"aten.special_logit.default", renamed<"aten.logit.default">, kCore},
      {"aten.special_logsumexp.default", renamed<"aten.logsumexp.default">, kCore},
      {"aten.special_psi.default", renamed<"aten.digamma.default">, kCore},
      {"aten.special_round.default", renamed<"aten.round.decimals">, kCore},
      {"aten.special_sinc.default", renamed<"aten.sinc.default">, kCore},
      {"aten.special_softmax.default", renamed<"aten.softmax.int">, kCore},
      {"aten.special_xlogy.default", renamed<"aten.xlogy.Tensor">, kCore},
      {"aten.std.default", of_all<"aten.std.correction">, kCore},
      {"aten.subtract.Scalar", renamed<"aten.sub.Scalar">, kCore},
      {"aten.subtract.Tensor", renamed<"aten.sub.Tensor">, kCore},
      {"aten.swapaxes.default", renamed<"aten.transpose.int">, kCore},
      {"aten.swapdims.default", renamed<"aten.transpose.int">, kCore},
      {"aten.tile.default", tile, kCore},
      {"aten.true_divide.Scalar", renamed<"aten.div.Scalar">, kCore},
      {"aten.type_as.default", type_as, kCore},
      {"aten.var.default", of_all<"aten.var.correction">, kCore},
      {"aten.vstack.default", vstack, kCore},
  };
  return kRows;
}

}  // namespace fx
