#!/usr/bin/env python3
"""Tests that `fxcpp state` reads and writes torch.save files with the same contents as PyTorch.

    test_state.py

FXCPP is the path of the command. Exit status: 0 on success, 1 on failure, 77 if a package is
missing.
"""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

try:
    import torch
    from safetensors.torch import load_file
except ImportError as missing:
    print(f"not run: {missing.name} is missing")
    sys.exit(77)

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
failures: list[str] = []


def check(condition: bool, what: str) -> None:
    if not condition:
        failures.append(what)
        print(f"FAIL {what}")


def state(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FXCPP, "state", *arguments], capture_output=True, text=True)


def same(a: torch.Tensor, b: torch.Tensor) -> bool:
    a, b = (x.resolve_conj().resolve_neg() for x in (a, b))
    return (a.dtype == b.dtype and a.shape == b.shape and
            a.contiguous().flatten().view(torch.uint8).equal(
                b.contiguous().flatten().view(torch.uint8))) if a.numel() else a.shape == b.shape


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)
        self.layers = torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.ReLU(),
                                          torch.nn.Linear(5, 2, bias=False))
        self.tied = self.layers[0].weight
        self.register_buffer("cache", torch.arange(3), persistent=False)


class Views(torch.nn.Module):
    """Writes to a buffer of which another buffer is a view."""

    def __init__(self) -> None:
        super().__init__()
        whole = torch.zeros(4)
        self.register_buffer("whole", whole)
        self.register_buffer("part", whole[1:3])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.whole.add_(1)
        return self.part * x


def dtypes() -> dict[str, torch.Tensor]:
    """Returns a tensor of each dtype, and tensors with unusual strides."""
    tensors = {}
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64,
                  torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.complex64,
                  torch.complex128, torch.uint16, torch.uint32, torch.uint64,
                  torch.float8_e4m3fn):
        tensors[str(dtype)] = (torch.arange(6) * 3 % 7).reshape(2, 3).to(dtype)
    base = torch.randn(4, 6)
    tensors |= {"transposed": base.t(), "column": base[:, 2], "offset": base[1:, 3:],
                "expanded": base[:1].expand(3, 6), "empty": torch.empty(0, 3),
                "scalar": torch.tensor(2.5), "parameter": torch.nn.Parameter(base[2])}
    pairs = torch.randn(3, 2, dtype=torch.complex64)
    tensors |= {"conjugated": pairs.conj(), "adjoint": pairs.to(torch.complex128).mH,
                "negated": pairs.clone().conj().imag}
    return tensors


def flat(value: Any, name: str = "") -> dict[str, Any]:
    """Returns the names and leaves as state_dict.h describes them."""
    def join(key: Any) -> str:
        return f"{name}.{key}" if name else str(key)
    if isinstance(value, dict):
        return {k: v for key, item in value.items() for k, v in flat(item, join(key)).items()}
    if isinstance(value, (list, tuple)) and not all(
            item is None or isinstance(item, (bool, int, float, str)) for item in value):
        return {k: v for i, item in enumerate(value) for k, v in flat(item, join(i)).items()}
    return {name or "value": value}


def check_file(folder: Path, label: str, value: Any, expected: dict[str, Any], **options: Any
               ) -> None:
    """Saves the value, lists the file, converts it to both formats, and compares the leaves."""
    path = folder / f"{label}.pt"
    torch.save(value, path, **options)
    listed = state(str(path), "--json")
    check(listed.returncode == 0, f"{label}: {listed.stderr}")
    if listed.returncode:
        return
    document = json.loads(listed.stdout)
    tensors = {k: v for k, v in expected.items() if isinstance(v, torch.Tensor)}
    others = {k: v for k, v in expected.items() if not isinstance(v, torch.Tensor)}
    check([t["name"] for t in document["tensors"]] == list(tensors), f"{label}: names")
    values = {v["name"]: v["value"] for v in document["values"]}
    check(set(values) == set(others), f"{label}: values {set(values) ^ set(others)}")
    for key, other in others.items():
        want = json.dumps(other) if isinstance(other, str) else repr(
            tuple(other) if isinstance(other, torch.Size) else other)
        check(values.get(key) == want, f"{label}: {key}: {values.get(key)}, expected {want}")
    back = folder / f"{label}_back.pt"
    written = state(str(path), "-o", str(back))
    check(written.returncode == 0, f"{label}: {written.stderr}")
    loaded = torch.load(back, weights_only=True)
    check(list(loaded) == list(tensors), f"{label}: names written")
    for key, tensor in tensors.items():
        check(same(loaded[key], tensor.detach()), f"{label}: {key} differs after -o .pt")
        if key in ("transposed", "offset", "expanded"):
            check(loaded[key].stride() == tensor.stride(), f"{label}: {key} has different strides in .pt")
    check_sharing(label, torch.load(path, weights_only=False), loaded)
    compared = state(str(path), "--compare", str(back))
    check(compared.returncode == 0, f"{label}: --compare: {compared.stdout}{compared.stderr}")


