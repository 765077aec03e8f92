// The files of write_cpp_folder that are the same for every graph.
#pragma once

#include <string_view>

namespace fx::cpp {

extern const std::string_view kSafetensorsHeader;  ///< safetensors.h
extern const std::string_view kMainHead;           ///< main.cpp before the graph's code
extern const std::string_view kMainTail;           ///< main.cpp from the call's `)`

}  // namespace fx::cpp
