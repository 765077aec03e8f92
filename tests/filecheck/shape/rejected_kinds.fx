# RUN: not fxcpp shape %s | FileCheck %s
# faults/13-index-checks, 14-out-dtype: dtypes of indices, masks and out= that the kernels of eager
# mode reject (passes/shape/generated/call_rules.inc). %ok and %fine are accepted.

# CHECK-NOT: error at %{{ok|fine|ints}}
# CHECK-DAG: error at %index {{.*}}argument indices cannot be of dtype float32
# CHECK-DAG: error at %mask {{.*}}argument condition cannot be of dtype float32
# CHECK-DAG: error at %select {{.*}}argument index cannot be of dtype float32
# CHECK-DAG: error at %out {{.*}}argument out cannot be of dtype float64 if self is of dtype float32
# CHECK-DAG: error at %mm {{.*}}argument mat2 cannot be of dtype float64 if self is of dtype float32
# CHECK-NOT: error at %{{ok|fine|ints}}
graph(%x : f32[6, 3], %w : f32[3, 3], %d : f64[3, 3], %o : f64[6, 3], %f : f32[2], %n : i64[2]) {
  %index = aten.embedding.default(%x, %f)
  %mask = aten.where.self(%x, %x, %x)
  %select = aten.index_select.default(%x, 0, %f)
  %out = aten.abs.out(%x, out=%o)
  %mm = aten.mm.default(%w, %d)
  %ok = aten.add.out(%x, 1, out=%o)
  %fine = aten.index_select.default(%x, 0, %n)
  %ints = aten.add_.Scalar(%n, 1)
  return (%index, %mask, %select, %out, %mm, %ok, %fine, %ints)
}
