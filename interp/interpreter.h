// Interpreter: runs a graph node by node over values of any kind, with one hook per opcode to
// override. torch.fx's Interpreter.
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
// V is any type that can be copied: numbers, tensors, types, text, nodes of another graph. It
// stands for whole arguments, constants and lists included: `constant` and `aggregate` make them,
// and default to what fits V (numbers of numbers; anything for what is constructed from an
// Argument).
//
// Values live in slots by position. A value is moved into the call that reads it last and dies with
// it; one that nobody reads dies at once. Inputs too, when the caller moves them in.
//
// A run fails with the status of the hook, and a message that names the node, its operands' types
// and its place in the user's program (ir/graph/provenance/node_error.h).
//
// The graph must not change while it runs, but for types and meta data. It may between runs. One
// thread may use an Interpreter at a time.
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

/// Graphs nest at most so deep in one run.
inline constexpr size_t kMaxInterpreterDepth = 100;

/// What a run starts from beside its positional inputs.
template <class V>
struct RunOptions {
  /// For placeholders by their names; the others of `**kwargs`.
  std::vector<std::pair<std::string, V>> named = {};
  /// Values known already: their nodes do not run. A placeholder among them still takes the place
  /// of its input (torch.fx lets the inputs behind it move up).
  std::vector<std::pair<const Node*, V>> env = {};
};

/// See the head of this file.
template <class V>
class Interpreter {
 public:
  using Value = V;
  using Call = fx::Call<V>;

  /// Paths of get_attr and call_module are looked up in `root`; null: the graph's owning module.
  explicit Interpreter(const Graph& graph, const Module* root = nullptr)
      : graph_(&graph), root_(root ? root : graph.owning_module()) {}
  explicit Interpreter(const GraphModule& module) : Interpreter(module.graph(), &module) {}
  virtual ~Interpreter() = default;
  Interpreter(const Interpreter&) = delete;
  Interpreter& operator=(const Interpreter&) = delete;

  // ---- Running
  /// Runs up to the first output; what that returns. InvalidArgument for too many or too few
  /// inputs; FailedPrecondition when there is no output.
  absl::StatusOr<V> run(std::vector<V> inputs, RunOptions<V> options = {}) {
    FX_RETURN_IF_ERROR(start(std::move(inputs), std::move(options)));
    return finish();
  }
  /// The same, taking the inputs away from the caller's list, so that each dies after its last use.
  /// They must be exactly as many as placeholders: defaults do not count, as in torch.fx.
  absl::StatusOr<V> run_boxed(std::vector<V>& inputs) {
    const Plan& plan = plan_of(*graph_);
    if (plan.has_varargs() ? inputs.size() < plan.num_inputs()
                           : inputs.size() != plan.num_inputs()) {
      return absl::InvalidArgumentError("run_boxed takes " + std::to_string(plan.num_inputs()) +
                                        " inputs, " + std::to_string(inputs.size()) +
                                        " were given");
    }
    return run(std::exchange(inputs, {}));
  }

  // ---- Step by step: start, then any of the others until finish.
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
  /// The node that runs next; null at the end, and when nothing was started.
  Node* next_node() const {
    return frame_ && frame_->at < frame_->plan->steps().size()
               ? frame_->plan->steps()[frame_->at].node
               : nullptr;
  }
  /// Runs next_node(); OutOfRange at the end.
  absl::Status step() {
    if (next_node() == nullptr) return absl::OutOfRangeError("the run is at its end");
    return step_in(*frame_);
  }
  /// Runs what stands before `node`, which is next then. OutOfRange when it is not ahead.
  absl::Status run_until(const Node& node) {
    const uint32_t stop = slot_of(node);
    if (stop == Plan::kNoSlot || stop < frame_->at)
      return absl::OutOfRangeError(describe(node) + " is not ahead in this run");
    while (frame_->at < stop) FX_RETURN_IF_ERROR(step_in(*frame_));
    return absl::OkStatus();
  }
  /// Runs up to and including `node`; its value, which it keeps too.
  absl::StatusOr<V> run_to(const Node& node) {
    FX_RETURN_IF_ERROR(run_until(node));
    FX_RETURN_IF_ERROR(step());
    const V* result = value(node);
    FX_CHECK(result != nullptr, "a value lives on until the next step");
    return *result;
  }
  /// Runs the rest.
  absl::StatusOr<V> finish() {
    if (!frame_) return absl::FailedPreconditionError("no run was started");
    return finish_frame(*frame_);
  }
  /// The value of a node in this run: null before it is computed, and when it was freed.
  const V* value(const Node& node) const {
    const uint32_t slot = slot_of(node);
    if (slot == Plan::kNoSlot || !frame_->slots[slot]) return nullptr;
    return &*frame_->slots[slot];
  }
  /// False: values are kept until the next run starts, for looking at.
  void set_garbage_collect_values(bool on) { garbage_collect_ = on; }

