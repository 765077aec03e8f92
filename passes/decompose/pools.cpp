// Decompositions of pooling, padding and their backward operators.
#include "fx/passes/decompose/families_internal.h"

#include <algorithm>

namespace fx {
namespace {

/// Returns a number for each of `count` dimensions; `otherwise` if the list is empty.
std::vector<int64_t> each(std::vector<int64_t> values, size_t count,
                          const std::vector<int64_t>& otherwise) {
  if (values.empty()) return otherwise;
  if (values.size() == 1) values.resize(count, values[0]);
  return values;
}

/// Adds the gradients at the maximum elements. `indices` are positions in the pooled dimensions,
/// flattened.
AnyArg max_pool_backward(Decomposer& d, int64_t pooled) {
  const Proxy grad = d.opmath("grad_output"), x = d.tensor("self"), indices = d.tensor("indices");
  const int64_t rank = d.rank(x);
  if (rank < pooled) return d.reject("the input has too few dimensions");
  const auto flat = [&](const Proxy& values) {
    std::vector<IntArg> sizes = d.sizes(values, 0, rank - pooled);
    sizes.push_back(-1);
    return d.reshape(values, sizes);
  };
  const ScalarArg elements = d.product(d.sizes(x, rank - pooled));
  std::vector<IntArg> sizes = d.sizes(x, 0, rank - pooled);
  Node* const count = elements.value().node();
  sizes.push_back(count != nullptr ? IntArg(Proxy(*count, d)) : elements.value().as_int());
  const Proxy zeros = d.zeros(sizes, grad);
  const Proxy places = flat(indices), scattered = scatter_add(zeros, -1, places, flat(grad));
  return d.reshape(scattered, d.sizes(x));
}
AnyArg max_pool2d_backward(Decomposer& d) { return max_pool_backward(d, 2); }
AnyArg max_pool3d_backward(Decomposer& d) { return max_pool_backward(d, 3); }

struct Window {
  int64_t kernel, stride, padding, in, out;
};

/// Returns the number of elements that each window of a dimension counts.
std::vector<int64_t> counts(const Window& w, bool include_padding) {
  std::vector<int64_t> result;
  result.reserve(static_cast<size_t>(w.out));
  for (int64_t i = 0; i < w.out; ++i) {
    const int64_t start = i * w.stride - w.padding;
    const int64_t end = std::min(start + w.kernel, w.in + w.padding);
    result.push_back(include_padding ? end - start
                                     : std::min(end, w.in) - std::max<int64_t>(start, 0));
  }
  return result;
}
/// Computes the result of counts() with operators.
Proxy counts_of(Decomposer& d, const Window& w, bool include_padding, const Proxy& like) {
  Proxy start = d.iota(ScalarArg(w.out), like) * w.stride - w.padding;
  Proxy end = clamp(start + w.kernel, std::nullopt, w.in + w.padding);
  if (!include_padding) {
    end = clamp(end, std::nullopt, w.in);
    start = clamp(start, 0);
  }
  return d.cast(end - start, d.dtype(like));
}

/// True if every element of the input is in exactly one window.
bool are_tiles(const std::vector<Window>& windows) {
  return std::ranges::all_of(windows, [](const Window& w) {
    return w.stride == w.kernel && w.padding == 0 && w.in == w.out * w.kernel;
  });
}
/// Repeats each element of the last dimensions for all elements of its window.
Proxy repeated(Decomposer& d, Proxy x, const std::vector<Window>& windows) {
  std::vector<IntArg> all = d.sizes(x, 0, d.rank(x) - static_cast<int64_t>(windows.size()));
  std::vector<IntArg> joined = all;
  for (const Window& w : windows) {
    all.emplace_back(w.out);
    x = unsqueeze(x, static_cast<int64_t>(all.size()));
    all.emplace_back(w.kernel);
    joined.emplace_back(w.in);
  }
  return d.reshape(x.expand(all), joined);
}

/// Distributes the gradient over the elements of each window: by a transposed convolution with
/// ones, or by repetition if the windows are disjoint and cover the input.
AnyArg avg_pool_backward(Decomposer& d, size_t pooled) {
  const Proxy x = d.tensor("self");
  Proxy grad = d.opmath("grad_output");
  const auto dims = static_cast<int64_t>(pooled);
  const bool is_batch = d.rank(x) == dims + 2;
  const bool include_padding = d.flag("count_include_pad");
  const std::vector<int64_t> kernel = each(d.integers("kernel_size"), pooled, {});
  const std::vector<int64_t> stride = each(d.integers("stride"), pooled, kernel);
  const std::vector<int64_t> padding =
      each(d.integers("padding"), pooled, std::vector<int64_t>(pooled, 0));
  if (kernel.size() != pooled || stride.size() != pooled || padding.size() != pooled)
    return d.reject("kernel_size, stride and padding must have one number per pooled dimension");
  std::vector<Window> windows;
  windows.reserve(pooled);
  for (size_t i = 0; i < pooled; ++i) {
    const int64_t dim = static_cast<int64_t>(i) - dims;
    windows.push_back(
        {kernel[i], stride[i], padding[i], d.known_size(x, dim), d.known_size(grad, dim)});
  }

  int64_t constant = 1;  // the common divisor of all sums, if there is one
  bool is_constant = true;
  for (const Window& w : windows) {
    const std::vector<int64_t> all = counts(w, include_padding);
    is_constant =
        is_constant && std::equal(all.begin() + (all.empty() ? 0 : 1), all.end(), all.begin());
    constant *= all.empty() ? 1 : all[0];
  }
  if (!d.is_none("divisor_override")) {
    grad = grad / d.integer("divisor_override");
  } else if (is_constant) {
    grad = grad / constant;
  } else {
    for (size_t i = 0; i < pooled; ++i) {
      const Proxy count = counts_of(d, windows[i], include_padding, grad);
      grad = grad / d.unsqueeze_to(count, dims - static_cast<int64_t>(i));
    }
  }

  if (are_tiles(windows)) return repeated(d, grad, windows);
  if (!is_batch) grad = unsqueeze(grad, 0);
  const int64_t channels = d.known_size(grad, 1);
  std::vector<IntArg> ones = {channels, 1};
  ones.reserve(2 + pooled);
  std::vector<int64_t> crop;
  for (size_t i = 0; i < pooled; ++i) ones.push_back(kernel[i]);
  for (size_t i = pooled; i-- > 0;) {  // padding lists start with the last dimension
    const Window& w = windows[i];
    const int64_t full = (w.out - 1) * w.stride + w.kernel;
    crop.push_back(-w.padding);
    crop.push_back(w.in + w.padding - full);
  }
  const std::vector<int64_t> zero(pooled, 0), one(pooled, 1);
  Proxy result = convolution(grad, d.full(ones, 1, grad, d.dtype(grad)), std::nullopt, stride, zero,
                             one, true, zero, channels);
  const bool crops = std::any_of(crop.begin(), crop.end(), [](int64_t n) { return n != 0; });
  if (crops) result = constant_pad_nd(result, crop);
  return is_batch ? result : squeeze(result, {0});
}
AnyArg avg_pool2d_backward(Decomposer& d) { return avg_pool_backward(d, 2); }
AnyArg avg_pool3d_backward(Decomposer& d) { return avg_pool_backward(d, 3); }

// ---- Padding by reflection and replication: the index of the element at each position

/// Returns the index of the element at each position. `size` is a number or a Proxy.
template <class Size>
Proxy padded_index(Decomposer& d, int64_t left, const Size& size, int64_t right, bool reflect,
                   const Proxy& like) {
  const auto last = size - 1;
  const Proxy place = d.iota(ScalarArg(size + (left + right)), like) - left;
  if (!reflect) return clamp(place, 0, last);
  return last - abs(last - abs(place));
}

/// Returns an index for each of the last dimensions, and no index for earlier dimensions.
OptionalTensorList padded_indices(Decomposer& d, const Proxy& x, bool reflect) {
  const std::vector<int64_t> padding = d.integers("padding");
  const auto dims = static_cast<int64_t>(padding.size() / 2);
  const int64_t rank = d.rank(x);
  std::vector<OptionalTensor> indices(static_cast<size_t>(std::max<int64_t>(rank - dims, 0)),
                                      OptionalTensor(std::nullopt));
  if (rank < dims) d.reject("the input has too few dimensions");
  for (int64_t i = rank - dims; i < rank; ++i) {
    const auto at = static_cast<size_t>(2 * (rank - 1 - i));  // starts with the last dimension
    const IntArg size = d.size(x, i);
    const int64_t left = padding[at], right = padding[at + 1];
    Node* const node = size.value().node();
    const Proxy index = node != nullptr
                            ? padded_index(d, left, Proxy(*node, d), right, reflect, x)
                            : padded_index(d, left, size.value().as_int(), right, reflect, x);
    indices.emplace_back(d.unsqueeze_to(index, rank - i));
  }
  return indices;
}
AnyArg pad(Decomposer& d, bool reflect) {
  const Proxy x = d.tensor("self");
  return d.index(x, padded_indices(d, x, reflect));
}
AnyArg pad_backward(Decomposer& d, bool reflect) {
  const Proxy grad = d.tensor("grad_output"), x = d.tensor("self");
  return index_put(d.zeros(d.sizes(x), grad), padded_indices(d, x, reflect), grad, true);
}
AnyArg reflection_pad(Decomposer& d) { return pad(d, true); }
AnyArg reflection_pad_backward(Decomposer& d) { return pad_backward(d, true); }
AnyArg replication_pad(Decomposer& d) { return pad(d, false); }
AnyArg replication_pad_backward(Decomposer& d) { return pad_backward(d, false); }

}  // namespace

absl::Span<const DecompositionRow> pool_decompositions() {
  static constexpr DecompositionRow kRows[] = {
      {"aten.avg_pool2d_backward.default", avg_pool2d_backward, kByName},
      {"aten.avg_pool3d_backward.default", avg_pool3d_backward, kByName},
      {"aten.max_pool2d_with_indices_backward.default", max_pool2d_backward, kByName},
      {"aten.max_pool3d_with_indices_backward.default", max_pool3d_backward, kByName},
      {"aten.reflection_pad1d.default", reflection_pad, kCore},
      {"aten.reflection_pad1d_backward.default", reflection_pad_backward, kCore},
      {"aten.reflection_pad2d.default", reflection_pad, kCore},
      {"aten.reflection_pad2d_backward.default", reflection_pad_backward, kCore},
      {"aten.reflection_pad3d.default", reflection_pad, kCore},
      {"aten.reflection_pad3d_backward.default", reflection_pad_backward, kCore},
      {"aten.replication_pad1d.default", replication_pad, kCore},
      {"aten.replication_pad1d_backward.default", replication_pad_backward, kByName},
      {"aten.replication_pad2d.default", replication_pad, kCore},
      {"aten.replication_pad2d_backward.default", replication_pad_backward, kByName},
      {"aten.replication_pad3d.default", replication_pad, kCore},
      {"aten.replication_pad3d_backward.default", replication_pad_backward, kByName},
  };
  return kRows;
}

}  // namespace fx
