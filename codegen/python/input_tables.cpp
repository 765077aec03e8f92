// Writes the tables of inputs: see input_tables_internal.h.
#include "fx/codegen/python/input_tables_internal.h"
#include "fx/interp/data_name.h"
#include "fx/interp/shared_inputs.h"
#include "fx/ir/graph/node.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/symbolic/dim.h"
#include "fx/ir/types/type.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <vector>

namespace fx::python {
namespace {

constexpr std::string_view kArguments = R"py(

def _bytes(tensor):
    tensor = tensor.detach().resolve_conj().resolve_neg()
    return tensor.clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8)


def _in_one_storage(values, layouts):
    """Returns copies of the tensors with these strides and offsets, in one storage."""
    ends = [
        (offset + 1 + sum((size - 1) * stride for size, stride in zip(value.shape, strides))) * value.itemsize
        for value, (strides, offset) in zip(values, layouts)
        if value.numel()
    ]
    memory = torch.zeros(max(ends, default=0), dtype=torch.uint8, device=values[0].device).untyped_storage()
    copies = []
    for value, (strides, offset) in zip(values, layouts):
        to = torch.empty(0, dtype=value.dtype, device=value.device).set_(memory, offset, value.shape, strides)
        copies.append(to)
        for dim, stride in enumerate(strides):
            if stride == 0 and value.shape[dim] > 1:  # all elements share memory
                to, value = to.narrow(dim, 0, 1), value.narrow(dim, 0, 1)
        to.copy_(value)
    for copy, value in zip(copies, values):
        if not torch.equal(_bytes(copy), _bytes(value)):
            raise ValueError("values that share memory are different where they overlap")
    return copies


def arguments(tensors):
    """Returns the positional inputs of forward, in order. `tensors` is a mapping from the names in
    INPUTS to tensors, or the name of the safetensors file that fxcpp wrote next to the graph. Tensors
    are copied, and get the strides and the offset of the graph. Inputs that share memory in the graph
    (SHARED) are in one storage."""
    tensors = _read(tensors)
    values = [
        kind(tensors[name]) if isinstance(kind, type) else tensors[name] for name, kind in INPUTS.items()
    ]
    layouts = _evaluate_layouts(values)
    names = list(INPUTS)
    groups = [[names.index(name) for name in group] for group in SHARED]
    shared = {i for group in groups for i in group}
    for group in groups:
        if None in (layouts[i] for i in group):
            raise ValueError(
                f"the inputs {[names[i] for i in group]} share memory, but their types do not determine "
                "their strides and offsets"
            )
    for i, value in enumerate(values):
        if i not in shared and isinstance(value, torch.Tensor) and value.layout is torch.strided:
            groups.append([i])
            layouts[i] = layouts[i] or (value.stride(), 0)
    for group in groups:
        copies = _in_one_storage([values[i] for i in group], [layouts[i] for i in group])
        for i, copy in zip(group, copies):
            values[i] = copy
    if IN_SPEC is None:
        return values
    values = torch.utils._pytree.tree_unflatten(
        values, torch.utils._pytree.treespec_loads(IN_SPEC)
    )
    if HAS_KWARGS:
        return [*values[0], *values[1].values()]
    return list(values)
)py";

/// Appends a number, or the text of an expression of symbols.
bool append_dim(std::string& out, const Dim& dim) {
  if (dim.is_int()) {
    out += fmt::format("{}", dim.value());
    return false;
  }
  fx::text::append_python_string(out, to_string(dim));
  return true;
}

/// Appends "((strides), offset)".
bool append_layout(std::string& out, Type type) {
  bool is_symbolic = false;
  out += "((";
  for (int i = 0; i < type.rank(); ++i) {
    if (i > 0) out += ", ";
    is_symbolic |= append_dim(out, type.stride(i));
  }
  out += type.rank() == 1 ? ",), " : "), ";
  is_symbolic |= append_dim(out, type.offset());
  out += ')';
  return is_symbolic;
}

/// Returns true if the type states where the elements of a tensor are in its storage.
bool has_layout(Type type) {
  return type.is_tensor() && type.has_rank() && type.has_strides() &&
         (type.offset().is_int() || type.offset().is_symbolic());
}

}  // namespace

bool append_inputs(std::string& out, const Graph& graph) {
  std::vector<const Node*> inputs;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || node.target().starts_with("**")) continue;
    if (node.target().starts_with('*')) break;  // keyword-only parameters follow
    inputs.push_back(&node);
  }
  absl::flat_hash_set<const Node*> shared;
  std::vector<SharedInputs> groups = shared_inputs(graph);
  for (SharedInputs& group : groups) {
    std::erase_if(group.nodes, [&](const Node* node) {
      return std::ranges::find(inputs, node) == inputs.end();
    });
    if (group.nodes.size() > 1) shared.insert(group.nodes.begin(), group.nodes.end());
  }
  std::erase_if(groups, [](const SharedInputs& group) { return group.nodes.size() < 2; });
  bool is_symbolic = false;
  out += "INPUTS = {";
  for (const Node* const node : inputs) {
    out += "\n    ";
    fx::text::append_python_string(out, data_name(*node));
    out += ": ";
    const Type type = node->type();
    if (type.kind() == TypeKind::kInt) {
      out += "int";
    } else if (type.kind() == TypeKind::kFloat) {
      out += "float";
    } else if (type.kind() == TypeKind::kBool) {
      out += "bool";
    } else if (has_layout(type) &&
               (shared.contains(node) || !type.has_default_strides() || type.offset() != Dim(0))) {
      is_symbolic |= append_layout(out, type);
    } else {
      out += "None";
    }
    out += ',';
  }
  out += inputs.empty() ? "}\nSHARED = (" : "\n}\nSHARED = (";
  for (const SharedInputs& group : groups) {
    out += "\n    (";
    for (const Node* const node : group.nodes) {
      fx::text::append_python_string(out, data_name(*node));
      out += ", ";
    }
    out += "),";
  }
  out += groups.empty() ? ")\n" : "\n)\n";
  return is_symbolic;
}

std::string_view arguments_function() { return kArguments; }

}  // namespace fx::python
