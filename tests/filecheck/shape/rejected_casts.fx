# RUN: not fxcpp shape %s | FileCheck %s
# faults/06-inplace-cast, 14-out-dtype: eager mode rejects results that cannot be cast to the
# output. pow_, lt_ and the two accepted out= forms are additional cases.

# CHECK-NOT: error at %{{ok|fine}}
# CHECK-DAG: error at %a {{.*}}result type float32 cannot be cast to the output type int64
# CHECK-DAG: error at %d {{.*}}cannot be
# CHECK-DAG: error at %s {{.*}}cannot be
# CHECK-DAG: error at %c {{.*}}cannot be
# CHECK-DAG: error at %m {{.*}}cannot be
# CHECK-DAG: error at %p {{.*}}cannot be
# CHECK-DAG: error at %z {{.*}}cannot be
# CHECK-DAG: error at %each {{.*}}cannot be
# CHECK-DAG: error at %into {{.*}}cannot be
# CHECK-NOT: error at %{{ok|fine}}
graph(%i : i64[3], %b : b8[3], %f : f32[3], %o : f64[3], %q : c64[3]) {
  %a = aten.add_.Tensor(%i, 1.5)
  %d = aten.div_.Tensor(%i, 2)
  %s = aten.sqrt_.default(%i)
  %c = aten.add_.Tensor(%b, 1)
  %m = aten.mul_.Tensor(%i, %f)
  %p = aten.pow_.Scalar(%i, 0.5)
  %z = aten.mul_.Tensor(%f, %q)
  %each = aten._foreach_add_.Scalar([%i], 1.5)
  %into = aten.add.out(%f, 1, out=%i)
  %ok = aten.lt_.Scalar(%f, 1)
  %fine = aten.add.out(%f, 1, out=%o)
  return (%a, %d, %s, %c, %m, %p, %z, %ok, %fine)
}
