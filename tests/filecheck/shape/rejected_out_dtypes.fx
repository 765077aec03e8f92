# RUN: not fxcpp shape %s | FileCheck %s
# faults/14-out-dtype: eager mode rejects out= with a different dtype in %a, %b and %c; %bmm, %top,
# %sort and %arg are additional cases. %d, %wide and %cast are accepted.

# CHECK-NOT: error at %{{d|wide|cast}}
# CHECK-DAG: error at %a {{.*}}argument out cannot be of dtype float64
# CHECK-DAG: error at %b {{.*}}argument out cannot be of dtype float64
# CHECK-DAG: error at %c {{.*}}argument out cannot be of dtype float64
# CHECK-DAG: error at %bmm {{.*}}argument out cannot be of dtype float64
# CHECK-DAG: error at %top {{.*}}argument values cannot be of dtype float64
# CHECK-DAG: error at %sort {{.*}}argument indices cannot be of dtype int32
# CHECK-DAG: error at %arg {{.*}}argument out cannot be of dtype float32
# CHECK-NOT: error at %{{d|wide|cast}}
graph(%x : f32[3, 3], %o : f64[3, 3], %v : f64[], %y : f32[2, 3, 3], %w : f64[2, 3, 3], %t : f64[3, 2], %n : i64[3, 2], %s : f32[3, 3], %i : i32[3, 3], %r : f32[3], %q : c64[3, 3]) {
  %a = aten.mm.out(%x, %x, out=%o)
  %b = aten.abs.out(%x, out=%o)
  %c = aten.amax.out(%x, [0, 1], False, out=%v)
  %d = aten.add.out(%x, 1, out=%o)
  %bmm = aten.bmm.out(%y, %y, out=%w)
  %top = aten.topk.values(%x, 2, values=%t, indices=%n)
  %sort = aten.sort.values(%x, values=%s, indices=%i)
  %arg = aten.argmax.out(%x, 1, out=%r)
  %wide = aten.mul.out(%x, %x, out=%q)
  %cast = aten.sqrt.out(%x, out=%o)
  return (%a, %b, %c, %d, %bmm, %top, %sort, %arg, %wide, %cast)
}
