# RUN: fxcpp opt %s --passes functionalize | FileCheck %s
# functionalize types the users of values whose types are incomplete. Most operators receive a dense
# copy of a lazy view, so the strides of a result may depend on it (1006609590).
graph(%x : f64[2, 4]) {
  %part : f64[2, 3][4, 1]{offset=1} = aten.slice.Tensor(%x, 1, 1, 9223372036854775807, 1)
  %lazy : f64[*]{offset=1} = aten._neg_view.default(%part)
  %strided = aten.as_strided.default(%lazy, [1, 3, 2], [2, 2, 0], 2)
  # CHECK: %of_lazy : b8[1, 3, 2][?] = aten.isnan.default
  %of_lazy = aten.isnan.default(%strided)
  %same : f64[*] = aten.alias.default(%part)
  %plain = aten.as_strided.default(%same, [1, 3, 2], [2, 2, 0], 2)
  # CHECK: %of_plain : b8[1, 3, 2][2, 2, 1] = aten.isnan.default
  %of_plain = aten.isnan.default(%plain)
  %new = aten.neg.default(%x)
  %written = aten.add_.Tensor(%new, 1)
  return (%of_lazy, %of_plain, %written)
}
