// Normal forms of calls: see normalize.h.
#include "fx/passes/cleanup/normalize.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Calls `f` for every node of the graph and its nested graphs.
template <class F>
absl::StatusOr<bool> change_nodes(Graph& graph, F&& f) {
  bool changed = false;
  for (Graph& g : all_graphs(graph)) {
    for (Node& node : g.nodes()) {
      FX_ASSIGN_OR_RETURN(const bool node_changed, f(node));
      changed = changed || node_changed;
    }
  }
  return changed;
}

bool same_call(const Node& node, const NormalizedArguments& normal) {
  if (node.num_args() != normal.args.size() || node.num_kwargs() != normal.kwargs.size())
    return false;
  for (size_t i = 0; i < normal.args.size(); ++i)
    if (!(node.arg(i) == normal.args[i])) return false;
  for (size_t i = 0; i < normal.kwargs.size(); ++i) {
    if (node.kwarg_name(i).str() != normal.kwargs[i].key ||
        !(node.kwarg_value(i) == normal.kwargs[i].value)) {
      return false;
    }
  }
  return true;
}

/// The defaults that a call omits if it has exactly the positional arguments of its operator.
struct KeywordDefaults {
  bool is_known = false;
  size_t num_args = 0;
  std::vector<Kwarg> kwargs = {};
};
KeywordDefaults keyword_defaults(const Node& node, Context& context) {
  const auto& schema = node.function().op()->schema();
  const auto count = static_cast<size_t>(schema.positional_count());
  if (schema.is_vararg() || node.num_args() != count || node.num_kwargs() != 0) return {};
  absl::StatusOr<NormalizedArguments> normal = normalized_arguments(node);
  if (!normal.ok() || normal->args.size() != count) return {};
  KeywordDefaults result{.is_known = true, .num_args = count};
  for (Kwarg& kwarg : normal->kwargs)
    result.kwargs.emplace_back(context.symbol(kwarg.key), std::move(kwarg.value));
  return result;
}

// Functions that both `operator` and `torch` have, with their names in each.
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {
    {"operator.add", "torch.add"},        {"operator.sub", "torch.sub"},
    {"operator.sub", "torch.subtract"},   {"operator.mul", "torch.mul"},
    {"operator.mul", "torch.multiply"},   {"operator.truediv", "torch.div"},
    {"operator.truediv", "torch.divide"}, {"operator.truediv", "torch.true_divide"},
    {"operator.matmul", "torch.matmul"},  {"operator.lt", "torch.lt"},
    {"operator.le", "torch.le"},          {"operator.gt", "torch.gt"},
    {"operator.ge", "torch.ge"},          {"operator.eq", "torch.eq"},
    {"operator.ne", "torch.ne"},          {"operator.neg", "torch.neg"},
};

// Methods of a tensor that are operators without a function of that name in the module
// torch (PyTorch 2.13, from dir(torch.Tensor), torch.ops.aten and dir(torch)), in addition
// to in-place methods.
constexpr std::string_view kMethodsOnly[] = {
    "backward",
    "ccol_indices",
    "chalf",
    "coalesce",
    "col_indices",
    "contiguous",
    "cpu",
    "crow_indices",
    "cuda",
    "dense_dim",
    "dim",
    "element_size",
    "expand",
    "expand_as",
    "index",
    "indices",
    "is_coalesced",
    "is_contiguous",
    "is_pinned",
    "is_set_to",
    "item",
    "new_empty",
    "new_empty_strided",
    "new_full",
    "new_ones",
    "new_zeros",
    "pin_memory",
    "record_stream",
    "repeat",
    "reshape_as",
    "resize",
    "resize_as",
    "retain_grad",
    "row_indices",
    "size",
    "sparse_dim",
    "sparse_mask",
    "storage_offset",
    "stride",
    "sum_to_size",
    "to",
    "to_dense",
    "to_mkldnn",
    "to_padded_tensor",
    "to_sparse",
    "to_sparse_bsc",
    "to_sparse_bsr",
    "to_sparse_csc",
    "to_sparse_csr",
    "type_as",
    "unfold",
    "values",
    "view",
    "view_as",
};
/// How the overloads of a method accept integers after `self`.
struct IntegerForms {
  bool one_list = false;     ///< as one list, such as permute(int[] dims), and no other positional
                             ///< argument: Python's methods accept the items as separate arguments
  bool one_integer = false;  ///< as one integer, such as squeeze(int dim)
};
IntegerForms integer_forms(std::string_view packet) {
  IntegerForms forms;
  for (const ops::OpInfo& op : ops::find_overloads(packet)) {
    const auto arguments = op.schema().arguments();
    if (op.has(ops::OpTrait::kTorchScript) || arguments.size() < 2) continue;
    const auto is_integer = [](const ops::SchemaType& type) {
      return type.is(ops::SchemaTypeKind::kInt) || type.is(ops::SchemaTypeKind::kSymInt);
    };
    const ops::SchemaType& type = arguments[1].type;
    if (type.is_list() && is_integer(type.element()))
      forms.one_list = forms.one_list || op.schema().positional_count() == 2;
    else
      forms.one_integer = forms.one_integer || is_integer(type.without_optional());
  }
  return forms;
}

