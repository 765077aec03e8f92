"""Writes a complete .pt2 file using only the standard library.

    python minimal_writer.py minimal.pt2

The program computes the maximum of a linear layer's output. It has one parameter, a dynamic batch size,
and an operator with two results, one of which is unused. torch.export.load accepts the file;
ep.module()(torch.ones(5, 3)) returns five elements, each 15.
"""

import json
import struct
import sys
import zipfile


def integer(n):
    return {"as_int": n}


def tensor(name):
    return {"as_tensor": {"name": name}}


def meta(sizes, strides, dtype=7, requires_grad=False):
    return {"dtype": dtype, "sizes": [s if isinstance(s, dict) else integer(s) for s in sizes],
            "requires_grad": requires_grad, "device": {"type": "cpu", "index": None},
            "strides": [integer(s) for s in strides], "storage_offset": integer(0), "layout": 7}


def arg(name, value):
    return {"name": name, "arg": value, "kind": 1}


LEAF = {"type": None, "context": None, "children_spec": []}
BATCH = {"as_expr": {"expr_str": "Symbol('s0', positive=True, integer=True)", "hint": integer(4)}}
W = meta([2, 3], [3, 1], requires_grad=True)

GRAPH = {
    "inputs": [tensor("p_w"), tensor("x")],
    "outputs": [tensor("getitem")],
    "nodes": [
        {"target": "torch.ops.aten.linear.default", "name": "linear", "metadata": {},
         "inputs": [arg("input", tensor("x")), arg("weight", tensor("p_w"))], "outputs": [tensor("linear")]},
        {"target": "torch.ops.aten.max.dim", "name": "max_1", "metadata": {},
         "inputs": [arg("self", tensor("linear")), arg("dim", integer(1))],
         "outputs": [tensor("getitem"), tensor("max_1_unused_1")]}],
    "tensor_values": {"p_w": W, "x": meta([BATCH, 3], [3, 1]), "linear": meta([BATCH, 2], [2, 1]),
                      "getitem": meta([BATCH], [1]), "max_1_unused_1": meta([BATCH], [1], dtype=5)},
    "sym_int_values": {}, "sym_bool_values": {}}

PROGRAM = {
    "graph_module": {
        "graph": GRAPH,
        "signature": {
            "input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
                            {"user_input": {"arg": tensor("x")}}],
            "output_specs": [{"user_output": {"arg": tensor("getitem")}}]},
        "module_call_graph": [{"fqn": "", "signature": {
            "inputs": [], "outputs": [],
            "in_spec": json.dumps([1, {"type": "builtins.tuple", "context": "null", "children_spec": [
                {"type": "builtins.tuple", "context": "null", "children_spec": [LEAF]},
                {"type": "builtins.dict", "context": "[]", "children_spec": []}]}]),
            "out_spec": json.dumps([1, LEAF])}}]},
    "opset_version": {"aten": 10},
    "range_constraints": {"s0": {"min_val": 1, "max_val": 64}},
    "schema_version": {"major": 8, "minor": 20},
    "verifiers": ["ATEN"]}

WEIGHTS = {"config": {"w": {"path_name": "weight_0", "is_param": True, "use_pickle": False, "tensor_meta": W}}}

ENTRIES = [
    ("data/weights/weight_0", struct.pack("<6f", 1, 2, 3, 4, 5, 6)),
    ("data/weights/model_weights_config.json", json.dumps(WEIGHTS)),
    ("data/constants/model_constants_config.json", json.dumps({"config": {}})),
    ("models/model.json", json.dumps(PROGRAM)),
    ("data/sample_inputs/model.pt", b""),
    ("archive_format", "pt2"),
    ("archive_version", "0"),
    (".data/version", "6\n"),
    ("byteorder", "little")]


def main():
    with zipfile.ZipFile(sys.argv[1], "w") as z:
        for name, data in ENTRIES:
            z.writestr(zipfile.ZipInfo("minimal/" + name, (1980, 1, 1, 0, 0, 0)), data)


if __name__ == "__main__":
    main()
