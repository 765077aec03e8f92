// Pooling.
//
// libtorch and ONNX have different rules for sizes that are rounded up (ceil_mode). These rows pad
// the end of the input to the size that the result requires, so that ONNX can round down.
#include "fx/importers/onnx/rows/rows_internal.h"

namespace fx::onnx {
namespace {

using Ints = RowCall::Ints;

struct Window {
  size_t dims = 0;
  Ints kernel = {}, stride = {}, padding = {}, dilation = {};
  Ints extra = {};  // additional padding at the end of each dimension
  bool is_single = false;

  std::vector<Attribute> attributes() const {
    Ints pads = padding;
    for (size_t i = 0; i < dims; ++i) pads.push_back(padding[i] + extra[i]);
    return {{"kernel_shape", kernel}, {"strides", stride}, {"pads", pads}};
  }
  bool has_extra() const {
    for (const int64_t size : extra)
      if (size != 0) return true;
    return false;
  }
};

std::optional<Window> window_of(RowCall& c, size_t dims, const Type& result) {
  Window w{.dims = dims};
  const Type type = c.type("self");
  w.kernel = c.ints("kernel_size", dims);
  w.stride = c.ints("stride");
  w.stride = w.stride.empty() ? w.kernel : c.ints("stride", dims);
  w.padding = c.ints("padding", dims);
  w.dilation = c.has_argument("dilation") ? c.ints("dilation", dims) : Ints(dims, 1);
  w.extra.assign(dims, 0);
  w.is_single = type.rank() == static_cast<int>(dims) + 1;
  if (c.failed()) return std::nullopt;
  if (!c.flag("ceil_mode")) return w;
  for (size_t i = 0; i < dims; ++i) {
    const int d = static_cast<int>(i) - static_cast<int>(dims);
    const Dim& from = type.size(d);
    const Dim& to = result.size(d);
    if (from.is_symbolic() || to.is_symbolic()) {
      c.fail("with ceil_mode, the sizes of the input must be known");
      return std::nullopt;
    }
    const int64_t reach = (to.value() - 1) * w.stride[i] + w.dilation[i] * (w.kernel[i] - 1) + 1;
    w.extra[i] = std::max<int64_t>(reach - from.value() - 2 * w.padding[i], 0);
  }
  return w;
}

Value batched(RowCall& c, const Window& w, const Value& x) {
  return w.is_single ? c.unsqueeze(x, {0}) : x;
}
Value unbatched(RowCall& c, const Window& w, const Value& x) {
  return w.is_single ? c.squeeze(x, {0}) : x;
}

size_t pooled_dims(RowCall& c) { return static_cast<size_t>(c.row().name.back() - '0'); }

/// Row::name is the number of dimensions, after a "+" if the operator returns indices.
void max_pool(RowCall& c) {
  const bool has_indices = c.row().name.front() == '+';
  const std::optional<Window> w = window_of(c, pooled_dims(c), c.result_type());
  if (!w) return;
  const Type type = c.type("self");
  const Value x = batched(c, *w, c.tensor("self"));
  std::vector<Attribute> attributes = w->attributes();
  attributes.emplace_back("dilations", w->dilation);
  if (!has_indices) {
    const Value inputs[] = {x};
    return c.result(unbatched(c, *w, c.op("MaxPool", inputs, attributes)));
  }
  const std::vector<Value> outputs = c.ops("MaxPool", {x}, attributes, {x.dtype, DType::kInt64});
  // ONNX's indices are relative to the start of the tensor, libtorch's to the start of the plane.
  Ints spatial;
  for (size_t i = 0; i < w->dims; ++i)
    spatial.push_back(type.rank() - static_cast<int>(w->dims) + static_cast<int>(i));
  const Value plane = count_value(c, type.sizes(), spatial, DType::kInt64);
  const Value positions = c.op("Mod", {outputs[1], plane});
  if (!c.failed()) c.results({unbatched(c, *w, outputs[0]), unbatched(c, *w, positions)});
}

/// Returns the number of elements in each window along a dimension, without the padding unless
/// `with_padding`. libtorch divides the sum of a window by the product of these numbers.
Ints divisors(const Window& w, size_t dim, int64_t size, int64_t count, bool with_padding) {
  Ints result;
  for (int64_t i = 0; i < count; ++i) {
    int64_t begin = i * w.stride[dim] - w.padding[dim];
    int64_t end = std::min(begin + w.kernel[dim], size + w.padding[dim]);
    if (!with_padding) {
      begin = std::max<int64_t>(begin, 0);
      end = std::min(end, size);
    }
    result.push_back(end - begin);
  }
  return result;
}

void avg_pool(RowCall& c) {
  const Type type = c.type("self"), result = c.result_type();
  const std::optional<Window> w = window_of(c, pooled_dims(c), result);
  if (!w) return;
  const bool with_padding = c.flag("count_include_pad");
  const bool has_divisor = c.has_argument("divisor_override") && c.has("divisor_override");
  Value x = batched(c, *w, c.tensor("self"));
  std::vector<Attribute> attributes = w->attributes();
  attributes.emplace_back("count_include_pad", with_padding || has_divisor);
  const Value inputs[] = {x};
  if (!has_divisor && (!w->has_extra() || !with_padding))
    return c.result(unbatched(c, *w, c.op("AveragePool", inputs, attributes)));
  // Compute the sum of each window, and divide it as in libtorch.
  double elements = 1;
  for (const int64_t size : w->kernel) elements *= static_cast<double>(size);
  const Value sums =
      c.op("Mul", {c.op("AveragePool", inputs, attributes), c.scalar(elements, x.dtype)});
  if (has_divisor) {
    const Value divisor = c.scalar(c.real("divisor_override"), x.dtype);
    return c.result(unbatched(c, *w, c.op("Div", {sums, divisor})));
  }
  Value value = sums;
  for (size_t i = 0; i < w->dims; ++i) {
    const int d = static_cast<int>(i) - static_cast<int>(w->dims);
    const Ints counts = divisors(*w, i, type.size(d).value(), result.size(d).value(), with_padding);
    Ints shape(w->dims, 1);
    shape[i] = static_cast<int64_t>(counts.size());
    const std::vector<double> reals(counts.begin(), counts.end());
    value = c.op("Div", {value, c.reals_value(reals, shape, x.dtype)});
  }
  c.result(unbatched(c, *w, value));
}

/// Returns the matrix of adaptive average pooling. Each row computes the average of one window.
std::vector<double> adaptive_matrix(int64_t from, int64_t to) {
  std::vector<double> matrix(static_cast<size_t>(from * to), 0.0);
  for (int64_t i = 0; i < to; ++i) {
    const int64_t begin = i * from / to, end = ((i + 1) * from + to - 1) / to;
    for (int64_t j = begin; j < end; ++j)
      matrix[static_cast<size_t>(i * from + j)] = 1.0 / static_cast<double>(end - begin);
  }
  return matrix;
}

void adaptive_avg_pool(RowCall& c) {
  const size_t dims = pooled_dims(c);
  const Type type = c.type("self"), result = c.result_type();
  const int rank = type.rank();
  Value x = c.tensor("self");
  Ints axes, kernel;
  bool is_single = true, divides = true;
  for (size_t i = 0; i < dims; ++i) {
    const int d = rank - static_cast<int>(dims) + static_cast<int>(i);
    axes.push_back(d);
    const Dim& from = type.size(d);
    const Dim& to = result.size(d);
    is_single &= to == Dim(1);
    divides &= from.is_int() && to.is_int() && to.value() > 0 && from.value() % to.value() == 0;
    if (divides) kernel.push_back(from.value() / to.value());
  }
  if (is_single) return c.result(c.reduce("ReduceMean", x, axes, true));
  if (divides) {
    const bool is_batch = rank == static_cast<int>(dims) + 2;
    if (!is_batch) x = c.unsqueeze(x, {0});
    const Value y = c.op("AveragePool", {x}, {{"kernel_shape", kernel}, {"strides", kernel}});
    return c.result(is_batch ? y : c.squeeze(y, {0}));
  }
  for (const int64_t axis : axes) {
    const Dim& from = type.size(static_cast<int>(axis));
    const Dim& to = result.size(static_cast<int>(axis));
    if (from.is_symbolic() || to.is_symbolic()) return c.fail("the pooled sizes must be known");
    if (from == to) continue;
    x = apply_matrix(c, x, rank, static_cast<int>(axis), adaptive_matrix(from.value(), to.value()),
                     to.value(), from.value());
  }
  c.result(x);
}

std::vector<double> transposed_matrix(absl::Span<const double> matrix, int64_t rows,
                                      int64_t columns) {
  std::vector<double> result(matrix.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result[static_cast<size_t>(j * rows + i)] = matrix[static_cast<size_t>(i * columns + j)];
  return result;
}

void adaptive_avg_pool_backward(RowCall& c) {
  const size_t dims = pooled_dims(c);
  const Type gradient = c.type("grad_output"), type = c.type("self");
  Value x = c.tensor("grad_output");
  if (type.rank() < static_cast<int>(dims) || gradient.rank() != type.rank())
    return c.fail("the ranks must be known and equal");
  for (size_t i = 0; i < dims; ++i) {
    const int d = type.rank() - static_cast<int>(dims) + static_cast<int>(i);
    if (type.size(d).is_symbolic() || gradient.size(d).is_symbolic())
      return c.fail("the pooled sizes must be known");
    const int64_t from = type.size(d).value(), to = gradient.size(d).value();
    x = apply_matrix(c, x, type.rank(), d, transposed_matrix(adaptive_matrix(from, to), to, from),
                     from, to);
  }
  c.result(x);
}

/// Writes each value at its index in a plane of zeros.
void max_unpool(RowCall& c) {
  const size_t dims = pooled_dims(c);
  const Type type = c.type("self"), result = c.result_type();
  const auto lead = static_cast<size_t>(type.rank()) - dims;
  DimVector planes(type.sizes().begin(), type.sizes().begin() + static_cast<std::ptrdiff_t>(lead));
  DimVector flat = planes, into = planes;
  flat.push_back(Dim(1));
  into.push_back(Dim(1));
  for (size_t i = lead; i < lead + dims; ++i) {
    flat.back() *= type.sizes()[i];
    into.back() *= result.sizes()[i];
  }
  const Value x = c.reshape(c.tensor("self"), type.sizes(), flat);
  const Value positions = c.reshape(c.tensor("indices"), type.sizes(), flat);
  const Value empty = c.expand(c.scalar(0, x.dtype), into);
  const Value written = c.op("ScatterElements", {empty, positions, x}, {{"axis", -1}});
  c.result(c.reshape(written, into, result.sizes()));
}

}  // namespace

absl::Span<const Row> pool_rows() {
  static constexpr Row kRows[] = {
      {"aten.max_pool1d.default", max_pool, kFloats, true, "1"},
      {"aten.max_pool2d.default", max_pool, kFloats, true, "2"},
      {"aten.max_pool3d.default", max_pool, kFloats, true, "3"},
      {"aten.max_pool1d_with_indices.default", max_pool, kFloats, true, "+1"},
      {"aten.max_pool2d_with_indices.default", max_pool, kFloats, true, "+2"},
      {"aten.max_pool3d_with_indices.default", max_pool, kFloats, true, "+3"},
      {"aten.avg_pool1d.default", avg_pool, kFloats, true, "1"},
      {"aten.avg_pool2d.default", avg_pool, kFloats, true, "2"},
      {"aten.avg_pool3d.default", avg_pool, kFloats, true, "3"},
      {"aten.adaptive_avg_pool1d.default", adaptive_avg_pool, kFloats, true, "1"},
      {"aten.adaptive_avg_pool2d.default", adaptive_avg_pool, kFloats, true, "2"},
      {"aten._adaptive_avg_pool2d.default", adaptive_avg_pool, kFloats, true, "2"},
      {"aten.adaptive_avg_pool3d.default", adaptive_avg_pool, kFloats, true, "3"},
      {"aten._adaptive_avg_pool3d.default", adaptive_avg_pool, kFloats, true, "3"},
      {"aten._adaptive_avg_pool2d_backward.default", adaptive_avg_pool_backward, kFloats, true,
       "2"},
      {"aten._adaptive_avg_pool3d_backward.default", adaptive_avg_pool_backward, kFloats, true,
       "3"},
      {"aten.max_unpool2d.default", max_unpool, kFloats, false, "2"},
      {"aten.max_unpool3d.default", max_unpool, kFloats, false, "3"},
  };
  return kRows;
}

}  // namespace fx::onnx
