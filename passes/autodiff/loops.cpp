// Derivatives of higher_order.scan and map_impl: loops whose step is the derivative of the original
// step.
//
//   %scan = higher_order.scan(%step, [%carried], [%xs], [%w])    # returns carried values, then ys
//   reverse:  higher_order.scan(%step_gradients,
//                 [%gradients of the carried values, %sums of the gradients of w],
//                 [%gradients of ys, %carried values of each step, %xs], [%w])
//             over the steps from last to first; the first loop also returns its carried values
//   forward:  higher_order.scan(%step_tangents, [%carried, %tangents], [%xs, %tangents],
//                 [%w, %tangents])
//
// map_impl has no carried values, so the order of its steps does not matter: gradients of w are
// results of the steps, and are added after the loop.
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/nested_internal.h"
#include "fx/passes/vmap/functional_aten.h"

#include "fmt/format.h"

#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The parts of a call to scan or map_impl. The inputs of a step are the carried values, an item of
/// each sequence, and the additional operands.
struct Loop {
  const Node& call;
  bool is_map;
  size_t num_carried = 0, num_sequences = 0;
  std::vector<Argument> operands;  // for all inputs of a step
  std::vector<size_t> active;      // inputs of a step that are differentiated

  bool is_carried(size_t input) const { return input < num_carried; }
  bool is_sequence(size_t input) const {
    return input >= num_carried && input < num_carried + num_sequences;
  }
  /// Returns `count` operands from `begin`.
  std::vector<Argument> part(size_t begin, size_t count) const {
    const auto from = operands.begin() + static_cast<std::ptrdiff_t>(begin);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
  }
  std::vector<Argument> carried() const { return part(0, num_carried); }
  std::vector<Argument> sequences() const { return part(num_carried, num_sequences); }
  std::vector<Argument> additional() const {
    const size_t begin = num_carried + num_sequences;
    return part(begin, operands.size() - begin);
  }
};

absl::StatusOr<Loop> loop_of(const Node& call, const NestedOptions& options) {
  const bool is_map = call.target() == "higher_order.map_impl";
  if (call.num_args() != (is_map ? 3 : 4) || call.num_kwargs() != 0)
    return absl::InvalidArgumentError(
        fmt::format("the loop must have {} positional arguments", is_map ? 3 : 4));
  Loop loop{.call = call, .is_map = is_map, .operands = {}, .active = {}};
  const auto append = [&](size_t argument) {
    const Argument list(call.arg(argument));
    for (size_t i = 0; i < list.size(); ++i) loop.operands.push_back(list[i]);
    return list.size();
  };
  loop.num_carried = is_map ? 0 : append(1);
  loop.num_sequences = append(is_map ? 1 : 2);
  append(is_map ? 2 : 3);
  if (loop.num_sequences == 0)
    return absl::UnimplementedError("a loop without a sequence is not supported");
  for (size_t i = 0; i < loop.operands.size(); ++i) {
    const Node* const node = loop.operands[i].node();
    if (i < loop.num_carried + loop.num_sequences && (node == nullptr || !node->type().is_tensor()))
      return absl::UnimplementedError("carried values and sequences must be tensors");
    // A carried value may depend on an active value after the first step.
    if (node != nullptr &&
        (loop.is_carried(i) ? is_differentiable(node->type()) : options.is_active(*node)))
      loop.active.push_back(i);
  }
  return loop;
}

/// Returns the graph of a step, whose active inputs are differentiated.
absl::StatusOr<PreparedGraph> prepared_step(const Loop& loop, const NestedOptions& options) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> nested,
                      copy_nested_graph(loop.call, loop.call.arg(0)));
  const std::vector<Node*> inputs = nested_inputs(*nested);
  if (inputs.size() != loop.operands.size()) {
    return absl::InvalidArgumentError(fmt::format("a step has {}, but the call has {}",
                                                  pluralize(inputs.size(), "input"),
                                                  pluralize(loop.operands.size(), "operand")));
  }
  GradOptions grad{.table = &options.table, .style = options.style};
  for (const size_t i : loop.active) grad.wrt.push_back(inputs[i]->name());
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared,
                      PreparedGraph::make(*nested, grad, Dependence::kOptional));
  for (const Node* result : prepared.results()) {
    if (result == nullptr || !result->type().is_tensor())
      return absl::UnimplementedError("the results of a step must be tensors");
  }
  if (prepared.results().size() < loop.num_carried)
    return absl::InvalidArgumentError("a step must return all carried values");
  return prepared;
}

