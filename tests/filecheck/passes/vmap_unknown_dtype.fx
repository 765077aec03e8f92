# RUN: not fxcpp vmap %s 2>&1 | FileCheck %s

# The rules use the types of the results, which are unknown.
# CHECK: calls that cannot be batched:
# CHECK-NEXT: aten.add.Tensor (%sum): the type of its result is unknown
# CHECK-NEXT: aten._softmax.default (%soft): the type of its result is unknown
# CHECK-NEXT: aten.convolution.default (%conv): the type of its result is unknown
# CHECK-NEXT: aten.norm.ScalarOpt_dtype (%norm): the type of its result is unknown
graph(%x : tensor[5], %y : tensor[], %i : tensor[1, 1, 4], %w : tensor[1, 1, 4], %b : tensor[1]) {
  %sum = aten.add.Tensor(%x, %y)
  %soft = aten._softmax.default(%y, 0, False)
  %conv = aten.convolution.default(%i, %w, %b, [2], [1], [2], True, [1], 1)
  %norm = aten.norm.ScalarOpt_dtype(%x, 2, dtype=torch.float64)
  return [%sum, %soft, %conv, %norm]
}
