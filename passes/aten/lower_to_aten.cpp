#include "fx/passes/aten/lower_to_aten.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/ops/packets.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/number_functions.h"
#include "fx/passes/aten/bind_overload_internal.h"
#include "fx/passes/aten/call_queries_internal.h"
#include "fx/passes/aten/composite_internal.h"
#include "fx/passes/aten/inline_layers.h"
#include "fx/passes/aten/resized_tensors_internal.h"
#include "fx/passes/aten/value_kinds_internal.h"
#include "fx/passes/shape/changed_types.h"
#include "fx/passes/shape/shape_prop.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace fx {
namespace {

using aten::may_be_tensor;
using aten::ValueKind;
using Replacement = std::optional<Argument>;  ///< nullopt if the call does not change

template <class T, size_t n>
const T* find_in(const std::pair<std::string_view, T> (&table)[n], std::string_view key) {
  for (const auto& [name, value] : table)
    if (name == key) return &value;
  return nullptr;
}

/// The operators that Python calls if the first operand of a comparison is a number: `1 < x` is
/// `x > 1`.
constexpr std::pair<std::string_view, std::string_view> kMirrored[] = {
    {"operator.lt", "aten.gt"}, {"operator.le", "aten.ge"}, {"operator.gt", "aten.lt"},
    {"operator.ge", "aten.le"}, {"operator.eq", "aten.eq"}, {"operator.ne", "aten.ne"},
};

class Lowering {
 public:
  Lowering(Graph& graph, const LowerToAtenOptions& options)
      : graph_(graph), infer_{.env = options.env}, kinds_(graph) {}

  absl::StatusOr<LowerToAtenReport> run() {
    for (Node* node = graph_.front(); node != nullptr;) {
      Node* const before = node->prev();
      if (node->op() == Opcode::kCallModule && graph_.owning_module() != nullptr) {
        // The inputs have types at this point. The loop visits the new nodes next.
        const absl::StatusOr<bool> inlined = inline_layer(*node);
        layer_error_ = inlined.status();
        if (absl::IsFailedPrecondition(layer_error_)) return layer_error_;  // no such module
        if (inlined.value_or(false)) {
          report_.changed = true;
          node = before != nullptr ? before->next() : graph_.front();
          continue;
        }
      }
      Node* const next = node->next();
      lower(*node);
      if (Node* const last = next ? next->prev() : graph_.back())
        report_.changed |= resized_.replace_uses_after(*last);
      for (Node* lowered = before ? before->next() : graph_.front(); lowered != next;
           lowered = lowered->next())
        changed_.note(*lowered);
      node = next;
    }
    return std::move(report_);
  }

 private:
  /// Sets the type of a node without one, if it can be computed.
  void type(Node& node) {
    if (node.type()) return;
    infer(node);
    if (kinds_.note(node)) report_.changed = true;
  }
  void infer(Node& node) {
    if (node.is_placeholder()) {
      const Type recorded = recorded_type(node);
      if (!recorded) return;
      node.set_type(recorded);
      report_.changed = true;
    } else if (set_inferred_type(node, infer_)) {
      report_.changed = true;
    }
  }

  void lower(Node& node) {
    const bool is_call = node.op() == Opcode::kCallFunction || node.op() == Opcode::kCallMethod;
    if (!is_call) {
      type(node);
      if (node.op() == Opcode::kCallModule)
        report_not_lowered(node, layer_error_.ok()
                                     ? absl::NotFoundError("its module must be a known layer")
                                     : layer_error_);
      return;
    }
    is_method_ = CallArguments::of(node).is_method;
    const InsertPointGuard guard = graph_.inserting_before(&node);
    Node* const before = node.prev();
    const bool has_changed = report_.changed;
    absl::StatusOr<Replacement> replacement =
        node.op() == Opcode::kCallMethod ? lower_method(node) : lower_function(node);
    if (!replacement.ok()) {
      while (node.prev() != before) erase(*node.prev());  // calls of a partial replacement
      report_.changed = has_changed;
      report_not_lowered(node, replacement.status());
    }
    if (!replacement.ok() || !*replacement) return type(node);
    replace(node, **replacement, before);
  }

