// Python's operations in TorchInterpreter: getitem and setitem on tensors, lists and dicts, and
// attributes.
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/packets.h"
#include "fx/ir/support/pluralize.h"

#include <ATen/Functions.h>
#include <ATen/TensorIndexing.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using at::indexing::TensorIndex;

/// The scope in which operators run (TorchInterpreter::call_bound).
struct AutogradScope {
  explicit AutogradScope(AutogradUse use) {
    if (use != AutogradUse::kNone) return;
    below.emplace();
    with_grad.emplace(true);
  }
  std::optional<KernelScope> below;
  std::optional<at::AutoGradMode> with_grad;
};

/// Returns nullopt for None, otherwise the result of Python's __index__.
absl::StatusOr<std::optional<int64_t>> bound_of(const c10::IValue& value) {
  if (value.isNone()) return std::optional<int64_t>();
  if (value.isInt()) return std::optional<int64_t>(value.toInt());
  if (value.isBool()) return std::optional<int64_t>(value.toBool());
  if (value.isTensor() && value.toTensor().numel() == 1 &&
      at::isIntegralType(value.toTensor().scalar_type(), /*includeBool=*/true)) {
    return std::optional<int64_t>(value.toTensor().item().toLong());
  }
  return absl::InvalidArgumentError(
      fmt::format("an index or slice bound must be an integer or None, not a value of kind {}",
                  value.tagKind()));
}

absl::StatusOr<SliceBounds> slice_of(const c10::IValue& value) {
  const c10::ArrayRef<c10::IValue> items = items_of(value);
  if (items.size() != 3) return absl::InternalError("a slice must have three parts");
  SliceBounds slice;
  FX_ASSIGN_OR_RETURN(slice.start, bound_of(items[0]));
  FX_ASSIGN_OR_RETURN(slice.stop, bound_of(items[1]));
  FX_ASSIGN_OR_RETURN(slice.step, bound_of(items[2]));
  return slice;
}

std::optional<c10::SymInt> symbolic(std::optional<int64_t> value) {
  return value ? std::optional<c10::SymInt>(*value) : std::nullopt;
}

/// Returns the tensor for an index that is a list of integers or bools.
absl::StatusOr<at::Tensor> index_tensor(const c10::IValue& list) {
  const c10::ArrayRef<c10::IValue> items = items_of(list);
  const auto all = [&](bool (c10::IValue::*is)() const) {
    return std::all_of(items.begin(), items.end(), [&](const c10::IValue& v) { return (v.*is)(); });
  };
  std::vector<int64_t> numbers;
  numbers.reserve(items.size());
  if (!items.empty() && all(&c10::IValue::isBool)) {
    for (const c10::IValue& item : items) numbers.push_back(item.toBool());
    return at::tensor(numbers, at::kLong).to(at::kBool);
  }
  if (!all(&c10::IValue::isInt))
    return absl::UnimplementedError("a list index must contain only integers or only bools");
  for (const c10::IValue& item : items) numbers.push_back(item.toInt());
  return at::tensor(numbers, at::kLong);
}

/// Returns an item of an index. `form` is the argument in the graph, which identifies slices and
/// `...`.
absl::StatusOr<TensorIndex> index_of(ArgumentRef form, const c10::IValue& value) {
  if (form.kind() == ArgumentKind::kEllipsis) return TensorIndex(at::indexing::Ellipsis);
  if (form.kind() == ArgumentKind::kSlice) {
    FX_ASSIGN_OR_RETURN(const SliceBounds slice, slice_of(value));
    return TensorIndex(
        at::indexing::Slice(symbolic(slice.start), symbolic(slice.stop), symbolic(slice.step)));
  }
  if (value.isNone()) return TensorIndex(at::indexing::None);
  if (value.isBool()) return TensorIndex(value.toBool());
  if (value.isInt()) return TensorIndex(value.toInt());
  if (value.isTensor()) return TensorIndex(value.toTensor());
  if (value.isList() || value.isTuple()) {
    FX_ASSIGN_OR_RETURN(at::Tensor tensor, index_tensor(value));
    return TensorIndex(std::move(tensor));
  }
  return absl::InvalidArgumentError(
      fmt::format("a value of kind {} cannot be used to index a tensor", value.tagKind()));
}

absl::StatusOr<std::vector<TensorIndex>> indices_of(ArgumentRef form, const c10::IValue& value) {
  std::vector<TensorIndex> indices;
  const bool many = value.isTuple() && form.kind() != ArgumentKind::kSlice;
  const c10::ArrayRef<c10::IValue> items =
      many ? items_of(value) : c10::ArrayRef<c10::IValue>(value);
  indices.reserve(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    // If the tuple is the value of a node, the argument in the graph does not contain its items.
    const ArgumentRef item = many && form.size() == items.size() ? form[i] : form;
    FX_ASSIGN_OR_RETURN(TensorIndex index, index_of(item, items[i]));
    indices.push_back(std::move(index));
  }
  return indices;
}

