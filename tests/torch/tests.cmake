# Transformers, held against torch.fx's by test_interpreter_against_torch_fx.py.
if(TARGET fxcpp::torch)
  add_executable(transform_graph "${CMAKE_CURRENT_LIST_DIR}/transform_graph_main.cpp")
  target_link_libraries(transform_graph PRIVATE fxcpp::fxcpp fx_build_flags)
  set_target_properties(transform_graph
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(TEST torch_interpreter_against_torch_fx)
    set_property(TEST torch_interpreter_against_torch_fx APPEND
                 PROPERTY ENVIRONMENT "FX_TRANSFORM_GRAPH=$<TARGET_FILE:transform_graph>")
  endif()
endif()
