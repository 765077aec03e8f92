// jacobian, hessian: see jacobian.h.
//
//   vjp:       graph(inputs, tangents)            -> (results, (gradients))
//   vmap:      graph(inputs, [n] tangents)        -> (results, ([n] gradients))
//   jacobian:  graph(inputs)                      -> ([result sizes, input sizes] ...)
//              with the basis vectors in place of the tangents
#include "fx/passes/autodiff/jacobian.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/status.h"
#include "fx/passes/autodiff/autodiff_internal.h"
#include "fx/passes/autodiff/tidy_internal.h"

#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// The rows of the basis that belong to one result or input.
struct Block {
  Type type;
  int64_t begin = 0, count = 0;
};

absl::StatusOr<std::vector<Block>> blocks_of(const std::vector<Type>& types) {
  std::vector<Block> blocks;
  int64_t begin = 0;
  for (const Type type : types) {
    if (is_complex(type.dtype())) {
      return absl::InvalidArgumentError(
          fmt::format("Jacobians require real numbers, not {}", to_string(type)));
    }
    int64_t count = 1;
    for (const Dim& size : type.sizes()) {
      if (!size.is_int()) {
        return absl::UnimplementedError(
            fmt::format("Jacobians require a known number of elements, not {}", to_string(type)));
      }
      if (__builtin_mul_overflow(count, size.value(), &count))
        return absl::InvalidArgumentError("the number of basis vectors is too large");
    }
    blocks.push_back({type, begin, count});
    begin += count;
  }
  return blocks;
}

