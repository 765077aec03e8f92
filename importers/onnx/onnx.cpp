#include "fx/importers/onnx/onnx.h"

#include "fx/importers/onnx/writer_internal.h"
#include "fx/ir/calls/call.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/support/files.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/aten/lower_to_aten.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/decompose/decompose.h"
#include "fx/passes/functionalize/functionalize.h"
#include "fx/passes/shape/shape_prop.h"

#include "fmt/format.h"

#include <filesystem>

namespace fx {
namespace {

/// The file format of ONNX 1.16, which supports node metadata. Runtimes accept it with every
/// supported opset.
constexpr int64_t kIrVersion = 10;
constexpr size_t kMaxModelBytes = (size_t{1} << 31) - 1;  // protobuf's limit for a message

/// Infers the types of calls that have no type.
void complete_types(Graph& graph) {
  for (Graph& nested : all_graphs(graph))
    for (Node& node : nested.nodes())
      if (!node.type()) set_inferred_type(node);
}

/// Returns true if an operator writes to its arguments. Ignores unknown functions: functionalize
/// rejects them, but the writer lists them with all other unsupported calls.
bool has_writes(const Graph& graph) {
  for (const Graph& nested : all_graphs(graph)) {
    for (const Node& node : nested.nodes()) {
      const ops::OpInfo* op = node.function().op();
      if (op != nullptr && effects(node).has(ops::Effect::kWritesArguments)) return true;
    }
  }
  return false;
}

/// Replaces instance norms that use the statistics of the batch with group norms with one group per
/// channel. The schema of instance_norm states that it writes to its statistics, so functionalize
/// rejects it even without statistics.
absl::Status rewrite_instance_norms(Graph& graph) {
  const Target instance_norm = graph.context().function("aten.instance_norm.default");
  for (Node& node : graph.nodes()) {
    if (!node.is(instance_norm)) continue;
    const auto passed = [&](std::string_view name) {
      return node.argument(name).value_or(Argument());
    };
    const Argument input = passed("input"), by_batch = passed("use_input_stats");
    const Type type = input.node() != nullptr ? input.node()->type() : Type();
    const bool fits = passed("running_mean").is_none() && passed("running_var").is_none() &&
                      by_batch.is_bool() && by_batch.as_bool() && type.is_tensor() &&
                      type.rank() > 1 && type.size(1).is_int();
    if (!fits) continue;
    const Argument args[] = {input,          Argument(type.size(1)), passed("weight"),
                             passed("bias"), passed("eps"),          passed("cudnn_enabled")};
    node.set_function(graph.context().function("aten.group_norm.default"));
    FX_RETURN_IF_ERROR(node.set_kwargs({}));
    FX_RETURN_IF_ERROR(node.set_args(args));
  }
  return absl::OkStatus();
}

/// Converts the graph to the form that the writer requires: only ATen operators that have a row,
/// and no writes except writes to inputs at the end.
absl::Status prepare(Graph& graph, const OnnxOptions& options) {
  for (Graph& nested : all_graphs(graph)) FX_RETURN_IF_ERROR(lower_to_aten(nested).status());
  complete_types(graph);
  for (Graph& nested : all_graphs(graph)) FX_RETURN_IF_ERROR(rewrite_instance_norms(nested));
  if (has_writes(graph)) FX_RETURN_IF_ERROR(functionalize(graph).status());
  DecomposeOptions decompositions{.core = true, .all = true};
  for (const Decomposition& entry : DecompositionTable::of(graph.context()).entries()) {
    bool keep = onnx::find_row(entry.op) != nullptr;
    for (const OnnxCustomOp& custom : options.custom_ops) keep |= custom.op == entry.op;
    if (keep) decompositions.keep.push_back(entry.op);
  }
  FX_RETURN_IF_ERROR(decompose(graph, decompositions).status());
  complete_types(graph);
  return eliminate_dead_code(graph, {.keep_random = false}).status();
}

absl::StatusOr<onnx::ModelProto> make_model(const Graph& graph, const OnnxOptions& options) {
  if (options.opset < kMinOnnxOpset || options.opset > kMaxOnnxOpset) {
    return absl::InvalidArgumentError(fmt::format("the opset must be between {} and {}, not {}",
                                                  kMinOnnxOpset, kMaxOnnxOpset, options.opset));
  }
  const std::unique_ptr<Graph> copy = graph.clone();
  copy->set_owning_module(options.root ? options.root : graph.owning_module());
  FX_RETURN_IF_ERROR(prepare(*copy, options));
  onnx::ModelProto model{.ir_version = kIrVersion,
                         .opsets = {{"", options.opset}},
                         .producer_name = "fxcpp",
                         .producer_version = FX_RELEASE};
  model.graph.name = options.graph_name;
  FX_RETURN_IF_ERROR(onnx::Writer(*copy, options, model).write());
  return model;
}

uint64_t weight_bytes(const onnx::ModelProto& model) {
  uint64_t total = 0;
  for (const onnx::TensorProto& tensor : model.graph.initializers) total += tensor.bytes().size();
  return total;
}

absl::StatusOr<std::vector<onnx::Piece>> encode_model(const onnx::ModelProto& model,
                                                      std::string_view data_file) {
  std::vector<onnx::Piece> pieces = onnx::encode(model, data_file);
  size_t total = 0;
  for (const onnx::Piece& piece : pieces) total += piece.size();
  if (total > kMaxModelBytes) {
    return absl::ResourceExhaustedError(
        fmt::format("the model has {}, but an ONNX file can have at most {}; write the weights "
                    "to a second file (max_embedded_bytes)",
                    pluralize(total, "byte"), kMaxModelBytes));
  }
  return pieces;
}

absl::Status write_pieces(const std::string& path, absl::Span<const onnx::Piece> pieces) {
  NewFile file(path);
  for (const onnx::Piece& piece : pieces) {
    file.write(piece.text.data(), piece.text.size());
    file.write(piece.bytes.data(), piece.bytes.size());
  }
  return file.commit();
}

/// Writes large tensors to a separate file, at multiples of 4 KiB, so that the file can be mapped.
absl::Status write_data(onnx::ModelProto& model, const std::string& path) {
  constexpr uint64_t kAlignment = 4096, kSmallest = 1024;
  NewFile file(path);
  uint64_t end = 0;
  const std::string zeros(kAlignment, '\0');
  for (onnx::TensorProto& tensor : model.graph.initializers) {
    const absl::Span<const std::byte> bytes = tensor.bytes();
    if (bytes.size() < kSmallest) continue;
    const uint64_t gap = (kAlignment - end % kAlignment) % kAlignment;
    file.write(zeros.data(), gap);
    file.write(bytes.data(), bytes.size());
    tensor.is_external = true;
    tensor.offset = end + gap;
    end += gap + bytes.size();
  }
  return file.commit();
}

}  // namespace

absl::StatusOr<std::string> onnx_model(const Graph& graph, const OnnxOptions& options) {
  FX_ASSIGN_OR_RETURN(const onnx::ModelProto model, make_model(graph, options));
  FX_ASSIGN_OR_RETURN(const std::vector<onnx::Piece> pieces, encode_model(model, {}));
  std::string bytes;
  size_t size = 0;
  for (const onnx::Piece& piece : pieces) size += piece.size();
  bytes.reserve(size);
  for (const onnx::Piece& piece : pieces) {
    bytes += piece.text;
    bytes.append(reinterpret_cast<const char*>(piece.bytes.data()), piece.bytes.size());
  }
  return bytes;
}

absl::Status write_onnx(const Graph& graph, const std::string& path, const OnnxOptions& options) {
  FX_ASSIGN_OR_RETURN(onnx::ModelProto model, make_model(graph, options));
  const std::string data = path + ".data";
  const std::string data_file = std::filesystem::path(data).filename().string();
  const bool is_external = weight_bytes(model) > options.max_embedded_bytes;
  if (is_external) FX_RETURN_IF_ERROR(write_data(model, data));
  FX_ASSIGN_OR_RETURN(const std::vector<onnx::Piece> pieces, encode_model(model, data_file));
  return write_pieces(path, pieces);
}

}  // namespace fx
