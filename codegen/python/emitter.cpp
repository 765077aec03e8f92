// Emits the body of a function, node by node, like torch.fx's emit_node and delete_unused_values.
#include "fx/codegen/python/emitter_internal.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/python/python_text.h"
#include "fx/ir/support/text_tokens.h"

#include "fmt/format.h"

namespace fx::python {

absl::Status Emitter::emit() {
  reserve_names();
  find_binders();
  marks.reserve(graph_.size());
  body.reserve(graph_.size() * 48);
  if (options_.record_func && !graph_.empty()) {
    body +=
        "_rf = torch._C._profiler._RecordFunctionFast('## ENTER_GRAPH_PLACEHOLDER_KEY ##'); "
        "_rf.__enter__()\n";
    end_piece();
  }
  size_t index = 0;
  for (const Node& node : graph_.nodes()) {
    node_ = &node;
    if (options_.verbose) emit_origin(node);
    marks.emplace_back(body.size(), &node);
    end_piece();
    const bool record = options_.record_func && node.is_call();
    if (record) append_record(node, /*enter=*/true, index);
    emit_node(node);
    emit_frees(node);
    if (record) append_record(node, /*enter=*/false, index);
    if (!status_.ok()) return status_;
    ++index;
  }
  if (options_.record_func && !graph_.empty()) {
    body += "_rf.__exit__(None, None, None)\n";
    end_piece();
  }
  return status_;
}

void Emitter::append_record(const Node& node, bool enter, size_t index) {
  std::string name;
  append_local(name, node);
  body += enter ? fmt::format(
                      "_rf_{0} = torch._C._profiler._RecordFunctionFast('## {1} ##'); "
                      "_rf_{0}.__enter__()\n",
                      name, index)
                : fmt::format("_rf_{}.__exit__(None, None, None)\n", name);
  end_piece();
}

/// Reserves the name of the module, unless the first input is the module itself.
void Emitter::reserve_names() {
  for (const Node& node : graph_.nodes()) {
    if (node.is_placeholder() && node.target() == "self") return;
    break;
  }
  names_.reserve("self");
  if (options_.root != "self") names_.reserve(options_.root.substr(0, options_.root.find('.')));
}

/// Keeps the values that symbols in the argument's text refer to.
void Emitter::keep_symbols(ArgumentRef value) {
  if (value.kind() == ArgumentKind::kSymbolic) {
    for (const Symbol symbol : free_symbols(value.as_symbolic()))
      if (const auto it = binders_.find(symbol); it != binders_.end()) kept_.insert(it->second);
  } else if (value.is_list() || value.is_tuple() || value.kind() == ArgumentKind::kSlice ||
             value.kind() == ArgumentKind::kStruct || value.kind() == ArgumentKind::kDict) {
    for (size_t i = 0; i < value.size(); ++i) keep_symbols(value[i]);
  }
}

void Emitter::find_binders() {
  for (const Node& node : graph_.nodes().reversed()) {
    if (const Type type = node.type();
        type.kind() == TypeKind::kInt && type.is_symbolic() && type.expr().is_symbol())
      binders_[type.expr().name()] = &node;  // in reverse order, so the first such node remains
  }
  if (binders_.empty()) return;
  for (const Node& node : graph_.nodes()) {
    for (size_t i = 0; i < node.num_args(); ++i) keep_symbols(node.arg(i));
    for (size_t i = 0; i < node.num_kwargs(); ++i) keep_symbols(node.kwarg_value(i));
  }
}

void Emitter::emit_frees(const Node& node) {
  if (node.is_placeholder()) return;
  if (node.is_output()) {
    body += '\n';
    end_piece();
    return;
  }
  freed_.clear();
  node.for_each_input([&](Node* input) {
    if (last_use_[*input] != &node) return;
    last_use_[*input] = nullptr;  // frees the value once, even if it occurs twice
    if (!is_kept(*input)) freed_.push_back(input);
  });
  if (!node.has_uses() && !is_kept(node)) freed_.push_back(&node);
  if (!freed_.empty()) {
    body += ";  ";
    for (const Node* value : freed_) {
      append_local(body, *value);
      body += " = ";
    }
    body += "None";
  }
  body += '\n';
  end_piece();
}

void Emitter::emit_node(const Node& node) {
  annotation_ = annotation(node);
  switch (node.op()) {
    case Opcode::kPlaceholder:
      return emit_placeholder(node);
    case Opcode::kGetAttr:
    case Opcode::kCallModule: {
      append_assignment(node);
      const size_t base = body.size();
      body += options_.root;
      append_path(body, base, node.target());
      if (node.op() == Opcode::kCallModule) {
        body += '(';
        append_arguments(body, node, 0);
        body += ')';
      }
      break;
    }
    case Opcode::kCallMethod: {
      if (node.num_args() == 0) return fail("the method call must have a receiver, args[0]");
      append_assignment(node);
      const size_t base = body.size();
      append_operand(body, node.arg(0), Position::kObject);
      append_path(body, base, node.target());
      body += '(';
      append_arguments(body, node, 1);
      body += ')';
      break;
    }
    case Opcode::kCallFunction:
      emit_function(node);
      break;
    case Opcode::kOutput:
      emit_output(node);
      break;
  }
  end_piece();
}

void Emitter::emit_placeholder(const Node& node) {
  const std::string_view target = node.target();
  const size_t stars = std::min(target.size(), target.find_first_not_of('*'));
  const std::string_view name = target.substr(stars);
  if (stars > 2 || !is_identifier(name) || name == "__debug__")  // Python reserves __debug__
    return fail(fmt::format(
        "\"{}\" cannot be a parameter of a Python function; change the target of the placeholder",
        std::string(target)));
  if (name == "self" && !parameters.empty())
    return fail(
        "\"self\" is the name of the module parameter; change the target of the placeholder");
  if (!parameter_names_.insert(name).second)
    return fail(
        fmt::format("\"{}\" is the name of two parameters; change the target of the placeholder",
                    std::string(name)));
  Parameter parameter{.name = std::string(target), .annotation = annotation_};
  if (node.num_args() > 0) {
    if (stars > 0) return fail("a starred parameter cannot have a default value");
    in_default_ = true;
    append_value(parameter.default_value, node.arg(0));
    in_default_ = false;
    parameter.has_default = true;
  }
  for (const Parameter& other : parameters)
    if (stars > 0 && stars == std::min(other.name.size(), other.name.find_first_not_of('*')))
      return fail(
          fmt::format("a function can have only one parameter with {}", stars == 1 ? "*" : "**"));
  if (options_.expanded_def) {
    if (const Argument* note = node.meta().find("desc")) {
      std::string text;
      text::append_python_str(text, *note);
      append_comment(parameter.note, text);
    }
  }
  parameters.push_back(std::move(parameter));
  std::string local;
  append_local(local, node);
  if (local == name) return;
  body += local;
  body += " = ";
  body += name;
  body += '\n';
  end_piece();
}

bool Emitter::emit_operator(const Node& node, const FunctionInfo& info) {
  // Calls whose arguments do not match the operator are written as function calls.
  if (node.num_args() != static_cast<size_t>(info.arity) || node.num_kwargs() != 0) return false;
  if (info.form == FunctionInfo::Form::kInPlace) return emit_in_place(node, info);
  append_assignment(node);
  const std::string_view op = info.op;
  if (info.arity == 1) {
    body += op;
    append_operand(body, node.arg(0), Position::kOperand);
  } else if (op.empty()) {  // getitem
    append_operand(body, node.arg(0), Position::kBase);
    body += '[';
    append_value(body, node.arg(1));
    body += ']';
  } else {
    append_operand(body, node.arg(0), op == " ** " ? Position::kBase : Position::kOperand);
    body += op;
    append_operand(body, node.arg(1), Position::kOperand);
  }
  return true;
}

/// Writes `x += y;  iadd = x` or `x[i] = y;  setitem = x`. Returns false if the statement is not
/// equivalent to the call.
bool Emitter::emit_in_place(const Node& node, const FunctionInfo& info) {
  const Node* target = node.arg(0).node();
  if (target == nullptr) return false;
  const bool is_item = info.arity == 3;
  // The statement binds the name of its target to the result. This must not affect later uses of
  // the target, unless the result is the target itself, as for tensors.
  if (!is_item && last_use_[*target] != &node && !target->type().is_tensor()) return false;
  append_local(body, *target);
  if (is_item) {
    body += '[';
    append_value(body, node.arg(1));
    body += "] = ";
    append_value(body, node.arg(2));
  } else {
    body += info.op;
    append_value(body, node.arg(1));
  }
  body += ";  ";
  append_assignment(node);
  if (is_item && node.has_uses()) {
    body += "None";  // the result of operator.setitem
  } else {
    append_local(body, *target);
  }
  return true;
}

void Emitter::emit_function(const Node& node) {
  const Target target = node.function();
  FunctionInfo& info = names_.function(target);
  if (info.arity > 0 && emit_operator(node, info)) return;
  const std::string& name = names_.call_name(info, target);
  if (info.form == FunctionInfo::Form::kGetAttr && node.num_args() == 2 && node.num_kwargs() == 0 &&
      node.arg(1).is_string() && is_identifier(node.arg(1).as_string())) {
    append_assignment(node);
    const size_t base = body.size();
    append_operand(body, node.arg(0), Position::kObject);
    append_path(body, base, node.arg(1).as_string());
    return;
  }
  append_assignment(node);
  body += name;
  body += '(';
  append_arguments(body, node, 0);
  body += ')';
  const Argument* wrap = node.meta().find("is_wrapped");
  if (wrap && wrap->is_bool() && wrap->as_bool() && is_dotted(name)) wrapped.push_back(name);
}

void Emitter::emit_output(const Node& node) {
  if (const auto type = node.meta().get(meta::kAnnotation))
    returns = " -> " + names_.annotation(*type);
  if (node.num_args() == 0) return fail("the output node must have an argument");
  const size_t begin = body.size();
  const ArgumentRef result = node.arg(0);
  const Argument* notes = options_.expanded_def ? node.meta().find("desc") : nullptr;
  if (notes && (notes->is_list() || notes->is_tuple()) && (result.is_list() || result.is_tuple())) {
    body += result.is_tuple() ? "(\n" : "[\n";
    for (size_t i = 0; i < std::min(result.size(), notes->size()); ++i) {
      body += "    ";
      append_value(body, result[i]);
      body += ",  # ";
      std::string text;
      text::append_python_str(text, (*notes)[i]);
      append_comment(body, text);
      body += '\n';
    }
    body += result.is_tuple() ? ")" : "]";
  } else {
    append_value(body, result);
  }
  if (options_.return_statement) {
    const std::string statement = options_.return_statement(std::string_view(body).substr(begin));
    body.resize(begin);
    body += statement;
  } else if (has_out_spec) {
    body.insert(begin, "return pytree.tree_unflatten(");
    body += ", self._out_spec)";
  } else {
    body.insert(begin, "return ");
  }
}

}  // namespace fx::python
