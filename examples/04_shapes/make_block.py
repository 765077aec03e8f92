#!/usr/bin/env python3
"""Writes block.fx: the training graph of one transformer block with a symbolic batch size.

    examples/04_shapes/make_block.py block.json && fxcpp convert block.json -o block.fx

PyTorch's AOTAutograd traces the block with fake tensors; the example reads the result.
"""
import contextlib
import sys
from pathlib import Path

import torch
from torch import nn
from torch._dynamo.source import ConstantSource
from torch._functorch.aot_autograd import aot_export_joint_with_descriptors
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import (DimDynamic, ShapeEnv,
                                                   StatelessSymbolicContext)

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
import fx_export  # noqa: E402


class Block(nn.Module):
    def __init__(self, width=512, heads=8):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2)
                   for t in self.qkv(self.norm1(x)).chunk(3, -1))
        scores = (q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5).softmax(-1)
        x = x + self.out((scores @ v).transpose(1, 2).flatten(2))
        return (x + self.down(nn.functional.gelu(self.up(self.norm2(x)))),)


def main():
    mode = FakeTensorMode(shape_env=ShapeEnv(), allow_non_fake_inputs=True)
    sizes = StatelessSymbolicContext(
        dynamic_sizes=[DimDynamic.DYNAMIC, DimDynamic.STATIC, DimDynamic.STATIC])
    x = mode.from_tensor(torch.randn(4, 128, 512, requires_grad=True), source=ConstantSource("x"),
                         symbolic_context=sizes)
    with contextlib.ExitStack() as stack:
        joint = aot_export_joint_with_descriptors(stack, Block(), (x,)).graph_module
    joint.graph.set_codegen(torch.fx.graph.CodeGen())  # the Python call is not needed
    for node in joint.graph.nodes:
        node.meta = {k: v for k, v in node.meta.items() if k in ("val", "partitioner_tag")}
    fx_export.dump(joint, sys.argv[1])


if __name__ == "__main__":
    main()
