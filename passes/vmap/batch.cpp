// Batch: see batch.h.
#include "fx/passes/vmap/batch.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/sym_nodes.h"
#include "fx/ir/ops/op_info.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fx {

Batch::Batch(Graph& graph) : Decomposer(graph), batched_(graph, nullptr) {}

// ---------------------------------------------------------------- operands

Node* Batch::operand(std::string_view name) {
  const Proxy value = tensor(name);
  // After an error, the node does not matter: nothing is recorded.
  return value.defined() ? value.node() : const_cast<Node*>(&call());  // NOLINT
}

bool Batch::is_batched(std::string_view name) const {
  const Argument value = argument(name);
  if (const Node* node = value.node()) return is_batched(*node);
  for (size_t i = 0; i < value.size(); ++i)
    if (const Node* node = value[i].node(); node != nullptr && is_batched(*node)) return true;
  return false;
}

std::vector<Proxy> Batch::all(std::string_view name) {
  std::vector<Proxy> values = tensors(name);
  for (Proxy& value : values)
    if (value.defined()) value = expanded(*value.node());
  return values;
}

Proxy Batch::expanded(Node& value) {
  if (batched_[value] != nullptr) return plain(value);
  if (!size_.has_value()) {
    fail(absl::InternalError("a value cannot be expanded if nothing is batched"));
    return Proxy::failed(*this);
  }
  const Proxy shared(value, *this);
  std::vector<IntArg> batched_sizes = sizes(shared);
  batched_sizes.insert(batched_sizes.begin(), batch_size());
  return shared.expand(batched_sizes);
}

Proxy Batch::aligned(Node& value, int64_t rank) {
  const Proxy x = plain(value);
  if (batched_[value] == nullptr) return x;
  Proxy result = x;
  for (int64_t i = value.type().rank(); i < rank; ++i) result = unsqueeze(result, 1);
  return result;
}

// ---------------------------------------------------------------- sizes

std::vector<IntArg> Batch::sizes_of(Type example) {
  std::vector<IntArg> result = {batch_size()};
  if (!example.is_tensor()) return result;
  for (const Dim& size : example.sizes()) {
    if (size.is_int()) {
      result.emplace_back(size.value());
      continue;
    }
    const absl::StatusOr<Argument> value = materialize_symint(graph(), size);
    if (!value.ok()) {
      fail(value.status());
      return result;
    }
    result.push_back(value->is_node() ? IntArg(Proxy(*value->as_node(), *this))
                                      : IntArg(value->as_int()));
  }
  return result;
}

IntArg Batch::times(const IntArg& a, const IntArg& b) {
  const ScalarArg result = product({a, b});
  if (Node* const node = result.value().node()) return IntArg(Proxy(*node, *this));
  return IntArg(result.value().is_int() ? result.value().as_int() : 0);  // 0 after an error
}

Proxy Batch::flat(const Proxy& x) {
  IntArg count(1);
  for (const IntArg& size : sizes(x, 1)) count = times(count, size);
  return reshape(x, {batch_size(), count});
}

Proxy Batch::folded(const Proxy& x) {
  std::vector<IntArg> merged = sizes(x, 2);
  merged.insert(merged.begin(), times(size(x, 0), size(x, 1)));
  return reshape(x, merged);
}

Proxy Batch::moved(const Proxy& x, int64_t from, int64_t to) {
  if (from == to || !x.defined()) return x;
  std::vector<int64_t> dims = range(0, rank(x));
  const auto position = dims.begin() + from;
  if (from < to)
    std::rotate(position, position + 1, dims.begin() + to + 1);
  else
    std::rotate(dims.begin() + to, position, position + 1);
  return x.permute(dims);
}

Proxy Batch::batch_indices(const Proxy& like, int64_t rank) {
  return unsqueeze_to(iota(batch_size(), like), rank);
}

// ---------------------------------------------------------------- calls

Proxy Batch::call_mapped(absl::FunctionRef<Argument(Node&)> operand) {
  const auto mapped = [&](Node* node) { return operand(*node); };
  std::vector<Argument> args;
  args.reserve(call().num_args());
  std::vector<Kwarg> kwargs;
  for (size_t i = 0; i < call().num_args(); ++i)
    args.push_back(map_nodes(Argument(call().arg(i)), mapped));
  for (const Kwarg& kwarg : call().kwargs())
    kwargs.emplace_back(kwarg.key, map_nodes(kwarg.value, mapped));
  return call_function(call().function(), args, kwargs);
}

AnyArg Batch::shared(const Proxy& value) {
  is_shared_ = true;
  return value;
}

}  // namespace fx
