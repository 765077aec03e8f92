// `fxcpp capture` for the models of the zoo, with libtorch's layers as module scopes. Used by
// test_module_paths.py.
#include "fx/importers/torch/layer_scopes/layer_scopes.h"
#include "fx/tools/driver/torch/capture_main.h"
#include "fx/tools/torch/zoo/zoo.h"

#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char** argv) {
  if (const absl::Status status = fx::check_layer_scopes(); !status.ok()) {
    std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
    return 1;
  }
  const absl::Span<const fx::ModelEntry> models = fx::zoo_models();
  return fx::capture_main(argc, argv, std::vector<fx::ModelEntry>(models.begin(), models.end()));
}
