// The lists at the end of docs/ops.md match the table. FX_UPDATE_GOLDEN=1 writes them.
#include "fx/ir/ops/op_corrections_internal.h"
#include "fx/ir/ops/op_info.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace fx::ops {
namespace {

constexpr std::string_view kPage = "docs/ops.md";
constexpr std::string_view kMark = "<!-- made by tests/ir/ops/op_docs_test.cpp from here on -->\n";

std::string families() {
  std::string text =
      "\n## Families\n\n| family | rows | pure | views | random |\n|---|--:|--:|--:|--:|\n";
  size_t total = 0;
  for (const OpFamily& family : op_families()) {
    size_t pure = 0;
    size_t views = 0;
    size_t random = 0;
    for (const OpInfo& op : family.ops) {
      pure += op.effects().is_pure() ? 1 : 0;
      views += op.is_view() ? 1 : 0;
      random += op.effects().has(Effect::kRandom) ? 1 : 0;
    }
    total += family.ops.size();
    text += fmt::format("| {} | {} | {} | {} | {} |\n", family.name, family.ops.size(), pure, views,
                        random);
  }
  return text + fmt::format("| all | {} | | | |\n", total);
}

std::string what_changes(const OpCorrection& correction) {
  std::vector<std::string> parts;
  if (!correction.writes.empty()) parts.push_back(fmt::format("writes {}", correction.writes));
  if (!correction.add.is_pure()) parts.push_back(to_string(correction.add));
  if (!correction.remove.is_pure()) parts.push_back("not " + to_string(correction.remove));
  if (!correction.aliases.empty()) {
    constexpr std::string_view kHow[] = {"is", "is a view of", "may share memory with"};
    parts.push_back(fmt::format("result {} {}", kHow[static_cast<size_t>(correction.alias)],
                                correction.aliases));
  }
  if (!correction.unless_false.empty()) {
    parts.push_back(fmt::format("nothing if {}=False", correction.unless_false));
  }
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

/// Corrections with the same reason and change share a line.
std::string corrections() {
  std::vector<std::pair<std::string, std::string>> lines;  // change and reason, the operators
  std::map<std::string, size_t> places;
  const auto add = [&](const std::string& key, std::string_view op) {
    const auto [place, is_new] = places.emplace(key, lines.size());
    if (is_new) lines.emplace_back(key, "");
    std::string& ops = lines[place->second].second;
    ops += fmt::format("{}`{}`", ops.empty() ? "" : " ", op);
  };
  for (const OpCorrection& row : op_corrections()) {
    add(fmt::format("{} | {}", what_changes(row), row.reason), row.op);
  }
  for (const NamespaceEffects& row : namespace_effects()) {
    add(fmt::format("{} | {}", to_string(row.effects), row.reason),
        std::string(row.name_space) + ".*");
  }
  std::string text =
      "\n## Corrections to schemas\n\n| operators | correction | reason "
      "|\n|---|---|---|\n";
  for (const auto& [key, ops] : lines) text += fmt::format("| {} | {} |\n", ops, key);
  return text;
}

TEST(OpDocs, AreUpToDate) {
  std::ifstream file{std::string(kPage)};
  ASSERT_TRUE(file) << kPage << " must be in the working directory";
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const size_t mark = page.find(kMark);
  ASSERT_NE(mark, std::string::npos);
  const std::string want = page.substr(0, mark + kMark.size()) + families() + corrections();
  if (std::getenv("FX_UPDATE_GOLDEN")) {
    std::ofstream(std::string(kPage)) << want;
    return;
  }
  EXPECT_EQ(page, want) << "run this test with FX_UPDATE_GOLDEN=1";
}

}  // namespace
}  // namespace fx::ops
