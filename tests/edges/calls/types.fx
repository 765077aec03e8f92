# Types of calls that PyTorch's samples do not contain: broadcasting steps, volumes without a batch.
graph(%y : f32[2, 3], %x : f32[4, 1, 3], %z : f32[3, 2, 3], %v : f32[3], %e : f32[2, 0],
      %c : f32[3, 3, 5, 5][75, 1, 15, 3], %u : u8[3, 3, 5, 5][75, 1, 15, 3]) {
  %r0 = aten.trapezoid.x(%y, %z, -1)
  %r1 = aten.trapezoid.x(%z, %y, -1)
  %r2 = aten.trapezoid.x(%y, %v, 1)
  %r3 = aten.cumulative_trapezoid.x(%z, %y, -1)
  %r4 = aten.trapz.x(%z, %v, 2)
  %r5 = aten.trapezoid.x(%e, %e, 1)
  %r6 = aten.trapezoid.x(%z, %x, 2)
  %r7 = aten.cumulative_trapezoid.x(%y, %z, 0)
  %r8 = aten.replication_pad3d.default(%c, [1, 1, 1, 1, 1, 1])
  %r9 = aten.reflection_pad3d.default(%c, [1, 1, 1, 1, 1, 1])
  %r10 = aten.replication_pad3d.default(%u, [1, 0, 1, 0, 1, 0])
  return %y
}
