// The batching rule for each BatchKind.
#include "fx/ir/graph/context.h"
#include "fx/passes/shape/shape_prop.h"
#include "fx/passes/vmap/rules_internal.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

/// Calls `f` for the tensors among the call's operands.
template <class F>
void for_each_tensor(const Batch& b, F f) {
  b.call().for_each_input([&](Node* node) {
    if (node->type().is_tensor()) f(*node);
  });
}

/// True for a memory format that reorders the dimensions of one example.
bool reorders_dims(const Argument& value) {
  return value.kind() == ArgumentKind::kMemoryFormat &&
         value.as_memory_format() != MemoryFormat::kContiguous &&
         value.as_memory_format() != MemoryFormat::kPreserve;
}

/// Records the call with its operands mapped. Replaces a memory format that reorders dimensions
/// with the default memory format.
Proxy call_in_any_format(Batch& b, absl::FunctionRef<Argument(Node&)> operand) {
  const Argument format = b.argument("memory_format");
  if (!reorders_dims(format)) return b.call_mapped(operand);
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  const auto mapped = [&](Node* node) { return operand(*node); };
  args.reserve(b.call().num_args());
  for (size_t i = 0; i < b.call().num_args(); ++i)
    args.push_back(map_nodes(Argument(b.call().arg(i)), mapped));
  for (const Kwarg& kwarg : b.call().kwargs())
    if (!reorders_dims(kwarg.value)) kwargs.emplace_back(kwarg.key, map_nodes(kwarg.value, mapped));
  return b.call_function(b.call().function(), args, kwargs);
}

// ---- Elementwise operators

/// Returns the dtype to which the operands promote in one example. In one example, 0-dimensional
/// tensors have a lower priority in promotion; in the batch they have one dimension.
DType promoted(const Batch& b) {
  Context& context = b.graph().context();
  Type common;
  for_each_tensor(b, [&](const Node& node) {
    if (node.type().dtype() == DType::kBool) return;
    if (!common) {
      common = node.type();
      return;
    }
    const auto sum = infer_call(context, context.function("aten.add.Tensor"),
                                std::array{Argument(common), Argument(node.type())});
    if (sum.ok()) common = sum->type;
  });
  return common ? common.dtype() : DType::kUndefined;
}

AnyArg pointwise(Batch& b) {
  int64_t rank = 0;
  bool has_batched_number = false;
  for_each_tensor(b, [&](const Node& node) {
    rank = std::max<int64_t>(rank, node.type().rank());
    has_batched_number |= b.is_batched(node) && node.type().rank() == 0;
  });
  const DType dtype = has_batched_number && rank > 0 ? promoted(b) : DType::kUndefined;
  return call_in_any_format(b, [&](Node& node) {
    if (!node.type().is_tensor()) return Batch::as_argument(b.plain(node));
    Proxy value = b.aligned(node, rank);
    const bool is_number = b.is_batched(node) && node.type().rank() == 0;
    if (is_number && dtype != DType::kUndefined && node.type().dtype() != DType::kBool)
      value = b.cast(value, dtype);
    return Batch::as_argument(value);
  });
}

// ---- Operators on the last dimensions

AnyArg leading(Batch& b) {
  size_t count = 0;
  for_each_tensor(b, [&](const Node&) { ++count; });
  return call_in_any_format(b, [&](Node& node) {
    return Batch::as_argument(count > 1 && node.type().is_tensor() ? b.expanded(node)
                                                                   : b.plain(node));
  });
}
AnyArg leading_first(Batch& b) {
  return call_in_any_format(b, [&](Node& node) { return Batch::as_argument(b.plain(node)); });
}

// ---- Dimension arguments

/// Returns the rank of the first tensor among the operands, to which dimension arguments refer.
int64_t counted_rank(const Batch& b) {
  int64_t rank = 0;
  bool is_first = true;
  for_each_tensor(b, [&](const Node& node) {
    if (is_first) rank = node.type().rank();
    is_first = false;
  });
  return rank;
}

/// Returns an argument with its dimensions shifted, for tensors that have at least one dimension.
AnyArg shifted_argument(Batch& b, std::string_view name, int64_t rank) {
  const Argument value = b.argument(name);
  if (value.is_int()) return b.shifted(value.as_int(), rank);
  const bool is_all =
      value.is_none() || ((value.is_list() || value.is_tuple()) && value.size() == 0);
  std::vector<int64_t> dims =
      is_all ? Batch::range(0, std::max<int64_t>(rank, 1)) : b.integers(name);
  for (int64_t& dim : dims) dim = b.shifted(dim, rank);
  return IntList(dims);
}

