#include "fx/importers/onnx/read/reader_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/pluralize.h"
#include "fx/ir/support/status.h"
#include "fx/passes/cleanup/eliminate_dead_code.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace fx::onnx::reader {
namespace {

constexpr int kMaxFunctionDepth = 64;
/// The maximum number of nodes of a model after its functions are inlined and its loops unrolled.
constexpr size_t kMaxNodes = 1'000'000;

int64_t opset_of(const Body& body, std::string_view domain) {
  for (const auto& [name, version] : *body.opsets)
    if (name == domain) return version;
  return 0;
}

std::string shown(std::string_view name) { return std::string(name.substr(0, 200)); }

}  // namespace

Value* Names::find(std::string_view name) const {
  for (const Names* scope = this; scope != nullptr; scope = scope->outer)
    if (const auto found = scope->values.find(name); found != scope->values.end())
      return found->second;
  return nullptr;
}

Reader::Reader(Context& context, const ModelProto& model, const OnnxReadOptions& options)
    : context_(context),
      model_(model),
      options_(options),
      graph_(std::make_unique<Graph>(context)),
      env_(context) {
  frame_.graph = graph_.get();
  for (const FunctionProto& function : model.functions) {
    const std::string_view domain = function.domain == "ai.onnx" ? "" : function.domain;
    functions_.emplace(std::tuple(domain, function.name, function.overload), &function);
  }
}

// ---------------------------------------------------------------- errors

void Reader::add_error(const NodeProto& proto, const absl::Status& status, int64_t opset) {
  if (absl::IsCancelled(status)) return;  // already recorded
  const std::string_view name = !proto.name.empty()      ? std::string_view(proto.name)
                                : !proto.outputs.empty() ? proto.outputs[0]
                                                         : std::string_view();
  errors_.push_back(absl::Status(
      status.code(), fmt::format("node \"{}\" ({}, opset {}): {}", shown(name),
                                 shown(proto.op_type), opset, std::string(status.message()))));
}

absl::Status Reader::all_errors() const {
  std::vector<std::string> lines;
  for (const auto& [op, nodes] : unsupported_) {
    constexpr size_t kShown = 4;
    const absl::Span<const std::string> examples =
        absl::MakeConstSpan(nodes).first(std::min(kShown, nodes.size()));
    lines.push_back(fmt::format("the operator {} is not supported; {}: {}{}", op,
                                pluralize(nodes.size(), "node"), fmt::join(examples, ", "),
                                nodes.size() > kShown ? ", ..." : ""));
  }
  for (const absl::Status& error : errors_) lines.emplace_back(error.message());
  if (lines.empty()) return absl::OkStatus();
  const absl::StatusCode code =
      errors_.empty() ? absl::StatusCode::kUnimplemented : errors_.front().code();
  if (lines.size() == 1) return absl::Status(code, lines[0]);
  return absl::Status(code, fmt::format("the model cannot be converted, for {}:\n{}",
                                        pluralize(lines.size(), "reason"), fmt::join(lines, "\n")));
}

// ---------------------------------------------------------------- nodes

absl::Status Reader::bind(Names& names, std::string_view name, Value& value) {
  if (name.empty()) return absl::OkStatus();
  if (names.values.emplace(name, &value).second) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format("the value \"{}\" is computed twice", shown(name)));
}

const AttributeProto* Reader::resolve(const AttributeProto& attribute, const Body* body) {
  const AttributeProto* found = &attribute;
  while (found != nullptr && !found->reference.empty()) {
    if (body == nullptr || body->call == nullptr) return nullptr;
    const std::string_view name = found->reference;
    found = nullptr;
    for (const AttributeProto& given : body->call->attributes)
      if (given.name == name) found = &given;
    if (found == nullptr) {
      for (const AttributeProto& given : body->function->defaults)
        if (given.name == name) return &given;
    }
    body = body->caller;
  }
  return found;
}

const FunctionProto* Reader::find_function(const NodeProto& proto) const {
  const auto found = functions_.find(std::tuple(proto.domain, proto.op_type, proto.overload));
  return found == functions_.end() ? nullptr : found->second;
}

absl::StatusOr<std::vector<Value*>> Reader::inputs_of(const NodeProto& proto, const Body& body,
                                                      const Names& names) {
  std::vector<Value*> inputs;
  for (const std::string_view name : proto.inputs) {
    if (name.empty()) {
      inputs.push_back(&new_value());
      continue;
    }
    Value* const value = names.find(name);
    if (value == nullptr) {
      constexpr size_t kMaxExplained = 100;  // each explanation requires a search over all nodes
      const bool is_later =
          errors_.size() < kMaxExplained &&
          std::ranges::any_of(
              *body.nodes,
              [&](const NodeProto& other) {
                return std::ranges::find(other.outputs, name) != other.outputs.end();
              });
      return absl::InvalidArgumentError(
          fmt::format("its input \"{}\" {}", shown(name),
                      is_later ? "is computed by this or a later node; nodes must be in execution "
                                 "order, without cycles"
                               : "does not exist"));
    }
    inputs.push_back(value);
  }
  return inputs;
}

