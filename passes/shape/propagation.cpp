// Walks a graph: see propagation_internal.h.
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/calls/lazy_views.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph_editor.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/module/module.h"
#include "fx/ir/ops/op_info.h"
#include "fx/passes/shape/compare_types.h"
#include "fx/passes/shape/propagation_internal.h"

#include "absl/container/inlined_vector.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Returns `recorded` if it differs from `inferred` only in requires_grad, else `inferred`.
Type keep_requires_grad(TypeTable& types, Type recorded, Type inferred) {
  if (!recorded.is_tensor() || !inferred.is_tensor() ||
      recorded.requires_grad() == inferred.requires_grad())
    return inferred;
  TensorSpec spec = inferred.spec();
  spec.requires_grad = recorded.requires_grad();
  return types.tensor(spec) == recorded ? recorded : inferred;
}

/// Clears a hash table. Almost all are empty, and clearing an empty one takes longer than a test.
template <class Table>
void clear_table(Table& table) {
  if (!table.empty()) table.clear();
}

bool may_read_tensor(const Node& call) {
  bool found = false;
  call.for_each_input(
      [&](const Node* input) { found = found || !input->type() || input->type().is_tensor(); });
  return found;
}

}  // namespace

inline bool Propagation::step(Context& context, Node& node) {
  return set(context, node, typed(context, node));
}

bool Propagation::step_other(Context& context, Node& node) {
  return set(context, node, mode_depth_ > 0 ? type_in_mode(node) : type_of_other(node));
}

bool Propagation::set(Context& context, Node& node, Type type) {
  const Type old = node.type();
  ++(type ? report_.typed : report_.unknown);
  if (type == old) return false;
  const Type kept = old ? keep_requires_grad(context.types(), old, type) : type;
  if (kept == old) return false;
  if (!kept) note_lost(node);
  if (old)
    change_type(node, kept);
  else
    Graph::Editor::set_type(node, kept);
  return true;
}

bool Propagation::step(Node& call) {
  Graph& graph = call.graph();
  if (root_ == nullptr) root_ = &graph;
  if (graph.num_subgraphs() != 0 && runs_shared_graph(call)) {
    // Typing the graph for this call alone would replace the recorded types of its inputs, which
    // hold for the operands of all calls.
    needs_run_ = true;
    return false;
  }
  const size_t num_assumptions = assumptions_.size();
  const bool has_changed = call.op() == Opcode::kCallFunction ? step(graph.context(), call)
                                                              : step_other(graph.context(), call);
  needs_run_ = needs_run_ || !assumptions_hold(num_assumptions);
  return has_changed;
}

bool Propagation::runs_shared_graph(const Node& call) {
  if (!callers_) {
    callers_.emplace();
    for (const Node& node : call.graph().nodes()) add_caller(node);
  }
  return std::ranges::any_of(nested_graphs(call), [&](const Graph* graph) {
    const auto found = callers_->find(graph);
    return found != callers_->end() && found->second != &call;
  });
}

void Propagation::add_caller(const Node& call) {
  if (!callers_ || call.op() != Opcode::kCallFunction) return;
  for (const Graph* const graph : nested_graphs(call)) {
    const Node*& caller = callers_->try_emplace(graph, &call).first->second;
    if (caller != &call) caller = nullptr;
  }
}

void Propagation::remove_caller(const Node& call) {
  if (!callers_ || call.op() != Opcode::kCallFunction) return;
  for (const Graph* const graph : nested_graphs(call)) {
    const auto found = callers_->find(graph);
    if (found != callers_->end() && found->second == &call) callers_->erase(found);
  }
}

void Propagation::run(Graph& graph) {
  if (root_ == nullptr) {
    root_ = &graph;
    if (graph.size() > kSmallGraph) uncached_calls_ = kUncachedCalls;
  }
  forget_graphs();  // a step() may have typed a copy for one of multiple calls
  for (int runs = 1;; ++runs) {
    restart();
    walk(graph);
    if (assumptions_hold()) break;
    uses_recorded_ = runs < kMaxRuns;
  }
  uses_recorded_ = true;
}

