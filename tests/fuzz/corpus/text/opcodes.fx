graph(%x : f32[2, 8]) {
  %fc_weight = get_attr fc.weight
  %fc : f32[2, 4] = call_module fc(%x)
  %view : f32[8] = call_method view(%fc, [-1])
  %add : f32[8] = operator.add(%view, 1)
  %sum_1 : f32[] = aten.sum.dim_IntList(%add, [0], keepdim=False, dtype=None)
  %late = placeholder(2.5)
  %result : (f32[], float) = output((%sum_1, %late))
}