  void report_not_lowered(const Node& node, const absl::Status& reason) {
    report_.not_lowered.push_back({&node, reason});
  }

  /// Replaces `node` with `value`; the nodes after `before` were created for it.
  void replace(Node& node, const Argument& value, Node* before) {
    Node* first = before ? before->next() : graph_.front();
    for (Node* created = first; created != &node; created = created->next()) {
      inherit_provenance(*created, node);
      type(*created);
    }
    ++report_.lowered;
    report_.changed = true;
    Node* const result = value.node();
    const bool is_new = result != nullptr && first != &node && result == node.prev();
    if (is_new && node.op() == Opcode::kCallFunction) {
      // The node becomes the new call, and keeps its name and other properties.
      const Type result_type = result->type();
      const std::vector<Argument> args = result->args();
      const std::vector<Kwarg> kwargs = result->kwargs();
      const Target function = result->function();
      erase(*result);
      node.set_function(function);
      FX_CHECK_OK(node.set_args(args));
      FX_CHECK_OK(node.set_kwargs(kwargs));
      if (result_type) change_type(node, result_type);
      type(node);  // so that the kind is known when its users are lowered
      return;
    }
    const Type known = node.type();
    const std::string name = node.name();
    FX_CHECK_OK(node.replace_all_uses_with(value));
    erase(node);
    if (!is_new) return;
    result->rename(name);
    if (!result->type() && known) result->set_type(known);
  }

  void erase(Node& node) { FX_CHECK_OK(graph_.erase_node(&node)); }

  absl::StatusOr<Replacement> call(std::string_view packet, absl::Span<const Argument> args,
                                   absl::Span<const Kwarg> kwargs = {}) {
    bool has_tensor = false;
    for (size_t i = 1; i < args.size(); ++i) {
      const ValueKind kind = kinds_.of(args[i]);
      if (kind == ValueKind::kUnknown) return aten::unknown_kind(args[i]);
      has_tensor = has_tensor || kind == ValueKind::kTensor;
    }
    if (has_tensor && kinds_.of(args[0]) == ValueKind::kUnknown &&
        aten::accepts_number_first(graph_.context(), packet))
      return aten::unknown_kind(args[0]);
    FX_ASSIGN_OR_RETURN(const aten::BoundCall bound,
                        aten::bind_overload(
                            graph_.context(), packet, args, kwargs,
                            [this](const Argument& a) { return kinds_.of(a); }, is_method_));
    if (aten::returns_object(*bound.op)) return Replacement();
    Node* const created =
        graph_.call_function(graph_.context().function(bound.op->name()), bound.args, bound.kwargs);
    return Replacement(created);
  }

  /// Calls the operator of a function of torch's bindings.
  absl::StatusOr<Replacement> call_binding(std::string_view function, std::string_view packet,
                                           absl::Span<const Argument> args,
                                           std::vector<Kwarg> kwargs) {
    FX_RETURN_IF_ERROR(
        aten::convert_binding_keywords(graph_.context(), function, packet, args.size(), kwargs));
    return call(packet, args, kwargs);
  }

  /// Returns the callback through which functions in other source files add calls.
  auto add_call() {
    return [this](std::string_view op, absl::Span<const Argument> args,
                  absl::Span<const Kwarg> kwargs) -> absl::StatusOr<Node*> {
      const Target function = graph_.context().function(op);
      if (const ops::OpInfo* const info = function.op(); info != nullptr && !info->is_function()) {
        FX_RETURN_IF_ERROR(aten::check_numbers(*info, args, kwargs,
                                               [this](const Argument& a) { return kinds_.of(a); }));
      }
      Node* const created = graph_.call_function(function, args, kwargs);
      type(*created);
      return created;
    };
  }

  auto is_integer() {
    return [this](const Argument& item) { return kinds_.is_integer(item); };
  }

