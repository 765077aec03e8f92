// Decomposer: see decomposer.h.
#include "fx/passes/decompose/decomposer.h"

#include "fx/ir/calls/bind.h"
#include "fx/ir/calls/index_calls.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/edit/sym_nodes.h"
#include "fx/ir/ops/op_info.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/shape_prop.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace fx {

Decomposer::Decomposer(Graph& graph)
    : TracerBase(graph, {.targets = Targets::kAten, .locations = false}),
      env_(graph.context()),
      anything_(graph.context().types().tensor({.dtype = DType::kFloat32})) {
  env_.set_ranges_of(graph);
  env_.avoid_symbols_of(graph);
}

void Decomposer::start(const Node& call) {
  call_ = &call;
  clear_status();
}

absl::StatusOr<Node*> Decomposer::create_node(const NodeRequest& request) {
  NodeRequest named = request;
  if (const ops::OpInfo* op = request.function.op(); op != nullptr && named.name.empty())
    named.name = op->base_name();  // `mul`, like the names of functions and operators
  FX_ASSIGN_OR_RETURN(Node* const node, TracerBase::create_node(named));
  if (node->op() != Opcode::kCallFunction) return node;
  FX_ASSIGN_OR_RETURN(const Type type, infer_type(*node, {.env = &env_}));
  if (!type) {
    return absl::UnimplementedError(
        fmt::format("the type of {} cannot be computed", std::string(node->target())));
  }
  node->set_type(type);
  return node;
}

// ---------------------------------------------------------------- arguments

Argument Decomposer::argument(std::string_view name) const {
  return call_->argument(name).value_or(Argument());
}

AnyArg Decomposer::reject(std::string_view reason) {
  fail(absl::UnimplementedError(absl::string_view(reason.data(), reason.size())));
  return {};
}

void Decomposer::reject_argument(std::string_view name, std::string_view what) {
  reject(fmt::format("its argument {} is {}", name, what));
}

Proxy Decomposer::tensor(std::string_view name) {
  Node* const node = argument(name).node();
  if (node == nullptr || !node->type().is_tensor()) {
    reject_argument(name, node ? "of unknown type" : "not a tensor");
    return Proxy::failed(*this);
  }
  return proxy(node);
}

Proxy Decomposer::optional_tensor(std::string_view name) {
  return is_none(name) ? Proxy() : tensor(name);
}

std::vector<Proxy> Decomposer::tensors(std::string_view name) {
  const Argument list = argument(name);
  std::vector<Proxy> values;
  values.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) values.push_back(proxy(list[i].node()));
  const bool all = std::all_of(values.begin(), values.end(), [](const Proxy& value) {
    return value.defined() && value.node()->type().is_tensor();
  });
  if (all && !values.empty()) return values;
  reject_argument(name, "not a list of tensors");
  return {};
}

int64_t Decomposer::integer(std::string_view name) {
  const Argument value = argument(name);
  if (value.is_int()) return value.as_int();
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  reject_argument(name, "not a constant integer");
  return 0;
}

double Decomposer::number(std::string_view name) {
  const Argument value = argument(name);
  if (value.is_float()) return value.as_float();
  if (value.is_int()) return static_cast<double>(value.as_int());
  if (value.is_bool()) return value.as_bool() ? 1 : 0;
  reject_argument(name, "not a constant number");
  return 0;
}

bool Decomposer::flag(std::string_view name) {
  const Argument value = argument(name);
  if (value.is_bool()) return value.as_bool();
  reject_argument(name, "not a constant bool");
  return false;
}

std::string Decomposer::text(std::string_view name) {
  const Argument value = argument(name);
  if (value.is_string()) return std::string(value.as_string());
  reject_argument(name, "not a string");
  return {};
}

DType Decomposer::dtype_argument(std::string_view name) {
  const Argument value = argument(name);
  if (value.kind() == ArgumentKind::kDType) return value.as_dtype();
  if (const auto dtype = value.is_int() ? dtype_from_number(value.as_int()) : std::nullopt)
    return *dtype;
  reject_argument(name, "not a dtype");
  return DType::kFloat32;
}

MemoryFormat Decomposer::memory_format(std::string_view name) {
  const Argument value = argument(name);
  if (value.kind() == ArgumentKind::kMemoryFormat) return value.as_memory_format();
  if (const auto format = value.is_int() ? memory_format_from_number(value.as_int()) : std::nullopt)
    return *format;
  reject_argument(name, "not a memory format");
  return MemoryFormat::kPreserve;
}

std::vector<int64_t> Decomposer::integers(std::string_view name) {
  const Argument list = argument(name);
  std::vector<int64_t> values;
  if (list.is_int()) values.push_back(list.as_int());
  if (list.is_node()) reject_argument(name, "not a list of constant integers");
  for (size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_int()) {
      reject_argument(name, "not a list of constant integers");
      return {};
    }
    values.push_back(list[i].as_int());
  }
  return values;
}

