#include "fx/passes/aten/type_by_lowering.h"

#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tracer/nn/layer_graph.h"

#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Returns the type of a result: a value, or a list of values, numbers and None.
Type type_of(TypeTable& types, const Argument& value) {
  if (const Node* node = value.node()) return node->type();
  if (value.is_int()) return types.integer(value.as_int());
  if (!value.is_list() && !value.is_tuple()) return Type();
  std::vector<Type> items;
  for (size_t i = 0; i < value.size(); ++i) {
    items.push_back(value[i].is_none() ? types.none() : type_of(types, value[i]));
    if (!items.back()) return Type();
  }
  return value.is_list() ? types.list(items) : types.tuple(items);
}

/// Returns the type of a number; the null Type for other constants.
Type type_of_number(TypeTable& types, ArgumentRef value) {
  switch (value.kind()) {
    case ArgumentKind::kBool:
      return types.boolean(value.as_bool());
    case ArgumentKind::kInt:
      return types.integer(value.as_int());
    case ArgumentKind::kFloat:
      return types.floating(value.as_float());
    default:
      return Type();
  }
}

/// Propagates types in a graph for the operands of a call. Returns the type of its result.
absl::StatusOr<Type> type_of_graph(const Node& call, Graph& graph, absl::Span<const Type> inputs,
                                   ShapeEnv& env) {
  static constexpr int kMaxDepth = 32;
  static thread_local int depth = 0;
  if (depth == kMaxDepth)
    return absl::UnimplementedError(
        fmt::format("modules are nested more than {} levels deep", kMaxDepth));
  size_t next = 0;
  for (Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    if (next == inputs.size()) {
      if (node.num_args() > 0) break;  // this and the following inputs have defaults
      return absl::InvalidArgumentError(fmt::format("{} requires more than {}", call.target(),
                                                    pluralize(inputs.size(), "input")));
    }
    node.set_type(inputs[next++]);
  }
  if (next != inputs.size())
    return absl::InvalidArgumentError(
        fmt::format("{} accepts {}", call.target(), pluralize(next, "input")));
  ++depth;
  const ShapeReport report = propagate_types(graph, {.env = &env, .other_call = type_by_lowering});
  --depth;
  if (!report.ok()) return absl::InvalidArgumentError(report.findings[0].message);
  const Node* const output = graph.output_node();
  return output ? type_of(call.context().types(), Argument(output->arg(0))) : Type();
}

/// The types of calls to GraphModules, at any depth, while the outermost call is typed. Types are
/// propagated once for each graph and list of operand types.
using TypedModules = absl::flat_hash_map<std::pair<const GraphModule*, std::vector<Type>>, Type>;

/// Returns the type of a call to a GraphModule. Propagates types in a copy, because other calls may
/// pass different types.
absl::StatusOr<Type> type_of_graph_module(const Node& call, const GraphModule& module,
                                          absl::Span<const Type> inputs, ShapeEnv& env) {
  static thread_local TypedModules* typed = nullptr;  // of the outermost call
  TypedModules own;
  const bool is_outermost = typed == nullptr;
  if (is_outermost) typed = &own;
  const absl::Cleanup reset = [&] {
    if (is_outermost) typed = nullptr;
  };
  const std::pair key(&module, std::vector<Type>(inputs.begin(), inputs.end()));
  if (const auto known = typed->find(key); known != typed->end()) return known->second;
  const std::unique_ptr<Graph> copy = module.graph().clone();
  copy->set_owning_module(&module);
  FX_ASSIGN_OR_RETURN(const Type type, type_of_graph(call, *copy, inputs, env));
  // A size that depends on data is a different symbol in each call.
  if (is_static(type)) typed->emplace(key, type);
  return type;
}

