// Writes calls that read elements by index, in forms that torch-mlir lowers.
#include "fx/codegen/mlir/writer_internal.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"

#include "absl/types/span.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::mlir {

namespace {

/// Returns the type of an index that is a mask with at least one dimension.
Type mask_type(ArgumentRef index) {
  if (!index.is_node()) return {};
  const Type type = index.as_node()->type();
  const bool is_mask = type.is_tensor() && type.dtype() == DType::kBool && type.has_rank();
  return is_mask && type.rank() > 0 ? type : Type();
}

/// Returns the integers of a list argument; nullopt if the argument is not a list or an item is not
/// a constant integer.
std::optional<std::vector<int64_t>> constants(const Node& node, std::string_view name) {
  const std::optional<Argument> list = node.argument(name);
  if (!list || !list->is_list()) return std::nullopt;
  std::vector<int64_t> numbers;
  numbers.reserve(list->size());
  for (size_t i = 0; i < list->size(); ++i) {
    if (!(*list)[i].is_int()) return std::nullopt;
    numbers.push_back((*list)[i].as_int());
  }
  return numbers;
}

/// True if all elements at these sizes and strides, from the element `first`, are among the first
/// `count` elements.
bool is_within(absl::Span<const int64_t> sizes, absl::Span<const int64_t> strides, int64_t first,
               int64_t count) {
  int64_t last = first;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] == 0) return true;
    int64_t step = 0;
    if (strides[i] < 0 || __builtin_mul_overflow(sizes[i] - 1, strides[i], &step) ||
        __builtin_add_overflow(last, step, &last))
      return false;
  }
  return first >= 0 && last < count;
}

}  // namespace

/// torch-mlir does not fully lower masks, so a mask becomes the indices of its true elements.
/// The dimensions of the mask, and the dimensions of the operand that it covers, are merged first:
/// torch-mlir does not lower multiple indices of unknown size.
void Writer::write_index(const Node& node) {
  const Operator& op = operator_of(*node.function().op());
  const bool has_list = node.num_args() == 2 && node.arg(0).is_node() && node.arg(1).is_list();
  const Type self_type = has_list ? node.arg(0).as_node()->type() : Type();
  const auto is_known = [](Type type) {
    return type.is_tensor() && type.has_rank() &&
           std::ranges::all_of(type.sizes(), [](const Dim& size) { return size.is_int(); });
  };
  bool has_mask = false, is_supported = has_list && is_known(self_type);
  int covered = 0;
  for (size_t i = 0; is_supported && i < node.arg(1).size(); ++i) {
    const Type mask = mask_type(node.arg(1)[i]);
    has_mask = has_mask || mask;
    is_supported = !mask || is_known(mask);
    covered += mask ? mask.rank() : 1;
  }
  if (!is_supported || !has_mask || covered > self_type.rank()) return write_operator(node, op);
  TypeTable& types = graph_.context().types();
  const auto typed = [&](DType dtype, const DimVector& sizes) {
    return type_of(types.tensor({.dtype = dtype, .sizes = sizes}));
  };
  const auto view = [&](const Value& value, const DimVector& sizes) {
    return write_simple("flat", "torch.aten.view", {value, sizes_operand(sizes)},
                        typed(value.type->dtype, sizes));
  };
  Values indices;
  DimVector merged;  // the sizes of the operand
  int dim = 0;
  for (size_t i = 0; i < node.arg(1).size() && !failed(); ++i) {
    const ArgumentRef given = node.arg(1)[i];
    const Type mask = mask_type(given);
    if (!mask) {
      indices.push_back(given.is_node() ? value_of(*given.as_node()) : none_constant());
      merged.push_back(self_type.size(dim++));
      continue;
    }
    int64_t count = 1;
    for (const Dim& size : mask.sizes())
      if (__builtin_mul_overflow(count, size.value(), &count))
        return fail("its mask has too many elements");
    merged.emplace_back(count);
    dim += mask.rank();
    const Dim num_true = env_.fresh_size();
    const Value value = value_of(*given.as_node());
    if (failed()) return;
    const Value element_indices =
        write_simple("places", "torch.aten.nonzero", {view(value, {count})},
                     typed(DType::kInt64, {num_true, 1}));
    indices.push_back(write_simple("places", "torch.aten.select.int",
                                   {element_indices, int_constant(1), int_constant(0)},
                                   typed(DType::kInt64, {num_true})));
  }
  for (; dim < self_type.rank(); ++dim) merged.push_back(self_type.size(dim));
  const Value self = failed() ? Value() : value_of(*node.arg(0).as_node());
  if (failed()) return;
  const bool is_merged = static_cast<int>(merged.size()) != self_type.rank();
  const Value from = is_merged ? view(self, merged) : self;
  const Value operands[] = {from, list_operand(op.info->schema().arguments()[1].type, indices)};
  if (failed()) return;
  const Value result = write_call(node, op, operands, node.type());
  if (!failed()) set_value(node, result);
}

