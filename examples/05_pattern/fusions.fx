# Fusions for graphs from torch.export and AOTAutograd, for `fxcpp rewrite MODEL --rules fusions.fx`.
# Functions with names fused.* are custom functions; the other functions are PyTorch's.

# Removes checks of dtype and device, which use values inside the fused calls.
graph @drop_metadata_checks() {
  graph @pattern(%x, %size, %stride, %dtype, %device, %layout) {
    %check = aten._assert_tensor_metadata.default(%x, %size, %stride, %dtype, device=%device, layout=%layout)
    return %check
  }
  graph @replacement(%x, %size, %stride, %dtype, %device, %layout) {
    return %x
  }
}

# softmax(q k^T * scale, masked where `hidden`) v. A fully hidden row is NaN, but 0 in
# scaled_dot_product_attention, whose mask has at least two dimensions.
graph @masked_attention() {
  graph @pattern(%q, %k, %v, %hidden : b8[l, s], %scale !{match="number"}) {
    %t = aten.transpose.int(%k, -2, -1)
    %scores = aten.matmul.default(%q, %t)
    %scaled = aten.mul.Tensor(%scores, %scale)
    %masked = aten.masked_fill.Scalar(%scaled, %hidden, -inf)
    %weights = aten.softmax.int(%masked, -1)
    %values = aten.matmul.default(%weights, %v)
    return %values
  }
  graph @pattern_3d(%q, %k, %v, %hidden : b8[h, l, s], %scale !{match="number"}) {
    %t = aten.transpose.int(%k, -2, -1)
    %scores = aten.matmul.default(%q, %t)
    %scaled = aten.mul.Tensor(%scores, %scale)
    %masked = aten.masked_fill.Scalar(%scaled, %hidden, -inf)
    %weights = aten.softmax.int(%masked, -1)
    %values = aten.matmul.default(%weights, %v)
    return %values
  }
  graph @pattern_4d(%q, %k, %v, %hidden : b8[b, h, l, s], %scale !{match="number"}) {
    %t = aten.transpose.int(%k, -2, -1)
    %scores = aten.matmul.default(%q, %t)
    %scaled = aten.mul.Tensor(%scores, %scale)
    %masked = aten.masked_fill.Scalar(%scaled, %hidden, -inf)
    %weights = aten.softmax.int(%masked, -1)
    %values = aten.matmul.default(%weights, %v)
    return %values
  }
  graph @replacement(%q, %k, %v, %hidden, %scale) {
    %seen = aten.logical_not.default(%hidden)
    %attention = aten.scaled_dot_product_attention.default(%q, %k, %v, %seen, scale=%scale)
    %nothing = aten.all.dim(%hidden, -1, True)
    %result = aten.masked_fill.Scalar(%attention, %nothing, nan)
    return %result
  }
}

# The same with an added mask, and a softmax of higher precision.
graph @biased_attention() {
  graph @pattern(%q, %k, %v, %bias, %divisor !{match="number"}, %dtype, %back) {
    %t = aten.transpose.int(%k, -2, -1)
    %scores = aten.matmul.default(%q, %t)
    %scaled = aten.div.Tensor(%scores, %divisor)
    %biased = aten.add.Tensor(%scaled, %bias)
    %weights = aten.softmax.int(%biased, -1, %dtype)
    %cast = aten._to_copy.default(%weights, dtype=%back)
    %values = aten.matmul.default(%cast, %v)
    return %values
  }
  graph @replacement(%q, %k, %v, %bias, %divisor, %dtype, %back) {
    %attention = fused.biased_attention(%q, %k, %v, %bias, %divisor)
    return %attention
  }
}

graph @rotary_embedding() {
  !commutative = True
  graph @pattern(%x, %cos, %sin, %half !{match="int"}) {
    %split = aten.split.Tensor(%x, %half, -1)
    %left = operator.getitem(%split, 0)
    %right = operator.getitem(%split, 1)
    %neg = aten.neg.default(%right)
    %turned = aten.cat.default([%neg, %left], -1)
    %a = aten.mul.Tensor(%x, %cos)
    %b = aten.mul.Tensor(%turned, %sin)
    %sum = aten.add.Tensor(%a, %b)
    return %sum
  }
  graph @replacement(%x, %cos, %sin, %half) {
    %rotary = fused.rotary(%x, %cos, %sin)
    return %rotary
  }
}

graph @swiglu() {
  !commutative = True
  graph @pattern(%x, %gate, %up) {
    %a = aten.linear.default(%x, %gate)
    %silu = aten.silu.default(%a)
    %b = aten.linear.default(%x, %up)
    %mul = aten.mul.Tensor(%silu, %b)
    return %mul
  }
  graph @replacement(%x, %gate, %up) {
    %swiglu = fused.swiglu(%x, %gate, %up)
    return %swiglu
  }
}

