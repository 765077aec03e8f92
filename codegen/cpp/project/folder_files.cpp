#include "fx/codegen/cpp/project/folder_files_internal.h"

namespace fx::cpp {

const std::string_view kSafetensorsHeader =
    R"text(// Reads safetensors files: an 8-byte header length, a JSON header, and the bytes of the tensors.
// Written by fxcpp. Requires libtorch and C++20.
#ifndef FXCPP_SAFETENSORS_H
#define FXCPP_SAFETENSORS_H

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace fxcpp {

/// Parses the subset of JSON that such headers use: objects, lists, strings and numbers.
class HeaderReader {
 public:
  explicit HeaderReader(const std::string& text) : text_(text) {}

  /// Consumes the next character after whitespace if it is `c`.
  bool take(char c) {
    skip_whitespace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(std::string("expected ") + c);
  }
  std::string string() {
    expect('"');
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] != '\\') {
        out += text_[at_++];
        continue;
      }
      if (++at_ >= text_.size()) break;
      const char c = text_[at_++];
      if (c == 'u') {
        append_utf8(out, code_unit());
      } else {
        const std::string from = "bfnrt\"\\/", to = "\b\f\n\r\t\"\\/";
        const size_t i = from.find(c);
        if (i == std::string::npos) fail("unknown escape");
        out += to[i];
      }
    }
    expect('"');
    return out;
  }
  int64_t number() {
    skip_whitespace();
    int64_t value = 0;
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      if (value > (INT64_MAX - 9) / 10) fail("a number is too large");
      value = value * 10 + (text_[at_++] - '0');
    }
    if (at_ == begin) fail("expected a number");
    return value;
  }
  std::vector<int64_t> numbers() {
    std::vector<int64_t> out;
    expect('[');
    if (take(']')) return out;
    do out.push_back(number());
    while (take(','));
    expect(']');
    return out;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error("safetensors header, byte " + std::to_string(at_) + ": " + what);
  }

 private:
  void skip_whitespace() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) && text_[at_] != '\0') ++at_;
  }
  uint32_t hex4() {
    if (at_ + 4 > text_.size()) fail("incomplete escape");
    uint32_t value = 0;
    for (int i = 0; i < 4; ++i) {
      const std::string digits = "0123456789abcdef";
      const char c = text_[at_++];
      const size_t digit = digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (digit == std::string::npos) fail("invalid escape");
      value = value * 16 + static_cast<uint32_t>(digit);
    }
    return value;
  }
  uint32_t code_unit() {
    const uint32_t high = hex4();
    if (high < 0xd800 || high > 0xdbff || text_.compare(at_, 2, "\\u") != 0) return high;
    at_ += 2;
    return 0x10000 + ((high - 0xd800) << 10) + ((hex4() - 0xdc00) & 0x3ff);
  }
  static void append_utf8(std::string& out, uint32_t c) {
    const auto put = [&](uint32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xc0 | (c >> 6)), put(0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
      put(0xe0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3f)), put(0x80 | (c & 0x3f));
    } else {
      put(0xf0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3f)), put(0x80 | ((c >> 6) & 0x3f)),
          put(0x80 | (c & 0x3f));
    }
  }

  const std::string& text_;
  size_t at_ = 0;
};

inline at::ScalarType dtype_of(const std::string& name) {
  static const std::map<std::string, at::ScalarType> dtypes = {
      {"BOOL", at::kBool},     {"U8", at::kByte},      {"I8", at::kChar},
      {"I16", at::kShort},     {"I32", at::kInt},      {"I64", at::kLong},
      {"U16", at::kUInt16},    {"U32", at::kUInt32},   {"U64", at::kUInt64},
      {"F16", at::kHalf},      {"BF16", at::kBFloat16}, {"F32", at::kFloat},
      {"F64", at::kDouble},    {"C64", at::kComplexFloat},
      {"F8_E5M2", at::kFloat8_e5m2}, {"F8_E4M3", at::kFloat8_e4m3fn},
  };
  const auto found = dtypes.find(name);
  if (found == dtypes.end()) throw std::runtime_error("safetensors: unknown dtype " + name);
  return found->second;
}

