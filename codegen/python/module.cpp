// Writes a graph as a self-contained Python file: see python_module in python.h.
#include "fx/codegen/python/convention_internal.h"
#include "fx/codegen/python/emitter_internal.h"
#include "fx/codegen/python/input_tables_internal.h"
#include "fx/codegen/python/python.h"
#include "fx/codegen/python/size_checks_internal.h"
#include "fx/codegen/separate_members_internal.h"
#include "fx/interp/data_name.h"
#include "fx/interp/input_constants.h"
#include "fx/interp/size_checks.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/tied_paths.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fx {
namespace {

constexpr std::string_view kHelpers = R"py(

def _read(values):
    if isinstance(values, (str, bytes)) or hasattr(values, "__fspath__"):
        import safetensors.torch

        tensors = safetensors.torch.load_file(values)
        with safetensors.safe_open(values, "pt") as file:
            names = file.metadata() or {}
        for name, first in names.items():  # a tied tensor is stored under one name
            if name not in tensors and first in tensors:
                tensors[name] = tensors[first]
        return tensors
    return values


def _values(members):
    """Returns the values of MEMBERS by path: one tensor for all paths of a tied tensor."""
    members = _read(members or {})
    groups = {path: paths for paths in TIED for path in paths}
    values = {}
    for path in MEMBERS:
        found = [name for name in groups.get(path, (path,)) if name in members]
        if not found:
            raise KeyError(f"the graph uses {path!r}: pass it in `members`")
        values[path] = members[found[0]]
        for name in found[1:]:
            if not _same_values(members[name], values[path]):
                raise ValueError(f"{found[0]!r} and {name!r} must be equal: they are one tensor in the graph")
    return values


def _same_values(a, b):
    if a is b or a.is_meta or b.is_meta:
        return True
    return a.shape == b.shape and a.dtype == b.dtype and torch.equal(_bytes(a), _bytes(b).to(a.device))


def _place(owner, path):
    """Returns the module that contains the member at this path, and the member's name in it."""
    *parents, name = path.split(".")
    for parent in parents:
        if parent not in owner._modules:
            _check_free(owner, parent, path)
            owner._modules[parent] = torch.nn.Module()
        owner = owner._modules[parent]
    owner._parameters.pop(name, None)  # a module passed by the caller has its own tensors
    owner._buffers.pop(name, None)
    _check_free(owner, name, path)
    return owner, name


def _check_free(owner, name, path):
    if hasattr(owner, name):
        raise KeyError(f"{path!r}: a module already has an attribute {name!r}; rename it in the graph")


class _Module(torch.nn.Module):
    """Contains the members of the graph at their paths, and its nested graphs; `forward` runs the
    graph."""

    def __init__(self, members=None):
        super().__init__()
        for path, function in GRAPHS.items():
            owner, name = _place(self, path)
            owner._modules[name] = type("Graph", (torch.nn.Module,), {"forward": function})()
        for path, value in _values(members).items():
            owner, name = _place(self, path)
            if isinstance(value, torch.nn.Parameter):
                owner._parameters[name] = value
            elif isinstance(value, torch.Tensor):
                owner._buffers[name] = value
            else:
                setattr(owner, name, value)
        if IN_SPEC is not None:
            self._in_spec = torch.utils._pytree.treespec_loads(IN_SPEC)
        if OUT_SPEC is not None:
            self._out_spec = torch.utils._pytree.treespec_loads(OUT_SPEC)

    forward = forward
)py";

constexpr std::string_view kLoad = R"py(

def load(members=None):
    """Returns the graph as a torch.nn.Module. `members` is a mapping from the paths in MEMBERS to
    tensors or modules, or the name of a safetensors file."""
    return _Module(members)


def _evaluate_layouts(values):
    return list(INPUTS.values())
)py";

constexpr std::string_view kTrace = R"py(

