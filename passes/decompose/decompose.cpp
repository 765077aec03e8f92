// decompose: see decompose.h.
#include "fx/passes/decompose/decompose.h"

#include "fx/ir/calls/call.h"
#include "fx/ir/calls/graph_call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/guards.h"
#include "fx/ir/graph/edit/replace_call.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/node_map.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/ir/types/strides.h"
#include "fx/passes/analysis/graph_queries.h"
#include "fx/passes/analysis/known_types.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/decompose/replacement_cache_internal.h"
#include "fx/passes/manager/module_options.h"
#include "fx/passes/shape/changed_types.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string_view>
#include <vector>

namespace fx {
namespace {

/// The maximum number of consecutive decompositions of one call.
constexpr uint8_t kMaxSteps = 32;

using Entries = absl::flat_hash_map<Target, const Decomposition*>;

/// Why calls are kept that run with autocast, which converts the operands of some operators, and not
/// those of the operators into which they decompose, or after a change of the default dtype.
absl::Status in_mode() {
  return absl::UnimplementedError("its dtypes depend on autocast or a default dtype");
}

class Decomposing {
 public:
  Decomposing(Graph& graph, const Entries& entries, const DecomposeOptions& options,
              DecomposeReport& report)
      : graph_(graph),
        entries_(entries),
        options_(options),
        report_(report),
        tracer_(graph),
        cache_(graph),
        steps_(graph, 0) {}

  absl::Status run() {
    int mode_depth = 0;
    for (Node* node = graph_.front(); node != nullptr;) {
      const auto entry = entries_.find(node->function());
      mode_depth = std::max(0, mode_depth + dtype_mode_change(*node));
      Node* const before = node->prev();
      bool done = false;
      if (node->op() == Opcode::kCallFunction && entry != entries_.end() && is_selected(*node)) {
        if (mode_depth > 0) {
          report_.not_decomposed.emplace_back(describe(*node), in_mode());
        } else {
          FX_ASSIGN_OR_RETURN(done, decompose(*node, *entry->second));
        }
      }
      if (done) {
        node = next_of(before);  // visits the new nodes next
        continue;
      }
      changed_.note(*node);
      node = node->next();
    }
    if (add_guards(graph_, tracer_.shape_env().guards())) report_.changed = true;
    return absl::OkStatus();
  }

 private:
  /// True for a call that the options select, and for a call that replaces one.
  bool is_selected(const Node& call) const {
    return !options_.only || steps_[call] > 0 || options_.only(call);
  }

  /// Decomposes a call; returns false if it is kept.
  absl::StatusOr<bool> decompose(Node& call, const Decomposition& entry) {
    const uint8_t steps = steps_[call];
    if (steps == kMaxSteps) {
      return absl::ResourceExhaustedError(
          fmt::format("decompositions form a cycle: {} decomposes into itself", entry.op));
    }
    Node* const before = call.prev();
    const InsertPointGuard guard = graph_.inserting_before(&call);
    const std::optional<uint64_t> items = entry.by_types ? used_items(call) : std::nullopt;
    std::optional<Argument> value;
    if (items) value = cache_.copy_for(call, *items);
    if (!value) {
      FX_ASSIGN_OR_RETURN(value, recorded(call, entry, before));
      if (!value) return false;
      if (items && !may_alias_) cache_.add(call, next_of(before), *value);
    }
    for (Node* node = next_of(before); node != &call; node = node->next()) {
      inherit_provenance(*node, call);
      steps_[*node] = static_cast<uint8_t>(steps + 1);
    }
    if (value->node() == &call) {  // the call has become the last new node
      ++steps_[call];
      FX_RETURN_IF_ERROR(erase_unused(call.prev(), before));
    } else {
      FX_RETURN_IF_ERROR(replace(call, *value, before));
    }
    ++report_.decomposed;
    report_.changed = true;
    return true;
  }

