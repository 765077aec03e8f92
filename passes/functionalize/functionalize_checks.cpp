// Checks that eager mode accepts a write, and that the functional form computes the same values.
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/status.h"
#include "fx/passes/functionalize/functionalize_internal.h"
#include "fx/passes/functionalize/views_internal.h"
#include "fx/passes/shape/shape_env.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace fx::functional {
namespace {

using ops::OpTrait;

/// True if the result of the functional form may have a different dtype than the tensor to which
/// the call writes.
bool may_promote(const OpPlan& plan) {
  constexpr std::string_view kKeepDType[] = {
      "aten._batch_norm_with_update",
      "aten._foreach_copy_",
      "aten._foreach_neg_",
      "aten._foreach_zero_",
      "aten._native_batch_norm_legit",
      "aten.addbmm_",
      "aten.addmm_",
      "aten.addmv_",
      "aten.alpha_dropout_",
      "aten.baddbmm_",
      "aten.batch_norm",
      "aten.bernoulli_",
      "aten.copy_",
      "aten.dropout_",
      "aten.exponential_",
      "aten.feature_alpha_dropout_",
      "aten.feature_dropout_",
      "aten.fill_",
      "aten.fill_diagonal_",
      "aten.index_add_",
      "aten.index_copy_",
      "aten.index_fill_",
      "aten.index_put_",
      "aten.masked_fill_",
      "aten.masked_scatter_",
      "aten.native_batch_norm",
      "aten.neg_",
      "aten.normal_",
      "aten.put_",
      "aten.random_",
      "aten.relu_",
      "aten.scatter_",
      "aten.scatter_add_",
      "aten.scatter_reduce_",
      "aten.tril_",
      "aten.triu_",
      "aten.uniform_",
      "aten.zero_",
  };
  const std::string_view packet = plan.op->packet();
  return !std::ranges::binary_search(kKeepDType, packet) && !packet.starts_with("aten._fused_");
}

/// Returns the constant arguments of the calls that created two views, if they are integers of the
/// same sign, so that they can be compared as positions.
std::optional<std::pair<int64_t, int64_t>> positions(const Argument& a, const Argument& b) {
  if (!a.is_int() || !b.is_int() || (a.as_int() < 0) != (b.as_int() < 0)) return std::nullopt;
  return std::pair(a.as_int(), b.as_int());
}

/// True if the items of a list of views have no elements in common. This may be false for
/// tensor_split, whose indices need not be in ascending order.
bool has_disjoint_items(const View& view) {
  const std::optional<Argument> indices = view.call->argument("indices");
  if (!indices) return true;
  int64_t last = 0;
  for (size_t i = 0; i < indices->size(); ++i) {
    if (!(*indices)[i].is_int() || (*indices)[i].as_int() < last) return false;
    last = (*indices)[i].as_int();
  }
  return true;
}

/// True if the arguments of their calls show that two views of one source have no elements in
/// common.
bool are_disjoint_parts(const View& a, const View& b) {
  const auto is_part_of_complex = [](const View& view) {
    return view.kind == ViewKind::kReal || view.kind == ViewKind::kImaginary;
  };
  if (is_part_of_complex(a) && is_part_of_complex(b)) return a.kind != b.kind;
  if (a.kind != b.kind) return false;
  if (a.kind == ViewKind::kSplit || a.kind == ViewKind::kUnbind)
    return a.call == b.call && a.item != b.item && has_disjoint_items(a);
  if (a.kind != ViewKind::kSelect && a.kind != ViewKind::kSlice) return false;
  const auto dims = positions(view_argument(a, 1), view_argument(b, 1));
  if (!dims || dims->first != dims->second) return false;
  if (a.kind == ViewKind::kSelect) {
    const auto at = positions(view_argument(a, 2), view_argument(b, 2));
    return at && at->first != at->second;
  }
  const auto ends_before = [&](const View& x, const View& y) {
    const auto at = positions(view_argument(x, 3), view_argument(y, 2));
    return at && at->first >= 0 && at->first <= at->second;
  };
  return ends_before(a, b) || ends_before(b, a);
}

/// True if each element of the result depends only on the same element of the operands, so that eager
/// mode accepts the written tensor as another operand (x.lt_(x)).
bool is_elementwise(const OpPlan& plan) {
  constexpr std::string_view kUntagged[] = {
      "aten.arctan2_",  "aten.copy_",          "aten.divide_",  "aten.floor_divide_",
      "aten.greater_",  "aten.greater_equal_", "aten.less_",    "aten.less_equal_",
      "aten.multiply_", "aten.not_equal_",     "aten.subtract_"};
  if (plan.is_foreach || plan.op->has(OpTrait::kPointwise) ||
      std::ranges::binary_search(kUntagged, plan.op->packet()))
    return true;
  // PyTorch tags only the functional forms of some operators.
  const ops::OpInfo* const form = plan.function.op();
  return form != nullptr && form->has(OpTrait::kPointwise) &&
         plan.op->packet() != "aten.masked_fill_";  // rejects its own mask
}

}  // namespace

