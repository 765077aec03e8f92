// Three passes of a compiler for an imaginary accelerator, as a plugin that requires only the
// installed package.
//
//   fxcpp opt net.fx --load-plugin build/libtarget.so --passes target_fuse
//   fxcpp opt net.fx --load-plugin build/libtarget.so --passes target_nhwc,eliminate_dead_code,target_plan
//
//   target_fuse   connected pointwise calls become a call to a nested graph: target.fused
//   target_nhwc   convolutions read and write tensors with the channels innermost: target.conv_nhwc
//   target_plan   each value that only this run uses gets an offset in one block of memory
//                 (metadata `offset`)
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/liveness.h"
#include "fx/passes/analysis/memory.h"
#include "fx/passes/analysis/topological_sort.h"
#include "fx/passes/partition/partitioner.h"
#include "fx/passes/partition/subgraph.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/tools/driver/plugin.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr const char* kFused = "target.fused.default";
constexpr const char* kConv = "target.conv_nhwc.default";

// ---- target_fuse

/// target.fused(@body, [operands...]) returns the tuple that its body returns for the operands.
fx::Type fused_type(fx::TypeCall& c) {
  std::vector<fx::Type> operands;
  for (size_t i = 0; i < c.argument(1).size(); ++i) operands.push_back(c.argument(1)[i].type());
  return fx::tuple_type(c.types(), c.graph_results(0, operands));
}

/// True if each element of the result depends on one element of each operand, and the call has no
/// effect.
bool is_pointwise(const fx::Node& node) {
  const fx::ops::OpInfo* op = node.function().op();
  return op != nullptr && op->has(fx::ops::OpTrait::kPointwise) && fx::effects(node).is_pure() &&
         node.type().is_tensor() &&
         std::ranges::all_of(node.all_input_nodes(),
                             [](const fx::Node* operand) { return operand->type().is_tensor(); });
}

/// Fuses the largest parts. Returns true if there were any; fusion may then create more of them.
absl::StatusOr<bool> fuse_parts(fx::Graph& graph, fx::PassRun& run) {
  const fx::Target fused = graph.context().function(kFused);
  // The calls of a part are not separated by a call with effects: a write stays between the calls
  // that read before it and after it. Parts do not depend on each other in a cycle.
  std::vector<fx::Partition> parts =
      fx::propose_partitions(graph, is_pointwise, {.only_connected = true});
  std::ranges::reverse(parts);  // in graph order
  for (const fx::Partition& part : parts) {
    const std::string name = fx::unused_subgraph_name(graph, "fused");
    const fx::NestedCallOptions options = {
        .function = fused, .return_tuple = true, .list_operands = true};
    FX_RETURN_IF_ERROR(fx::outline_nested(graph, part, name, options).status());
    graph.find_subgraph(name)->set_meta(kFused, true);
    run.count("parts fused");
    run.count("calls fused", part.size());
  }
  // A user of a value that a part returns may come before the call.
  FX_RETURN_IF_ERROR(fx::topological_sort(graph).status());
  return !parts.empty();
}

absl::StatusOr<bool> fuse(fx::PassRun& run) {
  bool changed = false;
  for (fx::Graph& graph : fx::all_graphs(run.graph())) {
    if (graph.meta(kFused)) continue;  // the body of a part
    bool fused_any = true;
    while (fused_any) {
      FX_ASSIGN_OR_RETURN(fused_any, fuse_parts(graph, run));
      changed = changed || fused_any;
    }
  }
  return changed;
}

// ---- target_nhwc

/// The type of target.conv_nhwc(x, weight, bias, stride, padding, dilation): x is N, H, W, C, and
/// the weight is as in aten.convolution.
fx::Type conv_type(fx::TypeCall& c) {
  const fx::Type x = c.tensor(0), weight = c.tensor(1);
  if (x.rank() != 4 || weight.rank() != 4) return c.fail("x and weight must have 4 dimensions");
  if (!c.guard_equal(x.sizes()[3], weight.sizes()[1]))
    return c.fail("the channels of " + fx::to_string(x) + " and " + fx::to_string(weight) +
                  " differ");
  const auto stride = c.dims(3, 2), padding = c.dims(4, 2), dilation = c.dims(5, 2);
  if (c.failed()) return {};
  std::vector<fx::Dim> sizes = {x.sizes()[0]};
  for (size_t i = 0; i < 2; ++i) {
    const fx::Dim reach = dilation[i] * (weight.sizes()[2 + i] - 1) + 1;
    sizes.push_back(fx::floor_div(x.sizes()[1 + i] + padding[i] * 2 - reach, stride[i]) + 1);
  }
  sizes.push_back(weight.sizes()[0]);
  return c.result(x.dtype(), sizes);
}

