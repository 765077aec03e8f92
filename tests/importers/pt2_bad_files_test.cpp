// Corrupted and malicious .pt2 archives are rejected with the name of the entry and the reason.
#include "fx/importers/pt2/pt2.h"
#include "fx/ir/graph/context.h"
#include "tests/importers/pt2_builder.h"
#include "tests/testing/status_matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace fx {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::part_of;
using testing::small_program;
using testing::StatusIs;
using testing::with_text;
using testing::ZipPart;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr std::string_view kModel = "m/models/model.json";
constexpr std::string_view kConfig = "m/data/weights/model_weights_config.json";

absl::Status read_bytes(const std::string& bytes, const Pt2ReadOptions& options = {}) {
  Context context;
  return parse_pt2(context, testing::storage_of(bytes), options).status();
}
absl::Status read_parts(const std::vector<ZipPart>& parts, const Pt2ReadOptions& options = {}) {
  return read_bytes(testing::zip_of(parts), options);
}
absl::Status read_changed(std::string_view entry, std::string_view from, std::string_view to) {
  return read_parts(with_text(entry, from, to));
}
/// Returns a deflated entry.
ZipPart deflated(std::string name, const std::string& data) {
  std::string packed(data.size() + 1000, '\0');
  z_stream stream = {};
  FX_CHECK(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  FX_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib");
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  ZipPart part{std::move(name), std::move(packed), 8};
  part.size = static_cast<int64_t>(data.size());
  part.crc = testing::crc_of(data);
  return part;
}

TEST(Pt2Files, TheSmallProgramIsValid) {
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(
      const Pt2Program program,
      parse_pt2(context, testing::storage_of(testing::zip_of(small_program()))));
  EXPECT_EQ(program.module->graph().size(), 5u);
  EXPECT_EQ(program.module->find_tensor("layer.w").values<float>()[0], 1.5F);
}

TEST(Pt2Files, DeflatedEntriesAreUnpacked) {
  std::vector<ZipPart> parts = small_program();
  for (const std::string_view name :
       {std::string_view("m/data/weights/weight_0"), kModel, kConfig}) {
    ZipPart& part = part_of(parts, name);
    part = deflated(part.name, part.data);
  }
  EXPECT_THAT(read_parts(parts), IsOk());
}

// ---------------------------------------------------------------- the container

TEST(Pt2BadFiles, Truncated) {
  const std::string bytes = testing::zip_of(small_program());
  for (size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_THAT(read_bytes(bytes.substr(0, length)), StatusIs(kInvalid, HasSubstr("truncated")));
}

TEST(Pt2BadFiles, FlippedBits) {
  const std::string bytes = testing::zip_of(small_program());
  uint64_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    std::string damaged = bytes;
    damaged[(state >> 33) % bytes.size()] ^= static_cast<char>(1 << (state >> 60) % 8);
    (void)read_bytes(damaged);  // an error or no effect, but no crash
  }
}

TEST(Pt2BadFiles, FlippedBitInAWeight) {
  std::string bytes = testing::zip_of(small_program());
  bytes[bytes.find("weight_0") + 20] ^= 4;
  EXPECT_THAT(read_bytes(bytes),
              StatusIs(kInvalid, AllOf(HasSubstr("m/data/weights/weight_0"), HasSubstr("CRC-32"))));
  EXPECT_THAT(read_bytes(bytes, {.check_weights = false}), IsOk());
}

TEST(Pt2BadFiles, FlippedBitInTheProgram) {
  std::string bytes = testing::zip_of(small_program());
  bytes[bytes.find("aten.relu")] ^= 1;
  EXPECT_THAT(read_bytes(bytes), StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("CRC-32"))));
}

