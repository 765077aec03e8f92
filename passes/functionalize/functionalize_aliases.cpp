// Determines which memory each value of a graph uses.
#include "fx/interp/shared_attributes.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/shape/shape_prop.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace fx::functional {
namespace {

using ops::Effect;
using Role = OpPlan::Role;

/// The maximum number of items of a list or tuple.
constexpr int64_t kMaxItems = 1 << 20;

/// Returns shared_results (memory.h) for the results of a call that runs nested graphs. True for
/// results that only some of the graphs have.
std::vector<bool> shared_results_of(const Node& call) {
  std::vector<bool> shared;
  bool is_first = true;
  for (const Graph* run : result_graphs(call)) {
    if (run == nullptr) continue;  // may_share_results_of
    const std::vector<bool> results = shared_results(*run);
    const size_t both = std::min(shared.size(), results.size());
    const size_t all = std::max(shared.size(), results.size());
    if (std::exchange(is_first, false)) {
      shared = results;
      continue;
    }
    for (size_t i = 0; i < both; ++i) shared[i] = shared[i] || results[i];
    shared.resize(both);
    shared.resize(all, true);
  }
  return shared;
}

/// True if all graphs that a call runs are available, and nested in its graph.
bool runs_only_nested(const Node& call) {
  const absl::InlinedVector<Graph*, 2> found = nested_graphs(call);
  const auto runs = graphs_of_call(call, call.graph().owning_module());
  return !found.empty() && std::ranges::all_of(runs, [&](const Graph* run) {
    return std::ranges::find(found, run) != found.end();
  });
}

/// True if the call returns the operand itself, according to the types of the result and the
/// operand. A partly unknown type may be that of a different tensor. The caller also handles
/// operators of ViewKind::kOther.
bool returns_operand(const ops::OpInfo& op, Type type, Type operand) {
  if (op.packet() == "aten.lift" || op.packet() == "aten.lift_fresh") return true;
  const ViewKind kind = ops::view_kind(op);
  if (!type.is_tensor() || !known_equal(type, operand)) return false;
  if (ops::conjugates(kind) && !has_real_dtype(type)) return false;
  if (kind == ViewKind::kAdjoint || kind == ViewKind::kMatrixTranspose) return type.rank() == 0;
  return ops::may_return_source(op);
}

/// True if libtorch does not conjugate or negate the elements of the view when it reads them:
/// resolve_conj and resolve_neg return the tensor itself. False if this is not known, as for an
/// input.
bool is_resolved(const Aliases& aliases, const View& view) {
  const Memory& memory = aliases.memories[view.memory];
  if (view.conjugated || memory.owner != nullptr || !memory.may_share.empty()) return false;
  const View* source = &view;
  for (; source->parent >= 0; source = &aliases.views[static_cast<size_t>(source->parent)])
    if (source->kind == ViewKind::kOther || source->kind == ViewKind::kImaginary) return false;
  return MemoryAnalysis::returns_only_new_memory(*source->call);
}

/// False for a call of a function or method on numbers, such as `iadd`, which cannot write to them.
bool may_have_memory(const Node& call) {
  bool may_have = call.op() == Opcode::kCallModule || call.graph().num_subgraphs() > 0;
  call.for_each_input([&](const Node* input) { may_have |= !has_no_memory(input->type()); });
  return may_have;
}

}  // namespace

bool may_share_results_of(const Node& call) {
  const std::vector<bool> shared = shared_results_of(call);
  return !runs_only_nested(call) || std::ranges::find(shared, true) != shared.end();
}

Aliases::Aliases(Graph& g, OpPlans& p, bool in_dtype_mode)
    : graph(g),
      plans(p),
      values(g),
      metadata_view(g),
      inferred(g),
      functional(g),
      nested_(g.is_nested()),
      in_dtype_mode_(in_dtype_mode) {}

