# RUN: fxcpp grad %s --joint | FileCheck %s

# Results that are constants stay in the joint graph.
# CHECK: return [%sin, 3, "mean", None, %mul]
graph(%x : f64[4]) {
  %sin : f64[4] = aten.sin.default(%x)
  return {"y": %sin, "k": (3, "mean"), "none": None}
}
