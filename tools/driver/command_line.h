// The messages of all commands of this project for command lines that CLI11 rejects.
#pragma once

#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
class ParseError;
}  // namespace CLI

namespace fx {

/// Prints the error of the command line of `program`, with a suggestion for a mistyped word, on
/// standard error; or the requested help or version on standard output. Returns the exit status: 2,
/// or 0.
int report_usage(const CLI::App& app, const CLI::ParseError& error, std::string_view program);

}  // namespace fx
