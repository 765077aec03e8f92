# fx_add_library(NAME FOLDERS folder... DEPENDS target...): adds the static library fx_NAME (alias
# fxcpp::NAME, except with NOT_CORE) from the .cpp files directly in each folder (relative to the source
# root). FxPackage.cmake builds shared libraries from these libraries. If the folders are empty or missing,
# no target is created, and DEPENDS entries that name it are dropped. With NOT_CORE, the library is not part of
# fxcpp::fxcpp. All libraries privately use fmt, nlohmann_json and (core) LLVM's ADT.
include_guard()

# Every library created so far, for the umbrella library and the package.
set_property(GLOBAL PROPERTY FX_CORE_LIBRARIES "")

function(fx_add_library name)
  cmake_parse_arguments(arg "NOT_CORE" "" "FOLDERS;DEPENDS" ${ARGN})
  list(TRANSFORM arg_FOLDERS PREPEND "${PROJECT_SOURCE_DIR}/")
  list(TRANSFORM arg_FOLDERS APPEND "/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${arg_FOLDERS})
  if(NOT sources)
    return()
  endif()
  add_library(fx_${name} STATIC ${sources})
  if(NOT arg_NOT_CORE)
    add_library(fxcpp::${name} ALIAS fx_${name})
  endif()
  target_include_directories(fx_${name} PUBLIC "${FX_INCLUDE_DIR}")
  target_compile_features(fx_${name} PUBLIC cxx_std_20)
  target_link_libraries(
    fx_${name} PRIVATE fx_build_flags fmt::fmt nlohmann_json::nlohmann_json Threads::Threads)
  foreach(dependency ${arg_DEPENDS})
    if(TARGET ${dependency})
      target_link_libraries(fx_${name} PUBLIC ${dependency})
    endif()
  endforeach()
  if(NOT arg_NOT_CORE)
    target_link_libraries(fx_${name} PRIVATE fx_llvm)
    # With sanitizers, the optimizer takes a third of the compile time. Tests of the IR build graphs of
    # 1e6 nodes and need an optimized IR; the tests of all other libraries are just as fast without it.
    if(FX_SANITIZE AND NOT name STREQUAL "ir")
      target_compile_options(fx_${name} PRIVATE -O0)
    endif()
    # A precompiled header has one set of flags, and the flags of fx_ir may differ.
    if(name STREQUAL "ir" OR name STREQUAL "tracer")
      fx_precompile(fx_${name})
    else()
      fx_precompile(fx_${name} REUSE fx_tracer)
    endif()
    set_property(GLOBAL APPEND PROPERTY FX_CORE_LIBRARIES fx_${name})
  endif()
endfunction()
