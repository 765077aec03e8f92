# Programs that must not compile.
fx_add_test(tracer_compile_errors tracer
            COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/compile_errors.py"
                    "${CMAKE_CXX_COMPILER}" "${FX_INCLUDE_DIR}")
# Traces the same models in Python with torch.fx, and compares the exact listings.
add_executable(trace_models "${CMAKE_CURRENT_LIST_DIR}/trace_models.cpp")
# Links only the tracer: IR, tracing and later stages are separate libraries.
target_link_libraries(trace_models PRIVATE fxcpp::tracer fx_build_flags)
fx_unoptimized(trace_models)
set_target_properties(trace_models PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
fx_add_test(tracer_models tracer
            COMMAND "${FX_TORCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/compare_models.py"
                    $<TARGET_FILE:trace_models>)
