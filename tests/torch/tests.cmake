# Transformers, which test_interpreter_against_torch_fx.py compares with torch.fx's.
if(TARGET fxcpp::torch)
  add_executable(transform_graph "${CMAKE_CURRENT_LIST_DIR}/transform_graph_main.cpp")
  target_link_libraries(transform_graph PRIVATE fxcpp::fxcpp fx_build_flags)
  set_target_properties(transform_graph
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(TEST torch_scripts)
    set_property(TEST torch_scripts APPEND
                 PROPERTY ENVIRONMENT "FX_TRANSFORM_GRAPH=$<TARGET_FILE:transform_graph>")
  endif()
endif()

# Every pass of the table on models and random programs; without options, it runs whole.
if(TARGET fxcpp::torch)
  add_executable(check_passes "${CMAKE_CURRENT_LIST_DIR}/check_passes_main.cpp")
  target_link_libraries(check_passes PRIVATE fx_testing fx_zoo fxcpp::torch fx_build_flags fmt::fmt)
  target_compile_options(check_passes PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(check_passes
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(torch_passes torch COMMAND check_passes --random 60 --models 4)
  fx_needs_corpus(torch_passes)
endif()

# Graphs of symbolic sizes, after every pass, at many sizes; without options, it runs whole.
if(TARGET fxcpp::torch)
  add_executable(check_symbolic "${CMAKE_CURRENT_LIST_DIR}/check_symbolic_main.cpp")
  target_link_libraries(check_symbolic PRIVATE fx_testing fxcpp::torch fx_build_flags fmt::fmt)
  target_compile_options(check_symbolic PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(check_symbolic
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(torch_symbolic torch COMMAND check_symbolic --random 30 --sizes 4 --models 8)
  fx_needs_corpus(torch_symbolic)
endif()

# functionalize on random programs of views and writes.
if(TARGET fxcpp::torch)
  add_executable(check_functionalize "${CMAKE_CURRENT_LIST_DIR}/check_functionalize_main.cpp")
  target_link_libraries(check_functionalize PRIVATE fx_testing fxcpp::torch fx_build_flags fmt::fmt)
  target_compile_options(check_functionalize PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(check_functionalize
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(torch_functionalize torch COMMAND check_functionalize --programs 4000)
endif()
