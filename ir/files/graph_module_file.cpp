#include "fx/ir/files/graph_module_file.h"

#include "fx/ir/files/safetensors.h"
#include "fx/ir/json/json.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_map.h"
#include "fmt/format.h"

#include <utility>
#include <vector>

namespace fx {
namespace {

constexpr std::string_view kVersionKey = "fxcpp";
constexpr std::string_view kVersion = "1";
constexpr StateDictOptions kEverything = {.non_persistent_buffers = true, .constants = true};

absl::StatusOr<std::vector<std::pair<std::string, Tensor>>> tensors_to_save(
    const GraphModule& module) {
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> state, module.state_dict(kEverything));
  std::vector<std::pair<std::string, Tensor>> tensors;
  absl::flat_hash_map<const void*, const std::string*> first_paths;
  for (const NamedAttribute& entry : state) {
    const Tensor& tensor = entry.attribute->tensor;
    if (!tensor.has_data()) continue;
    if (first_paths.emplace(tensor.identity(), &entry.path).second)
      tensors.emplace_back(entry.path, tensor);
  }
  return tensors;
}

/// Removes the document from the tensors of a file and returns the document.
absl::StatusOr<Tensor> take_document(Safetensors& file) {
  const std::string* version = file.metadata.find(kVersionKey);
  if (!version)
    return absl::InvalidArgumentError("this file has tensors but no graph (see save_graph_module)");
  if (*version != kVersion) {
    return absl::InvalidArgumentError(
        fmt::format("the file has version {}; only version {} is supported", *version, kVersion));
  }
  const Tensor* document = file.tensors.find(kDocumentTensor);
  if (!document || document->dtype() != DType::kUInt8 || document->sizes().size() != 1) {
    return absl::InvalidArgumentError(
        fmt::format("the file must have a tensor {} with its document", kDocumentTensor));
  }
  Tensor taken = *document;
  file.tensors.erase(kDocumentTensor);
  file.metadata.erase(kVersionKey);
  return taken;
}

absl::StatusOr<std::unique_ptr<GraphModule>> load(Context& context, Safetensors file) {
  FX_ASSIGN_OR_RETURN(const Tensor document, take_document(file));
  const absl::Span<const std::byte> bytes = document.bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module, read_json_module(context, text));
  for (const auto& [name, tensor] : file.tensors) {
    if (!module->find_tensor(name))
      return absl::InvalidArgumentError(fmt::format("the document has no tensor {}", name));
  }
  // Tensors that had no data are not in the file.
  FX_RETURN_IF_ERROR(load_state(*module, file, {.strict = false, .restore_strides = true}));
  return module;
}

}  // namespace

absl::Status save_graph_module(const GraphModule& module, const std::string& path) {
  FX_ASSIGN_OR_RETURN(auto tensors, tensors_to_save(module));
  FX_ASSIGN_OR_RETURN(const std::string document, write_json(module));
  FX_ASSIGN_OR_RETURN(
      const Tensor bytes,
      Tensor::copy_of(DType::kUInt8, {static_cast<int64_t>(document.size())},
                      {reinterpret_cast<const std::byte*>(document.data()), document.size()}));
  tensors.emplace_back(kDocumentTensor, bytes);
  const std::pair<std::string, std::string> metadata[] = {
      {std::string(kVersionKey), std::string(kVersion)}};
  return write_safetensors(path, tensors, metadata);
}

absl::StatusOr<std::unique_ptr<GraphModule>> load_graph_module(Context& context,
                                                               const std::string& path) {
  FX_ASSIGN_OR_RETURN(Safetensors file, read_safetensors(path));
  absl::StatusOr<std::unique_ptr<GraphModule>> module = load(context, std::move(file));
  if (!module.ok()) return with_context(module.status(), path);
  return module;
}

}  // namespace fx