/// Converts the arguments of a method to those of the function, which accepts a list only as one
/// argument; nullopt if they are ambiguous.
std::optional<std::vector<Argument>> function_arguments(const Node& method, IntegerForms forms) {
  std::vector<Argument> args = method.args();
  if (!forms.one_list || args.size() < 2 || is_aggregate(args[1].kind())) return args;
  if (args[1].is_bool()) return args;
  if (args.size() == 2) {
    if (forms.one_integer) return args;
    if (args[1].is_node()) return std::nullopt;  // a number, or a size
  }
  return std::vector{args[0], Argument::tuple(absl::MakeSpan(args).subspan(1))};
}

bool is_tensor(ArgumentRef value) { return value.is_node() && value.node()->type().is_tensor(); }

bool is_number(ArgumentRef value) {
  if (!value.is_node())
    return value.is_int() || value.is_float() || value.is_bool() ||
           value.kind() == ArgumentKind::kComplex;
  const TypeKind kind = value.node()->type().kind();
  return kind >= TypeKind::kInt && kind <= TypeKind::kComplex;
}

bool may_be_complex(ArgumentRef value) {
  if (!value.is_node()) return value.kind() == ArgumentKind::kComplex;
  const Type type = value.node()->type();
  return type.is_tensor() ? type.dtype() == DType::kUndefined || is_complex(type.dtype())
                          : type.kind() == TypeKind::kComplex;
}

/// True if Python's operator and torch's function compute the same. An operand without a type may be
/// anything: for numbers, the operator returns a number and the function a tensor; the operator
/// accepts more, such as None in a comparison. If the first operand is a number, the operator calls
/// a method of the second: `n + x` is `x + n`, which rounds complex numbers differently, `n * x` is
/// `x * n`, `n / x` is `x.reciprocal() * n`, and `n < x` is `x > n`, where the function rejects the
/// number.
bool is_equivalent(const Node& node, std::string_view function, OperatorSpelling to) {
  const ArgumentRef left = node.arg(0);
  if (node.num_args() == 1) return is_tensor(left);
  const ArgumentRef right = node.arg(1);
  if (function == "torch.matmul")  // neither accepts a number
    return left.is_node() && right.is_node() && (is_tensor(left) || is_tensor(right));
  if (is_tensor(left)) {
    if (is_tensor(right) || is_number(right)) return true;
    // The function accepts only tensors and numbers. `x * [1]` repeats the list if x is an integer.
    constexpr std::string_view kSameErrors[] = {"torch.add", "torch.div",      "torch.divide",
                                                "torch.sub", "torch.subtract", "torch.true_divide"};
    return to == OperatorSpelling::kOperator && right.is_node() && !right.node()->type() &&
           std::ranges::find(kSameErrors, function) != std::end(kSameErrors);
  }
  if (!is_number(left) || !is_tensor(right)) return false;
  if (function == "torch.add") return !may_be_complex(left) && !may_be_complex(right);
  if (function == "torch.sub" || function == "torch.subtract") return true;
  if (function != "torch.mul" && function != "torch.multiply") return false;
  // The kernel of 16-bit floats rounds only the first operand to their dtype.
  const DType dtype = right.node()->type().dtype();
  return dtype != DType::kUndefined && (!is_floating_point(dtype) || dtype_item_size(dtype) > 2);
}

bool calls_torch(const Node& node) {
  if (node.op() != Opcode::kCallFunction || node.function().op() == nullptr) return false;
  const std::string_view module = node.function().op()->name_space();
  return module != "operator" && module != "math" && module != "builtins" &&
         module != "higher_order";
}

absl::StatusOr<bool> set_normalized_arguments(Node& node, bool only_kwargs) {
  const absl::StatusOr<NormalizedArguments> normal = normalized_arguments(node, only_kwargs);
  if (!normal.ok() || same_call(node, *normal)) return false;
  FX_RETURN_IF_ERROR(node.set_args(normal->args));
  FX_RETURN_IF_ERROR(node.set_kwargs(normal->kwargs));
  return true;
}

}  // namespace

