graph(%q : f32[2, 3, 16]) {
  %n : int(16) = call_method size(%q, -1)
  %s = math.sqrt(%n)
  %d = operator.truediv(%q, %s)
  return %d
}
