// The parameter output_size of layers that invert a pooling layer or a convolution.
#include "fx/tracer/nn/layer_settings_internal.h"

#include <string>

namespace fx::internal {
namespace {

/// Returns the items of a list, or of a value whose type is a list: constants and values. nullopt
/// for other arguments.
std::optional<std::vector<Argument>> items_of(LayerCall& c, const Argument& list) {
  std::vector<Argument> items;
  if (list.is_list() || list.is_tuple()) {
    for (size_t i = 0; i < list.size(); ++i) items.push_back(list[i]);
    return items;
  }
  Node* const node = list.node();
  const Type type = node ? node->type() : Type();
  if (!type.is_list() && !type.is_tuple()) return std::nullopt;
  for (size_t i = 0; i < type.items().size(); ++i) {
    const Type item = type.items()[i];
    items.push_back(item.kind() == TypeKind::kInt && item.is_constant()
                        ? Argument(item.int_value())
                        : result_of(c.proxy(node)[static_cast<int64_t>(i)]));
  }
  return items;
}

std::string described(const Argument& value) {
  const Node* const node = value.node();
  if (node == nullptr) return print(value);
  return node->type() ? fmt::format("a value of type {}", to_string(node->type()))
                      : "a value of unknown type: propagate types first";
}

}  // namespace

std::vector<Argument> given_output_size(LayerCall& c, size_t dims, size_t others) {
  const Argument& given = c.values.at("output_size");
  if (given.is_none()) return {};
  std::optional<std::vector<Argument>> items = items_of(c, given);
  if (!items || (items->size() != dims && items->size() != dims + others)) {
    c.tracer.fail(absl::InvalidArgumentError(
        fmt::format("the output_size of a {} must be None or a list of {} or {} sizes, not {}",
                    c.layer.class_name(), dims, dims + others, described(given))));
    return {};
  }
  items->erase(items->begin(), items->end() - static_cast<std::ptrdiff_t>(dims));
  for (const Argument& size : *items) {
    if (size.is_int() || size.is_node()) continue;
    c.tracer.fail(absl::InvalidArgumentError(
        fmt::format("the output_size of a {} must consist of integers, but contains {}",
                    c.layer.class_name(), print(size))));
    return {};
  }
  return *std::move(items);
}

Argument covered_size(LayerCall& c, int64_t dim, const Window& w) {
  const std::optional<int64_t> count = c.known_size(dim);
  int64_t extent = 0, padding = 0, size = 0;
  // dilation * (kernel - 1) + 1 - 2 * padding
  if (__builtin_mul_overflow(w.dilation, w.kernel - 1, &extent) ||
      __builtin_add_overflow(extent, 1, &extent) ||
      __builtin_mul_overflow(w.padding, 2, &padding) ||
      __builtin_sub_overflow(extent, padding, &extent)) {
    c.settings.reject_setting("padding", "a padding for which the output size fits in 64 bits");
    return {};
  }
  if (__builtin_mul_overflow(count.value_or(1) - 1, w.stride, &size) ||
      __builtin_add_overflow(size, extent, &size)) {
    c.settings.reject_setting("stride", "a stride for which the output size fits in 64 bits");
    return {};
  }
  if (count) return size;
  return result_of((c.x().size(dim) - 1) * w.stride + extent);
}

IntArg as_integer(LayerCall& c, const Argument& size) {
  if (Node* const node = size.node()) return c.proxy(node);
  return size.is_int() ? IntArg(size.as_int()) : IntArg();
}

}  // namespace fx::internal
