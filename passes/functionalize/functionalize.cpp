// functionalize: see functionalize.h.
#include "fx/passes/functionalize/functionalize.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/functionalize/histories_internal.h"
#include "fx/passes/functionalize/moved_values_internal.h"
#include "fx/passes/functionalize/nested_types_internal.h"
#include "fx/passes/functionalize/shared_inputs_internal.h"
#include "fx/passes/functionalize/views_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace fx {
namespace functional {
namespace {

using Role = OpPlan::Role;

/// The second walk over a graph, which rewrites it.
class Rewriter {
 public:
  Rewriter(Aliases& aliases, const FunctionalizeOptions& options)
      : a_(aliases),
        graph_(aliases.graph),
        options_(options),
        touched_(graph_),
        without_result_(graph_),
        builder_(graph_, touched_, aliases.is_nested()),
        histories_(aliases, builder_, options.keep_histories),
        first_new_(graph_.id_bound()) {}

  void run() {
    a_.rewind();
    // New nodes get their types from the types of their operands.
    for (Node& node : graph_.nodes())
      if (const Type type = a_.inferred[node]) node.set_type(type);
    moved_.emplace(graph_);
    for (Node& node : graph_.nodes())
      if (node.id() < first_new_) visit(node);
    for (size_t i = replaced_.size(); i-- > 0;) FX_CHECK_OK(graph_.erase_node(replaced_[i]));
    remove_dead();
  }

 private:
  void visit(Node& node);
  void rewrite(Node& node);
  void refresh_arguments(Node& node);
  void anchor(Node& node);
  void note_item(Node& node);
  Node* current(uint32_t view);
  Argument current_list(uint32_t aggregate);
  void write(Node& node, const OpPlan& plan);
  Type new_type(const Node& node, const OpPlan& plan, const WriteTarget& target) {
    return type_of_result(types(), a_.view_of(target.identity).type,
                          result_of(plan, a_.functional[node], target));
  }
  void write_items(Node& node, const OpPlan& plan);
  void make_functional(Node& node, const OpPlan& plan, Type written);
  void assign(uint32_t view, Node* value, const Node& writer, const OpPlan& plan);
  Node* fitted(uint32_t view, Node* value, const Node& writer, bool keeps_strides);
  void copy_back(Node* output);
  void remove_dead();

  Memory& memory_of(const View& view) { return a_.memories[view.memory]; }
  TypeTable& types() { return graph_.context().types(); }
  uint32_t view_of(Value value) { return a_.identities[value.index()].view; }