const fx::Argument kToNhwc = fx::Argument::ints({0, 2, 3, 1});
const fx::Argument kToNchw = fx::Argument::ints({0, 3, 1, 2});

/// Creates a call at the insert point, with its type.
absl::StatusOr<fx::Node*> typed_call(fx::Graph& graph, const char* function,
                                     absl::Span<const fx::Argument> args) {
  fx::Node* call = graph.call_function(graph.context().function(function), args);
  FX_ASSIGN_OR_RETURN(const fx::Type type, fx::infer_type(*call));
  call->set_type(type);
  return call;
}

/// Returns the value in the order N, H, W, C: the operand of the permutation to the other order,
/// or a new permutation if there is none.
absl::StatusOr<fx::Node*> nhwc_of(fx::Graph& graph, fx::Node* value) {
  const fx::Target permute = graph.context().function("aten.permute.default");
  if (value->is(permute) && fx::Argument(value->arg(1)) == kToNchw) return value->arg(0).node();
  return typed_call(graph, "aten.permute.default", {value, kToNhwc});
}

/// Replaces an ungrouped 2D convolution. Returns the permutation of the result, or null for other
/// convolutions.
absl::StatusOr<fx::Node*> convert(fx::Graph& graph, fx::Node* node) {
  FX_ASSIGN_OR_RETURN(const fx::NormalizedArguments call, fx::normalized_arguments(*node));
  // input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
  fx::Node* x = call.args[0].node();
  if (x == nullptr || !x->type().is_tensor() || !x->type().has_rank() || x->type().rank() != 4 ||
      call.args[6] != fx::Argument(false) || call.args[8] != fx::Argument(1))
    return nullptr;
  const auto guard = graph.inserting_before(node);
  FX_ASSIGN_OR_RETURN(fx::Node * input, nhwc_of(graph, x));
  std::vector<fx::Argument> args = call.args;
  args.resize(6);
  args[0] = input;
  FX_ASSIGN_OR_RETURN(fx::Node * conv, typed_call(graph, kConv, args));
  conv->meta().copy_from(*node);
  FX_ASSIGN_OR_RETURN(fx::Node * back, typed_call(graph, "aten.permute.default", {conv, kToNchw}));
  node->replace_all_uses_with(back);
  FX_RETURN_IF_ERROR(graph.erase_node(node));
  return back;
}

/// Moves a permutation past the pointwise calls with one tensor operand that follow it, toward the
/// next convolution.
absl::Status sink(fx::Graph& graph, fx::Node* permute) {
  while (permute->has_one_user() && is_pointwise(*permute->users()[0]) &&
         permute->users()[0]->all_input_nodes().size() == 1) {
    fx::Node* user = permute->users()[0];
    user->replace_input_with(permute, permute->arg(0).node());
    FX_ASSIGN_OR_RETURN(const fx::Type type, fx::infer_type(*user));
    user->set_type(type);
    const auto guard = graph.inserting_after(user);
    FX_ASSIGN_OR_RETURN(fx::Node * moved,
                        typed_call(graph, "aten.permute.default", {user, kToNchw}));
    user->replace_all_uses_with(moved);
    FX_RETURN_IF_ERROR(graph.erase_node(permute));
    permute = moved;
  }
  return absl::OkStatus();
}

absl::StatusOr<bool> to_nhwc(fx::PassRun& run) {
  fx::Graph& graph = run.graph();
  bool changed = false;
  for (fx::Node* node : graph.find_nodes(graph.context().function("aten.convolution.default"))) {
    FX_ASSIGN_OR_RETURN(fx::Node * permute, convert(graph, node));
    if (permute == nullptr) continue;
    changed = true;
    run.count("convolutions converted");
    FX_RETURN_IF_ERROR(sink(graph, permute));
  }
  // The values after the last permutation have different strides now.
  if (!changed) return false;
  const fx::ShapeReport types = fx::propagate_types(graph);
  if (!types.ok()) return absl::UnimplementedError(types.str());
  return true;
}

// ---- target_plan

/// The free parts of a block of memory: by offset, and by size.
class FreeList {
 public:
  /// Allocates the smallest part that is large enough, or extends the block.
  int64_t take(int64_t size) {
    const auto found = by_size_.lower_bound({size, 0});
    if (found == by_size_.end()) return std::exchange(end_, end_ + size);
    const auto [part, offset] = *found;
    remove(offset);
    if (part > size) add(offset + size, part - size);
    return offset;
  }
  void give(int64_t offset, int64_t size) {
    auto next = by_offset_.lower_bound(offset);
    if (next != by_offset_.end() && next->first == offset + size) {
      size += next->second;
      remove(next->first);
      next = by_offset_.lower_bound(offset);
    }
    if (next != by_offset_.begin()) {
      const auto [before, part] = *std::prev(next);
      if (before + part == offset) {
        offset = before;
        size += part;
        remove(before);
      }
    }
    add(offset, size);
  }
  int64_t end() const { return end_; }

