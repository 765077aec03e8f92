// Writes calls that resize images, in forms that torch-mlir lowers with the scales of the call.
#include "fx/ir/calls/resize_calls.h"

#include "fx/codegen/mlir/writer_internal.h"
#include "fx/ir/calls/bind.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fx::mlir {

namespace {

bool has_dim(Type type, int dim) {
  return type.is_tensor() && type.has_rank() && type.rank() > dim;
}

/// True if resizing by this scale is the same as resizing to the size of the result: the scale is
/// an integer or the reciprocal of one, and is the ratio of the two sizes.
bool is_ratio_of_sizes(double scale, Type before, Type after, int dim) {
  constexpr double kMaxFactor = 1 << 20;
  if (!has_dim(before, dim) || !has_dim(after, dim) || !(scale > 0)) return false;
  const bool is_larger = scale >= 1;
  const double factor = is_larger ? scale : 1 / scale;
  if (factor != std::floor(factor) || factor > kMaxFactor) return false;
  const Dim& small = (is_larger ? before : after).size(dim);
  const Dim& large = (is_larger ? after : before).size(dim);
  return same_value(small * Dim(static_cast<int64_t>(factor)), large);
}

/// True if this scale alone determines the size of the result.
bool determines_size(double scale, Type before, Type after, int dim) {
  if (!has_dim(before, dim) || !has_dim(after, dim)) return false;
  const Dim &from = before.size(dim), &to = after.size(dim);
  return from.is_int() && to.is_int() &&
         std::floor(static_cast<double>(from.value()) * scale) == static_cast<double>(to.value());
}

}  // namespace

/// torch-mlir lowers resizing to symbolic sizes only in the form of
/// torch.nn.functional.interpolate, which accepts either sizes or scales. torch-mlir ignores scales
/// that are passed together with sizes, but not the scales that libtorch's kernels ignore.
void Writer::write_upsample(const Node& node) {
  const ops::OpInfo& info = *node.function().op();
  const auto given = [&](std::string_view name) -> std::optional<ArgumentRef> {
    const int index = info.schema().find_argument(name);
    const std::optional<ArgumentRef> value =
        index < 0 ? std::nullopt : passed_argument(node, info, index);
    return value && value->is_none() ? std::nullopt : value;
  };
  const Node* from = node.num_args() > 0 ? node.arg(0).node() : nullptr;
  const std::optional<ArgumentRef> align = given("align_corners");
  const std::optional<ArgumentRef> sizes = given("output_size"), list = given("scale_factors");
  const bool has_scales = list && list->is_list() && list->size() == 2;
  if (from == nullptr || (align && !align->is_bool()) || sizes.has_value() == list.has_value() ||
      (list && !has_scales))
    return write_operator(node, operator_of(info));

  const Type before = from->type(), after = node.type();
  bool are_ratios = sizes.has_value(), determine_sizes = true;
  Values scales;
  for (const int dim : {2, 3}) {
    const std::optional<ArgumentRef> scale =
        list ? (*list)[static_cast<size_t>(dim) - 2] : given(dim == 2 ? "scales_h" : "scales_w");
    if (!scale || (sizes && align && align->as_bool())) {  // a scale is ignored if aligned
      determine_sizes = false;
      continue;
    }
    double effective_scale = scale->is_float() ? scale->as_float() : 0;
    if (effective_scale != 0 && !align && has_dim(before, dim) && has_dim(after, dim))
      effective_scale =
          fixed_nearest_scale(before.size(dim), after.size(dim)).value_or(effective_scale);
    scales.push_back(effective_scale != 0 ? float_constant(effective_scale)
                                          : as_float(number(*scale)));
    are_ratios &= is_ratio_of_sizes(effective_scale, before, after, dim);
    determine_sizes &= list || determines_size(effective_scale, before, after, dim);
  }
  if (failed()) return;
  if (!are_ratios && !determine_sizes) return write_operator(node, operator_of(info));
  const Value none = none_constant();
  const ops::OpInfo& form = *ops::find_op("aten.__interpolate.size_list_scale_list");
  const auto type_named = [&](std::string_view name) -> const ops::SchemaType& {
    const int index = form.schema().find_argument(name);
    return form.schema().arguments()[static_cast<size_t>(index)].type.without_optional();
  };
  const Value operands[] = {
      value_of(*from),
      are_ratios ? operand(type_named("size"), *sizes, node) : none,
      are_ratios ? none : list_operand(type_named("scale_factor"), scales),
      text_constant(ValueKind::kString, "torch.constant.str", align ? "bilinear" : "nearest"),
      align ? bool_constant(align->as_bool()) : none,
      none,
      bool_constant(false)};
  if (failed()) return;
  const Value result = write_call(node, operator_of(form), operands, node.type());
  if (!failed()) set_value(node, result);
}

}  // namespace fx::mlir
