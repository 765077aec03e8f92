// The text that write_cpp_folder copies unchanged into every folder.
#pragma once

#include <string_view>

namespace fx::cpp {

extern const std::string_view kSafetensorsHeader;  ///< safetensors.h
extern const std::string_view kMainHead;           ///< main.cpp before the graph's code
extern const std::string_view kMainTail;  ///< main.cpp after the arguments of the call to forward

}  // namespace fx::cpp
