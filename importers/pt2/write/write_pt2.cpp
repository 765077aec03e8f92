#include "fx/importers/pt2/write/write_pt2.h"

#include "fx/importers/pt2/archive/zip_writer_internal.h"
#include "fx/importers/pt2/write/joint_form_internal.h"
#include "fx/importers/pt2/write/program_writer_internal.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <bit>
#include <memory>
#include <optional>
#include <utility>

namespace fx {
namespace {

constexpr std::string_view kDefaultRoot = "archive";

/// Returns the root folder in the archive: as in PyTorch, the file name without folder and .pt2
/// extension, or kDefaultRoot if that is not a usable name.
std::string archive_root(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  if (path.ends_with(".pt2")) path.remove_suffix(4);
  const bool is_usable = !path.empty() && path != "." && path != ".." && path.size() < 256;
  return std::string(is_usable ? path : kDefaultRoot);
}

absl::Status check_model_name(const std::string& model) {
  if (!model.empty() && model.size() < 256 && model.find('/') == std::string::npos && model != "..")
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("the program name \"{}\" must have 1 to 255 characters, must not contain '/', "
                  "and must not be \"..\"",
                  model));
}

bool is_tangent(const Node& placeholder) {
  const Argument* input = placeholder.meta().find(meta::kInput.name);
  return input != nullptr && input->find_text("kind") == "tangent";
}

/// Returns the example inputs, except those for tangents.
std::vector<Pt2SampleInput> without_tangents(const Graph& graph,
                                             const std::vector<Pt2SampleInput>& samples) {
  std::vector<Pt2SampleInput> user_samples;
  size_t next = 0;
  for (const Node& node : graph.nodes()) {
    if (!node.is_placeholder() || !pt2_member_path(node).empty()) continue;
    if (next < samples.size() && !is_tangent(node)) user_samples.push_back(samples[next]);
    ++next;
  }
  return user_samples;
}

absl::Status write_archive(const Graph& graph, const Module& members, std::string_view root,
                           const Pt2WriteOptions& options, pt2::ZipWriter& zip) {
  static_assert(std::endian::native == std::endian::little, "weights are written unchanged");
  FX_RETURN_IF_ERROR(check_model_name(options.model));
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<Graph> joint, pt2::with_loss(graph));
  Pt2WriteOptions used = options;
  if (joint != nullptr) used.sample_inputs = without_tangents(graph, options.sample_inputs);
  pt2::ProgramWriter writer(joint == nullptr ? graph : *joint, members, used);
  FX_RETURN_IF_ERROR(writer.prepare());
  writer.write(zip, root);
  zip.finish();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> pt2_bytes(const Graph& graph, const Module& members,
                                      const Pt2WriteOptions& options) {
  std::string bytes;
  pt2::ZipWriter zip([&bytes](std::string_view part) { bytes += part; });
  FX_RETURN_IF_ERROR(write_archive(graph, members, kDefaultRoot, options, zip));
  return bytes;
}

absl::Status write_pt2(const Graph& graph, const Module& members, const std::string& path,
                       const Pt2WriteOptions& options) {
  NewFile file(path);
  pt2::ZipWriter zip([&file](std::string_view part) { file.write(part.data(), part.size()); });
  FX_RETURN_IF_ERROR(write_archive(graph, members, archive_root(path), options, zip));
  return file.commit();
}

absl::Status write_pt2(const GraphModule& module, const std::string& path,
                       const Pt2WriteOptions& options) {
  return write_pt2(module.graph(), module, path, options);
}

}  // namespace fx
