// tools/driver/command_line.h - what every command of this project says of a command line that
// CLI11 refuses.
#pragma once

#include <string_view>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
class ParseError;
}  // namespace CLI

namespace fx {

/// Prints what was wrong with the command line of `program`, and what a mistyped word may have
/// meant, on standard error; or the help or version that was asked for, on standard output. Gives
/// the exit status: 2, or 0.
int report_usage(const CLI::App& app, const CLI::ParseError& error, std::string_view program);

}  // namespace fx
