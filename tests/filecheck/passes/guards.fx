# Guards are part of the graph: type propagation adds them, parts get the guards on their symbols,
# and files contain them.
# RUN: fxcpp opt %s --passes propagate_types --check-changed | FileCheck %s --check-prefix=TYPES
# RUN: fxcpp opt %s --passes propagate_types,propagate_types --check-changed | FileCheck %s --check-prefix=TYPES
# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all},eliminate_dead_code,simplify' | FileCheck %s --check-prefix=ROOT
# RUN: fxcpp opt %s --passes 'propagate_types,decompose{set=all},functionalize,reinplace' | FileCheck %s --check-prefix=ROOT
# RUN: fxcpp opt %s --passes 'propagate_types,partition{ops="aten.mean.dim",allow_single_node}' | FileCheck %s --check-prefix=PART
# RUN: fxcpp opt %s --passes propagate_types,split_module | FileCheck %s --check-prefix=SPLIT
# RUN: fxcpp opt %s --passes propagate_types,split_module,inline_calls | FileCheck %s --check-prefix=ROOT
# RUN: fxcpp opt %s --passes 'propagate_types,extract_subgraph{inputs="x",outputs="y"}' | FileCheck %s --check-prefix=ROOT
# RUN: fxcpp opt %s --passes propagate_types -o %t.json && fxcpp print %t.json | FileCheck %s --check-prefix=ROOT
# RUN: fxcpp opt %s --passes propagate_types -o %t.fxb && fxcpp convert %t.fxb -o %t.fx && FileCheck %s --check-prefix=ROOT < %t.fx

# TYPES:      graph(%x : f32[3, n], %w : f32[m]) {
# TYPES-NEXT:   !symbols = {"n": {"min": 1, "max": 12}}
# TYPES-NEXT:   !guards = ["n >= 5", "Eq(m, n)"]
# TYPES-NEXT:   %row : f32[3]{{.*}} = aten.select.int(%x, 1, 4)
# TYPES:        %sum : f32[3, n] = aten.add.Tensor(%x, %w)

# ROOT: !guards = ["n >= 5", "Eq(m, n)"]

# The part contains only the symbol n.
# PART:       !guards = ["n >= 5", "Eq(m, n)"]
# PART:       graph @fused_0(
# PART-NEXT:  !symbols = {"n": {"min": 1, "max": 12}}
# PART-NEXT:  !guards = ["n >= 5"]

# SPLIT:      !guards = ["n >= 5", "Eq(m, n)"]
# SPLIT:      graph @submod_0(
# SPLIT-NEXT: !symbols = {"n": {"min": 1, "max": 12}}
# SPLIT-NEXT: !guards = ["n >= 5", "Eq(m, n)"]
graph(%x : f32[3, n], %w : f32[m]) {
  !symbols = {"n": {"min": 1, "max": 12}}
  %row = aten.select.int(%x, 1, 4)
  %y = aten.mean.dim(%x, [1])
  %sum = aten.add.Tensor(%x, %w)
  return (%row, %y, %sum)
}
