#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/codegen/cpp/lowered_internal.h"
#include "fx/codegen/cpp/values/text_internal.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/graph/provenance/node_error.h"
#include "fx/ir/module/graph_module.h"
#include "fx/ir/ops/packets.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>
#include <utility>

namespace fx::cpp {
namespace {

/// Returns the path of a placeholder that is a parameter, buffer, constant or optimizer state;
/// empty for other inputs.
std::string_view member_path(const Node& placeholder) {
  const Argument* input = placeholder.meta().find(meta::kInput.name);
  if (input == nullptr) return {};
  const std::string_view kind = input->find_text("kind");
  const bool is_state = kind == "parameter" || kind == "buffer" || kind == "constant_tensor" ||
                        kind == "constant" || kind == "optimizer";
  return is_state ? input->find_text("target") : std::string_view();
}

bool needs_freeing(Value value) {
  return value.kind == ValueKind::kTensor || value.kind == ValueKind::kTensors ||
         value.kind == ValueKind::kTuple;
}

}  // namespace

// ---------------------------------------------------------------- names

std::string ClassState::method(std::string_view name) {
  return structs[structs.current].unique(plain_name(name));
}

const NestedMethod* ClassState::find_method(const void* source, std::string_view path,
                                            absl::Span<const Value> inputs) const {
  const auto methods = methods_.find({source, structs.current});
  if (methods == methods_.end()) return nullptr;
  for (const NestedMethod& method : methods->second)
    if (method.path == path && absl::MakeConstSpan(method.inputs) == inputs) return &method;
  return nullptr;
}

void ClassState::add_method(const void* source, NestedMethod method) {
  methods_[{source, structs.current}].push_back(std::move(method));
}

/// Chooses the C++ names of nodes. Nodes keep their names, unless these are not valid in C++;
/// such names are replaced with unused ones.
void Emitter::find_names() {
  absl::flat_hash_map<Symbol, bool> plain_bases;
  std::vector<const Node*> others;
  for (const Node& node : graph_.nodes()) {
    const Name name = node.name_parts();
    const auto [entry, is_new] = plain_bases.try_emplace(name.base);
    if (is_new) entry->second = is_plain_name(name.base.str());
    if (entry->second) continue;
    // `int_1` is valid, although `int` is not.
    if (name.has_number() && is_plain_name(name.str())) continue;
    others.push_back(&node);
  }
  if (others.empty()) return;
  absl::flat_hash_set<std::string> taken;
  for (const Node& node : graph_.nodes()) taken.insert(node.name());
  for (const Node* node : others) {
    const std::string base = plain_name(node->name());
    std::string candidate = base;
    for (int i = 1; !taken.insert(candidate).second; ++i) candidate = absl::StrCat(base, "_", i);
    other_names_.push_back(std::move(candidate));
    names_[*node] = static_cast<uint32_t>(other_names_.size());
  }
}

void Emitter::append_name(std::string& out, const Node& node) const {
  if (const uint32_t other = names_[node]) {
    out += other_names_[other - 1];
  } else {
    node.name_parts().append_to(out);
  }
}

void Emitter::fail(std::string_view why) {
  if (!status_.ok()) return;
  std::string text(why);
  if (lowered_ != nullptr) {
    for (const NotLowered& not_lowered : lowered_->report.not_lowered) {
      if (not_lowered.node != node_) continue;
      const std::string reason(not_lowered.reason.message());
      // If both failed to find an overload, the lowering's message is more detailed.
      const bool is_same = reason.starts_with("no overload") && text.starts_with("no overload");
      text = is_same ? reason : absl::StrCat(text, "; it cannot be lowered: ", reason);
    }
  }
  status_ = node_error(*node_, absl::InvalidArgumentError(text));
}

// ---------------------------------------------------------------- nodes

/// Returns the C++ type of a placeholder, given its type or, if that is unknown, its default value,
/// if that is a number.
Value Emitter::input_value(const Node& placeholder) {
  if (!placeholder.type() && placeholder.num_args() > 0) {
    const ArgumentRef value = placeholder.arg(0);
    if (value.is_bool()) return {ValueKind::kBool};
    if (value.is_int()) return {ValueKind::kInt};
    if (value.is_float()) return {ValueKind::kFloat};
  }
  return shared_.types.of_type(placeholder.type());
}

absl::Status Emitter::emit(absl::Span<const Value> inputs) {
  find_names();
  find_regions();
  body.reserve(graph_.size() * 96);
  size_t next_input = 0;
  for (const Node& node : graph_.nodes()) {
    node_ = &node;
    if (node.is_placeholder()) {
      values_[node] = next_input < inputs.size() ? inputs[next_input] : input_value(node);
      ++next_input;
    }
    open_regions(node);
    // Members that are used only in other methods have their local variables in those methods.
    if (regions_ == nullptr || regions_->of(node) == region_ || is_graph(node)) emit_node(node);
    close_regions(node);
    if (!status_.ok()) return status_;
    if (node.is_output()) return status_;  // nodes after the output do not run
  }
  return absl::FailedPreconditionError(
      "the graph must have an output; add one with graph.output(...)");
}

/// Appends a #line directive with the line of the node in the graph's text.
void Emitter::append_line(const Node& node) {
  const SourceLocations* locations = shared_.options().locations;
  if (locations == nullptr) return;
  const Node* source = &node;
  if (lowered_ != nullptr) {
    const auto origin = lowered_->origin.find(&node);
    if (origin != lowered_->origin.end()) source = origin->second;
  }
  if (const auto location = locations->find(source); location != locations->end()) {
    absl::StrAppend(&body, "#line ", location->second.line, " ");
    append_literal(body, shared_.options().line_file);
    body += '\n';
  }
}

std::string Emitter::tensor_path(const Node& node) const {
  if (node.is_placeholder()) {
    const bool is_lifted = shared_.options().lift_parameters && shared_.depth == 0;
    const bool is_tensor = !node.type() || node.type().is_tensor();
    return std::string(is_lifted && is_tensor ? member_path(node) : "");
  }
  if (node.op() != Opcode::kGetAttr || is_graph(node)) return {};
  const Module* root = shared_.options().root;
  std::string path = path_ + std::string(node.target());
  const Attribute* attribute = root ? root->find_attribute(path) : nullptr;
  return attribute && !attribute->tensor.defined() ? std::string() : path;
}

bool Emitter::is_graph(const Node& node) const {
  if (node.op() != Opcode::kGetAttr) return false;
  const Module* root = shared_.options().root;
  const Module* module = root ? root->find_module(path_ + std::string(node.target())) : nullptr;
  return graph_.find_subgraph(node.target()) || (module && module->as_graph_module());
}

void Emitter::emit_node(const Node& node) {
  if (!node.is_placeholder()) append_line(node);
  switch (node.op()) {
    case Opcode::kPlaceholder:
      return emit_placeholder(node);
    case Opcode::kGetAttr:
      return emit_get_attr(node);
    case Opcode::kCallFunction:
      return emit_function(node);
    case Opcode::kCallMethod:
      return emit_method(node);
    case Opcode::kCallModule:
      return emit_module(node);
    case Opcode::kOutput:
      return emit_output(node);
  }
}

void Emitter::emit_placeholder(const Node& node) {
  if (node.target().starts_with('*'))
    return fail(
        fmt::format("a parameter {} cannot be expressed in C++; use one placeholder for each input",
                    std::string(node.target())));
  const Value value = values_[node];
  if (value.kind == ValueKind::kUnknown)
    return fail(
        fmt::format("an input of type {} cannot be expressed in C++", to_string(node.type())));
  const std::string_view path = shared_.options().lift_parameters && shared_.depth == 0
                                    ? member_path(node)
                                    : std::string_view();
  if (!path.empty() && value.kind == ValueKind::kTensor) {
    const std::string member = shared_.member(path, node.type());
    if (!node.has_uses()) return;
    body += "    at::Tensor ";
    append_name(body, node);
    absl::StrAppend(&body, " = ", member, ";\n");
    return;
  }
  std::string name, type;
  append_name(name, node);
  append_type(type, value);
  parameters.push_back({std::move(name), std::move(type), &node});
}

void Emitter::emit_get_attr(const Node& node) {
  const std::string path = path_ + std::string(node.target());
  const Module* root = shared_.options().root;
  if (is_graph(node)) {
    values_[node] = {ValueKind::kGraph};
    return;
  }
  const Attribute* attribute = root ? root->find_attribute(path) : nullptr;
  if (attribute && !attribute->tensor.defined()) {
    if (attribute->kind == AttributeKind::kModule)
      return fail("a module cannot be used as a value in C++; call it");
    if (attribute->kind != AttributeKind::kConstant || attribute->value.is_none()) {
      values_[node] = {ValueKind::kNone};
      return;
    }
    switch (attribute->value.kind()) {
      case ArgumentKind::kInt:
        text_.clear();
        append_int(text_, attribute->value.as_int());
        return emit_statement(node, {ValueKind::kInt}, text_);
      case ArgumentKind::kFloat:
        text_.clear();
        append_double(text_, attribute->value.as_float());
        return emit_statement(node, {ValueKind::kFloat}, text_);
      case ArgumentKind::kBool:
        return emit_statement(node, {ValueKind::kBool},
                              attribute->value.as_bool() ? "true" : "false");
      default:
        return fail("a constant that is neither a tensor nor a number cannot be expressed in C++");
    }
  }
  const std::string expression = shared_.member(path, node.type());
  if (expression.empty())
    return fail(
        "a graph inside a module uses a tensor from a different module; emit without modules");
  emit_statement(node, {ValueKind::kTensor}, node.has_uses() ? expression : std::string());
}

void Emitter::emit_statement(const Node& node, Value value, std::string_view expression) {
  values_[node] = value;
  if (!expression.empty()) {
    body += "    ";
    const bool named =
        value.kind != ValueKind::kNone && (node.has_uses() || node.meta().find("guard") != nullptr);
    if (named) {
      append_type(body, value);
      body += ' ';
      append_name(body, node);
      body += " = ";
    }
    // Compilers warn about an unused number or dtype.
    const bool is_unused_number = !named && (is_number(value) || value.kind == ValueKind::kDType);
    if (is_unused_number) body += "static_cast<void>(";
    body.append(expression);
    body += is_unused_number ? ");" : ";";
    emit_end(node);
    emit_guard(node, value);
  }
}

bool Emitter::is_last_use(const Node& value, const Node& user) {
  if (regions_ == nullptr) return last_use_[value] == &user;
  return regions_->is_last_use(region_, value, user) &&
         std::ranges::find(freed_, &value) == freed_.end();
}

void Emitter::emit_end(const Node& node) {
  freed_.clear();
  node.for_each_input([&](Node* input) {
    if (!is_last_use(*input, node)) return;
    last_use_[*input] = nullptr;  // frees the value once, even if it occurs twice
    if (needs_freeing(values_[*input])) freed_.push_back(input);
  });
  for (const Node* value : freed_) {
    body += body.ends_with(';') ? "  " : " ";
    append_name(body, *value);
    body += values_[*value].kind == ValueKind::kTensor ? ".reset();" : " = {};";
  }
  if (node.type()) {
    body += "  // ";
    append_comment(body, to_string(node.type()));
  }
  body += '\n';
}

/// Appends a check that a number has the value that the captured program depends on.
void Emitter::emit_guard(const Node& node, Value value) {
  const Argument* guard = node.meta().find("guard");
  if (!guard || !is_number(value)) return;
  std::string expected;
  switch (guard->kind()) {
    case ArgumentKind::kBool:
      expected = guard->as_bool() ? "true" : "false";
      break;
    case ArgumentKind::kInt:
      append_int(expected, guard->as_int());
      break;
    case ArgumentKind::kFloat:
      append_double(expected, guard->as_float());
      break;
    default:
      return;
  }
  include("c10/util/Exception.h");
  body += "    TORCH_CHECK(";
  append_name(body, node);
  absl::StrAppend(&body, value.kind == ValueKind::kScalar ? ".equal(" : " == (", expected, "), ");
  append_string(body, node.name() +
                          " differs from its value when the graph was captured: capture the graph "
                          "again for these inputs");
  body += ");\n";
}

void Emitter::emit_function(const Node& node) {
  const Target target = node.function();
  const std::string_view name = target.name();
  if (const Operator* op = shared_.operators.find(target.op())) {
    emit_operator(node, *op);
    return;
  }
  if (name == "operator.getitem" && emit_getitem(node)) return;
  if ((name == "builtins.getattr" || name == "getattr") && emit_getattr(node)) return;
  if (emit_control(node, name) || emit_number_function(node, name)) return;
  if (!status_.ok()) return;
  const std::string packet = packet_of(node, name);
  if (!packet.empty() && !ops::find_overloads(packet).empty()) {
    const ops::BindingKeywords keywords =
        ops::binding_keywords(name, node.context().ops().overloads(packet), node.num_args(),
                              [&](std::string_view key) { return node.kwarg(key).has_value(); });
    if (keywords.adds_reduction)
      return fail(
          fmt::format("{} does not reduce by default, but C++'s function does; pass "
                      "reduction=0",
                      name));
    emit_overloaded(node, packet);
    return;
  }
  fail(
      fmt::format("{} cannot be expressed in C++; replace it with ATen operators, or trace to ATen "
                  "operators (torch.export, make_fx)",
                  std::string(name)));
}

/// Emits methods of tensors that are not operators: stride() and element_size().
bool Emitter::emit_query(const Node& node) {
  const Node* object = node.arg(0).node();
  if (object == nullptr || values_[*object].kind != ValueKind::kTensor) return false;
  if (node.num_args() != 1 || node.num_kwargs() != 0) return false;
  std::string text;
  append_name(text, *object);
  if (node.target() == "stride") {
    emit_statement(node, {ValueKind::kInts}, text + ".strides().vec()");
  } else if (node.target() == "element_size") {
    emit_statement(node, {ValueKind::kInt},
                   absl::StrCat("static_cast<int64_t>(", text, ".element_size())"));
  } else {
    return false;
  }
  return true;
}

void Emitter::emit_method(const Node& node) {
  if (node.num_args() == 0) return fail("the method call must have a receiver, args[0]");
  if (emit_query(node)) return;
  const std::string packet = packet_of(node, fmt::format("torch.Tensor.{}", node.target()));
  if (ops::find_overloads(packet).empty() || !ops::parameter_before_self(node.target()).empty())
    return fail(
        fmt::format("the method {} cannot be expressed in C++; replace it with ATen operators",
                    std::string(node.target())));
  emit_overloaded(node, packet);
}

void Emitter::emit_output(const Node& node) {
  if (node.num_args() == 0) return fail("the output node must have an argument");
  const ArgumentRef value = node.arg(0);
  text_.clear();
  returned = append_value(text_, value);
  if (!status_.ok()) return;
  if (returned.kind == ValueKind::kUnknown) return fail("the result cannot be expressed in C++");
  absl::StrAppend(&body, "    return ", text_, ";\n");
}

}  // namespace fx::cpp
