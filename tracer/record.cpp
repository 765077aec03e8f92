// Records generated functions and methods of Proxy, Python's operators and indexing as nodes: in
// torch.fx's form, or as ATen overloads.
#include "fx/ir/calls/call.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"
#include "fx/tracer/record_internal.h"
#include "fx/tracer/tracer_base.h"

#include "absl/container/inlined_vector.h"
#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fx {
namespace {

using ops::SchemaTypeKind;

/// Returns the default value of an omitted argument that comes before one that is passed.
Argument default_of(std::string_view op, size_t position) {
  const ops::OpInfo* info = ops::find_op(op);
  if (info == nullptr || position >= info->schema().arguments().size()) return Argument();
  const ops::SchemaArgument& argument = info->schema().arguments()[position];
  return argument.default_value ? schema_default(argument) : Argument();
}

using Values = absl::InlinedVector<Argument, 8>;
using Keywords = absl::InlinedVector<Kwarg, 4>;

TracerBase* first_tracer(OperandRefs operands) {
  for (const OperandRef& operand : operands)
    if (TracerBase* tracer = operand.tracer()) return tracer;
  return nullptr;
}

Proxy record(TracerBase* tracer, const TracedCall& call, bool is_method, Where where,
             OperandRefs operands) {
  FX_CHECK(tracer != nullptr,
           fmt::format("{} was called with Proxies that have no value", call.target));
  if (!tracer->status().ok()) return Proxy::failed(*tracer);
  const OperandRef* begin = operands.begin();
  size_t num_passed = call.num_positional;
  while (num_passed > 0 && !begin[num_passed - 1].has_value()) --num_passed;
  Values values;
  Keywords keywords;
  for (size_t i = 0; i < operands.size(); ++i) {
    const OperandRef& operand = begin[i];
    if (operand.is_empty_proxy()) {
      tracer->fail(absl::InvalidArgumentError(
                       fmt::format("{}: argument {} must be a Proxy with a value", call.target, i)),
                   where);
      return Proxy::failed(*tracer);
    }
    if (i < num_passed) {
      values.push_back(operand.has_value() ? operand.value() : default_of(call.op, i));
    } else if (i >= call.num_positional && operand.has_value()) {
      keywords.emplace_back(call.keywords[i - call.num_positional], operand.value());
    }
  }
  return tracer->record_call(call, is_method, absl::MakeSpan(values), keywords, where);
}

/// Python's operators and the operators of ATen.
struct OperatorRow {
  std::string_view name;  // of Python's module operator
  std::string_view op;
  std::string_view with_number = {};  // on the right, if `op` does not accept a number there
};
constexpr OperatorRow kOperators[] = {
    {"add", "aten.add.Tensor"},
    {"sub", "aten.sub.Tensor"},
    {"mul", "aten.mul.Tensor"},
    {"truediv", "aten.div.Tensor"},
    {"floordiv", "aten.floor_divide.default"},
    {"mod", "aten.remainder.Tensor", "aten.remainder.Scalar"},
    {"and_", "aten.bitwise_and.Tensor", "aten.bitwise_and.Scalar"},
    {"or_", "aten.bitwise_or.Tensor", "aten.bitwise_or.Scalar"},
    {"xor", "aten.bitwise_xor.Tensor", "aten.bitwise_xor.Scalar"},
    {"lshift", "aten.bitwise_left_shift.Tensor", "aten.bitwise_left_shift.Tensor_Scalar"},
    {"rshift", "aten.bitwise_right_shift.Tensor", "aten.bitwise_right_shift.Tensor_Scalar"},
    {"lt", "aten.lt.Tensor", "aten.lt.Scalar"},
    {"le", "aten.le.Tensor", "aten.le.Scalar"},
    {"gt", "aten.gt.Tensor", "aten.gt.Scalar"},
    {"ge", "aten.ge.Tensor", "aten.ge.Scalar"},
    {"eq", "aten.eq.Tensor", "aten.eq.Scalar"},
    {"ne", "aten.ne.Tensor", "aten.ne.Scalar"},
    {"matmul", "aten.matmul.default"},
    {"neg", "aten.neg.default"},
    {"pos", "aten.positive.default"},
    {"invert", "aten.bitwise_not.default"},
};

std::string_view aten_operator(std::string_view name, absl::Span<const Argument> args) {
  if (name == "pow") {
    if (!args[0].is_node()) return "aten.pow.Scalar";
    return args[1].is_node() ? "aten.pow.Tensor_Tensor" : "aten.pow.Tensor_Scalar";
  }
  const bool with_number = args.size() == 2 && args[0].is_node() && !args[1].is_node();
  for (const OperatorRow& row : kOperators) {
    if (row.name == name) return with_number && !row.with_number.empty() ? row.with_number : row.op;
  }
  FX_UNREACHABLE("an operator of Proxy must have a row");
}

/// Nodes of operators are named after the operator without its overload, as in make_fx.
std::string_view base_name(Target target) {
  return target.op() ? target.op()->base_name() : std::string_view();
}

}  // namespace

Proxy record_function(const TracedCall& call, Where where, OperandRefs operands) {
  return record(first_tracer(operands), call, false, where, operands);
}
Proxy record_function(TracerBase& tracer, const TracedCall& call, Where where,
                      OperandRefs operands) {
  return record(&tracer, call, false, where, operands);
}
Proxy record_method(const TracedCall& call, Where where, OperandRefs operands) {
  return record(first_tracer(operands), call, true, where, operands);
}