def trace(members=None):
    """Returns the graph as a torch.fx.GraphModule, created by tracing load(members). Unlike torch.fx's
    own tracer, it records calls without inputs, in-place operators and assignments to items, and
    attributes of tensors where they are read."""
    import operator

    if forward.__code__.co_kwonlyargcount:
        raise NotImplementedError(
            "torch.fx's tracer makes parameters after *args positional: trace() cannot keep "
            + ", ".join(forward.__code__.co_varnames[forward.__code__.co_argcount :][
                : forward.__code__.co_kwonlyargcount
            ])
        )

    def recorded(function):
        def method(self, *args):
            return self.tracer.create_proxy("call_function", function, (self, *args), {})

        return method

    # torch.fx's proxies do not have these; Python would call x + y for x += y.
    operators = "add and floordiv lshift matmul mod mul or pow rshift sub truediv xor".split()
    methods = {f"__i{name}__": recorded(getattr(operator, f"i{name}")) for name in operators}
    methods["__setitem__"] = recorded(operator.setitem)
    methods["__delitem__"] = recorded(operator.delitem)

    def attribute(self, name):
        result = Attribute(self, name)
        if hasattr(torch.Tensor, name) and not callable(getattr(torch.Tensor, name)):
            result.node  # records c.shape now: a later call may change c
        return result

    methods["__getattr__"] = attribute
    Proxy = type("Proxy", (torch.fx.Proxy,), methods)
    Attribute = type("Attribute", (torch.fx.proxy.Attribute,), methods)

    class Tracer(torch.fx.Tracer):
        proxy_buffer_attributes = True

        def is_leaf_module(self, module, path):
            return True

        def proxy(self, node):
            return Proxy(node, self)

    class RecordAll(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            leaves = torch.utils._pytree.tree_leaves((args, kwargs))
            has_proxy = any(isinstance(leaf, torch.fx.Proxy) for leaf in leaves)
            is_query = getattr(function, "__name__", "") == "__get__"  # x.shape of a member
            if isinstance(function, torch._ops.OpOverload):
                # An operator does not accept a list of sizes with a proxy, [4, n].
                operands = (*args, *(kwargs or {}).values())
                has_proxy = any(isinstance(operand, torch.fx.Proxy) for operand in operands)
            if has_proxy or is_query or isinstance(function, type):  # torch.device
                return function(*args, **(kwargs or {}))
            if torch.overrides.is_tensor_method_or_property(function):
                return tracer.create_proxy("call_method", function.__name__, args, kwargs or {})
            return tracer.create_proxy("call_function", function, args, kwargs or {})

    class HigherOrder:
        """Records calls that run graphs. Those that change a mode (autocast) would only run the
        graph."""

        def __getattr__(self, name):
            function = getattr(higher_order, name)

            def argument(value):
                if not isinstance(value, torch.nn.Module):
                    return value
                return tracer.create_proxy("get_attr", tracer.path_of_module(value), (), {})

            def call(*args, **kwargs):
                args = [argument(value) for value in args]
                return tracer.create_proxy("call_function", function, tuple(args), kwargs)

            return call if name.startswith("wrap_with_") else function

    tracer = Tracer()
    module = load(members)
    higher_order = torch.ops.higher_order
    torch.ops.higher_order = HigherOrder()
    try:
        with RecordAll():
            graph = tracer.trace(module)
    except Exception as error:
        if not GRAPHS:
            raise
        raise NotImplementedError(
            "torch.fx's tracer cannot record the calls to " + ", ".join(GRAPHS) + f": {error}"
        ) from error
    finally:
        torch.ops.higher_order = higher_order
    _keep_values(graph, operator.pow, [getattr(operator, f"i{name}") for name in operators])
    return torch.fx.GraphModule(module, graph, NAME)


def _keep_values(graph, power, in_place):
    """Replaces constants with calls if torch.fx's text evaluates to a different value: -0.0 ** x is
    -(0.0 ** x), and (-0+2j) is 2j. Raises an error for calls that torch.fx cannot write."""
    import keyword

    def keep(value):
        if not isinstance(value, complex) or repr(value) == repr(_evaluate(repr(value))):
            return value
        return make(value)

    def make(value):
        if not isinstance(value, (int, float, complex)):
            raise NotImplementedError(f"{node.name}: torch.fx cannot write its argument {value!r}")
        parts = (value.real, value.imag) if isinstance(value, complex) else (value,)
        with graph.inserting_before(node):
            return graph.call_function(type(value), parts)

    seen = set()
    for node in list(graph.nodes):
        seen.add(node)
        if node.op == "placeholder":
            if any(isinstance(value, complex) for value in node.args):
                raise NotImplementedError(f"{node.name}: torch.fx cannot write its default value")
            continue
        for key in node.kwargs:
            if not key.isidentifier() or keyword.iskeyword(key):
                raise NotImplementedError(f"{node.name}: torch.fx cannot write the keyword {key!r}")
        node.args = torch.fx.node.map_aggregate(node.args, keep)
        node.kwargs = torch.fx.node.map_aggregate(node.kwargs, keep)
        if node.op != "call_function" or not node.args:
            continue
        base = node.args[0]
        is_negative = isinstance(base, (int, float)) and str(base).startswith("-")
        if node.target is power and is_negative or (
            node.target in in_place and not isinstance(base, torch.fx.Node)
        ):
            node.update_arg(0, make(base))
        elif node.target in in_place and not seen.issuperset(base.users):
            raise NotImplementedError(
                f"{node.name}: {base.name} is used later, and torch.fx would write a statement that "
                f"changes {base.name} if it is a number; infer the types of the graph first"
            )


def _evaluate(text):
    try:
        return eval(text, {})
    except NameError:  # inf and nan
        return None
)py";

