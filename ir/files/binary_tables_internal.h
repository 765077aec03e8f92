// Reads the tables of `.fxb` files and the values outside graphs.
#pragma once

#include "fx/ir/files/binary_internal.h"
#include "fx/ir/graph/argument.h"
#include "fx/ir/graph/context.h"

#include "absl/status/status.h"
#include "fmt/format.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

namespace fx::binary {

/// Reads numbers from bytes. After the first failure, all reads return 0 and failed() is true.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes)
      : begin_(bytes.data()), at_(begin_), end_(begin_ + bytes.size()) {}

  size_t left() const { return static_cast<size_t>(end_ - at_); }
  bool failed() const { return failed_; }

  uint8_t byte() {
    if (at_ == end_) return fail();
    return static_cast<uint8_t>(*at_++);
  }
  uint64_t number() {
    if (at_ != end_ && static_cast<uint8_t>(*at_) < 0x80) return static_cast<uint8_t>(*at_++);
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) return fail();
      const uint64_t part = static_cast<uint8_t>(*at_++);
      value |= (part & 0x7f) << shift;
      if (part < 0x80) return shift == 63 && part > 1 ? fail() : value;
    }
    return fail();
  }
  /// A number less than `bound`.
  uint32_t index(uint64_t bound) {
    const uint64_t value = number();
    return value < bound ? static_cast<uint32_t>(value) : fail();
  }
  /// The number of items that follow, each of which occupies at least `bytes` bytes.
  uint32_t count(size_t bytes = 1) {
    const uint64_t value = number();
    return value <= left() / bytes && value <= UINT32_MAX / 4 ? static_cast<uint32_t>(value)
                                                              : fail();
  }
  void skip(size_t bytes) {
    if (bytes > left()) {
      fail();
    } else {
      at_ += bytes;
    }
  }
  /// A number stored in `bytes` bytes, at most 8.
  uint64_t fixed(int bytes) {
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= uint64_t{byte()} << (8 * i);
    return value;
  }
  std::string_view text() {
    const size_t size = count();
    const std::string_view result(at_, size);
    at_ += size;
    return result;
  }
  uint8_t fail() {
    if (!failed_) failed_at_ = offset();
    failed_ = true;
    at_ = end_;
    return 0;
  }
  /// The offset of the next byte; after a failure, the offset at which the first failed read ended.
  size_t offset() const { return failed_ ? failed_at_ : static_cast<size_t>(at_ - begin_); }

 private:
  const char* begin_;
  const char* at_;
  const char* end_;
  bool failed_ = false;
  size_t failed_at_ = 0;
};

/// Reads the tables at the start of a file, and values that refer to them.
class TableReader {
 protected:
  TableReader(Context& context, std::string_view bytes) : context_(context), in_(bytes) {}

  absl::Status damaged(std::string_view what) const {
    return absl::InvalidArgumentError(
        fmt::format("this .fxb file is corrupted at byte {}: {}", in_.offset(), what));
  }
  absl::Status check() const {
    if (!in_.failed()) return absl::OkStatus();
    return damaged("a number is out of range, or the file is truncated");
  }

  absl::Status read_tables();
  Symbol read_string() {
    const uint32_t i = in_.index(strings_.size());
    return in_.failed() ? Symbol() : strings_[i];
  }
  const TypeData* read_type() {
    const uint32_t i = in_.index(types_.size() + 1);
    return i == 0 ? nullptr : types_[i - 1].data();
  }

  /// A metadata value, which contains no nodes.
  absl::Status read_value(int depth, Argument* value);

  /// Reads the payload of a constant that a cell or an Argument stores in 64 bits. Returns false on
  /// failure.
  bool read_leaf(ArgumentKind kind, int64_t* bits) {
    switch (kind) {
      case ArgumentKind::kNone:
      case ArgumentKind::kEllipsis:
        break;
      case ArgumentKind::kBool:
        *bits = in_.index(2);
        break;
      case ArgumentKind::kInt:
        *bits = binary::unzigzag(in_.number());
        break;
      case ArgumentKind::kFloat:
        *bits = static_cast<int64_t>(in_.fixed(8));
        break;
      case ArgumentKind::kDType:
        *bits = in_.index(kNumDTypes + 1);
        break;
      case ArgumentKind::kLayout:
        *bits = in_.index(kNumLayouts);
        break;
      case ArgumentKind::kMemoryFormat:
        *bits = in_.index(kNumMemoryFormats);
        break;
      case ArgumentKind::kDevice: {
        const std::optional<Device> device = device_from_name(read_string().str());
        if (!device) return in_.fail();
        std::memcpy(bits, &*device, sizeof *device);
        break;
      }
      case ArgumentKind::kSymbolic: {
        const uint32_t i = in_.index(exprs_.size());
        if (!in_.failed()) *bits = std::bit_cast<int64_t>(exprs_[i].data());
        break;
      }
      case ArgumentKind::kType:
        *bits = std::bit_cast<int64_t>(read_type());
        break;
      case ArgumentKind::kFunction: {
        const uint32_t i = in_.index(functions_.size());
        if (!in_.failed()) *bits = std::bit_cast<int64_t>(functions_[i].data());
        break;
      }
      default:
        return in_.fail();
    }
    return !in_.failed();
  }

  Context& context_;
  Cursor in_;
  std::vector<Symbol> strings_;
  std::vector<Target> functions_;
  std::vector<Type> types_;
  std::vector<SymExpr> exprs_;

 private:
  absl::Status read_aggregate(ArgumentKind kind, int depth, Argument* value);
};

}  // namespace fx::binary
