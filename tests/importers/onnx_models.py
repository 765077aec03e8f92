#!/usr/bin/env python3
"""Checks the ONNX models of corpus and zoo graphs with onnx, and compares the results
of onnxruntime with libtorch's.

    tests/importers/onnx_models.py [--only PATTERN] [--opset N] [--other-sizes] [--read] [--keep
    FOLDER]

Each graph of the corpus (exported, forward, joint) and of the zoo (forward and joint as captured in
training mode, and forward in evaluation mode after `fxcpp opt --passes
set_training,remove_dropout`) is written by `fxcpp emit --to onnx`, checked by onnx.checker with
shape inference, and run by onnxruntime on the data of the corpus or of `fxcpp capture`. The
tolerances are 1e-4 of the largest element and 1e-5 absolute (2e-2 for bfloat16; KERNEL_TOLERANCES
lists exceptions). For evaluation mode, libtorch's results come from `fxcpp run`. With
--other-sizes, exported graphs with symbolic sizes also run at two other sizes on random inputs, and
`fxcpp run --check` compares the results. With --read, each model that ran is read by `fxcpp import`
and written again, and the onnxruntime results of both models are compared.

Runs in the environment of scripts/setup --onnx ($FXCPP_ONNX, or .venv-onnx). Exit status: 0 on
success; 1 if a graph is rejected although it is not in REJECTED, or accepted although it is, or is
invalid, does not run or has different results; 77 without onnx.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FXCPP = Path(os.environ.get("FXCPP", ROOT / "build/release/bin/fxcpp")).absolute()
CORPUS = Path(os.environ.get("FXCPP_CORPUS", ROOT.parent / "shared/corpus")).absolute()
ENVIRONMENT = Path(os.environ.get("FXCPP_ONNX", ROOT / ".venv-onnx")).absolute()

try:
    import numpy
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper
except ImportError as error:
    python = ENVIRONMENT / "bin/python"
    if "FXCPP_ONNX_CHILD" in os.environ or not python.exists():
        print(f"not run: {error} (scripts/setup --onnx)")
        sys.exit(77)
    os.environ["FXCPP_ONNX_CHILD"] = "1"
    os.execv(python, [str(python), *sys.argv])

# Graphs that ONNX cannot express, with part of the error message.
REJECTED = {
    "corpus/index_ops/joint": "_embedding_bag_backward",
    "corpus/spectral/export": "fft_rfft",
    "corpus/spectral/forward": "fft_rfft",
    "corpus/spectral/joint": "_fft_r2c",
    "corpus/storages/export": "complex64",
    "corpus/storages/forward": "complex64",
    "zoo/lstm_tagger/joint": "mkldnn_rnn_layer_backward",
}
# Tolerances for graphs whose results depend on the kernel: the relative difference between
# libtorch's results with and without oneDNN. (resnet50's float32 gradients differ from its float64
# gradients by a third.)
KERNEL_TOLERANCES = {"zoo/resnet50/joint": 4.2e-4}
RANDOM = ("RandomNormalLike", "RandomUniformLike", "Bernoulli", "Dropout")
SMALL = {
    "resnet18": ["width=8"],
    "resnet50": ["width=8"],
    "mobilenet_v2": ["width=25"],
    "unet": ["width=4"],
    "vae": ["hidden=32"],
}
STORED = {"float32": "F32", "float64": "F64", "int64": "I64", "int32": "I32", "uint8": "U8", "bool": "BOOL",
          "float16": "F16", "int8": "I8", "int16": "I16"}
DTYPES = {
    "BOOL": numpy.bool_,
    "U8": numpy.uint8,
    "I8": numpy.int8,
    "I16": numpy.int16,
    "I32": numpy.int32,
    "I64": numpy.int64,
    "F16": numpy.float16,
    "F32": numpy.float32,
    "F64": numpy.float64,
}


def run(*command: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False,
                          errors="replace")


def read_safetensors(path: Path) -> dict[str, numpy.ndarray]:
    raw = path.read_bytes()
    (size,) = struct.unpack("<Q", raw[:8])
    tensors = {}
    for name, entry in json.loads(raw[8 : 8 + size]).items():
        if name == "__metadata__" or entry["dtype"] not in DTYPES:
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        tensors[name] = numpy.frombuffer(raw[begin:end], DTYPES[entry["dtype"]]).reshape(entry["shape"])
    return tensors


def write_safetensors(path: Path, tensors: dict[str, numpy.ndarray]) -> None:
    header, end, parts = {}, 0, []
    for name, tensor in tensors.items():
        raw = numpy.ascontiguousarray(tensor).tobytes()
        header[name] = {"dtype": STORED[str(tensor.dtype)], "shape": list(tensor.shape),
                        "data_offsets": [end, end + len(raw)]}
        end += len(raw)
        parts.append(raw)
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


class Case:
    """A graph, its weight file, and its inputs and results by name if they are known."""

    def __init__(self, name: str, graph: Path, weights: Path | None, inputs: dict[str, numpy.ndarray],
                 results: dict[int, numpy.ndarray]) -> None:
        self.name = name
        self.graph = graph
        self.weights = weights
        self.inputs = inputs
        self.results = results
        # The values of the inputs and of all results of the last run, in the model's order.
        self.feeds: list[numpy.ndarray] = []
        self.all_results: list[numpy.ndarray] = []
        # The positions of the user outputs among the results of forward.json; the other results are
        # new values of buffers.
        self.positions: list[int] | None = None
        # True if libtorch's results come from `fxcpp run`.
        self.is_compared_by_run = False


def numbered(tensors: dict[str, numpy.ndarray], stem: str) -> dict[int, numpy.ndarray]:
    return {int(n[len(stem) + 1 :]): t for n, t in tensors.items()
            if re.fullmatch(rf"{re.escape(stem)}\.\d+", n)}


def corpus(folder: Path, pattern: re.Pattern[str]) -> list[Case]:
    cases = []
    for path in sorted(CORPUS.glob("*/model.pt2")):
        model = path.parent.name
        kinds = [k for k in ("export", "forward", "joint") if (path.parent / f"{k}.json").exists()]
        names = {k: f"corpus/{model}/{k}" for k in kinds}
        if not any(pattern.search(n) for n in names.values()):
            continue
        imported = folder / f"{model}_export.fx"
        done = run(FXCPP, "import", path, "-o", imported)
        if done.returncode != 0:
            print(f"corpus/{model}: not imported: {done.stderr}")
            continue
        weights = imported.with_suffix(".safetensors")
        values = dict(numpy.load(path.parent / "values.npz"))
        inputs = {f"in.{i}": t for i, t in numbered(values, "in").items()}
        for kind, name in names.items():
            if not pattern.search(name):
                continue
            extra_inputs, results = {}, numbered(values, "out")
            if kind == "joint":
                extra_inputs = {f"in.{i}": t for i, t in numbered(values, "joint_in").items()}
                results = numbered(values, "joint_out")
            graph = imported if kind == "export" else path.parent / f"{kind}.json"
            case = Case(name, graph, weights, inputs | extra_inputs, results)
            if kind == "forward":
                outputs = json.loads(graph.read_text())["outputs"]
                case.positions = [i for i, o in enumerate(outputs) if o["kind"] == "user_output"]
            cases.append(case)
    return cases


def zoo(folder: Path, pattern: re.Pattern[str]) -> list[Case]:
    listed = run(FXCPP, "capture", "--list")
    if listed.returncode != 0:
        return []  # built without libtorch
    cases = []
    for model in re.findall(r"^(\w+): ", listed.stdout, re.MULTILINE):
        for kind in ("forward", "joint", "evaluation"):
            name = f"zoo/{model}/{kind}"
            if not pattern.search(name):
                continue
            path = folder / f"{model}_{kind}.fx"
            settings = [word for s in SMALL.get(model, []) for word in ("--set", s)]
            settings += {"joint": ["--joint"], "evaluation": ["--keep", "dropout"]}.get(kind, [])
            result = run(FXCPP, "capture", model, *settings, "-o", path)
            if result.returncode == 0 and kind == "evaluation":
                result = run(FXCPP, "opt", path, "--passes", "set_training,remove_dropout", "-o", path)
            if result.returncode != 0:
                print(f"{name}: not captured: {result.stderr.strip()}")
                continue
            data = read_safetensors(path.with_suffix(".safetensors"))
            results = numbered(data, "out")
            case = Case(name, path, None, data, results)
            case.is_compared_by_run = kind == "evaluation"
            cases.append(case)
    return cases


def widen(model: onnx.ModelProto) -> None:
    """Changes bfloat16 inputs and outputs to float32, because NumPy does not support bfloat16."""
    graph = model.graph
    for value in list(graph.output) + list(graph.input):
        kind = value.type.tensor_type
        if kind.elem_type != TensorProto.BFLOAT16:
            continue
        kind.elem_type = TensorProto.FLOAT
        old, new = value.name, value.name + "_float"
        if value in graph.output:
            graph.node.append(helper.make_node("Cast", [old], [new], to=TensorProto.FLOAT))
            value.name = new
        else:
            graph.node.insert(0, helper.make_node("Cast", [new], [old], to=TensorProto.BFLOAT16))
            value.name = new


def run_onnx(model: onnx.ModelProto, case: Case) -> tuple[str, dict[int, numpy.ndarray]]:
    """Returns the reason why the graph did not run, or "", and its results by position."""
    docs = [o.doc_string for o in model.graph.output]
    feeds = {}
    names = [(i.name, i.doc_string or i.name) for i in model.graph.input]
    widen(model)
    # The names of user inputs in forward.json have no numbers; the inputs are in order.
    others = [d for _, d in names if d not in case.inputs and not d.startswith("tangent")]
    user_inputs = sorted((n for n in case.inputs if re.fullmatch(r"in\.\d+", n)), key=lambda n: int(n[3:]))
    in_order = dict(zip(others, user_inputs)) if len(others) == len(user_inputs) else {}
    for value, (_, name) in zip(model.graph.input, names):
        data_name = in_order.get(name, name)
        if data_name in case.inputs:
            feeds[value.name] = case.inputs[data_name]
        elif data_name.startswith("tangent"):
            shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
            feeds[value.name] = numpy.ones(shape, helper.tensor_dtype_to_np_dtype(
                value.type.tensor_type.elem_type))
        else:
            return f"NOT RUN: no data for {data_name}", {}
        dtype = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        feeds[value.name] = feeds[value.name].astype(dtype)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        results = session.run(None, feeds)
    except Exception as error:  # pylint: disable=broad-except  # onnxruntime raises custom classes
        return f"NOT RUN: {str(error)[:400]}", {}
    case.feeds = [feeds[value.name] for value in model.graph.input]
    case.all_results = results
    return "", {int(d[4:]): r for r, d in zip(results, docs) if d.startswith("out.")}


def compare(case: Case, by_position: dict[int, numpy.ndarray], tolerance: float) -> str:
    expected = [case.results[i] for i in sorted(case.results)]
    if case.positions is not None:
        by_position = {i: by_position[p] for i, p in enumerate(case.positions) if p in by_position}
    if set(case.results) <= set(by_position) and not case.name.startswith("zoo/"):
        results = [by_position[i] for i in sorted(case.results)]  # other results are not tensors
    else:
        results = [by_position[i] for i in sorted(by_position)]
    if len(expected) != len(results):
        return f"WRONG: {len(results)} results, expected {len(expected)}"
    worst = 0.0
    for i, (got, want) in enumerate(zip(results, expected)):
        if got.shape != want.shape:
            return f"WRONG: result {i} has shape {got.shape}, expected {want.shape}"
        if got.size == 0:
            continue
        a, b = got.astype(numpy.float64), want.astype(numpy.float64)
        if not numpy.array_equal(numpy.isnan(a), numpy.isnan(b)):
            return f"WRONG: result {i} has NaNs at different positions"
        same = (a == b) | numpy.isnan(a)
        finite = numpy.where(numpy.isfinite(b), numpy.abs(b), 0.0)
        off = numpy.where(same, 0.0, numpy.abs(a - b)).max()
        worst = max(worst, float(off / (1e-5 + tolerance * finite.max()) * tolerance))
    return f"WRONG: off by {worst:.1e}" if not worst <= tolerance else f"ok {worst:.0e}"


def run_other_sizes(path: Path, case: Case, folder: Path) -> str:
    """Compares a run at other sizes with libtorch. Returns the difference, or ""."""
    symbols = json.loads((CORPUS / case.name.split("/")[1] / "export.json").read_text()).get("symbols", {})
    generator = numpy.random.default_rng(3)
    for increment in (1, 3):
        model = onnx.load(path)
        known = {name: min(ends["min"] + increment, ends["max"] or 64) for name, ends in symbols.items()}
        inputs = {}
        for value in model.graph.input:
            sizes = [d.dim_value or int(eval(d.dim_param, {}, known))  # pylint: disable=eval-used
                     for d in value.type.tensor_type.shape.dim]
            name = value.doc_string or value.name
            old = case.inputs[name]
            dtype = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
            if old.dtype.kind in "iub":  # integers that may be indices
                inputs[name] = generator.choice(old.reshape(-1), sizes).astype(dtype)
            else:
                inputs[name] = generator.standard_normal(sizes).astype(dtype)
        why, results = run_onnx(model, Case(case.name, case.graph, None, inputs, {}))
        if why:
            return f"at {known}: {why}"
        why = compare_by_run(case, inputs, results, folder / (path.stem + f"_sizes{increment}"))
        if why:
            return f"at {known}: {why}"
    return ""


def compare_by_run(case: Case, inputs: dict[str, numpy.ndarray], results: dict[int, numpy.ndarray],
                   stem: Path) -> str:
    """Compares results with libtorch's results for these inputs. Returns the difference, or ""."""
    inputs_file, results_path = stem.with_suffix(".in.safetensors"), stem.with_suffix(".out.safetensors")
    write_safetensors(inputs_file, inputs)
    write_safetensors(results_path, {f"out.{i}": r for i, r in results.items() if i in case.results})
    done = run(FXCPP, "run", case.graph, "--inputs", inputs_file, "--check", results_path, "--tolerance", 1e-4)
    return f"WRONG: {(done.stdout + done.stderr).strip()[:600]}" if done.returncode != 0 else ""


