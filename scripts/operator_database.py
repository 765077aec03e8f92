"""Imports PyTorch's operator database, torch.testing._internal.common_methods_invocations.

torch.testing imports the package expecttest for a single class, the base class of test cases that are
not used here. A stand-in for that class makes the package unnecessary.
"""

import sys
import types
import unittest
from typing import Any


def operator_database() -> Any:
    """Returns the module, whose `op_db` lists an OpInfo for each operator and variant."""
    try:
        import expecttest  # noqa: F401
    except ImportError:
        stub = types.ModuleType("expecttest")
        stub.TestCase = unittest.TestCase
        sys.modules["expecttest"] = stub
    from torch.testing._internal import common_methods_invocations

    return common_methods_invocations
