# Tests scripts/gdb/fx.py on a program with debug information (the library may have none). Not built
# with sanitizers, since LeakSanitizer also traces the program.
if(NOT FX_SANITIZE)
  add_executable(gdb_printed "${CMAKE_CURRENT_LIST_DIR}/printed.cpp")
  target_link_libraries(gdb_printed PRIVATE fxcpp::fxcpp fx_build_flags)
  target_compile_options(gdb_printed PRIVATE -g -O0 $<$<CXX_COMPILER_ID:Clang>:-fstandalone-debug>)
  set_target_properties(gdb_printed PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  fx_add_test(gdb_printers gdb
              COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/check_printers.py"
                      $<TARGET_FILE:gdb_printed>)
endif()