/// The tensors of a file by name. Throws std::runtime_error if the file is not valid.
inline std::map<std::string, at::Tensor> load_safetensors(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  const auto size = static_cast<uint64_t>(file.tellg());
  file.seekg(0);
  unsigned char head[8] = {};
  uint64_t length = 0;
  if (size < 8 || !file.read(reinterpret_cast<char*>(head), 8))
    throw std::runtime_error(path + ": not a safetensors file");
  for (int i = 7; i >= 0; --i) length = length << 8 | head[i];
  if (length > size - 8) throw std::runtime_error(path + ": its header is longer than the file");
  std::string header(length, '\0');
  file.read(header.data(), static_cast<std::streamsize>(length));

  std::map<std::string, at::Tensor> tensors;
  const uint64_t begin = 8 + length, bytes = size - begin;
  HeaderReader reader(header);
  reader.expect('{');
  if (reader.take('}')) return tensors;
  do {
    const std::string name = reader.string();
    reader.expect(':');
    reader.expect('{');
    std::string dtype;
    std::vector<int64_t> shape, offsets;
    if (!reader.take('}')) {
      do {
        const std::string key = reader.string();
        reader.expect(':');
        if (name == "__metadata__" || key == "dtype") {
          dtype = reader.string();
        } else if (key == "shape") {
          shape = reader.numbers();
        } else if (key == "data_offsets") {
          offsets = reader.numbers();
        } else {
          reader.fail("unknown key " + key);
        }
      } while (reader.take(','));
      reader.expect('}');
    }
    if (name == "__metadata__") continue;
    if (offsets.size() != 2 || offsets[0] > offsets[1] || static_cast<uint64_t>(offsets[1]) > bytes)
      throw std::runtime_error(path + ": " + name + " has data_offsets that are invalid or outside the file");
    at::Tensor tensor = at::empty(shape, at::TensorOptions().dtype(dtype_of(dtype)));
    if (tensor.nbytes() != static_cast<size_t>(offsets[1] - offsets[0]))
      throw std::runtime_error(path + ": " + name + " has more or fewer bytes than its shape requires");
    file.seekg(static_cast<std::streamoff>(begin + static_cast<uint64_t>(offsets[0])));
    file.read(static_cast<char*>(tensor.mutable_data_ptr()),
              static_cast<std::streamsize>(tensor.nbytes()));
    if (!file) throw std::runtime_error(path + ": " + name + " cannot be read");
    tensors.emplace(name, std::move(tensor));
  } while (reader.take(','));
  reader.expect('}');
  return tensors;
}

}  // namespace fxcpp

#endif
)text";

const std::string_view kMainHead =
    R"text(// Runs the model on the sample inputs and compares its outputs with the recorded ones.
//
//   model [FOLDER]    reads weights.safetensors and samples.safetensors in FOLDER, by default in the
//                     current directory
//
// Exit status: 0 if all outputs are bit-equal to the recorded ones; 1 if not; 2 on an error.
// Written by fxcpp.
#include "model.h"
#include "safetensors.h"

#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <vector>

namespace {

using Tensors = std::map<std::string, at::Tensor>;

at::Tensor find(const Tensors& tensors, const std::string& name) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) throw std::runtime_error("missing tensor " + name);
  return found->second;
}

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
  if (!a.defined() || a.scalar_type() != b.scalar_type() || a.sizes() != b.sizes()) return false;
  const at::Tensor left = a.detach().contiguous().resolve_conj().resolve_neg();
  const at::Tensor right = b.contiguous();
  return left.nbytes() == 0 ||
         std::memcmp(left.const_data_ptr(), right.const_data_ptr(), left.nbytes()) == 0;
}

