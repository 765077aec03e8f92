// Runs nodes and creates values in TorchInterpreter. torch_call.cpp calls operators.
#include "fx/interp/torch/interpret/torch_interpreter.h"

#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/input_checks.h"
#include "fx/interp/torch/interpret/torch_vmap_internal.h"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <utility>

namespace fx {

TorchInterpreter::TorchInterpreter(const Graph& graph, TorchConstants constants,
                                   AutogradUse autograd, const Module* root)
    : Interpreter(graph, root), constants_(std::move(constants)), autograd_(autograd) {
  // Graph modules that the graph calls use the same tensors.
  if (this->root() == nullptr) return;
  for (const auto& [path, value] : constants_) {
    const Tensor tensor = this->root()->find_tensor(path);
    if (tensor.defined() && value.isTensor())
      tensors_[tensor.identity()] = {.source = tensor, .tensor = value.toTensor()};
  }
}

TorchInterpreter::TorchInterpreter(const GraphModule& module, AutogradUse autograd)
    : Interpreter(module), autograd_(autograd) {}

TorchInterpreter::~TorchInterpreter() = default;

absl::Status TorchInterpreter::check_inputs(const std::vector<c10::IValue>& inputs) {
  return InputChecks(graph()).check(inputs);
}

absl::StatusOr<c10::IValue> TorchInterpreter::run_node(Node& node) {
  absl::StatusOr<c10::IValue> value;
  try {
    value = Interpreter::run_node(node);
  } catch (const std::exception& e) {
    value = absl::InvalidArgumentError(torch_message(e));
  }
  if (!value.ok()) internal::close_vmap_levels();
  return value;
}

absl::StatusOr<c10::IValue> TorchInterpreter::get_attr(Call& call) {
  if (const auto found = constants_.find(path_of(call.target)); found != constants_.end())
    return found->second;
  if (root() == nullptr && graph().find_subgraph(call.target) == nullptr)
    return absl::NotFoundError(fmt::format("missing constant \"{}\"", call.target));
  return Interpreter::get_attr(call);
}

absl::StatusOr<c10::IValue> TorchInterpreter::attribute(std::string_view path,
                                                        const Attribute& attribute) {
  if (!attribute.tensor.defined()) {
    if (attribute.kind == AttributeKind::kModule) {  // calls find their graphs through the node
      if (attribute.module->as_graph_module() != nullptr) return c10::IValue();
      return Interpreter::attribute(path, attribute);
    }
    return attribute.kind == AttributeKind::kConstant ? constant(attribute.value) : c10::IValue();
  }
  ModuleTensor& used = tensors_[attribute.tensor.identity()];
  if (!used.tensor.defined()) {
    FX_ASSIGN_OR_RETURN(used.tensor, to_torch(path, attribute.tensor));
    used.source = attribute.tensor;
  }
  if (autograd_ == AutogradUse::kRecord && attribute.kind == AttributeKind::kParameter &&
      used.tensor.is_leaf())
    used.tensor.requires_grad_(attribute.requires_grad);
  return c10::IValue(used.tensor);
}

// ---------------------------------------------------------------- values of arguments

absl::StatusOr<c10::IValue> TorchInterpreter::constant(const Argument& value) {
  switch (value.kind()) {
    case ArgumentKind::kNone:
    // Calls find these arguments through the node.
    case ArgumentKind::kGraph:
    case ArgumentKind::kFunction:
    case ArgumentKind::kEllipsis:
      return c10::IValue();
    case ArgumentKind::kString:
      return c10::IValue(std::string(value.as_string()));
    case ArgumentKind::kDType:
      return c10::IValue(static_cast<int64_t>(to_torch(value.as_dtype())));
    case ArgumentKind::kLayout:
      return c10::IValue(static_cast<int64_t>(to_torch(value.as_layout())));
    case ArgumentKind::kMemoryFormat:
      return c10::IValue(static_cast<int64_t>(to_torch(value.as_memory_format())));
    case ArgumentKind::kDevice:
      return c10::IValue(to_torch(value.as_device()));
    case ArgumentKind::kObject:
      return to_ivalue(value, {.base = ArgumentCode::kQScheme});
    case ArgumentKind::kBool:
    case ArgumentKind::kInt:
    case ArgumentKind::kFloat:
    case ArgumentKind::kComplex:
      return to_ivalue(value, {.base = ArgumentCode::kNumber});
    case ArgumentKind::kList:
    case ArgumentKind::kTuple:
    case ArgumentKind::
        kSlice:  // start, stop and step; the node's argument shows that they are a slice
    case ArgumentKind::kStruct: {
      std::vector<c10::IValue> items;
      for (size_t i = 0; i < value.size(); ++i) {
        FX_ASSIGN_OR_RETURN(c10::IValue item, constant(value[i]));
        items.push_back(std::move(item));
      }
      return aggregate(value, std::move(items));
    }
    default:
      return absl::UnimplementedError(
          fmt::format("a {} cannot be represented in libtorch", argument_kind_name(value.kind())));
  }
}

absl::StatusOr<c10::IValue> TorchInterpreter::aggregate(const Argument& shape,
                                                        std::vector<c10::IValue> items) {
  switch (shape.kind()) {
    case ArgumentKind::kTuple:
    case ArgumentKind::kSlice:
    case ArgumentKind::kStruct:
      return c10::IValue(c10::ivalue::Tuple::create(std::move(items)));
    case ArgumentKind::kList: {
      c10::List<c10::IValue> list(c10::AnyType::get());
      list.reserve(items.size());
      for (c10::IValue& item : items) list.push_back(std::move(item));
      return c10::IValue(std::move(list));
    }
    case ArgumentKind::kDict: {
      c10::impl::GenericDict dict(c10::StringType::get(), c10::AnyType::get());
      for (size_t i = 0; i < items.size(); ++i) {
        if (shape.key(i).kind() != ArgumentKind::kString)
          return absl::UnimplementedError("the keys of a dict must be strings");
        dict.insert(std::string(shape.key(i).as_string()), std::move(items[i]));
      }
      return c10::IValue(std::move(dict));
    }
    default:
      return absl::UnimplementedError(fmt::format(
          "a {} of values cannot be represented in libtorch", argument_kind_name(shape.kind())));
  }
}

// ---------------------------------------------------------------- types

namespace {

/// Collects the types of the values of nodes in an argument, in depth-first order.
void collect_types(TypeTable& types, ArgumentRef argument, const c10::IValue& value,
                   std::vector<std::string>& texts) {
  if (argument.is_node()) {
    texts.push_back(to_string(type_of_value(types, value)));
    return;
  }
  const c10::ArrayRef<c10::IValue> items = items_of(value);
  for (size_t i = 0; i < argument.size(); ++i)
    collect_types(types, argument[i], i < items.size() ? items[i] : c10::IValue(), texts);
}

}  // namespace

std::string TorchInterpreter::describe_failed_call(const Call& call) const {
  const Node& node = *call.node;
  // A hook may have changed the call, or loading its arguments may have failed.
  if (call.args.size() != node.num_args() || call.kwargs.size() != node.num_kwargs())
    return describe_call(node);
  TypeTable& types = node.context().types();
  std::vector<std::string> texts;
  for (size_t i = 0; i < node.num_args(); ++i)
    collect_types(types, node.arg(i), call.args[i], texts);
  for (size_t i = 0; i < node.num_kwargs(); ++i)
    collect_types(types, node.kwarg_value(i), call.kwargs[i].value, texts);
  return describe_call(node, [&](size_t i, const Node& operand) {
    return i < texts.size() ? texts[i] : to_string(operand.type());
  });
}

}  // namespace fx
