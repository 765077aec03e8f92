// opt_main: runs `fxcpp opt` with custom passes in a short program.
//
//   #include "fx/tools/driver/opt_main.h"
//
//   absl::StatusOr<bool> multiply(fx::PassRun& run) { ... }
//
//   int main(int argc, char** argv) {
//     return fx::opt_main(argc, argv, {{"multiply", "multiplies instead of adding", multiply}});
//   }
//
// Pass Extensions (extensions.h) instead of passes to also add operators and file formats.
// `--load-plugin FILE` adds the extensions of a plugin.
//
// The program accepts the command line of `fxcpp opt`: `./my_opt model.fx --passes multiply`.
// fxcpp's passes are included; `--list` lists all passes.
#pragma once

#include "fx/passes/manager/pass.h"
#include "fx/tools/driver/extensions.h"

#include "absl/status/statusor.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11's name
class App;
}

namespace fx {

/// Parses the command line and runs the pipeline. Returns the exit status: 0 for success; 1 for a
/// failure, with one message on standard error, including for two passes with the same name; 2 for
/// a usage error. `evaluate` is optional and is used by passes that compute constants.
int opt_main(int argc, char** argv, const std::vector<Pass>& passes,
             const ConstantEvaluator& evaluate = {});
int opt_main(int argc, char** argv, Extensions extensions, const ConstantEvaluator& evaluate = {});

/// Declares the options on `app` (CLI11) and returns a function that runs the pipeline after they
/// are parsed. The function returns the exit status, or an error to print. `extensions` must
/// outlive the function.
std::function<absl::StatusOr<int>()> add_opt_options(CLI::App& app, const Extensions& extensions,
                                                     const ConstantEvaluator& evaluate = {});

/// Returns a description of the pass `name`, or of all passes, with their options.
std::string describe_passes(const PassTable& passes, std::string_view name = {});

}  // namespace fx
