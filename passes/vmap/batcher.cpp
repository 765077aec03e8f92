// Batcher: see batcher_internal.h.
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/sym_nodes.h"
#include "fx/ir/graph/provenance/provenance.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/vmap/batcher_internal.h"
#include "fx/passes/vmap/functional_aten.h"
#include "fx/passes/vmap/rules_internal.h"

#include "fmt/format.h"

#include <algorithm>

namespace fx {
namespace {

/// Returns the type of a batch of values, with default strides.
Type batched_type(Context& context, Type example, const Dim& size, int64_t dim) {
  TensorSpec spec = example.spec();
  DimVector sizes(spec.sizes.begin(), spec.sizes.end());
  sizes.insert(sizes.begin() + dim, size);
  spec.sizes = sizes;
  spec.strides = {};
  spec.offset = Dim(0);
  return context.types().tensor(spec);
}

}  // namespace

// ---------------------------------------------------------------- inputs

absl::Status Batcher::make_inputs(const std::vector<BatchDim>& dims) {
  std::vector<Node*> inputs;
  for (Node& node : graph_.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  if (inputs.empty()) return absl::OkStatus();
  const InsertPointGuard guard = graph_.inserting_after(inputs.back());
  std::vector<std::pair<Node*, int64_t>> batched;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i >= dims.size() || !dims[i]) continue;
    Node& input = *inputs[i];
    const Type example = input.type();
    if (!example.is_tensor() || !example.has_rank()) {
      return absl::FailedPreconditionError(
          fmt::format("the input {} must have a known rank, but its type is {}", input.name(),
                      to_string(example)));
    }
    const int64_t dim = *dims[i] < 0 ? *dims[i] + example.rank() + 1 : *dims[i];
    Node* const stand_in =
        graph_.call_function(graph_.context().function("aten.select.int"),
                             {Argument(&input), Argument(dim), Argument(0)}, {}, {.type = example});
    input.replace_uses_if(stand_in, [&](const Node& user) { return &user != stand_in; });
    change_type(input, batched_type(graph_.context(), example, run_.size, dim));
    replaced_.push_back(stand_in);
    batched.emplace_back(stand_in, dim);
  }
  if (run_.size.is_int()) {
    batch_.size_ = IntArg(run_.size.value());
  } else if (!batched.empty()) {
    Node* const input = batched[0].first->arg(0).as_node();
    batch_.size_ = IntArg(Proxy(*create_size_node(*input, batched[0].second), batch_));
  }
  for (const auto& [stand_in, dim] : batched) {
    Node* const input = stand_in->arg(0).as_node();
    batch_.batched_[*stand_in] = batch_.moved(Proxy(*input, batch_), dim, 0).node();
  }
  return batch_.status();
}

// ---------------------------------------------------------------- calls

void Batcher::reject(const Node& call, std::string_view why) {
  run_.errors +=
      fmt::format("\n  {} (%{}): {}", std::string(call.target()), call.name(), std::string(why));
}

bool Batcher::depends_on_batch(const Node& call) const {
  bool depends = false;
  call.for_each_input([&](const Node* operand) { depends |= batch_.is_batched(*operand); });
  return depends;
}

void Batcher::visit(Node& node) {
  if (!node.is_call()) return;
  if (const auto item = selected_item(node); item && batch_.is_batched(*item->first))
    return visit_item(node, *item->first, item->second);
  const InsertPointGuard guard = graph_.inserting_before(&node);
  batch_.start(node);
  const bool is_random = effects(node).has(ops::Effect::kRandom);
  if (is_write(node)) return visit_write(node);
  if (is_random && run_.options.randomness == BatchRandomness::kError) {
    return reject(node, "it draws random numbers: choose whether examples share them (randomness)");
  }
  const bool depends = depends_on_batch(node);
  if (is_random && depends && run_.options.randomness == BatchRandomness::kSame)
    return reject(node, "it depends on the batch, so examples cannot share its random numbers");
  if (is_random && !depends && run_.options.randomness == BatchRandomness::kDifferent)
    return visit_random(node);
  if (!depends) return;
  const Node* const before = node.prev();
  if (!visit_control_flow(node)) visit_call(node);
  for (Node* created = node.prev(); created != nullptr && created != before;
       created = created->prev())
    inherit_provenance(*created, node);
}

