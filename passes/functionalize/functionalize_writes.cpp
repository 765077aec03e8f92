// Checks that each write has an equivalent without a write.
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/analysis/storage_offsets.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/functionalize/views_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>

namespace fx::functional {
namespace {

bool is_graph_missing(const Node& call) {
  const auto graphs = graphs_of_call(call, call.graph().owning_module());
  return std::ranges::find(graphs, nullptr) != graphs.end();
}

}  // namespace

absl::Status missing_type(const Node& node, std::string_view what) {
  return absl::FailedPreconditionError(
      fmt::format("the type of {} is missing or incomplete, but is needed to determine {}: run "
                  "propagate_types (fx/passes/shape/shape_prop.h) first",
                  describe(node), what));
}

// ---------------------------------------------------------------- what is read

absl::Status check_spans(const Node& call, Type whole, Type part, Type root) {
  const bool is_symbolic = has_layout(part) && has_layout(whole) &&
                           (!has_number_layout(part) || !(part.offset() - whole.offset()).is_int());
  if (is_symbolic) {
    return absl::UnimplementedError(
        fmt::format("{} has a symbolic size, stride or offset, so the elements that it covers of a "
                    "tensor that was written are unknown",
                    describe(call)));
  }
  if (!has_number_layout(part) || !has_number_layout(whole)) return absl::OkStatus();
  // A gap in a view contains elements of a dense root. A gap in the root is not part of a new
  // value.
  if (covers(whole, part) || (is_non_overlapping_and_dense(root) && spans(whole, part)))
    return absl::OkStatus();
  return absl::UnimplementedError(
      fmt::format("{} extends beyond the tensor that was written, or into a gap between its "
                  "elements, where a new value of the tensor has no memory",
                  describe(call)));
}

/// Fails if the value of the view may be stale and the view cannot be repeated.
absl::Status Aliases::check_stale(const Node& reader, const View& view) const {
  for (const MemoryState& state : memories[view.memory].may_share) {
    if (memories[state.memory].generation == state.generation) continue;
    return absl::FailedPreconditionError(fmt::format(
        "{} may or may not share memory that is written before {} reads it: run lower_to_aten and "
        "propagate_types first",
        describe(*memories_root(view).call), describe(reader)));
  }
  // The new graph applies as_strided to the new value.
  for (int32_t i = view.strided; i >= 0;) {
    const View& strided = views[static_cast<uint32_t>(i)];
    const View& outer = views[static_cast<uint32_t>(strided.parent)];
    if (!strided.by_strides && strided.generation != memories[view.memory].generation)
      FX_RETURN_IF_ERROR(
          check_spans(*strided.call, outer.type, strided.type, memories_root(view).type));
    i = outer.strided;
  }
  if (view.by_strides && view.generation != memories[view.memory].generation)
    return missing_type(*view.call, "the elements that it covers after a write");
  return absl::OkStatus();
}

/// True if the memory of a value, or memory that it may share, was written: the new value may be in
/// a different storage, or at a different position.
bool Aliases::may_have_moved(const Node& node) const {
  std::vector<MemoryState> states;
  add_states(node, states);
  return std::ranges::any_of(states,
                             [](const MemoryState& state) { return state.generation != 0; });
}

/// True if a new value of the tensor has the same bytes in this range of its storage.
bool Aliases::keeps_range(const Node& tensor, const StorageRange& range) const {
  if (range.is_empty()) return true;
  const Value value = values[tensor];
  if (!value.is_identity()) return false;
  const View& view = views[identities[value.index()].view];
  // A new value of a whole dense tensor has the strides of the tensor, and offset 0.
  const bool is_root = view.parent < 0 && memories[view.memory].may_share.empty();
  if (!is_root || !has_layout(view.type) || view.type.offset() != Dim(0)) return false;
  const bool is_whole = has_number_layout(view.type) && is_non_overlapping_and_dense(view.type) &&
                        contains(bytes_of(view.type), range);
  return is_whole || contains(StorageRange::start(), range);
}

/// Fails if the call, or a graph that it runs, addresses the storage of an operand by position
/// (as_strided), and a new value of this operand may be in a different storage, or at a different
/// position. The rewrite applies calls to as_strided to the tensor of the memory (anchor).
absl::Status Aliases::check_addressed(const Node& node) {
  if (!reads_storage_offset(node)) return absl::OkStatus();
  const ops::OpInfo* const op = node.function().op();
  const bool has_graphs = op != nullptr && op->has(ops::OpTrait::kSubgraphs);
  // visit_subgraphs rejects a call to a graph that is not available.
  if (has_graphs && is_graph_missing(node)) return absl::OkStatus();
  const OpPlan* const plan = plan_of(node);
  const bool is_anchored =
      plan != nullptr && plan->role == OpPlan::Role::kView && plan->kind == ViewKind::kAsStrided;
  absl::Status status;
  node.for_each_input([&](const Node* input) {
    if (!status.ok() || !may_have_moved(*input)) return;
    const Value value = values[*input];
    const View* const view = value.is_identity() ? &view_of(value.index()) : nullptr;
    const bool is_certain = view != nullptr && memories[view->memory].may_share.empty();
    if (is_anchored && is_certain) return;
    if (!addressed_) addressed_.emplace(graph);
    if (keeps_range(*input, addressed_->by_call(node, *input))) return;
    const bool runs_graph = node.op() == Opcode::kCallModule || has_graphs;
    status = absl::UnimplementedError(
        fmt::format("{} {} the storage of {} by position (as_strided, storage_offset) after a "
                    "write to {}: a new value may be at a different position",
                    describe(node), runs_graph ? "runs a graph that addresses" : "addresses",
                    input->name(), is_certain ? "it" : "memory that it may share"));
  });
  return status;
}

absl::Status Aliases::check_results(absl::Span<const StorageRange> addressed) const {
  const Node* const output = graph.output_node();
  if (output == nullptr || output->num_args() != 1) return absl::OkStatus();
  const ArgumentRef value = output->arg(0);
  const bool is_list = value.is_list() || value.is_tuple();
  const size_t count = is_list ? value.size() : 1;
  for (size_t i = 0; i < std::min(count, addressed.size()); ++i) {
    const Node* const result = (is_list ? value[i] : value).node();
    if (result == nullptr || !may_have_moved(*result) || keeps_range(*result, addressed[i]))
      continue;
    return absl::UnimplementedError(fmt::format(
        "{} is written and returned, and a call outside of its graph or in the next step "
        "of a loop addresses its storage by position (as_strided, storage_offset): a new "
        "value may be at a different position",
        describe(*result)));
  }
  return absl::OkStatus();
}

absl::Status check_results(const Graph& graph, absl::Span<const std::unique_ptr<Aliases>> written) {
  if (std::ranges::none_of(written, [](const auto& each) { return each->is_nested(); }))
    return absl::OkStatus();
  absl::flat_hash_map<const Graph*, std::vector<StorageRange>> addressed;
  for (const Graph& caller : all_graphs(graph)) {  // before the graphs nested in it
    if (caller.num_subgraphs() == 0) continue;
    const AddressedRanges ranges(caller, addressed[&caller]);
    for (const Node& call : caller.nodes()) {
      for (const Graph* const run : nested_graphs(call)) {
        const std::vector<StorageRange> results = ranges.of_results(call, *run);
        std::vector<StorageRange>& all = addressed[run];
        if (all.size() < results.size()) all.resize(results.size());
        for (size_t i = 0; i < results.size(); ++i) all[i].add(results[i]);
      }
    }
  }
  for (const std::unique_ptr<Aliases>& aliases : written)
    FX_RETURN_IF_ERROR(aliases->check_results(addressed[&aliases->graph]));
  return absl::OkStatus();
}

// ---------------------------------------------------------------- what is written

absl::Status Aliases::targets_of(const Node& node, const OpPlan& plan,
                                 std::vector<WriteTarget>& targets) {
  targets.clear();
  for (size_t k = 0; k < plan.outputs.size(); ++k) {
    if (plan.outputs[k].argument < 0) continue;
    const auto argument = passed_argument(node, *plan.op, plan.outputs[k].argument);
    if (!argument || argument->is_none()) continue;
    const bool is_list = !argument->is_node();
    const size_t count = is_list ? argument->size() : 1;
    for (size_t i = 0; i < count; ++i) {
      const ArgumentRef value = is_list ? (*argument)[i] : *argument;
      if (value.is_none()) continue;
      Node* tensor = value.node();
      if (!tensor || !values[*tensor].is_identity()) {
        return absl::FailedPreconditionError(fmt::format(
            "{} writes to a value that is not a tensor of this graph, or to a list that "
            "is the result of a node: instead of such a list, pass a list of its items "
            "(operator.getitem)",
            describe(node)));
      }
      targets.push_back({static_cast<uint32_t>(k), is_list ? static_cast<int32_t>(i) : -1,
                         values[*tensor].index()});
    }
  }
  return absl::OkStatus();
}

Type Aliases::written_type(const Node& node, const OpPlan& plan, const WriteTarget& target) const {
  const int result = plan.outputs[target.output].result;
  const auto argument = static_cast<size_t>(plan.outputs[target.output].argument);
  if (!plan.op->schema().arguments()[argument].is_out()) return {};
  if (result >= 0 && target.item < 0) {
    Type type = inferred[node] ? inferred[node] : node.type();
    if (plan.several) {
      const auto index = static_cast<size_t>(result);
      const bool is_known = (type.is_tuple() || type.is_list()) && index < type.items().size();
      type = is_known ? type.items()[index] : Type();
    }
    if (type.is_tensor() && type.has_rank()) return type;
  }
  const Type computed = result_of(plan, functional[node], target);
  if (!computed.is_tensor() || !computed.has_rank()) return {};
  const Type out = views[identities[target.identity].view].type;
  TensorSpec spec = computed.spec();
  spec.dtype = out.is_tensor() ? out.dtype() : DType::kUndefined;
  TypeTable& types = graph.context().types();
  return without_place(types, types.tensor(spec));
}

bool Aliases::resizes(const View& view, Type written) const {
  return view.type.is_tensor() && written.is_tensor() && view.type.has_rank() &&
         written.has_rank() && !same_sizes(view.type, written);
}

/// Checks that the functional form of a call may set a target to its new value. Sets the type of a
/// target that the call resizes.
absl::Status Aliases::check_target(Node& node, const OpPlan& plan, const WriteTarget& target) {
  View& view = view_of(target.identity);
  Memory& memory = memories[view.memory];
  if (nested_ && memory.owner) {
    return absl::UnimplementedError(fmt::format(
        "{} in a nested graph writes to {}, which the enclosing graph owns: return the new value "
        "from the nested graph, and write it (aten.copy_) after the call of that graph",
        describe(node), memory.owner->name()));
  }
  FX_RETURN_IF_ERROR(check_writable(node, identities[target.identity].view));
  FX_RETURN_IF_ERROR(check_overlap(node, plan, view));
  // The tensor becomes as large as the result. The types of other values with the same memory do
  // not change.
  const bool is_known = view.type.is_tensor() && view.type.has_rank();
  if (plan.is_out && !is_known && (view.parent >= 0 || memory.owner || memory.num_views != 1)) {
    return absl::FailedPreconditionError(fmt::format(
        "{} may resize {}, which has unknown sizes, and is a view, has views or is an input: "
        "specify its type",
        describe(node), view.call->name()));
  }
  const Type written = written_type(node, plan, target);
  if (plan.is_out && is_known && !(written.is_tensor() && written.has_rank()))
    return missing_type(node, fmt::format("whether it resizes {}", view.call->name()));
  if (resizes(view, written)) {
    if (view.parent >= 0 || memory.owner || memory.num_views != 1) {
      return absl::UnimplementedError(
          fmt::format("{} resizes {}, which is a view, has views or is an input: pass a tensor "
                      "with the size of the result",
                      describe(node), view.call->name()));
    }
    if (reads_memory(node, plan, target)) {
      return absl::InvalidArgumentError(
          fmt::format("{} resizes {}, which it also reads", describe(node), view.call->name()));
    }
    view.type = written;
    return absl::OkStatus();
  }
  // A range may have the same number of elements.
  const Type computed = plan.is_out ? result_of(plan, functional[node], target) : Type();
  if (written.is_tensor() && computed.is_tensor() && written.has_rank() && computed.has_rank() &&
      !same_sizes(written, computed))
    return absl::UnimplementedError(
        fmt::format("{} writes to {}, which has other sizes: pass a tensor with the size of the "
                    "result",
                    describe(node), view.call->name()));
  return absl::OkStatus();
}

/// Sets the value of a call that writes: its results are the written arguments, or separate
/// tensors.
void Aliases::set_written_results(Node& node, const OpPlan& plan,
                                  const std::vector<WriteTarget>& targets) {
  if (!plan.several) {
    values[node] = {};
    if (plan.outputs[0].result < 0) return;
    values[node] = plan.outputs[0].argument >= 0 && !targets.empty() && targets[0].output == 0 &&
                           targets[0].item < 0
                       ? Value::identity(targets[0].identity)
                       : fresh(node, &plan);
    return;
  }
  const uint32_t aggregate = add_aggregate(node, &plan, -1);
  std::vector<Value>& items = aggregates[aggregate].items;
  for (const WriteTarget& target : targets) {
    const int result = plan.outputs[target.output].result;
    if (result < 0 || target.item >= 0) continue;
    if (static_cast<size_t>(result) >= items.size()) items.resize(static_cast<size_t>(result) + 1);
    items[static_cast<size_t>(result)] = Value::identity(target.identity);
  }
  values[node] = Value::aggregate(aggregate);
}

absl::Status Aliases::visit_write(Node& node, const OpPlan& plan) {
  std::vector<WriteTarget> targets;
  FX_RETURN_IF_ERROR(targets_of(node, plan, targets));
  const Type first = targets.empty() ? Type() : view_of(targets[0].identity).type;
  const DropoutResult dropout = dropout_result(node, first);
  if (dropout == DropoutResult::kUnknown) {
    return absl::UnimplementedError(fmt::format(
        "{} may or may not write to its argument: p must be a number from 0 to 1, and train "
        "must be a constant",
        describe(node)));
  }
  if (dropout == DropoutResult::kOperand && !targets.empty()) {
    values[node] = Value::identity(targets[0].identity);
    return absl::OkStatus();
  }
  FX_RETURN_IF_ERROR(check_call(node, plan, form_call(node, plan, first), targets));
  for (const WriteTarget& target : targets) FX_RETURN_IF_ERROR(check_target(node, plan, target));
  FX_RETURN_IF_ERROR(goes_item_by_item(node, plan, targets).status());
  for (const WriteTarget& target : targets) {
    View& view = view_of(target.identity);
    Memory& memory = memories[view.memory];
    ++memory.generation;
    if (view.parent < 0) view.generation = memory.generation;
  }
  set_written_results(node, plan, targets);
  return absl::OkStatus();
}

absl::Status Aliases::visit_metadata(Node& node, const OpPlan& plan) {
  const auto self = passed_argument(node, *plan.op, plan.op->written_arguments()[0]);
  const Node* tensor = self ? self->node() : nullptr;
  if (!tensor || !values[*tensor].is_identity()) {
    return absl::FailedPreconditionError(
        fmt::format("{} writes to a value that is not a tensor of this graph", describe(node)));
  }
  const uint32_t identity = values[*tensor].index();
  FX_RETURN_IF_ERROR(check_certain(node, view_of(identity)));
  const View& first = views[identities[identity].first_view];
  if (plan.kind != ViewKind::kSame && memories[first.memory].owner && first.parent < 0) {
    return absl::UnimplementedError(
        fmt::format("{} changes the sizes or strides of input {}, which operators without writes "
                    "cannot do: apply it to a view of the input",
                    describe(node), first.call->name()));
  }
  if (const Node* const same = memories[first.memory].maybe_same) {
    return absl::FailedPreconditionError(
        fmt::format("{} changes sizes or strides, and {} may or may not return its operand itself: "
                    "propagate types first",
                    describe(node), describe(*same)));
  }
  const Type type = complete_type(node, /*is_view=*/true);
  const uint32_t view = add_view(node, identities[identity].view, plan.kind, type, -1);
  identities[identity].view = view;
  metadata_view[node] = view;
  values[node] = Value::identity(identity);
  return absl::OkStatus();
}

// ---------------------------------------------------------------- where writes go

int32_t Aliases::written_view(const View& view) const {
  int32_t outer = view.parent;
  if (view.overlaps) return outer;  // all elements in one location are equal
  while (outer >= 0 && views[static_cast<uint32_t>(outer)].overlaps)
    outer = views[static_cast<uint32_t>(outer)].parent;
  return outer;
}

/// Fails for writes that eager mode rejects: writes to a tensor with multiple elements in one
/// memory location, unless they write the same number to all elements.
absl::Status Aliases::check_overlap(const Node& writer, const OpPlan& plan, const View& view) {
  for (const View* at = &view; at->overlaps; at = &views[static_cast<uint32_t>(at->parent)]) {
    const bool goes_back = plan.accepts_overlap && at->parent >= 0 &&
                           (at->kind == ViewKind::kExpand || !is_scattered(at->kind));
    if (goes_back) continue;
    return absl::UnimplementedError(fmt::format(
        "{} writes to {}, multiple elements of which may share a memory location: write to a clone "
        "of it",
        describe(writer), describe(*view.call)));
  }
  return absl::OkStatus();
}

/// Fails unless it is known which tensor contains the view.
absl::Status Aliases::check_certain(const Node& writer, const View& view) const {
  if (memories[view.memory].may_share.empty()) return absl::OkStatus();
  const Node& root = *memories_root(view).call;
  const bool is_item = root.target() == "operator.getitem" && root.num_args() == 2;
  const Node* const call = is_item ? root.arg(0).node() : &root;
  if (call != nullptr && !nested_graphs(*call).empty()) {
    return absl::FailedPreconditionError(fmt::format(
        "{} writes to {}, a result of {}, which may share memory with an operand or with another "
        "result of this call: return a clone of it (aten.clone) from the nested graphs",
        describe(writer), describe(root), describe(*call)));
  }
  return absl::FailedPreconditionError(
      fmt::format("{} writes to {}, which may be a view or a copy: run lower_to_aten and "
                  "propagate_types first",
                  describe(writer), describe(*memories_root(view).call)));
}

absl::Status Aliases::check_writable(const Node& writer, uint32_t index) {
  FX_RETURN_IF_ERROR(check_certain(writer, views[index]));
  for (auto i = static_cast<int32_t>(index); i >= 0;) {
    View& view = views[static_cast<uint32_t>(i)];
    if (view.writable) break;
    if (view.parent >= 0) FX_RETURN_IF_ERROR(check_inverse(writer, view));
    view.writable = true;
    i = written_view(view);
  }
  return absl::OkStatus();
}

absl::Status Aliases::check_inverse(const Node& writer, const View& view) const {
  const int32_t outer = written_view(view);
  const View& parent = views[static_cast<uint32_t>(outer < 0 ? view.parent : outer)];
  const Type whole = parent.type, part = view.type;
  const auto no_inverse = [&](std::string_view why) {
    return absl::UnimplementedError(
        fmt::format("{} writes through {}, {}", describe(writer), describe(*view.call), why));
  };
  const auto by_strides = [&]() -> absl::Status {
    if (!has_layout(whole) || !has_layout(part))
      return missing_type(!has_layout(whole) ? *parent.call : *view.call,
                          "the elements that it covers");
    if (whole.dtype() != part.dtype() || view.elements != parent.elements)
      return no_inverse("which has elements of a different type");
    if (!covers(whole, part))
      return no_inverse(
          "which extends beyond the tensor that it is a view of, or into a gap between its "
          "elements, or has a symbolic position");
    if (may_overlap_itself(part))
      return no_inverse("multiple elements of which may share a memory location");
    return absl::OkStatus();
  };
  if (outer < 0) {
    return no_inverse(
        "a view of an input or tensor with multiple elements in one location in "
        "memory");
  }
  if (outer != view.parent) return by_strides();
  switch (view.kind) {
    case ViewKind::kExpand:
      if (!part.is_tensor() || !part.has_rank())
        return missing_type(*view.call, "the inverse of the view");
      [[fallthrough]];
    case ViewKind::kReshape:
    case ViewKind::kReverse:
    case ViewKind::kPermute:
      if (!whole.is_tensor() || !whole.has_rank())
        return missing_type(*parent.call, "the inverse of a view of it");
      break;
    case ViewKind::kViewDType:
      if (!part.is_tensor() || part.dtype() == DType::kUndefined)
        return missing_type(*view.call, "the inverse of the view");
      // A bool may be any byte in memory, and copies of bools write 0 or 1.
      if (whole.is_tensor() && whole.dtype() != part.dtype() &&
          (whole.dtype() == DType::kBool || part.dtype() == DType::kBool))
        return no_inverse("which reinterprets bools: bytes other than 0 and 1 are lost in copies");
      [[fallthrough]];
    case ViewKind::kReal:
    case ViewKind::kAdjoint:
    case ViewKind::kConj:
      if (!whole.is_tensor() || !whole.has_rank() || whole.dtype() == DType::kUndefined)
        return missing_type(*parent.call, "the inverse of a view of it");
      break;
    case ViewKind::kSqueezeDim:
      if (!squeezes(view, whole)) return missing_type(*parent.call, "the inverse of a view of it");
      break;
    case ViewKind::kNarrow: {
      const Argument start = view_argument(view, 2);
      if (!start.is_int() || !view_argument(view, 3).is_int())
        return no_inverse("which has a symbolic position: use aten.slice.Tensor");
      if (start.as_int() < 0 && (!whole.is_tensor() || !whole.has_rank()))
        return missing_type(*parent.call, "the start of the view of it (aten.narrow)");
      break;
    }
    case ViewKind::kSplit:
      if (!split_range(view))
        return no_inverse("which is an item of unknown or symbolic size: use aten.slice.Tensor");
      break;
    case ViewKind::kAsStrided:
    case ViewKind::kOther:
      if (view.item >= 0 && view.kind == ViewKind::kAsStrided)
        return no_inverse("which has elements of a different type");
      return by_strides();
    default:
      break;
  }
  return absl::OkStatus();
}

}  // namespace fx::functional
