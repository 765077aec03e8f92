#!/usr/bin/env python3
"""Runs a share of onnx_models.py, and onnx_operators.py: compares onnxruntime with libtorch.

Exit status: 0 on success, 1 on failure, 77 without onnx (scripts/setup --onnx).
"""

import os
import subprocess
import sys
from pathlib import Path

MODELS = r"^corpus/(mlp|cond_net|while_net|scan_net|sym_arith|data_dependent|lenet)/"  # reads FXCPP_CORPUS

folder = Path(__file__).resolve().parent
models = subprocess.run([sys.executable, folder / "onnx_models.py", "--only", MODELS], check=False)
if models.returncode != 0:
    sys.exit(models.returncode)
os.execv(sys.executable, [sys.executable, str(folder / "onnx_operators.py")])
