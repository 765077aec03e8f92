// Reads protobuf's wire format, which encode.cpp describes. The size of the file bounds memory and
// time, since each message, name and number takes at least two bytes.
#include "fx/importers/onnx/model/decoder_internal.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <utility>

namespace fx::onnx {

void Decoder::fail(std::string_view why, const char* position) {
  if (failed()) return;
  status_ = absl::InvalidArgumentError(
      fmt::format("byte {}, {}: {}", position - all_.data(), message_, why));
}

bool Decoder::expect(const Field& field, int wire) {
  if (field.wire == wire) return true;
  fail(fmt::format("field {} has wire type {} instead of {}", field.number, field.wire, wire),
       field.wire == kLengthWire ? field.bytes.data() : all_.data());
  return false;
}

void Decoder::attribute(std::string_view bytes, AttributeProto& to) {
  float real = 0;
  int64_t integer = 0, type = 0;
  std::string string;
  AttributeProto::Ints ints;
  AttributeProto::Floats floats;
  AttributeProto::Strings strings;
  std::unique_ptr<TensorProto> tensor_value;
  std::unique_ptr<GraphProto> graph_value;
  uint64_t last = 0;  // the last value field; it determines the kind if `type` is missing
  read("AttributeProto", bytes, [&](const Field& field) {
    if (field.number >= 2 && field.number <= 11) last = field.number;
    switch (field.number) {
      case 1:
        to.name = text(field);
        return;
      case 2:
        if (expect(field, kFixed32Wire)) real = float_of(field.value);
        return;
      case 3:
        integer = number(field);
        return;
      case 4:
        string = text(field);
        return;
      case 5:
        tensor_value = std::make_unique<TensorProto>();
        return tensor(text(field), *tensor_value);
      case 6:
        graph_value = std::make_unique<GraphProto>();
        return graph(text(field), *graph_value);
      case 7:
        return numbers(field, kFixed32Wire,
                       [&](uint64_t value) { floats.push_back(float_of(value)); });
      case 8:
        return numbers(field, kVarintWire,
                       [&](uint64_t value) { ints.push_back(static_cast<int64_t>(value)); });
      case 9:
        strings.emplace_back(text(field));
        return;
      case 20:
        type = number(field);
        return;
      case 21:
        to.reference = text(field);
        return;
      default:
        return;
    }
  });
  if (failed()) return;
  // The AttributeProto.AttributeType of fields 2 to 9.
  constexpr int64_t kTypes[] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  if (type == 0 && last < std::size(kTypes)) type = kTypes[last];
  switch (type) {
    case 1:
      to.value = real;
      return;
    case 2:
      to.value = integer;
      return;
    case 3:
      to.value = std::move(string);
      return;
    case 4:
      if (tensor_value) to.value = std::move(tensor_value);
      to.is_unsupported = std::holds_alternative<int64_t>(to.value);
      return;
    case 5:
      if (graph_value) to.value = std::move(graph_value);
      to.is_unsupported = std::holds_alternative<int64_t>(to.value);
      return;
    case 6:
      to.value = std::move(floats);
      return;
    case 7:
      to.value = std::move(ints);
      return;
    case 8:
      to.value = std::move(strings);
      return;
    default:
      to.is_unsupported = true;
  }
}

void Decoder::node(std::string_view bytes, NodeProto& to) {
  read("NodeProto", bytes, [&](const Field& field) {
    switch (field.number) {
      case 1:
        to.inputs.push_back(text(field));
        return;
      case 2:
        to.outputs.push_back(text(field));
        return;
      case 3:
        to.name = text(field);
        return;
      case 4:
        to.op_type = text(field);
        return;
      case 5:
        return attribute(text(field), to.attributes.emplace_back());
      case 6:
        to.doc = text(field);
        return;
      case 7:
        to.domain = text(field);
        return;
      case 8:
        to.overload = text(field);
        return;
      case 9: {
        const auto [key, value] = entry(text(field));
        to.metadata.emplace_back(key, std::string(value));
        return;
      }
      default:
        return;
    }
  });
  if (to.domain == "ai.onnx") to.domain = {};
}

void Decoder::dimension(std::string_view bytes, Dimension& to) {
  read("TensorShapeProto.Dimension", bytes, [&](const Field& field) {
    if (field.number == 1) {
      to.value = number(field);
      to.name = {};
      if (to.value < 0) to.value = -1;  // some exporters write -1 for an unknown size
    }
    if (field.number == 2) {
      to.name = text(field);
      to.value = -1;
    }
  });
}

/// Merges a repeated message into the first, as protobuf does.
void Decoder::tensor_type(std::string_view bytes, ValueInfoProto& to) {
  read("TypeProto.Tensor", bytes, [&](const Field& field) {
    if (field.number == 1) to.type = static_cast<DataType>(static_cast<int32_t>(number(field)));
    if (field.number != 2) return;
    to.has_rank = true;
    read("TensorShapeProto", text(field), [&](const Field& dim) {
      if (dim.number == 1) dimension(text(dim), to.dims.emplace_back());
    });
  });
}

void Decoder::type(std::string_view bytes, ValueInfoProto& to) {
  to.kind = ValueInfoProto::kOther;
  read("TypeProto", bytes, [&](const Field& field) {
    if (field.number == 1) {
      to.kind = ValueInfoProto::kTensor;
      tensor_type(text(field), to);
    }
    if (field.number == 4) to.kind = ValueInfoProto::kSequence;
  });
}

void Decoder::value_info(std::string_view bytes, ValueInfoProto& to) {
  to.has_rank = false;
  to.kind = ValueInfoProto::kTensor;  // even if the message has no type
  read("ValueInfoProto", bytes, [&](const Field& field) {
    if (field.number == 1) to.name = text(field);
    if (field.number == 2) type(text(field), to);
    if (field.number == 3) to.doc = text(field);
  });
}

void Decoder::graph(std::string_view bytes, GraphProto& to) {
  if (++depth_ > kMaxGraphDepth)
    fail(fmt::format("graphs are nested more than {} levels deep", kMaxGraphDepth), bytes.data());
  read("GraphProto", bytes, [&](const Field& field) {
    switch (field.number) {
      case 1:
        return node(text(field), to.nodes.emplace_back());
      case 2:
        to.name = text(field);
        return;
      case 5:
        return tensor(text(field), to.initializers.emplace_back());
      case 10:
        to.doc = text(field);
        return;
      case 11:
        return value_info(text(field), to.inputs.emplace_back());
      case 12:
        return value_info(text(field), to.outputs.emplace_back());
      case 13:
        return value_info(text(field), to.values.emplace_back());
      case 15:
        ++to.num_sparse_initializers;
        return;
      default:
        return;
    }
  });
  --depth_;
}

void Decoder::opset(std::string_view bytes, std::vector<std::pair<std::string, int64_t>>& to) {
  auto& [domain, version] = to.emplace_back("", 0);
  read("OperatorSetIdProto", bytes, [&](const Field& field) {
    if (field.number == 1) domain = text(field);
    if (field.number == 2) version = number(field);
  });
  if (domain == "ai.onnx") domain.clear();
}

void Decoder::function(std::string_view bytes, FunctionProto& to) {
  read("FunctionProto", bytes, [&](const Field& field) {
    switch (field.number) {
      case 1:
        to.name = text(field);
        return;
      case 4:
        to.inputs.push_back(text(field));
        return;
      case 5:
        to.outputs.push_back(text(field));
        return;
      case 6:
        to.attributes.push_back(text(field));
        return;
      case 7:
        return node(text(field), to.nodes.emplace_back());
      case 9:
        return opset(text(field), to.opsets);
      case 10:
        to.domain = text(field);
        return;
      case 11:
        return attribute(text(field), to.defaults.emplace_back());
      case 13:
        to.overload = text(field);
        return;
      default:
        return;
    }
  });
}

absl::StatusOr<ModelProto> Decoder::model() {
  ModelProto to;
  bool has_graph = false;
  read("ModelProto", all_, [&](const Field& field) {
    switch (field.number) {
      case 1:
        to.ir_version = number(field);
        return;
      case 2:
        to.producer_name = text(field);
        return;
      case 3:
        to.producer_version = text(field);
        return;
      case 7:
        if (has_graph) return fail("the model has two graphs", field.bytes.data());
        has_graph = true;
        return graph(text(field), to.graph);
      case 8:
        return opset(text(field), to.opsets);
      case 25:
        return function(text(field), to.functions.emplace_back());
      default:
        return;
    }
  });
  FX_RETURN_IF_ERROR(status_);
  if (!has_graph)
    return absl::InvalidArgumentError("the file has no graph; it is not an ONNX model");
  to.file = file_;
  return to;
}

absl::StatusOr<ModelProto> decode(std::shared_ptr<Storage> file) {
  return Decoder(std::move(file)).model();
}

}  // namespace fx::onnx