  absl::StatusOr<Replacement> lower_function(Node& node) {
    if (const ops::OpInfo* op = node.function().op(); op != nullptr && !op->is_function())
      return Replacement();  // an operator already
    const std::string_view name = ops::python_function(node.function().name());
    std::vector<Argument> args = node.args();
    std::vector<Kwarg> kwargs = node.kwargs();
    if (name.starts_with("operator.")) return lower_operator(name, args);
    if (name == "builtins.getattr") return lower_attribute(args);
    if (name.starts_with("math.") || name.starts_with("builtins.")) return Replacement();
    if (name == "torch._assert" && !args.empty()) return lower_assert(args, kwargs);
    FX_ASSIGN_OR_RETURN(std::optional<Argument> composite,
                        aten::lower_composite(graph_.context(), name, args, kwargs, add_call()));
    if (composite) return *std::move(composite);
    FX_ASSIGN_OR_RETURN(
        const std::optional<ops::PythonCall> form,
        ops::python_form(graph_.context(), name, args, kwargs, aten::rank_of_input(args, kwargs)));
    if (form) return call_form(*form);
    constexpr std::string_view kMethods = "torch.Tensor.";
    if (name.starts_with(kMethods))
      ops::order_for_operator(name.substr(kMethods.size()), args, kwargs);
    const std::string packet = ops::packet_of_function(name);
    if (packet.empty() || !packet.starts_with("aten."))
      return absl::NotFoundError(fmt::format("{} does not correspond to a single operator", name));
    FX_ASSIGN_OR_RETURN(Replacement created, call_binding(name, packet, args, kwargs));
    // torch._foreach_add_ returns its list, unlike the operator.
    if (!name.starts_with("torch._foreach_") || !name.ends_with('_') || !node.has_uses())
      return created;
    const auto self = std::ranges::find(kwargs, "self", &Kwarg::key);
    if (args.empty() && self == kwargs.end()) return created;
    return Replacement(args.empty() ? self->value : args[0]);
  }

  absl::StatusOr<Replacement> call_form(const ops::PythonCall& form) {
    FX_ASSIGN_OR_RETURN(Replacement result, call(form.packet, form.args, form.kwargs));
    const std::optional<int64_t> rank = aten::rank_of_input(form.args, {});
    if (!form.is_batch_mean || rank == 0) return result;
    if (!rank)
      return absl::UnimplementedError("batchmean requires an input of known rank: propagate types");
    type(*result->as_node());
    FX_ASSIGN_OR_RETURN(const Argument size, size_of(form.args[0], 0));
    return call("aten.div", {*result, size});
  }

  /// Removes torch._assert(condition, message) if the condition is known to be true.
  absl::StatusOr<Replacement> lower_assert(const std::vector<Argument>& args,
                                           const std::vector<Kwarg>& kwargs) {
    const Node* const node = args[0].node();
    const Type type = node ? node->type() : Type();
    const bool is_known = type && type.kind() == TypeKind::kBool && type.is_constant();
    if (args[0] == Argument(true) || (is_known && type.bool_value()))
      return Replacement(Argument());
    Argument message = args.size() > 1 ? args[1] : Argument("");
    for (const Kwarg& kwarg : kwargs)
      if (kwarg.key == "message") message = kwarg.value;
    return may_be_tensor(args[0]) && !(type && type.kind() == TypeKind::kBool)
               ? call("aten._assert_async", {args[0], message})
               : call("aten._assert_scalar", {args[0], message});
  }