namespace {

/// Returns a number, or a value of the graph, as an operand of this class.
template <class Operand>
Operand operand_of(const Argument& value, Decomposer& d) {
  if (Node* node = value.node()) return Operand(Proxy(*node, d));
  if (value.is_int()) return Operand(value.as_int());
  if constexpr (!std::is_same_v<Operand, IntArg>) {
    if (value.is_float()) return Operand(value.as_float());
    if (value.is_bool()) return Operand(value.as_bool());
    if (value.kind() == ArgumentKind::kComplex) return Operand(value.as_complex());
  }
  d.reject("every argument must be a number");
  return Operand(0);
}

}  // namespace

std::vector<IntArg> Decomposer::dims(std::string_view name) {
  const Argument list = argument(name);
  std::vector<IntArg> values;
  if (list.is_node() && list.node()->type().kind() != TypeKind::kInt)
    reject_argument(name, "not a list of sizes");
  if (!list.is_none() && !is_aggregate(list.kind()))
    values.push_back(operand_of<IntArg>(list, *this));
  values.reserve(list.size());
  for (size_t i = 0; i < list.size(); ++i) values.push_back(operand_of<IntArg>(list[i], *this));
  return values;
}

ScalarArg Decomposer::scalar(std::string_view name) {
  const Argument value = argument(name);
  // libtorch converts the number to the dtype of the result.
  const bool is_real = value.kind() == ArgumentKind::kComplex && value.as_complex().imag() == 0 &&
                       !is_complex(result().dtype());
  return operand_of<ScalarArg>(is_real ? Argument(value.as_complex().real()) : value, *this);
}

// ---------------------------------------------------------------- types, sizes

Type Decomposer::type(const Proxy& x) const {
  return x.defined() && x.node()->type().is_tensor() ? x.node()->type() : anything_;
}

int64_t Decomposer::rank(const Proxy& x) {
  const Type type = this->type(x);
  if (!type.has_rank()) reject(fmt::format("the rank of {} is unknown", x.node()->name()));
  return type.rank();
}

std::vector<int64_t> Decomposer::range(int64_t begin, int64_t end) {
  std::vector<int64_t> values(static_cast<size_t>(std::max<int64_t>(end - begin, 0)));
  std::iota(values.begin(), values.end(), begin);
  return values;
}

Type Decomposer::result(size_t i) const {
  const Type type = call_->type();
  if (type.is_tensor() && i == 0) return type;
  if ((type.is_tuple() || type.is_list()) && i < type.items().size()) {
    const Type item = type.items()[i];
    if (item.is_tensor()) return item;
  }
  return anything_;
}

int64_t Decomposer::wrapped(int64_t dim, int64_t rank) {
  const int64_t bound = std::max<int64_t>(rank, 1);
  if (dim >= -bound && dim < bound) return dim < 0 ? dim + bound : dim;
  reject(fmt::format("dimension {} is out of range for rank {}", dim, rank));
  return 0;
}

bool Decomposer::reads_result(const Node& call, size_t i) {
  return std::any_of(call.uses().begin(), call.uses().end(), [&](const Use use) {
    const Node& user = *use.user();
    const std::optional<int64_t> item = constant_item(user);
    if (!item || *item < 0 || user.arg(0).node() != &call) return true;
    return static_cast<size_t>(*item) == i && user.has_uses();
  });
}

IntArg Decomposer::size(const Proxy& x, int64_t dim) {
  const Type type = this->type(x);
  dim = wrapped(dim, rank(x));
  if (!status().ok() || type.rank() == 0) return IntArg(1);
  const Dim& size = type.size(static_cast<int>(dim));
  if (size.is_int()) return IntArg(size.value());
  return IntArg(proxy(create_size_node(*x.node(), dim)));
}

bool Decomposer::has_size(const Proxy& x, int64_t dim, int64_t size) {
  const Type type = this->type(x);
  dim = wrapped(dim, rank(x));
  return status().ok() && type.rank() > 0 && type.size(static_cast<int>(dim)) == Dim(size);
}

std::vector<IntArg> Decomposer::sizes(const Proxy& x, int64_t begin, int64_t end) {
  std::vector<IntArg> values;
  values.reserve(static_cast<size_t>(std::max<int64_t>(std::min(end, rank(x)) - begin, 0)));
  for (int64_t i = begin; i < std::min(end, rank(x)); ++i) values.push_back(size(x, i));
  return values;
}

bool Decomposer::is_empty(const Proxy& x) const {
  return std::ranges::any_of(type(x).sizes(), [](const Dim& size) { return size == Dim(0); });
}

int64_t Decomposer::known_size(const Proxy& x, int64_t dim) {
  const Type type = this->type(x);
  dim = wrapped(dim, rank(x));
  if (!status().ok() || type.rank() == 0) return 1;
  const Dim& size = type.size(static_cast<int>(dim));
  if (!size.is_int()) reject("its sizes must be known");
  return size.is_int() ? size.value() : 1;
}

ScalarArg Decomposer::product(const std::vector<IntArg>& factors) {
  int64_t known = 1;
  Proxy value;
  for (const IntArg& factor : factors) {
    if (Node* node = factor.value().node()) {
      value = value.defined() ? value * proxy(node) : proxy(node);
    } else if (__builtin_mul_overflow(known, factor.value().as_int(), &known)) {
      reject("the product of its sizes exceeds 64 bits");
    }
  }
  if (!value.defined()) return ScalarArg(known);
  return ScalarArg(known == 1 ? value : value * known);
}

