# Runs Transformers, which test_interpreter_against_torch_fx.py compares with torch.fx's.
if(TARGET fxcpp::torch)
  add_executable(transform_graph "${CMAKE_CURRENT_LIST_DIR}/transform_graph_main.cpp")
  target_link_libraries(transform_graph PRIVATE fxcpp::fxcpp fx_build_flags)
  fx_unoptimized(transform_graph)
  set_target_properties(transform_graph
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(TEST torch_scripts)
    set_property(TEST torch_scripts APPEND
                 PROPERTY ENVIRONMENT "FX_TRANSFORM_GRAPH=$<TARGET_FILE:transform_graph>")
  endif()
endif()

# Captures models with the scopes of libtorch's layers, for test_module_paths.py.
if(TARGET fxcpp::torch)
  add_executable(capture_zoo "${CMAKE_CURRENT_LIST_DIR}/capture_zoo_main.cpp")
  target_link_libraries(capture_zoo PRIVATE fx_zoo fxcpp::torch_layer_scopes fx_build_flags)
  fx_precompile_torch(capture_zoo UNOPTIMIZED)
  set_target_properties(capture_zoo PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(TEST torch_scripts)
    set_property(TEST torch_scripts APPEND
                 PROPERTY ENVIRONMENT "FX_CAPTURE_ZOO=$<TARGET_FILE:capture_zoo>")
  endif()
endif()

# Runs ONNX models for tests/importers/onnx_node_tests.py.
if(TARGET fxcpp::torch)
  add_executable(run_onnx_cases "${CMAKE_CURRENT_LIST_DIR}/run_onnx_cases_main.cpp")
  target_link_libraries(run_onnx_cases PRIVATE fxcpp::torch fx_build_flags fmt::fmt)
  fx_precompile_torch(run_onnx_cases UNOPTIMIZED)
  set_target_properties(run_onnx_cases
                        PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
endif()

# Checks on many graphs: check_graphs_main.cpp. Without options, they run in full.
if(TARGET fxcpp::torch)
  set(fx_check_graphs
      check_graphs_main.cpp check_functionalize.cpp check_gradients.cpp check_kept.cpp
      check_partition.cpp
      check_passes.cpp check_symbolic.cpp form_checker.cpp pass_checker.cpp random_subject.cpp
      reference_runs.cpp rewrite_pass.cpp)
  list(TRANSFORM fx_check_graphs PREPEND "${CMAKE_CURRENT_LIST_DIR}/")
  # scripts/check_programs builds and runs check_graphs_optimized, which takes half the time of
  # check_graphs, but compiling it takes longer than the tests would save.
  foreach(fx_check IN ITEMS check_graphs check_graphs_optimized)
    set(fx_check_unoptimized UNOPTIMIZED)
    if(fx_check STREQUAL "check_graphs_optimized")
      unset(fx_check_unoptimized)
    endif()
    add_executable(${fx_check} ${fx_check_graphs})
    target_link_libraries(${fx_check} PRIVATE fx_testing fx_zoo fxcpp::torch fx_build_flags fmt::fmt
                                              nlohmann_json::nlohmann_json)
    fx_unity(${fx_check} BATCH 10)
    fx_precompile_torch(${fx_check} ${fx_check_unoptimized})
    set_target_properties(${fx_check}
                          PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  endforeach()
  set_target_properties(check_graphs_optimized PROPERTIES EXCLUDE_FROM_ALL ON)
  fx_add_test(torch_passes torch COMMAND check_graphs passes --random 60 --models 4 --forms)
  fx_add_test(torch_symbolic torch COMMAND check_graphs symbolic --random 150 --sizes 4 --models 8)
  fx_add_test(torch_functionalize torch COMMAND check_graphs functionalize --programs 4000)
  fx_add_test(torch_gradients torch COMMAND check_graphs gradients)
  fx_add_test(torch_partition torch COMMAND check_graphs partition)
  fx_add_test(torch_kept torch COMMAND check_graphs kept --only mlp gpt mobilenet)
  fx_needs_corpus(torch_passes torch_symbolic torch_gradients torch_partition)
endif()

# Compares `fxcpp grad` with autograd on a sample of PyTorch's operator database. The complete
# database is checked manually.
if(TARGET fxcpp::torch AND FX_TORCH_PYTHON)
  fx_add_test(
    torch_op_gradients torch
    COMMAND "${FX_TORCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/op_gradients.py" $<TARGET_FILE:fxcpp>
            --samples 1 --modes reverse,forward,second --expect 20,20,20
            --names addmm,atan2,cat,clamp,div.no_rounding_mode,exp,expand,gather,index_select,linalg.solve,log_softmax,matmul,mean,mul,nn.functional.gelu,pow,sgn,std,sum,where)
endif()
