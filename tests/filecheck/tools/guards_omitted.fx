# For formats without guards, the command lists the guards that it omits. MLIR with --symbolic-shapes
# contains the ranges of symbols; .pt2 archives contain both.
# RUN: fxcpp emit %s --to onnx -o %t.onnx 2>&1 | FileCheck %s --check-prefix=ALL
# RUN: fxcpp emit %s --to mlir 2>&1 | FileCheck %s --check-prefix=MLIR
# RUN: fxcpp emit %s --to mlir --symbolic-shapes 2>&1 | FileCheck %s --check-prefix=SIZES
# RUN: fxcpp emit %s --to pt2 -o %t.pt2 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
# RUN: fxcpp print %t.pt2 --guards | FileCheck %s --check-prefix=PT2
# RUN: fxcpp convert %s -o %t.pt2 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
# RUN: fxcpp print %t.pt2 --guards | FileCheck %s --check-prefix=PT2
# RUN: fxcpp convert %s -o %t.json 2>&1 | FileCheck %s --check-prefix=NONE --allow-empty
# RUN: fxcpp emit %S/inputs/small.fx --to mlir 2>&1 | FileCheck %s --check-prefix=NONE
# ALL: # {{.*}}.onnx does not contain the guards 1 <= n <= 64, Eq(m, n), n >= 5
# MLIR: # the output does not contain the guards 1 <= n <= 64, Eq(m, n), n >= 5
# SIZES: # {{.*}} does not contain the guards Eq(m, n), n >= 5
# PT2: range: 1 <= n <= 64
# PT2: size: Eq(m, n)
# PT2: size: n >= 5
# NONE-NOT: does not contain
graph(%x : f32[n, 3], %y : f32[m, 3]) {
  !symbols = {"n": {"min": 1, "max": 64}}
  !guards = ["Eq(m, n)", "n >= 5"]
  %sum : f32[n, 3] = aten.add.Tensor(%x, %y)
  %row : f32[3]{offset=12} = aten.select.int(%sum, 0, 4)
  return %row
}
