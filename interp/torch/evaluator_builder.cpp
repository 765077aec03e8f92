// Converts the nodes of a graph to steps, and finds the last uses of values. The nodes of a graph
// that a call runs (ir/calls/graph_call.h) become steps in place of the call.
#include "fx/interp/plan.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/number_functions.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include <ATen/core/function_schema.h>
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace fx {

namespace {

bool is_number(Type type) {
  return type.kind() == TypeKind::kInt || type.kind() == TypeKind::kFloat ||
         type.kind() == TypeKind::kBool || type.kind() == TypeKind::kComplex;
}

/// Returns the function if the node calls it only with numbers (for example operator.mul on sizes),
/// or null.
const NumberFunction* function_of_numbers(const Node& node) {
  const NumberFunction* function = find_number_function(node.target());
  if (function == nullptr || function->compute == nullptr || node.num_kwargs() > 0 ||
      node.num_args() < function->min_operands || node.num_args() > function->max_operands)
    return nullptr;
  for (size_t i = 0; i < node.num_args(); ++i) {
    const ArgumentRef argument = node.arg(i);
    const Node* operand = argument.node();
    if (operand != nullptr ? !is_number(operand->type())
                           : !argument.is_int() && !argument.is_float() && !argument.is_bool())
      return nullptr;
  }
  return function;
}

}  // namespace

class EvaluatorBuilder {
 public:
  EvaluatorBuilder(const Graph& graph, const TorchConstants& constants)
      : graph_(graph),
        constants_(constants),
        getitem_(graph.context().function("operator.getitem")),
        scope_(&top_),
        top_(graph) {}

  absl::StatusOr<TorchEvaluator> build();

 private:
  using Operand = TorchEvaluator::Operand;
  using Step = TorchEvaluator::Step;
  static constexpr uint32_t kNoSlot = TorchEvaluator::kNoSlot;
  /// The values of a graph.
  struct Scope {
    explicit Scope(const Graph& graph) : slots(graph, kNoSlot), tuples(graph, 0) {}
    NodeMap<uint32_t> slots;
    NodeMap<char> tuples;  // 1 if each result of the node has a separate slot, for getitem nodes
  };

  absl::Status add(const Node& node);
  absl::Status add_graph_call(const Node& node, const GraphCall& call);
  absl::StatusOr<uint32_t> slot_of_item(ArgumentRef item);
  /// Returns true if `user` selects one of the results of `node` by its index.
  bool picks_item(const Node& user, const Node& node, size_t num_results) const {
    const std::optional<int64_t> item = constant_item(user, getitem_);
    return item && user.arg(0).node() == &node && *item >= 0 &&
           static_cast<size_t>(*item) < num_results;
  }
  absl::Status add_attribute(const Node& node);
  absl::Status add_getitem(const Node& node);
  absl::Status add_call(const Node& node);
  absl::Status add_number(const Node& node, const NumberFunction& function);
  absl::Status add_operand(const Argument& argument, ArgumentCode code);
  absl::StatusOr<Operand> operand(const Argument& argument, ArgumentCode code);
  absl::Status add_guard(const Node& node, Step& step);
  absl::Status add_outputs(const Argument& result);
  void add_results(const Node& node, size_t num_returns, Step& step);
  void add_step(const Node& node, const Step& step);
  void find_last_uses();
  void note_use(Operand& operand, LastUses& uses);

  Operand constant(c10::IValue value) {
    plan_.constants_.push_back(std::move(value));
    return {Operand::kConstant, static_cast<uint32_t>(plan_.constants_.size() - 1)};
  }
  uint32_t new_slot(const Node& node) { return scope_->slots[node] = plan_.num_slots_++; }
  static uint32_t size_of(const auto& list) { return static_cast<uint32_t>(list.size()); }

  const Graph& graph_;
  const TorchConstants& constants_;
  Target getitem_;
  Scope* scope_;  // of the graph whose nodes are being added
  Scope top_;
  int depth_ = 0;  // the nesting of that graph
  absl::flat_hash_map<Symbol, uint32_t> operator_index_;
  std::deque<std::pair<Operand*, bool>> is_last_;
  std::vector<BoundParameter> bound_;
  TorchEvaluator plan_;
};

absl::StatusOr<TorchEvaluator> TorchEvaluator::create(const Graph& graph,
                                                      const TorchConstants& constants) {
  return EvaluatorBuilder(graph, constants).build();
}

absl::StatusOr<TorchEvaluator> EvaluatorBuilder::build() {
  for (const Node& node : graph_.nodes()) {
    if (absl::Status status = add(node); !status.ok()) {
      return node_error(node, status);
    }
    if (node.is_output()) break;
  }
  find_last_uses();
  plan_.checks_ = InputChecks(graph_);
  return std::move(plan_);
}

absl::Status EvaluatorBuilder::add(const Node& node) {
  switch (node.op()) {
    case Opcode::kPlaceholder:
      plan_.inputs_.push_back(node.has_uses() ? new_slot(node) : kNoSlot);
      return absl::OkStatus();
    case Opcode::kGetAttr:
      return add_attribute(node);
    case Opcode::kCallFunction:
      if (node.is(getitem_)) return add_getitem(node);
      if (const NumberFunction* function = function_of_numbers(node))
        return add_number(node, *function);
      if (graph_.num_subgraphs() > 0) {
        FX_ASSIGN_OR_RETURN(const std::optional<GraphCall> call, graph_call(node));
        if (call) return add_graph_call(node, *call);
      }
      return add_call(node);
    case Opcode::kOutput:
      return add_outputs(Argument(node.arg(0)));
    case Opcode::kCallMethod:
    case Opcode::kCallModule:
      break;
  }
  return absl::UnimplementedError(
      fmt::format("TorchEvaluator runs only operators, not a {}", opcode_name(node.op())));
}

absl::Status EvaluatorBuilder::add_attribute(const Node& node) {
  const auto found = constants_.find(node.target());
  if (found == constants_.end()) {
    return absl::NotFoundError(fmt::format("missing constant \"{}\"", node.target()));
  }
  if (node.has_uses()) plan_.attributes_.emplace_back(new_slot(node), found->second);
  return absl::OkStatus();
}

absl::Status EvaluatorBuilder::add_getitem(const Node& node) {
  const std::optional<int64_t> index = constant_item(node, getitem_);
  if (!index) {
    return absl::UnimplementedError(
        "getitem must have two arguments, a node and a constant integer");
  }
  const Node& collection = *node.arg(0).as_node();
  if (scope_->tuples[collection] != 0 || !node.has_uses()) return absl::OkStatus();
  Step step{.kind = Step::kGetItem};
  const auto item = static_cast<int32_t>(*index);
  if (item != *index)
    return absl::OutOfRangeError(fmt::format("the index {} is out of range", *index));
  step.op = static_cast<uint32_t>(item);
  step.first_operand = size_of(plan_.operands_);
  step.num_operands = 1;
  FX_RETURN_IF_ERROR(add_operand(Argument(node.arg(0)), {}));
  step.first_result = size_of(plan_.result_slots_);
  step.num_results = 1;
  plan_.result_slots_.push_back(new_slot(node));
  add_step(node, step);
  return absl::OkStatus();
}

absl::Status EvaluatorBuilder::add_number(const Node& node, const NumberFunction& function) {
  Step step{.kind = Step::kNumber,
            .op = size_of(plan_.functions_),
            .first_operand = size_of(plan_.operands_),
            .num_operands = static_cast<uint32_t>(node.num_args())};
  plan_.functions_.push_back(&function);
  for (size_t i = 0; i < node.num_args(); ++i)
    FX_RETURN_IF_ERROR(add_operand(Argument(node.arg(i)), {.base = ArgumentCode::kNumber}));
  step.first_result = size_of(plan_.result_slots_);
  step.num_results = 1;
  plan_.result_slots_.push_back(new_slot(node));
  add_step(node, step);
  return absl::OkStatus();
}

absl::Status EvaluatorBuilder::add_call(const Node& node) {
  const auto [entry, is_new] =
      operator_index_.try_emplace(node.target_symbol(), size_of(plan_.operators_));
  if (is_new) {
    FX_ASSIGN_OR_RETURN(const c10::OperatorHandle op, find_operator(node.target()));
    plan_.operators_.push_back(op);
  }
  const c10::FunctionSchema& schema = plan_.operators_[entry->second].schema();
  const std::vector<c10::Argument>& parameters = schema.arguments();
  const ops::OpInfo* info = node.function().op();
  std::optional<ops::OpSchema> torch_schema;  // the schema of an operator that only libtorch has
  if (info == nullptr || info->schema().arguments().size() != parameters.size()) {
    FX_ASSIGN_OR_RETURN(torch_schema, ops::parse_schema(c10::toString(schema)));
  }
  const ops::OpSchema& signature = torch_schema ? *torch_schema : info->schema();
  const CallArguments call = CallArguments::of(node);
  const BindProblem problem = bind_arguments(signature, call, CallStyle::kOperator, bound_);
  if (!problem.ok()) return bind_error(node.target(), problem, signature, call);
  Step step{.op = entry->second, .num_operands = size_of(parameters)};
  // Collect the operands first, so that the operands of the call are consecutive.
  std::vector<Operand> operands;
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (!bound_[i].is_passed()) {
      operands.push_back(constant(*parameters[i].default_value()));
      continue;
    }
    const Argument argument(argument_at(node, bound_[i].first));
    const absl::StatusOr<Operand> value = operand(argument, argument_code(parameters[i]));
    if (!value.ok()) {
      return with_context(value.status(), fmt::format("argument \"{}\" of {}", parameters[i].name(),
                                                      node.target()));
    }
    operands.push_back(*value);
  }
  step.first_operand = size_of(plan_.operands_);
  plan_.operands_.insert(plan_.operands_.end(), operands.begin(), operands.end());
  add_results(node, schema.returns().size(), step);
  FX_RETURN_IF_ERROR(add_guard(node, step));
  add_step(node, step);
  return absl::OkStatus();
}

