// Reads a program from an archive.
#pragma once

#include "fx/importers/pt2/archive/zip_internal.h"
#include "fx/importers/pt2/pt2.h"
#include "fx/importers/pt2/schema/json_internal.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::pt2 {

/// A torch.export archive, whose entries are in one root folder.
class Pt2Archive {
 public:
  /// Returns InvalidArgument if the bytes are not a torch.export archive, or if its version is
  /// not supported.
  static absl::StatusOr<Pt2Archive> open(std::shared_ptr<Storage> bytes);

  const ZipArchive& zip() const { return zip_; }
  /// Returns the full name of an entry: "model/models/model.json" for "models/model.json".
  std::string name(std::string_view entry) const { return root_ + std::string(entry); }
  const ZipEntry* find(std::string_view entry) const { return zip_.find(name(entry)); }
  /// Returns the names of the programs, in the order of the archive.
  std::vector<std::string> models() const;
  /// Reads a JSON entry. Returns InvalidArgument, naming the entry, if it is missing or malformed.
  absl::StatusOr<std::unique_ptr<JsonDocument>> json(std::string_view entry) const;

 private:
  absl::Status check_versions() const;
  absl::StatusOr<std::string> small_text(std::string_view entry) const;

  ZipArchive zip_;
  std::string root_;  // ends with '/'
};

absl::StatusOr<Pt2Program> read_program(Context& context, const Pt2Archive& archive,
                                        const std::string& model, const Pt2ReadOptions& options);

}  // namespace fx::pt2
