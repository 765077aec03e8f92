# Python's in-place operators return a new number if their first operand is a number, as the plain
# operators do.
# RUN: fxcpp shape %s | FileCheck %s --check-prefix=SHAPE
# RUN: fxcpp emit %s --to mlir 2>/dev/null | FileCheck %s --check-prefix=MLIR
# RUN: fxcpp emit %s --to cpp | FileCheck %s --check-prefix=CPP
# RUN: fxcpp opt %s --passes lower_to_aten -o - | FileCheck %s --check-prefix=LOWER
# SHAPE: power : SymInt(((n//2))**2)
# MLIR: torch.aten.floordiv.int
# MLIR: torch.aten.mul.int
# MLIR: torch.aten.remainder.int
# MLIR: torch.aten.add.int
# MLIR: torch.aten.div.int
# CPP: fxcpp::floor_divide(
# CPP: fxcpp::power(
# CPP: fxcpp::modulo(
# CPP: fxcpp::divide(
# LOWER: %half : SymInt((n//2)) = operator.ifloordiv(%n, 2)
# LOWER: %part : SymFloat(IntTrueDiv((Mod(n, 3)) + 1, 4)) = operator.itruediv(%next, 4)
graph(%x : f32[n]) {
  %n : SymInt(n) = aten.sym_size.int(%x, 0)
  %half = operator.ifloordiv(%n, 2)
  %power = operator.ipow(%half, 2)
  %rest = operator.imod(%n, 3)
  %next = operator.iadd(%rest, 1)
  %part = operator.itruediv(%next, 4)
  return (%power, %next, %part)
}
