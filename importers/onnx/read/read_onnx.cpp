#include "fx/importers/onnx/read_onnx.h"

#include "fx/importers/onnx/read/reader_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <filesystem>

namespace fx {

absl::StatusOr<std::unique_ptr<GraphModule>> parse_onnx(Context& context,
                                                        std::shared_ptr<Storage> bytes,
                                                        const OnnxReadOptions& options) {
  FX_ASSIGN_OR_RETURN(const onnx::ModelProto model, onnx::decode(std::move(bytes)));
  return onnx::reader::Reader(context, model, options).read();
}

absl::StatusOr<std::unique_ptr<GraphModule>> read_onnx(Context& context, const std::string& path,
                                                       const OnnxReadOptions& options) {
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, Storage::map_file(path));
  OnnxReadOptions options_with_folder = options;
  if (options_with_folder.folder.empty()) {
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    options_with_folder.folder = folder.empty() ? std::string(1, '.') : folder.string();
  }
  absl::StatusOr<std::unique_ptr<GraphModule>> module =
      parse_onnx(context, std::move(bytes), options_with_folder);
  if (!module.ok()) return with_context(module.status(), path);
  return module;
}

absl::StatusOr<Tensor> read_onnx_tensor(const std::string& path) {
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, Storage::map_file(path));
  absl::StatusOr<onnx::TensorProto> proto = onnx::decode_tensor(std::move(bytes));
  if (!proto.ok()) return with_context(proto.status(), path);
  if (proto->tensor.defined()) return proto->tensor;
  return absl::UnimplementedError(
      fmt::format("{}: {} elements are not supported", path, onnx::data_type_name(proto->type)));
}

bool is_onnx_file(std::string_view path) { return path.ends_with(".onnx"); }

}  // namespace fx