absl::Status EvaluatorBuilder::add_operand(const Argument& argument, ArgumentCode code) {
  FX_ASSIGN_OR_RETURN(const Operand value, operand(argument, code));
  plan_.operands_.push_back(value);
  return absl::OkStatus();
}

absl::StatusOr<TorchEvaluator::Operand> EvaluatorBuilder::operand(const Argument& argument,
                                                                  ArgumentCode code) {
  if (const Node* node = argument.node()) {
    if (scope_->slots[*node] == kNoSlot) {
      return absl::InvalidArgumentError(
          fmt::format("node {} is used before it is computed", node->name()));
    }
    const bool number = code.base == ArgumentCode::kTensor && is_number(node->type());
    return Operand{number ? Operand::kNumber : Operand::kValue, scope_->slots[*node]};
  }
  if (!argument.contains_node()) {
    FX_ASSIGN_OR_RETURN(c10::IValue value, to_ivalue(argument, code));
    return constant(std::move(value));
  }
  if (!code.list || !(argument.is_list() || argument.is_tuple())) {
    return absl::UnimplementedError(
        "a structure with computed items must be a list or tuple for a list parameter");
  }
  ArgumentCode item_code = code;
  item_code.list = false;
  item_code.optional = code.optional_items;
  TorchEvaluator::List list{code, {}};
  for (size_t i = 0; i < argument.size(); ++i) {
    FX_ASSIGN_OR_RETURN(const Operand item, operand(argument[i], item_code));
    list.items.push_back(item);
  }
  FX_RETURN_IF_ERROR(list_ivalue({}, code));
  plan_.lists_.push_back(std::move(list));
  return Operand{Operand::kList, size_of(plan_.lists_) - 1};
}

