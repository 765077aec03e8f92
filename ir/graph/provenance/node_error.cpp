// See node_error.h.
#include "fx/ir/graph/provenance/node_error.h"

#include "fx/ir/graph/graph.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/stack_trace.h"

#include "absl/strings/cord.h"
#include "fmt/format.h"

namespace fx {
namespace {

constexpr char kFailedNode[] = "fxcpp/failed_node";

std::string_view trace_of(const NodeLabel& label) {
  return label.stack_trace.is_string() ? label.stack_trace.as_string() : std::string_view();
}

/// Appends each line of `text` after a line break, indented by two columns.
void append_indented(std::string& out, std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += "\n  ";
    out += text.substr(0, end);
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

NodeLabel NodeLabel::of(const Node& node) {
  const Argument* trace = node.meta().find(meta::kStackTrace.name);
  return {.name = node.name_parts(),
          .op = node.op(),
          .target = node.target_symbol(),
          .stack_trace = trace ? *trace : Argument()};
}

std::string NodeLabel::str() const {
  std::string text = "node ";
  name.append_to(text);
  text += " (";
  if (op == Opcode::kGetAttr || op == Opcode::kCallModule || op == Opcode::kCallMethod) {
    text += opcode_name(op);
    text += ' ';
  }
  text += op == Opcode::kPlaceholder ? opcode_name(op) : target.str();
  if (const std::optional<StackFrame> frame = last_frame(trace_of(*this)))
    text += fmt::format(", {}:{}", frame->file, frame->line);
  text += ')';
  return text;
}

std::string describe(const Node& node) { return NodeLabel::of(node).str(); }

std::string describe_call(const Node& node) {
  return describe_call(node, [](size_t, const Node& operand) { return to_string(operand.type()); });
}

std::string describe_call(const Node& node,
                          absl::FunctionRef<std::string(size_t i, const Node& operand)> type_of) {
  std::string text = fmt::format("{} = {}(", node.name(), node.target());
  size_t i = 0;
  node.for_each_input([&](Node* operand) {
    if (i != 0) text += ", ";
    text += fmt::format("{}: {}", operand->name(), type_of(i, *operand));
    ++i;
  });
  text += ')';
  return text;
}

std::string node_message(const NodeLabel& label, std::string_view call, std::string_view reason) {
  std::string text = fmt::format("{}: {}", label.str(), reason);
  append_indented(text, call);
  append_indented(text, trace_of(label));
  return text;
}

absl::Status node_error(const NodeLabel& label, std::string_view call, const absl::Status& status) {
  absl::Status error(status.code(),
                     node_message(label, call, {status.message().data(), status.message().size()}));
  status.ForEachPayload(
      [&](absl::string_view url, const absl::Cord& payload) { error.SetPayload(url, payload); });
  if (!failed_node(error)) error.SetPayload(kFailedNode, absl::Cord(label.name.str()));
  return error;
}

absl::Status node_error(const Node& node, const absl::Status& status) {
  bool has_inputs = false;
  node.for_each_input([&](Node*) { has_inputs = true; });
  return node_error(NodeLabel::of(node), has_inputs ? describe_call(node) : "", status);
}

std::optional<std::string> failed_node(const absl::Status& status) {
  const auto payload = status.GetPayload(kFailedNode);
  if (!payload) return std::nullopt;
  return std::string(*payload);
}

}  // namespace fx
