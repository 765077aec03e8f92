// Nodes that compute sizes: see sym_nodes.h.
#include "fx/ir/graph/edit/sym_nodes.h"

#include "fx/ir/graph/context.h"
#include "fx/ir/graph/graph.h"
#include "fx/ir/support/check.h"
#include "fx/ir/support/status.h"
#include "fx/ir/symbolic/number_functions.h"

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "fmt/format.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace fx {
namespace {

Type int_type(Context& context, const Dim& value) {
  return value.is_int() ? context.types().integer(value.value())
                        : context.types().integer(value.expr());
}

Node* query(Node& tensor, std::string_view function, std::optional<int64_t> dim, Type type) {
  Graph& graph = tensor.graph();
  const Argument args[] = {&tensor, dim ? Argument(*dim) : Argument()};
  return graph.call_function(graph.context().function(function),
                             absl::MakeConstSpan(args, dim ? 2 : 1), {}, {.type = type});
}

/// True if the type of `tensor` has the dimension; checks the range of `dim`.
bool type_has_dim(const Node& tensor, int64_t dim) {
  const Type type = tensor.type();
  if (!type.is_tensor() || !type.has_rank()) return false;
  FX_CHECK(dim >= -type.rank() && dim < type.rank(),
           fmt::format("dimension {2} is out of range: {0} has {1} dimensions", tensor.name(),
                       type.rank(), dim));
  return true;
}

class Materializer {
 public:
  explicit Materializer(Graph& graph) : graph_(graph), exprs_(graph.context().exprs()) {}

  /// Records the nodes that provide the values of symbols.
  void find_producers();
  /// Returns an error if value() cannot compute the expression.
  absl::Status check(SymExpr expr) const;
  /// `expr` must be canonical and checked.
  Argument value(SymExpr expr);

 private:
  /// The source of a symbol's value: the value of `node` or its item at `path`, or the result of a
  /// query on either.
  struct Producer {
    enum class Query : uint8_t { kValue, kSize, kStride, kOffset };
    Node* node = nullptr;
    std::vector<int64_t> path;
    Query query = Query::kValue;
    int64_t dim = 0;
    int64_t divisor = 1;

    bool is_value_itself() const { return query == Query::kValue && divisor == 1; }
  };

  void note(const Dim& dim, const Producer& producer);
  void note_tensor(Type type, Producer producer);
  void note_result(Type type, Producer& producer);
  Argument produce(const Producer& producer, SymExpr symbol);
  Argument call(std::string_view function, absl::Span<const Argument> args, SymExpr result);
  Type type_of(SymExpr expr) const;