const OpPlan* Aliases::plan_of(const Node& node) {
  return node.op() == Opcode::kCallFunction ? &plans.find(node.function()) : nullptr;
}

bool Aliases::has_writes() {
  for (const Node& node : graph.nodes()) {
    if (node.op() == Opcode::kCallFunction) {
      const ops::OpInfo* op = node.function().op();
      const bool runs_other = op && op->has(ops::OpTrait::kSubgraphs) && !runs_only_nested(node);
      if (op && !runs_other && !op->effects().has(Effect::kWritesArguments)) continue;
      if (const OpPlan& plan = *plan_of(node); plan.role == Role::kWrite) {
        if (writes(node, plan)) return true;
        continue;
      }
    }
    if (effects(node).has(Effect::kWritesArguments) && may_have_memory(node)) return true;
  }
  return false;
}

bool Aliases::writes(const Node& node, const OpPlan& plan) const {
  const bool has_target = std::ranges::any_of(plan.op->written_arguments(), [&](uint8_t index) {
    const std::optional<ArgumentRef> given = passed_argument(node, *plan.op, index);
    if (!given) return false;
    for (size_t i = 0; i < given->size(); ++i)
      if (!(*given)[i].is_none()) return true;
    return given->is_node();
  });
  return has_target &&
         (plan.op->conditional_effects().empty() || effects(node).has(Effect::kWritesArguments));
}

// ---------------------------------------------------------------- traversal

absl::Status Aliases::run() {
  for (Node& node : graph.nodes()) FX_RETURN_IF_ERROR(visit(node));
  return absl::OkStatus();
}

