#include "fx/tracer/tracer_base.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"

#include "fmt/format.h"

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace fx {
namespace {

/// Returns "forward" for "fx::Proxy Net::forward(fx::Proxy)".
std::string_view short_function(std::string_view function) {
  if (function.ends_with('>') && function.find("<lambda") != std::string_view::npos)
    return "<lambda>";
  // The parameters start at the last opening '(' at depth 0.
  size_t end = function.size();
  if (const size_t with = function.find(" [with "); with != std::string_view::npos) end = with;
  int depth = 0;
  size_t open = end;
  for (size_t i = end; i-- > 0;) {
    depth += function[i] == ')';
    depth -= function[i] == '(';
    if (function[i] == '(' && depth == 0) {
      open = i;
      break;
    }
  }
  const std::string_view head = function.substr(0, open);
  const size_t begin = head.find_last_of(" :*&>");
  const std::string_view name = begin == std::string_view::npos ? head : head.substr(begin + 1);
  return name.empty() ? "<lambda>" : name;
}

absl::Status no_value(std::string_view what, std::string_view instead) {
  return absl::FailedPreconditionError(
      fmt::format("a Proxy has no {} while tracing: {}", what, instead));
}

}  // namespace

TracerBase::TracerBase(Graph& graph, const RecordOptions& options)
    : graph_(&graph), options_(options) {}
TracerBase::~TracerBase() = default;

Context& TracerBase::context() const { return graph_->context(); }

void TracerBase::fail(const absl::Status& status, Where where) {
  if (!status_.ok() || status.ok()) return;
  std::string message(status.message());
  const std::string location = fmt::format("{}:{}", where.file_name(), where.line());
  if (message.find(location) == std::string::npos)
    message += fmt::format("\n  at {}, in {}", location, short_function(where.function_name()));
  fail(absl::Status(status.code(), message));
}

void TracerBase::fail(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
}

// ---------------------------------------------------------------- recording

Proxy TracerBase::record(const NodeRequest& request) {
  if (!status_.ok()) return Proxy::failed(*this);
  return create_proxy(request);
}

Proxy TracerBase::create_proxy(const NodeRequest& request) {
  absl::StatusOr<Node*> node = create_node(request);
  if (!node.ok()) {
    fail(node.status(), request.where);
    return Proxy::failed(*this);
  }
  return Proxy(**node, *this);
}

absl::StatusOr<Node*> TracerBase::create_node(const NodeRequest& request) {
  if (options_.mutable_operations == MutableOperations::kReject) {
    FX_RETURN_IF_ERROR(check_mutation(request));
  }
  const NodeOptions options{.name = request.name};
  FX_ASSIGN_OR_RETURN(
      Node* const node,
      request.op == Opcode::kCallFunction && request.function
          ? graph_->create_node(request.op, request.function, request.args, request.kwargs, options)
          : graph_->create_node(request.op, request.target, request.args, request.kwargs, options));
  if (options_.locations) note_location(*node, request.where);
  return node;
}

void TracerBase::note_location(Node& node, Where where) {
  const Location location{where.file_name(), where.function_name(), where.line()};
  auto [it, is_new] = locations_.try_emplace(location);
  if (is_new) {
    it->second = context().symbol(fmt::format("File \"{}\", line {}, in {}\n    {}", location.file,
                                              location.line, short_function(location.function),
                                              location.function));
  }
  node.meta().set(meta::kStackTrace.name, Argument(it->second));
}

absl::Status TracerBase::check_mutation(const NodeRequest& request) const {
  const ops::OpInfo* op = nullptr;
  if (request.op == Opcode::kCallFunction) {
    op = request.function ? request.function.op() : context().ops().find(request.target);
  } else if (request.op == Opcode::kCallMethod) {
    op = context().ops().find_method(request.target);
  }
  const bool writes_out = std::any_of(request.kwargs.begin(), request.kwargs.end(),
                                      [](const Kwarg& k) { return k.key == "out"; });
  if (op == nullptr) return absl::OkStatus();
  const bool writes = op->effects().has(ops::Effect::kWritesArguments) &&
                      (writes_out || op->written_arguments().empty() ||
                       !op->schema().arguments()[op->written_arguments()[0]].is_out());
  if (!writes) return absl::OkStatus();
  return absl::InvalidArgumentError(fmt::format(
      "{} writes to its argument, which this tracer does not allow (mutable_operations); use the "
      "variant that returns a new tensor",
      op->name()));
}

Proxy TracerBase::placeholder(std::string_view name, Where where) {
  return record({.op = Opcode::kPlaceholder, .target = name, .where = where});
}
Proxy TracerBase::placeholder(std::string_view name, const Argument& default_value, Where where) {
  return record({.op = Opcode::kPlaceholder,
                 .target = name,
                 .args = absl::MakeConstSpan(&default_value, 1),
                 .where = where});
}
Proxy TracerBase::get_attr(std::string_view path, Where where) {
  return record({.op = Opcode::kGetAttr, .target = path, .where = where});
}
Proxy TracerBase::call_function(Target function, absl::Span<const Argument> args,
                                absl::Span<const Kwarg> kwargs, Where where) {
  return record({.function = function, .args = args, .kwargs = kwargs, .where = where});
}

namespace {

struct PlainCall {
  std::vector<Argument> args;
  std::vector<Kwarg> kwargs;
  PlainCall(std::initializer_list<AnyArg> a, std::initializer_list<NamedArg> k) {
    for (const AnyArg& value : a) args.push_back(value.value());
    for (const NamedArg& named : k) kwargs.emplace_back(named.name, named.value.value());
  }
};

}  // namespace

Proxy TracerBase::call_function(std::string_view function, std::initializer_list<AnyArg> args,
                                std::initializer_list<NamedArg> kwargs, Where where) {
  const PlainCall call(args, kwargs);
  return call_function(context().function(function), call.args, call.kwargs, where);
}
Proxy TracerBase::call_module(std::string_view path, std::initializer_list<AnyArg> args,
                              std::initializer_list<NamedArg> kwargs, Where where) {
  const PlainCall call(args, kwargs);
  return record({.op = Opcode::kCallModule,
                 .target = path,
                 .args = call.args,
                 .kwargs = call.kwargs,
                 .where = where});
}

Proxy call_function(std::string_view function, std::initializer_list<AnyArg> args,
                    std::initializer_list<NamedArg> kwargs, Where where) {
  TracerBase* tracer = nullptr;
  for (const AnyArg& value : args) tracer = tracer ? tracer : value.tracer();
  for (const NamedArg& named : kwargs) tracer = tracer ? tracer : named.value.tracer();
  FX_CHECK(tracer != nullptr, "call_function: at least one argument must be a Proxy");
  return tracer->call_function(function, args, kwargs, where);
}

// ---------------------------------------------------------------- modules, values

Proxy TracerBase::call_module(const Module&, absl::FunctionRef<Proxy()> forward,
                              absl::Span<const AnyArg>, Where) {
  return forward();
}
void TracerBase::enter_module(const Module&, Where) {}
void TracerBase::leave_module() {}

absl::StatusOr<bool> TracerBase::to_bool(const Proxy&) {
  return no_value("truth value",
                  "symbolically traced values cannot be used as inputs to control flow; use "
                  "where(condition, a, b), fx::cond or a concrete argument");
}
absl::StatusOr<int64_t> TracerBase::to_int(const Proxy&) {
  return no_value("integer value",
                  "trace with fx::ShapedTracer, which provides sizes, or keep it as "
                  "a Proxy");
}
absl::StatusOr<double> TracerBase::to_float(const Proxy&) {
  return no_value("numeric value", "keep it as a Proxy");
}

namespace {

// The traced function continues after a failure, and may divide by a size: 1 is a valid divisor.
template <class T>
constexpr T kFallbackValue = std::is_same_v<T, bool> ? T{false} : T{1};

template <class T>
T value_or_fail(TracerBase& tracer, absl::StatusOr<T> value, Where where) {
  if (value.ok()) return *value;
  tracer.fail(value.status(), where);
  return kFallbackValue<T>;
}

}  // namespace

bool TracerBase::bool_of(const Proxy& value, Where where) {
  return status_.ok() && value_or_fail(*this, to_bool(value), where);
}
int64_t TracerBase::int_of(const Proxy& value, Where where) {
  return status_.ok() ? value_or_fail(*this, to_int(value), where) : kFallbackValue<int64_t>;
}
double TracerBase::float_of(const Proxy& value, Where where) {
  return status_.ok() ? value_or_fail(*this, to_float(value), where) : kFallbackValue<double>;
}

}  // namespace fx
