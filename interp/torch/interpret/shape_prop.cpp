#include "fx/interp/torch/interpret/shape_prop.h"

#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/graph/context.h"

#include <utility>

namespace fx {
namespace {

/// Returns `actual` with the requires_grad of the tensors in `recorded`, if the types have the same
/// structure.
Type with_requires_grad_of(TypeTable& types, Type recorded, Type actual) {
  if (recorded == actual) return actual;
  if (recorded.is_tensor() && actual.is_tensor()) {
    TensorSpec spec = actual.spec();
    spec.requires_grad = recorded.requires_grad();
    return types.tensor(spec);
  }
  if (actual.items().empty() || actual.items().size() != recorded.items().size()) return actual;
  std::vector<Type> items;
  for (size_t i = 0; i < actual.items().size(); ++i)
    items.push_back(with_requires_grad_of(types, recorded.items()[i], actual.items()[i]));
  return types.with_items(actual, items);
}

class ConcreteTypes final : public TorchInterpreter {
 public:
  ConcreteTypes(const Graph& graph, const TorchConstants& constants, AutogradUse autograd)
      : TorchInterpreter(graph, constants, autograd), autograd_(autograd) {}

  absl::StatusOr<c10::IValue> run_node(Node& node) override {
    absl::StatusOr<c10::IValue> value = TorchInterpreter::run_node(node);
    if (!value.ok() || node.is_output()) return value;
    TypeTable& types = node.context().types();
    Type type = type_of_value(types, *value);
    if (autograd_ == AutogradUse::kNone) type = with_requires_grad_of(types, node.type(), type);
    // A nested graph has no value.
    if (type != node.type() && !(node.op() == Opcode::kGetAttr && value->isNone()))
      node.set_type(type);
    return value;
  }

 private:
  AutogradUse autograd_;
};

}  // namespace

absl::Status propagate_concrete_types(Graph& graph, std::vector<c10::IValue> inputs,
                                      const TorchConstants& constants, AutogradUse autograd) {
  return ConcreteTypes(graph, constants, autograd).run_boxed(inputs).status();
}

}  // namespace fx
