#include "fx/importers/pt2/schema/codes_internal.h"
#include "fx/importers/pt2/schema/srepr_internal.h"
#include "fx/importers/pt2/schema/value_writer_internal.h"
#include "fx/ir/graph/context.h"
#include "fx/ir/graph/nested_graphs.h"
#include "fx/ir/support/status.h"

#include "absl/strings/numbers.h"
#include "fmt/format.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fx::pt2 {
namespace {

/// Returns the number of an unbacked integer: 3 for "u3".
std::optional<int> unbacked_number(std::string_view name) {
  int number = 0;
  if (!name.starts_with('u') ||
      !absl::SimpleAtoi(absl::string_view(name.data() + 1, name.size() - 1), &number))
    return std::nullopt;
  return number;
}

/// Returns the highest number of any unbacked integer in a type, or -1 if the type has no unbacked
/// integers.
int largest_unbacked(Type type) {
  int largest = -1;
  const auto update_largest = [&largest](SymExpr expr) {
    for (const Symbol symbol : free_symbols(expr.canonical()))
      largest = std::max(largest, unbacked_number(symbol.str()).value_or(-1));
  };
  if (type.is_tensor()) {
    for (const Dim& dim : type.sizes())
      if (dim.is_symbolic()) update_largest(dim.expr());
  } else if (type.is_list() || type.is_tuple()) {
    for (const Type item : type.items()) largest = std::max(largest, largest_unbacked(item));
  } else if (type && type.is_symbolic()) {
    update_largest(type.expr());
  }
  return largest;
}

absl::StatusOr<int64_t> dtype_code(DType dtype) {
  if (dtype == DType::kUndefined) return absl::FailedPreconditionError("its dtype is unknown");
  const std::optional<int64_t> code = code_of(dtype);
  if (!code) {
    return absl::UnimplementedError(
        fmt::format("the dtype {} is not supported by torch.export's schema", dtype_name(dtype)));
  }
  return *code;
}

}  // namespace

ValueWriter::ValueWriter(const Graph& root) : root_(root) {
  const std::optional<Argument> symbols = root.meta("symbols");
  Context& context = root.context();
  if (symbols && symbols->is_dict()) {
    for (size_t i = 0; i < symbols->size(); ++i) {
      if (!symbols->key(i).is_string()) continue;
      const Symbol symbol = context.symbol(symbols->key(i).as_string());
      constrained_.insert(symbol);
      const Argument* const hint = (*symbols)[i].find("hint");
      if (hint != nullptr && hint->is_int()) hints_.emplace(symbol, SymValue(hint->as_int()));
    }
  }
  for (const Node& node : root.nodes()) {
    const Type type = node.type();
    if (!node.is_placeholder() || type.kind() != TypeKind::kInt || !type.is_symbolic()) continue;
    const SymExpr expr = type.expr().canonical();
    if (!expr.is_symbol()) continue;
    const Argument* const range = symbols ? symbols->find(expr.name().str()) : nullptr;
    const Argument* const min = range == nullptr ? nullptr : range->find("min");
    if (min == nullptr || !min->is_int() || min->as_int() < 1) numbers_.insert(expr.name());
  }
}

// Matches ShapeEnv's assumptions (torch/utils/_sympy/symbol.py, make_symbol and its callers).
std::string_view ValueWriter::assumptions(Symbol symbol) const {
  const std::string_view name = symbol.str();
  if (name.starts_with('z')) return {};
  if (name.starts_with('u') || numbers_.contains(symbol)) return ", integer=True";
  return ", positive=True, integer=True";
}

const std::string& ValueWriter::text_of(SymExpr expr) {
  const auto [it, is_new] = texts_.try_emplace(expr.canonical());
  if (is_new) {
    append_srepr(it->second, it->first, [this](Symbol symbol) { return assumptions(symbol); });
    for (const Symbol symbol : free_symbols(it->first))
      if (!constrained_.contains(symbol) && seen_.insert(symbol).second)
        unconstrained_.push_back(symbol);
  }
  return it->second;
}

void ValueWriter::expression(JsonWriter& json, SymExpr expr, std::string_view literal) {
  json.begin_union("as_expr");
  json.begin_object();
  json.key("expr_str");
  json.text(text_of(expr));
  json.key("hint");
  const absl::StatusOr<SymValue> value = evaluate(expr.canonical(), hints_);
  if (!value.ok()) {
    json.null();
  } else if (literal == "as_int" && value->kind() == SymValueKind::kInt) {
    json.union_of(literal, value->int_value());
  } else if (literal == "as_float") {
    json.begin_union(literal);
    json.floating(value->as_float());
    json.end_object();
  } else if (literal == "as_bool" && value->kind() == SymValueKind::kBool) {
    json.begin_union(literal);
    json.boolean(value->int_value() != 0);
    json.end_object();
  } else {
    json.null();
  }
  json.end_object();
  json.end_object();
}

void ValueWriter::size(JsonWriter& json, const Dim& dim) {
  if (dim.is_int()) {
    json.union_of("as_int", dim.value());
  } else {
    expression(json, dim.expr(), "as_int");
  }
}

