// fxcpp completion: prints a script that completes command lines in bash and zsh. The script is
// created from the declared options of the subcommands.
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"
#include "fx/passes/manager/pipeline.h"
#include "tools/command.h"

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "fmt/format.h"

#include "CLI/CLI.hpp"

namespace fx::tools {
namespace {

/// Returns the spellings of an option, such as "--to" and "-o", or an empty vector for a positional
/// argument.
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

/// Returns the values that an option accepts, such as the words in "TEXT:{dot,svg}", or an empty
/// vector if it accepts any value.
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.find('}', std::min(open, type.size()));
  if (close == std::string::npos) return {};
  return absl::StrSplit(type.substr(open + 1, close - open - 1), ',');
}

bool is_number(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.starts_with("INT") || type.starts_with("UINT") || type.starts_with("FLOAT");
}

/// Returns the names of passes for options whose values are passes (`opt --passes`, `opt
/// --disable`, `passes NAME`), or an empty vector for other options.
std::vector<std::string> pass_names(const CLI::App& sub, const CLI::Option& option) {
  const std::string name = sub.get_name() + " " + option.get_name();
  if (name != "opt --passes" && name != "opt --disable" && name != "passes NAME") return {};
  std::vector<std::string> names;
  for (const Pass& pass : standard_passes().passes()) names.push_back(pass.name);
  return names;
}

/// Returns the cases of the script that complete the word after an option: the option's choices,
/// nothing for a number, and file names otherwise.
std::string value_cases(const CLI::App& sub) {
  std::string cases;
  for (const CLI::Option* option : sub.get_options()) {
    if (option->get_positional() || option->get_expected_max() == 0) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : spellings(*option))
      patterns.push_back(fmt::format("'{} {}'", sub.get_name(), name));
    if (patterns.empty()) continue;
    const std::vector<std::string> words = choices(*option), passes = pass_names(sub, *option);
    std::string reply = "_fxcpp_files";
    if (!words.empty())
      reply = fmt::format("_fxcpp_words '{}'", absl::StrJoin(words, " "));
    else if (!passes.empty())
      reply = fmt::format("_fxcpp_list '{}'", absl::StrJoin(passes, " "));
    else if (is_number(*option))
      reply = ":";
    cases += fmt::format("    {}) {}; return ;;\n", absl::StrJoin(patterns, " | "), reply);
  }
  return cases;
}

std::vector<std::string> option_words(const CLI::App& app) {
  std::vector<std::string> words;
  for (const CLI::Option* option : app.get_options())
    for (std::string& name : spellings(*option)) words.push_back(std::move(name));
  return words;
}

std::string script(const CLI::App& app, std::string_view shell) {
  std::string values, options;
  std::vector<std::string> commands;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    commands.push_back(sub->get_name());
    values += value_cases(*sub);
    std::vector<std::string> positionals;
    for (const CLI::Option* option : sub->get_options()) {
      if (!option->get_positional()) continue;
      for (std::string& word : choices(*option)) positionals.push_back(std::move(word));
      for (std::string& word : pass_names(*sub, *option)) positionals.push_back(std::move(word));
    }
    options += fmt::format("    {}) options='{}' words='{}' ;;\n", sub->get_name(),
                           absl::StrJoin(option_words(*sub), " "), absl::StrJoin(positionals, " "));
  }
  std::string text =
      fmt::format("# {0} completion of fxcpp: source <(fxcpp completion {0})\n", shell);
  if (shell == "zsh") {
    text +=
        "(( $+functions[compdef] )) || { autoload -U compinit && compinit; }\n"
        "autoload -U +X bashcompinit && bashcompinit\n";
  }
  text += R"(_fxcpp_words() { COMPREPLY=($(compgen -W "$1" -- "$cur")); }
_fxcpp_list() {  # of words with commas between them the last one
  local head=''
  [[ "$cur" == *,* ]] && head="${cur%,*},"
  COMPREPLY=($(compgen -P "$head" -W "$1" -- "${cur##*,}"))
}
_fxcpp_files() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -f -- "$cur"))
}
_fxcpp() {
  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" command='' i
  local options words
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "${COMP_WORDS[i]}" in
      -*) ;;
      *) command="${COMP_WORDS[i]}"; break ;;
    esac
  done
  case "$command $prev" in
)";
  text += values;
  text += "  esac\n  case \"$command\" in\n";
  text += fmt::format("    '') options='{}' words='{}' ;;\n", absl::StrJoin(option_words(app), " "),
                      absl::StrJoin(commands, " "));
  text += options;
  text += R"(    *) options='' words='' ;;
  esac
  if [[ "$cur" == -* ]]; then
    _fxcpp_words "$options"
  elif [[ -n "$words" ]]; then
    _fxcpp_words "$words"
  elif [[ -n "$command" ]]; then
    _fxcpp_files
  fi
}
complete -o filenames -F _fxcpp fxcpp
)";
  return text;
}

}  // namespace

Run add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
  return [shell, &app]() -> absl::StatusOr<int> {
    FX_RETURN_IF_ERROR(write_file("-", script(*app.get_parent(), *shell)));
    return kDone;
  };
}

}  // namespace fx::tools