absl::Status Aliases::visit(Node& node) {
  if (!node.is_placeholder()) FX_RETURN_IF_ERROR(check_reads(node));
  switch (node.op()) {
    case Opcode::kPlaceholder:
    case Opcode::kGetAttr: {
      if (!may_be_tensor(node.type())) return absl::OkStatus();
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
      return visit_non_aten(node);
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

absl::Status Aliases::check_reads(Node& node) {
  absl::Status status = check_addressed(node);
  const bool is_item = item_number(node).has_value();
  node.for_each_input([&](Node* input) {
    const Value value = values[*input];
    if (!status.ok()) return;
    if (value.is_identity()) status = check_stale(node, view_of(value.index()));
    if (!value.is_aggregate()) return;
    const Aggregate& list = aggregates[value.index()];
    for (const MemoryState& state : list.may_share) {
      if (memories[state.memory].generation == state.generation) continue;
      status = absl::FailedPreconditionError(fmt::format(
          "items of {} may or may not share memory that is written before {} reads them: run "
          "lower_to_aten and propagate_types first",
          describe(*list.node), describe(node)));
      return;
    }
    // The call uses the list itself, so the pass must be able to create a list of its items.
    if (!is_item && is_stale(list) && !num_items(list))
      status = missing_type(*list.node, "its number of items");
  });
  return status;
}

void Aliases::note_returned(Node& output) {
  const std::optional<Argument> descriptions = output.meta().get(meta::kOutputs);
  if (!descriptions || output.num_args() != 1) return;
  const ArgumentRef results = output.arg(0);
  for (size_t i = 0; i < results.size() && i < descriptions->size(); ++i) {
    const Argument& description = (*descriptions)[i];
    Node* node = results[i].node();
    if (!node || !values[*node].is_identity() || description.find_text("kind") != "mutation")
      continue;
    const View& view = view_of(values[*node].index());
    if (view.parent < 0) memories[view.memory].returned = true;
  }
}

/// Fails if a call reads an attribute, or a tensor of the module, to which an earlier call writes:
/// the new graph writes to it after its last call.
absl::Status Aliases::check_unwritten(const Node& node, std::string_view path, bool is_module) {
  const auto is_read = [&](std::string_view tensor) {
    const bool is_inside = is_module && tensor.size() > path.size() && tensor.starts_with(path) &&
                           tensor[path.size()] == '.';
    return tensor == path || is_inside || (is_module && path.empty());
  };
  for (const Memory& memory : memories) {
    if (!memory.owner || memory.owner->op() != Opcode::kGetAttr || memory.generation == 0) continue;
    const std::string_view written = memory.owner->target();
    if (!shared_attributes_) shared_attributes_.emplace(graph.owning_module());
    const std::optional<size_t> group = shared_attributes_->group_of(written);
    if (!is_read(written) &&
        !(group && std::ranges::any_of(shared_attributes_->paths(*group), is_read)))
      continue;
    return absl::UnimplementedError(
        fmt::format("{} reads {}, to which an earlier call writes: pass the value as an operand "
                    "instead",
                    describe(node), written));
  }
  return absl::OkStatus();
}

absl::Status Aliases::check_attributes(const Node& node, const Graph& nested) {
  for (const Graph& each : all_graphs(nested)) {
    for (const Node& inner : each.nodes()) {
      const bool is_module = inner.op() == Opcode::kCallModule;
      if (is_module || inner.op() == Opcode::kGetAttr)
        FX_RETURN_IF_ERROR(check_unwritten(node, inner.target(), is_module));
    }
  }
  return absl::OkStatus();
}

absl::Status Aliases::visit_non_aten(Node& node) {
  if (effects(node).has(Effect::kWritesArguments)) {
    const Module* module = node.op() == Opcode::kCallModule ? graph.owning_module() : nullptr;
    if (module) module = module->find_module(node.target());
    return absl::FailedPreconditionError(fmt::format(
        "{} may write to its arguments, but functionalize accepts only ATen operators: run {}",
        describe(node),
        module && module->as_graph_module()
            ? "inline_calls first"
            : "lower_to_aten first, or capture the program (fx::capture)"));
  }
  if (node.op() == Opcode::kCallModule) {
    FX_RETURN_IF_ERROR(check_unwritten(node, node.target(), /*is_module=*/true));
    values[node] = uncertain(node, nullptr);
    return absl::OkStatus();
  }
  const ops::OpInfo* op = node.context().ops().find_method(node.target());
  values[node] = op && op->returns_new_memory() ? fresh(node, nullptr) : uncertain(node, nullptr);
  return absl::OkStatus();
}

/// Visits a call that runs nested graphs, whose writes are checked when each graph is visited.
absl::Status Aliases::visit_subgraphs(Node& node) {
  for (const Graph* nested : nested_graphs(node))
    FX_RETURN_IF_ERROR(check_attributes(node, *nested));
  if (!runs_only_nested(node) && effects(node).has(Effect::kWritesArguments)) {
    const auto runs = graphs_of_call(node, graph.owning_module());
    return absl::FailedPreconditionError(fmt::format(
        "{} runs a graph that {}", describe(node),
        std::ranges::find(runs, nullptr) != runs.end()
            ? "is not available and may write to its arguments: add the graph"
            : "is in a module and writes to its arguments: return the new values from the graph, "
              "and write them (aten.copy_) after the call"));
  }
  if (!may_share_results_of(node)) {
    values[node] = fresh(node, nullptr);
    return absl::OkStatus();
  }
  values[node] = uncertain(node, nullptr);
  if (values[node].is_aggregate()) {
    Aggregate& results = aggregates[values[node].index()];
    if (runs_only_nested(node)) results.shared = shared_results_of(node);
    // The other results may be the same tensor, so calls must not write to them.
    results.may_share.push_back({static_cast<uint32_t>(memories.size()), 0});
    memories.emplace_back();
  }
  return absl::OkStatus();
}

absl::Status Aliases::visit_call(Node& node, const OpPlan& plan) {
  if (plan.op && plan.role != Role::kWrite && !(node.type() && reads_as_recorded(node))) {
    // A recorded type shows that eager mode accepts the call. check_call checks calls that write.
    absl::Status status = infer(node).status();
    if (status.code() == absl::StatusCode::kInvalidArgument) {
      if (reads_as_recorded(node)) return status;  // which names the node
      return absl::InvalidArgumentError(
          fmt::format("{}: {}", describe(node), std::string(status.message())));
    }
  }
  switch (plan.role) {
    case Role::kFresh:
      if (plan.op->has(ops::OpTrait::kSubgraphs)) return visit_subgraphs(node);
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
        "{} is unknown: declare what it writes and what memory it shares (Context::add_operator)",
        describe(node)));
  }
  if (!writes_arguments && !plan.op->is_function()) {
    values[node] = plan.op->returns_new_memory() ? fresh(node, &plan) : uncertain(node, &plan);
    return absl::OkStatus();
  }
  if (plan.op->is_function()) {
    return absl::FailedPreconditionError(fmt::format(
        "{} may write to its arguments or share memory with them, but functionalize accepts "
        "only ATen operators: run lower_to_aten first, or capture the program (fx::capture)",
        describe(node)));
  }
  return absl::UnimplementedError(fmt::format(
      "{} writes to its arguments and has no functional form: use an operator that has one",
      describe(node)));
}

std::optional<uint32_t> Aliases::item_number(const Node& node) {
  const std::optional<int64_t> index = constant_item(node);
  if (!index) return std::nullopt;
  const Value list = values[*node.arg(0).node()];
  if (!list.is_aggregate()) return std::nullopt;
  int64_t number = *index;
  if (number < 0) number += static_cast<int64_t>(num_items(aggregates[list.index()]).value_or(0));
  if (number < 0 || number >= kMaxItems) return std::nullopt;
  return static_cast<uint32_t>(number);
}

/// Returns the list that a slice of a list returns. Nullopt if its items are unknown, or if one of
/// them has separate memory and is used for the first time.
std::optional<Value> Aliases::slice_of(Node& node, uint32_t list) {
  const std::optional<size_t> count = num_items(aggregates[list]);
  if (!count) return std::nullopt;
  const auto indices = sliced_indices(Argument(node.arg(1)), static_cast<int64_t>(*count));
  if (!indices) return std::nullopt;
  if (!is_complete(node.type())) {
    const absl::StatusOr<InferredCall> call = infer(node);
    if (!call.ok() || !call->type) return std::nullopt;
    inferred[node] = call->type;
  }
  std::vector<Value> items;
  for (const int64_t index : *indices) {
    const auto number = static_cast<uint32_t>(index);
    const std::vector<Value>& known = aggregates[list].items;
    const bool is_used =
        number < known.size() && (known[number].is_identity() || known[number].is_aggregate());
    if (!is_used && aggregates[list].source < 0) return std::nullopt;
    items.push_back(item(list, number, node));
  }
  const uint32_t slice = add_aggregate(node, nullptr, -1);
  aggregates[slice].items = std::move(items);
  return Value::aggregate(slice);
}

void Aliases::visit_getitem(Node& node) {
  const Node* aggregate = node.num_args() == 2 ? node.arg(0).node() : nullptr;
  const Value value = aggregate ? values[*aggregate] : Value();
  if (const std::optional<uint32_t> number = item_number(node)) {
    const Value found = item(value.index(), *number, node);
    values[node] = found;
    if (!is_complete(node.type()) && found.is_identity())
      inferred[node] = views[identities[found.index()].first_view].recorded;
    return;
  }
  if (value.is_aggregate()) {
    if (const std::optional<Value> slice = slice_of(node, value.index())) {
      values[node] = *slice;
      return;
    }
  }
  if (value.is_identity()) {
    // Python's indexing of a tensor returns a view, unless an index is a tensor or list.
    const absl::StatusOr<InferredCall> call = infer(node);
    if (call.ok() && call->type) {
      if (!is_complete(node.type())) inferred[node] = call->type;
      values[node] =
          call->may_alias ? uncertain(node, nullptr)
          : call->aliases.empty()
              ? fresh(node, nullptr)
              : Value::identity(add_identity(add_view(node, identities[value.index()].view,
                                                      ViewKind::kOther, call->type, -1)));
      return;
    }
  }
  values[node] = uncertain(node, nullptr);
}

absl::Status Aliases::visit_view(Node& node, const OpPlan& plan) {
  const auto source = passed_argument(node, *plan.op, plan.source);
  Node* source_node = source ? source->node() : nullptr;
  if (!source_node || !values[*source_node].is_identity() || plan.several) {
    values[node] = uncertain(node, &plan);
    return absl::OkStatus();
  }
  const Type type = complete_type(node, /*is_view=*/true);
  const bool is_list = plan.result_list || type.is_list() || type.is_tuple();
  ViewKind kind = plan.kind;
  if (may_resolve(*plan.op, type_of(*source_node))) {
    const bool is_same = is_resolved(*this, view_of(values[*source_node].index()));
    values[node] = is_same ? values[*source_node] : uncertain(node, &plan);
    return absl::OkStatus();
  }
  const Type operand = type_of(*source_node);
  if (returns_operand(*plan.op, type, operand)) {
    values[node] = values[*source_node];
    return absl::OkStatus();
  }
  bool may_be_operand =
      ops::may_return_source(*plan.op) && !(is_fully_known(type) && is_fully_known(operand));
  if (plan.role == Role::kMaybeView) {
    const absl::StatusOr<InferredCall> call = infer(node);
    const bool is_known = call.ok() && call->type && !call->may_alias;
    const bool is_new = is_known && call->aliases.empty() && !plan.op->has(ops::OpTrait::kMayAlias);
    if (is_new || dropout_result(node, type_of(*source_node)) == DropoutResult::kNew) {
      values[node] = fresh(node, &plan);
      if (is_new) return absl::OkStatus();
      // It is the operand itself if the operand has no elements.
      for (const Value value : {values[*source_node], values[node]})
        memories[views[identities[value.index()].view].memory].maybe_same = &node;
      return absl::OkStatus();
    }
    if (!is_known || is_list || call->aliases.empty() || call->aliases[0].argument != plan.source) {
      values[node] = uncertain(node, &plan);
      return absl::OkStatus();
    }
    const bool is_same = known_equal(call->type, operand);
    may_be_operand = may_be_operand || (kind == ViewKind::kOther &&
                                        !(is_fully_known(call->type) && is_fully_known(operand)));
    if (is_same && kind == ViewKind::kOther) {
      // The tensor itself, as for `contiguous` of a contiguous tensor.
      values[node] = values[*source_node];
      return absl::OkStatus();
    }
    if (is_same && (!ops::conjugates(kind) || has_real_dtype(operand))) {
      kind = ViewKind::kSame;
    } else if (kind == ViewKind::kOther &&
               same_value(numel(operand.sizes()), numel(call->type.sizes()))) {
      kind = ViewKind::kReshape;  // the same elements in the same order
    }
  }
  const uint32_t parent = identities[values[*source_node].index()].view;
  if (may_be_operand) memories[views[parent].memory].maybe_same = &node;
  if (kind == ViewKind::kAsStrided && memories[views[parent].memory].generation != 0) {
    const Type whole = views[views[parent].elements].type;
    if (!has_layout(type) || !has_layout(whole))
      return missing_type(has_layout(type) ? *source_node : node,
                          "the elements that it covers after a write");
    FX_RETURN_IF_ERROR(check_spans(node, whole, type, memories_root(views[parent]).type));
  }
  values[node] = is_list
                     ? Value::aggregate(add_aggregate(node, &plan, static_cast<int32_t>(parent)))
                     : Value::identity(add_identity(add_view(node, parent, kind, type, -1)));
  return absl::OkStatus();
}

}  // namespace fx::functional