  /// The graph whose nodes run now, and the module that its paths are looked up in (null: none).
  const Graph& graph() const { return frame_ ? frame_->plan->graph() : *graph_; }
  const Module* root() const { return frame_ ? frame_->root : root_; }

  // ---- Hooks
  /// Called before a run with its positional inputs and the named ones that follow them in the order
  /// of the placeholders, unless values of nodes are given; an error ends the run. The base class
  /// accepts all.
  virtual absl::Status check_inputs(const std::vector<V>& /*inputs*/) { return absl::OkStatus(); }
  /// A node of any kind. The base class loads its arguments and calls the hook of its opcode;
  /// override it to look at, measure or annotate every node.
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
  /// The next input, or the default. `call.args` is empty.
  virtual absl::StatusOr<V> placeholder(Call& call);
  /// What the path leads to, by `attribute`; a nested graph by `constant`.
  virtual absl::StatusOr<V> get_attr(Call& call);
  virtual absl::StatusOr<V> call_function(Call& call) {
    return absl::UnimplementedError("this interpreter has no call_function for " +
                                    std::string(call.function.name()));
  }
  /// `call.args[0]` is the object.
  virtual absl::StatusOr<V> call_method(Call& call) {
    return absl::UnimplementedError("this interpreter has no call_method for " +
                                    std::string(call.target));
  }
  /// Runs the graph of a GraphModule; Unimplemented for other modules.
  virtual absl::StatusOr<V> call_module(Call& call);
  virtual absl::StatusOr<V> output(Call& call) {
    if (call.args.empty()) return absl::InvalidArgumentError("an output without an argument");
    return std::move(call.args[0]);
  }

  /// The value of an argument without nodes: a constant, or a list of them.
  virtual absl::StatusOr<V> constant(const Argument& value);
  /// The value of a list, tuple, dict, slice, ... of these values; `shape` is the argument.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): an override may keep them
  virtual absl::StatusOr<V> aggregate(const Argument& shape, std::vector<V> items);
  /// The value of a parameter, buffer, constant or module.
  virtual absl::StatusOr<V> attribute(std::string_view path, const Attribute& attribute);
  /// The call in error messages: describe_call(node), from which a domain may know better.
  virtual std::string describe_failed_call(const Call& call) const {
    return describe_call(*call.node);
  }

 protected:
  /// Runs another graph, its hooks these: the branch of a cond, an inlined module. `path` is where
  /// its root stands below this one's ("layer1"; path_of gives whole paths). ResourceExhausted
  /// beyond kMaxInterpreterDepth.
  absl::StatusOr<V> run_graph(const Graph& nested, const Module* nested_root, std::string_view path,
                              std::vector<V> inputs, RunOptions<V> options = {});
  /// 0, or how many run_graph are under way.
  size_t depth() const { return depth_; }
  /// A path of the graph that runs now, from the root of the first.
  std::string path_of(std::string_view path) const { return frame_->path + std::string(path); }
  /// The member at a path of root(). NotFound, naming the first part that is not there.
  absl::StatusOr<const Attribute*> fetch_attr(std::string_view path) const;
  /// The Call of the node that runs now.
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
    uint32_t at = 0;                  // the next step
    uint32_t unread = Plan::kNoSlot;  // a value that nobody reads, to free at the next step
    uint32_t next_operand = 0;        // while arguments are loaded
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
  std::unique_ptr<Plan> plan_;                                             // of *graph_
  absl::flat_hash_map<const Graph*, std::unique_ptr<Plan>> nested_plans_;  // of this run
  std::unique_ptr<Frame> top_;
  Frame* frame_ = nullptr;  // the innermost
};

}  // namespace fx

#include "fx/interp/interpreter_impl.h"  // IWYU pragma: export
