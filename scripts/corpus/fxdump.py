"""Writes FX graphs as plain JSON; README.md, "JSON layout", describes the layout.

The output is deterministic: the same graph always results in the same bytes.
"""

import json
import math
import re

import torch
import torch.fx

FORMAT_VERSION = 1


# --------------------------------------------------------------------------
# scalars, symbols, tensor metadata
# --------------------------------------------------------------------------

def short(x):
    """torch.float32 -> 'float32', torch.strided -> 'strided', ..."""
    return str(x).split(".", 1)[1]


def enc_float(x):
    """JSON has no inf/nan: these values become {"f": "inf"}."""
    if math.isnan(x):
        return {"f": "nan"}
    if math.isinf(x):
        return {"f": "inf" if x > 0 else "-inf"}
    return x


def enc_dim(x):
    """A size, stride or offset: a number, or an expression as a string."""
    if isinstance(x, int):
        return x
    expr = x.node.expr if hasattr(x, "node") else x
    try:
        return int(expr)
    except TypeError:
        return str(expr)


def enc_meta(v):
    """The value that a node produces, without its data."""
    if isinstance(v, torch.Tensor):
        d = {"t": short(v.dtype), "shape": [enc_dim(s) for s in v.shape]}
        if v.layout is torch.strided:
            d["stride"] = [enc_dim(s) for s in v.stride()]
            off = enc_dim(v.storage_offset())
            if off != 0:
                d["offset"] = off
        else:
            d["layout"] = short(v.layout)
        if v.device.type != "cpu":
            d["device"] = str(v.device)
        if v.requires_grad:
            d["rg"] = True
        return d
    if isinstance(v, (torch.SymInt, torch.SymFloat, torch.SymBool)):
        kind = {"SymInt": "int", "SymFloat": "float", "SymBool": "bool"}[type(v).__name__]
        return {"sym": str(v.node.expr), "kind": kind}
    if isinstance(v, float):
        return enc_float(v)
    if v is None or isinstance(v, (bool, int, str)):
        return v
    if isinstance(v, (list, tuple)):
        return [enc_meta(x) for x in v]
    if isinstance(v, dict):
        return {"map": {str(k): enc_meta(x) for k, x in v.items()}}
    return {"object": type(v).__name__}


def enc_arg(a):
    """An argument of a node."""
    if isinstance(a, torch.fx.Node):
        return {"n": a.name}
    if a is None or isinstance(a, (bool, int, str)):
        return a
    if isinstance(a, float):
        return enc_float(a)
    if isinstance(a, complex):
        return {"complex": [enc_float(a.real), enc_float(a.imag)]}
    if isinstance(a, torch.dtype):
        return {"dtype": short(a)}
    if isinstance(a, torch.device):
        return {"device": str(a)}
    if isinstance(a, torch.memory_format):
        return {"memory_format": short(a)}
    if isinstance(a, torch.layout):
        return {"layout": short(a)}
    if isinstance(a, (list, tuple)):
        return [enc_arg(x) for x in a]
    if isinstance(a, slice):
        return {"slice": [enc_arg(a.start), enc_arg(a.stop), enc_arg(a.step)]}
    if isinstance(a, dict):
        return {"map": {str(k): enc_arg(x) for k, x in a.items()}}
    if isinstance(a, (torch.SymInt, torch.SymFloat, torch.SymBool, torch.Tensor)):
        return enc_meta(a)
    if isinstance(a, (torch._ops.OpOverload, torch._ops.HigherOrderOperator)):
        return {"op": target_name(a)}
    raise TypeError(f"cannot encode argument of type {type(a)}")


def target_name(t):
    if isinstance(t, str):
        return t
    if isinstance(t, torch._ops.OpOverload):
        return str(t)                                  # aten.add.Tensor
    if isinstance(t, torch._ops.HigherOrderOperator):
        return "higher_order." + t._name               # higher_order.cond
    mod = getattr(t, "__module__", "") or ""
    return f"{mod.lstrip('_')}.{t.__name__}"           # operator.getitem


# --------------------------------------------------------------------------
# graphs
# --------------------------------------------------------------------------

def module_path(node):
    """Dotted path of the innermost nn.Module that produced the node."""
    stack = node.meta.get("nn_module_stack")
    if not stack:
        return None
    path = list(stack.values())[-1][0]
    if path.startswith("_empty_nn_module_stack"):      # placeholder of the exporter
        return None
    return re.sub(r"^L\['self'\]\.?", "", path)


def region(node):
    """'fw' or 'bw' for a joint graph."""
    tag = node.meta.get("partitioner_tag")
    if tag in ("is_backward", "must_be_in_backward"):
        return "bw"
    return "fw"


def enc_graph(gm, joint=False):
    """Encodes all nodes of a GraphModule, and the sub-graphs that it refers to."""
    nodes, subgraphs = [], {}
    for n in gm.graph.nodes:
        d = {"name": n.name, "op": n.op, "target": target_name(n.target)}
        if n.args or n.op in ("call_function", "output"):
            d["args"] = [enc_arg(a) for a in n.args]
        if n.kwargs:
            d["kwargs"] = {k: enc_arg(a) for k, a in n.kwargs.items()}
        if n.op == "get_attr":
            sub = gm
            for part in n.target.split("."):
                sub = getattr(sub, part)
            if isinstance(sub, torch.fx.GraphModule):
                subgraphs[n.target] = enc_graph(sub)
            else:
                d["val"] = enc_meta(n.meta.get("val", sub))
        elif n.op != "output":
            d["val"] = enc_meta(n.meta.get("val"))
        if joint and n.op == "call_function":
            d["region"] = region(n)
            if "seq_nr" in n.meta:
                d["seq"] = n.meta["seq_nr"]
        path = module_path(n)
        if path:
            d["module"] = path
        nodes.append(d)
    seqs = [d["seq"] for d in nodes if "seq" in d]       # process-wide counter
    for d in nodes:
        if "seq" in d:
            d["seq"] -= min(seqs)
    out = {"nodes": nodes}
    if subgraphs:
        out["subgraphs"] = subgraphs
    return out


def write(path, doc):
    """Writes one node per line, so that the files can be read and diffed."""
    def compact(x):
        return json.dumps(x, separators=(",", ":"), allow_nan=False)

    def graph(g, ind):
        s = ind + '"nodes":[\n'
        s += ",\n".join(ind + " " + compact(n) for n in g["nodes"])
        s += "\n" + ind + "]"
        if "subgraphs" in g:
            s += ",\n" + ind + '"subgraphs":{\n'
            s += ",\n".join(
                ind + f" {json.dumps(k)}:{{\n" + graph(v, ind + "  ") + "\n" + ind + " }"
                for k, v in g["subgraphs"].items())
            s += "\n" + ind + "}"
        return s

    parts = []
    for k, v in doc.items():
        if k == "graph":
            parts.append('"graph":{\n' + graph(v, " ") + "\n}")
        elif isinstance(v, list) and v and isinstance(v[0], dict):
            parts.append(json.dumps(k) + ":[\n" + ",\n".join(" " + compact(x) for x in v) + "\n]")
        else:
            parts.append(json.dumps(k) + ":" + compact(v))
    with open(path, "w") as f:
        f.write("{\n" + ",\n".join(parts) + "\n}\n")


def count_targets(graph, into):
    """Add the call_function targets of an encoded graph to a Counter."""
    for n in graph["nodes"]:
        if n["op"] == "call_function":
            into[n["target"]] += 1
    for g in graph.get("subgraphs", {}).values():
        count_targets(g, into)
    return into
