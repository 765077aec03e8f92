// Tracer: records a function or module that runs on Proxies, like torch.fx's Tracer.
//
//   auto traced = fx::symbolic_trace(context, [](fx::Proxy x, fx::Proxy y) { return relu(x + y); },
//                                    {"x", "y"});
//   if (!traced.ok()) std::cerr << traced.status();
//
// Subclass it to choose leaf modules, to inspect or reject nodes, and to provide values:
//
//   struct Quiet : fx::Tracer {
//     using fx::Tracer::Tracer;
//     bool is_leaf_module(const fx::Module& m, std::string_view path) const override {
//       return path == "encoder" || Tracer::is_leaf_module(m, path);
//     }
//   };
//   Quiet tracer(context);
//   FX_ASSIGN_OR_RETURN(std::unique_ptr<fx::Graph> graph, tracer.trace(net, {"x"}));
#pragma once

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/module/tensor.h"
#include "fx/tracer/nn_module.h"
#include "fx/tracer/structure.h"
#include "fx/tracer/tracer_base.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fx {

/// Properties of the inputs of a traced function that C++ does not express.
struct TraceInputs {
  TraceInputs() = default;
  TraceInputs(std::initializer_list<std::string_view> input_names)
      : names(input_names.begin(), input_names.end()) {}

  /// Names of inputs by position; later inputs have the names `arg<i>`.
  std::vector<std::string> names;
  /// Values by name. The function is traced with them; the input is kept, as `<name>_1`, and the
  /// graph asserts that its value is the same. Required for a parameter that is not a Proxy.
  std::vector<std::pair<std::string, Argument>> concrete_args = {};
  /// Defaults of inputs, by name.
  std::vector<std::pair<std::string, Argument>> defaults = {};
  /// Types of inputs, by name: `f32[8, 64]` for a placeholder `x` or `x_1`.
  std::vector<std::pair<std::string, Type>> types = {};
};

namespace internal {
template <class F>
concept NoModule = !requires { typename std::remove_cvref_t<F>::ContainedType; };
}  // namespace internal

/// See the top of this file. May be used for multiple traces, one at a time. Only one thread may
/// trace a module at a time.
class Tracer : public TracerBase {
 public:
  explicit Tracer(Context& context, const RecordOptions& options = {});
  ~Tracer() override;

  // ---- Tracing
  /// Calls `f` with Proxies and records its operations. Parameters of `f` are Proxies, structures
  /// of them (tracer/structure.h), or concrete: bool, integers, double, std::string. `examples`,
  /// one per parameter from the left, are the arguments: they determine the length of a vector, the
  /// keys of a map, and concrete values; Proxies in them are replaced. Returns the error in
  /// status(), or InvalidArgument for names in `inputs` that are not inputs.
  template <internal::NoModule F, class... Examples>
  absl::StatusOr<std::unique_ptr<Graph>> trace(F&& f, const TraceInputs& inputs = {},
                                               Examples... examples);
  /// Traces the forward of a module. Uses of parameters are recorded as get_attr.
  template <std::derived_from<nn::Module> M, class... Examples>
  absl::StatusOr<std::unique_ptr<Graph>> trace(const nn::ModuleHolder<M>& module,
                                               const TraceInputs& inputs = {},
                                               Examples... examples);

  /// Returns the module that get_attr and call_module paths of the graph refer to: the traced
  /// module, or a module with the constants of the traced function.
  Module& root() const { return *root_; }

  // ---- Used by traced code
  /// Records a constant tensor: a get_attr of `_tensor_constant<N>`, one per tensor.
  Proxy embed(const Tensor& tensor, Where where = Where::current());
  /// Records a member of a module of the root, with one get_attr node per path.
  Proxy read_attribute(const nn::Module& module, std::string_view name, Where where);
  /// Returns the first free name `<prefix><N>` of the root.
  std::string get_fresh_qualname(std::string_view prefix);
  /// Returns the path of a module of the root. NotFound if the module is not registered there.
  absl::StatusOr<std::string> path_of_module(const Module& module) const;

  // ---- Functions that a subclass may override
  /// True if calls to the module are recorded as call_module. By default, true for torch.nn's
  /// classes except containers (Sequential, ModuleList, ...).
  virtual bool is_leaf_module(const Module& module, std::string_view path) const;
  Proxy call_module(const Module& module, absl::FunctionRef<Proxy()> forward,
                    absl::Span<const AnyArg> args, Where where) override;
  void enter_module(const Module& module, Where where) override;
  void leave_module() override;

 protected:
  /// Called when the trace is complete, before the graph is returned.
  virtual absl::Status end_trace(Graph& graph);
  absl::StatusOr<Node*> create_node(const NodeRequest& request) override;

 private:
  struct Scope {
    Symbol path;
    Argument stack;  // kModuleStack of nodes in it
  };
  /// A module of the root.
  struct Member {
    Symbol path;
    Symbol class_name;
    int calls = 0;
  };
  Tracer(std::unique_ptr<Graph> graph, const RecordOptions& options);
  void begin(std::shared_ptr<Module> root);
  absl::StatusOr<std::unique_ptr<Graph>> finish(const AnyArg& result, Where where);
  absl::StatusOr<std::unique_ptr<Graph>> finish_failed();
  /// Returns null if the module is not below the root.
  Member* find_member(const Module& module);
  absl::Status not_registered(const Module& module) const;
  void push_scope(Member& member);
  Proxy input(std::string_view name, std::string_view base);
  std::string input_name(size_t i);
  void structured_input(std::string_view name,
                        absl::FunctionRef<void(absl::FunctionRef<void(Proxy&)>)> visit);
  std::optional<Argument> concrete_input(std::string_view name, const Argument* example);
  void check_inputs(size_t num_inputs);

  template <class... Parameters, class Call, class... Examples>
  absl::StatusOr<std::unique_ptr<Graph>> run(std::tuple<Parameters...>*, const Call& call,
                                             Examples&&... examples);
  template <class T, class Examples>
  T make_input(size_t i, Examples& examples);

  std::unique_ptr<Graph> own_graph_;
  std::shared_ptr<Module> root_;
  TraceInputs inputs_;
  std::vector<Scope> scopes_;
  absl::flat_hash_map<const Module*, Member> members_;
  absl::flat_hash_map<std::string, Node*> attributes_;
  absl::flat_hash_map<const void*, std::string> constants_;
  std::unique_ptr<UniqueAttributeNames> fresh_;
};

/// Traces, and returns a GraphModule with the tensors and leaf modules of the root.
template <class F, class... Examples>
absl::StatusOr<std::unique_ptr<GraphModule>> symbolic_trace(Context& context, F&& f,
                                                            const TraceInputs& inputs = {},
                                                            Examples... examples);

}  // namespace fx

#include "fx/tracer/trace_inline.h"
