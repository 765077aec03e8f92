# op_torch_test.cpp asks PyTorch too.
if(TEST ops)
  set_property(TEST ops APPEND PROPERTY ENVIRONMENT "FX_TORCH_PYTHON=${FX_TORCH_PYTHON}")
endif()