/// Discards what is known about nested graphs after all runs, and their copies.
void Propagation::forget_graphs() {
  clear_table(copies_);
  clear_table(called_);
  clear_table(autocast_);
  clear_table(mixed_);
  clear_table(lazy_inputs_);
}

/// Discards the findings of the previous run, except its report.
void Propagation::restart_walk() {
  clear_table(missing_);
  clear_table(visited_);
  clear_table(typed_);
  assumptions_.clear();
  is_late_ = false;
  clear_table(producers_);
  clear_table(returned_);
  avoids_symbols_ = false;
}

/// Discards the findings of the previous run, but keeps the types and the record of nodes that lost
/// theirs.
void Propagation::restart() {
  report_ = ShapeReport();
  restart_walk();
}

bool Propagation::assumptions_hold(size_t first) const {
  return !is_late_ &&
         std::ranges::all_of(absl::MakeConstSpan(assumptions_).subspan(first),
                             [](const auto& each) { return each.first->type() == each.second; });
}

void Propagation::walk(Graph& graph) {
  Context& context = graph.context();
  const size_t num_changed = changed_.size();
  const int depth_outside = std::exchange(mode_depth_, 0);
  ++walks_;
  for (Node& node : graph.nodes()) {
    const Opcode op = node.op();
    if (op == Opcode::kCallFunction) {
      step(context, node);
    } else if ((op == Opcode::kGetAttr || op == Opcode::kPlaceholder) && !node.type()) {
      type_input(node);
    } else if (types_other(node)) {
      step_other(context, node);
    } else if (op == Opcode::kCallMethod || op == Opcode::kCallModule) {
      note_written(node, node.type());
    }
  }
  changed_.restore(num_changed);
  mode_depth_ = depth_outside;
  --walks_;
  // Nested graphs that no call has typed keep the types of their placeholders.
  for (size_t i = 0; i < graph.num_subgraphs() && depth_ < kMaxDepth; ++i) {
    if (!visited_.insert(&graph.subgraph(i)).second) continue;
    ++depth_;
    walk(graph.subgraph(i));
    --depth_;
  }
}

ShapeReport Propagation::take() {
  ShapeReport report = std::exchange(report_, ShapeReport());
  report.guards = env_.guards();
  restart_walk();
  clear_table(lost_);
  forget_graphs();
  return report;
}

// ---------------------------------------------------------------- nested graphs

/// Returns the record of a graph. The first call reads the recorded types of its inputs.
Propagation::TypedGraph& Propagation::typed_graph(Graph& graph) {
  TypedGraph& typed = typed_[&graph];
  if (typed.recorded) return typed;
  typed.recorded.emplace();
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) typed.recorded->push_back({&node, node.type()});
  return typed;
}

/// Removes the recorded type of input number `i` of the graphs, some of which may be null.
void Propagation::forget_input(absl::Span<Graph* const> graphs, size_t i) {
  for (Graph* const graph : graphs) {
    if (graph == nullptr) continue;
    TypedGraph& typed = typed_graph(*graph);
    if (i < typed.recorded->size()) (*typed.recorded)[i].type = Type();
  }
}

bool Propagation::is_lazy_input(const Node& input) const {
  if (&input.graph() == root_) return !has_plain_inputs_ && !is_known_real(input.type());
  return lazy_inputs_.contains(&input);
}

