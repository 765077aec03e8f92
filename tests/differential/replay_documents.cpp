// Reads the documents that scripts/fx_export.py wrote for torch.fx graphs, with their module trees.
// Writes them back and compares the bytes; also writes and reads a file with tensors.
//
//   replay_documents FOLDER      checks each *.json in the folder; exit status 1 if one differs
#include "fx/ir/files/graph_module_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/json/json.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fx {
namespace {

namespace fs = std::filesystem;

/// Returns an error with the text around the first byte that differs, or OK if the strings are
/// equal.
absl::Status same(std::string_view what, std::string_view want, std::string_view got) {
  if (want == got) return absl::OkStatus();
  const auto [w, g] = std::mismatch(want.begin(), want.end(), got.begin(), got.end());
  const auto position = static_cast<size_t>(w - want.begin());
  const size_t start = position > 40 ? position - 40 : 0;
  return absl::InternalError(fmt::format("{} differs at byte {}\n  want ...{}\n  got  ...{}", what,
                                         position, want.substr(start, 120),
                                         got.substr(start, 120)));
}

absl::Status check(const std::string& text, const std::string& scratch) {
  Context context;
  FX_ASSIGN_OR_RETURN(std::unique_ptr<Graph> graph, read_json(context, text));
  if (text.find("\n\"modules\":") == std::string::npos) {
    FX_ASSIGN_OR_RETURN(const std::string written, write_json(*graph));
    FX_RETURN_IF_ERROR(same("the graph", text, written));
  }
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module, read_json_module(context, text));
  FX_ASSIGN_OR_RETURN(const std::string written, write_json(*module));
  if (text.find("\n\"modules\":") != std::string::npos)
    FX_RETURN_IF_ERROR(same("the module", text, written));
  FX_RETURN_IF_ERROR(save_graph_module(*module, scratch));
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> loaded, load_graph_module(context, scratch));
  FX_ASSIGN_OR_RETURN(const std::string again, write_json(*loaded));
  return same("the module from its file", written, again);
}

int run(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const std::string scratch = (folder / "scratch.safetensors").string();
  size_t num_bad = 0;
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const absl::Status status = check(text, scratch);
    if (status.ok()) continue;
    ++num_bad;
    fmt::print("{}: {}\n", path.filename().string(), std::string(status.message()));
  }
  fmt::print("{} documents, {} differ after a round trip\n", files.size(), num_bad);
  return num_bad == 0 && !files.empty() ? 0 : 1;
}

}  // namespace
}  // namespace fx

// parity: S1 S3
int main(int argc, char** argv) {
  if (argc == 2) return fx::run(argv[1]);
  fmt::print("usage: replay_documents FOLDER\n");
  return 2;
}
