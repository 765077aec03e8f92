#!/usr/bin/env python3
"""Tests examples/05_pattern/fusions.fx and training_fusions.fx on real graphs: exported models of
the corpus, their joint graphs before and after torch's decompositions, captured models of the zoo,
and fusions written as functions, forward and joint with their gradients.

`fxcpp rewrite` rewrites each graph; torch runs it before and after on the same random inputs.
The number of matches must be as expected, and all results, including gradients, must be equal. The
number of matches of a decomposed operator must equal the number of calls before decomposition.

Exit status: 0 if equal, 1 if different, 77 without torch or corpus.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import types
from collections import Counter
from pathlib import Path
from typing import Any, Callable

try:
    import torch
    import torch.nn.functional as F
    from torch import fx
    from torch.fx.experimental.proxy_tensor import make_fx
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import fx_export

RULES = ROOT / "examples" / "05_pattern" / "fusions.fx"
TRAINING_RULES = ROOT / "examples" / "05_pattern" / "training_fusions.fx"
SIZE = 7  # the value of every symbol


# -- The custom functions that the rules call by name


def biased_attention(q, k, v, bias, divisor):
    return F.scaled_dot_product_attention(q, k, v, bias, scale=1.0 / divisor)


def rotary(x, cos, sin):
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat([-right, left], -1) * sin


def swiglu(x, gate, up):
    return F.silu(F.linear(x, gate)) * F.linear(x, up)


def rms_norm(x, w, eps):
    return w * F.rms_norm(x.float(), x.shape[-1:], eps=eps).to(x.dtype)


def layer_norm(x, w, b, eps):
    return F.layer_norm(x, w.shape, w, b, eps)


def conv_bn_relu(x, w, b, stride, padding, scale, shift, mean, var, eps):
    x = F.conv2d(x, w, b, stride, padding)
    return F.relu(F.batch_norm(x, mean, var, scale, shift, False, 0.0, eps))


def layer_norm_training(x, w, b, eps):
    return torch.native_layer_norm(x, w.shape, w, b, eps)


def rotary_backward(grad, cos, sin):
    left, right = (grad * sin).chunk(2, -1)
    return grad * cos + torch.cat([right, -left], -1)


def silu_mul(a, b):
    return F.silu(a) * b


def attention(q, k, v, hidden, scale, four):
    batch = list(four[:-2])
    q = q.reshape(batch + [-1, q.shape[-1]])
    k = k.transpose(-2, -1).reshape(batch + [-1, q.shape[-1]])
    mask = None if hidden is None else ~hidden
    out = F.scaled_dot_product_attention(
        q, k, v.reshape(batch + [-1, v.shape[-1]]), mask, scale=scale
    )
    return out.flatten(0, -3)


def conv_bn_relu_training(x, w, stride, padding, scale, shift, mean, var, momentum, eps):
    x = F.conv2d(x, w, None, stride, padding)
    mean, var = mean.clone(), var.clone()
    return F.relu(F.batch_norm(x, mean, var, scale, shift, True, momentum, eps)), mean, var


def gradients(f, grad, *args):
    """Recomputes the results of `f` on these inputs, and returns their gradients."""
    with torch.enable_grad():
        leaves = [x.detach().requires_grad_() for x in args]
        return torch.autograd.grad(f(*leaves), leaves, grad)


def silu_mul_backward(grad, a, b):
    return gradients(silu_mul, grad, a, b)


def attention_backward(grad, q, k, v, hidden, scale, four):
    def f(q, k, v):
        return attention(q, k, v, hidden, scale, four)

    return gradients(f, grad, q, k, v)[::-1]


def conv_bn_relu_backward(grad, x, w, stride, padding, scale, shift, eps):
    def f(x, w, scale, shift):
        y = F.conv2d(x, w, None, stride, padding)
        return F.relu(F.batch_norm(y, None, None, scale, shift, True, 0.0, eps))

    return gradients(f, grad, x, w, scale, shift)


fused = types.ModuleType("fused")
for function in (
    biased_attention,
    rotary,
    rotary_backward,
    swiglu,
    silu_mul,
    silu_mul_backward,
    rms_norm,
    layer_norm,
    layer_norm_training,
    attention,
    attention_backward,
    conv_bn_relu,
    conv_bn_relu_training,
    conv_bn_relu_backward,
):
    function.__module__ = "fused"
    setattr(fused, function.__name__, function)
sys.modules["fused"] = fused


# -- The fusions as functions


def plain_layer_norm(x, w, b):
    centered = x - x.mean(-1, keepdim=True)
    return b + w * (centered / torch.sqrt((centered**2).mean(-1, keepdim=True) + 1e-5))


def plain_gelu(x):
    return x * 0.5 * (1 + torch.erf(x * 0.7071067811865476))


def plain_gelu_tanh(x):
    return (1 + torch.tanh((x + x**3 * 0.044715) * 0.7978845608028654)) * (x * 0.5)


def plain_linear(x, w, b):
    return b + x @ w


def plain_softmax(x):
    e = torch.exp(x - torch.amax(x, -1, keepdim=True))
    return e / e.sum(-1, keepdim=True)


def two_linear(x, w, b):
    return torch.relu(plain_linear(plain_linear(x, w, b), w, b))


def grads(f: Callable[..., torch.Tensor]) -> Callable[..., Any]:
    """Returns a function that returns the result of `f` and the gradients of the sum of its sines."""

    def joint(*args: torch.Tensor) -> Any:
        out = f(*args)
        return (out, *torch.autograd.grad(out.sin().sum(), args))

    return joint


# name, function, sizes of its inputs, matches in the forward graph, matches in the joint graph
WRITTEN = [
    ("layer_norm", plain_layer_norm, [(4, 8), (8,), (8,)], {"layer_norm": 1}, {}),
    ("gelu", plain_gelu, [(4, 8)], {"gelu": 1}, {}),
    ("gelu_tanh", plain_gelu_tanh, [(4, 8)], {"gelu_tanh": 1}, {}),
    ("softmax", plain_softmax, [(4, 8)], {"softmax": 1}, {}),
    ("addmm", two_linear, [(8, 8), (8, 8), (8,)], {"addmm": 2}, {"addmm": 2}),
]
# In joint graphs, the backward pass uses intermediate values of the other patterns, so these do not match,
# as --explain reports.
INSIDE = ", outside the match, also uses it"


def plain_attention(q, k, v):
    return torch.softmax(q @ k.transpose(-2, -1) * 0.35, -1) @ v


def masked_attention(q, k, v):
    scores = q @ k.transpose(-2, -1) * 0.35
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(hidden, float("-inf")), -1) @ v


def plain_swiglu(a, b):
    return F.silu(a) * b


SIZES = [(2, 3, 5, 8)] * 3
# The same functions with the rules for training, which match both the forward and the backward
# pass.
TRAINING = [
    ("attention", plain_attention, SIZES, {"attention": 1, "attention_backward": 1}),
    (
        "masked_attention",
        masked_attention,
        SIZES,
        {"masked_attention": 1, "masked_attention_backward": 1},
    ),
    ("swiglu", plain_swiglu, [(4, 8)] * 2, {"swiglu": 1, "swiglu_backward": 1}),
]
JOINT_CORPUS = {
    "gpt_mini": {"masked_attention": 1, "masked_attention_backward": 1},
    "llama_like": {
        "rotary_embedding": 2,
        "rotary_embedding_backward": 2,
        "swiglu": 1,
        "swiglu_backward": 1,
    },
    "resnet18_narrow": {
        "conv_bn_relu": 9,
        "conv_bn_relu_backward": 8,
        "first_conv_bn_relu_backward": 1,
    },
}

# Joint graphs that torch decomposed: each entry has an operator and the rule that restores it.
PARTS = {
    "_softmax": "softmax",
    "_softmax_backward_data": "softmax_backward",
    "silu": "silu",
    "silu_backward": "silu_backward",
    "gelu": "gelu",
    "gelu_backward": "gelu_backward",
    "native_layer_norm": "layer_norm",
    "native_layer_norm_backward": "layer_norm_backward",
    "addmm": "addmm",
}
# Additional matches after decomposition, some of which contain fused nodes. (In llama_like's bfloat16, SiLU is
# computed in float32, with casts before and after.)
ADDITIONAL = {
    "gpt_mini": JOINT_CORPUS["gpt_mini"],
    "llama_like": {"rotary_embedding": 2, "rotary_embedding_backward": 2},
    "transformer_encoder": {"addmm_of_view": 2},  # the attention's projections
    "vit_mini": {"addmm_of_view": 1},
    "mlp": {},
}

# Zoo models that the command captures if it has libtorch: their settings, and the matches in the
# forward graph. The joint graph has additional matches in the backward pass.
ZOO = {
    "resnet18": (["size=32", "width=8"], {"conv_bn_relu": 9}),
    "unet": (["width=4"], {"conv_bn_relu": 18}),
    "gpt": ([], {"addmm_of_view": 8}),
    "vit": ([], {"addmm_of_view": 8}),
}
FOUND_TOO = ("drop_detach", "drop_metadata_checks")

CORPUS = {
    "llama_like": {"biased_attention": 1, "rotary_embedding": 2, "swiglu": 1, "rms_norm": 3},
    "gpt_mini": {"masked_attention": 1},
    "resnet18_narrow": {"conv_bn_relu": 9},
}


def rewrite(document: str, folder: Path, rules: Path) -> tuple[fx.Graph, dict[str, int]]:
    before, after = folder / "before.json", folder / "after.json"
    before.write_text(document)
    command = [os.environ["FXCPP"], "rewrite", str(before), "--rules", str(rules), "--report"]
    done = subprocess.run(
        [*command, "-o", str(after)], capture_output=True, text=True, check=True
    )
    counts = Counter()
    for line in done.stderr.splitlines():
        number, name = line.split()
        if int(number) and name not in FOUND_TOO:
            counts[name] = int(number)
    return fx_export.load_graph(after), dict(counts)


def random_input(node: fx.Node, generator: torch.Generator) -> Any:
    value = node.meta.get("val")
    if not isinstance(value, torch.Tensor):
        return SIZE
    sizes = [int(s) if isinstance(s, int) else SIZE for s in value.shape]
    if not value.dtype.is_floating_point:
        return torch.randint(0, 2, sizes, generator=generator).to(value.dtype)
    x = torch.randn(sizes, generator=generator) * 0.5
    x *= torch.rand(sizes, generator=generator) > 0.2  # some elements are 0, as in masks
    return (x.abs() + 0.5 if "var" in node.name else x).to(value.dtype)


def flat(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [t for item in value for t in flat(item)]
    return []


def compare(name: str, before: fx.Graph, after: fx.Graph, inputs: list[Any]) -> list[str]:
    root = torch.nn.Module()
    with torch.no_grad():
        torch.manual_seed(5)
        want = flat(fx.Interpreter(root, graph=before).run(*inputs))
        torch.manual_seed(5)
        got = flat(fx.Interpreter(root, graph=after).run(*inputs))
    if len(want) != len(got) or not want:
        return [f"{name}: {len(want)} results before, {len(got)} after"]
    wrong = []
    for i, (a, b) in enumerate(zip(want, got)):
        if not torch.isfinite(a.float()).any():
            wrong.append(f"{name}: result {i} has no finite elements")
        tolerance = 4e-2 if a.dtype == torch.bfloat16 else 1e-4
        if not torch.allclose(a.float(), b.float(), rtol=tolerance, atol=tolerance, equal_nan=True):
            wrong.append(f"{name}: result {i} differs by {(a - b).abs().max()}")
    return wrong


def inputs_of(graph: fx.Graph) -> list[Any]:
    generator = torch.Generator().manual_seed(2)
    return [random_input(n, generator) for n in graph.find_nodes(op="placeholder")]


def decomposed(graph: fx.Graph) -> tuple[str, dict[str, int]]:
    """Returns the graph after the operators in PARTS are decomposed, and the expected matches by
    rule."""
    from torch._decomp import get_decompositions

    aten = torch.ops.aten
    expected = Counter()
    for node in graph.nodes:
        name = str(node.target).removeprefix("aten.").removesuffix(".default")
        if name in PARTS:
            is_tanh = node.kwargs.get("approximate") == "tanh"
            rule = PARTS[name]
            expected[rule.replace("gelu", "gelu_tanh") if is_tanh else rule] += 1
    table = get_decompositions([getattr(aten, name).default for name in PARTS])
    table[aten.addmm.default] = lambda b, x, w: torch.mm(x, w) + b
    run = fx.Interpreter(torch.nn.Module(), graph=graph).run
    with torch.no_grad():
        traced = make_fx(run, decomposition_table=table)(*inputs_of(graph))
    return fx_export.dumps(fx_export.export(traced)), dict(expected)


def captured(model: str, settings: list[str], is_joint: bool) -> str:
    """Returns the functionalized graph of a zoo model as a document."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "captured.json")
        options = [word for setting in settings for word in ("--set", setting)]
        run = [os.environ["FXCPP"], "capture", model, "-o", str(path), *options]
        subprocess.run(run + ["--joint"] * is_joint, check=True, capture_output=True)
        run = [os.environ["FXCPP"], "opt", str(path), "--passes", "functionalize", "-o", str(path)]
        subprocess.run(run, check=True, capture_output=True)
        return path.read_text()


