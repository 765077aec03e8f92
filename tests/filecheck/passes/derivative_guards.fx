# Derivatives and batches keep the guards that they derive: the gradient of %y is a sum if m is 1 and n is not.
# RUN: fxcpp grad %s | FileCheck %s
# RUN: fxcpp grad %s --joint | FileCheck %s
# RUN: fxcpp grad %s --mode forward | FileCheck %s
# RUN: fxcpp vmap %s --in x=0,y=0 | FileCheck --check-prefix=VMAP %s
# CHECK: !symbols = {"n": {"min": 2, "max": 64}}
# CHECK: !guards = ["Eq(m, n)"]
# VMAP: !guards = [{{.*}}]
graph(%x : f32[n, 3], %y : f32[m, 3]) {
  !symbols = {"n": {"min": 2, "max": 64}}
  %a = aten.add.Tensor(%x, %y)
  %b = aten.mul.Tensor(%a, %x)
  %s = aten.sum.default(%b)
  return %s
}
