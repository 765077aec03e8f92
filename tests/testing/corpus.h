// Where the public model corpus lies. Tests that read it stand in tests/<folder>/*_corpus_test.cpp:
// those files make a test binary of their own (test_<folder>_corpus), which ctest reports as
// skipped where there is no corpus, so that such a test need not ask.
#pragma once

#include <filesystem>

namespace fx::testing {

/// The corpus folder: $FXCPP_CORPUS, else what the build was configured with. It may not exist.
std::filesystem::path corpus_dir();

}  // namespace fx::testing
