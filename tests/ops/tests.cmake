# op_torch_test.cpp also runs PyTorch.
if(TEST ops)
  set_property(TEST ops APPEND PROPERTY ENVIRONMENT "FX_TORCH_PYTHON=${FX_TORCH_PYTHON}")
endif()
