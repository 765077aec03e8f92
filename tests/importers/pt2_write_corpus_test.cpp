// Writes every .pt2 archive of the corpus back and reads it again; graphs, members and shared
// memory must be equal. tests/importers/test_pt2_write.py compares the archives with PyTorch.
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/write/write_pt2.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/verify/diff.h"
#include "tests/importers/pt2_builder.h"
#include "tests/testing/corpus.h"
#include "tests/testing/status_matchers.h"

#include "absl/container/flat_hash_map.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace fx::pt2_write_corpus_test {
namespace {

std::vector<std::filesystem::path> pt2_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::corpus_dir()))
    if (entry.path().extension() == ".pt2") files.push_back(entry.path());
  return files;
}

/// Returns a description of each member, with the number of the first member in the same storage.
std::vector<std::string> described_members(const Module& module) {
  std::vector<std::string> described;
  absl::flat_hash_map<const Storage*, size_t> first;
  absl::StatusOr<std::vector<NamedAttribute>> state =
      module.state_dict({.non_persistent_buffers = true, .constants = true});
  FX_CHECK_OK(state.status());
  std::sort(state->begin(), state->end(),
            [](const NamedAttribute& a, const NamedAttribute& b) { return a.path < b.path; });
  for (const NamedAttribute& entry : *state) {
    const Attribute& member = *entry.attribute;
    if (!member.tensor) continue;
    const size_t number =
        first.try_emplace(member.tensor.storage().get(), described.size()).first->second;
    std::string text = entry.path + ' ' + std::string(attribute_kind_name(member.kind));
    text += member.requires_grad ? " grad" : "";
    text += member.persistent ? "" : " not persistent";
    text += ' ' + std::to_string(number) + ' ' + std::to_string(member.tensor.offset());
    described.push_back(text + ' ' + member.tensor.str());
  }
  return described;
}

TEST(Pt2WriteCorpus, RoundTrip) {
  size_t count = 0;
  for (const std::filesystem::path& file : pt2_files()) {
    for (const bool lifted : {false, true}) {
      SCOPED_TRACE(file.string() + (lifted ? ", lifted" : ""));
      Context context;
      FX_ASSERT_OK_AND_ASSIGN(const Pt2Program program,
                              read_pt2(context, file.string(), {.lifted = lifted}));
      const Pt2WriteOptions options{.sample_inputs = program.sample_inputs};
      FX_ASSERT_OK_AND_ASSIGN(const std::string bytes,
                              pt2_bytes(program.module->graph(), *program.module, options));
      FX_ASSERT_OK_AND_ASSIGN(const Pt2Program again,
                              parse_pt2(context, testing::storage_of(bytes), {.lifted = lifted}));
      const auto difference = first_difference(again.module->graph(), program.module->graph());
      EXPECT_FALSE(difference.has_value()) << difference->message;
      EXPECT_EQ(again.module->graph().meta(), program.module->graph().meta());
      EXPECT_EQ(described_members(*again.module), described_members(*program.module));
      ++count;
    }
  }
  EXPECT_GE(count, 54u);
}

}  // namespace
}  // namespace fx::pt2_write_corpus_test
