# Fusions for graphs of AOTAutograd and torch's decompositions that contain the backward pass, for
# `fxcpp rewrite MODEL --rules FILE`. Functions with names fused.* are custom functions; the other
# functions are PyTorch's.
#
# A backward pass uses values inside the forward pass, so a rule for the forward pass alone does not
# match. The rules for the backward pass match these values and keep them, but their replacements
# compute the values again, as flash attention does. The values then have no other users, and the
# rules for the forward pass match.

graph @drop_detach() {
  graph @pattern(%x) {
    %detach = aten.detach.default(%x)
    return %detach
  }
  graph @replacement(%x) {
    return %x
  }
}

# ---- Graphs of torch's decompositions

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

graph @softmax_backward() {
  !commutative = True
  graph @pattern(%grad : f32[*], %y : f32[*], %dim !{match="int"}) {
    %product = aten.mul.Tensor(%grad, %y)
    %sum = aten.sum.dim_IntList(%product, [%dim], True)
    %scaled = aten.mul.Tensor(%y, %sum)
    %result = aten.sub.Tensor(%product, %scaled)
    return %result
  }
  graph @replacement(%grad, %y, %dim) {
    %back = aten._softmax_backward_data.default(%grad, %y, %dim, torch.float32)
    return %back
  }
}

graph @silu() {
  !commutative = True
  graph @pattern(%x) {
    %sigmoid = aten.sigmoid.default(%x)
    %result = aten.mul.Tensor(%x, %sigmoid)
    return %result
  }
  graph @replacement(%x) {
    %silu = aten.silu.default(%x)
    return %silu
  }
}

graph @silu_backward() {
  !commutative = True
  !priority = 1
  graph @pattern(%grad, %x) {
    %sigmoid = aten.sigmoid.default(%x)
    %a = aten.mul.Tensor(%grad, %sigmoid)
    %rest = aten.rsub.Scalar(%sigmoid, 1)
    %b = aten.mul.Tensor(%x, %rest)
    %c = aten.add.Tensor(%b, 1)
    %result = aten.mul.Tensor(%a, %c)
    return %result
  }
  graph @replacement(%grad, %x) {
    %back = aten.silu_backward.default(%grad, %x)
    return %back
  }
}

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

graph @gelu_backward() {
  !commutative = True
  graph @pattern(%grad, %x) {
    %inner = aten.mul.Tensor(%x, 0.7071067811865476)
    %erf = aten.erf.default(%inner)
    %one = aten.add.Tensor(%erf, 1)
    %cdf = aten.mul.Tensor(%one, 0.5)
    %square = aten.mul.Tensor(%x, %x)
    %less = aten.mul.Tensor(%square, -0.5)
    %exp = aten.exp.default(%less)
    %pdf = aten.mul.Tensor(%exp, 0.3989422804014327)
    %slope = aten.mul.Tensor(%x, %pdf)
    %sum = aten.add.Tensor(%cdf, %slope)
    %result = aten.mul.Tensor(%grad, %sum)
    return %result
  }
  graph @replacement(%grad, %x) {
    %back = aten.gelu_backward.default(%grad, %x)
    return %back
  }
}

