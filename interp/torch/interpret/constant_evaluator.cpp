#include "fx/interp/torch/interpret/constant_evaluator.h"

#include "fx/interp/torch/graph_data.h"
#include "fx/interp/torch/interpret/torch_interpreter.h"
#include "fx/ir/support/status.h"

#include <ATen/Functions.h>

namespace fx {

absl::StatusOr<std::vector<Tensor>> evaluate_constants(const Graph& graph, const Module& root) {
  TorchInterpreter interpreter(graph, {}, AutogradUse::kNone, &root);
  FX_ASSIGN_OR_RETURN(const c10::IValue result, interpreter.run({}));
  std::vector<c10::IValue> items;
  if (result.isTuple())
    items = result.toTupleRef().elements().vec();
  else if (result.isList())
    items = result.toListRef().vec();
  else if (result.isTensorList())
    for (const at::Tensor& tensor : result.toTensorVector()) items.emplace_back(tensor);
  else
    items.push_back(result);
  std::vector<Tensor> values;
  for (const c10::IValue& item : items) {
    const bool dense = item.isTensor() && item.toTensor().defined() && !item.toTensor().is_meta() &&
                       item.toTensor().layout() == at::kStrided &&
                       item.toTensor().is_non_overlapping_and_dense();
    values.push_back(dense ? from_torch(item.toTensor().detach().cpu().clone()) : Tensor());
  }
  return values;
}

}  // namespace fx
