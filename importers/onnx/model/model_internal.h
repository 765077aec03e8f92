// An ONNX model in memory: the messages of onnx.proto that fxcpp reads and writes, with the same
// names.
//
// The encoder (encode.cpp) and the decoder (decode.cpp) implement protobuf's wire format;
// docs/onnx.md explains why fxcpp does not use libprotobuf.
#pragma once

#include "fx/ir/module/tensor.h"
#include "fx/ir/types/dtype.h"

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fx::onnx {

/// TensorProto.DataType.
enum class DataType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUInt8 = 2,
  kInt8 = 3,
  kUInt16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUInt32 = 12,
  kUInt64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBFloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
};

/// Returns kUndefined if ONNX does not have the element type.
DataType data_type(DType dtype);
/// Returns kUndefined for element types that fxcpp does not support, such as strings and 4-bit
/// numbers.
DType dtype_of(DataType type);
/// Returns the name in onnx.proto, such as "float", or "type N" for unknown types.
std::string data_type_name(DataType type);

struct GraphProto;

struct TensorProto {
  std::string name;
  DataType type = DataType::kUndefined;
  absl::InlinedVector<int64_t, 4> dims;
  std::string raw;  ///< the bytes, if `tensor` is undefined
  Tensor tensor;    ///< contiguous, with data; encode() refers to its bytes
  /// True if the bytes are in a separate file, at `offset`.
  bool is_external = false;
  uint64_t offset = 0;
  // Set only by the decoder. Without `length`, an external tensor has the number of bytes that
  // its sizes require.
  std::string_view location = {};
  std::optional<uint64_t> length = {};

  absl::Span<const std::byte> bytes() const;
};

/// The value of an attribute, which owns tensors and graphs.
struct AttributeProto {
  using Ints = std::vector<int64_t>;
  using Floats = std::vector<float>;
  using Strings = std::vector<std::string>;
  std::string_view name;  ///< in static storage, or owned by the model
  std::variant<int64_t, float, std::string, Ints, Floats, std::unique_ptr<TensorProto>,
               std::unique_ptr<GraphProto>, Strings>
      value;
  // Set only by the decoder.
  std::string_view reference = {};  ///< in functions: the attribute of the call that has the value
  bool is_unsupported =
      false;  ///< of a kind that `value` cannot represent, such as a sparse tensor
};

/// The strings in this and the other messages are in static storage, or owned by the model.
struct NodeProto {
  absl::InlinedVector<std::string_view, 4> inputs = {};
  absl::InlinedVector<std::string_view, 2> outputs = {};
  std::string_view name = {};
  std::string_view op_type = {};
  std::string_view domain = {};  ///< empty for ONNX's default domain
  std::vector<AttributeProto> attributes = {};
  std::string_view doc = {};
  std::vector<std::pair<std::string_view, std::string>> metadata = {};
  std::string_view overload = {};  ///< set only by the decoder
};

/// A size, either a number or a name.
struct Dimension {
  int64_t value = -1;
  std::string_view name = {};  ///< if empty, the size is `value`, or unknown if that is negative
};

struct ValueInfoProto {
  enum Kind : uint8_t { kTensor, kSequence, kOther };
  std::string_view name = {};
  DataType type = DataType::kUndefined;
  bool has_rank = true;
  absl::InlinedVector<Dimension, 4> dims = {};
  std::string_view doc = {};
  Kind kind = kTensor;  ///< the encoder supports only kTensor
};

struct GraphProto {
  std::string name = {};
  std::deque<NodeProto> nodes = {};  ///< pointers to nodes remain valid
  std::vector<TensorProto> initializers = {};
  std::vector<ValueInfoProto> inputs = {}, outputs = {};
  std::deque<ValueInfoProto> values = {};
  std::string doc = {};
  size_t num_sparse_initializers = 0;  ///< their contents are not stored
};

/// A function that the nodes of a model call. The encoder does not write functions.
struct FunctionProto {
  std::string_view name = {}, domain = {}, overload = {};
  std::vector<std::string_view> inputs = {}, outputs = {};
  std::vector<std::string_view> attributes = {};  ///< without defaults
  std::vector<AttributeProto> defaults = {};
  std::vector<std::pair<std::string, int64_t>> opsets = {};
  std::deque<NodeProto> nodes = {};
};

struct ModelProto {
  int64_t ir_version = 0;
  std::vector<std::pair<std::string, int64_t>> opsets = {};  ///< domain and version
  std::string producer_name = {}, producer_version = {};
  GraphProto graph = {};
  std::deque<FunctionProto> functions = {};
  std::shared_ptr<Storage> file = {};  ///< the bytes to which the names in a decoded model refer
  llvm::BumpPtrAllocator texts = {};   ///< the strings to which string_views in the model refer

  std::string_view keep(std::string_view text) { return llvm::StringRef(text).copy(texts); }
};

/// A piece of an encoded file: text, or bytes that a tensor of the model owns.
struct Piece {
  std::string text;
  absl::Span<const std::byte> bytes;
  size_t size() const { return text.size() + bytes.size(); }
};

/// Returns the file in pieces, so that weights are not copied. The pieces refer to the model.
/// External tensors refer to `data_file` and are not in the pieces.
std::vector<Piece> encode(const ModelProto& model, std::string_view data_file);

/// The maximum nesting depth of graphs.
inline constexpr int kMaxGraphDepth = 32;

/// Reads a model. Names and tensors refer to `file`, which the model keeps; unaligned tensors are
/// copied. Returns InvalidArgument, with the message and the byte offset, if the file is malformed,
/// or if a tensor does not have the number of bytes that its sizes require.
absl::StatusOr<ModelProto> decode(std::shared_ptr<Storage> file);
/// Reads a single TensorProto.
absl::StatusOr<TensorProto> decode_tensor(std::shared_ptr<Storage> file);
/// Returns the number of bytes of a tensor with these sizes, or InvalidArgument if a size is
/// negative or the number overflows.
absl::StatusOr<uint64_t> tensor_bytes(DType dtype, absl::Span<const int64_t> dims);

}  // namespace fx::onnx
