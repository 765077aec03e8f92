// Creates the values of the graph: inputs, initializers, constants, and values that nested graphs
// use.
#include "fx/importers/onnx/read/reader_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/meta.h"
#include "fx/ir/support/name.h"
#include "fx/ir/support/status.h"
#include "fx/passes/shape/shape_prop.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <algorithm>

namespace fx::onnx::reader {
namespace {

/// The maximum number of elements of an integer tensor whose elements are used as sizes.
constexpr int64_t kMaxElements = 1024;

std::string shown_name(std::string_view name) { return std::string(name.substr(0, 200)); }

/// Converts an integer to an integer type as C++ does: modulo 2^n.
int64_t wrap(int64_t value, DType dtype) {
  const int64_t unused_bits = 64 - 8 * dtype_item_size(dtype);
  const uint64_t shifted = static_cast<uint64_t>(value) << unused_bits;
  return is_signed(dtype) ? static_cast<int64_t>(shifted) >> unused_bits
                          : static_cast<int64_t>(shifted >> unused_bits);
}

}  // namespace

absl::StatusOr<Tensor> constant_tensor(const Sizes& elements, bool is_scalar, DType dtype) {
  Ints sizes;
  if (!is_scalar) sizes.push_back(static_cast<int64_t>(elements.size()));
  Sizes wrapped;
  for (const Argument& element : elements) {
    const int64_t value = element.as_int();
    wrapped.emplace_back(is_integral(dtype) ? wrap(value, dtype) : value);
  }
  return Tensor::from_elements(dtype, sizes, wrapped);
}

absl::StatusOr<Node*> Reader::add_call(Frame& frame, std::string_view target,
                                       absl::Span<const Argument> args,
                                       absl::Span<const Kwarg> kwargs) {
  Node* const node = frame.graph->call_function(context_.function(target), args, kwargs);
  absl::StatusOr<Type> type = infer_type(*node, {.env = &env_});
  if (type.ok()) {
    node->set_type(*type);
    return node;
  }
  if (absl::IsNotFound(type.status())) return node;
  return absl::InvalidArgumentError(
      fmt::format("{}: {}", target, std::string(type.status().message())));
}

Value& Reader::constant_value(Tensor tensor) {
  Value& value = new_value();
  value.kind = Value::kTensor;
  value.frame = &frame_;
  const bool is_index = tensor.dtype() == DType::kInt64 || tensor.dtype() == DType::kInt32;
  if (is_index && tensor.sizes().size() <= 1 && tensor.num_elements() <= kMaxElements) {
    value.has_elements = true;
    value.is_scalar = tensor.sizes().empty();
    value.dtype = tensor.dtype();
    for (int64_t i = 0; i < tensor.num_elements(); ++i) value.elements.push_back(tensor.element(i));
  }
  value.constant = std::move(tensor);
  return value;
}

/// Returns an unused path in the module for a name. Replaces characters that paths must not
/// contain, and ensures that no path is a prefix of another path.
std::string Reader::path_of(std::string_view name) {
  std::string path;
  for (const char c : name) {
    const bool is_legal =
        absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    path += is_legal ? c : '_';
  }
  if (path.empty()) path = "_tensor_constant";
  const auto prefixes_of = [](std::string_view text) {
    std::vector<std::string> prefixes;
    for (size_t dot = text.find('.'); dot != text.npos; dot = text.find('.', dot + 1))
      prefixes.emplace_back(text.substr(0, dot));
    return prefixes;
  };
  const auto is_free = [&](const std::string& candidate) {
    if (paths_.contains(candidate) || prefixes_.contains(candidate)) return false;
    return std::ranges::none_of(prefixes_of(candidate),
                                [&](const std::string& prefix) { return paths_.contains(prefix); });
  };
  const bool has_empty_part = path.front() == '.' || path.back() == '.' ||
                              path.find("..") != path.npos || std::ranges::count(path, '.') > 100;
  if (has_empty_part || !is_free(path)) std::ranges::replace(path, '.', '_');
  std::string free = path;
  for (int i = 1; !is_free(free); ++i) free = fmt::format("{}_{}", path, i);
  paths_.insert(free);
  for (std::string& prefix : prefixes_of(free)) prefixes_.insert(std::move(prefix));
  return free;
}

/// Creates the node for a value that is a constant or whose elements are known.
absl::StatusOr<Node*> Reader::create_node(Frame& frame, Value& value) {
  if (value.constant.defined()) {
    const std::string path = path_of(value.path);
    const bool is_parameter =
        !value.path.empty() && is_floating_point(value.constant.dtype()) && !value.is_buffer;
    fx::Attribute attribute = is_parameter         ? fx::Attribute::parameter(value.constant)
                              : value.path.empty() ? fx::Attribute::constant(value.constant)
                                                   : fx::Attribute::buffer(value.constant);
    FX_RETURN_IF_ERROR(root_.assign(path, std::move(attribute)));
    return frame.graph->get_attr(path, {.type = value.constant.type(context_.types())});
  }
  std::vector<Argument> items;
  for (const Argument& element : value.elements) {
    const Kwarg dtype[] = {{"dtype", value.dtype}};
    FX_ASSIGN_OR_RETURN(Node * item,
                        add_call(frame, "aten.scalar_tensor.default", {element}, dtype));
    if (value.is_scalar) return item;
    items.emplace_back(item);
  }
  return add_call(frame, "aten.stack.default", {Argument::list(items)}, {});
}

absl::StatusOr<Node*> Reader::node_in(Frame& frame, Value& value) {
  if (value.kind != Value::kTensor)
    return absl::InvalidArgumentError("an operand must be a tensor");
  if (value.frame == &frame) {
    if (value.node == nullptr) {
      FX_ASSIGN_OR_RETURN(value.node, create_node(frame, value));
    }
    return value.node;
  }
  if (const auto found = frame.captured.find(&value); found != frame.captured.end())
    return found->second;
  if (frame.outer == nullptr)
    return absl::InvalidArgumentError("a value of a nested graph is used outside of it");
  FX_ASSIGN_OR_RETURN(Node * outer, node_in(*frame.outer, value));
  const auto guard = frame.captures.empty()
                         ? frame.graph->inserting_before(nullptr)
                         : frame.graph->inserting_after(frame.captures.back().placeholder);
  Node* const placeholder = frame.graph->placeholder(outer->name(), {.type = outer->type()});
  placeholder->set_target(placeholder->name());
  frame.captures.push_back({&value, outer, placeholder});
  frame.captured.emplace(&value, placeholder);
  return placeholder;
}

absl::Status Reader::read_initializers(const GraphProto& graph, Names& names) {
  if (graph.num_sparse_initializers > 0)
    return absl::UnimplementedError("sparse initializers are not supported");
  for (const TensorProto& proto : graph.initializers) {
    Value* value = nullptr;
    absl::StatusOr<Tensor> tensor = tensor_of(proto);
    if (tensor.ok()) {
      value = &constant_value(*std::move(tensor));
      value->path = proto.name;
    } else {
      errors_.push_back(tensor.status());
      value = &new_value();
      value->kind = Value::kFailed;
    }
    FX_RETURN_IF_ERROR(bind(names, proto.name, *value));
  }
  return absl::OkStatus();
}

/// Returns the symbol of a dimension's name. Different names have different symbols. Each dimension
/// without a name has its own symbol.
SymExpr Reader::symbol_of(const std::string& name) {
  SymExpr& symbol = symbols_[name];
  if (symbol && !name.empty()) return symbol;
  const absl::StatusOr<SymExpr> expr = context_.exprs().parse(name);
  const std::string base = name.empty()                     ? fmt::format("dim{}", num_dims_++)
                           : expr.ok() && expr->is_symbol() ? std::string(expr->name().str())
                                                            : std::string(legal_name(name));
  std::string unique = base;
  for (int i = 1; !symbol_names_.insert(unique).second; ++i) unique = fmt::format("{}_{}", base, i);
  symbol = context_.exprs().symbol(unique);
  return symbol;
}

/// Returns a size. A name that is a SymPy expression is parsed as one; other names become symbols.
absl::StatusOr<Dim> Reader::dim_of(const Dimension& dimension) {
  SymExprTable& exprs = context_.exprs();
  if (!dimension.name.empty()) {
    const absl::StatusOr<SymExpr> expr = exprs.parse(dimension.name);
    if (expr.ok() && !expr->is_undefined() && !expr->is_int()) {
      const Dim size(*expr);
      // A relation, such as s0 < 4, is not a size.
      if (!expr->is_symbol() && env_.range(*expr).min.has_value()) return size;
    }
    return Dim(symbol_of(std::string(dimension.name)));
  }
  if (dimension.value >= 0) return Dim(dimension.value);
  return Dim(symbol_of(""));
}

absl::StatusOr<Type> Reader::type_of(const ValueInfoProto& info) {
  if (info.kind != ValueInfoProto::kTensor)
    return absl::UnimplementedError("only tensors are supported, not sequences, maps or optionals");
  const DType dtype = dtype_of(info.type);
  if (dtype == DType::kUndefined) {
    return absl::UnimplementedError(
        fmt::format("{} elements are not supported", data_type_name(info.type)));
  }
  DimVector sizes;
  for (const Dimension& dimension : info.dims) {
    FX_ASSIGN_OR_RETURN(const Dim size, dim_of(dimension));
    sizes.push_back(size);
  }
  return context_.types().tensor({.dtype = dtype, .sizes = sizes, .has_rank = info.has_rank});
}

/// Returns the value of an input: a placeholder, or the constant that the options specify.
absl::StatusOr<Value*> Reader::read_input(const ValueInfoProto& info) {
  FX_ASSIGN_OR_RETURN(const Type type, type_of(info));
  const Tensor* const constant =
      options_.constants != nullptr ? options_.constants->find(info.name) : nullptr;
  if (constant == nullptr) {
    Value& value = new_value();
    value.kind = Value::kTensor;
    value.frame = &frame_;
    const std::string name = legal_name(info.name);  // input names in torch.fx are lowercase
    value.node = graph_->placeholder(name, {.name = name, .type = type});
    value.node->set_target(value.node->name());
    // fxcpp's writer stores the names of inputs in data files as doc strings.
    int64_t index = 0;
    if (info.doc.starts_with("in.") && absl::SimpleAtoi(std::string(info.doc.substr(3)), &index) &&
        index >= 0) {
      value.node->meta().set(meta::kInput,
                             Argument::dict({{"kind", "user_input"}, {"index", index}}));
    }
    return &value;
  }
  bool fits = constant->has_data() && constant->dtype() == type.dtype();
  if (fits && type.has_rank()) {
    fits = static_cast<int>(constant->sizes().size()) == type.rank();
    for (int i = 0; fits && i < type.rank(); ++i) {
      const Dim& size = type.sizes()[static_cast<size_t>(i)];
      fits = !size.is_int() || size.value() == constant->sizes()[static_cast<size_t>(i)];
    }
  }
  if (fits) return &constant_value(*constant);
  return absl::InvalidArgumentError(fmt::format("the constant must have the type {}, not {}",
                                                to_string(type),
                                                to_string(constant->type(context_.types()))));
}

absl::Status Reader::read_inputs(const GraphProto& graph, Names& names) {
  for (const ValueInfoProto& info : graph.inputs) {
    if (names.values.contains(info.name))
      continue;  // the initializer is the default value of the input
    absl::StatusOr<Value*> value = read_input(info);
    if (!value.ok()) {
      errors_.push_back(
          with_context(value.status(), fmt::format("input \"{}\"", shown_name(info.name))));
      value = &new_value();
      (*value)->kind = Value::kFailed;
    }
    FX_RETURN_IF_ERROR(bind(names, info.name, **value));
  }
  env_.avoid_symbols_of(*graph_);
  return absl::OkStatus();
}

}  // namespace fx::onnx::reader