  absl::StatusOr<Replacement> lower_operator(std::string_view name,
                                             const std::vector<Argument>& args) {
    if (name == "operator.getitem" && args.size() == 2) return lower_getitem(args[0], args[1]);
    if (name == "operator.setitem") return lower_setitem(args);
    const auto is_literal = [](const Argument& arg) { return arg.is_list() || arg.is_tuple(); };
    if (name == "operator.add" && args.size() == 2 && is_literal(args[0]) &&
        args[0].kind() == args[1].kind()) {
      std::vector<Argument> items;
      for (const Argument& arg : args)
        for (size_t i = 0; i < arg.size(); ++i) items.push_back(arg[i]);
      return Replacement(args[0].is_list() ? Argument::list(items) : Argument::tuple(items));
    }
    const auto has_kind = [&](ValueKind kind) {
      return [this, kind](const Argument& arg) { return kinds_.of(arg) == kind; };
    };
    const bool has_tensor = std::ranges::any_of(args, has_kind(ValueKind::kTensor));
    const auto unknown = std::ranges::find_if(args, has_kind(ValueKind::kUnknown));
    const bool has_numbers = std::ranges::any_of(args, has_kind(ValueKind::kNumbers));
    if (unknown != args.end() && !has_numbers) return aten::unknown_kind(*unknown);
    if (!has_tensor && args.size() == 2 && aten::is_constant_type(args[0]) &&
        aten::is_constant_type(args[1])) {
      if (name == "operator.eq") return Replacement(args[0] == args[1]);
      if (name == "operator.ne") return Replacement(!(args[0] == args[1]));
    }
    if (!has_tensor) return Replacement();  // numbers or lists: a Python operator
    // A tensor differs from None and from a list.
    if (args.size() == 2 && (name == "operator.eq" || name == "operator.ne") &&
        std::ranges::any_of(args, has_kind(ValueKind::kOther)))
      return Replacement(name == "operator.ne");
    // `n += x` returns a new value if n is a number.
    if (kinds_.of(args[0]) == ValueKind::kNumber) name = plain_number_function(name);
    const std::string packet = ops::packet_of_function(name);
    if (packet.empty())
      return absl::NotFoundError(fmt::format("{} is not an operator on tensors", name));
    // The first operand is a number: 1 - x.
    if (args.size() == 2 && aten::is_number(args[0])) {
      if (name == "operator.sub") return call("aten.rsub", {args[1], args[0]});
      if (name == "operator.add" || name == "operator.mul") return call(packet, {args[1], args[0]});
      if (name == "operator.truediv") {
        FX_ASSIGN_OR_RETURN(const Replacement inverse, call("aten.reciprocal", {args[1]}));
        type(*inverse->as_node());
        return call("aten.mul", {*inverse, args[0]});
      }
      if (const std::string_view* mirrored = find_in(kMirrored, name))
        return call(*mirrored, {args[1], args[0]});
    }
    return call(packet, args);
  }

  absl::StatusOr<Replacement> lower_getitem(const Argument& object, const Argument& index) {
    if ((object.is_list() || object.is_tuple()) && index.is_int()) {
      const auto size = static_cast<int64_t>(object.size());
      const int64_t at = index.as_int() < 0 ? index.as_int() + size : index.as_int();
      if (at < 0 || at >= size)
        return absl::InvalidArgumentError(fmt::format("index {} is out of range for {}",
                                                      index.as_int(), pluralize(size, "item")));
      return Replacement(object[static_cast<size_t>(at)]);
    }
    if ((object.is_list() || object.is_tuple()) && index.kind() == ArgumentKind::kSlice)
      return sliced_items(object, index);
    const Node* node = object.node();
    if (node == nullptr || !node->type().is_tensor()) return Replacement();
    FX_RETURN_IF_ERROR(kinds_.check_index(index));
    FX_ASSIGN_OR_RETURN(Node* const item, lower_index(object, index, is_integer(), add_call()));
    return Replacement(item);
  }

  absl::StatusOr<Replacement> lower_setitem(const std::vector<Argument>& args) {
    if (args.size() != 3 || kinds_.of(args[0]) != ValueKind::kTensor)
      return absl::UnimplementedError("setitem requires a tensor");
    if (kinds_.of(args[2]) == ValueKind::kUnknown) return aten::unknown_kind(args[2]);
    FX_RETURN_IF_ERROR(kinds_.check_index(args[1]));
    FX_RETURN_IF_ERROR(lower_set_index(args[0], args[1], args[2], is_integer(), add_call()));
    return Replacement(Argument());
  }

