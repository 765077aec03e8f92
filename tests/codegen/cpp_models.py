#!/usr/bin/env python3
"""Tests that the C++ emitted for the zoo and the corpus compiles without warnings and returns
bit-equal results.

    tests/codegen/cpp_models.py [--only PATTERN] [--jobs 2] [--keep FOLDER] [--modules]

Zoo: each model of `fxcpp capture`, forward and joint (and training steps of some), as folders
(`fxcpp emit --to folder`). Their main function compares the results with eager libtorch's. Corpus:
the exported programs, and each graph that is stored as JSON (exported, functional, joint, with
symbolic sizes), with the weights and inputs of the corpus. Additional models: the models of
more_models.py, as graphs from torch.export, AOTAutograd and torch.fx's own tracer. For the corpus and
the additional models, the results of the emitted code and of `fxcpp run` are compared with those of
torch.fx's Interpreter for the same inputs. The output includes the compiler's CPU time. Takes
minutes; test_cpp.py runs a few of these cases in ctest. Exit status: 0 on success, 1 on failure, 77 without
torch.
"""

from __future__ import annotations

import argparse
import atexit
import concurrent.futures
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

try:
    import numpy
    import torch
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)

FXCPP = Path(os.environ.get("FXCPP", "build/release/bin/fxcpp")).absolute()
TORCH = Path(torch.__file__).parent
CORPUS = Path(os.environ.get("FXCPP_CORPUS", "../shared/corpus")).absolute()
SCRIPTS = Path(__file__).parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS / "corpus"))  # multi_io's model.pt2 uses a class in zoo.py
sys.path.insert(0, str(SCRIPTS))
import fx_export
import more_models

CXX = os.environ.get("CXX", "c++")
COMPILE = ["-std=c++20", "-O0", "-isystem", str(TORCH / "include")]
LOADING = threading.Lock()  # torch.export.load is not thread-safe
DTYPES = {
    torch.bool: "BOOL",
    torch.uint8: "U8",
    torch.int8: "I8",
    torch.int16: "I16",
    torch.int32: "I32",
    torch.int64: "I64",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.float32: "F32",
    torch.float64: "F64",
    torch.complex64: "C64",
    torch.float8_e5m2: "F8_E5M2",
    torch.float8_e4m3fn: "F8_E4M3",
}
EMIT_OPTIONS: list[str] = []
STEPS = {"mlp": "sgd", "lenet": "adam", "gpt": "adamw"}
SMALL = {
    "resnet18": ["size=32", "width=16"],
    "resnet50": ["size=32", "width=8"],
    "mobilenet_v2": ["size=32", "width=25"],
    "unet": ["width=4"],
    "vae": ["hidden=32"],
}


def measured(command: list[str]) -> tuple[int, str, float]:
    """Returns the exit status, the error output, and the CPU time including children."""
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stderr=errors, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return process.returncode, errors.read(), usage.ru_utime + usage.ru_stime


