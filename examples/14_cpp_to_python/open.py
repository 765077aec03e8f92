"""Opens the program that main.cpp wrote, compares its results with those in C++, and trains it.

    python3 open.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

import torch

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "fxcpp_example_14"
program = torch.export.load(folder / "classifier.pt2")
module = program.module()
print("opened in Python:", ", ".join(name for name, _ in module.named_parameters()))

expected = torch.load(folder / "results.pt", weights_only=True)
with torch.no_grad():
    results = module(expected["points"])
print("the results are equal:", torch.allclose(results, expected["results"], rtol=0, atol=1e-6))

# A step on different data: points near the circle, and a different number of points.
torch.manual_seed(0)
points = torch.nn.functional.normalize(torch.randn(64, 2)) * (1 + 0.2 * torch.randn(64, 1))
labels = (points.square().sum(1) > 1).long()
optimizer = torch.optim.SGD(module.parameters(), lr=0.05)
before = torch.nn.functional.cross_entropy(module(points), labels)
before.backward()
optimizer.step()
after = torch.nn.functional.cross_entropy(module(points), labels)
print("a step on 64 points lowers the loss:", bool(after < before))
