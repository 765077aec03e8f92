# Installs the build to a fresh prefix, builds the consumer in this folder against it and runs it.
# Wants: BUILD (build folder), CONSUMER (this folder), WORK (scratch), COMPILER,
# TORCH_DIR (of the libtorch that the build used, if any).
file(REMOVE_RECURSE "${WORK}")
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code STREQUAL "0")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nexit status ${code}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
run("${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/build" -G Ninja
    "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCMAKE_CXX_COMPILER=${COMPILER}"
    "-DFXCPP_PREFIX=${WORK}/prefix" "-DTorch_DIR=${TORCH_DIR}")
run("${CMAKE_COMMAND}" --build "${WORK}/build")
run("${WORK}/build/consumer")
if(TORCH_DIR)
  run("${WORK}/build/consumer_torch")
  run("${WORK}/build/models")
endif()

# A program that embeds fxcpp may link another LLVM: no symbol of ours may meet it.
find_program(nm NAMES nm llvm-nm-19 REQUIRED)
file(GLOB_RECURSE libraries "${WORK}/prefix/libfxcpp*.so" "${WORK}/prefix/*/libfxcpp*.so")
if(NOT libraries)
  message(FATAL_ERROR "no libfxcpp.so under ${WORK}/prefix")
endif()
foreach(library ${libraries})
  run("${nm}" -D --defined-only "${library}")
  if(NOT out MATCHES "_ZN2fx")
    message(FATAL_ERROR "${library} shows no symbol of namespace fx")
  endif()
  if(out MATCHES "[^\n]*_Z[A-Z]*N?K?4llvm[^\n]*")
    message(FATAL_ERROR "${library} shows a symbol of LLVM: ${CMAKE_MATCH_0}")
  endif()
endforeach()