TEST(Pt2BadFiles, ZipBombs) {
  std::vector<ZipPart> parts = small_program();
  parts.push_back({"m/extra/bomb", std::string(100, '\0'), 8});
  parts.back().size = 200'000;  // more than deflate can compress
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, AllOf(HasSubstr("m/extra/bomb"),
                                                          HasSubstr("cannot unpack to 200000"))));
  parts.back() = deflated("m/extra/bomb", std::string(100'000, 'a'));
  parts.back().size = 50'000;              // less than the actual size
  EXPECT_THAT(read_parts(parts), IsOk());  // the reader ignores the rest
  part_of(parts, kModel) = deflated(std::string(kModel), part_of(parts, kModel).data);
  part_of(parts, kModel).size -= 1;
  EXPECT_THAT(read_parts(parts),
              StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("corrupted"))));
}

TEST(Pt2BadFiles, TheTotalUnpackedSizeIsBounded) {
  std::vector<ZipPart> parts = small_program();
  for (int i = 0; i < 5; ++i) {
    parts.push_back({"m/extra/" + std::to_string(i), std::string(1 << 20, '\0'), 8});
    parts.back().size = int64_t{1000} << 20;
  }
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("unpack to more than")));
}

TEST(Pt2BadFiles, UnsafePaths) {
  for (const char* name : {"/etc/passwd", "m/../../x", "..", "m\\x", "C:x", "m/a/.."}) {
    std::vector<ZipPart> parts = small_program();
    parts.push_back({name, "x"});
    EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("its name"))) << name;
  }
  std::vector<ZipPart> parts = small_program();
  parts.push_back({std::string("m/a\0b", 5), "x"});
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("its name")));
  parts.back() = {std::string(5000, 'a'), "x"};
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("5000 bytes")));
  EXPECT_THAT(read_changed(kConfig, "\"weight_0\"", "\"../weights/weight_0\""),
              StatusIs(kInvalid, HasSubstr("path_name")));
}

TEST(Pt2BadFiles, DuplicateAndOverlappingEntries) {
  std::vector<ZipPart> parts = small_program();
  parts.push_back({std::string(kModel), "{}"});
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("duplicate")));

  parts = small_program();
  ZipPart copy = parts[0];  // two names for the same data
  copy.name = "m/data/weights/weight_1";
  copy.offset = 0;
  copy.only_listed = true;
  parts.push_back(copy);
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("different names")));

  parts = small_program();
  ZipPart inner{"m/inner", "x"};  // an entry within the data of another entry
  const std::string inner_bytes = testing::zip_of({inner});
  parts.insert(parts.begin(), {"m/outer", inner_bytes});
  const std::string all = testing::zip_of(parts);
  inner.offset = static_cast<int64_t>(all.find(inner_bytes));
  inner.only_listed = true;
  parts.push_back(inner);
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("overlaps")));
}

TEST(Pt2BadFiles, InconsistentHeaders) {
  std::vector<ZipPart> parts = small_program();
  part_of(parts, kModel).local_name = "m/models/other.json";
  EXPECT_THAT(read_parts(parts),
              StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("different names"))));
  parts = small_program();
  part_of(parts, kModel).offset = 1 << 30;
  EXPECT_THAT(read_parts(parts),
              StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("no header"))));
  parts = small_program();
  part_of(parts, kModel).size = 5;
  EXPECT_THAT(read_parts(parts), StatusIs(kInvalid, HasSubstr("its two sizes differ")));
}

TEST(Pt2BadFiles, EncryptionAndUnsupportedMethods) {
  std::vector<ZipPart> parts = small_program();
  part_of(parts, kModel).flags = 1;
  EXPECT_THAT(read_parts(parts),
              StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("encrypted"))));
  parts = small_program();
  part_of(parts, kModel).method = 12;
  EXPECT_THAT(read_parts(parts),
              StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("method is 12"))));
}

TEST(Pt2BadFiles, ImplausibleNumberOfEntries) {
  std::string bytes = testing::zip_of(small_program());
  bytes[bytes.size() - 12] = bytes[bytes.size() - 11] = '\xfe';
  EXPECT_THAT(read_bytes(bytes), StatusIs(kInvalid, HasSubstr("is too small for")));
}

