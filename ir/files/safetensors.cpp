// Reads safetensors files.
#include "fx/ir/files/safetensors.h"

#include "fx/ir/files/safetensors_internal.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace fx {

namespace safetensors {

std::string in_quotes(std::string_view name) {
  constexpr size_t kShown = 200;
  return name.size() <= kShown ? fmt::format("\"{}\"", name)
                               : fmt::format("\"{}...\"", name.substr(0, kShown));
}

}  // namespace safetensors

namespace {

using safetensors::in_quotes;
using safetensors::kDTypes;
using safetensors::kMetadataKey;
using safetensors::NamedDType;

absl::Status bad_file(std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("not a safetensors file: {}", what));
}

/// One tensor of the header.
struct HeaderEntry {
  DType dtype = DType::kUndefined;  // set when it has been read
  bool has_sizes = false;
  bool has_range = false;
  std::vector<int64_t> sizes;
  uint64_t begin = 0, end = 0;  // in bytes after the header
};

struct Header {
  OrderedMap<HeaderEntry> tensors;
  OrderedMap<std::string> metadata;
};

/// Receives the events of the JSON parser: no tree is built, and depth is bounded by the format.
class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(Header& header) : header_(header) {}

  std::string error;

  bool start_object(size_t) override {
    switch (at_) {
      case At::kStart:
        at_ = At::kNames;
        return true;
      case At::kEntry:
        at_ = At::kFields;
        return true;
      case At::kMetadata:
        at_ = At::kMetadataKeys;
        return true;
      default:
        return unexpected("object");
    }
  }
  bool key(string_t& name) override {
    switch (at_) {
      case At::kNames:
        if (name == kMetadataKey) {
          if (has_metadata_) return fail(fmt::format("duplicate key {}", kMetadataKey));
          has_metadata_ = true;
          at_ = At::kMetadata;
          return true;
        }
        if (header_.tensors.contains(name)) return fail("duplicate tensor " + in_quotes(name));
        name_ = name;
        entry_ = &header_.tensors.set(name, {});
        at_ = At::kEntry;
        return true;
      case At::kMetadataKeys:
        if (header_.metadata.contains(name))
          return fail(fmt::format("duplicate key {} in {}", in_quotes(name), kMetadataKey));
        name_ = name;
        at_ = At::kMetadataValue;
        return true;
      default:
        return field(name);
    }
  }
  bool end_object() override {
    if (at_ == At::kFields) {
      if (entry_->dtype == DType::kUndefined || !entry_->has_sizes || !entry_->has_range)
        return fail(in_quotes(name_) + " lacks dtype, shape or data_offsets");
      at_ = At::kNames;
    } else {
      at_ = at_ == At::kMetadataKeys ? At::kNames : At::kEnd;
    }
    return true;
  }
  bool string(string_t& text) override {
    if (at_ == At::kMetadataValue) {
      header_.metadata.set(name_, std::move(text));
      at_ = At::kMetadataKeys;
      return true;
    }
    if (at_ != At::kDType) return unexpected("string");
    for (const NamedDType& known : kDTypes)
      if (known.name == text) entry_->dtype = known.dtype;
    if (entry_->dtype == DType::kUndefined)
      return fail(fmt::format("{} has the unknown dtype {}", in_quotes(name_), in_quotes(text)));
    at_ = At::kFields;
    return true;
  }
  bool start_array(size_t) override {
    if (at_ != At::kShape && at_ != At::kOffsets) return unexpected("list");
    if (in_list_) return unexpected("nested list");
    in_list_ = true;
    numbers_.clear();
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (!in_list_) return unexpected("number");
    if (value > INT64_MAX)
      return fail(in_quotes(name_) + " has a number that does not fit in 63 bits");
    numbers_.push_back(static_cast<int64_t>(value));
    return true;
  }
  bool end_array() override {
    in_list_ = false;
    if (at_ == At::kShape) {
      entry_->sizes = std::move(numbers_);
      entry_->has_sizes = true;
    } else {
      if (numbers_.size() != 2)
        return fail(in_quotes(name_) + ": data_offsets must be two numbers");
      entry_->begin = static_cast<uint64_t>(numbers_[0]);
      entry_->end = static_cast<uint64_t>(numbers_[1]);
      entry_->has_range = true;
    }
    numbers_ = {};
    at_ = At::kFields;
    return true;
  }
  bool null() override { return unexpected("null"); }
  bool boolean(bool) override { return unexpected("boolean"); }
  bool number_integer(number_integer_t) override { return unexpected("negative number"); }
  bool number_float(number_float_t, const string_t&) override {
    return unexpected("floating-point number");
  }
  bool binary(binary_t&) override { return unexpected("binary data"); }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception&) override {
    return fail(fmt::format("the header is not valid JSON at byte {}", position));
  }

 private:
  enum class At : uint8_t {
    kStart,
    kNames,   // expecting a tensor name or __metadata__
    kEntry,   // the object of a tensor
    kFields,  // a key of that object
    kDType,
    kShape,
    kOffsets,
    kMetadata,  // the object of __metadata__
    kMetadataKeys,
    kMetadataValue,
    kEnd,
  };

  bool field(const std::string& name) {
    bool again = false;
    if (name == "dtype") {
      again = entry_->dtype != DType::kUndefined;
      at_ = At::kDType;
    } else if (name == "shape") {
      again = entry_->has_sizes;
      at_ = At::kShape;
    } else if (name == "data_offsets") {
      again = entry_->has_range;
      at_ = At::kOffsets;
    } else {
      return fail(fmt::format("{} has the unknown key {}", in_quotes(name_), in_quotes(name)));
    }
    return !again || fail(fmt::format("duplicate key {} in {}", name, in_quotes(name_)));
  }
  bool unexpected(std::string_view what) {
    return fail(name_.empty() ? fmt::format("unexpected {} in the header", what)
                              : fmt::format("unexpected {} in {}", what, in_quotes(name_)));
  }
  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }

  Header& header_;
  At at_ = At::kStart;
  bool has_metadata_ = false;
  bool in_list_ = false;
  std::string name_;
  HeaderEntry* entry_ = nullptr;
  std::vector<int64_t> numbers_;
};

