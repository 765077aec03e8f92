// Plans of operators: their effects on memory, and their functional forms.
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/name.h"
#include "fx/passes/functionalize/functionalize_internal.h"

#include <algorithm>

namespace fx::functional {
namespace {

using ops::AliasKind;
using ops::Effect;
using ops::OpInfo;
using ops::OpTrait;
using Role = OpPlan::Role;

/// Functional forms whose names cannot be derived from the operators' names.
constexpr std::pair<std::string_view, std::string_view> kForms[] = {
    {"aten.batch_norm.default", "aten._native_batch_norm_legit_functional.default"},
    {"aten.native_batch_norm.default", "aten._native_batch_norm_legit_functional.default"},
    {"aten._native_batch_norm_legit.default", "aten._native_batch_norm_legit_functional.default"},
    {"aten._batch_norm_with_update.default", "aten._batch_norm_with_update_functional.default"},
    {"aten._fused_moving_avg_obs_fq_helper.default",
     "aten._fused_moving_avg_obs_fq_helper_functional.default"},
    {"aten.rrelu_with_noise.default", "aten.rrelu_with_noise_functional.default"},
    {"aten.rrelu_with_noise_.default", "aten.rrelu_with_noise_functional.default"},
    // For a real operand, aten.conj_physical returns the operand.
    {"aten.conj_physical_.default", "aten._conj_physical.default"},
    {"aten.conj_physical.out", "aten._conj_physical.default"},
    {"aten.bernoulli_.float", "aten.bernoulli.p"},
    {"aten.polygamma_.default", "aten.polygamma.default"},  // polygamma(n, self)
    {"aten.bernoulli_.Tensor", "aten.bernoulli.Tensor"},
    // In these forms, the operand is named `input`.
    {"aten.alpha_dropout_.default", "aten.alpha_dropout.default"},
    {"aten.dropout_.default", "aten.dropout.default"},
    {"aten.feature_alpha_dropout_.default", "aten.feature_alpha_dropout.default"},
    {"aten.feature_dropout_.default", "aten.feature_dropout.default"},
};

const OpInfo* functional_form(Context& context, const OpInfo& op) {
  for (const auto& [name, form] : kForms)
    if (name == op.name()) return ops::find_op(form);
  return context.ops().variants(op).functional;
}

/// True if an argument only selects a kernel; functional forms lack such arguments.
bool selects_kernel(const ops::SchemaArgument& argument) {
  return argument.name == "cudnn_enabled";
}

/// Returns a description of each result of a functional form. First come the results of the
/// original operator, where `(a!)` denotes the new value of an argument, then additional results of
/// the form, then the new values of the other arguments to which the original operator writes.
std::vector<FunctionalOutput> functional_outputs(const OpInfo& op, const OpInfo& form) {
  std::vector<FunctionalOutput> outputs;
  std::vector<uint8_t> rest(op.written_arguments().begin(), op.written_arguments().end());
  const size_t num_results = op.schema().returns().size();
  for (size_t i = 0; i < num_results; ++i) {
    FunctionalOutput output{.result = static_cast<int>(i)};
    for (const ops::OutputAlias& alias : op.output_aliases()) {
      if (alias.output != i || alias.kind != AliasKind::kSame) continue;
      if (std::erase(rest, alias.argument) != 0) output.argument = alias.argument;
    }
    outputs.push_back(output);
  }
  const size_t num_form_results = form.schema().returns().size();
  while (outputs.size() + rest.size() < num_form_results) outputs.emplace_back();
  for (const uint8_t argument : rest) outputs.push_back({.argument = argument});
  return outputs;
}

bool returns_list(const OpInfo& op, size_t index) {
  return op.schema().returns()[index].type.without_optional().is_list();
}

bool is_list(const ops::SchemaArgument& argument) {
  return argument.type.without_optional().is_list();
}

/// True if `form` has the same arguments as `op` in another order: polygamma(n, self).
bool is_reordered(const OpInfo& op, const OpInfo& form) {
  const auto arguments = op.schema().arguments(), of_form = form.schema().arguments();
  const auto is_missing = [&](const ops::SchemaArgument& argument) {
    return op.schema().find_argument(argument.name) < 0;
  };
  return arguments.size() == of_form.size() && std::ranges::none_of(of_form, is_missing) &&
         !std::ranges::equal(arguments, of_form, {}, &ops::SchemaArgument::name,
                             &ops::SchemaArgument::name);
}

/// True if every result of `form` has the type of the tensor or list that it replaces, and `form`
/// accepts the arguments of `op`.
bool is_valid_form(const OpInfo& op, const OpInfo& form,
                   const std::vector<FunctionalOutput>& outputs) {
  const auto results = form.schema().returns();
  if (results.size() != outputs.size() || form.effects().has(Effect::kWritesArguments))
    return false;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].argument < 0) continue;
    if (!results[i].type.contains_tensors()) return false;
    const auto& argument = op.schema().arguments()[static_cast<size_t>(outputs[i].argument)];
    if (is_list(argument) != results[i].type.is_list()) return false;
  }
  if (is_reordered(op, form)) return true;
  // The other arguments must be arguments of the form, in the same order. The operand of a form
  // may have a name other than `self`.
  size_t next = 0;
  for (const ops::SchemaArgument& argument : op.schema().arguments()) {
    if (argument.is_out() || selects_kernel(argument)) continue;
    const auto form_arguments = form.schema().arguments();
    while (next < form_arguments.size() && form_arguments[next].name != argument.name &&
           form_arguments[next].kwarg_only)
      ++next;
    if (next == form_arguments.size()) return false;
    const bool is_operand = next == 0 && argument.name == "self" && !form_arguments[0].kwarg_only;
    if (form_arguments[next].name != argument.name && !is_operand) return false;
    ++next;
  }
  return true;
}