/// Names the new nodes after the values of the model, and copies the metadata of `proto` to them.
void Reader::describe(const NodeProto& proto, const Call& call) {
  for (Node* const node : call.created()) {
    for (const auto& [key, value] : proto.metadata)
      if (key == "module") node->meta().set(meta::kModule, value);
    if (!proto.doc.empty()) node->meta().set(meta::kStackTrace, proto.doc);
  }
  for (size_t i = 0; i < call.results().size() && i < proto.outputs.size(); ++i) {
    Node* const node = call.results()[i]->node;
    if (node != nullptr && !proto.outputs[i].empty() &&
        std::ranges::find(call.created(), node) != call.created().end())
      node->rename(proto.outputs[i]);
  }
}

absl::Status Reader::read_node(const Body& body, const NodeProto& proto, Frame& frame,
                               Names& names) {
  if (++num_nodes_ > kMaxNodes) {
    return absl::ResourceExhaustedError(fmt::format(
        "the model has more than {} nodes after its functions and loops are expanded", kMaxNodes));
  }
  const int64_t opset = opset_of(body, proto.domain);
  std::vector<Value*> results;
  const auto finish = [&](const absl::Status& status) {
    if (!status.ok()) add_error(proto, status, opset);
    for (size_t i = 0; i < proto.outputs.size(); ++i) {
      if (i >= results.size() || results[i]->kind == Value::kOmitted || !status.ok()) {
        Value& missing = new_value();
        missing.kind = Value::kFailed;
        if (status.ok() && !proto.outputs[i].empty())
          add_error(proto, absl::UnimplementedError(fmt::format("output {} is not supported", i)),
                    opset);
        if (i >= results.size()) results.push_back(&missing);
        results[i] = &missing;
      }
      FX_RETURN_IF_ERROR(bind(names, proto.outputs[i], *results[i]));
    }
    return absl::OkStatus();
  };
  const absl::StatusOr<std::vector<Value*>> inputs = inputs_of(proto, body, names);
  if (!inputs.ok()) return finish(inputs.status());
  const FunctionProto* const function = find_function(proto);
  const Row* const row = function == nullptr
                             ? find_row(proto.domain, proto.op_type, static_cast<int>(opset))
                             : nullptr;
  if (function == nullptr && row == nullptr) {
    const std::string op =
        fmt::format("{}{}{} of opset {}", shown(proto.domain), proto.domain.empty() ? "" : ".",
                    shown(proto.op_type), opset);
    unsupported_[op].push_back(shown(!proto.name.empty()     ? std::string_view(proto.name)
                                     : proto.outputs.empty() ? ""
                                                             : proto.outputs[0]));
    return finish(absl::CancelledError());
  }
  for (const Value* input : *inputs)
    if (input->kind == Value::kFailed) return finish(absl::CancelledError());
  if (function != nullptr)
    return finish(call_function(*function, body, proto, frame, *inputs, results));
  const Names* const outer_names = std::exchange(names_, &names);
  const Body* const outer_body = std::exchange(body_, &body);
  Call call(*this, proto, static_cast<int>(opset), frame, &body, *inputs);
  row->convert(call);
  call.check_attributes();
  names_ = outer_names;
  body_ = outer_body;
  results = call.results();
  if (!call.failed()) describe(proto, call);
  return finish(call.status());
}

absl::Status Reader::call_function(const FunctionProto& function, const Body& body,
                                   const NodeProto& proto, Frame& frame,
                                   absl::Span<Value* const> inputs, std::vector<Value*>& results) {
  if (depth_ >= kMaxFunctionDepth) {
    return absl::InvalidArgumentError(
        fmt::format("function calls are nested more than {} levels deep", kMaxFunctionDepth));
  }
  if (inputs.size() > function.inputs.size())
    return absl::InvalidArgumentError("it has more inputs than its function");
  Names names;
  for (size_t i = 0; i < function.inputs.size(); ++i)
    FX_RETURN_IF_ERROR(
        bind(names, function.inputs[i], i < inputs.size() ? *inputs[i] : new_value()));
  const Body inner{.nodes = &function.nodes,
                   .opsets = function.opsets.empty() ? body.opsets : &function.opsets,
                   .call = &proto,
                   .function = &function,
                   .caller = &body};
  const size_t num_errors = errors_.size() + unsupported_.size();
  ++depth_;
  const absl::Status status = read_body(inner, frame, names);
  --depth_;
  FX_RETURN_IF_ERROR(status);
  if (errors_.size() + unsupported_.size() > num_errors) return absl::CancelledError();
  for (size_t i = 0; i < function.outputs.size() && i < proto.outputs.size(); ++i) {
    Value* const value = names.find(function.outputs[i]);
    if (value == nullptr) {
      return absl::InvalidArgumentError(
          fmt::format("its function does not compute \"{}\"", shown(function.outputs[i])));
    }
    if (value->kind == Value::kFailed) return absl::CancelledError();
    results.push_back(value);
  }
  return absl::OkStatus();
}

