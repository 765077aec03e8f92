// Builds ONNX models for tests, including malformed ones, field by field in protobuf's wire format.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace fx::onnx_builder {

inline std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  return out + static_cast<char>(value);
}

/// Returns a field with a number.
inline std::string number(uint64_t field, int64_t value) {
  return varint(field << 3) + varint(static_cast<uint64_t>(value));
}
/// Returns a field with text, bytes or a message.
inline std::string bytes(uint64_t field, std::string_view value) {
  return varint(field << 3 | 2) + varint(value.size()) + std::string(value);
}

inline std::string raw_floats(std::initializer_list<float> values) {
  std::string out(values.size() * sizeof(float), '\0');
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}
inline std::string raw_ints(std::initializer_list<int64_t> values) {
  std::string out(values.size() * sizeof(int64_t), '\0');
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

/// Returns an AttributeProto with an integer, or with a list of integers.
inline std::string int_attribute(std::string_view name, int64_t value) {
  return bytes(1, name) + number(3, value) + number(20, 2);
}
inline std::string ints_attribute(std::string_view name, std::initializer_list<int64_t> values) {
  std::string out = bytes(1, name);
  for (const int64_t value : values) out += number(8, value);
  return out + number(20, 7);
}
inline std::string graph_attribute(std::string_view name, std::string_view graph) {
  return bytes(1, name) + bytes(6, graph) + number(20, 5);
}

/// Returns a NodeProto.
inline std::string node(std::string_view op, std::vector<std::string> inputs,
                        std::vector<std::string> outputs, std::vector<std::string> attributes = {},
                        std::string_view domain = "") {
  std::string out;
  for (const std::string& input : inputs) out += bytes(1, input);
  for (const std::string& output : outputs) out += bytes(2, output);
  out += bytes(3, outputs.empty() ? "" : outputs[0]) + bytes(4, op);
  for (const std::string& attribute : attributes) out += bytes(5, attribute);
  if (!domain.empty()) out += bytes(7, domain);
  return out;
}

/// Returns a TensorProto with raw data.
inline std::string tensor(std::string_view name, int64_t type, std::vector<int64_t> sizes,
                          std::string_view data) {
  std::string out;
  for (const int64_t size : sizes) out += number(1, size);
  return out + number(2, type) + bytes(8, name) + bytes(9, data);
}

/// Returns the ValueInfoProto of a tensor. A dimension is a number or a name.
inline std::string value(std::string_view name, int64_t type, std::vector<std::string> sizes) {
  std::string shape;
  for (const std::string& size : sizes) {
    const bool is_number = !size.empty() && size.find_first_not_of("0123456789") == size.npos;
    shape += bytes(1, is_number ? number(1, std::stoll(size)) : bytes(2, size));
  }
  return bytes(1, name) + bytes(2, bytes(1, number(1, type) + bytes(2, shape)));
}

/// The parts of a GraphProto.
struct GraphParts {
  std::vector<std::string> nodes, initializers, inputs, outputs;

  std::string str() const {
    std::string out;
    for (const std::string& part : nodes) out += bytes(1, part);
    out += bytes(2, "main");
    for (const std::string& part : initializers) out += bytes(5, part);
    for (const std::string& part : inputs) out += bytes(11, part);
    for (const std::string& part : outputs) out += bytes(12, part);
    return out;
  }
};

inline std::string model(const GraphParts& graph, int64_t opset = 20) {
  return number(1, 10) + bytes(7, graph.str()) + bytes(8, number(2, opset));
}

inline constexpr int64_t kFloat = 1, kInt64 = 7, kString = 8, kBool = 9;

}  // namespace fx::onnx_builder
