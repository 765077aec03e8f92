# RUN: fxcpp shape %s | FileCheck %s
# Arithmetic of Python on numbers: the types are the values that Python computes.

# CHECK: quotient : float(9.0)
# CHECK: below_zero : float(-1.0)
# CHECK: rest : float(0.0)
# CHECK: equal : bool(False)
# CHECK: less : bool(True)
# CHECK: negative_power : float(1.0)
# CHECK: power : int(1)
# CHECK: modulo : int(0)
# CHECK: product : float(-0.0)
# CHECK: sum : float(0.0)
# CHECK: not_a_number : float(nan)
# CHECK: larger : float(3.0)
# sym_max returns True, and 2.0 for 2 and NaN.
# CHECK: true : ?
# CHECK: first : ?
graph() {
  %quotient = operator.floordiv(1.0, 0.1)
  %below_zero = operator.floordiv(-5.0, inf)
  %rest = operator.mod(-4.0, 2.0)
  %equal = operator.eq(9007199254740993, 9007199254740992.0)
  %less = operator.lt(9007199254740992.0, 9007199254740993)
  %negative_power = operator.pow(True, -1)
  %power = operator.pow(True, True)
  %modulo = operator.mod(7, True)
  %product = operator.mul(0, -1.0)
  %sum = operator.add(0, -0.0)
  %not_a_number = operator.mul(0, inf)
  %larger = torch.sym_max(3, 2.5)
  %true = torch.sym_max(True, 0)
  %first = torch.sym_max(2, nan)
  return %quotient
}
