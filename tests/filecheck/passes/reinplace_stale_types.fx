# RUN: fxcpp opt %s --passes reinplace | FileCheck %s
# reinplace infers the types of users of a value whose offset changes; the type of %b is that before t_ (1024025964).
graph(%x : f64[3]) {
  %c : f64[3] = aten.neg.default(%x)
  %part : f64[2]{offset=1} = aten.slice.Tensor(%c, 0, 1, 3)
  # CHECK: aten.sqrt_.default(%part)
  %a : f64[2] = aten.sqrt.default(%part)
  %b : f64[1, 2] = aten.atleast_2d.default(%a)
  %t : f64[2, 1][1, 2] = aten.t_.default(%b)
  # CHECK: %d = aten.mul.Tensor(%b, 0)
  %d : f64[2, 1][1, 2] = aten.mul.Tensor(%b, 0)
  return %d
}
