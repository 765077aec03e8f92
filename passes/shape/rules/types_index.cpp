// Type functions for operators that read or write by index.
#include "fx/passes/shape/rules/view_math_internal.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::shape {
namespace {

Type index_of(TypeCall& c, int argument) {
  const auto indexed = advanced_index(c, c.tensor(0), argument);
  if (!indexed) return Type();
  return c.result(c.tensor(0).dtype(), indexed->sizes, indexed->strides);
}
Type index_tensor(TypeCall& c) { return index_of(c, 1); }
/// _unsafe_masked_index(self, mask, indices, fill): the mask is broadcast with the indexed
/// elements.
Type masked_index(TypeCall& c) {
  const Type result = index_of(c, 2);
  if (!result) return Type();
  DimVector sizes = to_vector(result.sizes());
  if (!broadcast(c, sizes, c.tensor(1).sizes())) return Type();
  return sizes == result.sizes() ? result : c.result(result.dtype(), sizes);
}

Type self_like(TypeCall& c) { return like(c, c.tensor(0), c.tensor(0).dtype()); }

/// True if each mask has the sizes of the dimensions that it indexes. Otherwise fails the call.
bool check_masks(TypeCall& c, Type x, int argument) {
  size_t d = 0;
  for (Type indices : c.tensors(argument)) {
    const int covered = indices && is_mask(indices) ? indices.rank() : 1;
    for (int i = 0; i < covered; ++i, ++d) {
      if (d >= x.sizes().size()) {
        c.fail(fmt::format("too many indices for tensor {}", to_string(x)));
        return false;
      }
      if (!indices || !is_mask(indices) || c.guard_equal(indices.sizes()[index(i)], x.sizes()[d]))
        continue;
      c.fail(
          fmt::format("the shape of the mask {} does not match the shape of the indexed tensor {}",
                      to_string(indices), to_string(x)));
      return false;
    }
  }
  return true;
}

/// index_put(self, indices, values)
Type index_put(TypeCall& c) {
  const Type x = c.tensor(0);
  if (c.tensor(2).dtype() != x.dtype())
    return c.fail(fmt::format("the values must have the dtype of self: {} vs. {}",
                              to_string(c.tensor(2)), to_string(x)));
  bool has_mask = false;
  for (Type t : c.tensors(1)) has_mask = has_mask || (t && is_mask(t));
  if (!has_mask) {
    const auto indexed = advanced_index(c, x, 1);
    if (!indexed) return Type();
    DimVector sizes = indexed->sizes;
    if (!broadcast(c, sizes, c.tensor(2).sizes())) return Type();
    if (!same_sizes(c, sizes, indexed->sizes))
      return c.fail(fmt::format("the values {} cannot be broadcast to the indexing result",
                                to_string(c.tensor(2))));
  } else if (!check_masks(c, x, 1)) {
    return Type();
  }
  return like(c, x, x.dtype());
}

/// _unsafe_masked_index_put_accumulate(self, mask, indices, values): mask and values broadcast to
/// the sizes of the indexed part.
Type masked_index_put(TypeCall& c) {
  const auto indexed = advanced_index(c, c.tensor(0), 2);
  if (!indexed) return Type();
  for (int i : {1, 3}) {
    DimVector sizes = indexed->sizes;
    if (!broadcast(c, sizes, c.tensor(i).sizes())) return Type();
    if (!same_sizes(c, sizes, indexed->sizes))
      return c.fail(
          fmt::format("{} cannot be broadcast to the indexing result", to_string(c.tensor(i))));
  }
  return self_like(c);
}

bool check_index_rank(TypeCall& c, Type x, Type indices) {
  if (std::max(x.rank(), 1) == std::max(indices.rank(), 1)) return true;
  c.fail(fmt::format("index must have the same number of dimensions as self: {} vs. {}",
                     indices.rank(), x.rank()));
  return false;
}

/// True if no size of the indices is greater than the size of `x`, except in dimension `dim` (-1:
/// no exception). Otherwise fails the call.
bool check_index_sizes(TypeCall& c, Type x, Type indices, int dim) {
  for (int i = 0; i < std::min(x.rank(), indices.rank()); ++i) {
    if (i == dim || c.guard_less_equal(indices.sizes()[index(i)], x.sizes()[index(i)])) continue;
    c.fail(fmt::format("the index has size {} in dimension {}; at most {} is allowed",
                       to_string(indices.sizes()[index(i)]), i, to_string(x.sizes()[index(i)])));
    return false;
  }
  return true;
}

/// gather(self, dim, index)
Type gather(TypeCall& c) {
  const Type x = c.tensor(0), indices = c.tensor(2);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0) return Type();
  if (numel(indices.sizes()) != Dim(0)) {
    if (!check_index_rank(c, x, indices) || !check_index_sizes(c, x, indices, dim)) return Type();
  }
  return c.result(x.dtype(), indices.sizes());
}

