# The libraries that fxcpp depends on, all from Debian 12 (scripts/setup installs them), and libtorch.
include_guard()

find_package(Threads REQUIRED)
find_package(absl REQUIRED)
# The parts of Abseil that public headers include; users of fxcpp also link them.
set(FX_ABSL absl::status absl::statusor absl::span absl::function_ref absl::inlined_vector
            absl::flat_hash_map absl::flat_hash_set)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)  # large JSON: the programs in .pt2 archives
find_package(ZLIB REQUIRED)
find_package(Boost 1.74 REQUIRED)  # Boost.Graph's maximum flow, headers only

# LLVM's ADT and Support, static and private: users of fxcpp may link a different LLVM. The archives are
# named explicitly: only members of Support that fxcpp does not use need zstd and z3.
set(FX_LLVM_ROOT "/usr/lib/llvm-19" CACHE PATH "The folder to search first for LLVM 19")
set(CMAKE_MESSAGE_LOG_LEVEL WARNING)  # no messages about dependencies of LLVM's other libraries
find_package(LLVM 19.1 REQUIRED CONFIG HINTS "${FX_LLVM_ROOT}/lib/cmake/llvm")
unset(CMAKE_MESSAGE_LOG_LEVEL)
separate_arguments(fx_llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
list(REMOVE_ITEM fx_llvm_definitions -D_GNU_SOURCE)  # g++ and clang++ set it themselves
add_library(fx_llvm INTERFACE)
target_include_directories(fx_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_options(fx_llvm INTERFACE ${fx_llvm_definitions})
target_link_libraries(fx_llvm INTERFACE $<TARGET_FILE:LLVMSupport> $<TARGET_FILE:LLVMDemangle>
                                        Threads::Threads ${CMAKE_DL_LIBS})

# Finds a Python interpreter with torch, for libtorch's CMake files and for the tests that compare with
# torch.fx. Sets FX_TORCH_PYTHON (empty if there is none) and FX_TORCH_CMAKE_DIR.
function(fx_find_torch_python)
  foreach(python "${PROJECT_SOURCE_DIR}/.venv/bin/python" python3)
    execute_process(
      COMMAND "${python}" -c "import os, sys, importlib.util as u
s = u.find_spec('torch')
s or sys.exit(1)
print(sys.executable); print(os.path.join(os.path.dirname(s.origin), 'share', 'cmake', 'Torch'))"
      OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed STREQUAL "0")
      string(REPLACE "\n" ";" answer "${answer}")
      list(GET answer 0 executable)
      list(GET answer 1 cmake_dir)
      break()
    endif()
  endforeach()
  set(FX_TORCH_PYTHON "${executable}" PARENT_SCOPE)
  set(FX_TORCH_CMAKE_DIR "${cmake_dir}" PARENT_SCOPE)
endfunction()

# Finds libtorch: in Torch_DIR (variable or environment), or otherwise in the Python package.
# This is a function because Torch's package sets many variables.
function(fx_find_torch)
  set(CMAKE_MESSAGE_LOG_LEVEL ERROR)  # Torch warns about components that its wheel omits
  set(hints "$ENV{Torch_DIR}" "${FX_TORCH_CMAKE_DIR}")
  list(REMOVE_ITEM hints "")
  find_package(Torch QUIET HINTS ${hints})
  set(Torch_FOUND "${Torch_FOUND}" PARENT_SCOPE)
  set(Torch_VERSION "${Torch_VERSION}" PARENT_SCOPE)
  set(TORCH_LIBRARIES "${TORCH_LIBRARIES}" PARENT_SCOPE)
  set(TORCH_INCLUDE_DIRS "${TORCH_INCLUDE_DIRS}" PARENT_SCOPE)
endfunction()

fx_find_torch_python()
set(FX_TORCH OFF)
if(NOT FX_WITH_TORCH MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "FX_WITH_TORCH is '${FX_WITH_TORCH}'; it must be AUTO, ON or OFF")
endif()
if(NOT FX_WITH_TORCH STREQUAL "OFF")
  fx_find_torch()
  if(Torch_FOUND AND NOT Torch_VERSION VERSION_LESS 2.13)
    set(FX_TORCH ON)
  elseif(FX_WITH_TORCH STREQUAL "ON")
    message(FATAL_ERROR "FX_WITH_TORCH=ON, but libtorch 2.13 was not found. Set Torch_DIR to its "
                        "share/cmake/Torch folder, or run scripts/setup.")
  endif()
endif()
set(FX_TORCH_RELEASE 2.13)  # without libtorch: the release that a build needs
if(FX_TORCH)
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" FX_TORCH_RELEASE "${Torch_VERSION}")
  message(STATUS "libtorch: ${Torch_VERSION} in ${Torch_DIR}")
else()
  message(STATUS "libtorch: not used (FX_WITH_TORCH=${FX_WITH_TORCH}); the core builds without it")
endif()