def can_capture() -> bool:
    run = [os.environ["FXCPP"], "capture", "--list"]
    return subprocess.run(run, capture_output=True, check=False).returncode == 0


def explain(document: str, rule: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.json")
        path.write_text(document)
        command = [os.environ["FXCPP"], "rewrite", str(path), "--rules", str(RULES)]
        return subprocess.run(
            [*command, "--explain", rule], capture_output=True, text=True, check=False
        ).stdout


def check(
    name: str,
    document: str,
    inputs: list[Any] | None,
    expected: dict[str, int],
    rules: Path = RULES,
) -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        after, counts = rewrite(document, Path(folder), rules)
    before = fx_export.load_graph(json.loads(document))
    if inputs is None:
        inputs = inputs_of(before)
    wrong = [] if counts == expected else [f"{name}: matched {counts}, expected {expected}"]
    return wrong + compare(name, before, after, inputs)


def main() -> int:
    corpus = Path(os.environ.get("FXCPP_CORPUS", ""))
    if not (corpus / "index.json").exists() or "FXCPP" not in os.environ:
        print("skipped: the corpus or the command is missing")
        return 77
    wrong: list[str] = []
    count = 0
    for name, function, sizes, forward, joint in WRITTEN:
        generator = torch.Generator().manual_seed(1)
        inputs = [torch.randn(s, generator=generator) for s in sizes]
        for kind, f, expected in (("", function, forward), (" joint", grads(function), joint)):
            leaves = [x.clone().requires_grad_(bool(kind)) for x in inputs]
            graph = make_fx(f, tracing_mode="fake")(*leaves)
            document = fx_export.dumps(fx_export.export(graph))
            wrong += check(name + kind, document, inputs, expected)
            if not expected and INSIDE not in (why := explain(document, name)):
                wrong.append(f"{name}{kind}: not found, but --explain reports: {why}")
            count += 1
    for name, function, sizes, expected in TRAINING:
        generator = torch.Generator().manual_seed(1)
        leaves = [torch.randn(s, generator=generator).requires_grad_() for s in sizes]
        graph = make_fx(grads(function), tracing_mode="fake")(*leaves)
        document = fx_export.dumps(fx_export.export(graph))
        inputs = [x.detach() for x in leaves]
        wrong += check(name + " training", document, inputs, expected, TRAINING_RULES)
        count += 1
    for name, expected in CORPUS.items():
        document = (corpus / name / "forward.json").read_text()
        wrong += check(name, document, None, expected)
        count += 1
    for name, expected in JOINT_CORPUS.items():
        document = (corpus / name / "joint.json").read_text()
        wrong += check(name + " joint", document, None, expected, TRAINING_RULES)
        count += 1
    for name, additional in ADDITIONAL.items():
        graph = fx_export.load_graph(json.loads((corpus / name / "joint.json").read_text()))
        document, expected = decomposed(graph)
        wrong += check(name + " decomposed", document, None, expected | additional, TRAINING_RULES)
        count += 1
    for name, (settings, forward) in ZOO.items() if can_capture() else ():
        joint = dict(forward)
        if blocks := forward.get("conv_bn_relu"):
            joint |= {"conv_bn_relu_backward": blocks - 1, "first_conv_bn_relu_backward": 1}
        for is_joint, expected in ((False, forward), (True, joint)):
            document = captured(name, settings, is_joint)
            kind = " joint" if is_joint else ""
            wrong += check(f"zoo {name}{kind}", document, None, expected, TRAINING_RULES)
            count += 1
    for line in wrong:
        print(line)
    print(f"{count} graphs, {len(wrong)} findings")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