absl::StatusOr<Type> type_of_layer(const Node& call, ShapeEnv& env) {
  const Module* root = call.graph().owning_module();
  const Module* module = root ? root->find_module(call.target()) : nullptr;
  if (module == nullptr) return absl::NotFoundError("its module does not exist");
  const GraphModule* const graph_module = module->as_graph_module();
  std::vector<Type> inputs;
  if (graph_module == nullptr) {
    FX_ASSIGN_OR_RETURN(
        const std::unique_ptr<GraphModule> layer,
        layer_graph_of_call(call, *module, {.targets = Targets::kAten, .locations = false}));
    for (const Node* input : call.all_input_nodes()) inputs.push_back(input->type());
    return type_of_graph(call, layer->graph(), inputs, env);
  }
  if (call.num_kwargs() != 0)
    return absl::InvalidArgumentError("a call to a graph must not have keyword arguments");
  for (size_t i = 0; i < call.num_args(); ++i) {
    const Node* const value = call.arg(i).node();
    inputs.push_back(value ? value->type() : type_of_number(call.context().types(), call.arg(i)));
    if (value == nullptr && !inputs.back())
      return absl::InvalidArgumentError("every input must be a value or a number");
  }
  return type_of_graph_module(call, *graph_module, inputs, env);
}

bool is_getattr(const Node& node) {
  return node.op() == Opcode::kCallFunction && node.target() == "builtins.getattr";
}

/// A graph with a single call, whose operands are inputs, or lazy views of them.
class Scratch {
 public:
  explicit Scratch(Context& context) : graph_(context) {}
  Graph& graph() { return graph_; }

  /// Copies the call; returns null if the type of an operand is unknown.
  absl::StatusOr<Node*> copy(const Node& call) {
    bool is_known = true;
    absl::Status status;
    call.for_each_input([&](Node* input) {
      if (!status.ok() || operands_.contains(input)) return;
      absl::StatusOr<Argument> operand = operand_of(*input, is_getattr(call));
      if (!operand.ok()) {
        status = operand.status();
        return;
      }
      is_known = is_known && !operand->is_none();
      operands_.emplace(input, *std::move(operand));
    });
    FX_RETURN_IF_ERROR(status);
    if (!is_known) return nullptr;
    FX_ASSIGN_OR_RETURN(Node* const copied,
                        graph_.node_copy(call, [&](Node* node) { return operands_.at(node); }));
    copied->set_type(Type());
    return copied;
  }

 private:
  /// Returns the operand in the scratch graph; None if its type is unknown. A call is copied if its
  /// type does not suffice: for the names of results (`max(x, 1).values`), and for an attribute
  /// that is not a value (`x.dtype`).
  absl::StatusOr<Argument> operand_of(const Node& input, bool is_for_getattr) {
    const bool is_call = input.op() == Opcode::kCallFunction || input.op() == Opcode::kCallMethod;
    // The value of an attribute has the type that the tensor had at that point.
    const bool is_untyped_attribute = is_getattr(input) && !input.type();
    if (is_untyped_attribute || (is_for_getattr && is_call && !input.type().is_tensor())) {
      // At most two levels: getattr of a call whose operands are inputs.
      if (++depth_ > 2) return Argument();
      FX_ASSIGN_OR_RETURN(Node* const copied, copy(input));
      --depth_;
      return copied ? Argument(copied) : Argument();
    }
    if (!input.type()) return Argument();
    if (Argument sizes = sizes_of(input); !sizes.is_none()) return sizes;
    Node* operand = graph_.placeholder(input.name());
    operand->set_type(input.type());
    // Types do not record whether a value may be a lazy view, but calls may return different
    // strides for one. An input that may be complex counts as a lazy view.
    if (input.type().is_tensor() && is_known_real(input.type()) &&
        may_be_lazy_view(input, may_be_lazy_input)) {
      operand = graph_.call_function(input.context().function("aten._neg_view.default"), {operand});
      operand->set_type(input.type());
    }
    return Argument(operand);
  }

