// Propagation: native shape propagation over a whole graph, or call by call.
// Private to passes/shape/.
#pragma once

#include "fx/ir/calls/graph_call.h"
#include "fx/passes/shape/changed_types.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/shape/type_rules_internal.h"

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx {

/// True for the symbols of sizes that depend on data: `u0`, `u1`, ...
bool is_data_symbol(Symbol symbol);
/// True for a size that contains such a symbol.
bool depends_on_data(const Dim& dim);

class Propagation {
 public:
  /// Uses `env`, and ignores the environment in the options.
  Propagation(Context& context, ShapeEnv& env, const PropagateOptions& options)
      : context_(context),
        env_(env),
        rules_(rules_for(context, options.rules)),
        shared_cache_(options.cache),
        other_call_(options.other_call) {}

  /// Types every call of a graph and of its nested graphs. An input of a nested graph keeps its
  /// recorded type if the operand has none; if a different call of the nested graph changes this
  /// type, types the graph again, so that the result does not depend on the order of the calls. The
  /// nodes of a graph that calls run with different settings of autocast have no types.
  void run(Graph& graph);
  /// Declares that the inputs of the graph are not lazy views (ir/calls/lazy_views.h).
  void set_plain_inputs() { has_plain_inputs_ = true; }
  /// Types one call and its nested graphs, unless other calls run one of these. Returns true if the
  /// type of the call changed. Does not propagate changes that the call makes to its arguments; see
  /// needs_run().
  bool step(Node& call);
  /// True for calls whose types are inferred: those of functions, and, with
  /// PropagateOptions::other_call, those of methods and modules.
  bool types(const Node& node) const {
    return node.op() == Opcode::kCallFunction || types_other(node);
  }
  /// True if a call so far has changed the sizes or strides of an argument, runs a nested graph
  /// that other calls run, or has relied on a type that is different now. Only run() can then type
  /// the later users of the argument, and the nested graph.
  bool needs_run() const { return needs_run_; }
  /// Returns the findings of the last run(), or of the steps since the last call to take(), and all
  /// guards.
  ShapeReport take();
  /// Records that a value had a type before this propagation, and has none now: the nested graphs
  /// that receive it must not keep a recorded type.
  [[gnu::cold, gnu::noinline]] void note_lost(const Node& value) { lost_.insert(&value); }
  /// Must be called for a call that is created, or whose arguments change, after a step().
  void add_caller(const Node& call);
  /// Must be called for a call that is erased.
  void remove_caller(const Node& call);

  /// Returns the rules of the options, else those of the Context; null if there are none.
  static const TypeRules* rules_for(const Context& context, const TypeRules* rules) {
    return rules ? rules : TypeRules::find_in(context);
  }
  static const BoundTypeRule* rule_of(const ops::OpInfo& op, const TypeRules* rules) {
    return rules ? rules->find(op) : find_type_rule(op);
  }
  /// Types the nested graph that argument `i` of the schema denotes; see TypeCall::graph_results.
  std::vector<Type> graph_results(const Node& call, const ops::OpInfo& op, size_t i,
                                  absl::Span<const Type> inputs);
  /// Runs the rule for a call outside a propagation. Does not type nested graphs.
  static Type run(const BoundTypeRule& rule, TypeCall& call, const Node& node);
  static absl::Status no_rule(std::string_view op);
  static std::string describe_failure(const Node& node, const std::string& reason);

 private:
  Type typed(Context& context, Node& node);
  Type infer(Context& context, const ops::OpInfo& op, const BoundTypeRule& rule, Node& node,
             bool keep);
  bool step(Context& context, Node& node);
  bool types_other(const Node& node) const {
    return other_call_ && (node.op() == Opcode::kCallMethod || node.op() == Opcode::kCallModule);
  }
  bool step_other(Context& context, Node& node);
  bool set(Context& context, Node& node, Type type);
  Type type_of_other(Node& call);
  static void type_input(Node& node);

  // Handles calls that change the sizes or strides of an argument (`t_`, `resize_`, out= of a
  // different size), or a list.
  bool note_written(Node& call, Type result);

  void walk(Graph& graph);
  void forget_graphs();
  void restart();
  void restart_walk();
  bool runs_shared_graph(const Node& call);
  /// Checks the assumptions, starting with the one at index `first`.
  bool assumptions_hold(size_t first = 0) const;

  // Operators over nested graphs (higher_order.cpp)
  Graph* graph_of(const Node& node, size_t argument);
  Graph* graph_of_value(const Node& node, ArgumentRef value);
  Type higher_order(Node& node);
  Type type_of_cond(Node& node, absl::Span<const Type> inputs);
  Type type_of_while(Node& node);
  Type type_of_scan(Node& node);
  Type type_of_graph_call(Node& node, const GraphCall& call);
  std::vector<Type> results_in_autocast(const Node& node, const GraphCall& call, Graph& graph);
  std::vector<Type> recorded_results(const Graph& graph);
  void add_mixed(Graph& graph);
  Type type_of_map(Node& node);
  Type stacked_results(const Node& call, std::vector<Type> results);
  Type type_with_effects(Node& node);
  void append_types(const Node& call, size_t argument, absl::Span<Graph* const> graphs,
                    std::vector<Type>& types);
  void append_type(ArgumentRef operand, absl::Span<Graph* const> graphs, std::vector<Type>& types);
  bool append_slices(const Node& call, size_t argument, Graph* step, std::vector<Type>& sequences,
                     std::vector<Type>& inputs);

  // Nested graphs (propagation.cpp)
  struct TypedGraph;
  TypedGraph& typed_graph(Graph& graph);
  void forget_input(absl::Span<Graph* const> graphs, size_t i);
  bool is_lazy_input(const Node& input) const;
  void note_operand(const Node& value, absl::Span<Graph* const> graphs, size_t i);
  void note_carried(const Graph& step, absl::Span<Graph* const> graphs, size_t count);
  void add_recorded(absl::Span<Graph* const> graphs, absl::Span<Type> inputs);
  std::vector<Type> type_nested(Graph& graph, absl::Span<const Type> inputs);
  std::vector<Type> results_of(Graph* graph, absl::Span<const Type> operands);

  // Symbols of sizes that depend on data (propagation_symbols.cpp)
  bool avoid_symbols();
  Type with_old_symbols(const Node& call, Type type, size_t num_guards);
  Type with_distinct_symbols(const Node& call, Type type);
  Type step_slice(Type sequence, const Node* input);
  bool take(Symbol symbol, const Node& producer);

  void fail(const Node& node, const std::string& reason);
  Type missing(const Node& node);

  Type cached_type(Node& node, bool& has_key);
  Type type_without_rule(Node& node);
  Type type_in_mode(Node& node);

  Context& context_;
  ShapeEnv& env_;
  const TypeRules* rules_;
  TypeCache* shared_cache_;
  decltype(PropagateOptions::other_call) other_call_;
  // The first calls are not cached: a key and its lookup cost a third of a type function, and few
  // of these calls repeat another. A small graph repeats few calls at all.
  static constexpr size_t kSmallGraph = 128;  // in nodes
  static constexpr int kUncachedCalls = 24, kUncachedCallsOfSmallGraph = 64;
  int uncached_calls_ = kUncachedCallsOfSmallGraph;  // the number of such calls that remain
  std::optional<TypeCache> own_cache_;  // depends on env_; with a shared cache, created when needed
  TypeCache::Key key_;
  ShapeReport report_;
  absl::flat_hash_map<Symbol, size_t> missing_;
  static constexpr int kMaxDepth = kMaxGraphDepth;
  int depth_ = 0;
  absl::flat_hash_set<const Graph*> visited_;
  /// The types of the inputs that calls pass to a nested graph, with the types of the results.
  struct TypedGraph {
    struct List {
      std::vector<Type> inputs, results;
    };
    struct Input {
      Node* node;
      Type type;  ///< before any call typed the graph; null after an operand lost its type
    };
    std::optional<std::vector<Input>> recorded = std::nullopt;
    std::vector<List> lists = {};
    std::vector<Type> joined = {}, joined_results = {};  ///< types that are valid for all calls
  };
  absl::flat_hash_map<const Graph*, TypedGraph> typed_;
  absl::flat_hash_set<const Node*> lost_;  // nodes without a type that had one
  // Nodes of nested graphs with recorded types that results rely on: inputs without the type of an
  // operand, and results of graphs that autocast runs. The types must not change.
  std::vector<std::pair<const Node*, Type>> assumptions_;
  // Inputs of nested graphs that may be lazy views, in this run or an earlier one.
  absl::flat_hash_set<const Node*> lazy_inputs_;
  bool is_late_ = false;  // one, or an element of mixed_, was found after its graph had been typed
  static constexpr int kMaxRuns = 4;  // later runs do not use recorded types
  bool uses_recorded_ = true;         // inputs without the type of an operand keep recorded types
  // The nested graphs that calls typed in this run or an earlier one; those that calls run with
  // autocast, with its settings; and those that calls run with different settings.
  absl::flat_hash_set<const Graph*> called_;
  absl::flat_hash_map<const Graph*, GraphCall::Autocast> autocast_;
  absl::flat_hash_set<const Graph*> mixed_;
  // Copies of nested graphs that are graph modules, keyed by the graph of the module.
  absl::flat_hash_map<const Graph*, std::unique_ptr<Graph>> copies_;
  const Graph* root_ = nullptr;  // the graph of the first call
  bool avoids_symbols_ = false;  // env_ creates no symbol that the types of root_ use
  // The nodes that introduce symbols of sizes that depend on data; null for the inputs of root_.
  absl::flat_hash_map<Symbol, const Node*> producers_;
  // The first call in a graph that returns a symbol whose value depends on data in a nested graph.
  absl::flat_hash_map<std::pair<const Graph*, Symbol>, const Node*> returned_;
  ChangedTypes changed_;
  bool needs_run_ = false;
  bool has_plain_inputs_ = false;
  int walks_ = 0;       // number of walk() calls that have not returned
  int mode_depth_ = 0;  // number of modes around the current call (dtype_mode_change)
  // The call that runs each nested graph of the graph in which step() types calls; null if multiple
  // calls run it. Created by the first step().
  std::optional<absl::flat_hash_map<const Graph*, const Node*>> callers_;
};

/// Types of the values that the body of a loop receives and returns (loop_types.cpp).
namespace loops {

/// True if all sizes are equal, or if the sizes of either type are unknown.
bool have_same_sizes(Type a, Type b);
/// Returns a type that describes all values of both types; null if there is none.
Type joined_type(TypeTable& types, Type a, Type b);
/// Does this for each item of two lists.
std::vector<Type> joined_types(TypeTable& types, absl::Span<const Type> a,
                               absl::Span<const Type> b);
/// Returns the type of a result of a cond whose branches return values of types `a` and `b`. Sizes
/// that differ are unknown, and so are strides that torch does not compare (those of dimensions of
/// size 1), since they depend on the branch. So is what is unknown in one branch. If anything else
/// differs, which torch rejects, returns the null Type.
Type merged_type(TypeTable& types, Type a, Type b);
/// Returns the reason why torch rejects a loop of these types, or an empty string. The condition
/// must return one bool, and the body must return values of the types that it receives. Unknown
/// types are not checked.
std::string error(absl::Span<const Type> inputs, absl::Span<const Type> condition,
                  absl::Span<const Type> results);
/// Returns the type of a value that is a `result` of the body or an input of the loop, whose types
/// differ at most in the strides of dimensions of size 1 (error()). `input` may be unknown.
Type joined_strides(TypeTable& types, Type result, Type input);
/// Removes the strides and offset from the type of each value whose offset changes, or may change,
/// in later iterations of a loop: the body receives its previous results. Returns true if it
/// changed a type.
bool remove_strides_and_offsets(TypeTable& types, absl::Span<const Type> results,
                                absl::Span<Type> inputs);
/// Removes dtypes, sizes and strides that the graph of a step changes, or may change. torch rejects
/// such a loop, but the types in its graphs must be valid in every step. Returns true if it changed
/// a type.
bool remove_changed(TypeTable& types, absl::Span<const Type> results, absl::Span<Type> inputs);
/// Removes the sizes of all inputs starting with `first_invariant` if the graph of a step changes
/// sizes or strides of an input in place (`squeeze_`). Every step receives these tensors with the
/// changes of earlier steps, and two inputs may be one tensor. Returns true if it changed a type.
bool forget_changed(TypeTable& types, const Graph* step, size_t first_invariant,
                    absl::Span<Type> inputs);
/// Returns the type of a value that a loop returns: a result of its body, or a dense copy of the
/// input if the loop has no steps.
Type result(TypeTable& types, Type type);

}  // namespace loops

/// Returns the types of a graph's outputs; the null Type for outputs of unknown type. A tensor
/// whose sizes the graph changes in place has the type of an unknown tensor.
std::vector<Type> output_types(const Graph& graph);
/// Returns the types of a graph's outputs; empty if the type of an output is unknown.
std::vector<Type> returned_types(const Graph& graph);

/// Changes findings about `clone` to refer to the nodes of `original`, from which it was cloned.
void name_originals(ShapeReport& report, const Graph& clone, const Graph& original);

}  // namespace fx