  /// Returns a size of `tensor`: a constant if the type specifies it.
  absl::StatusOr<Argument> size_of(const Argument& tensor, int64_t dim) {
    const Type type = tensor.as_node()->type();
    const int64_t rank = type.rank();
    if (dim < 0) dim += rank;
    if (dim < 0 || dim >= rank)
      return absl::InvalidArgumentError(
          fmt::format("the dimension is out of range for a tensor of rank {}", rank));
    const Dim size = type.sizes()[static_cast<size_t>(dim)];
    if (size.is_int()) return Argument(size.value());
    FX_ASSIGN_OR_RETURN(const Replacement created, call("aten.sym_size", {tensor, dim}));
    this->type(*created->as_node());
    return *created;
  }
  absl::StatusOr<Replacement> all_sizes(const Argument& tensor) {
    std::vector<Argument> sizes;
    for (int64_t i = 0; i < tensor.as_node()->type().rank(); ++i) {
      FX_ASSIGN_OR_RETURN(sizes.emplace_back(), size_of(tensor, i));
    }
    return Replacement(Argument::tuple(sizes));  // torch.Size is a tuple
  }
  /// Lowers x.stride(). The dispatcher has only the overload for one dimension.
  absl::StatusOr<Replacement> all_strides(const Argument& tensor) {
    std::vector<Argument> strides;
    for (int64_t i = 0; i < tensor.as_node()->type().rank(); ++i) {
      FX_ASSIGN_OR_RETURN(const Replacement created, call("aten.stride", {tensor, i}));
      this->type(*created->as_node());
      strides.push_back(*created);
    }
    return Replacement(Argument::tuple(strides));
  }

  /// Lowers builtins.getattr(x, "shape").
  absl::StatusOr<Replacement> lower_attribute(const std::vector<Argument>& args) {
    if (args.size() != 2 || !args[1].is_string() || !args[0].is_node())
      return absl::UnimplementedError("getattr requires a tensor and a constant name");
    const std::string_view name = args[1].as_string();
    if (const std::optional<int64_t> field = aten::result_named(*args[0].as_node(), name)) {
      const Argument item[] = {args[0], *field};
      return Replacement(graph_.call_function(graph_.context().function("operator.getitem"), item));
    }
    if (!may_be_tensor(args[0])) return absl::UnimplementedError("getattr requires a tensor");
    const Type type = args[0].as_node()->type();
    constexpr std::pair<std::string_view, std::string_view> kViews[] = {
        {"T", "aten.numpy_T"}, {"mT", "aten.mT"},     {"H", "aten.matrix_H"},  {"mH", "aten.mH"},
        {"real", "aten.real"}, {"imag", "aten.imag"}, {"data", "aten.detach"},
    };
    if (const std::string_view* op = find_in(kViews, name)) return call(*op, {args[0]});
    if (type.is_tensor() && name == "device") return Replacement(type.device());
    if (type.is_tensor() && name == "layout") return Replacement(type.layout());
    const bool reads_dtype = name == "dtype" || name == "itemsize";
    if (!type.is_tensor() || (reads_dtype ? type.dtype() == DType::kUndefined : !type.has_rank()))
      return absl::InvalidArgumentError(fmt::format("{} requires a tensor of known type", name));
    if (name == "shape") return all_sizes(args[0]);
    if (name == "ndim") return Replacement(type.rank());
    if (name == "dtype") return Replacement(type.dtype());
    if (name == "itemsize") return Replacement(dtype_item_size(type.dtype()));
    return absl::NotFoundError(
        fmt::format("the attribute {} does not correspond to an operator", name));
  }

  /// Lowers x.to(device, dtype=None, non_blocking=False, copy=False). The overload with only a
  /// device has only keyword arguments.
  absl::StatusOr<Replacement> to_device(const std::vector<Argument>& args,
                                        std::vector<Kwarg> kwargs) {
    constexpr std::string_view kNames[] = {"device", "dtype", "non_blocking", "copy"};
    if (args.size() > std::size(kNames) + 1)
      return absl::InvalidArgumentError(
          fmt::format("Tensor.to does not accept {}", pluralize(args.size(), "argument")));
    for (size_t i = 1; i < args.size(); ++i) kwargs.emplace_back(kNames[i - 1], args[i]);
    return call("aten.to", absl::MakeConstSpan(args.data(), 1), kwargs);
  }

