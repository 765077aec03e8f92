"""Prints the functions that torch.fx graphs call, with their names in scripts/fx_export.py.

Each line has the name, a tab, and 1 if torch.fx considers calls to the function impure, else 0.
These are the functions that subclasses of Tensor can override, Python's operators, all operators of
the dispatcher, and higher-order operators. Exit status 77: PyTorch 2.13 is missing.
"""

from __future__ import annotations

import inspect
import math
import operator
import sys
import warnings
from pathlib import Path
from typing import Any, Iterator

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
warnings.filterwarnings("ignore")

NAMESPACES = ("aten", "prims", "quantized", "quantized_decomposed", "_c10d_functional", "profiler")
# Properties, pickling and other functions that programs do not call.
SKIPPED_METHODS = {
    "__get__", "__set__", "__delete__", "__array__", "__array_wrap__", "__deepcopy__", "__dlpack__",
    "__dlpack_device__", "__format__", "__reduce_ex__", "__repr__", "__setstate__", "__hash__",
    "_clear_non_serializable_cached_data", "__dir__", "_is_view", "const_data_ptr", "__div__",
    "__long__", "__nonzero__", "__torch_dispatch__", "__new__", "__subclasshook__",
}  # fmt: skip
SKIPPED_FUNCTIONS = {"torch.autocast", "torch.amp.autocast_mode.autocast"}
SKIPPED_MODULES = ("torch.overrides", "builtins")


def overridable(torch: Any) -> Iterator[Any]:
    from torch.overrides import get_overridable_functions

    for owner, functions in get_overridable_functions().items():
        if owner is torch.Tensor or inspect.ismodule(owner):
            yield from functions


def python_functions() -> Iterator[Any]:
    for module in (operator, math):
        for name, value in vars(module).items():
            if not name.startswith("_") and inspect.isbuiltin(value):
                yield value
    yield from (abs, bool, float, getattr, int, isinstance, len, list, max, min, pow, print, range)
    yield from (round, setattr, slice, sorted, str, sum, tuple, zip)


def operators(torch: Any) -> Iterator[Any]:
    import torch.ao.quantization.fx._decomposed  # noqa: F401

    for name in torch._C._dispatch_get_all_op_names():
        namespace, _, name_in_namespace = name.partition("::")
        if namespace in NAMESPACES:
            base, _, overload = name_in_namespace.partition(".")
            packet = getattr(getattr(torch.ops, namespace), base)
            yield getattr(packet, overload or "default")
            yield packet


def higher_order(torch: Any) -> Iterator[Any]:
    import torch._higher_order_ops  # noqa: F401

    yield from torch._ops._higher_order_ops.values()


def main() -> int:
    try:
        import torch
    except ImportError:
        torch = None
    if torch is None or not torch.__version__.startswith("2.13."):
        print("not run: PyTorch 2.13 is required", file=sys.stderr)
        return 77
    import fx_export
    from torch._library.utils import is_impure
    from torch.fx.node import _side_effectful_functions

    seen = set()
    sources = (overridable(torch), python_functions(), operators(torch), higher_order(torch))
    for function in [*_side_effectful_functions, *(f for source in sources for f in source)]:
        name, found = fx_export.function_name(function)
        method = name.rpartition(".")[2]
        skipped = method in SKIPPED_METHODS or name in SKIPPED_FUNCTIONS
        if not found or skipped or name in seen or name.startswith("torch.overrides."):
            continue
        seen.add(name)
        print(f"{name}\t{int(is_impure(function))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
