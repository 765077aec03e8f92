// Which memory each value of a graph is, and whether every write can be done without.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/node_error.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx::functional {
namespace {

using ops::Effect;
using Role = OpPlan::Role;

/// Items of lists and tuples are numbered below this.
constexpr int64_t kMaxItems = 1 << 20;

absl::Status missing_type(const Node& node, std::string_view why) {
  return absl::FailedPreconditionError(fmt::format(
      "{} has no type, which tells {}: propagate_types (fx/passes/shape/shape_prop.h) gives it one",
      describe(node), why));
}

/// Elements from the first to the last, with gaps; nothing when a size is symbolic.
std::optional<std::pair<int64_t, int64_t>> extent(Type type) {
  if (!type.offset().is_int()) return std::nullopt;
  int64_t first = type.offset().value(), last = first;
  for (int i = 0; i < type.rank(); ++i) {
    const Dim& size = type.size(i);
    const Dim& stride = type.stride(i);
    if (!size.is_int() || !stride.is_int()) return std::nullopt;
    if (size.value() == 0) return std::pair(first, first);
    last += (size.value() - 1) * stride.value();
  }
  return std::pair(first, last + 1);
}

/// False when no two elements can lie in the same place: each dimension steps over all inner ones.
/// The sizes and strides are numbers.
bool overlaps(Type type) {
  absl::InlinedVector<std::pair<int64_t, int64_t>, 6> dims;  // stride, size
  for (int i = 0; i < type.rank(); ++i)
    if (type.size(i).value() != 1) dims.emplace_back(type.stride(i).value(), type.size(i).value());
  std::ranges::sort(dims);
  int64_t inner = 1;
  for (const auto& [stride, size] : dims) {
    if (stride < inner) return true;
    inner += (size - 1) * stride;
  }
  return false;
}

bool has_layout(Type type) { return type.is_tensor() && type.has_rank() && type.has_strides(); }

/// What a list of views shares: `split` and its kin.
Type item_type(const Node& list, uint32_t index) {
  const Type type = list.type();
  const bool known = (type.is_list() || type.is_tuple()) && index < type.items().size();
  return known ? type.items()[index] : Type();
}

}  // namespace