  /// Runs the decomposition, which records the replacement of the call after `before`. Returns
  /// nullopt if the call is kept.
  absl::StatusOr<std::optional<Argument>> recorded(Node& call, const Decomposition& entry,
                                                   Node* before) {
    const Type given = call.type();
    tracer_.start(call);
    const Type type = type_of(call);
    if (!given && type) call.set_type(type);
    if (may_alias_ && is_alias_observed(call))
      tracer_.reject(
          "it returns a view of its operand for some sizes, and the memory is written or returned");
    AnyArg value;
    if (tracer_.status().ok()) value = entry.function(tracer_);
    Argument result;
    if (tracer_.status().ok()) result = adapted(call, type, value.value(), before);
    if (tracer_.status().ok()) return result;
    for (Node* node = call.prev(); node != before;) {
      Node* const previous = node->prev();
      FX_RETURN_IF_ERROR(graph_.erase_node(node));
      node = previous;
    }
    call.set_type(given);  // a call that is kept does not change
    report_.not_decomposed.emplace_back(describe(call), tracer_.status());
    return std::nullopt;
  }

  /// Returns the node after this one; the first node if it is null.
  Node* next_of(Node* before) const { return before != nullptr ? before->next() : graph_.front(); }

  static std::string describe(const Node& call) {
    return fmt::format("{} ({})", call.name(), std::string(call.target()));
  }

  // ---- The type of the result

  /// Returns the inferred type, whose strides have the same form as those of new nodes; the
  /// recorded type if the inferred type is incomplete. Rejects an invalid call: its replacement
  /// could be valid. Sets `may_alias_`.
  Type type_of(const Node& call) {
    const absl::StatusOr<InferredCall> inferred = infer_call(call, {.env = &tracer_.shape_env()});
    if (absl::IsInvalidArgument(inferred.status()))
      tracer_.reject(std::string(check_call(call, {.env = &tracer_.shape_env()}).message()));
    may_alias_ = inferred.ok() && inferred->may_alias;
    const bool is_known = inferred.ok() && inferred->type;
    const bool is_better =
        is_fully_known(call.type()) && is_known && !is_fully_known(inferred->type);
    return is_known && !is_better ? inferred->type : call.type();
  }

  /// True if a copy that replaces the result of the call, which is a view for some sizes, may
  /// change a value of the graph, or whether results share memory with each other and with inputs.
  /// False for a call that the pass has created: the call that it replaces was checked.
  bool is_alias_observed(const Node& call) {
    if (steps_[call] > 0) return false;
    if (!memory_) memory_.emplace(graph_);
    if (memory_->is_written(call)) return true;
    if (!memory_->is_returned(call)) return false;
    // Results that are the call's result, or views of it, still share one storage.
    NodeSet views(graph_);
    std::vector<const Node*> todo = {&call};
    views.insert(call);
    while (!todo.empty()) {
      const Node& node = *todo.back();
      todo.pop_back();
      for (const Node* const user : node.users())
        if (!user->is_output() && memory_->may_share(*user, call) && views.insert(*user))
          todo.push_back(user);
    }
    bool has_view = false, has_other = memory_->may_be_external(call);
    graph_.output_node()->for_each_input([&](const Node* result) {
      has_view = has_view || views.contains(*result);
      has_other = has_other || (!views.contains(*result) && memory_->may_share(*result, call));
    });
    return has_view && has_other;
  }

  /// Returns the value with the call's type (or the type of an item of the call), in new memory if
  /// the call's result is in new memory.
  Argument adapted(Node& call, Type type, const Argument& value, const Node* before) {
    if (Node* node = value.node())
      return type.is_tensor() ? adapted(call, node, type, before) : value;
    std::vector<Argument> items;
    items.reserve(value.size());
    for (size_t i = 0; i < value.size(); ++i) {
      Node* const item = value[i].node();
      const bool is_tensor = item != nullptr && i < type.items().size() &&
                             type.items()[i].is_tensor() && Decomposer::reads_result(call, i);
      items.push_back(is_tensor ? adapted(call, item, type.items()[i], before) : value[i]);
    }
    if (!value.is_tuple() && !value.is_list()) tracer_.reject("it must return a value");
    if (type.items().size() > items.size())
      tracer_.reject("it must return a value for each result");
    return value.is_list() ? Argument::list(items) : Argument::tuple(items);
  }

