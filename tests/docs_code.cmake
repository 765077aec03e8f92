# Builds the C++ blocks of the documentation, and adds a ctest docs_NAME for each page that has
# blocks to check (docs_code.py lists the kinds of blocks).
file(GLOB pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md")
list(APPEND pages "${PROJECT_SOURCE_DIR}/README.md")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${pages}
                                       "${CMAKE_CURRENT_LIST_DIR}/docs_code.py")
set(docs_code "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/docs_code.py")
set(torch_option)
if(TARGET fxcpp::torch)
  set(torch_option --torch)
endif()

execute_process(
  COMMAND ${docs_code} extract "${CMAKE_CURRENT_BINARY_DIR}/docs" ${torch_option} ${pages}
  OUTPUT_VARIABLE sources OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE "\n" ";" sources "${sources}")
set(precompiled)
foreach(source ${sources})
  cmake_path(GET source STEM name)
  file(STRINGS "${source}" includes_torch REGEX "#include .*torch/")
  add_executable(${name} "${source}")
  target_link_libraries(${name} PRIVATE fxcpp::fxcpp fx_build_flags fmt::fmt)
  # Examples may have unused values.
  target_compile_options(${name} PRIVATE -Wno-unused-variable -Wno-unused-but-set-variable)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if(includes_torch)
    target_link_libraries(${name} PRIVATE fxcpp::torch)
    fx_precompile_torch(${name} UNOPTIMIZED)
  elseif(name MATCHES "_[0-9]+$")
    fx_precompile_program(${name})
  else()
    # The fragments of a page (docs_NAME; programs are docs_NAME_N) start with the prelude, which
    # takes most of their compile time.
    fx_unoptimized(${name})
    if(precompiled)
      target_precompile_headers(${name} REUSE_FROM ${precompiled})
    else()
      target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/docs/snippet_prelude.h")
      set(precompiled ${name})
    endif()
  endif()
endforeach()

set(fxcpp_option)
if(TARGET fxcpp)
  set(fxcpp_option "--fxcpp=$<TARGET_FILE:fxcpp>")
endif()
foreach(page ${pages})
  file(STRINGS "${page}" checked_blocks REGEX "^(```cpp|```fx round-trip|[$] fxcpp )")
  if(checked_blocks)
    cmake_path(GET page STEM name)
    set(links)
    if(name STREQUAL "plugins")
      set(links "--link=libtoy.so=$<TARGET_FILE:plugin_toy>"
                "--link=model.fx=${PROJECT_SOURCE_DIR}/examples/plugin/model.fx"
                "--link=model.toy=${PROJECT_SOURCE_DIR}/examples/plugin/model.toy")
    endif()
    fx_add_test(docs_${name} docs COMMAND ${docs_code} run "${page}" ${fxcpp_option} ${torch_option} ${links}
                                          "--programs=${PROJECT_BINARY_DIR}/tests")
  endif()
endforeach()
