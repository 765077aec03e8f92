# Options for compiling all targets: standard, warnings, sanitizers, launcher, linker, include mapping.
include_guard()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
  find_program(FX_CCACHE ccache)
  if(FX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Without this setting, ccache does not cache sources that use a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${FX_CCACHE}")
    # ccache does not cache clang's precompiled headers either if they contain timestamps.
    add_compile_options("$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
  find_program(FX_MOLD mold)
  if(FX_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()
if(PROJECT_IS_TOP_LEVEL)
  # Makes gcc collect garbage only if its heap exceeds 1 GB, which saves 10% of the compile time.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# Calls within libfxcpp.so need no indirection, because no library replaces its functions at load time.
add_compile_options(-fno-semantic-interposition)
set(CMAKE_CXX_EXTENSIONS OFF)

# "fx/ir/graph/graph.h" is ir/graph/graph.h: cmake/include/fx contains one link for each folder. The links
# are checked in, so that editors and code browsers resolve includes without a build.
set(FX_INCLUDE_DIR "${PROJECT_SOURCE_DIR}/cmake/include")

# The C++ standard and warnings for all targets of this project; never propagated to users.
add_library(fx_build_flags INTERFACE)
target_compile_features(fx_build_flags INTERFACE cxx_std_20)
target_compile_options(
  fx_build_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                           "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/="
                           "-fmacro-prefix-map=${FX_INCLUDE_DIR}/fx/=")
if(FX_WERROR)
  target_compile_options(fx_build_flags INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # libstdc++ 12's std::stable_sort calls a function that it deprecates, and clang reports this in our
  # sources (LLVM #76515).
  target_compile_options(fx_build_flags INTERFACE -Wno-deprecated-declarations)
  # Since version 18, clang mangles templates with constraints in their parameters differently from
  # gcc 12, which compiled Debian's Abseil.
  target_compile_options(fx_build_flags INTERFACE -fclang-abi-compat=17)
endif()
target_link_options(fx_build_flags INTERFACE -Wl,--as-needed)
target_compile_definitions(fx_build_flags INTERFACE "$<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>")

if(FX_SANITIZE)
  # No vptr check: some linked libraries have no run-time type information.
  add_compile_options(-fsanitize=${FX_SANITIZE} -fno-sanitize-recover=all -fno-sanitize=vptr)
  add_link_options(-fsanitize=${FX_SANITIZE} -fno-sanitize=vptr)
endif()
if(FX_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "FX_FUZZ needs clang: cmake --preset fuzz")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# fx_unity(TARGET [BATCH n] [TOP_FOLDERS]): with FX_UNITY, compiles up to n sources (by default 20) of the
# target together. Large batches are faster: most time is spent on headers and Abseil's containers, which
# each batch instantiates again. A folder of up to n sources is one batch, and a larger folder is divided into
# batches of equal size. Small folders that are adjacent in alphabetical order share a batch. With TOP_FOLDERS,
# batches are parts of a top-level folder regardless of its subfolders (libtorch's headers are the slowest;
# see fx_precompile_torch). A name that is private to a source must be unique in its batch. clang-tidy and the
# debug preset compile each source separately.
function(fx_unity target)
  cmake_parse_arguments(arg "TOP_FOLDERS" "BATCH" "" ${ARGN})
  if(NOT arg_BATCH)
    set(arg_BATCH 20)
  endif()
  if(NOT FX_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    get_filename_component(path "${source}" ABSOLUTE)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${path}")
    get_filename_component(folder "${path}" DIRECTORY)
    if(arg_TOP_FOLDERS)
      string(REGEX REPLACE "/.*" "" folder "${folder}")
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND sources_${folder} "${source}")
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  list(SORT folders)
  set(shared)  # the batch of small folders, and its number of sources
  set(shared_count 0)
  foreach(folder ${folders})
    list(LENGTH sources_${folder} count)
    if(shared AND count LESS_EQUAL arg_BATCH)
      math(EXPR sum "${shared_count} + ${count}")
      if(sum LESS_EQUAL arg_BATCH)
        set_property(SOURCE ${sources_${folder}} PROPERTY UNITY_GROUP "${shared}")
        set(shared_count ${sum})
        continue()
      endif()
    endif()
    math(EXPR batches "(${count} + ${arg_BATCH} - 1) / ${arg_BATCH}")
    set(i 0)
    foreach(source ${sources_${folder}})  # batches of equal size
      math(EXPR batch "${i} * ${batches} / ${count}")
      set_property(SOURCE "${source}" PROPERTY UNITY_GROUP "${folder}_${batch}")
      math(EXPR i "${i} + 1")
    endforeach()
    if(batches EQUAL 1)
      set(shared "${folder}_0")
      set(shared_count ${count})
    endif()
  endforeach()
  # gcc treats the sources of a batch as headers.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# fx_precompile(TARGET [REUSE OTHER] [HEADERS header...]): precompiles the standard and third-party headers
# that most sources include, once for each set of compile flags, which saves a third of the build time. Never
# includes headers of this project. Sources must still have all #includes: scripts/check parses each
# source without the precompiled header.
function(fx_precompile target)
  cmake_parse_arguments(arg "" "REUSE" "HEADERS" ${ARGN})
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  if(arg_REUSE)
    target_precompile_headers(${target} REUSE_FROM ${arg_REUSE})
    target_compile_options(${target} PRIVATE -fPIC)  # an executable's -fPIE would be a different set of flags
  else()
    target_precompile_headers(
      ${target} PRIVATE <algorithm> <functional> <memory> <string> <vector>
      <absl/container/flat_hash_map.h> <absl/container/inlined_vector.h> <absl/status/statusor.h>
      <absl/strings/str_cat.h> <absl/types/span.h> ${arg_HEADERS})
  endif()
endfunction()

# fx_unoptimized(TARGET): compiles the target without optimization in a release build. The optimizer takes
# most of the compile time of a test or example (two thirds with libtorch's headers), and most of the work at
# run time is done in the libraries that it calls.
function(fx_unoptimized target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
endfunction()

# fx_precompile_program(TARGET): compiles a small program without optimization, with fx_precompile's headers,
# which are parsed once for all such programs.
function(fx_precompile_program target)
  fx_unoptimized(${target})
  set(owner fx_program_headers)
  if(PROJECT_IS_TOP_LEVEL AND NOT TARGET ${owner})
    file(WRITE "${PROJECT_BINARY_DIR}/program_headers.cpp" "// Owns a precompiled header.\n")
    add_library(${owner} OBJECT "${PROJECT_BINARY_DIR}/program_headers.cpp")
    target_link_libraries(${owner} PRIVATE fxcpp::fxcpp fx_build_flags)
    fx_unoptimized(${owner})
    fx_precompile(${owner})
  endif()
  fx_precompile(${target} REUSE ${owner})
endfunction()

# fx_precompile_torch(TARGET [UNOPTIMIZED]): with clang, parses libtorch's headers once for all targets, as
# part of fx_torch. clang reads only what a source uses from the precompiled header, and compiles the source
# in a third of the time (gcc reads all of it, which is not faster). `scripts/check gcc` compiles each batch
# without it.
function(fx_precompile_torch target)
  cmake_parse_arguments(arg "UNOPTIMIZED" "" "" ${ARGN})
  if(arg_UNOPTIMIZED)
    fx_unoptimized(${target})
  endif()
  if(NOT PROJECT_IS_TOP_LEVEL OR NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  if(target STREQUAL fx_torch)
    target_precompile_headers(fx_torch PRIVATE <torch/torch.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM fx_torch)
    # A precompiled header requires the options of its owner.
    target_compile_options(${target} PRIVATE -fPIC)
    if(arg_UNOPTIMIZED)  # only __OPTIMIZE__ differs, which clang would reject
      target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-validate-pch")
    endif()
  endif()
endfunction()