def check_sharing(label: str, saved: Any, loaded: dict[str, torch.Tensor]) -> None:
    """Compares which tensors overlap, and the distances between those that do."""
    originals = {k: v.detach() for k, v in flat(saved).items() if isinstance(v, torch.Tensor)}
    # torch.save keeps the conjugate bit; the written tensor is a copy.
    names = [k for k, v in originals.items() if v.numel() and not v.is_conj() and not v.is_neg()]

    def span(tensor: torch.Tensor) -> tuple[int, int]:
        last = sum((size - 1) * stride for size, stride in zip(tensor.shape, tensor.stride()))
        return tensor.data_ptr(), tensor.data_ptr() + (last + 1) * tensor.element_size()

    for i, a in enumerate(names):
        for b in names[i + 1:]:
            (begin, end), (other, other_end) = span(originals[a]), span(originals[b])
            if begin >= other_end or other >= end:
                continue
            distance = loaded[b].data_ptr() - loaded[a].data_ptr()
            check(distance == other - begin, f"{label}: {a} and {b} do not share memory in .pt")


def main() -> int:
    torch.manual_seed(0)
    net = Net()
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.25)
    net.layers(torch.randn(2, 4)).sum().backward()
    net.conv(torch.randn(1, 3, 5, 5)).sum().backward()
    optimizer.step()
    checkpoint = {"model": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3,
                  "best": 0.5, "name": 'a "b"\n', "shape": torch.Size([2, 3]), "none": None,
                  "flags": (True, False), "big": 2**40, "empty": {}}
    expected = flat(checkpoint)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for label, options in (("zip", {}), ("legacy", {"_use_new_zipfile_serialization": False})):
            check_file(folder, f"state_{label}", net.state_dict(), flat(net.state_dict()), **options)
            check_file(folder, f"checkpoint_{label}", checkpoint, expected, **options)
            # torch.load rejects the files that torch.save writes in the old format for these.
            known = {k: v for k, v in dtypes().items()
                     if options == {} or not any(w in k for w in ("uint16", "uint32", "uint64",
                                                                  "float8"))}
            check_file(folder, f"dtypes_{label}", known, known, **options)
            check_file(folder, f"list_{label}", [torch.ones(2), (torch.zeros(1), 7)],
                       {"0": torch.ones(2), "1.0": torch.zeros(1), "1.1": 7}, **options)
            check_file(folder, f"single_{label}", torch.arange(4), {"value": torch.arange(4)},
                       **options)
            all_tensors = {**dict(net.named_parameters(remove_duplicate=False)),
                     **dict(net.named_buffers())}
            torch.save(net, folder / "module.pt", **options)
            listed = json.loads(state(str(folder / "module.pt"), "--json").stdout)
            check({t["name"] for t in listed["tensors"]} == set(all_tensors), f"module_{label}: names")

        short = {"x": torch.tensor([1, 2, 65535], dtype=torch.uint16), "y": torch.ones(2).to(
            torch.float8_e4m3fn)}
        torch.save(short, folder / "short.pt", _use_new_zipfile_serialization=False)
        written = state(str(folder / "short.pt"), "-o", str(folder / "short_back.pt"))
        loaded = torch.load(folder / "short_back.pt") if written.returncode == 0 else {}
        check(loaded.keys() == short.keys() and all(same(loaded[k], short[k]) for k in short),
              f"short dtypes, legacy: {written.stderr}")

        # Prefixes, safetensors, and shared parameters.
        path, out = str(folder / "checkpoint_zip.pt"), str(folder / "weights.safetensors")
        check(state(path, "--prefix", "model", "--add-prefix", "net", "-o", out).returncode == 0,
              "--prefix")
        loaded = load_file(out)
        check(set(loaded) == {f"net.{k}" for k in net.state_dict()}, "--prefix: names")
        check(all(same(loaded[f"net.{k}"], v) for k, v in net.state_dict().items()), "--prefix")
        check(state(path, "--prefix", "mode").returncode != 0, "a prefix without a matching name")
        tied = torch.load(folder / "state_zip_back.pt", weights_only=True)
        check(tied["tied"].data_ptr() == tied["layers.0.weight"].data_ptr(), "tied tensors")

        # Differences.
        other = {k: v.clone() for k, v in net.state_dict().items()}
        other["conv.bias"][1] += 0.5
        other["norm.weight"] = torch.ones(5)
        del other["norm.bias"]
        torch.save(other, folder / "other.pt")
        compared = state(str(folder / "state_zip.pt"), "--compare", str(folder / "other.pt"))
        check(compared.returncode == 1, "--compare: status")
        check(compared.stdout.splitlines() == [
            "conv.bias: 1 of 4 elements differ, by at most 0.5",
            "norm.weight: f32[4] and f32[5]", "norm.bias: only in the first file"],
              f"--compare: {compared.stdout}")

        # Data files contain views as separate tensors, and a note names them.
        base = torch.arange(40, dtype=torch.float32)
        views = {"base": base, "tail": base[30:], "again": base, "alone": torch.ones(2),
                 "sparse": torch.zeros(100)[::20], "empty": base[:0]}
        for label, options in (("zip", {}), ("legacy", {"_use_new_zipfile_serialization": False})):
            check_file(folder, f"views_{label}", views, views, **options)
            written = state(str(folder / f"views_{label}.pt"), "-o", str(folder / "v.safetensors"))
            check("does not contain the shared memory of the tensors again, base, tail\n" in
                  written.stderr, f"views_{label}.safetensors: {written.stderr}")
            loaded = torch.load(folder / f"views_{label}_back.pt", weights_only=True)
            check(loaded["sparse"].untyped_storage().nbytes() == 20, "a view with gaps is not dense")
        program = torch.export.export(Views(), (torch.ones(2),), strict=False)
        torch.export.save(program, folder / "views.pt2")
        for form in ("safetensors", "json", "fx", "pt2"):
            made = subprocess.run([FXCPP, "convert", folder / "views.pt2", "-o",
                                   folder / f"converted_{form}.{form}"], capture_output=True, text=True)
            noted = "the shared memory of the tensors part, whole" in made.stderr
            check(made.returncode == 0 and noted == (form != "pt2"), f"views, {form}: {made.stderr}")

        # Values that cannot be read are reported or are errors.
        torch.save({"x": torch.randn(3).to_sparse(), "y": collections.Counter()},
                   folder / "sparse.pt")
        listed = state(str(folder / "sparse.pt"))
        check("# not read: x (torch._utils._rebuild_sparse_tensor)" in listed.stdout,
              f"sparse: {listed.stdout}{listed.stderr}")
        torch.save({"a.b": torch.ones(1), "a": {"b": torch.ones(1)}}, folder / "twice.pt")
        check("a.b: duplicate name" in state(str(folder / "twice.pt")).stderr, "twice")
        for label in ("zip", "legacy"):
            data = (folder / f"list_{label}.pt").read_bytes()
            for size in range(0, len(data), max(1, len(data) // 40)):
                (folder / "short.pt").write_bytes(data[:size])
                short = state(str(folder / "short.pt"))
                check(short.returncode == 1 and "short.pt" in short.stderr,
                      f"{label} truncated to {size} of {len(data)}: {short.returncode}")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