  Argument adapted(const Node& call, Node* node, Type wanted, const Node* before) {
    if (wanted.dtype() == DType::kUndefined) {
      tracer_.reject("the dtype of its result is unknown");
      return {};
    }
    Proxy value = tracer_.cast(Proxy(*node, tracer_), wanted.dtype());
    if (!same_dims(tracer_.type(value).sizes(), wanted.sizes())) {
      tracer_.reject(fmt::format("its result has size {} instead of {}",
                                 to_string(tracer_.type(value)), to_string(wanted)));
      return {};
    }
    const bool is_view = value.defined() && !is_fresh(call) && shares_memory(value.node(), before);
    const Type type = tracer_.type(value);
    if (is_view && wanted.has_strides() && !same_dims(type.strides(), wanted.strides())) {
      tracer_.reject(fmt::format("its result, a view, has the strides of {} instead of {}",
                                 to_string(type), to_string(wanted)));
      return {};
    }
    value = with_strides(value, wanted);
    if (value.defined() && is_fresh(call) && shares_memory(value.node(), before))
      value = value.clone();
    return value.defined() ? Argument(value.node()) : Argument();
  }

  static bool same_dims(absl::Span<const Dim> a, absl::Span<const Dim> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const Dim& x, const Dim& y) { return x.canonical() == y.canonical(); });
  }

  Proxy with_strides(const Proxy& value, Type wanted) {
    const Type type = tracer_.type(value);
    if (!wanted.has_strides() || same_dims(type.strides(), wanted.strides())) return value;
    if (wanted.has_default_strides()) return value.clone(MemoryFormat::kContiguous);
    for (const MemoryFormat format : {MemoryFormat::kChannelsLast, MemoryFormat::kChannelsLast3d}) {
      const int rank = format == MemoryFormat::kChannelsLast ? 4 : 5;
      if (wanted.rank() == rank && same_dims(strides_of(wanted.sizes(), format), wanted.strides()))
        return value.clone(format);
    }
    // The result is dense in a different order of dimensions: permutes, copies, and permutes back.
    const std::vector<int64_t> order = order_of(wanted);
    if (order.empty()) {
      tracer_.reject(fmt::format("its result cannot have the strides of {}", to_string(wanted)));
      return Proxy::failed(tracer_);
    }
    std::vector<int64_t> back(order.size());
    for (size_t i = 0; i < order.size(); ++i)
      back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    const Proxy copy = value.permute(order).clone(MemoryFormat::kContiguous).permute(back);
    if (!same_dims(tracer_.type(copy).strides(), wanted.strides()))
      tracer_.reject(fmt::format("its result cannot have the strides of {}", to_string(wanted)));
    return copy;
  }

  /// True if the operator's results are new memory.
  static bool is_fresh(const Node& call) {
    const ops::OpInfo* op = call.function().op();
    return op != nullptr && op->output_aliases().empty() && !op->aliases_unknown();
  }
  /// True if the value comes before the new nodes, or is a view of a value that does.
  static bool shares_memory(const Node* value, const Node* before) {
    while (before == nullptr || before->comes_before(*value)) {
      const ops::OpInfo* op = value->function().op();
      if (op == nullptr || op->output_aliases().empty() || value->num_args() == 0) return false;
      const Node* source = value->arg(0).node();
      if (source == nullptr) return false;
      value = source;
    }
    return true;
  }

