// Interpreter: runs a graph node by node over values of any kind, with one hook per opcode to
// override. The counterpart of torch.fx's Interpreter.
//
//   class Numbers : public fx::Interpreter<double> {
//    public:
//     using Interpreter::Interpreter;
//     absl::StatusOr<double> call_function(Call& call) override {
//       if (call.function.name() == "operator.add") return call.args[0] + call.args[1];
//       return Interpreter::call_function(call);   // Unimplemented, naming the function
//     }
//   };
//   Numbers(graph).run({1.0, 2.0});
//
// V is any copyable type: numbers, tensors, types, text, nodes of another graph. A V represents an
// entire argument; `constant` and `aggregate` create the values of constants and lists. The default
// implementations accept numbers if V is arithmetic, and all arguments if V is constructible from
// an Argument.
//
// A value is moved into the call that uses it last and is destroyed after that call; a value
// without users is destroyed at the next step. This includes inputs that the caller moves in.
//
// A run fails with the status of the hook and a message that names the node, its operands' types
// and its location in the user's program (ir/graph/provenance/node_error.h).
//
// During a run, only types and metadata of the graph may change; between runs, the graph may change
// arbitrarily. Not thread-safe.
#pragma once

#include "fx/interp/call.h"
#include "fx/interp/plan.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/module.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

/// The maximum nesting depth of graphs in a run.
inline constexpr size_t kMaxInterpreterDepth = 100;

/// Inputs of a run in addition to the positional inputs.
template <class V>
struct RunOptions {
  /// Values for placeholders, by name. Values with other names are passed to a placeholder
  /// `**kwargs`.
  std::vector<std::pair<std::string, V>> named = {};
  /// Known values of nodes; these nodes do not run. A placeholder with a known value still consumes
  /// its positional input; in torch.fx, the next placeholder consumes that input.
  std::vector<std::pair<const Node*, V>> env = {};
};

/// See the top of this file.
template <class V>
class Interpreter {
 public:
  using Value = V;
  using Call = fx::Call<V>;

  /// `root` is the module that contains the paths of get_attr and call_module nodes; if it is null,
  /// the graph's owning module is used. The graph and the module must outlive the interpreter.
  explicit Interpreter(const Graph& graph, const Module* root = nullptr)
      : graph_(&graph), root_(root ? root : graph.owning_module()) {}
  explicit Interpreter(const GraphModule& module) : Interpreter(module.graph(), &module) {}
  virtual ~Interpreter() = default;
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // ---- Running
  /// Runs up to the first output and returns its value. Returns InvalidArgument for too many or too
  /// few inputs, and FailedPrecondition if the graph has no output.
  absl::StatusOr<V> run(std::vector<V> inputs, RunOptions<V> options = {}) {
    FX_RETURN_IF_ERROR(start(std::move(inputs), std::move(options)));
    return finish();
  }
  /// Like run, but clears the caller's list, so that each input is freed after its last use. There
  /// must be one input for each placeholder; as in torch.fx, defaults are not used.
  absl::StatusOr<V> run_boxed(std::vector<V>& inputs) {
    const Plan& plan = plan_of(*graph_);
    if (plan.has_varargs() ? inputs.size() < plan.num_inputs()
                           : inputs.size() != plan.num_inputs()) {
      return absl::InvalidArgumentError("run_boxed requires " + std::to_string(plan.num_inputs()) +
                                        " inputs, but received " + std::to_string(inputs.size()));
    }
    return run(std::exchange(inputs, {}));
  }

