// A Python file of its own from a graph: see python_module in python.h.
#include "fx/codegen/python/emitter_internal.h"
#include "fx/codegen/python/python.h"
#include "fx/ir/python_text_internal.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <string>
#include <vector>

namespace fx {
namespace {

constexpr std::string_view kHelpers = R"py(

def _read(values):
    if isinstance(values, (str, bytes)) or hasattr(values, "__fspath__"):
        import safetensors.torch

        return safetensors.torch.load_file(values)
    return values


class _Module(torch.nn.Module):
    """Holds the members of the graph at their paths; its forward is the graph."""

    def __init__(self, members=None):
        super().__init__()
        members = _read(members or {})
        for path in MEMBERS:
            if path not in members:
                raise KeyError(f"the graph reads {path!r}: pass it among the members")
            *parents, name = path.split(".")
            owner = self
            for parent in parents:
                if not hasattr(owner, parent):
                    owner.add_module(parent, torch.nn.Module())
                owner = getattr(owner, parent)
            value = members[path]
            if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
                owner.register_buffer(name, value)
            else:
                setattr(owner, name, value)

    forward = forward


def load(members=None):
    """The graph as a torch.nn.Module. `members`: what MEMBERS lists, as a mapping of path to tensor
    or module, or the name of a safetensors file."""
    return _Module(members)


def trace(members=None):
    """The graph as a torch.fx.GraphModule, by tracing load(members). As torch.fx always does, this
    computes what depends on no input."""

    class Tracer(torch.fx.Tracer):
        def is_leaf_module(self, module, path):
            return True

    tracer = Tracer()
    module = load(members)
    return torch.fx.GraphModule(module, tracer.trace(module), NAME)


def arguments(tensors):
    """The inputs of forward, in order, from a mapping of names to tensors, or the name of the
    safetensors file that fxcpp wrote beside the graph."""
    tensors = _read(tensors)
    return [tensors[name] for name in INPUTS]
)py";

/// A tuple of strings, one a line.
void append_tuple(std::string& out, std::string_view name, const std::vector<std::string>& items) {
  out += name;
  out += " = (";
  for (const std::string& item : items) {
    out += "\n    ";
    text::append_python_string(out, item);
    out += ',';
  }
  out += items.empty() ? ")\n" : "\n)\n";
}

/// The paths that the graph reads, each once: modules first, so that tensors of theirs stay theirs.
std::vector<std::string> members_of(const Graph& graph) {
  std::vector<std::string> out;
  absl::flat_hash_set<std::string_view> seen;
  for (const Opcode op : {Opcode::kCallModule, Opcode::kGetAttr})
    for (const Node& node : graph.nodes())
      if (node.op() == op && seen.insert(node.target()).second) out.emplace_back(node.target());
  return out;
}

}  // namespace

absl::StatusOr<std::string> python_module(const Graph& graph, std::string_view name) {
  FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(graph));
  FX_ASSIGN_OR_RETURN(const std::string imports, code.import_block());
  std::vector<std::string> inputs;
  for (const Node& node : graph.nodes())
    if (node.is_placeholder()) inputs.push_back(node.name());
  std::string out =
      "# Written by fxcpp: forward is the code of the graph, load() a module of it.\n";
  out += imports;
  out += "\nimport torch.fx\n\nNAME = ";
  text::append_python_string(out, name);
  out += '\n';
  append_tuple(out, "MEMBERS", members_of(graph));
  append_tuple(out, "INPUTS", inputs);
  out += code.source;
  out += '\n';
  out += kHelpers;
  return out;
}

}  // namespace fx