void ValueWriter::device(JsonWriter& json, Device device) {
  json.begin_object();
  json.key("type");
  json.text(device_type_name(device.type));
  json.key("index");
  if (device.index < 0) {
    json.null();
  } else {
    json.integer(device.index);
  }
  json.end_object();
}

absl::Status ValueWriter::tensor(JsonWriter& json, Type type) {
  FX_ASSIGN_OR_RETURN(const int64_t dtype, dtype_code(type.dtype()));
  if (!type.has_rank()) return absl::FailedPreconditionError("its rank is unknown");
  const std::optional<int64_t> layout = code_of(type.layout());
  if (!layout) {
    return absl::UnimplementedError(fmt::format(
        "the layout {} is not supported by torch.export's schema", layout_name(type.layout())));
  }
  if (type.layout() == Layout::kStrided && !type.has_strides())
    return absl::FailedPreconditionError("its strides are unknown");
  const auto dims = [&](absl::Span<const Dim> values) {
    json.begin_list();
    for (const Dim& dim : values) size(json, dim);
    json.end_list();
  };
  json.begin_object();
  json.key("dtype");
  json.integer(dtype);
  json.key("sizes");
  dims(type.sizes());
  json.key("requires_grad");
  json.boolean(type.requires_grad());
  json.key("device");
  device(json, type.device());
  json.key("strides");
  dims(type.strides());
  json.key("storage_offset");
  size(json, type.offset());
  json.key("layout");
  json.integer(*layout);
  json.end_object();
  return absl::OkStatus();
}

absl::Status ValueWriter::member(JsonWriter& json, const Tensor& tensor, int64_t offset,
                                 bool requires_grad) {
  if (!tensor.has_shape()) return absl::FailedPreconditionError("its sizes must not be symbolic");
  DimVector sizes(tensor.sizes().begin(), tensor.sizes().end());
  DimVector strides(tensor.strides().begin(), tensor.strides().end());
  TensorSpec spec{.dtype = tensor.dtype(),
                  .sizes = sizes,
                  .strides = strides,
                  .offset = Dim(offset),
                  .device = tensor.device(),
                  .requires_grad = requires_grad};
  return this->tensor(json, root_.context().types().tensor(spec));
}

void ValueWriter::number(JsonWriter& json, Type type) {
  const std::string_view literal = type.kind() == TypeKind::kInt     ? "as_int"
                                   : type.kind() == TypeKind::kFloat ? "as_float"
                                                                     : "as_bool";
  if (type.is_symbolic()) return expression(json, type.expr(), literal);
  json.begin_union(literal);
  if (type.kind() == TypeKind::kInt) {
    json.integer(type.int_value());
  } else if (type.kind() == TypeKind::kFloat) {
    json.floating(type.float_value());
  } else {
    json.boolean(type.bool_value());
  }
  json.end_object();
}

Type ValueWriter::unknown_number(TypeKind kind) {
  if (next_unbacked_ < 0) {
    for (const Symbol symbol : constrained_)
      next_unbacked_ = std::max(next_unbacked_, unbacked_number(symbol.str()).value_or(-1));
    for (const Graph& graph : all_graphs(root_))
      for (const Node& node : graph.nodes())
        next_unbacked_ = std::max(next_unbacked_, largest_unbacked(node.type()));
    ++next_unbacked_;
  }
  Context& context = root_.context();
  const SymExpr symbol = context.exprs().symbol(fmt::format("u{}", next_unbacked_++));
  if (kind == TypeKind::kInt) return context.types().integer(symbol);
  // Like torch.export, represent a bool as a comparison of an integer with 1.
  return context.types().boolean(
      context.exprs().compare(SymKind::kEq, symbol, context.exprs().integer(1)));
}

absl::Status ValueWriter::ranges(JsonWriter& json) {
  const auto range = [&json](std::string_view symbol, const Argument* min, const Argument* max) {
    json.key(symbol);
    json.begin_object();
    json.key("min_val");
    json.plain(min == nullptr ? Argument() : *min);
    json.key("max_val");
    json.plain(max == nullptr ? Argument() : *max);
    json.end_object();
  };
  json.begin_object();
  const std::optional<Argument> symbols = root_.meta("symbols");
  for (size_t i = 0; symbols && symbols->is_dict() && i < symbols->size(); ++i) {
    const Argument& key = symbols->key(i);
    if (!key.is_string() || !(*symbols)[i].is_dict())
      return absl::InvalidArgumentError("the metadata `symbols` must be a dict of ranges");
    range(key.as_string(), (*symbols)[i].find("min"), (*symbols)[i].find("max"));
  }
  const Argument zero(0);
  for (const Symbol symbol : unconstrained_) {
    const bool is_size = assumptions(symbol).starts_with(", positive");
    range(symbol.str(), is_size ? &zero : nullptr, nullptr);
  }
  json.end_object();
  return absl::OkStatus();
}

}  // namespace fx::pt2
