// The values of a graph: their types and their memory.
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/functionalize/views_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace fx::functional {
namespace {

/// Returns the type of an item of a list from the type of the list.
Type item_type(Type list, uint32_t index) {
  const bool known = (list.is_list() || list.is_tuple()) && index < list.items().size();
  return known ? list.items()[index] : Type();
}

/// True if the view reinterprets elements as a different type.
bool changes_elements(ViewKind kind) {
  switch (kind) {
    case ViewKind::kViewAsReal:
    case ViewKind::kViewAsComplex:
    case ViewKind::kViewDType:
    case ViewKind::kAdjoint:
    case ViewKind::kConj:
    case ViewKind::kNegative:
    case ViewKind::kReal:
    case ViewKind::kImaginary:
      return true;
    default:
      return false;
  }
}

/// True if dtypes, sizes and strides are equal, item by item.
bool have_same_layouts(Type a, Type b) {  // NOLINT(misc-no-recursion): as types nest
  if (a.is_tensor() && b.is_tensor())
    return a.dtype() == b.dtype() && same_sizes(a, b) && same_layout(a, b);
  const bool are_lists = (a.is_list() || a.is_tuple()) && (b.is_list() || b.is_tuple());
  return are_lists ? std::ranges::equal(a.items(), b.items(), have_same_layouts) : a == b;
}

/// True if multiple elements of a tensor may share a memory location. `source` is the tensor
/// that it is a view of; null for a root.
bool overlaps(Type type, ViewKind kind, const View* source) {
  if (has_number_layout(type)) return may_overlap_itself(type);
  if (has_layout(type)) {
    if (type.has_default_strides()) return false;
    for (int i = 0; i < type.rank(); ++i)
      if (type.stride(i) == Dim(0) && type.size(i) != Dim(1)) return true;
  }
  if (source == nullptr) return false;
  switch (kind) {
    case ViewKind::kExpand:
      return source->overlaps || !same_sizes(source->type, type);
    case ViewKind::kAsStrided:
    case ViewKind::kOther:
      return true;
    default:
      return source->overlaps;
  }
}

}  // namespace

bool is_complete(Type type) {  // NOLINT(misc-no-recursion): as types nest
  if (!type) return false;
  if (type.is_tensor()) {
    return type.has_rank() && type.dtype() != DType::kUndefined &&
           (type.has_strides() || type.layout() != Layout::kStrided);
  }
  return !(type.is_list() || type.is_tuple()) || std::ranges::all_of(type.items(), is_complete);
}

Type without_place(TypeTable& types, Type type) {  // NOLINT(misc-no-recursion): as types nest
  if (type.is_tensor()) {
    return type.layout() == Layout::kStrided ? without_strides_and_offset(types, type) : type;
  }
  if (!type.is_list() && !type.is_tuple()) return type;
  std::vector<Type> items;
  for (const Type item : type.items()) items.push_back(without_place(types, item));
  return type.is_tuple() ? types.tuple(items) : types.list(items);
}

bool is_dense(Type type) {
  return has_layout(type) && type.offset() == Dim(0) && is_non_overlapping_and_dense(type);
}

bool same_sizes(Type a, Type b) {
  if (!a.is_tensor() || !b.is_tensor() || !a.has_rank() || !b.has_rank()) return false;
  if (a.rank() != b.rank()) return false;
  for (int i = 0; i < a.rank(); ++i)
    if (!same_value(a.size(i), b.size(i))) return false;
  return true;
}

bool same_layout(Type a, Type b) {
  if (!has_layout(a) || !has_layout(b)) return true;
  if (!same_sizes(a, b)) return false;
  for (int i = 0; i < a.rank(); ++i)
    if (a.size(i) == Dim(0)) return true;
  for (int i = 0; i < a.rank(); ++i)
    if (a.size(i) != Dim(1) && !same_value(a.stride(i), b.stride(i))) return false;
  return true;
}

bool same_strides(Type a, Type b) {
  if (!has_layout(a) || !has_layout(b)) return true;
  if (!same_sizes(a, b)) return false;
  for (int i = 0; i < a.rank(); ++i)
    if (!same_value(a.stride(i), b.stride(i))) return false;
  return true;
}

Argument view_argument(const View& view, size_t parameter) {
  const auto parameters = view.call->function().op()->schema().arguments();
  return view.call->argument(parameters[parameter].name).value_or(Argument());
}

std::optional<std::pair<int64_t, int64_t>> split_range(const View& view) {
  const Argument dim = view_argument(view, 2);
  const auto item = static_cast<uint32_t>(view.item);
  if (!dim.is_int()) return std::nullopt;
  // The parts of tensor_split are slices between the indices, which need not be in ascending order.
  if (const std::optional<Argument> indices = view.call->argument("indices")) {
    const auto is_known = [&](uint32_t i) { return (*indices)[i].is_int(); };
    if (item > indices->size() || (item > 0 && !is_known(item - 1))) return std::nullopt;
    if (item < indices->size() && !is_known(item)) return std::nullopt;
    return std::pair(
        item == 0 ? 0 : (*indices)[item - 1].as_int(),
        item == indices->size() ? std::numeric_limits<int64_t>::max() : (*indices)[item].as_int());
  }
  int64_t start = 0;
  for (uint32_t i = 0; i <= item; ++i) {
    const Type type = item_type(view.list, i);
    if (!type.is_tensor() || dim.as_int() >= type.rank() || dim.as_int() < -type.rank())
      return std::nullopt;
    const Dim& size = type.size(static_cast<int>(dim.as_int()));
    if (!size.is_int()) return std::nullopt;
    if (i == item) return std::pair(start, start + size.value());
    start += size.value();
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- types

Type Aliases::type_of(const Node& node) {
  if (const Value value = values[node]; value.is_identity()) {
    const Identity& identity = identities[value.index()];
    // The other types of a tensor predate a change of its sizes (`unsqueeze_`).
    if (const Type type = views[identity.view].type; type || identity.view != identity.first_view)
      return type;
  }
  return inferred[node] ? inferred[node] : node.type();
}

Argument Aliases::with_types(const Argument& argument) {
  return map_nodes(argument, [&](Node* node) { return Argument(type_of(*node)); });
}

bool Aliases::reads_as_recorded(const Node& node) {
  bool as_recorded = true;
  node.for_each_input(
      [&](Node* input) { as_recorded = as_recorded && type_of(*input) == input->type(); });
  return as_recorded;
}

absl::StatusOr<InferredCall> Aliases::infer(const Node& node) {
  if (reads_as_recorded(node)) return infer_call(node);
  FormCall call;
  for (size_t i = 0; i < node.num_args(); ++i) call.args.push_back(with_types(node.arg(i)));
  for (size_t i = 0; i < node.num_kwargs(); ++i)
    call.kwargs.emplace_back(node.kwarg_name(i), with_types(node.kwarg_value(i)));
  absl::StatusOr<InferredCall> result =
      infer_call(node.context(), node.function(), call.args, call.kwargs);
  // Types do not show whether an operand may be a lazy view. Most operators receive a dense copy
  // of a lazy view, so the strides of a result that is not a view may depend on that.
  const ops::OpInfo* const op = node.function().op();
  const bool is_view = result.ok() && !result->aliases.empty() && !result->may_alias &&
                       !(op != nullptr && may_resolve(*op, Type()));
  if (result.ok() && result->type && !is_view &&
      !effects(node).has(ops::Effect::kWritesArguments) && reads_lazy_gaps(node))
    result->type = without_place(node.context().types(), result->type);
  return result;
}

/// True if an operand may be a lazy view that differs from a dense copy of it.
bool Aliases::reads_lazy_gaps(const Node& node) {
  const auto is_lazy_input = [this](const Node& input) {
    return nested_ || may_be_lazy_input(input);
  };
  bool found = false;
  node.for_each_input([&](const Node* input) {
    const Type type = type_of(*input);
    const bool may_differ = !type.is_tensor() || !is_dense(type);
    found = found || (may_differ && may_be_lazy_view(*input, is_lazy_input));
  });
  return found;
}

Type Aliases::complete_type(Node& node, bool is_view) {
  const Type recorded = node.type();
  const bool as_recorded = is_complete(recorded) && reads_as_recorded(node);
  // The recorded type of a view may lack the offset.
  if (as_recorded && !is_view) return recorded;
  if (node.op() != Opcode::kCallFunction || !node.function().op()) return recorded;
  const absl::StatusOr<InferredCall> call = infer(node);
  if (!call.ok() || !call->type) return recorded;
  // The recorded type may predate a resize of an operand.
  if (as_recorded || (is_complete(recorded) && have_same_layouts(recorded, call->type)))
    return call->type;
  return inferred[node] = call->type;
}

// ---------------------------------------------------------------- records

uint32_t Aliases::add_root(Node& node, Type type, Node* owner) {
  const auto view = static_cast<uint32_t>(views.size());
  views.push_back({.memory = static_cast<uint32_t>(memories.size()),
                   .call = &node,
                   .overlaps = overlaps(type, ViewKind::kSame, nullptr),
                   .elements = view,
                   .recorded = type,
                   .type = type,
                   .current = &node});
  memories.push_back({.root = view, .num_views = 1, .owner = owner});
  return view;
}

uint32_t Aliases::add_view(Node& node, uint32_t parent, ViewKind kind, Type type, int32_t item) {
  const auto index = static_cast<uint32_t>(views.size());
  View view{
      .memory = views[parent].memory,
      .parent = static_cast<int32_t>(parent),
      .call = &node,
      .item = item,
      .kind = kind,
      .overlaps = overlaps(type, kind, &views[parent]),
      .by_strides = views[parent].by_strides,
      .conjugated = views[parent].conjugated || kind == ViewKind::kNegative ||
                    (ops::conjugates(kind) && !has_real_dtype(type)),
      .elements = changes_elements(kind) ? index : views[parent].elements,
      .strided = kind == ViewKind::kAsStrided ? static_cast<int32_t>(index) : views[parent].strided,
      .recorded = type,
      .type = type,
      .current = &node,
      .generation = memories[views[parent].memory].generation};
  if (kind == ViewKind::kAsStrided) {
    // The offset counts from the start of the memory.
    const bool is_known = has_layout(type) && has_layout(views[view.elements].type);
    if (is_known) view.parent = static_cast<int32_t>(view.elements);
    view.by_strides = !is_known;
  }
  views.push_back(view);
  ++memories[view.memory].num_views;
  return index;
}

uint32_t Aliases::add_identity(uint32_t view) {
  identities.push_back({view, view});
  return static_cast<uint32_t>(identities.size() - 1);
}

uint32_t Aliases::add_aggregate(Node& node, const OpPlan* plan, int32_t source) {
  aggregates.push_back({.node = &node, .plan = plan, .source = source});
  if (source >= 0)
    aggregates.back().generation = memories[views[static_cast<uint32_t>(source)].memory].generation;
  return static_cast<uint32_t>(aggregates.size() - 1);
}

/// Returns the value of a call whose results share no memory with other values.
Value Aliases::fresh(Node& node, const OpPlan* plan) {
  const Type type = complete_type(node, /*is_view=*/false);
  if ((plan && (plan->several || plan->result_list)) || type.is_tuple() || type.is_list())
    return Value::aggregate(add_aggregate(node, plan, -1));
  if (!may_be_tensor(type)) return {};
  return Value::identity(add_identity(add_root(node, type, nullptr)));
}

/// Records that a value may share memory with the items of a list, including items that no call has
/// used so far. Calls must not write to these.
void Aliases::mark_unused_items(Aggregate& list) {
  const std::optional<size_t> count = num_items(list);
  const auto is_known = [](Value item) { return item.is_identity() || item.is_aggregate(); };
  if (list.source >= 0 ||
      (count && list.items.size() >= *count && std::ranges::all_of(list.items, is_known)))
    return;
  list.shared.clear();
  list.may_share.push_back({static_cast<uint32_t>(memories.size()), 0});
  memories.emplace_back();
}

/// Records that the result of a call, or an item of it, may be this operand itself, or an item of
/// it, unless their types differ.
void Aliases::mark_maybe_same(Node& result, Value operand) {
  if (operand.is_identity()) {
    const View& view = view_of(operand.index());
    const Type type = type_of(result);
    const bool are_known = is_fully_known(type) && is_fully_known(view.type);
    if (type.is_list() || type.is_tuple() || !are_known || known_equal(type, view.type))
      memories[view.memory].maybe_same = &result;
  }
  if (!operand.is_aggregate()) return;
  const Aggregate& list = aggregates[operand.index()];
  if (list.source >= 0)
    memories[views[static_cast<uint32_t>(list.source)].memory].maybe_same = &result;
  for (const Value item : list.items) mark_maybe_same(result, item);
}

Value Aliases::uncertain(Node& node, const OpPlan* plan) {
  std::vector<MemoryState> states;
  node.for_each_input([&](Node* input) {
    if (values[*input].is_aggregate()) mark_unused_items(aggregates[values[*input].index()]);
    add_states(*input, states);  // including the items that mark_unused_items() has added
  });
  const Value value = fresh(node, plan);
  node.for_each_input([&](Node* input) { mark_maybe_same(node, values[*input]); });
  if (value.is_identity()) {
    memories[view_of(value.index()).memory].may_share = std::move(states);
  } else if (value.is_aggregate()) {
    aggregates[value.index()].may_share = std::move(states);
  }
  return value;
}

std::optional<size_t> Aliases::num_items(const Aggregate& list) {
  // A functional form may have more results.
  if (list.plan && list.plan->role == OpPlan::Role::kWrite && list.plan->several)
    return list.plan->op->schema().returns().size();
  const Type type = type_of(*list.node);
  if (!type.is_list() && !type.is_tuple()) return std::nullopt;
  return type.items().size();
}

bool Aliases::is_stale(const Aggregate& list) const {
  const OpPlan* const plan = list.plan;
  if (plan && plan->role == OpPlan::Role::kWrite && plan->several &&
      plan->outputs.size() > plan->op->schema().returns().size() &&
      list.node->function() == plan->function)
    return true;
  if (list.source >= 0) {
    const View& source = views[static_cast<uint32_t>(list.source)];
    if (memories[source.memory].generation != list.generation) return true;
  }
  for (const Value& item : list.items) {
    if (!item.is_identity()) continue;
    const Identity& tensor = identities[item.index()];
    if (tensor.view != tensor.first_view) return true;
    if (memories[views[tensor.view].memory].generation != list.generation) return true;
  }
  return false;
}

void Aliases::add_states(const Node& operand, std::vector<MemoryState>& states) const {
  const auto add = [&](uint32_t index) {
    const Memory& memory = memories[index];
    states.push_back({index, memory.generation});
    states.insert(states.end(), memory.may_share.begin(), memory.may_share.end());
  };
  const Value value = values[operand];
  if (value.is_identity()) add(views[identities[value.index()].view].memory);
  if (!value.is_aggregate()) return;
  const Aggregate& list = aggregates[value.index()];
  if (list.source >= 0) add(views[static_cast<uint32_t>(list.source)].memory);
  states.insert(states.end(), list.may_share.begin(), list.may_share.end());
  for (const Value& item : list.items)
    if (item.is_identity()) add(views[identities[item.index()].view].memory);
}

Value Aliases::item(uint32_t index, uint32_t number, Node& node) {
  const Aggregate& list = aggregates[index];
  if (number < list.items.size()) {
    const Value known = list.items[number];
    if (known.is_identity() || known.is_aggregate()) return known;
  }
  const Type list_type = type_of(*list.node);
  const Type in_list = item_type(list_type, number);
  const Type type = in_list ? in_list : node.type();
  const bool is_shared = number >= list.shared.size() || list.shared[number];
  const std::vector<MemoryState> states = is_shared ? list.may_share : std::vector<MemoryState>();
  Value value;
  if (list.source >= 0) {
    const ViewKind kind = list.plan ? list.plan->kind : ViewKind::kOther;
    const uint32_t view = add_view(*list.node, static_cast<uint32_t>(list.source), kind, type,
                                   static_cast<int32_t>(number));
    views[view].list = list_type;
    views[view].current = nullptr;
    views[view].generation = list.generation;
    value = Value::identity(add_identity(view));
  } else if (type.is_list() || type.is_tuple()) {
    const uint32_t nested = add_aggregate(node, nullptr, -1);  // `list` may have moved
    aggregates[nested].may_share = states;
    value = Value::aggregate(nested);
  } else if (may_be_tensor(type)) {
    value = Value::identity(add_identity(add_root(node, type, nullptr)));
    memories.back().may_share = states;
  } else {
    return value;
  }
  std::vector<Value>& items = aggregates[index].items;
  if (number >= items.size()) items.resize(number + 1);
  items[number] = value;
  return value;
}

void Aliases::rewind() {
  for (View& view : views) {
    view.type = view.recorded;
    view.current = view.parent < 0 ? view.call : nullptr;
    view.generation = 0;
  }
  for (Memory& memory : memories) memory.generation = 0;
  for (Identity& identity : identities) identity.view = identity.first_view;
  for (Aggregate& aggregate : aggregates) aggregate.generation = 0;
}

}  // namespace fx::functional
