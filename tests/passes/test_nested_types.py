#!/usr/bin/env python3
"""Compares the types of calls to graph modules with the types that torch.fx's ShapeProp records.

An outer torch.fx GraphModule calls an inner one with call_module: twice with inputs of different
sizes, and a third time within another module. The inner one has parameters and layers. The JSON
from scripts/fx_export.py is passed to `fxcpp shape`. The types that it infers for the outer nodes
must equal the types of the tensors that ShapeProp recorded. Exit status 77: torch is missing.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import torch
    from torch import fx, nn
    from torch.fx.passes.shape_prop import ShapeProp
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
NAMES = {torch.float32: "f32", torch.int64: "i64"}


class Inner(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer, self.scale = nn.Linear(6, 4), nn.Parameter(torch.rand(4))

    def forward(self, x: torch.Tensor, y: torch.Tensor) -> tuple:
        h = torch.relu(self.layer(x)) * self.scale
        return h.t(), h.argmax(1), h + y


class Middle(nn.Module):
    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        first, _, last = self.inner(x, x[:, :4])
        return first @ last


class Outer(nn.Module):
    def __init__(self, inner: nn.Module, middle: nn.Module) -> None:
        super().__init__()
        self.inner, self.middle = inner, middle

    def forward(self, x: torch.Tensor) -> tuple:
        a, b, c = self.inner(x, 1)
        d, e, f = self.inner(torch.cat([x, x]), torch.ones(1, 4))
        return a, b.unsqueeze(0), c, d, e, f, self.middle(x).sum(0)


class KeepGraphs(fx.Tracer):
    def is_leaf_module(self, m: nn.Module, name: str) -> bool:
        return isinstance(m, fx.GraphModule) or super().is_leaf_module(m, name)


def traced(module: nn.Module) -> fx.GraphModule:
    return fx.GraphModule(module, KeepGraphs().trace(module))


def type_of(value: torch.Tensor) -> str:
    text = f"{NAMES[value.dtype]}[{', '.join(map(str, value.shape))}]"
    return text if value.is_contiguous() else f"{text}[{', '.join(map(str, value.stride()))}]"


class Recorder(ShapeProp):
    """Records the result of each node, including lists of tensors."""

    def run_node(self, n: fx.Node):
        result = super().run_node(n)
        if isinstance(result, torch.Tensor) and n.op != "placeholder":
            seen[n.name] = type_of(result)
        return result


seen: dict[str, str] = {}


def main() -> int:
    torch.manual_seed(1)
    inner = traced(Inner())
    outer = traced(Outer(inner, traced(Middle(inner))))
    assert sum(n.op == "call_module" for n in outer.graph.nodes) == 3
    with torch.no_grad():
        Recorder(outer).propagate(torch.randn(3, 6))
    assert len(seen) >= 10
    with tempfile.TemporaryDirectory() as folder:
        fx_export.dump(outer, Path(folder) / "outer.json")
        done = subprocess.run([FXCPP, "shape", Path(folder) / "outer.json", "--input", "x=f32[3, 6]",
                               "--json"], check=False, capture_output=True, text=True)
    print(done.stderr, end="")
    got = {n["node"]: n["type"] for n in json.loads(done.stdout)["nodes"]}
    failures = [f"{name}: {got.get(name)}, torch {want}" for name, want in seen.items()
              if got.get(name) != want]
    print(f"{len(seen)} tensors", *failures, sep="\n")
    return 1 if failures or done.returncode != 0 else 0


if __name__ == "__main__":
    sys.exit(main())