/// Calls a loop like `loop` with different operands, and returns its results.
absl::StatusOr<std::vector<Node*>> call_loop(Graph& graph, const Loop& loop,
                                             std::unique_ptr<Graph> step, std::string_view name,
                                             const std::vector<Argument>& carried,
                                             const std::vector<Argument>& sequences,
                                             const std::vector<Argument>& additional) {
  std::vector<Type> types = result_types(*step);
  const Dim& count = loop.operands[loop.num_carried].node()->type().sizes()[0];
  for (size_t i = carried.size(); i < types.size(); ++i) {
    DimVector sizes(types[i].sizes().begin(), types[i].sizes().end());
    sizes.insert(sizes.begin(), count);
    types[i] = graph.context().types().tensor(
        {.dtype = types[i].dtype(), .sizes = sizes, .device = types[i].device()});
  }
  FX_ASSIGN_OR_RETURN(const Argument nested,
                      add_derivative_graph(graph, std::move(step), fmt::format("step_{}", name)));
  std::vector<Argument> args = {nested};
  if (!loop.is_map) args.push_back(Argument::list(carried));
  args.push_back(Argument::list(sequences));
  args.push_back(Argument::list(additional));
  return call_items(graph, loop.call.function(), args, types);
}

/// Makes the loop also return the carried values at the start of each step. Returns these results.
absl::StatusOr<std::vector<Node*>> saved_carried(Node& call, const Loop& loop, Graph& graph) {
  if (loop.num_carried == 0) return std::vector<Node*>();
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> step, copy_nested_graph(call, call.arg(0)));
  std::vector<Argument> results;
  const Argument old(step->output_node()->arg(0));
  results.reserve(old.size() + loop.num_carried);
  for (size_t i = 0; i < old.size(); ++i) results.push_back(old[i]);
  {
    const InsertPointGuard guard = step->inserting_before(end_of_calls(*step));
    Decomposer tracer(*step);
    const std::vector<Node*> inputs = nested_inputs(*step);
    for (size_t i = 0; i < loop.num_carried; ++i)
      results.emplace_back(Proxy(*inputs[i], tracer).clone().node());
    FX_RETURN_IF_ERROR(tracer.status());
  }
  FX_RETURN_IF_ERROR(step->output_node()->set_args({Argument::list(results)}));
  const InsertPointGuard guard = graph.inserting_before(&call);
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> items,
                      call_loop(graph, loop, std::move(step), "saved", loop.carried(),
                                loop.sequences(), loop.additional()));
  // Each item of the old call becomes the same item of the new call.
  std::vector<Node*> users;
  for (const Use use : call.uses()) users.push_back(use.user());
  for (Node* const user : users) {
    const auto item = selected_item(*user);
    if (!item) return absl::UnimplementedError("each user of the loop must select a result");
    FX_RETURN_IF_ERROR(
        user->set_args({Argument(items[0]->arg(0)), Argument(static_cast<int64_t>(item->second))}));
  }
  return std::vector<Node*>(items.end() - static_cast<std::ptrdiff_t>(loop.num_carried),
                            items.end());
}

/// The graph of a step's gradients, and the operands of its loop.
class LoopGradients {
 public:
  LoopGradients(const Loop& loop, const PreparedGraph& prepared, Graph& graph)
      : loop_(loop),
        prepared_(prepared),
        graph_(graph),
        inputs_(nested_inputs(prepared.graph())),
        tracer_(graph) {}

  absl::Status make_step(const std::vector<Node*>& gradients);
  absl::StatusOr<std::vector<std::pair<Node*, Node*>>> call(PreparedGraph& prepared,
                                                            const std::vector<Node*>& saved);

