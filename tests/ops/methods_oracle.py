"""Prints the methods of torch.Tensor that have operators with the same name, and the position of `self`.

Each line has the name, a tab, and the name of the parameter before `self` (if there is one). An
operator whose overloads differ in this is an error. Exit status 77: PyTorch 2.13 is missing.
"""

from __future__ import annotations

import sys


def main() -> int:
    try:
        import torch
    except ImportError:
        torch = None
    if torch is None or not torch.__version__.startswith("2.13."):
        print("not run: PyTorch 2.13 is required", file=sys.stderr)
        return 77
    before: dict[str, set[str]] = {}
    for schema in torch._C._jit_get_all_schemas():
        namespace, name = schema.name.split("::")
        names = [argument.name for argument in schema.arguments]
        if namespace != "aten" or not callable(getattr(torch.Tensor, name, None)):
            continue
        if "self" in names:
            before.setdefault(name, set()).add(names[names.index("self") - 1] if names[0] != "self" else "")
    for name, parameters in sorted(before.items()):
        if len(parameters) != 1:
            print(name, parameters, file=sys.stderr)
            return 1
        print(f"{name}\t{parameters.pop()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
