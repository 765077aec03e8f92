// Writes protobuf's wire format (protobuf.dev/programming-guides/encoding). A message is a sequence
// of fields; each consists of a key (field number and wire type) and a value. Field numbers are
// those in onnx.proto.
#include "fx/importers/onnx/model/model_internal.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace fx::onnx {
namespace {

void append_varint(std::string& out, uint64_t value) {
  while (value >= 0x80) {
    out += static_cast<char>(value | 0x80);
    value >>= 7;
  }
  out += static_cast<char>(value);
}

constexpr uint64_t kVarint = 0, kLength = 2, kFixed32 = 5;

void append_key(std::string& out, uint64_t field, uint64_t wire) {
  append_varint(out, field << 3 | wire);
}

void append_int(std::string& out, uint64_t field, int64_t value) {
  append_key(out, field, kVarint);
  append_varint(out, static_cast<uint64_t>(value));
}

void append_text(std::string& out, uint64_t field, std::string_view text) {
  append_key(out, field, kLength);
  append_varint(out, text.size());
  out += text;
}

void append_float_bits(std::string& out, float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>(bits >> shift);
}

/// Appends a field that is a message; `write` appends the fields of the message.
template <class Write>
void append_message(std::string& out, uint64_t field, Write&& write) {
  append_key(out, field, kLength);
  const size_t begin = out.size();
  std::forward<Write>(write)();
  std::string length;
  append_varint(length, out.size() - begin);
  out.insert(begin, length);
}

void append_entry(std::string& out, uint64_t field, std::string_view key, std::string_view value) {
  append_message(out, field, [&] {
    append_text(out, 1, key);
    append_text(out, 2, value);
  });
}

// Functions that append a tensor. The data of an embedded tensor is its last field.
constexpr uint64_t kRawData = 9;

void append_tensor_head(std::string& out, const TensorProto& tensor, std::string_view data_file) {
  for (const int64_t dim : tensor.dims) append_int(out, 1, dim);
  append_int(out, 2, static_cast<int64_t>(tensor.type));
  if (!tensor.name.empty()) append_text(out, 8, tensor.name);
  if (!tensor.is_external) return;
  append_entry(out, 13, "location", data_file);
  append_entry(out, 13, "offset", std::to_string(tensor.offset));
  append_entry(out, 13, "length", std::to_string(tensor.bytes().size()));
  append_int(out, 14, 1);  // EXTERNAL
}

void append_tensor(std::string& out, const TensorProto& tensor) {
  append_tensor_head(out, tensor, {});
  const absl::Span<const std::byte> bytes = tensor.bytes();
  append_text(out, kRawData, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void append_value_info(std::string& out, const ValueInfoProto& value) {
  append_text(out, 1, value.name);
  append_message(out, 2, [&] {
    append_message(out, 1, [&] {
      append_int(out, 1, static_cast<int64_t>(value.type));
      if (!value.has_rank) return;
      append_message(out, 2, [&] {
        for (const Dimension& dim : value.dims) {
          append_message(out, 1, [&] {
            if (!dim.name.empty()) {
              append_text(out, 2, dim.name);
            } else if (dim.value >= 0) {
              append_int(out, 1, dim.value);
            }
          });
        }
      });
    });
  });
  if (!value.doc.empty()) append_text(out, 3, value.doc);
}

void append_graph(std::string& out, const GraphProto& graph);

/// The AttributeProto.AttributeType of each alternative of AttributeProto::value.
constexpr int64_t kAttributeTypes[] = {2, 1, 3, 7, 6, 4, 5, 8};

void append_attribute(std::string& out, const AttributeProto& attribute) {
  append_text(out, 1, attribute.name);
  struct Visitor {
    std::string& to;
    void operator()(int64_t value) const { append_int(to, 3, value); }
    void operator()(float value) const {
      append_key(to, 2, kFixed32);
      append_float_bits(to, value);
    }
    void operator()(const std::string& value) const { append_text(to, 4, value); }
    void operator()(const AttributeProto::Ints& values) const {
      for (const int64_t value : values) append_int(to, 8, value);
    }
    void operator()(const AttributeProto::Floats& values) const {
      for (const float value : values) {
        append_key(to, 7, kFixed32);
        append_float_bits(to, value);
      }
    }
    void operator()(const std::unique_ptr<TensorProto>& value) const {
      append_message(to, 5, [&] { append_tensor(to, *value); });
    }
    void operator()(const std::unique_ptr<GraphProto>& value) const {
      append_message(to, 6, [&] { append_graph(to, *value); });
    }
    void operator()(const AttributeProto::Strings& values) const {
      for (const std::string& value : values) append_text(to, 9, value);
    }
  };
  std::visit(Visitor{out}, attribute.value);
  append_int(out, 20, kAttributeTypes[attribute.value.index()]);
}

void append_node(std::string& out, const NodeProto& node) {
  for (const std::string_view input : node.inputs) append_text(out, 1, input);
  for (const std::string_view output : node.outputs) append_text(out, 2, output);
  if (!node.name.empty()) append_text(out, 3, node.name);
  append_text(out, 4, node.op_type);
  for (const AttributeProto& attribute : node.attributes)
    append_message(out, 5, [&] { append_attribute(out, attribute); });
  if (!node.doc.empty()) append_text(out, 6, node.doc);
  if (!node.domain.empty()) append_text(out, 7, node.domain);
  for (const auto& [key, value] : node.metadata) append_entry(out, 9, key, value);
}

/// Appends a graph without its initializers.
void append_graph_without_data(std::string& out, const GraphProto& graph) {
  for (const NodeProto& node : graph.nodes) append_message(out, 1, [&] { append_node(out, node); });
  append_text(out, 2, graph.name);
  if (!graph.doc.empty()) append_text(out, 10, graph.doc);
  for (const ValueInfoProto& value : graph.inputs)
    append_message(out, 11, [&] { append_value_info(out, value); });
  for (const ValueInfoProto& value : graph.outputs)
    append_message(out, 12, [&] { append_value_info(out, value); });
  for (const ValueInfoProto& value : graph.values)
    append_message(out, 13, [&] { append_value_info(out, value); });
}

void append_graph(std::string& out, const GraphProto& graph) {
  append_graph_without_data(out, graph);
  for (const TensorProto& tensor : graph.initializers)
    append_message(out, 5, [&] { append_tensor(out, tensor); });
}

/// Encodes the initializers of the outer graph, each as a field of the graph.
std::vector<Piece> encode_initializers(const GraphProto& graph, std::string_view data_file) {
  constexpr size_t kCopied = 4096;  // smaller tensors are copied
  std::vector<Piece> pieces(1);
  for (const TensorProto& tensor : graph.initializers) {
    std::string head;
    append_tensor_head(head, tensor, data_file);
    const size_t size = tensor.is_external ? 0 : tensor.bytes().size();
    if (!tensor.is_external) {
      append_key(head, kRawData, kLength);
      append_varint(head, size);
    }
    std::string& out = pieces.back().text;
    append_key(out, 5, kLength);
    append_varint(out, head.size() + size);
    out += head;
    if (size == 0) continue;
    if (size <= kCopied) {
      out.append(reinterpret_cast<const char*>(tensor.bytes().data()), size);
      continue;
    }
    pieces.back().bytes = tensor.bytes();
    pieces.emplace_back();
  }
  return pieces;
}

}  // namespace

absl::Span<const std::byte> TensorProto::bytes() const {
  if (tensor.defined()) return tensor.bytes();
  return {reinterpret_cast<const std::byte*>(raw.data()), raw.size()};
}

std::vector<Piece> encode(const ModelProto& model, std::string_view data_file) {
  std::vector<Piece> pieces(2);
  std::string& head = pieces[0].text;
  std::string& graph = pieces[1].text;
  std::string tail;
  append_int(head, 1, model.ir_version);
  append_text(head, 2, model.producer_name);
  append_text(head, 3, model.producer_version);
  for (const auto& [domain, version] : model.opsets) {
    append_message(tail, 8, [&] {
      append_text(tail, 1, domain);
      append_int(tail, 2, version);
    });
  }
  append_graph_without_data(graph, model.graph);
  size_t size = graph.size();
  std::vector<Piece> data = encode_initializers(model.graph, data_file);
  for (const Piece& piece : data) size += piece.size();
  append_key(head, 7, kLength);
  append_varint(head, size);
  std::ranges::move(data, std::back_inserter(pieces));
  pieces.push_back({.text = std::move(tail), .bytes = {}});
  return pieces;
}

}  // namespace fx::onnx
