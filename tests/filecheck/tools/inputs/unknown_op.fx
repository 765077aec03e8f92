graph @unknown(%x : f32[2, 3]) {
  %foo = mylib.foo.default(%x)
  %foo_1 = mylib.foo.default(%foo)
  return %foo_1
}
