// Writes checks of inputs into the Python file of a graph.
#pragma once

#include "fx/interp/input_constants.h"
#include "fx/interp/shared_inputs.h"
#include "fx/interp/size_checks.h"

#include "absl/types/span.h"

#include <string>
#include <string_view>

namespace fx::python {

/// Appends the tables SIZES, GUARDS, CONSTANTS and MEMORY, which checked_load() uses.
void append_input_checks(std::string& out, const SizeChecks& checks,
                         absl::Span<const InputConstant> constants,
                         absl::Span<const SharedPair> sharing);
/// Returns the text of the function load() for a file with these tables. The module that load()
/// returns checks its inputs.
std::string_view checked_load();

}  // namespace fx::python
