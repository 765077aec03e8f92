// Gradients of higher_order.while_loop and while_loop_stack_output: see while_loops.cpp.
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/while_loops_internal.h"
#include "fx/passes/vmap/functional_aten.h"

#include "fmt/format.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

constexpr Device kCpu{DeviceType::kCpu};

/// The values that a loop saved for its gradients.
struct SavedLoop {
  Node* zero = nullptr;        // has the type of the count
  Node* count = nullptr;       // the number of steps, a tensor
  std::vector<Node*> carried;  // for each carried value: its inputs of all steps, then its result
};

/// Returns row `i` of saved values, where `i` is a tensor with one element.
Proxy row_of(Decomposer& tracer, Node& saved, const Proxy& i) {
  return tracer.index(Proxy(saved, tracer), OptionalTensorList({i}));
}

/// Returns row `i` of a saved carried value, with the type of `like`.
Proxy carried_row(Decomposer& tracer, Node& saved, const Proxy& i, const Node& like) {
  const Proxy row = row_of(tracer, saved, i);
  if (like.type().is_tensor()) return with_strides(row, like.type());
  const Proxy number = tracer.emit("aten.item.default", {row});
  if (Node* const node = number.node(); node != nullptr && like.type()) node->set_type(like.type());
  return number;
}

Proxy tensor_of_number(Decomposer& tracer, const Argument& number) {
  return tracer.emit("aten.scalar_tensor.default", {AnyArg(number)}, {{"dtype", DType::kInt64}});
}

/// Adds the count to the carried values of the condition or the body, and converts carried integers
/// to tensors. Returns the count.
absl::StatusOr<Node*> carry_count(Graph& part, const WhileLoop& loop) {
  const std::vector<Node*> inputs = nested_inputs(part);
  const Type type = part.context().types().tensor({.dtype = DType::kInt64, .device = kCpu});
  Node* count = nullptr;
  {
    const InsertPointGuard guard = part.inserting_after(inputs[loop.num_carried - 1]);
    count = add_nested_input(part, "count", type);
  }
  const InsertPointGuard guard =
      part.inserting_after(loop.num_carried < inputs.size() ? inputs.back() : count);
  Decomposer tracer(part);
  for (size_t i = 0; i < loop.num_carried; ++i) {
    if (loop.type(i).is_tensor()) continue;
    const Type number_type = inputs[i]->type();
    inputs[i]->set_type(type);
    Node* const number = tracer.emit("aten.item.default", {Proxy(*count, tracer)}).node();
    FX_RETURN_IF_ERROR(tracer.status());
    if (number_type) number->set_type(number_type);
    inputs[i]->replace_all_uses_with(number);
    FX_RETURN_IF_ERROR(number->set_args({Argument(inputs[i])}));
  }
  return count;
}

/// Makes the body return its results as tensors, and the incremented count.
absl::Status return_count(Graph& body, const WhileLoop& loop, Node& count) {
  std::vector<Argument> results = results_of_part(body);
  if (results.size() != loop.num_carried)
    return absl::InvalidArgumentError("the body must return exactly the carried values");
  const InsertPointGuard guard = body.inserting_before(end_of_calls(body));
  Decomposer tracer(body);
  for (size_t i = 0; i < results.size(); ++i)
    if (!loop.type(i).is_tensor())
      results[i] = Argument(tensor_of_number(tracer, results[i]).node());
  results.emplace_back((Proxy(count, tracer) + 1).node());
  FX_RETURN_IF_ERROR(tracer.status());
  return body.output_node()->set_args({Argument::tuple(results)});
}

