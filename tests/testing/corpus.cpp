// The corpus folder of the build, unless the environment overrides it.
#include "tests/testing/corpus.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fx::testing {

std::filesystem::path corpus_dir() {
  const char* chosen = std::getenv("FXCPP_CORPUS");
  return chosen != nullptr && *chosen != '\0' ? chosen : FXCPP_CORPUS;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace fx::testing
