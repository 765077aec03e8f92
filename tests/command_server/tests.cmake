# The server in which scripts run the command (server.cpp): loading the command's part `torch` takes
# 0.4 s.
if(TARGET fxcpp_part_torch AND NOT FX_SANITIZE)
  add_library(command_server MODULE command_server/server.cpp)
  add_executable(command_client command_server/client.cpp)
  foreach(target command_server command_client)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${target} PRIVATE fx_build_flags ${CMAKE_DL_LIBS})
    set_target_properties(
      ${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
                           LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" PREFIX "")
  endforeach()
  foreach(folder ${grouped})
    if(TEST ${folder}_scripts)
      set_property(
        TEST ${folder}_scripts APPEND
        PROPERTY ENVIRONMENT "FX_COMMAND_SERVER=$<TARGET_FILE:command_server>"
                 "FX_COMMAND_CLIENT=$<TARGET_FILE:command_client>"
                 "FXCPP_SERVER_LOADS=$<TARGET_FILE:fxcpp_part_torch>")
    endif()
  endforeach()
endif()