std::vector<int64_t> sizes_of(Type type) {
  std::vector<int64_t> sizes;
  for (const Dim& size : type.sizes()) sizes.push_back(size.value());
  return sizes;
}
std::vector<int64_t> joined(std::vector<int64_t> a, const std::vector<int64_t>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Returns the columns of the basis that belong to a block: [all, sizes of the block].
Proxy basis_of(Decomposer& d, const Block& block, int64_t all) {
  const DType dtype = block.type.dtype();
  const Device device = block.type.device();
  const auto zeros = [&](int64_t rows) {
    return fx::full(d, {rows, block.count}, 0, dtype, {}, device);
  };
  Proxy rows = d.emit("aten.eye.default", {block.count}, {{"dtype", dtype}, {"device", device}});
  std::vector<Proxy> parts;
  if (block.begin > 0) parts.push_back(zeros(block.begin));
  parts.push_back(rows);
  if (const int64_t after = all - block.begin - block.count; after > 0)
    parts.push_back(zeros(after));
  if (parts.size() > 1) rows = cat(parts, 0);
  return rows.view(IntList(joined({all}, sizes_of(block.type))));
}

/// Replaces the last placeholders with basis vectors.
absl::Status replace_tangents(Graph& graph, const std::vector<Block>& blocks, int64_t all) {
  std::vector<Node*> inputs;
  for (Node& node : graph.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  const size_t first = inputs.size() - blocks.size();
  Decomposer tracer(graph);
  {
    const InsertPointGuard guard = graph.inserting_after(inputs.back());
    for (size_t i = 0; i < blocks.size(); ++i) {
      const Proxy basis = basis_of(tracer, blocks[i], all);
      FX_RETURN_IF_ERROR(tracer.status());
      inputs[first + i]->replace_all_uses_with(basis.node());
    }
  }
  for (size_t i = first; i < inputs.size(); ++i) FX_RETURN_IF_ERROR(graph.erase_node(inputs[i]));
  return absl::OkStatus();
}

/// The results of the graph that was differentiated, and the types of the inputs to differentiate.
struct Signature {
  std::vector<Node*> results;  // null: not a node
  std::vector<Node*> active;   // results that depend on the inputs to differentiate
  std::vector<Type> active_types, input_types;
};

Signature signature_of(const PreparedGraph& prepared) {
  Signature result;
  result.results = prepared.results();
  result.active = prepared.active_results();
  for (const Node* node : result.active) result.active_types.push_back(node->type());
  for (const Node* node : prepared.inputs()) result.input_types.push_back(node->type());
  return result;
}

int64_t total(const std::vector<Block>& blocks) {
  return blocks.empty() ? 0 : blocks.back().begin + blocks.back().count;
}

/// Vectorizes the derivative graph over a batch of tangents. The other inputs are the same for all
/// tangents.
absl::StatusOr<std::unique_ptr<Graph>> batched(const Graph& derivative, size_t num_tangents,
                                               size_t num_results, int64_t count,
                                               VmapReport* report) {
  VmapOptions options{.size = Dim(count)};
  std::vector<const Node*> inputs;
  for (const Node& node : derivative.nodes())
    if (node.is_placeholder()) inputs.push_back(&node);
  for (size_t i = inputs.size() - num_tangents; i < inputs.size(); ++i)
    options.in_dims.emplace_back(inputs[i]->name(), 0);
  // The results come first, then the derivatives.
  size_t tensors = 0;
  map_leaves(Argument(derivative.output_node()->arg(0)), [&](const Argument& leaf) {
    tensors += leaf.is_node() && leaf.as_node()->type().is_tensor() ? 1 : 0;
    return leaf;
  });
  for (size_t i = 0; i < tensors; ++i)
    options.out_dims.push_back(i < num_results ? std::nullopt : std::optional<int64_t>(0));
  return vmap(derivative, options, report);
}

size_t num_tensors(const std::vector<Node*>& nodes) {
  return static_cast<size_t>(std::ranges::count_if(
      nodes, [](const Node* node) { return node != nullptr && node->type().is_tensor(); }));
}

/// Computes the Jacobians of results with respect to inputs.
class JacobianEntries {
 public:
  JacobianEntries(Graph& graph, JacobianMode mode) : tracer_(graph), mode_(mode) {}

  /// `values`: a batch of gradients of the input, or of tangents of the result.
  Argument entry(const Argument& values, const Block& result, const Block& input) {
    Node* const node = values.node();
    if (node == nullptr) return {};
    const Proxy batch(*node, tracer_);
    const std::vector<int64_t> sizes = joined(sizes_of(result.type), sizes_of(input.type));
    const Block& block = mode_ == JacobianMode::kReverse ? result : input;
    const bool is_all = block.begin == 0 && Dim(block.count) == tracer_.type(batch).size(0);
    Proxy part = is_all ? batch : tracer_.slice(batch, 0, block.begin, block.begin + block.count);
    if (mode_ == JacobianMode::kForward) {
      std::vector<int64_t> order = Decomposer::range(1, tracer_.rank(batch));
      order.push_back(0);
      part = part.permute(order);
    }
    std::vector<IntArg> list;
    list.reserve(sizes.size());
    for (const int64_t size : sizes) list.emplace_back(size);
    return AnyArg(tracer_.reshape(part, list)).value();
  }
  const absl::Status& status() const { return tracer_.status(); }

 private:
  Decomposer tracer_;
  JacobianMode mode_;
};

absl::Status return_entries(Graph& graph, const Signature& signature, JacobianMode mode,
                            const std::vector<Block>& results, const std::vector<Block>& inputs) {
  Node* const output = graph.output_node();
  const Argument values(output->arg(0));
  const Argument& derivatives = values[1];
  const InsertPointGuard guard = graph.inserting_before(output);
  JacobianEntries entries(graph, mode);
  std::vector<Argument> rows;
  for (size_t r = 0; r < signature.results.size(); ++r) {
    const Node* const result = signature.results[r];
    const auto found = std::ranges::find(signature.active, result);
    const auto block = static_cast<size_t>(found - signature.active.begin());
    std::vector<Argument> row;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (result == nullptr || found == signature.active.end()) {
        row.emplace_back();
        continue;
      }
      const Argument& batch = derivatives[mode == JacobianMode::kReverse ? i : r];
      row.push_back(entries.entry(batch, results[block], inputs[i]));
    }
    rows.push_back(Argument::tuple(row));
  }
  FX_RETURN_IF_ERROR(entries.status());
  return output->set_args({Argument::tuple(rows)});
}

/// Returns the Jacobian of results that do not depend on the inputs: None for each pair.
absl::StatusOr<std::unique_ptr<Graph>> without_entries(PreparedGraph prepared, GradStyle style) {
  const std::vector<Argument> row(prepared.inputs().size());
  const std::vector<Argument> rows(prepared.results().size(), Argument::tuple(row));
  std::unique_ptr<Graph> graph = prepared.take();
  FX_RETURN_IF_ERROR(graph->output_node()->set_args({Argument::tuple(rows)}));
  graph->output_node()->meta().remove(meta::kOutputs);
  FX_RETURN_IF_ERROR(tidy(*graph, style));
  return graph;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Graph>> jacobian(const Graph& graph, const JacobianOptions& options,
                                                VmapReport* report) {
  const bool is_reverse = options.mode == JacobianMode::kReverse;
  FX_ASSIGN_OR_RETURN(const PreparedGraph prepared, PreparedGraph::make(graph, options.grad));
  const Signature signature = signature_of(prepared);
  FX_ASSIGN_OR_RETURN(const std::vector<Block> results, blocks_of(signature.active_types));
  FX_ASSIGN_OR_RETURN(const std::vector<Block> inputs, blocks_of(signature.input_types));
  const std::vector<Block>& basis = is_reverse ? results : inputs;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> derivative,
                      is_reverse ? vjp(graph, options.grad) : jvp(graph, options.grad));
  FX_ASSIGN_OR_RETURN(
      std::unique_ptr<Graph> result,
      batched(*derivative, basis.size(), num_tensors(signature.results), total(basis), report));
  FX_RETURN_IF_ERROR(replace_tangents(*result, basis, total(basis)));
  FX_RETURN_IF_ERROR(return_entries(*result, signature, options.mode, results, inputs));
  FX_RETURN_IF_ERROR(tidy(*result, options.grad.style));
  return result;
}

absl::StatusOr<std::unique_ptr<Graph>> hessian(const Graph& graph, const GradOptions& options,
                                               VmapReport* report) {
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> gradients, grad(graph, options));
  JacobianOptions second{.grad = options, .mode = JacobianMode::kForward};
  second.grad.of.clear();
  if (options.wrt.empty()) {
    FX_ASSIGN_OR_RETURN(const PreparedGraph prepared, PreparedGraph::make(graph, options));
    for (const Node* input : prepared.inputs()) second.grad.wrt.push_back(input->name());
  }
  // The gradients of a linear function are constants.
  FX_ASSIGN_OR_RETURN(PreparedGraph prepared,
                      PreparedGraph::make(*gradients, second.grad, Dependence::kOptional));
  if (prepared.active_results().empty()) return without_entries(std::move(prepared), options.style);
  auto result = jacobian(*gradients, second, report);
  if (result.status().code() != absl::StatusCode::kUnimplemented) return result;
  second.mode = JacobianMode::kReverse;
  return jacobian(*gradients, second, report);
}

}  // namespace fx
