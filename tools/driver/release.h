// The release of fxcpp. CMake reads it from this file.
#pragma once

#define FXCPP_RELEASE "0.1.0"
