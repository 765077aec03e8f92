// The corpus folder of the build, which the environment may override.
#include "tests/testing/corpus.h"

#include <cstdlib>

namespace fx::testing {

std::filesystem::path corpus_dir() {
  const char* chosen = std::getenv("FXCPP_CORPUS");
  return chosen != nullptr && *chosen != '\0' ? chosen : FXCPP_CORPUS;
}

}  // namespace fx::testing
