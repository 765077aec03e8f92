// opt_main: `fxcpp opt` with passes of your own, in a program of a few lines.
//
//   #include "fx/tools/driver/opt_main.h"
//
//   absl::StatusOr<bool> multiply(fx::PassRun& run) { ... }
//
//   int main(int argc, char** argv) {
//     return fx::opt_main(argc, argv, {{"multiply", "multiplies instead of adding", multiply}});
//   }
//
// The program takes what `fxcpp opt` takes: `./my_opt model.fx --passes multiply`. fxcpp's own
// passes are there too; `--list` shows all.
#pragma once

#include "fx/passes/manager/pass.h"

#include "absl/status/statusor.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): as CLI11 calls it
class App;
}

namespace fx {

/// Parses the command line and runs the pipeline. The exit status: 0 done; 1 it failed, one message
/// on standard error (two passes of one name too); 2 wrong usage.
/// `evaluate`, when given, is for passes that compute constants.
int opt_main(int argc, char** argv, const std::vector<Pass>& passes,
             const ConstantEvaluator& evaluate = {});

/// Declares the options on `app` (CLI11) and gives what runs the pipeline once they are parsed: its
/// exit status, or an error to print. `passes` must outlive it.
std::function<absl::StatusOr<int>()> add_opt_options(CLI::App& app, const PassTable& passes,
                                                     const ConstantEvaluator& evaluate = {});

/// The passes with their options, as text: those called `name`, or all.
std::string describe_passes(const PassTable& passes, std::string_view name = {});

}  // namespace fx
