#!/usr/bin/env python3
"""Runs parts of onnx_models.py (models are written and read back), onnx_node_tests.py (node tests
are read) and onnx_operators.py (operators are written). Also trains a model that fxcpp imported
for ten steps.

Exit status: 0 on success, 1 on failure, 77 without onnx (scripts/setup --onnx).
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS = r"^corpus/(mlp|cond_net|while_net|scan_net|sym_arith|data_dependent|lenet)/"
PASSING_NODE_TESTS = 850

folder = Path(__file__).resolve().parent
for script, options in (
    ("onnx_models.py", ["--only", MODELS, "--read"]),
    ("onnx_node_tests.py", ["--expect", str(PASSING_NODE_TESTS), "--short"]),
    ("onnx_operators.py", ["--dtype", "bfloat16"]),
    ("onnx_operators.py", ["--dtype", "float16"]),
):
    done = subprocess.run([sys.executable, folder / script, *options], check=False)
    if done.returncode != 0:
        sys.exit(done.returncode)

root = folder.parents[1]
corpus = Path(os.environ.get("FXCPP_CORPUS", root.parent / "shared/corpus"))
fxcpp = os.environ.get("FXCPP", str(root / "build/release/bin/fxcpp"))
runner = os.environ.get("FX_RUN_ONNX_CASES", str(root / "build/release/tests/run_onnx_cases"))
with tempfile.TemporaryDirectory() as temporary:
    model = f"{temporary}/mlp.onnx"
    subprocess.run([fxcpp, "emit", corpus / "mlp/model.pt2", "--to", "onnx", "-o", model], check=True)
    subprocess.run([runner, "finetune", model], check=True)
os.execv(sys.executable, [sys.executable, str(folder / "onnx_operators.py")])
