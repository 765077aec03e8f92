#include "fx/importers/pt2/pt2.h"

#include "fx/importers/pt2/program_reader_internal.h"
#include "fx/ir/support/status.h"

#include "absl/algorithm/container.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

#include <cstdio>
#include <utility>

namespace fx {
namespace {

/// Returns the name of the program that the options select.
absl::StatusOr<std::string> choose_model(const pt2::Pt2Archive& archive,
                                         const std::string& requested) {
  const std::vector<std::string> models = archive.models();
  if (models.empty()) {
    return absl::InvalidArgumentError(
        "the archive has no program (no entry in models/); the program that saved it may have "
        "failed");
  }
  if (requested.empty() && models.size() == 1) return models[0];
  std::string name = requested.empty() ? "model" : requested;
  if (absl::c_linear_search(models, name)) return name;
  return absl::NotFoundError(fmt::format("the archive has no program \"{}\"; its programs are {}",
                                         name, fmt::join(models, ", ")));
}

}  // namespace

absl::StatusOr<Pt2Program> parse_pt2(Context& context, std::shared_ptr<Storage> bytes,
                                     const Pt2ReadOptions& options) {
  FX_ASSIGN_OR_RETURN(const pt2::Pt2Archive archive, pt2::Pt2Archive::open(std::move(bytes)));
  FX_ASSIGN_OR_RETURN(const std::string model, choose_model(archive, options.model));
  absl::StatusOr<Pt2Program> program = pt2::read_program(context, archive, model, options);
  if (program.ok() || absl::IsResourceExhausted(program.status())) return program;
  // Graph and Module return other error codes, which are intended for callers that build graphs.
  return absl::InvalidArgumentError(program.status().message());
}

absl::StatusOr<Pt2Program> read_pt2(Context& context, const std::string& path,
                                    const Pt2ReadOptions& options) {
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, Storage::map_file(path));
  absl::StatusOr<Pt2Program> program = parse_pt2(context, std::move(bytes), options);
  if (!program.ok()) return with_context(program.status(), path);
  return program;
}

absl::StatusOr<std::vector<std::string>> pt2_models(const std::string& path) {
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, Storage::map_file(path));
  absl::StatusOr<pt2::Pt2Archive> archive = pt2::Pt2Archive::open(std::move(bytes));
  if (!archive.ok()) return with_context(archive.status(), path);
  return archive->models();
}

bool is_pt2_file(const std::string& path) {
  const absl::StatusOr<std::shared_ptr<Storage>> bytes = Storage::map_file(path);
  if (!bytes.ok()) return false;
  if (!pt2::text_of(**bytes).starts_with("PK")) return false;
  if (path.ends_with(".pt2")) return true;
  const absl::StatusOr<pt2::ZipArchive> zip = pt2::ZipArchive::parse(*bytes);
  return zip.ok() && absl::c_any_of(zip->entries(), [](const pt2::ZipEntry& entry) {
           return entry.name.ends_with("/archive_format");
         });
}

}  // namespace fx
