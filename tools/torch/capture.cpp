// fxcpp capture: the options of fx::capture_main, with the models of the zoo.
#include "fx/tools/driver/torch/capture_main.h"
#include "fx/tools/torch/zoo/zoo.h"
#include "tools/torch/commands.h"

#include "CLI/CLI.hpp"

namespace fx::tools {

Run add_capture(CLI::App& app) { return add_capture_options(app, zoo_models()); }

}  // namespace fx::tools
