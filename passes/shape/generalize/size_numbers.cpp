// Creates the nodes that compute numbers from sizes: aten.sym_size.int, operator.mul, ...
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/sym_nodes.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/generalize/size_numbers_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"

#include <string_view>

namespace fx {
namespace {

/// Calls `f` for each symbolic number in an argument.
void for_each_symbolic(  // NOLINT(misc-no-recursion): as arguments nest
    const ArgumentRef& argument, absl::FunctionRef<void(SymExpr)> f) {
  if (argument.kind() == ArgumentKind::kSymbolic) f(argument.as_symbolic());
  if (!is_aggregate(argument.kind())) return;
  for (size_t i = 0; i < argument.size(); ++i) for_each_symbolic(argument[i], f);
}

bool has_symbolic(const ArgumentRef& argument) {
  bool found = false;
  for_each_symbolic(argument, [&found](SymExpr) { found = true; });
  return found;
}

}  // namespace

absl::Status SizeNumbers::create_nodes(Node& last_input) {
  std::vector<Dim> dims;
  absl::flat_hash_map<SymExpr, size_t> index;
  const auto add_dim = [&](SymExpr expr) {
    if (index.try_emplace(expr, dims.size()).second) dims.emplace_back(expr);
  };
  for (const Node* node : calls_)
    for (size_t i = 0; i < node->num_args() + node->num_kwargs(); ++i)
      for_each_symbolic(argument_at(*node, i), add_dim);
  for (const Float& number : floats_) add_dim(number.value.size);
  if (dims.empty()) return absl::OkStatus();
  Node* const after = last_input.next();
  const InsertPointGuard insert_point = graph_.inserting_after(&last_input);
  FX_ASSIGN_OR_RETURN(const std::vector<Argument> size_values, materialize_symints(graph_, dims));
  FX_RETURN_IF_ERROR(replace_leaves([&](const Argument& leaf) {
    return leaf.kind() == ArgumentKind::kSymbolic ? size_values[index.at(leaf.as_symbolic())]
                                                  : leaf;
  }));
  for (const Float& number : floats_)
    FX_RETURN_IF_ERROR(set_float(number, size_values[index.at(number.value.size)]));
  for (Node* node = last_input.next(); node != after; node = node->next())
    node->meta().set(meta::kRegion, "fw");
  return absl::OkStatus();
}

/// Replaces each leaf of the arguments with symbolic numbers with the result of `value_of`.
absl::Status SizeNumbers::replace_leaves(absl::FunctionRef<Argument(const Argument&)> value_of) {
  for (Node* node : calls_) {
    for (size_t i = 0; i < node->num_args(); ++i) {
      if (!has_symbolic(node->arg(i))) continue;
      FX_RETURN_IF_ERROR(node->update_arg(i, map_leaves(Argument(node->arg(i)), value_of)));
    }
    for (size_t i = 0; i < node->num_kwargs(); ++i) {
      if (!has_symbolic(node->kwarg_value(i))) continue;
      FX_RETURN_IF_ERROR(node->update_kwarg(node->kwarg_name(i).str(),
                                            map_leaves(Argument(node->kwarg_value(i)), value_of)));
    }
  }
  return absl::OkStatus();
}

absl::Status SizeNumbers::set_float(const Float& number, const Argument& size) {
  const auto call = [&](std::string_view function, absl::Span<const Argument> args) {
    return Argument(graph_.call_function(graph_.context().function(function), args, {},
                                         {.type = graph_.context().types().floating()}));
  };
  const FloatOfSize::Form form = number.value.form;
  Argument value = size;
  if (form == FloatOfSize::kRoot || form == FloatOfSize::kInverseRoot)
    value = call("math.sqrt", {value});
  if (form == FloatOfSize::kRoot || form == FloatOfSize::kProduct) {
    value = call("operator.mul", {Argument(number.value.factor), value});
  } else {
    value = call("operator.truediv", {Argument(number.value.factor), value});
  }
  Node& user = *number.call;
  if (number.position < user.num_args()) return user.update_arg(number.position, value);
  return user.update_kwarg(user.kwarg_name(number.position - user.num_args()).str(), value);
}

}  // namespace fx
