# comments, quotes, escapes and trailing commas
function "f g"(name="f",)
graph @"a b"(%"x y"["*z"] : f32[s0 + 1], %y = {"a\u00e9\x00": [1.5e-05, -inf,], -3: (),},) {
  !"a key" = object("o")
  graph @g() { return [1, None] }
  %"1f" = "f g"(%y, "a key"=P(x=%"x y", y=...), z="Q R"(1)) !{"k"=graph(0), a=type({"b": (none,)}),}
  %o = output[o](@g)
}