  /// Returns the dimensions of a dense tensor from the outermost; empty if it is not dense.
  static std::vector<int64_t> order_of(Type type) {
    std::vector<int64_t> order;
    std::vector<bool> is_taken(type.sizes().size(), false);
    Dim expected = 1;
    while (order.size() < type.sizes().size()) {
      size_t next = type.sizes().size();
      for (size_t i = 0; i < type.sizes().size(); ++i) {
        const bool fits = type.strides()[i].canonical() == expected.canonical();
        // If dimensions have the same stride, the dimension of size 1 is the inner one.
        if (!is_taken[i] && fits && (next == type.sizes().size() || type.sizes()[i] == Dim(1)))
          next = i;
      }
      if (next == type.sizes().size()) return {};
      is_taken[next] = true;
      order.insert(order.begin(), static_cast<int64_t>(next));
      expected = expected * type.sizes()[next];
    }
    return order;
  }

  // ---- Replacing the call

  /// Returns a bit mask of the result's items that have users; nullopt if there are too many items.
  static std::optional<uint64_t> used_items(const Node& call) {
    const size_t count = call.type() ? call.type().items().size() : 0;
    if (count > 64) return std::nullopt;
    uint64_t bits = 0;
    for (size_t i = 0; i < count; ++i) bits |= uint64_t{Decomposer::reads_result(call, i)} << i;
    return bits;
  }

  /// Replaces the function and arguments of `call` with those of `result`, and erases `result`.
  /// `call` keeps its name, position and other properties.
  absl::Status become(Node& call, Node* result) {
    const std::vector<Argument> args = result->args();
    const std::vector<Kwarg> kwargs = result->kwargs();
    const Target function = result->function();
    FX_RETURN_IF_ERROR(graph_.erase_node(result));
    call.set_function(function);
    FX_RETURN_IF_ERROR(call.set_args(args));
    FX_RETURN_IF_ERROR(call.set_kwargs(kwargs));
    ++steps_[call];
    return absl::OkStatus();
  }

  absl::Status replace(Node& call, const Argument& value, Node* before) {
    Node* const result = value.node();
    if (result != nullptr && result == call.prev() && result != before && !result->has_uses() &&
        result->op() == Opcode::kCallFunction) {
      FX_RETURN_IF_ERROR(become(call, result));
      return erase_unused(call.prev(), before);
    }
    Node* const last = call.prev();
    FX_RETURN_IF_ERROR(replace_call(call, value));
    return erase_unused(last, before);
  }

  /// Erases recorded nodes without users.
  absl::Status erase_unused(Node* last, const Node* before) {
    while (last != before) {
      Node* const previous = last->prev();
      if (!last->has_uses() && !is_impure(*last)) FX_RETURN_IF_ERROR(graph_.erase_node(last));
      last = previous;
    }
    return absl::OkStatus();
  }

  Graph& graph_;
  const Entries& entries_;
  const DecomposeOptions& options_;
  DecomposeReport& report_;
  Decomposer tracer_;
  ChangedTypes changed_;  // by calls so far
  ReplacementCache cache_;
  NodeMap<uint8_t> steps_;
  bool may_alias_ = false;                // whether the current call returns a view for some sizes
  std::optional<MemoryAnalysis> memory_;  // created when needed
};

/// True if the name is the name of the operator or of its packet.
bool names(std::string_view name, std::string_view op) {
  return op == name || (op.size() > name.size() && op.starts_with(name) && op[name.size()] == '.' &&
                        op.find('.', name.size() + 1) == std::string_view::npos);
}

