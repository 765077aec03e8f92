// Small .pt2 archives for tests; valid, or deliberately corrupted.
#pragma once

#include "fx/importers/pt2/pt2.h"
#include "fx/ir/module/tensor.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "absl/types/span.h"

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fx::testing {

/// An entry of a ZIP archive. The fields after `data` override the correct values.
struct ZipPart {
  std::string name;
  std::string data;  ///< as stored in the file
  uint16_t method = 0;
  uint16_t flags = 0;
  int64_t size = -1;            ///< unpacked size; -1: the size of the data
  int64_t crc = -1;             ///< checksum; -1: the checksum of the data
  int64_t offset = -1;          ///< offset of the header in the directory; -1: the correct one
  std::string local_name = {};  ///< name in the local header; empty: `name`
  bool only_listed = false;     ///< the entry is in the directory, but not in the file
};

inline void append_number(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)  // bytes after the eighth are zero
    out.push_back(i < 8 ? static_cast<char>(value >> (8 * i) & 0xff) : char{});
}

inline uint32_t crc_of(std::string_view data) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

/// Returns the bytes of an archive. The data of each entry is aligned to 8 bytes.
inline std::string zip_of(const std::vector<ZipPart>& parts) {
  std::string out, directory;
  for (const ZipPart& part : parts) {
    const uint64_t size = part.size < 0 ? part.data.size() : static_cast<uint64_t>(part.size);
    const uint64_t crc = part.crc < 0 ? crc_of(part.data) : static_cast<uint64_t>(part.crc);
    const std::string& local_name = part.local_name.empty() ? part.name : part.local_name;
    const uint64_t header = part.offset < 0 ? out.size() : static_cast<uint64_t>(part.offset);
    if (!part.only_listed) {
      append_number(out, 0x04034b50, 4);
      append_number(out, 20, 2);
      append_number(out, part.flags, 2);
      append_number(out, part.method, 2);
      append_number(out, 0, 4);
      append_number(out, crc, 4);
      append_number(out, part.data.size(), 4);
      append_number(out, size, 4);
      append_number(out, local_name.size(), 2);
      const size_t extra = (8 - (out.size() + 2 + local_name.size()) % 8) % 8 + 8;
      append_number(out, extra, 2);
      out += local_name;
      append_number(out, 0x4246, 2);
      append_number(out, extra - 4, 2);
      out.append(extra - 4, 'Z');
      out += part.data;
    }
    append_number(directory, 0x02014b50, 4);
    append_number(directory, 20, 2);
    append_number(directory, 20, 2);
    append_number(directory, part.flags, 2);
    append_number(directory, part.method, 2);
    append_number(directory, 0, 4);
    append_number(directory, crc, 4);
    append_number(directory, part.data.size(), 4);
    append_number(directory, size, 4);
    append_number(directory, part.name.size(), 2);
    append_number(directory, 0, 12);
    append_number(directory, header, 4);
    directory += part.name;
  }
  const size_t start = out.size();
  out += directory;
  append_number(out, 0x06054b50, 4);
  append_number(out, 0, 4);
  append_number(out, parts.size(), 2);
  append_number(out, parts.size(), 2);
  append_number(out, directory.size(), 4);
  append_number(out, start, 4);
  append_number(out, 0, 2);
  return out;
}

inline std::shared_ptr<Storage> storage_of(std::string_view bytes) {
  absl::StatusOr<std::shared_ptr<Storage>> storage = Storage::copy_of(
      absl::MakeConstSpan(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()));
  FX_CHECK_OK(storage);
  return *std::move(storage);
}

inline constexpr std::string_view kSmallMeta =
    R"({"dtype": 7, "sizes": [{"as_int": 2}], "requires_grad": false,
        "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 1}],
        "storage_offset": {"as_int": 0}, "layout": 7})";

/// Returns the program relu(x + w), where x and w have two float elements and w is [1.5, -2].
inline std::vector<ZipPart> small_program() {
  const std::string meta(kSmallMeta);
  const std::string model =
      R"({"graph_module": {"graph": {"inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}],
  "outputs": [{"as_tensor": {"name": "relu"}}],
  "nodes": [{"target": "torch.ops.aten.add.Tensor", "inputs": [
      {"name": "self", "arg": {"as_tensor": {"name": "x"}}, "kind": 1},
      {"name": "other", "arg": {"as_tensor": {"name": "p_w"}}, "kind": 1}],
      "outputs": [{"as_tensor": {"name": "add"}}], "metadata": {}, "name": "add"},
    {"target": "torch.ops.aten.relu.default", "inputs": [
      {"name": "self", "arg": {"as_tensor": {"name": "add"}}, "kind": 1}],
      "outputs": [{"as_tensor": {"name": "relu"}}], "metadata": {}, "name": "relu"}],
  "tensor_values": {"p_w": )" +
      meta + R"(, "x": )" + meta + R"(, "add": )" + meta + R"(, "relu": )" + meta +
      R"(}, "sym_int_values": {}, "sym_bool_values": {}},
  "signature": {"input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "layer.w"}},
      {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
    "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": "relu"}}}}]},
  "module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": "[]", "out_spec": "[]"}}],
  "metadata": {}},
 "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20},
 "verifiers": ["ATEN"], "torch_version": "2.13.0"})";
  std::string weight;
  for (const float value : {1.5F, -2.0F}) {
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    weight.append(bytes, 4);
  }
  return {
      {"m/data/weights/weight_0", weight},
      {"m/data/weights/model_weights_config.json",
       R"({"config": {"layer.w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": )" +
           meta + "}}}"},
      {"m/data/constants/model_constants_config.json", R"({"config": {}})"},
      {"m/models/model.json", model},
      {"m/data/sample_inputs/model.pt", ""},
      {"m/archive_format", "pt2"},
      {"m/archive_version", "0"},
      {"m/.data/version", "6\n"},
      {"m/byteorder", "little"}};
}

inline ZipPart& part_of(std::vector<ZipPart>& parts, std::string_view name) {
  for (ZipPart& part : parts)
    if (part.name == name) return part;
  FX_CHECK(false, "the program must have the entry");
  return parts[0];
}

/// Returns the program with the first occurrence of a string in an entry replaced.
inline std::vector<ZipPart> with_text(std::string_view entry, std::string_view from,
                                      std::string_view to) {
  std::vector<ZipPart> parts = small_program();
  std::string& data = part_of(parts, entry).data;
  const size_t position = data.find(from);
  FX_CHECK(position != std::string::npos, "the entry must have the text");
  data.replace(position, from.size(), to);
  return parts;
}

}  // namespace fx::testing