  Graph& graph_;
  SymExprTable& exprs_;
  absl::flat_hash_map<Symbol, Producer> inputs_;  // placeholders; a number is preferred to a size
  absl::flat_hash_map<Symbol, Producer> results_;
  bool in_input_ = false;
  absl::flat_hash_map<SymExpr, Argument> created_;
};

// ---------------------------------------------------------------- producers

void Materializer::note(const Dim& dim, const Producer& producer) {
  if (!dim.is_symbolic()) return;
  SymExpr expr = dim.expr().canonical();
  Producer found = producer;
  if (expr.kind() == SymKind::kMul && expr.args().size() == 2 && expr.args()[0].is_int() &&
      expr.args()[0].int_value() > 0) {
    found.divisor = expr.args()[0].int_value();
    expr = expr.args()[1];
  }
  if (!expr.is_symbol()) return;
  if (in_input_ && found.is_value_itself()) {
    Producer& known = inputs_[expr.name()];
    if (!known.node || !known.is_value_itself()) known = std::move(found);
  } else if (in_input_) {
    inputs_.try_emplace(expr.name(), std::move(found));
  } else if (is_unbacked(expr.name())) {
    results_.try_emplace(expr.name(), std::move(found));
  }
}

void Materializer::note_tensor(Type type, Producer producer) {
  producer.query = Producer::Query::kSize;
  for (producer.dim = 0; producer.dim < type.rank(); ++producer.dim)
    note(type.sizes()[static_cast<size_t>(producer.dim)], producer);
  if (in_input_) return;  // the strides of an input may differ in another run
  producer.query = Producer::Query::kStride;
  for (producer.dim = 0; producer.dim < static_cast<int64_t>(type.strides().size()); ++producer.dim)
    note(type.strides()[static_cast<size_t>(producer.dim)], producer);
  producer.query = Producer::Query::kOffset;
  note(type.offset(), producer);
}

// Depth is bounded (kMaxTypeDepth).
void Materializer::note_result(Type type, Producer& producer) {
  switch (type.kind()) {
    case TypeKind::kInt:
      if (type.is_symbolic()) note(Dim(type.expr()), producer);
      return;
    case TypeKind::kTensor:
      note_tensor(type, producer);
      return;
    case TypeKind::kList:
    case TypeKind::kTuple:
      for (size_t i = 0; i < type.items().size(); ++i) {
        producer.path.push_back(static_cast<int64_t>(i));
        note_result(type.items()[i], producer);
        producer.path.pop_back();
      }
      return;
    default:
      return;
  }
}

void Materializer::find_producers() {
  const Node* end = graph_.insert_point();
  for (Node& node : graph_.nodes()) {
    if (&node == end) return;
    if (node.is_output() || !node.type()) continue;
    in_input_ = node.is_placeholder();
    Producer producer;
    producer.node = &node;
    note_result(node.type(), producer);
  }
}

// ---------------------------------------------------------------- creation

// Depth is bounded (kMaxSymExprDepth).
absl::Status Materializer::check(SymExpr expr) const {
  if (expr.is_int() || expr.kind() == SymKind::kFloat) return absl::OkStatus();
  if (expr.is_symbol()) {
    if (inputs_.contains(expr.name()) || results_.contains(expr.name())) return absl::OkStatus();
    return absl::NotFoundError(fmt::format("no input{} before the insert point has the symbol {}",
                                           is_unbacked(expr.name()) ? " or result" : "",
                                           expr.name().str()));
  }
  if (number_function_of(expr).empty())
    return absl::UnimplementedError(fmt::format("no Python function computes {}", to_string(expr)));
  for (const SymExpr item : expr.args()) FX_RETURN_IF_ERROR(check(item));
  return absl::OkStatus();
}

Type Materializer::type_of(SymExpr expr) const {
  TypeTable& types = graph_.context().types();
  if (expr.is_undefined()) return {};
  if (expr.is_int()) return types.integer(expr.int_value());
  return expr.value_kind() == SymValueKind::kInt ? types.integer(expr) : types.floating(expr);
}

Argument Materializer::call(std::string_view function, absl::Span<const Argument> args,
                            SymExpr result) {
  return graph_.call_function(graph_.context().function(function), args, {},
                              {.type = type_of(result)});
}

Argument Materializer::produce(const Producer& producer, SymExpr symbol) {
  Node* node = producer.node;
  Type type = node->type();
  for (const int64_t i : producer.path) {
    type = type.items()[static_cast<size_t>(i)];
    node = graph_.call_function(graph_.context().function("operator.getitem"), {node, i}, {},
                                {.type = type});
  }
  if (producer.query == Producer::Query::kSize) node = create_size_node(*node, producer.dim);
  if (producer.query == Producer::Query::kStride) node = create_stride_node(*node, producer.dim);
  if (producer.query == Producer::Query::kOffset) node = create_storage_offset_node(*node);
  if (producer.divisor == 1) return node;
  const Argument args[] = {node, producer.divisor};
  return call("operator.floordiv", args, symbol);
}

// Depth is bounded (kMaxSymExprDepth).
Argument Materializer::value(SymExpr expr) {
  if (expr.is_int()) return expr.int_value();
  if (expr.kind() == SymKind::kFloat) return expr.float_value();
  if (const auto it = created_.find(expr); it != created_.end()) return it->second;
  Argument result;
  if (expr.is_symbol()) {
    const auto input = inputs_.find(expr.name());
    result = produce(input != inputs_.end() ? input->second : results_.at(expr.name()), expr);
  } else if (expr.kind() == SymKind::kCall || expr.args().size() == 2) {
    std::vector<Argument> args;
    for (const SymExpr item : expr.args()) args.push_back(value(item));
    result = call(number_function_of(expr), args, expr);
  } else {
    // Sums, products, minima and maxima of multiple operands: binary calls, from the left.
    const bool is_sum = expr.kind() == SymKind::kAdd, is_product = expr.kind() == SymKind::kMul;
    SymExpr so_far = expr.args()[0];
    result = value(so_far);
    for (const SymExpr item : expr.args().subspan(1)) {
      so_far = is_sum                         ? exprs_.add(so_far, item)
               : is_product                   ? exprs_.mul(so_far, item)
               : expr.kind() == SymKind::kMin ? exprs_.min(so_far, item)
                                              : exprs_.max(so_far, item);
      const Argument args[] = {result, value(item)};
      result = call(number_function_of(expr), args, so_far);
    }
  }
  created_.emplace(expr, result);
  return result;
}

}  // namespace

bool is_unbacked(Symbol symbol) {
  std::string_view name = symbol.str();
  name.remove_prefix(name.starts_with("zuf") ? 3 : name.starts_with('u') ? 1 : name.size());
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

// ---------------------------------------------------------------- interface

Node* create_size_node(Node& tensor, int64_t dim) {
  Context& context = tensor.context();
  const Type type = type_has_dim(tensor, dim)
                        ? int_type(context, tensor.type().size(static_cast<int>(dim)))
                        : context.types().integer();
  return query(tensor, "aten.sym_size.int", dim, type);
}

Node* create_stride_node(Node& tensor, int64_t dim) {
  Context& context = tensor.context();
  const Type type = type_has_dim(tensor, dim) && tensor.type().has_strides()
                        ? int_type(context, tensor.type().stride(static_cast<int>(dim)))
                        : context.types().integer();
  return query(tensor, "aten.sym_stride.int", dim, type);
}

Node* create_storage_offset_node(Node& tensor) {
  Context& context = tensor.context();
  const Type type = tensor.type().is_tensor() ? int_type(context, tensor.type().offset())
                                              : context.types().integer();
  return query(tensor, "aten.sym_storage_offset.default", std::nullopt, type);
}

absl::StatusOr<std::vector<Argument>> materialize_symints(Graph& graph,
                                                          absl::Span<const Dim> values) {
  Materializer materializer(graph);
  materializer.find_producers();
  for (const Dim& dim : values) {
    if (dim.is_int()) continue;
    FX_RETURN_IF_ERROR(dim.status());
    const SymExpr expr = dim.expr().canonical();
    if (expr.value_kind() != SymValueKind::kInt) {
      return absl::InvalidArgumentError(
          fmt::format("a size must be an integer, not {}", to_string(expr)));
    }
    FX_RETURN_IF_ERROR(materializer.check(expr));
  }
  std::vector<Argument> results;
  for (const Dim& dim : values) {
    results.push_back(dim.is_int() ? Argument(dim.value())
                                   : materializer.value(dim.expr().canonical()));
  }
  return results;
}

absl::StatusOr<Argument> materialize_symint(Graph& graph, const Dim& value) {
  FX_ASSIGN_OR_RETURN(const std::vector<Argument> results, materialize_symints(graph, {&value, 1}));
  return results[0];
}

}  // namespace fx
