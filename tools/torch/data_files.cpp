#include "tools/torch/data_files.h"

#include "fx/importers/program_file.h"
#include "fx/interp/torch/graph_tables.h"
#include "fx/ir/files/safetensors.h"
#include "fx/ir/support/status.h"
#include "fx/passes/analysis/memory.h"

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

namespace fx::tools {
namespace {

/// Returns the names as text, truncated if there are many.
std::string list_names(const std::vector<std::string>& names) {
  constexpr size_t kMaxShown = 6;
  if (names.empty()) return "nothing";
  const size_t shown = std::min(kMaxShown, names.size());
  std::string text = fmt::to_string(fmt::join(absl::MakeConstSpan(names).first(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

/// Returns the name in the data files of the tensor that a placeholder or get_attr node refers to,
/// or nullopt for other nodes.
std::optional<std::string> tensor_name(const Node& node) {
  if (node.is_placeholder()) return data_name(node);
  if (node.op() == Opcode::kGetAttr) return std::string(node.target());
  return std::nullopt;
}

/// Returns the names of the tensors for the graph's inputs and constants.
std::vector<std::string> required_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes())
    if (std::optional<std::string> name = tensor_name(node)) names.push_back(*std::move(name));
  return names;
}

/// Returns an error for a graph that may write to one of several tensors with the same storage in a
/// file if their values do not share memory: their types have other strides than in the file.
absl::Status check_shared_storages(const Graph& graph, absl::Span<const TensorTable> tables,
                                   const GraphData& data) {
  const MemoryAnalysis memory(graph, {.distinct_inputs = true, .distinct_attributes = true});
  if (!memory.has_writes()) return absl::OkStatus();
  struct Reader {
    std::string name;
    const void* storage;
    bool is_written;
  };
  absl::flat_hash_map<const Storage*, Reader> readers;
  size_t next_input = 0;
  for (const Node& node : graph.nodes()) {
    const std::optional<std::string> name = tensor_name(node);
    if (!name) continue;
    const auto constant = data.constants.find(*name);
    const c10::IValue value = node.is_placeholder()              ? data.inputs[next_input++]
                              : constant != data.constants.end() ? constant->second
                                                                 : c10::IValue();
    const Tensor* tensor = nullptr;
    for (const TensorTable& table : tables)
      if (const Tensor* found = table.file.tensors.find(*name)) tensor = found;
    if (tensor == nullptr || !tensor->has_data() || tensor->num_elements() == 0) continue;
    if (!value.isTensor()) continue;
    const bool is_written = memory.is_written(node);
    const void* const storage = value.toTensor().storage().unsafeGetStorageImpl();
    const auto [it, is_new] =
        readers.try_emplace(tensor->storage().get(), Reader{*name, storage, is_written});
    Reader& first = it->second;
    first.is_written |= is_written;
    if (is_new || first.storage == storage || !first.is_written) continue;
    return absl::FailedPreconditionError(fmt::format(
        "{} and {} share memory, and the graph writes to it, but they have other strides than in "
        "the file, so `run` cannot load them into one memory; functionalize removes the writes",
        first.name, *name));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> data_files(const Graph& graph, const std::string& path,
                                                    const std::vector<std::string>& files) {
  std::vector<std::string> all;
  if (path != "-" && std::filesystem::exists(data_path(path))) all.push_back(data_path(path));
  if (path != "-" && is_program_file(path)) all.push_back(path);
  const std::vector<std::string> required = required_names(graph);
  for (const std::string& file : files) {
    FX_ASSIGN_OR_RETURN(const Safetensors data, read_tensor_file(file));
    const auto is_present = [&](const std::string& name) {
      return data.tensors.find(name) != nullptr;
    };
    if (!required.empty() && absl::c_none_of(required, is_present)) {
      std::vector<std::string> names;
      for (const auto& [name, tensor] : data.tensors) names.push_back(name);
      return absl::InvalidArgumentError(fmt::format(
          "--inputs {}: the file has no tensor for an input or constant of the graph; it "
          "contains {}, but the graph requires {}",
          file, list_names(names), list_names(required)));
    }
    all.push_back(file);
  }
  return all;
}

absl::StatusOr<GraphData> load_data(const Graph& graph, const std::vector<std::string>& paths,
                                    const GraphDataOptions& options) {
  std::vector<TensorTable> tables;
  for (const std::string& path : paths) {
    FX_ASSIGN_OR_RETURN(Safetensors file, read_tensor_file(path));
    tables.push_back({path, std::move(file)});
  }
  FX_ASSIGN_OR_RETURN(GraphData data, graph_data_of(graph, tables, options));
  FX_RETURN_IF_ERROR(check_shared_storages(graph, tables, data));
  return data;
}

absl::StatusOr<std::vector<at::Tensor>> load_outputs(const std::string& path, size_t count) {
  FX_ASSIGN_OR_RETURN(Safetensors file, read_tensor_file(path));
  return graph_outputs_of({path, std::move(file)}, count);
}

}  // namespace fx::tools
