# The checked-in operator table is what PyTorch says today; exits 77 where torch is missing.
fx_add_test(ops_table ops
            COMMAND "${FX_TORCH_PYTHON}" "${PROJECT_SOURCE_DIR}/scripts/make_op_table.py" --check)
# op_torch_test.cpp asks PyTorch too.
if(TEST ops)
  set_property(TEST ops APPEND PROPERTY ENVIRONMENT "FX_TORCH_PYTHON=${FX_TORCH_PYTHON}")
endif()
