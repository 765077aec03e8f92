# RUN: fxcpp opt %s --passes functionalize -o %t.fx
# RUN: FileCheck %s <%t.fx
# RUN: fxcpp opt %t.fx --passes functionalize -o %t.again.fx
# RUN: diff %t.fx %t.again.fx
# The new value of an untyped input is a separate tensor, so the pass accepts its own output.
# CHECK:      %dropout = aten.dropout.default(%x, 0.5, True)
# CHECK-NEXT: %copy = aten.copy.default(%x, %dropout)
# CHECK-NEXT: %neg = aten.neg.default(%copy)
# CHECK-NEXT: %copy_ = aten.copy_.default(%x, %copy)
graph(%x) {
  %clone = aten.clone.default(%x)
  %dropout_ = aten.dropout_.default(%x, 0.5, True)
  %neg = aten.neg.default(%x)
  return [%neg, %clone]
}