 private:
  /// Adds an input before the existing inputs.
  Node* add_input(std::string_view name, const Node& like) {
    const InsertPointGuard guard = prepared_.graph().inserting_before(inputs_[0]);
    return add_nested_input(prepared_.graph(), name, like);
  }
  Node* zeros(const Argument& operand) {
    return zeros_like(Proxy(*operand.node(), tracer_)).node();
  }
  /// Reverses the order of the steps.
  Argument reversed(const Argument& sequence) {
    if (loop_.is_map) return sequence;
    return Argument(
        tracer_.emit("aten.flip.default", {Proxy(*sequence.node(), tracer_), IntList({0})}).node());
  }
  bool is_sum(size_t input) const {
    return !loop_.is_map && !loop_.is_carried(input) && !loop_.is_sequence(input);
  }

  const Loop& loop_;
  const PreparedGraph& prepared_;
  Graph& graph_;
  std::vector<Node*> inputs_;                 // the step's inputs
  Decomposer tracer_;                         // for the graph that contains the loop
  std::vector<Argument> starts_, sequences_;  // operands
};

/// Changes the results of the step to the gradients of its active inputs: the gradients of carried
/// values, the sums of the gradients of additional operands, then the gradients of sequences.
absl::Status LoopGradients::make_step(const std::vector<Node*>& gradients) {
  const std::vector<Node*> results = prepared_.results();
  std::vector<std::pair<Node*, Node*>> seeds;
  const auto seed = [&](size_t i, Node* gradient) {
    if (prepared_.is_active(*results[i])) seeds.emplace_back(results[i], gradient);
  };
  const auto gradient_of = [&](size_t i) { return i < gradients.size() ? gradients[i] : nullptr; };
  for (const size_t i : loop_.active) {
    if (!loop_.is_carried(i)) continue;
    starts_.emplace_back(gradient_of(i) != nullptr ? gradient_of(i) : zeros(loop_.operands[i]));
    seed(i, add_input(fmt::format("tangents_{}", i + 1), *inputs_[i]));
  }
  std::vector<Node*> sums(inputs_.size(), nullptr);
  for (const size_t i : loop_.active) {
    if (!is_sum(i)) continue;
    starts_.emplace_back(zeros(loop_.operands[i]));
    sums[i] = add_input(fmt::format("sum_{}", i + 1), *inputs_[i]);
  }
  for (size_t i = loop_.num_carried; i < results.size(); ++i) {
    if (gradient_of(i) == nullptr) continue;
    sequences_.push_back(reversed(Argument(gradient_of(i))));
    seed(i, add_input(fmt::format("tangents_{}", i + 1), *results[i]));
  }
  FX_ASSIGN_OR_RETURN(std::vector<Node*> derivatives, append_gradients(prepared_, seeds));

  const InsertPointGuard guard = prepared_.graph().inserting_before(prepared_.end());
  Decomposer tracer(prepared_.graph());
  std::vector<Node*> first, values, like;
  for (size_t k = 0; k < loop_.active.size(); ++k) {
    const size_t i = loop_.active[k];
    if (sums[i] != nullptr) {
      const Proxy sum(*sums[i], tracer);
      derivatives[k] =
          (derivatives[k] != nullptr ? sum + Proxy(*derivatives[k], tracer) : sum.clone()).node();
    }
    (is_sum(i) || loop_.is_carried(i) ? first : values).push_back(derivatives[k]);
  }
  FX_RETURN_IF_ERROR(tracer.status());
  for (const bool is_first : {true, false})
    for (const size_t i : loop_.active)
      if ((is_sum(i) || loop_.is_carried(i)) == is_first) like.push_back(inputs_[i]);
  first.insert(first.end(), values.begin(), values.end());
  return return_values(prepared_, first, like);
}

absl::StatusOr<std::vector<std::pair<Node*, Node*>>> LoopGradients::call(
    PreparedGraph& prepared, const std::vector<Node*>& saved) {
  for (Node* const value : saved) sequences_.push_back(reversed(Argument(value)));
  for (const Argument& sequence : loop_.sequences()) sequences_.push_back(reversed(sequence));
  FX_RETURN_IF_ERROR(tracer_.status());
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> items,
                      call_loop(graph_, loop_, prepared.take(), "gradients", starts_, sequences_,
                                loop_.additional()));
  std::vector<std::pair<Node*, Node*>> result;
  size_t next = 0;
  for (const bool is_start : {true, false}) {
    for (const size_t i : loop_.active) {
      if ((is_sum(i) || loop_.is_carried(i)) != is_start) continue;
      Node* gradient = items[next++];
      if (loop_.is_sequence(i))
        gradient = reversed(Argument(gradient)).node();
      else if (loop_.is_map)
        gradient = sum(Proxy(*gradient, tracer_), {0}).node();
      result.emplace_back(loop_.operands[i].node(), gradient);
    }
  }
  FX_RETURN_IF_ERROR(tracer_.status());
  return result;
}

}  // namespace

