// The functions of the part `torch` of the command; tools/parts.h describes them.
#pragma once

#include "tools/command.h"
#include "tools/parts.h"

namespace fx::tools {

Run add_capture(CLI::App& app);
Run add_import(CLI::App& app);
Run add_run(CLI::App& app);
Run add_minimize(CLI::App& app);
absl::Status type_by_running(Graph& graph, const ConcreteRun& run);
absl::StatusOr<bool> compare_by_running(const Graph& left, const Graph& right,
                                        const ComparedRun& run);

}  // namespace fx::tools
