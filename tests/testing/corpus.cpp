// The corpus folder of the build, unless the environment overrides it.
#include "tests/testing/corpus.h"

#include <cstdlib>

namespace fx::testing {

std::filesystem::path corpus_dir() {
  const char* chosen = std::getenv("FXCPP_CORPUS");
  return chosen != nullptr && *chosen != '\0' ? chosen : FXCPP_CORPUS;
}

}  // namespace fx::testing
