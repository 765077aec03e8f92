function "my_module.<lambda>#1"(name="lambda", listing="my_module.<lambda>", repr="<function <lambda> at 0x0>")
graph(%x) {
  %lambda_1 = "my_module.<lambda>#1"(%x)
  return %lambda_1
}