/// scatter(self, dim, index, src or value): a row-major copy of self. Equivalent to
/// scatter_shape_check.
Type scatter(TypeCall& c) {
  const Type x = c.tensor(0), indices = c.tensor(2);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0) return Type();
  if (numel(indices.sizes()) == Dim(0)) return contiguous_like(c, x);
  if (!check_index_rank(c, x, indices) || !check_index_sizes(c, x, indices, dim)) return Type();
  const Type source = c.argument(3).type().is_tensor() && c.op().schema().find_argument("src") == 3
                          ? c.tensor(3)
                          : Type();
  if (source &&
      (!check_index_rank(c, source, indices) || !check_index_sizes(c, source, indices, -1)))
    return Type();
  return contiguous_like(c, x);
}

/// index_select(self, dim, index)
Type index_select(TypeCall& c) {
  const Type x = c.tensor(0), indices = c.tensor(2);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0) return Type();
  if (indices.rank() > 1)
    return c.fail(fmt::format("index must have at most one dimension, not {}", indices.rank()));
  DimVector sizes = to_vector(x.sizes());
  if (!sizes.empty()) sizes[index(dim)] = indices.rank() == 0 ? Dim(1) : indices.sizes()[0];
  return c.result(x.dtype(), sizes);
}

/// index_add(self, dim, index, source), index_copy, index_reduce
Type index_add(TypeCall& c) {
  const Type x = c.tensor(0), indices = c.tensor(2), source = c.tensor(3);
  const int dim = wrap_dim(c, c.integer(1), x.rank());
  if (dim < 0) return Type();
  if (indices.rank() > 1)
    return c.fail(fmt::format("index must have at most one dimension, not {}", indices.rank()));
  const Dim count = indices.rank() == 0 ? Dim(1) : indices.sizes()[0];
  const Dim length = source.rank() == 0                   ? Dim(1)
                     : index(dim) < source.sizes().size() ? source.sizes()[index(dim)]
                                                          : Dim(1);
  if (!c.guard_equal(count, length)) {
    return c.fail(fmt::format(
        "the number of indices, {}, must match the size of the source {} in dimension {}",
        to_string(count), to_string(source), dim));
  }
  if (std::max(x.rank(), 1) != std::max(source.rank(), 1))
    return c.fail(fmt::format("the source {} must match the sizes of self {} except in dim",
                              to_string(source), to_string(x)));
  for (int i = 0; i < std::min(x.rank(), source.rank()); ++i) {
    if (i == dim) continue;
    if (!c.guard_equal(x.sizes()[index(i)], source.sizes()[index(i)])) {
      return c.fail(fmt::format("the source {} must match the sizes of self {} except in dim",
                                to_string(source), to_string(x)));
    }
  }
  return contiguous_like(c, x);
}

Type index_fill(TypeCall& c) {
  if (wrap_dim(c, c.integer(1), c.tensor(0).rank()) < 0) return Type();
  return like(c, c.tensor(0), c.tensor(0).dtype());
}

Type take(TypeCall& c) { return c.result(c.tensor(0).dtype(), c.tensor(1).sizes()); }

/// take_along_dim(self, indices, dim): broadcasts self and indices in all dimensions except `dim`.
Type take_along_dim(TypeCall& c) {
  const Type x = c.tensor(0), indices = c.tensor(1);
  if (c.is_none(2)) return c.result(x.dtype(), {numel(indices.sizes())});
  if (x.rank() != indices.rank())
    return c.fail(fmt::format("input and indices must have the same rank: {} vs. {}", x.rank(),
                              indices.rank()));
  const int dim = wrap_dim(c, c.integer(2), x.rank());
  if (dim < 0 || x.rank() == 0) return c.result(x.dtype(), indices.sizes());
  DimVector sizes = to_vector(x.sizes());
  sizes[index(dim)] = indices.sizes()[index(dim)];
  if (!broadcast(c, sizes, indices.sizes())) return Type();
  sizes[index(dim)] = indices.sizes()[index(dim)];
  return c.result(x.dtype(), sizes);
}

Type nonzero(TypeCall& c) {
  const Dim count = c.fresh_size();
  const Dim rank = c.tensor(0).rank();
  return c.result(DType::kInt64, {count, rank}, {Dim(1), count});
}

Type masked_select(TypeCall& c) {
  DimVector sizes = to_vector(c.tensor(0).sizes());
  if (!broadcast(c, sizes, c.tensor(1).sizes())) return Type();
  return c.result(c.tensor(0).dtype(), {c.fresh_size()});
}

