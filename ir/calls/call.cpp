// Calls and the schemas of their operators: see call.h.
#include "fx/ir/calls/call.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/registry.h"
#include "fx/ir/support/check.h"

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace fx {
namespace {

using ops::Effect;
using ops::Effects;
using ops::OpInfo;
using ops::SchemaArgument;
using ops::SchemaConstant;
using ops::SchemaTypeKind;

Argument from_constant(const SchemaConstant& constant) {
  struct Visitor {
    Argument operator()(std::monostate) const { return Argument(); }
    Argument operator()(bool v) const { return v; }
    Argument operator()(int64_t v) const { return v; }
    Argument operator()(double v) const { return v; }
    Argument operator()(const SchemaConstant::Complex& v) const {
      return std::complex<double>(v.real, v.imag);
    }
    Argument operator()(const std::string& v) const { return v; }
    Argument operator()(const SchemaConstant::List& list) const {
      std::vector<Argument> items;
      for (const SchemaConstant& item : list) items.push_back(from_constant(item));
      return Argument::list(items);
    }
  };
  return std::visit(Visitor(), constant.value);
}

std::optional<Argument> value_of(const Node& node, const OpInfo& op, int index) {
  if (const auto value = passed_argument(node, op, index)) return Argument(*value);
  const SchemaArgument& argument = op.schema().arguments()[static_cast<size_t>(index)];
  if (argument.default_value) return schema_default(argument);
  return std::nullopt;
}

/// True if the argument, or its default, equals the constant.
bool has_value(const Node& node, const OpInfo& op, int index, const SchemaConstant& constant) {
  // Most constants are flags, which are compared without copying them.
  const bool* flag = std::get_if<bool>(&constant.value);
  const auto value = flag != nullptr ? passed_argument(node, op, index) : std::nullopt;
  if (value && value->is_bool()) return value->as_bool() == *flag;
  return value_of(node, op, index) == from_constant(constant);
}

/// True if the table lists the arguments that the operator writes to, and all of them are None, as
/// in a batch norm without running statistics.
bool writes_to_none(const Node& node, const OpInfo& op) {
  const auto written = op.written_arguments();
  return !written.empty() && std::ranges::all_of(written, [&](uint8_t index) {
    if (!op.schema().arguments()[index].type.is_optional()) return false;
    const std::optional<Argument> value = value_of(node, op, index);
    return !value || value->is_none();
  });
}

Effects operator_effects(const Node& node, const OpInfo& op) {
  Effects result = op.effects();
  if (result.is_pure()) return result;
  for (const ops::ConditionalEffect& condition : op.conditional_effects())
    if (has_value(node, op, condition.argument, condition.value)) result -= condition.absent;
  if (result.has(Effect::kWritesArguments) && writes_to_none(node, op))
    result -= Effect::kWritesArguments;
  return result;
}

struct ModuleEffects {
  std::string_view class_prefix;
  Effects training;  // in training mode
  Effects always;
};

// The effects of calling torch.nn's modules, by the longest matching prefix of the class name.
const ModuleEffects kModuleEffects[] = {
    {"torch.nn.modules.", {}, {}},
    {"torch.nn.modules.activation.MultiheadAttention", Effect::kRandom, {}},
    {"torch.nn.modules.activation.RReLU", Effect::kRandom, {}},
    {"torch.nn.modules.batchnorm.", Effect::kWritesState, {}},  // running statistics
    {"torch.nn.modules.container.", {}, {}},
    {"torch.nn.modules.dropout.", Effect::kRandom, {}},
    {"torch.nn.modules.instancenorm.", Effect::kWritesState, {}},
    {"torch.nn.modules.module.Module", Effects::all(), Effects::all()},  // a user-defined class
    {"torch.nn.modules.pooling.FractionalMaxPool", {}, Effect::kRandom},
    {"torch.nn.modules.rnn.", Effect::kRandom, {}},  // dropout between layers
};

/// The effects of a layer that depend on its settings: ReLU(inplace=True) writes to its argument,
/// Embedding(max_norm=1) to its weight.
Effects hyperparameter_effects(const Module& module) {
  Effects result;
  // Dropout does not write in evaluation mode.
  const bool is_active =
      module.training() || !module.class_name().starts_with("torch.nn.modules.dropout.");
  const Argument* inplace = module.hyperparameter("inplace");
  if (inplace != nullptr && is_active && !(inplace->is_bool() && !inplace->as_bool()))
    result |= Effect::kWritesArguments;
  const Argument* max_norm = module.hyperparameter("max_norm");
  if (max_norm != nullptr && !max_norm->is_none()) result |= Effect::kWritesState;
  return result;
}

/// The effects of the class of a module, in its current mode.
Effects class_effects(const Module& module) {
  const ModuleEffects* best = nullptr;
  for (const ModuleEffects& row : kModuleEffects)
    if (module.class_name().starts_with(row.class_prefix)) best = &row;
  if (best == nullptr) return Effects::all();
  return module.training() ? best->training | best->always : best->always;
}

/// The effects of calling a module: those of the classes and hyperparameters of the module and of
/// the modules below it.
Effects module_effects(const Module& root) {
  Effects result;
  root.for_each_module([&](std::string_view, const Module& module) {
    result |= hyperparameter_effects(module) | class_effects(module);
  });
  return result;
}

/// True for a call to an operator that runs the graphs among its arguments.
bool runs_graphs(const Node& node) {
  if (node.op() != Opcode::kCallFunction) return false;
  const OpInfo* const op = node.function().op();
  return op != nullptr && op->has(ops::OpTrait::kSubgraphs);
}

/// True for the result of a function that creates a list, dict or set.
bool is_new_container(const Node& value) {
  constexpr std::string_view kFunctions[] = {"builtins.dict", "builtins.list", "builtins.set",
                                             "builtins.sorted"};
  return value.op() == Opcode::kCallFunction &&
         std::ranges::find(kFunctions, value.target()) != std::end(kFunctions);
}

/// True for the result of an unknown function or method.
bool is_of_unknown_call(const Node& value) {
  if (value.op() == Opcode::kCallFunction) return value.function().op() == nullptr;
  return value.op() == Opcode::kCallMethod &&
         value.context().ops().find_method(value.target()) == nullptr;
}

/// The effects of a node without the effects of the graphs that it runs.
Effects direct_effects(const Node& node) {
  switch (node.op()) {
    case Opcode::kPlaceholder:
    case Opcode::kGetAttr:
    case Opcode::kOutput:
      return Effects::none();
    case Opcode::kCallFunction: {
      const OpInfo* op = node.function().op();
      return op ? operator_effects(node, *op) : Effects::all();
    }
    case Opcode::kCallMethod:
      return may_call_container(node) ? Effects::all()
                                      : node.context().ops().method_effects(node.target());
    case Opcode::kCallModule:
      if (const Module* owner = node.graph().owning_module())
        if (const Module* module = owner->find_module(node.target()))
          return module_effects(*module);
      return Effects::all();
  }
  return Effects::all();
}

/// The effects of the operators that are arguments of a call.
Effects effects_of_functions(const Node& node) {
  Effects result;
  const auto add = [&](ArgumentRef value) {
    if (value.kind() != ArgumentKind::kFunction) return;
    const OpInfo* const op = value.as_function().op();
    result |= op != nullptr ? op->effects() : Effects::all();
  };
  for (size_t i = 0; i < node.num_args(); ++i) add(node.arg(i));
  for (size_t i = 0; i < node.num_kwargs(); ++i) add(node.kwarg_value(i));
  return result;
}

/// The effects of the graphs and operators that are arguments of a call, including writes to values
/// created inside them. A graph that is not available may have every effect. Visits each graph
/// once.
Effects nested_effects(const Node& node) {
  Effects result;
  absl::flat_hash_set<const Graph*> seen;
  std::vector<const Node*> todo = {&node};
  while (!todo.empty()) {
    const Node& call = *todo.back();
    todo.pop_back();
    result |= effects_of_functions(call);
    for (const Graph* const graph : graphs_of_call(call, call.graph().owning_module())) {
      if (graph == nullptr) return Effects::all();
      if (!seen.insert(graph).second) continue;
      for (const Node& inner : graph->nodes()) {
        result |= direct_effects(inner);
        if (runs_graphs(inner)) todo.push_back(&inner);
      }
    }
  }
  return result;
}

}  // namespace

ops::Effects internal::effects_in_full(const Node& node) {
  const Effects direct = direct_effects(node);
  return runs_graphs(node) ? direct | nested_effects(node) : direct;
}

Argument schema_default(const SchemaArgument& argument) {
  FX_CHECK(argument.default_value.has_value(), "the argument has no default");
  const SchemaConstant& constant = *argument.default_value;
  Argument value = from_constant(constant);
  const ops::SchemaType& type = argument.type.without_optional();
  if (value.is_int()) {
    // Enumerators have PyTorch's values, as in dtype.h.
    if (type.is(SchemaTypeKind::kScalarType)) return static_cast<DType>(value.as_int());
    if (type.is(SchemaTypeKind::kLayout)) return static_cast<Layout>(value.as_int());
    if (type.is(SchemaTypeKind::kMemoryFormat)) return static_cast<MemoryFormat>(value.as_int());
    if (type.is(SchemaTypeKind::kFloat)) return static_cast<double>(value.as_int());
  }
  // A single number for a fixed-size list is the value of every item.
  if (const auto size = type.list_size(); size && !value.is_list() && !value.is_none())
    return Argument::list(std::vector<Argument>(static_cast<size_t>(*size), value));
  return value;
}

void for_each_aliased_input(const Node& node, const ops::OpInfo& op,
                            absl::FunctionRef<void(const Node*)> f) {
  for (const ops::OutputAlias& alias : op.output_aliases()) {
    const std::optional<ArgumentRef> given = passed_argument(node, op, alias.argument);
    if (!given) continue;
    if (const Node* const value = given->node()) {
      f(value);
    } else if (given->is_list() || given->is_tuple()) {
      for (size_t i = 0; i < given->size(); ++i)
        if (const Node* const item = (*given)[i].node()) f(item);
    }
  }
}

void for_each_written_member(const Node& call, absl::FunctionRef<void(const std::string& path)> f) {
  const Module* const owner = call.graph().owning_module();
  const Module* const called = owner == nullptr ? nullptr : owner->find_module(call.target());
  if (called == nullptr || call.op() != Opcode::kCallModule) return;
  called->for_each_module([&](std::string_view path, const Module& module) {
    const bool buffers = class_effects(module).has(Effect::kWritesState);
    const bool parameters = hyperparameter_effects(module).has(Effect::kWritesState);
    if (!buffers && !parameters) return;
    for (const auto& [name, member] : module.attributes()) {
      if (member.kind == AttributeKind::kModule) continue;
      if (!parameters && member.kind == AttributeKind::kParameter) continue;
      f(fmt::format("{}{}{}.{}", call.target(), path.empty() ? "" : ".", path, name));
    }
  });
}

bool may_call_container(const Node& node) {
  if (node.op() != Opcode::kCallMethod || node.num_args() == 0) return false;
  const Node* const receiver = node.arg(0).node();
  if (receiver == nullptr) return false;
  switch (receiver->type().kind()) {
    case TypeKind::kList:
    case TypeKind::kMap:
    case TypeKind::kObject:
      return true;
    case TypeKind::kUnknown:
      if (is_new_container(*receiver)) return true;
      // Methods of tensors with these names do not write to the tensor.
      if (node.target() == "add") return is_of_unknown_call(*receiver);
      return node.target() == "sort" && (!receiver->is_call() || is_of_unknown_call(*receiver) ||
                                         receiver->target() == "operator.getitem");
    default:
      return false;
  }
}

bool is_shape(const Node& value) {
  const bool is_method = value.op() == Opcode::kCallMethod;
  if (value.type() || (!is_method && value.op() != Opcode::kCallFunction)) return false;
  if (is_method || value.target() == "torch.Tensor.size")
    return value.target().ends_with("size") && value.num_args() + value.num_kwargs() == 1;
  if (value.target() == "torch.Size") return true;
  if (value.num_args() != 2) return false;
  if (value.target() == "builtins.getattr")
    return value.arg(1).is_string() && value.arg(1).as_string() == "shape";
  const Node* const items = value.arg(0).node();
  return value.target() == "operator.getitem" && items != nullptr &&
         value.arg(1).kind() == ArgumentKind::kSlice && is_shape(*items);
}

bool is_impure(const Node& node, bool impure_random) {
  if (node.is_placeholder() || node.is_output()) return true;
  Effects e = effects(node);
  return !(impure_random ? e.is_removable() : e.is_removable_ignoring_random());
}

namespace {

/// True for an argument in a Python function's row that the function might lack: rows are based on
/// the rows of operators, but many functions have no `out` (torch.zeros_like), and those in
/// torch.nn.functional have no `cudnn_enable` or `cudnn_enabled`.
bool may_lack(const OpInfo& op, const ops::SchemaArgument& argument) {
  if (!op.is_function() || !argument.default_value) return false;
  return argument.name == "out" ||
         (op.name_space() == "torch.nn.functional" && argument.name.starts_with("cudnn_enable"));
}

/// True for a Python function whose tensors are separate arguments (`*tensors`), unlike those of the
/// operator's row. It does not accept a list, or keywords.
bool has_separate_tensors(const OpInfo& op) {
  constexpr std::string_view kNames[] = {
      "align_tensors",     "atleast_1d",     "atleast_2d",   "atleast_3d", "block_diag",
      "broadcast_tensors", "cartesian_prod", "chain_matmul", "einsum",     "meshgrid"};
  if (!op.is_function()) return false;
  const std::string_view module = op.name_space();
  if (module != "torch" && module != "torch.functional") return false;
  return std::ranges::find(kNames, op.name().substr(module.size() + 1)) != std::end(kNames);
}

}  // namespace

namespace {

/// True for a function that reads its arguments from other positions than its signature states; see
/// unique_consecutive in passes/aten/composite_sets.cpp.
bool reads_wrong_positions(const OpInfo& op) {
  return op.name() == "torch.unique_consecutive" ||
         op.name() == "torch.functional.unique_consecutive";
}

}  // namespace

namespace {

/// True for a parameter of a Python function that has no name there, or a different one: the
/// receiver of a method, and all parameters of a method like __add__.
bool is_positional_only(const OpInfo& op, size_t index) {
  constexpr std::string_view kFunctions[] = {
      "torch.Tensor.apply_", "torch.Tensor.copy_",      "torch.from_numpy", "torch.is_storage",
      "torch.is_tensor",     "torch.set_default_dtype", "torch.sym_sum",    "torch.typename"};
  if (!op.is_function()) return false;
  if (std::ranges::find(kFunctions, op.name()) != std::end(kFunctions)) return true;
  const std::string_view module = op.name_space();
  if (module != "torch.Tensor" && module != "torch._C.TensorBase") return false;
  return index == 0 || op.name().substr(module.size() + 1).starts_with("__");
}

/// True for a method of tensors whose parameters are not those of the operator of the same name, or
/// not in the same order.
bool has_other_parameters(const OpInfo& op) {
  constexpr std::string_view kMethods[] = {"torch.Tensor.index", "torch.Tensor.polygamma",
                                           "torch.Tensor.resize_as"};
  return std::ranges::find(kMethods, op.name()) != std::end(kMethods);
}

}  // namespace

bool keeps_argument_positions(const Node& node) {
  const OpInfo* const op = node.function().op();
  return op != nullptr && reads_wrong_positions(*op) && node.num_args() > 1;
}

absl::StatusOr<NormalizedArguments> normalized_arguments(const Node& node, bool only_kwargs) {
  const OpInfo* op = node.function().op();
  if (!op) {
    return absl::FailedPreconditionError(fmt::format(
        "{} has no schema; only calls to registered operators can be normalized", node.target()));
  }
  const auto& schema = op->schema();
  auto arguments = schema.arguments();
  if (schema.is_vararg() || has_separate_tensors(*op) || has_other_parameters(*op) ||
      keeps_argument_positions(node))
    return absl::FailedPreconditionError(fmt::format(
        "calls to {} cannot be normalized, because their arguments differ from the schema",
        node.target()));
  const CallArguments call = CallArguments::of(node);
  std::vector<BoundParameter> bound;
  if (const BindProblem problem = bind_arguments(schema, call, call_style(*op), bound);
      !problem.ok()) {
    return bind_error(node.target(), problem, schema, call);
  }
  NormalizedArguments result;
  bool lacks_position = false;  // of the following arguments
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!bound[i].is_passed() && may_lack(*op, arguments[i])) {
      lacks_position = true;
      continue;
    }
    Argument value = bound[i].is_passed() ? Argument(argument_at(node, bound[i].first))
                                          : schema_default(arguments[i]);
    if (arguments[i].kwarg_only || lacks_position || (only_kwargs && !is_positional_only(*op, i)) ||
        (i > 0 && reads_wrong_positions(*op)))
      result.kwargs.emplace_back(arguments[i].name, std::move(value));
    else
      result.args.push_back(std::move(value));
  }
  return result;
}

std::optional<Argument> Node::argument(std::string_view name) const {
  const OpInfo* op = function().op();
  if (!op) {
    if (auto value = kwarg(name)) return Argument(*value);
    return std::nullopt;
  }
  int index = op->schema().find_argument(name);
  return index < 0 ? std::nullopt : value_of(*this, *op, index);
}

}  // namespace fx
