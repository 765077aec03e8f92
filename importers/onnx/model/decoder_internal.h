// Decoder: reads the messages of an ONNX model (decode.cpp, decode_tensor.cpp).
#pragma once

#include "fx/importers/onnx/model/model_internal.h"
#include "fx/ir/support/pluralize.h"

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "fmt/format.h"

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fx::onnx {

inline constexpr int kVarintWire = 0, kFixed64Wire = 1, kLengthWire = 2, kFixed32Wire = 5;

struct Field {
  uint64_t number = 0;
  int wire = 0;
  uint64_t value = 0;      // if the field is a number
  std::string_view bytes;  // if the field has a length
};

/// Splits a message into fields.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : rest_(bytes) {}

  /// Returns false at the end of the message and for a malformed field, which error() then
  /// describes.
  bool next(Field& field) {
    if (rest_.empty()) return false;
    uint64_t key = 0;
    if (!varint(key)) return fail("a field has no key");
    field.number = key >> 3;
    field.wire = static_cast<int>(key & 7);
    if (field.number == 0) return fail("a field has the number 0");
    switch (field.wire) {
      case kVarintWire:
        return varint(field.value) || fail("a number is malformed");
      case kFixed64Wire:
        return fixed(8, field.value);
      case kFixed32Wire:
        return fixed(4, field.value);
      case kLengthWire: {
        uint64_t length = 0;
        if (!varint(length)) return fail("a length is malformed");
        if (length > rest_.size()) {
          return fail(fmt::format("a field of {} does not fit in the {} remaining bytes",
                                  pluralize(length, "byte"), rest_.size()));
        }
        field.bytes = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return true;
      }
      default:
        return fail(fmt::format("wire type {} is not valid", field.wire));
    }
  }

  bool varint(uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) return false;
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) return true;
    }
    return false;
  }
  bool fixed(size_t size, uint64_t& value) {
    if (rest_.size() < size) return fail("a number is truncated");
    value = 0;
    for (size_t i = 0; i < size; ++i) value |= uint64_t{static_cast<uint8_t>(rest_[i])} << (8 * i);
    rest_.remove_prefix(size);
    return true;
  }

  bool at_end() const { return rest_.empty(); }
  const char* position() const { return rest_.data(); }
  const std::string& error() const { return error_; }

 private:
  bool fail(std::string_view why) {
    error_ = why;
    return false;
  }
  std::string_view rest_;
  std::string error_;
};

inline float float_of(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

class Decoder {
 public:
  explicit Decoder(std::shared_ptr<Storage> file)
      : file_(std::move(file)),
        all_(reinterpret_cast<const char*>(file_->data()), file_->num_bytes()) {}

  absl::StatusOr<ModelProto> model();
  absl::StatusOr<TensorProto> single_tensor();

 private:
  // Each function reads one message. After an error, the functions have no effect.
  template <class Visit>
  void read(std::string_view what, std::string_view bytes, Visit&& visit);
  void graph(std::string_view bytes, GraphProto& to);
  void function(std::string_view bytes, FunctionProto& to);
  void node(std::string_view bytes, NodeProto& to);
  void attribute(std::string_view bytes, AttributeProto& to);
  void tensor(std::string_view bytes, TensorProto& to);
  void value_info(std::string_view bytes, ValueInfoProto& to);
  void type(std::string_view bytes, ValueInfoProto& to);
  void tensor_type(std::string_view bytes, ValueInfoProto& to);
  void dimension(std::string_view bytes, Dimension& to);
  void opset(std::string_view bytes, std::vector<std::pair<std::string, int64_t>>& to);
  std::pair<std::string_view, std::string_view> entry(std::string_view bytes);
  void external_entry(std::string_view bytes, TensorProto& to);
  void finish_tensor(TensorProto& to, std::string_view raw, bool has_raw, std::string_view typed,
                     uint64_t num_typed);
  bool expect(const Field& field, int wire);
  std::string_view text(const Field& field) {
    return expect(field, kLengthWire) ? field.bytes : std::string_view();
  }
  int64_t number(const Field& field) {
    return expect(field, kVarintWire) ? static_cast<int64_t>(field.value) : 0;
  }
  /// Calls `visit` for each number of a repeated field, packed or not.
  template <class Visit>
  void numbers(const Field& field, int wire, Visit&& visit);

  void fail(std::string_view why, const char* position);
  bool failed() const { return !status_.ok(); }

  std::shared_ptr<Storage> file_;
  std::string_view all_;
  std::string_view message_;  // the name of the message that is being read
  absl::Status status_;
  int depth_ = 0;
};

template <class Visit>
void Decoder::read(std::string_view what, std::string_view bytes, Visit&& visit) {
  if (failed()) return;
  const std::string_view outer = std::exchange(message_, what);
  Fields fields(bytes);
  Field field;
  while (!failed() && fields.next(field)) visit(field);
  if (!failed() && !fields.error().empty()) fail(fields.error(), fields.position());
  message_ = outer;
}

template <class Visit>
void Decoder::numbers(const Field& field, int wire, Visit&& visit) {
  if (field.wire != kLengthWire) {
    if (expect(field, wire)) visit(field.value);
    return;
  }
  Fields items(field.bytes);
  while (!items.at_end()) {
    uint64_t value = 0;
    const bool ok = wire == kVarintWire    ? items.varint(value)
                    : wire == kFixed32Wire ? items.fixed(4, value)
                                           : items.fixed(8, value);
    if (!ok)
      return fail(fmt::format("field {}: a number is malformed", field.number), items.position());
    visit(value);
  }
}

}  // namespace fx::onnx