void Batcher::visit_item(Node& item, Node& source, size_t index) {
  replaced_.push_back(&item);
  const auto items = items_.find(&source);
  if (items == items_.end()) {
    const InsertPointGuard guard = graph_.inserting_before(&item);
    batch_.start(item);
    const Proxy created = Proxy(*batch_.batched_[source], batch_)[static_cast<int64_t>(index)];
    if (!created.defined()) return reject(item, std::string(batch_.status().message()));
    batch_.batched_[item] = created.node();
    return;
  }
  const Item none;
  const Item& value = index < items->second.size() ? items->second[index] : none;
  Node* const node = value.value.node();
  if (node != nullptr && !value.is_shared)
    batch_.batched_[item] = node;
  else
    (void)item.replace_all_uses_with(value.value);
}

/// Handles a write to an input. Such writes are at the end of the graph.
void Batcher::visit_write(Node& call) {
  if (!depends_on_batch(call)) return;
  const Argument target = call.num_args() > 0 ? Argument(call.arg(0)) : Argument();
  if (call.target() != "aten.copy_.default" || !target.is_node())
    return reject(call, "it must not write to an argument");
  if (!batch_.is_batched(*target.as_node())) {
    return reject(call,
                  fmt::format("it writes values that differ between examples to {}, which all "
                              "examples share: also batch that input",
                              target.as_node()->name()));
  }
  const Proxy written = batch_.emit("aten.copy_.default", {batch_("self"), batch_("src")});
  replaced_.push_back(&call);
  if (!written.defined()) reject(call, std::string(batch_.status().message()));
}

/// Draws random numbers for each example, by prepending the batch size to the argument `size`.
void Batcher::visit_random(Node& call) {
  const Argument sizes = batch_.argument("size");
  if (!call.type().is_tensor() || !(sizes.is_list() || sizes.is_tuple()))
    return reject(call, "it draws the same random numbers for all examples");
  std::vector<IntArg> batched_sizes = batch_.dims("size");
  batched_sizes.insert(batched_sizes.begin(), batch_.batch_size());
  set_result(call, batch_.call_with({{"size", IntList(batched_sizes)}}));
}

namespace {

/// True if rules may use the type of a call's result.
bool is_known(Type type) {
  if (type.is_tensor()) return type.has_rank() && type.dtype() != DType::kUndefined;
  return type && std::ranges::all_of(type.items(), is_known);
}

}  // namespace

void Batcher::visit_call(Node& call) {
  const BatchingRule* const rule = run_.table.find(call.target());
  const ops::OpInfo* const op = call.function().op();
  if (op != nullptr && !is_known(call.type()))
    return reject(call, "the type of its result is unknown");
  batch_.is_shared_ = false;
  if (rule != nullptr || (op != nullptr && op->has(ops::OpTrait::kPointwise))) {
    const AnyArg value = apply_batching(batch_, rule);
    if (batch_.status().ok()) return set_result(call, value);
  }
  const std::string why = std::string(batch_.status().message());
  batch_.start(call);
  if (op == nullptr) return reject(call, "the operator is unknown");
  if (op->has(ops::OpTrait::kDynamicShape) || op->has(ops::OpTrait::kDataDependent))
    return reject(call, "the sizes or the value of its result differ between examples");
  if (!run_.options.loop)
    return reject(call, why.empty() ? "it has no batching rule" : "its batching rule: " + why);
  loop(call);
}

