// TracerBase: records operations on Proxies as nodes of one graph; and the tracer for writing
// rewrites with Proxies.
//
//   fx::GraphAppendingTracer tracer(graph);
//   auto guard = graph.inserting_before(relu);
//   fx::Proxy x(*relu->arg(0).as_node(), tracer);
//   relu->replace_all_uses_with((where(x > 0, x, 0.0)).node());
//   FX_RETURN_IF_ERROR(tracer.status());
//
// Tracers do not use global state, so multiple threads may use tracers of different graphs. An
// error cannot stop the traced code, so the first error is kept: later calls record nothing, and
// status() returns the error with its location in the program.
#pragma once

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/node.h"
#include "fx/tracer/proxy.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

class Module;
class Tensor;
struct TracedCall;

/// A node to be recorded.
struct NodeRequest {
  Opcode op = Opcode::kCallFunction;
  Target function = {};          ///< of a call_function
  std::string_view target = {};  ///< of other opcodes
  absl::Span<const Argument> args = {};
  absl::Span<const Kwarg> kwargs = {};
  std::string_view name = {};  ///< candidate; empty: from the target
  Where where = Where::current();
};

/// The functions that recorded calls refer to.
enum class Targets : uint8_t {
  /// As in torch.fx: `torch.relu(x)`, methods as call_method, Python's operators.
  kTorch,
  /// ATen overloads, like capture and torch.export: `aten.relu.default(x)`. Such a graph can run in
  /// libtorch and be typed without lowering.
  kAten,
};

/// Whether calls that write to their arguments are allowed.
enum class MutableOperations : uint8_t { kAllow, kReject };

struct RecordOptions {
  Targets targets = Targets::kTorch;
  MutableOperations mutable_operations = MutableOperations::kAllow;
  /// Record the location of each node in the program (metadata stack_trace).
  bool locations = true;
  /// Names of functions (fx::named_function) whose calls are nodes; other functions are traced
  /// into. torch.fx's autowrap_functions.
  std::vector<std::string> autowrap_functions = {};
};

/// See the top of this file.
class TracerBase {
 public:
  /// `graph` must outlive the tracer. New nodes go to its insert point.
  explicit TracerBase(Graph& graph, const RecordOptions& options = {});
  virtual ~TracerBase();
  TracerBase(const TracerBase&) = delete;
  TracerBase& operator=(const TracerBase&) = delete;

  Graph& graph() const { return *graph_; }
  Context& context() const;
  const RecordOptions& record_options() const { return options_; }

  /// Returns OK, or the first error with its location in the program.
  const absl::Status& status() const { return status_; }
  /// Ends recording with an error. `where`: the location in the traced code, for the message.
  void fail(const absl::Status& status, Where where);
  void fail(absl::Status status);

  // ---- Recording nodes explicitly
  Proxy placeholder(std::string_view name, Where where = Where::current());
  Proxy placeholder(std::string_view name, const Argument& default_value,
                    Where where = Where::current());
  Proxy get_attr(std::string_view path, Where where = Where::current());
  /// Calls any function, by its canonical name: `aten.relu.default`, `my_module.my_function`.
  Proxy call_function(std::string_view function, std::initializer_list<AnyArg> args,
                      std::initializer_list<NamedArg> kwargs = {}, Where where = Where::current());
  Proxy call_function(Target function, absl::Span<const Argument> args,
                      absl::Span<const Kwarg> kwargs = {}, Where where = Where::current());
  Proxy call_module(std::string_view path, std::initializer_list<AnyArg> args,
                    std::initializer_list<NamedArg> kwargs = {}, Where where = Where::current());
  /// Records a node unless there was an error.
  Proxy record(const NodeRequest& request);
  /// Records a call to a generated function or method, without checking its arguments.
  Proxy record_call(const TracedCall& call, bool is_method, absl::Span<Argument> args,
                    absl::Span<const Kwarg> kwargs, Where where);
  /// Records a Python operator: `name` is `add` for operator.add.
  Proxy record_operator(std::string_view name, absl::Span<const Argument> args, Where where);
  /// Records Python's `object[index]`.
  Proxy record_getitem(const Argument& object, const Argument& index, Where where);

  // ---- Values
  /// Return the values for Proxy::to_bool and similar functions. They fail the trace if the value
  /// is unknown.
  bool bool_of(const Proxy& value, Where where);
  int64_t int_of(const Proxy& value, Where where);
  double float_of(const Proxy& value, Where where);

  /// Runs a module's forward, or records its call: torch.fx's Tracer.call_module. `args` are the
  /// arguments of the call. The base class runs `forward`.
  virtual Proxy call_module(const Module& module, absl::FunctionRef<Proxy()> forward,
                            absl::Span<const AnyArg> args, Where where);
  /// Called before and after the code of a module runs. The base class does nothing.
  virtual void enter_module(const Module& module, Where where);
  virtual void leave_module();

 protected:
  // ---- Functions that a subclass may override
  /// Creates every node. An error fails the trace, so that a tracer can reject nodes.
  virtual absl::StatusOr<Node*> create_node(const NodeRequest& request);
  /// Creates a node and its Proxy. An override must call this function.
  virtual Proxy create_proxy(const NodeRequest& request);
  /// Return values that are known while tracing. By default they return an error.
  virtual absl::StatusOr<bool> to_bool(const Proxy& value);
  virtual absl::StatusOr<int64_t> to_int(const Proxy& value);
  virtual absl::StatusOr<double> to_float(const Proxy& value);

  /// Records the location of a node.
  void note_location(Node& node, Where where);
  void set_graph(Graph& graph) { graph_ = &graph; }
  void clear_status() { status_ = absl::OkStatus(); }

 private:
  struct Location {
    const char* file;
    const char* function;
    uint_least32_t line;
    bool operator==(const Location&) const = default;
    template <typename H>
    friend H AbslHashValue(H h, const Location& l) {
      return H::combine(std::move(h), l.file, l.function, l.line);
    }
  };
  Proxy record_aten(const TracedCall& call, absl::Span<Argument> args,
                    absl::Span<const Kwarg> kwargs, Where where);
  Proxy index_aten(const Argument& object, const Argument& index, Where where);
  bool is_number(const Argument& value) const;
  absl::Status check_mutation(const NodeRequest& request) const;
  Target target_of(const TracedCall& call);
  Target operator_target(std::string_view name);

  Graph* graph_;
  RecordOptions options_;
  absl::Status status_;
  absl::flat_hash_map<const void*, Target> targets_;
  absl::flat_hash_map<std::string_view, Target> operators_;
  absl::flat_hash_map<Location, Symbol> locations_;
};

/// torch.fx's GraphAppendingTracer: records into an existing graph.
class GraphAppendingTracer final : public TracerBase {
 public:
  using TracerBase::TracerBase;
  /// Returns the Proxy of a node of the graph.
  Proxy operator()(Node* node) { return Proxy(*node, *this); }
};

/// Records a call to a function whose arguments have no tracer.
Proxy call_function(std::string_view function, std::initializer_list<AnyArg> args,
                    std::initializer_list<NamedArg> kwargs = {}, Where where = Where::current());

}  // namespace fx
