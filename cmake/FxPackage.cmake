# The umbrella targets and the installed package.
#
# In the tree fxcpp::fxcpp stands for the folders' static libraries. What is installed is one shared
# library, libfxcpp.so, made of the same objects: it holds LLVM's Support and hides every llvm::
# symbol, so that a program that embeds fxcpp may link any other LLVM. fxcpp::torch is
# libfxcpp_torch.so, asked for by find_package(fxcpp COMPONENTS torch), and fxcpp::graphviz is
# libfxcpp_graphviz.so (COMPONENTS graphviz), the only one that loads Graphviz's library.
include_guard()

get_property(fx_core_libraries GLOBAL PROPERTY FX_CORE_LIBRARIES)
add_library(fxcpp_static INTERFACE)
target_link_libraries(fxcpp_static INTERFACE ${fx_core_libraries})
add_library(fxcpp::fxcpp ALIAS fxcpp_static)

option(FX_INSTALL "Make the shared library and the install rules" ${PROJECT_IS_TOP_LEVEL})
if(NOT FX_INSTALL OR FX_SANITIZE OR NOT fx_core_libraries)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# fx_add_shared_library(TARGET NAME EXPORT_SET STATIC_LIBRARIES... )
function(fx_add_shared_library target export_name export_set)
  set(objects)
  foreach(library ${ARGN})
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  add_library(${target} SHARED ${objects})
  set_target_properties(
    ${target} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${export_name} VERSION ${PROJECT_VERSION}
                         SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                         LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exported_symbols.map")
  target_compile_features(${target} INTERFACE cxx_std_20)
  target_link_options(${target} PRIVATE -Wl,--as-needed -Wl,--no-undefined
                      "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exported_symbols.map")
  target_include_directories(${target} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS ${target} EXPORT ${export_set} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()

fx_add_shared_library(fxcpp_shared fxcpp fxcppTargets ${fx_core_libraries})
set_target_properties(fxcpp_shared PROPERTIES OUTPUT_NAME fxcpp)
target_link_libraries(
  fxcpp_shared PUBLIC ${FX_ABSL} PRIVATE fmt::fmt $<BUILD_INTERFACE:fx_llvm>)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/fxcpp")
install(EXPORT fxcppTargets NAMESPACE fxcpp:: DESTINATION "${package_folder}")

if(TARGET fx_torch)
  fx_add_shared_library(fxcpp_torch_shared torch fxcppTorchTargets fx_torch)
  # Named, since CMake takes no path within the project along, and .venv/ is there.
  get_filename_component(fx_torch_libraries "${Torch_DIR}/../../../lib" ABSOLUTE)
  set_target_properties(fxcpp_torch_shared PROPERTIES OUTPUT_NAME fxcpp_torch
                                                      INSTALL_RPATH "$ORIGIN;${fx_torch_libraries}")
  target_link_libraries(fxcpp_torch_shared PUBLIC fxcpp_shared torch PRIVATE fmt::fmt)
  install(EXPORT fxcppTorchTargets NAMESPACE fxcpp:: DESTINATION "${package_folder}")
endif()

if(TARGET fx_graphviz)
  fx_add_shared_library(fxcpp_graphviz_shared graphviz fxcppGraphvizTargets fx_graphviz)
  set_target_properties(fxcpp_graphviz_shared PROPERTIES OUTPUT_NAME fxcpp_graphviz
                                                         INSTALL_RPATH "$ORIGIN")
  target_link_libraries(
    fxcpp_graphviz_shared PUBLIC fxcpp_shared
    PRIVATE fmt::fmt $<BUILD_INTERFACE:PkgConfig::FX_GRAPHVIZ>)
  install(EXPORT fxcppGraphvizTargets NAMESPACE fxcpp:: DESTINATION "${package_folder}")
endif()

# Headers, but those private to a folder.
foreach(folder ${FX_PUBLIC_FOLDERS})
  install(
    DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/"
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fx/${folder}"
    FILES_MATCHING PATTERN "*.h"
    PATTERN "*_internal.h" EXCLUDE
    PATTERN "internal" EXCLUDE
    PATTERN "torch" EXCLUDE)
  if(TARGET fx_torch AND EXISTS "${PROJECT_SOURCE_DIR}/${folder}/torch")
    install(
      DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}/torch/"
      DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/fx/${folder}/torch"
      FILES_MATCHING PATTERN "*.h"
      PATTERN "*_internal.h" EXCLUDE
      PATTERN "internal" EXCLUDE)
  endif()
endforeach()
if(TARGET fxcpp)
  set_target_properties(fxcpp PROPERTIES INSTALL_RPATH "${fx_torch_libraries}")
  install(TARGETS fxcpp RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/fxcppConfig.cmake.in" "${PROJECT_BINARY_DIR}/fxcppConfig.cmake"
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/fxcppConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/fxcppConfig.cmake"
              "${PROJECT_BINARY_DIR}/fxcppConfigVersion.cmake" DESTINATION "${package_folder}")
