# RUN: not fxcpp shape %s | FileCheck %s
# Most of a wide matrix is above the diagonal, and diagonals outside of the matrix are alike.
# CHECK: a : i64[2, 3]
# CHECK: b : i64[2, 0]
# CHECK: c : i64[2, 6]
# CHECK: d : i64[2, 0]
# CHECK: the result has too many elements
graph() {
  %a = aten.tril_indices.default(2, 1099511627776)
  %b = aten.tril_indices.default(2, 3, -100)
  %c = aten.tril_indices.default(2, 3, 100)
  %d = aten.triu_indices.default(2, 3, 100)
  %e = aten.tril_indices.default(3, 9223372036854775807, 4611686018427387904)
  return (%a, %b, %c, %d, %e)
}