/// Fails unless eager mode accepts the copy, or a copy of each item of two lists. The strides, which
/// may be unknown, do not matter.
absl::Status Aliases::check_copies(const Node& node, const FormCall& typed) const {
  if (typed.args.size() < 2) return absl::OkStatus();
  const Target copy = node.context().function("aten.copy_.default");
  const auto dense = [&](const Argument& value) -> Argument {
    const Type type = value.kind() == ArgumentKind::kType ? value.as_type() : Type();
    if (!type.is_tensor() || !type.has_rank() || type.has_strides()) return value;
    TensorSpec spec = type.spec();
    spec.strides = StrideSpec();
    return Argument(node.context().types().tensor(spec));
  };
  const auto check = [&](const Argument& to, const Argument& from) -> absl::Status {
    const Argument args[] = {dense(to), dense(from)};
    const absl::StatusOr<InferredCall> call = infer_call(node.context(), copy, args);
    if (call.status().code() != absl::StatusCode::kInvalidArgument) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", describe(node), std::string(call.status().message())));
  };
  const Argument &to = typed.args[0], &from = typed.args[1];
  if (!to.is_list()) return check(to, from);
  for (size_t i = 0; i < to.size() && i < from.size(); ++i)
    FX_RETURN_IF_ERROR(check(to[i], from[i]));
  return absl::OkStatus();
}

/// Rejects a call to `copy_` that casts a lazy view, or casts to a lazy view between float16 and
/// float32: its functional form casts the values instead.
absl::Status Aliases::check_lazy_copy(const Node& node) const {
  const std::optional<Argument> target = node.argument("self"), source = node.argument("src");
  if (!target || !source || !target->is_node() || !source->is_node()) return absl::OkStatus();
  const auto type_of = [&](const Node& tensor) {
    const Value value = values[tensor];
    return value.is_identity() ? views[identities[value.index()].view].type : tensor.type();
  };
  const Node &to = *target->as_node(), &from = *source->as_node();
  const Type to_type = type_of(to), from_type = type_of(from);
  if (!may_copy_lazy_view_differently(from_type, to_type)) return absl::OkStatus();
  // The inputs of a graph that is not nested count as plain tensors.
  const auto may_be_lazy = [this](const Node& value) {
    return may_be_lazy_view(
        value, [this](const Node& input) { return nested_ || &input.graph() != &graph; });
  };
  const auto may_be = [](Type type, DType dtype) {
    return !type.is_tensor() || type.dtype() == DType::kUndefined || type.dtype() == dtype;
  };
  const auto may_cast = [&](DType a, DType b) {
    return may_be(from_type, a) && may_be(to_type, b);
  };
  // libtorch's kernel for these casts does not negate.
  const bool may_skip_negation =
      may_cast(DType::kFloat16, DType::kFloat32) || may_cast(DType::kFloat32, DType::kFloat16);
  const Node* const lazy = may_be_lazy(from)                      ? &from
                           : may_skip_negation && may_be_lazy(to) ? &to
                                                                  : nullptr;
  if (lazy == nullptr) return absl::OkStatus();
  return absl::UnimplementedError(fmt::format(
      "{} may cast {}, which may be a lazily negated or conjugated view: eager mode casts the "
      "elements in memory and then negates them. Call resolve_neg and resolve_conj first, or copy "
      "between equal dtypes",
      describe(node), lazy->name()));
}