  // ---- Single steps: call start(), then the following functions, and finally finish()
  absl::Status start(std::vector<V> inputs, RunOptions<V> options = {}) {
    top_.reset();
    frame_ = nullptr;
    nested_plans_.clear();
    if (options.env.empty()) {
      FX_RETURN_IF_ERROR(
          check_inputs(options.named.empty() ? inputs : in_order(inputs, options.named)));
    }
    auto frame = std::make_unique<Frame>(plan_of(*graph_), root_, std::string());
    FX_RETURN_IF_ERROR(bind(*frame, std::move(inputs), std::move(options)));
    top_ = std::move(frame);
    frame_ = top_.get();
    return absl::OkStatus();
  }
  /// Returns the node that runs next, or null at the end or before start().
  Node* next_node() const {
    return frame_ && frame_->at < frame_->plan->steps().size()
               ? frame_->plan->steps()[frame_->at].node
               : nullptr;
  }
  /// Runs next_node(). Returns OutOfRange at the end and before start().
  absl::Status step() {
    if (next_node() == nullptr)
      return absl::OutOfRangeError("the run has ended or has not started");
    return step_in(*frame_);
  }
  /// Runs all nodes before `node`. Returns OutOfRange if `node` has already run or is not in the
  /// graph.
  absl::Status run_until(const Node& node) {
    const uint32_t stop = slot_of(node);
    if (stop == Plan::kNoSlot || stop < frame_->at)
      return absl::OutOfRangeError(describe(node) + " has already run or is not in this graph");
    while (frame_->at < stop) FX_RETURN_IF_ERROR(step_in(*frame_));
    return absl::OkStatus();
  }
  /// Runs up to and including `node`. Returns a copy of its value.
  absl::StatusOr<V> run_to(const Node& node) {
    FX_RETURN_IF_ERROR(run_until(node));
    FX_RETURN_IF_ERROR(step());
    const V* result = value(node);
    FX_CHECK(result != nullptr, "the value of a node must exist until the next step");
    return *result;
  }
  /// Runs the remaining nodes and returns the value of the output.
  absl::StatusOr<V> finish() {
    if (!frame_) return absl::FailedPreconditionError("call start() first");
    return finish_frame(*frame_);
  }
  /// Returns the value of a node in this run, or null if it has not been computed or has been
  /// freed.
  const V* value(const Node& node) const {
    const uint32_t slot = slot_of(node);
    if (slot == Plan::kNoSlot || !frame_->slots[slot]) return nullptr;
    return &*frame_->slots[slot];
  }
  /// If false, keeps all values until the next run starts, for inspection.
  void set_garbage_collect_values(bool on) { garbage_collect_ = on; }

  /// Return the graph that is running, and the module for its paths (may be null).
  const Graph& graph() const { return frame_ ? frame_->plan->graph() : *graph_; }
  const Module* root() const { return frame_ ? frame_->root : root_; }

  // ---- Hooks
  /// Called before a run, unless RunOptions::env has values. `inputs` are the positional inputs,
  /// followed by named inputs in the order of the placeholders. An error ends the run. The base
  /// class accepts all inputs.
  virtual absl::Status check_inputs(const std::vector<V>& /*inputs*/) { return absl::OkStatus(); }
  /// Runs a node. The base class loads its arguments and calls the hook of its opcode. Override
  /// this hook to inspect, measure or annotate every node.
  virtual absl::StatusOr<V> run_node(Node& node) {
    Call& call = frame_->call;
    call.node = &node;
    call.function = node.function();
    call.target = node.target();
    call.args.clear();
    call.kwargs.clear();
    if (node.is_placeholder()) return placeholder(call);
    FX_RETURN_IF_ERROR(load(call));
    switch (node.op()) {
      case Opcode::kGetAttr:
        return get_attr(call);
      case Opcode::kCallFunction:
        return call_function(call);
      case Opcode::kCallMethod:
        return call_method(call);
      case Opcode::kCallModule:
        return call_module(call);
      case Opcode::kOutput:
        return output(call);
      case Opcode::kPlaceholder:
        break;
    }
    FX_UNREACHABLE("opcode");
  }
  /// Returns the next input, or the default value of the placeholder. `call.args` is empty.
  virtual absl::StatusOr<V> placeholder(Call& call);
  /// Returns `attribute` of the member at the path, or `constant` of a nested graph.
  virtual absl::StatusOr<V> get_attr(Call& call);
  virtual absl::StatusOr<V> call_function(Call& call) {
    return absl::UnimplementedError("this interpreter does not implement call_function for " +
                                    std::string(call.function.name()));
  }
  /// `call.args[0]` is the object.
  virtual absl::StatusOr<V> call_method(Call& call) {
    return absl::UnimplementedError("this interpreter does not implement call_method for " +
                                    std::string(call.target));
  }
  /// Runs the graph of a GraphModule. Returns Unimplemented for other modules.
  virtual absl::StatusOr<V> call_module(Call& call);
  virtual absl::StatusOr<V> output(Call& call) {
    if (call.args.empty())
      return absl::InvalidArgumentError("the output node must have an argument");
    return std::move(call.args[0]);
  }