void plan_write(Context& context, const OpInfo& op, OpPlan& plan) {
  plan.role = Role::kUnknown;
  if (op.written_arguments().empty() || op.is_function()) return;
  if (op.name() == "aten.detach_.default") {
    plan.role = Role::kMetadata;
    plan.kind = ViewKind::kSame;
    plan.function = context.function("aten.detach.default");
    return;
  }
  if (op.has(OpTrait::kWritesMetadata)) {
    const OpInfo* view = context.ops().variants(op).view;
    if (!view || ops::view_kind(*view) == ViewKind::kOther) return;
    plan.role = Role::kMetadata;
    plan.kind = ops::view_kind(*view);
    plan.function = context.function(view->name());
    return;
  }
  const auto is_out = [&](uint8_t argument) { return op.schema().arguments()[argument].is_out(); };
  const bool has_out = std::ranges::any_of(op.written_arguments(), is_out);
  // If there are writes to `out` and to other arguments, the order of the form's results is
  // unknown.
  if (has_out && !std::ranges::all_of(op.written_arguments(), is_out)) return;
  const OpInfo* form = functional_form(context, op);
  if (!form) return;
  // The tensor that has the value of `out` must not share memory with an operand.
  if (has_out && (!form->output_aliases().empty() || form->has(OpTrait::kMayAlias))) return;
  plan.outputs = functional_outputs(op, *form);
  if (!is_valid_form(op, *form, plan.outputs)) return;
  plan.role = Role::kWrite;
  plan.function = context.function(form->name());
  plan.is_foreach = op.name().starts_with("aten._foreach_") && !has_out;
  plan.is_reordered = is_reordered(op, *form);
  plan.is_fill = op.packet() == "aten.fill_" || op.packet() == "aten.zero_";
  plan.accepts_overlap = plan.is_fill && op.name() != "aten.fill_.Tensor";  // it copies its operand
  plan.is_out = has_out;
  plan.takes_dtype = has_out && plan.outputs.size() == 1 &&
                     form->schema().find_argument("pin_memory") >= 0 &&
                     op.schema().find_argument("dtype") < 0;
}

}  // namespace