absl::StatusOr<Entries> choose(Context& context, const DecompositionTable& table,
                               const DecomposeOptions& options) {
  Entries chosen;
  for (const Decomposition& entry : table.entries()) {
    const bool core = entry.set == DecompositionSet::kCore && options.core;
    if (core || options.all) chosen.emplace(context.function(entry.op), &entry);
  }
  const auto each = [&](const std::string& name, auto&& use) -> absl::Status {
    bool found = false;
    for (const Decomposition& entry : table.entries()) {
      if (!names(name, entry.op)) continue;
      found = true;
      use(context.function(entry.op), entry);
    }
    if (found) return absl::OkStatus();
    return absl::NotFoundError(
        fmt::format("{} has no decomposition; see the list of "
                    "`fxcpp passes --decompositions`",
                    name));
  };
  for (const std::string& name : options.ops) {
    FX_RETURN_IF_ERROR(each(
        name, [&](Target op, const Decomposition& entry) { chosen.insert_or_assign(op, &entry); }));
  }
  for (const std::string& name : options.keep) {
    FX_RETURN_IF_ERROR(each(name, [&](Target op, const Decomposition&) { chosen.erase(op); }));
  }
  return chosen;
}

/// Reports that the calls in a graph that runs with autocast are kept.
void reject_calls(const Graph& graph, const Entries& entries, const DecomposeOptions& options,
                  DecomposeReport& report) {
  for (const Node& node : graph.nodes())
    if (node.op() == Opcode::kCallFunction && entries.contains(node.function()) &&
        (!options.only || options.only(node)))
      report.not_decomposed.emplace_back(describe(node), in_mode());
}

}  // namespace

std::string DecomposeReport::str() const {
  std::string text;
  for (const auto& [call, reason] : not_decomposed)
    text += fmt::format("{}: {}\n", call, std::string(reason.message()));
  return text;
}

absl::StatusOr<DecomposeReport> decompose(Graph& graph, const DecomposeOptions& options) {
  const DecompositionTable& table =
      options.table != nullptr ? *options.table : DecompositionTable::of(graph.context());
  FX_ASSIGN_OR_RETURN(const Entries entries, choose(graph.context(), table, options));
  DecomposeReport report;
  std::vector<Graph*> graphs;
  for (Graph& g : all_graphs(graph)) graphs.push_back(&g);
  const absl::flat_hash_set<const Graph*> converted = graphs_in_autocast(graph);
  // Nested graphs first: what they may change determines what is known about the outer graph.
  for (Graph* const g : std::views::reverse(graphs)) {
    if (converted.contains(g))
      reject_calls(*g, entries, options, report);
    else
      FX_RETURN_IF_ERROR(Decomposing(*g, entries, options, report).run());
  }
  return report;
}

Pass decompose_pass(std::string name, const DecompositionTable* table) {
  return {std::move(name),
          "replaces operators with simpler ones, by default those that are not core ATen",
          [table](PassRun& run) -> absl::StatusOr<bool> {
            const std::string_view set = run.text("set");
            const bool is_composite = set == "composite";
            if (!set.empty() && set != "core" && set != "all" && !is_composite && set != "none") {
              return absl::InvalidArgumentError(
                  fmt::format("set must be core, all, composite or none, not \"{}\"", set));
            }
            DecomposeOptions options{.table = table, .ops = run.words("ops")};
            if (is_composite) options.table = &DecompositionTable::composite();
            options.core = set == "core" || (set.empty() && options.ops.empty());
            options.all = set == "all" || is_composite;
            options.keep = run.words("keep");
            FX_ASSIGN_OR_RETURN(options.only, selected_modules(run));
            FX_ASSIGN_OR_RETURN(const DecomposeReport report, decompose(run.graph(), options));
            run.count("calls decomposed", report.decomposed);
            run.count("calls that cannot be decomposed", report.not_decomposed.size());
            if (run.flag("strict") && !report.not_decomposed.empty())
              return absl::InvalidArgumentError(report.str());
            return report.changed;
          },
          {{"set", "",
            "core, all (including core operators), composite (like libtorch's kernels), or none; "
            "default: core if ops is empty, otherwise none"},
           {"ops", "", "additional operators, separated by spaces: aten.gelu aten.addmm.default"},
           {"keep", "", "operators to keep"},
           modules_option(),
           {"strict", false,
            "fail if a call cannot be decomposed, for example because of an unknown size"}},
          PassValues::kRounded};
}

}  // namespace fx
