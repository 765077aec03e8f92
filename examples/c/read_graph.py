#!/usr/bin/env python3
"""Reads, changes, types and interprets a graph: read_graph.py LIBFXCPP_C GRAPH PASSES"""

import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
lib.fxc_message.restype = ctypes.c_char_p
EVALUATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p,
                            ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_char_p))


class Interpreter(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("user", ctypes.py_object),
                ("evaluate", EVALUATE), ("release", ctypes.c_void_p)]


def call(name, *arguments, result=None):
    """Calls a function; returns its last argument, of the type `result`, if there is one."""
    out = result() if result else None
    given = [ctypes.c_void_p(a) if isinstance(a, int) else a for a in arguments]  # 64 bits
    if getattr(lib, "fxc_" + name)(*given, *([ctypes.byref(out)] if result else [])) != 0:
        sys.exit(f"fxc_{name}: {lib.fxc_message().decode()}")
    return out.value if isinstance(out, ctypes.c_char_p) else out


def text(name, handle):
    return call(name, handle, result=ctypes.c_char_p).decode()


context = call("context_create", None, result=ctypes.c_void_p)
graph = call("graph_read", context, sys.argv[2].encode(), result=ctypes.c_void_p)
call("run_passes", graph, sys.argv[3].encode(), None, None)
count = ctypes.c_size_t()
call("propagate_types", graph, ctypes.byref(count), None)
print("findings:", count.value)

node = call("graph_first", graph, result=ctypes.c_void_p)
while node:
    of = call("node_type", node, result=ctypes.c_void_p)
    print(text("node_name", node), ":", text("type_text", of) if of else "?")
    node = call("node_next", node, result=ctypes.c_void_p)


def evaluate(values, current, operation, result, _reason):
    """Evaluates a call; its value is the text of its expression."""
    first = call("call_arg", current, 0, -1, result=ctypes.c_void_p)
    values.append(f"{text('node_target', operation)}({values[first.value or 0]})")
    result[0] = len(values) - 1
    return 0


values = ["x"]
interpreter = Interpreter(ctypes.sizeof(Interpreter), values, EVALUATE(evaluate), None)
results = (ctypes.c_void_p * 1)()
call("interpret", graph, (ctypes.c_void_p * 1)(0), 1, ctypes.byref(interpreter), results, 1,
     ctypes.byref(count))
print(values[results[0]])
call("context_destroy", context)