absl::Status Reader::read_body(const Body& body, Frame& frame, Names& names) {
  for (const NodeProto& proto : *body.nodes)
    FX_RETURN_IF_ERROR(read_node(body, proto, frame, names));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Value*>> Reader::read_nested(const GraphProto& graph, Frame& frame,
                                                        absl::Span<Value* const> inputs) {
  if (graph.inputs.size() != inputs.size()) {
    return absl::InvalidArgumentError(
        fmt::format("its graph \"{}\" must have {}, not {}", shown(graph.name),
                    pluralize(inputs.size(), "input"), graph.inputs.size()));
  }
  Names names{.outer = names_, .values = {}};
  for (size_t i = 0; i < inputs.size(); ++i)
    FX_RETURN_IF_ERROR(bind(names, graph.inputs[i].name, *inputs[i]));
  FX_RETURN_IF_ERROR(read_initializers(graph, names));
  Body body = *body_;
  body.nodes = &graph.nodes;
  num_nodes_ += graph.initializers.size();
  const size_t num_errors = errors_.size() + unsupported_.size();
  FX_RETURN_IF_ERROR(read_body(body, frame, names));
  if (errors_.size() + unsupported_.size() > num_errors) return absl::CancelledError();
  std::vector<Value*> outputs;
  for (const ValueInfoProto& info : graph.outputs) {
    Value* const value = names.find(info.name);
    if (value == nullptr) {
      return absl::InvalidArgumentError(
          fmt::format("its graph does not compute its output \"{}\"", shown(info.name)));
    }
    if (value->kind == Value::kFailed) return absl::CancelledError();
    outputs.push_back(value);
  }
  return outputs;
}

// ---------------------------------------------------------------- the model

absl::Status Reader::check_version() {
  int64_t version = 0;
  for (const auto& [domain, number] : model_.opsets)
    if (domain.empty()) version = number;
  if (version >= kMinReadOnnxOpset && version <= kMaxReadOnnxOpset) return absl::OkStatus();
  const bool uses_onnx = std::ranges::any_of(
      model_.graph.nodes, [](const NodeProto& node) { return node.domain.empty(); });
  if (version == 0 && !uses_onnx) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("the model uses ONNX opset {}; opsets {} to {} are supported "
                  "(onnx.version_converter converts models)",
                  version, kMinReadOnnxOpset, kMaxReadOnnxOpset));
}

absl::Status Reader::read_outputs(const GraphProto& graph, const Names& names) {
  std::vector<Argument> results;
  for (const ValueInfoProto& info : graph.outputs) {
    Value* const value = names.find(info.name);
    if (value == nullptr) {
      return absl::InvalidArgumentError(
          fmt::format("the output \"{}\" is not computed", shown(info.name)));
    }
    std::vector<Argument> items;
    const bool is_sequence = value->kind == Value::kSequence;
    for (Value* const item : is_sequence ? value->items : std::vector<Value*>{value}) {
      absl::StatusOr<Node*> node = node_in(frame_, *item);
      if (!node.ok())
        return with_context(node.status(), fmt::format("output \"{}\"", shown(info.name)));
      items.emplace_back(*node);
    }
    results.push_back(is_sequence ? Argument::list(items) : items[0]);
  }
  graph_->output(results.size() == 1 ? results[0] : Argument::tuple(results));
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<GraphModule>> Reader::read() {
  FX_RETURN_IF_ERROR(check_version());
  Names names;
  FX_RETURN_IF_ERROR(read_initializers(model_.graph, names));
  FX_RETURN_IF_ERROR(read_inputs(model_.graph, names));
  const Body body{.nodes = &model_.graph.nodes, .opsets = &model_.opsets};
  FX_RETURN_IF_ERROR(read_body(body, frame_, names));
  FX_RETURN_IF_ERROR(all_errors());
  FX_RETURN_IF_ERROR(read_outputs(model_.graph, names));
  FX_RETURN_IF_ERROR(eliminate_dead_code(*graph_, {.keep_random = false}).status());
  FX_ASSIGN_OR_RETURN(std::unique_ptr<GraphModule> module,
                      GraphModule::create(root_, std::move(graph_), "OnnxModel"));
  module->eval();
  const ShapeReport report = propagate_types(module->graph());
  for (const ShapeFinding& finding : report.findings)
    if (finding.kind == ShapeFinding::Kind::kInvalidCall)
      return absl::InvalidArgumentError(finding.message);
  return module;
}

}  // namespace fx::onnx::reader