/// Appends the definition of a tuple of strings, one on each line.
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

/// Appends the tree specs of arguments and results, in the format of
/// torch.utils._pytree.treespec_loads.
void append_convention(std::string& out, const std::optional<python::Convention>& convention) {
  const auto append = [&](std::string_view name, std::string_view spec) {
    out += name;
    out += " = ";
    if (spec.empty()) {
      out += "None";
    } else {
      text::append_python_string(out, spec);
    }
    out += '\n';
  };
  append("IN_SPEC", convention ? convention->in_spec : "");
  append("OUT_SPEC", convention ? convention->out_spec : "");
  if (convention) out += convention->has_kwargs ? "HAS_KWARGS = True\n" : "HAS_KWARGS = False\n";
}

/// Appends the paths of members that the graph uses, without duplicates. Modules come first,
/// because tensors with paths inside modules must replace the modules' tensors.
void append_members(std::vector<std::string>& out, const Graph& graph, const std::string& prefix) {
  absl::flat_hash_set<std::string_view> seen;
  for (const Opcode op : {Opcode::kCallModule, Opcode::kGetAttr})
    for (const Node& node : graph.nodes())
      if (node.op() == op && graph.find_subgraph(node.target()) == nullptr &&
          seen.insert(node.target()).second)
        out.push_back(prefix + std::string(node.target()));
}

/// Appends the paths of each tied tensor that the graph uses.
void append_tied(std::string& out, const Module* root, const std::vector<std::string>& members) {
  const TiedPaths ties(root);
  absl::flat_hash_set<const std::string*> seen;
  std::string items;
  for (const std::string& member : members) {
    const absl::Span<const std::string> paths = ties.paths(member);
    if (paths.empty() || !seen.insert(paths.data()).second) continue;
    items += "    (";
    for (const std::string& path : paths) {
      text::append_python_string(items, path);
      items += ", ";
    }
    items.replace(items.size() - 2, 2, "),\n");
  }
  out += items.empty() ? "TIED = ()\n" : "TIED = (\n" + items + ")\n";
}

