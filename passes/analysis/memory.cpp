// Memory of values: see memory.h.
#include "fx/passes/analysis/memory.h"

#include "fx/interp/shared_inputs.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/metadata_writes.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/registry.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace fx {
namespace {

using ops::AliasKind;
using ops::Effect;
using ops::Effects;
using ops::OpInfo;

/// Calls `f` for every node in an argument.
template <class Value, class F>
void for_each_node(const Value& value, F&& f) {  // NOLINT(misc-no-recursion): arguments nest
  if (const Node* node = value.node()) return f(*node);
  if (!is_aggregate(value.kind())) return;
  for (size_t i = 0; i < value.size(); ++i) for_each_node(value[i], f);
}

/// True for an index of integers and slices, which selects a view of a tensor or an item of a list.
/// Indexing by tensors or lists copies.
bool is_basic_index(ArgumentRef index) {  // NOLINT(misc-no-recursion): arguments nest
  switch (index.kind()) {
    case ArgumentKind::kInt:
    case ArgumentKind::kNone:
    case ArgumentKind::kEllipsis:
    case ArgumentKind::kSlice:
    case ArgumentKind::kString:
      return true;
    case ArgumentKind::kTuple:
      for (size_t i = 0; i < index.size(); ++i)
        if (!is_basic_index(index[i])) return false;
      return true;
    default:
      return false;
  }
}

/// True for attributes of a tensor that are not tensors.
bool is_plain_attribute(std::string_view name) {
  constexpr std::string_view kNames[] = {"shape",     "dtype",         "device",  "layout",
                                         "ndim",      "requires_grad", "is_leaf", "is_cuda",
                                         "is_cpu",    "nbytes",        "is_meta", "is_quantized",
                                         "is_sparse", "names",         "itemsize"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

bool returns_list(const OpInfo& op) {
  return op.schema().returns().size() > 1 ||
         std::ranges::any_of(op.schema().returns(), [](const ops::SchemaArgument& result) {
           return result.type.without_optional().is_list();
         });
}

/// True for Python's functions that join lists or dicts, if their operands are such: `+`, `*`, `|`.
bool may_join(const OpInfo& op) {
  constexpr std::string_view kNames[] = {"operator.add", "operator.and_", "operator.concat",
                                         "operator.mul", "operator.or_",  "operator.sub",
                                         "operator.xor", "builtins.sum"};
  return op.is_function() && std::ranges::find(kNames, op.name()) != std::end(kNames);
}

/// True if the value may be a list or a dict of tensors, even if its operands are not.
bool may_create_list(const Node& value, const OpInfo* op) {
  if (op == nullptr || op->schema().is_varret()) return true;
  if (op->name() == "operator.getitem")
    return value.num_args() == 2 && value.arg(1).kind() == ArgumentKind::kSlice;
  if (returns_list(*op) || (op->is_function() && op->aliases_unknown())) return true;
  // The row of a function that calls multiple overloads does not specify what they return.
  return op->is_function() &&
         std::ranges::any_of(ops::find_overloads(fmt::format("aten.{}", op->base_name())),
                             returns_list);
}

/// True if an operand may be a list or a dict of tensors, whose items are then items of the result.
/// Follows untyped operands that may themselves be joined lists.
bool has_list_operand(const Node& node) {
  constexpr int kMaxCalls = 16;  // longer chains count as lists
  absl::InlinedVector<const Node*, kMaxCalls> calls = {&node};
  for (int visited = 0; !calls.empty(); ++visited) {
    if (visited == kMaxCalls) return true;
    const Node& call = *calls.back();
    calls.pop_back();
    for (size_t i = 0; i < call.num_args(); ++i) {
      if (is_aggregate(call.arg(i).kind())) return true;
      const Node* const operand = call.arg(i).node();
      if (operand == nullptr) continue;
      if (const Type type = operand->type()) {
        if (type.is_list() || type.is_tuple() || type.kind() == TypeKind::kMap) return true;
        continue;
      }
      if (!operand->is_call()) continue;
      const OpInfo* const op = called_operator(*operand);
      if (may_create_list(*operand, op)) return true;
      if (may_join(*op)) calls.push_back(operand);
    }
  }
  return false;
}

bool joins_lists(const Node& node, const OpInfo& op) {
  if (!may_join(op) || (node.type() && node.type().is_tensor())) return false;
  return op.name() == "builtins.sum" || has_list_operand(node);
}

/// True for a value that may be a list, a dict or another object with items.
bool may_be_container(const Node& value) {
  if (value.type()) return !value.type().is_tensor() && !has_no_memory(value.type());
  const OpInfo* const op = value.is_call() ? called_operator(value) : nullptr;
  return op == nullptr || op->name() == "operator.getitem" || may_create_list(value, op);
}

/// True for layers of torch.nn that may return their input, or a view of it.
bool layer_may_share(const Module& module) {
  constexpr std::string_view kPrefix = "torch.nn.modules.";
  constexpr std::string_view kSharing[] = {"linear.Identity", "flatten.", "dropout.",
                                           "container.",      "module.",  "transformer."};
  std::string_view name = module.class_name();
  if (!name.starts_with(kPrefix)) return true;
  name.remove_prefix(kPrefix.size());
  return std::ranges::any_of(kSharing, [&](std::string_view s) { return name.starts_with(s); });
}

/// True if the call is a dropout whose result is certainly new memory.
bool is_new_dropout(const Node& call) {
  const auto has_elements = [](const Node* tensor) {
    return tensor != nullptr && tensor->type().is_tensor() && tensor->type().has_rank() &&
           std::ranges::all_of(tensor->type().sizes(),
                               [](const Dim& size) { return size.is_int() && size.value() > 0; });
  };
  const Node* const operand = call.num_args() > 0 ? call.arg(0).node() : nullptr;
  return dropout_result(call, Type()) == DropoutResult::kNew &&
         (has_elements(&call) || has_elements(operand));
}

/// Returns the number of results of a call that returns each result of its graphs separately: a
/// call to cond, while_loop or a single graph. Returns 1 for other calls, whose results share one
/// slot.
uint32_t num_graph_results(const Node& call) {
  if (call.target() != "higher_order.cond" && call.target() != "higher_order.while_loop") {
    const auto found = graph_call(call);
    if (!found.ok() || !*found) return 1;
  }
  std::optional<size_t> count;
  for (const Graph* const graph : result_graphs(call)) {
    const Node* const output = graph == nullptr ? nullptr : graph->output_node();
    if (output == nullptr || output->num_args() != 1) return 1;
    const ArgumentRef results = output->arg(0);
    if (!results.is_list() && !results.is_tuple()) return 1;
    if (count && *count != results.size()) return 1;
    count = results.size();
  }
  return static_cast<uint32_t>(std::max<size_t>(count.value_or(1), 1));
}

}  // namespace

MemoryAnalysis::MemoryAnalysis(const Graph& graph, const MemoryOptions& options)
    : graph_(graph), options_(options), first_slot_(graph, kNone), num_slots_(graph, 0) {
  classes_.reserve(graph.size() + 1);
  roots_.reserve(graph.size() + 1);
  roots_.push_back(classes_.add());  // kNone
  facts_.reserve(graph.size() + 1);
  facts_.emplace_back();
  for (const Node& node : graph.nodes()) visit(node);
  if (options_.distinct_inputs) join_shared_inputs();
  apply_writes();
}

// ---------------------------------------------------------------- classes

uint32_t MemoryAnalysis::add_slots(const Node& node, const OpInfo* op) {
  uint32_t count = 1;
  if (op != nullptr && op->schema().returns().size() > 1)
    count = static_cast<uint32_t>(op->schema().returns().size());
  else if (op != nullptr && op->has(ops::OpTrait::kSubgraphs))
    count = num_graph_results(node);
  else if (const auto items = slots_of_slice(node, op))
    count = std::max<uint32_t>(1, static_cast<uint32_t>(items->size()));
  const auto first = static_cast<uint32_t>(classes_.size());
  for (uint32_t i = 0; i < count; ++i) roots_.push_back(classes_.add());
  facts_.resize(classes_.size());
  first_slot_[node] = first;
  num_slots_[node] = count;
  return first;
}

uint32_t MemoryAnalysis::root_of(uint32_t slot) const {
  while (roots_[slot] != slot) slot = roots_[slot];
  return slot;
}

void MemoryAnalysis::join(uint32_t a, uint32_t b) {
  a = find(a);
  b = find(b);
  if (a == b || a == kNone || b == kNone) return;
  Facts& joined = facts_[classes_.join(a, b)];
  for (const Facts& facts : {facts_[a], facts_[b]}) {
    joined.outside |= facts.outside;
    joined.returned |= facts.returned;
    joined.written |= facts.written;
    joined.metadata_written |= facts.metadata_written;
  }
}

void MemoryAnalysis::join_all(uint32_t slot, const Node& value) {
  const Slots slots = slots_of(value);
  for (uint32_t i = 0; i < slots.count; ++i) join(slot, slots.first + i);
}

void MemoryAnalysis::join_inputs(const Node& node, uint32_t slot) {
  node.for_each_input([&](const Node* input) { join_all(slot, *input); });
}

void MemoryAnalysis::join_operands(const Node& node) {
  uint32_t first = kNone;
  node.for_each_input([&](const Node* input) {
    if (first == kNone) first = slots_of(*input).first;
    join_all(first, *input);
  });
}

// ---------------------------------------------------------------- nodes

void MemoryAnalysis::visit(const Node& node) {
  if (node.is_output()) {
    node.for_each_input([&](const Node* result) {
      const Slots slots = slots_of(*result);
      for (uint32_t i = 0; i < slots.count; ++i) {
        if (slots.first != kNone) facts_[find(slots.first + i)].returned = true;
      }
    });
    return;
  }
  const OpInfo* const op =
      node.is_call() && node.op() != Opcode::kCallModule ? called_operator(node) : nullptr;
  const uint32_t slot = add_slots(node, op);
  if (has_no_memory(node.type())) first_slot_[node] = kNone;
  if (!node.is_call()) return visit_input(node, slot);
  const Effects what = effects(node);
  // Most operators return new tensors, and do nothing else.
  if (op != nullptr && what.is_pure() && op->effects().is_pure() && op->returns_new_memory() &&
      !op->returns_no_memory() && !op->is_function() && !op->has(ops::OpTrait::kSubgraphs))
    return;
  if (options_.pure_unknown_calls && is_unknown_call(node)) return;
  if (node.op() == Opcode::kCallModule) {
    visit_module(node, what);
  } else if (op == nullptr) {
    visit_unknown(node, /*from_outside=*/true);
  } else if (op->has(ops::OpTrait::kSubgraphs)) {
    visit_graph_call(node, what);
  } else {
    visit_operator(node, *op, what);
  }
  note_writes(node, what);
}

/// Visits a placeholder or get_attr.
void MemoryAnalysis::visit_input(const Node& node, uint32_t slot) {
  const bool is_attribute = node.op() == Opcode::kGetAttr;
  if (!(is_attribute ? options_.distinct_attributes : options_.distinct_inputs)) {
    facts_[slot].outside = true;
  } else if (is_attribute && first_slot_[node] != kNone) {
    join(slot, slot_of_attribute(node.target(), slot));
  }
}

void MemoryAnalysis::join_shared_inputs() {
  for (const SharedInputs& group : shared_inputs(graph_)) {
    for (const Node* input : group.nodes) join_all(slots_of(*group.nodes[0]).first, *input);
  }
}

/// Marks the operands as external: an unknown function may keep references to them.
void MemoryAnalysis::mark_inputs_external(const Node& node) {
  node.for_each_input([&](const Node* input) {
    for_each_class(*input, [&](uint32_t slot) { facts_[slot].outside = true; });
  });
}

void MemoryAnalysis::visit_unknown(const Node& node, bool from_outside) {
  if (from_outside) mark_inputs_external(node);
  const Slots slots = slots_of(node);
  for (uint32_t i = 0; i < slots.count && slots.first != kNone; ++i) {
    if (from_outside) facts_[find(slots.first + i)].outside = true;
    join_inputs(node, slots.first + i);
  }
}

void MemoryAnalysis::visit_module(const Node& node, Effects what) {
  const Module* owner = node.graph().owning_module();
  const Module* module = owner == nullptr ? nullptr : owner->find_module(node.target());
  if (module == nullptr || what == Effects::all())
    visit_unknown(node, /*from_outside=*/true);
  else if (layer_may_share(*module) || what.has(Effect::kWritesArguments))
    visit_unknown(node, /*from_outside=*/false);
}

bool MemoryAnalysis::may_store_operands(const Node& node) {
  if (node.op() != Opcode::kCallFunction && node.op() != Opcode::kCallMethod) return false;
  const OpInfo* const op = called_operator(node);
  if (op == nullptr || !op->effects().has(Effect::kWritesArguments)) return false;
  // set_data(x, y): the result of set_, in contrast, shares memory with both.
  if (op->has(ops::OpTrait::kWritesMetadata) && op->schema().returns().empty()) return true;
  if (op->has(ops::OpTrait::kTorchScript)) return true;  // aten.append.t
  // A method that changes its tensor ends in `_`: x.add_(y), unlike l.append(y).
  const bool is_method = node.op() == Opcode::kCallMethod && written_by_name(node) == nullptr;
  return std::ranges::any_of(op->written_arguments(), [&](uint8_t argument) {
    if (!is_method && !op->schema().arguments()[argument].type.is(ops::SchemaTypeKind::kAny))
      return false;
    const std::optional<ArgumentRef> value = passed_argument(node, *op, argument);
    return value && value->is_node() && may_be_container(*value->node());
  });
}

bool MemoryAnalysis::returns_only_new_memory(const Node& node) {
  if (node.op() != Opcode::kCallFunction) return false;
  const OpInfo* op = node.function().op();
  return op != nullptr && !op->has(ops::OpTrait::kSubgraphs) && op->returns_new_memory() &&
         (!op->is_function() || (op->name() != "operator.getitem" && !joins_lists(node, *op)));
}

void MemoryAnalysis::visit_operator(const Node& node, const OpInfo& op, Effects what) {
  const std::string_view name = op.name();
  if (op.is_function() && name == "operator.getitem") return visit_getitem(node);
  if (may_store_operands(node)) join_operands(node);
  if (op.returns_no_memory()) first_slot_[node] = kNone;
  if (first_slot_[node] == kNone) {
    if (op.aliases_unknown() && what.has_any(ops::kState)) mark_inputs_external(node);
    return;
  }
  if (op.aliases_unknown()) {
    const bool is_attribute = name == "builtins.getattr" && node.num_args() >= 2 &&
                              node.arg(1).kind() == ArgumentKind::kString;
    if (is_attribute && is_plain_attribute(node.arg(1).as_string())) {
      first_slot_[node] = kNone;
      return;
    }
    return visit_unknown(node, what.has_any(ops::kState));
  }
  if (joins_lists(node, op)) return visit_unknown(node, /*from_outside=*/false);
  const Slots slots = slots_of(node);
  if (op.output_aliases().empty()) {
    if (op.has(ops::OpTrait::kMayAlias)) visit_unknown(node, /*from_outside=*/false);
    return;
  }
  if (slots.count == 1 && join_by_types(node, op, slots.first)) return;
  const bool is_dropout = op.output_aliases()[0].kind == AliasKind::kMaybe &&
                          name.find("dropout") != std::string_view::npos;
  if (is_dropout && !op.effects().has(Effect::kWritesArguments) && is_new_dropout(node)) return;
  for (const ops::OutputAlias& alias : op.output_aliases()) {
    const uint32_t slot = slots.first + (slots.count == 1 ? 0U : alias.output);
    if (slot >= slots.first + slots.count) continue;
    // The result is the written argument for `relu(x, inplace=True)`, but not for `relu(x)`.
    // Dropout in evaluation mode returns its argument and writes nothing.
    const bool only_written = alias.kind == AliasKind::kMaybe && op.is_function() &&
                              op.writes_argument(alias.argument) &&
                              !what.has(Effect::kWritesArguments) && !is_dropout;
    // Dropout that draws nothing returns its argument.
    const bool is_argument = is_dropout && !what.has(Effect::kRandom);
    if (!only_written)
      join_argument(node, op, alias.argument, slot, alias.kind != AliasKind::kMaybe || is_argument);
  }
}

/// Joins a result that may share memory with the operands that it aliases according to the types.
/// Returns false if the types do not determine them.
bool MemoryAnalysis::join_by_types(const Node& node, const OpInfo& op, uint32_t slot) {
  if (node.op() != Opcode::kCallFunction || op.effects().has(Effect::kWritesArguments) ||
      op.output_aliases()[0].kind != AliasKind::kMaybe) {
    return false;
  }
  bool are_static = true;
  node.for_each_input([&](const Node* input) {
    are_static = are_static && is_static(input->type()) && !may_resolve(op, input->type());
  });
  if (!are_static) return false;
  const absl::StatusOr<InferredCall> inferred = infer_call(node);
  if (!inferred.ok() || !is_static(inferred->type) || !inferred->type.is_tensor()) return false;
  // If the recorded type differs, infer_call did not compute it, and its aliases may not apply.
  if (node.type() && !known_equal(node.type(), inferred->type)) return false;
  for (const TypeAlias& alias : inferred->aliases)
    join_argument(node, op, alias.argument, slot, /*is_view=*/true);
  return true;
}

void MemoryAnalysis::join_argument(const Node& node, const OpInfo& op, int argument, uint32_t slot,
                                   bool is_view) {
  const std::optional<ArgumentRef> value = passed_argument(node, op, argument);
  if (!value) return;
  const Node* single = value->node();
  for_each_node(*value, [&](const Node& source) {
    const Slots slots = slots_of(source);
    if (is_view && &source == single && slots.count == 1) roots_[slot] = root_of(slots.first);
    join_all(slot, source);
  });
}

// ---------------------------------------------------------------- writes

void MemoryAnalysis::note_writes(const Node& node, Effects what) {
  if (!what.has_any(Effect::kWritesArguments | Effect::kWritesState)) return;
  Write write{.call = &node,
              .everything = what == Effects::all(),
              .outside = what.has(Effect::kWritesState),
              .members = {}};
  const auto add = [&](const Node& value) {
    const Slots slots = slots_of(value);
    for (uint32_t i = 0; i < slots.count && slots.first != kNone; ++i)
      write.members.push_back(slots.first + i);
  };
  bool metadata = write.everything;
  if (write.outside && !write.everything && options_.distinct_attributes)
    note_attribute_writes(write);
  if (what.has(Effect::kWritesArguments)) {
    const OpInfo* op = node.op() == Opcode::kCallModule ? nullptr : called_operator(node);
    const bool any = op == nullptr || op->written_arguments().empty() ||
                     op->has(ops::OpTrait::kSubgraphs) || op->schema().is_vararg();
    if (any) {
      node.for_each_input([&](const Node* input) { add(*input); });
      // A nested graph may write to the attributes that it reads.
      if (op != nullptr && op->has(ops::OpTrait::kSubgraphs)) write.outside = true;
    } else {
      for (const uint8_t argument : op->written_arguments()) {
        const std::optional<ArgumentRef> value = passed_argument(node, *op, argument);
        if (value) for_each_node(*value, add);
      }
    }
    metadata = metadata || changes_metadata(node) || may_store_operands(node);
  }
  for (const uint32_t slot : write.members) {
    Facts& facts = facts_[find(slot)];
    facts.written = true;
    facts.metadata_written = facts.metadata_written || metadata;
  }
  everything_written_ = everything_written_ || write.everything;
  outside_written_ = outside_written_ || write.outside;
  writes_.push_back(std::move(write));
}

void MemoryAnalysis::apply_writes() {
  for (const Write& write : writes_)
    for (const uint32_t slot : write.members) {
      const Facts& facts = facts_[find(slot)];
      outside_written_ = outside_written_ || facts.outside;
      outside_metadata_written_ =
          outside_metadata_written_ || (facts.outside && facts.metadata_written);
    }
}

bool MemoryAnalysis::allocates_nothing(const Node& node) {
  if (node.op() == Opcode::kGetAttr) return true;
  if (!node.is_call()) return false;
  const OpInfo* op = called_operator(node);
  if (op == nullptr) return false;
  if (op->name() == "operator.getitem") return node.num_args() == 2 && is_basic_index(node.arg(1));
  return op->is_view() || op->returns_no_memory() || has_no_memory(node.type());
}

}  // namespace fx