absl::StatusOr<bool> normalize_args(Graph& graph, const NormalizeArgsOptions& options) {
  absl::flat_hash_map<const ops::OpInfo*, KeywordDefaults> defaults;
  return change_nodes(graph, [&](Node& node) -> absl::StatusOr<bool> {
    if (!calls_torch(node)) return false;
    if (!options.only_kwargs && node.num_kwargs() == 0) {
      const auto [found, is_new] = defaults.try_emplace(node.function().op());
      if (is_new) found->second = keyword_defaults(node, graph.context());
      const KeywordDefaults& omitted = found->second;
      if (omitted.is_known && node.num_args() == omitted.num_args) {
        if (omitted.kwargs.empty()) return false;
        FX_RETURN_IF_ERROR(node.set_kwargs(omitted.kwargs));
        return true;
      }
    }
    return set_normalized_arguments(node, options.only_kwargs);
  });
}

namespace {

/// True if an overload of the operator is a method of tensors: those of aten.append accept lists.
bool is_tensor_operator(std::string_view packet) {
  return std::ranges::any_of(ops::find_overloads(packet), [](const ops::OpInfo& op) {
    const auto arguments = op.schema().arguments();
    return std::ranges::any_of(arguments, [&](const ops::SchemaArgument& argument) {
      return argument.type.is(ops::SchemaTypeKind::kTensor) &&
             (argument.name == "self" || &argument == arguments.data());
    });
  });
}

}  // namespace

absl::StatusOr<bool> methods_to_functions(Graph& graph) {
  Context& context = graph.context();
  struct Function {
    Target target;  ///< null if torch has no such function
    IntegerForms integers;
  };
  absl::flat_hash_map<Symbol, Function> functions;
  return change_nodes(graph, [&](Node& node) -> absl::StatusOr<bool> {
    if (node.op() != Opcode::kCallMethod || node.num_args() == 0) return false;
    const Node* receiver = node.arg(0).node();
    if (receiver == nullptr || (receiver->type() && !receiver->type().is_tensor())) return false;
    const Symbol method = node.target_symbol();
    const auto [found, is_new] = functions.try_emplace(method);
    if (is_new) {
      const std::string name(method.str());
      // A method calls the operator of its name; the function must also call it.
      const Target function = context.function("torch." + name);
      const bool has_function =
          !name.ends_with('_') &&
          std::ranges::find(kMethodsOnly, method.str()) == std::end(kMethodsOnly);
      if (has_function && is_tensor_operator("aten." + name) && function.op() != nullptr)
        found->second = {function, integer_forms("aten." + name)};
    }
    if (!found->second.target || may_call_container(node)) return false;
    if (method.str() == "numel" && is_shape(*receiver)) return false;
    std::optional<std::vector<Argument>> args = function_arguments(node, found->second.integers);
    if (!args) return false;
    std::vector<Kwarg> kwargs = node.kwargs();
    // The parameter has different names (torch/_tensor.py, torch/functional.py).
    for (Kwarg& kwarg : kwargs)
      if (method.str() == "split" && kwarg.key == "split_size")
        kwarg = Kwarg("split_size_or_sections", std::move(kwarg.value));
    ops::order_for_operator(method.str(), *args, kwargs);
    const auto guard = node.graph().inserting_before(&node);
    Node* call = node.graph().call_function(found->second.target, *args, kwargs,
                                            {.name = node.name(), .type = node.type()});
    call->meta().copy_from(node);
    node.replace_all_uses_with(call);
    FX_RETURN_IF_ERROR(node.graph().erase_node(&node));
    return true;
  });
}

absl::StatusOr<bool> normalize_operators(Graph& graph, OperatorSpelling to) {
  Context& context = graph.context();
  absl::flat_hash_map<Target, Target> spelling;
  for (const auto& [by_operator, by_torch] : kOperators) {
    if (to == OperatorSpelling::kOperator)
      spelling.emplace(context.function(by_torch), context.function(by_operator));
    else
      spelling.emplace(context.function(by_operator), context.function(by_torch));
  }
  return change_nodes(graph, [&](Node& node) -> absl::StatusOr<bool> {
    if (node.op() != Opcode::kCallFunction || node.num_kwargs() > 0) return false;
    const auto found = spelling.find(node.function());
    if (found == spelling.end()) return false;
    const bool unary = found->second.name().ends_with(".neg");
    if (node.num_args() != (unary ? 1U : 2U)) return false;
    const Target function = to == OperatorSpelling::kTorch ? found->second : node.function();
    if (!is_equivalent(node, function.name(), to)) return false;
    node.set_function(found->second);
    return true;
  });
}

size_t replace_targets(Graph& graph, Target from, Target to,
                       const std::function<bool(const Node&)>& only) {
  size_t count = 0;
  if (from == to) return count;
  for (Graph& g : all_graphs(graph)) {
    for (Node& node : g.nodes()) {
      if (!node.is(from) || (only && !only(node))) continue;
      node.set_function(to);
      ++count;
    }
  }
  return count;
}

}  // namespace fx