/// Adds the nodes of the graph that a call runs. Returns Unimplemented for a call that changes
/// torch.autocast or grad mode, and for a nested graph with its own guards.
absl::Status EvaluatorBuilder::add_graph_call(const Node& node, const GraphCall& call) {
  const Graph* graph = nested_graph(node, node.arg(call.graph));
  if (graph == nullptr || call.grad || call.autocast || node.num_kwargs() > 0)
    return absl::UnimplementedError("TorchEvaluator cannot run this call to a graph");
  FX_RETURN_IF_ERROR(check_graph_call(*graph, node.num_args() - call.first_operand, depth_));
  const std::vector<SymExpr> guards = guards_of(graph_);
  for (const SymExpr guard : guards_of(*graph))
    if (std::ranges::find(guards, guard) == guards.end())
      return absl::UnimplementedError("TorchEvaluator cannot check the guards of a nested graph");
  Scope inner(*graph);
  size_t next = call.first_operand;
  for (const Node& input : graph->nodes()) {
    if (!input.is_placeholder()) continue;
    FX_ASSIGN_OR_RETURN(inner.slots[input], slot_of_item(node.arg(next++)));
  }
  Scope* const outer = std::exchange(scope_, &inner);
  ++depth_;
  for (const Node& inside : graph->nodes()) {
    if (inside.is_placeholder()) continue;
    if (inside.is_output()) break;
    if (const absl::Status status = add(inside); !status.ok()) return node_error(inside, status);
  }
  const ArgumentRef result = graph->output_node()->arg(0);
  const bool is_list = result.is_list() || result.is_tuple();
  absl::InlinedVector<uint32_t, 8> slots;  // of the results
  for (size_t i = 0; i < (is_list ? result.size() : 1); ++i) {
    FX_ASSIGN_OR_RETURN(slots.emplace_back(), slot_of_item(is_list ? result[i] : result));
  }
  --depth_;
  scope_ = outer;
  if (!is_list) {
    scope_->slots[node] = slots[0];
    return absl::OkStatus();
  }
  scope_->tuples[node] = 1;
  scope_->slots[node] = 0;  // the slot is not used, but marks the node as computed
  for (const Node* user : node.users()) {
    if (!picks_item(*user, node, slots.size()))
      return absl::UnimplementedError("TorchEvaluator requires that users select single results");
    scope_->slots[*user] = slots[static_cast<size_t>(user->arg(1).as_int())];
  }
  return absl::OkStatus();
}

