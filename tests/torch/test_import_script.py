#!/usr/bin/env python3
"""Compares `fxcpp import` of TorchScript files with torch's autograd in Python.

A module is traced and scripted, saved, imported with its backward pass, and replayed by `fxcpp
run`. The loss and gradients that the graph returns must equal those that Python computes from the
same tensors. Errors in files and options must be reported. Exit status: 0 on success, 1 on failure,
77 without torch.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Optional

try:
    import torch
    from safetensors.torch import save_file
    from test_zoo_twins import FXCPP, numbered, read_safetensors
except ImportError as error:
    print(f"not run: {error}")
    sys.exit(77)


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)
        self.norm = torch.nn.BatchNorm2d(4)
        self.head = torch.nn.Linear(4, 5)

    def forward(self, x: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.norm(self.conv(x))) * scale
        for _ in range(2):
            y = y + 1
        return self.head(y.mean([2, 3]))


class Literals(torch.nn.Module):
    """Tensors that libtorch fills without an operator: from lists, and from lengths computed
    inside operators."""

    def __init__(self) -> None:
        super().__init__()
        self.gru = torch.nn.GRU(3, 5, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        lengths = torch.tensor([4, 2])
        packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        y, _ = self.gru(packed)
        padded, _ = torch.nn.utils.rnn.pad_packed_sequence(y, batch_first=True)
        scale = torch.tensor([[1.0, 2.0, 3.0, 4.0, 5.0]], dtype=torch.float64).to(x.dtype)
        scores = (padded * scale).log_softmax(-1).transpose(0, 1)
        targets = torch.tensor([[1, 2], [3, 1]])
        return torch.nn.functional.ctc_loss(scores, targets, lengths, torch.tensor([2, 1]))


class Sized(torch.nn.Module):
    """Results that depend on the sizes of the input, including results that are numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 4, 3)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.relu(self.conv(x)).flatten(2)
        y = y / x.size(0) + torch.arange(x.size(3))[-1] * (x.size(2) // 2)
        return y.view(x.size(0), -1, y.size(2)).mean(2)


class Formulas(torch.nn.Module):
    """Quotients and remainders of a size, which have the values of other formulas at some sizes."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n = x.size(0)
        y = torch.nn.functional.pad(x, [0, 0, 0, n % 2]).sum() + x[: n // 2 + 1].sum()
        y = y + x[n // 3 :].sum() + torch.zeros(n // 5 + 1).numel() + torch.ones((n + 2) // 4).sum()
        return x * (n // 4 + 1) + y * (n % 3) + torch.ones(n // 2 * 2 + 1).sum()


class Loop(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x[:, 0]
        for i in range(x.size(1)):
            y = y * 2 + x[:, i]
        return y


LOSSES = {
    "cross_entropy": torch.nn.functional.cross_entropy,
    "mse": torch.nn.functional.mse_loss,
    "0": lambda result: result,
}


def run(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FXCPP, *map(str, words)], capture_output=True, text=True, check=False)


def inputs() -> list[str]:
    return ["--input", "x=f32[2, 3, 6, 6]", "--input", "scale=f32[1]"]


# parity: S7
def check(model: torch.nn.Module, file: Path, loss: str) -> list[str]:
    graph = file.with_suffix(f".{loss}.fx")
    done = run("import", file, *inputs(), "--joint", "--loss", loss, "-o", graph)
    if done.returncode:
        return [done.stderr]
    failures = []
    replay = run("run", graph, "--check", graph.with_suffix(".safetensors"))
    if replay.returncode or " 0 different" not in replay.stdout:
        failures.append(f"replay: {replay.stdout}{replay.stderr}")
    verified = run("verify", graph)
    if verified.returncode:
        failures.append(verified.stdout)

    known = {name for name, _ in model.named_modules()}
    paths = set(re.findall(r'module="([^"]*)"', graph.read_text()))
    if not {"conv", "norm", "head"} <= paths <= known:
        failures.append(f"modules {sorted(paths)}, but the model has {sorted(known)}")

    tensors = read_safetensors(graph.with_suffix(".safetensors"))
    in_tensors, outputs = numbered(tensors, "in"), numbered(tensors, "out")
    model.load_state_dict({**model.state_dict(), **{k: v for k, v in tensors.items()
                                                    if k in model.state_dict()}})
    model.zero_grad()
    ordered = [in_tensors[i] for i in sorted(in_tensors)]
    result = LOSSES[loss](model(*ordered[:2]), *ordered[2:])
    result.backward(torch.ones_like(result))
    gradients = [p.grad for p in model.parameters()]
    # Changed buffers, the loss, gradients. The last results are the gradients of the parameters.
    got = [outputs[i] for i in sorted(outputs)]
    expected = [result.detach(), *gradients]
    got = got[len(got) - len(expected):]
    if len(ordered) != {"cross_entropy": 3, "mse": 3, "0": 2}[loss]:
        failures.append(f"{len(ordered)} inputs")
    for i, (a, b) in enumerate(zip(got, expected)):
        if a.shape != b.shape or not torch.allclose(a, b, rtol=1e-5, atol=1e-6):
            failures.append(f"result {i}: {(a - b).abs().max() if a.shape == b.shape else a.shape}")
    return failures


def check_literals(folder: Path) -> list[str]:
    model, failures = Literals(), []
    example = torch.randn(2, 4, 3)
    for kind, script in (("scripted", torch.jit.script(model)), ("traced", torch.jit.trace(model, example))):
        file = folder / f"literals_{kind}.pt"
        script.save(str(file))
        graph = file.with_suffix(".fx")
        done = run("import", file, "--input", "f32[2, 4, 3]", "--joint", "--loss", "0", "-o", graph)
        replay = run("run", graph, "--check", graph.with_suffix(".safetensors"))
        if done.returncode or replay.returncode or " 0 different" not in replay.stdout:
            failures.append(f"literals, {kind}: {done.stderr}{replay.stdout}{replay.stderr}")
            continue
        tensors = read_safetensors(graph.with_suffix(".safetensors"))
        model.load_state_dict({name: tensors[name] for name in model.state_dict()})
        in_tensors, outputs = numbered(tensors, "in"), numbered(tensors, "out")
        expected = model(in_tensors[0]).detach()
        if not torch.allclose(outputs[0], expected, rtol=1e-5):
            failures.append(f"literals, {kind}: {outputs[0]}, in Python {expected}")
    return failures


def check_dynamic(folder: Path) -> list[str]:
    """Tests that the graph from `import --dynamic` matches the module at sizes other than those with
    which it was imported."""
    failures = []
    for kind in ("scripted", "traced"):
        # A traced module converts sizes to tensors without an operator and then does arithmetic on them.
        model = Sized()
        script = (torch.jit.script(model) if kind == "scripted"
                  else torch.jit.trace(model, torch.randn(2, 3, 6, 6)))
        file = folder / f"sized_{kind}.pt"
        script.save(str(file))
        graph = file.with_suffix(".fx")
        done = run("import", file, "--input", "x=f32[2, 3, 6, 7]", "--dynamic", "x=f32[batch, 3, h, w]",
                   "--range", "h=3:64", "--range", "w=3:64", "-o", graph)
        if done.returncode:
            failures.append(f"dynamic, {kind}: {done.stderr}")
            continue
        for sizes in ((2, 3, 6, 7), (5, 3, 3, 12), (9, 3, 20, 4)):
            x = torch.randn(sizes)
            data = graph.with_suffix(".other.safetensors")
            save_file({"in.0": x, "out.0": model(x).detach()}, data)
            replay = run("run", graph, "--inputs", data, "--check", data, "--tolerance", "1e-5")
            if replay.returncode:
                failures.append(f"dynamic, {kind}, {sizes}: {replay.stdout}{replay.stderr}")
    # A number must not become a formula that has the same values only during the import.
    model = Formulas()
    for size in (7, 9, 15):
        for kind in ("scripted", "traced"):
            script = (torch.jit.script(model) if kind == "scripted"
                      else torch.jit.trace(model, torch.randn(size, 2)))
            file = folder / f"formulas_{kind}.pt"
            script.save(str(file))
            graph = file.with_suffix(".fx")
            done = run("import", file, "--input", f"x=f32[{size}, 2]", "--dynamic", "x=f32[n, 2]", "-o", graph)
            if done.returncode:
                failures.append(f"formulas, {kind}, imported at {size}: {done.stderr}")
                continue
            for n in (6, 9, 12, 20):
                x = torch.ones(n, 2)
                data = graph.with_suffix(".other.safetensors")
                save_file({"in.0": x, "out.0": script(x).detach()}, data)
                replay = run("run", graph, "--inputs", data, "--check", data)
                if replay.returncode:
                    failures.append(f"formulas, {kind}, imported at {size}, {n}: {replay.stdout}{replay.stderr}")
    file = folder / "loop.pt"
    torch.jit.script(Loop()).save(str(file))
    done = run("import", file, "--input", "f32[2, 4]", "--dynamic", "f32[batch, 4]", "-o",
               file.with_suffix(".fx"))
    if done.returncode:
        failures.append(f"loop over a fixed size: {done.stderr}")
    done = run("import", file, "--input", "f32[2, 4]", "--dynamic", "f32[batch, length]")
    if done.returncode != 1 or "length" not in done.stderr:
        failures.append(f"loop over a dynamic size: exit {done.returncode}, {done.stderr}")
    return failures


class Defaults(torch.nn.Module):
    def forward(self, x: torch.Tensor, y: Optional[torch.Tensor] = None, k: int = 2):
        if y is not None:
            x = x + y
        return x * k, x.size(0), {"mean": float(x.mean())}, None


def check_defaults(folder: Path) -> list[str]:
    """Inputs with default values, and results that are not tensors."""
    file = folder / "defaults.pt"
    torch.jit.script(Defaults()).save(str(file))
    failures = []
    for words, num_inputs in (["f32[2]"], 1), (["f32[2]", "y=f32[2]"], 2), (["y=f32[2]", "x=f32[2]"], 2):
        done = run("import", file, *(f"--input={word}" for word in words))
        note = "omits the results that are not tensors: [1] (int), [2]['mean'] (float), [3] (NoneType)"
        if done.returncode or done.stdout.count("user_input") != num_inputs or note not in done.stderr:
            failures.append(f"{words}: exit {done.returncode}, {done.stdout}, {done.stderr}")
    for words, message in (["f32[2]", "z=f32[2]"], "forward has the inputs x, y, k, not z"), (
        ["f32[2]", "f32[2]"],
        "forward has only 1 input; specify inputs that have default values by name (x, y, k)",
    ):
        done = run("import", file, *(f"--input={word}" for word in words))
        if done.returncode != 1 or message not in done.stderr:
            failures.append(f"{words}: exit {done.returncode}, {done.stderr}")
    return failures


def check_errors(file: Path) -> list[str]:
    bad = file.with_name("bad.pt")
    bad.write_bytes(b"PK\x03\x04 no archive")
    cases = [
        (["import", file], "forward has 2 inputs (x, scale)"),
        (["import", file, "--input", "y=f32[2]"], "forward has the inputs x, scale, not y"),
        (["import", file, "--input", "x=f32[2, n]"], "a tensor whose sizes are numbers"),
        (["import", file, *inputs(), "--input", "x=f32[2]"], "the type of x is already set"),
        (["import", file, *inputs(), "-o", file.with_name("g.txt")], "unknown file extension"),
        (["import", file, *inputs(), "--joint", "--loss", "4"], "expected cross_entropy, mse, or"),
        (["import", file, "--input", "f32[2, 3]", "--input", "f32[1]"], "Expected 4-dimensional input"),
        (["import", bad, *inputs()], "bad.pt"),
        (["import", file.with_name("none.pt"), *inputs()], "none.pt"),
    ]
    failures = []
    for words, message in cases:
        done = run(*words)
        if done.returncode != 1 or message not in done.stderr:
            failures.append(f"{words}: exit {done.returncode}, {done.stderr}")
    return failures


def main() -> int:
    if run("import", "--help").returncode != 0:
        print(f"not run: {FXCPP} was built without libtorch")
        return 77
    torch.manual_seed(0)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        model = Net()
        example = (torch.randn(2, 3, 6, 6), torch.randn(1))
        for kind, script in (("scripted", torch.jit.script(model)),
                             ("traced", torch.jit.trace(model, example))):
            file = Path(folder) / f"{kind}.pt"
            script.save(str(file))
            for loss in LOSSES:
                failures += [f"{kind}, {loss}: {failure}" for failure in check(model, file, loss)]
        failures += check_literals(Path(folder))
        failures += check_dynamic(Path(folder))
        failures += check_defaults(Path(folder))
        failures += check_errors(file)
        fake = run("import", file, *inputs(), "--joint", "--mode", "fake")
        real = run("import", file, *inputs(), "--joint")
        if fake.stdout != real.stdout or not real.stdout:
            failures.append(f"fake tensors result in a different graph: {fake.stderr}")
    for failure in failures:
        print(failure)
    print(json.dumps({"failures": len(failures)}))
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