@functools.cache
def precompiled() -> list[str]:
    """Returns compiler options that use a precompiled header. The includes in the code do not change;
    test_cpp.py compiles a folder without it. clang loads only what the code uses, so its header
    contains all operators and instantiates templates, which makes compilation ten times as fast.
    The folder is removed at the end of the process."""
    folder = Path(tempfile.mkdtemp(prefix="fxcpp-precompiled-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    header = folder / "common.h"
    names = ["ATen/Context.h", "ATen/core/Tensor.h", "fstream", "map", "string", "vector"]
    options, output = ["-include", str(header)], f"{header}.gch"
    instantiate = []
    if "clang" in Path(CXX).name:
        names[:2] = ["ATen/ATen.h"]
        options, output = ["-include-pch", str(folder / "common.pch")], str(folder / "common.pch")
        instantiate = ["-fpch-instantiate-templates"]
    header.write_text("".join(f"#include <{name}>\n" for name in names))
    subprocess.run([CXX, *COMPILE, *instantiate, "-x", "c++-header", header, "-o", output], check=True)
    return options


def compile_and_run(folder: Path) -> tuple[bool, str]:
    """Builds main.cpp like its CMakeLists.txt, with warnings as errors, and runs it."""
    binary = folder / "model"
    command = [CXX, *COMPILE, "-Wall", "-Wextra", "-Werror", f"-I{folder}", *precompiled(),
               str(folder / "main.cpp"), "-o", str(binary)]
    command += [f"-L{TORCH / 'lib'}", "-Wl,--no-as-needed", "-ltorch", "-ltorch_cpu", "-lc10"]
    command += [f"-Wl,-rpath,{TORCH / 'lib'}"]
    code, errors, seconds = measured(command)
    if code != 0:
        return False, "does not build: " + errors[:1500]
    ran = subprocess.run([binary, folder], capture_output=True, text=True)
    text = f"{(ran.stdout + ran.stderr).strip()} (compiled in {seconds:.0f} s)"
    return ran.returncode == 0, text


def emit(graph: Path, folder: Path, *options: str) -> tuple[bool, str]:
    command = [FXCPP, "emit", graph, "--to", "folder", "-o", folder, *EMIT_OPTIONS, *options]
    ran = subprocess.run(command, capture_output=True, text=True)
    return ran.returncode == 0, ran.stderr.strip()[:600]


def zoo_case(work: Path, model: str, kind: str) -> tuple[str, bool, str]:
    label = f"{model} {kind}"
    graph = work / f"{model}_{kind}.fx"
    command = [str(FXCPP), "capture", model, "-o", str(graph)]
    command += [part for setting in SMALL.get(model, []) for part in ("--set", setting)]
    command += ["--joint"] if kind == "joint" else ["--step", STEPS[model]] if kind == "step" else []
    captured = subprocess.run(command, capture_output=True, text=True)
    if captured.returncode != 0:
        return label, False, "not captured: " + captured.stderr[:300]
    folder = work / f"{model}_{kind}"
    fine, text = emit(graph, folder)
    if fine:
        fine, text = compile_and_run(folder)
    return label, fine, text


# ---- the corpus: an exported program and PyTorch's results


def write_safetensors(path: Path, tensors: dict[str, torch.Tensor]) -> None:
    """Writes the format directly, to avoid a dependency on safetensors."""
    header, blobs, at = {}, [], 0
    for name, tensor in tensors.items():
        tensor = tensor.detach().clone(memory_format=torch.contiguous_format)
        data = bytes(tensor.reshape(-1).view(torch.uint8).numpy())
        header[name] = {
            "dtype": DTYPES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [at, at + len(data)],
        }
        at += len(data)
        blobs.append(data)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(blobs))


def program_data(program: torch.export.ExportedProgram) -> dict[str, torch.Tensor]:
    """Returns inputs with the names in interp/data_name.h, and PyTorch's results as out.0, ... No
    tensor requires grad, because this affects which kernels matmul calls."""
    state = {key: value.detach() if isinstance(value, torch.Tensor) else value
             for key, value in {**program.state_dict, **program.constants}.items()}
    arguments, keywords = program.example_inputs
    user = iter(torch.utils._pytree.tree_leaves((arguments, keywords)))
    values, data = [], {}
    for spec in program.graph_signature.input_specs:
        value = next(user) if spec.kind.name == "USER_INPUT" else state[spec.target]
        values.append(value)
        name = spec.arg.name if spec.kind.name == "USER_INPUT" else spec.target
        if isinstance(value, (bool, int, float)):
            value = torch.tensor(value)
        if isinstance(value, torch.Tensor):
            data[name] = value.detach().clone()
    with torch.no_grad():
        torch.manual_seed(0)
        results = torch.fx.Interpreter(program.graph_module).run(*values)
    for i, result in enumerate(torch.utils._pytree.tree_leaves(results)):
        if isinstance(result, torch.Tensor):
            data[f"out.{i}"] = result
    return data


def corpus_case(work: Path, model: str) -> tuple[str, bool, str]:
    label = f"{model} exported"
    data = work / f"{model}.safetensors"
    with LOADING:
        program = torch.export.load(CORPUS / model / "model.pt2")
        write_safetensors(data, program_data(program))
    folder = work / f"{model}_exported"
    fine, text = emit(CORPUS / model / "export.json", folder, "--data", str(data))
    if fine:
        fine, text = compile_and_run(folder)
    return label, fine, text


# ---- graphs as JSON, and torch.fx's results


def strided(value: torch.Tensor, val: object) -> torch.Tensor:
    """Returns the value with the dtype and strides in the graph's file."""
    if not isinstance(val, dict) or "t" not in val:
        return value
    value = value.to(getattr(torch, val["t"]))
    stride = val.get("stride", [])
    if list(value.shape) != val["shape"] or any(isinstance(s, str) for s in stride):
        return value
    return torch.empty_strided(value.shape, stride, dtype=value.dtype).copy_(value)


def run_in_torch_fx(
    gm: torch.fx.GraphModule, values: list[object], data: dict[str, torch.Tensor]
) -> None:
    """Adds the results of torch.fx's Interpreter for these inputs as out.0, ..."""
    with torch.no_grad():
        torch.manual_seed(0)
        results = torch.fx.Interpreter(gm).run(*values)
    leaves = torch.utils._pytree.tree_leaves(results, is_leaf=lambda x: x is None)
    for i, result in enumerate(leaves):
        if isinstance(result, torch.Tensor):
            data[f"out.{i}"] = result.detach().resolve_conj().resolve_neg()


def corpus_state(model: str) -> dict[str, torch.Tensor]:
    with LOADING:
        program = torch.export.load(CORPUS / model / "model.pt2")
    return {**program.state_dict, **program.constants}


def json_data(file: Path) -> dict[str, torch.Tensor]:
    """Returns inputs for a corpus graph (weights, recorded inputs, ones for tangents), and
    results."""
    document = json.loads(file.read_text())
    recorded = numpy.load(file.parent / "values.npz")
    state = corpus_state(file.parent.name)
    nodes = {node["name"]: node for node in document["graph"]["nodes"]}
    values, data, user = [], {}, 0
    for spec in document["inputs"]:
        val, kind = nodes[spec["name"]].get("val"), spec["kind"]
        name = spec.get("target") or spec["name"]
        if kind == "user_input":
            if "value" in spec:
                user += 1
                values.append(spec["value"])
                continue
            index = spec.get("index", user)
            user += 1
            name = f"in.{index}" if "index" in spec else spec["name"]
            key = f"in.{index}" if f"in.{index}" in recorded else f"joint_in.{index}"
            value = torch.from_numpy(recorded[key])
        elif kind == "tangent":
            name = f"tangent.{spec['of']['index']}"
            value = torch.ones(val["shape"])
        elif kind == "ForwardTokenAOTInput":
            value = torch.empty(0)
        else:
            target = spec["target"]
            value = state[target if target in state else target.removeprefix("m.")].detach()
        value = strided(value, val)
        values.append(value)
        data[name] = value.clone(memory_format=torch.contiguous_format)
    gm = fx_export.load(document)
    for node in gm.graph.nodes:  # constants without data in the file
        if node.op == "get_attr" and isinstance(found := getattr(gm, node.target, None), torch.Tensor):
            data[node.target] = found.clone()
    for module in gm.modules():  # the file stores tuples as lists, but while_loop requires tuples
        if isinstance(module, torch.fx.GraphModule) and module is not gm:
            output = module.graph.output_node()
            if isinstance(output.args[0], list):
                output.args = (tuple(output.args[0]),)
                module.recompile()
    run_in_torch_fx(gm, values, data)
    return data


def check_graph(work: Path, label: str, graph: Path, data: Path) -> tuple[bool, str]:
    """Interprets the graph with the inputs and results in `data`; then emits, compiles and runs it."""
    command = [FXCPP, "run", graph, "--inputs", data, "--check", data]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        return False, "interpreted: " + (ran.stdout + ran.stderr).strip()[:600]
    folder = work / re.sub(r"\W", "_", label)
    fine, text = emit(graph, folder, "--data", str(data))
    if fine:
        fine, text = compile_and_run(folder)
    if fine and not re.match(r"[1-9]", text):
        fine, text = False, "no results were compared"
    return fine, text


def json_case(work: Path, model: str, kind: str) -> tuple[str, bool, str]:
    label, file = f"{model} {kind}.json", CORPUS / model / f"{kind}.json"
    data = work / f"{model}_{kind}.safetensors"
    try:
        write_safetensors(data, json_data(file))
    except Exception as error:  # a graph that torch.fx cannot run counts as failed
        return label, False, f"torch.fx: {type(error).__name__}: {error}"[:600]
    return label, *check_graph(work, label, file, data)


def additional_case(work: Path, name: str, how: str) -> tuple[str, bool, str]:
    """Checks a model of more_models.py; torch creates and runs its graph."""
    label = f"{name} {how}"
    graph, data = work / f"{name}_{how}.json", work / f"{name}_{how}.safetensors"
    try:
        with LOADING:
            gm, values = more_models.graph_of(name, how)
            graph.write_text(fx_export.dumps(fx_export.export(gm)))
        inputs = {}
        names = [node.name for node in gm.graph.nodes if node.op == "placeholder"]
        for name_, value in zip(names, values, strict=True):
            value = torch.tensor(value) if isinstance(value, (bool, int, float)) else value
            inputs[name_] = value.detach().clone(memory_format=torch.contiguous_format)
        inputs |= {key: value.detach().clone() for key, value in more_models.members(gm).items()}
        run_in_torch_fx(gm, values, inputs)
        write_safetensors(data, inputs)
    except Exception as error:
        return label, False, f"torch.fx: {type(error).__name__}: {error}"[:600]
    return label, *check_graph(work, f"more {label}", graph, data)  # the zoo also has a unet


def zoo_cases() -> list[tuple[str, str]]:
    listed = subprocess.run([FXCPP, "capture", "--list", "--json"], capture_output=True, text=True)
    names = [model["name"] for model in json.loads(listed.stdout)]
    cases = [(name, kind) for name in names for kind in ("forward", "joint")]
    return cases + [(name, "step") for name in names if name in STEPS]


def all_cases() -> list[tuple[str, Callable[[Path], tuple[str, bool, str]]]]:
    cases = [
        (f"{model} {kind}", lambda work, m=model, k=kind: zoo_case(work, m, k))
        for model, kind in zoo_cases()
    ]
    for folder in sorted(CORPUS.iterdir()) if CORPUS.is_dir() else []:
        if (folder / "model.pt2").exists():
            cases.append((f"{folder.name} exported", lambda w, m=folder.name: corpus_case(w, m)))
        for file in sorted(folder.glob("*.json")) if folder.is_dir() else []:
            cases.append(
                (
                    f"{folder.name} {file.name}",
                    lambda w, m=folder.name, k=file.stem: json_case(w, m, k),
                )
            )
    for name, how in more_models.cases():
        cases.append((f"{name} {how}", lambda w, n=name, h=how: additional_case(w, n, h)))
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--only", default="", help="regular expression for labels")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keep the folders in this folder")
    parser.add_argument("--modules", action="store_true", help="emit modules as nested structs")
    arguments = parser.parse_args()
    if arguments.modules:
        EMIT_OPTIONS.append("--modules")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        work = arguments.keep or Path(folder)
        work.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            cases = [
                pool.submit(run, work)
                for label, run in all_cases()
                if re.search(arguments.only, label)
            ]
            for case in concurrent.futures.as_completed(cases):
                label, fine, text = case.result()
                failed += not fine
                print(f"{'ok  ' if fine else 'FAIL'} {label}: {text}", flush=True)
    print(f"{len(cases)} graphs, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
