// Emits calls to operators: chooses the C++ function and its arguments.
#include "fx/codegen/cpp/emitter_internal.h"
#include "fx/ir/calls/overload.h"
#include "fx/ir/calls/python_forms.h"
#include "fx/ir/ops/packets.h"
#include "fx/ir/symbolic/number_functions.h"

#include "absl/strings/str_cat.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>

namespace fx::cpp {

using ops::SchemaTypeKind;

namespace {

/// Converts a Scalar to an int, a float or a bool. Does nothing for other kinds.
void convert_scalar(std::string& text, Value& value, ValueKind kind) {
  switch (kind) {
    case ValueKind::kInt:
      text += ".toLong()";
      break;
    case ValueKind::kFloat:
      text += ".toDouble()";
      break;
    case ValueKind::kBool:
      text += ".toBool()";
      break;
    default:
      return;
  }
  value = {kind};
}

}  // namespace

/// Appends a size, stride, storage offset, number of elements or number of dimensions as a call to
/// a method of at::Tensor. Returns false if that is not possible.
bool Emitter::append_size_call(std::string& out, const Operator& op,
                               const std::vector<Bound>& bound) {
  if (!bound[0].value || !bound[0].value->is_node() || bound.size() > 2) return false;
  append_leaf(out, op.parameters[0], false, *bound[0].value);
  absl::StrAppend(&out, ".", op.base.substr(op.base.starts_with("sym_") ? 4 : 0), "(");
  if (bound.size() == 2) {
    if (!bound[1].value) {
      out.clear();
      return false;
    }
    append_leaf(out, op.parameters[1], false, *bound[1].value);
  }
  out += ')';
  return status_.ok();
}

/// Appends the arguments of a call by name, up to the last one that has no default or differs from
/// it, and additional arguments while the overload is ambiguous. Returns false if it remains
/// ambiguous.
bool Emitter::append_by_name(std::string& out, const Node& node, const Operator& op, bool is_method,
                             Style style) {
  out.clear();
  size_t last = op.parameters.size();
  for (; last > 0; --last) {
    const Bound& b = bound_[last - 1];
    const Parameter& parameter = op.parameters[last - 1];
    if (!parameter.argument->default_value || b.num_variadic > 0) break;
    if (b.value && !is_default(parameter, *b.value)) break;
  }
  forms_.clear();
  size_t i = is_method ? 1 : 0;
  for (;; ++last) {
    for (; i < last; ++i) {
      if (!out.empty()) out += ", ";
      if (op.options_at >= 0 && i == static_cast<size_t>(op.options_at)) {
        append_options(out, op, bound_);
        forms_.push_back(Form::kOptions);
        i += 3;
        continue;
      }
      forms_.push_back(append_argument(out, op.parameters[i], bound_[i], node, style));
    }
    if (!status_.ok()) return false;
    if (Operators::is_certain(op, forms_, is_method)) return true;
    if (i >= op.parameters.size()) return false;
    last = i;
  }
}

bool Emitter::emit_operator(const Node& node, const Operator& op) {
  std::string text;
  Value value;
  if (!bind(node, op, 0) || !append_call(text, value, node, op)) return false;
  emit_statement(node, value, text);
  return true;
}

bool Emitter::bind(const Node& node, const Operator& op, size_t first) {
  CallArguments call = CallArguments::of(node);
  call.num_args -= std::min(first, call.num_args);
  std::vector<BoundParameter> bound;
  const BindProblem problem = bind_arguments(*op.schema, call, CallStyle::kOperator, bound);
  if (!problem.ok()) {
    fail(std::string(bind_error(op.info->name(), problem, *op.schema, call).message()));
    return false;
  }
  set_bound(node, bound, first);
  return true;
}

void Emitter::set_bound(const Node& node, absl::Span<const BoundParameter> bound, size_t first) {
  bound_.assign(bound.size(), Bound());
  for (size_t i = 0; i < bound.size(); ++i) {
    if (!bound[i].is_passed()) continue;
    const auto number = static_cast<uint32_t>(bound[i].first + first);
    if (bound[i].is_variadic) {
      bound_[i].num_variadic = bound[i].count;
      bound_[i].first = number;
    } else {
      bound_[i].value = argument_at(node, number);
    }
  }
}

/// Appends `at::add(x, y)` or `x.add(y)`. Returns false if C++ may select a different overload.
bool Emitter::append_named_call(std::string& text, const Node& node, const Operator& op) {
  const bool is_method = (op.row->forms & kAtFunction) == 0;
  std::string arguments;
  if (!append_by_name(arguments, node, op, is_method, Style::kBraces) &&
      !append_by_name(arguments, node, op, is_method, Style::kTyped))
    return false;
  if (is_method) {
    append_leaf(text, op.parameters[0], false, *bound_[0].value);
    absl::StrAppend(&text, ".", op.base, "(", arguments, ")");
  } else {
    include("ATen/ops/" + op.root + ".h");
    absl::StrAppend(&text, "at::", op.base, "(", arguments, ")");
  }
  return true;
}

bool Emitter::append_call(std::string& text, Value& value, const Node& node, const Operator& op) {
  const std::vector<Bound>& bound = bound_;
  value = op.result;
  if (op.row == nullptr) return append_dispatched(text, value, node, op, bound);
  if (op.is_size && append_size_call(text, op, bound)) return true;
  const bool writes_result =
      !op.parameters.empty() &&
      op.parameters.back().argument->is_out();  // at::add_out has the out argument first
  const bool by_name = op.row->forms != 0 && !writes_result && append_named_call(text, node, op);
  if (!by_name) {
    include("ATen/ops/" + op.root + "_ops.h");
    absl::StrAppend(&text, "at::_ops::", op.struct_name, "::call(");
    for (size_t i = 0; i < op.parameters.size(); ++i) {
      if (i > 0) text += ", ";
      append_argument(text, op.parameters[i], bound[i], node, Style::kStruct);
    }
    text += ')';
  }
  if (!status_.ok()) return false;
  if (op.schema->returns().size() == 1) {
    const ops::SchemaType& type = op.schema->returns()[0].type;
    if (type.is(SchemaTypeKind::kSymInt)) text += ".guard_int(__FILE__, __LINE__)";
    if (value.kind == ValueKind::kScalar && node.type())
      convert_scalar(text, value, shared_.types.of_type(node.type()).kind);
  }
  return true;
}

// ---------------------------------------------------------------- Python's overload resolution

PassedValue Emitter::passed(ArgumentRef value) const {
  if (value.is_list() || value.is_tuple()) {
    PassedValue list{PassedKind::kList};
    for (size_t i = 0; i < value.size(); ++i) list.items.push_back(passed(value[i]));
    return list;
  }
  const Node* node = value.node();
  if (node == nullptr) return passed_value(value);
  switch (values_[*node].kind) {
    case ValueKind::kNone:
      return {PassedKind::kNone};
    case ValueKind::kTensor:
      return {PassedKind::kTensor};
    case ValueKind::kInt:
      return {PassedKind::kInt};
    case ValueKind::kFloat:
      return {PassedKind::kFloat};
    case ValueKind::kBool:
      return {PassedKind::kBool};
    case ValueKind::kComplex:
      return {PassedKind::kComplex};
    case ValueKind::kScalar:
      return {PassedKind::kNumber};
    case ValueKind::kString:
      return {PassedKind::kString};
    case ValueKind::kTensors:
      return {PassedKind::kTensors};
    case ValueKind::kInts:
      return {PassedKind::kInts};
    case ValueKind::kDType:
      return {PassedKind::kDType};
    case ValueKind::kDevice:
      return {PassedKind::kDevice};
    case ValueKind::kUnknown:
    case ValueKind::kTuple:
    case ValueKind::kGraph:
      break;
  }
  return {PassedKind::kOther};
}

std::string Emitter::packet_of(const Node& node, std::string_view name) const {
  // `n += x` returns a new value if n is a number.
  const Node* const first = node.num_args() > 0 ? node.arg(0).node() : nullptr;
  const bool is_number_first = first == nullptr || is_number(values_[*first]);
  std::string packet =
      ops::packet_of_function(is_number_first ? plain_number_function(name) : name);
  const absl::StatusOr<std::optional<ops::PythonCall>> form =
      ops::python_form(node.context(), name, node.args(), node.kwargs());
  if (form.ok() && !*form) return packet;
  if (!form.ok() || (*form)->packet != packet || (*form)->is_batch_mean) return {};
  for (size_t i = 0; i < node.num_args(); ++i)
    if (i >= (*form)->args.size() || (*form)->argument_numbers[i] != static_cast<int>(i)) return {};
  return packet;
}

bool Emitter::emit_overloaded(const Node& node, std::string_view packet) {
  std::vector<const ops::OpInfo*> overloads;  // the overloads that have a C++ function
  for (const ops::OpInfo& info : ops::find_overloads(packet)) {
    const Operator* op = shared_.operators.find(&info);
    if (op != nullptr && op->row != nullptr) overloads.push_back(&info);
  }
  CallArguments call = CallArguments::of(node);
  std::vector<PassedValue> values;
  values.reserve(call.num_args + call.keywords.size());
  for (size_t i = 0; i < call.num_args + call.keywords.size(); ++i)
    values.push_back(passed(argument_at(node, i)));
  call.values = values;
  const absl::StatusOr<Overload> chosen =
      choose_overload(packet, overloads, call, {.numbers_as_tensors = false});
  if (!chosen.ok()) {
    fail(fmt::format("{}; call an ATen operator instead", std::string(chosen.status().message())));
    return false;
  }
  const Operator& op = *shared_.operators.find(chosen->op);
  set_bound(node, chosen->parameters, 0);
  std::string text;
  Value value;
  if (!append_call(text, value, node, op)) return false;
  emit_statement(node, value, text);
  return true;
}

}  // namespace fx::cpp
