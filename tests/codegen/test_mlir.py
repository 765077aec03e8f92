#!/usr/bin/env python3
"""Runs part of mlir_models.py: torch-mlir parses and verifies the output of `fxcpp emit --to
mlir`.

Exit status: 0 on success, 1 on failure, 77 without torch-mlir (scripts/setup --compilers).
"""

import os
import sys
from pathlib import Path

MODELS = r"^corpus/(mlp|gpt_mini|cond_net|while_net|sym_arith|index_ops|multi_io)/"

script = Path(__file__).with_name("mlir_models.py")
os.execv(sys.executable, [sys.executable, str(script), "--only", MODELS])