Target TracerBase::target_of(const TracedCall& call) {
  auto [it, is_new] = targets_.try_emplace(&call);
  if (is_new) {
    it->second = context().function(options_.targets == Targets::kAten ? call.op : call.target);
  }
  return it->second;
}

Proxy TracerBase::record_call(const TracedCall& call, bool is_method, absl::Span<Argument> args,
                              absl::Span<const Kwarg> kwargs, Where where) {
  if (options_.targets == Targets::kAten) return record_aten(call, args, kwargs, where);
  if (is_method) {
    return record({.op = Opcode::kCallMethod,
                   .target = call.target,
                   .args = args,
                   .kwargs = kwargs,
                   .where = where});
  }
  return record({.function = target_of(call), .args = args, .kwargs = kwargs, .where = where});
}

// ---------------------------------------------------------------- as ATen

Proxy TracerBase::record_aten(const TracedCall& call, absl::Span<Argument> args,
                              absl::Span<const Kwarg> kwargs, Where where) {
  Target target = target_of(call);
  const auto is_list = [](const Argument& a) { return a.is_list() || a.is_none(); };
  if (!call.narrow_op.empty() && call.narrow_at < args.size()) {
    const absl::Span<const Argument> rest = args.subspan(call.narrow_at);
    const bool is_narrow =
        call.narrow_is_tensor
            ? std::any_of(rest.begin(), rest.end(),
                          [&](const Argument& a) { return a.is_node() && !is_number(a); })
            : !is_list(rest[0]);
    if (is_narrow) target = context().function(call.narrow_op);
  }
  // A single number for a list without a fixed size becomes a list with one item.
  if (const ops::OpInfo* op = target.op()) {
    const auto schema = op->schema().arguments();
    for (size_t i = 0; i < args.size() && i < schema.size(); ++i) {
      const ops::SchemaType& type = schema[i].type.without_optional();
      if (type.is_list() && !type.contains_tensors() && !is_list(args[i]) && !args[i].is_node()) {
        args[i] = Argument::list({args[i]});
      }
    }
  }
  return record({.function = target,
                 .args = args,
                 .kwargs = kwargs,
                 .name = base_name(target),
                 .where = where});
}

bool TracerBase::is_number(const Argument& value) const {
  const Node* node = value.node();
  if (node == nullptr) return value.is_int() || value.is_float() || value.is_bool();
  if (node->op() != Opcode::kCallFunction) return false;
  if (node->target().starts_with("operator.") && node->num_args() > 0 &&
      node->target() != "operator.getitem") {
    return true;  // in ATen form, `operator.*` is called only on numbers
  }
  const ops::OpInfo* op = node->function().op();
  if (op == nullptr || op->schema().returns().size() != 1) return false;
  switch (op->schema().returns()[0].type.kind()) {
    case SchemaTypeKind::kInt:
    case SchemaTypeKind::kSymInt:
    case SchemaTypeKind::kFloat:
    case SchemaTypeKind::kSymFloat:
    case SchemaTypeKind::kBool:
    case SchemaTypeKind::kSymBool:
    case SchemaTypeKind::kScalar:
      return true;
    default:
      return false;
  }
}

Target TracerBase::operator_target(std::string_view name) {
  auto [it, is_new] = operators_.try_emplace(name);
  if (is_new) it->second = context().function("operator." + std::string(name));
  return it->second;
}

Proxy TracerBase::record_operator(std::string_view name, absl::Span<const Argument> args,
                                  Where where) {
  if (!status_.ok()) return Proxy::failed(*this);
  bool all_numbers = true;
  for (const Argument& arg : args) all_numbers &= is_number(arg);
  if (options_.targets == Targets::kTorch || all_numbers) {
    return record({.function = operator_target(name), .args = args, .where = where});
  }
  const Target target = context().function(aten_operator(name, args));
  return record({.function = target, .args = args, .name = base_name(target), .where = where});
}

Proxy TracerBase::record_getitem(const Argument& object, const Argument& index, Where where) {
  if (options_.targets == Targets::kAten) return index_aten(object, index, where);
  const Argument args[] = {object, index};
  return record({.function = operator_target("getitem"), .args = args, .where = where});
}

namespace {

/// True if the value is multiple tensors, or a list of tensors.
bool is_sequence(const Argument& object) {
  const Node* node = object.node();
  if (node == nullptr || node->op() != Opcode::kCallFunction) return false;
  const ops::OpInfo* op = node->function().op();
  if (op == nullptr) return true;
  const auto returns = op->schema().returns();
  return returns.size() != 1 || !returns[0].type.is(SchemaTypeKind::kTensor);
}

}  // namespace

Proxy TracerBase::index_aten(const Argument& object, const Argument& index, Where where) {
  const auto is_integer = [this](const Argument& item) {
    return item.is_int() || (item.is_node() && is_number(item));
  };
  if (is_sequence(object) || !check_index_types(index, is_integer).ok()) {
    const Argument args[] = {object, index};
    return record({.function = operator_target("getitem"), .args = args, .where = where});
  }
  const auto add = [&](std::string_view op, absl::Span<const Argument> args,
                       absl::Span<const Kwarg> kwargs) -> absl::StatusOr<Node*> {
    const Target target = context().function(op);
    const Proxy result = record({.function = target,
                                 .args = args,
                                 .kwargs = kwargs,
                                 .name = base_name(target),
                                 .where = where});
    if (!status_.ok()) return status_;
    return result.node();
  };
  const absl::StatusOr<Node*> item = lower_index(object, index, is_integer, add);
  if (item.ok()) return Proxy(**item, *this);
  if (status_.ok()) fail(item.status(), where);
  return Proxy::failed(*this);
}

}  // namespace fx