  /// Returns a list of integers as a list of constants and inputs, as lowering replaces
  /// `builtins.getattr(x, "shape")`: the functions that it lowers may read the items. None for other
  /// values.
  Argument sizes_of(const Node& input) {
    const Type type = input.type();
    if ((!type.is_list() && !type.is_tuple()) || type.items().empty()) return Argument();
    for (const Type item : type.items())
      if (item.kind() != TypeKind::kInt) return Argument();
    std::vector<Argument> items;
    for (const Type item : type.items()) {
      if (item.is_constant()) {
        items.emplace_back(item.int_value());
        continue;
      }
      Node* const value = graph_.placeholder(input.name());
      value->set_type(item);
      items.emplace_back(value);
    }
    return type.is_list() ? Argument::list(items) : Argument::tuple(items);
  }

  Graph graph_;
  absl::flat_hash_map<const Node*, Argument> operands_;
  int depth_ = 0;
};

/// Returns the error of the first call in the graph that a type function rejects; OK if there is
/// none.
absl::Status first_rejected_call(Graph& graph, ShapeEnv& env) {
  const ShapeReport report = propagate_types(graph, {.env = &env});
  for (const ShapeFinding& finding : report.findings) {
    if (finding.kind != ShapeFinding::Kind::kInvalidCall) continue;
    // "node add (aten.add.Tensor): REASON", then a line with the call
    const std::string_view line =
        std::string_view(finding.message).substr(0, finding.message.find('\n'));
    const size_t label = line.find("): ");
    return absl::InvalidArgumentError(fmt::format(
        "{}: {}", finding.op, label == std::string_view::npos ? line : line.substr(label + 3)));
  }
  return absl::OkStatus();
}

/// Returns the type of `x.shape.numel()`, the product of the sizes; the null Type for other calls.
/// Lowering reads the sizes from a tuple, which the operand is not.
Type type_of_numel(const Node& call) {
  if (call.op() != Opcode::kCallMethod || call.target() != "numel" || call.num_args() != 1)
    return Type();
  const Node* const shape = call.arg(0).node();
  if (shape == nullptr || !shape->type().is_tuple()) return Type();
  Dim count = 1;
  for (const Type size : shape->type().items()) {
    if (size.kind() != TypeKind::kInt) return Type();
    if (size.is_symbolic())
      count = count * Dim(size.expr());
    else if (size.is_constant())
      count = count * Dim(size.int_value());
    else
      return call.context().types().integer();
  }
  TypeTable& types = call.context().types();
  return count.is_int() ? types.integer(count.value()) : types.integer(count.expr());
}

/// Returns the type of a named result of an earlier call, `m.values`; `type` for other attributes.
/// The type that lowering computes is wrong if an operand of the earlier call has changed since.
Type type_of_field(const Node& getattr, const Node& output, Type type) {
  const Node *const of = getattr.arg(0).node(), *const item = output.arg(0).node();
  if (of == nullptr || item == nullptr || !(of->type().is_list() || of->type().is_tuple()))
    return type;
  const std::optional<int64_t> index = constant_item(*item);
  const auto items = of->type().items();
  return index && *index >= 0 && *index < std::ssize(items) ? items[static_cast<size_t>(*index)]
                                                            : type;
}

}  // namespace

absl::StatusOr<Type> type_by_lowering(const Node& call, ShapeEnv& env) {
  if (is_in_dtype_mode(call)) return Type();
  if (call.op() == Opcode::kCallModule) return type_of_layer(call, env);
  if (const Type count = type_of_numel(call)) return count;
  Scratch scratch(call.context());
  FX_ASSIGN_OR_RETURN(Node* const copy, scratch.copy(call));
  if (copy == nullptr) return Type();
  scratch.graph().output(copy);
  FX_ASSIGN_OR_RETURN(const LowerToAtenReport report,
                      lower_to_aten(scratch.graph(), {.env = &env}));
  if (!report.not_lowered.empty()) return report.not_lowered[0].reason;
  const Type type =
      type_of(call.context().types(), Argument(scratch.graph().output_node()->arg(0)));
  if (!type) FX_RETURN_IF_ERROR(first_rejected_call(scratch.graph(), env));
  return is_getattr(call) ? type_of_field(call, *scratch.graph().output_node(), type) : type;
}

}  // namespace fx
