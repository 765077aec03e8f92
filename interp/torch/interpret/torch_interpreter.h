// TorchInterpreter: an Interpreter on libtorch's values, with hooks and single steps.
// TorchEvaluator (evaluator.h) is faster for graphs of operators.
//
//   class Shapes : public fx::TorchInterpreter {
//    public:
//     using TorchInterpreter::TorchInterpreter;
//     absl::StatusOr<c10::IValue> run_node(fx::Node& node) override {
//       FX_ASSIGN_OR_RETURN(c10::IValue value, TorchInterpreter::run_node(node));
//       if (value.isTensor()) std::cout << node.name() << value.toTensor().sizes() << "\n";
//       return value;
//     }
//   };
//
// It runs:
//   - operators (`aten.add.Tensor`);
//   - functions and methods with the name of an operator (`torch.relu`, `operator.add`, the method
//     `view`). The arguments determine the overload. Python's parameter order and names may differ
//     (`F.relu(x, inplace=True)`, ir/calls/python_forms.h);
//   - Python's functions on numbers, items (`x[..., 1:]`) and attributes (`x.shape`);
//   - cond, while_loop, while_loop_stack_output, scan, associative_scan, map_impl, with_effects,
//     auto_functionalized, auto_functionalized_v2, direct calls to graphs (ir/calls/graph_call.h),
//     and torch.func.vmap (torch_vmap_internal.h);
//   - modules that are graphs;
//   - custom functions (torch_functions.h).
// Arguments are converted to the operator's parameters as in Python, for example a number to a
// tensor, an int to a float, or an int to a list.
#pragma once

#include "fx/interp/interpreter.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/evaluator.h"
#include "fx/interp/torch/interpret/torch_functions.h"
#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/ops/schema.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include <ATen/core/TensorBody.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

struct GraphCall;

class TorchInterpreter : public Interpreter<c10::IValue> {
 public:
  /// The values of get_attr nodes are in `constants`; other get_attr nodes use the module's
  /// tensors, which are not copied. As in torch.fx, a tensor of the module is one tensor in all
  /// runs, also for graphs that the graph calls: changes of its sizes (`t_`) and its gradient
  /// function persist.
  explicit TorchInterpreter(const Graph& graph, TorchConstants constants = {},
                            AutogradUse autograd = AutogradUse::kNone,
                            const Module* root = nullptr);
  explicit TorchInterpreter(const GraphModule& module, AutogradUse autograd = AutogradUse::kNone);
  ~TorchInterpreter() override;

  /// Sets the code of custom functions. They take precedence over libtorch's functions with the
  /// same names.
  void set_functions(std::shared_ptr<const TorchFunctions> functions) {
    functions_ = std::move(functions);
  }

  absl::Status check_inputs(const std::vector<c10::IValue>& inputs) override;
  /// Returns InvalidArgument, with libtorch's message, if an operator throws.
  absl::StatusOr<c10::IValue> run_node(Node& node) override;
  absl::StatusOr<c10::IValue> get_attr(Call& call) override;
  /// Returns NotFound if libtorch does not have the operator, and InvalidArgument if the operator
  /// does not accept the arguments.
  absl::StatusOr<c10::IValue> call_function(Call& call) override;
  absl::StatusOr<c10::IValue> call_method(Call& call) override;
  absl::StatusOr<c10::IValue> constant(const Argument& value) override;
  absl::StatusOr<c10::IValue> aggregate(const Argument& shape,
                                        std::vector<c10::IValue> items) override;
  absl::StatusOr<c10::IValue> attribute(std::string_view path, const Attribute& attribute) override;
  std::string describe_failed_call(const Call& call) const override;

 private:
  struct Operator {
    c10::OperatorHandle handle;
    std::vector<ArgumentCode> codes;
    ops::OpSchema schema;
  };
  using Overloads = std::vector<const ops::OpInfo*>;

  static absl::StatusOr<std::shared_ptr<const Operator>> load_operator(
      const c10::OperatorHandle& handle);
  absl::StatusOr<const Operator*> find(std::string_view target);
  /// Returns the overloads of a packet (`aten.add`) that this libtorch has.
  const Overloads& overloads(std::string_view packet);
  /// Returns the operator's stack for a call.
  absl::StatusOr<std::vector<c10::IValue>> bind(const Operator& op, const Call& call);
  static absl::StatusOr<std::vector<c10::IValue>> stack_of(const Operator& op, const Call& call,
                                                           absl::Span<const BoundParameter> bound);
  absl::StatusOr<c10::IValue> call_bound(const Operator& op, std::vector<c10::IValue> stack,
                                         const Call& call);
  /// Calls an overload of a packet. `written` contains the positional arguments in the graph's form
  /// if they differ from the node's.
  absl::StatusOr<c10::IValue> call_overloaded(std::string_view packet, Call& call,
                                              absl::Span<const Argument> written = {});
  /// Calls an overload for a function or method of torch's bindings; see ops/packets.h.
  absl::StatusOr<c10::IValue> call_binding(std::string_view function, std::string_view packet,
                                           Call& call);
  absl::StatusOr<c10::IValue> call_operator(std::string_view name, const Call& call);
  // torch_python.cpp
  /// Replaces the arguments of a call to a function in python_forms.h with the arguments of the
  /// operator that it calls. Returns the operator and its arguments in the graph, or std::nullopt
  /// for other functions.
  absl::StatusOr<std::optional<ops::PythonCall>> take_python_form(std::string_view function,
                                                                  Call& call);
  absl::StatusOr<c10::IValue> call_form(const ops::PythonCall& form, Call& call);
  absl::StatusOr<c10::IValue> get_item(const Call& call);
  absl::StatusOr<c10::IValue> set_item(const Call& call);
  absl::StatusOr<c10::IValue> get_attribute(Call& call);
  /// Runs tensor methods that have no arguments and are not operators. Returns std::nullopt for
  /// other methods.
  absl::StatusOr<std::optional<c10::IValue>> query(std::string_view method, Call& call);
  // torch_control.cpp
  using Values = std::vector<c10::IValue>;
  absl::StatusOr<c10::IValue> higher_order(std::string_view name, Call& call);
  absl::StatusOr<c10::IValue> run_nested(const Call& call, size_t i, Values inputs);
  absl::StatusOr<Values> run_nested_list(const Call& call, size_t i, Values inputs);
  absl::StatusOr<c10::IValue> run_cond(const Call& call);
  absl::StatusOr<c10::IValue> run_while_loop(const Call& call);
  absl::StatusOr<c10::IValue> run_scan(const Call& call);
  absl::StatusOr<c10::IValue> call_with_effects(Call& call);
  absl::StatusOr<c10::IValue> call_graph(const Call& call, const GraphCall& graph);
  static absl::StatusOr<c10::IValue> check_condition(const Call& call);

  /// A tensor of the module, and the tensor that runs use.
  struct ModuleTensor {
    Tensor source;  // kept alive, so that its identity is not reused
    at::Tensor tensor;
  };

  TorchConstants constants_;
  AutogradUse autograd_;
  absl::flat_hash_map<const void*, ModuleTensor> tensors_;  // by Tensor::identity()
  std::shared_ptr<const TorchFunctions> functions_;
  absl::flat_hash_map<std::string, std::shared_ptr<const Operator>> operators_;  // by target
  absl::flat_hash_map<Symbol, const Operator*> targets_;
  absl::flat_hash_map<std::string, Overloads> overloads_;  // overloads, by packet
  std::vector<BoundParameter> bound_;
};

}  // namespace fx