std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> names;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(", ", begin), list.size());
    names.push_back(list.substr(begin, end - begin));
    begin = end + 2;
  }
  return names;
}

/// Reshapes a result to the batch size followed by the sizes of one example.
Proxy as_example(Batch& b, const Proxy& value, size_t i) {
  return b.rank(value) == b.result(i).rank() + 1 ? value
                                                 : b.reshape(value, b.sizes_of(b.result(i)));
}

AnyArg dims_rule(Batch& b, std::string_view dims) {
  const int64_t rank = counted_rank(b);
  std::vector<std::pair<std::string_view, AnyArg>> replaced;
  for (const std::string_view name : names_in(dims))
    replaced.emplace_back(name, shifted_argument(b, name, rank));
  if (!b.status().ok()) return {};
  // Scalars become one-element vectors.
  const auto operand = [&](Node& node) {
    if (!node.type().is_tensor()) return Batch::as_argument(b.plain(node));
    const Proxy value = b.expanded(node);
    return Batch::as_argument(node.type().rank() == 0 ? unsqueeze(value, 1) : value);
  };
  const ops::OpSchema& schema = b.call().function().op()->schema();
  std::vector<std::pair<std::string_view, AnyArg>> all;
  for (const ops::SchemaArgument& argument : schema.arguments()) {
    const std::string_view name = argument.name;
    const auto entry =
        std::ranges::find_if(replaced, [&](const auto& r) { return r.first == name; });
    if (entry != replaced.end()) {
      all.push_back(*entry);
      continue;
    }
    const Argument value = b.argument(name);
    bool has_node = value.is_node();
    for (size_t i = 0; i < value.size(); ++i) has_node |= value[i].is_node();
    if (has_node)
      all.emplace_back(
          name, AnyArg(Operand(map_nodes(value, [&](Node* node) { return operand(*node); }), &b)));
  }
  const Proxy results = b.call_with(all);
  if (rank > 0 || !results.defined()) return results;
  if (results.node()->type().is_tensor()) return as_example(b, results, 0);
  std::vector<Argument> items;
  items.reserve(results.node()->type().items().size());
  for (size_t i = 0; i < results.node()->type().items().size(); ++i)
    items.push_back(AnyArg(as_example(b, results[static_cast<int64_t>(i)], i)).value());
  return AnyArg(Operand(Argument::tuple(items), &b));
}

// ---- Operands with a batch

AnyArg fold_rule(Batch& b, int64_t unbatched_rank) {
  const int64_t rank = counted_rank(b);
  if (rank != unbatched_rank && rank != unbatched_rank + 1)
    return b.reject("the first tensor must have " + std::to_string(unbatched_rank) + " or " +
                    std::to_string(unbatched_rank + 1) + " dimensions");
  const bool has_batch = rank == unbatched_rank + 1;
  bool have_same_rank = true;
  const Proxy results = b.call_mapped([&](Node& node) {
    if (!node.type().is_tensor()) return Batch::as_argument(b.plain(node));
    have_same_rank &= (node.type().rank() == unbatched_rank + 1) == has_batch;
    const Proxy value = b.expanded(node);
    return Batch::as_argument(has_batch ? b.folded(value) : value);
  });
  if (!have_same_rank)
    return b.reject("either all operands or none must already have a batch dimension");
  if (!has_batch || !results.defined()) return results;
  if (results.node()->type().is_tensor()) return b.unfolded(results, b.result());
  std::vector<Argument> items;
  items.reserve(results.node()->type().items().size());
  for (size_t i = 0; i < results.node()->type().items().size(); ++i)
    items.push_back(AnyArg(b.unfolded(results[static_cast<int64_t>(i)], b.result(i))).value());
  return AnyArg(Operand(Argument::tuple(items), &b));
}

}  // namespace

AnyArg apply_batching(Batch& b, const BatchingRule* rule) {
  if (rule == nullptr) return pointwise(b);
  switch (rule->kind) {
    case BatchKind::kPointwise:
      return pointwise(b);
    case BatchKind::kLeading:
      return leading(b);
    case BatchKind::kLeadingFirst:
      return leading_first(b);
    case BatchKind::kDims:
      return dims_rule(b, rule->dims);
    case BatchKind::kFold:
      return fold_rule(b, rule->unbatched_rank);
    case BatchKind::kByFunction:
      return rule->function(b);
  }
  return {};
}

}  // namespace fx