/// Copies `from` to `to`, which has the same sizes. In a dimension of stride 0, all elements are at
/// one location, so only the first one is copied.
[[maybe_unused]] void copy_elements(at::Tensor to, at::Tensor from) {
  for (int64_t dim = 0; dim < to.dim(); ++dim) {
    if (to.stride(dim) != 0 || to.size(dim) < 2) continue;
    to = to.narrow(dim, 0, 1);
    from = from.narrow(dim, 0, 1);
  }
  to.copy_(from);
}

/// Values, and their memory layout in the model, in elements.
struct Placed {
  at::Tensor values;
  std::vector<int64_t> strides;
  int64_t offset = 0;
};

/// Returns tensors with these values in one storage.
[[maybe_unused]] std::vector<at::Tensor> in_one_storage(const std::vector<Placed>& parts) {
  int64_t bytes = 0;
  for (const Placed& part : parts) {
    int64_t end = part.offset + 1;
    for (size_t dim = 0; dim < part.strides.size(); ++dim)
      end += std::max<int64_t>(part.values.size(static_cast<int64_t>(dim)) - 1, 0) * part.strides[dim];
    bytes = std::max(bytes, end * static_cast<int64_t>(part.values.itemsize()));
  }
  const at::Tensor memory = at::zeros({bytes}, at::TensorOptions().dtype(at::kByte));
  std::vector<at::Tensor> tensors;
  for (const Placed& part : parts) {
    tensors.push_back(at::empty({0}, part.values.options())
                          .set_(memory.storage(), part.offset, part.values.sizes(), part.strides));
    copy_elements(tensors.back(), part.values);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!same_bits(tensors[i], parts[i].values))
      throw std::runtime_error("values that share memory are different where they overlap");
  }
  return tensors;
}

[[maybe_unused]] void collect(std::vector<at::Tensor>& leaves, at::Tensor value) {
  leaves.push_back(std::move(value));
}
[[maybe_unused]] void collect(std::vector<at::Tensor>& leaves, const std::vector<at::Tensor>& values) {
  leaves.insert(leaves.end(), values.begin(), values.end());
}
template <class Number>
  requires std::is_arithmetic_v<Number>
void collect(std::vector<at::Tensor>& leaves, Number) {
  leaves.emplace_back();  // numbers are not recorded
}
[[maybe_unused]] void collect(std::vector<at::Tensor>& leaves, const at::Scalar&) { leaves.emplace_back(); }
[[maybe_unused]] void collect(std::vector<at::Tensor>& leaves, const std::vector<int64_t>& values) {
  leaves.resize(leaves.size() + values.size());
}
template <class... Items>
void collect(std::vector<at::Tensor>& leaves, const std::tuple<Items...>& values);
template <class Tuple>  // a struct that represents a tuple with many items
  requires requires(const Tuple& tuple) { tuple.for_each([](const auto&) {}); }
void collect(std::vector<at::Tensor>& leaves, const Tuple& values) {
  values.for_each([&](const auto& item) { collect(leaves, item); });
}
template <class... Items>
void collect(std::vector<at::Tensor>& leaves, const std::tuple<Items...>& values) {
  std::apply([&](const Items&... items) { (collect(leaves, items), ...); }, values);
}

/// Compares the results with the recorded ones, and returns the number of results that differ.
int compare(const std::vector<at::Tensor>& results, const Tensors& expected) {
  int compared = 0, different = 0;
  for (size_t i = 0; i < results.size(); ++i) {
    const auto found = expected.find("out." + std::to_string(i));
    if (found == expected.end()) continue;
    ++compared;
    if (same_bits(results[i], found->second)) continue;
    ++different;
    std::printf("out.%zu differs from the recorded output\n", i);
  }
  std::printf("%d %s compared: %d bit-equal, %d different\n", compared,
              compared == 1 ? "result" : "results", compared - different, different);
  return different;
}

)text";

const std::string_view kMainTail = R"text();
  std::vector<at::Tensor> leaves;
  collect(leaves, result);
  return compare(leaves, samples) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : ".");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
)text";

}  // namespace fx::cpp