/// Appends the functions of nested graphs, outer graphs first, and the table of their paths. Each
/// function is defined inside a separate function, so that its imports are local.
absl::Status append_graphs(std::string& out, std::string& table,
                           absl::Span<const NestedGraph> graphs) {
  for (const NestedGraph& nested : graphs) {
    if (nested.graph->meta("calling_convention"))
      return absl::UnimplementedError(fmt::format(
          "nested graph \"{}\" must not have a calling convention; remove it or trace again",
          nested.path));
    FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(*nested.graph));
    FX_ASSIGN_OR_RETURN(const std::string imports, code.import_block());
    size_t def = 0;  // after the wrap() statements, which must be at the top of a file
    for (int line = 1; line < code.prologue_line; ++line) def = code.source.find('\n', def) + 1;
    const auto name = fmt::format("_graph_{}", std::count(table.begin(), table.end(), '\n'));
    const std::string body = fmt::format("{}\n\n{}", imports, code.source.substr(def));
    out +=
        fmt::format("\n\ndef {}():\n    {}\n\n    return forward\n", name, python::indented(body));
    table += "    ";
    text::append_python_string(table, nested.path);
    table += fmt::format(": {}(),\n", name);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> python_module(const Graph& graph, std::string_view name) {
  for (const Node& node : graph.nodes()) {
    if (node.is_placeholder() && node.target() == "self")
      return node_error(
          node, absl::InvalidArgumentError("the module parameter of forward is named \"self\"; "
                                           "change the target of the placeholder"));
  }
  std::vector<std::string> members;
  append_members(members, graph, "");
  const std::vector<NestedGraph> inner = nested_graph_paths(graph, python::kMaxNesting);
  for (const NestedGraph& nested : inner) {
    if (nested.depth == python::kMaxNesting)
      return absl::UnimplementedError(
          fmt::format("graphs are nested more than {} levels deep", python::kMaxNesting));
    append_members(members, *nested.graph, nested.path + ".");
  }
  FX_RETURN_IF_ERROR(check_separate_members(graph, graph.owning_module()));
  FX_ASSIGN_OR_RETURN(const PythonCode code, python_code(graph));
  FX_ASSIGN_OR_RETURN(const std::string imports, code.import_block());
  FX_ASSIGN_OR_RETURN(const std::optional<python::Convention> convention,
                      python::read_convention(graph));
  if (convention && convention->in_spec.empty())
    return absl::InvalidArgumentError("the graph's calling_convention must have \"in_spec\"");
  std::string graphs, table;
  FX_RETURN_IF_ERROR(append_graphs(graphs, table, inner));
  std::string out =
      "# Written by fxcpp. forward is the code of the graph; load() returns it as a module.\n";
  out += imports;
  out += "\nimport torch.fx\n\nNAME = ";
  text::append_python_string(out, name);
  out += '\n';
  append_tuple(out, "MEMBERS", members);
  append_tied(out, graph.owning_module(), members);
  const bool has_symbolic_layouts = python::append_inputs(out, graph);
  append_convention(out, convention);
  const SizeChecks sizes(graph);
  const std::vector<InputConstant> constants = input_constants(graph);
  const std::vector<SharedPair> sharing = required_sharing(graph);
  const bool has_checks =
      !sizes.empty() || !constants.empty() || !sharing.empty() || has_symbolic_layouts;
  if (has_checks) python::append_input_checks(out, sizes, constants, sharing);
  std::vector<std::string> functions;
  for (const PythonGlobal& global : code.globals)
    if (global.is_function) functions.push_back(global.name);
  if (!functions.empty()) {
    append_tuple(out, "FUNCTIONS", functions);
    out += "for _name in FUNCTIONS:  # a tracer records calls to them\n    torch.fx.wrap(_name)\n";
  }
  out += code.source;
  out += '\n';
  out += graphs;
  out += table.empty() ? "\n\nGRAPHS = {}\n" : "\n\nGRAPHS = {\n" + table + "}\n";
  out += kHelpers;
  out += has_checks ? python::checked_load() : kLoad;
  out += kTrace;
  out += python::arguments_function();
  return out;
}

}  // namespace fx