/// Records that input number `i` of the graphs, some of which may be null, receives `value`.
void Propagation::note_operand(const Node& value, absl::Span<Graph* const> graphs, size_t i) {
  const auto is_lazy = [this](const Node& input) { return is_lazy_input(input); };
  if (!may_be_lazy_view(value, is_lazy)) return;
  for (Graph* const graph : graphs) {
    if (graph == nullptr) continue;
    const TypedGraph& typed = typed_graph(*graph);
    if (i >= typed.recorded->size()) continue;
    const bool is_new = lazy_inputs_.insert((*typed.recorded)[i].node).second;
    is_late_ = is_late_ || (is_new && !typed.lists.empty());
  }
}

/// Records that the first inputs of the graphs receive the results of `step`, the graph of a step
/// of a loop.
void Propagation::note_carried(const Graph& step, absl::Span<Graph* const> graphs, size_t count) {
  const Node* const output = step.output_node();
  if (output == nullptr || output->num_args() != 1) return;
  const ArgumentRef results = output->arg(0);
  if (!results.is_list() && !results.is_tuple()) return;
  for (size_t i = 0; i < results.size() && i < count; ++i)
    if (const Node* const value = results[i].node()) note_operand(*value, graphs, i);
}

/// Sets the null types among `inputs`, which the graphs receive, to the recorded types of the
/// graphs' inputs. These may change: the steps of a loop receive results of earlier steps. Some
/// graphs may be null.
void Propagation::add_recorded(absl::Span<Graph* const> graphs, absl::Span<Type> inputs) {
  absl::InlinedVector<const TypedGraph::Input*, 2> recorded;
  for (size_t i = 0; uses_recorded_ && i < inputs.size(); ++i) {
    if (inputs[i]) continue;
    recorded.clear();
    for (Graph* const graph : graphs) {
      if (graph == nullptr || i >= typed_graph(*graph).recorded->size()) continue;
      recorded.push_back(&(*typed_graph(*graph).recorded)[i]);
    }
    Type all;
    bool are_joinable = true;
    for (const TypedGraph::Input* const input : recorded) {
      if (!input->type) continue;
      all = all ? loops::joined_type(context_.types(), all, input->type) : input->type;
      are_joinable = are_joinable && all;
    }
    if (!are_joinable) {
      forget_input(graphs, i);
      continue;
    }
    inputs[i] = all;
    for (const TypedGraph::Input* const input : recorded)
      if (all) assumptions_.emplace_back(input->node, all);
  }
}

/// Types a nested graph for inputs of these types. Returns the types of the outputs; empty if one
/// is unknown.
std::vector<Type> Propagation::type_nested(Graph& graph, absl::Span<const Type> inputs) {
  size_t next = 0;
  for (Node& node : graph.nodes()) {
    if (!node.is_placeholder()) continue;
    if (next < inputs.size()) {
      if (node.type() && !inputs[next]) note_lost(node);
      change_type(node, inputs[next]);
    }
    ++next;
  }
  ++depth_;
  walk(graph);
  --depth_;
  return returned_types(graph);
}

/// Returns the types of the results of a nested graph for operands of these types; empty if one is
/// unknown. An input keeps its recorded type if its operand has none; operands that are numbers
/// have no type. Types the graph once for each list of inputs. If calls pass different types, the
/// nodes of the graph get types that are valid for all calls.
std::vector<Type> Propagation::results_of(Graph* graph, absl::Span<const Type> operands) {
  // Each list requires a run over the graph, and each run may pass as many lists to nested graphs.
  constexpr size_t kMaxLists = 4;
  if (!graph || depth_ == kMaxDepth) return {};
  visited_.insert(graph);
  called_.insert(graph);
  if (autocast_.contains(graph)) add_mixed(*graph);
  if (mixed_.contains(graph)) return {};
  std::vector<Type> inputs(operands.begin(), operands.end());
  inputs.resize(typed_graph(*graph).recorded->size());
  add_recorded({graph}, absl::MakeSpan(inputs));
  TypedGraph typed = std::move(typed_[graph]);  // the run below may move the entries
  const auto known = std::ranges::find(typed.lists, inputs, &TypedGraph::List::inputs);
  if (known != typed.lists.end()) {
    std::vector<Type> results = known->results;
    typed_[graph] = std::move(typed);
    return results;
  }
  std::vector<Type> results;
  const bool is_listed = typed.lists.size() < kMaxLists;
  if (is_listed) {
    results = type_nested(*graph, inputs);
    typed.lists.push_back({.inputs = inputs, .results = results});
  }
  const bool is_first = typed.lists.size() == 1;
  std::vector<Type> joined =
      is_first ? inputs : loops::joined_types(context_.types(), typed.joined, inputs);
  if (!is_first && (is_listed ? joined != inputs : joined != typed.joined))
    typed.joined_results = type_nested(*graph, joined);
  else if (is_listed)
    typed.joined_results = results;
  typed.joined = std::move(joined);
  if (!is_listed) results = typed.joined_results;
  typed_[graph] = std::move(typed);
  return results;
}

