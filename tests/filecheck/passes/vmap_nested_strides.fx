# RUN: fxcpp vmap %s --in p=none,x=1,y=none --size 5 | FileCheck %s

# The batch of x is its last dimension. The inputs of the branches are contiguous, as their types
# specify.
# CHECK: graph @batched_true(%[[IN:.*]] : f64[5, 3], %{{.*}} : f64[3])
# CHECK: %[[MOVED:.*]] : f64[5, 3][1, 5] = aten.permute.default(%x, [1, 0])
# CHECK-NEXT: %[[COPY:.*]] : f64[5, 3] = aten.clone.default(%[[MOVED]], memory_format=torch.contiguous_format)
# CHECK: higher_order.cond(%p, %{{.*}}, %{{.*}}, [%[[COPY]], %y])
graph(%p : b8[], %x : f64[3], %y : f64[3]) {
  graph @yes(%a : f64[3], %b : f64[3]) {
    %mul : f64[3] = aten.mul.Tensor(%a, %b)
    return (%mul,)
  }
  graph @no(%a : f64[3], %b : f64[3]) {
    %add : f64[3] = aten.add.Tensor(%a, %b)
    return (%add,)
  }
  %cond : (f64[3],) = higher_order.cond(%p, @yes, @no, (%x, %y))
  %item : f64[3] = operator.getitem(%cond, 0)
  return %item
}
