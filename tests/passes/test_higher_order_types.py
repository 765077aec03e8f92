#!/usr/bin/env python3
"""Compares the inferred types of operators that call nested graphs with torch's results.

Programs with cond, while_loop, while_loop_stack_output, scan, map, invoke_subgraph and no_grad
regions are exported. Each value gets the type of the value that the program computed (with dynamic
sizes, the type that torch.export records), and `fxcpp shape --compare` must infer the same types.
Exit status 77: torch is missing.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

try:
    import torch
    from torch._higher_order_ops.map import map as torch_map
    from torch._higher_order_ops.scan import scan
    from torch._higher_order_ops.while_loop import while_loop, while_loop_stack_output_op as while_loop_stack_output
except ImportError:
    print("torch is missing")
    sys.exit(77)

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import fx_export  # noqa: E402

FXCPP = os.environ.get("FXCPP", "build/release/bin/fxcpp")
ROWS = torch.export.Dim("rows", min=2, max=64)


class Cond(torch.nn.Module):
    def forward(self, x, y):
        return torch.cond(x.sum() > 0, lambda a, b: (a.sin() @ b, a.t().exp()),
                          lambda a, b: (a @ b * 2, a.cos().t()), (x, y))


class While(torch.nn.Module):
    def forward(self, x, y):
        return while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2 + 1),
                          (torch.zeros((), dtype=torch.int64), x @ y))


class Stacked(torch.nn.Module):
    def forward(self, x, y):
        return while_loop_stack_output(lambda i, a: i < 3, lambda i, a: (i + 1, (a * 2).t().contiguous().t()),
                                       (torch.zeros((), dtype=torch.int64), (x @ y).t().contiguous().t()), ())


class Scan(torch.nn.Module):
    def forward(self, x, y):
        def step(carry, row):
            carry = carry + row
            return carry.clone(), (carry.unsqueeze(0) @ y)
        return scan(step, torch.zeros(6), x, dim=0)


class Map(torch.nn.Module):
    def forward(self, x, y):
        return torch_map(lambda row, m: (m @ row, row.unsqueeze(1).expand(6, 2).to(torch.float64)),
                         x, y.t())


class Region(torch.nn.Module):
    def forward(self, x, y):
        return half(x, y), half(x * 2, y)


@torch.compiler.nested_compile_region
def half(x, y):
    return (x @ y).relu().t()


class NoGrad(torch.nn.Module):
    def forward(self, x, y):
        with torch.no_grad():
            z = (x @ y).t()
        return z.sum(0) + x.sum(1)


class Results(torch.fx.Interpreter):
    """Records the result of every call of the outermost graph."""

    def run_node(self, node):
        result = super().run_node(node)
        if node.op == "call_function":
            node.meta["val"] = result
        return result


PROGRAMS = {"cond": Cond, "while_loop": While, "while_loop_stack_output": Stacked, "scan": Scan, "map_impl": Map,
            "invoke_subgraph": Region, "wrap_with_set_grad_enabled": NoGrad}


def main():
    warnings.simplefilter("ignore")
    torch.manual_seed(0)
    failures = 0
    x, y = torch.randn(5, 6), torch.randn(6, 4)
    with tempfile.TemporaryDirectory() as folder:
        for name, program in PROGRAMS.items():
            for dynamic in (False, True):
                shapes = ({0: ROWS}, None) if dynamic else None
                exported = torch.export.export(program(), (x, y), dynamic_shapes=shapes, strict=True)
                graph = exported.graph_module
                called = [n for n in graph.graph.nodes if n.target is getattr(torch.ops.higher_order, name)]
                if not called:
                    print(f"{name}: the exported graph does not call it:\n{graph.code}")
                    failures += 1
                    continue
                if not dynamic:
                    Results(graph).run(x, y)
                path = f"{folder}/{name}.json"
                fx_export.dump(graph, path)
                done = subprocess.run([FXCPP, "shape", path, "--compare", "--json"],
                                      capture_output=True, text=True)
                found = json.loads(done.stdout) if done.stdout.startswith("{") else {}
                label = f"{name}{', dynamic' if dynamic else ''}"
                print(f"{label}: {found.get('compared')} compared, {found.get('different')}")
                if done.returncode or not found.get("compared"):
                    print(done.stdout, done.stderr)
                    failures += 1
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
