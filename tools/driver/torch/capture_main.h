// capture_main: the `capture` subcommand for custom models. It requires four lines in addition to
// an unmodified torch::nn::Module.
//
//   int main(int argc, char** argv) {
//     return fx::capture_main<Net>(argc, argv, [] { return torch::randn({8, 16}); },
//                                  [] { return torch::randint(4, {8}); }, cross_entropy);
//   }
//
// The program accepts the command line of `fxcpp capture`: `./net_capture --joint -o net.fx`. For
// multiple models, or models with settings, pass a list of entries: `./nets_capture net --set
// batch=4`.
#pragma once

#include "fx/importers/torch/modules/model.h"

#include "absl/status/statusor.h"
#include "absl/types/span.h"

#include <concepts>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace fx {

/// Parses the command line and captures one of `models`. Returns the exit status: 0 for success; 1
/// for a failure, with one message on standard error; 2 for a usage error.
int capture_main(int argc, char** argv, const std::vector<ModelEntry>& models);

/// Captures one model, whose name is not required on the command line. `Module` must be
/// constructible without arguments. `inputs` and `targets` must return a tensor or a vector of
/// tensors, and loss(result, targets) the loss.
template <class Module, class Inputs, class Targets, class Loss>
int capture_main(int argc, char** argv, Inputs inputs, Targets targets, Loss loss) {
  const auto build = [=](const ModelSettings&) {
    const auto tensors = [](auto value) -> std::vector<at::Tensor> {
      if constexpr (std::convertible_to<decltype(value), at::Tensor>) {
        return {std::move(value)};
      } else {
        return value;
      }
    };
    return make_model(std::make_shared<Module>(), tensors(inputs()), tensors(targets()), loss);
  };
  return capture_main(argc, argv, {ModelEntry{"model", "the model of this program", {}, build}});
}

/// Declares the options of the subcommand on `app` (CLI11) and returns a function that runs it
/// after they are parsed. The function returns the exit status, or an error to print. `models` must
/// outlive the function.
std::function<absl::StatusOr<int>()> add_capture_options(CLI::App& app,
                                                         absl::Span<const ModelEntry> models);

}  // namespace fx
