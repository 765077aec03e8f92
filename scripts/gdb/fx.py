"""gdb printers for fx::Symbol, Name, Dim, SymExpr, Type, Target, Argument, ArgumentRef, Node, Graph.

    (gdb) source scripts/gdb/fx.py
    (gdb) print *node
    $1 = %relu : f32[2, 3] = torch.relu(%x)
    (gdb) print graph
    $2 = graph of 3 nodes = {%x = placeholder x, %relu : ..., %output = output(%relu)}

The printers only read memory and call no functions, so they work on core files and corrupted graphs. The
program needs debug information, but the library does not. The output is close to the `.fx` text but
cannot always be parsed: symbolic sums are printed as stored, and long values are truncated.
"""

import gdb
import gdb.printing

MAX_DEPTH = 8  # printed levels of arguments and types
MAX_ITEMS = 64  # printed items of one list; MAX_TEXT limits characters
MAX_TEXT = 200

# The layout of Argument::Block, which has no type in a library without debug information: uint32_t
# references, uint32_t count, int depth, bool contains_node. The contents follow.
BLOCK_COUNT = 4
BLOCK_SIZE = 16


def u32(address):
    return int(gdb.Value(address).cast(gdb.lookup_type("unsigned int").pointer()).dereference())


def at(address, type_name):
    """The object of this type at an address."""
    return gdb.Value(int(address)).cast(gdb.lookup_type(type_name).pointer()).dereference()


def enum_word(value):
    """`float32` for fx::DType::kFloat32, in lower case."""
    return str(value).rsplit("::k", 1)[-1].lower()


def join(items, is_truncated=False):
    return ", ".join(items) + (", ..." if is_truncated else "")


def read_text(address, size):
    if size == 0:
        return ""
    shown = min(size, MAX_TEXT)
    data = gdb.selected_inferior().read_memory(int(address), shown).tobytes()
    return data.decode("utf-8", "backslashreplace") + ("..." if size > shown else "")


# ---------------------------------------------------------------- symbols and names


def symbol_data(data):
    return "" if int(data) == 0 else read_text(data["text"], int(data["size"]))


def symbol(value):
    return symbol_data(value["data_"])


def symbol_of_id(graph, number):
    """Like SymbolTable::get: page k has 256 << k entries."""
    if number == 0:
        return ""
    table = graph["context_"].dereference()["symbols_"]
    page = (number + 256).bit_length() - 9
    entries = table["pages_"][page]["_M_b"]["_M_p"]
    return symbol_data((entries + (number + 256 - (256 << page))).dereference().address)


def numbered(base, number_plus_one):
    return base if number_plus_one == 0 else f"{base}_{number_plus_one - 1}"


def name(value):
    return numbered(symbol(value["base"]), int(value["number_plus_one"]))


# ---------------------------------------------------------------- numbers and types

INFIX = {"add": " + ", "mul": "*", "pow": "**", "floordiv": "//", "eq": " == ", "ne": " != "}
INFIX |= {"lt": " < ", "le": " <= ", "gt": " > ", "ge": " >= ", "and": " & ", "or": " | "}


def expr(value, depth=0):
    data = value["data_"]
    if int(data) == 0:
        return "?"
    kind = enum_word(data["kind"])
    if kind in ("symbol", "spelled"):
        return symbol(data["name"])
    if kind in ("int", "rational"):
        number, below = int(data["number"]), int(data["denominator"])
        return str(number) if below == 1 else f"{number}/{below}"
    if kind == "float":
        return repr(float(data["real"]))
    if kind == "bool":
        return str(bool(int(data["number"])))
    if depth == MAX_DEPTH:
        return "..."
    count = int(data["num_args"])
    args = (data + 1).cast(value.type.unqualified().pointer())
    items = [expr(args[i], depth + 1) for i in range(min(count, MAX_ITEMS))]
    if kind in INFIX and items:
        text = INFIX[kind].join(items)
        return f"({text})" if depth else text
    return f"{symbol(data['name']) if kind == 'call' else kind.capitalize()}({join(items)})"


def dim(value):
    if int(value["expr_"]["data_"]) != 0:
        return expr(value["expr_"])
    return str(int(value["value_"]))


def device(value):
    index = int(value["index"])
    kind = enum_word(value["type"])
    return kind if index < 0 else f"{kind}:{index}"