/// Replaces the loop with a loop that returns the values of all steps.
absl::StatusOr<SavedLoop> save_carried(Node& call, const WhileLoop& loop, Graph& graph) {
  std::vector<Node*> users;
  for (const Use use : call.uses()) users.push_back(use.user());
  for (const Node* user : users)
    if (!selected_item(*user))
      return absl::UnimplementedError("each user of the loop must select a result");

  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> condition, copy_part(loop, 0));
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> body, copy_part(loop, 1));
  FX_RETURN_IF_ERROR(carry_count(*condition, loop).status());
  FX_ASSIGN_OR_RETURN(Node* const count, carry_count(*body, loop));
  FX_RETURN_IF_ERROR(return_count(*body, loop, *count));

  const Node* const last = call.prev();
  const InsertPointGuard guard = graph.inserting_before(&call);
  Decomposer tracer(graph);
  std::vector<Argument> carried;
  carried.reserve(loop.num_carried);
  for (size_t i = 0; i < loop.num_carried; ++i) {
    carried.push_back(loop.type(i).is_tensor()
                          ? loop.operands[i]
                          : Argument(tensor_of_number(tracer, loop.operands[i]).node()));
  }
  SavedLoop saved;
  saved.zero = full(tracer, std::vector<int64_t>(), 0, DType::kInt64, {}, kCpu).node();
  FX_RETURN_IF_ERROR(tracer.status());
  carried.emplace_back(saved.zero);
  const Dim rows = loop.is_stacked ? call.type().items()[0].size(0)
                                   : tracer.shape_env().fresh_size({1, std::nullopt});
  std::vector<Type> types;
  for (const Argument& value : carried) {
    const Type type = value.node()->type();
    DimVector sizes(type.sizes().begin(), type.sizes().end());
    sizes.insert(sizes.begin(), rows);
    types.push_back(graph.context().types().tensor(
        {.dtype = type.dtype(), .sizes = sizes, .device = type.device()}));
  }
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> stacks,
                      call_while_loop(graph, kStackedWhileLoop, "saved", std::move(condition),
                                      std::move(body), carried, loop.additional(), types));
  saved.count = sum(gt(Proxy(*stacks.back(), tracer), 0)).node();
  for (size_t i = 0; i < loop.num_carried; ++i) {
    const Proxy first = unsqueeze(Proxy(*carried[i].node(), tracer), 0);
    saved.carried.push_back(cat({first, Proxy(*stacks[i], tracer)}, 0).node());
  }
  FX_RETURN_IF_ERROR(tracer.status());
  for (Node* const user : users) {
    const size_t i = selected_item(*user)->second;
    Node* const value =
        loop.is_stacked
            ? stacks[i]
            : carried_row(tracer, *saved.carried[i], Proxy(*saved.count, tracer), *user).node();
    FX_RETURN_IF_ERROR(tracer.status());
    user->replace_all_uses_with(value);
  }
  for (Node* node = call.prev(); node != last && node != nullptr; node = node->prev()) {
    if (const auto region = call.meta().get(meta::kRegion))
      node->meta().set(meta::kRegion, *region);
    inherit_provenance(*node, call);
  }
  return saved;
}

// ---------------------------------------------------------------- Reverse mode

/// Builds the loop over the steps from last to first.
class WhileGradients {
 public:
  WhileGradients(const WhileLoop& loop, PreparedGraph& prepared, const SavedLoop& saved,
                 Graph& graph)
      : loop_(loop),
        prepared_(prepared),
        saved_(saved),
        graph_(graph),
        body_(prepared.graph()),
        inputs_(nested_inputs(body_)),
        tracer_(graph) {}

  absl::Status make_body(const std::vector<Node*>& gradients);
  absl::StatusOr<std::vector<std::pair<Node*, Node*>>> call(const std::vector<Node*>& gradients);

 private:
  Node* add_input(std::string_view name, Type type) {
    const InsertPointGuard guard = body_.inserting_before(inputs_[0]);
    return add_nested_input(body_, name, type);
  }
  absl::Status use_saved(const std::vector<Node*>& rows, Node* step);
  std::unique_ptr<Graph> condition() const;

