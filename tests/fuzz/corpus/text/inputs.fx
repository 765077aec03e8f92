graph(%x, %input_1[input], %args[*args], %kwargs[**kwargs], %odd["a name"], %flag : bool = True) {
  return %x
}
