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
set(fx_check_passes check_passes_main.cpp form_checker.cpp pass_checker.cpp random_subject.cpp)
if(TARGET fxcpp::torch)
  list(TRANSFORM fx_check_passes PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
  add_executable(check_passes ${fx_check_passes})
  target_link_libraries(check_passes PRIVATE fx_testing fx_zoo fxcpp::torch fx_build_flags fmt::fmt
                                             nlohmann_json::nlohmann_json)
  target_compile_options(check_passes PRIVATE $<$<CONFIG:Release>:-O1>)
  fx_unity(check_passes)
  set_target_properties(check_passes
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(torch_passes torch COMMAND check_passes --random 60 --models 4 --forms)
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

# fx::joint compared with recorded joint graphs.
if(TARGET fxcpp::torch)
  add_executable(check_gradients "${CMAKE_CURRENT_LIST_DIR}/check_gradients_main.cpp")
  target_link_libraries(check_gradients PRIVATE fx_testing fx_zoo fxcpp::torch fx_build_flags
                                                fmt::fmt)
  target_compile_options(check_gradients PRIVATE $<$<CONFIG:Release>:-O1>)
  set_target_properties(check_gradients
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(torch_gradients torch COMMAND check_gradients)
  fx_needs_corpus(torch_gradients)
endif()

# `fxcpp grad` compared with autograd: a sample of PyTorch's operator database. The whole database
# is run by hand.
if(TARGET fxcpp::torch AND FX_TORCH_PYTHON)
  fx_add_test(
    torch_op_gradients torch
    COMMAND "${FX_TORCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/op_gradients.py" $<TARGET_FILE:fxcpp>
            --samples 1 --expect 20
            --names addmm,atan2,cat,clamp,div.no_rounding_mode,exp,expand,gather,index_select,linalg.solve,log_softmax,matmul,mean,mul,nn.functional.gelu,pow,sgn,std,sum,where)
endif()