def run_again(path: Path, case: Case, opset: int, is_random: bool) -> str:
    """Reads the model, writes it again, and compares the results of both. Returns the difference, or ""."""
    graph, again = path.with_suffix(".again.fx"), path.with_suffix(".again.onnx")
    first, inputs = case.all_results, case.feeds
    for command in (("import", path, "-o", graph), ("emit", graph, "--to", "onnx", "--opset", opset, "-o", again)):
        done = run(FXCPP, *command)
        if done.returncode != 0:
            return f"{command[0].upper()} FAILED: {done.stderr.strip()[:1000]}"
    model = onnx.load(again)
    widen(model)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(model.SerializeToString(), options)
        feeds = {i.name: v for i, v in zip(session.get_inputs(), inputs)}
        results = session.run(None, feeds)
    except Exception as error:  # pylint: disable=broad-except  # onnxruntime raises custom classes
        return f"NOT RUN: {str(error)[:400]}"
    if len(results) != len(first):
        return f"WRONG: {len(results)} results, expected {len(first)}"
    for i, (a, b) in enumerate(zip(results, first)):
        scale = numpy.abs(b.astype(numpy.float64)[numpy.isfinite(b)]).max(initial=0.0)
        same = is_random or numpy.allclose(a, b, rtol=1e-4, atol=1e-5 + 1e-4 * scale, equal_nan=True)
        if a.shape != b.shape or not same:
            return f"WRONG: result {i} differs"
    return ""