/// Calls the operator for each example.
void Batcher::loop(Node& call) {
  const Argument& count = batch_.batch_size().value();
  if (!count.is_int()) {
    return reject(
        call,
        "no batching rule applies, and a loop requires a known number of examples (set size)");
  }
  bool is_supported = call.type().is_tensor();
  for (const Type item : call.type().items()) is_supported |= item.is_tensor();
  if (!is_supported) return reject(call, "its result must be or contain a tensor");
  absl::flat_hash_map<const Node*, Proxy> pieces;
  call.for_each_input([&](Node* operand) {
    Node* const batched = batch_.batched_[*operand];
    if (batched != nullptr && !pieces.contains(operand))
      pieces.emplace(operand, batch_.emit("aten.unbind.int", {Proxy(*batched, batch_), 0}));
  });
  const size_t num_results = call.type().is_tensor() ? 1 : call.type().items().size();
  std::vector<std::vector<Proxy>> results(num_results);
  for (int64_t i = 0; i < count.as_int() && batch_.status().ok(); ++i) {
    const Proxy created = batch_.call_mapped([&](Node& operand) {
      const auto piece = pieces.find(&operand);
      return Argument(piece != pieces.end() ? piece->second[i].node() : &operand);
    });
    for (size_t k = 0; k < num_results && created.defined(); ++k)
      results[k].push_back(call.type().is_tensor() ? created : created[static_cast<int64_t>(k)]);
  }
  if (count.as_int() == 0)
    return reject(call, "no batching rule applies, and a loop requires at least one example");
  std::vector<Argument> stacked;
  for (const std::vector<Proxy>& result : results)
    if (batch_.status().ok()) stacked.push_back(AnyArg(stack(result, 0)).value());
  if (!batch_.status().ok()) return reject(call, std::string(batch_.status().message()));
  run_.report.looped.push_back(fmt::format("{} (%{})", std::string(call.target()), call.name()));
  set_result(call, call.type().is_tensor() ? AnyArg(Operand(stacked[0], &batch_))
                                           : AnyArg(Operand(Argument::tuple(stacked), &batch_)));
}

// ---------------------------------------------------------------- results of calls

void Batcher::check_result(const Node& call, const Node& value, Type example) {
  if (!example.is_tensor()) return;
  const Type type = value.type();
  bool matches =
      type.is_tensor() && type.dtype() == example.dtype() && type.rank() == example.rank() + 1;
  for (int i = 0; matches && i < example.rank(); ++i) {
    const Dim &from = example.size(i), &to = type.size(i + 1);
    matches = !from.is_int() || !to.is_int() || from == to;
  }
  if (!matches) {
    reject(call, fmt::format("its batching rule returns {} for a batch of {}", to_string(type),
                             to_string(example)));
  }
}

void Batcher::set_result(Node& call, const AnyArg& value) {
  if (!batch_.status().ok()) return reject(call, std::string(batch_.status().message()));
  replaced_.push_back(&call);
  if (batch_.is_shared_) {
    (void)call.replace_all_uses_with(value.value());
    return;
  }
  if (Node* const node = value.value().node()) {
    if (call.type().is_tensor()) check_result(call, *node, call.type());
    const auto items = node->type().items(), examples = call.type().items();
    for (size_t i = 0; i < items.size() && i < examples.size(); ++i) {
      if (!items[i].is_tensor() || !examples[i].is_tensor()) continue;
      if (items[i].rank() != examples[i].rank() + 1 || items[i].dtype() != examples[i].dtype())
        reject(call, fmt::format("its batching rule returns {} for a batch of {}",
                                 to_string(items[i]), to_string(examples[i])));
    }
    batch_.batched_[call] = node;
    return;
  }
  batch_.batched_[call] = &call;
  std::vector<Item>& items = items_[&call];
  const auto examples = call.type().items();
  for (size_t i = 0; i < value.value().size(); ++i) {
    items.push_back({value.value()[i]});
    if (const Node* item = items.back().value.node(); item != nullptr && i < examples.size())
      check_result(call, *item, examples[i]);
  }
}

// ---------------------------------------------------------------- results of the graph

