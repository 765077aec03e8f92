// Checks of numbers in command-line options, for CLI11: `->check(fx::check_seed)`. They return a
// message for the user, or an empty string.
#pragma once

#include <string>

namespace fx {

/// A seed: an unsigned 64-bit integer.
std::string check_seed(const std::string& text);
/// A number of threads, from 1 to 1024.
std::string check_threads(const std::string& text);
/// A signed 64-bit integer.
std::string check_integer(const std::string& text);
/// A depth or a count: an integer from 0 to 2^31 - 1.
std::string check_count(const std::string& text);
/// A tolerance: a finite non-negative number.
std::string check_tolerance(const std::string& text);

}  // namespace fx