Type result_of(const OpPlan& plan, Type results, const WriteTarget& target) {
  const auto item_of = [](Type list, size_t index) {
    const bool is_known = (list.is_tuple() || list.is_list()) && index < list.items().size();
    return is_known ? list.items()[index] : Type();
  };
  const Type value = plan.outputs.size() > 1 ? item_of(results, target.output) : results;
  return target.item >= 0 ? item_of(value, static_cast<size_t>(target.item)) : value;
}

/// True if the operator and its functional form compute the same in every dtype mode. Autocast does
/// not convert the operands of operators that write to tensors, but those of many functional ones
/// (ATen/autocast_mode.h).
bool ignores_dtype_modes(const OpPlan& plan) {
  constexpr std::string_view kPackets[] = {"aten.copy_", "aten.fill_", "aten.zero_", "aten.add_",
                                           "aten.sub_",  "aten.mul_",  "aten.div_"};
  return std::ranges::find(kPackets, plan.op->packet()) != std::end(kPackets);
}

/// Rejects calls that eager mode rejects, and calls whose functional form would have a different
/// dtype or sizes than the written tensor.
absl::Status Aliases::check_call(Node& node, const OpPlan& plan, const FormCall& form,
                                 const std::vector<WriteTarget>& targets) {
  if ((in_dtype_mode_ || is_in_dtype_mode(node)) && !ignores_dtype_modes(plan)) {
    return absl::UnimplementedError(fmt::format(
        "{} writes to its arguments in a region with autocast or another default dtype, where its "
        "functional form may compute in another dtype: use an operator that does not write",
        describe(node)));
  }
  const absl::StatusOr<InferredCall> call = infer(node);
  if (call.status().code() == absl::StatusCode::kInvalidArgument) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", describe(node), std::string(call.status().message())));
  }
  // The recorded type of a call may predate a resize of an operand.
  if (call.ok() && call->type &&
      !(is_complete(node.type()) && same_layout(node.type(), call->type)))
    inferred[node] = call->type;
  if (plan.op->packet() == "aten.copy_") FX_RETURN_IF_ERROR(check_lazy_copy(node));
  const ops::OpInfo& op = *plan.function.op();
  FormCall typed;
  for (const Argument& argument : form.args) typed.args.push_back(with_types(argument));
  for (const Kwarg& kwarg : form.kwargs)
    typed.kwargs.emplace_back(kwarg.key, with_types(kwarg.value));
  std::vector<BoundParameter> bound;
  bind_arguments(op.schema(), CallArguments::of(form.args, form.kwargs), call_style(op), bound);
  for (size_t i = 0; i < bound.size(); ++i) {
    const ops::SchemaArgument& argument = op.schema().arguments()[i];
    if (!bound[i].is_passed() || argument.type.is_optional() ||
        !argument_at(form.args, form.kwargs, bound[i].first).is_none())
      continue;
    return absl::UnimplementedError(fmt::format(
        "{} writes to its arguments and has no functional form without {}: use an operator that "
        "has one",
        describe(node), argument.name));
  }
  absl::StatusOr<InferredCall> form_result =
      infer_call(node.context(), plan.function, typed.args, typed.kwargs);
  if (form_result.ok() && !form_result->type) {
    // The type depends on relations between symbols, for which the graph already has guards.
    ShapeEnv env(node.context());
    env.set_ranges_of(node.graph());
    form_result =
        infer_call(node.context(), plan.function, typed.args, typed.kwargs, {.env = &env});
  }
  if (form_result.status().code() == absl::StatusCode::kInvalidArgument) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", describe(node), std::string(form_result.status().message())));
  }
  if (plan.op->packet() == "aten.copy_" || plan.op->packet() == "aten._foreach_copy_")
    FX_RETURN_IF_ERROR(check_copies(node, typed));
  const Type results = form_result.ok() ? form_result->type : Type();
  functional[node] = results;
  for (const WriteTarget& target : targets) {
    const Type value = result_of(plan, results, target);
    const View& view = view_of(target.identity);
    const bool is_known = value.is_tensor() && view.type.is_tensor() &&
                          value.dtype() != DType::kUndefined &&
                          view.type.dtype() != DType::kUndefined;
    if (!is_known) {
      if (!may_promote(plan)) continue;
      return missing_type(*view.call, fmt::format("whether {} casts its result", describe(node)));
    }
    const bool casts = value.dtype() != view.type.dtype();
    if (casts && (is_quantized(value.dtype()) || is_quantized(view.type.dtype()))) {
      return absl::UnimplementedError(
          fmt::format("{} writes its result, {}, to a tensor of dtype {}: a cast cannot "
                      "create a quantized tensor",
                      describe(node), dtype_name(value.dtype()), dtype_name(view.type.dtype())));
    }
    if (!can_cast(value.dtype(), view.type.dtype())) {
      return absl::InvalidArgumentError(fmt::format(
          "{} cannot cast its result, {}, to {}, the dtype of the tensor that it writes to",
          describe(node), dtype_name(value.dtype()), dtype_name(view.type.dtype())));
    }
    const auto argument = static_cast<size_t>(plan.outputs[target.output].argument);
    const bool has_sizes = has_number_layout(value) && has_number_layout(view.type);
    if (has_sizes && !same_sizes(value, view.type) &&
        !plan.op->schema().arguments()[argument].is_out()) {
      return absl::InvalidArgumentError(fmt::format(
          "{} has a result, {}, whose sizes differ from those of the tensor that it writes to, {}",
          describe(node), to_string(value), to_string(view.type)));
    }
  }
  return absl::OkStatus();
}