  const WhileLoop& loop_;
  PreparedGraph& prepared_;
  const SavedLoop& saved_;
  Graph& graph_;
  Graph& body_;
  std::vector<Node*> inputs_;                   // of the body
  Decomposer tracer_;                           // of the graph with the loop
  std::vector<Argument> carried_, additional_;  // operands of the new loop
};

/// Replaces the inputs of the body for carried values with rows of the saved values.
absl::Status WhileGradients::use_saved(const std::vector<Node*>& rows, Node* step) {
  const InsertPointGuard guard = body_.inserting_after(step);
  Decomposer tracer(body_);
  for (size_t i = 0; i < loop_.num_carried; ++i) {
    Node* const input = inputs_[i];
    if (input->num_uses() != 0) {
      const Proxy value = carried_row(tracer, *rows[i], Proxy(*step, tracer), *input);
      FX_RETURN_IF_ERROR(tracer.status());
      input->replace_all_uses_with(value.node());
      additional_.emplace_back(saved_.carried[i]);
    } else {
      FX_RETURN_IF_ERROR(body_.erase_node(rows[i]));
    }
    FX_RETURN_IF_ERROR(body_.erase_node(input));
  }
  return absl::OkStatus();
}

/// Makes the body return the number of remaining steps, the gradients of carried values, and the
/// sums of the gradients of additional operands.
absl::Status WhileGradients::make_body(const std::vector<Node*>& gradients) {
  const std::vector<Node*> results = prepared_.results();
  std::vector<Node*> starts(inputs_.size(), nullptr), rows, stacked(loop_.num_carried, nullptr);
  Node* const steps_left = add_input("steps_left", saved_.zero->type());
  carried_.emplace_back(saved_.count);
  for (const bool is_carried : {true, false}) {
    for (const size_t i : loop_.active) {
      if (loop_.is_carried(i) != is_carried) continue;
      starts[i] = add_input(fmt::format("{}_{}", is_carried ? "tangents" : "sum", i + 1),
                            dense_type(*inputs_[i]));
      Node* const given = is_carried && !loop_.is_stacked ? gradients[i] : nullptr;
      const Proxy start = given != nullptr ? as_dense(Proxy(*given, tracer_))
                                           : dense_zeros(Proxy(*loop_.operands[i].node(), tracer_));
      FX_RETURN_IF_ERROR(tracer_.status());
      carried_.emplace_back(start.node());
    }
  }
  for (size_t i = 0; i < loop_.num_carried; ++i)
    rows.push_back(add_input(fmt::format("saved_{}", i + 1), saved_.carried[i]->type()));
  std::vector<Argument> stacks;
  for (size_t i = 0; loop_.is_stacked && i < loop_.num_carried; ++i) {
    if (gradients[i] == nullptr || starts[i] == nullptr) continue;
    stacked[i] = add_input(fmt::format("stacked_{}", i + 1), dense_type(*gradients[i]));
    stacks.emplace_back(gradients[i]);
  }

  Node* step = nullptr;
  std::vector<std::pair<Node*, Node*>> seeds;
  {
    const InsertPointGuard guard = body_.inserting_after(inputs_.back());
    Decomposer tracer(body_);
    step = (Proxy(*steps_left, tracer) - 1).node();
    for (size_t i = 0; i < loop_.num_carried; ++i) {
      if (starts[i] == nullptr || results[i] == nullptr || !prepared_.is_active(*results[i]))
        continue;
      Proxy total(*starts[i], tracer);
      if (stacked[i] != nullptr) total = total + row_of(tracer, *stacked[i], Proxy(*step, tracer));
      seeds.emplace_back(results[i], total.node());
    }
    FX_RETURN_IF_ERROR(tracer.status());
  }
  FX_ASSIGN_OR_RETURN(const std::vector<Node*> derivatives, append_gradients(prepared_, seeds));

  const InsertPointGuard guard = body_.inserting_before(prepared_.end());
  Decomposer tracer(body_);
  std::vector<Node*> values = {step};
  for (const bool is_carried : {true, false}) {
    for (size_t k = 0; k < loop_.active.size(); ++k) {
      const size_t i = loop_.active[k];
      if (loop_.is_carried(i) != is_carried) continue;
      const Proxy old(*starts[i], tracer);
      Proxy value;
      if (derivatives[k] != nullptr) value = Proxy(*derivatives[k], tracer);
      if (!is_carried) value = value.defined() ? old + value : old;
      values.push_back((value.defined() ? value : zeros_like(old)).node());
    }
  }
  FX_RETURN_IF_ERROR(tracer.status());
  FX_RETURN_IF_ERROR(copy_aliased_values(body_, values));
  FX_RETURN_IF_ERROR(return_from_body(body_, {values.begin(), values.end()}));
  FX_RETURN_IF_ERROR(use_saved(rows, step));
  additional_.insert(additional_.end(), stacks.begin(), stacks.end());
  const std::vector<Argument> additional_operands = loop_.additional();
  additional_.insert(additional_.end(), additional_operands.begin(), additional_operands.end());
  return absl::OkStatus();
}