TEST(Pt2BadFiles, MissingEntries) {
  for (const char* name : {"m/archive_version", "m/.data/version", "m/models/model.json",
                           "m/data/weights/weight_0", "m/data/weights/model_weights_config.json",
                           "m/data/constants/model_constants_config.json"}) {
    std::vector<ZipPart> parts = small_program();
    std::erase_if(parts, [&](const ZipPart& part) { return part.name == name; });
    const absl::Status status = read_parts(parts);
    EXPECT_EQ(status.code(), kInvalid) << name;
    const bool is_model = std::string_view(name) == kModel;
    EXPECT_THAT(std::string(status.message()), HasSubstr(is_model ? "no program" : "missing"));
  }
}

TEST(Pt2BadFiles, VersionsAndByteOrder) {
  EXPECT_THAT(read_changed("m/archive_format", "pt2", "onnx"),
              StatusIs(kInvalid, HasSubstr("pt2")));
  EXPECT_THAT(read_changed("m/archive_version", "0", "1"),
              StatusIs(kInvalid, HasSubstr("archive_version")));
  EXPECT_THAT(read_changed("m/.data/version", "6", "11"), StatusIs(kInvalid, HasSubstr("11")));
  EXPECT_THAT(read_changed("m/byteorder", "little", "big"),
              StatusIs(kInvalid, HasSubstr("m/byteorder")));
  EXPECT_THAT(read_changed(kModel, "\"major\": 8", "\"major\": 9"),
              StatusIs(kInvalid, HasSubstr("9.20")));
}

TEST(Pt2BadFiles, OtherArchives) {
  EXPECT_THAT(read_parts({{"m/code/a.py", ""}, {"m/constants.pkl", ""}}),
              StatusIs(kInvalid, HasSubstr("TorchScript")));
  EXPECT_THAT(read_parts({{"serialized_exported_program.json", "{}"}}),
              StatusIs(kInvalid, HasSubstr("2.7")));
  EXPECT_THAT(read_bytes("not a zip file, but long enough to hold one"),
              StatusIs(kInvalid, HasSubstr("ZIP")));
}