bool Aliases::are_apart(uint32_t a, uint32_t b) const {
  absl::InlinedVector<int32_t, 8> chain;
  for (auto i = static_cast<int32_t>(a); i >= 0; i = views[static_cast<uint32_t>(i)].parent)
    chain.push_back(i);
  for (auto i = static_cast<int32_t>(b); i >= 0;) {
    const View& view = views[static_cast<uint32_t>(i)];
    const auto shared = std::ranges::find(chain, view.parent);
    if (view.parent >= 0 && shared != chain.end()) {
      if (shared == chain.begin()) return false;
      const View& other = views[static_cast<uint32_t>(*(shared - 1))];
      return !views[static_cast<uint32_t>(view.parent)].overlaps && are_disjoint_parts(view, other);
    }
    i = view.parent;
  }
  return false;
}

Overlap Aliases::compare(uint32_t identity_a, uint32_t identity_b) {
  const uint32_t a = identities[identity_a].view, b = identities[identity_b].view;
  if (a == b) return Overlap::kSame;
  if (views[a].memory != views[b].memory) return Overlap::kUnknown;
  const Overlap by_types = views[a].elements == views[b].elements
                               ? compare_regions(views[a].type, views[b].type)
                               : Overlap::kUnknown;
  return by_types == Overlap::kUnknown && are_apart(a, b) ? Overlap::kNone : by_types;
}

/// Returns the tensors among the arguments of a call. Appends the memories of operands that are
/// lists returned by a node to `in_lists`.
std::vector<TensorOperand> Aliases::tensor_operands(const Node& node, const OpPlan& plan,
                                                    std::vector<MemoryState>& in_lists) const {
  std::vector<TensorOperand> operands;
  const auto add = [&](const Node* tensor, size_t argument, int item) {
    if (tensor == nullptr) return;
    if (values[*tensor].is_aggregate()) add_states(*tensor, in_lists);
    if (values[*tensor].is_identity())
      operands.push_back({static_cast<int>(argument), item, values[*tensor].index()});
  };
  for (size_t i = 0; i < plan.op->schema().arguments().size(); ++i) {
    const std::optional<ArgumentRef> given = passed_argument(node, *plan.op, static_cast<int>(i));
    if (!given) continue;
    if (!given->is_list() && !given->is_tuple()) {
      add(given->node(), i, -1);
      continue;
    }
    for (size_t k = 0; k < given->size(); ++k) add((*given)[k].node(), i, static_cast<int>(k));
  }
  return operands;
}

