// The option --module of the subcommands that process nodes.
#pragma once

#include "fmt/format.h"

#include <string>
#include <string_view>
#include <vector>

#include "CLI/CLI.hpp"

namespace fx::tools {

/// Declares the option, which adds a pattern to `modules`. `action` is what the subcommand does
/// with the nodes, such as "print only".
inline CLI::Option* add_module_option(CLI::App& app, std::vector<std::string>& modules,
                                      std::string_view action) {
  return app
      .add_option("--module", modules,
                  fmt::format("{} the nodes of these modules and of the modules inside them, "
                              "forward and backward; in a path, `*` matches any characters and "
                              "`?` one; may be repeated",
                              action))
      ->allow_extra_args(false);
}

}  // namespace fx::tools
