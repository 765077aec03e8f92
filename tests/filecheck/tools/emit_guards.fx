# Emitted code checks the graph's assumptions about sizes and constant inputs. A graph without assumptions has no
# checks.
# RUN: fxcpp emit %s --to cpp | FileCheck %s --check-prefix=CPP
# RUN: fxcpp emit %s --to python | FileCheck %s --check-prefix=PY
# RUN: fxcpp emit %S/inputs/small.fx --to cpp | FileCheck %s --check-prefix=NONE
# RUN: fxcpp emit %S/inputs/small.fx --to python | FileCheck %s --check-prefix=NONE
# RUN: fxcpp shape %s --sweep n=4,6 --compare | FileCheck %s --check-prefix=SWEEP

# CPP:      at::Tensor forward(at::Tensor x, at::Tensor y, at::Tensor unread, int64_t k, double q) {
# CPP-NEXT: {  // the inputs for which the graph is valid
# CPP-NEXT:   TORCH_CHECK(k == 3, "%k is ", k, ", but the graph requires 3");
# CPP-NEXT:   TORCH_CHECK(std::isnan(q),
# CPP-NEXT:   TORCH_CHECK(x.dim() == int64_t{2}, "the rank of %x is ", x.dim(), ", but its type specifies 2");
# CPP-NEXT:   TORCH_CHECK(y.dim() == int64_t{1},
# CPP-NEXT:   TORCH_CHECK(unread.dim() == int64_t{1},
# CPP-NEXT:   TORCH_CHECK(x.size(0) == int64_t{3}, "dimension 0 of %x is ", x.size(0), ", but its type specifies 3");
# CPP-NEXT:   const int64_t fxcpp_size_0 = x.size(1);
# CPP-NEXT:   TORCH_CHECK(y.size(0) % 2 == 0, "dimension 0 of %y is ", y.size(0), ", which is not 2*m for any m");
# CPP-NEXT:   const int64_t fxcpp_size_1 = y.size(0) / 2;
# CPP-NEXT:   TORCH_CHECK(unread.size(0) == std::min<int64_t>(int64_t{6}, fxcpp_size_0), "dimension 0 of %unread is ", unread.size(0), ", but its type specifies Min(6, n): ", "n is ", fxcpp_size_0, " (dimension 1 of %x)");
# CPP-NEXT:   TORCH_CHECK((fxcpp_size_0 >= int64_t{2}), "the range n >= 2 of the graph does not hold: ", "n is ", fxcpp_size_0, " (dimension 1 of %x)");
# CPP-NEXT:   TORCH_CHECK((fxcpp_size_0 >= int64_t{5}),
# CPP-NEXT:   TORCH_CHECK((fxcpp_size_1 != (fxcpp_size_0 - int64_t{4} * c10::div_floor_integer<int64_t>(fxcpp_size_0, int64_t{4}))
# CPP-NEXT: }

# PY:      SIZES = (
# PY-NEXT:     ('the rank of %x', (0, (), "rank", 0), None, 1, 0, '2', ()),
# PY-NEXT:     ('the rank of %y', (1, (), "rank", 0), None, 1, 0, '1', ()),
# PY-NEXT:     ('the rank of %unread', (2, (), "rank", 0), None, 1, 0, '1', ()),
# PY-NEXT:     ('dimension 0 of %x', (0, (), "size", 0), None, 1, 0, '3', ()),
# PY-NEXT:     ('dimension 1 of %x', (0, (), "size", 1), 'n', 1, 0, 'n', ('n', )),
# PY-NEXT:     ('dimension 0 of %y', (1, (), "size", 0), 'm', 2, 0, '2*m', ('m', )),
# PY-NEXT:     ('dimension 0 of %unread', (2, (), "size", 0), None, 1, 0, 'Min(6, n)', ('n', )),
# PY:      GUARDS = (
# PY-NEXT:     ('range n >= 2', 'n >= 2', ('n', )),
# PY-NEXT:     ('guard n >= 5', 'n >= 5', ('n', )),
# PY:      CONSTANTS = (
# PY-NEXT:     ('%k', (3, ()), 3),
# PY-NEXT:     ('%q', (4, ()), float("nan")),
# PY:      def check_sizes(values):
# PY:      def check_constants(values):
# PY:          module.register_forward_pre_hook(_check_inputs, with_kwargs=True)

# NONE-NOT: guard
# NONE-NOT: GUARDS
# NONE-NOT: TORCH_CHECK

# SWEEP: n = 4: {{.*}}
# SWEEP: the guard n >= 5 of the symbolic types does not hold
# SWEEP: n = 6: {{.*}}
# SWEEP-NOT: does not hold
graph(%x : f32[3, n], %y : f32[2*m], %unread : f32[Min(n, 6)], %k : int(3), %q : float(nan)) {
  !symbols = {"n": {"min": 2}}
  !guards = ["n >= 5", "Ne(m, Mod(n, 4))"]
  %head : f32[3, 4][n, 1] = aten.slice.Tensor(%x, 1, 0, 4)
  %s : f32[] = aten.sum.default(%head)
  %r : f32[2*m] = aten.mul.Tensor(%y, %s)
  return %r
}
