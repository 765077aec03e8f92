# Compares fxcpp with Python's torch.fx (README.md in this folder). Scripts exit with 77 if torch is
# missing.
if(TARGET fxcpp)
  fx_add_test(differential_listing differential
              COMMAND "${FX_TORCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/compare_listing.py"
                      --fxcpp "$<TARGET_FILE:fxcpp>"
                      --round-trip)
  fx_add_test(differential_code differential
              COMMAND "${FX_TORCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/compare_code.py"
                      --fxcpp "$<TARGET_FILE:fxcpp>")
endif()
# NAME.cpp replays the output of a torch.fx script; SCRIPT runs both programs.
function(fx_add_replay name script test)
  add_executable(${name} "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${name}.cpp")
  target_link_libraries(${name} PRIVATE fxcpp::fxcpp fx_build_flags fmt::fmt
                                        nlohmann_json::nlohmann_json)
  target_compile_options(${name} PRIVATE ${fx_test_options})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(${test} differential
              COMMAND bash "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${script}" "${FX_TORCH_PYTHON}"
                      $<TARGET_FILE:${name}>)
endfunction()
fx_add_replay(replay_edits run_edits.sh differential_edits)
fx_add_replay(replay_documents run_documents.sh differential_documents)
fx_add_replay(replay_rewrites run_rewrites.sh differential_rewrites)