/// True if two memories are the same, or may share elements.
bool Aliases::may_share_elements(uint32_t a, uint32_t b) const {
  const auto lists = [&](uint32_t memory, uint32_t other) {
    return std::ranges::any_of(memories[memory].may_share,
                               [&](const MemoryState& state) { return state.memory == other; });
  };
  return a == b || lists(a, b) || lists(b, a);
}

/// Rejects a call that may read elements of an operand after it has written to them, unless the
/// functional form reads the same values.
absl::Status Aliases::check_operand(const Node& node, const OpPlan& plan,
                                    const std::vector<WriteTarget>& targets,
                                    const WriteTarget& target, const TensorOperand& operand,
                                    Overlap overlap) {
  const bool is_written = std::ranges::any_of(targets, [&](const WriteTarget& other) {
    return plan.outputs[other.output].argument == operand.argument;
  });
  if (overlap == Overlap::kSame && is_elementwise(plan) && !is_written) return absl::OkStatus();
  if (plan.is_fill) return absl::OkStatus();  // it reads the number before it writes
  const View &to = view_of(target.identity), &from = view_of(operand.identity);
  if (overlap == Overlap::kUnknown && !(has_layout(to.type) && has_layout(from.type)))
    return missing_type(has_layout(to.type) ? *from.call : *to.call,
                        fmt::format("whether {} reads memory that it writes", describe(node)));
  return absl::UnimplementedError(fmt::format(
      "{} writes to {} and has another operand, {}, that may have elements in common with it: "
      "eager mode rejects the call, or its result depends on the order of the elements",
      describe(node), to.call->name(), from.call->name()));
}

absl::StatusOr<bool> Aliases::goes_item_by_item(const Node& node, const OpPlan& plan,
                                                const std::vector<WriteTarget>& targets) {
  std::vector<MemoryState> in_lists;
  const std::vector<TensorOperand> operands = tensor_operands(node, plan, in_lists);
  for (const MemoryState& state : in_lists) {
    for (const WriteTarget& target : targets) {
      if (!may_share_elements(view_of(target.identity).memory, state.memory)) continue;
      return absl::UnimplementedError(fmt::format(
          "{} writes to memory that items of a list among its operands may share: pass a list of "
          "its items instead (operator.getitem)",
          describe(node)));
    }
  }
  absl::flat_hash_map<uint32_t, uint32_t> counts;  // counts of operands by memory
  bool is_shared = false;
  for (const TensorOperand& operand : operands) {
    const uint32_t memory = view_of(operand.identity).memory;
    is_shared = ++counts[memory] > 1 || is_shared || !memories[memory].may_share.empty();
  }
  if (!is_shared) return false;
  bool one_by_one = false;
  for (const WriteTarget& target : targets) {
    const int argument = plan.outputs[target.output].argument;
    const uint32_t memory = view_of(target.identity).memory;
    for (const TensorOperand& operand : operands) {
      const bool is_itself = operand.argument == argument && operand.item == target.item;
      if (is_itself || !may_share_elements(memory, view_of(operand.identity).memory)) continue;
      const Overlap overlap = compare(target.identity, operand.identity);
      if (overlap == Overlap::kNone) continue;
      const bool is_other_item = plan.is_foreach && operand.item != target.item;
      one_by_one = one_by_one || is_other_item;
      if (is_other_item && operand.item >= 0) continue;
      FX_RETURN_IF_ERROR(check_operand(node, plan, targets, target, operand, overlap));
    }
  }
  return one_by_one;
}

/// True if an operand other than the target uses the same memory.
bool Aliases::reads_memory(const Node& node, const OpPlan& plan, const WriteTarget& target) const {
  const uint32_t memory = views[identities[target.identity].view].memory;
  for (size_t i = 0; i < plan.op->schema().arguments().size(); ++i) {
    if (static_cast<int>(i) == plan.outputs[target.output].argument) continue;
    const std::optional<ArgumentRef> given = passed_argument(node, *plan.op, static_cast<int>(i));
    const Node* tensor = given ? given->node() : nullptr;
    if (!tensor || !values[*tensor].is_identity()) continue;
    if (views[identities[values[*tensor].index()].view].memory == memory) return true;
  }
  return false;
}

}  // namespace fx::functional
