// Reads .npz files: see npz.h. numpy.lib.format documents .npy files: "\x93NUMPY", a two-byte
// version, the length of the header, the header, and the elements. The header is a Python dict such
// as {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }.
#include "fx/importers/pt2/archive/npz.h"

#include "fx/importers/pt2/archive/zip_internal.h"
#include "fx/ir/support/status.h"
#include "fx/ir/support/text_cursor.h"

#include "fmt/format.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fx {
namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr size_t kNpyAlignment = 8;
constexpr size_t kMaxNpyRank = 64;

struct NpyHeader {
  DType dtype = DType::kUndefined;
  bool is_fortran = false;
  std::vector<int64_t> sizes;
};

absl::Status bad_npy(std::string_view what) {
  return absl::InvalidArgumentError(std::string(what));
}

/// Returns the DType for NumPy's description of a dtype: byte order, kind and size.
std::optional<DType> dtype_of_descr(std::string_view descr) {
  constexpr std::pair<std::string_view, DType> kDescrs[] = {
      {"|b1", DType::kBool},      {"|i1", DType::kInt8},       {"|u1", DType::kUInt8},
      {"<i2", DType::kInt16},     {"<i4", DType::kInt32},      {"<i8", DType::kInt64},
      {"<u2", DType::kUInt16},    {"<u4", DType::kUInt32},     {"<u8", DType::kUInt64},
      {"<f2", DType::kFloat16},   {"<f4", DType::kFloat32},    {"<f8", DType::kFloat64},
      {"<c8", DType::kComplex64}, {"<c16", DType::kComplex128}};
  for (const auto& [text, dtype] : kDescrs)
    if (text == descr) return dtype;
  return std::nullopt;
}

/// Reads a quoted string at the cursor.
absl::StatusOr<std::string_view> npy_string(internal::TextCursor& cursor) {
  if (!cursor.consume("'")) return cursor.error("expected a string");
  const std::string_view text = cursor.remaining();
  const size_t end = text.find('\'');
  if (end == text.npos) return cursor.error("a string has no closing quote");
  cursor.set_position(cursor.position() + end + 1);
  return text.substr(0, end);
}

absl::Status read_npy_shape(internal::TextCursor& cursor, std::vector<int64_t>& sizes) {
  if (!cursor.consume("(")) return cursor.error("expected the shape");
  while (!cursor.consume(")")) {
    FX_ASSIGN_OR_RETURN(const int64_t size, cursor.integer());
    if (size < 0 || sizes.size() == kMaxNpyRank) return cursor.error("the shape is out of range");
    sizes.push_back(size);
    if (!cursor.consume(",") && cursor.peek() != ')') return cursor.error("expected ',' or ')'");
  }
  return absl::OkStatus();
}

absl::StatusOr<NpyHeader> parse_npy_header(std::string_view text) {
  internal::TextCursor cursor(text);
  NpyHeader header;
  if (!cursor.consume("{")) return cursor.error("expected '{'");
  while (!cursor.consume("}")) {
    FX_ASSIGN_OR_RETURN(const std::string_view key, npy_string(cursor));
    if (!cursor.consume(":")) return cursor.error("expected ':'");
    if (key == "descr") {
      FX_ASSIGN_OR_RETURN(const std::string_view descr, npy_string(cursor));
      const std::optional<DType> dtype = dtype_of_descr(descr);
      if (!dtype) return bad_npy(fmt::format("elements of type \"{}\" are not supported", descr));
      header.dtype = *dtype;
    } else if (key == "fortran_order") {
      const std::string_view word = cursor.word();
      if (word != "True" && word != "False") return cursor.error("expected True or False");
      header.is_fortran = word == "True";
    } else if (key == "shape") {
      FX_RETURN_IF_ERROR(read_npy_shape(cursor, header.sizes));
    } else {
      return cursor.error(fmt::format("the key \"{}\" is unknown", key));
    }
    if (!cursor.consume(",") && cursor.peek() != '}') return cursor.error("expected ',' or '}'");
  }
  if (header.dtype == DType::kUndefined) return cursor.error("the dtype (descr) is missing");
  return header;
}

/// Returns column-major strides: the first index varies fastest.
absl::StatusOr<std::vector<int64_t>> fortran_strides(absl::Span<const int64_t> sizes) {
  std::vector<int64_t> reversed(sizes.rbegin(), sizes.rend());
  FX_ASSIGN_OR_RETURN(std::vector<int64_t> strides, contiguous_strides(reversed));
  std::reverse(strides.begin(), strides.end());
  return strides;
}

absl::StatusOr<Tensor> parse_npy(const std::shared_ptr<Storage>& file) {
  const std::string_view bytes = pt2::text_of(*file);
  if (bytes.size() < 12 || !bytes.starts_with(kNpyMagic)) return bad_npy("not a .npy file");
  const bool is_long = bytes[6] > 1;  // version 2 and later
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<uint8_t>(bytes[i])); };
  const size_t start = is_long ? 12 : 10;
  const size_t length = byte(8) | byte(9) << 8 | (is_long ? byte(10) << 16 | byte(11) << 24 : 0);
  if (length > bytes.size() - start) return bad_npy("its header ends outside the file");
  FX_ASSIGN_OR_RETURN(const NpyHeader header, parse_npy_header(bytes.substr(start, length)));
  const size_t data = start + length;
  std::shared_ptr<Storage> storage = Storage::part(file, data, bytes.size() - data);
  if (reinterpret_cast<uintptr_t>(storage->data()) % kNpyAlignment != 0) {
    FX_ASSIGN_OR_RETURN(storage, Storage::copy_of({storage->data(), storage->num_bytes()}));
  }
  if (!header.is_fortran) return Tensor::create(header.dtype, header.sizes, std::move(storage));
  FX_ASSIGN_OR_RETURN(const std::vector<int64_t> strides, fortran_strides(header.sizes));
  return Tensor::create_strided(header.dtype, header.sizes, strides, 0, std::move(storage));
}

absl::StatusOr<OrderedMap<Tensor>> parse_npz(std::shared_ptr<Storage> bytes) {
  FX_ASSIGN_OR_RETURN(const pt2::ZipArchive archive, pt2::ZipArchive::parse(std::move(bytes)));
  OrderedMap<Tensor> arrays;
  for (const pt2::ZipEntry& entry : archive.entries()) {
    FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> file, archive.read(entry));
    absl::StatusOr<Tensor> array = parse_npy(file);
    if (!array.ok()) return with_context(array.status(), pt2::describe_entry(entry.name));
    std::string_view name = entry.name;
    if (name.ends_with(".npy")) name.remove_suffix(4);
    if (arrays.contains(name))
      return bad_npy(fmt::format("duplicate array \"{}\"", name.substr(0, 200)));
    arrays.set(name, *std::move(array));
  }
  return arrays;
}

}  // namespace

absl::StatusOr<OrderedMap<Tensor>> read_npz(const std::string& path) {
  FX_ASSIGN_OR_RETURN(std::shared_ptr<Storage> bytes, Storage::map_file(path));
  absl::StatusOr<OrderedMap<Tensor>> arrays = parse_npz(std::move(bytes));
  if (!arrays.ok()) return with_context(arrays.status(), path);
  return arrays;
}

}  // namespace fx
