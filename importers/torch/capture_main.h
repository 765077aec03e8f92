// importers/torch/capture_main.h - the `capture` subcommand for models of your own:
//
//   int main(int argc, char** argv) {
//     return fx::capture_main(argc, argv, {{"net", "my network", {}, [](const auto&) {
//       return fx::make_model(std::make_shared<Net>(), {torch::randn({8, 16})},
//                             {torch::randint(4, {8})}, loss);
//     }}});
//   }
//
// The program then takes what `fxcpp capture` takes: `./net_capture net --joint -o net.fx`.
#pragma once

#include "fx/importers/torch/model.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <functional>
#include <vector>

namespace CLI {
class App;
}

namespace fx {

/// Parses the command line and captures one of `models`. The exit status: 0 done; 1 the capture
/// failed, one message on standard error; 2 wrong usage.
int capture_main(int argc, char** argv, const std::vector<ModelEntry>& models);

/// Declares the options of the subcommand on `app` (CLI11) and gives what runs it once they are
/// parsed: its exit status, or an error to print. `models` must outlive it.
std::function<absl::StatusOr<int>()> add_capture_options(CLI::App& app,
                                                         absl::Span<const ModelEntry> models);

}  // namespace fx