OpPlan make_plan(Context& context, const OpInfo& op) {
  OpPlan plan;
  plan.op = &op;
  const auto results = op.schema().returns();
  plan.several = results.size() > 1;
  plan.result_list = results.size() == 1 && returns_list(op, 0);
  if (op.effects().has(Effect::kWritesArguments)) {
    plan_write(context, op, plan);
    if (plan.function)
      plan.name = name_candidate(plan.function.op()->base_name(), /*is_function=*/true);
    return plan;
  }
  if (op.has(OpTrait::kSubgraphs)) return plan;
  if (op.name() == "operator.getitem") {
    plan.role = Role::kGetItem;
    return plan;
  }
  if (op.aliases_unknown()) {
    plan.role = Role::kUnknown;
    return plan;
  }
  if (op.output_aliases().empty()) {
    // The schema does not state which memory the result may share.
    if (op.has(OpTrait::kMayAlias)) plan.role = Role::kMaybeView;
    return plan;
  }
  plan.role = op.is_view() && !plan.several ? Role::kView : Role::kMaybeView;
  plan.kind = ops::view_kind(op);
  plan.source = op.output_aliases()[0].argument;
  const bool from_list = is_list(op.schema().arguments()[plan.source]);
  if (from_list || op.output_aliases().size() > 1) plan.role = Role::kMaybeView;
  return plan;
}

const OpPlan& OpPlans::find(Target function) {
  std::unique_ptr<OpPlan>& plan = plans_[function.data()];
  if (plan) return *plan;
  if (const OpInfo* op = function.op()) {
    plan = std::make_unique<OpPlan>(make_plan(*context_, *op));
  } else {
    plan = std::make_unique<OpPlan>();
    plan->role = Role::kUnknown;
  }
  return *plan;
}

FormCall form_call(const Node& node, const OpPlan& plan, Type written) {
  const std::span<const ops::SchemaArgument> arguments = plan.op->schema().arguments();
  const OpInfo& form = *plan.function.op();
  FormCall call;
  for (size_t i = 0; i < node.num_args(); ++i) {
    if (i < arguments.size() && selects_kernel(arguments[i])) continue;
    if (plan.is_reordered && i < arguments.size())
      call.kwargs.emplace_back(node.context().symbol(arguments[i].name), Argument(node.arg(i)));
    else
      call.args.emplace_back(node.arg(i));
  }
  for (size_t i = 0; i < node.num_kwargs(); ++i) {
    const int index = plan.op->schema().find_argument(node.kwarg_name(i).str());
    const ops::SchemaArgument* argument =
        index < 0 ? nullptr : &arguments[static_cast<size_t>(index)];
    if (argument && (argument->is_out() || selects_kernel(*argument))) continue;
    const bool is_renamed = index == 0 && form.schema().find_argument(argument->name) < 0;
    call.kwargs.emplace_back(
        is_renamed ? node.context().symbol(form.schema().arguments()[0].name) : node.kwarg_name(i),
        Argument(node.kwarg_value(i)));
  }
  for (size_t i = 0; !plan.is_reordered && i < form.schema().arguments().size(); ++i) {
    const ops::SchemaArgument& argument = form.schema().arguments()[i];
    if (argument.default_value || passed_argument(node, form, static_cast<int>(i))) continue;
    // Only the writing operator's schema has a default for this argument.
    if (const std::optional<Argument> value = node.argument(argument.name))
      call.kwargs.emplace_back(node.context().symbol(argument.name), *value);
  }
  if (plan.takes_dtype && written.is_tensor()) {
    call.kwargs.emplace_back(node.context().symbol("dtype"), written.dtype());
    call.kwargs.emplace_back(node.context().symbol("device"), written.device());
  }
  if (plan.is_reordered) {
    for (const ops::SchemaArgument& argument : form.schema().arguments()) {
      const auto named = [&](const Kwarg& kwarg) { return kwarg.key == argument.name; };
      const auto found = std::ranges::find_if(call.kwargs, named);
      if (found == call.kwargs.end()) break;
      call.args.push_back(std::move(found->value));
      call.kwargs.erase(found);
    }
  }
  return call;
}

}  // namespace fx::functional