/// Checks that the tensors cover the data exactly: no gap, no overlap, nothing after them.
absl::Status check_layout(const Header& header, uint64_t num_bytes) {
  struct Piece {
    uint64_t begin, end;
    std::string_view name;
  };
  std::vector<Piece> pieces;
  pieces.reserve(header.tensors.size());
  for (const auto& [name, entry] : header.tensors) {
    const uint64_t begin = entry.begin;
    const uint64_t end = entry.end;
    if (begin > end || end > num_bytes) {
      return bad_file(fmt::format("{} is at bytes {} to {}, but the data has {}", in_quotes(name),
                                  begin, end, pluralize(num_bytes, "byte")));
    }
    int64_t size = dtype_item_size(entry.dtype);
    bool overflow = false;
    bool empty = false;
    for (const int64_t dim : entry.sizes) {
      empty |= dim == 0;
      overflow |= __builtin_mul_overflow(size, dim, &size);
    }
    if (empty) size = 0;
    if ((overflow && !empty) || static_cast<uint64_t>(size) != end - begin) {
      return bad_file(fmt::format("{}: its shape and dtype do not match its {}", in_quotes(name),
                                  pluralize(end - begin, "byte")));
    }
    pieces.push_back({begin, end, name});
  }
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  uint64_t covered = 0;
  for (const Piece& piece : pieces) {
    if (piece.begin != covered) {
      return bad_file(fmt::format("{} starts at byte {}, but the data before it ends at {}: {}",
                                  in_quotes(piece.name), piece.begin, covered,
                                  piece.begin < covered ? "they overlap" : "there is a gap"));
    }
    covered = piece.end;
  }
  if (covered != num_bytes) {
    return bad_file(fmt::format("the data has {}, but the tensors end at byte {}",
                                pluralize(num_bytes, "byte"), covered));
  }
  return absl::OkStatus();
}

absl::StatusOr<Tensor> read_tensor(const std::shared_ptr<Storage>& file, size_t data_begin,
                                   const HeaderEntry& entry) {
  const absl::Span<const std::byte> bytes(file->data() + data_begin + entry.begin,
                                          entry.end - entry.begin);
  if (entry.dtype == DType::kBool &&
      std::any_of(bytes.begin(), bytes.end(), [](std::byte b) { return b > std::byte{1}; }))
    return absl::InvalidArgumentError("a BOOL must be 0 or 1");
  const auto alignment = static_cast<size_t>(dtype_item_size(entry.dtype));
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignment != 0)
    return Tensor::copy_of(entry.dtype, entry.sizes, bytes);
  return Tensor::create(entry.dtype, entry.sizes,
                        Storage::part(file, data_begin + entry.begin, bytes.size()));
}

}  // namespace

absl::StatusOr<Safetensors> parse_safetensors(const std::shared_ptr<Storage>& bytes) {
  FX_CHECK(bytes && bytes->device().type == DeviceType::kCpu, "the file must be in host memory");
  uint64_t header_size = 0;
  if (bytes->num_bytes() < sizeof header_size)
    return bad_file(fmt::format("it has only {}", pluralize(bytes->num_bytes(), "byte")));
  std::memcpy(&header_size, bytes->data(), sizeof header_size);
  const uint64_t rest = bytes->num_bytes() - sizeof header_size;
  if (header_size > kMaxSafetensorsHeader || header_size > rest) {
    return bad_file(fmt::format("its header has {}, but {} follow, and the limit is {} bytes",
                                pluralize(header_size, "byte"), pluralize(rest, "byte"),
                                kMaxSafetensorsHeader));
  }
  const auto* text = reinterpret_cast<const char*>(bytes->data() + sizeof header_size);
  if (header_size == 0 || text[0] != '{') return bad_file("the header must start with {");
  Header header;
  HeaderReader reader(header);
  if (!nlohmann::json::sax_parse(text, text + header_size, &reader)) return bad_file(reader.error);
  FX_RETURN_IF_ERROR(check_layout(header, rest - header_size));

  Safetensors file;
  file.metadata = std::move(header.metadata);
  for (const auto& [name, entry] : header.tensors) {
    absl::StatusOr<Tensor> tensor =
        read_tensor(bytes, sizeof header_size + static_cast<size_t>(header_size), entry);
    if (!tensor.ok()) return with_context(tensor.status(), "tensor " + in_quotes(name));
    file.tensors.set(name, *std::move(tensor));
  }
  return file;
}

absl::StatusOr<Safetensors> read_safetensors(const std::string& path) {
  FX_ASSIGN_OR_RETURN(const std::shared_ptr<Storage> bytes, Storage::map_file(path));
  absl::StatusOr<Safetensors> file = parse_safetensors(bytes);
  if (!file.ok()) return with_context(file.status(), path);
  return file;
}

}  // namespace fx
