graph(
    %x : f32[8, s77 + 1, 2*s0],
    %strided : bf16[2, 3][1, 2],
    %anywhere : tensor[*],
    %there : f32[2][?]cuda:1{offset=4, grad},
    %sparse : f32[4, 4]{layout=sparse_coo},
    %numbers : (int, int(3), SymInt(s0), float, float(0.5), SymFloat(s0/2), bool, SymBool(s0 > 4)),
    %others : [none, str, str("mean"), complex, complex(0.0, 1.0), object("ScriptObject"), graph, token],
    %named : {"loss": f32[], "?": ?},
    %one : (f32[1],),
) {
  return %x
}
