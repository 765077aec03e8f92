# In edge cases, the rules of examples/05_pattern/fusions.fx preserve the results, and do not match
# calls that the replacement rejects.
# REQUIRES: torch
# RUN: sed -e '1,/^#--- hidden.fx/d' -e '/^#---/,$d' %s > %t.hidden.fx
# RUN: sed -e '1,/^#--- batches.fx/d' -e '/^#---/,$d' %s > %t.batches.fx
# RUN: sed -e '1,/^#--- one_dim.fx/d' -e '/^#---/,$d' %s > %t.one_dim.fx
# RUN: sed -e '1,/^#--- addmm.fx/d' -e '/^#---/,$d' %s > %t.addmm.fx
# RUN: sed -e '1,/^#--- wide.fx/d' -e '/^#---/,$d' %s > %t.wide.fx
# RUN: sed -e '1,/^#--- promoted.fx/d' -e '/^#---/,$d' %s > %t.promoted.fx
# RUN: sed -e '1,/^#--- untyped.fx/d' -e '/^#---/,$d' %s > %t.untyped.fx
# RUN: sed -e '1,/^#--- dtypes.fx/d' -e '/^#---/,$d' %s > %t.dtypes.fx
# RUN: fxcpp rewrite %t.hidden.fx --rules %S/../../../examples/05_pattern/fusions.fx -o %t.hidden.out.fx
# RUN: FileCheck %s --check-prefix=HIDDEN --input-file %t.hidden.out.fx
# RUN: fxcpp diff %t.hidden.fx %t.hidden.out.fx --run --atol 1e-6
# RUN: fxcpp rewrite %t.batches.fx --rules %S/../../../examples/05_pattern/fusions.fx -o %t.batches.out.fx
# RUN: FileCheck %s --check-prefix=HIDDEN --input-file %t.batches.out.fx
# RUN: fxcpp diff %t.batches.fx %t.batches.out.fx --run --atol 1e-6
# RUN: fxcpp rewrite %t.one_dim.fx --rules %S/../../../examples/05_pattern/fusions.fx | FileCheck %s --check-prefix=ONE
# RUN: fxcpp rewrite %t.addmm.fx --rules %S/../../../examples/05_pattern/fusions.fx | FileCheck %s --check-prefix=ADDMM
# RUN: fxcpp rewrite %t.wide.fx --rules %S/../../../examples/05_pattern/fusions.fx | FileCheck %s --check-prefix=KEPT
# RUN: fxcpp rewrite %t.promoted.fx --rules %S/../../../examples/05_pattern/fusions.fx | FileCheck %s --check-prefix=KEPT
# RUN: fxcpp rewrite %t.untyped.fx --rules %S/../../../examples/05_pattern/fusions.fx | FileCheck %s --check-prefix=KEPT
# RUN: fxcpp rewrite %t.dtypes.fx --rules %S/../../../examples/05_pattern/fusions.fx | FileCheck %s --check-prefix=DTYPES
# HIDDEN: aten.scaled_dot_product_attention.default
# HIDDEN: aten.masked_fill.Scalar(%attention, %nothing, nan)
# ONE: aten.softmax.int
# ADDMM: aten.addmm.default(%b, %x, %w)
# KEPT-NOT: addmm
# KEPT: aten.mm.default
# KEPT-NOT: addmm
# DTYPES-NOT: aten.gelu.default(%{{i|c}}
# DTYPES-NOT: aten._softmax.default(%i
# DTYPES: aten.gelu.default(%h)

