// The files of write_cpp_folder that are the same for every graph.
#pragma once

#include <string_view>

namespace fx::cpp {

extern const std::string_view kSafetensorsHeader;  ///< safetensors.h
extern const std::string_view kMainHead;           ///< main.cpp, up to what depends on the graph
extern const std::string_view kMainTail;           ///< from the call's closing parenthesis on

}  // namespace fx::cpp
