#include "fx/importers/pt2/program_reader_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <utility>

namespace fx::pt2 {
namespace {

constexpr std::string_view kModels = "models/";
constexpr std::string_view kJson = ".json";
/// The versions of the container that PyTorch reads and writes (caffe2/serialize).
constexpr int kMinContainer = 1, kMaxContainer = 10;

absl::Status not_pt2(const ZipArchive& zip) {
  std::string what = "it has no entry archive_format";
  for (const ZipEntry& entry : zip.entries()) {
    if (entry.name.ends_with("/constants.pkl")) {
      what = "it is a TorchScript file (torch.jit.save); `fxcpp import` traces it";
    } else if (entry.name == "serialized_exported_program.json") {
      what =
          "it was written by torch 2.7 or earlier; load it with torch.export.load and save it "
          "again";
    } else if (entry.name.ends_with("/data.pkl")) {
      what = "it is a torch.save file";
    } else {
      continue;
    }
    break;
  }
  return absl::InvalidArgumentError(fmt::format("not a torch.export archive: {}", what));
}

std::string_view stripped(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  return text;
}

}  // namespace

absl::StatusOr<Pt2Archive> Pt2Archive::open(std::shared_ptr<Storage> bytes) {
  Pt2Archive archive;
  FX_ASSIGN_OR_RETURN(archive.zip_, ZipArchive::parse(std::move(bytes)));
  if (archive.zip_.entries().empty()) return absl::InvalidArgumentError("the archive is empty");
  const std::string_view first = archive.zip_.entries()[0].name;
  archive.root_ = first.substr(0, first.find('/') + 1);
  if (archive.root_.empty() || archive.find("archive_format") == nullptr)
    return not_pt2(archive.zip_);
  FX_RETURN_IF_ERROR(archive.check_versions());
  return archive;
}

absl::StatusOr<std::string> Pt2Archive::small_text(std::string_view entry) const {
  constexpr uint64_t kMaxTextBytes = 100;
  const ZipEntry* const found = find(entry);
  if (found == nullptr)
    return absl::InvalidArgumentError(fmt::format("{} is missing", describe_entry(name(entry))));
  if (found->size > kMaxTextBytes) {
    return absl::InvalidArgumentError(fmt::format("{} has {}, but must be a short string",
                                                  describe_entry(found->name),
                                                  pluralize(found->size, "byte")));
  }
  FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> bytes, zip_.read(*found));
  return std::string(stripped(text_of(*bytes)));
}

absl::Status Pt2Archive::check_versions() const {
  const auto expect = [&](std::string_view entry, std::string_view expected) -> absl::Status {
    FX_ASSIGN_OR_RETURN(const std::string text, small_text(entry));
    if (text == expected) return absl::OkStatus();
    return absl::InvalidArgumentError(fmt::format("{}: expected \"{}\", not \"{}\"",
                                                  describe_entry(name(entry)), expected, text));
  };
  FX_RETURN_IF_ERROR(expect("archive_format", "pt2"));
  FX_RETURN_IF_ERROR(expect("archive_version", "0"));
  const std::string_view version_entry =
      find(".data/version") != nullptr ? ".data/version" : "version";
  FX_ASSIGN_OR_RETURN(const std::string version, small_text(version_entry));
  int number = 0;
  if (!absl::SimpleAtoi(version, &number) || number < kMinContainer || number > kMaxContainer) {
    return absl::InvalidArgumentError(
        fmt::format("{}: version \"{}\" of the container is not supported; versions {} to {} are",
                    describe_entry(name(version_entry)), version, kMinContainer, kMaxContainer));
  }
  // PyTorch ignores the byte order, and would load big-endian weights with swapped bytes.
  return find("byteorder") == nullptr ? absl::OkStatus() : expect("byteorder", "little");
}

std::vector<std::string> Pt2Archive::models() const {
  const std::string prefix = name(kModels);
  std::vector<std::string> models;
  for (const ZipEntry& entry : zip_.entries()) {
    std::string_view text = entry.name;
    if (!text.starts_with(prefix) || !text.ends_with(kJson)) continue;
    text.remove_prefix(prefix.size());
    text.remove_suffix(kJson.size());
    if (!text.empty()) models.emplace_back(text);
  }
  return models;
}

absl::StatusOr<std::unique_ptr<JsonDocument>> Pt2Archive::json(std::string_view entry) const {
  const ZipEntry* const found = find(entry);
  if (found == nullptr)
    return absl::InvalidArgumentError(fmt::format("{} is missing", describe_entry(name(entry))));
  if (found->size > kMaxJsonBytes) {
    return absl::InvalidArgumentError(fmt::format("{} has {}, but at most {} are supported",
                                                  describe_entry(found->name),
                                                  pluralize(found->size, "byte"), kMaxJsonBytes));
  }
  FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> bytes, zip_.read(*found));
  absl::StatusOr<std::unique_ptr<JsonDocument>> document = JsonDocument::parse(text_of(*bytes));
  if (!document.ok()) return with_context(document.status(), describe_entry(found->name));
  return document;
}

}  // namespace fx::pt2