  absl::StatusOr<Replacement> lower_method(Node& node) {
    std::vector<Argument> args = node.args();
    std::vector<Kwarg> kwargs = node.kwargs();
    const std::string_view name = node.target();
    if (name == "numel" && args.size() == 1 && (args[0].is_tuple() || args[0].is_list()))
      return Replacement(aten::product_of(graph_, args[0]));
    if (args.empty() || !may_be_tensor(args[0]) || may_call_container(node) ||
        (name == "numel" && is_shape(*args[0].node())))
      return absl::UnimplementedError("a method must be called on a tensor");
    const Type type = args[0].as_node()->type();
    const bool is_known = type.is_tensor() && type.has_rank();
    if (is_known && kwargs.empty()) {
      if (name == "size" && args.size() == 1) return all_sizes(args[0]);
      if (name == "stride" && args.size() == 1) return all_strides(args[0]);
      if (name == "size" && args.size() == 2 && args[1].is_int())
        return size_of(args[0], args[1].as_int());
      if ((name == "dim" || name == "ndimension") && args.size() == 1)
        return Replacement(type.rank());
    }
    if ((name == "size" || name == "stride") && args.size() == 1 && kwargs.empty())
      return absl::UnimplementedError(fmt::format("{}() requires a known rank", name));
    if (name == "size") return call("aten.sym_size", args, kwargs);
    if (name == "to" && args.size() > 1 && aten::is_device(args[1])) return to_device(args, kwargs);
    if (name == "cpu" && args.size() == 1) return to_device({args[0], Device{}}, kwargs);
    if (name == "type" && args.size() == 2 && args[1].kind() == ArgumentKind::kDType)
      return call("aten.to", args, kwargs);
    if (args.size() == 1 && kwargs.empty()) {
      if (const auto dtype = ops::dtype_of_cast(name)) return call("aten.to", {args[0], *dtype});
      if (name == "nelement") return call("aten.numel", {args[0]});
    }
    if (name == "__getitem__" && args.size() == 2) return lower_getitem(args[0], args[1]);
    if (name == "__setitem__") return lower_setitem(args);
    const std::string function = fmt::format("torch.Tensor.{}", name);
    FX_ASSIGN_OR_RETURN(
        std::optional<Argument> composite,
        aten::lower_composite(graph_.context(), function, args, kwargs, add_call()));
    if (composite) return *std::move(composite);
    FX_ASSIGN_OR_RETURN(const auto form,
                        ops::python_form(graph_.context(), function, args, kwargs));
    if (form) return call_form(*form);
    ops::order_for_operator(name, args, kwargs);
    return call_binding(function, fmt::format("aten.{}", name), args, std::move(kwargs));
  }

  Graph& graph_;
  InferOptions infer_;
  aten::ValueKinds kinds_;
  aten::ResizedTensors resized_;
  ChangedTypes changed_;      // by calls so far
  bool is_method_ = false;    // the call that is being lowered
  absl::Status layer_error_;  // why the last layer could not be inlined
  LowerToAtenReport report_;
};

}  // namespace

std::string LowerToAtenReport::str() const {
  std::string text;
  for (const NotLowered& call : not_lowered)
    text += fmt::format("{}: {}\n", describe(*call.node), std::string(call.reason.message()));
  return text;
}

absl::StatusOr<LowerToAtenReport> lower_to_aten(Graph& graph, const LowerToAtenOptions& options) {
  if (options.env != nullptr) return Lowering(graph, options).run();
  ShapeEnv env(graph);
  env.avoid_symbols_of(graph);
  FX_ASSIGN_OR_RETURN(LowerToAtenReport report, Lowering(graph, {.env = &env}).run());
  report.changed |= add_guards(graph, env.guards());
  return report;
}

}  // namespace fx
