#include "fx/importers/program_file.h"

#include "fx/importers/pt2/archive/npz.h"
#include "fx/interp/data_name.h"
#include "fx/ir/files/graph_module_file.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/support/status.h"

#include "absl/container/flat_hash_set.h"
#include "fmt/format.h"

#include <memory>
#include <string>
#include <utility>

namespace fx {
namespace {

constexpr StateDictOptions kAllTensors = {.non_persistent_buffers = true, .constants = true};

absl::StatusOr<Safetensors> tensors_of_module(const GraphModule& module) {
  Safetensors file;
  FX_ASSIGN_OR_RETURN(const std::vector<NamedAttribute> state, module.state_dict(kAllTensors));
  for (const NamedAttribute& entry : state)
    if (entry.attribute->tensor.has_data()) file.tensors.set(entry.path, entry.attribute->tensor);
  return file;
}

absl::StatusOr<Safetensors> tensors_of_onnx(const std::string& path) {
  Context context;
  FX_ASSIGN_OR_RETURN(const std::unique_ptr<GraphModule> module, read_onnx(context, path));
  return tensors_of_module(*module);
}

absl::StatusOr<Safetensors> tensors_of_pt2(const std::string& path) {
  Context context;
  FX_ASSIGN_OR_RETURN(const Pt2Program program, read_pt2(context, path));
  FX_ASSIGN_OR_RETURN(Safetensors file, tensors_of_module(*program.module));
  FX_ASSIGN_OR_RETURN(const auto examples, example_tensors(program));
  for (const auto& [name, tensor] : examples) file.tensors.set(name, tensor);
  return file;
}

/// Reads the tensors of a file under all of their names. A file stores a tied tensor under its first
/// name; the other names are in the module of the file, or in the metadata as in files of
/// safetensors.torch.save_model.
absl::StatusOr<Safetensors> tensors_of_safetensors(const std::string& path) {
  FX_ASSIGN_OR_RETURN(Safetensors file, read_safetensors(path));
  if (file.tensors.contains(kDocumentTensor)) {
    Context context;
    FX_ASSIGN_OR_RETURN(const auto module, load_graph_module(context, path));
    FX_ASSIGN_OR_RETURN(const Safetensors tensors, tensors_of_module(*module));
    for (const auto& [name, tensor] : tensors.tensors) file.tensors.set(name, tensor);
  }
  for (const auto& [name, first] : file.metadata) {
    const Tensor* const tensor = file.tensors.find(first);
    if (tensor != nullptr && !file.tensors.contains(name)) file.tensors.set(name, Tensor(*tensor));
  }
  return file;
}

}  // namespace

bool is_program_file(const std::string& path) { return is_onnx_file(path) || is_pt2_file(path); }

absl::StatusOr<std::vector<std::pair<std::string, Tensor>>> example_tensors(
    const Pt2Program& program) {
  std::vector<std::pair<std::string, Tensor>> examples;
  absl::flat_hash_set<std::string> constants;
  for (const Node& node : program.module->graph().nodes())
    if (node.is_placeholder() && node.type().is_constant()) constants.insert(data_name(node));
  for (size_t i = 0; i < program.sample_inputs.size(); ++i) {
    const auto& [tensor, value] = program.sample_inputs[i];
    std::string name = fmt::format("in.{}", i);
    if (tensor) {
      examples.emplace_back(std::move(name), tensor);
    } else if ((value.is_int() || value.is_float()) && !constants.contains(name)) {
      FX_ASSIGN_OR_RETURN(
          Tensor number,
          Tensor::from_elements(value.is_int() ? DType::kInt64 : DType::kFloat64, {}, {value}));
      examples.emplace_back(std::move(name), std::move(number));
    }
  }
  return examples;
}

absl::StatusOr<GraphDocument> read_program_document(Context& context, const std::string& path,
                                                    const Pt2ReadOptions& options) {
  GraphDocument document;
  if (is_onnx_file(path)) {
    FX_ASSIGN_OR_RETURN(document.module, read_onnx(context, path));
    return document;
  }
  if (path == "-" || !is_pt2_file(path)) return read_graph_document(context, path);
  FX_ASSIGN_OR_RETURN(Pt2Program program, read_pt2(context, path, options));
  document.module = std::move(program.module);
  return document;
}

absl::StatusOr<Safetensors> read_tensor_file(const std::string& path) {
  if (path.ends_with(".npz")) {
    Safetensors file;
    FX_ASSIGN_OR_RETURN(file.tensors, read_npz(path));
    return file;
  }
  if (is_onnx_file(path)) return tensors_of_onnx(path);
  if (path.ends_with(".pt2")) return tensors_of_pt2(path);
  if (path.ends_with(".safetensors")) return tensors_of_safetensors(path);
  FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> bytes, Storage::map_file(path));
  if (!is_state_file(*bytes)) return read_safetensors(path);
  FX_ASSIGN_OR_RETURN(StateDict state, read_state_dict(path));
  Safetensors file;
  file.tensors = std::move(state.tensors);
  return file;
}

absl::StatusOr<StateDict> read_state_file(const std::string& path) {
  bool is_other =
      path.ends_with(".npz") || path.ends_with(".pt2") || path.ends_with(".safetensors");
  if (!is_other) {
    FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> bytes, Storage::map_file(path));
    is_other = !is_state_file(*bytes);
  }
  if (!is_other) return read_state_dict(path);
  FX_ASSIGN_OR_RETURN(Safetensors file, read_tensor_file(path));
  StateDict state;
  state.tensors = std::move(file.tensors);
  return state;
}

}  // namespace fx