TEST(Pt2Files, SeveralPrograms) {
  std::vector<ZipPart> parts = small_program();
  for (const std::string_view entry :
       {kModel, kConfig, std::string_view("m/data/constants/model_constants_config.json")}) {
    ZipPart part = part_of(parts, entry);
    part.name.replace(part.name.rfind("model"), 5, "other");
    parts.push_back(std::move(part));
  }
  const std::string bytes = testing::zip_of(parts);
  Context context;
  FX_ASSERT_OK_AND_ASSIGN(const Pt2Program other,
                          parse_pt2(context, testing::storage_of(bytes), {.model = "other"}));
  EXPECT_EQ(other.module->graph().size(), 5u);
  EXPECT_THAT(read_bytes(bytes), IsOk());  // reads the program named "model"
  EXPECT_THAT(read_bytes(bytes, {.model = "third"}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("its programs are model, other")));
  const std::string path = ::testing::TempDir() + "several.pt2";
  std::ofstream(path, std::ios::binary) << bytes;
  FX_ASSERT_OK_AND_ASSIGN(const std::vector<std::string> names, pt2_models(path));
  EXPECT_THAT(names, ::testing::ElementsAre("model", "other"));
  EXPECT_THAT(pt2_models("/missing.pt2"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/missing.pt2")));
}

// A newer minor version is accepted; each unknown field is reported once.
TEST(Pt2Files, NewerMinorVersion) {
  std::vector<ZipPart> parts = with_text(kModel, "\"minor\": 20", "\"minor\": 999");
  std::string& model = part_of(parts, kModel).data;
  for (size_t at = 0; (at = model.find("\"metadata\": {}, \"name\"", at)) != std::string::npos;
       at += 20)
    model.insert(at, "\"color\": 1, ");
  std::vector<std::string> notes;
  EXPECT_THAT(read_parts(parts, {.notes = &notes}), IsOk());
  EXPECT_THAT(notes, ::testing::ElementsAre(HasSubstr("8.999"), HasSubstr("\"color\"")));
}

// ---------------------------------------------------------------- JSON

TEST(Pt2BadFiles, Json) {
  EXPECT_THAT(read_changed(kModel, "{", "["),
              StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("JSON"))));
  const std::string deep(100'000, '[');
  EXPECT_THAT(read_changed(kModel, "\"metadata\": {}}", "\"metadata\": " + deep + "}"),
              StatusIs(kInvalid, AllOf(HasSubstr(kModel), HasSubstr("levels deep"))));
  EXPECT_THAT(read_changed(kModel, "\"aten\": 10", "\"aten\": 99999999999999999999"),
              StatusIs(kInvalid, HasSubstr(kModel)));
  EXPECT_THAT(read_changed(kModel, "\"metadata\": {}}", "\"metadata\": {}, \"graph\": 1}"),
              StatusIs(kInvalid, HasSubstr("duplicate field \"graph\"")));
  EXPECT_THAT(read_changed(kModel, "\"range_constraints\": {},", ""),
              StatusIs(kInvalid, HasSubstr("\"range_constraints\" is missing")));
  EXPECT_THAT(read_changed(kModel, "\"name\": \"add\"}}]", "\"name\": \"\xff\"}}]"),
              StatusIs(kInvalid, HasSubstr("JSON")));
}

// ---------------------------------------------------------------- the program

TEST(Pt2BadFiles, Unions) {
  EXPECT_THAT(read_changed(kModel, R"({"as_tensor": {"name": "add"}}, "kind")",
                           R"({"as_tensor": {"name": "add"}, "as_int": 1}, "kind")"),
              StatusIs(kInvalid, AllOf(HasSubstr("node relu"), HasSubstr("expected one key"))));
  EXPECT_THAT(read_changed(kModel, R"({"as_tensor": {"name": "add"}}, "kind")",
                           R"({"as_tree": 1}, "kind")"),
              StatusIs(kInvalid, AllOf(HasSubstr("node relu"), HasSubstr("\"as_tree\""))));
}

TEST(Pt2BadFiles, Names) {
  EXPECT_THAT(
      read_changed(kModel, R"({"as_tensor": {"name": "add"}}, "kind")",
                   R"({"as_tensor": {"name": "later"}}, "kind")"),
      StatusIs(kInvalid, AllOf(HasSubstr("node relu"), HasSubstr("later"), HasSubstr("before"))));
  // A node that uses its own result.
  EXPECT_THAT(read_changed(kModel, R"({"as_tensor": {"name": "add"}}, "kind")",
                           R"({"as_tensor": {"name": "relu"}}, "kind")"),
              StatusIs(kInvalid, HasSubstr("used before it is defined")));
  EXPECT_THAT(read_changed(kModel, R"("outputs": [{"as_tensor": {"name": "add"}}])",
                           R"("outputs": [{"as_tensor": {"name": "x"}}])"),
              StatusIs(kInvalid, HasSubstr("node add")));
}

TEST(Pt2BadFiles, MismatchedSignature) {
  EXPECT_THAT(read_changed(kModel, R"(,
      {"user_input": {"arg": {"as_tensor": {"name": "x"}}}})",
                           ""),
              StatusIs(kInvalid, HasSubstr("2 inputs, but the signature has 1")));
  EXPECT_THAT(
      read_changed(kModel, R"({"user_output": {"arg": {"as_tensor": {"name": "relu"}}}})", ""),
      StatusIs(kInvalid, HasSubstr("1 output, but the signature has 0")));
  EXPECT_THAT(
      read_changed(kModel, "layer.w", "layer.v"),
      StatusIs(kInvalid, HasSubstr("\"layer.v\", which is neither a weight nor a constant")));
  EXPECT_THAT(read_changed(kModel, R"({"user_output": {"arg": {"as_tensor": {"name": "relu"}}}})",
                           R"({"buffer_mutation": {"arg": {"name": "relu"}, "buffer_name": "b"}})"),
              StatusIs(kInvalid, HasSubstr("which is not an input")));
}

TEST(Pt2BadFiles, Codes) {
  EXPECT_THAT(read_changed(kModel, "\"dtype\": 7", "\"dtype\": 77"),
              StatusIs(kInvalid, HasSubstr("dtype")));
  EXPECT_THAT(read_changed(kModel, "\"layout\": 7", "\"layout\": 0"),
              StatusIs(kInvalid, HasSubstr("layout")));
  EXPECT_THAT(read_changed(kModel, "\"cpu\"", "\"toaster\""),
              StatusIs(kInvalid, HasSubstr("toaster")));
}

TEST(Pt2BadFiles, Symbols) {
  const auto with_size = [](std::string_view text) {
    return read_changed(
        kModel, "{\"as_int\": 2}",
        "{\"as_expr\": {\"expr_str\": \"" + std::string(text) + "\", \"hint\": null}}");
  };
  EXPECT_THAT(with_size("Symbol('s0', positive=True, integer=True)"), IsOk());
  EXPECT_THAT(with_size("Add("), StatusIs(kInvalid, HasSubstr("symbolic expression")));
  EXPECT_THAT(with_size("FloorDiv(Integer(1), Integer(0))"),
              StatusIs(kInvalid, HasSubstr("symbolic")));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "Not(";
  EXPECT_THAT(with_size(deep), StatusIs(kInvalid, HasSubstr("levels deep")));
}

// ---------------------------------------------------------------- weights

TEST(Pt2BadFiles, MismatchedWeights) {
  EXPECT_THAT(read_changed(kConfig, "{\"as_int\": 2}", "{\"as_int\": 3}"),
              StatusIs(kInvalid, AllOf(HasSubstr("weight_0"), HasSubstr("layer.w"))));
  EXPECT_THAT(read_changed(kConfig, "{\"as_int\": 2}", "{\"as_int\": 9223372036854775807}"),
              StatusIs(kInvalid, HasSubstr("weight_0")));
  EXPECT_THAT(read_changed(kConfig, "{\"as_int\": 2}", "{\"as_int\": -2}"),
              StatusIs(kInvalid, HasSubstr("negative")));
  EXPECT_THAT(read_changed(kConfig, "\"storage_offset\": {\"as_int\": 0}",
                           "\"storage_offset\": {\"as_int\": 1}"),
              StatusIs(kInvalid, HasSubstr("weight_0")));
  std::vector<ZipPart> parts = small_program();
  part_of(parts, "m/data/weights/weight_0").data.pop_back();
  EXPECT_THAT(read_parts(parts),
              StatusIs(kInvalid, HasSubstr("is not a multiple of the element size")));
}

// A program that was exported with fake tensors has no weight data. The weights must not become
// zeros.
TEST(Pt2Files, WeightsWithoutData) {
  std::vector<ZipPart> parts = with_text(kConfig, "{\"as_int\": 2}", "{\"as_int\": 1000000000000}");
  part_of(parts, "m/data/weights/weight_0").data.clear();
  Context context;
  std::vector<std::string> notes;
  FX_ASSERT_OK_AND_ASSIGN(
      const Pt2Program program,
      parse_pt2(context, testing::storage_of(testing::zip_of(parts)), {.notes = &notes}));
  EXPECT_FALSE(program.module->find_tensor("layer.w").has_data());
  EXPECT_THAT(notes, ::testing::ElementsAre(HasSubstr("fake tensors")));
}

}  // namespace
}  // namespace fx
