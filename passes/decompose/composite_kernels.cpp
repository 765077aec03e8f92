// DecompositionTable::composite: the operators that libtorch's kernels of composite operators call
// (ATen/native/Linear.cpp, LinearAlgebra.cpp, TensorShape.cpp, transformers/attention.cpp of 2.13),
// in their order. Where a kernel writes to a tensor that it created (`output.add_(bias)`), the row
// records the operator that returns a new tensor. A row rejects a call if types do not determine
// the choice of kernel. Rows do not record composite operators.
#include "fx/ir/types/strides.h"
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace fx {
namespace {

IntArg element_count(Decomposer& d, const std::vector<IntArg>& sizes) {
  const ScalarArg count = d.product(sizes);
  if (Node* node = count.value().node()) return IntArg(Proxy(*node, d));
  return IntArg(count.value().as_int());
}
bool is_size_one(const IntArg& size) { return size.value().is_int() && size.value().as_int() == 1; }

// ---- Views

Proxy unsafe_view(Decomposer& d, const Proxy& x, const std::vector<IntArg>& sizes) {
  return d.emit("aten._unsafe_view.default", {x, IntList(sizes)});
}
/// Records the kernel of reshape for sizes without -1.
Proxy reshaped(Decomposer& d, const Proxy& x, const std::vector<IntArg>& sizes) {
  if (!x.defined() || !d.status().ok()) return x;
  if (d.is_viewable(x, sizes)) return x.view(sizes);
  return unsafe_view(d, x.clone(MemoryFormat::kContiguous), sizes);
}
AnyArg reshape_kernel(Decomposer& d) {
  const Proxy x = d.tensor("self");
  std::vector<IntArg> sizes = d.dims("shape");
  if (is_contiguous(d.type(x))) return x.view(sizes);
  const auto is_unknown = [](const IntArg& size) {
    return size.value().is_int() && size.value().as_int() < 0;
  };
  const auto unknown = std::ranges::find_if(sizes, is_unknown);
  if (unknown != sizes.end()) {
    *unknown = IntArg(1);
    const IntArg known = element_count(d, sizes), all = element_count(d, d.sizes(x));
    if (!known.value().is_int() || !all.value().is_int() || known.value().as_int() == 0)
      return d.reject("the size given as -1 must be known for a non-contiguous tensor");
    *unknown = IntArg(all.value().as_int() / known.value().as_int());
  }
  return reshaped(d, x, sizes);
}
AnyArg flatten_kernel(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t rank = d.rank(x);
  if (rank == 0) return reshaped(d, x, {1});
  const int64_t first = d.wrapped(d.integer("start_dim"), rank);
  const int64_t last = d.wrapped(d.integer("end_dim"), rank);
  if (first > last) return d.reject("start_dim must not be after end_dim");
  if (first == last) return x;
  std::vector<IntArg> sizes = d.sizes(x, 0, first);
  sizes.push_back(element_count(d, d.sizes(x, first, last + 1)));
  for (const IntArg& size : d.sizes(x, last + 1)) sizes.push_back(size);
  return reshaped(d, x, sizes);
}
AnyArg matrix_transpose_kernel(Decomposer& d) {
  const Proxy x = d.tensor("self");
  if (d.rank(x) < 2) return d.reject("the tensor must have at least two dimensions");
  return transpose(x, -2, -1);
}
AnyArg chunk_kernel(Decomposer& d) {
  const Proxy x = d.tensor("self");
  const int64_t dim = d.integer("dim"), count = d.integer("chunks");
  const int64_t size = d.known_size(x, dim);
  if (count < 1 || size == 0)
    return d.reject("chunks must be positive, and the dimension must be non-empty");
  return d.emit("aten.split.Tensor", {x, (size + count - 1) / count, dim});
}

// ---- Matrix products

/// An operand of a product. The types of new nodes do not record whether they require a gradient,
/// which depends on the operands if gradients are enabled.
struct Factor {
  Proxy value;
  bool requires_grad;
};
Factor factor_of(const Decomposer& d, const Proxy& x) { return {x, d.type(x).requires_grad()}; }

/// True if matmul multiplies the rows of all matrices of the larger operand in one product.
bool folds(Decomposer& d, const Factor& a, const Factor& b) {
  const bool is_first = d.rank(a.value) >= d.rank(b.value);
  const Factor &larger = is_first ? a : b, &smaller = is_first ? b : a;
  const Type large = d.type(larger.value);
  if (large.rank() < 3 || d.rank(smaller.value) > 2) return false;
  if (smaller.requires_grad) return true;
  if (d.rank(a.value) == 2) return false;
  if (d.is_empty(larger.value)) return true;
  if (!large.has_strides()) {
    d.reject("its strides are not known");
    return false;
  }
  DimVector sizes(large.sizes().begin(), large.sizes().end());
  DimVector strides(large.strides().begin(), large.strides().end());
  const size_t n = sizes.size();
  if (!is_first) {  // the kernel multiplies by the transposed matrices
    std::swap(sizes[n - 2], sizes[n - 1]);
    std::swap(strides[n - 2], strides[n - 1]);
  }
  for (size_t i = 0; i + 2 < n; ++i) {
    const Dim packed = strides[i + 1] * sizes[i + 1];
    if (strides[i].canonical() != packed.canonical()) return false;
  }
  return true;
}

Proxy folded_product(Decomposer& d, const Proxy& a, const Proxy& b) {
  const bool is_first = d.rank(a) >= d.rank(b);
  const Proxy large = is_first ? a : transpose(b, -2, -1);
  const Proxy small = is_first ? b : d.rank(a) == 2 ? d.emit("aten.t.default", {a}) : a;
  std::vector<IntArg> sizes = d.sizes(large, 0, d.rank(large) - 1);
  const Proxy rows = reshaped(d, large, {element_count(d, sizes), d.size(large, -1)});
  if (d.rank(small) == 1) return unsafe_view(d, d.emit("aten.mv.default", {rows, small}), sizes);
  sizes.push_back(d.size(small, 1));
  const Proxy product = unsafe_view(d, mm(rows, small), sizes);
  if (is_first) return product;
  const Proxy result = transpose(product, -2, -1);
  return is_contiguous(d.type(result)) ? result : result.clone(MemoryFormat::kContiguous);
}

/// Returns the sizes to which the batches of both operands are broadcast.
std::vector<IntArg> batch_sizes(Decomposer& d, const Proxy& a, const Proxy& b) {
  const auto count = [&](const Proxy& x) { return std::max<int64_t>(d.rank(x) - 2, 0); };
  const int64_t n = std::max(count(a), count(b));
  std::vector<IntArg> sizes;
  sizes.reserve(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t in_a = i - (n - count(a)), in_b = i - (n - count(b));
    const IntArg size = in_a < 0 ? IntArg(1) : d.size(a, in_a);
    sizes.push_back(in_b >= 0 && is_size_one(size) ? d.size(b, in_b) : size);
  }
  return sizes;
}
std::vector<IntArg> appended(std::vector<IntArg> sizes, std::initializer_list<IntArg> last) {
  sizes.insert(sizes.end(), last.begin(), last.end());
  return sizes;
}
Proxy batched_kernel(Decomposer& d, const Proxy& a, const Proxy& b) {
  const bool is_vector = d.rank(b) == 1;
  const IntArg n = d.rank(a) > 1 ? d.size(a, -2) : IntArg(1), inner = d.size(a, -1);
  const IntArg m = d.size(b, is_vector ? 0 : -2), p = is_vector ? IntArg(1) : d.size(b, -1);
  std::vector<IntArg> sizes = batch_sizes(d, a, b);
  const IntArg count = element_count(d, sizes);
  const Proxy left = reshaped(d, a.expand(appended(sizes, {n, inner})), {count, n, inner});
  Proxy right = b.expand(is_vector ? appended(sizes, {m}) : appended(sizes, {m, p}));
  right =
      is_vector ? unsqueeze(reshaped(d, right, {count, m}), 2) : reshaped(d, right, {count, m, p});
  Proxy product = bmm(left, right);
  if (is_vector) product = d.emit("aten.squeeze.dim", {product, -1});
  if (d.rank(a) > 1) sizes.push_back(n);
  if (!is_vector) sizes.push_back(p);
  return unsafe_view(d, product, sizes);
}

Proxy matmul_kernel(Decomposer& d, const Factor& left, const Factor& right) {
  const Proxy &a = left.value, &b = right.value;
  const int64_t rank_a = d.rank(a), rank_b = d.rank(b);
  if (!d.status().ok() || rank_a == 0 || rank_b == 0) {
    d.reject("a 0-dimensional tensor is not supported");
    return Proxy::failed(d);
  }
  const auto first = [&](const Proxy& x) { return d.emit("aten.squeeze.dim", {x, 0}); };
  if (rank_a == 1 && rank_b == 1) return d.emit("aten.dot.default", {a, b});
  if (rank_a == 2 && rank_b == 1) return d.emit("aten.mv.default", {a, b});
  if (rank_a == 1 && rank_b == 2) return first(mm(unsqueeze(a, 0), b));
  if (rank_a == 2 && rank_b == 2) return mm(a, b);
  if (folds(d, left, right)) return folded_product(d, a, b);
  if (!d.status().ok()) return Proxy::failed(d);
  if (rank_a == 3 && rank_b == 3) {  // one matrix is not repeated if it requires a gradient
    const bool one_a = is_size_one(d.size(a, 0)), one_b = is_size_one(d.size(b, 0));
    if (one_a && !one_b && left.requires_grad) return folded_product(d, first(a), b);
    if (one_b && !one_a && right.requires_grad) return folded_product(d, a, first(b));
  }
  return batched_kernel(d, a, b);
}
AnyArg matmul_kernel(Decomposer& d) {
  return matmul_kernel(d, factor_of(d, d.tensor("self")), factor_of(d, d.tensor("other")));
}

AnyArg linear_kernel(Decomposer& d) {
  const Proxy x = d.tensor("input"), weight = d.tensor("weight");
  const Proxy bias = d.optional_tensor("bias");
  const int64_t rank = d.rank(x);
  if (d.rank(weight) != 2 || rank == 0)
    return d.reject("the weight must be a matrix, and the input must not be 0-dimensional");
  const auto transposed_weight = [&] { return d.emit("aten.t.default", {weight}); };
  const auto product = [&] {
    const bool requires_grad = d.type(weight).requires_grad();
    return matmul_kernel(d, factor_of(d, x), {transposed_weight(), requires_grad});
  };
  if (!bias.defined()) return product();
  if (rank == 2) return addmm(bias, x, transposed_weight());
  if (d.rank(bias) != 1) return d.reject("the bias must be a vector");
  if (!is_contiguous(d.type(x)) || !is_contiguous(d.type(bias))) return product() + bias;
  std::vector<IntArg> sizes = d.sizes(x, 0, rank - 1);
  const Proxy rows = x.view({element_count(d, sizes), d.size(x, -1)});
  const Proxy sum = addmm(bias, rows, transposed_weight());
  sizes.push_back(d.size(weight, 0));
  return sum.view(sizes);
}

// ---- Attention

/// True if use_flash_attention_cpp accepts the call. The strides must be known.
bool selects_flash(Decomposer& d, const Proxy& q, const Proxy& k, const Proxy& v) {
  const Type types[] = {d.type(q), d.type(k), d.type(v)};
  const Proxy mask = d.optional_tensor("attn_mask");
  const auto equal = [&](int dim, size_t i, size_t j) {
    return types[i].size(dim).canonical() == types[j].size(dim).canonical();
  };
  if (d.number("dropout_p") > 0) return false;
  for (const Type type : types)
    if (type.rank() != 4 || type.dtype() != types[0].dtype() || type.stride(3) != Dim(1))
      return false;
  if (!equal(0, 0, 1) || !equal(0, 0, 2) || !equal(1, 1, 2)) return false;
  if (!equal(3, 0, 1) || !equal(3, 0, 2)) return false;
  if (!equal(1, 0, 1)) {
    if (!d.flag("enable_gqa")) return false;
    const Dim heads = types[0].size(1), own = types[1].size(1);
    if (!heads.is_int() || !own.is_int() || own.value() == 0 || heads.value() % own.value() != 0)
      return false;
  }
  if (types[0].size(2) == Dim(0) || types[1].size(2) == Dim(0)) return false;
  if (mask.defined()) {
    const Type type = d.type(mask);
    if (type.requires_grad() || (type.rank() != 2 && type.rank() != 4)) return false;
    const auto fits = [&](int dim, const Dim& size) {
      return type.size(dim) == Dim(1) || type.size(dim).canonical() == size.canonical();
    };
    if (!fits(-2, types[0].size(2)) || !fits(-1, types[1].size(2))) return false;
    if (type.rank() == 4 && (!fits(0, types[0].size(0)) || !fits(1, types[0].size(1))))
      return false;
  }
  return is_floating_point(types[0].dtype()) && types[0].dtype() != DType::kUndefined;
}

/// Returns 0 where a bool mask is true, and -inf elsewhere. Returns other masks unchanged.
Proxy additive_mask(Decomposer& d, const Proxy& mask, const Proxy& like) {
  if (!mask.defined() || d.dtype(mask) != DType::kBool) return mask;
  const Proxy hidden = d.scalar_tensor(-std::numeric_limits<double>::infinity(), like);
  return d.where(mask, 0.0, hidden);
}

AnyArg attention_by_products(Decomposer& d, const Proxy& q, const Proxy& k, const Proxy& v,
                             Proxy mask) {
  if (d.flag("enable_gqa")) return d.reject("grouped queries are not supported");
  const double scale = d.is_none("scale")
                           ? 1.0 / std::sqrt(static_cast<double>(d.known_size(q, -1)))
                           : d.number("scale");
  const double factor = std::sqrt(std::abs(scale));
  const Proxy wide_q = d.opmath(q), wide_k = d.opmath(k), wide_v = d.opmath(v);
  const auto scaled = [&](const Proxy& x, double by) { return d.emit("aten.mul.Scalar", {x, by}); };
  const Proxy query = scaled(wide_q, scale < 0 ? -factor : factor);
  if (d.flag("is_causal")) {
    const Proxy seen =
        ones(d, IntList({d.size(q, -2), d.size(k, -2)}), DType::kBool, {}, d.type(q).device());
    mask = additive_mask(d, tril(seen), query);
  }
  const bool grad_q = d.type(q).requires_grad(), grad_k = d.type(k).requires_grad();
  Proxy scores =
      matmul_kernel(d, {query, grad_q}, {scaled(transpose(wide_k, -2, -1), factor), grad_k});
  if (mask.defined()) scores = scores + mask;
  const bool grad = grad_q || grad_k || (mask.defined() && d.type(mask).requires_grad());
  const Proxy weights = d.emit("aten._safe_softmax.default", {scores, -1});
  const Proxy result = matmul_kernel(d, {weights, grad}, {wide_v, d.type(v).requires_grad()});
  return d.cast(result, d.dtype(q));
}

AnyArg attention_kernel(Decomposer& d) {
  const Proxy q = d.tensor("query"), k = d.tensor("key"), v = d.tensor("value");
  if (d.rank(q) < 2) return d.reject("the query must have at least two dimensions");
  if (d.number("dropout_p") != 0)
    return d.reject("dropout is not supported, because it draws random numbers");
  if (d.type(q).device().type != DeviceType::kCpu)
    return d.reject("only CPU kernels are supported");
  for (const Proxy& x : {q, k, v})
    if (!d.type(x).has_strides()) return d.reject("the kernel depends on strides that are unknown");
  const Proxy mask = additive_mask(d, d.optional_tensor("attn_mask"), q);
  if (!selects_flash(d, q, k, v)) return attention_by_products(d, q, k, v, mask);
  return d.emit("aten._scaled_dot_product_flash_attention_for_cpu.default",
                {q, k, v, d.number("dropout_p"), d.flag("is_causal")},
                {{"attn_mask", mask.defined() ? AnyArg(mask) : AnyArg(std::nullopt)},
                 {"scale", AnyArg(d.argument("scale"))}})[0];
}

// ---- Layers

AnyArg relu6_kernel(Decomposer& d) {
  return d.emit("aten.hardtanh.default", {d.tensor("self"), 0, 6});
}
/// Records an operator that writes to its operand, like the call.
AnyArg relu6_in_place_kernel(Decomposer& d) {
  return d.emit("aten.hardtanh_.default", {d.tensor("self"), 0, 6});
}

AnyArg batch_norm_kernel(Decomposer& d) {
  const Proxy x = d.tensor("input");
  if (d.is_empty(x)) return d.reject("an empty input is not supported");
  const auto passed = [&](std::string_view name) { return AnyArg(d.argument(name)); };
  return d.emit("aten.native_batch_norm.default",
                {x, passed("weight"), passed("bias"), passed("running_mean"), passed("running_var"),
                 d.flag("training"), d.number("momentum"), d.number("eps")})[0];
}
/// Computes the mean over the last dimensions if the result has one element for each channel.
template <int64_t dims>
AnyArg adaptive_avg_pool_kernel(Decomposer& d) {
  static constexpr std::string_view kOps[] = {"aten._adaptive_avg_pool2d.default",
                                              "aten._adaptive_avg_pool3d.default"};
  const Proxy x = d.tensor("self");
  const std::vector<int64_t> size = d.integers("output_size");
  if (std::ranges::count(size, 1) != dims)
    return d.emit(kOps[dims - 2], {x, AnyArg(d.argument("output_size"))});
  if (!is_contiguous(d.type(x))) return d.reject("the input must be contiguous");
  std::vector<int64_t> order;
  order.reserve(dims);
  for (int64_t i = 1; i <= dims; ++i) order.push_back(-i);
  return mean(x, order, true);
}

}  // namespace

absl::Span<const DecompositionRow> composite_kernels() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.adaptive_avg_pool2d.default", adaptive_avg_pool_kernel<2>, kComposite},
      {"aten.adaptive_avg_pool3d.default", adaptive_avg_pool_kernel<3>, kComposite},
      {"aten.batch_norm.default", batch_norm_kernel, kComposite},
      {"aten.chunk.default", chunk_kernel, kComposite},
      {"aten.flatten.using_ints", flatten_kernel, kComposite},
      {"aten.linear.default", linear_kernel, kComposite},
      {"aten.mT.default", matrix_transpose_kernel, kComposite},
      {"aten.matmul.default", matmul_kernel, kComposite},
      {"aten.relu6.default", relu6_kernel, kComposite},
      {"aten.relu6_.default", relu6_in_place_kernel, kComposite},
      {"aten.reshape.default", reshape_kernel, kComposite},
      {"aten.scaled_dot_product_attention.default", attention_kernel, kComposite},
  };
  return kRows;
}

absl::Span<const std::string_view> standard_composites() {
  static constexpr std::string_view kOps[] = {
      "aten.contiguous.default",
      "aten.conv1d.default",
      "aten.conv2d.default",
      "aten.conv3d.default",
      "aten.conv_transpose1d.default",
      "aten.conv_transpose2d.input",
      "aten.conv_transpose3d.input",
      "aten.cross_entropy_loss.default",
      "aten.dropout.default",
      "aten.expand_as.default",
      "aten.group_norm.default",
      "aten.layer_norm.default",
      "aten.log_softmax.int",
      "aten.max_pool2d.default",
      "aten.max_pool3d.default",
      "aten.narrow.default",
      "aten.nll_loss.default",
      "aten.nll_loss_nd.default",
      "aten.softmax.int",
      "aten.view_as.default",
  };
  return kOps;
}

}  // namespace fx