absl::StatusOr<Argument> Batcher::result_of(Node& value, size_t index, BatchedResults results,
                                            bool& is_in) {
  const std::vector<BatchDim>& out = run_.options.out_dims;
  const Proxy batched = batch_.plain(value);
  is_in = batch_.is_batched(value);
  if (!value.type().is_tensor()) return Argument(&value);
  if (results == BatchedResults::kAsIs) return Batch::as_argument(batched);
  BatchDim dim = 0;
  if (results == BatchedResults::kOut && !out.empty()) {
    if (out.size() > 1 && index >= out.size()) {
      return absl::InvalidArgumentError(
          fmt::format("the graph has more results than the {} out_dims", out.size()));
    }
    dim = out.size() == 1 ? out[0] : out[index];
  }
  if (!dim && is_in) {
    return absl::InvalidArgumentError(fmt::format(
        "result {} (%{}) depends on the batch, but its out_dim is none", index, value.name()));
  }
  if (!dim) return Argument(&value);
  if (!value.type().has_rank()) {
    return absl::FailedPreconditionError(
        fmt::format("the rank of result {} (%{}) must be known", index, value.name()));
  }
  const int64_t rank = value.type().rank() + 1;
  const int64_t to = *dim < 0 ? *dim + rank : *dim;
  if (to < 0 || to >= rank) {
    return absl::InvalidArgumentError(
        fmt::format("out_dim {3} is out of range for result {0} (%{1}), which has {2} dimensions "
                    "including the batch dimension",
                    index, value.name(), rank, *dim));
  }
  is_in = true;
  return Batch::as_argument(batch_.moved(batch_.expanded(value), 0, to));
}

absl::StatusOr<std::vector<bool>> Batcher::set_results(BatchedResults results) {
  Node* const output = graph_.output_node();
  const InsertPointGuard guard = graph_.inserting_before(end_of_calls(graph_));
  batch_.start(*output);
  std::vector<bool> is_batched;
  absl::Status status;
  size_t index = 0;
  const Argument value = map_leaves(Argument(output->arg(0)), [&](const Argument& leaf) {
    bool is_in = false;
    Argument created = leaf;
    if (Node* const node = leaf.node()) {
      auto result = result_of(*node, index, results, is_in);
      if (result.ok())
        created = *std::move(result);
      else
        status.Update(result.status());
      if (node->type().is_tensor()) ++index;
    }
    is_batched.push_back(is_in);
    return created;
  });
  FX_RETURN_IF_ERROR(status);
  FX_RETURN_IF_ERROR(batch_.status());
  const size_t num_out = run_.options.out_dims.size();
  if (results == BatchedResults::kOut && num_out > 1 && num_out != index) {
    return absl::InvalidArgumentError(fmt::format("the graph has {} that are tensors, but {}",
                                                  pluralize(index, "result"),
                                                  pluralize(num_out, "out_dim")));
  }
  FX_RETURN_IF_ERROR(output->set_args({value}));
  return is_batched;
}

/// Erases the replaced calls for one example, users first.
absl::Status Batcher::erase_replaced() {
  std::ranges::sort(replaced_, [](const Node* a, const Node* b) { return b->comes_before(*a); });
  for (Node* const node : replaced_) FX_RETURN_IF_ERROR(graph_.erase_node(node));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<bool>> Batcher::replace(const std::vector<BatchDim>& dims,
                                                   BatchedResults results) {
  FX_RETURN_IF_ERROR(make_inputs(dims));
  std::vector<Node*> calls;
  for (Node& node : graph_.nodes())
    if (node.is_call()) calls.push_back(&node);
  for (Node* const call : calls)
    if (!batch_.is_batched(*call)) visit(*call);  // skips stand-ins of inputs
  if (!run_.errors.empty())
    return absl::UnimplementedError("calls that cannot be batched:" + run_.errors);
  FX_ASSIGN_OR_RETURN(std::vector<bool> is_batched, set_results(results));
  FX_RETURN_IF_ERROR(erase_replaced());
  return is_batched;
}

}  // namespace fx
