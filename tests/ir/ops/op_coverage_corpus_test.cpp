// Every function that a corpus graph calls has a row in the operator table.
#include "fx/ir/ops/registry.h"
#include "tests/testing/corpus.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace fx::ops {
namespace {

TEST(OpRegistryCorpus, HasEveryTarget) {
  std::ifstream table(testing::corpus_dir() / "op-coverage.md");
  ASSERT_TRUE(table) << "op-coverage.md";
  const OpRegistry registry;
  size_t targets = 0;
  for (std::string line; std::getline(table, line);) {
    // | aten.add.Tensor | 55 | 67 | 489 |
    const size_t end = line.find(" |", 1);
    if (!line.starts_with("| ") || end == std::string::npos) continue;
    const std::string name = line.substr(2, end - 2);
    if (name.find('.') == std::string::npos) continue;
    EXPECT_NE(registry.find(name), nullptr) << name;
    ++targets;
  }
  EXPECT_GT(targets, 250U);
}

}  // namespace
}  // namespace fx::ops