bool is_loop(const Node& call) { return call.target() != "higher_order.cond"; }

absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_loop_gradients(
    Node& call, const std::vector<Node*>& gradients, const NestedOptions& options) {
  FX_ASSIGN_OR_RETURN(const Loop loop, loop_of(call, options));
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, prepared_step(loop, options));
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> saved, saved_carried(call, loop, options.graph));
  LoopGradients builder(loop, prepared, options.graph);
  FX_RETURN_IF_ERROR(builder.make_step(gradients));
  FX_ASSIGN_OR_RETURN(auto derivatives, builder.call(prepared, saved));
  std::erase_if(derivatives, [&](const auto& pair) { return !options.is_active(*pair.first); });
  return derivatives;
}

absl::StatusOr<std::vector<Node*>> append_loop_tangents(
    const Node& call, const std::function<Node*(const Node&)>& tangent_of,
    const NestedOptions& options) {
  FX_ASSIGN_OR_RETURN(const Loop loop, loop_of(call, options));
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, prepared_step(loop, options));
  Graph& step = prepared.graph();
  const std::vector<Node*> inputs = nested_inputs(step);
  // The tangents of carried values, of sequences and of additional operands come after these
  // inputs.
  const size_t ends[] = {loop.num_carried, loop.num_carried + loop.num_sequences, inputs.size()};
  std::vector<Argument> parts[] = {loop.carried(), loop.sequences(), loop.additional()};
  Node* last[] = {nullptr, nullptr, nullptr};
  for (size_t p = 0; p < 3; ++p) last[p] = ends[p] == 0 ? nullptr : inputs[ends[p] - 1];
  std::vector<std::pair<Node*, Node*>> seeds;
  Decomposer tracer(options.graph);
  for (const size_t i : loop.active) {
    const size_t p = loop.is_carried(i) ? 0 : loop.is_sequence(i) ? 1 : 2;
    Node* const operand = loop.operands[i].node();
    Node* tangent = tangent_of(*operand);
    if (tangent == nullptr) tangent = zeros_like(Proxy(*operand, tracer)).node();
    parts[p].emplace_back(tangent);
    const InsertPointGuard guard = step.inserting_after(last[p]);
    last[p] = add_nested_input(step, fmt::format("tangents_{}", i + 1), *inputs[i]);
    seeds.emplace_back(inputs[i], last[p]);
  }
  FX_RETURN_IF_ERROR(tracer.status());
  // The step returns its carried values, their tangents, and the tangents of the other results.
  const std::vector<Node*> all = prepared.results();
  std::vector<Node*> values(all.begin(),
                            all.begin() + static_cast<std::ptrdiff_t>(loop.num_carried));
  std::vector<Node*> results;
  std::vector<size_t> indices;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_differentiable(all[i]->type())) continue;
    results.push_back(all[i]);
    indices.push_back(i);
  }
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> derivatives,
                      append_tangents(prepared, seeds, results));
  std::vector<Node*> like = values;
  values.insert(values.end(), derivatives.begin(), derivatives.end());
  like.insert(like.end(), results.begin(), results.end());
  FX_RETURN_IF_ERROR(return_values(prepared, values, like));
  FX_ASSIGN_OR_RETURN(
      const std::vector<Node*> items,
      call_loop(options.graph, loop, prepared.take(), "tangents", parts[0], parts[1], parts[2]));
  std::vector<Node*> tangents(all.size(), nullptr);
  for (size_t k = 0; k < indices.size(); ++k) tangents[indices[k]] = items[loop.num_carried + k];
  return tangents;
}

}  // namespace fx
