"""Runs the model that main.cpp wrote in onnxruntime, and compares its results with those in C++.

    python3 run.py [FOLDER]
"""

import sys
import tempfile
from pathlib import Path

import numpy
import onnxruntime

folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.gettempdir()) / "fxcpp_example_19"
session = onnxruntime.InferenceSession(folder / "classifier.onnx", providers=["CPUExecutionProvider"])
(points,) = session.get_inputs()
print("input of the model:", points.shape)

lines = numpy.loadtxt(folder / "results.txt", dtype=numpy.float32)
for count in (100, 7):
    (scores,) = session.run(None, {points.name: lines[:count, :2]})
    equal = numpy.allclose(scores, lines[:count, 2:], rtol=1e-4, atol=1e-5)
    print(f"the results of {count} points are equal: {equal}")
