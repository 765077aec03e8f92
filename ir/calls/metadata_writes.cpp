// See metadata_writes.h.
#include "fx/ir/calls/metadata_writes.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace fx {
namespace {

/// Returns the operator that a function or method calls, or null.
const ops::OpInfo* operator_of(const Node& call) {
  return call.op() == Opcode::kCallMethod ? call.context().ops().find_method(call.target())
                                          : call.function().op();
}

bool is_container(Type type) { return type.is_list() || type.is_tuple() || type.is_map(); }

/// True for a call without an operator that may do anything to its operands.
bool is_unknown(const Node& call) {
  if (call.op() == Opcode::kCallModule) {
    const Module* const root = call.graph().owning_module();
    const Module* const module = root == nullptr ? nullptr : root->find_module(call.target());
    if (module != nullptr && module->as_graph_module() != nullptr) return false;
    return effects(call) == ops::Effects::all();
  }
  // A method of a list changes the list, but not its items.
  const Node* const receiver = call.num_args() > 0 ? call.arg(0).node() : nullptr;
  if (call.op() == Opcode::kCallMethod && receiver != nullptr && is_container(receiver->type()))
    return false;
  // PyTorch's functionalization requires that operators do not change sizes without a tag.
  if (call.op() == Opcode::kCallFunction && is_operator_overload(call.target())) return false;
  return effects(call).has(ops::Effect::kWritesArguments);
}

/// Returns item `i` of the type of a list or tuple with `count` items; null if it is unknown.
Type item_of(Type type, size_t i, size_t count) {
  if (!type.is_list() && !type.is_tuple()) return Type();
  return type.items().size() == count ? type.items()[i] : Type();
}

/// Returns the type of the result that is the argument itself; null if there is none.
Type type_after(const Node& call, const ops::OpInfo& op, uint8_t argument, ArgumentRef value,
                Type result) {
  const bool is_out = op.schema().arguments()[argument].is_out();
  if (op.is_function() || call.op() == Opcode::kCallMethod) {
    const Node* const written = written_by_name(call);
    return is_out || (written != nullptr && written == value.node()) ? result : Type();
  }
  const size_t count = op.schema().returns().size();
  for (const ops::OutputAlias& alias : op.output_aliases())
    if (alias.kind == ops::AliasKind::kSame && alias.argument == argument)
      return count == 1 ? result : item_of(result, alias.output, count);
  return Type();
}

}  // namespace

void for_each_metadata_write(const Node& call, Type result,
                             absl::FunctionRef<void(Node&, Type)> f) {
  if (!call.is_call()) return;
  const auto visit_all = [&] { call.for_each_input([&](Node* input) { f(*input, Type()); }); };
  const ops::OpInfo* const op = operator_of(call);
  if (op == nullptr) {
    if (is_unknown(call)) visit_all();
    return;
  }
  if (!op->effects().has(ops::Effect::kWritesArguments)) return;
  const bool changes_all = op->has(ops::OpTrait::kWritesMetadata);
  if (changes_all && op->written_arguments().empty()) return visit_all();
  for (const uint8_t argument : op->written_arguments()) {
    if (!changes_all && !op->schema().arguments()[argument].is_out()) continue;
    const std::optional<ArgumentRef> value = passed_argument(call, *op, argument);
    if (!value) continue;
    const Type type = type_after(call, *op, argument, *value, result);
    if (Node* const node = value->node()) {
      f(*node, type);
    } else if (value->is_list() || value->is_tuple()) {
      for (size_t i = 0; i < value->size(); ++i)
        if (Node* const item = (*value)[i].node()) f(*item, item_of(type, i, value->size()));
    }
  }
}

bool may_change_metadata(const Node& call) {
  if (!call.is_call()) return false;
  const ops::OpInfo* const op = operator_of(call);
  return op == nullptr ? is_unknown(call) : may_change_metadata(*op);
}

bool may_change_metadata(const ops::OpInfo& op) {
  return op.effects().has(ops::Effect::kWritesArguments) &&
         (op.has(ops::OpTrait::kWritesMetadata) ||
          std::ranges::any_of(op.schema().arguments(), &ops::SchemaArgument::is_out));
}

Node* written_by_name(const Node& call) {
  const std::string_view name = call.target();
  if (!name.ends_with('_') || name.ends_with("__") || call.op() == Opcode::kCallModule)
    return nullptr;
  // operator.and_ does not write: `and` is a keyword of Python.
  const ops::OpInfo* const op = call.function().op();
  if (op != nullptr && !op->effects().has(ops::Effect::kWritesArguments)) return nullptr;
  return call.num_args() > 0 ? call.arg(0).node() : nullptr;
}

}  // namespace fx