# parity: S12
def check(case: Case, folder: Path, opset: int, other_sizes: bool, reads: bool,
          counts: collections.Counter[str]) -> str:
    path = folder / (case.name.replace("/", "_") + ".onnx")
    data = ["--data", case.weights] if case.weights and case.weights.exists() else []
    done = run(FXCPP, "emit", case.graph, "--to", "onnx", "--opset", opset, *data, "-o", path)
    if done.returncode != 0:
        message = done.stderr.strip()
        expected = REJECTED.get(case.name)
        counts["rejected"] += 1
        return f"rejected, as expected: {expected}" if expected and expected in message else (
            f"REJECTED: {message[:3000]}")
    model = onnx.load(path)
    counts["nodes"] += len(model.graph.node)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # pylint: disable=broad-except
        return f"NOT VALID: {str(error)[:600]}"
    counts["valid"] += 1
    if case.name in REJECTED:
        return "NOT REJECTED: remove it from REJECTED"
    operators = {node.op_type for node in model.graph.node}
    why, results = run_onnx(model, case)
    if why:
        return why
    if reads:
        why = run_again(path, case, opset, bool(operators & set(RANDOM)))
        if why:
            return f"{why} (after the model was read and written again)"
        counts["equal after reading"] += 1
    if operators & set(RANDOM):
        counts["ran"] += 1
        return f"ran; random numbers: {', '.join(sorted(operators & set(RANDOM)))}"
    if not case.results:
        counts["ran"] += 1
        return "ran; no results to compare with"
    if case.is_compared_by_run:
        why = compare_by_run(case, case.inputs, results, path.with_suffix(""))
        counts["equal"] += not why
        return why or "ok"
    is_bfloat = "bfloat16" in case.graph.read_text(errors="replace") or "bf16" in case.graph.read_text(
        errors="replace")
    tolerance = 2e-2 if is_bfloat else KERNEL_TOLERANCES.get(case.name, 1e-4)
    outcome = compare(case, results, tolerance)
    counts["equal"] += outcome.startswith("ok")
    is_dynamic = any(d.dim_param for i in model.graph.input for d in i.type.tensor_type.shape.dim)
    if other_sizes and is_dynamic and case.name.endswith("/export") and outcome.startswith("ok"):
        why = run_other_sizes(path, case, folder)
        if why:
            return f"WRONG at other sizes: {why}"
        counts["equal at other sizes"] += 1
        outcome += ", and at two other sizes"
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="regular expression for graph names")
    parser.add_argument("--opset", type=int, default=20)
    parser.add_argument("--other-sizes", action="store_true", help="also run at other symbolic sizes")
    parser.add_argument("--read", action="store_true", help="also read the models and write them again")
    parser.add_argument("--keep", type=Path, help="write the files to this folder")
    arguments = parser.parse_args()
    pattern = re.compile(arguments.only)
    counts: collections.Counter[str] = collections.Counter()
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for case in corpus(folder, pattern) + zoo(folder, pattern):
            counts["graphs"] += 1
            line = check(case, folder, arguments.opset, arguments.other_sizes, arguments.read, counts)
            failures += line.split(":")[0].isupper() or line.startswith(("WRONG", "NOT"))
            print(f"{case.name}: {line}", flush=True)
    print(", ".join(f"{what}: {count}" for what, count in counts.items()))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
