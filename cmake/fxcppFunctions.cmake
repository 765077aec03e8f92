# Functions for projects that use fxcpp: from the package (find_package) or the tree (add_subdirectory).
include_guard()

# fxcpp_add_plugin(TARGET SOURCE...): adds the plugin libTARGET.so, which `fxcpp --load-plugin` and
# fx::load_plugin load. One source must contain FXCPP_PLUGIN (fx/tools/driver/plugin.h). Other symbols of the
# plugin are hidden, so that plugins do not affect each other.
function(fxcpp_add_plugin target)
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE fxcpp::fxcpp)
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden
                                             VISIBILITY_INLINES_HIDDEN ON)
  # Since version 18, clang mangles some templates differently from gcc 12, which compiled fxcpp.
  target_compile_options(
    ${target} PRIVATE $<$<AND:$<CXX_COMPILER_ID:Clang>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,18>>:-fclang-abi-compat=17>)
endfunction()

# fxcpp_add_capture(TARGET SOURCE...): adds a program that accepts the command line of `fxcpp capture` for custom
# models. Its main calls fx::capture_main (fx/tools/driver/torch/capture_main.h).
function(fxcpp_add_capture target)
  if(NOT TARGET fxcpp::torch)
    message(FATAL_ERROR "fxcpp_add_capture requires find_package(fxcpp COMPONENTS torch)")
  endif()
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE fxcpp::torch)
endfunction()
