// Checks of inputs in Python: see size_checks_internal.h.
#include "fx/codegen/python/size_checks_internal.h"
#include "fx/ir/python/python_text.h"

#include "fmt/format.h"

#include <cmath>

namespace fx::python {
namespace {

constexpr std::string_view kCheckedLoad = R"py(

def _item(values, number, path):
    """Returns an item of an input; None if there is none."""
    value = values[number] if number < len(values) else None
    for item in path:
        value = value[item] if isinstance(value, (list, tuple)) and item < len(value) else None
    return value


def _number(values, number, path, quantity, dim):
    """Returns a rank, size, stride, offset or number of an input; None if the input is not passed."""
    value = _item(values, number, path)
    if quantity == "number":
        return value if isinstance(value, int) else None
    if not isinstance(value, torch.Tensor):
        return None
    if quantity == "rank":
        return value.dim()
    if quantity == "offset":
        return value.storage_offset()
    if dim >= value.dim():
        raise ValueError(f"input {number} has rank {value.dim()}, so it has no dimension {dim}")
    return value.size(dim) if quantity == "size" else value.stride(dim)


_SIZE_FUNCTIONS = {
    "Eq": lambda a, b: a == b,
    "Ne": lambda a, b: a != b,
    "Min": min,
    "Max": max,
    "Mod": lambda a, b: a % b,
    "PythonMod": lambda a, b: a % b,
    "FloorDiv": lambda a, b: a // b,
    "CeilDiv": lambda a, b: -(-a // b),
    "IntTrueDiv": lambda a, b: a / b,
    "ToFloat": float,
    "TruncToInt": int,
    "FloorToInt": lambda a: int(a // 1),
    "CeilToInt": lambda a: -int(-a // 1),
    "Abs": abs,
}


def _value_of(text, symbols):
    return eval(text, {"__builtins__": {}}, _SIZE_FUNCTIONS | symbols)


def check_sizes(values):
    """Raises a ValueError if the sizes of the inputs, which are flattened and in the order of the graph,
    do not satisfy the assumptions of the graph."""
    symbols, locations = {}, {}

    def value_of(text):
        return _value_of(text, symbols)

    def known(names):
        return ", ".join(f"{name} is {symbols[name]} ({locations[name]})" for name in names)

    for location, where, symbol, factor, offset, text, names in SIZES:
        found = _number(values, *where)
        if found is None:
            continue
        if symbol is not None:
            value, rest = divmod(found - offset, factor)
            if rest:
                raise ValueError(f"{location} is {found}, which is not {text} for any {symbol}")
            symbols[symbol], locations[symbol] = value, location
        elif symbols.keys() >= set(names) and value_of(text) != found:
            reason = f", which is {value_of(text)}: {known(names)}" if names else ""
            raise ValueError(f"{location} is {found}, but its type specifies {text}{reason}")
    for what, text, names in GUARDS:
        if symbols.keys() >= set(names) and not value_of(text):
            raise ValueError(f"the {what} of the graph does not hold: {known(names)}")


def check_constants(values):
    """Raises a ValueError if an input differs from the only value that its type allows. `values` are
    as for check_sizes."""
    for location, (number, path), constant in CONSTANTS:
        value = _item(values, number, path)
        if number >= len(values) or isinstance(value, torch.fx.Proxy):
            continue
        is_nan = constant != constant
        if type(value) is not type(constant) or (value == value if is_nan else value != constant):
            found = "a tensor" if isinstance(value, torch.Tensor) else repr(value)
            raise ValueError(f"{location} is {found}, but the graph requires {constant!r}")


def check_memory(values):
    """Raises a ValueError if inputs that share memory in the graph, which writes to memory, do not share
    it in the same way. `values` are as for check_sizes."""
    for first, first_name, second, second_name, distance in MEMORY:
        a, b = _item(values, first, ()), _item(values, second, ())
        if not (isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)):
            continue
        if a.untyped_storage()._cdata != b.untyped_storage()._cdata:
            raise ValueError(
                f"the inputs {first_name} and {second_name} share memory in the graph, and the graph writes "
                "to memory, but the passed values do not share memory"
            )
        found = b.storage_offset() * b.itemsize - a.storage_offset() * a.itemsize
        if distance not in (None, found):
            raise ValueError(
                f"the input {second_name} must begin {distance} bytes after {first_name} in their shared "
                f"memory, but the passed value begins {found} bytes after it"
            )


def _evaluate_layouts(values):
    """Returns the values of INPUTS, with the strides and offsets that the sizes of the inputs determine."""
    symbols = {}
    for _, where, symbol, factor, offset, _, _ in SIZES:
        found = _number(values, *where) if symbol and where[2] in ("size", "number") else None
        if found is not None and (found - offset) % factor == 0:
            symbols[symbol] = (found - offset) // factor

    def number(value):
        return _value_of(value, symbols) if isinstance(value, str) else value

    def evaluated(kind):
        if not isinstance(kind, tuple):
            return kind
        try:
            return tuple(map(number, kind[0])), number(kind[1])
        except NameError:  # a symbol without a value
            return None

    return [evaluated(kind) for kind in INPUTS.values()]


def _leaves(module, args, kwargs):
    """Returns the inputs of the graph, in its order."""
    import inspect

    bound = inspect.signature(forward).bind(module, *args, **kwargs)
    bound.apply_defaults()
    values = list(bound.arguments.values())
    if IN_SPEC is None:
        return values[1:]
    spec = module._in_spec
    if not HAS_KWARGS:
        # A graph may receive the module as its first argument.
        has_module = spec.num_children == len(values)
        values = values if has_module else values[1:]
        return torch.fx._pytree.tree_flatten_spec(values, spec)[has_module:]
    args_spec, kwargs_spec = spec.children()
    count = args_spec.num_children + 1
    values = (values[1:count], dict(zip(kwargs_spec.context, values[count:])))
    return torch.fx._pytree.tree_flatten_spec(values, spec)


def _check_inputs(module, args, kwargs):
    values = _leaves(module, args, kwargs)
    check_sizes(values)
    check_constants(values)
    check_memory(values)


def load(members=None):
    """Returns the graph as a torch.nn.Module that checks its inputs. `members` is a mapping from
    the paths in MEMBERS to tensors or modules, or the name of a safetensors file."""
    module = _Module(members)
    module.register_forward_pre_hook(_check_inputs, with_kwargs=True)
    return module
)py";

void append_constant(std::string& out, const Argument& constant) {
  const bool is_float = constant.is_float();
  if (is_float && !std::isfinite(constant.as_float())) {
    out += fmt::format("float(\"{}\")", constant.as_float());
  } else {
    fx::text::append_python_repr(out, constant);
  }
}

}  // namespace

std::string_view checked_load() { return kCheckedLoad; }

void append_input_checks(std::string& out, const SizeChecks& checks,
                         absl::Span<const InputConstant> constants,
                         absl::Span<const SharedPair> sharing) {
  const auto append_place = [&](const SizeChecks::Location& location) {
    fx::text::append_python_string(out, location.str());
    out += fmt::format(", ({}, (", location.input);
    for (const size_t item : location.path) out += fmt::format("{}, ", item);
    out += ')';
  };
  const auto append_names = [&](SymExpr expr) {
    out += '(';
    for (const Symbol symbol : free_symbols(expr)) {
      fx::text::append_python_string(out, symbol.str());
      out += ", ";
    }
    out += ')';
  };
  constexpr std::string_view kQuantities[] = {"rank", "size", "stride", "offset", "number"};
  out += "SIZES = (";
  for (const SizeChecks::Equation& equation : checks.equations()) {
    const SizeChecks::Location& location = equation.location;
    out += "\n    (";
    append_place(location);
    out += fmt::format(", \"{}\", {}), ", kQuantities[static_cast<size_t>(location.quantity)],
                       location.dim);
    if (equation.symbol) {
      fx::text::append_python_string(out, equation.symbol.str());
    } else {
      out += "None";
    }
    out += fmt::format(", {}, {}, ", equation.factor, equation.offset);
    fx::text::append_python_string(out, to_string(equation.expr));
    out += ", ";
    append_names(equation.expr);
    out += "),";
  }
  out += "\n)\nGUARDS = (";
  for (const SizeChecks::Requirement& requirement : checks.requirements()) {
    out += "\n    (";
    fx::text::append_python_string(out, requirement.text);
    out += ", ";
    fx::text::append_python_string(out, to_string(requirement.relation));
    out += ", ";
    append_names(requirement.relation);
    out += "),";
  }
  out += checks.requirements().empty() ? ")\n" : "\n)\n";
  out += "CONSTANTS = (";
  for (const auto& [location, constant] : constants) {
    out += "\n    (";
    append_place(location);
    out += "), ";
    append_constant(out, constant);
    out += "),";
  }
  out += constants.empty() ? ")\n" : "\n)\n";
  out += "MEMORY = (";
  for (const SharedPair& pair : sharing) {
    out += fmt::format("\n    ({}, ", pair.first);
    fx::text::append_python_string(out, "%" + pair.first_name);
    out += fmt::format(", {}, ", pair.second);
    fx::text::append_python_string(out, "%" + pair.second_name);
    out += pair.distance ? fmt::format(", {}),", *pair.distance) : ", None),";
  }
  out += sharing.empty() ? ")\n" : "\n)\n";
}

}  // namespace fx::python