  /// Returns the value of an argument without nodes: a constant, or a list of constants.
  virtual absl::StatusOr<V> constant(const Argument& value);
  /// Returns the value of a list, tuple, dict, slice, ... of these items; `shape` is the argument.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): an override may keep the items
  virtual absl::StatusOr<V> aggregate(const Argument& shape, std::vector<V> items);
  /// Returns the value of a parameter, buffer, constant or module.
  virtual absl::StatusOr<V> attribute(std::string_view path, const Attribute& attribute);
  /// Returns the description of a call for error messages. The base class returns
  /// describe_call(node); override this hook to describe the values.
  virtual std::string describe_failed_call(const Call& call) const {
    return describe_call(*call.node);
  }

 protected:
  /// Runs a different graph with the hooks of this interpreter, such as the branch of a cond.
  /// `path` is the path of its root, relative to the current root ("layer1"). Returns
  /// ResourceExhausted if the nesting depth exceeds kMaxInterpreterDepth.
  absl::StatusOr<V> run_graph(const Graph& nested, const Module* nested_root, std::string_view path,
                              std::vector<V> inputs, RunOptions<V> options = {});
  /// Returns the number of active calls to run_graph.
  size_t depth() const { return depth_; }
  /// Converts a path of the current graph to a path from the root of the outermost graph.
  std::string path_of(std::string_view path) const { return frame_->path + std::string(path); }
  /// Returns the member at a path of root(). Returns NotFound, naming the first missing part, if it
  /// does not exist.
  absl::StatusOr<const Attribute*> fetch_attr(std::string_view path) const;
  /// Returns the Call of the current node.
  const Call& current_call() const { return frame_->call; }

 private:
  struct Frame {
    Frame(const Plan& p, const Module* r, std::string where)
        : plan(&p), root(r), path(std::move(where)), slots(p.steps().size()) {}
    const Plan* plan;
    const Module* root;
    std::string path;  // "layer1.", or empty
    std::vector<std::optional<V>> slots;
    std::vector<V> inputs;
    size_t next_input = 0;
    std::vector<std::pair<std::string, V>> named;
    uint32_t at = 0;                  // the index of the next step
    uint32_t unused = Plan::kNoSlot;  // a value without users, to free at the next step
    uint32_t next_operand = 0;        // the next operand to load
    Call call;
  };

  uint32_t slot_of(const Node& node) const {
    return frame_ && &node.graph() == &frame_->plan->graph() ? frame_->plan->slot(node)
                                                             : Plan::kNoSlot;
  }
  const Plan& plan_of(const Graph& graph);
  std::vector<V> in_order(std::vector<V> inputs,
                          const std::vector<std::pair<std::string, V>>& named) const;
  absl::Status bind(Frame& frame, std::vector<V> inputs, RunOptions<V> options);
  absl::Status step_in(Frame& frame);
  absl::StatusOr<V> finish_frame(Frame& frame);
  void skip(Frame& frame, const Plan::Step& step);
  absl::Status load(Call& call);
  absl::StatusOr<V> load(ArgumentRef argument);
  absl::StatusOr<V> read(Plan::Operand operand, const Node& node);
  bool take_named(Frame& frame, std::string_view name, std::optional<V>& value);

  const Graph* graph_;
  const Module* root_;
  bool garbage_collect_ = true;
  size_t depth_ = 0;
  std::unique_ptr<Plan> plan_;  // the plan of *graph_
  absl::flat_hash_map<const Graph*, std::unique_ptr<Plan>>
      nested_plans_;  // the plans of nested graphs in this run
  std::unique_ptr<Frame> top_;
  Frame* frame_ = nullptr;  // the innermost running frame
};

}  // namespace fx

#include "fx/interp/interpreter_impl.h"  // IWYU pragma: export