# The two casts of one value are written twice.
graph @rms_norm() {
  !commutative = True
  graph @pattern(%x, %w, %eps !{match="float"}, %wide, %narrow) {
    %up = aten._to_copy.default(%x, dtype=%wide)
    %up2 = aten._to_copy.default(%x, dtype=%wide)
    %square = aten.pow.Tensor_Scalar(%up2, 2)
    %mean = aten.mean.dim(%square, [-1], True)
    %safe = aten.add.Tensor(%mean, %eps)
    %scale = aten.rsqrt.default(%safe)
    %scaled = aten.mul.Tensor(%up, %scale)
    %down = aten._to_copy.default(%scaled, dtype=%narrow)
    %result = aten.mul.Tensor(%w, %down)
    return %result
  }
  graph @replacement(%x, %w, %eps, %wide, %narrow) {
    %norm = fused.rms_norm(%x, %w, %eps)
    return %norm
  }
}

# (x - mean) / sqrt(var + eps) * w + b, written out
graph @layer_norm() {
  !commutative = True
  graph @pattern(%x : f32[*], %w : f32[n], %b : f32[n], %eps !{match="float"}) {
    %mean = aten.mean.dim(%x, [-1], True)
    %centered = aten.sub.Tensor(%x, %mean)
    %square = aten.pow.Tensor_Scalar(%centered, 2)
    %var = aten.mean.dim(%square, [-1], True)
    %safe = aten.add.Tensor(%var, %eps)
    %root = aten.sqrt.default(%safe)
    %normal = aten.div.Tensor(%centered, %root)
    %scaled = aten.mul.Tensor(%normal, %w)
    %result = aten.add.Tensor(%scaled, %b)
    return %result
  }
  graph @replacement(%x, %w, %b, %eps) {
    %norm = fused.layer_norm(%x, %w, %b, %eps)
    return %norm
  }
}

# x * (1 + erf(x / sqrt(2))) / 2
graph @gelu() {
  !commutative = True
  graph @pattern(%x) {
    %half = aten.mul.Tensor(%x, 0.5)
    %inner = aten.mul.Tensor(%x, 0.7071067811865476)
    %erf = aten.erf.default(%inner)
    %one = aten.add.Tensor(%erf, 1)
    %result = aten.mul.Tensor(%half, %one)
    return %result
  }
  graph @replacement(%x) {
    %gelu = aten.gelu.default(%x)
    return %gelu
  }
}

# x * (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
graph @gelu_tanh() {
  !commutative = True
  graph @pattern(%x) {
    %half = aten.mul.Tensor(%x, 0.5)
    %cube = aten.pow.Tensor_Scalar(%x, 3)
    %small = aten.mul.Tensor(%cube, 0.044715)
    %sum = aten.add.Tensor(%x, %small)
    %inner = aten.mul.Tensor(%sum, 0.7978845608028654)
    %tanh = aten.tanh.default(%inner)
    %one = aten.add.Tensor(%tanh, 1)
    %result = aten.mul.Tensor(%half, %one)
    return %result
  }
  graph @replacement(%x) {
    %gelu = aten.gelu.default(%x, approximate="tanh")
    return %gelu
  }
}

# Unlike add, addmm does not promote or broadcast: it rejects other dtypes and a bias of a different size.
graph @addmm() {
  !commutative = True
  graph @pattern(%x : f32[m, k], %w : f32[k, n], %b : f32[n]) {
    %mm = aten.mm.default(%x, %w)
    %add = aten.add.Tensor(%mm, %b)
    return %add
  }
  graph @replacement(%x, %w, %b) {
    %addmm = aten.addmm.default(%b, %x, %w)
    return %addmm
  }
}

# exp(x - max) / sum
graph @softmax() {
  graph @pattern(%x, %dim !{match="int"}) {
    %max = aten.amax.default(%x, [%dim], True)
    %shifted = aten.sub.Tensor(%x, %max)
    %exp = aten.exp.default(%shifted)
    %sum = aten.sum.dim_IntList(%exp, [%dim], True)
    %result = aten.div.Tensor(%exp, %sum)
    return %result
  }
  graph @replacement(%x, %dim) {
    %softmax = aten._softmax.default(%x, %dim, False)
    return %softmax
  }
}

graph @conv_bn_relu() {
  graph @pattern(%x, %w, %b, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %conv = aten.conv2d.default(%x, %w, %b, %stride, %padding)
    %bn = aten._native_batch_norm_legit_no_training.default(%conv, %scale, %shift, %mean, %var, %momentum, %eps)
    %value = operator.getitem(%bn, 0)
    %relu = aten.relu.default(%value)
    return %relu
  }
  graph @replacement(%x, %w, %b, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %block = fused.conv_bn_relu(%x, %w, %b, %stride, %padding, %scale, %shift, %mean, %var, %eps)
    return %block
  }
}
