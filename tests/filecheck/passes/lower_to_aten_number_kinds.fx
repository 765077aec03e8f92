# RUN: fxcpp opt %s --passes lower_to_aten | FileCheck %s
# item() of a tensor without a type may return a number of any type, so the types of sums and
# quotients of it are unknown. The same holds for complex numbers.

# CHECK-LABEL: graph(
graph(%x, %b : b8[]) {
  %i = call_method item(%x)
  # CHECK: %a = operator.add(%{{.*}}, 1)
  # CHECK: %d = operator.truediv(%{{.*}}, 2)
  # CHECK: %c = operator.mul(2.0, complex(0.0, 1.0))
  %a = operator.add(%i, 1)
  %d = operator.truediv(%i, 2)
  %c = operator.mul(2.0, complex(0.0, 1.0))
  # A comparison is a bool. Logical operators return a bool for bools, and sums an int.
  # CHECK: %g : bool = operator.gt(%{{.*}}, 1)
  # CHECK: %k : bool = operator.and_(%g, True)
  # CHECK: %n : int = operator.and_(%g, 1)
  # CHECK: %s : int = operator.add(%g, True)
  # CHECK: %f : float = operator.mul(%g, 0.5)
  %g = operator.gt(%i, 1)
  %k = operator.and_(%g, True)
  %n = operator.and_(%g, 1)
  %s = operator.add(%g, True)
  %f = operator.mul(%g, 0.5)
  return (%a, %d, %c, %k, %n, %s, %f)
}