// ---------------------------------------------------------------- calls

/// Looks the call up in the caches. Sets `has_key` if it was not found and its type can be cached.
inline Type Propagation::cached_type(Node& node, bool& has_key) {
  if (const Type known = (shared_cache_ ? shared_cache_ : &*own_cache_)->find_next(node, rules_))
    return known;
  has_key = TypeCache::make_key(node, rules_, key_);
  if (!has_key) return Type();
  if (shared_cache_)
    if (const Type known = shared_cache_->find(key_)) return known;
  return own_cache_ ? own_cache_->find(key_) : Type();
}

inline Type Propagation::typed(Context& context, Node& node) {
  if (mode_depth_ > 0) return type_in_mode(node);
  bool has_key = false;
  if (shared_cache_ || own_cache_) {
    if (const Type known = cached_type(node, has_key)) return known;
  } else if (--uncached_calls_ == 0) {
    own_cache_.emplace(context_);
  }
  const ops::OpInfo* op = node.function().op();
  if (const BoundTypeRule* rule = op ? rule_of(*op, rules_) : nullptr) {
    // The rules of Python's operators apply to numbers and lists.
    if (other_call_ && op->is_function() && rule->function && may_read_tensor(node))
      return type_of_other(node);
    return infer(context, *op, *rule, node, has_key);
  }
  return type_without_rule(node);
}

/// Handles a call whose type is unknown, because its dtype depends on a mode (dtype_mode_change).
[[gnu::cold, gnu::noinline]] Type Propagation::type_in_mode(Node& node) {
  mode_depth_ += dtype_mode_change(node);
  for (Graph* const nested : nested_graphs(node)) {
    visited_.insert(nested);
    add_mixed(*nested);
  }
  note_written(node, Type());
  return Type();
}

[[gnu::noinline]] Type Propagation::type_without_rule(Node& node) {
  if (dtype_mode_change(node) > 0) mode_depth_ = 1;
  if (node.target().starts_with("higher_order.")) {
    const Type type = with_distinct_symbols(node, higher_order(node));
    note_written(node, type);
    return type;
  }
  if (other_call_ && !is_operator_overload(node.target())) return type_of_other(node);
  const Type type = missing(node);
  note_written(node, type);
  return type;
}

[[gnu::noinline]] Type Propagation::type_of_other(Node& call) {
  const size_t num_guards = env_.guards().size();
  const int first_symbol = env_.next_fresh();
  absl::StatusOr<Type> type = other_call_(call, env_);
  const bool has_created = env_.next_fresh() != first_symbol;
  if (has_created && avoid_symbols()) type = other_call_(call, env_);
  const bool is_missing = absl::IsNotFound(type.status()) || absl::IsUnimplemented(type.status());
  Type known = type.ok() ? *type : is_missing ? missing(call) : Type();
  if (has_created) known = with_old_symbols(call, known, num_guards);
  if (!type.ok() && !is_missing) fail(call, std::string(type.status().message()));
  note_written(call, known);
  return known;
}