  Aliases& a_;
  Graph& graph_;
  const FunctionalizeOptions& options_;
  NodeMap<char> touched_;
  NodeSet without_result_;            // calls that return None, unlike their functional forms
  std::optional<MovedValues> moved_;  // set by run()
  NodeBuilder builder_;
  Histories histories_;
  uint32_t first_new_;
  bool copied_back_ = false;
  std::vector<WriteTarget> targets_;
  std::vector<std::pair<Node*, uint32_t>> lists_;  // operands whose lists must be rebuilt
  std::vector<Node*> replaced_;                    // users of replaced calls follow
};

void Rewriter::visit(Node& node) {
  if (node.is_placeholder() || node.op() == Opcode::kGetAttr) return;
  absl::InlinedVector<Node*, 8> inputs;
  node.for_each_input([&](Node* input) { inputs.push_back(input); });
  const size_t num_replaced = replaced_.size();
  rewrite(node);
  if (node.is_output() || replaced_.size() != num_replaced) return;
  moved_->note_visited(node, inputs);
}

void Rewriter::rewrite(Node& node) {
  const InsertPointGuard guard = graph_.inserting_before(&node);
  builder_.set_place(node);
  const OpPlan* plan = a_.plan_of(node);
  const bool is_write = plan && plan->role == Role::kWrite && a_.writes(node, *plan);
  // The targets must be found before the arguments of the node are replaced.
  if (is_write) {
    FX_CHECK_OK(a_.targets_of(node, *plan, targets_));
    // The node returns its operand, so its users use the value of the operand.
    if (!targets_.empty() &&
        dropout_result(node, a_.view_of(targets_[0].identity).type) == DropoutResult::kOperand)
      return replaced_.push_back(&node);
    const absl::StatusOr<bool> by_items = a_.goes_item_by_item(node, *plan, targets_);
    FX_CHECK_OK(by_items);
    if (*by_items) return write_items(node, *plan);
  }
  const Value value = a_.values[node];
  if (plan && plan->kind == ViewKind::kAsStrided && value.is_identity()) anchor(node);
  refresh_arguments(node);
  // Views that the results need come before the copies: they may read the sizes of an input.
  if (node.is_output()) copy_back(&node);
  if (!plan) return;
  switch (plan->role) {
    case Role::kWrite:
      if (is_write) write(node, *plan);
      return;
    case Role::kMetadata: {
      touched_[node] = 1;
      const uint32_t index = a_.metadata_view[node];
      a_.identities[value.index()].view = index;
      node.set_function(plan->function);
      node.rename(plan->name);
      View& view = a_.views[index];
      moved_->note(node);
      view.current = &node;
      view.generation = memory_of(view).generation;
      return;
    }
    default:
      break;
  }
  if (value.is_aggregate()) {
    Aggregate& list = a_.aggregates[value.index()];
    if (list.node == &node && list.source >= 0) {
      touched_[node] = 1;
      list.generation = memory_of(a_.views[static_cast<uint32_t>(list.source)]).generation;
      if (list.generation != 0)
        moved_->note(node);
      else
        retype_elsewhere(node);
    }
    return;
  }
  if (!value.is_identity()) return;
  View& view = a_.views[view_of(value)];
  if (view.parent >= 0 && memory_of(view).generation != 0) moved_->note(node);
  if (view.call == &node && view.item < 0) {
    if (view.parent < 0) return;
    touched_[node] = 1;
    view.current = &node;
    view.generation = memory_of(view).generation;
  } else {
    note_item(node);
  }
}

/// Applies as_strided to the tensor of the memory instead of its operand: its offset counts from
/// the start of the memory, which a new value of the operand may not contain.
void Rewriter::anchor(Node& node) {
  View& view = a_.views[view_of(a_.values[node])];
  if (view.call != &node || view.by_strides || memory_of(view).generation == 0) return;
  const auto parent = static_cast<uint32_t>(view.parent);
  Node* const source = histories_.source_of(view_of(a_.values[node]), current(parent));
  const std::vector<Argument> args = strided_arguments(builder_, view, a_.views[parent], source);
  FX_CHECK_OK(node.set_args(args));
  FX_CHECK_OK(node.set_kwargs({}));
}

/// Records the value of a getitem as the value of its item, unless an earlier call wrote to it.
void Rewriter::note_item(Node& node) {
  touched_[node] = 1;
  const Value list =
      node.num_args() > 0 && node.arg(0).is_node() ? a_.values[*node.arg(0).node()] : Value();
  View& view = a_.views[view_of(a_.values[node])];
  if (view.current || view.parent < 0 || !list.is_aggregate()) return;
  const Aggregate& of = a_.aggregates[list.index()];
  if (memory_of(view).generation != of.generation) return;
  view.current = &node;
  view.generation = of.generation;
}

// ---------------------------------------------------------------- reading

Node* Rewriter::current(uint32_t index) {
  // Follows parents to a view whose value is known, then creates the views from there.
  absl::InlinedVector<uint32_t, 8> chain;
  const uint32_t now = memory_of(a_.views[index]).generation;
  for (uint32_t i = index;; i = static_cast<uint32_t>(a_.views[i].parent)) {
    const View& view = a_.views[i];
    if (view.parent < 0 || (view.current && view.generation == now)) break;
    chain.push_back(i);
  }
  while (!chain.empty()) {
    View& view = a_.views[chain.back()];
    const View& parent = a_.views[static_cast<uint32_t>(view.parent)];
    Node* const source = histories_.source_of(chain.back(), parent.current);
    view.current = take_view(builder_, view, parent, source);
    if (!is_complete(view.current->type()) && view.type)
      change_type(*view.current, without_place(types(), view.type));
    view.current = histories_.read(chain.back(), view.current);
    view.generation = now;
    chain.pop_back();
  }
  return a_.views[index].current;
}

/// Returns the items of a list with their current values.
Argument Rewriter::current_list(uint32_t index) {
  Node& node = *a_.aggregates[index].node;
  std::vector<Argument> items;
  const OpPlan* const plan = a_.aggregates[index].plan;
  const bool is_tuple = node.type().is_tuple() || (plan && plan->several);
  const size_t count = a_.num_items(a_.aggregates[index]).value_or(0);
  for (uint32_t i = 0; i < count; ++i) {
    const Value value = a_.item(index, i, node);
    if (!value.is_identity()) {
      items.emplace_back(builder_.getitem(node, i, Type(), node));
      continue;
    }
    View& view = a_.views[view_of(value)];
    // An item with separate memory that has not been used.
    if (view.parent < 0 && view.current == &node)
      view.current = builder_.getitem(node, i, view.recorded, node);
    items.emplace_back(current(view_of(value)));
  }
  return is_tuple ? Argument::tuple(items) : Argument::list(items);
}

/// Replaces the operands of the node with their current values.
void Rewriter::refresh_arguments(Node& node) {
  absl::flat_hash_map<Node*, Argument> changes;
  const std::optional<uint32_t> item = a_.item_number(node);
  node.for_each_input([&](Node* input) {
    const Value value = a_.values[*input];
    if (value.is_identity()) {
      Node* now = current(view_of(value));
      if (now != input) changes.emplace(input, now);
    } else if (value.is_aggregate() && !item) {
      if (!a_.is_stale(a_.aggregates[value.index()])) return;
      changes.emplace(input, Argument());
      lists_.emplace_back(input, value.index());
    } else if (!value.is_aggregate() && without_result_.contains(*input)) {
      changes.emplace(input, Argument());
    }
  });
  if (item) FX_CHECK_OK(node.update_arg(1, Argument(static_cast<int64_t>(*item))));
  for (const auto& [list, index] : std::exchange(lists_, {})) changes[list] = current_list(index);
  if (changes.empty()) return;
  if (changes.size() == 1 && changes.begin()->second.is_node()) {
    node.replace_input_with(changes.begin()->first, changes.begin()->second.as_node());
    return;
  }
  // Replaces all operands simultaneously, since the new value of one operand may be another operand
  // that also has a new value.
  const auto replaced = [&](const Argument& argument) {
    return map_nodes(argument, [&](Node* n) {
      const auto change = changes.find(n);
      return change == changes.end() ? Argument(n) : change->second;
    });
  };
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  for (const Argument& argument : node.args()) args.push_back(replaced(argument));
  for (const Kwarg& kwarg : node.kwargs()) kwargs.emplace_back(kwarg.key, replaced(kwarg.value));
  FX_CHECK_OK(node.set_args(args));
  FX_CHECK_OK(node.set_kwargs(kwargs));
}

// ---------------------------------------------------------------- writing

/// Changes the node to a call to the functional form.
void Rewriter::make_functional(Node& node, const OpPlan& plan, Type written) {
  const FormCall call = form_call(node, plan, written);
  node.set_function(plan.function);
  FX_CHECK_OK(node.set_args(call.args));
  FX_CHECK_OK(node.set_kwargs(call.kwargs));
  node.rename(plan.name);
  change_type(node, type_of_call(node, node.type()));
  moved_->note_written(node);
}

/// Creates a call for each item of the node's lists, in order. Each call uses the values that the
/// previous calls wrote.
void Rewriter::write_items(Node& node, const OpPlan& plan) {
  const std::vector<WriteTarget> targets = targets_;
  const auto now = [&](Node* input) {
    const Value value = a_.values[*input];
    return Argument(value.is_identity() ? current(view_of(value)) : input);
  };
  for (const WriteTarget& target : targets) {
    const uint32_t index = a_.identities[target.identity].view;
    FormCall call = form_call(node, plan, a_.views[index].type);
    const auto item_of = [&](const Argument& argument) {
      const bool is_list = argument.is_list() || argument.is_tuple();
      const auto item = static_cast<size_t>(target.item);
      if (!is_list || item >= argument.size()) return map_nodes(argument, now);
      const Argument items[] = {map_nodes(argument[item], now)};
      return Argument::list(items);
    };
    for (Argument& argument : call.args) argument = item_of(argument);
    for (Kwarg& kwarg : call.kwargs) kwarg.value = item_of(kwarg.value);
    Node* const list = builder_.call(plan.function.name(), call.args, node, call.kwargs);
    assign(index, builder_.getitem(*list, 0, new_type(node, plan, target), node), node, plan);
  }
  without_result_.insert(node);
  replaced_.push_back(&node);
}

void Rewriter::write(Node& node, const OpPlan& plan) {
  touched_[node] = 1;
  const Value result = a_.values[node];
  // Results that were separate tensors keep their getitem nodes: they come first in the functional
  // form, in the same order.
  const std::vector<WriteTarget>& targets = targets_;
  const Type first = current(a_.identities[targets[0].identity].view)->type();
  std::vector<Type> new_types;  // as far as the written tensors determine them
  for (const WriteTarget& target : targets) {
    View& view = a_.view_of(target.identity);
    const Type written = a_.written_type(node, plan, target);
    if (a_.resizes(view, written)) view.type = written;
    new_types.push_back(new_type(node, plan, target));
  }
  const Type recorded = node.type();
  make_functional(node, plan, first);
  if (plan.op->schema().returns().empty()) without_result_.insert(node);
  graph_.set_insert_point_before(node.next());
  if (!node.next()) graph_.set_insert_point_after(nullptr);
  const bool tuple = plan.outputs.size() > 1;
  std::vector<Node*> parts(plan.outputs.size(), nullptr);
  const auto part = [&](uint32_t k, Type type) {
    if (tuple && !parts[k]) parts[k] = builder_.getitem(node, k, type, node);
    return tuple ? parts[k] : &node;
  };
  if (tuple && !plan.several && result.is_identity() && plan.outputs[0].argument < 0) {
    // The only separate result has become the first of multiple results.
    a_.views[view_of(result)].current = part(0, recorded);
  }
  std::vector<Node*> values;
  for (size_t i = 0; i < targets.size(); ++i) {
    const WriteTarget& target = targets[i];
    Node* value = part(target.output, target.item < 0 ? new_types[i] : Type());
    if (target.item >= 0) value = builder_.getitem(*value, target.item, new_types[i], node);
    if (!value->type()) value->set_type(new_types[i]);
    values.push_back(value);
  }
  for (size_t i = 0; i < targets.size(); ++i)
    assign(a_.identities[targets[i].identity].view, values[i], node, plan);
}

/// Returns `value` with the type of the view. `keeps_strides`: it has the strides of the memory.
Node* Rewriter::fitted(uint32_t index, Node* value, const Node& writer, bool keeps_strides) {
  const View& view = a_.views[index];
  // Views of memory with unknown strides are created again after a write.
  const bool is_whole =
      view.parent < 0 && !keeps_strides && !has_layout(view.type) && may_be_tensor(view.type);
  if (!is_whole) {
    if (!value->type().is_tensor() || !view.type.is_tensor()) return value;
    if (view.type.dtype() != DType::kUndefined && value->type().dtype() != view.type.dtype()) {
      const Kwarg kwargs[] = {Kwarg("dtype", view.type.dtype())};
      value = builder_.call("aten._to_copy.default", {value}, writer, kwargs);
    }
    if (!has_unspecified_strides(view.type)) {
      const bool is_known = has_layout(value->type()) || !has_layout(view.type);
      if (is_known && same_strides(value->type(), view.type)) return value;
      if (view.parent >= 0 && is_scattered(view.kind)) return value;
    }
  }
  Node* const source = current(index);
  if (a_.resizes(view, source->type())) return value;  // it has replaced the out= tensor
  if (has_number_layout(view.type) && !is_dense(view.type) && builder_.may_be_lazy(*source))
    return in_new_memory(builder_, view.type, value, writer);
  value = builder_.call("aten.copy.default", {source, value}, writer);
  builder_.set_type_of_copy(*value, *source, view.type);
  return value;
}

/// Writes `value` to the view: creates a new tensor for the memory, in which `value` replaces the
/// view.
void Rewriter::assign(uint32_t index, Node* value, const Node& writer, const OpPlan& plan) {
  absl::InlinedVector<std::pair<uint32_t, Node*>, 8> written;
  uint32_t at = index, part = index;
  for (bool is_scatter = false;;) {
    const bool is_out = plan.is_out && at == index;
    const Type old = is_out ? current(at)->type() : Type();
    const bool is_resized = is_out && (!old || !old.has_rank() || a_.resizes(a_.views[at], old));
    value = fitted(at, value, writer, is_scatter || is_resized);
    if (histories_.differ(std::exchange(part, at), at))
      value = histories_.combine(at, value, current(at));
    histories_.note_written(at, value);
    written.emplace_back(at, value);
    const View& view = a_.views[at];
    if (view.parent < 0) break;
    const auto up = static_cast<uint32_t>(a_.written_view(view));
    const View& outer = a_.views[up];
    Node* const source = current(up);
    value = static_cast<int32_t>(up) == view.parent
                ? write_view(builder_, view, outer, source, value)
                : write_strided(builder_, view, outer, source, value);
    // Only a scatter has the strides and the offset of its source.
    is_scatter = false;
    if (is_scattered(view.kind))
      value->for_each_input([&](const Node* input) { is_scatter |= input == source; });
    if (is_scatter)
      builder_.set_type_of_copy(*value, *source, outer.type);
    else if (!is_complete(value->type()) && outer.type)
      change_type(*value, without_place(types(), outer.type));
    at = up;
  }
  Memory& memory = memory_of(a_.views[index]);
  ++memory.generation;
  for (const auto& [i, node] : written) {
    View& view = a_.views[i];
    // A copied value has lost the strides of the view; unknown strides may differ: later calls use
    // a view of the new memory. Operators receive a dense copy of a lazy view, not of its value.
    const bool is_equivalent = has_layout(node->type()) && has_layout(view.type) &&
                               same_strides(node->type(), view.type) && !view.conjugated;
    if (view.parent >= 0 && !is_equivalent) continue;
    view.current = node;
    view.generation = memory.generation;
  }
}

void Rewriter::copy_back(Node* output) {
  if (std::exchange(copied_back_, true) || !options_.copy_back) return;
  const InsertPointGuard guard =
      output ? graph_.inserting_before(output) : graph_.inserting_after(nullptr);
  for (const Memory& memory : a_.memories) {
    if (!memory.owner || memory.generation == 0 || memory.returned) continue;
    Node* value = current(memory.root);
    if (value == memory.owner) continue;
    builder_.call("aten.copy_.default", {memory.owner, value}, output ? *output : *memory.owner);
  }
}

/// Erases unused tensors, views, and calls that were used only by writes.
void Rewriter::remove_dead() {
  copy_back(nullptr);
  for (const Memory& memory : a_.memories)
    if (memory.generation != 0) touched_[*a_.views[memory.root].call] = 1;
  for (Node& node : graph_.nodes().reversed()) {
    if (node.has_uses() || node.is_placeholder() || node.is_output() || !touched_[node] ||
        node.op() == Opcode::kGetAttr)
      continue;
    // Eager mode may reject a view without a type.
    const Value value = a_.values[node];
    if (!node.type() && value.is_identity() && a_.views[view_of(value)].parent >= 0) continue;
    if (!is_impure(node) || histories_.is_unused(node)) FX_CHECK_OK(graph_.erase_node(&node));
  }
}

}  // namespace
}  // namespace functional

absl::StatusOr<bool> functionalize(Graph& graph, const FunctionalizeOptions& options) {
  const bool is_done = options.copy_back && functional::only_copies_back(graph);
  std::optional<functional::SharedInputViews> shared;
  if (!is_done) {
    FX_ASSIGN_OR_RETURN(auto views, functional::SharedInputViews::create(graph));
    shared.emplace(std::move(views));
  }
  functional::OpPlans plans(graph.context());
  const absl::flat_hash_set<const Graph*> converted = graphs_in_autocast(graph);
  std::vector<std::unique_ptr<functional::Aliases>> todo;
  for (Graph& g : all_graphs(graph)) {
    if (is_done && &g == &graph) continue;
    auto aliases = std::make_unique<functional::Aliases>(g, plans, converted.contains(&g));
    if (!aliases->has_writes()) continue;
    FX_RETURN_IF_ERROR(aliases->run());
    todo.push_back(std::move(aliases));
  }
  if (todo.empty()) return false;
  FX_RETURN_IF_ERROR(functional::check_results(graph, todo));
  if (shared) shared->keep();
  functional::NestedTypes nested(graph);
  for (const auto& aliases : todo) functional::Rewriter(*aliases, options).run();
  nested.update();
  return true;
}

}  // namespace fx
