// The folder of the model corpus (scripts/corpus). Tests that read it are in
// tests/<folder>/**/*_corpus_test.cpp. They form a separate test binary (test_<folder>_corpus),
// which ctest reports as skipped if there is no corpus, so the tests do not have to check.
#pragma once

#include <filesystem>
#include <string>

namespace fx::testing {

/// Returns the corpus folder: $FXCPP_CORPUS if it is set, otherwise the folder configured in the
/// build. The folder might not exist.
std::filesystem::path corpus_dir();

/// Returns the bytes of a file; empty if it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace fx::testing
