// Creates views of the source's new value, and writes values to the elements of a view.
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/functionalize/regions_internal.h"
#include "fx/passes/functionalize/views_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include <algorithm>

namespace fx::functional {
namespace {

Argument sizes_argument(Type type) {
  std::vector<Argument> sizes;
  for (const Dim& size : type.sizes()) sizes.emplace_back(size);
  return Argument::list(sizes);
}

Argument strides_argument(Type type) {
  std::vector<Argument> strides;
  for (const Dim& stride : type.strides()) strides.emplace_back(stride);
  return Argument::list(strides);
}

bool has_number_sizes(Type type) {
  return std::ranges::all_of(type.sizes(), [](const Dim& size) { return size.is_int(); });
}

/// Reshapes the value to the sizes of `like`, which has this type.
Node* reshaped(NodeBuilder& builder, Node* value, Type type, Node* like, const Node& origin) {
  if (same_sizes(value->type(), type)) return value;
  if (has_number_sizes(type))
    return builder.call("aten.view.default", {value, sizes_argument(type)}, origin);
  return builder.call("aten.view_as.default", {value, like}, origin);
}

/// Returns one of the equal parts that expand created. `from` is the type before expand, `to` the
/// type after it.
Node* unexpanded(NodeBuilder& builder, Node* value, Type from, Type to, const Node& origin) {
  const int added = to.rank() - from.rank();
  for (int i = 0; i < added; ++i) value = builder.call("aten.select.int", {value, 0, 0}, origin);
  for (int i = 0; i < from.rank(); ++i) {
    if (same_value(from.size(i), to.size(i + added))) continue;
    value = builder.call("aten.slice.Tensor", {value, i, 0, 1}, origin);
  }
  return value;
}

Node* unpermuted(NodeBuilder& builder, const View& view, int rank, Node* value) {
  std::vector<Argument> inverse(static_cast<size_t>(rank));
  const bool is_reversed = view.kind == ViewKind::kReverse;  // numpy_T has no dimensions
  const Argument dims = is_reversed ? Argument() : view_argument(view, 1);
  for (int i = 0; i < rank; ++i) {
    int64_t from = is_reversed ? rank - 1 - i : dims[static_cast<size_t>(i)].as_int();
    if (from < 0) from += rank;
    inverse[static_cast<size_t>(from)] = i;
  }
  return builder.call("aten.permute.default", {value, Argument::list(inverse)}, *view.call);
}

/// Returns a copy of `source` whose complex numbers have new real or imaginary parts.
Node* with_part(NodeBuilder& builder, const View& view, const View& parent, Node* source,
                Node* value) {
  const int index = view.kind == ViewKind::kReal ? 0 : 1;
  // view_as_real rejects tensors that libtorch conjugates lazily.
  if (parent.conjugated) source = builder.call("aten.resolve_conj.default", {source}, *view.call);
  Node* pairs = builder.call("aten.view_as_real.default", {source}, *view.call);
  pairs = builder.call("aten.select_scatter.default", {pairs, value, -1, index}, *view.call);
  return builder.call("aten.view_as_complex.default", {pairs}, *view.call);
}

/// Returns the offset of a view in `source`, which may have a different offset than
/// the recorded parent.
Argument offset_in(const View& view, const View& parent, const Node& source) {
  Dim offset = view.type.offset() - parent.type.offset();
  if (source.type().is_tensor()) offset += source.type().offset();
  return offset;
}

/// Permutes and reshapes `value`, which covers `box`, to the dimensions of the view's outer tensor.
Node* placed_in(NodeBuilder& builder, const std::vector<IndexRange>& box, const View& view,
                Node* value) {
  std::vector<Argument> order, sizes;
  for (int i = 0; i < view.type.rank(); ++i)
    if (view.type.size(i) == Dim(1)) order.emplace_back(i);
  for (const IndexRange& range : box) {
    if (range.dim >= 0) order.emplace_back(range.dim);
    sizes.emplace_back(range.count);
  }
  const auto as_int = [](const Argument& dim) { return dim.as_int(); };
  if (!std::ranges::is_sorted(order, {}, as_int))
    value = builder.call("aten.permute.default", {value, Argument::list(order)}, *view.call);
  const Type type = value->type();
  const bool has_sizes =
      type.is_tensor() && type.has_rank() &&
      std::ranges::equal(type.sizes(), box, [](const Dim& size, const auto& range) {
        return size == Dim(range.count);
      });
  if (has_sizes) return value;
  return builder.call("aten.reshape.default", {value, Argument::list(sizes)}, *view.call);
}

/// Creates a copy of `source`, a value of `outer`, in which `value` replaces the view, which covers
/// a box of `outer`.
Node* write_box(NodeBuilder& builder, const std::vector<IndexRange>& box, const View& view,
                const View& outer, Node* source, Node* value) {
  value = placed_in(builder, box, view, value);
  struct Slice {
    Node* source;
    std::vector<Argument> range;  // dim, start, end, step
  };
  std::vector<Slice> slices;
  for (size_t i = 0; i < box.size(); ++i) {
    const IndexRange& range = box[i];
    if (Dim(range.count) == outer.type.size(static_cast<int>(i))) continue;
    if (!slices.empty()) {
      std::vector<Argument> args = slices.back().range;
      args.insert(args.begin(), source);
      source = builder.call("aten.slice.Tensor", args, *view.call);
    }
    const int64_t end = range.start + (range.count - 1) * range.step + 1;
    slices.push_back({source, {static_cast<int64_t>(i), range.start, end, range.step}});
  }
  for (; !slices.empty(); slices.pop_back()) {
    std::vector<Argument> args = {slices.back().source, value};
    args.insert(args.end(), slices.back().range.begin(), slices.back().range.end());
    value = builder.call("aten.slice_scatter.default", args, *view.call);
  }
  return value;
}

/// True if a dimension is expanded. aten.copy clones such a tensor to dense memory.
bool repeats_elements(Type type) {
  if (!has_layout(type)) return false;
  for (int i = 0; i < type.rank(); ++i) {
    const Dim size = type.size(i);
    if (type.stride(i) == Dim(0) && size.is_int() && size.value() > 1) return true;
  }
  return false;
}

}  // namespace

Node* in_new_memory(NodeBuilder& builder, Type type, Node* value, const Node& origin) {
  if (repeats_elements(type)) return value;  // aten.copy would return a dense tensor
  Node* const memory = builder.call("aten.new_empty_strided.default",
                                    {value, sizes_argument(type), strides_argument(type)}, origin);
  Node* const copy = builder.call("aten.copy.default", {memory, value}, origin);
  TensorSpec spec = type.spec();
  spec.offset = Dim(0);
  spec.requires_grad =
      spec.requires_grad || (copy->type().is_tensor() && copy->type().requires_grad());
  change_type(*copy, builder.graph().context().types().tensor(spec));
  return copy;
}

std::optional<bool> squeezes(const View& view, Type whole) {
  const Argument dim = view_argument(view, 1);
  if (!dim.is_int() || !whole.is_tensor() || !whole.has_rank()) return std::nullopt;
  if (whole.rank() == 0) return false;
  const int64_t at = dim.as_int() < 0 ? dim.as_int() + whole.rank() : dim.as_int();
  const Dim& size = whole.size(static_cast<int>(at));
  if (size.is_int()) return size == Dim(1);
  if (!view.type.is_tensor() || !view.type.has_rank()) return std::nullopt;
  return view.type.rank() != whole.rank();
}

// ---------------------------------------------------------------- nodes

void NodeBuilder::label(Node& node, const Node& origin) {
  touched_[node] = 1;
  inherit_meta(node, origin);
  if (!place_) return;
  for (const std::string_view key : {meta::kRegion.name, meta::kSeq.name}) {
    const Argument* value = place_->meta().find(key);
    if (value)
      node.meta().set(key, *value);
    else
      node.meta().remove(key);
  }
}

void NodeBuilder::infer(Node& node, Type recorded) {
  const absl::StatusOr<Type> inferred = infer_type(node);
  // A repeated call may return its result at a different offset.
  Type type =
      inferred.ok() && *inferred ? *inferred : without_place(node.context().types(), recorded);
  if (type.is_tensor() && !type.requires_grad()) {
    bool requires_grad = false;
    node.for_each_input([&](Node* input) {
      requires_grad = requires_grad || (input->type().is_tensor() && input->type().requires_grad());
    });
    if (requires_grad && (is_floating_point(type.dtype()) || is_complex(type.dtype()))) {
      TensorSpec spec = type.spec();
      spec.requires_grad = true;
      type = node.context().types().tensor(spec);
    }
  }
  change_type(node, type);
}

Node* NodeBuilder::call(std::string_view function, absl::Span<const Argument> args,
                        const Node& origin, absl::Span<const Kwarg> kwargs) {
  auto& [target, name] = functions_[function];
  if (!target) {
    target = graph_.context().function(function);
    FX_CHECK(target.op(), function);
    name = name_candidate(target.op()->base_name(), /*is_function=*/true);
  }
  Node* node = graph_.call_function(target, args, kwargs, {.name = name});
  infer(*node, Type());
  label(*node, origin);
  return node;
}

Node* NodeBuilder::getitem(Node& list, int64_t index, Type type, const Node& origin) {
  auto& [target, name] = functions_["operator.getitem"];
  if (!target) {
    target = graph_.context().function("operator.getitem");
    name = "getitem";
  }
  Node* node = graph_.call_function(target, {&list, index}, {}, {.name = name});
  const Type items = list.type();
  const bool known =
      (items.is_list() || items.is_tuple()) && static_cast<size_t>(index) < items.items().size();
  node->set_type(known ? items.items()[static_cast<size_t>(index)] : type);
  label(*node, origin);
  return node;
}

Node* NodeBuilder::repeat(const Node& call, Node* source, Node* new_source) {
  absl::StatusOr<Node*> copy =
      graph_.node_copy(call, [&](Node* n) { return Argument(n == source ? new_source : n); });
  FX_CHECK_OK(copy.status());
  infer(**copy, call.type());
  label(**copy, call);
  return *copy;
}

bool NodeBuilder::may_be_lazy(const Node& value) const {
  return may_be_lazy_view(
      value, [this](const Node& input) { return is_nested_ || may_be_lazy_input(input); });
}

void NodeBuilder::set_type_of_copy(Node& copy, const Node& source, Type view) const {
  if (is_complete(copy.type())) return;
  const Type type = source.type();
  const bool is_kept =
      has_layout(type) && !may_overlap_itself(type) && (is_dense(type) || !may_be_lazy(source));
  if (is_kept)
    change_type(copy, type);
  else if (view && !repeats_elements(view))
    change_type(copy, without_place(graph_.context().types(), view));
}

// ---------------------------------------------------------------- views

Type type_of_result(TypeTable& types, Type old, Type result) {
  const Type type = without_place(types, old);
  if (!result.is_tensor() || result.dtype() == DType::kUndefined || !type.is_tensor()) return type;
  TensorSpec spec = type.spec();
  spec.dtype = result.dtype();
  return types.tensor(spec);
}

bool is_scattered(ViewKind kind) {
  switch (kind) {
    case ViewKind::kSlice:
    case ViewKind::kNarrow:
    case ViewKind::kSelect:
    case ViewKind::kDiagonal:
    case ViewKind::kAsStrided:
    case ViewKind::kExpand:
    case ViewKind::kSplit:
    case ViewKind::kUnbind:
    case ViewKind::kReal:
    case ViewKind::kImaginary:
    case ViewKind::kOther:
      return true;
    default:
      return false;
  }
}

Node* take_view(NodeBuilder& builder, const View& view, const View& parent, Node* source) {
  const Node& call = *view.call;
  if (view.kind == ViewKind::kAsStrided && !view.by_strides && view.item < 0)
    return builder.call("aten.as_strided.default", strided_arguments(builder, view, parent, source),
                        call);
  if (view.kind == ViewKind::kSplit) {
    if (const auto range = split_range(view)) {
      return builder.call("aten.slice.Tensor",
                          {source, view_argument(view, 2), range->first, range->second}, call);
    }
  }
  if (view.kind == ViewKind::kUnbind)
    return builder.call("aten.select.int", {source, view_argument(view, 1), view.item}, call);
  const ops::OpInfo& op = *call.function().op();
  const int source_index = op.output_aliases().empty() ? 0 : op.output_aliases()[0].argument;
  Node* old = passed_argument(call, op, source_index)->as_node();
  Node* again = builder.repeat(call, old, source);
  if (view.item < 0) return again;
  const Type item = without_place(builder.graph().context().types(), view.recorded);
  return builder.getitem(*again, view.item, item, call);
}

std::vector<Argument> strided_arguments(NodeBuilder& builder, const View& view, const View& outer,
                                        Node* source) {
  // If the strides of a value are unknown, its offset is also unknown.
  if (!has_layout(source->type()) && has_layout(outer.type))
    source = in_new_memory(builder, outer.type, source, *view.call);
  return {source, sizes_argument(view.type), strides_argument(view.type),
          offset_in(view, outer, *source)};
}

Node* write_strided(NodeBuilder& builder, const View& view, const View& outer, Node* source,
                    Node* value) {
  // libtorch's derivative of as_strided_scatter is the derivative of the overwritten elements.
  if (const auto box = box_of(outer.type, view.type))
    return write_box(builder, *box, view, outer, source, value);
  // as_strided_scatter receives a dense copy of a lazy view.
  if (builder.may_be_lazy(*source) && !is_dense(outer.type))
    source = in_new_memory(builder, outer.type, source, *view.call);
  std::vector<Argument> args = strided_arguments(builder, view, outer, source);
  args.insert(args.begin() + 1, Argument(value));
  return builder.call("aten.as_strided_scatter.default", args, *view.call);
}

Node* write_view(NodeBuilder& builder, const View& view, const View& parent, Node* source,
                 Node* value) {
  const Node& call = *view.call;
  const Type whole = parent.type;
  switch (view.kind) {
    case ViewKind::kSame:
      return value;
    case ViewKind::kReshape:
      return reshaped(builder, value, whole, source, call);
    case ViewKind::kUnsqueeze:
      return builder.call("aten.squeeze.dim", {value, view_argument(view, 1)}, call);
    case ViewKind::kSqueezeDim:
      if (!*squeezes(view, whole)) return value;
      return builder.call("aten.unsqueeze.default", {value, view_argument(view, 1)}, call);
    case ViewKind::kTransposeMatrix:
      return builder.call("aten.t.default", {value}, call);
    case ViewKind::kTranspose:
      return builder.call("aten.transpose.int",
                          {value, view_argument(view, 1), view_argument(view, 2)}, call);
    case ViewKind::kMatrixTranspose:
      return builder.call("aten.mT.default", {value}, call);  // even of a 0-dimensional tensor
    case ViewKind::kAdjoint:
      value = builder.call("aten.mT.default", {value}, call);
      if (!is_complex(whole.dtype())) return value;
      return builder.call("aten.conj_physical.default", {value}, call);
    case ViewKind::kReverse:
    case ViewKind::kPermute:
      return unpermuted(builder, view, whole.rank(), value);
    case ViewKind::kMoveDim:
      return builder.call(call.target(), {value, view_argument(view, 2), view_argument(view, 1)},
                          call);
    case ViewKind::kSlice:
      return builder.call("aten.slice_scatter.default",
                          {source, value, view_argument(view, 1), view_argument(view, 2),
                           view_argument(view, 3), view_argument(view, 4)},
                          call);
    case ViewKind::kNarrow: {
      const Argument dim = view_argument(view, 1);
      int64_t start = view_argument(view, 2).as_int();
      const int64_t length = view_argument(view, 3).as_int();
      // Counts from the start instead of the end.
      if (start < 0) start += whole.size(static_cast<int>(dim.as_int())).value();
      return builder.call("aten.slice_scatter.default", {source, value, dim, start, start + length},
                          call);
    }
    case ViewKind::kSelect:
      return builder.call("aten.select_scatter.default",
                          {source, value, view_argument(view, 1), view_argument(view, 2)}, call);
    case ViewKind::kDiagonal:
      return builder.call(
          "aten.diagonal_scatter.default",
          {source, value, view_argument(view, 1), view_argument(view, 2), view_argument(view, 3)},
          call);
    case ViewKind::kExpand:
      if (std::ranges::count(view.type.sizes(), Dim(0)) > 0) return source;  // writes nothing
      return unexpanded(builder, value, whole, view.type, call);
    case ViewKind::kSplit: {
      const auto range = split_range(view);
      return builder.call("aten.slice_scatter.default",
                          {source, value, view_argument(view, 2), range->first, range->second},
                          call);
    }
    case ViewKind::kUnbind:
      return builder.call("aten.select_scatter.default",
                          {source, value, view_argument(view, 1), view.item}, call);
    case ViewKind::kViewAsReal:
      return builder.call("aten.view_as_complex.default", {value}, call);
    case ViewKind::kViewAsComplex:
      return builder.call("aten.view_as_real.default", {value}, call);
    case ViewKind::kViewDType:
      return builder.call("aten.view.dtype", {value, whole.dtype()}, call);
    case ViewKind::kConj:
      if (!is_complex(whole.dtype())) return value;
      return builder.call("aten.conj_physical.default", {value}, call);
    case ViewKind::kNegative:
      return builder.call("aten.neg.default", {value}, call);
    case ViewKind::kReal:
      if (!is_complex(whole.dtype())) return value;
      return with_part(builder, view, parent, source, value);
    case ViewKind::kImaginary:
      return with_part(builder, view, parent, source, value);
    case ViewKind::kAsStrided:
    case ViewKind::kOther:
      return write_strided(builder, view, parent, source, value);
  }
  FX_UNREACHABLE("kind of view");
}

}  // namespace fx::functional
