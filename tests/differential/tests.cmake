# Comparisons with Python's torch.fx (README.md here); scripts exit 77 where torch is missing.
if(TARGET fxcpp)
  fx_add_test(differential_listing differential
              COMMAND "${FX_TORCH_PYTHON}" "${CMAKE_CURRENT_LIST_DIR}/compare_listing.py"
                      --fxcpp $<TARGET_FILE:fxcpp> --round-trip)
endif()
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/replay_edits.cpp")
  add_executable(replay_edits "${CMAKE_CURRENT_LIST_DIR}/replay_edits.cpp")
  target_link_libraries(replay_edits PRIVATE fxcpp::fxcpp fx_build_flags fmt::fmt
                                             nlohmann_json::nlohmann_json)
  set_target_properties(replay_edits PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(differential_edits differential
              COMMAND bash "${CMAKE_CURRENT_LIST_DIR}/run_edits.sh" "${FX_TORCH_PYTHON}"
                      $<TARGET_FILE:replay_edits>)
endif()
