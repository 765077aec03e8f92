// Reads tensors whose data is in a separate file.
#include "fx/importers/onnx/read/reader_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <filesystem>
#include <system_error>

namespace fx::onnx::reader {
namespace {

/// Returns the path of a file in the folder or a subfolder. A path or a link that leads outside is
/// an error.
absl::StatusOr<std::string> path_inside(const std::string& folder, std::string_view location) {
  namespace fs = std::filesystem;
  const fs::path relative(location);
  bool is_inside = !location.empty() && !relative.is_absolute();
  for (const fs::path& part : relative) is_inside &= part != "..";
  std::error_code error;
  const fs::path path = fs::path(folder) / relative;
  if (is_inside) {
    const fs::path real = fs::weakly_canonical(path, error);
    const fs::path real_folder = error ? fs::path() : fs::weakly_canonical(folder, error);
    const fs::path back = error ? fs::path() : real.lexically_relative(real_folder);
    is_inside = !error && !back.empty() && *back.begin() != "..";
  }
  if (is_inside) return path.string();
  return absl::InvalidArgumentError(fmt::format(
      "its data is in \"{}\", which is outside the folder of the model", location.substr(0, 200)));
}

}  // namespace

absl::StatusOr<Tensor> Reader::external_tensor(const TensorProto& proto) {
  if (options_.folder.empty()) {
    return absl::InvalidArgumentError(
        "its data is in a separate file; read the model with read_onnx, or set "
        "OnnxReadOptions::folder");
  }
  FX_ASSIGN_OR_RETURN(const std::string path, path_inside(options_.folder, proto.location));
  const DType dtype = dtype_of(proto.type);
  FX_ASSIGN_OR_RETURN(const uint64_t size, tensor_bytes(dtype, proto.dims));
  if (proto.length.has_value() && *proto.length != size) {
    return absl::InvalidArgumentError(
        fmt::format("its sizes require {} bytes, but its data has {}", size, *proto.length));
  }
  if (size == 0) return Tensor::zeros(dtype, proto.dims);
  std::shared_ptr<Storage>& file = files_[path];
  if (file == nullptr) {
    FX_ASSIGN_OR_RETURN(file, Storage::map_file(path));
  }
  if (proto.offset > file->num_bytes() || size > file->num_bytes() - proto.offset) {
    return absl::InvalidArgumentError(
        fmt::format("its {} bytes at offset {} exceed the {} bytes of {}", size, proto.offset,
                    file->num_bytes(), path));
  }
  std::shared_ptr<Storage> part = Storage::part(file, proto.offset, size);
  if (reinterpret_cast<uintptr_t>(part->data()) % static_cast<size_t>(dtype_item_size(dtype)) !=
      0) {
    FX_ASSIGN_OR_RETURN(part, Storage::copy_of({part->data(), part->num_bytes()}));
  }
  return Tensor::create(dtype, proto.dims, std::move(part));
}

absl::StatusOr<Tensor> Reader::tensor_of(const TensorProto& proto) {
  const auto about = [&](const absl::Status& status) {
    return with_context(status, fmt::format("tensor \"{}\"", proto.name.substr(0, 200)));
  };
  if (dtype_of(proto.type) == DType::kUndefined) {
    return about(absl::UnimplementedError(
        fmt::format("{} elements are not supported", data_type_name(proto.type))));
  }
  if (!proto.is_external) return proto.tensor;
  absl::StatusOr<Tensor> tensor = external_tensor(proto);
  if (!tensor.ok()) return about(tensor.status());
  return tensor;
}

}  // namespace fx::onnx::reader
