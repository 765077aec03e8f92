graph(%x) {
  %f = f(%x, None, True, False, 3, -0.5, inf, nan, "text\n", complex(1.0, -2.0))
  %f_1 = f([1, %x], (1, 2), (1,), (), {"key": 1, 2: %x})
  %f_2 = f(torch.Size(2, 3), pkg.Point(x=1, y=%x))
  %getitem = operator.getitem(%x, (slice(None, 2, None), ..., slice(%f, None, -1)))
  %f_3 = f(range(0, 10, 2), torch.float32, torch.strided, torch.channels_last, device(cuda:0))
  %f_4 = f(sym(s0 + 1), op(aten.relu.default), type(f32[2]), object("torch.per_tensor_affine"))
  return {"a": %f_4}
}
