// interp/torch/evaluator.h - runs a graph of operators through libtorch's dispatcher.
//
// A graph is prepared once: operators are looked up, constant arguments converted, the life of
// every value found. A run then pushes arguments and calls kernels, nothing else, below autograd; a
// value is freed after its last use, as in an eager program. The same operators on the same inputs
// are called as when the graph was captured, so results agree to the last bit.
#pragma once

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

/// What get_attr nodes read, by their paths.
using TorchConstants = std::map<std::string, c10::IValue, std::less<>>;

/// Meta data of a node whose result the captured program looked at (`item()`): the value that it
/// saw. A run in which another value comes out is refused, since the program might have gone
/// another way.
inline constexpr MetaKey<Argument> kGuard{"guard"};

/// Whether operators that run are seen by libtorch's autograd.
enum class AutogradUse {
  kNone,    ///< they go straight to their kernels
  kRecord,  ///< results can be differentiated, as in an eager program
};

class TorchEvaluator {
 public:
  /// Prepares `graph`, which may change or go afterwards (its Context may not). NotFound for an
  /// operator or a constant that is not there, Unimplemented for nodes that are not operators
  /// (call_module, call_method), and InvalidArgument for arguments that an operator does not take;
  /// the message names the node.
  static absl::StatusOr<TorchEvaluator> create(const Graph& graph,
                                               const TorchConstants& constants = {});

  /// Evaluates on one value per placeholder, in their order. Returns the leaves of what the graph
  /// returns, depth first; None is None, an undefined tensor too. Operators that write in place
  /// write to the inputs that are passed. InvalidArgument when an operator fails, or the inputs do
  /// not meet what the graph requires (InputChecks);
  /// FailedPrecondition when a guard does not hold; the message names the node.
  absl::StatusOr<std::vector<c10::IValue>> run(std::vector<c10::IValue> inputs,
                                               AutogradUse autograd = AutogradUse::kNone);

  size_t num_inputs() const { return inputs_.size(); }

 private:
  friend class EvaluatorBuilder;

  static constexpr uint32_t kNoSlot = UINT32_MAX;

  /// Where an argument comes from.
  struct Operand {
    enum Kind : uint8_t {
      kConstant,
      kValue,
      kLastUse,
      kList,
      kNumber,  // a slot that holds a number, in the place of a tensor
    } kind;
    uint32_t index;  // constant, slot, or list
  };
  /// A list some of whose items are computed.
  struct List {
    ArgumentCode code;
    std::vector<Operand> items;
  };
  struct Step {
    enum Kind : uint8_t { kCall, kGetItem } kind = kCall;
    bool guarded = false;
    uint32_t op = 0;  // of a call: index of its operator; of a getitem: the item
    uint32_t first_operand = 0;
    uint32_t num_operands = 0;
    uint32_t first_result = 0;  // in result_slots_
    uint32_t num_results = 0;
    uint32_t tuple_slot = kNoSlot;  // where all results go as one value, if anybody wants that
    uint32_t guard = 0;             // constant that a guarded result must equal
  };

  absl::Status run_steps(std::vector<c10::IValue>& slots, AutogradUse autograd, size_t& at,
                         torch::jit::Stack& stack);
  absl::Status call(const Step& step, std::vector<c10::IValue>& slots, torch::jit::Stack& stack);
  c10::IValue operand(Operand operand, std::vector<c10::IValue>& slots) const;
  std::string describe_operands(const Step& step, const torch::jit::Stack& stack) const;

  std::vector<c10::OperatorHandle> operators_;
  std::vector<Step> steps_;
  std::vector<NodeLabel> labels_;  // of the steps' nodes, for messages
  std::vector<Operand> operands_;
  std::vector<List> lists_;
  std::vector<c10::IValue> constants_;
  std::vector<uint32_t> result_slots_;
  std::vector<uint32_t> inputs_;                              // slots, kNoSlot for an unused one
  std::vector<std::pair<uint32_t, c10::IValue>> attributes_;  // what get_attr slots start with
  std::vector<Operand> outputs_;
  InputChecks checks_;
  uint32_t num_slots_ = 0;
};

}  // namespace fx