/// Records the writes of a call. Returns true if the type of an argument changed.
[[gnu::noinline]] bool Propagation::note_written(Node& call, Type result) {
  const size_t before = changed_.size();
  if (!changed_.note(call, result)) return false;
  needs_run_ = true;
  if (walks_ == 0) changed_.restore(before);
  return true;
}

void Propagation::type_input(Node& node) {
  if (node.is_placeholder()) return node.set_type(recorded_type(node));
  const Module* root = node.graph().owning_module();
  const Attribute* attribute = root ? root->find_attribute(node.target()) : nullptr;
  if (attribute == nullptr || !attribute->tensor.defined()) return;
  node.set_type(attribute->tensor.type(node.context().types(), attribute->requires_grad));
}

/// Infers the type with the operator's rule. With `keep`, caches it under key_.
Type Propagation::infer(Context& context, const ops::OpInfo& op, const BoundTypeRule& rule,
                        Node& node, bool keep) {
  TypeCall call(context, op, &env_);
  const TypeCall::CallSite call_site{&node, this};
  if (!rule.function) call.call_site_ = &call_site;
  const size_t num_guards = env_.guards().size();
  const auto is_lazy = [this](const Node& input) { return is_lazy_input(input); };
  LazyOperands lazy{.is_lazy_input = is_lazy};
  Type type = TypeBinder::run(rule, call, node, lazy);
  // The first symbol that the environment created may already occur in the graph.
  if (call.created_symbol_ && avoid_symbols()) return infer(context, op, rule, node, keep);
  if (call.failed()) fail(node, call.reason());
  if (call.created_symbol_) type = with_old_symbols(node, type, num_guards);
  // The recorder may have run PyTorch's meta kernel; then the recorded types of later calls depend
  // on the result of the meta kernel.
  const Type meta = call.meta_result();
  if (meta && have_identical_layouts(node.type(), meta)) type = node.type();
  const bool has_changed = rule.may_change_arguments && !call.failed() && note_written(node, type);
  if (meta || has_changed) return type;
  // Cached types depend only on the types of operands.
  if (!type || !keep || call.created_symbol_ || lazy.may_matter) return type;
  if (shared_cache_ && !call.used_env_) {
    shared_cache_->insert(key_, type);
  } else {
    if (!own_cache_) own_cache_.emplace(context);
    own_cache_->insert(key_, type);
  }
  return type;
}

[[gnu::cold, gnu::noinline]] void Propagation::fail(const Node& node, const std::string& reason) {
  report_.findings.push_back({.kind = ShapeFinding::Kind::kInvalidCall,
                              .op = std::string(node.target()),
                              .nodes = {&node},
                              .message = describe_failure(node, reason)});
}

/// Adds a finding for a call without a type function. Returns the call's recorded type, if any.
Type Propagation::missing(const Node& node) {
  const auto [it, is_new] = missing_.try_emplace(node.target_symbol(), report_.findings.size());
  if (is_new) {
    report_.findings.push_back({.kind = ShapeFinding::Kind::kNoTypeFunction,
                                .op = std::string(node.target()),
                                .nodes = {},
                                .message = std::string(no_rule(node.target()).message())});
  }
  report_.findings[it->second].nodes.push_back(&node);
  return node.type() ? node.type() : recorded_type(node);
}

void name_originals(ShapeReport& report, const Graph& clone, const Graph& original) {
  if (report.findings.empty()) return;
  absl::flat_hash_map<const Node*, const Node*> originals;
  for_each_graph_pair(clone, original, [&](const Graph& copy, const Graph& source) {
    auto it = source.nodes().begin();
    for (const Node& node : copy.nodes()) {
      originals[&node] = &*it;
      ++it;
    }
  });
  for (ShapeFinding& finding : report.findings)
    for (const Node*& node : finding.nodes) node = originals.at(node);
}

}  // namespace fx