/// Returns `items[start:stop:step]`.
absl::StatusOr<c10::IValue> items_in(const c10::IValue& collection, const SliceBounds& slice) {
  const c10::ArrayRef<c10::IValue> items = items_of(collection);
  const auto indices = sliced_indices(slice, static_cast<int64_t>(items.size()));
  if (!indices) return absl::InvalidArgumentError("the step of a slice must not be 0");
  std::vector<c10::IValue> taken;
  for (const int64_t i : *indices) taken.push_back(items[static_cast<size_t>(i)]);
  if (collection.isTuple()) return c10::IValue(c10::ivalue::Tuple::create(std::move(taken)));
  c10::List<c10::IValue> list(c10::AnyType::get());
  for (c10::IValue& item : taken) list.push_back(std::move(item));
  return c10::IValue(std::move(list));
}

/// Returns the index of the result with this name (such as `values` for torch.max(x, 1)) in a call
/// with `size` results.
std::optional<size_t> field_of(const Node& call, std::string_view name, size_t size) {
  std::string packet;
  if (call.op() == Opcode::kCallMethod) {
    packet = fmt::format("aten.{}", call.target());
  } else if (call.op() == Opcode::kCallFunction) {
    const ops::OpInfo* op = call.function().op();
    packet = op != nullptr && !op->is_function() ? std::string(op->packet())
                                                 : ops::packet_of_function(call.function().name());
  }
  for (const ops::OpInfo& op : ops::find_overloads(packet)) {
    const auto returns = op.schema().returns();
    for (size_t i = 0; returns.size() == size && i < size; ++i)
      if (returns[i].name == name) return i;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<std::optional<ops::PythonCall>> TorchInterpreter::take_python_form(
    std::string_view function, Call& call) {
  if (!ops::has_python_form(function)) return std::nullopt;
  const Node& node = *call.node;
  // If a hook changed the number of arguments, they are already the operator's arguments.
  if (call.args.size() != node.num_args() || call.kwargs.size() != node.num_kwargs())
    return std::nullopt;
  std::vector<Argument> args;
  for (size_t i = 0; i < node.num_args(); ++i) args.emplace_back(node.arg(i));
  std::vector<Kwarg> kwargs;
  for (size_t i = 0; i < node.num_kwargs(); ++i)
    kwargs.emplace_back(node.kwarg_name(i), Argument(node.kwarg_value(i)));
  const c10::IValue* input = call.args.empty() ? nullptr : call.args.data();
  for (const NamedValue<c10::IValue>& named : call.kwargs)
    if (call.args.empty() && named.name.str() == "input") input = &named.value;
  std::optional<int64_t> rank;
  if (input != nullptr && input->isTensor()) rank = input->toTensor().dim();
  FX_ASSIGN_OR_RETURN(std::optional<ops::PythonCall> form,
                      ops::python_form(node.graph().context(), function, args, kwargs, rank));
  if (!form) return form;
  std::vector<c10::IValue> values;
  for (size_t i = 0; i < form->argument_numbers.size(); ++i) {
    const auto number = static_cast<size_t>(form->argument_numbers[i]);
    if (form->argument_numbers[i] < 0) {
      const size_t count = form->args.size();
      FX_ASSIGN_OR_RETURN(c10::IValue value,
                          constant(i < count ? form->args[i] : form->kwargs[i - count].value));
      values.push_back(std::move(value));
    } else {
      values.push_back(call.argument_at(number));
    }
  }
  call.kwargs.clear();
  for (size_t i = 0; i < form->kwargs.size(); ++i)
    call.kwargs.push_back({node.graph().context().symbol(form->kwargs[i].key),
                           std::move(values[form->args.size() + i])});
  values.resize(form->args.size());
  call.args = std::move(values);
  return form;
}

absl::StatusOr<c10::IValue> TorchInterpreter::call_form(const ops::PythonCall& form, Call& call) {
  std::optional<int64_t> batch;
  if (form.is_batch_mean && call.args[0].isTensor() && call.args[0].toTensor().dim() > 0)
    batch = call.args[0].toTensor().size(0);
  FX_ASSIGN_OR_RETURN(c10::IValue result, call_overloaded(form.packet, call, form.args));
  if (!batch) return result;
  const AutogradScope scope(autograd_);
  return c10::IValue(result.toTensor().div(at::Scalar(*batch)));
}

absl::StatusOr<c10::IValue> TorchInterpreter::get_item(const Call& call) {
  if (call.args.size() != 2 || call.node->num_args() != 2)
    return absl::InvalidArgumentError("getitem must have two arguments");
  const c10::IValue& collection = call.args[0];
  const c10::IValue& key = call.args[1];
  const ArgumentRef form = call.node->arg(1);
  if (collection.isTensor()) {
    FX_ASSIGN_OR_RETURN(const std::vector<TensorIndex> indices, indices_of(form, key));
    const AutogradScope scope(autograd_);
    return c10::IValue(at::indexing::get_item(collection.toTensor(), indices));
  }
  if (collection.isGenericDict() && key.isString()) {
    const auto dict = collection.toGenericDict();
    const auto found = dict.find(key);
    if (found == dict.end())
      return absl::NotFoundError(
          fmt::format("the dict does not have the key \"{}\"", key.toStringRef()));
    return found->value();
  }
  if (!collection.isList() && !collection.isTuple()) {
    return absl::InvalidArgumentError(
        fmt::format("a value of kind {} cannot be subscripted", collection.tagKind()));
  }
  if (form.kind() == ArgumentKind::kSlice) {
    FX_ASSIGN_OR_RETURN(const SliceBounds slice, slice_of(key));
    return items_in(collection, slice);
  }
  FX_ASSIGN_OR_RETURN(const std::optional<int64_t> number, bound_of(key));
  if (!number) return absl::InvalidArgumentError("the index of a list or tuple must be an integer");
  const c10::ArrayRef<c10::IValue> items = items_of(collection);
  const auto size = static_cast<int64_t>(items.size());
  const int64_t i = *number < 0 ? *number + size : *number;
  if (i < 0 || i >= size)
    return absl::OutOfRangeError(
        fmt::format("item {} is out of range for {}", *number, pluralize(size, "item")));
  return items[static_cast<size_t>(i)];
}

absl::StatusOr<c10::IValue> TorchInterpreter::set_item(const Call& call) {
  if (call.args.size() != 3 || call.node->num_args() != 3)
    return absl::InvalidArgumentError("setitem must have three arguments");
  if (!call.args[0].isTensor()) return absl::UnimplementedError("setitem requires a tensor");
  FX_ASSIGN_OR_RETURN(const std::vector<TensorIndex> indices,
                      indices_of(call.node->arg(1), call.args[1]));
  const c10::IValue& value = call.args[2];
  at::Tensor target = call.args[0].toTensor();
  const AutogradScope scope(autograd_);
  if (value.isTensor()) {
    target.index_put_(indices, value.toTensor());
  } else if (value.isScalar()) {
    target.index_put_(indices, value.toScalar());
  } else {
    return absl::InvalidArgumentError("the value of setitem must be a tensor or a number");
  }
  return c10::IValue();
}

absl::StatusOr<c10::IValue> TorchInterpreter::get_attribute(Call& call) {
  if (call.args.size() != 2 || call.node->num_args() != 2 || !call.args[1].isString())
    return absl::UnimplementedError("getattr requires an object and a name as arguments");
  const std::string name = call.args[1].toStringRef();
  if (call.args[0].isTuple() && call.node->arg(0).is_node()) {
    const c10::ArrayRef<c10::IValue> items = items_of(call.args[0]);
    if (const auto i = field_of(*call.node->arg(0).as_node(), name, items.size())) return items[*i];
  }
  if (!call.args[0].isTensor())
    return absl::UnimplementedError(fmt::format("the attribute {} requires a tensor", name));
  const at::Tensor& tensor = call.args[0].toTensor();
  if (name == "shape") return c10::IValue(tensor.sizes().vec());
  if (name == "ndim") return c10::IValue(tensor.dim());
  if (name == "dtype") return c10::IValue(static_cast<int64_t>(tensor.scalar_type()));
  if (name == "device") return c10::IValue(tensor.device());
  if (name == "layout") return c10::IValue(static_cast<int64_t>(tensor.layout()));
  if (name == "requires_grad") return c10::IValue(tensor.requires_grad());
  if (name == "itemsize") return c10::IValue(static_cast<int64_t>(tensor.itemsize()));
  constexpr std::pair<std::string_view, std::string_view> kViews[] = {
      {"T", "numpy_T"}, {"mT", "mT"},     {"H", "matrix_H"},  {"mH", "mH"},
      {"real", "real"}, {"imag", "imag"}, {"data", "detach"},
  };
  for (const auto& [attribute, op] : kViews) {
    if (attribute != name) continue;
    Call view{.node = call.node, .function = call.function};
    view.args.push_back(call.args[0]);
    return call_overloaded(op, view);
  }
  return absl::UnimplementedError(
      fmt::format("TorchInterpreter does not support the attribute {}", name));
}

absl::StatusOr<std::optional<c10::IValue>> TorchInterpreter::query(std::string_view method,
                                                                   Call& call) {
  const at::Tensor& tensor = call.args[0].toTensor();
  if (method == "size") return c10::IValue(tensor.sizes().vec());
  if (method == "stride") return c10::IValue(tensor.strides().vec());
  if (method == "dim" || method == "ndimension") return c10::IValue(tensor.dim());
  if (method == "element_size") return c10::IValue(static_cast<int64_t>(tensor.element_size()));
  if (method == "nelement") return c10::IValue(tensor.numel());
  if (const std::optional<DType> dtype = ops::dtype_of_cast(method)) {
    const AutogradScope scope(autograd_);
    return c10::IValue(tensor.to(to_torch(*dtype)));
  }
  return std::optional<c10::IValue>();
}

}  // namespace fx
