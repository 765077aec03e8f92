// Creates the nodes that compute numbers from sizes: aten.sym_size.int, operator.mul, ...
#include "fx/ir/calls/bind.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/sym_nodes.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/generalize/size_numbers_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"

#include <string_view>

namespace fx {

absl::Status SizeNumbers::create_nodes(Node& last_input) {
  std::vector<Dim> dims;
  absl::flat_hash_map<SymExpr, size_t> index;
  const auto add_dim = [&](SymExpr expr) {
    if (index.try_emplace(expr, dims.size()).second) dims.emplace_back(expr);
  };
  for (const Node* node : calls_) {
    for (size_t i = 0; i < node->num_args() + node->num_kwargs(); ++i) {
      map_leaves(Argument(argument_at(*node, i)), [&](const Argument& leaf) {
        if (leaf.kind() == ArgumentKind::kSymbolic) add_dim(leaf.as_symbolic());
        return leaf;
      });
    }
  }
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

/// Replaces each leaf in the arguments of calls_ with the result of `value_of`.
absl::Status SizeNumbers::replace_leaves(absl::FunctionRef<Argument(const Argument&)> value_of) {
  for (Node* node : calls_) {
    for (size_t i = 0; i < node->num_args(); ++i)
      FX_RETURN_IF_ERROR(node->update_arg(i, map_leaves(Argument(node->arg(i)), value_of)));
    for (size_t i = 0; i < node->num_kwargs(); ++i) {
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
