# Without types, the calls that create and use a value determine which overload a call means.
# RUN: fxcpp opt %s --passes lower_to_aten --check-changed | FileCheck %s
# CHECK-LABEL: graph(
graph(%x, %y, %n) {
  %a = call_method clone(%x)
  %s = builtins.getattr(%x, "shape")
  # A tensor is not a dtype, and neither are sizes.
  # CHECK: aten.to.other(%a_1, %a_1)
  # CHECK-NEXT: aten.to.other(%a_1, %a_1, True)
  # CHECK-NEXT: aten.view.default(%a_1, %s)
  # CHECK-NEXT: aten.reshape.default(%a_1, %s)
  # CHECK-NEXT: aten.expand.default(%a_1, %s)
  # CHECK-NEXT: aten.zeros.default(%s)
  %b = call_method to(%a, %a)
  %c = call_method to(%a, %a, True)
  %d = call_method view(%a, %s)
  %e = call_method reshape(%a, %s)
  %f = call_method expand(%a, %s)
  %o = torch.zeros(%s)
  # `n` may be a tensor or a number, also as a keyword argument.
  # CHECK-NEXT: torch.clamp(%a_1, min=%n)
  # CHECK-NEXT: torch.clamp(%a_1, %n)
  # CHECK-NEXT: torch.pow(%a_1, exponent=%n)
  %g = torch.clamp(%a, min=%n)
  %h = torch.clamp(%a, %n)
  %i = torch.pow(%a, exponent=%n)
  # An argument that is a tensor in all overloads is a tensor.
  # CHECK-NEXT: aten.linear.default(%a_1, %y, %y)
  # CHECK-NEXT: aten.matmul.default(%a_1, %y)
  %k = torch.nn.functional.linear(%a, %y, bias=%y)
  %l = torch.matmul(input=%a, other=%y)
  return (%b, %c, %d, %e, %f, %o, %g, %h, %i, %k, %l)
}