ScalarArg Decomposer::quotient(double a, const ScalarArg& b) {
  const Argument& value = b.value();
  if (Node* node = value.node()) return ScalarArg(a / proxy(node));
  return ScalarArg(a / (value.is_int() ? static_cast<double>(value.as_int()) : value.as_float()));
}

// ---------------------------------------------------------------- operators

Proxy Decomposer::call_with(absl::Span<const std::pair<std::string_view, AnyArg>> replaced) {
  const ops::OpInfo* op = call().function().op();
  std::vector<Argument> args = call().args();
  std::vector<Kwarg> kwargs = call().kwargs();
  for (const auto& [name, value] : replaced) {
    const int index = op != nullptr ? op->schema().find_argument(name) : -1;
    if (index < 0) {
      reject(fmt::format("it has no argument {}", name));
      return Proxy::failed(*this);
    }
    if (const std::optional<size_t> number = argument_number(call(), *op, index); !number)
      kwargs.emplace_back(name, value.value());
    else if (*number < args.size())
      args[*number] = value.value();
    else
      kwargs[*number - args.size()].value = value.value();
  }
  return call_function(call().function(), args, kwargs);
}

Proxy Decomposer::cast(const Proxy& x, DType dtype) {
  if (dtype == DType::kUndefined) {
    reject("the dtype of a value is unknown");
    return x;
  }
  if (this->dtype(x) == dtype) return x;
  return emit("aten._to_copy.default", {x}, {{"dtype", dtype}});
}

DType Decomposer::opmath(DType dtype) {
  const bool is_short = dtype == DType::kFloat16 || dtype == DType::kBFloat16;
  return is_short ? DType::kFloat32 : dtype;
}
Proxy Decomposer::opmath(const Proxy& x) { return cast(x, opmath(dtype(x))); }
Proxy Decomposer::promoted(const Proxy& x) {
  const Type type = call_->type(), first = type && !type.items().empty() ? type.items()[0] : type;
  if (first.is_tensor()) return opmath(cast(x, first.dtype()));
  reject("the type of its result is unknown");
  return x;
}

Proxy Decomposer::scalar_tensor(const ScalarArg& value, const Proxy& like, DType dtype) {
  return fx::scalar_tensor(*this, value, dtype, {}, type(like).device());
}

Proxy Decomposer::where(const Proxy& condition, const Proxy& a, const Proxy& b) {
  return fx::where(condition, a, b);
}
Proxy Decomposer::where(const Proxy& condition, const ScalarArg& a, const Proxy& b) {
  return fx::where(condition, scalar_tensor(a, b), b);
}
Proxy Decomposer::where(const Proxy& condition, const Proxy& a, const ScalarArg& b) {
  return fx::where(condition, a, scalar_tensor(b, a));
}

Proxy Decomposer::full(const std::vector<IntArg>& sizes, const ScalarArg& value, const Proxy& like,
                       DType dtype) {
  return fx::full(*this, sizes, value, dtype, {}, type(like).device());
}

Proxy Decomposer::iota(const Operand& count, const Proxy& like) {
  return emit("aten.arange.start_step", {0, AnyArg(count), 1},
              {{"dtype", DType::kInt64}, {"device", type(like).device()}});
}

bool Decomposer::is_viewable(const Proxy& x, const std::vector<IntArg>& sizes) {
  const Target view = context().function("aten.view.default");
  const Argument list = IntList(sizes).value();
  // The sizes are numbers, or nodes with types; both determine whether a view is possible. First
  // checks the conditions that hold for every input, with contiguous memory. The additional
  // conditions of a view (such as a batch of one row) may hold only for some inputs.
  const auto fits = [&](ShapeEnv& env, const Argument& tensor) {
    return infer_call(context(), view, {tensor, list}, {}, {.env = &env}).ok();
  };
  TensorSpec contiguous = type(x).spec();
  contiguous.strides = {};
  (void)fits(env_, Argument(context().types().tensor(contiguous)));
  const size_t needed = env_.guards().size();
  ShapeEnv tried = env_;
  return fits(tried, Argument(x.node())) && tried.guards().size() == needed;
}

Proxy Decomposer::reshape(const Proxy& x, const std::vector<IntArg>& sizes) {
  if (!x.defined() || !status().ok()) return Proxy::failed(*this);
  return (is_viewable(x, sizes) ? x : x.clone(MemoryFormat::kContiguous)).view(sizes);
}

Proxy Decomposer::unsqueeze_to(const Proxy& x, int64_t rank) {
  Proxy result = x;
  for (int64_t i = this->rank(x); i < rank; ++i) result = unsqueeze(result, -1);
  return result;
}

Proxy Decomposer::reduce_loss(const Proxy& loss, int64_t reduction) {
  if (reduction == 0) return loss;
  return reduction == 1 ? mean(loss) : sum(loss, IntList(std::vector<int64_t>()));
}

}  // namespace fx