bool same_sizes(Type a, Type b) {
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

std::optional<std::pair<int64_t, int64_t>> split_range(const View& view) {
  const Type list = view.call->type();
  if (!list.is_list() && !list.is_tuple()) return std::nullopt;
  const std::optional<Argument> dim = view.call->argument("dim");
  const auto item = static_cast<size_t>(view.item);
  if (!dim || !dim->is_int() || item >= list.items().size()) return std::nullopt;
  int64_t start = 0;
  for (size_t i = 0; i <= item; ++i) {
    const Type type = list.items()[i];
    if (!type.is_tensor() || dim->as_int() >= type.rank() || dim->as_int() < -type.rank())
      return std::nullopt;
    const Dim& size = type.size(static_cast<int>(dim->as_int()));
    if (!size.is_int()) return std::nullopt;
    if (i == item) return std::pair(start, start + size.value());
    start += size.value();
  }
  return std::nullopt;
}

Aliases::Aliases(Graph& g, OpPlans& p, bool nested)
    : graph(g), plans(p), values(g), metadata_view(g), nested_(nested) {}

const OpPlan* Aliases::plan_of(const Node& node) {
  return node.op() == Opcode::kCallFunction ? &plans.find(node.function()) : nullptr;
}

bool Aliases::has_writes() const {
  for (const Node& node : graph.nodes()) {
    if (node.op() == Opcode::kCallFunction) {
      const ops::OpInfo* op = node.function().op();
      if (op && !op->effects().has(Effect::kWritesArguments)) continue;
    }
    if (effects(node).has(Effect::kWritesArguments)) return true;
  }
  return false;
}

bool Aliases::writes(const Node& node, const OpPlan& plan) const {
  return plan.op->conditional_effects().empty() || effects(node).has(Effect::kWritesArguments);
}

// ---------------------------------------------------------------- records

uint32_t Aliases::add_root(Node& node, Type type, Node* owner) {
  const auto view = static_cast<uint32_t>(views.size());
  views.push_back({.memory = static_cast<uint32_t>(memories.size()),
                   .call = &node,
                   .elements = view,
                   .recorded = type,
                   .type = type,
                   .current = &node});
  memories.push_back({.root = view, .num_views = 1, .owner = owner});
  return view;
}

uint32_t Aliases::add_view(Node& node, uint32_t parent, ViewKind kind, Type type, int32_t item,
                           bool uncertain) {
  const auto index = static_cast<uint32_t>(views.size());
  View view{.memory = views[parent].memory,
            .parent = static_cast<int32_t>(parent),
            .call = &node,
            .item = item,
            .kind = kind,
            .uncertain = uncertain || views[parent].uncertain,
            .elements = views[parent].elements,
            .recorded = type,
            .type = type,
            .current = &node,
            .generation = memories[views[parent].memory].generation};
  switch (kind) {
    case ViewKind::kViewAsReal:
    case ViewKind::kViewAsComplex:
    case ViewKind::kViewDType:
    case ViewKind::kConj:
    case ViewKind::kNegative:
    case ViewKind::kReal:
    case ViewKind::kImaginary:
      view.elements = index;
      break;
    case ViewKind::kAsStrided:
      // It counts from the start of memory.
      if (has_layout(type)) view.parent = static_cast<int32_t>(view.elements);
      break;
    default:
      break;
  }
  views.push_back(view);
  ++memories[view.memory].num_views;
  return index;
}

uint32_t Aliases::add_identity(uint32_t view) {
  identities.push_back({view, view});
  return static_cast<uint32_t>(identities.size() - 1);
}

uint32_t Aliases::add_aggregate(Node& node, const OpPlan* plan, int32_t source, bool uncertain) {
  aggregates.push_back({.node = &node, .plan = plan, .source = source, .uncertain = uncertain});
  if (source >= 0)
    aggregates.back().generation = memories[views[static_cast<uint32_t>(source)].memory].generation;
  return static_cast<uint32_t>(aggregates.size() - 1);
}

/// What a call returns that shares memory with nothing.
Value Aliases::fresh(Node& node, const OpPlan* plan) {
  const bool several = plan && (plan->several || plan->result_list);
  if (several || node.type().is_tuple() || node.type().is_list())
    return Value::aggregate(add_aggregate(node, plan, -1, false));
  const TypeKind kind = node.type().kind();
  if (kind != TypeKind::kTensor && kind != TypeKind::kUnknown) return {};
  return Value::identity(add_identity(add_root(node, node.type(), nullptr)));
}

Value Aliases::item(uint32_t index, uint32_t number, Node& node) {
  const Aggregate& list = aggregates[index];
  if (number < list.items.size()) {
    const Value known = list.items[number];
    if (known.is_identity() || known.is_aggregate()) return known;
  }
  const Type recorded = item_type(*list.node, number);
  const Type type = recorded ? recorded : node.type();
  Value value;
  if (list.source >= 0) {
    const ViewKind kind = list.plan ? list.plan->kind : ViewKind::kOther;
    const uint32_t view = add_view(*list.node, static_cast<uint32_t>(list.source), kind, type,
                                   static_cast<int32_t>(number), list.uncertain);
    views[view].current = nullptr;
    views[view].generation = list.generation;
    value = Value::identity(add_identity(view));
  } else if (type.is_list() || type.is_tuple()) {
    value = Value::aggregate(add_aggregate(node, nullptr, -1, false));  // `list` may have moved
  } else {
    value = Value::identity(add_identity(add_root(node, type, nullptr)));
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

// ---------------------------------------------------------------- the walk

absl::Status Aliases::run() {
  for (Node& node : graph.nodes()) FX_RETURN_IF_ERROR(visit(node));
  return absl::OkStatus();
}

absl::Status Aliases::visit(Node& node) {
  if (!node.is_placeholder()) FX_RETURN_IF_ERROR(check_reads(node));
  switch (node.op()) {
    case Opcode::kPlaceholder:
    case Opcode::kGetAttr: {
      const TypeKind kind = node.type().kind();
      if (kind != TypeKind::kTensor && kind != TypeKind::kUnknown) return absl::OkStatus();
      Value own;
      Value& value =
          node.is_placeholder() ? own : attributes_[node.target_symbol()];  // once per path
      if (!value.is_identity())
        value = Value::identity(add_identity(add_root(node, node.type(), &node)));
      values[node] = value;
      return absl::OkStatus();
    }
    case Opcode::kOutput:
      note_returned(node);
      return absl::OkStatus();
    case Opcode::kCallFunction:
      return visit_call(node, *plan_of(node));
    case Opcode::kCallMethod:
    case Opcode::kCallModule:
      return visit_foreign(node);
  }
  return absl::OkStatus();
}

bool Aliases::reads_tensors(const Node& node) const {
  bool any = false;
  node.for_each_input([&](Node* input) {
    any = any || values[*input].is_identity() || values[*input].is_aggregate();
  });
  return any;
}

/// A value that may share memory or not must not be read after a write to that memory.
absl::Status Aliases::check_stale(const Node& reader, const View& view) const {
  if (!view.uncertain || view.generation == memories[view.memory].generation)
    return absl::OkStatus();
  return absl::FailedPreconditionError(fmt::format(
      "{} may be a view of memory that is written before {} reads it, or may be none: types, which "
      "propagate_types (fx/passes/shape/shape_prop.h) gives, tell for ATen's operators",
      describe(*view.call), describe(reader)));
}

absl::Status Aliases::check_reads(Node& node) {
  absl::Status status;
  const bool is_getitem = node.op() == Opcode::kCallFunction && node.target() == "operator.getitem";
  node.for_each_input([&](Node* input) {
    const Value value = values[*input];
    if (!status.ok()) return;
    if (value.is_identity()) status = check_stale(node, view_of(value.index()));
    if (!value.is_aggregate() || is_getitem) return;
    // The list itself is read: its items must be known, so that they can be listed anew.
    const Aggregate& list = aggregates[value.index()];
    bool stale = false;
    if (list.source >= 0) {
      const View& source = views[static_cast<uint32_t>(list.source)];
      stale = memories[source.memory].generation != list.generation;
    }
    for (const Value& item : list.items) {
      if (item.is_identity())
        stale = stale || memories[view_of(item.index()).memory].generation != 0;
    }
    if (stale && !list.node->type().is_list() && !list.node->type().is_tuple())
      status = missing_type(*list.node, "how many items there are");
  });
  return status;
}

void Aliases::note_returned(Node& output) {
  const std::optional<Argument> meanings = output.meta().get(meta::kOutputs);
  if (!meanings || output.num_args() != 1) return;
  const ArgumentRef results = output.arg(0);
  for (size_t i = 0; i < results.size() && i < meanings->size(); ++i) {
    const Argument& meaning = (*meanings)[i];
    Node* node = results[i].node();
    if (!meaning.is_dict() || !node || !values[*node].is_identity()) continue;
    for (size_t k = 0; k < meaning.size(); ++k) {
      if (!meaning.key(k).is_string() || meaning.key(k).as_string() != "kind") continue;
      const View& view = view_of(values[*node].index());
      const bool is_mutation = meaning[k].is_string() && meaning[k].as_string() == "mutation";
      if (is_mutation && view.parent < 0) memories[view.memory].returned = true;
    }
  }
}

absl::Status Aliases::visit_foreign(Node& node) {
  if (effects(node).has(Effect::kWritesArguments)) {
    return absl::FailedPreconditionError(fmt::format(
        "{} may write to its arguments, and functionalize takes ATen's operators only: capture the "
        "program (fx::capture), or rewrite the call as one of an operator",
        describe(node)));
  }
  values[node] = fresh(node, nullptr);
  if (node.op() != Opcode::kCallMethod || !values[node].is_identity()) return absl::OkStatus();
  const ops::OpInfo* op = node.context().ops().find_method(node.target());
  Node* self = node.num_args() > 0 ? node.arg(0).node() : nullptr;
  if (!self || !values[*self].is_identity() || !op ||
      (op->output_aliases().empty() && !op->aliases_unknown()))
    return absl::OkStatus();
  const uint32_t parent = identities[values[*self].index()].view;
  values[node] = Value::identity(
      add_identity(add_view(node, parent, ViewKind::kOther, node.type(), -1, /*uncertain=*/true)));
  return absl::OkStatus();
}

absl::Status Aliases::visit_call(Node& node, const OpPlan& plan) {
  switch (plan.role) {
    case Role::kFresh:
      values[node] = fresh(node, &plan);
      return absl::OkStatus();
    case Role::kGetItem:
      visit_getitem(node);
      return absl::OkStatus();
    case Role::kView:
    case Role::kMaybeView:
      return visit_view(node, plan);
    case Role::kMetadata:
      return visit_metadata(node, plan);
    case Role::kWrite:
      if (writes(node, plan)) return visit_write(node, plan);
      values[node] = fresh(node, &plan);
      return absl::OkStatus();
    case Role::kUnknown:
      break;
  }
  const bool writes_arguments = effects(node).has(Effect::kWritesArguments);
  if (plan.op && !reads_tensors(node)) {
    values[node] = fresh(node, &plan);
    return absl::OkStatus();
  }
  if (!plan.op) {
    return absl::FailedPreconditionError(fmt::format(
        "nothing is known of what {} writes or shares memory with: Context::add_operator says so",
        describe(node)));
  }
  if (!writes_arguments || plan.op->is_function()) {
    return absl::FailedPreconditionError(fmt::format(
        "{} may write to its arguments or share memory with them, and functionalize takes ATen's "
        "operators only: capture the program (fx::capture), or call the operator itself",
        describe(node)));
  }
  return absl::UnimplementedError(
      fmt::format("{} writes to its arguments and has no functional form: take an operator that "
                  "has one, or leave this graph as it is",
                  describe(node)));
}

void Aliases::visit_getitem(Node& node) {
  const Node* of = node.num_args() == 2 ? node.arg(0).node() : nullptr;
  const Value value = of ? values[*of] : Value();
  if (value.is_aggregate() && node.arg(1).is_int()) {
    int64_t number = node.arg(1).as_int();
    if (number < 0) number += static_cast<int64_t>(of->type().items().size());
    if (number >= 0 && number < kMaxItems) {
      values[node] = item(value.index(), static_cast<uint32_t>(number), node);
      return;
    }
  }
  const TypeKind kind = of ? of->type().kind() : TypeKind::kUnknown;
  if (value.is_identity() && (kind == TypeKind::kTensor || kind == TypeKind::kUnknown)) {
    // Python's indexing of a tensor: a view, unless an index is a tensor or list.
    const absl::StatusOr<InferredCall> inferred = infer_call(node);
    const bool is_known = inferred.ok() && inferred->type;
    if (!is_known || !inferred->aliases.empty()) {
      const uint32_t parent = identities[value.index()].view;
      values[node] = Value::identity(
          add_identity(add_view(node, parent, ViewKind::kOther, node.type(), -1, !is_known)));
      return;
    }
  }
  values[node] = fresh(node, nullptr);
}

absl::Status Aliases::visit_view(Node& node, const OpPlan& plan) {
  const auto source = given_argument(node, *plan.op, plan.source);
  Node* of = source ? source->node() : nullptr;
  const bool is_list = plan.result_list || node.type().is_list() || node.type().is_tuple();
  bool uncertain = plan.role == Role::kMaybeView;
  ViewKind kind = plan.kind;
  if (uncertain) {
    const absl::StatusOr<InferredCall> inferred = infer_call(node);
    if (inferred.ok() && inferred->type) {
      if (inferred->aliases.empty()) {
        values[node] = fresh(node, &plan);
        return absl::OkStatus();
      }
      const TypeAlias& alias = inferred->aliases[0];
      if (!is_list && of && alias.argument == plan.source) {
        uncertain = false;
        const Type from = of->type();
        if (inferred->type == from && kind == ViewKind::kOther && values[*of].is_identity()) {
          values[node] = values[*of];  // the tensor itself, as `contiguous` of one that is
          return absl::OkStatus();
        }
        // The same elements in the same order.
        if (inferred->type == from) {
          kind = ViewKind::kSame;
        } else if (kind == ViewKind::kOther &&
                   same_value(numel(from.sizes()), numel(inferred->type.sizes()))) {
          kind = ViewKind::kReshape;
        }
      }
    }
  }
  if (!of || !values[*of].is_identity()) {
    if (!reads_tensors(node)) {
      values[node] = fresh(node, &plan);
      return absl::OkStatus();
    }
    return absl::UnimplementedError(fmt::format(
        "{} gives views of the items of a list, which functionalize does not follow: take a view "
        "of each item by an operator of its own",
        describe(node)));
  }
  const uint32_t parent = identities[values[*of].index()].view;
  if (is_list || plan.several) {
    values[node] = Value::aggregate(
        add_aggregate(node, &plan, static_cast<int32_t>(parent), uncertain || plan.several));
  } else {
    values[node] =
        Value::identity(add_identity(add_view(node, parent, kind, node.type(), -1, uncertain)));
  }
  return absl::OkStatus();
}

absl::Status Aliases::visit_metadata(Node& node, const OpPlan& plan) {
  const auto self = given_argument(node, *plan.op, plan.op->written_arguments()[0]);
  const Node* tensor = self ? self->node() : nullptr;
  if (!tensor || !values[*tensor].is_identity()) {
    return absl::FailedPreconditionError(
        fmt::format("{} writes to what is no tensor of this graph", describe(node)));
  }
  const uint32_t identity = values[*tensor].index();
  const View& first = views[identities[identity].first_view];
  if (plan.kind != ViewKind::kSame && memories[first.memory].owner && first.parent < 0) {
    return absl::UnimplementedError(
        fmt::format("{} changes the sizes or strides of input {}, which no operator without "
                    "writes can do: apply it to a view of the input",
                    describe(node), first.call->name()));
  }
  const uint32_t view =
      add_view(node, identities[identity].view, plan.kind, node.type(), -1, false);
  identities[identity].view = view;
  metadata_view[node] = view;
  values[node] = Value::identity(identity);
  return absl::OkStatus();
}

// ---------------------------------------------------------------- writes

absl::Status Aliases::targets_of(const Node& node, const OpPlan& plan,
                                 std::vector<WriteTarget>& targets) {
  targets.clear();
  for (size_t k = 0; k < plan.outputs.size(); ++k) {
    if (plan.outputs[k].argument < 0) continue;
    const auto argument = given_argument(node, *plan.op, plan.outputs[k].argument);
    if (!argument || argument->is_none()) continue;
    const bool is_list = !argument->is_node();
    const size_t count = is_list ? argument->size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const ArgumentRef value = is_list ? (*argument)[i] : *argument;
      if (value.is_none()) continue;
      Node* tensor = value.node();
      if (!tensor || !values[*tensor].is_identity()) {
        return absl::FailedPreconditionError(
            fmt::format("{} writes to what is no tensor of this graph, or to a list of tensors "
                        "that a node gives: list its items",
                        describe(node)));
      }
      targets.push_back({static_cast<uint32_t>(k), is_list ? static_cast<int32_t>(i) : -1,
                         values[*tensor].index()});
    }
  }
  return absl::OkStatus();
}

/// The type that a call has recorded of its `out`, which it resizes; null when it says none.
Type Aliases::written_type(const Node& node, const OpPlan& plan, const WriteTarget& target) const {
  const int result = plan.outputs[target.output].result;
  const auto argument = static_cast<size_t>(plan.outputs[target.output].argument);
  if (result < 0 || target.item >= 0) return {};
  if (!plan.op->schema().arguments()[argument].is_out()) return {};
  return plan.several ? item_type(node, static_cast<uint32_t>(result)) : node.type();
}

bool Aliases::resizes(const View& view, Type written) const {
  return view.type.is_tensor() && written.is_tensor() && view.type.has_rank() &&
         written.has_rank() && !same_sizes(view.type, written);
}

absl::Status Aliases::visit_write(Node& node, const OpPlan& plan) {
  std::vector<WriteTarget> targets;
  FX_RETURN_IF_ERROR(targets_of(node, plan, targets));
  for (const WriteTarget& target : targets) {
    View& view = view_of(target.identity);
    Memory& memory = memories[view.memory];
    if (nested_ && memory.owner) {
      return absl::UnimplementedError(fmt::format(
          "{} of a nested graph writes to {}, which the graph around it owns: return the new value "
          "from the nested graph instead",
          describe(node), memory.owner->name()));
    }
    FX_RETURN_IF_ERROR(check_writable(node, identities[target.identity].view));
    if (const Type written = written_type(node, plan, target); resizes(view, written)) {
      if (view.parent >= 0 || memory.owner || memory.num_views != 1) {
        return absl::UnimplementedError(
            fmt::format("{} resizes {}, which is a view, has views or is an input: give it a "
                        "tensor of the result's size",
                        describe(node), view.call->name()));
      }
      view.type = written;
    }
    ++memory.generation;
    if (view.parent < 0) view.generation = memory.generation;
  }
  // The results: the arguments that were written, or tensors of their own.
  if (!plan.several) {
    values[node] = {};
    if (plan.outputs[0].result < 0) return absl::OkStatus();
    values[node] = plan.outputs[0].argument >= 0 && !targets.empty() && targets[0].output == 0 &&
                           targets[0].item < 0
                       ? Value::identity(targets[0].identity)
                       : fresh(node, &plan);
    return absl::OkStatus();
  }
  const uint32_t aggregate = add_aggregate(node, &plan, -1, false);
  std::vector<Value>& items = aggregates[aggregate].items;
  for (const WriteTarget& target : targets) {
    const int result = plan.outputs[target.output].result;
    if (result < 0 || target.item >= 0) continue;
    if (static_cast<size_t>(result) >= items.size()) items.resize(static_cast<size_t>(result) + 1);
    items[static_cast<size_t>(result)] = Value::identity(target.identity);
  }
  values[node] = Value::aggregate(aggregate);
  return absl::OkStatus();
}

absl::Status Aliases::check_writable(const Node& writer, uint32_t index) {
  for (auto i = static_cast<int32_t>(index); i >= 0;) {
    View& view = views[static_cast<uint32_t>(i)];
    if (view.writable) break;
    if (view.uncertain) {
      return absl::FailedPreconditionError(fmt::format(
          "{} writes to {}, which may be a view or a copy: types, which propagate_types "
          "(fx/passes/shape/shape_prop.h) gives, tell for ATen's operators",
          describe(writer), describe(*view.call)));
    }
    if (view.parent >= 0) FX_RETURN_IF_ERROR(check_inverse(writer, view));
    view.writable = true;
    i = view.parent;
  }
  return absl::OkStatus();
}

absl::Status Aliases::check_inverse(const Node& writer, const View& view) const {
  const View& parent = views[static_cast<uint32_t>(view.parent)];
  const Type whole = parent.type, part = view.type;
  const auto no_inverse = [&](std::string_view why) {
    return absl::UnimplementedError(
        fmt::format("{} writes through {}, {}", describe(writer), describe(*view.call), why));
  };
  switch (view.kind) {
    case ViewKind::kReshape:
    case ViewKind::kSqueezeDim:
    case ViewKind::kExpand:
    case ViewKind::kReverse:
    case ViewKind::kPermute:
    case ViewKind::kViewDType:
    case ViewKind::kReal:
    case ViewKind::kConj:
      if (!whole.is_tensor() || !whole.has_rank())
        return missing_type(*parent.call, "how a write through a view of it goes back");
      break;
    case ViewKind::kNarrow: {
      const auto start = view.call->argument("start"), length = view.call->argument("length");
      if (!start || !length || !start->is_int() || !length->is_int())
        return no_inverse("whose place is symbolic: take aten.slice.Tensor");
      if (start->as_int() < 0 && (!whole.is_tensor() || !whole.has_rank()))
        return missing_type(*parent.call, "where a narrow part of it begins");
      break;
    }
    case ViewKind::kSplit:
      if (!split_range(view))
        return no_inverse(
            "of which it is not known how large each item is: types with sizes that "
            "are numbers tell, or take aten.slice.Tensor");
      break;
    case ViewKind::kAsStrided:
    case ViewKind::kOther: {
      if (!has_layout(whole) || !has_layout(part))
        return missing_type(!has_layout(whole) ? *parent.call : *view.call, "which elements it is");
      const auto outer = extent(whole), inner = extent(part);
      const bool inside =
          outer && inner && outer->first <= inner->first && inner->second <= outer->second;
      if (whole.dtype() != part.dtype() || (view.item >= 0 && view.kind == ViewKind::kAsStrided))
        return no_inverse("which has elements of another type");
      if (!inside)
        return no_inverse(
            "which reaches beyond the tensor that it is a view of, or whose place is "
            "symbolic");
      if (overlaps(part)) return no_inverse("several elements of which may lie in the same place");
      break;
    }
    default:
      break;
  }
  return absl::OkStatus();
}

}  // namespace fx::functional