/// masked_scatter(self, mask, source)
Type masked_scatter(TypeCall& c) {
  DimVector sizes = to_vector(c.tensor(0).sizes());
  if (!broadcast(c, sizes, c.tensor(1).sizes())) return Type();
  return c.result(c.tensor(0).dtype(), sizes);
}
Type masked_scatter_backward(TypeCall& c) { return c.result(c.tensor(0).dtype(), c.dims(2)); }

// ---------------------------------------------------------------- embedding

/// embedding(weight, indices): one row of the weight for each index.
Type embedding(TypeCall& c) {
  const Type weight = c.tensor(0), indices = c.tensor(1);
  if (weight.rank() != 2) return c.fail("'weight' must be 2-D");
  if (indices.dtype() != DType::kInt64 && indices.dtype() != DType::kInt32)
    return c.fail(fmt::format("indices must be of dtype int32 or int64, not {}",
                              dtype_name(indices.dtype())));
  DimVector sizes = to_vector(indices.sizes());
  sizes.push_back(weight.sizes()[1]);
  return c.result(weight.dtype(), sizes);
}
/// embedding_renorm(weight, indices, max_norm, norm_type): scales rows of the weight.
Type embedding_renorm(TypeCall& c) {
  const Type weight = c.tensor(0), indices = c.tensor(1);
  if (weight.rank() != 2) return c.fail("'weight' must be 2-D");
  if (indices.dtype() != DType::kInt64 && indices.dtype() != DType::kInt32)
    return c.fail(fmt::format("indices must be of dtype int32 or int64, not {}",
                              dtype_name(indices.dtype())));
  return like(c, weight, weight.dtype());
}
Type embedding_backward(TypeCall& c) {
  const Type grad = c.tensor(0);
  if (grad.rank() == 0) return c.fail("the gradient must have at least one dimension");
  return c.result(grad.dtype(), {c.dim(2), grad.sizes().back()});
}

/// embedding_bag(weight, indices, offsets, scale, mode, sparse, per_sample_weights, include_last,
/// padding_idx). `in_training`: true for the operator that autograd differentiates, which returns
/// one size for each bag.
Type embedding_bag_of(TypeCall& c, bool padded, bool in_training = false) {
  const Type weight = c.tensor(0), indices = c.tensor(1), offsets = c.tensor(2);
  const int64_t mode = c.integer(4);  // 0 sum, 1 mean, 2 max
  const Type per_sample = c.optional_tensor(6);
  if (weight.rank() != 2 || offsets.rank() != 1 || (per_sample && per_sample.rank() != 1))
    return c.fail("weight must be 2-D, and offsets and per_sample_weights must be 1-D");
  if (per_sample && mode != 0) return c.fail("per_sample_weights is only supported for mode='sum'");
  const Dim bags = offsets.sizes()[0] - (c.boolean(7) ? 1 : 0);
  const Type output = c.result(weight.dtype(), {bags, weight.sizes()[1]});
  // The fast kernel that sums rows returns no map from indices to bags.
  const Type scale = c.optional_tensor(6);
  const bool summed = mode == 0 &&
                      (weight.dtype() == DType::kFloat32 || weight.dtype() == DType::kFloat16 ||
                       weight.dtype() == DType::kBFloat16) &&
                      weight.strides()[1] == Dim(1) && (!scale || scale.strides()[0] == Dim(1)) &&
                      !padded;
  const DType index_dtype = promote(indices.dtype(), offsets.dtype());
  const Type map = c.result(index_dtype, {summed ? Dim(0) : numel(indices.sizes())});
  const Type bag_size =
      c.result(index_dtype, {mode == 0 && !in_training ? offsets.sizes()[0] : bags});
  const Type maxima = mode == 2 ? c.result(index_dtype, {bags, weight.sizes()[1]}) : bag_size;
  return c.tuple({output, map, bag_size, maxima});
}
Type embedding_bag(TypeCall& c) { return embedding_bag_of(c, !c.is_none(8) && c.integer(8) >= 0); }
Type embedding_bag_in_training(TypeCall& c) {
  return embedding_bag_of(c, !c.is_none(8) && c.integer(8) >= 0, true);
}
/// The composite operator counts a negative padding_idx from the end.
Type embedding_bag_padding(TypeCall& c) {
  if (!c.is_none(8)) {
    const int64_t padding = c.integer(8);
    const Dim rows = c.tensor(0).rank() > 0 ? c.tensor(0).sizes()[0] : Dim(0);
    if (!c.guard_less_equal(padding < 0 ? magnitude(padding) : Dim(padding) + 1, rows))
      return c.fail(fmt::format("padding_idx, {}, must be a valid row of the {} embeddings",
                                padding, to_string(rows)));
  }
  return embedding_bag_of(c, !c.is_none(8));
}
/// _embedding_bag_backward(grad, indices, offsets, ..., num_weights, ...), and the dense form,
/// which has no offsets.
Type embedding_bag_backward(TypeCall& c) {
  const Type grad = c.tensor(0);
  const bool is_dense_sum = c.op().schema().find_argument("offsets") >= 0 &&
                            c.argument(8).as_dim() == Dim(0) && c.argument(9).as_bool() == false;
  if (grad.rank() < 2 || (grad.rank() > 2 && !is_dense_sum))
    return c.fail("the gradient must be 2-D");
  const int num_weights = c.op().schema().find_argument("num_weights");
  return c.result(grad.dtype(), {c.dim(num_weights), grad.sizes()[1]});
}