/// Returns the slot of an operand or a result of a nested graph: a node, a number or None.
absl::StatusOr<uint32_t> EvaluatorBuilder::slot_of_item(ArgumentRef item) {
  if (item.node() != nullptr) {
    FX_ASSIGN_OR_RETURN(const Operand value,
                        operand(Argument(item), {.base = ArgumentCode::kNumber}));
    return value.index;
  }
  FX_ASSIGN_OR_RETURN(c10::IValue value,
                      to_ivalue(Argument(item), {.base = ArgumentCode::kNumber, .optional = true}));
  plan_.attributes_.emplace_back(plan_.num_slots_, std::move(value));
  return plan_.num_slots_++;
}

/// Assigns slots to the results. If all users are getitem nodes, each result is written directly to
/// the slot of its getitem nodes.
void EvaluatorBuilder::add_results(const Node& node, size_t num_returns, Step& step) {
  step.first_result = size_of(plan_.result_slots_);
  if (num_returns == 1) {
    step.num_results = 1;
    plan_.result_slots_.push_back(node.has_uses() ? new_slot(node) : kNoSlot);
    return;
  }
  std::vector<uint32_t> slots(num_returns, kNoSlot);
  bool only_picked = true;
  for (const Node* user : node.users()) {
    if (!picks_item(*user, node, num_returns)) only_picked = false;
  }
  if (!only_picked) {
    step.tuple_slot = new_slot(node);
    return;
  }
  scope_->tuples[node] = 1;
  scope_->slots[node] = 0;  // the slot is not used, but marks the node as computed
  for (const Node* user : node.users()) {
    uint32_t& slot = slots[static_cast<size_t>(user->arg(1).as_int())];
    if (slot == kNoSlot) slot = plan_.num_slots_++;
    scope_->slots[*user] = slot;
  }
  step.num_results = size_of(slots);
  plan_.result_slots_.insert(plan_.result_slots_.end(), slots.begin(), slots.end());
}

absl::Status EvaluatorBuilder::add_guard(const Node& node, Step& step) {
  const std::optional<Argument> guard = node.meta().get(kGuard);
  if (!guard) return absl::OkStatus();
  FX_ASSIGN_OR_RETURN(c10::IValue value, to_ivalue(*guard, {.base = ArgumentCode::kNumber}));
  step.guarded = true;
  step.guard = constant(std::move(value)).index;
  return absl::OkStatus();
}

absl::Status EvaluatorBuilder::add_outputs(const Argument& result) {
  if (is_aggregate(result.kind())) {
    for (size_t i = 0; i < result.size(); ++i) FX_RETURN_IF_ERROR(add_outputs(result[i]));
    return absl::OkStatus();
  }
  if (result.is_none()) {
    plan_.outputs_.push_back(constant(c10::IValue()));
    return absl::OkStatus();
  }
  FX_ASSIGN_OR_RETURN(const Operand value, operand(result, {.base = ArgumentCode::kNumber}));
  plan_.outputs_.push_back(value);
  return absl::OkStatus();
}

void EvaluatorBuilder::add_step(const Node& node, const Step& step) {
  plan_.steps_.push_back(step);
  plan_.labels_.push_back(NodeLabel::of(node));
}

void EvaluatorBuilder::find_last_uses() {
  LastUses uses(plan_.num_slots_);
  is_last_.clear();
  for (const Step& step : plan_.steps_) {
    for (uint32_t i = 0; i < step.num_operands; ++i)
      note_use(plan_.operands_[step.first_operand + i], uses);
  }
  for (Operand& output : plan_.outputs_) note_use(output, uses);
  for (auto& [operand, last] : is_last_)
    if (last && operand->kind == Operand::kValue) operand->kind = Operand::kLastUse;
}

void EvaluatorBuilder::note_use(Operand& operand, LastUses& uses) {
  if (operand.kind == Operand::kList) {
    for (Operand& item : plan_.lists_[operand.index].items) note_use(item, uses);
  } else if (operand.kind == Operand::kValue || operand.kind == Operand::kNumber) {
    // is_last_ is a deque, since LastUses points to its entries.
    auto& [where, last] = is_last_.emplace_back(&operand, false);
    uses.read(operand.index, last);
  }
}

}  // namespace fx
