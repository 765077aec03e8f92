# The shared libraries, and the installed package.
#
# fxcpp::fxcpp is libfxcpp.so, built from the folders' static libraries: it contains LLVM's Support and
# hides every llvm:: symbol, so that a program that embeds fxcpp may link a different LLVM. The command,
# the tests, libfxcpp_torch.so and a user's program link this one library, so that a process has one
# registry of operators. fxcpp::torch is libfxcpp_torch.so (find_package(fxcpp COMPONENTS torch)), and
# fxcpp::graphviz is libfxcpp_graphviz.so (COMPONENTS graphviz). fxcpp::torch_layer_scopes is an object
# file, since the executable must contain its functions (importers/torch/layer_scopes/layer_scopes.h).
#
# fxcpp_static is the same code as static libraries, for benchmarks and fuzzers.
include_guard()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
option(FX_INSTALL "Create the install rules" ${PROJECT_IS_TOP_LEVEL})

get_property(fx_core_libraries GLOBAL PROPERTY FX_CORE_LIBRARIES)
add_library(fxcpp_static INTERFACE)
target_link_libraries(fxcpp_static INTERFACE ${fx_core_libraries})

# fx_add_shared_library(TARGET NAME EXPORT_SET STATIC_LIBRARY...): adds a shared library built from the
# objects of static libraries, and named fxcpp::NAME in the tree and in the package.
function(fx_add_shared_library target export_name export_set)
  set(objects)
  foreach(library ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  add_library(${target} SHARED ${objects})
  add_library(fxcpp::${export_name} ALIAS ${target})
  set_target_properties(
    ${target} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${export_name} VERSION ${PROJECT_VERSION}
                         SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                         LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exported_symbols.map")
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,-Bsymbolic-functions
                      "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exported_symbols.map")
  if(NOT FX_SANITIZE)  # the program defines the sanitizer's symbols
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
  target_include_directories(
    ${target} INTERFACE $<BUILD_INTERFACE:${FX_INCLUDE_DIR}>
                        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  if(FX_INSTALL)
    set(component fxcpp)
    if(export_name STREQUAL "torch")
      set(component torch)
    endif()
    install(TARGETS ${target} EXPORT ${export_set}
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component} NAMELINK_COMPONENT dev)
  endif()
endfunction()

fx_add_shared_library(fxcpp_shared fxcpp fxcppTargets ${fx_core_libraries})
set_target_properties(fxcpp_shared PROPERTIES OUTPUT_NAME fxcpp)
target_link_libraries(
  fxcpp_shared PUBLIC ${FX_ABSL} PRIVATE fmt::fmt $<BUILD_INTERFACE:fx_llvm>
                                         $<BUILD_INTERFACE:simdjson::simdjson>
                                         $<BUILD_INTERFACE:ZLIB::ZLIB>)

if(TARGET fx_torch)
  fx_add_shared_library(fxcpp_torch_shared torch fxcppTorchTargets fx_torch)
  # Named explicitly, since CMake omits paths within the project, such as .venv/.
  get_filename_component(FX_TORCH_LIBRARY_DIR "${Torch_DIR}/../../../lib" ABSOLUTE)
  set_target_properties(
    fxcpp_torch_shared PROPERTIES OUTPUT_NAME fxcpp_torch
                                  INSTALL_RPATH "$ORIGIN;${FX_TORCH_LIBRARY_DIR}")
  target_link_libraries(
    fxcpp_torch_shared PUBLIC fxcpp_shared torch $<BUILD_INTERFACE:fx_torch_fmt> PRIVATE fmt::fmt)
  target_include_directories(fxcpp_torch_shared SYSTEM
                             INTERFACE "$<BUILD_INTERFACE:${TORCH_INCLUDE_DIRS}>")

  add_library(fxcpp_torch_layer_scopes OBJECT
              "${PROJECT_SOURCE_DIR}/importers/torch/layer_scopes/layer_scopes.cpp")
  add_library(fxcpp::torch_layer_scopes ALIAS fxcpp_torch_layer_scopes)
  set_target_properties(fxcpp_torch_layer_scopes PROPERTIES EXPORT_NAME torch_layer_scopes
                                                            POSITION_INDEPENDENT_CODE ON)
  target_compile_features(fxcpp_torch_layer_scopes PUBLIC cxx_std_20)
  target_link_libraries(fxcpp_torch_layer_scopes PUBLIC fxcpp_torch_shared ${CMAKE_DL_LIBS}
                                                 PRIVATE $<BUILD_INTERFACE:fx_build_flags>)
  fx_precompile_torch(fxcpp_torch_layer_scopes)
endif()

if(TARGET fx_graphviz)
  fx_add_shared_library(fxcpp_graphviz_shared graphviz fxcppGraphvizTargets fx_graphviz)
  set_target_properties(fxcpp_graphviz_shared PROPERTIES OUTPUT_NAME fxcpp_graphviz
                                                         INSTALL_RPATH "$ORIGIN")
  target_link_libraries(
    fxcpp_graphviz_shared PUBLIC fxcpp_shared
    PRIVATE fmt::fmt $<BUILD_INTERFACE:PkgConfig::FX_GRAPHVIZ>)
endif()

include("${CMAKE_CURRENT_LIST_DIR}/fxcppFunctions.cmake")
if(NOT FX_INSTALL)
  return()
endif()
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/fxcpp")
install(EXPORT fxcppTargets NAMESPACE fxcpp:: DESTINATION "${package_folder}" COMPONENT dev)
if(TARGET fxcpp_torch_shared)
  install(TARGETS fxcpp_torch_layer_scopes EXPORT fxcppTorchTargets
          OBJECTS DESTINATION "${CMAKE_INSTALL_LIBDIR}/fxcpp" COMPONENT torch)
  install(EXPORT fxcppTorchTargets NAMESPACE fxcpp:: DESTINATION "${package_folder}" COMPONENT torch)
endif()
if(TARGET fxcpp_graphviz_shared)
  install(EXPORT fxcppGraphvizTargets NAMESPACE fxcpp:: DESTINATION "${package_folder}" COMPONENT dev)
endif()

# Headers, except headers that are private to a folder. Headers in folders named torch need libtorch.
set(patterns ir tracer interp passes codegen importers tools/driver)
list(TRANSFORM patterns REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/\\1/*.h")
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" ${patterns})
list(FILTER headers EXCLUDE REGEX "_internal\\.h$")
if(NOT TARGET fxcpp_torch_shared)
  list(FILTER headers EXCLUDE REGEX "/torch/")
endif()
foreach(header ${headers})
  get_filename_component(folder "${header}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/${header}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fx/${folder}" COMPONENT dev)
endforeach()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/fxcppConfig.cmake.in" "${PROJECT_BINARY_DIR}/fxcppConfig.cmake"
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/fxcppConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_SOURCE_DIR}/cmake/fxcppFunctions.cmake"
              "${PROJECT_BINARY_DIR}/fxcppConfig.cmake"
              "${PROJECT_BINARY_DIR}/fxcppConfigVersion.cmake" DESTINATION "${package_folder}"
        COMPONENT dev)

# pkg-config files for fxcpp and fxcpp_c, which remain valid if the package is moved.
file(RELATIVE_PATH FX_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY "\${prefix}"
           OUTPUT_VARIABLE FX_PC_INCLUDE_DIR)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY "\${prefix}"
           OUTPUT_VARIABLE FX_PC_LIBRARY_DIR)
list(JOIN FX_ABSL ", " FX_PC_REQUIRES)
string(REPLACE "absl::" "absl_" FX_PC_REQUIRES "${FX_PC_REQUIRES}")
foreach(name fxcpp fxcpp_c)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc"
          DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT dev)
endforeach()
