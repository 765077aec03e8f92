// Reads tensors and checks that they have the number of bytes that their sizes require.
#include "fx/importers/onnx/model/decoder_internal.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <utility>

namespace fx::onnx {

std::pair<std::string_view, std::string_view> Decoder::entry(std::string_view bytes) {
  std::pair<std::string_view, std::string_view> to;
  read("StringStringEntryProto", bytes, [&](const Field& field) {
    if (field.number == 1) to.first = text(field);
    if (field.number == 2) to.second = text(field);
  });
  return to;
}

void Decoder::external_entry(std::string_view bytes, TensorProto& to) {
  const auto [key, value] = entry(bytes);
  if (key == "location") to.location = value;
  if (key != "offset" && key != "length") return;
  uint64_t number = 0;
  if (!absl::SimpleAtoi(absl::string_view(value.data(), value.size()), &number)) {
    return fail(fmt::format("the {} of external data must be a number, not \"{}\"", key,
                            value.substr(0, 40)),
                bytes.data());
  }
  if (key == "offset") {
    to.offset = number;
  } else {
    to.length = number;
  }
}

namespace {

void append_bytes(std::string& to, const void* bytes, size_t size) {
  to.append(static_cast<const char*>(bytes), size);
}

/// Appends an element, the low bytes of a number in a typed field.
void append_element(std::string& to, DType dtype, uint64_t value) {
  append_bytes(to, &value, static_cast<size_t>(dtype_item_size(dtype)));
}

}  // namespace

void Decoder::tensor(std::string_view bytes, TensorProto& to) {
  std::string_view raw;
  bool has_raw = false;
  // Typed fields may come before the element type. They are read after all other fields.
  std::vector<Field> typed;
  read("TensorProto", bytes, [&](const Field& field) {
    switch (field.number) {
      case 1:
        return numbers(field, kVarintWire,
                       [&](uint64_t dim) { to.dims.push_back(static_cast<int64_t>(dim)); });
      case 2:
        to.type = static_cast<DataType>(static_cast<int32_t>(number(field)));
        return;
      case 3:
        return fail("tensors in segments are not supported", bytes.data());
      case 4:
      case 5:
      case 7:
      case 10:
      case 11:
        typed.push_back(field);
        return;
      case 8:
        to.name = text(field);
        return;
      case 9:
        raw = text(field);
        has_raw = true;
        return;
      case 13:
        return external_entry(text(field), to);
      case 14:
        to.is_external = number(field) == 1;
        return;
      default:
        return;
    }
  });
  const DType dtype = dtype_of(to.type);
  std::string elements;
  uint64_t count = 0;
  for (const Field& field : typed) {
    if (dtype == DType::kUndefined) break;
    const bool is_float = field.number == 4, is_double = field.number == 10;
    const DType item = is_float ? DType::kFloat32 : is_double ? DType::kFloat64 : dtype;
    const bool fits =
        is_float    ? dtype == DType::kFloat32 || dtype == DType::kComplex64
        : is_double ? dtype == DType::kFloat64 || dtype == DType::kComplex128
                    : !is_complex(dtype) && dtype != DType::kFloat32 && dtype != DType::kFloat64;
    if (!fits) {
      return fail(
          fmt::format("field {} is not valid for {}", field.number, data_type_name(to.type)),
          bytes.data());
    }
    const int wire = is_float ? kFixed32Wire : is_double ? kFixed64Wire : kVarintWire;
    message_ = "TensorProto";
    numbers(field, wire, [&](uint64_t value) {
      append_element(elements, item, value);
      ++count;
    });
  }
  finish_tensor(to, raw, has_raw, elements, count);
}

/// Checks the number of bytes against the sizes, and sets the tensor.
void Decoder::finish_tensor(TensorProto& to, std::string_view raw, bool has_raw,
                            std::string_view typed, uint64_t num_typed) {
  if (failed()) return;
  const DType dtype = dtype_of(to.type);
  const auto about = [&](std::string_view why) {
    status_ = absl::InvalidArgumentError(fmt::format("tensor \"{}\": {}", to.name, why));
  };
  const absl::StatusOr<uint64_t> size =
      tensor_bytes(dtype == DType::kUndefined ? DType::kUInt8 : dtype, to.dims);
  if (!size.ok()) return about(std::string(size.status().message()));
  // The reader of the call that uses the tensor reports unsupported element types.
  if (to.is_external || dtype == DType::kUndefined) return;
  if (has_raw && num_typed > 0) return about("it has both raw_data and a field of typed elements");
  const std::string_view bytes = has_raw ? raw : typed;
  if (bytes.size() != *size) {
    return about(
        fmt::format("its sizes require {}, but it has {}", pluralize(*size, "byte"), bytes.size()));
  }
  std::shared_ptr<Storage> storage;
  const bool is_aligned =
      reinterpret_cast<uintptr_t>(bytes.data()) % static_cast<size_t>(dtype_item_size(dtype)) == 0;
  if (has_raw && is_aligned && !bytes.empty()) {
    storage = Storage::part(file_, static_cast<size_t>(bytes.data() - all_.data()), bytes.size());
  } else {
    absl::StatusOr<std::shared_ptr<Storage>> copy =
        Storage::copy_of({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
    if (!copy.ok()) {
      status_ = copy.status();
      return;
    }
    storage = *std::move(copy);
  }
  absl::StatusOr<Tensor> created = Tensor::create(dtype, to.dims, std::move(storage));
  if (!created.ok()) return about(std::string(created.status().message()));
  to.tensor = *std::move(created);
}

absl::StatusOr<TensorProto> Decoder::single_tensor() {
  TensorProto to;
  tensor(all_, to);
  FX_RETURN_IF_ERROR(status_);
  return to;
}

absl::StatusOr<TensorProto> decode_tensor(std::shared_ptr<Storage> file) {
  return Decoder(std::move(file)).single_tensor();
}

}  // namespace fx::onnx