/// torch-mlir has no lowering for as_strided, so a call with constant strides becomes an index into
/// the flattened operand, whose elements are in the order of libtorch's memory only if the operand
/// is contiguous and has offset 0.
void Writer::write_as_strided(const Node& node) {
  const Node* from = node.num_args() > 0 ? node.arg(0).node() : nullptr;
  const Type type = from != nullptr ? from->type() : Type();
  const bool is_plain = type.is_tensor() && type.has_rank() && type.has_default_strides() &&
                        type.offset().is_int() && type.offset().value() == 0;
  if (!is_plain) {
    return fail("MLIR values have no strides; its operand must be contiguous and have offset 0");
  }
  const ops::OpInfo& info = *node.function().op();
  const std::optional<std::vector<int64_t>> sizes = constants(node, "size");
  const std::optional<std::vector<int64_t>> strides = constants(node, "stride");
  const std::optional<Argument> offset = node.argument("storage_offset");
  int64_t count = 1;
  for (const Dim& size : type.sizes())
    if (!size.is_int() || __builtin_mul_overflow(count, size.value(), &count)) count = -1;
  const bool has_offset = offset && !offset->is_none();
  const bool is_constant = sizes && strides && sizes->size() == strides->size() &&
                           !sizes->empty() && count >= 0 && (!has_offset || offset->is_int());
  if (!is_constant || info.name() == "aten.as_strided_scatter.default")
    return write_operator(node, operator_of(info));
  const int64_t first = has_offset ? offset->as_int() : 0;
  if (!is_within(*sizes, *strides, first, count))
    return fail(
        "its result extends beyond the elements of its operand, but MLIR values have no memory "
        "there");

  TypeTable& types = graph_.context().types();
  const auto typed = [&](DType dtype, const DimVector& dims) {
    return type_of(types.tensor({.dtype = dtype, .sizes = dims}));
  };
  const Value self = value_of(*from);
  if (failed()) return;
  // The index of an element is the sum of one term for each dimension.
  Value element_indices;
  DimVector dims(sizes->size(), Dim(1));
  for (size_t i = 0; i < sizes->size() && !failed(); ++i) {
    const int64_t size = (*sizes)[i];
    const Value none = none_constant();
    Value term = write_simple("places", "torch.aten.arange.start_step",
                              {int_constant(0), int_constant(size), int_constant(1),
                               int_constant(static_cast<int64_t>(DType::kInt64)), none, none, none},
                              typed(DType::kInt64, {size}));
    term = write_simple("places", "torch.aten.mul.Scalar", {term, int_constant((*strides)[i])},
                        term.type);
    DimVector term_sizes(sizes->size(), Dim(1));
    term_sizes[i] = dims[i] = Dim(size);
    term = write_simple("places", "torch.aten.view", {term, sizes_operand(term_sizes)},
                        typed(DType::kInt64, term_sizes));
    element_indices =
        i == 0 ? term
               : write_simple("places", "torch.aten.add.Tensor",
                              {element_indices, term, int_constant(1)}, typed(DType::kInt64, dims));
  }
  if (first != 0) {
    element_indices =
        write_simple("places", "torch.aten.add.Scalar",
                     {element_indices, int_constant(first), int_constant(1)}, element_indices.type);
  }
  const DimVector all = {count};
  const Value flat =
      write_simple("flat", "torch.aten.view", {self, sizes_operand(all)}, typed(type.dtype(), all));
  if (failed()) return;
  const ops::OpInfo& index = *ops::find_op("aten.index.Tensor");
  const Value operands[] = {flat,
                            list_operand(index.schema().arguments()[1].type, {element_indices})};
  if (failed()) return;
  const Value result = write_call(node, operator_of(index), operands, node.type());
  if (!failed()) set_value(node, result);
}

/// Writes isfinite(x) as abs(x) < infinity, because torch-mlir does not lower isfinite.
void Writer::write_isfinite(const Node& node) {
  const Node* from = node.num_args() == 1 ? node.arg(0).node() : nullptr;
  const Value* value = from != nullptr ? find_value(*from) : nullptr;
  if (value == nullptr || value->kind != ValueKind::kTensor ||
      !is_floating_point(value->type->dtype))
    return write_operator(node, operator_of(*node.function().op()));
  const Value self = *value;
  const Value operands[] = {write_simple("size", "torch.aten.abs", {self}, self.type),
                            float_constant(std::numeric_limits<double>::infinity())};
  const Value result =
      write_call(node, operator_of(*ops::find_op("aten.lt.Scalar")), operands, node.type());
  if (!failed()) set_value(node, result);
}

}  // namespace fx::mlir
