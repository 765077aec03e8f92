// Prints the messages of fxcpp's commands for command lines that CLI11 rejects.
#pragma once

#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
class ParseError;
}  // namespace CLI

namespace fx {

/// Prints the error in the command line of `program` on standard error, with a suggestion for a
/// mistyped word, and returns the exit status 2. If the command line requests help or the
/// version, prints it on standard output and returns 0.
int report_usage(const CLI::App& app, const CLI::ParseError& error, std::string_view program);

}  // namespace fx