graph @gelu_tanh() {
  !commutative = True
  graph @pattern(%x) {
    %square = aten.mul.Tensor(%x, %x)
    %cube = aten.mul.Tensor(%square, %x)
    %small = aten.mul.Tensor(%cube, 0.044715)
    %sum = aten.add.Tensor(%x, %small)
    %inner = aten.mul.Tensor(%sum, 0.7978845608028654)
    %half = aten.mul.Tensor(%x, 0.5)
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

graph @gelu_tanh_backward() {
  !commutative = True
  graph @pattern(%grad, %x) {
    %square = aten.mul.Tensor(%x, %x)
    %cube = aten.mul.Tensor(%square, %x)
    %small = aten.mul.Tensor(%cube, 0.044715)
    %sum = aten.add.Tensor(%x, %small)
    %inner = aten.mul.Tensor(%sum, 0.7978845608028654)
    %tanh = aten.tanh.default(%inner)
    %half = aten.mul.Tensor(%x, 0.5)
    %one = aten.add.Tensor(%tanh, 1)
    %left = aten.mul.Tensor(%one, 0.5)
    %tanh2 = aten.mul.Tensor(%tanh, %tanh)
    %rest = aten.rsub.Scalar(%tanh2, 1)
    %a = aten.mul.Tensor(%square, 0.134145)
    %b = aten.add.Tensor(%a, 1)
    %c = aten.mul.Tensor(%b, 0.7978845608028654)
    %d = aten.mul.Tensor(%half, %rest)
    %right = aten.mul.Tensor(%d, %c)
    %slope = aten.add.Tensor(%left, %right)
    %result = aten.mul.Tensor(%grad, %slope)
    return %result
  }
  graph @replacement(%grad, %x) {
    %back = aten.gelu_backward.default(%grad, %x, approximate="tanh")
    return %back
  }
}

# The backward pass uses the mean and 1 / deviation, which the operator also returns.
graph @layer_norm() {
  graph @pattern(%x, %w, %b, %dims !{match="list"}, %eps !{match="float"}) {
    %moments = aten.var_mean.correction(%x, %dims, correction=0, keepdim=True)
    %var = operator.getitem(%moments, 0)
    %mean = operator.getitem(%moments, 1)
    %safe = aten.add.Tensor(%var, %eps)
    %rstd = aten.rsqrt.default(%safe)
    %centered = aten.sub.Tensor(%x, %mean)
    %normal = aten.mul.Tensor(%centered, %rstd)
    %scaled = aten.mul.Tensor(%normal, %w)
    %result = aten.add.Tensor(%scaled, %b)
    return (%result, %mean, %rstd)
  }
  graph @replacement(%x, %w, %b, %dims, %eps) {
    %norm = fused.layer_norm_training(%x, %w, %b, %eps)
    %result = operator.getitem(%norm, 0)
    %mean = operator.getitem(%norm, 1)
    %rstd = operator.getitem(%norm, 2)
    return (%result, %mean, %rstd)
  }
}

graph @layer_norm_backward() {
  graph @pattern(%grad, %x, %mean, %rstd, %w, %n !{match="int"}, %dims !{match="list"}, %outer !{match="list"}) {
    %centered = aten.sub.Tensor(%x, %mean)
    %normal = aten.mul.Tensor(%centered, %rstd)
    %gw = aten.mul.Tensor(%grad, %w)
    %scaled = aten.mul.Tensor(%gw, %n)
    %sum1 = aten.sum.dim_IntList(%gw, %dims, True)
    %gn = aten.mul.Tensor(%gw, %normal)
    %sum2 = aten.sum.dim_IntList(%gn, %dims, True)
    %b = aten.mul.Tensor(%normal, %sum2)
    %c = aten.sub.Tensor(%scaled, %sum1)
    %d = aten.sub.Tensor(%c, %b)
    %r = aten.div.Tensor(%rstd, %n)
    %dx = aten.mul.Tensor(%r, %d)
    %e = aten.mul.Tensor(%grad, %normal)
    %dw = aten.sum.dim_IntList(%e, %outer)
    %db = aten.sum.dim_IntList(%grad, %outer)
    return (%dx, %dw, %db)
  }
  graph @replacement(%grad, %x, %mean, %rstd, %w, %n, %dims, %outer) {
    %back = aten.native_layer_norm_backward.default(%grad, %x, [%n], %mean, %rstd, %w, %w, [True, True, True])
    %dx = operator.getitem(%back, 0)
    %dw = operator.getitem(%back, 1)
    %db = operator.getitem(%back, 2)
    return (%dx, %dw, %db)
  }
}

graph @addmm() {
  !commutative = True
  graph @pattern(%x, %w, %b : f32[n]) {
    %mm = aten.mm.default(%x, %w)
    %add = aten.add.Tensor(%mm, %b)
    return %add
  }
  graph @replacement(%x, %w, %b) {
    %addmm = aten.addmm.default(%b, %x, %w)
    return %addmm
  }
}

# ---- Graphs captured from libtorch, in which a linear layer is a product with a view in between

graph @addmm_of_view() {
  !commutative = True
  graph @pattern(%x, %w, %b : f32[n], %size !{match="list"}) {
    %mm = aten.mm.default(%x, %w)
    %view = match.call([op(aten.view.default), op(aten._unsafe_view.default)], %mm, %size)
    %add = aten.add.Tensor(%view, %b)
    return %add
  }
  graph @replacement(%x, %w, %b, %size) {
    %addmm = aten.addmm.default(%b, %x, %w)
    %view = aten.view.default(%addmm, %size)
    return %view
  }
}

# ---- Graphs of AOTAutograd

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

graph @rotary_embedding_backward() {
  !commutative = True
  graph @pattern(%grad, %cos, %sin, %dim !{match="int"}, %half !{match="int"}, %end !{match="int"}) {
    %b = aten.mul.Tensor(%grad, %sin)
    %left = aten.slice.Tensor(%b, %dim, 0, %half)
    %right = aten.slice.Tensor(%b, %dim, %half, %end)
    %neg = aten.neg.default(%left)
    %a = aten.mul.Tensor(%grad, %cos)
    %turned = aten.cat.default([%right, %neg], %dim)
    %sum = aten.add.Tensor(%a, %turned)
    return %sum
  }
  graph @replacement(%grad, %cos, %sin, %dim, %half, %end) {
    %back = fused.rotary_backward(%grad, %cos, %sin)
    return %back
  }
}

graph @swiglu() {
  graph @pattern(%a, %b) {
    %silu = aten.silu.default(%a)
    %y = aten.mul.Tensor(%silu, %b)
    return %y
  }
  graph @replacement(%a, %b) {
    %swiglu = fused.silu_mul(%a, %b)
    return %swiglu
  }
}

graph @swiglu_backward() {
  graph @pattern(%grad, %a, %b) {
    %silu = aten.silu.default(%a) !{match="kept"}
    %gb = aten.mul.Tensor(%grad, %silu)
    %gs = aten.mul.Tensor(%grad, %b)
    %ga = aten.silu_backward.default(%gs, %a)
    return (%ga, %gb)
  }
  graph @replacement(%grad, %a, %b) {
    %grads = fused.silu_mul_backward(%grad, %a, %b)
    %ga = operator.getitem(%grads, 0)
    %gb = operator.getitem(%grads, 1)
    return (%ga, %gb)
  }
}

# softmax(q k^T * scale) v on batches of matrices: %four has the sizes with separate batch and heads.
graph @attention() {
  graph @pattern(%q, %k, %v, %scale !{match="number"}, %four, %three) {
    %s = aten.bmm.default(%q, %k)
    %s4 = match.call([op(aten.view.default), op(aten._unsafe_view.default)], %s, %four)
    %scaled = aten.mul.Tensor(%s4, %scale)
    %p = aten._softmax.default(%scaled, -1, False)
    %expand = aten.expand.default(%p, %four)
    %p3 = aten.view.default(%expand, %three)
    %y = aten.bmm.default(%p3, %v)
    return %y
  }
  graph @replacement(%q, %k, %v, %scale, %four, %three) {
    %attention = fused.attention(%q, %k, %v, None, %scale, %four)
    return %attention
  }
}

graph @attention_backward() {
  graph @pattern(%grad, %q, %k, %v, %scale !{match="number"}, %four, %three) {
    %s = aten.bmm.default(%q, %k) !{match="kept"}
    %s4 = match.call([op(aten.view.default), op(aten._unsafe_view.default)], %s, %four) !{match="kept"}
    %scaled = aten.mul.Tensor(%s4, %scale) !{match="kept"}
    %p = aten._softmax.default(%scaled, -1, False) !{match="kept"}
    %expand = aten.expand.default(%p, %four) !{match="kept"}
    %p3 = aten.view.default(%expand, %three) !{match="kept"}
    %pt = aten.transpose.int(%p3, 1, 2)
    %gv = aten.bmm.default(%pt, %grad)
    %vt = aten.transpose.int(%v, 1, 2)
    %gp = aten.bmm.default(%grad, %vt)
    %gp4 = aten.view.default(%gp, %four)
    %gs4 = aten._softmax_backward_data.default(%gp4, %p, -1, torch.float32)
    %gm = aten.mul.Tensor(%gs4, %scale)
    %gs = aten.view.default(%gm, %three)
    %qt = aten.transpose.int(%q, 1, 2)
    %gk = aten.bmm.default(%qt, %gs)
    %kt = aten.transpose.int(%k, 1, 2)
    %gq = aten.bmm.default(%gs, %kt)
    return (%gv, %gk, %gq)
  }
  graph @replacement(%grad, %q, %k, %v, %scale, %four, %three) {
    %grads = fused.attention_backward(%grad, %q, %k, %v, None, %scale, %four)
    %gv = operator.getitem(%grads, 0)
    %gk = operator.getitem(%grads, 1)
    %gq = operator.getitem(%grads, 2)
    return (%gv, %gk, %gq)
  }
}

# The same with a mask.
graph @masked_attention() {
  graph @pattern(%q, %k, %v, %hidden, %scale !{match="number"}, %four, %three) {
    %s = aten.bmm.default(%q, %k)
    %s4 = match.call([op(aten.view.default), op(aten._unsafe_view.default)], %s, %four)
    %scaled = aten.mul.Tensor(%s4, %scale)
    %masked = aten.masked_fill.Scalar(%scaled, %hidden, -inf)
    %p = aten._softmax.default(%masked, -1, False)
    %expand = aten.expand.default(%p, %four)
    %p3 = aten.view.default(%expand, %three)
    %y = aten.bmm.default(%p3, %v)
    return %y
  }
  graph @replacement(%q, %k, %v, %hidden, %scale, %four, %three) {
    %attention = fused.attention(%q, %k, %v, %hidden, %scale, %four)
    return %attention
  }
}

graph @masked_attention_backward() {
  graph @pattern(%grad, %q, %k, %v, %hidden, %scale !{match="number"}, %four, %three) {
    %s = aten.bmm.default(%q, %k) !{match="kept"}
    %s4 = match.call([op(aten.view.default), op(aten._unsafe_view.default)], %s, %four) !{match="kept"}
    %scaled = aten.mul.Tensor(%s4, %scale) !{match="kept"}
    %masked = aten.masked_fill.Scalar(%scaled, %hidden, -inf) !{match="kept"}
    %p = aten._softmax.default(%masked, -1, False) !{match="kept"}
    %expand = aten.expand.default(%p, %four) !{match="kept"}
    %p3 = aten.view.default(%expand, %three) !{match="kept"}
    %pt = aten.transpose.int(%p3, 1, 2)
    %gv = aten.bmm.default(%pt, %grad)
    %vt = aten.transpose.int(%v, 1, 2)
    %gp = aten.bmm.default(%grad, %vt)
    %gp4 = aten.view.default(%gp, %four)
    %gs4 = aten._softmax_backward_data.default(%gp4, %p, -1, torch.float32)
    %seen = aten.masked_fill.Scalar(%gs4, %hidden, 0)
    %gm = aten.mul.Tensor(%seen, %scale)
    %gs = aten.view.default(%gm, %three)
    %qt = aten.transpose.int(%q, 1, 2)
    %gk = aten.bmm.default(%qt, %gs)
    %kt = aten.transpose.int(%k, 1, 2)
    %gq = aten.bmm.default(%gs, %kt)
    return (%gv, %gk, %gq)
  }
  graph @replacement(%grad, %q, %k, %v, %hidden, %scale, %four, %three) {
    %grads = fused.attention_backward(%grad, %q, %k, %v, %hidden, %scale, %four)
    %gv = operator.getitem(%grads, 0)
    %gk = operator.getitem(%grads, 1)
    %gq = operator.getitem(%grads, 2)
    return (%gv, %gk, %gq)
  }
}

graph @conv_bn_relu() {
  graph @pattern(%x, %w, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %conv = aten.convolution.default(%x, %w, None, %stride, %padding, [1, 1], False, [0, 0], 1)
    %bn = aten._native_batch_norm_legit_functional.default(%conv, %scale, %shift, %mean, %var, True, %momentum, %eps)
    %value = operator.getitem(%bn, 0)
    %new_mean = operator.getitem(%bn, 3)
    %new_var = operator.getitem(%bn, 4)
    %relu = aten.relu.default(%value)
    return (%relu, %new_mean, %new_var)
  }
  graph @replacement(%x, %w, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %block = fused.conv_bn_relu_training(%x, %w, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps)
    %relu = operator.getitem(%block, 0)
    %new_mean = operator.getitem(%block, 1)
    %new_var = operator.getitem(%block, 2)
    return (%relu, %new_mean, %new_var)
  }
}

graph @conv_bn_relu_backward() {
  graph @pattern(%grad, %x, %w, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %conv = aten.convolution.default(%x, %w, None, %stride, %padding, [1, 1], False, [0, 0], 1) !{match="kept"}
    %bn = aten._native_batch_norm_legit_functional.default(%conv, %scale, %shift, %mean, %var, True, %momentum, %eps) !{match="kept"}
    %value = operator.getitem(%bn, 0) !{match="kept"}
    %save_mean = operator.getitem(%bn, 1) !{match="kept"}
    %save_rstd = operator.getitem(%bn, 2) !{match="kept"}
    %new_mean = operator.getitem(%bn, 3) !{match="kept"}
    %new_var = operator.getitem(%bn, 4) !{match="kept"}
    %relu = aten.relu.default(%value) !{match="kept"}
    %g1 = aten.threshold_backward.default(%grad, %relu, 0)
    %g2 = aten.native_batch_norm_backward.default(%g1, %conv, %scale, %new_mean, %new_var, %save_mean, %save_rstd, True, %eps, [True, True, True])
    %gc = operator.getitem(%g2, 0)
    %gscale = operator.getitem(%g2, 1)
    %gshift = operator.getitem(%g2, 2)
    %g3 = aten.convolution_backward.default(%gc, %x, %w, [0], %stride, %padding, [1, 1], False, [0, 0], 1, [True, True, False])
    %gx = operator.getitem(%g3, 0)
    %gw = operator.getitem(%g3, 1)
    return (%gx, %gw, %gscale, %gshift)
  }
  graph @replacement(%grad, %x, %w, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %grads = fused.conv_bn_relu_backward(%grad, %x, %w, %stride, %padding, %scale, %shift, %eps)
    %gx = operator.getitem(%grads, 0)
    %gw = operator.getitem(%grads, 1)
    %gscale = operator.getitem(%grads, 2)
    %gshift = operator.getitem(%grads, 3)
    return (%gx, %gw, %gscale, %gshift)
  }
}

# The first layer: the gradient of the model's input has no users.
graph @first_conv_bn_relu_backward() {
  graph @pattern(%grad, %x, %w, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %conv = aten.convolution.default(%x, %w, None, %stride, %padding, [1, 1], False, [0, 0], 1) !{match="kept"}
    %bn = aten._native_batch_norm_legit_functional.default(%conv, %scale, %shift, %mean, %var, True, %momentum, %eps) !{match="kept"}
    %value = operator.getitem(%bn, 0) !{match="kept"}
    %save_mean = operator.getitem(%bn, 1) !{match="kept"}
    %save_rstd = operator.getitem(%bn, 2) !{match="kept"}
    %new_mean = operator.getitem(%bn, 3) !{match="kept"}
    %new_var = operator.getitem(%bn, 4) !{match="kept"}
    %relu = aten.relu.default(%value) !{match="kept"}
    %g1 = aten.threshold_backward.default(%grad, %relu, 0)
    %g2 = aten.native_batch_norm_backward.default(%g1, %conv, %scale, %new_mean, %new_var, %save_mean, %save_rstd, True, %eps, [True, True, True])
    %gc = operator.getitem(%g2, 0)
    %gscale = operator.getitem(%g2, 1)
    %gshift = operator.getitem(%g2, 2)
    %g3 = aten.convolution_backward.default(%gc, %x, %w, [0], %stride, %padding, [1, 1], False, [0, 0], 1, [False, True, False])
    %gw = operator.getitem(%g3, 1)
    return (%gw, %gscale, %gshift)
  }
  graph @replacement(%grad, %x, %w, %stride, %padding, %scale, %shift, %mean, %var, %momentum, %eps) {
    %grads = fused.conv_bn_relu_backward(%grad, %x, %w, %stride, %padding, %scale, %shift, %eps)
    %gw = operator.getitem(%grads, 1)
    %gscale = operator.getitem(%grads, 2)
    %gshift = operator.getitem(%grads, 3)
    return (%gw, %gscale, %gshift)
  }
}
