// Prints errors in command lines: see command_line.h.
#include "fx/tools/driver/command_line.h"

#include "fx/ir/support/cli/usage.h"
#include "fx/ir/support/nearest.h"

#include "absl/strings/str_join.h"
#include "fmt/format.h"

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx {
namespace {

/// Returns the message, with a suggestion, for a word on the command line that is not an option or
/// a subcommand, or an empty string if there is no such word.
std::string unknown_word(const CLI::App& app) {
  std::vector<std::string> names;  // the names of subcommands and options
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->parsed()) return unknown_word(*sub);
    names.push_back(sub->get_name());
  }
  const std::vector<std::string> words = app.remaining();
  if (words.empty()) return {};
  for (const CLI::Option* option : app.get_options())
    if (option->nonpositional()) names.push_back(option->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const bool is_option = words[0].starts_with('-');
  if (!is_option && app.get_subcommands({}).empty()) {
    return fmt::format("unexpected argument {}{}", words[0],
                       app.get_option_no_throw("--passes") != nullptr
                           ? fmt::format("; to run passes, use --passes {}", words[0])
                           : "");
  }
  return fmt::format("unknown {} {}{}", is_option ? "option" : "subcommand", words[0],
                     did_you_mean(words[0], views));
}

/// Returns the message for a value that is not a number. It contains the kind of number that the
/// option expects, which CLI11's message does not.
std::string not_a_number(const CLI::App& app, std::string_view message) {
  for (const CLI::App* sub : app.get_subcommands()) {
    for (const CLI::Option* option : sub->get_options()) {
      if (option->results().empty() ||
          message.find(" " + option->get_name() + " =") == std::string_view::npos)
        continue;
      const std::string type = option->get_type_name();
      return fmt::format("{}: {} is {}", option->get_name(), option->results().back(),
                         type.starts_with("FLOAT")  ? "not a number"
                         : type.starts_with("UINT") ? "not a non-negative integer"
                                                    : "not a 64-bit integer");
    }
  }
  return std::string(message);
}

/// Adds a suggestion to CLI11's message `--to: svgg not in {dot,svg}`. Returns other messages
/// unchanged.
std::string not_a_choice(std::string_view message) {
  constexpr std::string_view kNotIn = " not in {";
  const size_t colon = message.find(": "), list = message.rfind(kNotIn);
  if (colon == std::string_view::npos || list == std::string_view::npos || list < colon ||
      !message.ends_with('}'))
    return std::string(message);
  const std::string_view value = message.substr(colon + 2, list - colon - 2);
  std::string_view names = message.substr(list + kNotIn.size());
  names.remove_suffix(1);
  std::vector<std::string_view> choices;
  while (true) {
    const size_t comma = names.find(',');
    choices.push_back(names.substr(0, comma));
    if (comma == std::string_view::npos) break;
    names.remove_prefix(comma + 1);
  }
  return fmt::format("{}: unknown value {}{}; the choices are {}", message.substr(0, colon),
                     value.empty() ? "\"\"" : value, did_you_mean(value, choices),
                     fmt::join(choices, ", "));
}

}  // namespace

int report_usage(const CLI::App& app, const CLI::ParseError& error, std::string_view program) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  std::string message = unknown_word(app);
  // Let CLI11 handle --help and --version, but not an unknown subcommand, for which it would print
  // a different help text.
  if (error.get_exit_code() == 0 && (!parsed.empty() || message.empty())) return app.exit(error);
  std::string path(program);
  if (!parsed.empty()) path += " " + parsed.front()->get_name();
  if (message.empty() && parsed.empty() && app.get_require_subcommand_min() > 0) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
    message = "a subcommand is missing; the subcommands are " + absl::StrJoin(names, ", ");
  } else if (message.empty()) {
    message = error.what();
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ConversionError))
      message = not_a_number(app, message);
    message = not_a_choice(message);
  }
  fmt::print(stderr, "{}: {}\nRun {} --help for more information.\n", path, message, path);
  return exit_status(usage_error(message));
}

}  // namespace fx
