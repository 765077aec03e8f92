graph(%x !{tensor_meta=fx.Tensor(type=type(f32[2, 3]), memory_format=torch.contiguous_format)}) {
  %relu = torch.nn.functional.relu(%x)
  return %relu
}
