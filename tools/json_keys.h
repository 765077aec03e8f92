// Creates parts of the JSON that multiple subcommands print with `--json`. docs/command.md lists
// the keys.
#pragma once

#include "fx/passes/shape/shape_prop.h"

#include "nlohmann/json_fwd.hpp"

namespace fx::tools {

/// Returns the text of a type, or null if it is unknown.
nlohmann::ordered_json type_json(Type type);

/// Returns a list of {"op", "calls", "node", "message"}.
nlohmann::ordered_json findings_json(const ShapeReport& report);

}  // namespace fx::tools
