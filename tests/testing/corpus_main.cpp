// main() of the test binaries that read the corpus. Without a corpus, they exit with 77, which
// ctest reports as skipped.
#include "tests/testing/corpus.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const std::filesystem::path corpus = fx::testing::corpus_dir();
  if (!std::filesystem::is_directory(corpus)) {
    std::cout << "not run: no corpus at " << corpus << " (set FXCPP_CORPUS)\n";
    return 77;
  }
  return RUN_ALL_TESTS();
}
