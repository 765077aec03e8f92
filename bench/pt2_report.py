#!/usr/bin/env python3
"""Measures reading .pt2 archives with fxcpp and torch.export.load, in one table.

    bench/pt2_report.py --bin BUILD_DIR [--repetitions 5] [--json FILE] [FILE...]

Without FILE, reads the files of the corpus (FXCPP_CORPUS). A time includes the graph and its
weights, and is the minimum over several reads in one process that has read the file before (fxcpp:
200 ms of reads). fxcpp maps weights; PyTorch reads them. Then measures the time and memory that
fxcpp alone takes to read an archive of 1.5 billion parameters, a sparse file. Fails unless
fxcpp is 100 times faster on the median file and 50 times faster on each file, and reads the large
archive in less than 200 ms (including types) and with less than 100 MiB.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from typing import Any, BinaryIO

LAYERS, ROWS, COLUMNS = 60, 4096, 6144  # 1.51e9 parameters
MIN_MEDIAN, MIN_EACH, MAX_SECONDS, MAX_MIB = 100, 50, 0.2, 100


def meta(sizes: list[int], grad: bool) -> dict[str, Any]:
    strides = [1]
    for size in sizes[:0:-1]:
        strides.insert(0, strides[0] * size)
    return {"dtype": 7, "sizes": [{"as_int": n} for n in sizes], "requires_grad": grad,
            "device": {"type": "cpu", "index": None}, "strides": [{"as_int": n} for n in strides],
            "storage_offset": {"as_int": 0}, "layout": 7}


def large_model() -> tuple[str, str]:
    """Returns a chain of linear layers and its model_weights_config, as JSON."""
    leaf = {"type": None, "context": None, "children_spec": []}
    values, inputs, specs, nodes, config = {}, [], [], [], {}
    last, sizes = "x", [ROWS, COLUMNS]
    for i in range(LAYERS):
        shape = sizes if i % 2 == 0 else sizes[::-1]
        values[f"p_{i}"] = meta(shape, True)
        inputs.append({"as_tensor": {"name": f"p_{i}"}})
        specs.append({"parameter": {"arg": {"name": f"p_{i}"}, "parameter_name": f"layers.{i}.weight"}})
        config[f"layers.{i}.weight"] = {"path_name": f"weight_{i}", "is_param": True,
                                        "use_pickle": False, "tensor_meta": meta(shape, True)}
        values[f"linear_{i}"] = meta([1, shape[0]], True)
        nodes.append({"target": "torch.ops.aten.linear.default", "name": f"linear_{i}", "inputs": [
            {"name": "input", "arg": {"as_tensor": {"name": last}}, "kind": 1},
            {"name": "weight", "arg": {"as_tensor": {"name": f"p_{i}"}}, "kind": 1}],
            "outputs": [{"as_tensor": {"name": f"linear_{i}"}}], "metadata": {}})
        last = f"linear_{i}"
    values["x"] = meta([1, COLUMNS], False)
    tuple_spec = {"type": "builtins.tuple", "context": "null", "children_spec": [
        {"type": "builtins.tuple", "context": "null", "children_spec": [leaf]},
        {"type": "builtins.dict", "context": "[]", "children_spec": []}]}
    program = {
        "graph_module": {
            "graph": {"inputs": [*inputs, {"as_tensor": {"name": "x"}}],
                      "outputs": [{"as_tensor": {"name": last}}], "nodes": nodes,
                      "tensor_values": values, "sym_int_values": {}, "sym_bool_values": {}},
            "signature": {"input_specs": [*specs, {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
                          "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": last}}}}]},
            "module_call_graph": [{"fqn": "", "signature": {
                "inputs": [], "outputs": [], "in_spec": json.dumps([1, tuple_spec]),
                "out_spec": json.dumps([1, leaf])}}]},
        "opset_version": {"aten": 10}, "range_constraints": {},
        "schema_version": {"major": 8, "minor": 20}, "verifiers": ["ATEN"]}
    return json.dumps(program), json.dumps({"config": config})


def write_large(file: BinaryIO) -> None:
    """Writes an archive whose weights are holes in a sparse file."""
    model, config = large_model()
    size = ROWS * COLUMNS * 4
    zeros_crc = 0
    for _ in range(size // (1 << 20)):
        zeros_crc = zlib.crc32(bytes(1 << 20), zeros_crc)
    entries: list[tuple[str, bytes | None]] = [
        (f"data/weights/weight_{i}", None) for i in range(LAYERS)]
    entries += [(name, text.encode()) for name, text in [
        ("data/weights/model_weights_config.json", config),
        ("data/constants/model_constants_config.json", '{"config": {}}'),
        ("models/model.json", model), ("data/sample_inputs/model.pt", ""),
        ("archive_format", "pt2"), ("archive_version", "0"), (".data/version", "6\n"),
        ("byteorder", "little")]]
    directory = b""
    for entry, data in entries:
        name = f"large/{entry}".encode()
        length = size if data is None else len(data)
        crc = zeros_crc if data is None else zlib.crc32(data)
        offset = file.tell()
        padding = -(offset + 30 + len(name) + 4) % 64
        file.write(struct.pack("<IHHHIIIIHH", 0x04034b50, 20, 0, 0, 0, crc, length, length, len(name),
                               padding + 4) + name + struct.pack("<HH", 0x4246, padding)
                   + b"Z" * padding)
        if data is None:
            file.seek(size, os.SEEK_CUR)
        else:
            file.write(data)
        extra = struct.pack("<HHQ", 1, 8, offset)
        directory += struct.pack("<IHHHHIIIIHHHHHII", 0x02014b50, 45, 45, 0, 0, 0, crc, length, length,
                                 len(name), len(extra), 0, 0, 0, 0, 0xffffffff) + name + extra
    start = file.tell()
    file.write(directory)
    end = file.tell()
    file.write(struct.pack("<IQHHIIQQQQ", 0x06064b50, 44, 45, 45, 0, 0, len(entries), len(entries),
                           len(directory), start))
    file.write(struct.pack("<IIQI", 0x07064b50, 0, end, 1))
    file.write(struct.pack("<IHHHHIIH", 0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0))


def time_fxcpp(program: Path, files: list[Path]) -> list[dict[str, Any]]:
    done = subprocess.run([program, *files], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def time_torch(files: list[Path], repetitions: int) -> list[float | None]:
    import torch
    times: list[float | None] = []
    for file in files:
        sys.path.insert(0, str(file.parents[1]))  # classes of the corpus
        try:
            best = float("inf")
            torch.export.load(file)
            for _ in range(repetitions):
                begin = time.perf_counter()
                torch.export.load(file)
                best = min(best, time.perf_counter() - begin)
            times.append(best)
        except Exception as error:
            print(f"{file}: {str(error).splitlines()[0]}", file=sys.stderr)
            times.append(None)
        sys.path.pop(0)
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--bin", type=Path, default=Path("build/release"))
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    files = options.files or sorted(Path(os.environ.get("FXCPP_CORPUS", "")).glob("*/model.pt2"))
    if not files:
        print("no corpus: pass files, or set FXCPP_CORPUS")
        return 1
    program = next((p for p in options.bin.rglob("time_pt2") if p.is_file()), None)
    if program is None:
        print(f"{options.bin} has no time_pt2: cmake --build {options.bin} --target time_pt2")
        return 1
    ours, theirs = time_fxcpp(program, files), time_torch(files, options.repetitions)
    ratios = []
    print(f"{'file':28} {'nodes':>6} {'fxcpp ms':>9} {'torch ms':>9} {'ratio':>7}")
    for file, row, other in zip(files, ours, theirs):
        row["torch"] = other
        if other is None:
            continue
        ratios.append(other / row["min"])
        name = f"{file.parent.name}/{file.stem}"
        print(f"{name:28} {row['nodes']:6} {row['min'] * 1e3:9.3f} {other * 1e3:9.1f} "
              f"{ratios[-1]:7.0f}")
    print(f"median {statistics.median(ratios):.0f} times faster, minimum {min(ratios):.0f}")
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.pt2"
        with large.open("wb") as file:
            write_large(file)
        row = time_fxcpp(program, [large])[0]
    parameters = LAYERS * ROWS * COLUMNS / 1e9
    print(f"{parameters:.2f}e9 parameters: {row['min'] * 1e3:.1f} ms, with native types "
          f"{row['typed'] * 1e3:.1f} ms, {row['peak']:.0f} MiB")
    if options.json:
        options.json.write_text(json.dumps({"files": ours, "large": row}, indent=1))
    good = (statistics.median(ratios) >= MIN_MEDIAN and min(ratios) >= MIN_EACH
            and row["typed"] < MAX_SECONDS and row["peak"] < MAX_MIB)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
