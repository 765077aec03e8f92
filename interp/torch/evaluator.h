// Runs a graph of operators through libtorch's dispatcher.
//
// A graph is prepared once: operators are looked up, constant arguments are converted, and the last
// use of each value is determined. A run then only pushes arguments and calls kernels without
// autograd. If a call such as higher_order.invoke_subgraph runs a nested graph, that graph is
// prepared as if its nodes were in place of the call. A value is freed after its last use, as in an
// eager program. A run calls the same operators on the same inputs as the captured program, so
// results are bit-equal.
#pragma once

#include "fx/interp/graph_guards.h"
#include "fx/interp/torch/dispatch/convert.h"
#include "fx/interp/torch/dispatch/dispatcher.h"
#include "fx/interp/torch/input_checks.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/provenance/node_error.h"

#include "absl/status/statusor.h"
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fx {

struct NumberFunction;

/// The values of get_attr nodes, by path.
using TorchConstants = std::map<std::string, c10::IValue, std::less<>>;

/// The use of libtorch's autograd in a run.
enum class AutogradUse {
  kNone,    ///< operators are dispatched directly to their kernels
  kRecord,  ///< results can be differentiated, as in an eager program
};

class TorchEvaluator {
 public:
  /// Prepares `graph`. The Context of the graph, but not the graph, must outlive the evaluator.
  /// Returns NotFound for a missing operator or constant, Unimplemented for nodes that are not
  /// operators (call_module, call_method, control flow), and InvalidArgument for arguments that an
  /// operator does not accept. The message names the node.
  static absl::StatusOr<TorchEvaluator> create(const Graph& graph,
                                               const TorchConstants& constants = {});

  /// Runs the graph on one value for each placeholder, in order. Returns the leaves of the graph's
  /// result in depth-first order, with None for undefined tensors. In-place operators write to the
  /// passed inputs. Returns InvalidArgument if an operator fails or the inputs violate the
  /// requirements of the graph (InputChecks), and FailedPrecondition if a guard fails. The message
  /// names the node.
  absl::StatusOr<std::vector<c10::IValue>> run(std::vector<c10::IValue> inputs,
                                               AutogradUse autograd = AutogradUse::kNone);

  size_t num_inputs() const { return inputs_.size(); }

 private:
  friend class EvaluatorBuilder;

  static constexpr uint32_t kNoSlot = UINT32_MAX;

  /// The source of an argument.
  struct Operand {
    enum Kind : uint8_t {
      kConstant,
      kValue,
      kLastUse,
      kList,
      kNumber,  // a slot with a number, converted to a tensor
    } kind;
    uint32_t index;  // the index of a constant, slot or list
  };
  /// A list with computed items.
  struct List {
    ArgumentCode code;
    std::vector<Operand> items;
  };
  struct Step {
    enum Kind : uint8_t { kCall, kGetItem, kNumber } kind = kCall;
    bool guarded = false;
    uint32_t op = 0;  // the index of the operator or function of a call, or the item of a getitem
    uint32_t first_operand = 0;
    uint32_t num_operands = 0;
    uint32_t first_result = 0;  // in result_slots_
    uint32_t num_results = 0;
    uint32_t tuple_slot = kNoSlot;  // the slot for the tuple of all results, if it has users
    uint32_t guard = 0;             // the constant that a guarded result must equal
  };

  absl::Status run_steps(std::vector<c10::IValue>& slots, AutogradUse autograd, size_t& at,
                         torch::jit::Stack& stack);
  absl::Status call(const Step& step, std::vector<c10::IValue>& slots, torch::jit::Stack& stack);
  absl::StatusOr<c10::IValue> compute(const Step& step, std::vector<c10::IValue>& slots) const;
  c10::IValue operand(Operand operand, std::vector<c10::IValue>& slots) const;
  std::string describe_operands(const Step& step, const torch::jit::Stack& stack) const;

  std::vector<c10::OperatorHandle> operators_;
  std::vector<const NumberFunction*>
      functions_;  // functions on numbers, such as operator.mul on sizes
  std::vector<Step> steps_;
  std::vector<NodeLabel> labels_;  // the labels of the nodes of steps, for messages
  std::vector<Operand> operands_;
  std::vector<List> lists_;
  std::vector<c10::IValue> constants_;
  std::vector<uint32_t> result_slots_;
  std::vector<uint32_t> inputs_;                              // slots; kNoSlot for unused inputs
  std::vector<std::pair<uint32_t, c10::IValue>> attributes_;  // slots and values of get_attr nodes
  std::vector<Operand> outputs_;
  InputChecks checks_;
  uint32_t num_slots_ = 0;
};

}  // namespace fx