#--- hidden.fx
# The last row is completely masked.
graph(%q : f32[1, 2, 3, 4], %k : f32[1, 2, 3, 4], %v : f32[1, 2, 3, 4]) {
  %all : b8[3, 3] = aten.full.default([3, 3], True)
  %hide : b8[3, 3] = aten.tril.default(%all)
  %t : f32[1, 2, 4, 3] = aten.transpose.int(%k, -2, -1)
  %s : f32[1, 2, 3, 3] = aten.matmul.default(%q, %t)
  %c : f32[1, 2, 3, 3] = aten.mul.Tensor(%s, 0.5)
  %m : f32[1, 2, 3, 3] = aten.masked_fill.Scalar(%c, %hide, -inf)
  %w : f32[1, 2, 3, 3] = aten.softmax.int(%m, -1)
  %o : f32[1, 2, 3, 4] = aten.matmul.default(%w, %v)
  return %o
}
#--- batches.fx
# The same with four dimensions.
graph(%q : f32[1, 2, 3, 4], %k : f32[1, 2, 3, 4], %v : f32[1, 2, 3, 4]) {
  %all : b8[1, 1, 3, 3] = aten.full.default([1, 1, 3, 3], True)
  %hide : b8[1, 1, 3, 3] = aten.tril.default(%all)
  %t : f32[1, 2, 4, 3] = aten.transpose.int(%k, -2, -1)
  %s : f32[1, 2, 3, 3] = aten.matmul.default(%q, %t)
  %c : f32[1, 2, 3, 3] = aten.mul.Tensor(%s, 0.5)
  %m : f32[1, 2, 3, 3] = aten.masked_fill.Scalar(%c, %hide, -inf)
  %w : f32[1, 2, 3, 3] = aten.softmax.int(%m, -1)
  %o : f32[1, 2, 3, 4] = aten.matmul.default(%w, %v)
  return %o
}
#--- one_dim.fx
# The mask of scaled_dot_product_attention must have at least two dimensions.
graph(%q : f32[1, 2, 3, 4], %k : f32[1, 2, 3, 4], %v : f32[1, 2, 3, 4]) {
  %hide : b8[3] = aten.full.default([3], True)
  %t : f32[1, 2, 4, 3] = aten.transpose.int(%k, -2, -1)
  %s : f32[1, 2, 3, 3] = aten.matmul.default(%q, %t)
  %c : f32[1, 2, 3, 3] = aten.mul.Tensor(%s, 0.5)
  %m : f32[1, 2, 3, 3] = aten.masked_fill.Scalar(%c, %hide, -inf)
  %w : f32[1, 2, 3, 3] = aten.softmax.int(%m, -1)
  %o : f32[1, 2, 3, 4] = aten.matmul.default(%w, %v)
  return %o
}
#--- addmm.fx
graph(%x : f32[2, 3], %w : f32[3, 4], %b : f32[4]) {
  %mm : f32[2, 4] = aten.mm.default(%x, %w)
  %sum : f32[2, 4] = aten.add.Tensor(%mm, %b)
  return %sum
}
#--- wide.fx
# add broadcasts the product; addmm does not.
graph(%x : f32[2, 3], %w : f32[3, 1], %b : f32[4]) {
  %mm : f32[2, 1] = aten.mm.default(%x, %w)
  %sum : f32[2, 4] = aten.add.Tensor(%mm, %b)
  return %sum
}
#--- promoted.fx
# add promotes dtypes; addmm does not.
graph(%x : f64[2, 3], %w : f64[3, 4], %b : f32[4]) {
  %mm : f64[2, 4] = aten.mm.default(%x, %w)
  %sum : f64[2, 4] = aten.add.Tensor(%mm, %b)
  return %sum
}
#--- untyped.fx
graph(%x, %w, %b : f32[4]) {
  %mm = aten.mm.default(%x, %w)
  %sum = aten.add.Tensor(%mm, %b)
  return %sum
}
#--- dtypes.fx
# gelu and _softmax reject integers and complex numbers.
graph(%i : i64[3, 4], %c : c64[3, 4], %h : f16[3, 4]) {
  %half : f32[3, 4] = aten.mul.Tensor(%i, 0.5)
  %inner : f32[3, 4] = aten.mul.Tensor(%i, 0.7071067811865476)
  %erf : f32[3, 4] = aten.erf.default(%inner)
  %one : f32[3, 4] = aten.add.Tensor(%erf, 1)
  %of_integers : f32[3, 4] = aten.mul.Tensor(%half, %one)
  %half_c : c64[3, 4] = aten.mul.Tensor(%c, 0.5)
  %cube : c64[3, 4] = aten.pow.Tensor_Scalar(%c, 3)
  %small : c64[3, 4] = aten.mul.Tensor(%cube, 0.044715)
  %sum : c64[3, 4] = aten.add.Tensor(%c, %small)
  %inner_c : c64[3, 4] = aten.mul.Tensor(%sum, 0.7978845608028654)
  %tanh : c64[3, 4] = aten.tanh.default(%inner_c)
  %one_c : c64[3, 4] = aten.add.Tensor(%tanh, 1)
  %of_complex : c64[3, 4] = aten.mul.Tensor(%half_c, %one_c)
  %max : i64[3, 1] = aten.amax.default(%i, [1], True)
  %shifted : i64[3, 4] = aten.sub.Tensor(%i, %max)
  %exp : f32[3, 4] = aten.exp.default(%shifted)
  %total : f32[3, 1] = aten.sum.dim_IntList(%exp, [1], True)
  %shares : f32[3, 4] = aten.div.Tensor(%exp, %total)
  %half_h : f16[3, 4] = aten.mul.Tensor(%h, 0.5)
  %inner_h : f16[3, 4] = aten.mul.Tensor(%h, 0.7071067811865476)
  %erf_h : f16[3, 4] = aten.erf.default(%inner_h)
  %one_h : f16[3, 4] = aten.add.Tensor(%erf_h, 1)
  %of_halves : f16[3, 4] = aten.mul.Tensor(%half_h, %one_h)
  return (%of_integers, %of_complex, %shares, %of_halves)
}