def dtype(value):
    word = enum_word(value)
    for long, short in (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i")):
        if word.startswith(long):
            return short + word[len(long) :]
    return {"bool": "b8", "complex32": "c32", "complex64": "c64", "complex128": "c128"}.get(
        word, "tensor" if word == "undefined" else word
    )


def tensor(data):
    count = int(data["count"])
    dims = (data + 1).cast(gdb.lookup_type("fx::Dim").pointer())
    shown = range(min(count, MAX_ITEMS))
    text = dtype(data["dtype"])
    text += f"[{join([dim(dims[i]) for i in shown])}]" if data["has_rank"] else "[*]"
    if data["has_strides"] and not data["default_strides"]:
        text += f"[{join([dim(dims[count + i]) for i in shown])}]"
    where = device(data["device"])
    return text + ("" if where == "cpu" else where)


def constant(data, kind):
    """The value of a number or string type."""
    state = enum_word(data["state"])
    if state == "unknown":
        return kind
    if state == "symbolic":
        return f"Sym{kind.capitalize()}({expr(data['expr'])})"
    if kind == "string":
        return f'str("{symbol(data["text"])}")'
    bits = data["bits"].address
    if kind in ("float", "complex"):
        parts = bits.cast(gdb.lookup_type("double").pointer())
        return f"{kind}({join([repr(float(parts[i])) for i in range(1 + (kind == 'complex'))])})"
    value = int(bits.cast(gdb.lookup_type("long").pointer()).dereference())
    return f"{kind}({bool(value) if kind == 'bool' else value})"


def type_text(value, depth=0):
    data = value["data_"]
    if int(data) == 0:
        return "?"
    kind = enum_word(data["kind"])
    if kind == "tensor":
        return tensor(data)
    if kind in ("int", "float", "bool", "complex", "string"):
        return constant(data, kind)
    if kind == "object":
        return f'object("{symbol(data["text"])}")'
    if kind not in ("list", "tuple", "map"):
        return kind
    if depth == MAX_DEPTH:
        return "..."
    count = int(data["count"])
    entries = (data + 1).cast(value.type.unqualified().pointer())
    items = [type_text(entries[i], depth + 1) for i in range(min(count, MAX_ITEMS))]
    if kind == "map":
        keys = (entries + count).cast(gdb.lookup_type("fx::Symbol").pointer())
        items = [f'"{symbol(keys[i])}": {item}' for i, item in enumerate(items)]
    return aggregate(kind, items, count > len(items))


# ---------------------------------------------------------------- arguments


def aggregate(kind, items, is_truncated=False, class_name=""):
    inside = join(items, is_truncated)
    if kind == "list":
        return f"[{inside}]"
    if kind in ("dict", "map"):
        return "{" + inside + "}"
    if kind == "tuple":
        return f"({inside},)" if len(items) == 1 else f"({inside})"
    return f"{class_name or kind}({inside})"


def leaf(kind, bits, pointer, owned=False):
    """An argument without items, from its 8 bytes, passed as the address of an integer and as a pointer."""
    value = int(bits.cast(gdb.lookup_type("long").pointer()).dereference())
    if kind in ("none", "ellipsis"):
        return "None" if kind == "none" else "..."
    if kind in ("bool", "int"):
        return str(bool(value)) if kind == "bool" else str(value)
    if kind == "float":
        return repr(float(bits.cast(gdb.lookup_type("double").pointer()).dereference()))
    if kind in ("string", "object"):
        if owned:
            text = read_text(int(pointer) + BLOCK_SIZE, u32(int(pointer) + BLOCK_COUNT))
        else:
            text = symbol_data(pointer.cast(gdb.lookup_type("fx::Symbol::Data").pointer()))
        return f'"{text}"' if kind == "string" else f'object("{text}")'
    if kind in ("dtype", "layout", "memoryformat"):
        names = {"dtype": "fx::DType", "layout": "fx::Layout", "memoryformat": "fx::MemoryFormat"}
        return "torch." + enum_word(gdb.Value(value & 0xFF).cast(gdb.lookup_type(names[kind])))
    if kind == "device":
        return f"device({device(at(bits, 'fx::Device'))})"
    if kind == "function":
        return f"op({symbol(at(pointer, 'fx::TargetData')['name'])})"
    if kind == "graph":
        return f"graph({value})"
    # A SymExpr or a Type is the pointer at this address.
    if kind == "symbolic":
        return f"sym({expr(at(bits, 'fx::SymExpr'))})"
    if kind == "type":
        return f"type({type_text(at(bits, 'fx::Type'))})"
    return f"<{kind}>"


def with_keys(items):
    return [f"{key}: {value}" for key, value in zip(items[::2], items[1::2])]


def argument(value, depth=0):
    """A value of class Argument."""
    kind, payload = enum_word(value["kind_"]), value["payload_"]
    pointer = payload["pointer"]
    if kind == "node":
        return "%" + node_name(payload["node"].dereference())
    if kind == "complex":
        parts = [at(int(pointer) + BLOCK_SIZE + 8 * i, "double") for i in (0, 1)]
        return f"complex({join([repr(float(part)) for part in parts])})"
    if kind not in ("list", "tuple", "struct", "dict", "slice", "range"):
        return leaf(kind, payload["i"].address, pointer, bool(value["owned_"]))
    if depth == MAX_DEPTH:
        return "..."
    count = u32(int(pointer) + BLOCK_COUNT)
    items = gdb.Value(int(pointer) + BLOCK_SIZE).cast(value.type.unqualified().pointer())
    class_name = ""
    if kind == "struct":  # its class follows the items
        count -= 1
        class_name = argument(items[count]).strip('"')
    texts = [argument(items[i], depth + 1) for i in range(min(count, MAX_ITEMS))]
    is_truncated = count > len(texts)
    return aggregate(kind, with_keys(texts) if kind == "dict" else texts, is_truncated, class_name)


def cell_at(graph, index):
    return graph["storage_"]["cell_pages_"][index >> 12] + (index & 4095)


def cell(graph, value, depth=0):
    """An argument as stored in its node, a detail::Cell."""
    head = int(value["head"])
    if not head & 0x80000000:
        return "%" + node_name(node_at(graph, head))
    kind = enum_word(gdb.Value(head & 0xFF).cast(gdb.lookup_type("fx::ArgumentKind")))
    if kind not in ("complex", "list", "tuple", "struct", "dict", "slice", "range"):
        return leaf(kind, value["i"].address, value["pointer"])
    if depth == MAX_DEPTH:
        return "..."
    count = int(value["aux"]) * (2 if kind == "dict" else 1)
    first = cell_at(graph, int(value["items"]["begin"]))
    class_name = ""
    if kind == "struct":
        class_name = symbol_of_id(graph, int(value["items"]["type_name"]))
    shown = range(min(count, MAX_ITEMS))
    texts = [cell(graph, (first + i).dereference(), depth + 1) for i in shown]
    return aggregate(
        kind, with_keys(texts) if kind == "dict" else texts, count > len(texts), class_name
    )


# ---------------------------------------------------------------- nodes and graphs


def node_at(graph, slot):
    return (graph["storage_"]["node_pages_"][slot >> 10] + (slot & 1023)).dereference()


def graph_of(node):
    """The graph of a node. The header at the preceding multiple of 4 KiB has a graph pointer for each KiB."""
    header = at(int(node.address) & ~0xFFF, "fx::detail::PageHeader")
    return header["graphs"][int(node.address) >> 10 & 3].dereference()


def node_name(node):
    base = symbol_of_id(graph_of(node), int(node["name_base_"]))
    return numbered(base, int(node["name_number_plus_one_"]))


def node_text(node):
    if int(node["flags_"]) & 1:
        return "an erased node"
    graph = graph_of(node)
    known = f" : {type_text_of(node)}" if int(node["type_"]) != 0 else ""
    op = str(node["op_"]).rsplit("::k", 1)[-1]
    num_args, num_kwargs = int(node["num_args_"]), int(node["num_kwargs_"])
    args = []
    if num_args + num_kwargs:
        first = cell_at(graph, int(node["cells_"]))
        args = [cell(graph, (first + i).dereference()) for i in range(num_args)]
        for i in range(num_args, num_args + 2 * num_kwargs, 2):
            key = cell(graph, (first + i).dereference()).strip('"')
            args.append(f"{key}={cell(graph, (first + i + 1).dereference())}")
    if op == "CallFunction":
        target = symbol(at(node["target_"], "fx::TargetData")["name"])
    else:
        if int(node["flags_"]) & 4:  # Node::kTargetIsName: possibly not created yet
            target = node_name(node)
        else:
            target = symbol_data(at(node["target_"], "fx::Symbol::Data").address)
        words = {"Placeholder": "placeholder", "GetAttr": "get_attr", "CallMethod": "call_method"}
        words |= {"CallModule": "call_module", "Output": "output"}
        target = words[op] + ("" if op == "Output" else " " + target)
    inside = "" if not args and op in ("Placeholder", "GetAttr") else f"({join(args)})"
    return f"%{node_name(node)}{known} = {target}{inside}"


def type_text_of(node):
    return type_text(at(node["type_"].address, "fx::Type"))


class TextPrinter:
    def __init__(self, value, text):
        self.value, self.text = value, text

    def to_string(self):
        try:
            return self.text(self.value)
        except gdb.MemoryError as error:
            return f"<{error}>"


class GraphPrinter:
    """Prints a summary line and, as children, a line for each node."""

    def __init__(self, value):
        self.value = value

    def to_string(self):
        count = int(self.value["storage_"]["state_"]["size"])
        return f"graph of {count} node{'' if count == 1 else 's'}"

    def display_hint(self):
        return "array"

    def children(self):
        root = 1  # the slot of the hidden node that closes the list
        slot = int(node_at(self.value, root)["next_"])
        for i in range(int(self.value["storage_"]["state_"]["size"])):
            if slot == root:
                return
            node = node_at(self.value, slot)
            yield f"[{i}]", node
            slot = int(node["next_"])


def build():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("fxcpp")

    def add(class_name, text):
        pattern = f"^fx::{class_name}$"
        printers.add_printer(class_name, pattern, lambda value: TextPrinter(value, text))

    add("Symbol", lambda value: f'"{symbol(value)}"' if int(value["data_"]) else "no symbol")
    add("Name", name)
    add("SymExpr", expr)
    add("Dim", dim)
    add("Type", type_text)
    add("Target", lambda value: symbol(value["data_"]["name"]) if int(value["data_"]) else "none")
    add("Argument", argument)
    add("ArgumentRef", lambda v: cell(v["graph_"].dereference(), v["cell_"].dereference()))
    add("Node", node_text)
    printers.add_printer("Graph", "^fx::Graph$", GraphPrinter)
    return printers


gdb.printing.register_pretty_printer(None, build(), replace=True)