/// Returns the condition of the loop: the number of remaining steps is greater than 0.
std::unique_ptr<Graph> WhileGradients::condition() const {
  auto graph = std::make_unique<Graph>(graph_.context());
  for (const Node& node : body_.nodes())
    if (node.is_placeholder()) graph->placeholder_like(node);
  Decomposer tracer(*graph);
  graph->output(Argument(gt(Proxy(*graph->front(), tracer), 0).node()));
  return graph;
}

absl::StatusOr<std::vector<std::pair<Node*, Node*>>> WhileGradients::call(
    const std::vector<Node*>& gradients) {
  const std::vector<Type> types = result_types(body_);
  std::unique_ptr<Graph> test = condition();
  FX_ASSIGN_OR_RETURN(
      const std::vector<Node*> items,
      call_while_loop(graph_, "higher_order.while_loop", "gradients", std::move(test),
                      prepared_.take(), carried_, additional_, types));
  std::vector<std::pair<Node*, Node*>> result;
  size_t next = 1;
  for (const bool is_carried : {true, false}) {
    for (const size_t i : loop_.active) {
      if (loop_.is_carried(i) != is_carried) continue;
      Node* gradient = items[next++];
      if (is_carried && loop_.is_stacked && gradients[i] != nullptr) {
        // A loop that runs zero steps returns one row, the carried value.
        const Proxy row = row_of(tracer_, *gradients[i], Proxy(*saved_.zero, tracer_));
        const Proxy is_empty = eq(Proxy(*saved_.count, tracer_), 0);
        gradient = tracer_.where(is_empty, row, Proxy(*gradient, tracer_)).node();
      }
      result.emplace_back(loop_.operands[i].node(), gradient);
    }
  }
  FX_RETURN_IF_ERROR(tracer_.status());
  return result;
}

}  // namespace

absl::StatusOr<std::vector<std::pair<Node*, Node*>>> append_while_gradients(
    Node& call, const std::vector<Node*>& gradients, const NestedOptions& options) {
  FX_ASSIGN_OR_RETURN(const WhileLoop loop, while_loop_of(call, options));
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared, prepared_body(loop, options));
  std::vector<Node*> given = gradients;
  given.resize(loop.num_carried, nullptr);
  FX_ASSIGN_OR_RETURN(const SavedLoop saved, save_carried(call, loop, options.graph));
  WhileGradients builder(loop, prepared, saved, options.graph);
  FX_RETURN_IF_ERROR(builder.make_body(given));
  FX_ASSIGN_OR_RETURN(auto derivatives, builder.call(given));
  std::erase_if(derivatives, [&](const auto& pair) { return !options.is_active(*pair.first); });
  return derivatives;
}

}  // namespace fx