 private:
  void add(int64_t offset, int64_t size) {
    by_offset_.emplace(offset, size);
    by_size_.emplace(size, offset);
  }
  void remove(int64_t offset) {
    const auto part = by_offset_.find(offset);
    by_size_.erase({part->second, offset});
    by_offset_.erase(part);
  }
  std::map<int64_t, int64_t> by_offset_;
  std::set<std::pair<int64_t, int64_t>> by_size_;
  int64_t end_ = 0;
};

/// Metadata of a value: the offset of each of its tensors, or -1 if the tensor is outside the
/// block.
constexpr fx::MetaKey<fx::Argument> kOffset{"offset"};

/// Assigns offsets to the storages that calls allocate, in the order of execution, in O(n log n)
/// time. Returns the offset of each storage; -1 for storages that may be used after the run.
std::vector<int64_t> assign_offsets(const fx::Graph& graph, const fx::Liveness& liveness,
                                    fx::PassRun& run) {
  const fx::MemoryAnalysis sharing(graph);
  std::vector<size_t> order;
  for (size_t i = 0; i < liveness.storages.size(); ++i) {
    const fx::StorageLifetime& life = liveness.storages[i];
    if (life.kind >= fx::StorageKind::kForward && !sharing.is_returned(*life.producer) &&
        !sharing.may_be_external(*life.producer))
      order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](size_t i) { return liveness.storages[i].first; });
  constexpr int64_t kAlignment = 64;
  FreeList memory;
  std::multimap<uint32_t, std::pair<int64_t, int64_t>> ends;  // last use: offset and size
  std::vector<int64_t> storage_offsets(liveness.storages.size(), -1);
  size_t total = 0;
  for (const size_t i : order) {
    const fx::StorageLifetime& life = liveness.storages[i];
    while (!ends.empty() && ends.begin()->first < life.first) {
      memory.give(ends.begin()->second.first, ends.begin()->second.second);
      ends.erase(ends.begin());
    }
    const int64_t size = (life.bytes + kAlignment - 1) / kAlignment * kAlignment;
    storage_offsets[i] = memory.take(size);
    ends.emplace(life.last, std::pair(storage_offsets[i], size));
    total += static_cast<size_t>(size);
  }
  run.count("bytes of the values", total);
  run.count("bytes of the block", static_cast<size_t>(memory.end()));
  return storage_offsets;
}

/// Plans the graph without its nested graphs.
absl::StatusOr<bool> plan(fx::PassRun& run) {
  fx::Graph& graph = run.graph();
  FX_ASSIGN_OR_RETURN(const fx::Liveness liveness, fx::analyze_liveness(graph));
  if (!liveness.unknown_nodes.empty())
    return absl::FailedPreconditionError("the size of %" + liveness.unknown_nodes[0]->name() +
                                         " is not known: run propagate_types first");
  const std::vector<int64_t> storage_offsets = assign_offsets(graph, liveness, run);
  bool changed = false;
  for (fx::Node& node : graph.nodes()) {
    if (!node.is_call()) continue;
    std::vector<fx::Argument> offsets;  // a view has the offset of its source
    for (const uint32_t storage : liveness.storages_of(node))
      offsets.emplace_back(storage == fx::Liveness::kNoStorage ? -1 : storage_offsets[storage]);
    const fx::Argument value = fx::Argument::list(offsets);
    changed = changed || node.meta().get(kOffset) != value;
    node.meta().set(kOffset, value);
  }
  return changed;
}

absl::Status add_target(fx::Extensions& extensions) {
  FX_RETURN_IF_ERROR(extensions.add(fx::OperatorExtension{
      .schema = "target::fused(Any body, Tensor[] operands) -> Tensor[]", .type = fused_type}));
  FX_RETURN_IF_ERROR(extensions.add(fx::OperatorExtension{
      .schema = "target::conv_nhwc(Tensor x, Tensor weight, Tensor? bias, SymInt[] stride, "
                "SymInt[] padding, SymInt[] dilation) -> Tensor",
      .type = conv_type}));
  FX_RETURN_IF_ERROR(extensions.add(fx::Pass{
      "target_fuse", "turns connected pointwise calls into calls to nested graphs", fuse}));
  FX_RETURN_IF_ERROR(extensions.add(fx::Pass{
      "target_nhwc", "converts convolutions to use tensors with the channels innermost", to_nhwc}));
  return extensions.add(
      fx::Pass{"target_plan", "assigns each value an offset in one block of memory", plan});
}

}  // namespace

FXCPP_PLUGIN("target", "an imaginary accelerator", add_target);