/// (grad, weight, indices, ...): one number for each index.
Type per_sample_weights_backward(TypeCall& c) {
  return c.result(c.tensor(0).dtype(), {numel(c.tensor(2).sizes())});
}

Type one_hot(TypeCall& c) {
  DimVector sizes = to_vector(c.tensor(0).sizes());
  const int64_t classes = c.integer(1);
  sizes.push_back(classes >= 0 ? Dim(classes) : c.fresh_size());
  return c.result(DType::kInt64, sizes);
}

/// bincount(self, weights, minlength)
Type bincount(TypeCall& c) {
  const Type weights = c.optional_tensor(1);
  DType dtype = DType::kInt64;
  if (weights) dtype = weights.dtype() == DType::kFloat32 ? DType::kFloat32 : DType::kFloat64;
  return c.result(dtype, {c.fresh_size()});
}

/// masked_fill(self, mask, value): the mask is broadcast with self; the result is row-major.
Type masked_fill(TypeCall& c) {
  const Type x = c.tensor(0);
  DimVector sizes = to_vector(x.sizes());
  if (!broadcast(c, sizes, c.tensor(1).sizes())) return Type();
  return c.result(x.dtype(), sizes);
}

constexpr TypeRule kIndexRules[] = {
    {"aten.masked_fill.Scalar", masked_fill},
    {"aten.masked_fill.Tensor", masked_fill},
    {"aten.index.Tensor", index_tensor},
    {"aten._unsafe_index.Tensor", index_tensor},
    {"aten._unsafe_masked_index.default", masked_index},
    {"aten._unsafe_masked_index_put_accumulate.default", masked_index_put},
    {"aten.index_put.default", index_put},
    {"aten._unsafe_index_put.default", index_put},
    {"aten._index_put_impl.default", index_put},
    {"aten.gather.default", gather},
    {"aten.scatter.src", scatter},
    {"aten.scatter.value", scatter},
    {"aten.scatter.reduce", scatter},
    {"aten.scatter.value_reduce", scatter},
    {"aten.scatter_add.default", scatter},
    {"aten.scatter_reduce.two", scatter},
    {"aten.index_select.default", index_select},
    {"aten.index_add.default", index_add},
    {"aten.index_copy.default", index_add},
    {"aten.index_reduce.default", index_add},
    {"aten.index_fill.int_Scalar", index_fill},
    {"aten.index_fill.int_Tensor", index_fill},
    {"aten.take.default", take},
    {"aten.take_along_dim.default", take_along_dim},
    {"aten.put.default", self_like},
    {"aten.nonzero.default", nonzero},
    {"aten.argwhere.default", nonzero},
    {"aten.masked_select.default", masked_select},
    {"aten.masked_scatter.default", masked_scatter},
    {"aten.masked_scatter_backward.default", masked_scatter_backward},
    {"aten.embedding.default", embedding},
    {"aten.embedding_backward.default", embedding_backward},
    {"aten.embedding_dense_backward.default", embedding_backward},
    {"aten.embedding_renorm.default", embedding_renorm},
    {"aten._embedding_bag.default", embedding_bag_in_training},
    {"aten._embedding_bag_forward_only.default", embedding_bag},
    {"aten.embedding_bag.default", embedding_bag},
    {"aten.embedding_bag.padding_idx", embedding_bag_padding},
    {"aten._embedding_bag_backward.default", embedding_bag_backward},
    {"aten._embedding_bag_dense_backward.default", embedding_bag_backward},
    {"aten._embedding_bag_per_sample_weights_backward.default", per_sample_weights_backward},
    {"aten.one_hot.default", one_hot},
    {"aten.bincount.default", bincount},
};

}  // namespace

absl::Span<const TypeRule> index_rules() { return kIndexRules; }

}  // namespace fx::shape
